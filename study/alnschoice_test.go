package study

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"lastmile/alns"
	"lastmile/alns/destroy"
	"lastmile/search"
)

func TestAlnsPortfolio(t *testing.T) {
	r := quick(t, alnsPortfolio)
	if len(r.Findings) != 6 {
		t.Errorf("%d findings", len(r.Findings))
	}
	allUntested(t, r)
	if rows := len(r.Tables[0].Rows); rows != 11+10+9+8+7 {
		t.Errorf("%d sets tried in choosing", rows)
	}
	if rows := len(r.Tables[2].Rows); rows != len(destroy.Operators) {
		t.Errorf("%d operators", rows)
	}
}

func TestAlnsTemperature(t *testing.T) {
	r := quick(t, alnsTemperature)
	if len(r.Findings) != 6 {
		t.Errorf("%d findings", len(r.Findings))
	}
	allUntested(t, r)
	if rows := len(r.Tables[2].Rows); rows != 9*3 {
		t.Errorf("%d shares of moves", rows)
	}
}

func TestPolishDefault(t *testing.T) {
	r := quick(t, polishDefault)
	if len(r.Findings) != len(choices()) {
		t.Errorf("%d findings", len(r.Findings))
	}
	allUntested(t, r)
	if rows, want := len(r.Tables[0].Rows), planDefault(Options{}); rows != want.comparisons() {
		t.Errorf("%d rivals, want %d", rows, want.comparisons())
	}
}

func allUntested(t *testing.T, r *Report) {
	t.Helper()
	for _, f := range r.Findings {
		if f.Verdict != Untested || f.Note == "" {
			t.Errorf("%s: %s, note %q", f.Claim, f.Verdict, f.Note)
		}
	}
}

// The fake gives each operator a worth; b and d are worth nothing once c is
// there, and e is worth as much as f.
func TestForwardSelectionForPortfolio(t *testing.T) {
	worth := map[string]float64{"a": 1, "b": 4, "c": 5, "d": 3, "e": 2, "f": 2}
	evaluated := 0
	evaluate := func(sets [][]string) (scores []Summary, err error) {
		for _, set := range sets {
			sum := 0.0
			for _, name := range set {
				if slices.Contains(set, "c") && (name == "b" || name == "d") {
					continue
				}
				sum += worth[name]
			}
			scores = append(scores, Summarise([]float64{sum}))
			evaluated++
		}
		return scores, nil
	}
	names := []string{"a", "b", "c", "d", "e", "f"}
	chosen, tries, err := forward(names, 4, evaluate)
	if err != nil || !slices.Equal(chosen, []string{"c", "e", "f", "a"}) {
		t.Errorf("chosen %v, %v", chosen, err)
	}
	if evaluated != 6+5+4+3 || len(tries) != evaluated {
		t.Errorf("%d sets evaluated, %d in the table", evaluated, len(tries))
	}
	if got := lowest(tries, chosen, 5); !slices.Equal(got, []string{"d", "b"}) {
		t.Errorf("worst %v", got)
	}
	if chosen, _, _ := forward(names[:2], 4, evaluate); !slices.Equal(chosen, []string{"b", "a"}) {
		t.Errorf("of two, chosen %v", chosen)
	}
	// Cut short in the second step, it has one.
	chosen, tries, err = forward(names, 4, func(sets [][]string) ([]Summary, error) {
		if len(sets[0]) == 2 {
			return nil, nil
		}
		return evaluate(sets)
	})
	if err != nil || len(chosen) != 1 || len(tries) != 6 {
		t.Errorf("cut short: %v, %d tries, %v", chosen, len(tries), err)
	}
}

// madeContest has trials of the given scores above a start of 440, which differ
// by noise from board to board, the same for all contenders but for a jitter.
func madeContest(families []family, contenders []contender, boards int, jitter float64, score func(f family, d contender) float64) contest {
	c := contest{Families: families, Contenders: contenders, Plan: trialPlan{Iterations: 1000}, trials: map[[2]string][]trial{}}
	for i := range boards {
		c.seeds = append(c.seeds, uint64(i+1))
	}
	for _, f := range families {
		for k, d := range contenders {
			for i := range boards {
				noise := jitter * math.Sin(float64(7*i+3*k)) // alike, and of mean about 0
				best := 440 + i%3 + int(math.Round(score(f, d)+noise))
				c.trials[[2]string{f.Name, d.Name}] = append(c.trials[[2]string{f.Name, d.Name}], trial{
					Seed: uint64(i + 1), Start: 440, AtIterations: best, AtTime: best, Seconds: 1,
					operators: []search.Operator{{Name: "random-cells", Uses: 100, Accepted: 70, Improved: 1}},
				})
			}
		}
	}
	return c
}

