package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/alns/acceptance"
	"lastmile/search"
	"lastmile/study/chart"
)

var alnsTemperature = Study{
	Name:    "alns-temperature",
	Claim:   "temperature is not the lever: near the top the final scores are the same over a range of acceptance temperatures of a factor of ten, as practically every move is accepted at any of them",
	Seeds:   temperatureSeeds,
	Measure: measureTemperature,
}

var temperatureSeeds = fromTo(1, 15)

// What the claims speak of.
const (
	temperatureFold = 10   // largest over smallest temperature of a range
	sameScore       = 0.5  // seams that two temperatures may differ by and count as the same
	nearlyAll       = 0.90 // share of moves that is practically every one
	plainT          = 0.6  // that the charts hold the others against: the default
)

// temperaturePlan is what is measured.
type temperaturePlan struct {
	temperatures []float64 // ascending
	near         []family  // boards near the top, the highest last
	far          family    // mediocre ones
	run          trialPlan
	seeds        []uint64
	whole        bool // as the claims have it
}

func planTemperature(o Options) temperaturePlan {
	p := temperaturePlan{
		temperatures: []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, plainT, 0.8, 1},
		near:         []family{beamStarts(64), beamStarts(beamWidth)},
		far:          greedyStarts(),
		run:          trialPlan{Iterations: 400_000, Time: time.Second},
		seeds:        o.Seeds, whole: o.Time == 0,
	}
	if o.Quick {
		p.near, p.run, p.whole = []family{beamStarts(16), beamStarts(64)}, trialPlan{Iterations: 500, Time: 2 * time.Millisecond}, false
	}
	if o.Time > 0 {
		p.run.Time = o.Time
	}
	return p
}

func measureTemperature(ctx context.Context, o Options, r *Report) error {
	plan := planTemperature(o)
	x := newTemperatures(plan)
	r.note(contestNote(x.contest))
	r.note(greedyNote)
	r.note(fmt.Sprintf("Temperatures are those of annealing at a fixed T, in seams: a loss of x seams is accepted with probability exp(-x/T). Boards near the top are those of %s; the others are mediocre. Two temperatures are the same when the 95 %% interval of their mean difference, by pairs of runs from one board with one seed, lies within %v seam of 0. They differ when that interval does not hold 0, widened so that all pairs of the range hold together with 95 %% confidence (Bonferroni). A range that has pairs of neither kind alone is left open.",
		strings.Join(familyNames(plan.near), " and "), sameScore))
	r.note("A move is an iteration. It is accepted when the board that it leaves is kept, one of the same score included, be it the same board again, which is told apart: such a refill has put every piece back. The loop counts moves that are accepted and moves that gain; how many of those accepted lose is not counted, but bounded: as each loss is accepted with probability q = exp(-1/T) at most, at most q/(1-q) times as many losing moves are accepted as are rejected, up to the chance of the draws.")
	if err := x.contest.run(ctx, plan.seeds, o.Say); err != nil {
		return err
	}
	x.report(r, plan.whole && covers(x.contest.seeds, temperatureSeeds))
	return nil
}

// temperatures is the contest of temperatures.
type temperatures struct {
	plan    temperaturePlan
	contest contest
}

func newTemperatures(plan temperaturePlan) *temperatures {
	x := &temperatures{plan, contest{Families: append(slices.Clone(plan.near), plan.far), Plan: plan.run}}
	for _, t := range plan.temperatures {
		x.contest.Contenders = append(x.contest.Contenders, atTemperature(t))
	}
	return x
}

func atTemperature(t float64) contender {
	return contender{fmt.Sprintf("T %v", t), alns.Options{Accepting: acceptance.Options{Temperature: t}}}
}

func familyNames(families []family) (names []string) {
	for _, f := range families {
		names = append(names, f.Name)
	}
	return names
}

