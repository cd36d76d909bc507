package study

import (
	"fmt"
	"slices"
	"strings"
)

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
