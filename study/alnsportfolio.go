package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/alns/destroy"
	"lastmile/alns/selection"
	"lastmile/search"
	"lastmile/study/chart"
)

var alnsPortfolio = Study{
	Name:    "alns-portfolio",
	Claim:   "selection beats coverage: a curated set of five destroy operators outperforms the full set of eleven, as too many operators dilute what the adaptive weights learn",
	Seeds:   portfolioSeeds,
	Measure: measurePortfolio,
}

var portfolioSeeds = fromTo(1, 20)

const (
	curated  = 5   // operators that are chosen
	chosenOn = 512 // width of the beams whose boards they are chosen on
)

// portfolioPlan is what is measured.
type portfolioPlan struct {
	choosing []uint64 // seeds
	choose   trialPlan
	training family
	near     []family // boards near the top that the choice is judged by
	far      []family // and mediocre ones
	fewer    map[string]int
	judge    trialPlan
	seeds    []uint64
	whole    bool // as the claims have it
}

func planPortfolio(o Options) portfolioPlan {
	wide := beamStarts(beamWidth)
	p := portfolioPlan{
		choosing: fromTo(101, 110), choose: trialPlan{Time: 300 * time.Millisecond}, training: beamStarts(chosenOn),
		near: []family{beamStarts(chosenOn), wide}, far: []family{greedyStarts()}, fewer: map[string]int{wide.Name: 10},
		judge: trialPlan{Iterations: 400_000, Time: time.Second},
		seeds: o.Seeds, whole: o.Time == 0,
	}
	if o.Quick {
		p.choosing, p.choose.Time, p.training, p.whole = p.choosing[:1], time.Millisecond, beamStarts(16), false
		p.near, p.judge = []family{beamStarts(16), beamStarts(64)}, trialPlan{Iterations: 500, Time: time.Millisecond}
	}
	if o.Time > 0 {
		p.judge.Time = o.Time
	}
	return p
}

func measurePortfolio(ctx context.Context, o Options, r *Report) error {
	plan := planPortfolio(o)
	r.note(fmt.Sprintf("The %d operators are chosen on boards of beams of the width %s, seeds %s, and judged on boards that the choice has not seen. Choosing is greedy: each step tries every operator that is left together with those chosen, %v a run and one run a board, and takes the one with the highest mean of the best scores, the first in the list of equals. Time decides, so that another run may choose otherwise.",
		curated, grouped(chosenOn), FormatSeeds(plan.choosing), plan.choose.Time))
	x := newPortfolio(plan)
	r.note(contestNote(x.contest))
	r.note(greedyNote)
	r.note("The worst five are those of the others that did worst alone, in the first step. Equal weights are a roulette whose memory keeps its weights as they began, so that nothing is learnt. Portfolio is what lastmile polish draws from when it is given no operators; it is left out where it is the chosen five.")
	var err error
	if x.chosen, x.tries, err = choosePortfolio(ctx, o, plan); err != nil {
		return err
	}
	if len(x.chosen) == curated {
		x.enter()
		r.note(fmt.Sprintf("Chosen, in this order: %s. The worst five: %s. The portfolio: %s.",
			strings.Join(x.chosen, ", "), strings.Join(lowest(x.tries, x.chosen, curated), ", "), strings.Join(namesOf(destroy.Portfolio), ", ")))
		if err := x.contest.run(ctx, plan.seeds, o.Say); err != nil {
			return err
		}
	}
	x.report(r, plan.whole && covers(x.contest.seeds, portfolioSeeds))
	return nil
}

// tried is an operator in a step of the choice.
type tried struct {
	Step     int     `json:"step"`
	Operator string  `json:"operator"`
	Score    Summary `json:"score"` // together with those chosen before
	Chosen   bool    `json:"chosen"`
}

