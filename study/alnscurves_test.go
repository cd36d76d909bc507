package study

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"lastmile/alns"
	"lastmile/puzzle"
)

func TestAlnsFlattening(t *testing.T) {
	r := quick(t, alnsFlattening)
	expect(t, r, map[string]Verdict{"dozens": Untested, "ten times longer": Untested, "0.7 iterations": Untested})
	if steps := r.Tables[1].Data.([]flatStep); steps[0].From != 0 || steps[0].To != 2 || steps[4].To != 20_000 || steps[5].From != 0 {
		t.Errorf("steps %+v", steps)
	}
}

func TestAlnsTightness(t *testing.T) {
	r := quick(t, alnsTightness)
	expect(t, r, map[string]Verdict{"most of the distance": Untested, "saturates": Untested})
}

func TestAlnsLift(t *testing.T) {
	r := quick(t, alnsLift)
	expect(t, r, map[string]Verdict{"2,000 iterations": Untested, "20,000 iterations": Untested, "0.05 s": Untested})
}

func TestAlnsRecovery(t *testing.T) {
	r := quick(t, alnsRecovery)
	expect(t, r, map[string]Verdict{"scattered": Untested, "compact block": Untested, "melted": Untested})
}

// Another time, or other seeds, leave the claims untested, too.
func TestRecoveryOfAnotherTime(t *testing.T) {
	for _, o := range []Options{{Time: time.Second, Seeds: recoverySeeds}, {Quick: true, Seeds: recoverySeeds}} {
		if planRecovery(o).complete || planTightness(o).complete || planLift(o).complete {
			t.Errorf("%+v counts as what is claimed", o)
		}
	}
	if o := (Options{Seeds: recoverySeeds}); !planRecovery(o).complete || !planTightness(o).complete || !planLift(o).complete || !planFlattening(o).complete {
		t.Error("the studies do not measure what is claimed")
	}
}

