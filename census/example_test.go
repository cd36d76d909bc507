package census_test

import (
	"fmt"

	"lastmile/census"
	"lastmile/puzzle"
)

func ExampleTwoByTwo() {
	for _, c := range census.TwoByTwo(puzzle.Official()) {
		fmt.Println(c.Name, c.Count)
	}
	// Output:
	// 2x2 corner 5248
	// 2x2 edge 292012
	// 2x2 interior 4059952
}