// forward picks names one after the other, each time the one that does best
// together with those picked before, the first of equals. Evaluate gives the
// score of each set; fewer scores than sets end the choice there.
func forward(names []string, most int, evaluate func(sets [][]string) ([]Summary, error)) (chosen []string, tries []tried, err error) {
	for step := 1; step <= min(most, len(names)); step++ {
		var sets [][]string
		for _, name := range names {
			if !slices.Contains(chosen, name) {
				sets = append(sets, append(slices.Clone(chosen), name))
			}
		}
		scores, err := evaluate(sets)
		if err != nil || len(scores) < len(sets) {
			return chosen, tries, err
		}
		best := 0
		for i, s := range scores {
			if s.Mean > scores[best].Mean {
				best = i
			}
		}
		for i, s := range scores {
			tries = append(tries, tried{step, sets[i][step-1], s, i == best})
		}
		chosen = sets[best]
	}
	return chosen, tries, nil
}

// lowest are the names that did worst alone, in the first step, of those that
// are not chosen, lowest first. Later steps tell less: what resembles one that
// is chosen adds little to it.
func lowest(tries []tried, chosen []string, n int) (names []string) {
	left := slices.DeleteFunc(slices.Clone(tries), func(t tried) bool {
		return t.Step > 1 || slices.Contains(chosen, t.Operator)
	})
	slices.SortStableFunc(left, func(a, b tried) int { return cmp.Compare(a.Score.Mean, b.Score.Mean) })
	for _, t := range left[:min(n, len(left))] {
		names = append(names, t.Operator)
	}
	return names
}

func choosePortfolio(ctx context.Context, o Options, plan portfolioPlan) ([]string, []tried, error) {
	return forward(destroy.Names(), curated, func(sets [][]string) ([]Summary, error) {
		c := contest{Families: []family{plan.training}, Plan: plan.choose}
		for _, set := range sets {
			c.Contenders = append(c.Contenders, withOperators(strings.Join(set, ", "), set))
		}
		step := len(sets[0])
		err := c.run(ctx, plan.choosing, func(line string) { o.Say(fmt.Sprintf("choosing %d of %d: %s", step, curated, line)) })
		if err != nil || len(c.seeds) < len(plan.choosing) {
			return nil, err
		}
		var scores []Summary
		for _, d := range c.Contenders {
			scores = append(scores, Summarise(values(c.of(plan.training, d), atTime)))
		}
		return scores, nil
	})
}

// withOperators is a contender that draws from a set of operators. The names
// are those of the list.
func withOperators(name string, set []string) contender {
	operators, err := destroy.Named(set...)
	if err != nil {
		panic(err)
	}
	return contender{name, alns.Options{Operators: operators}}
}

// equally is a contender that does not learn.
func equally(d contender) contender {
	d.Name += ", equal weights"
	d.Options.Selecting = selection.Options{Memory: 1 - 1e-9}
	return d
}

// portfolio is the choice and the contest that judges it.
type portfolio struct {
	plan                                      portfolioPlan
	chosen                                    []string
	tries                                     []tried
	five, all, worst, fiveEqually, allEqually contender
	contest                                   contest
}

func newPortfolio(plan portfolioPlan) *portfolio {
	return &portfolio{plan: plan, contest: contest{Families: slices.Concat(plan.near, plan.far), Plan: plan.judge, Fewer: plan.fewer}}
}

// enter names the contenders.
func (x *portfolio) enter() {
	x.five = withOperators("chosen five", x.chosen)
	x.all = withOperators(fmt.Sprintf("all %d", len(destroy.Operators)), destroy.Names())
	x.worst = withOperators("worst five", lowest(x.tries, x.chosen, curated))
	x.fiveEqually, x.allEqually = equally(x.five), equally(x.all)
	x.contest.Contenders = []contender{x.five, x.all, x.worst, x.fiveEqually, x.allEqually}
	if !sameSet(x.chosen, namesOf(destroy.Portfolio)) {
		x.contest.Contenders = append(x.contest.Contenders, withOperators("portfolio", namesOf(destroy.Portfolio)))
	}
}