func (x *temperatures) report(r *Report, complete bool) {
	for _, near := range slices.Backward(x.plan.near) {
		for _, by := range everyBound {
			x.judgeSame(r, near, by, complete)
		}
	}
	x.judgeFar(r, complete)
	shares := x.shares()
	x.judgeAccepted(r, shares, complete)
	for _, by := range everyBound {
		r.draw(x.chart(by))
	}
	r.draw(x.acceptedChart(shares))
	var ranges []fold
	for _, f := range x.contest.Families {
		for _, by := range everyBound {
			ranges = append(ranges, x.folds(f, by)...)
		}
	}
	r.show(foldTable(ranges))
	r.show(standingTable("temperatures", fmt.Sprintf("T %v", plainT), x.contest.standings(atTemperature(plainT))))
	r.show(acceptedTable(shares))
}

// fold is how far the temperatures of a range are apart.
type fold struct {
	Boards string   `json:"boards"`
	By     string   `json:"by"`
	Low    float64  `json:"low"` // temperatures
	High   float64  `json:"high"`
	N      int      `json:"n"`
	Means  float64  `json:"means"`  // the highest less the lowest
	Hidden *float64 `json:"hidden"` // the largest difference that the 95 % interval of a pair still holds; nil for one board
	Same   bool     `json:"same"`
	Differ []string `json:"differ"` // pairs that do
}

// folds holds the temperatures of every range of the fold of the claim
// against each other.
func (x *temperatures) folds(f family, by bound) (all []fold) {
	if len(x.contest.seeds) == 0 {
		return nil
	}
	list := x.plan.temperatures
	for _, low := range list {
		for _, high := range list {
			if math.Abs(high/low-temperatureFold) < 1e-9 {
				all = append(all, x.fold(f, low, high, by))
			}
		}
	}
	return all
}

func (x *temperatures) fold(f family, low, high float64, by bound) fold {
	s := fold{Boards: f.Name, By: by.Name, Low: low, High: high, Same: true, Differ: []string{}}
	hidden := 0.0
	var inside []contender
	for i, t := range x.plan.temperatures {
		if low <= t && t <= high {
			inside = append(inside, x.contest.Contenders[i])
		}
	}
	pairs := len(inside) * (len(inside) - 1) / 2
	for i, a := range inside {
		for _, b := range inside[:i] {
			d := x.contest.more([]family{f}, a, b, by)
			s.N = d.N
			s.Means = max(s.Means, math.Abs(d.Mean))
			hidden = max(hidden, math.Abs(d.Lowest), math.Abs(d.Highest)) // NaN stays NaN
			s.Same = s.Same && d.Lowest >= -sameScore && d.Highest <= sameScore
			if from, to := guarded(d, pairs); from > 0 || to < 0 {
				s.Differ = append(s.Differ, fmt.Sprintf("%s over %s by %s", a.Name, b.Name, signed(d.Mean)))
			}
		}
	}
	s.Hidden = finite(hidden)
	return s
}

// hidden writes what could still hide.
func (s fold) hidden() string {
	if s.Hidden == nil {
		return "–"
	}
	return short(*s.Hidden)
}

func (s fold) String() string {
	text := fmt.Sprintf("T %v to %v: means up to %s seams apart, with 95 %% confidence no two more than %s", s.Low, s.High, short(s.Means), s.hidden())
	if len(s.Differ) > 0 {
		text += fmt.Sprintf(", and %s shown to differ, such as %s", counted(len(s.Differ), "pair"), s.Differ[len(s.Differ)-1])
	}
	return text
}

// tooFew is what to say of a range that is left open.
const tooFew = "neither shown nor refuted: these boards are too few to tell so small differences"

// judgeSame judges claim b of the page. It does not say which range it speaks
// of, so one in which all temperatures are the same is enough.
func (x *temperatures) judgeSame(r *Report, near family, by bound, complete bool) {
	f := Finding{
		Claim:     fmt.Sprintf("near the top, on boards of %s, final scores are the same over a range of temperatures of a factor of ten, %s", near.Name, by.Name),
		Published: fmt.Sprintf("identical: in one of the ranges at least, the 95 %% interval of every pair's difference within %v seam of 0; refuted when some pair differs in each range", sameScore),
		Seeds:     x.contest.seeds,
	}
	all := x.folds(near, by)
	if len(all) > 0 {
		f.Measured = x.gains(near, by) + "; " + measuredFolds(all)
	}
	settle(r, f, slices.ContainsFunc(all, isSame), !slices.ContainsFunc(all, noneDiffers), complete, tooFew)
}

