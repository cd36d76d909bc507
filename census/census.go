// Package census counts what people who write a solver check themselves by:
// pieces of each kind, half-edges of each colour, matching pairs of pieces and
// 2×2 blocks. Two programs that agree on these read the same set in the same
// way.
//
// Pairs and blocks are counted by piece and turn. A block is its cells with, on
// each, one piece in one rotation; the pieces are distinct, every inner seam
// matches (equal and not grey), and under the frame rule grey lies on the rim
// and only there. Two blocks are one exactly when they hold the same pieces in
// the same rotations. It follows that:
//
//   - A block and the same block turned as a whole are different, so every
//     block counts four times. An interior block is counted in its four turns,
//     a corner block once in each corner, an edge block once along each side.
//   - Where on a side, or where inside, a block lies makes no difference.
//   - Pieces that are the same up to rotation are different pieces: a look that
//     can be had from n choices of pieces counts n times.
//   - A rotation that leaves a symmetric piece as it was is no other rotation.
//
// On the official set that gives the published 5,248 corner, 292,012 edge and
// 4,059,952 interior blocks. Programs that fix the place and count without
// turning the block find 1,312, 73,003 and 4,059,952: an interior block comes
// in all its turns at one place, the others in only one.
package census

import (
	"math/bits"

	"lastmile/puzzle"
)

// A Count is one line of a census.
type Count struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// All is every count of the package: pieces, half-edges, dominoes, 2×2 blocks.
// Its time does not depend on how many blocks there are, so any puzzle will do.
func All(p *puzzle.Puzzle) []Count {
	var all []Count
	all = append(all, Pieces(p)...)
	all = append(all, HalfEdges(p)...)
	all = append(all, Dominoes(p)...)
	return append(all, TwoByTwo(p)...)
}

// The places of a cell or a block, by which of its outer sides lie on the rim,
// in the order of the census. Ends, strips and whole boards occur where a board
// is one or two cells wide.
const (
	whole    = iota // all four sides
	end             // three
	strip           // two opposite ones
	corner          // two adjacent ones
	edge            // one
	interior        // none
	anywhere        // without a frame rule the rim asks for nothing
	places
)

var placeNames = [places]string{"whole", "end", "strip", "corner", "edge", "interior", "anywhere"}

// place tells the place of what has the sides of the mask (bit i for side i) on
// the rim.
func place(p *puzzle.Puzzle, mask int) int {
	if !p.Framed() {
		return anywhere
	}
	switch bits.OnesCount(uint(mask)) {
	case 0:
		return interior
	case 1:
		return edge
	case 2:
		if turns(mask) == 2 {
			return strip
		}
		return corner
	case 3:
		return end
	}
	return whole
}

// turned is the mask after r clockwise quarter turns.
func turned(mask, r int) int {
	mask <<= r & 3
	return (mask | mask>>4) & 15
}

// turns is the number of distinct masks that turning gives: 1, 2 or 4.
func turns(mask int) int {
	switch mask {
	case turned(mask, 1):
		return 1
	case turned(mask, 2):
		return 2
	}
	return 4
}