func namesOf(operators []destroy.Operator) (names []string) {
	for _, o := range operators {
		names = append(names, o.Name)
	}
	return names
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (x *portfolio) report(r *Report, complete bool) {
	near, far := x.plan.near, x.plan.far
	for _, by := range []bound{sameTime, sameIterations} {
		x.judge(r, "near the top, a curated five outperforms all eleven, "+by.Name, near, x.five, x.all, by, complete)
	}
	x.judge(r, "on mediocre boards too, the five outperform all eleven, "+sameTime.Name, far, x.five, x.all, sameTime, complete)
	x.judge(r, "which five matters: near the top, the chosen five outperform the worst five, "+sameTime.Name, near, x.five, x.worst, sameTime, complete)
	x.judge(r, "adaptive weights learn something: near the top, those of all eleven outperform equal weights, "+sameIterations.Name, near, x.all, x.allEqually, sameIterations, complete)
	x.judgeDilution(r, complete)
	r.draw(choiceChart(x.tries))
	for _, by := range everyBound {
		r.draw(x.chart(by))
	}
	r.show(choiceTable(x.tries))
	r.show(standingTable("contenders", x.all.Name, x.contest.standings(x.all)))
	r.show(drawsTable(x.draws()))
}

func (x *portfolio) judge(r *Report, claim string, families []family, a, b contender, by bound, complete bool) {
	finding := Finding{Claim: claim, Seeds: x.contest.seeds}
	if len(x.contest.seeds) > 0 && len(families) > 1 {
		var each []string
		for _, f := range families {
			each = append(each, f.Name+" "+bracket(x.contest.more([]family{f}, a, b, by)))
		}
		finding.Measured = "; by boards: " + strings.Join(each, ", ")
	}
	settleWin(r, finding, x.contest.more(families, a, b, by), complete)
}

// judgeDilution judges the reason that is given: what the weights learn is worth
// more among five operators than among all.
func (x *portfolio) judgeDilution(r *Report, complete bool) {
	c := &x.contest
	learnt := func(adaptive, equal contender) []float64 {
		gained, other := values(c.on(x.plan.near, adaptive), atIterations), values(c.on(x.plan.near, equal), atIterations)
		for i := range gained {
			gained[i] -= other[i]
		}
		return gained
	}
	f := Finding{
		Claim: "more operators dilute what the weights learn: near the top, adaptive weights gain more over equal ones among the five than among all eleven, " + sameIterations.Name,
		Seeds: c.seeds,
	}
	five, all := learnt(x.five, x.fiveEqually), learnt(x.all, x.allEqually)
	if len(c.seeds) > 0 {
		f.Measured = fmt.Sprintf("; adaptive over equal weights: %s among the five, %s among all; the five get %s of the draws of all, and %s of them with equal weights",
			seams(Summarise(five)), seams(Summarise(all)), percent(x.share(x.all)), percent(x.share(x.allEqually)))
	}
	settleWin(r, f, Paired(five, all), complete)
}

// share is the share of draws that the chosen five have in a contender.
func (x *portfolio) share(d contender) (sum float64) {
	shares := sharesOf(operatorsOf(x.contest.on(x.contest.Families, d)))
	for _, name := range x.chosen {
		sum += shares[name]
	}
	return sum
}

// sharesOf are the operators' shares of the draws, by name.
func sharesOf(operators []search.Operator) map[string]float64 {
	total := int64(0)
	for _, o := range operators {
		total += o.Uses
	}
	shares := map[string]float64{}
	for _, o := range operators {
		shares[o.Name] = float64(o.Uses) / float64(max(1, total))
	}
	return shares
}

// operatorsOf adds up what the operators did in trials of one contender.
func operatorsOf(trials []trial) (sum []search.Operator) {
	for i, t := range trials {
		if i == 0 {
			sum = make([]search.Operator, len(t.operators))
		}
		for j, o := range t.operators {
			s := &sum[j]
			s.Name = o.Name
			s.Uses, s.Accepted, s.Improved, s.Gain = s.Uses+o.Uses, s.Accepted+o.Accepted, s.Improved+o.Improved, s.Gain+o.Gain
		}
	}
	return sum
}

// drawn is how an operator was drawn and what came of it, over all boards.
type drawn struct {
	Operator string  `json:"operator"`
	Chosen   bool    `json:"chosen"`
	Five     float64 `json:"five"` // share of the draws among the chosen five
	All      float64 `json:"all"`  // and among all; so are the rest
	Accepted float64 `json:"accepted"`
	Improved float64 `json:"improved"`
	Gain     float64 `json:"gain"` // seams a draw
}

func (x *portfolio) draws() (rows []drawn) {
	all := operatorsOf(x.contest.on(x.contest.Families, x.all))
	amongAll := sharesOf(all)
	amongFive := sharesOf(operatorsOf(x.contest.on(x.contest.Families, x.five)))
	for _, o := range all {
		each := func(n int64) float64 { return float64(n) / float64(max(1, o.Uses)) }
		rows = append(rows, drawn{
			o.Name, slices.Contains(x.chosen, o.Name), amongFive[o.Name], amongAll[o.Name],
			each(o.Accepted), each(o.Improved), each(o.Gain),
		})
	}
	return rows
}

func drawsTable(rows []drawn) Table {
	of := func(name string, text func(drawn) string) column[drawn] { return column[drawn]{name, text} }
	return tabulate("what the weights learn", "shares of the draws over all boards; equal weights would give each of all as much; the last three columns are among all", rows,
		of("operator", func(d drawn) string { return d.Operator }),
		of("among the five", func(d drawn) string {
			if !d.Chosen {
				return "–"
			}
			return percent(d.Five)
		}),
		of("among all", func(d drawn) string { return percent(d.All) }),
		of("accepted", func(d drawn) string { return percent(d.Accepted) }),
		of("improved", func(d drawn) string { return fmt.Sprintf("%.1f %%", 100*d.Improved) }),
		of("seams gained in 1000 draws", func(d drawn) string { return short(1000 * d.Gain) }),
	)
}

func choiceTable(tries []tried) Table {
	return tabulate("choosing", "score is the mean of the best scores of the operator together with those chosen in earlier steps, with the 95 % interval of the mean", tries,
		column[tried]{"step", func(t tried) string { return fmt.Sprint(t.Step) }},
		column[tried]{"operator", func(t tried) string { return t.Operator }},
		column[tried]{"n", func(t tried) string { return fmt.Sprint(t.Score.N) }},
		column[tried]{"score", func(t tried) string { return short(t.Score.Mean) }},
		column[tried]{"low", func(t tried) string { return short(t.Score.Lowest) }},
		column[tried]{"high", func(t tried) string { return short(t.Score.Highest) }},
		column[tried]{"chosen", func(t tried) string {
			if t.Chosen {
				return "yes"
			}
			return ""
		}},
	)
}

// choiceChart shows what each step takes and what it leaves.
func choiceChart(tries []tried) chart.Chart {
	taken, left := chart.Series{Name: "chosen", Kind: chart.Line}, chart.Series{Name: "not chosen", Kind: chart.Points}
	for _, t := range tries {
		if t.Chosen {
			whiskers(&taken, float64(t.Step), t.Score)
		} else {
			left.X, left.Y = append(left.X, float64(t.Step)), append(left.Y, t.Score.Mean)
		}
	}
	return chart.Chart{Title: "Choosing operators one by one, with the 95 % interval of the mean of those chosen", XLabel: "step", YLabel: "mean of the best scores", Series: []chart.Series{taken, left}}
}

// chart shows the contenders against all operators, family by family.
func (x *portfolio) chart(by bound) chart.Chart {
	c := chart.Chart{Title: "Seams more than all operators " + by.Name + ", with the 95 % interval of the mean", YLabel: "seams"}
	var names []string
	for i, f := range x.contest.Families {
		names = append(names, fmt.Sprintf("%d %s", i+1, f.Name))
	}
	c.XLabel = "boards: " + strings.Join(names, ", ")
	for i, d := range x.contest.Contenders {
		if d.Name == x.all.Name || len(x.contest.seeds) == 0 {
			continue
		}
		s := chart.Series{Name: d.Name, Kind: chart.Points}
		for j, f := range x.contest.Families {
			whiskers(&s, float64(j+1)+0.08*float64(i-2), x.contest.more([]family{f}, d, x.all, by))
		}
		c.Series = append(c.Series, s)
	}
	return c
}