// gains tells what the runs gain at all: where it is next to nothing, no
// temperature can differ from another by more.
func (x *temperatures) gains(f family, by bound) string {
	low, high := math.Inf(1), math.Inf(-1)
	var starts Summary
	for _, d := range x.contest.Contenders {
		trials := x.contest.of(f, d)
		starts = Summarise(startScores(trials))
		gain := Paired(values(trials, by.Of), startScores(trials)).Mean
		low, high = min(low, gain), max(high, gain)
	}
	return fmt.Sprintf("from a mean of %s the temperatures gain %s to %s seams", short(starts.Mean), short(low), short(high))
}

func measuredFolds(all []fold) string {
	var texts []string
	for _, s := range all {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, "; ")
}

func isSame(s fold) bool      { return s.Same }
func noneDiffers(s fold) bool { return s.Same || len(s.Differ) == 0 }

// judgeFar judges that temperature matters on mediocre boards alone.
func (x *temperatures) judgeFar(r *Report, complete bool) {
	top := x.plan.near[len(x.plan.near)-1]
	near, far := x.folds(top, sameIterations), x.folds(x.plan.far, sameIterations)
	f := Finding{
		Claim:     fmt.Sprintf("temperature has no effect near the top, on boards of %s, and some on mediocre boards, %s", top.Name, sameIterations.Name),
		Published: "in one of the ranges at least, all temperatures the same near the top, and some pair that differs on mediocre boards",
		Seeds:     x.contest.seeds,
	}
	shown, open := false, false
	for i := range near {
		shown = shown || near[i].Same && !noneDiffers(far[i])
		open = open || noneDiffers(near[i]) && !far[i].Same
	}
	if len(far) > 0 {
		f.Measured = "mediocre boards: " + measuredFolds(far)
	}
	settle(r, f, shown, !open, complete, tooFew)
}

// accepted is what became of the moves at a temperature on boards of a family,
// in shares of the moves.
type accepted struct {
	Boards      string  `json:"boards"`
	Temperature float64 `json:"temperature"`
	Accepted    Summary `json:"accepted"`
	Unchanged   Summary `json:"unchanged"` // of these, put every piece back
	Improved    Summary `json:"improved"`
	Losing      float64 `json:"losing"` // at most so many accepted moves lose
}

func (x *temperatures) shares() (rows []accepted) {
	if len(x.contest.seeds) == 0 {
		return nil
	}
	for _, f := range x.contest.Families {
		for i, t := range x.plan.temperatures {
			a := accepted{Boards: f.Name, Temperature: t}
			a.Accepted, a.Unchanged, a.Improved = movesOf(x.contest.of(f, x.contest.Contenders[i]))
			a.Losing = mostLosing(1-a.Accepted.Mean, t)
			rows = append(rows, a)
		}
	}
	return rows
}

// movesOf are the shares of moves that were accepted, unchanged boards among
// them, that left the board unchanged, and that gained, one trial an entry.
func movesOf(trials []trial) (accepted, unchanged, improved Summary) {
	var a, b, c []float64
	for _, t := range trials {
		var sum search.Operator
		for _, o := range t.operators {
			sum.Uses += o.Uses
			sum.Accepted += o.Accepted
			sum.Unchanged += o.Unchanged
			sum.Improved += o.Improved
		}
		all := float64(max(1, sum.Uses))
		a = append(a, float64(sum.Accepted+sum.Unchanged)/all)
		b = append(b, float64(sum.Unchanged)/all)
		c = append(c, float64(sum.Improved)/all)
	}
	return Summarise(a), Summarise(b), Summarise(c)
}

// mostLosing is the largest share of accepted moves that can lose, when so many
// are rejected at a temperature.
func mostLosing(rejected, t float64) float64 {
	q := math.Exp(-1 / t)
	return min(1-rejected, rejected*q/(1-q))
}

