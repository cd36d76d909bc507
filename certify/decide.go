package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

// Goal is what is asked of the refills of a region.
type Goal int

// The goals.
const (
	Better  Goal = iota // is there one that breaks fewer seams than the board as it is?
	Perfect             // is there one that matches every seam of the region?
)

// GoalNames are the words for the goals, in their order.
var GoalNames = []string{"better", "perfect"}

func (g Goal) String() string { return GoalNames[g] }

// Verdict is what was decided.
type Verdict string

// The verdicts.
const (
	Proven Verdict = "proven" // no refill is as asked: there is a checked proof
	Found  Verdict = "found"  // a refill is as asked: it has been put on the board
	Open   Verdict = "open"   // neither is known
)

// Plan says how a question is worked on.
type Plan struct {
	Solver   Solver
	Time     time.Duration // 0 for no bound
	Memory   int64         // bytes, of the solver and of the checker each; 0 for no bound
	MaxProof int64         // bytes of one proof; 0 for no bound
	Store    Store         // keeps formulas and proofs; nil keeps none
	Name     string        // with which the names of their files begin
	Watch    search.Observer

	// From is what an earlier decision about the same question had come to, to go
	// on from: its steps, which must have been checked, and its best refill.
	From Result
	// Save, when set, is called after each step that is proved and each better
	// refill that is found, with the result so far; it must not keep the lists.
	Save func(Result)
}

// Result is what a decision has come to.
type Result struct {
	Verdict Verdict
	// Floor is proved by the steps: every refill breaks so many seams of the
	// region or more.
	Floor int
	// Best is the fewest breaks of a refill that is known, Board the whole
	// board with it. They are those of the board as it was given when no better
	// one was found.
	Best  int
	Board []puzzle.Placement
	Steps []Step
	Why   string // of an open verdict: what ended the search
}

// Optimal tells whether nothing is left to find: a refill is known that breaks as
// few seams as any can.
func (r *Result) Optimal() bool { return r.Best == r.Floor }

// decision is one at work.
type decision struct {
	*Plan
	Result
	region *Region
	goal   Goal
	floors Floors
	root   *window // the whole region
	cells  int     // of the region that was asked about
	files  int
}

// Decide answers a question about a region, as far as the plan allows. Whatever
// the solver says is checked before it counts. With Better it goes on after a
// better refill is found, to the best there is.
func Decide(ctx context.Context, r *Region, goal Goal, plan Plan) (Result, error) {
	if plan.Store == nil {
		plan.Store = nowhere{}
	}
	if plan.Watch == nil {
		plan.Watch = search.Nobody
	}
	d := &decision{Plan: &plan, region: r, goal: goal, floors: Floors{}, root: r.window(r.cells), cells: len(r.cells)}
	d.Best, d.Board = r.own, r.whole.Placements(nil)
	if plan.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, plan.Time)
		defer cancel()
	}
	d.count()
	d.resume()
	err := r.control(ctx, plan.Memory)
	switch {
	case err != nil:
	case d.settled():
	case goal == Perfect:
		_, err = d.ask(ctx, r.cells, 0)
	default:
		err = d.improve(ctx)
	}
	switch {
	case errors.Is(err, errFormula):
		d.Why, err = "the memory of the formula", nil
	case err != nil && ctx.Err() != nil:
		d.Why, err = "time", nil
	case err != nil:
		d.Why = err.Error()
	}
	return concluded(d.Result, r, goal), err
}

// settled tells whether nothing is left to ask.
func settled(r *Result, goal Goal) bool {
	if goal == Perfect {
		return r.Floor > 0 || r.Best == 0
	}
	return r.Floor >= r.Best
}

func (d *decision) settled() bool { return settled(&d.Result, d.goal) }

// count proves what the ledger of the region proves at once.
func (d *decision) count() {
	if needs := d.region.needs(); needs > 0 {
		d.raise(Step{Cells: d.region.cells, Bound: needs - 1, By: Counting})
	}
}

