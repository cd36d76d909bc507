package virus

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// naive plays by the words of the rules, on a grid of characters.
type naive struct {
	grid  [][]byte // from rank 1
	turn  byte
	rules Rules
	quiet int
}

func newNaive(p Position) *naive {
	n := &naive{turn: 'x', rules: p.rules, quiet: int(p.quiet)}
	fields := strings.Fields(p.FEN())
	if fields[1] == "o" {
		n.turn = 'o'
	}
	ranks := strings.Split(fields[0], "/")
	for i := len(ranks) - 1; i >= 0; i-- {
		var row []byte
		for _, c := range []byte(ranks[i]) {
			if c >= '1' && c <= '8' {
				row = append(row, strings.Repeat(".", int(c-'0'))...)
				continue
			}
			row = append(row, c)
		}
		n.grid = append(n.grid, row)
	}
	return n
}

func (n *naive) each(visit func(r, f int)) {
	for r := range n.grid {
		for f := range n.grid[r] {
			visit(r, f)
		}
	}
}

func abs(n int) int { return max(n, -n) }

// moves of a side, as text.
func (n *naive) moves(side byte) (list []string) {
	name := func(r, f int) string { return fmt.Sprintf("%c%d", 'a'+f, r+1) }
	n.each(func(r, f int) {
		if n.grid[r][f] != '.' {
			return
		}
		beside := false
		n.each(func(r2, f2 int) {
			if n.grid[r2][f2] != side {
				return
			}
			switch d := max(abs(r-r2), abs(f-f2)); {
			case d == 1:
				beside = true
			case d == 2 && n.rules == Ataxx:
				list = append(list, name(r2, f2)+name(r, f))
			}
		})
		if beside {
			list = append(list, name(r, f))
		}
	})
	return list
}

func (n *naive) count(side byte) (stones int) {
	n.each(func(r, f int) {
		if n.grid[r][f] == side {
			stones++
		}
	})
	return stones
}

func other(side byte) byte { return 'x' + 'o' - side }

func (n *naive) over() bool {
	if len(n.moves('x'))+len(n.moves('o')) == 0 {
		return true
	}
	return n.rules == Ataxx && (n.count('x') == 0 || n.count('o') == 0 || n.quiet >= 100)
}

// legal moves, with the pass.
func (n *naive) legal() []string {
	if n.over() {
		return nil
	}
	if list := n.moves(n.turn); len(list) > 0 {
		return list
	}
	return []string{"0000"}
}

func (n *naive) play(move string) *naive {
	next := &naive{turn: other(n.turn), rules: n.rules, quiet: n.quiet + 1}
	for _, row := range n.grid {
		next.grid = append(next.grid, []byte(string(row)))
	}
	if move == "0000" {
		return next
	}
	to := move[len(move)-2:]
	r, f := int(to[1]-'1'), int(to[0]-'a')
	if len(move) == 4 {
		next.grid[move[1]-'1'][move[0]-'a'] = '.'
	} else {
		next.quiet = 0
	}
	next.grid[r][f] = n.turn
	next.each(func(r2, f2 int) {
		if max(abs(r-r2), abs(f-f2)) == 1 && next.grid[r2][f2] == other(n.turn) {
			next.grid[r2][f2] = n.turn
		}
	})
	return next
}

func (n *naive) perft(depth int) int64 {
	if depth == 0 {
		return 1
	}
	var sum int64
	for _, m := range n.legal() {
		sum += n.play(m).perft(depth - 1)
	}
	return sum
}

