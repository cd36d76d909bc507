package repair

import (
	"math/bits"

	"lastmile/puzzle"
	"lastmile/random"
)

// Greedy fills a hole as the ALNS page does: until the hole is full, take the
// empty cell with the most placed neighbours (the most constrained first), try
// every lifted piece in its four rotations, and keep the placement that
// matches the most seams. Ties go to the cell that comes first in the hole and
// to the piece that was lifted first, in its least rotation.
//
// With a coin, ties between pieces and rotations fall by chance: each placement
// goes through the pieces in hand of the kind that its cell takes in a circle
// from a random one, and through the rotations of each in a circle from a
// random one, and keeps the first that matches the most seams. Both beginnings
// come from one draw a placement, each as likely. So every tie can win, but not
// each as often: one that follows worse ones in the circle wins for them too.
// Ties between cells go to the first in the hole all the same.
//
// Under the frame rule a cell only takes pieces whose grey fits it.
//
// A repair of k cells costs O(k·|C|), |C| being the lifted pieces times four;
// four rotations are compared in two machine words. It allocates nothing.
type Greedy struct {
	tables
	coin *random.Stream // nil for none

	slot    []int32 // by cell: its index in the hole, or -1
	need    []word  // by index in the hole: the colours that its neighbours ask for
	counts  []uint8 // by index in the hole: its placed neighbours
	byCount [5][]uint64
	top     int

	hand [kinds][]int32 // lifted pieces of each kind, first lifted first

	filled []int // cells of the hole, in the order they were filled
}

// kinds is the number of grey patterns that a piece can have up to rotation:
// none, one side, two neighbouring or opposite sides, three, four.
const kinds = 6

// A word holds four colours, Up lowest; colour none matches nothing.
type word = uint32

const none = 0xff

// quad holds a piece in its rotations 0, 1 and 2, 3.
type quad [2]uint64

// tables are what repairs know of a puzzle. They do not change.
type tables struct {
	puzzle *puzzle.Puzzle
	quads  []quad  // by piece: its rotations
	kind   []uint8 // by piece
	cells  []uint8 // by cell: the kind of piece it takes
}

func newTables(p *puzzle.Puzzle) tables {
	n := p.Cells()
	t := tables{
		puzzle: p,
		quads:  make([]quad, n),
		kind:   make([]uint8, n),
		cells:  make([]uint8, n),
	}
	for piece := range n {
		for half := range t.quads[piece] {
			low, high := pack(p.Rotated(piece, 2*half)), pack(p.Rotated(piece, 2*half+1))
			t.quads[piece][half] = uint64(low) | uint64(high)<<32
		}
	}
	if p.Framed() {
		for i := range n {
			t.kind[i] = kindOf(greyMask(p.Pieces[i]))
			t.cells[i] = kindOf(p.RimMask(i))
		}
	}
	return t
}

// NewGreedy returns the repair for boards of p.
func NewGreedy(p *puzzle.Puzzle) *Greedy { return NewGreedyCoin(p, nil) }