// resume takes up what is known already.
func (d *decision) resume() {
	for _, s := range d.From.Steps {
		d.raise(s)
		if s.Formula != nil { // the names of new files go on behind it
			var n int
			if _, err := fmt.Sscanf(strings.TrimPrefix(s.Formula.Name, d.Name), "-%d.cnf", &n); err == nil {
				d.files = max(d.files, n)
			}
		}
	}
	if d.From.Board != nil && d.From.Best < d.Best {
		d.Best, d.Board = d.From.Best, d.From.Board
	}
	d.save()
}

func (d *decision) save() {
	if d.Save != nil {
		d.Save(concluded(d.Result, d.region, d.goal))
	}
}

// improve looks for better refills and proves how good they can be. It looks near
// the breaks first. Then one question is put directly: it settles small regions,
// and finds what is to be found. Then floors are proved of parts of the region,
// which a proof of the whole then need not find out: each break that is proved
// before divides the work by about three. At last the floor of the whole climbs,
// until a refill of so few breaks is found, or the one that is known is the best.
func (d *decision) improve(ctx context.Context) error {
	if err := d.near(ctx); err != nil {
		return err
	}
	for !d.settled() {
		o, err := d.within(ctx, 8, d.region.cells, d.Best-1)
		if err != nil {
			return err
		}
		if o.status == Unknown {
			break
		}
	}
	if !d.settled() {
		if err := d.parts(ctx); err != nil {
			return err
		}
	}
	for !d.settled() {
		o, err := d.ask(ctx, d.region.cells, d.Floor)
		if err != nil || o.status == Unknown {
			return err
		}
	}
	return nil
}

// near looks for a better refill of the cells at breaks alone, and again as long
// as there is one: what a larger region can be improved by is most often there.
func (d *decision) near(ctx context.Context) error {
	p := d.region.whole.Puzzle()
	for d.Best > 0 && len(d.Board) == p.Cells() {
		b := puzzle.NewBoard(p)
		b.Load(d.Board)
		cells := slices.DeleteFunc(b.BrokenCells(), func(cell int) bool { return !d.region.open[cell] })
		if len(cells) == 0 || len(cells) == len(d.region.cells) {
			return nil
		}
		r, err := NewRegion(b, cells)
		if err != nil {
			return err
		}
		aside := &decision{Plan: &Plan{Solver: d.Solver, Time: d.Time, Memory: d.Memory, MaxProof: d.MaxProof, Store: nowhere{}, Watch: d.Watch},
			region: r, floors: Floors{}, root: r.window(r.cells), cells: len(d.region.cells)}
		aside.Best, aside.Board = r.own, d.Board
		o, err := aside.within(ctx, 8, r.cells, r.own-1)
		if err != nil || o.status != Satisfiable {
			return err
		}
		breaks := d.region.own - d.region.whole.Breaks() + breaksOf(p, aside.Board)
		if breaks >= d.Best {
			return nil
		}
		d.Best, d.Board = breaks, aside.Board
		d.save()
	}
	return nil
}

func breaksOf(p *puzzle.Puzzle, board []puzzle.Placement) int {
	b := puzzle.NewBoard(p)
	b.Load(board)
	return b.Breaks()
}

// parts proves floors of the two halves of the region and of their parts, for a
// third of the time.
func (d *decision) parts(ctx context.Context) error {
	if d.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d.Time/3)
		defer cancel()
	}
	for _, part := range d.root.parts {
		if part == nil {
			continue
		}
		if err := d.climb(ctx, part); err != nil {
			return err
		}
	}
	d.Floor = d.floors.of(d.root)
	return nil
}

