package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lastmile/alns"
	"lastmile/certify"
	"lastmile/puzzle"
	"lastmile/search"
)

// Patience is the number of iterations without a better board after which a
// walk has stalled. Of walks of 3 million iterations the last gain came at a
// median of 1.2 million from beams of width 4,096, and of 0.6 from those of 64: see
// the study alns-flattening.
const Patience = 32 * alns.Round

// ExhaustNodes is what an exhaustion may take at least: a second or two.
const ExhaustNodes = 1 << 18

// WallPlan says how Wall shares its work out.
type WallPlan struct {
	Streams, Threads int // as of alns.Plan
	// Budget bounds the run, by what is used up first. Iterations are those of
	// all walks; when they are used up the best board is still decided on.
	Budget   search.Budget
	Patience int64 // iterations of a walk, rounded up to whole rounds; default Patience, or a quarter of its share of the budget if that is less
	Nodes    int64 // that an exhaustion may take at least, default ExhaustNodes
	Metric   puzzle.Metric

	// Solver decides regions in runs that are bounded by time. Runs that are
	// bounded by iterations alone have to come out the same each time: they
	// exhaust regions with the ledger, within a number of nodes. So do all
	// when it is nil.
	Solver certify.Solver
	Memory int64         // bytes, of the solver and of the checker each; 0 for no bound
	Proof  int64         // bytes of one proof; 0 for no bound
	Store  certify.Store // keeps certificates of what is proven; nil keeps none
	Name   string        // with which the names of their files begin

	Watch search.Observer // the streams of each round of polishing have numbers of their own
	Trace search.Observer
	Save  func(WallState) // called every few seconds and at the end, never twice at once
	Every time.Duration   // between two calls of Save, default 5 s
}

// Certified is what was decided about the halo of the broken seams of a board:
// whether its cells can be filled anew so that fewer of their seams break. Clues
// stay. Each better board has a higher score, so that tells which one was asked
// about.
type Certified struct {
	Score   int             `json:"score"` // of the board
	Radius  int             `json:"radius"`
	Freed   int             `json:"freed"` // cells
	Verdict certify.Verdict `json:"verdict"`
	Floor   int             `json:"floor"`  // every refill breaks so many of their seams or more
	Best    int             `json:"best"`   // the fewest breaks that are known
	Breaks  int             `json:"breaks"` // of the board, without those between clues
	Why     string          `json:"why,omitempty"`
}

// WallState is a run that can be resumed, in a form that JSON carries exactly.
type WallState struct {
	Board     []puzzle.Placement `json:"board"` // the best
	Stream    int                `json:"stream"`
	Gained    int64              `json:"gained"`
	Round     int                `json:"round"` // of polishing, those that are over
	Walks     *alns.States       `json:"walks,omitempty"`
	Want      int64              `json:"want"`    // iterations of each walk of the round at work, 0 before it
	Counted   int64              `json:"counted"` // of what they have done, what Spent has
	Stalled   bool               `json:"stalled"`
	Radius    int                `json:"radius"`
	Tried     int64              `json:"tried"` // nodes, or nanoseconds, that did not decide this radius
	Spent     int64              `json:"spent"` // iterations since the board was found
	Time      time.Duration      `json:"time"`  // and how long they took
	Certified []Certified        `json:"certified"`
	Optimal   bool               `json:"optimal"`

	// Of the rounds that are over.
	Iterations int64             `json:"iterations"`
	Operators  []search.Operator `json:"operators"`
	Repair     search.Repair     `json:"repair"`

	Elapsed time.Duration `json:"elapsed"`
}

// WallResult is the best board of a run and what is proven of it.
type WallResult struct {
	// Stream is the walk that found the board, -1 when a decision did, and
	// Gained the iteration of it. The operators are summed over all rounds.
	alns.Result
	Certified []Certified // all that was decided, in turn
	Optimal   bool        // no board that holds the clues is better
	Elapsed   time.Duration
}

// Wall polishes a full board until that has stalled, then decides whether the
// halo of its broken seams has a better refill: if so that is taken and polished
// further; if it is proven that there is none the halo is widened, up to the whole
// board; if neither can be decided yet polishing goes on, in new streams, and
// after twice as much of it the decision is tried for twice as long. An error
// of a solver comes with the best board so far.
//
// A rule of acceptance that cools does so in each round of polishing.
func Wall(ctx context.Context, p *puzzle.Puzzle, start []puzzle.Placement, o alns.Options, plan WallPlan) (WallResult, error) {
	return ResumeWall(ctx, p, WallState{Board: start}, o, plan)
}

