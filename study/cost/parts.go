package cost

import (
	"math"
	"time"

	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/puzzle"
	"lastmile/random"
)

// Parts runs the parts of a rejected iteration one by one, so that each can be
// timed: choose a hole, lift its pieces, repair it, take the repair back. The
// board is the same before and after.
type Parts struct {
	operators []destroy.Operator
	k         int
	live      *puzzle.Board
	hole      *destroy.Hole
	repair    *repair.Greedy
	pieces    []int
	turns     []int
	turn      int // of the operators
	clock     float64

	quads []quad
}

// quad holds a piece in its rotations 0, 1 and 2, 3, a byte a side.
type quad [2]uint64

// NewParts sets the parts up. The operators take turns.
func NewParts(b Board, k int, operators []destroy.Operator, seed uint64) *Parts {
	p := &Parts{
		operators: operators, k: k, live: b.board(), repair: repair.NewGreedy(b.Puzzle),
		pieces: make([]int, 0, k), turns: make([]int, 0, k), clock: float64(clockCost().Nanoseconds()),
	}
	p.hole = destroy.NewHole(p.live, random.New(seed, "parts", 0))
	for piece := range k {
		var q quad
		for r := range 4 {
			for side, c := range b.Puzzle.Rotated(piece%b.Puzzle.Cells(), r) {
				q[r/2] |= uint64(c) << (32*(r%2) + 8*side)
			}
		}
		p.quads = append(p.quads, q)
	}
	return p
}

// Times are nanoseconds an iteration, but for the last two, and what the
// iterations had to do.
type Times struct {
	Choose    float64 `json:"choose"`
	Lift      float64 `json:"lift"`
	Repair    float64 `json:"repair"`
	Revert    float64 `json:"revert"`
	Unwatched float64 `json:"unwatched"` // all four, without a look at the clock between them

	Cells       float64 `json:"cells"`       // of a hole
	Comparisons float64 `json:"comparisons"` // of a piece, in its four rotations, with a cell: k(k+1)/2

	Move    float64 `json:"move"`    // a piece laid or lifted
	Compare float64 `json:"compare"` // a piece compared with a cell
}

// Sum is the time of the four parts.
func (t Times) Sum() float64 { return t.Choose + t.Lift + t.Repair + t.Revert }

// Least is an estimate of what a rejected iteration must take on this machine:
// the choice, k pieces lifted, laid, lifted and laid again, and every piece in
// hand compared with every cell in turn by a bare loop.
func (t Times) Least() float64 {
	return t.Choose + 4*t.Cells*t.Move + t.Comparisons*t.Compare
}

// Measure runs the parts for about so long.
func (p *Parts) Measure(d time.Duration) Times {
	t := p.watched(d / 2)
	t.Unwatched = p.unwatched(d / 4)
	t.Compare = p.bare(d / 4)
	t.Move = (t.Lift + t.Revert) / (3 * t.Cells)
	return t
}

func (p *Parts) watched(d time.Duration) (t Times) {
	var choose, lift, repair, revert time.Duration
	n := 0.0
	for began := now(); now()-began < d; n++ {
		t0 := now()
		p.choose()
		t1 := now()
		p.lift()
		t2 := now()
		p.repair.Repair(p.live, p.hole.Cells(), p.pieces)
		t3 := now()
		p.revert()
		t4 := now()
		choose, lift, repair, revert = choose+t1-t0, lift+t2-t1, repair+t3-t2, revert+t4-t3
		k := float64(p.hole.Len())
		t.Cells += k
		t.Comparisons += k * (k + 1) / 2
	}
	// Between two looks at the clock lies the time of one look.
	each := func(sum time.Duration) float64 { return math.Max(0, float64(sum.Nanoseconds())/n-p.clock) }
	t.Choose, t.Lift, t.Repair, t.Revert = each(choose), each(lift), each(repair), each(revert)
	t.Cells /= n
	t.Comparisons /= n
	return t
}

func (p *Parts) unwatched(d time.Duration) float64 {
	n := 0.0
	began := now()
	for now()-began < d {
		for range chunk {
			p.choose()
			p.lift()
			p.repair.Repair(p.live, p.hole.Cells(), p.pieces)
			p.revert()
			n++
		}
	}
	return float64((now() - began).Nanoseconds()) / n
}

func (p *Parts) choose() {
	p.hole.Clear()
	p.operators[p.turn].Choose(p.hole, p.k)
	p.turn = (p.turn + 1) % len(p.operators)
}

func (p *Parts) lift() {
	p.pieces, p.turns = p.pieces[:0], p.turns[:0]
	for _, cell := range p.hole.Cells() {
		p.pieces = append(p.pieces, p.live.Piece(cell))
		p.turns = append(p.turns, p.live.Rotation(cell))
		p.live.Remove(cell)
	}
}

func (p *Parts) revert() {
	cells := p.hole.Cells()
	for _, cell := range cells {
		p.live.Remove(cell)
	}
	for i, cell := range cells {
		p.live.Place(cell, p.pieces[i], p.turns[i])
	}
}

// bare compares the pieces of a hand with a cell, four rotations in two words
// as the repair does, and nothing else: the nanoseconds a piece.
func (p *Parts) bare(d time.Duration) float64 {
	n, need := 0.0, uint64(0x0102030401020304)
	began := now()
	for now()-began < d {
		for range 64 {
			need += uint64(best(p.quads, need))<<8 | 1
		}
		n += float64(64 * len(p.quads))
	}
	return float64((now() - began).Nanoseconds()) / n
}

// best is the most sides that a piece of the hand matches.
func best(hand []quad, need uint64) (most int) {
	const (
		ones = 0x0101010101010101
		low7 = 0x7f7f7f7f7f7f7f7f
	)
	for i := range hand {
		for _, pair := range hand[i] {
			x := pair ^ need
			m := ^((x & low7) + low7 | x | low7) >> 7 & ones
			m += m >> 16
			m += m >> 8
			most = max(most, int(m&7), int(m>>32&7))
		}
	}
	return most
}
