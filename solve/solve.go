// Package solve is the main job: it builds boards by beams, polishes them by
// ALNS, and keeps the best.
//
// The work is cut into numbered attempts. An attempt is a beam, with its own
// order, width and lottery, and a walk of the ALNS loop from the board that it
// built. Under a count budget the attempts are fixed in advance, so the result
// does not depend on the number of threads. Under a time budget a new attempt
// begins when the last is over and there is time for one.
package solve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"lastmile/alns"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

// Options tune the attempts. The zero value of a field asks for its default.
type Options struct {
	Orders   []string // drawn in turn, default DefaultOrders
	Width    int      // of every beam; default 4096, or what fits under a time budget
	Attempts int      // default 4, or as many as there is time for
	Polish   alns.Options
	Seed     uint64
}

// Check tells what is wrong with the options.
func (o Options) Check() error {
	for _, name := range o.Orders {
		if _, err := construct.OrderNamed(name); err != nil {
			return err
		}
	}
	if o.Width < 0 || o.Width > construct.MaxWidth {
		return fmt.Errorf("beams of width %d, want 1 to %d", o.Width, construct.MaxWidth)
	}
	if o.Attempts < 0 || o.Attempts > maxAttempts {
		return fmt.Errorf("%d attempts, want 1 to %d", o.Attempts, maxAttempts)
	}
	return o.Polish.Check()
}

// maxAttempts bounds what a checkpoint may have to hold.
const maxAttempts = 100_000

// DefaultOrders are the scan orders that build the best boards.
var DefaultOrders = []string{"row-major", "comb", "comb-4", "column", "zigzag"}

// Plan says how the work is shared out.
type Plan struct {
	Threads int // default 1
	// Budget bounds the run. Nodes are those of all beams, Iterations those of
	// all walks; either is shared out evenly among the attempts.
	Budget search.Budget
	Watch  search.Observer
	Save   func(State)   // called every few seconds and at the end, never twice at once
	Every  time.Duration // between two calls of Save, default 5 s
}

// State is a run that can be resumed, in a form that JSON carries exactly.
type State struct {
	Attempts []Attempt     `json:"attempts"`
	Elapsed  time.Duration `json:"elapsed"`
}

// Attempt is what is known of one attempt once its board is built.
type Attempt struct {
	Number  int           `json:"number"`
	Order   string        `json:"order"`
	Width   int           `json:"width"`
	Nodes   int64         `json:"nodes"`
	Cut     bool          `json:"cut"` // the beam ended before its time
	Beam    time.Duration `json:"beam"`
	Polish  time.Duration `json:"polish"`
	Built   int           `json:"built"`          // score of the beam
	Best    int           `json:"best"`           // and after polishing
	Walk    *alns.State   `json:"walk,omitempty"` // dropped when better attempts crowd it out
	Settled bool          `json:"settled"`        // its share of polishing is done
}

// Result is the best board of a run.
type Result struct {
	Score      int
	Placements []puzzle.Placement
	Attempt    int // that found it
	Attempts   []Attempt
	Nodes      int64
	Iterations int64
	Elapsed    time.Duration // all sittings
}

// keep is the number of settled attempts whose walk is kept.
const keep = 16

// Run solves from the start.
func Run(ctx context.Context, p *puzzle.Puzzle, o Options, plan Plan) (Result, error) {
	return Resume(ctx, p, State{}, o, plan)
}

// Resume goes on with a saved run. Options and plan must be those of the run,
// save for the number of threads.
func Resume(ctx context.Context, p *puzzle.Puzzle, saved State, o Options, plan Plan) (Result, error) {
	if err := o.Check(); err != nil {
		return Result{}, err
	}
	if plan.Budget.Time == 0 {
		o.Attempts = cmp.Or(o.Attempts, 4)
		o.Width = cmp.Or(o.Width, 4096)
	}
	if len(o.Orders) == 0 {
		o.Orders = DefaultOrders
	}
	if plan.Watch == nil {
		plan.Watch = search.Nobody
	}
	plan.Watch = search.InTurn(plan.Watch)
	if plan.Every == 0 {
		plan.Every = 5 * time.Second
	}
	plan.Threads = max(1, plan.Threads)
	o.Polish.Seed = o.Seed
	c := &crew{puzzle: p, options: o, plan: plan, start: time.Now(), before: saved.Elapsed, saved: time.Now(), perfect: math.MaxInt}
	for _, a := range saved.Attempts {
		t := &attempt{Attempt: a}
		if a.Walk != nil {
			var err error
			if t.walk, err = alns.ResumeWalk(p, *a.Walk, o.Polish, a.Number); err != nil {
				return Result{}, fmt.Errorf("attempt %d: %w", a.Number, err)
			}
			_, t.Best = t.walk.Best() // an interrupted round may have seen better
		}
		c.attempts = append(c.attempts, t)
		c.note(t)
	}
	ctx, c.stop = context.WithCancel(ctx)
	defer c.stop()
	if plan.Budget.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, plan.Budget.Time-saved.Elapsed)
		defer cancel()
	}
	var crewed sync.WaitGroup
	failed := make(chan error, plan.Threads)
	for range plan.Threads {
		crewed.Go(func() {
			if err := c.work(ctx); err != nil {
				failed <- err
			}
		})
	}
	crewed.Wait()
	select {
	case err := <-failed:
		return Result{}, err
	default:
	}
	c.save()
	return c.result(), nil
}

