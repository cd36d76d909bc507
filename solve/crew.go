package solve

import (
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

// attempt is an Attempt at work. It is worked on by one thread at a time.
type attempt struct {
	Attempt
	walk *alns.Walk
	busy bool
	// interrupted says that the context cut the beam or its finish short. The
	// board counts in this sitting; a saved run builds it again.
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
	attempts []*attempt // by ascending number
	begun    int        // attempts in all, forgotten ones too

	nodes, iterations int64 // of the forgotten ones

	perfect int // the lowest attempt that has solved the puzzle
	stop    func()
	tells   search.Throttle

	saving sync.Mutex // held while a state is taken and saved, so that none overtakes another
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
			t.walk.Run(ctx, limit, c.horizon(t))
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

// tellBest tells of the best board that a resumed run begins with.
func (c *crew) tellBest() {
	r := c.result()
	if r.Score < 0 {
		return
	}
	a := c.attempts[slices.IndexFunc(c.attempts, func(t *attempt) bool { return t.Number == r.Attempt })]
	c.plan.Watch.Observe(search.Event{
		Kind: search.Improved, Stage: "polish", Detail: fmt.Sprintf("a board of %d, resumed", a.Finished), Stream: a.Number,
		Score: r.Score, Best: r.Score, Max: c.puzzle.MaxScore(), Placements: r.Placements,
	})
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
	if c.plan.Budget.Time > 0 && c.perfect < math.MaxInt {
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
	case c.plan.open() > 0:
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
	return search.Share(total, max(1, c.options.Attempts), number)
}

// horizon is how far the walk of an attempt is to go. Polishing beyond its
// share of the time goes on as it ended.
func (c *crew) horizon(t *attempt) alns.Horizon {
	if c.plan.Budget.Iterations > 0 {
		return alns.Horizon{Iterations: c.share(c.plan.Budget.Iterations, t.Number)}
	}
	return alns.Horizon{Done: t.Polish.Seconds() / polishFor(t.Beam).Seconds()}
}

// wanted tells whether another attempt should begin.
func (c *crew) wanted() bool {
	switch {
	case !c.hasBoard():
		return true
	case c.perfect < math.MaxInt:
		return false
	case c.options.Attempts > 0 && c.begun >= c.options.Attempts:
		return false
	}
	return c.plan.open() == 0 || c.widthInTime() > 0
}

// begin enters a new attempt.
func (c *crew) begin() *attempt {
	n := c.begun
	t := &attempt{Attempt: Attempt{Number: n, Order: c.options.Orders[n%len(c.options.Orders)], Width: c.options.Width}}
	if t.Width == 0 {
		t.Width = max(1, c.widthInTime())
	}
	c.begun++
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
	beam := time.Since(began)
	f := Finished{Score: r.Score, Placements: r.Placements}
	if !c.options.NoFinish && !r.Cut {
		watch := search.Func(func(e search.Event) {
			e.Stream = t.Number
			c.plan.Watch.Observe(e)
		})
		if f, err = Finish(ctx, c.puzzle, r, FinishNodes*int64(t.Width), watch); err != nil {
			return err
		}
	}
	walk, err := alns.NewWalk(c.puzzle, f.Placements, c.options.Polish, t.Number)
	if err != nil {
		return err
	}
	walk.Watch = c.plan.Trace
	c.mu.Lock()
	t.walk, t.Built, t.Nodes, t.Cut, t.Beam = walk, r.Score, r.Nodes, r.Cut, beam
	t.Finished, t.Finish, t.FinishNodes, t.Tail = f.Score, f.Time, f.Nodes, f.Tail
	t.interrupted = ctx.Err() != nil
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
	t.Steps = t.walk.Iterations()
	state := t.walk.State()
	t.Walk = &state
	going := !t.Settled
	t.Settled = t.Settled || c.settled(t)
	c.note(t)
	if going && t.Settled {
		t.walk.Tell()
	}
	improved := score > before && polished > 0
	tell := c.tells.Due()
	e := search.Event{
		Stage: "polish", Stream: t.Number, Score: t.walk.Score(), Best: score, Max: c.puzzle.MaxScore(),
		Done: t.walk.Iterations(), Unit: "iterations", Operators: t.walk.Operators(),
		Detail: fmt.Sprintf("a board of %d", t.Finished),
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
	return c.plan.open() == 0 || t.Polish >= polishFor(t.Beam)
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
	if c.plan.open() == 0 {
		return // the attempts are counted, so they are few
	}
	for i := 0; i < len(c.attempts) && len(c.attempts) > history; {
		if t := c.attempts[i]; t.Settled && t.walk == nil {
			c.nodes += t.Nodes
			c.iterations += t.Steps
			c.attempts = slices.Delete(c.attempts, i, i+1)
		} else {
			i++
		}
	}
}

func (c *crew) save() {
	if c.plan.Save == nil {
		return
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	c.mu.Lock()
	s := State{Begun: c.begun, Nodes: c.nodes, Iterations: c.iterations, Elapsed: c.elapsed()}
	for _, t := range c.attempts {
		a := t.Attempt
		if t.interrupted {
			a = Attempt{Number: a.Number, Order: a.Order, Width: a.Width}
		}
		s.Attempts = append(s.Attempts, a)
	}
	c.mu.Unlock()
	c.plan.Save(s)
}

func (c *crew) result() Result {
	r := Result{Score: -1, Nodes: c.nodes, Iterations: c.iterations, Elapsed: c.elapsed()}
	for _, t := range c.attempts {
		if t.Number > c.perfect {
			break // how far the later ones came depends on the threads
		}
		r.Attempts = append(r.Attempts, t.Attempt)
		r.Nodes += t.Nodes
		r.Iterations += t.Steps
		if t.walk == nil {
			continue
		}
		if board, score := t.walk.Best(); score > r.Score {
			r.Score, r.Placements, r.Attempt = score, board, t.Number
		}
	}
	return r
}
