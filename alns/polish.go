package alns

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

// Plan says how Polish shares its work out.
type Plan struct {
	Streams int // walks, each with its own random stream; default 4
	Threads int // default 1; changes how long it takes, not what comes out
	Budget  search.Budget
	Watch   search.Observer
	Trace   search.Observer // hears the Traced events of all walks, one more at the end of each; nobody by default

	// Save, when set, is called with the state of all walks every few seconds
	// and at the end, never twice at once.
	Save  func(States)
	Every time.Duration // between two calls of Save, default 5 s
}

// States is a polishing run between rounds.
type States struct {
	Walks   []State       `json:"walks"`
	Elapsed time.Duration `json:"elapsed"`
}

// Result is the best board of a polishing run.
type Result struct {
	Score      int
	Placements []puzzle.Placement
	Iterations int64
	Stream     int               // the walk that found it
	Gained     int64             // the iteration of that walk that made it, 0 for the start
	Operators  []search.Operator // summed over the walks; Weight is the mean share
	Repairs    search.Repair     // summed over the walks
}

// Polish runs the loop from a full board in Plan.Streams walks and returns the
// best board, of the lowest walk if several found one as good. An iteration
// budget is shared out evenly, so the same seed and iterations give the same
// board on any number of threads. A walk that solves the puzzle ends; the walks
// after it are given up and do not count.
func Polish(ctx context.Context, p *puzzle.Puzzle, start []puzzle.Placement, o Options, plan Plan) (Result, error) {
	walks := make([]*Walk, plan.streams())
	for i := range walks {
		var err error
		if walks[i], err = NewWalk(p, start, o, i); err != nil {
			return Result{}, err
		}
	}
	return polish(ctx, p, walks, plan, 0)
}

// Resume goes on with a saved run. Options and plan must be those of the run.
func Resume(ctx context.Context, p *puzzle.Puzzle, saved States, o Options, plan Plan) (Result, error) {
	if len(saved.Walks) != plan.streams() {
		return Result{}, fmt.Errorf("saved run of %d streams, want %d", len(saved.Walks), plan.streams())
	}
	walks := make([]*Walk, plan.streams())
	for i := range walks {
		var err error
		if walks[i], err = ResumeWalk(p, saved.Walks[i], o, i); err != nil {
			return Result{}, err
		}
	}
	return polish(ctx, p, walks, plan, saved.Elapsed)
}

func (plan Plan) streams() int {
	if plan.Streams == 0 {
		return 4
	}
	return max(1, plan.Streams)
}

// crew runs the walks. Each is worked on by one thread at a time.
type crew struct {
	puzzle *puzzle.Puzzle
	plan   Plan
	start  time.Time
	before time.Duration // elapsed in earlier sittings

	mu        sync.Mutex
	walks     []*Walk
	busy      []bool
	states    []State // of the walks after their last whole rounds
	best      int     // over all walks, for Improved events
	solved    int     // the lowest walk that has solved the puzzle, or len(walks)
	tells     search.Throttle
	began     int64 // iterations at the start of this sitting
	score     int   // of the board that the last round left
	operators [][]search.Operator

	saving sync.Mutex // held while a state is taken and saved, so that none overtakes another
}

func polish(ctx context.Context, p *puzzle.Puzzle, walks []*Walk, plan Plan, elapsed time.Duration) (Result, error) {
	if plan.Budget.Time < 0 || plan.Budget.Iterations < 0 {
		return Result{}, fmt.Errorf("budget of %v and %d iterations, want 0 for no bound, or more", plan.Budget.Time, plan.Budget.Iterations)
	}
	if plan.Watch == nil {
		plan.Watch = search.Nobody
	}
	if plan.Every <= 0 {
		plan.Every = 5 * time.Second
	}
	if plan.Budget.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, plan.Budget.Time-elapsed)
		defer cancel()
	}
	c := &crew{puzzle: p, plan: plan, start: time.Now(), before: elapsed, walks: walks, busy: make([]bool, len(walks)), best: -1, solved: len(walks),
		tells: search.NewThrottle(search.Tell)}
	for _, w := range walks {
		w.Watch = plan.Trace
		c.states = append(c.states, w.State())
		c.operators = append(c.operators, w.Operators())
		c.began += w.Iterations()
		c.score = w.Score()
		c.improve(w)
	}
	c.tell(search.Started)
	if plan.Save != nil {
		defer search.Repeat(plan.Every, c.save)()
	}
	var crewed sync.WaitGroup
	for range min(max(1, plan.Threads), len(walks)) {
		crewed.Go(func() { c.work(ctx) })
	}
	crewed.Wait()
	if plan.Budget.Time > 0 {
		for _, w := range walks {
			w.Tell()
		}
	}
	c.save()
	c.tell(search.Finished)
	return c.result(), nil
}

