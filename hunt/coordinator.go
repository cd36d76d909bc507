package hunt

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/hunt/queue"
	"lastmile/hunt/worker"
	"lastmile/puzzle"
	"lastmile/search"
)

// Options of a coordinator.
type Options struct {
	Dir     string // folder of the hunt: its archive and what goes with it
	Name    string // of the hunt
	Version string // of the program
	Dial    queue.Dial
	Queue   queue.Options
	Alone   bool // the queue is of this process: nobody else can coordinate the hunt
	Ahead   int  // jobs in the queue at least; default by the workers
	Finish  bool // end when all campaigns are over
	Least   int  // score of boards that the archive keeps; what others teach is learnt all the same
	Log     *slog.Logger
	Ready   func()                             // is called once workers can join
	Puzzle  func(set string, p *puzzle.Puzzle) // hears of each piece set before boards of it are shown; nobody by default
	Show    func(Status)                       // hears of the state of the hunt every second; nobody by default
	Found   func(Top)                          // hears of each board that is the best so far; nobody by default
}

// ArchiveIn is the archive of the hunt in a folder.
func ArchiveIn(dir string) string { return filepath.Join(dir, "hunt.db") }

// coordinator is one at work. All of it happens in one goroutine, but for what it
// hears from workers.
type coordinator struct {
	Options
	archive   *archive.Archive
	road      *queue.Hunt
	leading   *queue.Leading
	signature string
	id        string // of the archive
	since     time.Time

	campaigns map[int64]*campaign
	order     []*campaign     // the same, by number
	stale     bool            // memory and archive may differ
	sets      map[string]bool // that workers can have
	seen      map[string]bool // that Puzzle has heard of
	best      *archive.Board
	history   []Moment

	mu      sync.Mutex
	workers map[string]*heard
	lost    []string // jobs that never came back

	counts struct {
		results, refused, twice int64
	}
	rate     rate
	trouble  string
	stopping bool
	checked  time.Time // when jobs in the archive and in the queue were compared last
	warned   map[string]time.Time
}

// heard is what is known of a worker.
type heard struct {
	beat worker.Beat
	at   time.Time
	skew time.Duration
}

// Run coordinates a hunt until the context ends or the hunt is stopped by Stop.
func Run(ctx context.Context, o Options) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Show == nil {
		o.Show = func(Status) {}
	}
	if o.Puzzle == nil {
		o.Puzzle = func(string, *puzzle.Puzzle) {}
	}
	if o.Found == nil {
		o.Found = func(Top) {}
	}
	c := &coordinator{
		Options: o, signature: job.Signature(), workers: map[string]*heard{}, sets: map[string]bool{}, seen: map[string]bool{},
		warned: map[string]time.Time{}, rate: newRate(time.Minute),
	}
	var err error
	if c.archive, err = archive.Create(ArchiveIn(o.Dir)); err != nil {
		return err
	}
	defer c.archive.Close()
	if err := c.identify(); err != nil {
		return err
	}
	if o.Dial.Log == nil {
		o.Dial.Log = func(format string, v ...any) { c.Log.Warn(fmt.Sprintf(format, v...)) }
	}
	conn, err := queue.Connect(o.Dial)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := c.open(ctx, conn); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer c.leave()
	stop, err := c.listen()
	if err != nil {
		return err
	}
	defer stop()
	if o.Ready != nil {
		o.Ready()
	}
	return c.coordinate(ctx)
}