func TestCurvesStopped(t *testing.T) {
	for _, s := range []Study{alnsFlattening, alnsTightness, alnsLift, alnsRecovery} {
		ctx, cancel := context.WithCancel(context.Background())
		said := 0
		r, err := Run(ctx, s, Options{Quick: true, Seeds: []uint64{1, 2}, Say: func(string) {
			if said++; said == 2 {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if !r.Stopped || r.Verdict != Untested {
			t.Errorf("%s: stopped %v, %s", s.Name, r.Stopped, r.Verdict)
		}
	}
}

// gaining is a trial that gains at the given iterations, a second for each
// thousand of them.
func gaining(seed uint64, start int, gains ...gain) trial {
	t := trial{Seed: seed, Start: start, AtIterations: start, AtTime: start}
	for _, g := range gains {
		g.Seconds = float64(g.Iteration) / 1000
		t.gains = append(t.gains, g)
		t.AtIterations, t.AtTime, t.Gained = g.Score, g.Score, g.Iteration
	}
	return t
}

func at(iteration int64, score int) gain { return gain{Iteration: iteration, Score: score} }

func TestTrialAfter(t *testing.T) {
	x := gaining(1, 400, at(10, 405), at(2000, 410))
	for iterations, want := range map[int64]int{0: 400, 9: 400, 10: 405, 1999: 405, 2000: 410, 9999: 410} {
		if got, timed := x.after(iterations), x.within(float64(iterations)/1000); got != want || timed != want {
			t.Errorf("after %d: %d and %d, want %d", iterations, got, timed, want)
		}
	}
}

func TestVerdictOfFlattening(t *testing.T) {
	// Ten runs of each kind of board.
	verdicts := func(n int, of func(seed uint64) trial) [3]Verdict {
		plan := planFlattening(Options{Seeds: flatSeeds})
		for _, a := range []*flatArm{&plan.fast, &plan.slow} {
			a.trials = map[[2]string][]trial{}
			for seed := uint64(1); seed <= uint64(n); seed++ {
				for _, f := range a.Families {
					x := of(seed)
					for _, n := range a.Plan.Marks {
						x.Curve, x.clock = append(x.Curve, x.after(n)), append(x.clock, float64(n)/1000)
					}
					a.trials[[2]string{f.Name, a.Name}] = append(a.trials[[2]string{f.Name, a.Name}], x)
				}
				a.seeds = append(a.seeds, seed)
			}
		}
		r := &Report{}
		reportFlattening(r, &plan)
		for _, c := range r.Charts {
			if _, err := c.SVG(); err != nil {
				t.Error(err)
			}
		}
		return [3]Verdict{r.Findings[0].Verdict, r.Findings[1].Verdict, r.Findings[2].Verdict}
	}
	const y, n, u = Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		seeds int
		of    func(seed uint64) trial
		want  [3]Verdict // flat, ten times longer, the slow engine
	}{
		"flat at once":   {10, func(s uint64) trial { return gaining(s, 440, at(30, 450)) }, [3]Verdict{y, y, y}},
		"no gain":        {10, func(s uint64) trial { return gaining(s, 450) }, [3]Verdict{y, y, y}},
		"goes on":        {10, func(s uint64) trial { return gaining(s, 440, at(30, 450), at(500_000, 454)) }, [3]Verdict{n, n, y}},
		"late":           {10, func(s uint64) trial { return gaining(s, 440, at(200, 450)) }, [3]Verdict{n, y, n}},
		"one goes on":    {10, func(s uint64) trial { return gaining(s, 440, at(30, 450), at(int64(500_000+3_000_000*(s/2)), 451)) }, [3]Verdict{y, y, y}},
		"nine of ten":    {10, func(s uint64) trial { return gaining(s, 440, at(100, 449), at(101, 450)) }, [3]Verdict{y, y, n}},
		"a seed is left": {9, func(s uint64) trial { return gaining(s, 440, at(200, 450)) }, [3]Verdict{u, u, u}},
		"none":           {0, nil, [3]Verdict{u, u, u}},
	} {
		if got := verdicts(c.seeds, c.of); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	some := gaining(1, 440, at(10, 444), at(40, 445), at(200, 448), at(1000, 449), at(2500, 450), at(4000, 451))
	some.Curve, some.clock = []int{448, 450}, []float64{0.2, 1.9}
	x := (&flatArm{short: 300, whole: 30_000}).look("", some)
	if x.Tenth != 445 || x.Seconds != 1.9 {
		t.Errorf("in time: %+v", x)
	}
	if x.Early != 445 || x.Short != 448 || x.Long != 450 || x.Share != 0.5 || x.Half != 40 || x.Most != 1000 || x.Last != 4000 {
		t.Errorf("%+v", x)
	}
}

func TestCurveMarks(t *testing.T) {
	if got := curveMarks(300); !slices.Equal(got, []int64{1, 2, 5, 10, 20, 50, 100, 200, 300}) {
		t.Errorf("%v", got)
	}
	if got := curveMarks(1); !slices.Equal(got, []int64{1}) {
		t.Errorf("%v", got)
	}
}

func TestShareClosed(t *testing.T) {
	for _, c := range []struct {
		start, score, best int
		want               float64
	}{{20, 50, 60, 0.75}, {20, 20, 60, 0}, {20, 60, 60, 1}, {60, 60, 60, 1}} {
		if got := closed(c.start, c.score, c.best); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	// 6×6 has 60 seams; two runs of a distance of 40, one of them solved.
	cell := tightCell{6, 8}
	trials := []trial{gaining(1, 20, at(10, 30), at(50, 50)), gaining(2, 20, at(100, 60))}
	trials[1].AtTime = 40
	row := tightRowOf(cell, trials, trialPlan{Iterations: 100})
	if row.Share.Mean != 0.875 || row.ShareTime.Mean != 0.625 || row.Tenth.Mean != 0.125 || row.Solved != 1 || row.SolvedTime != 0 || row.Breaks.Mean != 5 || row.BreaksTime.Mean != 15 {
		t.Errorf("%+v", row)
	}
}

// On 2×2 cells the corners can lie in 24 ways, and each of 4 seams of the ring
// matches by chance in one of so many cases.
func TestTightnessExpected(t *testing.T) {
	if c := (tightCell{2, 10}); c.rim() != 2 || math.Abs(c.expected()-math.Log10(24.0/16)) > 1e-12 || c.seams() != 4 {
		t.Errorf("%d colours of the rim, %v, %d seams", c.rim(), c.expected(), c.seams())
	}
	if c := (tightCell{16, 22}); c.rim() != 5 || c.seams() != 480 {
		t.Errorf("%d colours of the rim, %d seams", c.rim(), c.seams())
	}
}

func TestVerdictOfTightness(t *testing.T) {
	plan := tightPlan{cells: []tightCell{{6, 3}, {6, 8}, {6, 22}}, run: trialPlan{Iterations: 100, Time: time.Second}, complete: true}
	// The share closed at each number of colours, and how much less in time.
	rows := func(shares [3]float64, less float64) (rows []tightRow) {
		for i, cell := range plan.cells {
			row := tightRow{tightCell: cell, Expected: cell.expected()}
			for seed := range tightSeeds {
				share := shares[i] - 0.01*float64(seed%2)
				row.each, row.eachTime = append(row.each, share), append(row.eachTime, share-less)
			}
			row.Share, row.ShareTime = Summarise(row.each), Summarise(row.eachTime)
			row.Start, row.Tenth, row.Breaks, row.BreaksTime, row.InTime = row.Share, row.Share, row.Share, row.Share, row.Share
			rows = append(rows, row)
		}
		return rows
	}
	const y, n, u = Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		rows  []tightRow
		seeds []uint64
		want  [2]Verdict // most, saturates
	}{
		"as claimed":     {rows([3]float64{1, 0.9, 0.8}, 0), tightSeeds, [2]Verdict{y, y}},
		"less in time":   {rows([3]float64{1, 0.9, 0.8}, 0.4), tightSeeds, [2]Verdict{n, y}},
		"little":         {rows([3]float64{1, 0.4, 0.8}, 0), tightSeeds, [2]Verdict{n, y}},
		"no fall":        {rows([3]float64{0.9, 0.9, 0.8}, 0), tightSeeds, [2]Verdict{y, n}},
		"a size is left": {rows([3]float64{1, 0.4, 0.8}, 0)[:2], tightSeeds, [2]Verdict{u, u}},
		"a seed is left": {rows([3]float64{1, 0.4, 0.8}, 0), tightSeeds[:9], [2]Verdict{u, u}},
		"none":           {nil, nil, [2]Verdict{u, u}},
	} {
		r := &Report{}
		reportTightness(r, c.rows, plan, c.seeds)
		if got := [2]Verdict{r.Findings[0].Verdict, r.Findings[1].Verdict}; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := hardest(rows([3]float64{1, 1, 1}, 0)); got.Colours != 8 {
		t.Errorf("hardest at %d colours", got.Colours)
	}
}

func TestVerdictOfLift(t *testing.T) {
	plan := planLift(Options{Seeds: liftSeeds})
	runs := func(starts func(seed uint64) int, gains func(seed uint64) []int) (runs []liftRun) {
		for _, seed := range liftSeeds {
			x := liftRun{Width: plan.width, Seed: seed, Start: starts(seed), Gains: gains(seed), Seconds: 3, More: 3}
			x.Refined, x.Wide, x.trial = x.Start+1, x.Start, gaining(seed, x.Start)
			runs = append(runs, x)
		}
		return runs
	}
	mid := func(uint64) int { return 454 }
	const y, n, u = Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		runs []liftRun
		want [3]Verdict // by the passes
	}{
		"by pass":          {runs(mid, func(uint64) []int { return []int{1, 2, 3} }), [3]Verdict{n, y, y}},
		"on average":       {runs(mid, func(s uint64) []int { return []int{0, int(s % 2 * 4), int(s % 2 * 3)} }), [3]Verdict{n, y, n}},
		"others count not": {runs(func(s uint64) int { return 450 + int(s%2)*4 }, func(s uint64) []int { return []int{int(s % 2 * 2), 9 - int(s%2*8), 3} }), [3]Verdict{y, n, y}},
		"none counts":      {runs(func(uint64) int { return 440 }, func(uint64) []int { return []int{0, 0, 0} }), [3]Verdict{u, u, u}},
		"a seed is left":   {runs(mid, func(uint64) []int { return []int{0, 0, 9} })[:9], [3]Verdict{u, u, u}},
		"none":             {nil, [3]Verdict{u, u, u}},
	} {
		r := &Report{}
		reportLift(r, c.runs, plan)
		if got := [3]Verdict{r.Findings[0].Verdict, r.Findings[1].Verdict, r.Findings[2].Verdict}; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestVerdictOfRecovery(t *testing.T) {
	plan := planRecovery(Options{Seeds: recoverySeeds})
	// Runs of all kinds that come to these scores, from 380.
	runs := func(seeds int, scores [3]int) (runs []recovered) {
		for i, kind := range plan.kinds {
			for _, seed := range recoverySeeds[:seeds] {
				runs = append(runs, recoveredOf(kind, gaining(seed, 380, at(1500, scores[i]))))
			}
		}
		return runs
	}
	const y, n, u = Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		runs []recovered
		want [3]Verdict // scattered, block, melted
	}{
		"all":            {runs(10, [3]int{480, 470, 471}), [3]Verdict{y, y, y}},
		"no block":       {runs(10, [3]int{470, 469, 470}), [3]Verdict{y, n, y}},
		"none of them":   {runs(10, [3]int{469, 381, 400}), [3]Verdict{n, n, n}},
		"a seed is left": {runs(9, [3]int{469, 469, 469}), [3]Verdict{u, u, u}},
		"nothing":        {nil, [3]Verdict{u, u, u}},
	} {
		r := &Report{}
		reportRecovery(r, c.runs, plan)
		if got := [3]Verdict{r.Findings[0].Verdict, r.Findings[1].Verdict, r.Findings[2].Verdict}; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	x := runs(9, [3]int{480, 470, 460})[8]
	if x.Board != puzzle.Solved()[0].Name || x.Share != 1 || x.Last != 1.5 || !x.Solved || x.within(1) != 0 {
		t.Errorf("%+v", x)
	}
}

// Damage keeps the pieces and the frame, and comes just below its share.
func TestRecoveryDamage(t *testing.T) {
	for _, c := range []struct {
		of    func(share float64) family
		share float64
	}{{damagedStarts, recoveryDamaged}, {damagedStarts, 0.5}, {blockStarts, recoveryDamaged}, {meltedStarts, recoveryDamaged}} {
		f := c.of(c.share)
		for seed := uint64(1); seed <= 9; seed++ {
			s, err := f.Of(context.Background(), seed)
			if err != nil {
				t.Fatal(err)
			}
			if s.Puzzle != puzzle.Solved()[(seed-1)%8].Puzzle {
				t.Errorf("%s, seed %d: another puzzle", f.Name, seed)
			}
			// An exchange breaks eight seams at most.
			if most := c.share * float64(s.Puzzle.MaxScore()); float64(s.Score) > most || float64(s.Score) < most-8 || s.Score != s.Puzzle.Look(s.Board).Tally().Matched {
				t.Errorf("%s, seed %d: score %d, want at most %v", f.Name, seed, s.Score, most)
			}
			wholeBoard(t, s)
			if again, _ := f.Of(context.Background(), seed); !slices.Equal(s.Board, again.Board) {
				t.Errorf("%s, seed %d: two boards", f.Name, seed)
			}
		}
	}
}

// The block is as small as can be: 7×7 cells have 112 seams, and 6×6 too few
// for the 96 that are lost.
func TestRecoveryBlock(t *testing.T) {
	for seed := uint64(1); seed <= 8; seed++ {
		s, err := blockStarts(recoveryDamaged).Of(context.Background(), seed)
		if err != nil {
			t.Fatal(err)
		}
		left, top, right, bottom := 16, 16, 0, 0
		for i, x := range s.Board {
			if x != bundledBoard(seed).Board[i] {
				left, right, top, bottom = min(left, i%16), max(right, i%16), min(top, i/16), max(bottom, i/16)
			}
		}
		if side := 1 + max(right-left, bottom-top); side < 7 || side > 8 {
			t.Errorf("seed %d: the damage is %d across", seed, side)
		}
	}
}

// wholeBoard wants all pieces on the board, under the frame rule.
func wholeBoard(t *testing.T, s start) {
	t.Helper()
	used := map[int]bool{}
	for i, x := range s.Board {
		if used[x.Piece] || x.Cell != i || !s.Puzzle.FitsAt(x.Cell, x.Piece, x.Rotation) {
			t.Errorf("%+v on cell %d", x, i)
		}
		used[x.Piece] = true
	}
	if len(used) != s.Puzzle.Cells() {
		t.Errorf("%d pieces of %d", len(used), s.Puzzle.Cells())
	}
}

// The loop of a trial is a plain loop, seen at its marks.
func TestTrialIsThePlainLoop(t *testing.T) {
	s, err := damagedStarts(0.5).Of(context.Background(), 3)
	if err != nil {
		t.Fatal(err)
	}
	plan := trialPlan{Iterations: 700, Marks: []int64{1, 10, 333, 700, 900}}
	got, err := runTrial(context.Background(), s, alns.Options{Seed: 3}, plan)
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(s.Puzzle)
	b.Load(s.Board)
	loop, err := alns.NewSearch(b, alns.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	var curve []int
	for n := int64(1); n <= 700; n++ {
		loop.Iterate()
		_, best, _ := loop.Best()
		if slices.Contains(plan.Marks, n) {
			curve = append(curve, best)
		}
		if got.after(n) != best {
			t.Fatalf("%d after %d iterations, want %d", got.after(n), n, best)
		}
	}
	board, best, gained := loop.Best()
	if len(got.clock) != 4 || !slices.IsSorted(got.clock) || got.clock[0] <= 0 || got.clock[3] > got.Seconds {
		t.Errorf("marks reached at %v s, all at %v s", got.clock, got.Seconds)
	}
	if !slices.Equal(got.Curve, curve) || got.AtIterations != best || got.Gained != gained || !slices.Equal(got.board, board) {
		t.Errorf("%+v, want %d by iteration %d, curve %v", got, best, gained, curve)
	}
	if got.Start != s.Score || best <= s.Score || got.Seconds <= 0 {
		t.Errorf("from %d to %d in %v s", got.Start, best, got.Seconds)
	}
}

// A longer trial, or one with a time too, has the same after as many
// iterations.
func TestTrialOfBothBounds(t *testing.T) {
	s, err := damagedStarts(0.5).Of(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	run := func(plan trialPlan) trial {
		x, err := runTrial(context.Background(), s, alns.Options{Seed: 1}, plan)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	short := run(trialPlan{Iterations: 300})
	long := run(trialPlan{Iterations: 300, Time: 30 * time.Millisecond})
	if short.AtIterations != long.AtIterations || short.Gained != long.Gained || long.after(300) != short.AtIterations {
		t.Errorf("%+v, then %+v", short, long)
	}
	if long.InTime > 300 && long.AtTime < long.AtIterations || long.InTime == 0 {
		t.Errorf("in time: %+v", long)
	}
	soon := run(trialPlan{Iterations: 300, Time: 1})
	if soon.AtTime != s.Score || soon.AtIterations != short.AtIterations {
		t.Errorf("in no time: %+v", soon)
	}
}

// A board without a break ends a trial, and what it had before counts for the
// bounds that were reached before.
func TestTrialSolved(t *testing.T) {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 4, Height: 4, Colours: 6, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	plan := trialPlan{Iterations: math.MaxInt64, Time: time.Hour, Marks: []int64{1, 5}}
	got, err := runTrial(context.Background(), startOf(p, solution), alns.Options{Seed: 1}, plan)
	if err != nil || !got.Solved || got.AtIterations != p.MaxScore() || got.AtTime != p.MaxScore() || got.InTime != 0 || !slices.Equal(got.Curve, []int{24, 24}) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = runTrial(context.Background(), startOf(p, dealt(p, 1)), alns.Options{Seed: 1}, plan)
	if err != nil || !got.Solved || got.AtIterations != p.MaxScore() || got.AtTime != p.MaxScore() || got.InTime != got.Gained || got.Gained == 0 {
		t.Errorf("%+v, %v", got, err)
	}
	plan.Time = 1
	got, err = runTrial(context.Background(), startOf(p, dealt(p, 1)), alns.Options{Seed: 1}, plan)
	if err != nil || !got.Solved || got.AtIterations != p.MaxScore() || got.AtTime != got.Start || got.InTime != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
