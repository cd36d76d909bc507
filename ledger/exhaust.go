package ledger

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

// Plan says how an exhaustion is worked on.
type Plan struct {
	Threads int // default 1; changes how long it takes, not what comes out
	// Line works depth first in one line, with no tasks beside it: the task that is
	// left says where the search is. Counts are the same in the end; threads idle.
	Line bool
	// Budget bounds the run by nodes or time. What it cuts short is censored.
	Budget search.Budget
	Watch  search.Observer

	// Save, when set, is called with the state between rounds every few seconds
	// and at the end, never twice at once.
	Save  func(State)
	Every time.Duration // between two calls of Save, default 5 s
}

// State is an exhaustion between two rounds, in a form that JSON carries
// exactly.
type State struct {
	Counts
	Round    int           `json:"round"`
	Tasks    []Task        `json:"tasks"`     // what is left to do, in the order of the search
	ByBreaks []int64       `json:"by_breaks"` // completions by their breaks
	Best     []int32       `json:"best"`      // the best completion, as a path
	Breaks   int           `json:"breaks"`    // its breaks
	Levels   []Level       `json:"levels,omitempty"`
	From     int           `json:"from"` // the first level whose candidates are judged
	Elapsed  time.Duration `json:"elapsed"`
}

// Result is what an exhaustion has found.
type Result struct {
	Counts
	ByBreaks []int64 // completions by their breaks, 0 to the budget
	// Breaks and Placements are the best completion that was found first; -1 and
	// nil when none was found. Placements are the whole board.
	Breaks     int
	Placements []puzzle.Placement
	// Censored says that the search was cut short: the counts are of a part, and
	// the best completion may not be the best there is.
	Censored bool
	Levels   []Level // by cell of the order, when they were asked for
	From     int     // the first level whose candidates were judged in the end
	Elapsed  time.Duration
}

// A run goes in rounds. In a round each of the first tasks runs for a quota of
// nodes, with the bound that the round began with; then the results merge in
// the order of the tasks, and tasks are split until there are enough again.
// All of this depends on nothing but the problem, so neither the number of
// threads nor an interruption changes a count.
const (
	crowd      = 64      // tasks that are worked on at once
	firstQuota = 1 << 8  // nodes of a task in the first round; doubled in each
	lastQuota  = 1 << 14 // and no further than this: a round takes a second at most
	chunk      = 1 << 14 // nodes between two looks at the clock
)

// Exhaust searches for all completions of a problem within its budget, or for
// the best one.
func Exhaust(ctx context.Context, p *Problem, plan Plan) (Result, error) {
	return Resume(ctx, p, State{}, plan)
}

// Resume goes on with a saved run. The problem must be that of the run.
func Resume(ctx context.Context, p *Problem, saved State, plan Plan) (Result, error) {
	l, err := newPlan(p)
	if err != nil {
		return Result{}, err
	}
	if plan.Watch == nil {
		plan.Watch = search.Nobody
	}
	if plan.Every == 0 {
		plan.Every = 5 * time.Second
	}
	if plan.Budget.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, plan.Budget.Time-saved.Elapsed)
		defer cancel()
	}
	x := &exhaustion{
		problem: p, plan: l, run: plan, state: saved, start: time.Now(), before: saved.Elapsed,
		tells: search.NewThrottle(search.Tell), saves: search.NewThrottle(plan.Every),
	}
	for range max(1, plan.Threads) {
		x.engines = append(x.engines, newEngine(l))
	}
	if saved.Round == 0 {
		x.begin()
	} else if err := x.check(); err != nil {
		return Result{}, err
	}
	x.tell(search.Started)
	x.began = x.state.Nodes
	if err := x.rounds(ctx); err != nil {
		return Result{}, err
	}
	x.save()
	x.tell(search.Finished)
	return x.result(), nil
}

// exhaustion is a run at work.
type exhaustion struct {
	problem *Problem
	plan    *plan
	run     Plan
	state   State
	partial []part // of a round that was cut short
	engines []*engine
	start   time.Time
	before  time.Duration // elapsed in earlier sittings
	began   int64         // nodes at the start of this sitting
	tells   search.Throttle
	saves   search.Throttle
}

