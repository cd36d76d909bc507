package study

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/study/cost"
)

// quick runs a study in its reduced form with one seed.
func quick(t *testing.T, s Study) *Report {
	t.Helper()
	r := reduced(t, s)
	for _, f := range r.Findings {
		if f.Measured == "nothing" {
			t.Errorf("%+v", f)
		}
	}
	return r
}

// reduced is quick for a study that may leave a claim without a measurement.
func reduced(t *testing.T, s Study) *Report {
	t.Helper()
	r, err := Run(context.Background(), s, Options{Quick: true, Seeds: []uint64{2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Claim == "" || f.Published == "" {
			t.Errorf("%+v", f)
		}
	}
	for _, table := range r.Tables {
		if len(table.Rows) == 0 {
			t.Errorf("table %q is empty", table.Title)
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("table %q: a row of %d cells, want %d", table.Title, len(row), len(table.Columns))
			}
			if strings.Contains(strings.Join(row, " "), "NaN") {
				t.Errorf("table %q: %v", table.Title, row)
			}
		}
	}
	for _, c := range r.Charts {
		if _, err := c.SVG(); err != nil {
			t.Error(err)
		}
	}
	var b bytes.Buffer
	if err := WriteMarkdown(&b, r); err != nil {
		t.Error(err)
	}
	b.Reset()
	if err := WriteJSON(&b, r); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("no JSON: %v", err)
	}
	return r
}

// expect checks the verdicts of a report, by a word that one claim alone has.
func expect(t *testing.T, r *Report, want map[string]Verdict) {
	t.Helper()
	for word, verdict := range want {
		if found := with(t, r, word, verdict); found != 1 {
			t.Errorf("%d claims with %q, want one", found, word)
		}
	}
}

// every is expect for words that several claims have.
func every(t *testing.T, r *Report, want map[string]Verdict) {
	t.Helper()
	for word, verdict := range want {
		if with(t, r, word, verdict) == 0 {
			t.Errorf("no claim with %q", word)
		}
	}
}

// with checks the verdict of all claims that have a word, and counts them.
func with(t *testing.T, r *Report, word string, verdict Verdict) (found int) {
	t.Helper()
	for _, f := range r.Findings {
		if strings.Contains(f.Claim, word) {
			found++
			if f.Verdict != verdict {
				t.Errorf("%s: %s, want %s (measured %s)", f.Claim, f.Verdict, verdict, f.Measured)
			}
		}
	}
	return found
}

func TestCensus(t *testing.T) {
	expect(t, quick(t, census2x2), map[string]Verdict{"corner": Reproduced, "edge": Reproduced, "interior": Reproduced})
}

func TestRecords(t *testing.T) {
	r := quick(t, records)
	if r.Verdict != Reproduced || len(r.Findings) != len(puzzle.Records()) || len(r.Links) != len(r.Findings) {
		t.Errorf("%s, %d findings, %d links", r.Verdict, len(r.Findings), len(r.Links))
	}
}

func TestReproducible(t *testing.T) {
	r := quick(t, reproducible)
	if r.Verdict != Reproduced || len(r.Findings) != 4 {
		t.Errorf("%s: %+v", r.Verdict, r.Findings)
	}
}

func TestBeam(t *testing.T) {
	r := quick(t, beam)
	expect(t, r, map[string]Verdict{"6 s": Untested, "allocation": Untested, "memory": Untested})
	if orders := len(r.Tables[1].Rows); orders != len(construct.Orders) {
		t.Errorf("%d orders compared, want %d", orders, len(construct.Orders))
	}
}

func TestSolve60s(t *testing.T) {
	r := quick(t, solve60s)
	expect(t, r, map[string]Verdict{"60 s": Untested})
	if len(r.Links) != 1 || !strings.Contains(r.Links[0].URL, "board_edges=") {
		t.Errorf("links %v", r.Links)
	}
}

func TestAlnsCost(t *testing.T) {
	r := quick(t, alnsCost)
	expect(t, r, map[string]Verdict{"150,000": Untested, "3,000": Untested, "0 allocations": Reproduced, "follows k": Untested, "O(k)": Untested})
}

// A context that has ended leaves every claim that needs a measurement
// untested, at once and without an error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	began := time.Now()
	for _, s := range Studies {
		r, err := Run(ctx, s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Stopped || r.Verdict != Untested || len(r.Findings) == 0 || r.Publishable() {
			t.Errorf("%s: stopped %v, %s, %d findings", s.Name, r.Stopped, r.Verdict, len(r.Findings))
		}
		for _, f := range r.Findings {
			if f.Verdict != Untested || f.Measured != "nothing" {
				t.Errorf("%s: %+v", s.Name, f)
			}
		}
	}
	if time.Since(began) > 5*time.Second {
		t.Error("a cancelled study goes on")
	}
}