// attempt is an Attempt at work. It is worked on by one thread at a time.
type attempt struct {
	Attempt
	walk *alns.Walk
	busy bool
	// interrupted says that the context cut the beam short. Its board counts in
	// this sitting; a saved run builds it again.
	interrupted bool
}

// crew runs the attempts. A thread takes a task, a beam or a round of a walk,
// and gives back what came of it.
type crew struct {
	puzzle  *puzzle.Puzzle
	options Options
	plan    Plan
	start   time.Time
	before  time.Duration

	mu       sync.Mutex
	attempts []*attempt // by number
	perfect  int        // the lowest attempt that has solved the puzzle
	stop     func()
	saved    time.Time
	told     time.Time
	saving   bool
}

func (c *crew) elapsed() time.Duration { return c.before + time.Since(c.start) }

func (c *crew) work(ctx context.Context) error {
	for ctx.Err() == nil || !c.built() {
		t, limit := c.take()
		switch {
		case t == nil:
			return nil
		case t.walk == nil:
			if err := c.build(ctx, t); err != nil {
				return err
			}
		default:
			began := time.Now()
			t.walk.Run(ctx, limit)
			c.give(t, time.Since(began))
		}
	}
	return nil
}

// built tells whether there is a board, or will be. Until then no end of time
// stops the crew: somebody must return one.
func (c *crew) built() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hasBoard()
}

func (c *crew) hasBoard() bool {
	return slices.ContainsFunc(c.attempts, func(t *attempt) bool { return t.walk != nil || t.busy })
}

// take picks the next task: polish what is built, then build, then, under a
// time budget, polish the best boards further. It returns nil when there is
// nothing left to do.
func (c *crew) take() (t *attempt, limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	timed := c.plan.Budget.Time > 0
	if timed && c.perfect < math.MaxInt {
		return nil, 0
	}
	var share, spare *attempt
	for _, t := range c.attempts {
		switch {
		case t.busy || t.Number > c.perfect || t.Best == c.puzzle.MaxScore():
		case !t.Settled:
			if share == nil {
				share = t
			}
		case t.walk != nil && (spare == nil || t.Best > spare.Best || t.Best == spare.Best && t.walk.Iterations() < spare.walk.Iterations()):
			spare = t
		}
	}
	switch {
	case share != nil:
		t = share
	case c.wanted():
		t = c.begin()
	case timed && c.plan.Budget.Iterations == 0:
		t = spare
	}
	if t == nil {
		return nil, 0
	}
	t.busy = true
	limit = alns.Round
	if c.plan.Budget.Iterations > 0 && t.walk != nil {
		limit = c.share(c.plan.Budget.Iterations, t.Number) - t.walk.Iterations()
	}
	return t, limit
}

// share is the part of a count budget that falls to an attempt.
func (c *crew) share(total int64, number int) int64 {
	n := int64(max(1, c.options.Attempts))
	share := total / n
	if int64(number) < total%n {
		share++
	}
	return share
}

// wanted tells whether another attempt should begin.
func (c *crew) wanted() bool {
	switch {
	case !c.hasBoard():
		return true
	case c.perfect < math.MaxInt:
		return false
	case c.options.Attempts > 0 && len(c.attempts) >= c.options.Attempts:
		return false
	}
	return c.plan.Budget.Time == 0 || c.widthInTime() > 0
}

// begin enters a new attempt.
func (c *crew) begin() *attempt {
	n := len(c.attempts)
	t := &attempt{Attempt: Attempt{Number: n, Order: c.options.Orders[n%len(c.options.Orders)], Width: c.options.Width}}
	if t.Width == 0 {
		t.Width = max(1, c.widthInTime())
	}
	c.attempts = append(c.attempts, t)
	return t
}

