package study

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/study/chart"
)

var ledgerCertificates = Study{
	Name:    "ledger-certificates",
	Claim:   "the last rows of a record board have one completion within their breaks, and the ledger proves it with the published numbers of nodes",
	Measure: measureCertificates,
}

// certificateRow is what is published of a region. What is 0 is not known.
type certificateRow struct {
	keep, budget int
	nodes        [2]publishedNodes // by charge
	port         float64           // ratio of off by node that the page gives, to one digit
	engine       float64           // ratio with the charge cell that it credits to another engine
}

// publishedNodes are those of off and of node on the page, and those of
// candidate, by the conditions of the page, in the design of the engine here.
type publishedNodes struct {
	off, node, candidate int64
	cut                  bool // off and node are cut off on the page, and node is of the design
}

var certificateRows = []certificateRow{
	{232, 2, [2]publishedNodes{ledger.Seam: {542, 316, 86, false}}, 1.7, 0},
	{224, 5, [2]publishedNodes{ledger.Seam: {3_784_655, 194_827, 8_150, false}, ledger.Cell: {800_896, 0, 3_586, false}}, 19.4, 140},
	{216, 6, [2]publishedNodes{ledger.Seam: {182_403_237, 4_029_724, 113_350, false}, ledger.Cell: {39_526_397, 0, 37_362, false}}, 45.3, 995},
	{208, 7, [2]publishedNodes{ledger.Seam: {0, 328_156_981, 7_490_520, true}, ledger.Cell: {8_465_399_273, 0, 2_429_760, false}}, 0, 4330},
}

// What is wanted of the speed on one core.
const (
	wantedNodes      = 40e6 // of off, a second
	wantedJudgements = 30e6 // of candidate, a second
	wantedSeconds    = 8.0  // of the default in the last row
)

// certificatePlan is what is measured.
type certificatePlan struct {
	rows   []certificateRow
	deeper []int         // kept; for the default alone
	limit  time.Duration // of these
	off    int           // the fewest kept for which off is measured
	pages  int           // and the arms with the conditions of the page
	timed  bool
}

func planCertificates(o Options) certificatePlan {
	p := certificatePlan{rows: certificateRows, deeper: []int{200, 192}, limit: time.Minute, off: 216, timed: true}
	switch {
	case o.Quick:
		p.deeper, p.pages, p.timed = nil, 216, false
	case o.Long:
		p.off, p.limit, p.timed = 0, 10*time.Minute, false // it takes so long that the machine is rarely quiet
	}
	if o.Time > 0 {
		p.limit = o.Time
	}
	return p
}

// certificate is one region of the board, exhausted by one arm.
type certificate struct {
	Keep   int    `json:"keep"`
	Open   int    `json:"open"`
	Budget int    `json:"budget"`
	Charge string `json:"charge"`
	Order  string `json:"order"`
	exhausted
	Own bool `json:"own"` // its best completion is the board itself
}

// The orders and charges of the searches.
const (
	byRows    = "row-major"
	byColumns = "column"
)

var charges = []ledger.Charge{ledger.Seam, ledger.Cell}

func measureCertificates(ctx context.Context, o Options, r *Report) error {
	return certifyRows(ctx, o, r, planCertificates(o))
}