// identify reads who the hunt is, or begins it.
func (c *coordinator) identify() error {
	return c.archive.Write(func(tx *archive.Tx) error {
		name, err := tx.Meta("name")
		if err != nil {
			return err
		}
		if name == "" {
			lot := make([]byte, 8)
			rand.Read(lot)
			for key, value := range map[string]string{
				"name": c.Name, "id": hex.EncodeToString(lot), "since": c.now().Format(time.RFC3339Nano),
			} {
				if err := tx.SetMeta(key, value); err != nil {
					return err
				}
			}
			name = c.Name
		}
		if name != c.Name {
			return fmt.Errorf("the hunt in %s is called %s, not %s; want its name, or another folder", c.Dir, name, c.Name)
		}
		if c.id, err = tx.Meta("id"); err != nil {
			return err
		}
		since, err := tx.Meta("since")
		if err != nil {
			return err
		}
		if c.since, err = time.Parse(time.RFC3339Nano, since); err != nil {
			return err
		}
		if err := tx.SetMeta("stop", ""); err != nil {
			return err
		}
		if text, err := tx.Meta("history"); err != nil {
			return err
		} else if text != "" {
			if err := json.Unmarshal([]byte(text), &c.history); err != nil {
				return err
			}
		}
		list, err := tx.Boards(archive.Filter{Most: 1})
		if len(list) > 0 {
			c.best = list[0]
		}
		return err
	})
}

// A coordinator shows that it lives every so often; another that wants its place
// waits for several of these.
const (
	beatEvery = time.Second
	beatWait  = 5 * beatEvery
)

