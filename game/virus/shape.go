package virus

import "cmp"

// Shape is how stones and gaps lie before the side to move. Positions that turns,
// mirrors or a change of colours carry into each other have the same one.
type Shape struct {
	own, other, squares Squares
	width, height       uint8
}

func (s Shape) compare(t Shape) int {
	return cmp.Or(cmp.Compare(s.own, t.own), cmp.Compare(s.other, t.other), cmp.Compare(s.squares, t.squares), cmp.Compare(s.width, t.width))
}

// Shape returns the shape of the position.
func (p *Position) Shape() Shape {
	var least Shape
	for turn := range 8 {
		s := Shape{p.turned(p.own, turn), p.turned(p.other, turn), p.turned(p.squares, turn), p.width, p.height}
		if turn&4 != 0 {
			s.width, s.height = s.height, s.width
		}
		if turn == 0 || s.compare(least) < 0 {
			least = s
		}
	}
	return least
}

// turned carries squares of the board by one of the eight symmetries: bits 0 and 1
// mirror files and ranks, bit 2 then exchanges them.
func (p *Position) turned(s Squares, turn int) (t Squares) {
	for ; s != 0; s &= s - 1 {
		q := s.first()
		f, r := q&7, q>>3
		if turn&1 != 0 {
			f = Square(p.width) - 1 - f
		}
		if turn&2 != 0 {
			r = Square(p.height) - 1 - r
		}
		if turn&4 != 0 {
			f, r = r, f
		}
		t |= (8*r + f).bit()
	}
	return t
}

// Fillable counts the empty squares that one side or the other can still come to
// by clones.
func (p *Position) Fillable() int {
	all, empty := p.own|p.other, p.Empty()
	for {
		more := all | all.spread()&empty
		if more == all {
			return (all & empty).Count()
		}
		all = more
	}
}
