package cycles_test

import (
	"fmt"

	"lastmile/cycles"
	"lastmile/puzzle"
)

func Example() {
	record, _ := puzzle.RecordNamed("mcgavin-469")
	a, b := puzzle.NewBoard(puzzle.Official()), puzzle.NewBoard(puzzle.Official())
	a.Load(record.Board)
	b.Load(record.Board)
	b.Swap(100, 0, 37, 0)
	b.Swap(100, 0, 85, 0)

	c, err := cycles.Between(a, b)
	if err != nil {
		panic(err)
	}
	fmt.Println("fixed", len(c.Fixed), "cycles", c.Cycles, "scores", c.Start, c.End)
	for x := range c.Prefixes(0, cycles.Exchanged) {
		fmt.Println("start", x.Start, "moves", x.Moves, "score", x.Score, "boundary", x.Boundary)
	}
	// Output:
	// fixed 253 cycles [{[37 85 100]}] scores 469 457
	// start 0 moves 1 score 461 boundary 0
	// start 1 moves 1 score 461 boundary 0
	// start 2 moves 1 score 461 boundary 0
}
