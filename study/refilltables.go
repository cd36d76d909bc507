package study

import (
	"fmt"
	"math"

	"lastmile/alns/repair"
	"lastmile/study/chart"
)

func (x *refills) report(r *Report) {
	rows, grown, loops := x.rows(), x.growth(), x.loops()
	x.judgeProofs(r)
	x.judgeApart(r)
	x.judgeNeverWorse(r, assignmentRepair, scatteredHoles)
	x.judgeNeverWorse(r, exactRepair, connectedHoles)
	x.judgeGrowth(r, grown, rows)
	x.judgeLarge(r, loops, byIterations)
	x.judgeLarge(r, loops, byTime)
	for _, better := range [][2]string{{exactRepair, connectedHoles}, {assignmentRepair, scatteredHoles}} {
		x.judgeBetter(r, loops, better[0], better[1], byIterations)
		x.judgeBetter(r, loops, better[0], better[1], byTime)
	}
	for _, kind := range x.plan.kinds {
		r.draw(refillChart(rows, kind.Name))
	}
	r.draw(growthChart(grown, x.plan))
	r.draw(x.gainChart(loops, byIterations))
	r.draw(x.gainChart(loops, byTime))
	for _, kind := range x.plan.kinds {
		for _, boards := range []string{recordBoard, beamBoards} {
			r.show(refillTable(rows, boards, kind.Name))
		}
	}
	r.show(x.operatorTable())
	r.show(growthTable(grown, x.plan))
	r.show(x.loopTable(loops))
}

// refillRow is what a method makes of holes of one kind and size, over the
// seeds.
type refillRow struct {
	Boards    string  `json:"boards"`
	Kind      string  `json:"holes"`
	K         int     `json:"k"`
	Method    string  `json:"method"`
	Holes     int     `json:"count"`
	Cells     float64 `json:"cells"`
	Breaks    Summary `json:"breaks"` // more than the board's own arrangement
	Better    float64 `json:"better"` // shares of the holes, down to Above
	Even      float64 `json:"even"`
	Same      float64 `json:"same"`
	Worse     float64 `json:"worse"`
	Optimal   float64 `json:"optimal"`
	Fallbacks float64 `json:"fallback"`
	Below     float64 `json:"below_greedy"`
	Above     float64 `json:"above_greedy"`
	Micros    Summary `json:"microseconds"`
	Hole      Summary `json:"seams_a_hole"`
	Second    Summary `json:"seams_a_second"`
}

// tallied sums what has a key that is wanted: all seeds, and each.
func (x *refills) tallied(wanted func(refillKey) bool) (all refillTally, seeds []refillTally) {
	for _, same := range x.same {
		var t refillTally
		for key, u := range same {
			if wanted(key) {
				t.add(u)
			}
		}
		if t.Holes > 0 {
			seeds = append(seeds, t)
			all.add(t)
		}
	}
	return all, seeds
}

// eachSeed describes a number of each seed.
func eachSeed(seeds []refillTally, of func(refillTally) float64) Summary {
	numbers := make([]float64, len(seeds))
	for i, t := range seeds {
		numbers[i] = of(t)
	}
	return Summarise(numbers)
}

func (x *refills) rows() (rows []refillRow) {
	for _, kind := range x.plan.kinds {
		for _, boards := range []string{recordBoard, beamBoards} {
			for _, k := range kind.sizes {
				for _, method := range repair.Names() {
					t, seeds := x.tallied(func(key refillKey) bool {
						return key == refillKey{boards, kind.Name, key.operator, k, method}
					})
					if t.Holes == 0 {
						continue
					}
					share := func(n int) float64 { return float64(n) / float64(t.Holes) }
					rows = append(rows, refillRow{
						boards, kind.Name, k, method, t.Holes, share(t.Cells),
						eachSeed(seeds, func(t refillTally) float64 { return float64(t.Breaks) / float64(t.Holes) }),
						share(t.Better), share(t.Even), share(t.Same), share(t.Worse), share(t.Optimal), share(t.Fallbacks), share(t.Below), share(t.Above),
						eachSeed(seeds, func(t refillTally) float64 { return t.Nanos / 1000 / float64(t.Holes) }),
						eachSeed(seeds, func(t refillTally) float64 { return float64(t.Gain) / float64(t.Holes) }),
						eachSeed(seeds, func(t refillTally) float64 { return float64(t.Gain) / max(1, t.Nanos) * 1e9 }),
					})
				}
			}
		}
	}
	return rows
}

