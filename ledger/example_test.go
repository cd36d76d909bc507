package ledger_test

import (
	"context"
	"fmt"

	"lastmile/ledger"
	"lastmile/puzzle"
)

// The cells at the breaks of a record board cannot be filled with fewer.
func ExampleExhaust() {
	record, _ := puzzle.RecordNamed("blackwood-470")
	board := puzzle.NewBoard(puzzle.Official())
	board.Load(record.Board)

	rest := ledger.Without(board, board.BrokenCells())
	order, _ := ledger.Arrange(rest, ledger.Closing)
	r, err := ledger.Exhaust(context.Background(), &ledger.Problem{
		Board: rest, Order: order, Budget: board.Breaks() - rest.Breaks() - 1,
		Mode: ledger.Candidate, Best: true,
	}, ledger.Plan{})
	fmt.Println(len(order), "cells,", r.Completions, "completions, censored", r.Censored, err)
	// Output: 17 cells, 0 completions, censored false <nil>
}

// A ledger tells at once what a piece in the wrong place will cost later,
// besides the breaks that it makes.
func ExampleLedger() {
	solved, _ := puzzle.SolvedNamed("generated-1")
	board := puzzle.NewBoard(solved.Puzzle)
	for _, q := range solved.Board {
		if q.Cell < 250 {
			board.Place(q.Cell, q.Piece, q.Rotation)
		}
	}
	l, _ := ledger.New(board, ledger.Kinds)
	fmt.Println("as it was:", l.Needs())

	// Any other piece of the bottom row.
	other := solved.Board[253]
	l.Place(250, other.Piece, other.Rotation)
	fmt.Println("with another piece:", l.Breaks(), "breaks now,", l.Needs(), "more needed")
	l.Remove(250)
	fmt.Println("taken back:", l.Needs())
	// Output:
	// as it was: 0
	// with another piece: 2 breaks now, 2 more needed
	// taken back: 0
}
