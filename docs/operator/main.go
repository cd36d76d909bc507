// Command operator polishes a board with a destroy operator of its own beside
// the portfolio: all that a new operator needs is in this file.
//
//	go run ./docs/operator
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"lastmile/alns"
	"lastmile/alns/destroy"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
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

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	ctx, p := context.Background(), puzzle.Official()
	built, err := construct.Beam(ctx, p, construct.Options{Width: 64, Seed: 1}, search.Budget{}, nil)
	if err != nil {
		return err
	}
	mine := destroy.Operator{Name: "diagonal", Choose: Diagonal}
	r, err := alns.Polish(ctx, p, built.Placements,
		alns.Options{Operators: append([]destroy.Operator{mine}, destroy.Portfolio...), Seed: 1},
		alns.Plan{Threads: 2, Budget: search.Budget{Iterations: 400_000}})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d → %d\n", built.Score, r.Score)
	for _, o := range r.Operators {
		fmt.Fprintf(out, "%-18s drawn %6d times, accepted %6d, gained seams %5d times\n", o.Name, o.Uses, o.Accepted, o.Improved)
	}
	return nil
}
