package construct

import (
	"cmp"
	"slices"

	"lastmile/puzzle"
)

// Trail remembers the boards that a beam has kept at each step. It takes eight
// bytes for each.
type Trail struct {
	puzzle *puzzle.Puzzle
	steps  []step
	marks  [][]mark // by step and state: where the state came from
}

// Kept is the number of boards that the beam kept with so many cells empty.
func (t *Trail) Kept(empty int) int {
	filled := len(t.steps) - empty
	if filled < 1 || empty < 0 {
		return 0
	}
	return len(t.marks[filled-1])
}

// Board is one of these boards, with the best first as the beam ranks them.
func (t *Trail) Board(empty, i int) []puzzle.Placement {
	return t.board(len(t.steps)-empty, int32(i))
}

// Order is the cells that are empty then, in the order of the scan.
func (t *Trail) Order(empty int) []int {
	order := make([]int, 0, empty)
	for _, s := range t.steps[len(t.steps)-empty:] {
		order = append(order, s.cell)
	}
	return order
}

// board walks the trail of a state back from so many steps to the start.
func (t *Trail) board(steps int, state int32) []puzzle.Placement {
	board := slices.Clone(t.puzzle.Clues)
	for i := steps - 1; i >= 0; i-- {
		m := t.marks[i][state]
		board = append(board, puzzle.Placement{Cell: t.steps[i].cell, Piece: int(m.move >> 2), Rotation: int(m.move & 3)})
		state = m.parent
	}
	slices.SortFunc(board, func(x, y puzzle.Placement) int { return cmp.Compare(x.Cell, y.Cell) })
	return board
}
