package solve

import (
	"context"
	"testing"

	"lastmile/construct"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
)

// A finish gives a board that is there, no worse than the beam's, and where it
// calls a tail decided, the best that any of its prefixes can become.
func TestFinish(t *testing.T) {
	gained, decided := 0, 0
	for seed := range uint64(12) {
		p := generated(t, puzzle.Spec{Width: 9, Height: 8, Colours: 9, Seed: seed}, 20, 60)
		built, err := construct.Beam(context.Background(), p, construct.Options{Width: 8, Seed: seed, Order: "column"}, search.Budget{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		f, err := Finish(context.Background(), p, built, 100_000, search.Func(func(e search.Event) {
			if e.Kind == search.Improved {
				told = e.Score
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		valid(t, p, Result{Score: f.Score, Placements: f.Placements})
		if f.Score < built.Score || f.Score > built.Score && told != f.Score {
			t.Errorf("seed %d: finished at %d, told %d, from %d", seed, f.Score, told, built.Score)
		}
		gained += f.Score - built.Score
		if f.Tail == 0 {
			continue
		}
		decided++
		best := built.Score
		for i := range built.Trail.Kept(firstTail) {
			b := puzzle.NewBoard(p)
			b.Load(built.Trail.Board(firstTail, i))
			r, err := ledger.Exhaust(context.Background(), &ledger.Problem{
				Board: b, Order: built.Trail.Order(firstTail), Budget: p.MaxScore() - b.Breaks(), Best: true,
			}, ledger.Plan{})
			if err != nil {
				t.Fatal(err)
			}
			best = max(best, p.MaxScore()-b.Breaks()-r.Breaks)
		}
		if f.Score < best {
			t.Errorf("seed %d: finished at %d, and a tail of %d can be filled to %d", seed, f.Score, firstTail, best)
		}
	}
	if gained == 0 || decided == 0 {
		t.Errorf("%d seams gained, %d tails decided: want some of either", gained, decided)
	}
}

// Without its finish an attempt polishes the board of its beam.
func TestNoFinish(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 9, Height: 8, Colours: 9, Seed: 3})
	o := small
	o.NoFinish = true
	r, err := Run(context.Background(), p, o, Plan{Budget: counted})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range r.Attempts {
		if a.FinishNodes != 0 || a.Finished != a.Built {
			t.Errorf("attempt %d finished: %+v", a.Number, a)
		}
	}
	valid(t, p, r)
}