// climb proves floors of a window, its parts first. What takes long to prove is
// left: it would take longer to use.
func (d *decision) climb(ctx context.Context, w *window) error {
	const least = 6 // cells that are worth a question
	if len(w.cells) < least {
		return nil
	}
	for _, part := range w.parts {
		if err := d.climb(ctx, part); err != nil {
			return err
		}
	}
	for {
		o, err := d.within(ctx, 40, w.cells, d.floors.of(w))
		if err != nil || o.status != Unsatisfiable {
			return err
		}
	}
}

// within asks with a share of the time.
func (d *decision) within(ctx context.Context, share time.Duration, cells []int, bound int) (outcome, error) {
	slice := time.Minute
	if d.Time > 0 {
		slice = d.Time / share
	}
	ctx, cancel := context.WithTimeout(ctx, slice)
	defer cancel()
	return d.ask(ctx, cells, bound)
}

// ask puts a question to the solver and takes note of the answer.
func (d *decision) ask(ctx context.Context, cells []int, bound int) (outcome, error) {
	if ctx.Err() != nil { // a formula takes its time too
		d.Why = "time"
		return outcome{why: d.Why}, nil
	}
	q, err := d.region.ask(ctx, cells, bound, d.floors, d.Memory)
	switch {
	case errors.Is(err, errFormula):
		return outcome{}, err
	case err != nil && ctx.Err() != nil:
		d.Why = "time"
		return outcome{why: d.Why}, nil
	case err != nil:
		return outcome{}, err
	}
	whole := len(cells) == len(d.region.cells)
	p := d.region.whole.Puzzle()
	event := search.Event{
		Stage: "certify", Detail: fmt.Sprintf("%d of %d cells, at most %d breaks", len(cells), d.cells, bound),
		Score: p.Look(d.Board).Tally().Matched, Max: p.MaxScore(),
	}
	d.tell(search.Started, event)
	d.files++
	o, err := d.solve(ctx, q, fmt.Sprintf("%s-%d", d.Name, d.files))
	d.tell(search.Finished, event)
	switch {
	case err != nil:
		return o, err
	case o.status == Unsatisfiable:
		d.raise(o.step)
		d.save()
	case o.status == Satisfiable && whole:
		board, breaks, err := d.region.Fill(cells, o.filling)
		if err != nil {
			return o, err
		}
		if breaks < d.Best || d.goal == Perfect {
			d.Best, d.Board = breaks, board.Placements(nil)
			d.save()
		}
	case o.status == Unknown && whole:
		d.Why = o.why
	}
	return o, nil
}

func (d *decision) tell(kind search.Kind, e search.Event) {
	e.Kind, e.Best = kind, e.Score
	d.Watch.Observe(e)
}

// raise notes what a step shows. An earlier step about the same window shows
// less and is dropped, unless the formula of one since then may rest on it: in
// one go parts come first, but a decision that is taken up again may come back
// to them.
func (d *decision) raise(s Step) {
	for i, old := range d.Steps {
		if !slices.Equal(old.Cells, s.Cells) {
			continue
		}
		if !slices.ContainsFunc(d.Steps[i+1:], func(later Step) bool { return encloses(later.Cells, old.Cells) }) {
			d.drop(old)
			d.Steps = slices.Delete(d.Steps, i, i+1)
			break
		}
	}
	d.Steps = append(d.Steps, s)
	d.floors.Raise(s.Cells, s.Bound+1)
	d.Floor = d.floors.of(d.root)
}

// encloses tells whether a window, ascending, has all cells of another and more.
func encloses(outer, inner []int) bool {
	for _, cell := range inner {
		if _, in := slices.BinarySearch(outer, cell); !in {
			return false
		}
	}
	return len(outer) > len(inner)
}

// concluded is a result with its verdict.
func concluded(res Result, r *Region, goal Goal) Result {
	switch {
	case goal == Perfect && res.Best == 0, goal == Better && res.Best < r.own:
		res.Verdict = Found
	case settled(&res, goal):
		res.Verdict = Proven
	default:
		res.Verdict = Open
	}
	if settled(&res, goal) {
		res.Why = ""
	}
	return res
}
