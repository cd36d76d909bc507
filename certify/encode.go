package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lastmile/certify/cnf"
	"lastmile/puzzle"
)

// Encoding is the version of the way in which a question becomes a formula. The
// same question and version give the same bytes.
const Encoding = 1

// Question asks whether the cells of a window can be filled with free pieces so
// that at most Bound of its seams break. The window is the whole region or a
// part of it; its seams are those between two of its cells, and those to cells
// that stay. The formula is satisfiable exactly when the answer is yes; the
// documentation of the package says how it is made.
type Question struct {
	Region  *Region
	Cells   []int // of the window, ascending
	Bound   int   // breaks, 0 or more
	Formula *cnf.Formula

	choices []choice // by variable, from 1: what the first variables stand for
}

// choice is a piece on a cell, in one rotation.
type choice struct {
	cell int
	puzzle.Oriented
}

// Ask makes the formula of a question about cells of the region, ascending.
// Floors that hold of parts of the window may be said in it.
func (r *Region) Ask(cells []int, bound int, floors Floors) (*Question, error) {
	return r.ask(context.Background(), cells, bound, floors, 0)
}

// errFormula says that a formula has grown beyond the memory it may use.
var errFormula = errors.New("certify: the formula is larger than it may be")

// ask is Ask until the context ends or the formula takes so many bytes, if that
// is not 0. Then it returns the error of the context, or errFormula.
func (r *Region) ask(ctx context.Context, cells []int, bound int, floors Floors, memory int64) (*Question, error) {
	switch {
	case bound < 0:
		return nil, fmt.Errorf("certify: a bound of %d breaks, want 0 or more", bound)
	case len(cells) == 0 || !slices.IsSorted(cells):
		return nil, fmt.Errorf("certify: a window of %d cells, want one or more, ascending", len(cells))
	}
	for i, cell := range cells {
		if cell < 0 || cell >= len(r.open) || !r.open[cell] || i > 0 && cell == cells[i-1] {
			return nil, fmt.Errorf("certify: cell %d in a window, want cells of the region, each once", cell)
		}
	}
	e := &encoder{
		Question: Question{Region: r, Cells: cells, Bound: bound, Formula: &cnf.Formula{}},
		at:       make([][]int32, len(r.open)), in: make([]bool, len(r.open)),
		ctx: ctx, memory: memory,
	}
	for _, cell := range cells {
		e.in[cell] = true
	}
	e.choose()
	e.placeOnce()
	e.joinSeams()
	if bound > 0 {
		e.limit(floors)
	}
	e.comment()
	if e.err != nil {
		return nil, e.err
	}
	return &e.Question, nil
}

type encoder struct {
	Question
	at     [][]int32        // by cell: the variables of its choices
	in     []bool           // by cell: it is of the window
	broken map[[2]int]int32 // by cell and side of a seam: a literal that is true where it breaks

	ctx    context.Context
	memory int64
	err    error // why it is not made
}

// stopped tells whether the formula is to be made no further.
func (e *encoder) stopped() bool {
	if e.err == nil {
		e.err = e.ctx.Err()
	}
	if e.err == nil && e.memory > 0 && 4*int64(e.Formula.Literals()) > e.memory {
		e.err = errFormula
	}
	return e.err != nil
}

// whole tells whether the window is the region: each free piece then lies in it.
func (e *encoder) whole() bool { return len(e.Cells) == len(e.Region.cells) }

// choose makes a variable for every piece in every rotation that may lie on a
// cell. Those that break more seams to what stays than the bound allows are left
// out.
func (e *encoder) choose() {
	r := e.Region
	for _, cell := range e.Cells {
		for _, o := range r.fits(cell) {
			if r.misfits(cell, o.Edges) <= e.Bound {
				e.choices = append(e.choices, choice{cell, o})
				e.at[cell] = append(e.at[cell], e.Formula.Fresh())
			}
		}
	}
}

// choice is what a variable of the first ones stands for.
func (e *encoder) choice(v int32) choice { return e.choices[v-1] }

// placeOnce says that each cell holds one piece and each piece lies on one cell
// at most. Both count pieces on cells, whatever their rotation.
func (e *encoder) placeOnce() {
	pieces := len(e.Region.whole.Puzzle().Pieces)
	of := make([][]int32, pieces) // by piece: the variables that put it on a cell
	for _, cell := range e.Cells {
		if e.stopped() {
			return
		}
		turns := make([][]int32, pieces)
		for _, v := range e.at[cell] {
			piece := e.choice(v).Piece
			turns[piece] = append(turns[piece], v)
		}
		var here []int32
		for _, piece := range e.Region.pieces {
			if len(turns[piece]) == 0 {
				continue
			}
			v := e.either(turns[piece])
			e.atMostOne(turns[piece])
			here = append(here, v)
			of[piece] = append(of[piece], v)
		}
		e.Formula.Add(here...)
		e.atMostOne(here)
	}
	for _, piece := range e.Region.pieces {
		if e.stopped() {
			return
		}
		if e.whole() {
			// That no piece is left over follows from the numbers; said aloud it helps.
			e.Formula.Add(of[piece]...)
		}
		e.atMostOne(of[piece])
	}
}

