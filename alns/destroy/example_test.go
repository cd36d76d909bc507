package destroy_test

import (
	"fmt"

	"lastmile/alns/destroy"
	"lastmile/puzzle"
	"lastmile/random"
)

// Diagonal chooses up to k cells of the diagonal through a random cell, down
// to the right and round the edges. O(k).
func Diagonal(h *destroy.Hole, k int) {
	if len(h.Free) == 0 {
		return
	}
	p := h.Board.Puzzle()
	cell := h.Free[h.Random.Below(len(h.Free))]
	for range k {
		h.Add(cell) // refuses clues and cells chosen already
		cell = (cell + p.Width + 1) % p.Cells()
	}
}

// An operator is a plain function, so it can be tried without touching the
// portfolio.
func ExampleOperator() {
	b := puzzle.NewBoard(puzzle.Official())
	record, _ := puzzle.RecordNamed("riotte-464")
	b.Load(record.Board)
	h := destroy.NewHole(b, random.New(1, "example", 0))
	operator := destroy.Operator{Name: "diagonal", Choose: Diagonal}
	operator.Choose(h, 6)
	fmt.Println(operator.Name, h.Cells())
	// Output: diagonal [134 151 168 185 202 219]
}
