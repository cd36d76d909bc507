// Package puzzle holds edge-matching puzzles and boards: pieces and their
// rotations, the frame rule, a board whose score, mismatch map and conflict
// counts are kept up to date by O(1) moves, the official Eternity II set, and
// a generator of solvable puzzles.
//
// Cells are numbered row by row from the top left. Sides are numbered
// clockwise from the top: Up, Right, Down, Left. Colour 0 is grey, the rim.
// Pieces are numbered from 0 here and from 1 in every text.
package puzzle

// The sides of a cell, clockwise.
const (
	Up = iota
	Right
	Down
	Left
)

// Grey is the colour of the rim. Two grey sides that meet do not match.
const Grey = 0

// Edges are the colours of a piece or a cell, clockwise from the top.
type Edges [4]uint8

// Rotated returns e turned clockwise by r quarter turns.
func (e Edges) Rotated(r int) Edges {
	return Edges{e[-r&3], e[(1-r)&3], e[(2-r)&3], e[(3-r)&3]}
}

// Period is the least number of quarter turns, 1, 2 or 4, that gives e again.
func (e Edges) Period() int {
	switch {
	case e == e.Rotated(1):
		return 1
	case e == e.Rotated(2):
		return 2
	}
	return 4
}

// Canonical returns the lexicographically least rotation of e, and how many
// clockwise quarter turns of e give it. Pieces are the same up to rotation
// exactly when their canonical edges are equal.
func (e Edges) Canonical() (Edges, int) {
	best, turns := e, 0
	for r := 1; r < 4; r++ {
		if t := e.Rotated(r); t.less(best) {
			best, turns = t, r
		}
	}
	return best, turns
}

func (e Edges) less(f Edges) bool { return e.word() < f.word() }

// word packs e into 32 bits, Up highest, so that order and equality of words
// are those of edges.
func (e Edges) word() uint32 {
	return uint32(e[0])<<24 | uint32(e[1])<<16 | uint32(e[2])<<8 | uint32(e[3])
}

// greyMask has bit i set when side i is grey.
func (e Edges) greyMask() int {
	m := 0
	for i, c := range e {
		if c == Grey {
			m |= 1 << i
		}
	}
	return m
}

// rotateMask turns a mask of sides clockwise by r quarter turns.
func rotateMask(m, r int) int {
	m <<= r & 3
	return (m | m>>4) & 15
}
