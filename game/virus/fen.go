package virus

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// StartFEN is the position that a game on a board of the usual size begins with.
const StartFEN = "x5o/7/7/7/7/7/o5x x 0 1"

// FEN writes the position as the community does: the ranks from the top, x and o
// for stones, digits for so many empty squares, - for a gap; then the side to
// move, the half-moves since the last clone, and the number of the move.
func (p *Position) FEN() string {
	var text strings.Builder
	x, o := p.Stones()
	for r := int(p.height) - 1; r >= 0; r-- {
		empty := 0
		flush := func() {
			if empty > 0 {
				text.WriteString(strconv.Itoa(empty))
			}
			empty = 0
		}
		for f := range int(p.width) {
			bit := Square(8*r + f).bit()
			var c byte
			switch {
			case x&bit != 0:
				c = 'x'
			case o&bit != 0:
				c = 'o'
			case p.squares&bit == 0:
				c = '-'
			default:
				empty++
				continue
			}
			flush()
			text.WriteByte(c)
		}
		flush()
		if r > 0 {
			text.WriteByte('/')
		}
	}
	fmt.Fprintf(&text, " %s %d %d", p.side(), p.quiet, p.number)
	return text.String()
}

// maxCounter bounds the counters that a position is read with.
const maxCounter = 9999

// ParseFEN reads a position. The counters may be missing. Half-moves since the
// last clone are of Ataxx alone, but virus reads them too.
func ParseFEN(rules Rules, text string) (Position, error) {
	p := Position{rules: rules, number: 1}
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 4 {
		return p, fmt.Errorf("position %q has %d parts, want ranks, side, half-moves and number, as in %q", clip(text), len(fields), StartFEN)
	}
	ranks := strings.Split(fields[0], "/")
	if len(ranks) < MinSize || len(ranks) > MaxSize {
		return p, fmt.Errorf("position %q has %d ranks, want %d to %d", clip(fields[0]), len(ranks), MinSize, MaxSize)
	}
	p.height = uint8(len(ranks))
	var stones [2]Squares
	for i, rank := range ranks {
		r, f := len(ranks)-1-i, 0
		name := fmt.Sprintf("rank %d of the position, %q", r+1, clip(rank))
		for at, c := range []byte(rank) {
			n := 1
			if c >= '1' && c <= '8' {
				n = int(c - '0')
			}
			if f+n > MaxSize {
				return p, fmt.Errorf("%s has more than %d squares", name, MaxSize)
			}
			q := Square(8*r + f)
			switch c {
			case 'x':
				stones[0] |= q.bit()
			case 'o':
				stones[1] |= q.bit()
			case '-':
			case '1', '2', '3', '4', '5', '6', '7', '8':
				p.squares |= (1<<n - 1) << q
			default:
				wrong, _ := utf8.DecodeRuneInString(rank[at:])
				return p, fmt.Errorf("%s: %q is none of x, o, - and 1 to 8", name, wrong)
			}
			f += n
		}
		switch {
		case i == 0 && f < MinSize:
			return p, fmt.Errorf("%s has %d squares, want %d to %d", name, f, MinSize, MaxSize)
		case i == 0:
			p.width = uint8(f)
		case f != int(p.width):
			return p, fmt.Errorf("%s has %d squares, want %d as the ranks above it", name, f, p.width)
		}
	}
	p.squares |= stones[0] | stones[1]
	p.own, p.other = stones[0], stones[1]
	switch fields[1] {
	case "x", "b", "r": // as some programs call it
	case "o", "w":
		p.own, p.other, p.o = p.other, p.own, true
	default:
		return p, fmt.Errorf("side %q in position, want x or o", clip(fields[1]))
	}
	for i, field := range fields[2:] {
		n, err := strconv.Atoi(field)
		if err != nil || n < i || n > maxCounter { // moves are counted from 1
			return p, fmt.Errorf("%s %q in position, want %d to %d", [...]string{"half-moves", "number of the move"}[i], clip(field), i, maxCounter)
		}
		*[...]*uint16{&p.quiet, &p.number}[i] = uint16(n)
	}
	return p, nil
}

// clip shortens what somebody has sent, to be shown.
func clip(text string) string {
	if len(text) > 80 {
		return text[:80] + "..."
	}
	return text
}
