// Package worker does the jobs of a hunt: it takes one a core, does it, and
// returns what came of it. It keeps the state of jobs where others find it, so
// that a job outlives its worker, and it waits for whoever is away.
package worker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"sync"
	"time"

	"lastmile/hunt/job"
	"lastmile/hunt/queue"
	"lastmile/puzzle"
	"lastmile/search"
)

// Options of a worker.
type Options struct {
	Hunt    string
	Dial    queue.Dial
	Slots   int           // jobs at once, default 1
	Version string        // of the program
	Every   time.Duration // between two savings of a job at work, default 30 s
	Log     *slog.Logger
	Most    int // jobs, after which it ends; 0 for no end
}

// Beat is what a worker tells of itself now and then.
type Beat struct {
	queue.Hello
	Left       bool    `json:"left"` // the last one
	Done       int64   `json:"done"`
	Best       int     `json:"best"`       // score, -1 for none
	Nodes      float64 `json:"nodes"`      // a second, since the last beat
	Iterations float64 `json:"iterations"` // a second, since the last beat
	Doing      []Doing `json:"doing"`
}

// Doing is a job at work.
type Doing struct {
	Job     string  `json:"job"`
	Kind    string  `json:"kind"`
	Stage   string  `json:"stage"`
	Detail  string  `json:"detail"`
	Best    int     `json:"best"`
	Done    int64   `json:"done"`
	Of      int64   `json:"of"`
	Unit    string  `json:"unit"`
	Seconds float64 `json:"seconds"`
}

// Every is how often a worker beats.
const Every = 2 * time.Second

// ErrRefused says that the hunt does not take the worker.
var ErrRefused = errors.New("the hunt refuses this worker")

// worker is one at work.
type worker struct {
	Options
	hello queue.Hello
	road  *queue.Hunt
	stop  context.CancelCauseFunc

	mu         sync.Mutex
	slots      map[int]*slot
	done       int64
	taken      int
	best       int
	nodes      int64 // of jobs done, and of those at work as far as they tell
	iterations int64
	toldAt     time.Time
	told       [2]int64 // nodes and iterations at the last beat

	puzzles puzzles
}

// slot is a job at work.
type slot struct {
	id, kind string
	began    time.Time
	last     search.Event
	most     map[string]int64 // by unit: what the job has told of
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// Named is a name that no other worker has: that of the machine, and a lot.
func Named() (worker, host string) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	lot := make([]byte, 4)
	rand.Read(lot)
	name := unfit.ReplaceAllString(host, "-")
	return name[:min(len(name), 40)] + "-" + hex.EncodeToString(lot), host
}