// limit says that at most Bound of the seams break, and what is known of parts.
func (e *encoder) limit(floors Floors) {
	w := e.Region.window(e.Cells)
	// What is known of the window itself is left out: a later proof about it then
	// takes the place of an earlier one.
	sum := e.breaks(w, make([]bool, len(e.in)), floors, floors.sum(w))
	if len(sum) > e.Bound {
		e.Formula.Add(-sum[e.Bound])
	}
}

// breaks counts the breaks of a window: a totalizer that adds up the two parts
// and the seams between them, so that its sums speak of places on the board. That
// makes proofs several times as short as sums in any order. At least so many as
// floor break. Inside marks the cells of the window when it returns.
func (e *encoder) breaks(w *window, inside []bool, floors Floors, floor int) []int32 {
	if e.stopped() {
		return nil
	}
	if w.single() {
		cell := w.cells[0]
		inside[cell] = true
		return e.sum(e.brokenAt(cell, func(other int) bool { return !e.Region.open[other] }))
	}
	first := make([]bool, len(inside))
	a := e.breaks(w.parts[0], first, floors, floors.of(w.parts[0]))
	b := e.breaks(w.parts[1], inside, floors, floors.of(w.parts[1]))
	var between []int32
	for _, cell := range w.parts[0].cells {
		between = append(between, e.brokenAt(cell, func(other int) bool { return inside[other] })...)
	}
	for _, cell := range w.parts[0].cells {
		inside[cell] = true
	}
	sum := e.plus(e.plus(a, b), e.sum(between))
	for _, l := range sum[:min(floor, len(sum))] {
		e.Formula.Add(l)
	}
	return sum
}

// brokenAt lists the literals of the seams of a cell to those that are asked for.
func (e *encoder) brokenAt(cell int, other func(int) bool) (literals []int32) {
	for side, n := range e.Region.whole.Puzzle().Neighbours(cell) {
		if n < 0 || !other(int(n)) {
			continue
		}
		l, here := e.broken[[2]int{cell, side}]
		if !here {
			l = e.broken[[2]int{int(n), side ^ 2}]
		}
		literals = append(literals, l)
	}
	return literals
}

// sum counts literals: a totalizer (Bailleux and Boufkhad 2003) whose sums are
// cut off above the bound. Of its variables the first ones are true, at least as
// many as literals are.
func (e *encoder) sum(literals []int32) []int32 {
	if len(literals) <= 1 {
		return literals
	}
	return e.plus(e.sum(literals[:len(literals)/2]), e.sum(literals[len(literals)/2:]))
}

// plus adds two such counts.
func (e *encoder) plus(a, b []int32) []int32 {
	if len(a) == 0 || len(b) == 0 {
		return append(slices.Clip(a), b...)
	}
	sum := make([]int32, min(len(a)+len(b)-1, e.Bound)+1)
	for i := range sum {
		sum[i] = e.Formula.Fresh()
	}
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			if i+j == 0 {
				continue
			}
			var clause []int32
			if i > 0 {
				clause = append(clause, -a[i-1])
			}
			if j > 0 {
				clause = append(clause, -b[j-1])
			}
			e.Formula.Add(append(clause, sum[min(i+j, len(sum))-1])...)
		}
	}
	return sum
}

// either is a variable that is true exactly when one of the given ones is.
func (e *encoder) either(any []int32) int32 {
	if len(any) == 1 {
		return any[0]
	}
	v := e.Formula.Fresh()
	for _, l := range any {
		e.Formula.Add(-l, v)
	}
	e.Formula.Add(append(slices.Clone(any), -v)...)
	return v
}

// atMostOne allows one of the literals: in pairs where they are few, else three
// of them and a variable that stands for one of the others, and so on (commanders
// in a row, after Klieber and Kwon 2007): 3n clauses and n/2 variables.
func (e *encoder) atMostOne(literals []int32) {
	for len(literals) > 5 {
		rest := e.Formula.Fresh()
		e.pairs(append(slices.Clone(literals[:3]), rest))
		literals = append([]int32{-rest}, literals[3:]...)
	}
	e.pairs(literals)
}

func (e *encoder) pairs(literals []int32) {
	for i, a := range literals {
		for _, b := range literals[:i] {
			e.Formula.Add(-a, -b)
		}
	}
}

// comment says at the head of the formula what its first variables are, so that
// it can be judged without this program.
func (e *encoder) comment() {
	p := e.Region.whole.Puzzle()
	say := func(format string, values ...any) {
		e.Formula.Comments = append(e.Formula.Comments, fmt.Sprintf(format, values...))
	}
	say("lastmile encoding %d: fill %d cells so that at most %d of their seams break", Encoding, len(e.Cells), e.Bound)
	say("a variable is a piece on a cell in a rotation: piece/quarter turns, pieces from 1")
	for _, cell := range e.Cells {
		text := fmt.Appendf(nil, "row %d column %d:", cell/p.Width+1, cell%p.Width+1)
		for i, v := range e.at[cell] {
			if i == 0 {
				text = fmt.Appendf(text, " from %d on", v)
			}
			text = fmt.Appendf(text, " %d/%d", e.choice(v).Piece+1, e.choice(v).Rotation)
		}
		say("%s", text)
	}
}
