package repair

import (
	"math/bits"

	"lastmile/puzzle"
)

// Greedy fills a hole as the ALNS page does: until the hole is full, take the
// empty cell with the most placed neighbours (the most constrained first), try
// every lifted piece in its four rotations, and keep the placement that
// matches the most seams. Ties go to the cell that comes first in the hole and
// to the piece that was lifted first, in its least rotation.
//
// Under the frame rule a cell only takes pieces whose grey fits it.
//
// A repair of k cells costs O(k·|C|), |C| being the lifted pieces times four;
// four rotations are compared in two machine words. It allocates nothing.
type Greedy struct {
	puzzle *puzzle.Puzzle
	quads  []quad // by piece: its rotations
	kind   []uint8
	cells  []uint8 // by cell: the kind of piece it takes

	slot    []int32 // by cell: its index in the hole, or -1
	need    []word  // by index in the hole: the colours that its neighbours ask for
	counts  []uint8 // by index in the hole: its placed neighbours
	byCount [5][]uint64
	top     int

	hand [kinds][]int32 // lifted pieces of each kind, first lifted first
}

// kinds is the number of grey patterns that a piece can have up to rotation:
// none, one side, two neighbouring or opposite sides, three, four.
const kinds = 6

// A word holds four colours, Up lowest; colour none matches nothing.
type word = uint32

const none = 0xff

// quad holds a piece in its rotations 0, 1 and 2, 3.
type quad [2]uint64

// NewGreedy returns the repair for boards of p.
func NewGreedy(p *puzzle.Puzzle) *Greedy {
	n := p.Cells()
	g := &Greedy{
		puzzle: p,
		quads:  make([]quad, n),
		kind:   make([]uint8, n),
		cells:  make([]uint8, n),
		slot:   make([]int32, n),
		need:   make([]word, n),
		counts: make([]uint8, n),
	}
	for piece := range n {
		for half := range g.quads[piece] {
			low, high := pack(p.Rotated(piece, 2*half)), pack(p.Rotated(piece, 2*half+1))
			g.quads[piece][half] = uint64(low) | uint64(high)<<32
		}
	}
	if p.Framed() {
		for i := range n {
			g.kind[i] = kindOf(greyMask(p.Pieces[i]))
			g.cells[i] = kindOf(p.RimMask(i))
		}
	}
	for i := range g.slot {
		g.slot[i] = -1
	}
	for i := range g.byCount {
		g.byCount[i] = make([]uint64, (n+63)/64)
	}
	for i := range g.hand {
		g.hand[i] = make([]int32, 0, n)
	}
	return g
}

func pack(e puzzle.Edges) word {
	return word(e[0]) | word(e[1])<<8 | word(e[2])<<16 | word(e[3])<<24
}

func greyMask(e puzzle.Edges) int {
	m := 0
	for side, c := range e {
		if c == puzzle.Grey {
			m |= 1 << side
		}
	}
	return m
}

// kindOf numbers a grey pattern up to rotation.
func kindOf(mask int) uint8 {
	switch bits.OnesCount(uint(mask)) {
	case 2:
		if mask == 0b0101 || mask == 0b1010 {
			return 5
		}
		return 2
	case 4:
		return 4
	default:
		return uint8(bits.OnesCount(uint(mask)))
	}
}

// Repair fills the empty cells of the hole with the given pieces, as many as
// there are cells, all in the hand. On a framed puzzle the pieces must have
// the grey that the cells ask for, as the pieces lifted from those cells have.
// Cells outside the hole may be empty too: they ask for nothing.
func (g *Greedy) Repair(b *puzzle.Board, hole []int, pieces []int) Verdict {
	g.open(b, hole)
	for _, piece := range pieces {
		k := g.kind[piece]
		g.hand[k] = append(g.hand[k], int32(piece))
	}
	for range hole {
		i := g.mostConstrained()
		cell := hole[i]
		at, turn := g.bestFor(cell, g.need[i], int(g.counts[i]))
		hand := g.hand[g.cells[cell]]
		piece := int(hand[at])
		g.hand[g.cells[cell]] = append(hand[:at], hand[at+1:]...)
		b.Place(cell, piece, turn)
		g.settle(i, cell, g.puzzle.Rotated(piece, turn))
	}
	return Heuristic
}

