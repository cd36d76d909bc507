package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

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

// growthRow is the nodes that exact needs for holes of one operator and size.
type growthRow struct {
	Operator string    `json:"operator"`
	K        int       `json:"k"`
	Cells    float64   `json:"cells"`
	Holes    int       `json:"count"`
	Decided  int       `json:"decided"`
	Median   float64   `json:"median"` // of the nodes
	Doubled  Summary   `json:"log2"`   // means of the seeds, of the binary logarithm of the nodes; what is not decided counts as twice the limit
	each     []float64 // of these
}

func (x *refills) growth() (rows []growthRow) {
	for _, operator := range x.plan.growing {
		for _, k := range x.plan.growths {
			g := growthRow{Operator: operator.Name, K: k}
			var all []float64
			for _, grown := range x.grown {
				var exponents []float64
				for _, hole := range grown[growthKey{operator.Name, k}] {
					exponents = append(exponents, float64(hole.exponent))
					g.Cells += float64(hole.cells)
					if hole.exponent <= x.plan.cap {
						g.Decided++
					}
				}
				all = append(all, exponents...)
				g.each = append(g.each, Summarise(exponents).Mean)
			}
			if g.Holes = len(all); g.Holes > 0 {
				g.Cells /= float64(g.Holes)
				g.Median, g.Doubled = math.Exp2(Summarise(all).Median), Summarise(g.each)
				rows = append(rows, g)
			}
		}
	}
	return rows
}

// lineThrough is the slope of the best line through points, and the mean square of what
// it leaves.
func lineThrough(xs, ys []float64) (slope, left float64) {
	x, y := Summarise(xs).Mean, Summarise(ys).Mean
	var xx, xy, yy float64
	for i := range xs {
		xx += (xs[i] - x) * (xs[i] - x)
		xy += (xs[i] - x) * (ys[i] - y)
		yy += (ys[i] - y) * (ys[i] - y)
	}
	return xy / xx, (yy - xy*xy/xx) / float64(len(xs))
}

// growths is how the nodes of one operator grow.
type growths struct {
	rows   []growthRow // of which half are decided: what is cut short says too little
	Slope  Summary     // of the binary logarithm of the nodes, by cell
	Power  Summary     // the exponent, were it a power of the cells
	Nearer Summary     // by how much the mean square is less that a line in the cells leaves
}

func (x *refills) growthOf(operator string, rows []growthRow) (g growths) {
	var cells, logs []float64
	for _, row := range rows {
		if row.Operator != operator {
			continue
		}
		if 2*row.Decided < row.Holes {
			break
		}
		g.rows = append(g.rows, row)
		cells, logs = append(cells, row.Cells), append(logs, math.Log2(row.Cells))
	}
	if len(g.rows) < 3 { // no line to speak of
		g.rows = nil
		return g
	}
	var slopes, powers, nearer []float64
	for seed := range x.seeds {
		var nodes []float64
		for _, row := range g.rows {
			nodes = append(nodes, row.each[seed])
		}
		slope, left := lineThrough(cells, nodes)
		power, leftOfPower := lineThrough(logs, nodes)
		slopes, powers, nearer = append(slopes, slope), append(powers, power), append(nearer, leftOfPower-left)
	}
	g.Slope, g.Power, g.Nearer = Summarise(slopes), Summarise(powers), Summarise(nearer)
	return g
}

func (g growths) words() string {
	if len(g.rows) == 0 {
		return "too few sizes at which half of the holes are decided"
	}
	var nodes []string
	for _, row := range g.rows {
		nodes = append(nodes, fmt.Sprintf("%s at %d", short(math.Exp2(row.Doubled.Mean)), row.K))
	}
	return fmt.Sprintf("the nodes grow %s times with every cell, and the line in k is nearer by %s; as a power of k it would be one of %s; geometric means of the nodes: %s",
		short(math.Exp2(g.Slope.Mean)), meanWithin(g.Nearer), short(g.Power.Mean), strings.Join(nodes, ", "))
}

