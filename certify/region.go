package certify

import (
	"errors"
	"fmt"
	"slices"

	"lastmile/ledger"
	"lastmile/puzzle"
)

// Region is a board taken apart: the pieces that stay, and the cells that are
// filled again with all the others. It does not change.
type Region struct {
	whole, rest *puzzle.Board
	cells       []int  // of the region, ascending
	open        []bool // by cell: it is one of them
	pieces      []int  // that do not stay, ascending
	own         int
	seams       []seam
}

// seam is a joint that the region decides: between two of its cells, or between
// one and a neighbour that stays.
type seam struct {
	cell, side int // the cell is of the region
	other      int // the cell beyond that side
	stays      bool
}

// MaxChoices bounds the ways to lay one piece on one cell of a region: the first
// variables of a formula, which takes up to a thousand bytes for each while it is
// made. All of the official board has a sixth of it.
const MaxChoices = 1 << 20

// NewRegion frees the cells of a board, and those that are empty. The board is
// not changed; it must not change as long as the region is in use. Where the
// frame rule applies its pieces must obey it.
func NewRegion(b *puzzle.Board, cells []int) (*Region, error) {
	p := b.Puzzle()
	for _, cell := range cells {
		if cell < 0 || cell >= p.Cells() {
			return nil, fmt.Errorf("certify: cell %d, want 0 to %d", cell, p.Cells()-1)
		}
	}
	for _, q := range b.Placements(nil) {
		if !p.FitsAt(q.Cell, q.Piece, q.Rotation) {
			return nil, fmt.Errorf("certify: the piece on cell %d breaks the frame rule", q.Cell)
		}
	}
	r := &Region{whole: b, rest: ledger.Without(b, cells), open: make([]bool, p.Cells())}
	for cell := range r.open {
		if r.open[cell] = r.rest.Piece(cell) == puzzle.Empty; r.open[cell] {
			r.cells = append(r.cells, cell)
		}
	}
	if len(r.cells) == 0 {
		return nil, errors.New("certify: no cell is freed")
	}
	for piece := range p.Pieces {
		if r.rest.CellOf(piece) == puzzle.Empty {
			r.pieces = append(r.pieces, piece)
		}
	}
	choices := 0
	for _, cell := range r.cells {
		if choices += len(r.fits(cell)); choices > MaxChoices {
			return nil, fmt.Errorf("certify: a region of %d cells has more than %d ways to lay a piece on a cell, want a smaller one", len(r.cells), MaxChoices)
		}
		for side, n := range p.Neighbours(cell) {
			other := int(n)
			if other < 0 || r.open[other] && (side == puzzle.Up || side == puzzle.Left) {
				continue // the rim, or the other cell has listed it
			}
			r.seams = append(r.seams, seam{cell, side, other, !r.open[other]})
			if !r.matched(b, cell, side, other) {
				r.own++
			}
		}
	}
	return r, nil
}

// fits lists the free pieces that may lie on a cell, in their rotations.
func (r *Region) fits(cell int) (fits []puzzle.Oriented) {
	for _, o := range r.whole.Puzzle().Fits(cell) {
		if r.rest.CellOf(int(o.Piece)) == puzzle.Empty {
			fits = append(fits, o)
		}
	}
	return fits
}

// misfits is the number of seams to what stays that a piece would break.
func (r *Region) misfits(cell int, mine puzzle.Edges) (n int) {
	for side, other := range r.whole.Puzzle().Neighbours(cell) {
		if other >= 0 && !r.open[other] {
			if theirs := r.rest.Edges(int(other))[side^2]; mine[side] != theirs || theirs == puzzle.Grey {
				n++
			}
		}
	}
	return n
}

// matched tells whether a seam is matched on a board.
func (r *Region) matched(b *puzzle.Board, cell, side, other int) bool {
	return b.Piece(cell) != puzzle.Empty && b.Piece(other) != puzzle.Empty && !b.Broken(cell, side)
}

// Cells lists the cells of the region, ascending. Do not change the list.
func (r *Region) Cells() []int { return r.cells }

// Seams is the number of seams that a refill decides.
func (r *Region) Seams() int { return len(r.seams) }

// Own is the number of them that the board, as it was given, leaves broken or
// open. A refill with fewer breaks than that is better.
func (r *Region) Own() int { return r.own }

// Board is the board as it was given. Do not change it.
func (r *Region) Board() *puzzle.Board { return r.whole }

// Rest is the board without the region. Do not change it.
func (r *Region) Rest() *puzzle.Board { return r.rest }

// Fill is the board without the region and with a filling of a window of it,
// which has a piece for each of the cells, and the number of seams of the window
// that it breaks, counted on that board. What is no filling gives an error:
// nothing a solver says is taken on trust.
func (r *Region) Fill(cells []int, filling []puzzle.Placement) (*puzzle.Board, int, error) {
	p := r.whole.Puzzle()
	if len(filling) != len(cells) {
		return nil, 0, fmt.Errorf("certify: %d placements, want one for each of %d cells", len(filling), len(cells))
	}
	in := make([]bool, p.Cells())
	for _, cell := range cells {
		if cell < 0 || cell >= p.Cells() || !r.open[cell] || in[cell] {
			return nil, 0, fmt.Errorf("certify: cell %d in a window, want cells of the region, each once", cell)
		}
		in[cell] = true
	}
	full := ledger.Without(r.whole, r.cells)
	for _, q := range filling {
		switch {
		case q.Cell < 0 || q.Cell >= p.Cells() || !in[q.Cell] || full.Piece(q.Cell) != puzzle.Empty:
			return nil, 0, fmt.Errorf("certify: a piece on cell %d, which is not free", q.Cell)
		case !slices.Contains(r.pieces, q.Piece) || full.CellOf(q.Piece) != puzzle.Empty:
			return nil, 0, fmt.Errorf("certify: a placement of piece %d, which is not free", q.Piece)
		case q.Rotation < 0 || q.Rotation > 3 || !p.FitsAt(q.Cell, q.Piece, q.Rotation):
			return nil, 0, fmt.Errorf("certify: a piece breaks the frame rule at cell %d", q.Cell)
		}
		full.Place(q.Cell, q.Piece, q.Rotation)
	}
	breaks := 0
	for _, s := range r.seams {
		if (s.stays && in[s.cell] || in[s.cell] && in[s.other]) && !r.matched(full, s.cell, s.side, s.other) {
			breaks++
		}
	}
	return full, breaks, nil
}
