package virus

import (
	"math/bits"
)

// Sides of the board, in squares.
const (
	MinSize = 3
	MaxSize = 8
)

// Squares are a set of squares: bit 8 r + f is file f of rank r, both counted
// from 0 at square a1, the lower left one.
type Squares uint64

const (
	fileA Squares = 0x0101010101010101
	fileH         = fileA << 7
)

// spread returns the squares and their neighbours in all directions.
func (s Squares) spread() Squares {
	s |= s<<1&^fileA | s>>1&^fileH
	return s | s<<8 | s>>8
}

// Count returns how many squares there are.
func (s Squares) Count() int { return bits.OnesCount64(uint64(s)) }

// first returns the lowest square. There must be one.
func (s Squares) first() Square { return Square(bits.TrailingZeros64(uint64(s))) }

// Square is the number of a square's bit.
type Square uint8

func (q Square) bit() Squares { return 1 << q }

// near and far are the squares one and two steps away from each, by king's moves.
var near, far = rings()

func rings() (one, two [64]Squares) {
	for q := range Square(64) {
		s := q.bit().spread()
		one[q], two[q] = s&^q.bit(), s.spread()&^s
	}
	return one, two
}

// Rules say which moves there are.
type Rules uint8

// The two games.
const (
	Virus Rules = iota // clones
	Ataxx              // clones and jumps
)

// String is the name of the game.
func (r Rules) String() string { return [...]string{"virus", "ataxx"}[r] }

// drawn is the number of half-moves without a clone after which Ataxx is drawn.
const drawn = 100

// Position is a position. It is a small value: moves make new ones.
type Position struct {
	own, other Squares // stones of the side to move, and of the other one
	squares    Squares // of the board, without its gaps
	width      uint8
	height     uint8
	rules      Rules
	o          bool   // o is to move
	quiet      uint16 // half-moves since the last clone
	number     uint16 // of the move, from 1; it grows after each move of o
}

// Start returns the position that a game begins with: an empty board but for
// two stones a side in opposite corners, x to move. Width and height are 3 to 8.
func Start(rules Rules, width, height int) Position {
	p := Position{squares: grid(width, height), width: uint8(width), height: uint8(height), rules: rules, number: 1}
	left, right := Square(0), Square(width-1)
	top := Square(8 * (height - 1))
	p.own = (top + left).bit() | right.bit()
	p.other = (top + right).bit() | left.bit()
	return p
}

// grid is a whole board.
func grid(width, height int) (s Squares) {
	for r := range height {
		s |= (1<<width - 1) << (8 * r)
	}
	return s
}

// Rules of the game.
func (p *Position) Rules() Rules { return p.rules }

// Size of the board, in squares.
func (p *Position) Size() (width, height int) { return int(p.width), int(p.height) }

// Squares of the board that are not gaps.
func (p *Position) Squares() Squares { return p.squares }

// XToMove tells whether it is the turn of x, which begins.
func (p *Position) XToMove() bool { return !p.o }

// Stones of x and o.
func (p *Position) Stones() (x, o Squares) {
	if p.o {
		return p.other, p.own
	}
	return p.own, p.other
}

// Empty squares.
func (p *Position) Empty() Squares { return p.squares &^ (p.own | p.other) }

// clones are the squares that the stones can clone to.
func (p *Position) clones(stones Squares) Squares { return stones.spread() & p.Empty() }

// canMove tells whether the stones have a move.
func (p *Position) canMove(stones Squares) bool {
	s := stones.spread()
	if p.rules == Ataxx {
		s = s.spread()
	}
	return s&p.Empty() != 0
}

// MustPass tells whether a pass is the only move. It is not in a game that is over.
func (p *Position) MustPass() bool { return !p.canMove(p.own) && !p.Over() }

// Over tells whether the game has ended.
func (p *Position) Over() bool { return p.decided() || p.rules == Ataxx && p.quiet >= drawn }

// decided tells whether the stones will never change again. Ataxx ends, too, when
// one side has none left.
func (p *Position) decided() bool {
	return !p.canMove(p.own|p.other) || p.rules == Ataxx && (p.own == 0 || p.other == 0)
}

// Margin is how many stones the side to move has more than the other one.
func (p *Position) Margin() int { return p.own.Count() - p.other.Count() }

// Result is the margin for the side to move of a game that is over: of a draw
// by moves without clones, 0.
func (p *Position) Result() int {
	if !p.decided() {
		return 0
	}
	return p.Margin()
}

// Play makes a move that is legal.
func (p Position) Play(m Move) Position {
	p.quiet++
	if m != Pass {
		to := m.To()
		turned := near[to] & p.other
		p.own |= turned | to.bit()
		p.other &^= turned
		if m.IsJump() {
			p.own &^= m.From().bit()
		} else {
			p.quiet = 0
		}
	}
	if p.o {
		p.number++
	}
	p.own, p.other, p.o = p.other, p.own, !p.o
	return p
}

// Turned returns how many stones a move turns.
func (p *Position) Turned(m Move) int {
	if m == Pass {
		return 0
	}
	return (near[m.To()] & p.other).Count()
}

// Swapped is the position with the other side to move: what a pass leads to
// where it is allowed. Not being a move, it counts for none.
func (p Position) Swapped() Position {
	p.own, p.other, p.o = p.other, p.own, !p.o
	return p
}

// Key is a hash of all that decides how the game goes on.
func (p *Position) Key() uint64 {
	k := mix(uint64(p.own)^0x9e3779b97f4a7c15, uint64(p.other)^0xc2b2ae3d27d4eb4f)
	return mix(k^uint64(p.squares), 0xd6e8feb86659fd93^uint64(p.quiet)<<8^uint64(p.rules))
}

// mix folds the product of two words.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
