package study

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

func TestInParallel(t *testing.T) {
	for k := 1; k <= 3; k++ {
		var running, most, done atomic.Int32
		seen := make([]atomic.Int32, 20)
		err := inParallel(context.Background(), len(seen), k, func(i int) error {
			n := running.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Millisecond)
			seen[i].Add(1)
			done.Add(1)
			running.Add(-1)
			return nil
		})
		if err != nil || int(most.Load()) > k || done.Load() != 20 {
			t.Errorf("%d at a time: %d at once, %d done, %v", k, most.Load(), done.Load(), err)
		}
		for i := range seen {
			if n := seen[i].Load(); n != 1 {
				t.Errorf("%d at a time: job %d was done %d times", k, i, n)
			}
		}
	}
	wrong := errors.New("wrong")
	last := 0
	if err := inParallel(context.Background(), 9, 1, func(i int) error { last = i; return map[int]error{3: wrong}[i] }); !errors.Is(err, wrong) || last != 3 {
		t.Errorf("%v, stopped after job %d, want the error of job 3", err, last)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := inParallel(ctx, 9, 1, func(i int) error { last = i; cancel(); return nil }); err != nil || last != 0 {
		t.Errorf("%v, stopped after job %d, want 0", err, last)
	}
}

// scoring is an ablation of two arms that score as told, by seed.
func scoring(t *testing.T, seeds []uint64, score func(arm int, seed uint64) int) *ablation {
	t.Helper()
	a := &ablation{Clues: []string{"none"}, Arms: []string{"all", "less"}, Side: 1}
	a.runs = [][][]armRun{{nil, nil}}
	for _, seed := range seeds {
		for arm := range a.Arms {
			a.runs[0][arm] = append(a.runs[0][arm], armRun{Clues: "none", Arm: a.Arms[arm], Seed: seed, Score: score(arm, seed)})
		}
		a.seeds = append(a.seeds, seed)
	}
	return a
}

func TestVerdictOfArms(t *testing.T) {
	for name, c := range map[string]struct {
		less     func(seed uint64) int // by how much the arm is below the first
		complete bool
		want     Verdict
	}{
		"worse":                {func(s uint64) int { return 2 + int(s%2) }, true, Reproduced},
		"better":               {func(s uint64) int { return -2 - int(s%2) }, true, NotReproduced},
		"either":               {func(s uint64) int { return int(s%3) - 1 }, true, Untested},
		"worse, not complete":  {func(s uint64) int { return 2 + int(s%2) }, false, Untested},
		"better, not complete": {func(s uint64) int { return -2 - int(s%2) }, false, Untested},
	} {
		a := scoring(t, fromTo(1, 9), func(arm int, seed uint64) int { return 450 + int(5*seed%7) - arm*c.less(seed) })
		r := &Report{}
		judgeArms(r, a, map[string]string{"less": "more is better"}, c.complete)
		if len(r.Findings) != 1 || r.Findings[0].Verdict != c.want || r.Findings[0].Measured == "nothing" {
			t.Errorf("%s: %+v, want %s", name, r.Findings, c.want)
		}
	}
	r := &Report{}
	judgeArms(r, scoring(t, nil, nil), map[string]string{"less": "more is better"}, true)
	if r.Findings[0].Verdict != Untested || r.Findings[0].Measured != "nothing" {
		t.Errorf("no seeds: %+v", r.Findings)
	}
}

func TestArmEffects(t *testing.T) {
	a := scoring(t, []uint64{1, 2, 3}, func(arm int, seed uint64) int { return 450 - arm*int(seed) })
	effects := a.effects()
	if len(effects) != 2 || effects[0].More.Mean != 0 || effects[1].More.Mean != -2 || effects[1].Score.Mean != 448 || effects[1].More.SD != 1 {
		t.Errorf("%+v", effects)
	}
	c := armChart("", effects)
	if len(c.Series) != 1 || len(c.Series[0].Y) != 1 || c.Series[0].Y[0] != -2 {
		t.Errorf("%+v", c)
	}
	if n := len(a.every()); n != 6 {
		t.Errorf("%d runs, want 6", n)
	}
}