// judgeGrowth judges that the logarithm of the nodes is a line in k rather than
// in the logarithm of k, which would be a power.
func (x *refills) judgeGrowth(r *Report, grown []growthRow, rows []refillRow) {
	f := Finding{
		Claim:     "exact repair of holes whose cells touch is exponential in k",
		Published: "for holes of " + squareHoles + " the logarithm of the nodes is nearer a line in k than a line in log k, which is a power of k: wanted, the 95 % intervals of the mean difference of the mean squares, and of the slope, above 0",
		Seeds:     x.seeds,
		Note:      "sizes of which fewer than half are decided are left out; what is not decided counts as twice the limit; other operators are told, not judged",
	}
	judged := false
	if len(x.seeds) > 0 {
		var texts []string
		for _, operator := range x.plan.growing {
			g := x.growthOf(operator.Name, grown)
			texts = append(texts, operator.Name+": "+g.words())
			if operator.Name == squareHoles && len(g.rows) > 0 {
				judged = true
				f.Verdict = judge(!x.complete || g.Slope.Lowest > 0 && g.Nearer.Lowest > 0, x.complete)
			}
		}
		f.Measured = fmt.Sprintf("%s; of connected holes proved within the nodes of the default: %s", strings.Join(texts, "; "), proved(rows))
	}
	if !judged {
		f.Verdict = Untested
	}
	r.find(f)
}

// proved tells which share of connected holes exact decides.
func proved(rows []refillRow) string {
	shares := map[int]float64{}
	boards := map[int]float64{}
	var sizes []int
	for _, row := range rows {
		if row.Kind == connectedHoles && row.Method == exactRepair {
			if boards[row.K] == 0 {
				sizes = append(sizes, row.K)
			}
			shares[row.K] += row.Optimal
			boards[row.K]++
		}
	}
	var words []string
	for _, k := range sizes {
		words = append(words, fmt.Sprintf("%s at %d", percent(shares[k]/boards[k]), k))
	}
	return strings.Join(words, ", ")
}

// loopRow is the loop with holes of one kind and size and one method, over the
// seeds.
type loopRow struct {
	Kind       string  `json:"holes"`
	Method     string  `json:"method"`
	K          int     `json:"k"`
	Cells      Summary `json:"cells"`
	Rate       Summary `json:"iterations_a_second"`
	Optimal    float64 `json:"optimal"` // share of the refills
	Fallbacks  float64 `json:"fallback"`
	Iterations int64   `json:"iterations"`
	Fewer      Summary `json:"gain_at_fewer_iterations"`
	Most       Summary `json:"gain_at_iterations"` // of its own, which greedy has more of
	Timed      Summary `json:"gain_at_time"`

	trials []trial
}

func (x *refills) loops() (rows []loopRow) {
	for i, a := range x.arms {
		trials := x.trials[i]
		if len(trials) == 0 {
			continue
		}
		row := loopRow{Kind: a.kind, Method: a.method, K: a.k, Cells: Summarise(x.cells[i]), Iterations: a.iterations, trials: trials}
		var rates []float64
		uses, optimal, fallbacks := int64(0), int64(0), int64(0)
		for _, t := range trials {
			rates = append(rates, float64(t.InTime)/x.plan.time.Seconds())
			uses, optimal, fallbacks = uses+t.repairs.Uses, optimal+t.repairs.Optimal, fallbacks+t.repairs.Fallbacks
		}
		row.Rate = Summarise(rates)
		row.Optimal, row.Fallbacks = float64(optimal)/float64(max(1, uses)), float64(fallbacks)/float64(max(1, uses))
		row.Fewer, row.Most, row.Timed = Summarise(row.gains(atFewer)), Summarise(row.gains(atIterations)), Summarise(row.gains(atTime))
		rows = append(rows, row)
	}
	return rows
}

func atFewer(t trial) int { return t.Curve[0] }

// gains are the seams gained by each seed.
func (l loopRow) gains(at func(trial) int) []float64 {
	return values(l.trials, func(t trial) int { return at(t) - t.Start })
}

// yardstick says at what loops are compared.
type yardstick int

const (
	byIterations yardstick = iota
	byTime
)

func (b yardstick) words() string {
	if b == byTime {
		return "second for second"
	}
	return "iteration for iteration"
}

// whole tells whether the loops were run as the claims have it.
func (x *refills) whole(b yardstick) bool {
	return x.complete && (b == byIterations || x.plan.time == refillTime)
}

// loopsOf are the loops with holes of a kind and a method.
func loopsOf(rows []loopRow, kind, method string) (found []loopRow) {
	for _, l := range rows {
		if l.Kind == kind && l.Method == method {
			found = append(found, l)
		}
	}
	return found
}

