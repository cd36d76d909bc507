package ledger

import "lastmile/puzzle"

// A kind says on which part of a piece a half-edge is, and so with which
// others it can ever share a seam. Under the frame rule a piece cannot change
// the kinds of its sides: grey lies outwards.
type kind uint8

const (
	inner    kind = iota // any side of a piece without grey
	inward               // of a rim piece, the side opposite to its grey
	leading              // of a rim piece or corner, the side that is clockwise next to its grey
	trailing             // and the one anticlockwise next to it
	kinds
)

// kindOf is the kind of a side of a cell or of a turned piece, by the sides that
// are grey. Leading sides face trailing ones all the way round the rim; inward
// sides face inner ones; inner sides face either of these two.
func kindOf(rim, side int) kind {
	grey := func(s int) bool { return rim>>(s&3)&1 == 1 }
	switch {
	case rim == 0:
		return inner
	case grey(side + 3):
		return leading
	case grey(side + 1):
		return trailing
	}
	return inward
}

// splits tells whether the half-edges of a puzzle can be told apart by kind: it
// must have a frame, and be so large that no two rim pieces face each other
// across the board.
func splits(p *puzzle.Puzzle) bool { return p.Framed() && p.Width >= 3 && p.Height >= 3 }