func (x *refills) judgeProofs(r *Report) {
	p := x.proofs
	f := Finding{
		Claim:     "no method finds fewer breaks than one that says that its refill is optimal, nor has the board fewer",
		Published: "0 of all refills that are said to be optimal", Seeds: x.seeds,
		Verdict: judge(p.Broken == 0, x.complete && p.Said > 0), Note: p.Worst,
	}
	if len(x.seeds) > 0 {
		f.Measured = fmt.Sprintf("%s of %s", grouped(int64(p.Broken)), grouped(int64(p.Said)))
	}
	r.find(f)
}

func (x *refills) judgeApart(r *Report) {
	p := x.proofs
	f := Finding{
		Claim:     "when no two cells of a hole touch, an assignment is an optimal refill",
		Published: "assignment says so of every such hole", Seeds: x.seeds,
		Verdict: judge(p.Decided == p.Apart, x.complete && p.Apart > 0),
		Note:    "that nothing better is found is the finding above",
	}
	switch {
	case p.Apart > 0:
		f.Measured = fmt.Sprintf("%s of %s", grouped(int64(p.Decided)), grouped(int64(p.Apart)))
	case len(x.seeds) > 0:
		f.Measured = "no such hole by assignment"
	}
	r.find(f)
}

func (x *refills) judgeNeverWorse(r *Report, method, kind string) {
	t, _ := x.tallied(func(key refillKey) bool { return key.method == method && key.kind == kind })
	f := Finding{
		Claim:     fmt.Sprintf("on %s holes %s is never worse than greedy", kind, method),
		Published: "0 holes with more breaks than by greedy", Seeds: x.seeds,
		Verdict: judge(t.Above == 0, x.complete && t.Holes > 0),
	}
	switch {
	case t.Holes > 0:
		f.Measured = fmt.Sprintf("%s of %s holes, and fewer breaks on %s", grouped(int64(t.Above)), grouped(int64(t.Holes)), percent(float64(t.Below)/float64(t.Holes)))
		if t.Above > 0 {
			f.Note = fmt.Sprintf("of the worse refills %s are said to be optimal, and the others prove nothing", grouped(int64(t.Refuted)))
		}
	case len(x.seeds) > 0:
		f.Measured = "no refill by " + method
	}
	r.find(f)
}