func position(t testing.TB, rules Rules, fen string) Position {
	t.Helper()
	p, err := ParseFEN(rules, fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The published counts, and some of positions with gaps and forced passes.
func TestPerft(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		fen   string
		want  []int64
	}{
		{Virus, StartFEN, []int64{1, 6, 36, 288, 2304, 23040, 229692, 2712196}},
		{Ataxx, StartFEN, []int64{1, 16, 256, 6460, 155888, 4752668, 141865520}},
		{Virus, "x2-2o/3-3/2-1-2/-------/2-1-2/3-3/o2-2x x 0 1", nil},
		{Virus, "xo1/oo1/1-- x 0 1", nil},     // both sides run out of moves
		{Virus, "x-2o/--1oo/2ooo x 0 1", nil}, // x is walled in, and passes to the end
		{Ataxx, "x1--o/1---o/----1/ooo2/ooo2 x 0 1", nil},
		{Ataxx, "3/1x1/2o o 97 1", nil}, // near the draw
		{Ataxx, "x1o/3/3/o1x x 0 1", nil},
		{Virus, "xo6/8/8/8/8/8/8/6ox o 0 1", nil},
		{Virus, "x3/3o/4 x 0 1", nil},
	} {
		p := position(t, c.rules, c.fen)
		if c.want == nil {
			for depth := range 5 {
				c.want = append(c.want, newNaive(p).perft(depth))
			}
		}
		for depth, want := range c.want {
			if got := Perft(p, depth); got != want {
				t.Errorf("%v %s: perft %d is %d, want %d", c.rules, c.fen, depth, got, want)
			}
		}
	}
}

// Counting that can be stopped counts the same, by move and as a whole.
func TestPerftContext(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, fen := range []string{StartFEN, "xo1/-o1/oo1 x 0 9", "x-3/5/2-2/5/o3o o"} {
		for _, depth := range []int{1, 4, 6, 7} {
			p := position(t, Virus, fen)
			want := Perft(p, depth)
			if got, err := PerftContext(t.Context(), p, depth); err != nil || got != want {
				t.Errorf("%s, depth %d: %d, %v, want %d", fen, depth, got, err, want)
			}
			list, err := Divide(t.Context(), p, depth)
			for _, m := range list {
				want -= m.Count
			}
			if err != nil || want != 0 {
				t.Errorf("%s, depth %d: %v, %v", fen, depth, list, err)
			}
			if _, err := PerftContext(ended, p, depth); err == nil {
				t.Errorf("%s, depth %d: nothing stops it", fen, depth)
			}
		}
	}
}

// A side that is walled in passes, and each pass is a ply: the tree has one branch
// there, and its depth is used up.
func TestPassCostsAPly(t *testing.T) {
	p := position(t, Virus, "x-2o/--1oo/2ooo x 0 1")
	if got := p.Moves(nil); len(got) != 1 || got[0] != Pass || !p.MustPass() {
		t.Fatalf("moves %v", got)
	}
	q := p.Play(Pass)
	if q.quiet != 1 || q.XToMove() || q.MustPass() {
		t.Errorf("after the pass: %s", q.FEN())
	}
	for depth := 1; depth < 6; depth++ {
		if got, want := Perft(p, depth), Perft(q, depth-1); got != want {
			t.Errorf("perft %d is %d, want %d: that of the position after the pass, a ply less deep", depth, got, want)
		}
	}
}

// Whole games, move by move, as the words of the rules have them.
func TestGames(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		fen   string
	}{
		{Virus, StartFEN}, {Ataxx, StartFEN}, {Virus, "x2o/4/1--1/o2x x 0 1"}, {Ataxx, "x6o/8/2-2-2/8/8/2-2-2/8/o6x x 0 1"},
	} {
		for seed := range 20 {
			p := position(t, c.rules, c.fen)
			n := newNaive(p)
			for ply := range 400 {
				list := p.Moves(nil)
				legal := map[string]bool{}
				for _, m := range n.legal() {
					legal[m] = true
				}
				if len(legal) != len(list) || p.Over() != n.over() {
					t.Fatalf("%s: %v, want %v", p.FEN(), list, legal)
				}
				for _, m := range list {
					if !legal[m.String()] || p.Check(m) != nil {
						t.Fatalf("%s: %v is not legal, or %v", p.FEN(), m, p.Check(m))
					}
					if back, err := p.ParseMove(m.String()); err != nil || back != m {
						t.Fatalf("%v is read as %v, %v", m, back, err)
					}
				}
				if p.Margin() != n.count(n.turn)-n.count(other(n.turn)) {
					t.Fatalf("%s: margin %d", p.FEN(), p.Margin())
				}
				if len(list) == 0 {
					break
				}
				m := list[(seed*31+ply*17+ply*ply)%len(list)]
				p, n = p.Play(m), n.play(m.String())
			}
		}
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		rules  Rules
		fen    string
		over   bool
		result int
	}{
		{Ataxx, "xxx/1x1/3 o 0 1", true, -4},           // none left
		{Virus, "xxx/1x1/3 o 0 1", false, 0},           // x fills the rest
		{Ataxx, "x1o/3/3 x 100 60", true, 0},           // drawn
		{Ataxx, "x1o/3/3 x 99 60", false, 0},           // not yet
		{Ataxx, "xxx/xxx/xxo o 100 60", true, -7},      // decided before it is drawn
		{Ataxx, "xxx/xxx/3 x 100 60", true, 6},         // also by elimination
		{Virus, "x1o/3/3 x 200 60", false, 0},          // virus knows no such draw
		{Virus, "xx-1/xx-1/oo-1/oo-1 x 0 1", true, 0},  // empty squares that nobody can reach
		{Ataxx, "xx-1/xx-1/oo-1/oo-1 x 0 1", false, 0}, // a jump can
		{Virus, "---/---/--- x 0 1", true, 0},
	} {
		p := position(t, c.rules, c.fen)
		if p.Over() != c.over || c.over && p.Result() != c.result {
			t.Errorf("%v %s: over %v, result %d", c.rules, c.fen, p.Over(), p.Result())
		}
		if c.over != (len(p.Moves(nil)) == 0) || c.over && p.Check(Pass) == nil {
			t.Errorf("%v %s: moves %v", c.rules, c.fen, p.Moves(nil))
		}
	}
}

