package engine

import (
	"testing"

	"lastmile/certify"
	"lastmile/ledger"
	"lastmile/puzzle"
)

// The halos of the record boards have the published sizes, and the first is
// proved to hold no perfect refill.
func TestWallOfRecords(t *testing.T) {
	for name, want := range map[string][]int{
		"blackwood-470": {62, 91, 116, 141}, "mcgavin-469": {50, 79, 100, 122}, "blackwood-468": {62, 87, 114, 139},
		"verhaard-467": {67, 87, 109, 133}, "riotte-464": {72, 99, 123, 148},
	} {
		e := New(nil)
		ask[wallOpened](t, e, "wall.open", values{"board": name})
		for i, n := range want {
			if got := ask[[]int](t, e, "wall.halo", values{"radius": i + 1, "metric": "chebyshev"}); len(got) != n {
				t.Errorf("%s: %d cells at radius %d, want %d", name, len(got), i+1, n)
			}
		}
		if d := ask[decided](t, e, "wall.decide", values{"radius": 0, "metric": "chebyshev", "goal": "perfect", "nodes": 1000}); d.Verdict != certify.Proven {
			t.Errorf("%s at radius 0: %+v", name, d)
		}
		d := ask[decided](t, e, "wall.decide", values{"radius": 1, "metric": "chebyshev", "goal": "perfect", "nodes": 1 << 20})
		if d.Verdict != certify.Proven || d.Freed != want[0] || d.Nodes < 1 {
			t.Errorf("%s: %+v", name, d)
		}
		if d = ask[decided](t, e, "wall.decide", values{"radius": 3, "metric": "chebyshev", "goal": "better", "nodes": 1000}); d.Verdict != certify.Open || d.Nodes > 1000 {
			t.Errorf("%s within 1,000 nodes: %s after %d", name, d.Verdict, d.Nodes)
		}
	}
}

// A board with a break that can be mended is mended.
func TestWallFindsBetter(t *testing.T) {
	e := New(nil)
	o := ask[repairOpened](t, e, "repair.open", values{"seed": 3, "damage": 0.9})
	w := ask[wallOpened](t, e, "wall.open", values{"board": o.Text})
	if w.Score != o.Score || w.Breaks == 0 {
		t.Fatalf("%+v", w)
	}
	d := ask[decided](t, e, "wall.decide", values{"radius": 2, "metric": "chebyshev", "goal": "better", "nodes": 1 << 22})
	if d.Verdict != certify.Found || d.Score <= w.Score {
		t.Fatalf("%s: score %d of %d", d.Verdict, d.Score, w.Score)
	}
	if b := board(t, w.Puzzle, d.Board); b.Score() != d.Score {
		t.Errorf("score %d, want %d", d.Score, b.Score())
	}
	for _, c := range []struct{ method, params string }{
		{"wall.halo", `{"radius":-1,"metric":"chebyshev"}`}, {"wall.halo", `{"radius":1,"metric":"x"}`}, {"wall.halo", `{"radius":7,"metric":"chebyshev"}`},
		{"wall.decide", `{"radius":1,"metric":"chebyshev","goal":"x","nodes":1}`}, {"wall.decide", `{"radius":1,"metric":"chebyshev","goal":"better","nodes":0}`},
		{"wall.open", `{"board":"` + "x" + `"}`},
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
			g.Board[0], g.Board[len(g.Board)/2] = g.Board[len(g.Board)/2], g.Board[0] // a corner inside
			for _, bad := range [][]int{g.Board, g.Board[1:], make([]int, len(g.Board))} {
				if _, err := e.Call("game.play", must(t, values{"board": bad})); err == nil {
					t.Errorf("%v was scored", bad)
				}
			}
		}
	}
}
