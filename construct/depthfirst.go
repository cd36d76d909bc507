package construct

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// DepthFirstOptions tune a break-index search. The zero value of a field asks
// for its default.
type DepthFirstOptions struct {
	Order   string // default "row-major@sw"
	Breaks  []int  // numbers of filled cells, clues left out, from which on one more break is allowed, ascending; found by pilots when empty
	Strict  bool   // no breaks at all before the board is completed
	Early   int    // colours to use up early, default 3; -1 for none
	Restart int64  // nodes between restarts, default DefaultRestart
	Seed    uint64
	Stream  int
}

// DefaultRestart is some seconds' worth of nodes.
const DefaultRestart = 1 << 28

// MaxEarly bounds the colours that are used up early.
const MaxEarly = puzzle.MaxColours

// Check tells what is wrong with the options.
func (o DepthFirstOptions) Check() error {
	_, _, err := o.withDefaults()
	return err
}

// WithDefaults are the options with the defaults that their zero values ask for.
func (o DepthFirstOptions) WithDefaults() DepthFirstOptions {
	o, _, _ = o.withDefaults()
	return o
}

func (o DepthFirstOptions) withDefaults() (DepthFirstOptions, Order, error) {
	if o.Order == "" {
		o.Order = "row-major@sw"
	}
	if o.Early == 0 {
		o.Early = 3
	}
	if o.Restart == 0 {
		o.Restart = DefaultRestart
	}
	order, err := OrderNamed(o.Order)
	switch {
	case err != nil:
	case o.Early < -1 || o.Early > MaxEarly:
		err = fmt.Errorf("%d early colours, want 1 to %d, or -1 for none", o.Early, MaxEarly)
	case o.Restart < 1:
		err = fmt.Errorf("restarts after %d nodes, want 1 or more", o.Restart)
	case o.Strict && len(o.Breaks) > 0:
		err = fmt.Errorf("break indexes in a strict search, want one or the other")
	case !slices.IsSorted(o.Breaks):
		err = fmt.Errorf("break indexes %v, want them ascending", o.Breaks)
	case len(o.Breaks) > 0 && o.Breaks[0] < 0:
		err = fmt.Errorf("break index %d, want 0 or more", o.Breaks[0])
	}
	return o, order, err
}

// DepthFirstResult is the best board of a break-index search. Nodes are pieces
// placed by the search; Trail is that of the beam that completed the board.
type DepthFirstResult struct {
	Result
	Depth    int     // cells filled by the search on the board that was completed best, clues left out
	Breaks   int     // among them
	Restarts int     // dives after the first
	Indexes  []int   // break indexes of the last dives
	Softened float64 // factor of the schedule of early colours, 1 when it could be followed as it is
	Counts   []int64 // nodes by the number of cells filled, clues left out
}

// DepthFirst fills the board cell by cell, depth first: a break-index search.
//
// At each cell it tries the pieces that match all their placed neighbours and,
// once the number of filled cells has reached a break index that is not used up,
// those that match all but one. A schedule asks that a few colours be used up
// early, so that the pieces left for the last cells match each other more often.
// This is the family of solvers that holds the records since 2020 (J. Blackwood;
// P. McGavin).
//
// Break indexes that are not given are found by pilots, short dives: there is
// one wherever less than a thousandth of the nodes of a pilot arrive, so a dive
// is about as busy at its end as in its middle. Pilots also soften the schedule
// of early colours if it cannot be followed. A dive that is still above the end of
// that schedule after as many nodes as a pilot has is given up: something above
// bars the way.
//
// After Restart nodes a new dive tries the pieces in another order. The deepest
// board of each dive is completed by narrow beams. The same options and budget of
// nodes give the same board.
func DepthFirst(ctx context.Context, p *puzzle.Puzzle, o DepthFirstOptions, budget search.Budget, watch search.Observer) (DepthFirstResult, error) {
	o, order, err := o.withDefaults()
	if err != nil {
		return DepthFirstResult{}, err
	}
	if watch == nil {
		watch = search.Nobody
	}
	f := &depthFirst{
		ctx: ctx, puzzle: p, options: o, order: order.Scan(p.Width, p.Height), budget: budget, watch: watch,
		lots: random.New(o.Seed, "depth-first", o.Stream), start: time.Now(), tells: search.NewThrottle(search.Tell),
	}
	f.result.Score = -1
	f.result.Softened = 1
	watch.Observe(f.event(search.Started))
	if err := f.search(); err != nil {
		return DepthFirstResult{}, err
	}
	f.result.Nodes = f.nodes
	watch.Observe(f.event(search.Finished))
	return f.result, nil
}

