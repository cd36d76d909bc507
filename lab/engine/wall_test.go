package engine

import (
	"slices"
	"testing"

	"lastmile/certify"
	"lastmile/ledger"
	"lastmile/puzzle"
)

// The halos of the record boards have the published sizes. The first is proved by
// exhaustion to hold no perfect refill, and the cells at the breaks no better one;
// what is too much for exhaustion is for the solver.
func TestWallOfRecords(t *testing.T) {
	for name, want := range map[string][]int{
		"blackwood-470": {62, 91, 116, 141}, "mcgavin-469": {50, 79, 100, 122}, "blackwood-468": {62, 87, 114, 139},
		"verhaard-467": {67, 87, 109, 133}, "riotte-464": {72, 99, 123, 148},
	} {
		e := New(nil)
		o := ask[wallOpened](t, e, "wall.open", values{"board": name})
		for i, n := range want {
			if got := ask[[]int](t, e, "wall.halo", values{"radius": i + 1, "metric": "chebyshev"}); len(got) != n {
				t.Errorf("%s: %d cells at radius %d, want %d", name, len(got), i+1, n)
			}
		}
		if d := ask[decided](t, e, "wall.decide", values{"radius": 0, "metric": "chebyshev", "goal": "perfect", "seconds": 1}); d.Verdict != certify.Proven {
			t.Errorf("%s at radius 0: %+v", name, d)
		}
		d := ask[decided](t, e, "wall.decide", values{"radius": 1, "metric": "chebyshev", "goal": "perfect", "seconds": 1})
		if d.Verdict != certify.Proven || d.By != "exhaustion" || d.Freed != want[0] || d.Nodes < 1 || d.Floor != 1 {
			t.Errorf("%s: %+v", name, d)
		}
		d = ask[decided](t, e, "wall.decide", values{"radius": 0, "metric": "chebyshev", "goal": "better", "seconds": 600})
		if d.Verdict != certify.Proven || d.Floor != o.Breaks || d.Score != o.Score || (d.By == "proof") != (d.Steps > 0) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// What the solver decides is told while it is at work, and ends when it should.
func TestWallBySolver(t *testing.T) {
	told := map[string]int{}
	e := New(func(_ string, data any) { told[data.(deciding).By]++ })
	o := ask[wallOpened](t, e, "wall.open", values{"board": "blackwood-470"})
	d := ask[decided](t, e, "wall.decide", values{"radius": 2, "metric": "chebyshev", "goal": "perfect", "seconds": 600})
	if d.Verdict != certify.Proven || d.By != "proof" || d.Freed != 91 || d.Steps != 1 || d.Floor != 1 {
		t.Errorf("%+v", d)
	}
	if told["exhaustion"] == 0 || told["proof"] == 0 {
		t.Errorf("told %v", told)
	}
	d = ask[decided](t, e, "wall.decide", values{"radius": 4, "metric": "chebyshev", "goal": "better", "seconds": 1})
	if d.Verdict != certify.Open || d.Score != o.Score || d.Floor > o.Breaks {
		t.Errorf("%+v", d)
	}
}

// A board with a break that can be mended is mended, and the text of it read again.
func TestWallFindsBetter(t *testing.T) {
	e := New(nil)
	o := ask[repairOpened](t, e, "repair.open", values{"seed": 3, "damage": 0.9})
	w := ask[wallOpened](t, e, "wall.open", values{"board": o.Text})
	if w.Score != o.Score || w.Breaks == 0 {
		t.Fatalf("%+v", w)
	}
	d := ask[decided](t, e, "wall.decide", values{"radius": 0, "metric": "chebyshev", "goal": "better", "seconds": 600})
	if d.Verdict != certify.Found || d.Score <= w.Score || d.Score > w.Puzzle.Max-d.Floor {
		t.Fatalf("%s: score %d of %d", d.Verdict, d.Score, w.Score)
	}
	if b := board(t, w.Puzzle, d.Board); b.Score() != d.Score {
		t.Errorf("score %d, want %d", b.Score(), d.Score)
	}
	if d.Score < w.Puzzle.Max {
		if again := ask[wallOpened](t, e, "wall.open", values{"board": d.Text}); again.Score != d.Score {
			t.Errorf("score %d of its text, want %d", again.Score, d.Score)
		}
	}
	for _, c := range []struct{ method, params string }{
		{"wall.halo", `{"radius":-1,"metric":"chebyshev"}`}, {"wall.halo", `{"radius":1,"metric":"x"}`}, {"wall.halo", `{"radius":7,"metric":"chebyshev"}`},
		{"wall.decide", `{"radius":1,"metric":"chebyshev","goal":"x","seconds":1}`}, {"wall.decide", `{"radius":1,"metric":"chebyshev","goal":"better","seconds":0}`},
		{"wall.decide", `{"radius":1,"metric":"chebyshev","goal":"better","seconds":601}`}, {"wall.open", `{"board":"x"}`},
	} {
		if _, err := e.Call(c.method, []byte(c.params)); err == nil {
			t.Errorf("%s %s answered", c.method, c.params)
		}
	}
}

// Every board of the game is at the wall and can be solved, and the engine keeps
// the score of a player.
func TestWallGame(t *testing.T) {
	for side := 4; side <= gameSide; side++ {
		for seed := 1; seed <= 4; seed++ {
			e := New(nil)
			o, err := e.Call("game.open", must(t, values{"side": side, "seed": seed}))
			if err != nil {
				t.Errorf("side %d, seed %d: %v", side, seed, err)
				continue
			}
			g := ask[gameOpened](t, e, "game.open", values{"side": side, "seed": seed})
			b := board(t, g.Puzzle, g.Board)
			if b.Score() != g.Score || b.Breaks() < 2 || len(o) == 0 {
				t.Errorf("side %d, seed %d: score %d, want %d", side, seed, g.Score, b.Score())
			}
			halo := b.Puzzle().Halo(b.BrokenCells(), 1, puzzle.Chebyshev)
			region, err := certify.NewRegion(b, halo)
			if err != nil {
				t.Fatal(err)
			}
			res, err := certify.Exhaust(t.Context(), region, certify.Better, ledger.Plan{})
			if err != nil || res.Verdict != certify.Proven || len(halo) != g.Freed {
				t.Errorf("side %d, seed %d: %s (%v) of %d cells, want it proved of %d", side, seed, res.Verdict, err, len(halo), g.Freed)
			}
			t.Logf("side %d, seed %d: %d of %d, the halo frees %d", side, seed, g.Score, g.Puzzle.Max, g.Freed)
			if p := ask[played](t, e, "game.play", values{"board": g.Board}); p.Beaten || p.Solved || p.Score != g.Score {
				t.Errorf("the start: %+v", p)
			}
			if p := ask[played](t, e, "game.play", values{"board": g.Solution}); !p.Beaten || !p.Solved {
				t.Errorf("the solution: %+v", p)
			}
			start := slices.Clone(g.Board)
			g.Board[0], g.Board[len(g.Board)/2] = g.Board[len(g.Board)/2], g.Board[0] // a corner inside
			for _, bad := range [][]int{g.Board, g.Board[1:], make([]int, len(g.Board)), append([]int{-1}, start[1:]...)} {
				for _, method := range []string{"game.play", "game.hint"} {
					if _, err := e.Call(method, must(t, values{"board": bad})); err == nil {
						t.Errorf("%s took %v", method, bad)
					}
				}
			}
			if side > 5 {
				continue // larger ones may take the solver longer than a test should
			}
			if h := ask[hinted](t, e, "game.hint", values{"board": start}); !h.Found || h.Radius <= 1 || h.Score <= g.Score {
				t.Errorf("side %d, seed %d: the hint %+v, want one beyond radius 1", side, seed, h)
			}
			if h := ask[hinted](t, e, "game.hint", values{"board": g.Solution}); h.Found || len(h.Cells) > 0 {
				t.Errorf("the hint for the solution: %+v", h)
			}
		}
	}
}
