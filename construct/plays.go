package construct

import (
	"cmp"
	"math/bits"
	"slices"

	"lastmile/puzzle"
)

// A play is a piece in one rotation, in a word: its colours below, then the
// piece, its rotation, and the number of its sides that are to be used early.
type play uint64

func newPlay(e puzzle.Edges, piece int, turn uint8, early int) play {
	return play(pack(e)) | play(piece)<<32 | play(turn)<<48 | play(early)<<earlyShift
}

const earlyShift = 56

// atLeast is the least word of a play with so many early sides. None has five.
func atLeast(early int32) play { return play(min(max(early, 0), 5)) << earlyShift }

func (w play) colours() word { return word(w) }
func (w play) piece() uint16 { return uint16(w >> 32) }
func (w play) turn() int     { return int(w>>48) & 3 }
func (w play) early() int32  { return int32(w >> earlyShift) }

// colour is the colour at a side; all plays show the same to no side at all.
func (w play) colour(side int) int {
	if side < 0 {
		return 0
	}
	return int(uint8(w >> (8 * side)))
}

// shows tells whether a side, if any, has a colour.
func (w play) shows(side int) bool { return side < 0 || w.colour(side) != puzzle.Grey }

// span is a range of the arena of plays.
type span struct{ start, end int32 }

// plays holds lists of plays, by the colours that are asked. All lists lie in one
// arena; the spans of a table lie side by side, one for each key.
type plays struct {
	arena []play
	spans []span
	shift uint8 // of the first colour in a key of two
}

func newPlays(p *puzzle.Puzzle) *plays {
	return &plays{shift: uint8(bits.Len(uint(p.Colours())))}
}

// keys is the number of keys of two colours.
func (t *plays) keys() int { return 1 << (2 * t.shift) }

// exact lays out a table by the colours at sides a and b (-1 for none) of the
// plays that match fixed, and returns its first span. Grey matches nothing, so
// plays that show it there are left out.
func (t *plays) exact(all []play, a, b int, fixed word) int32 {
	asked := 4 - countNone(fixed)
	return t.group(t.keys(), func(yield func(int, play)) {
		for _, w := range all {
			if w.shows(a) && w.shows(b) && bits.OnesCount32(matches(w.colours(), fixed)) == asked {
				yield(w.colour(a)<<t.shift|w.colour(b), w)
			}
		}
	})
}

// bySide lays out a table by the colour at one side, grey left out.
func (t *plays) bySide(all []play, side int) int32 {
	return t.group(1<<t.shift, func(yield func(int, play)) {
		for _, w := range all {
			if w.shows(side) {
				yield(w.colour(side), w)
			}
		}
	})
}

// group lays out the plays that each yields, by key, in their order.
func (t *plays) group(keys int, each func(yield func(key int, w play))) int32 {
	lists := make([][]play, keys)
	each(func(key int, w play) { lists[key] = append(lists[key], w) })
	first := int32(len(t.spans))
	for _, l := range lists {
		start := int32(len(t.arena))
		t.arena = append(t.arena, l...)
		t.spans = append(t.spans, span{start, int32(len(t.arena))})
	}
	return first
}

// narrowing copies a table without the plays of used pieces.
type narrowing struct {
	from, to int32 // first spans
	arena    int32 // where the copy begins
}

// leastNarrowed is the size of the smallest table worth narrowing.
const leastNarrowed = 128

// narrowed lays out room for the copy of a table by two colours. It returns false
// for a table that is too small to be worth it.
func (t *plays) narrowed(from int32) (narrowing, bool) {
	n := t.keys()
	size := t.spans[int(from)+n-1].end - t.spans[from].start
	if size < leastNarrowed {
		return narrowing{}, false
	}
	x := narrowing{from, int32(len(t.spans)), int32(len(t.arena))}
	t.spans = append(t.spans, make([]span, n)...)
	t.arena = append(t.arena, make([]play, size+1)...) // one to spare: narrow writes before it looks
	return x, true
}

// narrow fills the copies with the plays of free pieces.
func (t *plays) narrow(copies []narrowing, used *[1 << 16]uint8) {
	for _, x := range copies {
		to, spans := x.arena, t.spans[x.to:int(x.to)+t.keys()]
		for k, s := range t.spans[x.from : int(x.from)+len(spans)] {
			start := to
			for _, w := range t.arena[s.start:s.end] {
				t.arena[to] = w
				to += int32(used[w.piece()] ^ 1)
			}
			spans[k] = span{start, to}
		}
	}
}

// fitting lists the plays of a cell's class, those with the most early sides
// first, the others in the order of a lottery.
func fitting(p *puzzle.Puzzle, cell int, skip []bool, early *[puzzle.MaxColours + 1]bool, lottery []int) []play {
	var all []play
	for _, f := range p.Fits(cell) {
		if !skip[f.Piece] {
			all = append(all, newPlay(f.Edges, int(f.Piece), f.Rotation, countEarly(f.Edges, early)))
		}
	}
	slices.SortFunc(all, func(x, y play) int {
		return cmp.Or(cmp.Compare(y.early(), x.early()), cmp.Compare(lottery[x.piece()], lottery[y.piece()]), cmp.Compare(x.turn(), y.turn()))
	})
	return all
}

func countEarly(e puzzle.Edges, early *[puzzle.MaxColours + 1]bool) int {
	n := 0
	for _, c := range e {
		if early[c] {
			n++
		}
	}
	return n
}
