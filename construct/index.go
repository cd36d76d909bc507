package construct

import (
	"math/bits"

	"lastmile/puzzle"
)

// A word holds four colours, Up in the lowest byte; colour none matches nothing.
type word = uint32

const none = 0xff

func pack(e puzzle.Edges) word {
	return word(e[0]) | word(e[1])<<8 | word(e[2])<<16 | word(e[3])<<24
}

// matches has bit 0, 8, 16, 24 set where the four colours of a and b agree.
func matches(a, b word) word {
	x := a ^ b
	return ^((x & 0x7f7f7f7f) + 0x7f7f7f7f | x | 0x7f7f7f7f) >> 7
}

// way is a piece in one rotation.
type way struct {
	edges word
	piece int32
	turn  uint8
}

// index lists the ways to fill one class of cells (those with the same rim),
// by the colour at one side and by the colours at two.
type index struct {
	all     []way
	colours int
	bySide  [4]table
	byPair  [6]table
}

// table groups ways by a key; the ways of key k are ways[start[k]:start[k+1]].
type table struct {
	start []int32
	ways  []way
}

func (t *table) of(key int) []way { return t.ways[t.start[key]:t.start[key+1]] }

// pairs numbers the pairs of sides: pairNumber[a][b] for a < b.
var pairNumber = [4][4]int{{0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}}

func newIndex(p *puzzle.Puzzle, cell int) *index {
	x := &index{colours: p.Colours() + 1}
	for _, f := range p.Fits(cell) {
		x.all = append(x.all, way{pack(f.Edges), f.Piece, f.Rotation})
	}
	for a := range 4 {
		x.bySide[a] = group(x.all, x.colours, func(w way) int { return w.colour(a) })
		for b := a + 1; b < 4; b++ {
			x.byPair[pairNumber[a][b]] = group(x.all, x.colours*x.colours,
				func(w way) int { return w.colour(a)*x.colours + w.colour(b) })
		}
	}
	return x
}

func (w way) colour(side int) int { return int(uint8(w.edges >> (8 * side))) }

func group(all []way, keys int, key func(way) int) table {
	t := table{make([]int32, keys+1), make([]way, len(all))}
	for _, w := range all {
		t.start[key(w)+1]++
	}
	for k := range keys {
		t.start[k+1] += t.start[k]
	}
	next := append([]int32(nil), t.start...)
	for _, w := range all {
		k := key(w)
		t.ways[next[k]] = w
		next[k]++
	}
	return t
}

// exact appends to dst every way with an unused piece that matches need at
// exactly gain sides. Sides that ask for nothing hold none.
func (x *index) exact(dst []way, need word, gain int, used []uint64) []way {
	asked := ^matches(need, 0xffffffff) & 0x01010101
	full := bits.OnesCount32(asked)
	switch {
	case gain > full:
	case gain == 0:
		for _, w := range x.all {
			if matches(w.edges, need) == 0 && !has(used, w.piece) {
				dst = append(dst, w)
			}
		}
	case gain == full && full >= 2:
		for _, w := range x.pair(need, asked) {
			if !has(used, w.piece) && bits.OnesCount32(matches(w.edges, need)) == full {
				dst = append(dst, w)
			}
		}
	default:
		// Each way is listed under every side that it matches: take it at the first.
		for rest := asked; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros32(rest)
			for _, w := range x.bySide[bit>>3].of(int(uint8(need >> bit))) {
				if has(used, w.piece) {
					continue
				}
				if m := matches(w.edges, need); bits.OnesCount32(m) == gain && bits.TrailingZeros32(m) == bit {
					dst = append(dst, w)
				}
			}
		}
	}
	return dst
}

// served tells whether some unused piece, other than except, matches need at
// every side that it asks at; it asks at two sides or more.
func (x *index) served(need word, used []uint64, except int32) bool {
	asked := ^matches(need, 0xffffffff) & 0x01010101
	for _, w := range x.pair(need, asked) {
		if w.piece != except && !has(used, w.piece) && matches(w.edges, need)&asked == asked {
			return true
		}
	}
	return false
}

func has(used []uint64, piece int32) bool { return used[piece>>6]>>(piece&63)&1 != 0 }

// pair returns the ways that match need at the first two sides asked for.
func (x *index) pair(need, asked word) []way {
	i := bits.TrailingZeros32(asked)
	asked &= asked - 1
	j := bits.TrailingZeros32(asked)
	return x.byPair[pairNumber[i>>3][j>>3]].of(int(uint8(need>>i))*x.colours + int(uint8(need>>j)))
}
