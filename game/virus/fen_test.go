package virus

import (
	"strings"
	"testing"
)

func TestParseFENRefuses(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"", "0 parts"},
		{"x5o/7/7/7/7/7/o5x", "1 parts"},
		{"x5o/7/7/7/7/7/o5x x 0 1 extra", "5 parts"},
		{"x5o/7 x 0 1", "2 ranks, want 3 to 8"},
		{"3/3/3/3/3/3/3/3/3 x 0 1", "9 ranks"},
		{"xo/2/2 x 0 1", "2 squares, want 3 to 8"},
		{"x1o/4/3 x 0 1", "rank 2 of the position, \"4\" has 4 squares, want 3"},
		{"x1o/3/2 x 0 1", "rank 1"},
		{"x8/3/3 x 0 1", "more than 8"},
		{"x9/3/3 x 0 1", "'9' is none of x, o, - and 1 to 8"},
		{"x1O/3/3 x 0 1", "'O'"},
		{"x1o/0/3 x 0 1", "'0'"},
		{"x1o/3/o1x z 0 1", "side \"z\""},
		{"x1o/3/o1x x -1 1", "half-moves \"-1\""},
		{"x1o/3/o1x x 0 0", "number of the move \"0\""},
		{"x1o/3/o1x x 0 99999", "number of the move"},
		{"x1o/3/o1x x half 1", "half-moves \"half\""},
		{strings.Repeat("x", 500) + "/3/3 x 0 1", "more than 8"},
	} {
		if _, err := ParseFEN(Virus, c.fen); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.fen, err, c.want)
		} else if len(err.Error()) > 300 {
			t.Errorf("%q: %d characters", c.fen, len(err.Error()))
		}
	}
}

func TestParseMoveRefuses(t *testing.T) {
	for _, c := range []struct {
		rules      Rules
		fen        string
		move, want string
	}{
		{Virus, StartFEN, "", "want a square"},
		{Virus, StartFEN, "i1", "want a square"},
		{Virus, StartFEN, strings.Repeat("y", 60000), "yyyy..."},
		{Virus, StartFEN, "a9", "want a square"},
		{Virus, StartFEN, "a1b", "want a square"},
		{Virus, StartFEN, "a1a1", "want a square"},
		{Virus, StartFEN, "h1", "h1 is no square of this board"},
		{Virus, StartFEN, "a8", "a8 is no square"},
		{Virus, StartFEN, "a7", "not empty"},
		{Virus, StartFEN, "d4", "no stone of x is beside d4"},
		{Virus, StartFEN, "a7c7", "virus has no jumps"},
		{Virus, StartFEN, "0000", "passes only when it cannot move"},
		{Ataxx, StartFEN, "a7d7", "two squares away"},
		{Ataxx, StartFEN, "a7b7", "a clone is written b7"},
		{Ataxx, StartFEN, "b7d7", "x has no stone on b7"},
		{Ataxx, StartFEN, "a1c1", "x has no stone on a1"},
		{Virus, "x1o/1-1/o1x x 0 1", "b2", "no square"},
		{Virus, "xxx/xxx/xxx o 0 1", "0000", "over"},
	} {
		p := position(t, c.rules, c.fen)
		if _, err := p.ParseMove(c.move); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %s: %q: %v, want %q", c.rules, c.fen, c.move, err, c.want)
		} else if len(err.Error()) > 300 {
			t.Errorf("%d characters", len(err.Error()))
		}
	}
}

func FuzzFEN(f *testing.F) {
	for _, fen := range []string{StartFEN, "x1o/1-1/o1x o 7 12", "8/8/8/8/8/8/8/8 x 0 1", "xo1/2-/--- w", "9/x", "x-x/-x-/x-x b 100 50"} {
		f.Add(fen, "a1", true)
		f.Add(fen, "c3a1", false)
	}
	f.Fuzz(func(t *testing.T, fen, move string, jumps bool) {
		rules := Virus
		if jumps {
			rules = Ataxx
		}
		p, err := ParseFEN(rules, fen)
		if err != nil {
			return
		}
		q, err := ParseFEN(rules, p.FEN())
		if err != nil || q != p {
			t.Fatalf("%q is read as %+v, written as %q, and read as %+v, %v", fen, p, p.FEN(), q, err)
		}
		if m, err := p.ParseMove(move); err == nil {
			p = p.Play(m)
		}
		list := p.Moves(nil)
		if p.Over() != (len(list) == 0) {
			t.Fatalf("%s: over %v, moves %v", p.FEN(), p.Over(), list)
		}
		if x, o := p.Stones(); x&o != 0 || (x|o)&^p.Squares() != 0 {
			t.Fatalf("%s: stones in two colours, or on no square", p.FEN())
		}
		if n := int64(len(list)); Perft(p, 1) != n {
			t.Fatalf("%s: perft 1 is %d, want %d", p.FEN(), Perft(p, 1), n)
		}
	})
}
