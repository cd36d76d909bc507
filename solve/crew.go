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

	constructors []constructor

	mu       sync.Mutex
	attempts []*attempt // by ascending number
	begun    int        // attempts in all, forgotten ones too
	builds   int        // of these, how many build
	archive  archive
	pays     pays

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
		case t == nil && c.mayCome():
			select { // until another thread has a board to go on from
			case <-ctx.Done():
			case <-time.After(10 * time.Millisecond):
			}
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

// mayCome tells whether a thread without a task should stay.
func (c *crew) mayCome() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.plan.open() > 0 && c.perfect == math.MaxInt && slices.ContainsFunc(c.attempts, func(t *attempt) bool { return t.busy })
}

// tellBest tells of the best board that a resumed run begins with.
func (c *crew) tellBest() {
	r := c.result()
	if r.Score < 0 {
		return
	}
	start := r.Score
	for _, t := range c.attempts {
		if t.Number == r.Attempt && t.walk != nil {
			start = t.Finished
		}
	}
	c.plan.Watch.Observe(search.Event{
		Kind: search.Improved, Stage: "polish", Detail: fmt.Sprintf("a board of %d, resumed", start), Stream: r.Attempt,
		Score: r.Score, Best: r.Score, Max: c.puzzle.MaxScore(), Placements: r.Placements,
	})
}

func (c *crew) hasBoard() bool {
	return slices.ContainsFunc(c.attempts, func(t *attempt) bool { return t.walk != nil || t.busy })
}

