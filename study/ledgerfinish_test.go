package study

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

// smallFinish is the study with next to nothing to do.
func smallFinish() Study {
	s := ledgerFinish
	s.Measure = func(ctx context.Context, o Options, r *Report) error {
		plan := planFinish(o)
		plan.width, plan.nodes, plan.even, plan.tails, plan.most, plan.iterations = 8, []int{16, 64}, 64, []int{4, 40, 56}, 500, 500
		return finishBeams(ctx, o, r, plan)
	}
	return s
}

func TestLedgerFinish(t *testing.T) {
	r := quick(t, smallFinish())
	expect(t, r, map[string]Verdict{
		"40 to 56": Untested, "of 16 nodes for each board never": Untested, "of 64 nodes for each board never": Untested,
		"twice the width": Untested, "survives": Untested,
	})
	if rows := r.Tables[1].Rows; rows[0][5] != "1" || rows[2][5] != "0" {
		t.Errorf("decided: %v", rows)
	}
	if first, again := counts(r), counts(quick(t, smallFinish())); !reflect.DeepEqual(first, again) {
		t.Errorf("first %+v, then %+v", first, again)
	}
}

// counts is what a report holds of its seeds but for the seconds.
func counts(r *Report) []finishRun {
	runs := r.Tables[2].Data.([]finishRun)
	for i := range runs {
		run := &runs[i]
		run.Beam.Seconds, run.Wide.Seconds = 0, 0
		for j := range run.Finishes {
			run.Finishes[j].Seconds = 0
		}
	}
	return runs
}

func TestFinishStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	said := 0
	r, err := Run(ctx, smallFinish(), Options{Quick: true, Seeds: []uint64{1, 2}, Say: func(string) {
		if said++; said == 2 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if seeds := r.Tables[2].Rows; !r.Stopped || r.Verdict != Untested || len(seeds) != 1 {
		t.Errorf("stopped %v, %s, %d seeds", r.Stopped, r.Verdict, len(seeds))
	}
}

// A board that is spoilt in its last cells is mended there, and a tail without
// a break needs no search.
func TestExhaustTail(t *testing.T) {
	p := puzzle.Official()
	built, err := construct.Beam(context.Background(), p, construct.Options{Order: "row-major", Width: 64, Seed: 2}, search.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, plan := Options{Watch: search.Nobody}, finishPlan{most: 1_000_000}
	exhaust := func(cells int) tailed {
		got, err := exhaustTail(context.Background(), o, plan, p, built, cells)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	whole := exhaust(12)
	b := puzzle.NewBoard(p)
	first, second := &built.Placements[p.Cells()-10], &built.Placements[p.Cells()-3] // at the rim
	first.Cell, second.Cell = second.Cell, first.Cell
	b.Load(built.Placements)
	lost := built.Score - b.Score()
	built.Score = b.Score()
	spoilt := exhaust(12)
	if lost <= 0 || !whole.Decided || !spoilt.Decided || spoilt.Own != whole.Own+lost || spoilt.Saved != whole.Saved+lost {
		t.Errorf("%d seams lost: %+v, then %+v", lost, whole, spoilt)
	}
	if none := exhaust(0); !none.Decided || none.Nodes > 0 {
		t.Errorf("no cells: %+v", none)
	}
	built.Score++
	if _, err := exhaustTail(context.Background(), o, plan, p, built, 12); err == nil {
		t.Error("a board whose score is wrong was accepted")
	}
}

// finishRuns are the seeds of the claims, where every finish gains and nothing
// else does.
func finishRuns(plan finishPlan) (runs []finishRun) {
	for i, seed := range finishSeeds {
		of := func(gain int) searched { return searched{450 + gain, 9, 1, 454 + gain} }
		run := finishRun{Seed: seed, Beam: of(0), Wide: of(0)}
		for _, gain := range []int{1 + i%2, 2, 3} {
			run.Finishes = append(run.Finishes, finished{searched: of(gain)})
		}
		for _, cells := range plan.tails {
			run.Tails = append(run.Tails, tailed{Cells: cells, Own: 5, Decided: true, Nodes: 9})
		}
		runs = append(runs, run)
	}
	return runs
}

func TestVerdictOfFinish(t *testing.T) {
	plan := planFinish(Options{Seeds: finishSeeds})
	const y, n, u = Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		change func([]finishRun) []finishRun
		wants  [6]Verdict // tails, three gains, against twice the width, after the polish
	}{
		"good":          {func(r []finishRun) []finishRun { return r }, [6]Verdict{y, y, y, y, y, y}},
		"one is left":   {func(r []finishRun) []finishRun { return r[:19] }, [6]Verdict{u, u, u, u, u, u}},
		"none":          {func([]finishRun) []finishRun { return nil }, [6]Verdict{u, u, u, u, u, u}},
		"a long tail":   {func(r []finishRun) []finishRun { r[3].Tails[7].Decided = false; return r }, [6]Verdict{n, y, y, y, y, y}},
		"a short tail":  {func(r []finishRun) []finishRun { r[3].Tails[6].Decided = false; return r }, [6]Verdict{y, y, y, y, y, y}},
		"a loss":        {func(r []finishRun) []finishRun { r[3].Finishes[1].Score = 449; return r }, [6]Verdict{y, y, n, y, y, y}},
		"a loss of two": {func(r []finishRun) []finishRun { r[3].Finishes[1].Score = 449; return r[:5] }, [6]Verdict{u, u, n, u, u, u}},
		"no gain": {func(r []finishRun) []finishRun {
			for i := range r {
				r[i].Finishes[2].Score = 450
			}
			return r
		}, [6]Verdict{y, y, y, n, y, y}},
		"one gain": {func(r []finishRun) []finishRun { // of twenty: the interval holds 0
			for i := range r[1:] {
				r[i].Finishes[0].Score = 450
			}
			return r
		}, [6]Verdict{y, n, y, y, y, y}},
		"a wide beam": {func(r []finishRun) []finishRun {
			for i := range r {
				r[i].Wide.Score = 452 + i%2
			}
			return r
		}, [6]Verdict{y, y, y, y, n, y}},
		"polished away": {func(r []finishRun) []finishRun {
			for i := range r {
				r[i].Finishes[0].Polished = 453 + i%3
			}
			return r
		}, [6]Verdict{y, y, y, y, y, n}},
	} {
		r := &Report{}
		reportFinish(r, c.change(finishRuns(plan)), plan)
		for i, want := range c.wants {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s (measured %s)", name, i, got, want, r.Findings[i].Measured)
			}
		}
	}
	// What is not as the claims have it refutes none of them.
	plan.whole = false
	r := &Report{}
	runs := finishRuns(plan)
	runs[0].Tails[8].Decided = false
	reportFinish(r, runs, plan)
	for _, f := range r.Findings {
		if f.Verdict != Untested || strings.Contains(f.Measured, "NaN") {
			t.Errorf("%+v", f)
		}
	}
}