// ResumeWall goes on with a saved run. Options and plan must be those of the run,
// save for the number of threads.
func ResumeWall(ctx context.Context, p *puzzle.Puzzle, saved WallState, o alns.Options, plan WallPlan) (WallResult, error) {
	w := &wall{puzzle: p, options: o, plan: plan, state: saved, start: time.Now(), before: saved.Elapsed}
	if err := w.check(); err != nil {
		return WallResult{}, err
	}
	w.settle()
	if plan.Budget.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, plan.Budget.Time-saved.Elapsed)
		defer cancel()
	}
	w.note(saved.Board, saved.Stream, saved.Gained)
	w.plan.Watch.Observe(search.Event{
		Kind: search.Improved, Stage: "polish", Stream: w.stream, Score: w.score, Best: w.score, Max: p.MaxScore(), Placements: w.best,
	})
	if saved.Walks != nil { // they may have a better board, though there be no time left
		if err := w.polish(ctx); err != nil {
			return WallResult{}, err
		}
	}
	err := w.run(ctx)
	w.forget()
	w.save(nil)
	return w.result(), err
}

// wall is a run at work.
type wall struct {
	puzzle  *puzzle.Puzzle
	options alns.Options
	plan    WallPlan
	state   WallState // between two steps; what interrupts a step does not change it
	start   time.Time
	before  time.Duration

	// Of the run as it is told of and returned, steps that were interrupted too.
	best   []puzzle.Placement
	score  int
	stream int
	gained int64
	leg    alns.Result    // of the round at work
	cut    []Certified    // decisions that were interrupted
	from   certify.Result // what is known of the region that is to be tried again
}

// check finds what nobody should have asked for, and no run would have saved.
func (w *wall) check() error {
	b, s := w.plan.Budget, &w.state
	switch {
	case b.Time < 0 || b.Iterations < 0 || b.Time == 0 && b.Iterations == 0:
		return fmt.Errorf("budget of %v and %d iterations, want one of them above 0", b.Time, b.Iterations)
	case w.plan.Patience < 0 || w.plan.Nodes < 0 || w.plan.Streams < 0:
		return fmt.Errorf("patience of %d iterations, %d nodes, %d streams, want 0 for the default, or more", w.plan.Patience, w.plan.Nodes, w.plan.Streams)
	case min(int64(s.Round), s.Want, s.Counted, int64(s.Radius), s.Tried, s.Spent, int64(s.Time), s.Iterations, int64(s.Elapsed)) < 0,
		s.Walks != nil && s.Want == 0, s.Walks == nil && s.Want > 0, s.Stalled && s.Walks != nil:
		return errors.New("saved run with numbers out of their range")
	}
	if err := checkFull(w.puzzle, s.Board); err != nil {
		return err
	}
	_, err := alns.NewSearch(w.board(), w.options) // clues and the frame rule
	return err
}

// settle gives the plan its defaults.
func (w *wall) settle() {
	plan := &w.plan
	plan.Streams = cmp.Or(plan.Streams, 4)
	plan.Nodes = cmp.Or(plan.Nodes, ExhaustNodes)
	if plan.Patience == 0 {
		plan.Patience = Patience
		if n := plan.Budget.Iterations; n > 0 {
			plan.Patience = max(1, min(Patience, n/int64(4*plan.Streams)))
		}
	}
	if plan.Watch == nil {
		plan.Watch = search.Nobody
	}
	plan.Watch = search.InTurn(plan.Watch)
	plan.Every = cmp.Or(max(0, plan.Every), 5*time.Second)
	w.state.Certified = slices.Clone(w.state.Certified)
}

// board is the best board of the state.
func (w *wall) board() *puzzle.Board {
	b := puzzle.NewBoard(w.puzzle)
	b.Load(w.state.Board)
	return b
}

// run is the page: polish until it stalls, then decide.
func (w *wall) run(ctx context.Context) error {
	s := &w.state
	for ctx.Err() == nil && !s.Optimal {
		var err error
		switch {
		case w.board().Score() == w.puzzle.MaxScore():
			s.Optimal = true
		case s.Stalled && w.worth():
			err = w.decide(ctx)
		case w.used() && s.Walks == nil:
			if !w.worth() {
				return nil
			}
			s.Stalled = true
		default:
			s.Stalled = false
			err = w.polish(ctx)
		}
		if err != nil {
			return err
		}
		w.save(nil)
	}
	return nil
}

// used tells whether the iterations are used up.
func (w *wall) used() bool {
	return w.plan.Budget.Iterations > 0 && w.state.Iterations >= w.plan.Budget.Iterations
}

func (w *wall) timed() bool { return w.plan.Budget.Time > 0 }

func (w *wall) elapsed() time.Duration { return w.before + time.Since(w.start) }

// within cuts a time so that it leaves half of what remains.
func (w *wall) within(d time.Duration) time.Duration {
	left := max(1, w.plan.Budget.Time-w.elapsed())
	if left < 2*time.Second {
		return left
	}
	return min(d, left/2)
}

// slice is how much a decision may take: as long as the board has been polished
// without a gain, or as many nodes as that took iterations.
func (w *wall) slice() int64 {
	if w.timed() {
		return int64(w.within(max(time.Second, w.state.Time)))
	}
	return max(w.plan.Nodes, w.state.Spent)
}

// worth tells whether the next decision is a new one, or may take twice as long
// as the last that came to nothing.
func (w *wall) worth() bool { return w.state.Tried == 0 || w.slice()/2 >= w.state.Tried }

