package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lastmile/hunt/job"
)

// Options of a hunt's queues. They are set by its coordinator.
type Options struct {
	Replicas int           // copies of each message in a cluster, default 1
	Lease    time.Duration // after which a job comes back whose worker is not heard of, default 30 s
	Bytes    int64         // bound of each queue on disk, default 256 MiB
	Saved    int64         // and of the saved states, default 4 GiB
}

func (o Options) withDefaults() Options {
	if o.Replicas == 0 {
		o.Replicas = 1
	}
	if o.Lease == 0 {
		o.Lease = 30 * time.Second
	}
	if o.Bytes == 0 {
		o.Bytes = 256 << 20
	}
	if o.Saved == 0 {
		o.Saved = 4 << 30
	}
	return o
}

// Limits of what is at work at a time.
const (
	// MaxQueued bounds the jobs in the queue.
	MaxQueued = 50_000
	// maxBatch is how many results are taken at once.
	maxBatch = 1024
)

// Hunt is the road of one hunt.
type Hunt struct {
	names
	Conn   *nats.Conn
	js     jetstream.JetStream
	jobs   jetstream.Consumer // of workers
	inbox  jetstream.Consumer // of the coordinator
	stream jetstream.Stream   // of jobs; of the coordinator
	shelf  jetstream.KeyValue
	saved  jetstream.ObjectStore
	lease  time.Duration
}

// deadline bounds what should take a moment.
const deadline = 10 * time.Second

// Open makes the queues of a hunt, or brings them to these options: for its
// coordinator.
func Open(ctx context.Context, conn *nats.Conn, hunt string, o Options) (*Hunt, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*deadline)
	defer cancel()
	o = o.withDefaults()
	h := &Hunt{names: names{hunt}, Conn: conn, lease: o.Lease}
	var err error
	if h.js, err = jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(1024), jetstream.WithPublishAsyncTimeout(deadline)); err != nil {
		return nil, err
	}
	queue := func(name, subject string, most int64) jetstream.StreamConfig {
		return jetstream.StreamConfig{
			Name: name, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			Discard: jetstream.DiscardNew, MaxMsgs: most, MaxBytes: o.Bytes, Replicas: o.Replicas, Duplicates: 2 * time.Minute,
		}
	}
	jobs := queue(h.names.jobs(), h.subject("job", "*", "*"), MaxQueued)
	jobs.MaxMsgsPerSubject, jobs.DiscardNewPerSubject = 1, true
	if h.stream, err = h.js.CreateOrUpdateStream(ctx, jobs); err != nil {
		return nil, h.plain(err)
	}
	results, err := h.js.CreateOrUpdateStream(ctx, queue(h.results(), h.subject("result", "*"), 0))
	if err != nil {
		return nil, h.plain(err)
	}
	if h.jobs, err = h.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: o.Lease, MaxDeliver: MaxTries, MaxAckPending: MaxQueued,
	}); err != nil {
		return nil, h.plain(err)
	}
	if h.inbox, err = results.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: coordinator, AckPolicy: jetstream.AckExplicitPolicy, AckWait: taking, MaxAckPending: 4 * maxBatch,
	}); err != nil {
		return nil, h.plain(err)
	}
	if h.shelf, err = h.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: h.names.shelf(), Replicas: o.Replicas, MaxValueSize: 8 << 20, Storage: jetstream.FileStorage,
	}); err != nil {
		return nil, h.plain(err)
	}
	if h.saved, err = h.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: h.names.saved(), Replicas: o.Replicas, MaxBytes: o.Saved, Storage: jetstream.FileStorage, Compression: true,
	}); err != nil {
		return nil, h.plain(err)
	}
	return h, nil
}

// taking is after how long results come again that a coordinator has taken and not
// entered.
const taking = 10 * time.Second

// Unsettled tells whether there are results that have not been entered: such as a
// coordinator had taken that died.
func (h *Hunt) Unsettled(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	info, err := h.inbox.Info(ctx)
	if err != nil {
		return false, h.plain(err)
	}
	return info.NumPending > 0 || info.NumAckPending > 0, nil
}

// MaxTries is how often a job is given out before somebody should look at it.
const MaxTries = 50

// Join finds the queues of a hunt that a coordinator has made: for a worker, who
// may be behind a leaf.
func Join(ctx context.Context, conn *nats.Conn, hunt string) (h *Hunt, err error) {
	for _, domain := range []string{"", Domain} {
		if h, err = join(ctx, conn, hunt, domain); err == nil || !errors.Is(err, nats.ErrNoResponders) {
			return h, err
		}
	}
	return nil, err
}

func join(ctx context.Context, conn *nats.Conn, hunt, domain string) (*Hunt, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	h := &Hunt{names: names{hunt}, Conn: conn}
	var err error
	if domain == "" {
		h.js, err = jetstream.New(conn)
	} else {
		h.js, err = jetstream.NewWithDomain(conn, domain)
	}
	if err != nil {
		return nil, err
	}
	if h.jobs, err = h.js.Consumer(ctx, h.names.jobs(), workers); err != nil {
		return nil, h.plain(err)
	}
	h.lease = h.jobs.CachedInfo().Config.AckWait
	if h.shelf, err = h.js.KeyValue(ctx, h.names.shelf()); err != nil {
		return nil, h.plain(err)
	}
	if h.saved, err = h.js.ObjectStore(ctx, h.names.saved()); err != nil {
		return nil, h.plain(err)
	}
	return h, nil
}

