package census_test

import (
	"context"
	"fmt"

	"lastmile/census"
	"lastmile/puzzle"
)

func ExampleMovesOf() {
	record, _ := puzzle.RecordNamed("blackwood-470")
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(record.Board)
	found, err := census.MovesOf(context.Background(), b, nil, b.BrokenCells())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range found {
		fmt.Printf("%s: %d tested, %d improving, %d neutral, best %+d\n", m.Kind, m.Tested, m.Improving, m.Neutral, m.Best)
	}
	// Output:
	// turn: 588 tested, 0 improving, 0 neutral, best -1
	// swap: 307306 tested, 0 improving, 0 neutral, best -1
	// 3-cycle: 58240 tested, 0 improving, 0 neutral, best -3
}