func certifyRows(ctx context.Context, o Options, r *Report, plan certificatePlan) error {
	r.note(fmt.Sprintf("The board is %s upside down. Its first pieces are kept, row by row; the others are taken off, and every way to fill their cells with no more breaks than they had is counted, on one thread. The budget is counted from the board. %s The charge cell refuses in addition every piece that brings two breaks at once.", recordBoard, armsNote))
	r.note(fmt.Sprintf("The arms of a region are timed side by side: each that needs less than %v runs %d times more, in turn with the others, or %d times where all need less than %v, and its time is the median of these. Regions of %s kept and fewer are left to the default, which is cut short after %v. The number of completions depends on no order, so the default fills columns as well.", soonOver, timeAgain, timeAtOnce, atOnce, grouped(200), plan.limit))
	turned, err := turnedRecord(recordBoard)
	if err != nil {
		return err
	}
	c := certifier{ctx: ctx, o: o, full: turned}
	for _, row := range plan.rows {
		var arms []arm
		if row.keep >= plan.off {
			arms = append(arms, armOff)
		}
		if row.keep >= plan.pages {
			arms = append(arms, armNode, armCandidate)
		}
		if err := c.region(row.keep, byRows, append(arms, armKinds, armDefault)...); err != nil {
			return err
		}
		if err := c.region(row.keep, byColumns, armDefault); err != nil {
			return err
		}
	}
	for _, keep := range plan.deeper {
		for _, order := range []string{byRows, byColumns} {
			if err := c.region(keep, order, armDefault.within(plan.limit)); err != nil {
				return err
			}
		}
	}
	reportCertificates(r, c.found, plan)
	return nil
}

// certifier gathers certificates.
type certifier struct {
	ctx   context.Context
	o     Options
	full  []puzzle.Placement
	found []certificate
}

// region exhausts a region by both charges and all arms.
func (c *certifier) region(keep int, order string, arms ...arm) error {
	b, budget := tail(puzzle.Official(), c.full, keep)
	cells, err := ledger.Arrange(b, order)
	if err != nil {
		return err
	}
	for _, charge := range charges {
		if c.ctx.Err() != nil {
			return nil
		}
		c.o.Say(fmt.Sprintf("%d kept, %s, charge %s", keep, order, charge))
		found, err := sideBySide(c.ctx, c.o, ledger.Problem{Board: b, Order: cells, Budget: budget, Charge: charge}, arms...)
		if err != nil {
			return err
		}
		for _, x := range found {
			c.found = append(c.found, certificate{
				Keep: keep, Open: len(cells), Budget: budget, Charge: charge.String(), Order: order,
				exhausted: x, Own: slices.Equal(x.board, c.full),
			})
		}
	}
	return nil
}

// decidedBy finds the certificate of an arm, if it was decided.
func decidedBy(a arm, found []certificate, keep int, charge ledger.Charge) (certificate, bool) {
	i := slices.IndexFunc(found, func(x certificate) bool {
		return x.Keep == keep && x.Charge == charge.String() && x.Order == byRows && x.Arm == a.String() && x.Decided
	})
	if i < 0 {
		return certificate{}, false
	}
	return found[i], true
}

func reportCertificates(r *Report, found []certificate, plan certificatePlan) {
	for _, charge := range charges {
		for _, row := range plan.rows {
			if row.nodes[charge] != (publishedNodes{}) {
				judgeNodes(r, found, row, charge)
			}
		}
	}
	judgeOne(r, found, plan.rows)
	judgePort(r, found, plan.rows)
	judgeEngine(r, found, plan.rows)
	judgeSpeed(r, found, plan.timed)
	for _, charge := range charges {
		r.draw(certificateChart(found, charge))
	}
	r.show(certificateTable(found))
}

// judgeNodes holds the nodes of a region against those published.
func judgeNodes(r *Report, found []certificate, row certificateRow, charge ledger.Charge) {
	want := row.nodes[charge]
	var page, design, measured []string
	holds, complete := true, true
	for _, c := range []struct {
		arm    arm
		count  int64
		onPage bool
	}{
		{armOff, want.off, charge == ledger.Seam},
		{armNode, want.node, charge == ledger.Seam && !want.cut},
		{armCandidate, want.candidate, false},
		{armKinds, 0, false},
		{armDefault, 0, false},
	} {
		text := func(n int64) string { return grouped(n) + " by " + c.arm.String() }
		x, decided := decidedBy(c.arm, found, row.keep, charge)
		if decided {
			measured = append(measured, text(x.Nodes))
			holds = holds && x.Budget == row.budget && (c.count == 0 || x.Nodes == c.count)
		}
		if c.count == 0 {
			continue
		}
		complete = complete && decided
		if c.onPage {
			page = append(page, text(c.count))
		} else {
			design = append(design, text(c.count))
		}
	}
	if want.cut {
		page = append(page, "off and node cut off at 300 s")
	}
	var sources []string
	if len(page) > 0 {
		sources = append(sources, strings.Join(page, ", ")+" (the LEDGER page)")
	}
	sources = append(sources, strings.Join(design, ", ")+" (the design)")
	r.find(Finding{
		Claim:     fmt.Sprintf("%d kept, charge %s: the nodes of a search within %s", row.keep, charge, counted(row.budget, "break")),
		Published: strings.Join(sources, "; "), Measured: strings.Join(measured, "; "),
		Verdict: judge(holds, complete),
	})
}