// made are families of no boards.
func made(names ...string) (all []family) {
	for _, name := range names {
		all = append(all, family{Name: name})
	}
	return all
}

func verdictsOf(r *Report) (all []Verdict) {
	for _, f := range r.Findings {
		all = append(all, f.Verdict)
	}
	return all
}

func TestVerdictOfPortfolio(t *testing.T) {
	const y, n, u = Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		// five, all, worst, five equally, all equally
		scores   [5]float64
		complete bool
		boards   int
		wants    []Verdict // time, iterations, mediocre, worst, learning, dilution
	}{
		"as the page has it":  {[5]float64{8, 5, 2, 4, 3}, true, 20, []Verdict{y, y, y, y, y, y}},
		"all are better":      {[5]float64{5, 8, 2, 5, 4}, true, 20, []Verdict{n, n, n, y, y, n}},
		"no difference":       {[5]float64{5, 5, 5, 5, 5}, true, 20, []Verdict{n, n, n, n, n, n}},
		"weights teach wrong": {[5]float64{8, 5, 2, 8, 7}, true, 20, []Verdict{y, y, y, y, n, y}},
		"a part":              {[5]float64{8, 5, 2, 4, 3}, false, 20, []Verdict{u, u, u, u, u, u}},
		"a part, contrary":    {[5]float64{5, 8, 9, 9, 9}, false, 20, []Verdict{u, u, u, u, u, u}},
		"nothing":             {[5]float64{}, false, 0, []Verdict{u, u, u, u, u, u}},
	} {
		names := destroy.Names()
		x := newPortfolio(portfolioPlan{near: made("a", "b"), far: made("c")})
		x.chosen = names[:curated]
		for i, name := range names {
			x.tries = append(x.tries, tried{1, name, Summarise([]float64{float64(i)}), i == 0})
		}
		x.enter()
		x.contest = madeContest(x.contest.Families, x.contest.Contenders, c.boards, 1, func(_ family, d contender) float64 {
			i := slices.IndexFunc(x.contest.Contenders, func(e contender) bool { return e.Name == d.Name })
			return append(c.scores[:], 0)[i]
		})
		r := &Report{}
		x.report(r, c.complete)
		if got := verdictsOf(r); !slices.Equal(got, c.wants) {
			t.Errorf("%s: %v, want %v", name, got, c.wants)
			for _, f := range r.Findings {
				t.Logf("%s: %s (%s)", f.Claim, f.Measured, f.Note)
			}
		}
	}
}

// temperaturesOf are trials whose scores follow from boards and temperature: a
// and b are near the top, b the nearer, c are mediocre.
func temperaturesOf(boards int, jitter float64, score func(boards string, t float64) float64) *temperatures {
	x := newTemperatures(temperaturePlan{temperatures: []float64{0.05, 0.1, 0.5, plainT, 1}, near: made("a", "b"), far: made("c")[0]})
	x.contest = madeContest(x.contest.Families, x.contest.Contenders, boards, jitter, func(f family, d contender) float64 {
		return score(f.Name, d.Options.Accepting.Temperature)
	})
	return x
}

