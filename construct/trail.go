package construct

import (
	"cmp"
	"slices"

	"lastmile/puzzle"
)

// Trail remembers the boards that a beam has kept at each of its last steps, and
// of earlier steps those that these came from.
type Trail struct {
	puzzle *puzzle.Puzzle
	steps  []step
	marks  [][]mark // by step and state: where the state came from
}

// A trail remembers all boards of its last steps, at least remembered of them, and
// forgets those of earlier ones that have no descendants there, some steps at a time: most
// boards of a layer have none soon.
const remembered, forgetEvery = 64, 8

// forget drops the marks of boards without descendants among the last steps.
func forget(marks [][]mark) {
	top := len(marks) - remembered - 1
	if top < 0 || len(marks)%forgetEvery != 0 {
		return
	}
	for i := top; i >= 0; i-- {
		number := make([]int32, len(marks[i])) // of those that stay, from 1
		for _, m := range marks[i+1] {
			number[m.parent] = 1
		}
		n := int32(0)
		for j, alive := range number {
			n += alive
			number[j] = n * alive
		}
		if int(n) == len(number) && i <= top-forgetEvery {
			return // what lies before was sorted out when this was, and loses none now
		}
		kept := make([]mark, 0, n)
		for j, m := range marks[i] {
			if number[j] > 0 {
				kept = append(kept, m)
			}
		}
		marks[i] = kept
		for j := range marks[i+1] {
			m := &marks[i+1][j]
			m.parent = number[m.parent] - 1
		}
	}
}

// Kept is the number of boards that are remembered with so many cells empty.
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
