package study

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"lastmile/alns/repair"
	"lastmile/search"
	"lastmile/study/cost"
)

func TestAlnsRefill(t *testing.T) {
	r := quick(t, alnsRefill)
	for _, f := range r.Findings {
		if f.Verdict != Untested && !strings.Contains(f.Claim, "never worse") {
			t.Errorf("%s: %s (%s)", f.Claim, f.Verdict, f.Measured)
		}
	}
	if len(r.Findings) != 11 || len(r.Charts) != 5 || len(r.Tables) != 7 {
		t.Errorf("%d findings, %d charts, %d tables", len(r.Findings), len(r.Charts), len(r.Tables))
	}
	again := quick(t, alnsRefill)
	for i, table := range []Table{r.Tables[4], r.Tables[5]} { // those without a time
		if !reflect.DeepEqual(table.Rows, again.Tables[4+i].Rows) {
			t.Errorf("%s: first %v, then %v", table.Title, table.Rows, again.Tables[4+i].Rows)
		}
	}
}

func TestRefillStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	said := 0
	r, err := Run(ctx, alnsRefill, Options{Quick: true, Seeds: []uint64{1, 2}, Say: func(string) {
		if said++; said == 6 { // in the second seed
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Stopped || r.Verdict != Untested && r.Verdict != NotReproduced || len(r.Findings[0].Seeds) != 1 {
		t.Errorf("stopped %v, %s, seeds %v", r.Stopped, r.Verdict, r.Findings[0].Seeds)
	}
}

// A refill that is said to be optimal is held against every other, and against
// the board.
func TestProofs(t *testing.T) {
	names := []string{greedyRepair, assignmentRepair, exactRepair}
	said := func(verdict repair.Verdict, breaks int) cost.Filled {
		return cost.Filled{Verdict: verdict, Breaks: breaks}
	}
	var p proofs
	p.look("one", true, names, []cost.Filled{said(repair.Heuristic, 1), said(repair.Optimal, 0), said(repair.Optimal, 0)})
	p.look("two", true, names, []cost.Filled{said(repair.Heuristic, -1), said(repair.Fallback, 0), said(repair.Optimal, -1)})
	p.look("three", false, names, []cost.Filled{said(repair.Heuristic, 2), said(repair.Fallback, 1), said(repair.Fallback, 1)})
	if p != (proofs{Said: 3, Apart: 2, Decided: 1}) {
		t.Errorf("%+v", p)
	}
	p.look("four", false, names, []cost.Filled{said(repair.Heuristic, -2), said(repair.Fallback, 1), said(repair.Optimal, -1)})
	p.look("five", false, names, []cost.Filled{said(repair.Heuristic, 3), said(repair.Fallback, 1), said(repair.Optimal, 1)})
	if p.Broken != 2 || p.Worst != "four: greedy has 1 breaks less than exact" {
		t.Errorf("%+v", p)
	}
}

func TestTally(t *testing.T) {
	var a, b refillTally
	a.enter(9, cost.Filled{Breaks: -2, Verdict: repair.Optimal, Nanos: 5}, cost.Filled{Breaks: 1})
	a.enter(9, cost.Filled{Same: true}, cost.Filled{})
	b.enter(8, cost.Filled{Breaks: 3, Verdict: repair.Fallback}, cost.Filled{Breaks: 2})
	b.enter(8, cost.Filled{Verdict: repair.Optimal}, cost.Filled{Breaks: -1})
	a.add(b)
	want := refillTally{Holes: 4, Cells: 34, Breaks: 1, Gain: 2, Better: 1, Even: 1, Same: 1, Worse: 1, Optimal: 2, Fallbacks: 1, Below: 1, Above: 2, Refuted: 1, Nanos: 5}
	if a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
}

// refillsOf are measurements as the claims have them.
func refillsOf(t *testing.T, seeds int) *refills {
	t.Helper()
	plan, err := planRefill(Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := &refills{plan: plan, seeds: fromTo(1, uint64(seeds)), complete: seeds == refillSeeds}
	x.proofs = proofs{Said: 9, Apart: 5, Decided: 5}
	for _, kind := range []string{asPolish, scatteredHoles, connectedHoles} {
		for _, k := range plan.sizes {
			x.arms = append(x.arms, refillArm{kind, greedyRepair, k, plan.iterations})
			if k <= 20 && kind != asPolish {
				x.arms = append(x.arms, refillArm{kind, exactRepair, k, plan.fewer}, refillArm{kind, assignmentRepair, k, plan.fewer})
			}
		}
	}
	x.trials, x.cells = make([][]trial, len(x.arms)), make([][]float64, len(x.arms))
	for seed := range seeds {
		same := map[refillKey]refillTally{}
		for _, kind := range plan.kinds {
			for _, method := range []string{greedyRepair, assignmentRepair, exactRepair} {
				same[refillKey{recordBoard, kind.Name, kind.operators[0].Name, 4, method}] = refillTally{Holes: 7, Cells: 28, Nanos: 7000}
			}
		}
		x.same = append(x.same, same)
		grown := map[growthKey][]grownHole{}
		for _, operator := range plan.growing {
			for _, k := range plan.growths[:6] {
				grown[growthKey{operator.Name, k}] = []grownHole{{k, k / 2}, {k, (k + seed%2) / 2}}
			}
		}
		x.grown = append(x.grown, grown)
		for i, a := range x.arms {
			gain := 1 + seed%2
			switch {
			case a.method != greedyRepair:
				gain += 2
			case a.k < largeHole:
				gain++
			}
			x.trials[i] = append(x.trials[i], trial{Start: 440, AtIterations: 440 + gain, AtTime: 440 + gain, Curve: []int{440 + gain}, InTime: 1000, repairs: search.Repair{Uses: 1}})
			x.cells[i] = append(x.cells[i], float64(a.k))
		}
	}
	return x
}

// each changes the trials of some loops.
func (x *refills) each(change func(a refillArm, t *trial)) {
	for i, a := range x.arms {
		for j := range x.trials[i] {
			change(a, &x.trials[i][j])
		}
	}
}

func TestVerdictOfRefill(t *testing.T) {
	const y, n, u = Reproduced, NotReproduced, Untested
	good := [11]Verdict{y, y, y, y, y, y, y, y, y, y, y}
	but := func(v Verdict, claims ...int) [11]Verdict {
		wants := good
		for _, i := range claims {
			wants[i] = v
		}
		return wants
	}
	spoil := func(method, kind string, change func(*refillTally)) func(*refills) {
		return func(x *refills) {
			for key, tally := range x.same[3] {
				if key.method == method && key.kind == kind {
					change(&tally)
					x.same[3][key] = tally
				}
			}
		}
	}
	grow := func(exponent func(k int) float64) func(*refills) {
		return func(x *refills) {
			for _, grown := range x.grown {
				for key := range grown {
					if e := exponent(key.k); key.operator == squareHoles {
						// Of two holes, so that the mean has halves.
						grown[key] = []grownHole{{key.k, int(e)}, {key.k, int(e + 0.5)}}
					}
				}
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*refills)
		wants  [11]Verdict // proofs, apart, assignment, exact, growth, large by iterations and time, exact by both, assignment by both
	}{
		"as claimed":         {func(*refills) {}, good},
		"a broken proof":     {func(x *refills) { x.proofs.Broken = 1 }, but(n, 0)},
		"a hole undecided":   {func(x *refills) { x.proofs.Decided-- }, but(n, 1)},
		"assignment worse":   {spoil(assignmentRepair, scatteredHoles, func(t *refillTally) { t.Above = 1 }), but(n, 2)},
		"exact worse":        {spoil(exactRepair, connectedHoles, func(t *refillTally) { t.Above = 1 }), but(n, 3)},
		"worse elsewhere":    {spoil(exactRepair, scatteredHoles, func(t *refillTally) { t.Above = 1 }), good},
		"nodes by power":     {grow(func(k int) float64 { return 4 * math.Log2(float64(k)) }), but(n, 4)},
		"nodes alike":        {grow(func(int) float64 { return 5 }), but(n, 4)},
		"nodes beyond limit": {grow(func(int) float64 { return 18 }), but(u, 4)},
		"large holes pay": {func(x *refills) {
			x.each(func(a refillArm, t *trial) {
				if a.kind == asPolish && a.k == 60 {
					t.AtIterations += 2
				}
			})
		}, but(n, 5)},
		"large holes pay in time": {func(x *refills) {
			x.each(func(a refillArm, t *trial) {
				if a.kind == asPolish && a.k == 80 {
					t.AtTime++
				}
			})
		}, but(n, 6)},
		"other large holes": {func(x *refills) {
			x.each(func(a refillArm, t *trial) {
				if a.kind == scatteredHoles && a.k >= 40 {
					t.AtIterations, t.AtTime = t.AtIterations+2, t.AtTime+2
				}
			})
		}, good},
		"exact is slow": {func(x *refills) {
			x.each(func(a refillArm, t *trial) {
				if a.method == exactRepair {
					t.AtTime = t.Start
				}
			})
		}, but(n, 8)},
		"another time": {func(x *refills) {
			x.plan.time = 2 * refillTime
			x.each(func(_ refillArm, t *trial) { t.AtTime = t.Start })
		}, but(u, 6, 8, 10)},
		"assignment is no better": {func(x *refills) {
			x.each(func(a refillArm, t *trial) {
				if a.method == assignmentRepair {
					t.Curve[0], t.AtTime = t.Curve[0]-1, t.AtTime-1
				}
			})
		}, but(n, 9, 10)},
	} {
		x := refillsOf(t, refillSeeds)
		c.change(x)
		r := &Report{}
		x.report(r)
		for i, want := range c.wants {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s (measured %s)", name, i, got, want, r.Findings[i].Measured)
			}
		}
	}
	// A part of the seeds confirms nothing, and refutes only what one case can.
	for _, seeds := range []int{0, 4} {
		x := refillsOf(t, seeds)
		x.each(func(_ refillArm, t *trial) { t.AtIterations, t.AtTime, t.Curve[0] = t.Start, t.Start, t.Start })
		r := &Report{}
		x.report(r)
		for i, f := range r.Findings {
			if f.Verdict != u || strings.Contains(f.Measured, "NaN") {
				t.Errorf("%d seeds, claim %d: %+v", seeds, i, f)
			}
		}
	}
}

func TestLineThrough(t *testing.T) {
	slope, left := lineThrough([]float64{1, 2, 3}, []float64{5, 7, 9})
	if math.Abs(slope-2) > 1e-12 || math.Abs(left) > 1e-12 {
		t.Errorf("slope %v, left %v", slope, left)
	}
	if slope, left = lineThrough([]float64{-1, 0, 1}, []float64{0, 3, 0}); math.Abs(slope) > 1e-12 || math.Abs(left-2) > 1e-12 {
		t.Errorf("slope %v, left %v", slope, left)
	}
}
