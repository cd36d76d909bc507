package construct

import (
	"context"
	"fmt"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

// Options of a beam. The zero value of a field asks for its default.
type Options struct {
	Order  string // default "comb"
	Width  int    // boards kept at each step, default 4096
	NoLook bool   // rank by score alone, without the look ahead
	Seed   uint64
	Stream int

	// Alike is what it counts for in the rank that the colours left over are
	// few: a weight of the seams that the unused pieces would match by chance.
	// None by default; 0.7 to 1 serves.
	Alike float64
}

// MaxWidth bounds the boards of a beam.
const MaxWidth = 1 << 22

// MaxAlike bounds the weight of alike colours, so that ranks fit their keys.
const MaxAlike = 4

// Check tells what is wrong with the options.
func (o Options) Check() error {
	_, _, err := o.withDefaults()
	return err
}

// WithDefaults are the options with the defaults that their zero values ask for.
func (o Options) WithDefaults() Options {
	o, _, _ = o.withDefaults()
	return o
}

func (o Options) withDefaults() (Options, Order, error) {
	if o.Order == "" {
		o.Order = "comb"
	}
	if o.Width == 0 {
		o.Width = 4096
	}
	order, err := OrderNamed(o.Order)
	if err == nil && (o.Width < 1 || o.Width > MaxWidth) {
		err = fmt.Errorf("beam of width %d, want 1 to %d", o.Width, MaxWidth)
	}
	if err == nil && !(o.Alike >= 0 && o.Alike <= MaxAlike) {
		err = fmt.Errorf("alike colours of weight %v, want 0 to %d", o.Alike, MaxAlike)
	}
	return o, order, err
}

// Result is a full board and what it took.
type Result struct {
	Score      int
	Placements []puzzle.Placement
	Nodes      int64 // children ranked
	Merged     int64 // children dropped because another had the same pieces and frontier
	Cut        bool  // the budget or the context ended before the last step at full width
	Bytes      int64 // memory of the beam's arrays
	Trail      *Trail
}

// Beam fills the board cell by cell in a scan order and keeps, after each
// cell, the Width best partial boards. The clues lie on the board from the
// start, so that the cells beside them are filled to match.
//
// A partial board is its used pieces, the colours of its frontier, and its
// score; what lies behind the frontier does not matter any more, so of two
// that agree in pieces and frontier the better stays (exact duplicates merge).
// Children are ranked by score, less one for each empty neighbour of the new
// piece that no unused piece can serve any more: the seam that it will lose is
// lost already. A neighbour may be beside a clue that the scan has not reached,
// so a clue is not stranded unawares. Ties are drawn by a seeded lottery.
//
// With Options.Alike a rank has a fraction too: the weight times the seams that
// a random filling would still match, which is the open seams times the chance
// that two sides of unused pieces have the same colour. It grows as some colours
// are used up before others, and then the last cells find more pieces that fit.
//
// When the budget or the context ends, the beam goes on one board wide, so
// there is always a full board. Nodes of the budget count ranked children;
// with no bound on time the same options give the same board.
func Beam(ctx context.Context, p *puzzle.Puzzle, o Options, budget search.Budget, watch search.Observer) (Result, error) {
	o, order, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	return along(ctx, p, order.Scan(p.Width, p.Height), o, budget, watch)
}

// BeamAlong is Beam in an order of cells, each once, that has no name; that of the
// options is what events call it.
func BeamAlong(ctx context.Context, p *puzzle.Puzzle, cells []int, o Options, budget search.Budget, watch search.Observer) (Result, error) {
	label := o.Order
	o.Order = ""
	o, _, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	o.Order = label
	if len(cells) != p.Cells() {
		return Result{}, fmt.Errorf("order of %d cells, want each of %d once", len(cells), p.Cells())
	}
	seen := make([]bool, p.Cells())
	for _, cell := range cells {
		if cell < 0 || cell >= len(seen) || seen[cell] {
			return Result{}, fmt.Errorf("order with cell %d twice or off the board, want each of %d once", cell, p.Cells())
		}
		seen[cell] = true
	}
	return along(ctx, p, cells, o, budget, watch)
}

func along(ctx context.Context, p *puzzle.Puzzle, cells []int, o Options, budget search.Budget, watch search.Observer) (Result, error) {
	if watch == nil {
		watch = search.Nobody
	}
	b := newBeam(p, newPlan(p, cells), o)
	detail := fmt.Sprintf("%s, width %d", o.Order, o.Width)
	event := func(kind search.Kind, step int) search.Event {
		return search.Event{
			Kind: kind, Stage: "beam", Detail: detail, Stream: o.Stream, Max: p.MaxScore(),
			Done: int64(step), Of: int64(len(b.plan.steps)), Unit: "cells",
		}
	}
	watch.Observe(event(search.Started, 0))
	start, tells := time.Now(), search.NewThrottle(search.Tell)
	b.over = func() bool {
		return ctx.Err() != nil || budget.Time > 0 && time.Since(start) >= budget.Time
	}
	for i := range b.plan.steps {
		if b.over() || budget.Nodes > 0 && b.nodes >= budget.Nodes {
			b.cut = true
			b.width = 1
		}
		b.fill(&b.plan.steps[i])
		if tells.Due() {
			e := event(search.Progress, i+1)
			e.Score, e.Best = int(b.states.score[0]), int(b.states.score[0])
			e.Rate = float64(i+1) / time.Since(start).Seconds()
			watch.Observe(e)
		}
	}
	r := b.result()
	e := event(search.Improved, len(b.plan.steps))
	e.Score, e.Best, e.Placements = r.Score, r.Score, r.Placements
	watch.Observe(e)
	e.Kind, e.Placements = search.Finished, nil
	watch.Observe(e)
	return r, nil
}

// result is the best state after the last step.
func (b *beam) result() Result {
	best := int32(0)
	for i := range int32(b.states.n) {
		if b.states.score[i] > b.states.score[best] {
			best = i
		}
	}
	trail := &Trail{puzzle: b.puzzle, steps: b.plan.steps, marks: b.trail}
	return Result{
		Score: int(b.states.score[best]), Placements: trail.board(len(b.plan.steps), best),
		Nodes: b.nodes, Merged: b.merged, Cut: b.cut, Bytes: b.most, Trail: trail,
	}
}
