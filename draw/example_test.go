package draw_test

import (
	"os"

	"lastmile/draw"
	"lastmile/puzzle"
)

// A match on the right, a break below, an empty cell and a clue.
func ExampleText() {
	g := puzzle.NewGrid(2, 2)
	copy(g.Edges, []puzzle.Edges{{0, 3, 1, 0}, {0, 0, 2, 3}, {1, 4, 0, 0}, {}})
	copy(g.Filled, []bool{true, true, true, false})
	g.Edges[2][puzzle.Up] = 5
	draw.Text(os.Stdout, g, draw.Options{Clues: []int{1}})
	// Output:
	// ┌─────┬─────┐
	// │  a  │* a  │
	// │a   d│d   a│
	// │  b  │  c  │
	// ├──╳──┼─────┤
	// │  f  │     │
	// │a   e│  ·  │
	// │  a  │     │
	// └─────┴─────┘
}
