package cycles

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"lastmile/puzzle"
)

// AllSubsets is the number of parts up to which every subset is scored.
const AllSubsets = 16

// Parts lists the cells of the parts: the cycles, the chains, and the cells that
// are turned in place, if there are any, as one part.
func (c *Comparison) Parts() [][]int {
	var parts [][]int
	for _, y := range c.Cycles {
		parts = append(parts, y.Cells)
	}
	for _, h := range c.Chains {
		parts = append(parts, h.Cells)
	}
	if len(c.Turned) > 0 {
		parts = append(parts, c.Turned)
	}
	return parts
}

// Subset is a board on which some parts are applied as a whole.
type Subset struct {
	Parts    []int // indices of Parts, ascending
	Score    int
	Boundary int
}

// Subsets yields the boards between A and B on which some parts are applied and
// some are not: all of them when there are at most AllSubsets parts, else those
// with one part and those with all but one.
func (c *Comparison) Subsets() iter.Seq[Subset] {
	parts := c.Parts()
	if len(parts) > AllSubsets {
		return c.fewSubsets(parts)
	}
	return func(yield func(Subset) bool) {
		m := c.mixture()
		applied := uint(0)
		for i := uint(1); i < 1<<len(parts); i++ {
			// Gray's code changes one part a step, and the last ones, which are
			// short, the most often.
			flip := len(parts) - 1 - bits.TrailingZeros(i)
			applied ^= 1 << flip
			m.switchPart(parts[flip], applied>>flip&1 == 1)
			if applied == 1<<len(parts)-1 {
				continue // B
			}
			s := Subset{Score: m.score, Boundary: m.boundary}
			for rest := applied; rest != 0; rest &= rest - 1 {
				s.Parts = append(s.Parts, bits.TrailingZeros(rest))
			}
			if !yield(s) {
				return
			}
		}
	}
}

func (c *Comparison) fewSubsets(parts [][]int) iter.Seq[Subset] {
	return func(yield func(Subset) bool) {
		m := c.mixture()
		for i, cells := range parts {
			m.switchPart(cells, true)
			if !yield(Subset{[]int{i}, m.score, m.boundary}) {
				return
			}
			m.switchPart(cells, false)
		}
		all := make([]int, len(parts))
		for i, cells := range parts {
			all[i] = i
			m.switchPart(cells, true)
		}
		for i, cells := range parts {
			m.switchPart(cells, false)
			if !yield(Subset{slices.Delete(slices.Clone(all), i, i+1), m.score, m.boundary}) {
				return
			}
			m.switchPart(cells, true)
		}
	}
}

func (m *mixture) switchPart(cells []int, applied bool) {
	for _, cell := range cells {
		if applied {
			m.toB(cell)
		} else {
			m.toA(cell)
		}
	}
}

// TallySubsets counts the subsets.
func (c *Comparison) TallySubsets() (t Tally) {
	for s := range c.Subsets() {
		t.Add(s.Score, c.Start)
	}
	return t
}

// Whole is the score of A with one cycle applied as a whole.
func (c *Comparison) Whole(cycle int) int {
	m := c.mixture()
	m.switchPart(c.Cycles[cycle].Cells, true)
	return m.score
}

// Partial is the look of A with some parts applied as a whole and the first moves
// of one cycle made, its score and its boundary: 0 moves make none, those of a
// proper prefix leave the displaced piece on the open cell, and as many as the
// cycle has cells apply it. The cycle must not be among the parts.
func (c *Comparison) Partial(parts []int, cycle, start, moves int) (look *puzzle.Grid, score, boundary int, err error) {
	all := c.Parts()
	m := c.mixture()
	for i, part := range parts {
		if part < 0 || part >= len(all) || slices.Contains(parts[:i], part) || part == cycle {
			return nil, 0, 0, fmt.Errorf("part %d of %d, want each once and not that of the moves", part, len(all))
		}
		m.switchPart(all[part], true)
	}
	if cycle != -1 {
		if cycle < 0 || cycle >= len(c.Cycles) {
			return nil, 0, 0, fmt.Errorf("cycle %d of %d", cycle, len(c.Cycles))
		}
		cells := c.Cycles[cycle].Cells
		if start < 0 || start >= len(cells) || moves < 0 || moves > len(cells) {
			return nil, 0, 0, fmt.Errorf("%d moves from cell %d of a cycle of %d", moves, start, len(cells))
		}
		open := cells[start]
		for k := 1; k <= moves; k++ {
			cell := cells[(start+k)%len(cells)]
			m.toB(cell)
			if k < len(cells)-1 {
				m.layBest(open, c.pieces[cell])
			} else {
				m.toB(open)
			}
		}
	}
	return &puzzle.Grid{Width: c.Puzzle.Width, Height: c.Puzzle.Height, Edges: m.edges, Filled: m.filled}, m.score, m.boundary, nil
}