// Run works until the context ends, the hunt is stopped, or it is refused; the
// latter is an error.
func Run(ctx context.Context, o Options) error {
	if o.Slots == 0 {
		o.Slots = 1
	}
	if o.Every == 0 {
		o.Every = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	w := &worker{Options: o, slots: map[int]*slot{}, best: -1}
	w.hello = queue.Hello{Protocol: job.Protocol, Signature: job.Signature(), Version: o.Version, Slots: o.Slots}
	w.hello.Worker, w.hello.Host = Named()
	ctx, w.stop = context.WithCancelCause(ctx)
	defer w.stop(nil)
	if o.Dial.Log == nil {
		o.Dial.Log = func(format string, v ...any) { o.Log.Warn(fmt.Sprintf(format, v...)) }
	}
	o.Dial.Name = w.hello.Worker
	if err := w.join(ctx, o.Dial); err != nil {
		return w.ended(ctx, err)
	}
	defer w.road.Conn.Close()
	heard, err := w.road.Commands(w.hear)
	if err != nil {
		return err
	}
	defer heard.Unsubscribe()
	w.toldAt = time.Now()
	beating := search.Repeat(Every, func() { w.beat(false) })
	w.beat(false)
	w.Log.Info("at work", "worker", w.hello.Worker, "slots", o.Slots, "hunt", o.Hunt)
	var all sync.WaitGroup
	for i := range o.Slots {
		all.Go(func() { w.work(ctx, i) })
	}
	all.Wait()
	beating()
	w.beat(true)
	w.road.Conn.FlushTimeout(2 * time.Second)
	return w.ended(ctx, nil)
}

// ended is the error with which a worker ends.
func (w *worker) ended(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrRefused) {
		return cause
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// hear does what the coordinator tells.
func (w *worker) hear(c queue.Control) {
	switch {
	case c.Stop:
		w.Log.Info("the hunt has been stopped")
		w.stop(nil)
	case c.Refused == w.hello.Worker:
		w.stop(fmt.Errorf("%w: %s", ErrRefused, c.Why))
	}
}

// join finds the hunt and is taken by its coordinator; while either is away, it
// waits. Who is not let in by the queue need not wait.
func (w *worker) join(ctx context.Context, d queue.Dial) error {
	waited := ""
	wait := func(err error) error {
		if text := err.Error(); text != waited {
			waited = text
			w.Log.Warn("waiting", "for", text)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
			return nil
		}
	}
	for {
		conn, err := queue.Connect(d)
		if errors.Is(err, queue.ErrAway) {
			if err := wait(err); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		for {
			w.road, err = queue.Join(ctx, conn, w.Hunt)
			if err == nil {
				w.hello.At = time.Now()
				var welcome queue.Welcome
				if welcome, err = w.road.Greet(ctx, w.hello); err == nil && welcome.Refused != "" {
					conn.Close()
					return fmt.Errorf("%w: %s", ErrRefused, welcome.Refused)
				}
				if err == nil {
					return nil
				}
			}
			if errors.Is(err, queue.ErrRefused) {
				conn.Close()
				return err
			}
			if err := wait(err); err != nil {
				conn.Close()
				return err
			}
		}
	}
}

// again calls f until it does not fail, less and less often, or the context ends.
func (w *worker) again(ctx context.Context, what string, f func(context.Context) error) error {
	told := search.Throttle{Every: 30 * time.Second}
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 10*time.Second) {
		err := f(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if told.Due() {
			w.Log.Warn(what+" failed, trying again", "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// work takes one job after another.
func (w *worker) work(ctx context.Context, n int) {
	for ctx.Err() == nil && w.more() {
		d, err := w.road.Next(ctx, 5*time.Second)
		if err != nil && ctx.Err() == nil {
			w.Log.Warn("no job can be had", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
		if d == nil {
			w.untake()
			continue
		}
		w.do(ctx, n, d)
	}
}

// more tells whether another job is to be taken, and counts it.
func (w *worker) more() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Most > 0 && w.taken >= w.Most {
		return false
	}
	w.taken++
	return true
}

func (w *worker) untake() {
	w.mu.Lock()
	w.taken--
	w.mu.Unlock()
}

// do does a job, and sees to it that somebody hears of what came of it.
func (w *worker) do(ctx context.Context, n int, d *queue.Delivery) {
	id := d.Job.ID()
	w.mu.Lock()
	w.slots[n] = &slot{id: id, kind: d.Job.Kind, began: time.Now(), most: map[string]int64{}}
	w.mu.Unlock()
	renewing := search.Repeat(w.road.Lease()/3, func() { d.Working() }) // a loss of contact ends the lease, not the work
	defer func() {
		renewing()
		w.mu.Lock()
		delete(w.slots, n)
		w.mu.Unlock()
	}()
	r, saved, err := w.attempt(ctx, n, id, d)
	if errors.Is(err, job.ErrStopped) || ctx.Err() != nil && err != nil {
		d.Return()
		w.road.Conn.FlushTimeout(time.Second)
		return
	}
	if err != nil {
		w.Log.Error("a job failed", "job", id, "kind", d.Job.Kind, "error", err)
		r = job.Result{Protocol: job.Protocol, Job: id, Error: err.Error()}
	}
	r.Worker, r.Version, r.Signature = w.hello.Worker, w.Version, w.hello.Signature
	// A result that is there is not thrown away because we are asked to end: it gets
	// a little more time.
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(5*time.Second, cancel) })()
	if w.again(late, "reporting a result", func(ctx context.Context) error { return w.road.Report(ctx, &r) }) != nil {
		d.Return()
		return
	}
	// Whoever does the job again because of an error here does it for nothing, no more.
	if err := d.Done(late); err != nil {
		w.Log.Warn("a job may be given out again", "job", id, "error", err)
	}
	if saved {
		w.road.Forget(late, id) // or the coordinator does
	}
	w.account(n, &r)
}

func (w *worker) account(n int, r *job.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	w.nodes += r.Nodes
	w.iterations += r.Iterations
	for _, b := range r.Boards {
		w.best = max(w.best, b.Score)
	}
	if s := w.slots[n]; s != nil { // what it told of on the way is in the sum now
		s.most = map[string]int64{}
	}
}

// attempt does a job from where somebody has left it, and tells whether a state of
// it may have been saved.
func (w *worker) attempt(ctx context.Context, n int, id string, d *queue.Delivery) (r job.Result, saved bool, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("a defect of the program: %v", x)
		}
	}()
	p, err := w.puzzles.get(ctx, w.road, d.Job)
	if err != nil {
		return r, false, err
	}
	s := job.Sitting{Every: w.Every, Watch: search.Func(func(e search.Event) { w.observe(n, e) })}
	saved = d.Tries > 1 && d.Job.Saves()
	if saved {
		if s.Saved, err = w.road.Saved(ctx, id); err != nil {
			w.Log.Warn("no saved state can be had; the job begins anew", "job", id, "error", err)
		}
	}
	keep := newKeeper(func(state []byte) error { return w.road.Save(context.WithoutCancel(ctx), id, state) })
	defer keep.end()
	if d.Job.Saves() {
		began := time.Now()
		s.Save = func(state []byte) {
			if time.Since(began) >= w.Every || ctx.Err() != nil { // most jobs are over before
				saved = true
				keep.put(state)
			}
		}
	}
	r, err = job.Do(ctx, p, d.Job, s)
	return r, saved, err
}

func (w *worker) observe(n int, e search.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.slots[n]
	if s == nil {
		return
	}
	s.last = e
	s.last.Placements, s.last.Operators = nil, nil
	if e.Unit != "" {
		s.most[e.Unit] = max(s.most[e.Unit], e.Done)
	}
}

// beat tells the coordinator how it goes.
func (w *worker) beat(left bool) {
	w.mu.Lock()
	b := Beat{Hello: w.hello, Left: left, Done: w.done, Best: w.best, Doing: []Doing{}}
	b.At = time.Now()
	sums := [2]int64{w.nodes, w.iterations}
	for n := range w.Slots {
		s := w.slots[n]
		if s == nil {
			continue
		}
		sums[0] += s.most["nodes"]
		sums[1] += s.most["iterations"]
		b.Doing = append(b.Doing, Doing{
			Job: s.id, Kind: s.kind, Stage: s.last.Stage, Detail: s.last.Detail, Best: s.last.Best,
			Done: s.last.Done, Of: s.last.Of, Unit: s.last.Unit, Seconds: time.Since(s.began).Seconds(),
		})
	}
	if spent := time.Since(w.toldAt).Seconds(); spent > 0 {
		b.Nodes, b.Iterations = float64(max(0, sums[0]-w.told[0]))/spent, float64(max(0, sums[1]-w.told[1]))/spent
	}
	w.told, w.toldAt = sums, time.Now()
	w.mu.Unlock()
	if err := w.road.Beat(w.hello.Worker, b); err != nil && !left {
		w.Log.Debug("a beat was lost", "error", err)
	}
}

// puzzles are the piece sets of the hunt, and their puzzles with clues.
type puzzles struct {
	mu    sync.Mutex
	known map[string]*puzzle.Puzzle
}

// maxKnown bounds what is kept of them.
const maxKnown = 64

func (z *puzzles) get(ctx context.Context, road *queue.Hunt, j job.Job) (*puzzle.Puzzle, error) {
	clues, err := json.Marshal(j.Clues)
	if err != nil {
		return nil, err
	}
	key := j.Set + string(clues)
	z.mu.Lock()
	defer z.mu.Unlock()
	if p := z.known[key]; p != nil {
		return p, nil
	}
	set := job.SetOf(puzzle.Official())
	if j.Set != job.Official {
		text, err := road.Set(ctx, j.Set)
		if err != nil {
			return nil, err
		}
		if set, err = job.ReadSet(j.Set, text); err != nil {
			return nil, err
		}
	}
	p, err := set.Puzzle(j.Clues)
	if err != nil {
		return nil, err
	}
	if z.known == nil || len(z.known) >= maxKnown {
		z.known = map[string]*puzzle.Puzzle{}
	}
	z.known[key] = p
	return p, nil
}
