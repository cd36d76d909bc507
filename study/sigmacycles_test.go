package study

import (
	"context"
	"strings"
	"testing"

	"lastmile/cycles"
)

func TestSigmaCycles(t *testing.T) {
	r := reduced(t, sigmaCycles)
	// Two records are enough to refute, and no reduced run confirms.
	expect(t, r, map[string]Verdict{"record boards": Untested, "boards of solve": Untested, "one interlaced loop": NotReproduced, "boundary": Untested})
	if pairs := len(r.Tables[0].Rows); pairs != 6 {
		t.Errorf("%d pairs of records, want 6", pairs)
	}
	groups := r.Tables[1].Data.([]cycleSum)
	n := 0
	for _, g := range groups {
		n += g.N
	}
	if boards := 3 + 2; n != boards*(boards-1) || len(groups) != 5 {
		t.Errorf("%d pairs in %d groups", n, len(groups))
	}
	if len(r.Charts) != 1 || len(r.Charts[0].Series) == 0 {
		t.Errorf("%d charts", len(r.Charts))
	}
}

// A second run from the same seed says the same.
func TestSigmaCyclesIsReproducible(t *testing.T) {
	a, b := reduced(t, sigmaCycles), reduced(t, sigmaCycles)
	for i := range a.Findings {
		if a.Findings[i].Measured != b.Findings[i].Measured {
			t.Errorf("%q, then %q", a.Findings[i].Measured, b.Findings[i].Measured)
		}
	}
}

func TestSigmaCyclesStopped(t *testing.T) {
	for _, at := range []int{1, 2, 3, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		said := 0
		r, err := Run(ctx, sigmaCycles, Options{Quick: true, Seeds: []uint64{1}, Say: func(string) {
			if said++; said == at {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if !r.Stopped || len(r.Findings) != 4 {
			t.Errorf("stopped %v, %d findings", r.Stopped, len(r.Findings))
		}
		for _, f := range r.Findings {
			if f.Verdict == Reproduced {
				t.Errorf("a stopped run confirms that %s", f.Claim)
			}
		}
	}
}

func TestVerdictOfSigmaCycles(t *testing.T) {
	r9, r5 := 0.95, 0.5
	pair := cyclePair{A: "a", B: "b", Start: 460, Lengths: []int{12}, All: cycles.Tally{Tested: 120, Best: 459}, Subsets: cycles.Tally{Tested: 2}, Correlation: &r9}
	reached, loose, whole := pair, pair, pair
	reached.All.AtLeastStart, reached.All.Best = 1, 460
	loose.Correlation = &r5
	whole.Subsets.AtLeastStart = 1
	full := cyclesDone{records: true, all: true}
	for name, c := range map[string]struct {
		records, others []cyclePair
		done            cyclesDone
		want            [4]Verdict // records, solve, subsets, boundary
	}{
		"as published":         {[]cyclePair{pair}, []cyclePair{pair}, full, [4]Verdict{Reproduced, Reproduced, Reproduced, Reproduced}},
		"a record reaches":     {[]cyclePair{reached}, nil, full, [4]Verdict{NotReproduced, NotReproduced, Reproduced, Reproduced}},
		"another reaches":      {[]cyclePair{pair}, []cyclePair{reached}, full, [4]Verdict{Reproduced, NotReproduced, Reproduced, Reproduced}},
		"another, quick":       {[]cyclePair{pair}, []cyclePair{reached}, cyclesDone{quick: true}, [4]Verdict{Untested, Untested, Untested, Untested}},
		"a subset reaches":     {[]cyclePair{whole}, nil, full, [4]Verdict{Reproduced, Reproduced, NotReproduced, Reproduced}},
		"loose":                {[]cyclePair{pair, loose}, nil, full, [4]Verdict{Reproduced, Reproduced, Reproduced, NotReproduced}},
		"cut short":            {[]cyclePair{pair}, nil, cyclesDone{}, [4]Verdict{Untested, Untested, Untested, Untested}},
		"cut short, refuted":   {[]cyclePair{reached, loose}, nil, cyclesDone{}, [4]Verdict{NotReproduced, NotReproduced, Untested, NotReproduced}},
		"nothing was measured": {nil, nil, cyclesDone{}, [4]Verdict{Untested, Untested, Untested, Untested}},
	} {
		r := &Report{}
		reportCycles(r, c.records, c.others, nil, c.done)
		for i, want := range c.want {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s", name, i, got, want)
			}
			if c.records == nil && r.Findings[i].Measured != "nothing" {
				t.Errorf("%s, claim %d: measured %s", name, i, r.Findings[i].Measured)
			}
		}
	}
}

// The published count is that of one start a cycle: the bundled records, other
// boards of the same kind, have as many a pair within a tenth.
func TestPublishedPrefixesAreOfOneStart(t *testing.T) {
	boards := recordCycleBoards()
	pairs, first := 0, 0
	for i, a := range boards {
		for k, b := range boards {
			if i == k {
				continue
			}
			x, err := comparePair(a, b)
			if err != nil {
				t.Fatal(err)
			}
			pairs++
			first += x.First.Tested
			if x.First.AtLeastStart+x.All.AtLeastStart > 0 {
				t.Errorf("%s to %s: %+v", a.name, b.name, x.All)
			}
			if !strings.HasPrefix(x.A, a.name) || x.Moved+x.Turned+x.Fixed != 256 {
				t.Errorf("%+v", x)
			}
		}
	}
	ratio := float64(first) / float64(pairs) / (float64(publishedPrefixes) / publishedPairs)
	if ratio < 0.9 || ratio > 1.1 {
		t.Errorf("%.2f times as many prefixes a pair as published", ratio)
	}
}