// open reads what the board asks of each cell of the hole.
func (g *Greedy) open(b *puzzle.Board, hole []int) {
	words := (len(hole) + 63) / 64
	for c := range g.byCount {
		g.byCount[c] = g.byCount[c][:words]
		clear(g.byCount[c])
	}
	for i, cell := range hole {
		g.slot[cell] = int32(i)
		need, count := word(0xffffffff), uint8(0)
		for side, n := range g.puzzle.Neighbours(cell) {
			if n < 0 || b.Piece(int(n)) < 0 {
				continue
			}
			count++
			need = ask(need, side, b.Edges(int(n))[side^2])
		}
		g.need[i], g.counts[i] = need, count
		g.byCount[count][i>>6] |= 1 << (i & 63)
	}
	g.top = 4
}

// ask sets what need asks for at one side. Grey matches nothing.
func ask(need word, side int, colour uint8) word {
	if colour == puzzle.Grey {
		colour = none
	}
	shift := 8 * side
	return need&^(0xff<<shift) | word(colour)<<shift
}

// mostConstrained takes the first cell of the hole among those with the most
// placed neighbours, and returns its index.
func (g *Greedy) mostConstrained() int {
	for ; ; g.top-- {
		for w, set := range g.byCount[g.top] {
			if set != 0 {
				g.byCount[g.top][w] = set & (set - 1)
				return w<<6 + bits.TrailingZeros64(set)
			}
		}
	}
}

// settle tells the empty neighbours of a cell what lies on it now.
func (g *Greedy) settle(i, cell int, e puzzle.Edges) {
	g.slot[cell] = -1
	for side, n := range g.puzzle.Neighbours(cell) {
		if n < 0 {
			continue
		}
		j := g.slot[n]
		if j < 0 {
			continue
		}
		g.need[j] = ask(g.need[j], side^2, e[side])
		c := g.counts[j]
		bit := uint64(1) << (j & 63)
		g.byCount[c][j>>6] &^= bit
		g.byCount[c+1][j>>6] |= bit
		g.counts[j] = c + 1
		g.top = max(g.top, int(c+1))
	}
}

// bestFor finds the piece in the hand, and its rotation, that matches the most
// of what the cell's neighbours ask for; full is the number of seams there.
func (g *Greedy) bestFor(cell int, need word, full int) (at, turn int) {
	kind := g.cells[cell]
	if kind != 0 {
		return g.bestOnRim(cell, need, g.hand[kind])
	}
	const (
		ones = 0x0101010101010101
		low7 = 0x7f7f7f7f7f7f7f7f
	)
	needs := uint64(need) | uint64(need)<<32
	best := -1
	quads := g.quads
	for i, piece := range g.hand[0] {
		q := &quads[piece]
		for half, pair := range q {
			// A byte of x is zero where a side matches; low7 finds those bytes,
			// and two additions sum each half into its lowest byte.
			x := pair ^ needs
			m := ^((x & low7) + low7 | x | low7) >> 7
			m += m >> 16
			m += m >> 8
			a, b := int(m&7), int(m>>32&7)
			if a > best {
				best, at, turn = a, i, 2*half
			}
			if b > best {
				best, at, turn = b, i, 2*half+1
			}
		}
		if best == full {
			break
		}
	}
	return at, turn
}

// bestOnRim is bestFor where the frame rule leaves some rotations only.
func (g *Greedy) bestOnRim(cell int, need word, hand []int32) (at, turn int) {
	best := -1
	for i, piece := range hand {
		for r := range 4 {
			if !g.puzzle.FitsAt(cell, int(piece), r) {
				continue
			}
			e, matched := g.puzzle.Rotated(int(piece), r), 0
			for side, c := range e {
				if uint8(need>>(8*side)) == c {
					matched++
				}
			}
			if matched > best {
				best, at, turn = matched, i, r
			}
		}
	}
	return at, turn
}

// Complete fills the empty cells of a board greedily with the pieces in the
// hand, by ascending number, and returns the full board and how many cells it
// filled. The pieces on the board must obey the frame rule.
func Complete(b *puzzle.Board) (full []puzzle.Placement, filled int) {
	var hole, pieces []int
	for i := range b.Puzzle().Cells() {
		if b.Piece(i) == puzzle.Empty {
			hole = append(hole, i)
		}
		if b.CellOf(i) == puzzle.Empty {
			pieces = append(pieces, i)
		}
	}
	NewGreedy(b.Puzzle()).Repair(b, hole, pieces)
	return b.Placements(nil), len(hole)
}
