package repair

import (
	"lastmile/puzzle"
	"lastmile/random"
)

// ByHole picks the repair by the hole. Where no two cells share a seam it is
// Assignment; else up to smallHole cells Exact, and above Greedy. The verdict is
// that of the repair that was picked.
type ByHole struct {
	assignment *Assignment
	exact      *Exact
}

// smallHole is the most cells at which the search of Exact is worth its time.
// Measured on beam boards of 451 to 455 over all operators, it takes 5 µs at 4
// cells, 15 at 6 and 75 at 8, and 2000 nodes are enough; at 10 it takes 900, at
// 12 two milliseconds, and one hole in five stays undecided.
const smallHole = 8

// NewByHole returns the repair for boards of p. The search of a hole takes at
// most so many nodes.
func NewByHole(p *puzzle.Puzzle, r *random.Stream, nodes int64) *ByHole {
	return &ByHole{assignment: NewAssignment(p, r), exact: NewExact(p, r, nodes)}
}

// Repair fills the hole as Method says.
func (h *ByHole) Repair(b *puzzle.Board, hole, pieces []int) Verdict {
	switch {
	case h.assignment.scattered(hole):
		return h.assignment.Repair(b, hole, pieces)
	case len(hole) <= smallHole:
		return h.exact.Repair(b, hole, pieces)
	}
	return h.exact.greedy.Repair(b, hole, pieces)
}
