package ledger

import (
	"fmt"
	"slices"
	"strings"

	"lastmile/construct"
	"lastmile/puzzle"
)

// Closing is the order that fills next the cell with the most neighbours
// filled, so that mismatches show as early as they can: for regions of any
// shape, and the default of Arrange.
const Closing = "closing"

// OrderNames are the words that Arrange knows.
func OrderNames() []string { return append([]string{Closing}, construct.OrderNames()...) }

// Arrange lists the empty cells of a board in the order of that name: closing,
// or one of the scan orders of construct.
func Arrange(b *puzzle.Board, name string) ([]int, error) {
	if name == "" || name == Closing {
		return closing(b), nil
	}
	order, err := construct.OrderNamed(name)
	if err != nil {
		return nil, fmt.Errorf("order %q, want one of %s", name, strings.Join(OrderNames(), ", "))
	}
	p := b.Puzzle()
	return slices.DeleteFunc(order.Scan(p.Width, p.Height), func(cell int) bool { return b.Piece(cell) != puzzle.Empty }), nil
}

// Without is the board without the pieces on the given cells.
func Without(b *puzzle.Board, cells []int) *puzzle.Board {
	less := puzzle.NewBoard(b.Puzzle())
	less.Load(b.Placements(nil))
	for _, cell := range cells {
		if less.Piece(cell) != puzzle.Empty {
			less.Remove(cell)
		}
	}
	return less
}

func closing(b *puzzle.Board) []int {
	p := b.Puzzle()
	filled := make([]bool, p.Cells())
	var open []int
	for cell := range filled {
		if filled[cell] = b.Piece(cell) != puzzle.Empty; !filled[cell] {
			open = append(open, cell)
		}
	}
	order := make([]int, 0, len(open))
	for len(open) > 0 {
		next, most := 0, -1
		for i, cell := range open {
			known := 0
			for _, n := range p.Neighbours(cell) {
				if n < 0 || filled[n] {
					known++
				}
			}
			if known > most {
				next, most = i, known
			}
		}
		filled[open[next]] = true
		order = append(order, open[next])
		open = slices.Delete(open, next, next+1)
	}
	return order
}
