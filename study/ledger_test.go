package study

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/ledger"
	"lastmile/puzzle"
)

func TestLedgerSoundness(t *testing.T) {
	r := quick(t, ledgerSoundness)
	expect(t, r, map[string]Verdict{"generated": Reproduced, "record": Reproduced, "sums": Untested})
	if rows := len(r.Tables[0].Rows); rows != len(puzzle.Solved())+2*len(puzzle.Records()) {
		t.Errorf("%d boards", rows)
	}
	if c := r.Charts[0]; len(c.Series) != 1+soundShown || len(c.Series[0].X) < 20 {
		t.Errorf("chart %+v", c)
	}
}

// The ledger is held against this count, so it is held against another board
// by hand: two pieces of three lie side by side.
func TestHalfEdges(t *testing.T) {
	p, err := puzzle.New("strip", 3, 1, []puzzle.Edges{{1, 2, 1, 3}, {4, 3, 4, 2}, {2, 2, 5, 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Place(0, 0, 2) // shows 2 to the left, 3 to the right
	b.Place(1, 1, 0) // shows 3 to the right
	supply, demand := halfEdges(b)
	if want := []int{0, 1, 2, 0, 0, 1}; !slices.Equal(supply, want) {
		t.Errorf("supply %v, want %v", supply, want)
	}
	if want := []int{0, 0, 0, 1, 0, 0}; !slices.Equal(demand, want) {
		t.Errorf("demand %v, want %v", demand, want)
	}
	for c, want := range map[ledger.Conditions]int{ledger.Deficit: 1, ledger.Parity: 2, ledger.Combined: 2, ledger.Page: 2} {
		if got := needed(supply, demand, c); got != want {
			t.Errorf("%s: %d needed, want %d", c, got, want)
		}
	}
}

func TestTightness(t *testing.T) {
	got := tightness("x", []int{1, 3, 2, 0}, []int{4, 3, 2, 0})
	if got.Depths != 3 || got.Exact != 2 || got.Largest != 3 || got.Share == nil || *got.Share != (0.25+1+1)/3 {
		t.Errorf("%+v", got)
	}
}

func TestVerdictOfSoundness(t *testing.T) {
	boards := []soundBoard{{name: "a", perfect: true}, {name: "b"}}
	rows := []replayed{{Board: "a", Perfect: true, Depths: 257, Recomputed: 9}, {Board: "b", Depths: 257, Recomputed: 9}}
	for name, c := range map[string]struct {
		rows  []replayed
		every bool
		wants [3]Verdict
	}{
		"sound":        {rows, true, [3]Verdict{Reproduced, Reproduced, Reproduced}},
		"some depths":  {rows, false, [3]Verdict{Reproduced, Reproduced, Untested}},
		"one is left":  {rows[:1], true, [3]Verdict{Reproduced, Untested, Untested}},
		"a fire":       {[]replayed{{Perfect: true, Fires: 1}, rows[1]}, true, [3]Verdict{NotReproduced, Reproduced, Reproduced}},
		"another fire": {[]replayed{rows[0], {Fires: 1}}, true, [3]Verdict{Reproduced, NotReproduced, Reproduced}},
		"a sum":        {[]replayed{rows[0], {Mismatches: 1}}, true, [3]Verdict{Reproduced, Reproduced, NotReproduced}},
		"none":         {nil, true, [3]Verdict{Untested, Untested, Untested}},
	} {
		for i := range c.rows {
			c.rows[i].Tightness = make([]tight, len(soundSets))
		}
		r := &Report{}
		reportSoundness(r, c.rows, boards, c.every)
		for i, want := range c.wants {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s", name, i, got, want)
			}
		}
	}
}

func TestLedgerGrid(t *testing.T) {
	r := quick(t, ledgerGrid)
	for _, f := range r.Findings {
		if f.Verdict != Untested {
			t.Errorf("%s: %s of a part of the grid", f.Claim, f.Verdict)
		}
	}
	// What holds of the whole holds of the part that is measured.
	for i, want := range []string{"32 of 32", "1.4821", "", "32 of 32", "32 of 32"} {
		if got := r.Findings[i].Measured; !strings.Contains(got, want) {
			t.Errorf("claim %d: %s, want %s", i, got, want)
		}
	}
	for _, row := range r.Tables[2].Rows {
		if row[0] == "24" && row[1] == "2" && row[2] == "generated-1" && !slices.Equal(row[3:8], []string{"6", "970", "509", "151", "145"}) {
			t.Errorf("%v", row)
		}
	}
}

// pairOf is a search that was decided by all arms, with so many nodes by node.
func pairOf(cell gridCell, off, node int64) gridPair {
	x := func(nodes int64) exhausted {
		return exhausted{Counts: ledger.Counts{Nodes: nodes, Completions: 1, Losses: 2, Shortages: 1}, ByBreaks: []int64{0, 1}, Decided: true, Seconds: 1}
	}
	return gridPair{"a", cell.suffix, cell.budget, x(off), []exhausted{x(node), x(10), x(7), x(5)}}
}

func TestVerdictOfGrid(t *testing.T) {
	plan := gridPlan{grid: []gridCell{{20, 1}, {20, 2}}, boards: make([]puzzle.SolvedBoard, 2), whole: true}
	good := func() []gridPair {
		return []gridPair{
			pairOf(plan.grid[0], 148, 100), pairOf(plan.grid[0], 212, 100),
			pairOf(plan.grid[1], 405, 100), pairOf(plan.grid[1], 415, 100),
		}
	}
	y, n, u := Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		change func([]gridPair) []gridPair
		wants  [5]Verdict // above 1, minimum, medians, parity, completions
	}{
		"as published":       {func(p []gridPair) []gridPair { return p }, [5]Verdict{y, y, y, y, y}},
		"one is left":        {func(p []gridPair) []gridPair { return p[:3] }, [5]Verdict{u, u, u, u, u}},
		"more by node":       {func(p []gridPair) []gridPair { p[2] = pairOf(plan.grid[1], 90, 100); return p }, [5]Verdict{n, n, n, y, y}},
		"another median":     {func(p []gridPair) []gridPair { p[2] = pairOf(plan.grid[1], 400, 100); return p }, [5]Verdict{y, y, y, y, y}},
		"a far median":       {func(p []gridPair) []gridPair { p[2] = pairOf(plan.grid[1], 370, 100); return p }, [5]Verdict{y, y, n, y, y}},
		"shortage":           {func(p []gridPair) []gridPair { p[0].Ledgers[0].Shortages = 2; return p }, [5]Verdict{y, y, y, n, y}},
		"another completion": {func(p []gridPair) []gridPair { p[3].Ledgers[2].ByBreaks = []int64{1, 1}; return p }, [5]Verdict{y, y, y, y, n}},
		"other breaks":       {func(p []gridPair) []gridPair { p[3].Ledgers[1].ByBreaks = []int64{1, 0}; return p }, [5]Verdict{y, y, y, y, n}},
		"another count":      {func(p []gridPair) []gridPair { p[1].Off.Completions = 2; return p }, [5]Verdict{y, y, y, y, n}},
	} {
		r := &Report{}
		reportGrid(r, c.change(good()), plan)
		for i, want := range c.wants {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s (measured %s)", name, i, got, want, r.Findings[i].Measured)
			}
		}
	}
	// The diagonal belongs to the completions, and crosses the grid.
	plan.diagonal = []gridCell{{20, 2}, {40, 6}}
	for pairs, want := range map[int]Verdict{4: Untested, 6: Reproduced} {
		r := &Report{}
		all := append(good(), pairOf(plan.diagonal[1], 900, 100), pairOf(plan.diagonal[1], 800, 100))
		reportGrid(r, all[:pairs], plan)
		if got := r.Findings[4].Verdict; got != want || r.Findings[0].Verdict != Reproduced {
			t.Errorf("%d searches: %s, want %s (grid %s)", pairs, got, want, r.Findings[0].Verdict)
		}
	}
	// What was cut short is compared with nothing.
	x := pairOf(plan.grid[0], 1000, 100)
	x.Off.Decided, x.Off.ByBreaks = false, []int64{0, 0}
	if !x.agree() || x.compared() != 0 || x.decided() {
		t.Errorf("cut short: agree %v, %d compared, decided %v", x.agree(), x.compared(), x.decided())
	}
}