// open makes the queues of the hunt and takes the hold on it. While the servers of
// a cluster are not there yet, it waits.
func (c *coordinator) open(ctx context.Context, conn *nats.Conn) error {
	told := ""
	for {
		var err error
		if c.road, err = queue.Open(ctx, conn, c.Name, c.Queue); err == nil {
			err = c.lead(ctx)
		}
		if !errors.Is(err, queue.ErrUnready) {
			return err
		}
		if text := err.Error(); text != told {
			told = text
			c.Log.Warn("waiting", "for", text)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func (c *coordinator) lead(ctx context.Context) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	lot := make([]byte, 4)
	rand.Read(lot)
	wait := beatWait
	if c.Alone {
		wait = 0
	}
	c.leading, err = c.road.Take(ctx, queue.Lead{
		Archive: c.id, Process: fmt.Sprintf("%s-%d-%s", host, os.Getpid(), hex.EncodeToString(lot)), Host: host, Since: c.since,
	}, wait)
	return err
}

func (c *coordinator) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := c.leading.Leave(ctx); err != nil {
		c.Log.Warn("the hold on the hunt could not be given up; the next coordinator waits a little", "error", err)
	}
}

// listen hears what workers say.
func (c *coordinator) listen() (stop func(), err error) {
	type ending interface{ Unsubscribe() error }
	var all []ending
	stop = func() {
		for _, s := range all {
			s.Unsubscribe()
		}
	}
	answers, err := c.road.Answer(c.welcome)
	if err != nil {
		return nil, err
	}
	all = append(all, answers)
	beats, err := c.road.Beats(c.hear)
	if err != nil {
		stop()
		return nil, err
	}
	all = append(all, beats)
	lost, err := c.road.Lost(func(id string) {
		c.mu.Lock()
		c.lost = append(c.lost, id)
		c.mu.Unlock()
	})
	if err != nil {
		stop()
		return nil, err
	}
	all = append(all, lost)
	return stop, nil
}

// unfit tells why a worker can take no part, or nothing.
func (c *coordinator) unfit(h queue.Hello) string {
	switch {
	case h.Protocol != job.Protocol:
		return fmt.Sprintf("its program %s speaks protocol %d, this hunt %d: it wants lastmile %s", h.Version, h.Protocol, job.Protocol, c.Version)
	case h.Signature != c.signature:
		return fmt.Sprintf("its program %s comes to other results for the same jobs (signature %s, here %s): it wants lastmile %s, built for the same kind of machine",
			h.Version, h.Signature, c.signature, c.Version)
	}
	return ""
}

func (c *coordinator) welcome(h queue.Hello) queue.Welcome {
	why := c.unfit(h)
	if why != "" {
		c.Log.Warn("a worker was refused", "worker", h.Worker, "host", h.Host, "why", why)
	} else {
		c.Log.Info("a worker joins", "worker", h.Worker, "host", h.Host, "slots", h.Slots)
		c.see(worker.Beat{Hello: h, Best: -1}, h.Worker)
	}
	return queue.Welcome{Refused: why, Hunt: c.Name}
}

// hear takes in a beat.
func (c *coordinator) hear(name string, text []byte) {
	var b worker.Beat
	if json.Unmarshal(text, &b) != nil || b.Worker != name {
		return
	}
	if why := c.unfit(b.Hello); why != "" { // it worked for another coordinator before
		c.road.Command(queue.Control{Refused: name, Why: why})
		return
	}
	c.see(b, name)
}

// maxWorkers bounds the workers that are told apart in the status.
const maxWorkers = 4096

func (c *coordinator) see(b worker.Beat, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b.Left {
		delete(c.workers, name)
		return
	}
	if c.workers[name] == nil && len(c.workers) >= maxWorkers {
		return
	}
	c.workers[name] = &heard{b, time.Now(), time.Until(b.At)}
}

// coordinate is the loop.
func (c *coordinator) coordinate(ctx context.Context) error {
	if err := c.load(); err != nil {
		return err
	}
	if err := c.retryFailed(); err != nil {
		return err
	}
	ticks, beats, fills := search.NewThrottle(time.Second), search.NewThrottle(beatEvery), search.Throttle{Every: 100 * time.Millisecond}
	first := true
	for ctx.Err() == nil {
		arrived, err := c.takeIn(ctx)
		if err != nil {
			c.troubled(ctx, "results cannot be taken in", err)
		}
		if first && !arrived && err == nil { // results that waited come before jobs are offered again
			if first, err = c.road.Unsettled(ctx); err == nil && !first {
				err = c.reconcile(ctx, 0)
			}
			if err != nil {
				first = true
				c.troubled(ctx, "the queue cannot be compared with the archive", err)
			}
		}
		if !first && (arrived || fills.Due()) {
			if err := c.refill(ctx); err != nil {
				c.troubled(ctx, "jobs cannot be offered", err)
			} else if !c.stale {
				c.calm()
			}
		}
		if beats.Due() {
			if err := c.leading.Beat(ctx); errors.Is(err, queue.ErrLed) {
				return err
			} else if err != nil {
				c.troubled(ctx, "the hold on the hunt cannot be renewed", err)
			}
		}
		if ticks.Due() {
			if err := c.tick(ctx); err != nil {
				c.troubled(ctx, "the archive cannot be written", err)
			}
			if c.stopping || c.Finish && c.over() {
				return c.wind(ctx)
			}
		}
	}
	return c.last()
}

// takeIn takes in the results that are there.
func (c *coordinator) takeIn(ctx context.Context) (arrived bool, err error) {
	if c.stale {
		if err := c.load(); err != nil {
			return false, err
		}
	}
	list, err := c.road.Results(ctx, 50*time.Millisecond)
	if err != nil || len(list) == 0 {
		return false, err
	}
	all, err := c.enter(list)
	if err != nil {
		return false, err // they come again
	}
	for i, e := range all {
		c.note(list[i], e)
		if err := list[i].Entered(); err != nil {
			return true, err // it comes again, and is not counted again
		}
	}
	return true, nil
}

// note tells of a result that has been dealt with.
func (c *coordinator) note(a queue.Arrival, e entered) {
	from := ""
	if a.Result != nil {
		from = a.Result.Worker
	}
	switch e.outcome {
	case twice:
		c.counts.twice++
	case failed:
		c.Log.Error("a job failed", "job", a.Subject, "worker", from, "error", e.why)
	case refused:
		c.counts.refused++
		c.Log.Warn("a result was refused", "job", a.Subject, "worker", from, "why", e.why)
	default:
		c.counts.results++
		c.rate.add(1)
	}
	for _, x := range e.boards {
		if c.best == nil || x.Score > c.best.Score {
			c.best = x
			c.history = append(c.history, Moment{c.now().Sub(c.since).Seconds(), x.Score})
			c.Log.Info("a better board", "score", x.Score, "worker", x.Worker, "made", x.Made)
			c.Found(top(x, nil))
		}
	}
}

// troubled says what keeps the hunt from going on, now and then, and waits a
// little: it goes on by itself when it can.
func (c *coordinator) troubled(ctx context.Context, what string, err error) {
	if ctx.Err() != nil {
		return
	}
	c.trouble = what + ": " + err.Error()
	if last := c.warned[what]; time.Since(last) > 30*time.Second {
		c.warned[what] = time.Now()
		c.Log.Error(what, "error", err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(500 * time.Millisecond):
	}
}

func (c *coordinator) calm() {
	if c.trouble != "" {
		c.Log.Info("the hunt goes on", "after", c.trouble)
	}
	c.trouble = ""
	clear(c.warned)
}

// load reads the campaigns that are not over.
func (c *coordinator) load() error {
	campaigns := map[int64]*campaign{}
	var order []*campaign
	err := c.archive.Write(func(tx *archive.Tx) error {
		rows, err := tx.Campaigns(0)
		if err != nil {
			return err
		}
		for _, row := range rows {
			x, err := read(tx, row)
			if err != nil {
				return err
			}
			campaigns[row.Number] = x
			order = append(order, x)
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.campaigns, c.order, c.stale = campaigns, order, false
	return nil
}

// retryFailed gives jobs that were given up another chance: a coordinator is
// started by somebody who may have mended what was wrong.
func (c *coordinator) retryFailed() error {
	return c.archive.Write(func(tx *archive.Tx) error {
		for _, x := range c.order {
			if x.Jobs[archive.Failed] == 0 {
				continue
			}
			list, err := tx.JobsIn(x.Number, archive.Failed, queue.MaxQueued)
			if err != nil {
				return err
			}
			for _, j := range list {
				j.Tries = 0
				if err := tx.Move(j, archive.Open, c.now()); err != nil {
					return err
				}
			}
			x.Over = false
			if err := x.save(tx); err != nil {
				return err
			}
			c.Log.Info("jobs that failed are tried again", "campaign", x.Number, "jobs", len(list))
		}
		return nil
	})
}

// over tells whether there is nothing left to do.
func (c *coordinator) over() bool {
	return len(c.order) > 0 && !c.stale && !slices.ContainsFunc(c.order, func(x *campaign) bool { return !x.Over })
}

// wind ends a hunt that has been stopped: workers save what they are at and leave;
// what they still bring is taken in.
func (c *coordinator) wind(ctx context.Context) error {
	c.Log.Info("the hunt has been stopped; its workers save what they are at")
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && ctx.Err() == nil; {
		if err := c.road.Command(queue.Control{Stop: true}); err != nil {
			return errors.Join(err, c.last())
		}
		if _, err := c.takeIn(ctx); err != nil {
			c.troubled(ctx, "results cannot be taken in", err)
		}
		c.mu.Lock()
		here := 0
		for _, w := range c.workers {
			if time.Since(w.at) < 3*worker.Every {
				here++
			}
		}
		c.mu.Unlock()
		if here == 0 {
			break
		}
	}
	return c.last()
}

// last writes where the hunt has come to.
func (c *coordinator) last() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for {
		arrived, err := c.takeIn(ctx)
		if err != nil || !arrived {
			break
		}
	}
	s, err := c.status()
	if err != nil {
		return err
	}
	s.Running, s.Workers = false, []Worker{}
	c.Show(s)
	return c.archive.Write(func(tx *archive.Tx) error { return c.keep(tx, s) })
}

// Stop asks the coordinator of the hunt in a folder, if there is one, to end.
func Stop(dir string) error {
	a, err := archive.Change(ArchiveIn(dir))
	if err != nil {
		return err
	}
	defer a.Close()
	return a.Write(func(tx *archive.Tx) error { return tx.SetMeta("stop", "1") })
}
