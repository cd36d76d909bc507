package puzzle

import (
	"fmt"
	"slices"
	"strings"
)

// Metric says how far apart two cells are.
type Metric int

// The metrics.
const (
	Chebyshev Metric = iota // the larger of the row and column distances: king's steps
	Manhattan               // their sum: rook's steps
)

// MetricNames are the words for the metrics, in their order.
var MetricNames = []string{"chebyshev", "manhattan"}

// MetricNamed finds a metric.
func MetricNamed(name string) (Metric, error) {
	if i := slices.Index(MetricNames, name); i >= 0 {
		return Metric(i), nil
	}
	return 0, fmt.Errorf("metric %q, want one of %s", name, strings.Join(MetricNames, ", "))
}

func (m Metric) String() string { return MetricNames[m] }

// Halo lists, in ascending order, the cells within so many steps of the given
// ones, these included.
func (p *Puzzle) Halo(cells []int, radius int, m Metric) []int {
	within := make([]bool, p.Cells())
	for _, cell := range cells {
		row, column := cell/p.Width, cell%p.Width
		for dy := max(-radius, -row); dy <= min(radius, p.Height-1-row); dy++ {
			reach := radius
			if m == Manhattan {
				reach = radius - max(dy, -dy)
			}
			for dx := max(-reach, -column); dx <= min(reach, p.Width-1-column); dx++ {
				within[cell+dy*p.Width+dx] = true
			}
		}
	}
	var halo []int
	for cell, in := range within {
		if in {
			halo = append(halo, cell)
		}
	}
	return halo
}

// BrokenCells lists the cells with a broken seam, in ascending order.
func (b *Board) BrokenCells() []int {
	var cells []int
	for cell, r := range b.cells.ranks {
		if r.value > 0 {
			cells = append(cells, cell)
		}
	}
	return cells
}

// Turned is the placements as they are when the board is turned clockwise by
// so many quarter turns. Odd turns need a square board.
func (p *Puzzle) Turned(placements []Placement, turns int) ([]Placement, error) {
	turns &= 3
	if turns&1 == 1 && p.Width != p.Height {
		return nil, fmt.Errorf("puzzle: a board of %dx%d turned by a quarter, want a square", p.Width, p.Height)
	}
	turned := make([]Placement, len(placements))
	for i, q := range placements {
		row, column := q.Cell/p.Width, q.Cell%p.Width
		switch turns {
		case 1:
			row, column = column, p.Width-1-row
		case 2:
			row, column = p.Height-1-row, p.Width-1-column
		case 3:
			row, column = p.Width-1-column, row
		}
		turned[i] = Placement{row*p.Width + column, q.Piece, (q.Rotation + turns) & 3}
	}
	return turned, nil
}