func (x *temperatures) judgeAccepted(r *Report, shares []accepted, complete bool) {
	f := Finding{
		Claim:     "near the top, practically every move is accepted at any temperature",
		Published: fmt.Sprintf("at least %s of the moves at each temperature", percent(nearlyAll)),
		Seeds:     x.contest.seeds,
	}
	var texts []string
	least := 1.0
	for _, n := range x.plan.near {
		low, high := 1.0, 0.0
		for _, a := range shares {
			if a.Boards == n.Name {
				low, high = min(low, a.Accepted.Mean), max(high, a.Accepted.Mean)
			}
		}
		least = min(least, low)
		texts = append(texts, fmt.Sprintf("%s to %s on boards of %s", percent(low), percent(high), n.Name))
	}
	if len(shares) > 0 {
		f.Measured = "means of " + strings.Join(texts, ", ")
	}
	shown := least >= nearlyAll && len(shares) > 0
	settle(r, f, shown, !shown, complete, "")
}

func foldTable(rows []fold) Table {
	of := func(name string, text func(fold) string) column[fold] { return column[fold]{name, text} }
	return tabulate("ranges of temperatures of a factor of ten", fmt.Sprintf("apart is the highest mean less the lowest, in seams; hidden is the largest difference of a pair that a 95 %% interval still holds; same when that is at most %v; pairs that differ do so with the guard for all pairs of the range", sameScore), rows,
		of("boards", func(s fold) string { return s.Boards }),
		of("compared", func(s fold) string { return s.By }),
		of("T", func(s fold) string { return fmt.Sprintf("%v to %v", s.Low, s.High) }),
		of("n", func(s fold) string { return fmt.Sprint(s.N) }),
		of("apart", func(s fold) string { return short(s.Means) }),
		of("hidden", func(s fold) string { return s.hidden() }),
		of("same", func(s fold) string { return yes(s.Same) }),
		of("pairs that differ", func(s fold) string { return fmt.Sprint(len(s.Differ)) }),
	)
}

func acceptedTable(rows []accepted) Table {
	of := func(name string, text func(accepted) string) column[accepted] { return column[accepted]{name, text} }
	share := func(x float64) string {
		if math.IsNaN(x) {
			return "–"
		}
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return tabulate("what became of the moves", "shares of all moves; of those accepted, unchanged ones put every piece back, and what neither did that nor gained is of equal score or loses; losing is the most that can", rows,
		of("boards", func(a accepted) string { return a.Boards }),
		of("T", func(a accepted) string { return fmt.Sprint(a.Temperature) }),
		of("n", func(a accepted) string { return fmt.Sprint(a.Accepted.N) }),
		of("accepted", func(a accepted) string { return share(a.Accepted.Mean) }),
		of("low", func(a accepted) string { return share(a.Accepted.Lowest) }),
		of("high", func(a accepted) string { return share(a.Accepted.Highest) }),
		of("unchanged", func(a accepted) string { return share(a.Unchanged.Mean) }),
		of("gained", func(a accepted) string { return fmt.Sprintf("%.2g %%", 100*a.Improved.Mean) }),
		of("losing", func(a accepted) string { return fmt.Sprintf("%.2g %%", 100*a.Losing) }),
	)
}

// chart shows every temperature against the default, family by family.
func (x *temperatures) chart(by bound) chart.Chart {
	c := chart.Chart{
		Title:  fmt.Sprintf("Seams more than at T = %v %s, with the 95 %% interval of the mean", plainT, by.Name),
		XLabel: "T, seams", YLabel: "seams", LogX: true,
	}
	for i, f := range x.contest.Families {
		s := chart.Series{Name: f.Name, Kind: chart.Line}
		for j, t := range x.plan.temperatures {
			if len(x.contest.seeds) > 0 {
				aside := 1 + 0.02*float64(i-1) // so that whiskers do not hide each other
				whiskers(&s, t*aside, x.contest.more([]family{f}, x.contest.Contenders[j], atTemperature(plainT), by))
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func (x *temperatures) acceptedChart(shares []accepted) chart.Chart {
	c := chart.Chart{Title: "Moves accepted, with the 95 % interval of the mean", XLabel: "T, seams", YLabel: "% of the moves", LogX: true}
	for _, f := range x.contest.Families {
		s := chart.Series{Name: f.Name, Kind: chart.Line}
		for _, a := range shares {
			if a.Boards == f.Name {
				s.X, s.Y = append(s.X, a.Temperature), append(s.Y, 100*a.Accepted.Mean)
				s.Low, s.High = append(s.Low, 100*a.Accepted.Lowest), append(s.High, 100*a.Accepted.Highest)
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}
