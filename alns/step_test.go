package alns

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/search"
)

// A walk taken a step at a time is the walk: its board, its account, what it
// tells and what it saves.
func TestStepIsRun(t *testing.T) {
	p, board := start(t)
	o := Options{Seed: 9, Repair: "by-hole", Largest: 12, Acceptance: "threshold"}
	const total = 2*Round/16 + 777 // two rounds and a part
	watch := func(heard *[]search.Event) search.Observer {
		return search.Func(func(e search.Event) { *heard = append(*heard, e) })
	}
	var heard, told []search.Event
	whole, err := NewWalk(p, board, o, 2)
	if err != nil {
		t.Fatal(err)
	}
	whole.Watch = watch(&heard)
	for whole.Iterations() < total {
		whole.Run(context.Background(), min(math.MaxInt64, total-whole.Iterations()), Horizon{Iterations: total})
	}
	stepped, err := NewWalk(p, board, o, 2)
	if err != nil {
		t.Fatal(err)
	}
	stepped.Watch = watch(&told)
	seen := 0
	stepped.Search().Show(func(q Proposal) {
		seen++
		cells := func(all []puzzle.Placement) (list []int) {
			for _, f := range all {
				list = append(list, f.Cell)
			}
			slices.Sort(list)
			return list
		}
		if !slices.Equal(cells(q.Lifted), cells(q.Filled)) || q.Score != stepped.Score() {
			t.Fatalf("a proposal that is not of the board: %+v", q)
		}
	})
	for range total {
		stepped.Step(Horizon{Iterations: total})
	}
	if seen != total {
		t.Errorf("%d proposals shown of %d", seen, total)
	}
	one, _ := whole.Best()
	other, _ := stepped.Best()
	if !slices.Equal(one, other) || !slices.Equal(whole.search.board.Placements(nil), stepped.search.board.Placements(nil)) {
		t.Error("another board")
	}
	if fmt.Sprint(heard) != fmt.Sprint(told) {
		t.Error("another trace")
	}
	if fmt.Sprint(whole.Operators(), whole.Repairs()) != fmt.Sprint(stepped.Operators(), stepped.Repairs()) {
		t.Error("another account")
	}
	if got := stepped.State(); got.Iterations != 2*Round/16 || len(got.Kept) > 0 && got.KeptAt <= got.Iterations {
		t.Errorf("saved at %d iterations, a better board of %d", got.Iterations, got.KeptAt)
	}
}

// A forced operator is used whatever is drawn, learns, and is forced once.
func TestForce(t *testing.T) {
	b := recordBoard(t) // where hardly an iteration gains, so that weights fall
	w, err := NewWalk(b.Puzzle(), b.Placements(nil), Options{Seed: 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for forced := range w.Operators() {
		before := w.Operators()
		w.Search().Force(forced)
		w.Step(Horizon{})
		if after := w.Operators()[forced]; after.Uses != before[forced].Uses+1 || after.Weight == before[forced].Weight {
			t.Errorf("forced: %+v, then %+v", before[forced], after)
		}
		w.Step(Horizon{})
	}
	if got := w.Operators(); w.Iterations() != 2*int64(len(got)) {
		t.Errorf("%d iterations", w.Iterations())
	}
}