// note keeps a board if it is better than all before.
func (w *wall) note(board []puzzle.Placement, stream int, gained int64) {
	if score := w.puzzle.Look(board).Tally().Matched; w.best == nil || score > w.score {
		w.best, w.score, w.stream, w.gained = board, score, stream, gained
	}
}

// polish runs the walks of a round until they have stalled, as far as can be
// told in advance: a gain sets them a new end.
func (w *wall) polish(ctx context.Context) error {
	s := &w.state
	streams := int64(w.plan.Streams)
	if s.Want == 0 {
		s.Want = whole(w.plan.Patience)
	}
	total := streams * s.Want
	if n := w.plan.Budget.Iterations; n > 0 {
		total = min(total, n-s.Iterations)
	}
	var saved *alns.States
	plan := alns.Plan{
		Streams: w.plan.Streams, Threads: w.plan.Threads, Budget: search.Budget{Iterations: total},
		Watch: w.told(), Trace: w.traced(), Every: w.plan.Every,
		Save: func(walks alns.States) {
			walks.Elapsed = 0 // each leg has a time of its own
			saved = &walks
			w.save(saved)
		},
	}
	if w.timed() {
		// A round that never stalled would leave no time to decide.
		plan.Budget.Time = w.within(w.plan.Budget.Time)
	}
	// Every round has streams of its own.
	o := w.options
	o.Seed ^= uint64(s.Round) * 0x9e3779b97f4a7c15
	began := time.Now()
	var r alns.Result
	var err error
	if s.Walks == nil {
		r, err = alns.Polish(ctx, w.puzzle, s.Board, o, plan)
	} else {
		r, err = alns.Resume(ctx, w.puzzle, *s.Walks, o, plan)
	}
	if err != nil {
		return err
	}
	w.leg = r
	w.note(r.Placements, s.Round*w.plan.Streams+r.Stream, r.Gained)
	s.Walks = saved
	if ctx.Err() != nil {
		return nil // a resumed run comes back here
	}
	spent, took := r.Iterations-s.Counted, time.Since(began)
	s.Counted = r.Iterations
	if w.score > w.board().Score() {
		s.Board, s.Stream, s.Gained = w.best, w.stream, w.gained
		s.Radius, s.Tried, s.Spent, s.Time = 0, 0, 0, 0
		w.forget()
		since := min(spent, max(0, r.Iterations-streams*r.Gained))
		took = time.Duration(float64(took) * float64(since) / float64(max(1, spent)))
		spent = since
	}
	s.Spent += spent
	s.Time += took
	if want := whole(r.Gained + w.plan.Patience); r.Gained > 0 && want > s.Want {
		s.Want = want
	}
	cut := r.Iterations < total // by the time, or by a solution
	used := w.plan.Budget.Iterations > 0 && s.Iterations+r.Iterations >= w.plan.Budget.Iterations
	if w.score == w.puzzle.MaxScore() || used || cut && s.Tried == 0 || !cut && total == streams*s.Want {
		w.leg = alns.Result{}
		s.Iterations += r.Iterations
		s.Operators, s.Repair = together(s.Operators, r.Operators), repairs(s.Repair, r.Repairs)
		s.Round++
		s.Walks, s.Want, s.Counted, s.Stalled = nil, 0, 0, true
	}
	return nil
}

// whole is a number of iterations made up to whole rounds, so that each begins
// with a random stream of its own.
func whole(n int64) int64 { return (n + alns.Round - 1) / alns.Round * alns.Round }

// save hands the state on, with the walks of a round that is at work.
func (w *wall) save(walks *alns.States) {
	if w.plan.Save == nil {
		return
	}
	s := w.state
	s.Elapsed = w.elapsed()
	if walks != nil {
		s.Walks = walks
	}
	w.plan.Save(s)
}

func (w *wall) result() WallResult {
	s := &w.state
	r := WallResult{Certified: append(slices.Clone(s.Certified), w.cut...), Optimal: s.Optimal, Elapsed: w.elapsed()}
	r.Score, r.Placements, r.Stream, r.Gained = w.score, w.best, w.stream, w.gained
	r.Iterations = s.Iterations + w.leg.Iterations
	r.Operators, r.Repairs = together(s.Operators, w.leg.Operators), repairs(s.Repair, w.leg.Repairs)
	return r
}

// together adds up the accounts of operators. The weights are those of the later.
func together(a, b []search.Operator) []search.Operator {
	if len(a) == 0 || len(b) == 0 {
		return append(slices.Clone(a), b...)
	}
	sum := slices.Clone(b)
	for i, o := range a {
		sum[i].Uses += o.Uses
		sum[i].Accepted += o.Accepted
		sum[i].Unchanged += o.Unchanged
		sum[i].Improved += o.Improved
		sum[i].Gain += o.Gain
	}
	return sum
}

func repairs(a, b search.Repair) search.Repair {
	return search.Repair{
		Name: cmp.Or(b.Name, a.Name), Uses: a.Uses + b.Uses, Optimal: a.Optimal + b.Optimal, Fallbacks: a.Fallbacks + b.Fallbacks,
	}
}