// take picks the next task: polish what is built, else begin an attempt. It
// returns nil when there is nothing left to do.
func (c *crew) take() (t *attempt, limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.plan.Budget.Time > 0 && c.perfect < math.MaxInt {
		return nil, 0
	}
	for _, x := range c.attempts {
		if !x.busy && x.Number < c.perfect && x.Best < c.puzzle.MaxScore() && !x.Settled {
			t = x
			break
		}
	}
	if t == nil {
		t = c.begin()
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
	if t.Method == Again {
		return alns.Horizon{Done: float64(t.walk.Iterations()) / float64(Patience)}
	}
	return alns.Horizon{Done: t.Polish.Seconds() / polishFor(t.Beam).Seconds()}
}

// begin enters the next attempt, if there is to be one.
func (c *crew) begin() *attempt {
	more := c.options.Attempts == 0 || c.builds < c.options.Attempts
	switch {
	case !c.hasBoard():
		return c.beginBuild()
	case c.perfect < math.MaxInt:
		return nil
	case c.plan.open() == 0:
		if !more {
			return nil
		}
		return c.beginBuild()
	case more && (c.options.NoAgain || c.widthInTime() > 0 && (!c.grown() || c.buildNext())):
		return c.beginBuild()
	case c.options.NoAgain:
		return nil
	}
	if t := c.beginAgain(); t != nil || !more {
		return t
	}
	return c.beginBuild()
}

func (c *crew) enter(a Attempt) *attempt {
	a.Number, a.Bar = c.begun, 0
	if len(c.archive) > 0 {
		a.Bar = c.archive[0].Score
	}
	t := &attempt{Attempt: a}
	c.begun++
	c.attempts = append(c.attempts, t)
	return t
}

func (c *crew) beginBuild() *attempt {
	a := Attempt{Width: c.options.Width}
	x := c.constructors[c.builds%len(c.constructors)]
	if c.plan.open() > 0 {
		x = c.constructors[0] // widths grow on one way to build
	}
	if a.Counted = c.plan.open() > 0 && c.grown(); a.Counted {
		x = c.constructorInTime()
	}
	a.Method, a.Order = x.method, x.order
	switch {
	case x.method == DepthFirst:
		a.Width = 0
	case a.Width == 0:
		a.Width = max(1, c.widthInTime())
	}
	c.builds++
	return c.enter(a)
}

// beginAgain enters a new walk from a board of the archive. There is none while
// the first boards are being built.
func (c *crew) beginAgain() *attempt {
	k := c.archive.next()
	if k == nil {
		return nil
	}
	k.Walks++
	return c.enter(Attempt{Method: Again, From: k.Attempt, Built: k.Score, Counted: c.grown()})
}

// build makes the board of an attempt and puts it at the start of a walk.
func (c *crew) build(ctx context.Context, t *attempt) error {
	began := time.Now()
	r, err := c.construct(ctx, t)
	if err != nil {
		return err
	}
	built := time.Since(began)
	f := Finished{Score: r.Score, Placements: r.Placements}
	if !c.options.NoFinish && !r.Cut && t.Method != Again {
		watch := search.Func(func(e search.Event) {
			e.Stream = t.Number
			c.plan.Watch.Observe(e)
		})
		if f, err = Finish(ctx, c.puzzle, r, c.finishNodes(t), watch); err != nil {
			return err
		}
	}
	walk, err := alns.NewWalk(c.puzzle, f.Placements, c.options.Polish, t.Number)
	if err != nil {
		return err
	}
	walk.Watch = c.plan.Trace
	c.mu.Lock()
	t.walk, t.Built, t.Nodes, t.Cut, t.Beam = walk, r.Score, r.Nodes, r.Cut, built
	t.Finished, t.Finish, t.FinishNodes, t.Tail = f.Score, f.Time, f.Nodes, f.Tail
	t.interrupted = ctx.Err() != nil && t.Method != Again
	c.mu.Unlock()
	c.give(t, 0)
	return nil
}

// finishNodes is how many nodes the finish of an attempt may take. Under a time
// budget each finish that found nothing halves those to come, until one finds
// something: on most puzzles none does, and beams have more use for the time.
func (c *crew) finishNodes(t *attempt) int64 {
	nodes := FinishNodes * int64(cmp.Or(t.Width, defaultWidth))
	if c.plan.open() == 0 {
		return nodes
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	fruitless := 0
	for _, x := range c.attempts {
		switch {
		case x.FinishNodes == 0:
		case x.Finished > x.Built:
			fruitless = 0
		default:
			fruitless++
		}
	}
	return max(nodes>>fruitless, 1)
}

// construct does what the method of an attempt says.
func (c *crew) construct(ctx context.Context, t *attempt) (construct.Result, error) {
	var budget search.Budget
	if c.plan.Budget.Nodes > 0 {
		budget.Nodes = max(1, c.share(c.plan.Budget.Nodes, t.Number))
	}
	switch t.Method {
	case Beamed:
		return construct.Beam(ctx, c.puzzle, construct.Options{
			Order: t.Order, Width: t.Width, Alike: c.options.Alike, Seed: c.options.Seed, Stream: t.Number,
		}, budget, c.plan.Watch)
	case DepthFirst:
		switch {
		case c.plan.open() > 0:
			budget.Time = c.plan.Budget.Time / slice / 2
		case budget.Nodes == 0:
			budget.Nodes = construct.DefaultRestart
		}
		r, err := construct.DepthFirst(ctx, c.puzzle, construct.DepthFirstOptions{
			Order: t.Order, Seed: c.options.Seed, Stream: t.Number,
		}, budget, c.plan.Watch)
		return r.Result, err
	default:
		c.mu.Lock()
		defer c.mu.Unlock()
		k := c.archive.from(t.From, t.Built)
		t.From = k.Attempt
		return construct.Result{Score: k.Score, Placements: k.Placements}, nil
	}
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
	if score > before || going && t.Settled {
		c.archive.add(Kept{Score: score, Attempt: t.Number, Placements: board})
	}
	if going && t.Settled {
		t.walk.Tell()
		c.pay(t)
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
	if t.Method == Again {
		return t.walk.Iterations() >= t.walk.State().Gained+Patience
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
	s := State{Begun: c.begun, Builds: c.builds, Archive: slices.Clone(c.archive), Pays: c.pays, Nodes: c.nodes, Iterations: c.iterations, Elapsed: c.elapsed()}
	for _, t := range c.attempts {
		a := t.Attempt
		if t.interrupted {
			a = Attempt{Number: a.Number, Method: a.Method, Order: a.Order, Width: a.Width, From: a.From, Bar: a.Bar, Counted: a.Counted}
		}
		s.Attempts = append(s.Attempts, a)
	}
	c.mu.Unlock()
	c.plan.Save(s)
}

func (c *crew) result() Result {
	r := Result{Score: -1, Nodes: c.nodes, Iterations: c.iterations, Elapsed: c.elapsed()}
	for _, t := range c.attempts {
		if c.plan.open() == 0 && t.Number > c.perfect {
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
	switch {
	case c.plan.open() > 0: // the first that came so far, though its walk be gone
		r.Archive = c.archive
		if len(c.archive) > 0 {
			best := c.archive[0]
			r.Score, r.Placements, r.Attempt = best.Score, best.Placements, best.Attempt
		}
	default: // by number, not by who came first
		for _, t := range c.attempts {
			// Once it is solved, which other walks are left depends on the threads.
			if t.walk != nil && (c.perfect == math.MaxInt || t.Number == c.perfect) {
				board, score := t.walk.Best()
				r.Archive.add(Kept{Score: score, Attempt: t.Number, Placements: board})
			}
		}
	}
	return r
}
