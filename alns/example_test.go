package alns_test

import (
	"context"
	"fmt"

	"lastmile/alns"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

// Build a board, then polish it. With a budget of iterations the result is the
// same each time, on any number of threads.
func ExamplePolish() {
	p := puzzle.Official()
	first, err := construct.Beam(context.Background(), p, construct.Options{Width: 16, Seed: 1}, search.Budget{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := alns.Polish(context.Background(), p, first.Placements, alns.Options{Seed: 1},
		alns.Plan{Threads: 2, Budget: search.Budget{Iterations: 200_000}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(first.Score, "→", r.Score)
	// Output: 442 → 447
}