// judgeLarge holds the gain by large holes against that by the best size.
func (x *refills) judgeLarge(r *Report, rows []loopRow, b yardstick) {
	at, budget := atIterations, grouped(x.plan.iterations)+" iterations"
	if b == byTime {
		at, budget = atTime, duration(x.plan.time.Seconds())
	}
	f := Finding{
		Claim:     "large destroys stop paying, " + b.words(),
		Published: fmt.Sprintf("with greedy, and the operators as polish draws them, holes of k ≥ %d gain less in %s than those of the best k: wanted, the 95 %% intervals of the mean differences above 0", largeHole, budget),
		Seeds:     x.seeds,
		Note:      "the best k is chosen by the same runs that it is held against, which favours it a little; other kinds of holes are told, not judged",
	}
	holds, judged := true, 0
	var texts []string
	for _, kind := range []string{asPolish, scatteredHoles, connectedHoles} {
		loops := loopsOf(rows, kind, greedyRepair)
		if len(loops) == 0 {
			continue
		}
		best := slices.MaxFunc(loops, func(a, b loopRow) int {
			d := Summarise(a.gains(at)).Mean - Summarise(b.gains(at)).Mean
			switch {
			case d < 0:
				return -1
			case d > 0:
				return 1
			}
			return 0
		})
		var behind []string
		all := true
		for _, l := range loops {
			if l.K < largeHole {
				continue
			}
			s := Paired(best.gains(at), l.gains(at))
			all = all && s.Lowest > 0
			behind = append(behind, fmt.Sprintf("%d by %s", l.K, meanWithin(s)))
			if kind == asPolish {
				judged++
			}
		}
		if kind == asPolish {
			holds = all
		}
		texts = append(texts, fmt.Sprintf("%s: the best k is %d, with %s; behind it are %s: %s", kind, best.K, seams(Summarise(best.gains(at))), strings.Join(behind, ", "), yesOrNo(all)))
	}
	f.Measured = strings.Join(texts, "; ")
	complete := x.whole(b)
	f.Verdict = judge(!complete || holds, complete && judged > 0)
	r.find(f)
}

func yesOrNo(holds bool) string {
	if holds {
		return "yes"
	}
	return "no"
}

// meanWithin is a mean and its interval, short.
func meanWithin(s Summary) string {
	if s.N < 2 {
		return short(s.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", short(s.Mean), short(s.Lowest), short(s.Highest))
}

// judgeBetter holds the gain by a method against that by greedy with holes of
// the same kind: the mean over the sizes, seed by seed.
func (x *refills) judgeBetter(r *Report, rows []loopRow, method, kind string, b yardstick) {
	at, budget := atFewer, grouped(x.plan.fewer)+" iterations"
	if b == byTime {
		at, budget = atTime, duration(x.plan.time.Seconds())
	}
	f := Finding{
		Claim:     fmt.Sprintf("a better repair pays, %s: %s against greedy on %s holes", b.words(), method, kind),
		Published: fmt.Sprintf("gains more in %s, the mean over the sizes: wanted, the 95 %% interval of the mean difference above 0", budget),
		Seeds:     x.seeds,
	}
	var sum []float64
	var texts []string
	sizes := 0.0
	greedy := loopsOf(rows, kind, greedyRepair)
	for _, l := range loopsOf(rows, kind, method) {
		i := slices.IndexFunc(greedy, func(g loopRow) bool { return g.K == l.K })
		if i < 0 {
			continue
		}
		mine, others := l.gains(at), greedy[i].gains(at)
		if sum == nil {
			sum = make([]float64, len(mine))
		}
		for seed := range sum {
			sum[seed] += mine[seed] - others[seed]
		}
		sizes++
		texts = append(texts, fmt.Sprintf("%s at %d", signed(Summarise(mine).Mean-Summarise(others).Mean), l.K))
	}
	for seed := range sum {
		sum[seed] /= sizes
	}
	s := Summarise(sum)
	complete := x.whole(b) && sizes > 0
	f.Verdict = judge(!complete || s.Lowest > 0, complete)
	switch {
	case sizes > 0:
		f.Measured = fmt.Sprintf("%s; by k %s", seams(s), strings.Join(texts, ", "))
		if s.N > 1 {
			switch {
			case s.Highest < 0:
				f.Note = "greedy gains more: the interval lies below 0"
			case s.Lowest <= 0:
				f.Note = "the interval holds 0, so these seeds do not tell"
			}
		}
	case len(x.seeds) > 0:
		f.Measured = "no loop with " + method
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