// judgeOne judges that each region has one completion, the one that was taken
// off. Any arm can prove that, and any refute it.
func judgeOne(r *Report, found []certificate, rows []certificateRow) {
	var measured []string
	holds, complete := true, true
	for _, row := range rows {
		searches, one := 0, 0
		for _, x := range found {
			if x.Keep != row.keep || !x.Decided {
				continue
			}
			searches++
			if x.Completions == 1 && x.Own {
				one++
			}
		}
		holds, complete = holds && one == searches, complete && searches > 0
		if searches > 0 {
			measured = append(measured, fmt.Sprintf("%d kept: in %d of %d searches", row.keep, one, searches))
		}
	}
	r.find(Finding{
		Claim: "exactly one completion, and that is the board itself", Published: "exactly one at each depth (the LEDGER page)",
		Measured: strings.Join(measured, "; "), Verdict: judge(holds, complete),
		Note: "by every arm, charge and order",
	})
}

// judgePort holds ratios of nodes against those of the page.
func judgePort(r *Report, found []certificate, rows []certificateRow) {
	var want, measured []string
	holds, complete := true, true
	for _, row := range rows {
		if row.port == 0 {
			continue
		}
		want = append(want, fmt.Sprintf("%v", row.port))
		ratio, known := ratioOf(armNode, found, row.keep, ledger.Seam)
		if !known {
			complete = false
			continue
		}
		holds = holds && tenth(ratio) == row.port
		measured = append(measured, fmt.Sprintf("%.2f at %d kept", ratio, row.keep))
	}
	r.find(Finding{
		Claim:     "charge seam: how many times the nodes of the page's arm off has",
		Published: strings.Join(want, ", ") + " times (the LEDGER page)", Measured: strings.Join(measured, ", "),
		Verdict: judge(holds, complete), Note: "to one digit after the point",
	})
}

// judgeEngine holds ratios of nodes against those of another engine.
func judgeEngine(r *Report, found []certificate, rows []certificateRow) {
	var want, measured []string
	holds, complete := true, true
	for _, row := range rows {
		if row.engine == 0 {
			continue
		}
		want = append(want, grouped(int64(row.engine)))
		best, known := ratioOf(armDefault, found, row.keep, ledger.Cell)
		page, pageKnown := ratioOf(armCandidate, found, row.keep, ledger.Cell)
		if !known || !pageKnown {
			complete = false
			continue
		}
		holds = holds && best >= row.engine
		measured = append(measured, fmt.Sprintf("%s at %d kept, and %s by %s", short(best), row.keep, short(page), armCandidate))
	}
	r.find(Finding{
		Claim:     "charge cell: off has at least as many times the nodes of the default as the page credits to its first engine",
		Published: "wanted: at least " + strings.Join(want, ", ") + " times, the ratios of an engine that the LEDGER page does not describe",
		Measured:  strings.Join(measured, "; "), Verdict: judge(holds, complete),
		Note: "the default is judged; the ratio by the conditions of the page stands beside it and need not be that of the other engine",
	})
}

// ratioOf is the nodes of off by those of an arm, when both were decided.
func ratioOf(a arm, found []certificate, keep int, charge ledger.Charge) (ratio float64, known bool) {
	off, offKnown := decidedBy(armOff, found, keep, charge)
	x, known := decidedBy(a, found, keep, charge)
	return float64(off.Nodes) / float64(x.Nodes), offKnown && known
}