// ErrNoHunt says that there is no hunt of the name.
var ErrNoHunt = errors.New("there is no hunt of that name here yet")

// plain says what an error of the queue means.
func (h *Hunt) plain(err error) error {
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
		return fmt.Errorf("%s: %w", h.hunt, ErrNoHunt)
	}
	return plain(Dial{URL: h.Conn.ConnectedUrlRedacted()}, err)
}

// Lease is after how long a job comes back whose worker is not heard of.
func (h *Hunt) Lease() time.Duration { return h.lease }

// Offer puts jobs in the queue. It tells for each whether it is there now; one
// that was there before is there once.
func (h *Hunt) Offer(ctx context.Context, jobs []job.Job) ([]bool, error) {
	futures := make([]jetstream.PubAckFuture, len(jobs))
	for i, j := range jobs {
		text, err := json.Marshal(j)
		if err != nil {
			return nil, err
		}
		if futures[i], err = h.js.PublishAsync(h.subject("job", j.Kind, j.ID()), text); err != nil {
			return make([]bool, len(jobs)), h.plain(err)
		}
	}
	there := make([]bool, len(jobs))
	var failed error
	for i, f := range futures {
		select {
		case <-f.Ok():
			there[i] = true
		case err := <-f.Err():
			if there[i] = isThere(err); !there[i] {
				failed = h.plain(err)
			}
		case <-ctx.Done():
			return there, ctx.Err()
		}
	}
	return there, failed
}

// isThere tells whether a message was refused because it is there already.
func isThere(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == 10077 && api.Description == "maximum messages per subject exceeded"
}

// Waiting is the jobs that are in the queue, at work or not: their names.
func (h *Hunt) Waiting(ctx context.Context) (map[string]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	info, err := h.stream.Info(ctx, jetstream.WithSubjectFilter(h.subject("job", "*", "*")))
	if err != nil {
		return nil, h.plain(err)
	}
	waiting := map[string]bool{}
	for subject := range info.State.Subjects {
		waiting[lastPart(subject)] = true
	}
	return waiting, nil
}

// Withdraw takes a job out of the queue, wherever it is.
func (h *Hunt) Withdraw(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	return h.plainOrNil(h.stream.Purge(ctx, jetstream.WithPurgeSubject(h.subject("job", "*", id))))
}

func (h *Hunt) plainOrNil(err error) error {
	if err == nil {
		return nil
	}
	return h.plain(err)
}

func lastPart(subject string) string {
	for i := len(subject) - 1; i >= 0; i-- {
		if subject[i] == '.' {
			return subject[i+1:]
		}
	}
	return subject
}

// Delivery is a job that is leased to a worker.
type Delivery struct {
	Job   job.Job
	Tries uint64 // how often it was given out, this time included
	msg   jetstream.Msg
}

// Next takes a job, or returns nil when there is none for a while.
func (h *Hunt) Next(ctx context.Context, wait time.Duration) (*Delivery, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := h.jobs.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, h.plain(err)
	}
	if msg, any := <-batch.Messages(); any {
		d := &Delivery{msg: msg, Tries: 1}
		if m, err := msg.Metadata(); err == nil {
			d.Tries = m.NumDelivered
		}
		if err := json.Unmarshal(msg.Data(), &d.Job); err != nil {
			return nil, errors.Join(fmt.Errorf("a job that cannot be read: %w", err), msg.Term())
		}
		return d, nil
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) {
		return nil, h.plain(err)
	}
	return nil, nil
}

// Working renews the lease.
func (d *Delivery) Working() error { return d.msg.InProgress() }

// Done takes the job out of the queue for good.
func (d *Delivery) Done(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	return d.msg.DoubleAck(ctx)
}

// Return puts the job back for somebody else, at once.
func (d *Delivery) Return() error { return d.msg.Nak() }

// Report sends a result, and returns when it is kept.
func (h *Hunt) Report(ctx context.Context, r *job.Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	_, err = h.js.Publish(ctx, h.subject("result", r.Job), text)
	return h.plainOrNil(err)
}

// Arrival is a result on its way in. One that cannot be read has Err, and no
// Result.
type Arrival struct {
	Subject string // the job that it is said to be of
	Result  *job.Result
	Err     error
	msg     jetstream.Msg
}

// Results takes the results that are there, waiting for the first one.
func (h *Hunt) Results(ctx context.Context, wait time.Duration) ([]Arrival, error) {
	batch, err := h.inbox.FetchNoWait(maxBatch)
	if err != nil {
		return nil, h.plain(err)
	}
	list, err := arrivals(batch)
	if len(list) > 0 || err != nil {
		return list, err
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if batch, err = h.inbox.Fetch(1, jetstream.FetchContext(ctx)); err != nil {
		return nil, h.plain(err)
	}
	list, err = arrivals(batch)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, nats.ErrTimeout) {
		err = nil
	}
	return list, h.plainOrNil(err)
}

func arrivals(batch jetstream.MessageBatch) ([]Arrival, error) {
	var list []Arrival
	for msg := range batch.Messages() {
		a := Arrival{Subject: lastPart(msg.Subject()), Result: &job.Result{}, msg: msg}
		if err := json.Unmarshal(msg.Data(), a.Result); err != nil {
			a.Result, a.Err = nil, err
		}
		list = append(list, a)
	}
	return list, batch.Error()
}

// Entered says that the result has been dealt with.
func (a Arrival) Entered() error { return a.msg.Ack() }
