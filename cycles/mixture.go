package cycles

import "lastmile/puzzle"

// A mixture is the look of a board on the way from A to B, with its score and
// its boundary. It is no puzzle.Board, because a piece may lie on it twice (see
// Copied). Every change is O(1) and allocates nothing.
type mixture struct {
	c        *Comparison
	edges    []puzzle.Edges // by cell; meaningless where it is empty
	filled   []bool
	arrived  []bool // by cell that differs: it holds what it holds on B
	score    int
	boundary int
}

// mixture is board A.
func (c *Comparison) mixture() *mixture {
	m := &mixture{c: c, score: c.Start, arrived: make([]bool, len(c.differs))}
	m.edges = append(m.edges, c.from.Edges...)
	m.filled = append(m.filled, c.from.Filled...)
	return m
}

// matches counts the seams that match when the cell looks so.
func (m *mixture) matches(cell int, look puzzle.Edges) int {
	n := 0
	for side, other := range m.c.Puzzle.Neighbours(cell) {
		if other >= 0 && m.filled[other] && look[side] != puzzle.Grey && look[side] == m.edges[other][side^2] {
			n++
		}
	}
	return n
}

// lay puts a look on the cell, or empties it.
func (m *mixture) lay(cell int, look puzzle.Edges, filled bool) {
	if m.filled[cell] {
		m.score -= m.matches(cell, m.edges[cell])
	}
	m.edges[cell], m.filled[cell] = look, filled
	if filled {
		m.score += m.matches(cell, look)
	}
}

// toB makes the cell what it is on B, toA what it was on A.
func (m *mixture) toB(cell int) {
	m.lay(cell, m.c.to.Edges[cell], m.c.to.Filled[cell])
	m.arrive(cell, true)
}

func (m *mixture) toA(cell int) {
	m.lay(cell, m.c.from.Edges[cell], m.c.from.Filled[cell])
	m.arrive(cell, false)
}

func (m *mixture) arrive(cell int, is bool) {
	if m.arrived[cell] == is || !m.c.differs[cell] {
		return
	}
	m.arrived[cell] = is
	for _, other := range m.c.Puzzle.Neighbours(cell) {
		switch {
		case other < 0 || !m.c.differs[other]:
		case m.arrived[other] == is:
			m.boundary--
		default:
			m.boundary++
		}
	}
}

// layBest puts a piece of A on the cell, turned as it matches most seams among
// the turns that keep the frame rule there, or among all when none does.
func (m *mixture) layBest(cell, piece int) {
	p := m.c.Puzzle
	best, most := -1, -1
	for pass := 0; best < 0; pass++ {
		for r := range 4 {
			if pass == 0 && !p.FitsAt(cell, piece, r) {
				continue
			}
			if n := m.matches(cell, p.Rotated(piece, r)); n > most {
				best, most = r, n
			}
		}
	}
	m.lay(cell, p.Rotated(piece, best), true)
}