// judgeSpeed judges what is wanted of the speed. Timed says that it was
// measured for that.
func judgeSpeed(r *Report, found []certificate, timed bool) {
	find := func(claim, published string, a arm, keep int, unit string, value func(*exhausted) float64, holds func(float64) bool) {
		f := Finding{Claim: claim, Published: published}
		x, decided := decidedBy(a, found, keep, ledger.Seam)
		if decided {
			f.Measured = short(value(&x.exhausted)) + " " + unit + ", " + x.Arm
			if x.Runs > 1 {
				f.Measured += fmt.Sprintf(", median of %d runs", x.Runs)
			}
		}
		if !timed {
			f.Note = "not tested in such a run: see ledger-speed"
		}
		f.Verdict = judge(!timed || !decided || holds(value(&x.exhausted)), timed && decided)
		r.find(f)
	}
	find("nodes a second without the ledger, 216 kept, one core", fmt.Sprintf("wanted: at least %s", short(wantedNodes)),
		armOff, 216, "nodes/s", (*exhausted).rate, func(x float64) bool { return x >= wantedNodes })
	find("candidates judged a second, 216 kept, one core", fmt.Sprintf("wanted: at least %s", short(wantedJudgements)),
		armCandidate, 216, "candidates/s", (*exhausted).judgements, func(x float64) bool { return x >= wantedJudgements })
	find("the time of the default, 208 kept, one core", fmt.Sprintf("wanted: less than %v s", wantedSeconds),
		armDefault, 208, "s", timeNeeded, func(x float64) bool { return x < wantedSeconds })
}

// certificateChart shows the nodes of the searches that were decided.
func certificateChart(found []certificate, charge ledger.Charge) chart.Chart {
	c := chart.Chart{
		Title: "Nodes to find that there is one completion, charge " + charge.String(), XLabel: "cells to fill", YLabel: "nodes", LogY: true,
	}
	for _, order := range []string{byRows, byColumns} {
		for _, a := range []arm{armOff, armNode, armCandidate, armKinds, armDefault} {
			s := chart.Series{Name: a.String(), Kind: chart.Line}
			if order == byColumns {
				s.Name += ", by columns"
			}
			for _, x := range found {
				if x.Order == order && x.Charge == charge.String() && x.Arm == a.String() && x.Decided {
					s.X, s.Y = append(s.X, float64(x.Open)), append(s.Y, float64(x.Nodes))
				}
			}
			if len(s.X) > 0 {
				c.Series = append(c.Series, s)
			}
		}
	}
	return c
}

func certificateTable(found []certificate) Table {
	of := func(name string, text func(certificate) string) column[certificate] {
		return column[certificate]{name, text}
	}
	return tabulate("searches", "a + says that the search was cut short; the ratio is the nodes of off by rows by those of the search; judged are the nodes or candidates put before the ledger, those that a sieve refuses together counted one by one", found,
		of("kept", func(x certificate) string { return fmt.Sprint(x.Keep) }),
		of("to fill", func(x certificate) string { return fmt.Sprint(x.Open) }),
		of("budget", func(x certificate) string { return fmt.Sprint(x.Budget) }),
		of("charge", func(x certificate) string { return x.Charge }),
		of("order", func(x certificate) string { return x.Order }),
		of("arm", func(x certificate) string { return x.Arm }),
		of("nodes", func(x certificate) string { return nodesText(x.exhausted) }),
		of("completions", func(x certificate) string { return grouped(x.Completions) }),
		of("seconds", func(x certificate) string { return short(x.Seconds) }),
		of("nodes/s", func(x certificate) string { return short(x.rate()) }),
		of("judged", func(x certificate) string { return grouped(x.Judged) }),
		of("judged/s", func(x certificate) string {
			if x.Judged == 0 {
				return "–"
			}
			return short(x.judgements())
		}),
		of("ratio", func(x certificate) string {
			for _, charge := range charges {
				if off, known := decidedBy(armOff, found, x.Keep, charge); known && x.Charge == charge.String() && x.Decided {
					return short(float64(off.Nodes) / float64(x.Nodes))
				}
			}
			return "–"
		}),
	)
}