// depthFirst is a search at work.
type depthFirst struct {
	ctx     context.Context
	puzzle  *puzzle.Puzzle
	options DepthFirstOptions
	order   []int
	budget  search.Budget
	watch   search.Observer
	lots    *random.Stream
	start   time.Time
	tells   search.Throttle

	schedule schedule
	tried    *dive // by the last pilot
	reach    int   // cells: a dive that has filled fewer by the end of a pilot is stuck
	stuck    int   // pilots in a row
	narrowAt int
	nodes    int64
	result   DepthFirstResult
}

const (
	chunk      = 1 << 20 // nodes between two looks at the clock
	pilot      = 1 << 22 // nodes
	busy       = 1000    // a level is idle when it gets fewer nodes than one in so many
	indexes    = 256     // at most
	softer     = 0.9
	patient    = 4    // pilots in a row that may get stuck
	narrowPays = 4096 // nodes below a level for each time that its tables are narrowed
	rewind     = 24   // cells that a beam fills again when it completes a board
	completing = 256  // width of that beam
)

func (f *depthFirst) search() error {
	if f.options.Early > 0 {
		f.schedule.early = earlyColours(f.puzzle, f.options.Early)
		f.schedule.owed = owed(f.puzzle, &f.schedule.early, f.order, 1)
	}
	f.reach = int(earlyPoints[len(earlyPoints)-1][0]) * (len(f.order) - len(f.puzzle.Clues)) / 256
	f.schedule.indexes = f.options.Breaks
	for f.prepare() {
	}
	f.result.Indexes = f.schedule.indexes
	for first := true; first || !f.done(); first = false {
		d := f.tried // all there is if the budget has ended with it
		if d == nil || !first || !f.done() {
			d = f.dive(f.options.Restart)
		}
		if err := f.complete(d); err != nil {
			return err
		}
		if !first {
			f.result.Restarts++
		}
		if f.result.Score == f.puzzle.MaxScore() || d.over && d.nodes < chunk {
			return nil // another order of the pieces would find the same
		}
	}
	return nil
}

// done tells whether the budget or the context has ended.
func (f *depthFirst) done() bool {
	return f.ctx.Err() != nil || f.budget.Nodes > 0 && f.nodes >= f.budget.Nodes ||
		f.budget.Time > 0 && time.Since(f.start) >= f.budget.Time
}

// prepare runs a pilot and mends the schedule by it, if there is anything to mend.
func (f *depthFirst) prepare() bool {
	cells := len(f.order) - len(f.puzzle.Clues)
	levelled := len(f.options.Breaks) > 0 || f.options.Strict
	if f.done() || len(f.schedule.owed) == 0 && levelled {
		return false
	}
	d := f.dive(pilot)
	f.tried = d
	switch {
	case f.done():
		return false // cut short it tells nothing
	case !d.over && len(d.deepest) < f.reach:
		if f.stuck++; f.stuck == patient {
			f.soften()
		}
		return true
	case d.over && len(d.deepest) < len(f.schedule.owed):
		f.soften()
		return true
	case levelled:
		return false
	}
	f.stuck = 0
	from := f.reach
	if n := len(f.schedule.indexes); n > 0 {
		from = f.schedule.indexes[n-1] + 1
	}
	for i := from; i < cells; i++ {
		if busy*d.levels[i].nodes < d.nodes {
			f.schedule.indexes = append(f.schedule.indexes, i)
			return len(f.schedule.indexes) < indexes
		}
	}
	return false
}

