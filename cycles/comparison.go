package cycles

import (
	"cmp"
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// Comparison is what carries board A to board B.
type Comparison struct {
	Puzzle *puzzle.Puzzle // of A
	From   []puzzle.Placement
	// To is B, turned by Turns clockwise quarter turns, in the colours of A. Its
	// pieces are named as they were matched: one that both boards hold has the
	// same number on both.
	To         []puzzle.Placement
	Turns      int
	Recoloured bool // the puzzle of B has other names for some colours

	Fixed  []int              // cells with the same look, ascending
	Turned []int              // cells whose piece is turned in place, ascending
	Cycles []Cycle            // the longest first, then by their first cell
	Chains []Chain            // likewise
	OnlyA  []puzzle.Placement // pieces that B does not hold, as they lie on A
	OnlyB  []puzzle.Placement // pieces that A does not hold, as they lie on To

	Start, End int // the scores of A and B

	from, to *puzzle.Grid
	pieces   []int // of A, by cell
	differs  []bool
}

// Cycle is a closed path: the piece on each cell goes to the next one, that on
// the last to the first. The first cell is the lowest.
type Cycle struct {
	Cells []int `json:"cells"`
}

// Chain is an open path: the piece on each cell but the last goes to the next
// one. On the last cell A has no piece, or one that B does not hold; on the first
// B has none, or one that A does not hold.
type Chain struct {
	Cells []int `json:"cells"`
}

// Moved is the number of pieces that lie elsewhere on B.
func (c *Comparison) Moved() int {
	moved := 0
	for _, y := range c.Cycles {
		moved += len(y.Cells)
	}
	for _, h := range c.Chains {
		moved += len(h.Cells) - 1
	}
	return moved
}

// Differ is the number of cells that do not look the same on both boards.
func (c *Comparison) Differ() int {
	differ := 0
	for _, d := range c.differs {
		if d {
			differ++
		}
	}
	return differ
}

// Between compares two boards of the same size, full or not, whose pieces are
// the same: by their numbers when both puzzles list them alike, else up to the
// names of colours, of which those are taken that move the fewest pieces (among
// the first 64 that there are, for sets so symmetric that they have more).
func Between(a, b *puzzle.Board) (*Comparison, error) {
	p, q := a.Puzzle(), b.Puzzle()
	if p.Width != q.Width || p.Height != q.Height {
		return nil, fmt.Errorf("cycles: boards of %dx%d and %dx%d cells, want one size", p.Width, p.Height, q.Width, q.Height)
	}
	from, to := a.Placements(nil), b.Placements(nil)
	names, err := colourings(p, q)
	if err != nil {
		return nil, err
	}
	var best *matching
	for _, colours := range names {
		renamed := rename(p, q, to, colours)
		for turns := range 4 {
			turned, err := p.Turned(renamed, turns)
			if err != nil {
				continue // a quarter turn of an oblong board
			}
			m := match(p, from, turned)
			m.turns, m.recoloured = turns, !colours.Identity()
			if best == nil || m.compare(best) < 0 {
				best = m
			}
		}
	}
	return best.comparison(p, from), nil
}

// comparison follows the pieces from cell to cell.
func (m *matching) comparison(p *puzzle.Puzzle, from []puzzle.Placement) *Comparison {
	c := &Comparison{
		Puzzle: p, From: from, To: m.to, Turns: m.turns, Recoloured: m.recoloured,
		from: p.Look(from), to: p.Look(m.to),
		pieces: make([]int, p.Cells()), differs: make([]bool, p.Cells()),
	}
	c.Start, c.End = c.from.Tally().Matched, c.to.Tally().Matched
	n := p.Cells()
	cellA, cellB := table(n), table(n)   // by piece
	next, previous := table(n), table(n) // by cell: where its piece goes, and where B's comes from
	copy(c.pieces, table(n))
	for _, q := range from {
		cellA[q.Piece], c.pieces[q.Cell] = q.Cell, q.Piece
	}
	for _, q := range m.to {
		cellB[q.Piece] = q.Cell
		if cellA[q.Piece] < 0 {
			c.OnlyB = append(c.OnlyB, q)
		}
	}
	for _, q := range from {
		switch to := cellB[q.Piece]; {
		case to < 0:
			c.OnlyA = append(c.OnlyA, q)
		case to != q.Cell:
			next[q.Cell], previous[to] = to, q.Cell
		case c.from.Edges[to] == c.to.Edges[to]:
			c.Fixed = append(c.Fixed, to)
		default:
			c.Turned = append(c.Turned, to)
		}
	}
	stays := make([]bool, n)
	for _, cell := range slices.Concat(c.Fixed, c.Turned) {
		stays[cell] = true
	}
	for cell := range n {
		a, b := c.from.Filled[cell], c.to.Filled[cell]
		c.differs[cell] = a != b || a && c.from.Edges[cell] != c.to.Edges[cell]
	}
	seen := make([]bool, n)
	follow := func(cell int) (path []int) {
		for ; cell >= 0 && !seen[cell]; cell = next[cell] {
			seen[cell] = true
			path = append(path, cell)
		}
		return path
	}
	for cell := range n {
		if changes := c.from.Filled[cell] || c.to.Filled[cell]; changes && !stays[cell] && previous[cell] < 0 {
			c.Chains = append(c.Chains, Chain{follow(cell)})
		}
	}
	for cell := range n {
		if next[cell] >= 0 && !seen[cell] {
			c.Cycles = append(c.Cycles, Cycle{follow(cell)})
		}
	}
	slices.SortFunc(c.Cycles, func(x, y Cycle) int { return longest(x.Cells, y.Cells) })
	slices.SortFunc(c.Chains, func(x, y Chain) int { return longest(x.Cells, y.Cells) })
	return c
}

// longest puts long paths before short ones.
func longest(x, y []int) int {
	return cmp.Or(cmp.Compare(len(y), len(x)), cmp.Compare(x[0], y[0]))
}

// table is n entries of puzzle.Empty.
func table(n int) []int {
	t := make([]int, n)
	for i := range t {
		t[i] = puzzle.Empty
	}
	return t
}
