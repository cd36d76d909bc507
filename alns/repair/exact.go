package repair

import (
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/random"
)

// Exact fills a hole with the fewest breaks that its pieces allow. First it
// fills it as Greedy does; then it searches for a refill with fewer breaks by
// branch and bound on the colour ledger (package ledger proves the bounds). So
// it is never worse than Greedy, it walks plateaus as Greedy does, and the search
// has a bound from the start. The lists are shuffled for the search, so that the
// best refills that it finds differ from one call to the next.
//
// The verdict is Optimal when the search was decided within its nodes or the
// greedy refill has no breaks, else Fallback. It draws from the given pieces
// alone, whatever else is in the hand.
//
// The time goes by the breaks that are left in the end: holes of 9 connected
// cells round a break of a board of 464 take 10 µs, of 12 some 25, of 16 some
// 80; of 12 cells at broken seams all over a board of 455 it is a millisecond. A
// node takes a third of a microsecond where few breaks are allowed, several where
// many are, since more candidates are looked at. It allocates nothing once it
// has seen holes of the size.
type Exact struct {
	greedy *Greedy
	refill *ledger.Refiller
	random *random.Stream
	nodes  int64

	cells, pieces []int // shuffled
}

// NewExact returns the repair for boards of p. The search of a hole takes at
// most so many nodes.
func NewExact(p *puzzle.Puzzle, r *random.Stream, nodes int64) *Exact {
	return &Exact{greedy: NewGreedy(p), refill: ledger.NewRefiller(p), random: r, nodes: nodes}
}

// Repair fills the hole as Method says.
func (x *Exact) Repair(b *puzzle.Board, hole, pieces []int) Verdict {
	before := b.Breaks()
	x.greedy.Repair(b, hole, pieces)
	breaks := b.Breaks() - before
	if breaks == 0 {
		return Optimal
	}
	x.cells, x.pieces = x.shuffle(x.cells, hole), x.shuffle(x.pieces, pieces)
	better, decided := x.refill.Refill(b, x.cells, x.pieces, breaks-1, x.nodes)
	if better >= 0 {
		for _, cell := range hole {
			b.Remove(cell)
		}
		for _, q := range x.refill.Found() {
			b.Place(q.Cell, q.Piece, q.Rotation)
		}
	}
	if !decided {
		return Fallback
	}
	return Optimal
}

// shuffle makes a shuffled copy of a list in the room of an old one.
func (x *Exact) shuffle(room, list []int) []int {
	room = append(room[:0], list...)
	for i := len(room) - 1; i > 0; i-- {
		j := x.random.Below(i + 1)
		room[i], room[j] = room[j], room[i]
	}
	return room
}
