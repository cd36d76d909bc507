package repair

import (
	"lastmile/puzzle"
	"lastmile/random"
)

// Assignment fills a scattered hole, one no two of whose cells share a seam,
// with as few breaks as can be. Each cell then faces fixed neighbours only, so
// a piece on it costs the breaks of its best rotation under the frame rule,
// whatever the others do, and the best refill is a linear assignment problem
// (Schaus and Deville, "Hybridization of CP and VLNS for Eternity II", JFPC
// 2008). A piece fits the cells of its own kind only, so there is one problem
// a kind. A hole with adjacent cells is left to Greedy.
//
// Many refills are optimal as a rule. Which of them it is falls by chance, not
// each as likely: the cells and the pieces of each kind are shuffled before they
// are assigned, and of the best rotations on its cell a piece takes the first in
// a circle from a random one.
//
// A repair of k cells costs O(k²) to compare pieces with cells, four rotations
// in two machine words, and O(k³) at worst to assign them, see hungarian, though
// on real boards hardly more than O(k²). Buffers grow to k² bytes for the largest
// k so far; apart from that it allocates nothing.
type Assignment struct {
	tables
	random *random.Stream
	greedy *Greedy
	chosen []bool // by cell: in the hole, false between repairs
	blocks [kinds]block
	solver hungarian
}

// block is the cells of a hole that take one kind of piece, and those pieces.
type block struct {
	cells  []demand
	pieces []int32
}

// demand is a cell and what its placed neighbours ask for.
type demand struct {
	cell   int
	need   word
	placed uint8
}

// NewAssignment returns the repair for boards of p. It draws from the stream.
func NewAssignment(p *puzzle.Puzzle, r *random.Stream) *Assignment {
	greedy := NewGreedy(p)
	return &Assignment{
		tables: greedy.tables,
		random: r,
		greedy: greedy,
		chosen: make([]bool, p.Cells()),
	}
}

// Repair fills the hole as Method says.
func (a *Assignment) Repair(b *puzzle.Board, hole, pieces []int) Verdict {
	if !a.scattered(hole) {
		a.greedy.Repair(b, hole, pieces)
		return Fallback
	}
	for _, cell := range hole {
		need, placed := a.asked(b, cell)
		k := &a.blocks[a.cells[cell]]
		k.cells = append(k.cells, demand{cell, need, placed})
	}
	for _, piece := range pieces {
		k := &a.blocks[a.kind[piece]]
		k.pieces = append(k.pieces, int32(piece))
	}
	for i := range a.blocks {
		k := &a.blocks[i]
		a.fill(b, k)
		k.cells, k.pieces = k.cells[:0], k.pieces[:0]
	}
	return Optimal
}

// scattered tells whether no two cells of the hole share a seam.
func (a *Assignment) scattered(hole []int) bool {
	for _, cell := range hole {
		a.chosen[cell] = true
	}
	apart := true
	for _, cell := range hole {
		for _, n := range a.puzzle.Neighbours(cell) {
			if n >= 0 && a.chosen[n] {
				apart = false
			}
		}
	}
	for _, cell := range hole {
		a.chosen[cell] = false
	}
	return apart
}

// fill lays the pieces of a block on its cells at the least cost.
func (a *Assignment) fill(b *puzzle.Board, k *block) {
	// Pieces alone would leave some of the optimal refills out of reach.
	shuffle(k.cells, a.random)
	shuffle(k.pieces, a.random)
	a.solver.size(len(k.cells))
	for i := range k.cells {
		a.price(a.solver.row(i), &k.cells[i], k.pieces)
	}
	a.solver.solve()
	for i := range k.cells {
		d, j := &k.cells[i], a.solver.columnOf[i]
		_, turn, _ := a.best(d.cell, d.need, int(d.placed), k.pieces[j:j+1], a.random.Below(4))
		b.Place(d.cell, int(k.pieces[j]), turn)
	}
}

func shuffle[E any](s []E, r *random.Stream) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// price sets the least breaks of each piece on a cell.
func (a *Assignment) price(costs []uint8, d *demand, pieces []int32) {
	if a.cells[d.cell] != 0 {
		for j := range pieces {
			_, _, most := a.bestOnRim(d.cell, d.need, pieces[j:j+1], 0)
			costs[j] = d.placed - uint8(most)
		}
		return
	}
	needs := both(d.need)
	costs = costs[:len(pieces)]
	for j, piece := range pieces {
		q := &a.quads[piece]
		r0, r1 := matches(q[0], needs)
		r2, r3 := matches(q[1], needs)
		costs[j] = d.placed - uint8(max(r0, r1, r2, r3))
	}
}