// part is what came of a task in a round.
type part struct {
	counts   Counts
	byBreaks []int64
	best     []int32
	breaks   int
	levels   []Level
	rest     []Task
	err      error
}

// begin enters the root.
func (x *exhaustion) begin() {
	x.state = State{Round: 1, ByBreaks: make([]int64, x.plan.budget+1), Breaks: -1, Tasks: []Task{}, Best: []int32{}}
	e := x.engines[0]
	x.state.From = x.from()
	if x.plan.profile {
		x.state.Levels = make([]Level, len(x.plan.steps))
	}
	e.reset(x.plan.budget, x.state.From)
	if len(x.plan.steps) == 0 {
		x.state.Completions, x.state.ByBreaks[0], x.state.Breaks = 1, 1, 0
		return
	}
	e.counts.Nodes = 1
	if x.plan.mode == Off || e.holds(x.plan.limit, 0) {
		x.state.Tasks = append(x.state.Tasks, Task{Path: []int32{}})
		e.enter(0)
	}
	x.state.Counts = e.counts
	if x.plan.profile {
		copy(x.state.Levels, e.profile)
		x.state.Levels[0].Nodes = 1
	}
}

// check finds what no run would have saved.
func (x *exhaustion) check() error {
	s, steps := &x.state, len(x.plan.steps)
	c := s.Counts
	switch {
	case len(s.ByBreaks) != x.plan.budget+1, s.Breaks >= 0 && len(s.Best) != steps, x.plan.profile != (s.Levels != nil), s.Levels != nil && len(s.Levels) != steps:
		return fmt.Errorf("ledger: a saved run of another problem")
	case s.Round < 1, s.Breaks < -1, s.Breaks > x.plan.budget, s.From < 0, s.From > steps, min(c.Nodes, c.Completions, c.Judged, c.Fires, c.Shortages, c.Losses, c.Misfits) < 0, slices.Min(s.ByBreaks) < 0:
		return fmt.Errorf("ledger: a saved run with numbers out of their range")
	case steps == 0:
		return nil
	}
	for _, t := range s.Tasks {
		if err := x.engines[0].load(t, x.bound(), s.From); err != nil {
			return err
		}
	}
	if s.Breaks < 0 {
		return nil
	}
	e := x.engines[0]
	if err := e.load(Task{Path: s.Best, After: true}, x.plan.budget, s.From); err != nil {
		return err
	}
	if l := e.levels[steps-1]; e.depth != steps-1 || int(l.used+l.charge) != s.Breaks {
		return fmt.Errorf("ledger: a saved best completion of other than %d breaks", s.Breaks)
	}
	return nil
}

// bound is the number of breaks that the next completion may have.
func (x *exhaustion) bound() int {
	if x.plan.best && x.state.Breaks >= 0 {
		return x.state.Breaks - 1
	}
	return x.plan.budget
}

// crowd is the number of tasks that are worked on at once.
func (x *exhaustion) crowd() int {
	if x.run.Line {
		return 1
	}
	return crowd
}

// rounds works until nothing is left or the budget is used.
func (x *exhaustion) rounds(ctx context.Context) error {
	for len(x.state.Tasks) > 0 && ctx.Err() == nil {
		n := min(x.crowd(), len(x.state.Tasks))
		total := int64(n) * int64(min(lastQuota, firstQuota<<min(x.state.Round-1, 16)))
		if most := x.run.Budget.Nodes; most > 0 {
			if total = min(total, most-x.state.Nodes); total <= 0 {
				return nil
			}
		}
		parts := x.round(ctx, n, total)
		for _, p := range parts {
			if p.err != nil {
				return p.err
			}
		}
		if ctx.Err() != nil {
			x.partial = parts // not entered: a resumed run does the round again
			return nil
		}
		x.merge(parts)
		if x.tells.Due() {
			x.tell(search.Progress)
		}
		if x.saves.Due() {
			x.save()
		}
	}
	return nil
}

// round runs the first n tasks for so many nodes together.
func (x *exhaustion) round(ctx context.Context, n int, nodes int64) []part {
	parts := make([]part, n)
	bound := x.bound()
	split := max(0, x.crowd()-len(x.state.Tasks))
	if x.run.Line {
		split = 0
	}
	var next int
	var mu sync.Mutex
	var crewed sync.WaitGroup
	for _, e := range x.engines[:min(len(x.engines), n)] {
		crewed.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				parts[i] = e.work(ctx, x.state.Tasks[i], bound, x.state.From, search.Share(nodes, n, i), i < split)
			}
		})
	}
	crewed.Wait()
	return parts
}

