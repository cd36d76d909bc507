package engine

import (
	"fmt"
	"slices"
	"testing"

	"lastmile/cycles"
	"lastmile/puzzle"
)

func TestCyclesOfPastedPairs(t *testing.T) {
	for _, c := range []struct {
		a, b          string
		lengths       []int
		turned, moved int
	}{
		{paste(t, "c01_compare_469_vs_469a.txt"), "", []int{2}, 0, 2},
		{paste(t, "c03_compare_rotation_only_cells.txt"), "", []int{15, 9, 7, 6, 3, 2}, 2, 42},
		{"riotte-464", "riotte-464", []int{}, 0, 0},
	} {
		o := ask[cyclesOpened](t, New(nil), "cycles.open", values{"a": c.a, "b": c.b})
		lengths := []int{}
		for _, y := range o.Cycles {
			lengths = append(lengths, len(y.Cells))
		}
		if !slices.Equal(lengths, c.lengths) || o.Turned != c.turned || o.Moved != c.moved {
			t.Errorf("cycles %v, %d turned, %d moved; want %v, %d, %d", lengths, o.Turned, o.Moved, c.lengths, c.turned, c.moved)
		}
	}
	for _, q := range []values{{"a": "riotte-464"}, {"a": "x", "b": "riotte-464"}, {"a": "riotte-464", "b": ""}, {"a": paste(t, "r11_bucas_sample_4x4.txt"), "b": "riotte-464"}, {"a": paste(t, "s06_letters_beyond_w.url"), "b": "riotte-464"}} {
		if _, err := New(nil).Call("cycles.open", must(t, q)); err == nil {
			t.Errorf("%.60v compared", q)
		}
	}
}

func TestCycleStepByStep(t *testing.T) {
	e := New(nil)
	o := ask[cyclesOpened](t, e, "cycles.open", values{"a": "riotte-464", "b": "verhaard-467"})
	n := len(o.Cycles[0].Cells)
	profile := ask[profile](t, e, "cycles.profile", values{"cycle": 0, "start": 0}).Scores
	if len(profile) != n+1 || profile[0] != 464 || profile[n] != o.Cycles[0].Whole {
		t.Fatalf("profile of %d scores from %d to %d, whole %d", len(profile), profile[0], profile[n], o.Cycles[0].Whole)
	}
	none := ask[passing](t, e, "cycles.apply", values{"cycle": -1})
	if !slices.Equal(none.Edges, o.A.Edges) || none.Score != 464 {
		t.Error("no move is not A")
	}
	var all []int
	for i := range o.Parts {
		all = append(all, i)
	}
	if whole := ask[passing](t, e, "cycles.apply", values{"cycle": -1, "parts": all}); fmt.Sprint(whole.Edges) != fmt.Sprint(o.B.Edges) || whole.Score != 467 {
		t.Errorf("all parts: score %d", whole.Score)
	}
	for moves, want := range profile {
		if got := ask[passing](t, e, "cycles.apply", values{"cycle": 0, "moves": moves}); got.Score != want {
			t.Errorf("%d moves: %d, want %d", moves, got.Score, want)
		}
	}
	if _, err := e.Call("cycles.apply", must(t, values{"cycle": 0, "moves": n + 1})); err == nil {
		t.Error("more moves than cells")
	}
}

// The room tells what package cycles finds.
func TestCyclesAreThePackages(t *testing.T) {
	e := New(nil)
	o := ask[cyclesOpened](t, e, "cycles.open", values{"a": "mcgavin-469", "b": "blackwood-470"})
	a, b := puzzle.NewBoard(puzzle.Official()), puzzle.NewBoard(puzzle.Official())
	for name, board := range map[string]*puzzle.Board{"mcgavin-469": a, "blackwood-470": b} {
		r, _ := puzzle.RecordNamed(name)
		board.Load(r.Board)
	}
	x, err := cycles.Between(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if o.A.Score != x.Start || o.B.Score != x.End || o.Moved != x.Moved() || o.Fixed != len(x.Fixed) || !slices.Equal(o.TurnedCells, append([]int{}, x.Turned...)) || len(o.Chains) != len(x.Chains) || len(o.Cycles) != len(x.Cycles) {
		t.Errorf("%d to %d, %d moved, %d fixed, %d cycles", o.A.Score, o.B.Score, o.Moved, o.Fixed, len(o.Cycles))
	}
	for i, y := range x.Cycles {
		all, _ := x.TallyPrefixes(i, cycles.Exchanged)
		if !slices.Equal(o.Cycles[i].Cells, y.Cells) || o.Cycles[i].All != all || o.Cycles[i].Whole != x.Whole(i) {
			t.Errorf("cycle %d: %+v, want %v, %+v", i, o.Cycles[i], y.Cells, all)
		}
		p := ask[profile](t, e, "cycles.profile", values{"cycle": i})
		best := make([]int, len(y.Cells)-2)
		for f := range x.Prefixes(i, cycles.Exchanged) {
			best[f.Moves-1] = max(best[f.Moves-1], f.Score)
			if f.Start == 0 && p.Scores[f.Moves] != f.Score {
				t.Errorf("cycle %d, %d moves: %d, want %d", i, f.Moves, p.Scores[f.Moves], f.Score)
			}
		}
		if !slices.Equal(p.Best, best) {
			t.Errorf("cycle %d: best %v, want %v", i, p.Best, best)
		}
	}
	for _, q := range []values{{"cycle": -1}, {"cycle": len(x.Cycles)}, {"cycle": 0, "parts": []int{0}}, {"cycle": 0, "parts": []int{-1}}, {"cycle": 0, "start": 1 << 20}} {
		if _, err := e.Call("cycles.profile", must(t, q)); err == nil {
			t.Errorf("profile of %v", q)
		}
	}
}

// Of a board with empty cells chains lead to and from them.
func TestCyclesWithChains(t *testing.T) {
	o := ask[cyclesOpened](t, New(nil), "cycles.open", values{"a": paste(t, "r13_blackwood_230_partial.url"), "b": "blackwood-470\n"})
	cells := 0
	for _, n := range o.Parts {
		cells += n
	}
	if len(o.Chains) == 0 || len(o.Parts) < len(o.Cycles)+len(o.Chains) || cells == 0 {
		t.Errorf("%d cycles, %d chains, parts %v", len(o.Cycles), len(o.Chains), o.Parts)
	}
}
