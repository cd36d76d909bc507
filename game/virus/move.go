package virus

import (
	"fmt"
	"strings"
)

// Move is a clone, a jump or a pass: the square it comes from in the low byte,
// the square it goes to in the high one. A clone comes from where it goes.
type Move uint16

// Pass is what a side plays that cannot move. It is no clone or jump: no square
// has its number.
const Pass Move = 0xffff

func clone(to Square) Move      { return jump(to, to) }
func jump(from, to Square) Move { return Move(from) | Move(to)<<8 }

// From is the square that a jump empties, and the one that a clone fills.
func (m Move) From() Square { return Square(m) }

// To is the square that is filled.
func (m Move) To() Square { return Square(m >> 8) }

// IsJump tells whether the move empties a square.
func (m Move) IsJump() bool { return m.From() != m.To() }

// String is the move as the community writes it: g2 for a clone, a7c5 for a
// jump, 0000 for a pass.
func (m Move) String() string {
	switch {
	case m == Pass:
		return "0000"
	case m.IsJump():
		return m.From().String() + m.To().String()
	}
	return m.To().String()
}

// String is file and rank, as in g2.
func (q Square) String() string { return string([]byte{'a' + byte(q&7), '1' + byte(q>>3)}) }

// Moves appends the legal moves: clones in the order of their squares, then
// jumps, or the pass where there is nothing else. A game that is over has none.
func (p *Position) Moves(list []Move) []Move { return appendMoves(p, list) }

func appendMoves[M ~uint16](p *Position, list []M) []M {
	if p.Over() {
		return list
	}
	empty := p.Empty()
	before := len(list)
	for s := p.clones(p.own); s != 0; s &= s - 1 {
		list = append(list, M(clone(s.first())))
	}
	if p.rules == Ataxx {
		for from := p.own; from != 0; from &= from - 1 {
			q := from.first()
			for s := far[q] & empty; s != 0; s &= s - 1 {
				list = append(list, M(jump(q, s.first())))
			}
		}
	}
	if len(list) == before {
		list = append(list, M(Pass))
	}
	return list
}

// Check tells why a move is not legal.
func (p *Position) Check(m Move) error {
	switch {
	case p.Over():
		return fmt.Errorf("move %v: the game is over", m)
	case m == Pass && p.MustPass():
		return nil
	case m == Pass:
		return fmt.Errorf("move 0000: a side passes only when it cannot move, want %s", p.some())
	case p.squares&m.To().bit() == 0:
		return fmt.Errorf("move %v: %v is no square of this board", m, m.To())
	case p.Empty()&m.To().bit() == 0:
		return fmt.Errorf("move %v: %v is not empty", m, m.To())
	case !m.IsJump() && near[m.To()]&p.own == 0:
		return fmt.Errorf("move %v: no stone of %s is beside %v", m, p.side(), m.To())
	case !m.IsJump():
		return nil
	case p.rules != Ataxx:
		return fmt.Errorf("move %v: virus has no jumps, want one square such as %s", m, p.some())
	case p.own&m.From().bit() == 0:
		return fmt.Errorf("move %v: %s has no stone on %v", m, p.side(), m.From())
	case near[m.From()]&m.To().bit() != 0:
		return fmt.Errorf("move %v: a jump goes two squares away; a clone is written %v", m, m.To())
	case far[m.From()]&m.To().bit() == 0:
		return fmt.Errorf("move %v: a jump goes two squares away", m)
	}
	return nil
}

// some is a legal move, or several.
func (p *Position) some() string {
	var text []string
	for _, m := range p.Moves(nil) {
		text = append(text, m.String())
	}
	if len(text) > 3 {
		text = append(text[:3], "...")
	}
	return strings.Join(text, ", ")
}

// side names the side to move.
func (p *Position) side() string {
	if p.o {
		return "o"
	}
	return "x"
}

// ParseMove reads a move, and checks that it is legal.
func (p *Position) ParseMove(text string) (Move, error) {
	m, err := parseMove(text)
	if err != nil {
		return 0, err
	}
	return m, p.Check(m)
}

func parseMove(text string) (Move, error) {
	wrong := fmt.Errorf("move %q, want a square such as g2, two such as a7c5, or 0000 for a pass", clip(text))
	switch {
	case text == "0000":
		return Pass, nil
	case len(text) != 2 && len(text) != 4:
		return 0, wrong
	}
	var squares [2]Square
	for i := range len(text) / 2 {
		f, r := text[2*i]|0x20, text[2*i+1]
		if f < 'a' || f > 'h' || r < '1' || r > '8' {
			return 0, wrong
		}
		squares[i] = Square(f-'a') + 8*Square(r-'1')
	}
	if len(text) == 2 {
		return clone(squares[0]), nil
	}
	if squares[0] == squares[1] {
		return 0, wrong
	}
	return jump(squares[0], squares[1]), nil
}
