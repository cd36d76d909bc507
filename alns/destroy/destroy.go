// Package destroy holds the operators that choose which cells of a board the
// loop clears: one operator a file, all of them in list.go.
//
// An operator is a plain function. It adds at most k cells to the hole; the
// loop then lifts their pieces. Every operator works on the counts that the
// board keeps, so it costs O(k), not a scan of the board. Clue cells never
// enter a hole: a shape of k cells, such as a rectangle, loses those it covers.
package destroy

import (
	"lastmile/puzzle"
	"lastmile/random"
)

// Operator names a way to choose cells. Choose gets an empty hole on a full
// board and k >= 1. It may choose nothing, as some do on a board without breaks.
type Operator struct {
	Name   string
	Choose func(h *Hole, k int)
}

// Hole collects the cells that an operator chooses on a full board.
type Hole struct {
	Board  *puzzle.Board
	Random *random.Stream
	Free   []int // the cells that are no clue, ascending; operators leave it as it is

	cells []int
	slot  []int32 // by cell: 1 + its index in cells, or 0
	clue  []bool
	drawn []int   // scratch of RandomCells and addWorst
	moved []int32 // scratch of addWorst, all 0 between calls
}

// NewHole returns an empty hole for the board.
func NewHole(b *puzzle.Board, r *random.Stream) *Hole {
	n := b.Puzzle().Cells()
	h := &Hole{
		Board:  b,
		Random: r,
		cells:  make([]int, 0, n),
		slot:   make([]int32, n),
		clue:   make([]bool, n),
		drawn:  make([]int, 0, n),
		moved:  make([]int32, n),
	}
	for _, c := range b.Puzzle().Clues {
		h.clue[c.Cell] = true
	}
	for cell, clue := range h.clue {
		if !clue {
			h.Free = append(h.Free, cell)
		}
	}
	return h
}

// Cells are the chosen cells in the order of their choice.
func (h *Hole) Cells() []int { return h.cells }

// Len is the number of chosen cells.
func (h *Hole) Len() int { return len(h.cells) }

// Has tells whether the cell is chosen.
func (h *Hole) Has(cell int) bool { return h.slot[cell] > 0 }

// Add chooses a cell, unless it is a clue or chosen already, and tells whether
// it did.
func (h *Hole) Add(cell int) bool {
	if h.clue[cell] || h.slot[cell] > 0 {
		return false
	}
	h.cells = append(h.cells, cell)
	h.slot[cell] = int32(len(h.cells))
	return true
}

// Clear forgets the chosen cells in O(k).
func (h *Hole) Clear() {
	for _, cell := range h.cells {
		h.slot[cell] = 0
	}
	h.cells = h.cells[:0]
}

// coin is a draw between two things that are as likely.
func (h *Hole) coin() bool { return h.Random.Uint64()&1 == 0 }