// A study that is stopped in the middle reports whole runs only.
func TestStoppedInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		study Study
		at    int // the line said after which it is stopped
	}{{reproducible, 1}, {alnsCost, 2}, {beam, 2}, {solve60s, 2}, {solveBoards, 3}, {solveLong, 2}, {solveAblation, 2}, {depthFirst, 2}, {beamAblation, 2}, {ledgerSoundness, 2}, {ledgerGrid, 5}, {ledgerCertificates, 1}} {
		s := c.study
		ctx, cancel := context.WithCancel(context.Background())
		said := 0
		r, err := Run(ctx, s, Options{Quick: true, Seeds: []uint64{1, 2}, Say: func(string) {
			if said++; said == c.at {
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

func solveRuns(scores ...int) (runs []solveRun) {
	for i, score := range scores {
		runs = append(runs, solveRun{Seed: uint64(i + 1), Score: score, Seconds: 60})
	}
	return runs
}

func TestVerdictOfSolve(t *testing.T) {
	late := solveRuns(452, 452, 452, 452, 452)
	late[3].Seconds = 75
	other := solveRuns(452, 452, 452, 452, 452, 440)
	for name, c := range map[string]struct {
		runs    []solveRun
		claimed bool
		want    Verdict
	}{
		"all reach it":             {solveRuns(450, 451, 452, 453, 454), true, Reproduced},
		"one does not":             {solveRuns(450, 451, 449, 453, 454), true, NotReproduced},
		"one is missing":           {solveRuns(450, 451, 452, 453), true, Untested},
		"one does not, one is not": {solveRuns(450, 449), true, NotReproduced},
		"one took too long":        {late, true, NotReproduced},
		"another seed does not":    {other, true, Reproduced},
		"another time":             {solveRuns(400, 400, 400, 400, 400), false, Untested},
		"none":                     {nil, true, Untested},
	} {
		r := &Report{}
		reportSolve(r, c.runs, c.claimed)
		if got := r.Findings[0].Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestVerdictOfBeam(t *testing.T) {
	good := beamRun{Seed: 1, Nodes: 1e7, Seconds: 1, Allocations: 2000, Allocated: 1e7, Stated: 9e6}
	slow, greedy, vague := good, good, good
	slow.Seconds = 6.5
	greedy.Allocations = 1e6
	vague.Stated = 5e6
	o := Options{Seeds: []uint64{1}}
	for name, c := range map[string]struct {
		runs  []beamRun
		o     Options
		wants [3]Verdict // time, allocations, memory
	}{
		"good":         {[]beamRun{good}, o, [3]Verdict{Reproduced, Reproduced, Reproduced}},
		"slow":         {[]beamRun{slow}, o, [3]Verdict{NotReproduced, Reproduced, Reproduced}},
		"greedy":       {[]beamRun{greedy}, o, [3]Verdict{Reproduced, NotReproduced, Reproduced}},
		"vague":        {[]beamRun{vague}, o, [3]Verdict{Reproduced, Reproduced, NotReproduced}},
		"cut short":    {[]beamRun{good}, Options{Seeds: []uint64{1, 2}}, [3]Verdict{Untested, Untested, Untested}},
		"quick, slow":  {[]beamRun{slow}, Options{Seeds: []uint64{1}, Quick: true}, [3]Verdict{Untested, Untested, Untested}},
		"not measured": {nil, o, [3]Verdict{Untested, Untested, Untested}},
	} {
		r := &Report{}
		judgeBeam(r, c.runs, c.o)
		for i, want := range c.wants {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s", name, i, got, want)
			}
		}
	}
}

func TestVerdictOfReproducible(t *testing.T) {
	a, b := outcome{450, "a", "w"}, outcome{450, "b", "w"}
	for name, c := range map[string]struct {
		row           repeated
		threads, stop Verdict
	}{
		"the same":      {repeated{"solve", 1, a, a, a, 2}, Reproduced, Reproduced},
		"threads":       {repeated{"solve", 1, a, b, a, 2}, NotReproduced, Reproduced},
		"stops":         {repeated{"solve", 1, a, a, b, 2}, Reproduced, NotReproduced},
		"never stopped": {repeated{"solve", 1, a, a, a, 0}, Reproduced, Untested},
	} {
		r := &Report{}
		reportReproducible(r, []repeated{c.row}, []uint64{1})
		if r.Findings[0].Verdict != c.threads || r.Findings[1].Verdict != c.stop || r.Findings[2].Verdict != Untested {
			t.Errorf("%s: %s, %s, %s", name, r.Findings[0].Verdict, r.Findings[1].Verdict, r.Findings[2].Verdict)
		}
	}
}

func TestVerdictOfCost(t *testing.T) {
	row := func(operators string, ratio float64, same bool) sizeRow {
		return sizeRow{Operators: operators, K: 20, Ratio: Summarise([]float64{ratio}), SameHoles: same}
	}
	for name, c := range map[string]struct {
		rows     []sizeRow
		complete bool
		want     Verdict
	}{
		"flat":               {[]sizeRow{row("a", 1.2, true)}, true, Reproduced},
		"steep":              {[]sizeRow{row("a", 1.2, true), row("b", 1.6, true)}, true, NotReproduced},
		"steep, other holes": {[]sizeRow{row("a", 1.2, true), row("b", 1.6, false)}, true, Reproduced},
		"other holes only":   {[]sizeRow{row("b", 1.2, false)}, true, Untested},
		"not complete":       {[]sizeRow{row("a", 1.2, true)}, false, Untested},
		"quick and steep":    {[]sizeRow{row("a", 9, true)}, false, Untested},
	} {
		r := &Report{}
		judgeBoards(r, c.rows, nil, c.complete)
		if got := r.Findings[0].Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	r := &Report{}
	judgeChoice(r, []sizeRow{row("random-cells", 1.1, true), row("worst-window", 2, true)}, nil, true)
	judgeChoice(r, []sizeRow{row("random-cells", 2.5, true)}, nil, true)
	if r.Findings[0].Verdict != Reproduced || r.Findings[1].Verdict != NotReproduced {
		t.Errorf("choices: %s, %s", r.Findings[0].Verdict, r.Findings[1].Verdict)
	}
	for nanos, want := range map[float64]Verdict{5000: Reproduced, 7000: NotReproduced} {
		m := costs{loops: map[loopKey]*sample{{recordBoard, asPolish, costHole, ""}: {nanos: []float64{nanos}}}}
		m.judgeRate(r, true)
		if got := r.Findings[len(r.Findings)-1].Verdict; got != want {
			t.Errorf("%v ns an iteration: %s, want %s", nanos, got, want)
		}
	}
	for nanos, want := range map[float64]Verdict{30_000: Reproduced, 400_000: NotReproduced} {
		m := costs{loops: map[loopKey]*sample{{recordBoard, scatteredHoles, slowHole, assignmentRepair}: {nanos: []float64{nanos}}}}
		m.judgeAssignment(r, true)
		if got := r.Findings[len(r.Findings)-1].Verdict; got != want {
			t.Errorf("%v ns an iteration with assignment: %s, want %s", nanos, got, want)
		}
	}
	m := costs{allocations: 1, counted: 1}
	m.judgeAllocations(r, true)
	if got := r.Findings[len(r.Findings)-1].Verdict; got != NotReproduced {
		t.Errorf("an allocation: %s", got)
	}
}

// Two boards are compared where their holes are alike: as large, and as bad.
func TestSameHoles(t *testing.T) {
	plan := costPlan{holes: []int{20}, sides: []int{16, 64}}
	for name, c := range map[string]struct {
		hole, conflicts float64 // on the larger board; 20 and 2 on the smaller
		want            bool
	}{"alike": {20.5, 2.3, true}, "larger": {22, 2, false}, "worse": {20, 2.5, false}, "better": {20, 1.5, false}} {
		rows := compareSizes(map[loopKey]*sample{
			{"16×16", allAlike, 20, ""}: {nanos: []float64{100, 200}, holes: []float64{20}, state: []float64{2}},
			{"64×64", allAlike, 20, ""}: {nanos: []float64{150, 200}, holes: []float64{c.hole}, state: []float64{c.conflicts}},
		}, plan, perHole)
		if len(rows) != 1 || rows[0].SameHoles != c.want || rows[0].Ratio.Median != 1.25 {
			t.Errorf("%s: %+v", name, rows)
		}
	}
}

func TestLeastWork(t *testing.T) {
	times := cost.Times{Choose: 100, Cells: 20, Comparisons: 210, Move: 10, Compare: 1}
	if got := times.Least(); got != 100+800+210 {
		t.Errorf("least %v, want 1110", got)
	}
}

func TestCommandLine(t *testing.T) {
	o := Options{Seeds: []uint64{1, 2, 3}, Time: 5 * time.Second, Threads: 2, Long: true}
	if got, want := o.withDefaults(beam).command("beam"), "lastmile study beam --seeds 1-3 --time 5s --threads 2 --long"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Seeds mean nothing to a study that draws no lots.
	if got, want := o.withDefaults(census2x2).command("census"), "lastmile study census --time 5s --threads 2 --long"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNamed(t *testing.T) {
	if all, err := Named("all"); err != nil || len(all) != len(Studies) {
		t.Errorf("all: %d studies, %v", len(all), err)
	}
	if _, err := Named("beams"); err == nil || !strings.Contains(err.Error(), "beam") {
		t.Errorf("beams: %v", err)
	}
	seen := map[string]bool{"all": true, "list": true}
	for _, s := range Studies {
		if seen[s.Name] || s.Claim == "" || s.Measure == nil {
			t.Errorf("study %q: a name of its own, a claim and a measurement are wanted", s.Name)
		}
		seen[s.Name] = true
	}
}

func TestOptionsRefuse(t *testing.T) {
	for name, o := range map[string]Options{
		"negative time": {Time: -1}, "negative threads": {Threads: -1}, "quick and long": {Quick: true, Long: true},
	} {
		if _, err := Run(context.Background(), census2x2, o); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