func TestVerdictOfTemperature(t *testing.T) {
	const y, n, u = Reproduced, NotReproduced, Untested
	flat := func(string, float64) float64 { return 5 }
	steep := func(_ string, t float64) float64 { return 10 * t }
	flatOn := func(boards string, upTo float64) func(string, float64) float64 {
		return func(name string, t float64) float64 {
			if strings.Contains(boards, name) && t <= upTo {
				return 5
			}
			return 10 * t
		}
	}
	for name, c := range map[string]struct {
		x        *temperatures
		complete bool
		wants    []Verdict // b the same by iterations, by time; a so; mediocre alone; accepted
	}{
		"flat":            {temperaturesOf(15, 0, flat), true, []Verdict{y, y, y, y, n, n}},
		"steep":           {temperaturesOf(15, 1, steep), true, []Verdict{n, n, n, n, n, n}},
		"mediocre alone":  {temperaturesOf(15, 0, flatOn("ab", 1)), true, []Verdict{y, y, y, y, y, n}},
		"in one range":    {temperaturesOf(15, 0, flatOn("ab", 0.5)), true, []Verdict{y, y, y, y, y, n}},
		"at the very top": {temperaturesOf(15, 0, flatOn("b", 1)), true, []Verdict{y, y, n, n, y, n}},
		"too much noise":  {temperaturesOf(15, 4, flat), true, []Verdict{u, u, u, u, u, n}},
		"a part":          {temperaturesOf(15, 1, steep), false, []Verdict{u, u, u, u, u, u}},
		"nothing":         {temperaturesOf(0, 0, steep), false, []Verdict{u, u, u, u, u, u}},
	} {
		r := &Report{}
		c.x.report(r, c.complete)
		if got := verdictsOf(r); !slices.Equal(got, c.wants) {
			t.Errorf("%s: %v, want %v", name, got, c.wants)
			for _, f := range r.Findings {
				t.Logf("%s: %s (%s)", f.Claim, f.Measured, f.Note)
			}
		}
	}
	// Practically every move is accepted.
	x := temperaturesOf(15, 0, flat)
	for _, trials := range x.contest.trials {
		for i := range trials {
			trials[i].operators[0].Accepted = 95
		}
	}
	r := &Report{}
	x.report(r, true)
	if got := r.Findings[5].Verdict; got != Reproduced {
		t.Errorf("95 %% accepted: %s", got)
	}
}

func TestTemperatureBoundsLosingMoves(t *testing.T) {
	// Half of the moves lose one seam and are accepted with q = 1/2, so that a
	// quarter of all is rejected and as many are accepted.
	if got := mostLosing(0.25, 1/math.Ln2); math.Abs(got-0.25) > 1e-12 {
		t.Errorf("%v, want 0.25", got)
	}
	if got := mostLosing(0.9, 1e9); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("%v, want the 0.1 that are accepted", got)
	}
}

func TestVerdictOfPolishDefault(t *testing.T) {
	const y, n, u = Reproduced, NotReproduced, Untested
	choose := []choice{{Name: "colour", Rivals: []contender{{Name: "red"}, {Name: "blue"}}}, {Name: "speed", Slow: true, Rivals: []contender{{Name: "slow"}}}}
	for name, c := range map[string]struct {
		red, blue, slow, jitter float64
		whole                   bool
		wants                   []Verdict
	}{
		"the default is best": {-3, -2, -4, 1, true, []Verdict{y, y}},
		"red is better":       {2, -2, -4, 1, true, []Verdict{n, y}},
		"slow is better":      {-2, -2, 3, 1, true, []Verdict{y, n}},
		"as good":             {0, 0, 0, 0, true, []Verdict{y, y}},
		"too much noise":      {0, 0, 0, 5, true, []Verdict{u, u}},
		"a part":              {2, -2, -4, 1, false, []Verdict{u, u}},
	} {
		x := newDefaults(defaultPlan{choices: choose, families: made("a", "b", "c"), whole: c.whole})
		score := func(_ family, d contender) float64 {
			return map[string]float64{"red": c.red, "blue": c.blue, "slow": c.slow}[d.Name] + 5
		}
		x.swift = madeContest(x.swift.Families, x.swift.Contenders, len(defaultSeeds), c.jitter, score)
		x.slow = madeContest(x.slow.Families, x.slow.Contenders, len(defaultSeeds), c.jitter, score)
		r := &Report{}
		x.report(r)
		if got := verdictsOf(r); !slices.Equal(got, c.wants) {
			t.Errorf("%s: %v, want %v", name, got, c.wants)
			for _, f := range r.Findings {
				t.Logf("%s: %s (%s)", f.Claim, f.Measured, f.Note)
			}
		}
	}
}

// The interval of one of many comparisons is wider, and that of one alone is
// the 95 % interval.
func TestPolishDefaultGuard(t *testing.T) {
	s := Summarise([]float64{1, 2, 4, 3, 5, 2, 1, 3, 2, 4})
	low, high := guarded(s, 1)
	if math.Abs(low-s.Lowest) > 1e-9 || math.Abs(high-s.Highest) > 1e-9 {
		t.Errorf("one comparison: %v to %v, want %v to %v", low, high, s.Lowest, s.Highest)
	}
	// t with 9 degrees of freedom stays within 4.781 with probability 0.999.
	if low, _ := guarded(s, 50); math.Abs(low-(s.Mean-4.7809*s.Error)) > 1e-3 {
		t.Errorf("50 comparisons: from %v, want %v", low, s.Mean-4.7809*s.Error)
	}
}