// soften asks for less, in the end for nothing, neither early colours nor that
// dives get far.
func (f *depthFirst) soften() {
	f.stuck = 0
	if f.schedule.owed == nil {
		f.reach = 0
	}
	f.result.Softened *= softer
	if f.result.Softened < 0.3 {
		f.result.Softened, f.schedule.owed = 0, nil
		return
	}
	f.schedule.owed = owed(f.puzzle, &f.schedule.early, f.order, f.result.Softened)
}

// dive searches for so many nodes, or until it is told to stop.
func (f *depthFirst) dive(limit int64) *dive {
	d := newDive(f.puzzle, f.order, &f.schedule, f.lots, f.narrowAt)
	before := f.nodes
	for !d.over && d.nodes < limit && (d.nodes == 0 || !f.done()) && (d.nodes < pilot || len(d.deepest) >= f.reach) {
		n := min(chunk, limit-d.nodes)
		if f.budget.Nodes > 0 {
			n = min(n, max(1, f.budget.Nodes-f.nodes))
		}
		d.run(n)
		f.nodes = before + d.nodes
		if f.tells.Due() {
			e := f.event(search.Progress)
			e.Detail = fmt.Sprintf("%s, %d cells filled, %d breaks", f.options.Order, len(d.deepest)+len(f.puzzle.Clues), d.breaks)
			f.watch.Observe(e)
		}
	}
	f.result.Counts = resized(f.result.Counts, len(d.rules)+1)
	for i := range d.rules {
		f.result.Counts[i+1] += d.levels[i].nodes
	}
	f.chooseNarrow(d)
	return d
}

func resized(list []int64, n int) []int64 {
	if list == nil {
		return make([]int64, n)
	}
	return list
}

// chooseNarrow takes, of the levels where sorting out the free pieces pays, the
// one where it saves most: so many nodes below look past so many used pieces.
func (f *depthFirst) chooseNarrow(d *dive) {
	below, most := int64(0), int64(0)
	for i := len(d.rules) - 1; i > 0; i-- {
		below += d.levels[i].nodes
		if saved := below * int64(i); below >= narrowPays*d.levels[i-1].nodes && saved > most {
			f.narrowAt, most = i, saved
		}
	}
}

// complete fills the cells that a dive has left, by beams from its deepest board
// and from some cells before. They take a moment, also after a signal to stop: a
// beam that was stopped would spoil what the dive has found.
func (f *depthFirst) complete(d *dive) error {
	ctx := context.WithoutCancel(f.ctx)
	better := false
	for _, back := range []int{0, rewind} {
		from := max(0, len(d.deepest)-back)
		p, err := f.puzzle.WithClues(d.board(f.puzzle, d.deepest[:from]))
		if err != nil {
			return err
		}
		b, err := Beam(ctx, p, Options{Order: f.options.Order, Width: completing, Seed: f.options.Seed, Stream: f.options.Stream}, search.Budget{}, nil)
		if err != nil {
			return err
		}
		if b.Score > f.result.Score {
			better = true
			f.result.Result = b
			f.result.Depth, f.result.Breaks = len(d.deepest), d.breaks
			e := f.event(search.Improved)
			e.Score, e.Best, e.Placements = b.Score, b.Score, b.Placements
			f.watch.Observe(e)
		}
		if better {
			f.result.Trail = b.Trail // in the end, that of the beam with more to fill
		}
	}
	return nil
}

func (f *depthFirst) event(kind search.Kind) search.Event {
	e := search.Event{
		Kind: kind, Stage: "depth-first", Detail: f.options.Order, Stream: f.options.Stream, Max: f.puzzle.MaxScore(),
		Score: max(0, f.result.Score), Best: max(0, f.result.Score), Done: f.nodes, Of: f.budget.Nodes, Unit: "nodes",
	}
	if s := time.Since(f.start).Seconds(); s > 0 {
		e.Rate = float64(f.nodes) / s
	}
	return e
}