// work runs a task for so many nodes.
func (e *engine) work(ctx context.Context, t Task, bound, from int, nodes int64, split bool) part {
	if nodes == 0 {
		return part{rest: []Task{t}}
	}
	if err := e.load(t, bound, from); err != nil {
		return part{err: err}
	}
	more := true
	for more && e.counts.Nodes < nodes && ctx.Err() == nil {
		more = e.run(min(nodes, e.counts.Nodes+chunk))
	}
	p := part{counts: e.counts, byBreaks: slices.Clone(e.byBreaks), best: slices.Clone(e.best), breaks: e.bestBreaks, levels: slices.Clone(e.profile)}
	if more {
		rest, second := e.task(split)
		p.rest = append(p.rest, rest)
		if second != nil {
			p.rest = append(p.rest, *second)
		}
	}
	return p
}

// merge enters what came of a round.
func (x *exhaustion) merge(parts []part) {
	var left []Task
	for _, p := range parts {
		x.enter(&x.state, p)
		left = append(left, p.rest...)
	}
	x.state.Tasks = append(left, x.state.Tasks[len(parts):]...)
	x.state.Round++
	if x.plan.mode == Auto {
		x.switchOver(parts)
	}
}

func (x *exhaustion) enter(s *State, p part) {
	s.Counts.Add(p.counts)
	for i, n := range p.byBreaks {
		s.ByBreaks[i] += n
	}
	for i, n := range p.levels {
		s.Levels[i].add(n)
	}
	if len(p.best) == 0 || s.Breaks >= 0 && p.breaks >= s.Breaks {
		return
	}
	s.Best, s.Breaks = p.best, p.breaks
	board := x.board(p.best)
	x.run.Watch.Observe(search.Event{
		Kind: search.Improved, Stage: "exhaust", Score: board.Score(), Best: board.Score(), Max: board.Puzzle().MaxScore(),
		Done: s.Nodes, Unit: "nodes", Placements: board.Placements(nil),
	})
}

// board is the board of a completion.
func (x *exhaustion) board(path []int32) *puzzle.Board {
	b := puzzle.NewBoard(x.problem.Board.Puzzle())
	b.Load(x.problem.Board.Placements(nil))
	for i, bit := range path {
		s := &x.plan.steps[i]
		b.Place(int(s.cell), s.shape.class.pieces[bit/s.shape.class.ways], int(s.shape.rotation[bit]))
	}
	return b
}

func (x *exhaustion) elapsed() time.Duration { return x.before + time.Since(x.start) }

func (x *exhaustion) save() {
	if x.run.Save != nil {
		s := x.state
		s.Elapsed = x.elapsed()
		x.run.Save(s)
	}
}

func (x *exhaustion) tell(kind search.Kind) {
	e := search.Event{
		Kind: kind, Stage: "exhaust", Max: x.problem.Board.Puzzle().MaxScore(), Done: x.state.Nodes, Of: x.run.Budget.Nodes, Unit: "nodes",
	}
	e.Detail = fmt.Sprintf("%d completions, %d tasks left", x.state.Completions, len(x.state.Tasks))
	if x.state.Breaks >= 0 {
		e.Score = x.board(x.state.Best).Score()
		e.Best = e.Score
	}
	if spent := time.Since(x.start).Seconds(); spent > 0 {
		e.Rate = float64(x.state.Nodes-x.began) / spent
	}
	x.run.Watch.Observe(e)
}

func (x *exhaustion) result() Result {
	s := x.state
	s.ByBreaks, s.Levels = slices.Clone(s.ByBreaks), slices.Clone(s.Levels)
	for _, p := range x.partial {
		x.enter(&s, p)
	}
	r := Result{
		Counts: s.Counts, ByBreaks: s.ByBreaks, Breaks: s.Breaks, Censored: len(x.state.Tasks) > 0, Elapsed: x.elapsed(),
		Levels: s.Levels, From: s.From,
	}
	if s.Breaks >= 0 {
		r.Placements = x.board(s.Best).Placements(nil)
	}
	return r
}