// Rules that cool reach the end of both bounds, each in a run of its own.
func TestPolishDefaultCools(t *testing.T) {
	s, err := beamStarts(16).Of(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	o := alns.Options{Acceptance: "cooling", Seed: 1}
	alone, err := runTrial(context.Background(), s, o, trialPlan{Iterations: 3000})
	if err != nil {
		t.Fatal(err)
	}
	both, err := runBounds(context.Background(), s, o, trialPlan{Iterations: 3000, Time: 1})
	if err != nil {
		t.Fatal(err)
	}
	if both.AtIterations != alone.AtIterations || both.AtTime > alone.AtIterations || both.InTime >= 3000 {
		t.Errorf("both %d and %d, after %d iterations; alone %d", both.AtIterations, both.AtTime, both.InTime, alone.AtIterations)
	}
}

// A family may run fewer seeds than the others.
func TestPortfolioRunsFewerSeeds(t *testing.T) {
	a, b := beamStarts(16), beamStarts(32)
	c := contest{Families: []family{a, b}, Contenders: []contender{theDefault}, Plan: trialPlan{Iterations: 10}, Fewer: map[string]int{b.Name: 1}}
	if err := c.run(context.Background(), fromTo(1, 3), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if len(c.of(a, theDefault)) != 3 || len(c.of(b, theDefault)) != 1 || len(c.on(c.Families, theDefault)) != 4 {
		t.Errorf("%d and %d trials", len(c.of(a, theDefault)), len(c.of(b, theDefault)))
	}
	if note := contestNote(c); !strings.Contains(note, "beam 32 (the first 1 seeds)") {
		t.Error(note)
	}
}

// A study of choices that is stopped in the middle tests nothing, and says so.
func TestPortfolioTemperaturePolishDefaultStopped(t *testing.T) {
	for _, s := range []Study{alnsPortfolio, alnsTemperature, polishDefault} {
		for _, at := range []int{1, 4} {
			ctx, cancel := context.WithCancel(context.Background())
			said := 0
			r, err := Run(ctx, s, Options{Quick: true, Seeds: fromTo(1, 2), Say: func(string) {
				if said++; said == at {
					cancel()
				}
			}})
			cancel()
			if err != nil || !r.Stopped || r.Verdict != Untested {
				t.Errorf("%s, stopped at line %d: stopped %v, %s, %v", s.Name, at, r.Stopped, r.Verdict, err)
			}
		}
	}
}

// Boards that the default solves are not those that rivals are judged by.
func TestPolishDefaultSolvedBoards(t *testing.T) {
	x := newDefaults(defaultPlan{choices: []choice{{Name: "colour", Rivals: []contender{{Name: "red"}}}}, families: made("hard", "easy"), whole: true})
	x.swift = madeContest(x.swift.Families, x.swift.Contenders, len(defaultSeeds), 0, func(f family, d contender) float64 {
		if f.Name == "hard" && d.Name == "red" {
			return 7
		}
		return 5
	})
	for _, d := range x.swift.Contenders {
		trials := x.swift.of(x.swift.Families[1], d)
		for i := range trials {
			trials[i].Solved, trials[i].gains = true, []gain{{100, 0.1, 470}, {200 + int64(i), 0.2, 480}}
		}
	}
	points := x.points()
	if len(points) != 1 || points[0].Time.N != len(defaultSeeds) || points[0].Time.Mean != 2 {
		t.Errorf("%+v", points)
	}
	// Where it solves all, nothing is judged.
	x.plan.families, x.swift.Families = x.plan.families[1:], x.swift.Families[1:]
	r := &Report{}
	x.report(r)
	if f := r.Findings[0]; f.Verdict != Untested || f.Measured != "nothing" {
		t.Errorf("nothing left to judge by: %+v", f)
	}
	rows := x.swift.solved()
	if len(rows) != 2 || rows[1].Iterations.Min != 200 || rows[1].Runs != len(defaultSeeds) {
		t.Errorf("%+v", rows)
	}
}