func TestStart(t *testing.T) {
	p := Start(Virus, 7, 7)
	if p.FEN() != StartFEN {
		t.Errorf("%s, want %s", p.FEN(), StartFEN)
	}
	for _, c := range []struct {
		width, height int
		want          string
	}{{3, 3, "x1o/3/o1x x 0 1"}, {8, 3, "x6o/8/o6x x 0 1"}, {3, 8, "x1o/3/3/3/3/3/3/o1x x 0 1"}, {8, 8, "x6o/8/8/8/8/8/8/o6x x 0 1"}} {
		if p := Start(Virus, c.width, c.height); p.FEN() != c.want {
			t.Errorf("%s, want %s", p.FEN(), c.want)
		}
	}
}

// Keys tell apart whatever plays on differently.
func TestKey(t *testing.T) {
	a := position(t, Ataxx, "x1o/3/o1x x 0 1")
	keys := map[uint64]string{a.Key(): a.FEN()}
	for _, b := range []Position{
		a.Swapped(), position(t, Ataxx, "x1o/3/o1x x 5 1"), position(t, Ataxx, "x1o/1-1/o1x x 0 1"),
		position(t, Virus, "x1o/3/o1x x 0 1"), position(t, Ataxx, "x1o/3/oox x 0 1"),
	} {
		if was, ok := keys[b.Key()]; ok {
			t.Errorf("%s and %s have one key", was, b.FEN())
		}
		keys[b.Key()] = b.FEN()
	}
	if b := position(t, Ataxx, "x1o/3/o1x x 0 9"); b.Key() != a.Key() {
		t.Error("the number of the move is in the key")
	}
}

func BenchmarkPerft(b *testing.B) {
	p := Start(Virus, 7, 7)
	const depth = 7
	var leaves int64
	for b.Loop() {
		leaves += Perft(p, depth)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}