// Two rows of the table are enough to see a wrong count; off takes too long in
// the second, so it is left out there.
func TestLedgerCertificates(t *testing.T) {
	plan := planCertificates(Options{Quick: true})
	plan.rows, plan.off = plan.rows[:2], 232
	s := ledgerCertificates
	s.Measure = func(ctx context.Context, o Options, r *Report) error { return certifyRows(ctx, o, r, plan) }
	r := reduced(t, s)
	expect(t, r, map[string]Verdict{
		"232 kept, charge seam": Reproduced, "224 kept, charge seam": Untested, "224 kept, charge cell": Untested,
		"exactly one": Reproduced, "page's arm": Untested, "first engine": Untested,
		"nodes a second": Untested, "candidates judged": Untested, "time of the default": Untested,
	})
	if got, want := r.Findings[1].Measured, "194,827 by node, page; 8,150 by candidate, page"; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is cut short is not taken for a proof.
func TestCutShort(t *testing.T) {
	plan := certificatePlan{deeper: []int{200}, limit: time.Millisecond}
	s := ledgerCertificates
	s.Measure = func(ctx context.Context, o Options, r *Report) error { return certifyRows(ctx, o, r, plan) }
	r := reduced(t, s)
	for _, row := range r.Tables[0].Rows {
		if !strings.HasSuffix(row[6], "+") {
			t.Errorf("%v", row)
		}
	}
	for _, c := range r.Charts {
		if len(c.Series) > 0 {
			t.Errorf("%v is drawn", c.Series)
		}
	}
}

// certificatesOf are the searches as they are published.
func certificatesOf(rows []certificateRow) (found []certificate) {
	for _, row := range rows {
		for _, charge := range charges {
			for a, nodes := range map[arm]int64{
				armOff: row.nodes[charge].off, armNode: row.nodes[charge].node, armCandidate: row.nodes[charge].candidate, armDefault: 10,
			} {
				x := exhausted{Arm: a.String(), Counts: ledger.Counts{Nodes: nodes, Judged: nodes, Completions: 1}, Decided: nodes > 0, Seconds: 1, Runs: 1}
				found = append(found, certificate{Keep: row.keep, Budget: row.budget, Charge: charge.String(), Order: byRows, exhausted: x, Own: true})
			}
		}
	}
	return found
}

func TestVerdictOfCertificates(t *testing.T) {
	rows := certificateRows
	change := func(a arm, keep int, charge ledger.Charge, f func(*certificate)) []certificate {
		found := certificatesOf(rows)
		for i := range found {
			if x := &found[i]; x.Arm == a.String() && x.Keep == keep && x.Charge == charge.String() {
				f(x)
			}
		}
		return found
	}
	verdicts := func(found []certificate, timed bool) map[string]Verdict {
		r := &Report{}
		reportCertificates(r, found, certificatePlan{rows: rows, timed: timed})
		all := map[string]Verdict{}
		for _, f := range r.Findings {
			all[f.Claim] = f.Verdict
		}
		return all
	}
	seconds := func(s float64) func(*certificate) { return func(x *certificate) { x.Seconds = s } }
	const (
		last   = "208 kept, charge cell"
		one    = "exactly one"
		port   = "page's arm"
		engine = "first engine"
		rate   = "nodes a second"
		judged = "candidates judged"
		soon   = "time of the default"
	)
	for name, c := range map[string]struct {
		found []certificate
		want  map[string]Verdict // all others are reproduced
	}{
		"as published":      {change(armCandidate, 216, ledger.Seam, func(x *certificate) { x.Judged = 3e7 }), nil},
		"one node more":     {change(armOff, 208, ledger.Cell, func(x *certificate) { x.Nodes++ }), map[string]Verdict{last: NotReproduced, judged: NotReproduced}},
		"a candidate less":  {change(armCandidate, 208, ledger.Cell, func(x *certificate) { x.Nodes-- }), map[string]Verdict{last: NotReproduced, judged: NotReproduced}},
		"another budget":    {change(armOff, 208, ledger.Cell, func(x *certificate) { x.Budget++ }), map[string]Verdict{last: NotReproduced, judged: NotReproduced}},
		"cut short":         {change(armOff, 208, ledger.Cell, func(x *certificate) { x.Decided = false }), map[string]Verdict{last: Untested, engine: Untested, judged: NotReproduced}},
		"two completions":   {change(armDefault, 216, ledger.Cell, func(x *certificate) { x.Completions = 2 }), map[string]Verdict{one: NotReproduced, judged: NotReproduced}},
		"another board":     {change(armDefault, 216, ledger.Cell, func(x *certificate) { x.Own = false }), map[string]Verdict{one: NotReproduced, judged: NotReproduced}},
		"few nodes saved":   {change(armDefault, 224, ledger.Cell, func(x *certificate) { x.Nodes = 6000 }), map[string]Verdict{engine: NotReproduced, judged: NotReproduced}},
		"slow nodes":        {change(armOff, 216, ledger.Seam, seconds(5)), map[string]Verdict{rate: NotReproduced, judged: NotReproduced}},
		"slow candidates":   {certificatesOf(rows), map[string]Verdict{judged: NotReproduced}},
		"a slow proof":      {change(armDefault, 208, ledger.Seam, seconds(8)), map[string]Verdict{soon: NotReproduced, judged: NotReproduced}},
		"another ratio too": {change(armNode, 232, ledger.Seam, func(x *certificate) { x.Nodes = 400 }), map[string]Verdict{"232 kept": NotReproduced, port: NotReproduced, judged: NotReproduced}},
	} {
		for claim, got := range verdicts(c.found, true) {
			want := Reproduced
			for word, v := range c.want {
				if strings.Contains(claim, word) {
					want = v
				}
			}
			if got != want {
				t.Errorf("%s: %s: %s, want %s", name, claim, got, want)
			}
		}
	}
	for claim, got := range verdicts(certificatesOf(rows), false) {
		if (strings.Contains(claim, "one core")) != (got == Untested) {
			t.Errorf("not timed: %s: %s", claim, got)
		}
	}
	for claim, got := range verdicts(nil, true) {
		if got != Untested {
			t.Errorf("nothing measured: %s: %s", claim, got)
		}
	}
}
