package construct_test

import (
	"context"
	"fmt"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

func ExampleBeam() {
	r, err := construct.Beam(context.Background(), puzzle.Official(),
		construct.Options{Order: "row-major", Width: 256, Seed: 1}, search.Budget{}, search.Nobody)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Score, "seams with five clues on the board")
	// Output: 452 seams with five clues on the board
}