// share is the part of the iteration budget that falls to a walk.
func (c *crew) share(walk int) int64 {
	return search.Share(c.plan.Budget.Iterations, len(c.walks), walk)
}

// horizon is how far a walk is to go.
func (c *crew) horizon(walk int) Horizon {
	if c.plan.Budget.Iterations > 0 {
		return Horizon{Iterations: c.share(walk)}
	}
	return Horizon{Done: float64(c.before+time.Since(c.start)) / float64(max(1, c.plan.Budget.Time))}
}

// work runs rounds until no walk is left that has any.
func (c *crew) work(ctx context.Context) {
	for ctx.Err() == nil {
		i, limit := c.take()
		if i < 0 {
			return
		}
		c.walks[i].Run(ctx, limit, c.horizon(i))
		c.give(i)
	}
}

// take picks the idle walk that is furthest behind.
func (c *crew) take() (walk int, limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	walk, limit = -1, math.MaxInt64 // a round
	if c.solved < len(c.walks) && c.plan.Budget.Time > 0 {
		return walk, 0 // one solution is enough
	}
	for i := range c.walks {
		done := c.states[i].Iterations
		if c.busy[i] || i >= c.solved || c.plan.Budget.Iterations > 0 && done >= c.share(i) {
			continue
		}
		if walk < 0 || done < c.states[walk].Iterations {
			walk = i
		}
	}
	if walk >= 0 {
		c.busy[walk] = true
		if c.plan.Budget.Iterations > 0 {
			limit = c.share(walk) - c.states[walk].Iterations
		}
	}
	return walk, limit
}

// give returns a walk after its round.
func (c *crew) give(i int) {
	c.mu.Lock()
	w := c.walks[i]
	c.busy[i] = false
	c.states[i] = w.State()
	if c.plan.Budget.Iterations > 0 && w.Iterations() >= c.share(i) || w.Solved() {
		w.Tell() // the end of the walk
	}
	c.operators[i] = w.Operators()
	c.score = w.Score()
	c.improve(w)
	tell := c.tells.Due()
	c.mu.Unlock()
	if tell {
		c.tell(search.Progress)
	}
}

// improve tells of a board better than any of the run.
func (c *crew) improve(w *Walk) {
	if w.Solved() {
		c.solved = min(c.solved, w.number)
	}
	board, score := w.Best()
	if score <= c.best {
		return
	}
	c.best = score
	c.plan.Watch.Observe(search.Event{
		Kind: search.Improved, Stage: "polish", Stream: w.number, Score: score, Best: score,
		Max: c.puzzle.MaxScore(), Placements: board,
	})
}

func (c *crew) tell(kind search.Kind) {
	c.mu.Lock()
	done := int64(0)
	for _, s := range c.states {
		done += s.Iterations
	}
	e := search.Event{
		Kind: kind, Stage: "polish", Score: c.score, Best: c.best, Max: c.puzzle.MaxScore(),
		Done: done, Of: c.plan.Budget.Iterations, Unit: "iterations", Operators: sum(c.operators),
	}
	if spent := time.Since(c.start).Seconds(); spent > 0 {
		e.Rate = float64(done-c.began) / spent
	}
	c.mu.Unlock()
	c.plan.Watch.Observe(e)
}

func (c *crew) save() {
	if c.plan.Save == nil {
		return
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	c.mu.Lock()
	saved := States{append([]State(nil), c.states...), c.before + time.Since(c.start)}
	c.mu.Unlock()
	c.plan.Save(saved)
}

func (c *crew) result() Result {
	n := min(c.solved+1, len(c.walks))
	r := Result{Score: -1, Operators: sum(c.operators[:n])}
	for i, w := range c.walks[:n] {
		r.Iterations += w.Iterations()
		if board, score := w.Best(); score > r.Score {
			r.Score, r.Placements, r.Stream, r.Gained = score, board, i, w.gained
		}
		n := w.Repairs()
		r.Repairs.Name = n.Name
		r.Repairs.Uses += n.Uses
		r.Repairs.Optimal += n.Optimal
		r.Repairs.Fallbacks += n.Fallbacks
	}
	return r
}

// sum adds up the accounts of several walks.
func sum(accounts [][]search.Operator) []search.Operator {
	total := append([]search.Operator(nil), accounts[0]...)
	for _, account := range accounts[1:] {
		for i, o := range account {
			total[i].Weight += o.Weight
			total[i].Uses += o.Uses
			total[i].Accepted += o.Accepted
			total[i].Unchanged += o.Unchanged
			total[i].Improved += o.Improved
			total[i].Gain += o.Gain
		}
	}
	for i := range total {
		total[i].Weight /= float64(len(accounts))
	}
	return total
}