// A board that does not score as said ends an ablation.
func TestAblationCountsAgain(t *testing.T) {
	lie := 0
	a := &ablation{Clues: []string{"five"}, Arms: []string{"dealt"}, Side: 1, Run: func(_ context.Context, p *puzzle.Puzzle, _ int, seed uint64) (armRun, []puzzle.Placement, error) {
		board := dealt(p, seed)
		return armRun{Score: p.Look(board).Tally().Matched + lie}, board, nil
	}}
	if err := a.run(context.Background(), []uint64{4, 5}, func(string) {}); err != nil || len(a.seeds) != 2 || a.runs[0][0][1].Seed != 5 {
		t.Errorf("%v, seeds %v", err, a.seeds)
	}
	if lie = 1; a.run(context.Background(), []uint64{4}, func(string) {}) == nil {
		t.Error("a board that scores less than said was believed")
	}
}

func TestSolveAblation(t *testing.T) {
	r := quick(t, solveAblation)
	every(t, r, map[string]Verdict{"clues five": Untested, "clues none": Untested})
	arms := len(solveArms())
	if n := len(r.Tables[0].Rows); n != 2*arms || len(r.Findings) != 2*(arms-1) {
		t.Errorf("%d rows and %d findings of %d arms", n, len(r.Findings), arms)
	}
	for _, arm := range solveArms() {
		if err := arm.Options.Check(); err != nil {
			t.Errorf("%s: %v", arm.Name, err)
		}
	}
}

func TestBeamAblation(t *testing.T) {
	r := quick(t, beamAblation)
	every(t, r, map[string]Verdict{"alike colours": Untested, "look ahead": Untested, "4 GiB": Untested})
	wide := r.Tables[2].Data.([]wideRun)[0]
	if wide.Stated <= 0 || wide.Peak < uint64(wide.Stated) {
		t.Errorf("%+v: the process has less than its beam", wide)
	}
}

func TestDepthFirst(t *testing.T) {
	r := quick(t, depthFirst)
	every(t, r, map[string]Verdict{"million": Untested, "early": Untested, "pilots": Untested})
	for _, x := range r.Tables[1].Data.([]armEffect) {
		if x.Nodes.Mean != float64(planDives(Options{Quick: true}).nodes) {
			t.Errorf("%s, %s: %v nodes", x.Clues, x.Arm, x.Nodes.Mean)
		}
	}
}

// The speed is that of the processor, however long others had it.
func TestDiveSpeed(t *testing.T) {
	p, err := withClues("starter")
	if err != nil {
		t.Fatal(err)
	}
	x, err := diveSpeed(context.Background(), p, construct.DepthFirstOptions{Seed: 3, Strict: true, Restart: 1 << 20}, search.Nobody)
	if err != nil || x.Nodes < 1 || x.Nodes > 2<<20 || x.Processor <= 0 || x.Rate != float64(x.Nodes)/x.Processor {
		t.Errorf("%+v, %v", x, err)
	}
	_, rate, clock := divesOf([]diveRate{{Kind: "a", Nodes: 6, Seconds: 3, Rate: 5}, {Kind: "b"}}, "a")
	if len(rate) != 1 || rate[0] != 5 || clock[0] != 2 {
		t.Errorf("rates %v, by the clock %v", rate, clock)
	}
}

func TestVerdictOfDives(t *testing.T) {
	for name, c := range map[string]struct {
		rate float64
		n    uint64
		want [2]Verdict
	}{
		"fast":      {95e6, 10, [2]Verdict{Reproduced, Reproduced}},
		"middling":  {70e6, 10, [2]Verdict{Reproduced, NotReproduced}},
		"slow":      {50e6, 10, [2]Verdict{NotReproduced, NotReproduced}},
		"cut short": {95e6, 9, [2]Verdict{Untested, Untested}},
		"none":      {0, 0, [2]Verdict{Untested, Untested}},
	} {
		rates := []diveRate{{Kind: "strict", Rate: 1}}
		for seed := uint64(1); seed <= c.n; seed++ {
			rates = append(rates, diveRate{Kind: withBreaks, Seed: seed, Rate: c.rate})
		}
		r := &Report{}
		judgeDives(r, rates, planDives(Options{}))
		for i, want := range c.want {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s", name, i, got, want)
			}
		}
	}
}