// NewGreedyCoin returns the repair for boards of p that tosses coins from the
// stream. No stream, no coin.
func NewGreedyCoin(p *puzzle.Puzzle, coin *random.Stream) *Greedy {
	n := p.Cells()
	g := &Greedy{
		tables: newTables(p),
		coin:   coin,
		slot:   make([]int32, n),
		need:   make([]word, n),
		counts: make([]uint8, n),
		filled: make([]int, 0, n),
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
	g.filled = g.filled[:0]
	for range hole {
		i := g.mostConstrained()
		cell := hole[i]
		g.filled = append(g.filled, cell)
		kind := g.cells[cell]
		var at, turn int
		switch {
		case g.coin != nil:
			at, turn = g.toss(cell, g.need[i], int(g.counts[i]), g.hand[kind])
		case kind != 0:
			at, turn, _ = g.bestOnRim(cell, g.need[i], g.hand[kind], 0)
		default:
			at, turn, _ = g.bestInside(g.need[i], int(g.counts[i]), g.hand[0])
		}
		hand := g.hand[kind]
		piece := int(hand[at])
		g.hand[kind] = append(hand[:at], hand[at+1:]...)
		b.Place(cell, piece, turn)
		g.settle(i, cell, g.puzzle.Rotated(piece, turn))
	}
	return Heuristic
}

// Filled lists the cells of the last hole in the order they were filled. The
// next repair overwrites it.
func (g *Greedy) Filled() []int { return g.filled }

// open reads what the board asks of each cell of the hole.
func (g *Greedy) open(b *puzzle.Board, hole []int) {
	words := (len(hole) + 63) / 64
	for c := range g.byCount {
		g.byCount[c] = g.byCount[c][:words]
		clear(g.byCount[c])
	}
	for i, cell := range hole {
		g.slot[cell] = int32(i)
		need, count := g.asked(b, cell)
		g.need[i], g.counts[i] = need, count
		g.byCount[count][i>>6] |= 1 << (i & 63)
	}
	g.top = 4
}

// asked tells the colours that the placed neighbours of a cell ask for, and how
// many they are.
func (t *tables) asked(b *puzzle.Board, cell int) (need word, placed uint8) {
	need = ^word(0)
	for side, n := range t.puzzle.Neighbours(cell) {
		if n < 0 || b.Piece(int(n)) < 0 {
			continue
		}
		placed++
		need = ask(need, side, b.Edges(int(n))[side^2])
	}
	return need, placed
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

// toss is best from a random piece of the hand and a random rotation.
func (g *Greedy) toss(cell int, need word, full int, hand []int32) (at, turn int) {
	toss := g.coin.Below(4 * len(hand))
	start, first := toss>>2, toss&3
	at, turn, most := g.best(cell, need, full, hand[start:], first)
	if at += start; most < full {
		if i, r, matched := g.best(cell, need, full, hand[:start], first); matched > most {
			return i, r
		}
	}
	return at, turn
}

// best finds the piece, and its rotation, that matches the most of what the
// cell's neighbours ask for; full is the number of seams there. Ties go to the
// first piece, and to the first of its rotations in a circle from first. most
// is the seams that match, -1 without pieces.
func (t *tables) best(cell int, need word, full int, pieces []int32, first int) (at, turn, most int) {
	if t.cells[cell] != 0 {
		return t.bestOnRim(cell, need, pieces, first)
	}
	// Turning what is asked for back has the effect of turning each piece.
	at, turn, most = t.bestInside(bits.RotateLeft32(need, -8*first), full, pieces)
	return at, (turn + first) & 3, most
}

// bestInside is best where every piece fits in every rotation, from rotation 0.
func (t *tables) bestInside(need word, full int, pieces []int32) (at, turn, most int) {
	needs := both(need)
	most = -1
	quads := t.quads
	for i, piece := range pieces {
		q := &quads[piece]
		for half, pair := range q {
			a, b := matches(pair, needs)
			if a > most {
				most, at, turn = a, i, 2*half
			}
			if b > most {
				most, at, turn = b, i, 2*half+1
			}
		}
		if most == full {
			break
		}
	}
	return at, turn, most
}

// both gives what a cell asks for to both halves of a pair of rotations.
func both(need word) uint64 { return uint64(need) | uint64(need)<<32 }

// matches counts the sides that match in each half of a pair of rotations.
func matches(pair, needs uint64) (low, high int) {
	const low7 = 0x7f7f7f7f7f7f7f7f
	// A byte of x is zero where a side matches; low7 finds those bytes, and two
	// additions sum each half into its lowest byte.
	x := pair ^ needs
	m := ^((x & low7) + low7 | x | low7) >> 7
	m += m >> 16
	m += m >> 8
	return int(m & 7), int(m >> 32 & 7)
}

// bestOnRim is best where the frame rule leaves some rotations only, at the
// cost of a look at each rotation.
func (t *tables) bestOnRim(cell int, need word, pieces []int32, first int) (at, turn, most int) {
	most = -1
	for i, piece := range pieces {
		for r := first; r < first+4; r++ {
			if !t.puzzle.FitsAt(cell, int(piece), r&3) {
				continue
			}
			e, matched := t.puzzle.Rotated(int(piece), r&3), 0
			for side, c := range e {
				if uint8(need>>(8*side)) == c {
					matched++
				}
			}
			if matched > most {
				most, at, turn = matched, i, r&3
			}
		}
	}
	return at, turn, most
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
