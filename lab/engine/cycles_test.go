package engine

import (
	"fmt"
	"slices"
	"testing"
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
	profile := ask[[]int](t, e, "cycles.profile", values{"cycle": 0, "start": 0})
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
