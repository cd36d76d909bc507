package cost

import (
	"fmt"

	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/puzzle"
	"lastmile/random"
)

// Refill fills the same hole by several methods, one after the other, and puts
// its pieces back each time: the board is the same before and after.
type Refill struct {
	live          *puzzle.Board
	hole          *destroy.Hole
	methods       []repair.Method
	pieces, turns []int // of the hole, as the board has them
	breaks        int   // of the board
	clock         float64
}

// Method is a repair by name.
type Method struct {
	Name    string
	Options repair.Options
}

// NewRefill sets the methods up. Each draws from a stream of its own, so that
// none changes the luck of another.
func NewRefill(b Board, seed uint64, methods []Method) (*Refill, error) {
	r := &Refill{live: b.board(), clock: float64(clockCost().Nanoseconds())}
	r.breaks = r.live.Breaks()
	r.hole = destroy.NewHole(r.live, random.New(seed, "refill", 0))
	for _, m := range methods {
		method, err := repair.New(m.Name, b.Puzzle, random.New(seed, "refill by "+m.Name, 0), m.Options)
		if err != nil {
			return nil, err
		}
		r.methods = append(r.methods, method)
	}
	return r, nil
}

// Choose chooses the next hole. It tells how many cells it has, and whether
// they lie apart, so that no two of them touch.
func (r *Refill) Choose(operator destroy.Operator, k int) (cells int, apart bool) {
	r.hole.Clear()
	operator.Choose(r.hole, k)
	r.pieces, r.turns, apart = r.pieces[:0], r.turns[:0], true
	for _, cell := range r.hole.Cells() {
		r.pieces = append(r.pieces, r.live.Piece(cell))
		r.turns = append(r.turns, r.live.Rotation(cell))
		for _, n := range r.live.Puzzle().Neighbours(cell) {
			apart = apart && (n < 0 || !r.hole.Has(int(n)))
		}
	}
	return r.hole.Len(), apart
}

// Filled says how a hole was filled.
type Filled struct {
	Verdict repair.Verdict
	Breaks  int  // more than with the arrangement that the board has there, or fewer
	Same    bool // it is that arrangement
	Nanos   float64
}

// Fill fills the hole by the method of that number, and puts its pieces back.
// An error means that the method is broken.
func (r *Refill) Fill(method int) (Filled, error) {
	cells, p := r.hole.Cells(), r.live.Puzzle()
	for _, cell := range cells {
		r.live.Remove(cell)
	}
	began := now()
	verdict := r.methods[method].Repair(r.live, cells, r.pieces)
	spent := now() - began
	f := Filled{
		Verdict: verdict, Breaks: r.live.Breaks() - r.breaks, Same: true,
		Nanos: max(0, float64(spent.Nanoseconds())-r.clock),
	}
	if r.live.Filled() != p.Cells() {
		return f, fmt.Errorf("repair leaves %d cells empty", p.Cells()-r.live.Filled())
	}
	for i, piece := range r.pieces {
		cell := r.live.CellOf(piece)
		if cell == puzzle.Empty || !r.hole.Has(cell) || !p.FitsAt(cell, piece, r.live.Rotation(cell)) {
			return f, fmt.Errorf("repair puts piece %d on cell %d, where it may not lie", piece+1, cell)
		}
		f.Same = f.Same && cell == cells[i] && r.live.Rotation(cell) == r.turns[i]
	}
	for _, cell := range cells {
		r.live.Remove(cell)
	}
	for i, cell := range cells {
		r.live.Place(cell, r.pieces[i], r.turns[i])
	}
	return f, nil
}