// build runs the beam of an attempt and puts its board at the start of a walk.
func (c *crew) build(ctx context.Context, t *attempt) error {
	began := time.Now()
	var budget search.Budget
	if c.plan.Budget.Nodes > 0 {
		budget.Nodes = max(1, c.share(c.plan.Budget.Nodes, t.Number))
	}
	r, err := construct.Beam(ctx, c.puzzle, construct.Options{
		Order: t.Order, Width: t.Width, Seed: c.options.Seed, Stream: t.Number,
	}, budget, c.plan.Watch)
	if err != nil {
		return err
	}
	walk, err := alns.NewWalk(c.puzzle, r.Placements, c.options.Polish, t.Number)
	if err != nil {
		return err
	}
	c.mu.Lock()
	t.walk, t.Built, t.Nodes, t.Cut, t.Beam = walk, r.Score, r.Nodes, r.Cut, time.Since(began)
	t.interrupted = r.Cut && ctx.Err() != nil
	c.mu.Unlock()
	c.give(t, 0)
	return nil
}

// give takes an attempt back after a beam or a round.
func (c *crew) give(t *attempt, polished time.Duration) {
	c.mu.Lock()
	t.busy = false
	before := t.Best
	board, score := t.walk.Best()
	t.Best = score
	t.Polish += polished
	state := t.walk.State()
	t.Walk = &state
	t.Settled = t.Settled || c.settled(t)
	c.note(t)
	improved := score > before && polished > 0
	now := time.Now()
	tell := now.Sub(c.told) >= search.Tell
	if tell {
		c.told = now
	}
	save := now.Sub(c.saved) >= c.plan.Every && !c.saving
	if save {
		c.saved, c.saving = now, true
	}
	e := search.Event{
		Stage: "polish", Stream: t.Number, Score: t.walk.Score(), Best: score, Max: c.puzzle.MaxScore(),
		Done: t.walk.Iterations(), Unit: "iterations", Operators: t.walk.Operators(),
		Detail: fmt.Sprintf("a board of %d", t.Built),
	}
	if c.plan.Budget.Iterations > 0 {
		e.Of = c.share(c.plan.Budget.Iterations, t.Number)
	}
	if t.Polish > 0 {
		e.Rate = float64(t.walk.Iterations()) / t.Polish.Seconds()
	}
	c.crowdOut() // last: it may drop this very walk
	c.mu.Unlock()
	if tell && polished > 0 {
		e.Kind = search.Progress
		c.plan.Watch.Observe(e)
	}
	if improved {
		e.Kind, e.Score, e.Placements = search.Improved, score, board
		c.plan.Watch.Observe(e)
	}
	if save {
		c.save()
	}
}

// note keeps account of solved puzzles. Under a time budget one is enough.
func (c *crew) note(t *attempt) {
	if t.walk == nil || t.Best < c.puzzle.MaxScore() {
		return
	}
	c.perfect = min(c.perfect, t.Number)
	t.Settled = true
	if c.plan.Budget.Time > 0 && c.stop != nil {
		c.stop()
	}
}

// settled tells whether an attempt has had its share of polishing.
func (c *crew) settled(t *attempt) bool {
	if c.plan.Budget.Iterations > 0 {
		return t.walk.Iterations() >= c.share(c.plan.Budget.Iterations, t.Number)
	}
	return c.plan.Budget.Time == 0 || t.Polish >= polishFor(t.Beam)
}

// crowdOut drops the walks of the worst settled attempts, so that memory does
// not grow with time.
func (c *crew) crowdOut() {
	var settled []*attempt
	for _, t := range c.attempts {
		if t.Settled && !t.busy && t.walk != nil {
			settled = append(settled, t)
		}
	}
	slices.SortStableFunc(settled, func(a, b *attempt) int { return b.Best - a.Best })
	for _, t := range settled[min(keep, len(settled)):] {
		t.walk, t.Walk = nil, nil
	}
}

func (c *crew) save() {
	if c.plan.Save == nil {
		return
	}
	c.mu.Lock()
	s := State{Elapsed: c.elapsed()}
	for _, t := range c.attempts {
		a := t.Attempt
		if t.interrupted {
			a = Attempt{Number: a.Number, Order: a.Order, Width: a.Width}
		}
		s.Attempts = append(s.Attempts, a)
	}
	c.mu.Unlock()
	c.plan.Save(s)
	c.mu.Lock()
	c.saving = false
	c.mu.Unlock()
}

func (c *crew) result() Result {
	r := Result{Score: -1, Elapsed: c.elapsed()}
	for _, t := range c.attempts {
		if t.Number > c.perfect {
			break // how far the later ones came depends on the threads
		}
		r.Attempts = append(r.Attempts, t.Attempt)
		r.Nodes += t.Nodes
		if t.walk == nil {
			continue
		}
		r.Iterations += t.walk.Iterations()
		if board, score := t.walk.Best(); score > r.Score {
			r.Score, r.Placements, r.Attempt = score, board, t.Number
		}
	}
	return r
}