// refillChart shows what refills cost.
func refillChart(rows []refillRow, kind string) chart.Chart {
	c := chart.Chart{Title: fmt.Sprintf("Microseconds to refill %s holes of boards by beams: median and range", kind), XLabel: "k", YLabel: "microseconds", LogX: true, LogY: true}
	for _, method := range repair.Names() {
		s := chart.Series{Name: method, Kind: chart.Line}
		for _, row := range rows {
			if row.Boards != beamBoards || row.Kind != kind || row.Method != method {
				continue
			}
			least := func(micros float64) float64 { return max(0.01, micros) } // the axis has no 0
			s.X, s.Y = append(s.X, float64(row.K)), append(s.Y, least(row.Micros.Median))
			s.Low, s.High = append(s.Low, least(row.Micros.Min)), append(s.High, least(row.Micros.Max))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func growthChart(grown []growthRow, plan refillPlan) chart.Chart {
	c := chart.Chart{
		Title:  fmt.Sprintf("Nodes that exact needs, up to %s: geometric mean, 95 %% interval", grouped(1<<plan.cap)),
		XLabel: "cells of the hole", YLabel: "nodes", LogY: true,
	}
	for _, operator := range plan.growing {
		s := chart.Series{Name: operator.Name, Kind: chart.Line}
		for _, g := range grown {
			if g.Operator != operator.Name {
				continue
			}
			s.X, s.Y = append(s.X, g.Cells), append(s.Y, math.Exp2(g.Doubled.Mean))
			s.Low, s.High = append(s.Low, math.Exp2(g.Doubled.Lowest)), append(s.High, math.Exp2(g.Doubled.Highest))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func (x *refills) gainChart(rows []loopRow, b yardstick) chart.Chart {
	c := chart.Chart{XLabel: "k", YLabel: "seams gained, 95 % interval", LogX: true}
	c.Title = fmt.Sprintf("Gain of the loop by size of hole, in %s iterations", grouped(x.plan.iterations))
	gain := func(l loopRow) Summary { return l.Most }
	if b == byTime {
		c.Title = "Gain of the loop by size of hole, in " + duration(x.plan.time.Seconds())
		gain = func(l loopRow) Summary { return l.Timed }
	}
	for _, kind := range []string{asPolish, scatteredHoles, connectedHoles} {
		for _, method := range repair.Names() {
			s := chart.Series{Name: method + ", " + kind, Kind: chart.Line}
			for _, l := range loopsOf(rows, kind, method) {
				if b == byIterations && l.Iterations < x.plan.iterations {
					continue
				}
				g := gain(l)
				s.X, s.Y = append(s.X, float64(l.K)), append(s.Y, g.Mean)
				s.Low, s.High = append(s.Low, g.Lowest), append(s.High, g.Highest)
			}
			if len(s.X) > 0 {
				c.Series = append(c.Series, s)
			}
		}
	}
	return c
}

func refillTable(rows []refillRow, boards, kind string) Table {
	var some []refillRow
	for _, row := range rows {
		if row.Boards == boards && row.Kind == kind {
			some = append(some, row)
		}
	}
	of := func(name string, text func(refillRow) string) column[refillRow] { return column[refillRow]{name, text} }
	share := func(name string, value func(refillRow) float64) column[refillRow] {
		return of(name, func(x refillRow) string { return fineShare(value(x)) })
	}
	where := "boards by beams"
	if boards != beamBoards {
		where = boards
	}
	return tabulate(fmt.Sprintf("%s holes of %s", kind, where),
		"breaks are those more than the board's own arrangement has, with the standard error of the mean; better, even (as good, and another arrangement), same and worse are against that arrangement, as shares of the holes; above greedy are holes with more breaks than greedy has there, below those with fewer; seams are gained, with standard errors", some,
		of("k", func(x refillRow) string { return fmt.Sprint(x.K) }),
		of("method", func(x refillRow) string { return x.Method }),
		of("holes", func(x refillRow) string { return grouped(int64(x.Holes)) }),
		of("cells", func(x refillRow) string { return short(x.Cells) }),
		of("breaks", func(x refillRow) string { return plusMinus(x.Breaks) }),
		share("better", func(x refillRow) float64 { return x.Better }),
		share("even", func(x refillRow) float64 { return x.Even }),
		share("same", func(x refillRow) float64 { return x.Same }),
		share("worse", func(x refillRow) float64 { return x.Worse }),
		share("optimal", func(x refillRow) float64 { return x.Optimal }),
		share("fallback", func(x refillRow) float64 { return x.Fallbacks }),
		share("below greedy", func(x refillRow) float64 { return x.Below }),
		share("above greedy", func(x refillRow) float64 { return x.Above }),
		of("µs", func(x refillRow) string { return short(x.Micros.Median) }),
		of("seams a hole", func(x refillRow) string { return plusMinus(x.Hole) }),
		of("seams a second", func(x refillRow) string { return plusMinus(x.Second) }),
	)
}

// fineShare writes a share of one that may be small.
func fineShare(x float64) string {
	switch {
	case x > 0 && x < 0.01:
		return fmt.Sprintf("%.2g %%", 100*x)
	case x > 0.99 && x < 1:
		return fmt.Sprintf("%.2f %%", 100*x)
	}
	return percent(x)
}

// operatorRow is the gain by each method on the holes of one operator.
type operatorRow struct {
	Boards   string    `json:"boards"`
	Operator string    `json:"operator"`
	K        int       `json:"k"`
	Cells    float64   `json:"cells"`
	Holes    int       `json:"count"`
	Gains    []Summary `json:"seams_a_hole"` // by method
}

func (x *refills) operatorTable() Table {
	names := repair.Names()
	var rows []operatorRow
	for _, boards := range []string{recordBoard, beamBoards} {
		for _, kind := range x.plan.kinds {
			for _, operator := range kind.operators {
				for _, k := range kind.sizes {
					row := operatorRow{Boards: boards, Operator: operator.Name, K: k}
					for _, method := range names {
						t, seeds := x.tallied(func(key refillKey) bool {
							return key == refillKey{boards, kind.Name, operator.Name, k, method}
						})
						row.Holes, row.Cells = t.Holes, float64(t.Cells)/float64(t.Holes)
						row.Gains = append(row.Gains, eachSeed(seeds, func(t refillTally) float64 { return float64(t.Gain) / float64(t.Holes) }))
					}
					if row.Holes > 0 {
						rows = append(rows, row)
					}
				}
			}
		}
	}
	columns := []column[operatorRow]{
		{"boards", func(x operatorRow) string { return x.Boards }},
		{"operator", func(x operatorRow) string { return x.Operator }},
		{"k", func(x operatorRow) string { return fmt.Sprint(x.K) }},
		{"holes", func(x operatorRow) string { return fmt.Sprint(x.Holes) }},
		{"cells", func(x operatorRow) string { return short(x.Cells) }},
	}
	for i, name := range names {
		columns = append(columns, column[operatorRow]{name, func(x operatorRow) string { return plusMinus(x.Gains[i]) }})
	}
	return tabulate("seams gained a hole, by operator and method", "means over the seeds, with their standard errors", rows, columns...)
}

func growthTable(grown []growthRow, plan refillPlan) Table {
	of := func(name string, text func(growthRow) string) column[growthRow] { return column[growthRow]{name, text} }
	return tabulate("nodes that exact needs",
		fmt.Sprintf("to the next power of two; a + says that the median was cut short, after %s nodes; low and high bound the geometric mean with 95 %% confidence", grouped(1<<plan.cap)), grown,
		of("operator", func(g growthRow) string { return g.Operator }),
		of("k", func(g growthRow) string { return fmt.Sprint(g.K) }),
		of("cells", func(g growthRow) string { return short(g.Cells) }),
		of("holes", func(g growthRow) string { return fmt.Sprint(g.Holes) }),
		of("decided", func(g growthRow) string { return percent(float64(g.Decided) / float64(g.Holes)) }),
		of("nodes, median", func(g growthRow) string {
			if g.Median > math.Exp2(float64(plan.cap)) {
				return grouped(1<<plan.cap) + "+"
			}
			return short(g.Median)
		}),
		of("geometric mean", func(g growthRow) string { return short(math.Exp2(g.Doubled.Mean)) }),
		of("low", func(g growthRow) string { return short(math.Exp2(g.Doubled.Lowest)) }),
		of("high", func(g growthRow) string { return short(math.Exp2(g.Doubled.Highest)) }),
	)
}

func (x *refills) loopTable(rows []loopRow) Table {
	of := func(name string, text func(loopRow) string) column[loopRow] { return column[loopRow]{name, text} }
	return tabulate("gain of the loop, by size of hole", "seams gained, means over the seeds with their standard errors; cells are those of a hole; the rate is the median; optimal and fallback are shares of the refills", rows,
		of("holes", func(l loopRow) string { return l.Kind }),
		of("method", func(l loopRow) string { return l.Method }),
		of("k", func(l loopRow) string { return fmt.Sprint(l.K) }),
		of("cells", func(l loopRow) string { return short(l.Cells.Mean) }),
		of("n", func(l loopRow) string { return fmt.Sprint(len(l.trials)) }),
		of("iterations a second", func(l loopRow) string { return short(l.Rate.Median) }),
		of("optimal", func(l loopRow) string { return fineShare(l.Optimal) }),
		of("fallback", func(l loopRow) string { return fineShare(l.Fallbacks) }),
		of("in "+grouped(x.plan.fewer)+" iterations", func(l loopRow) string { return plusMinus(l.Fewer) }),
		of("in "+grouped(x.plan.iterations), func(l loopRow) string {
			if l.Iterations < x.plan.iterations {
				return "–"
			}
			return plusMinus(l.Most)
		}),
		of("in "+duration(x.plan.time.Seconds()), func(l loopRow) string { return plusMinus(l.Timed) }),
	)
}
