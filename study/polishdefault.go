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
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/study/chart"
)

var polishDefault = Study{
	Name:    "polish-default",
	Claim:   "the defaults of lastmile polish are the best of the choices that it offers, one change at a time",
	Seeds:   defaultSeeds,
	Measure: measureDefault,
}

var defaultSeeds = fromTo(1, 24)

// betterBy is how many seams a rival may be above the default for all that was
// measured, and the default still count as the best.
const betterBy = 1.0

// theDefault is what polish does when it is told nothing.
var theDefault = contender{Name: "default"}

// choice is a thing that can be chosen, and what could be chosen instead of the
// default.
type choice struct {
	Name   string
	Rivals []contender
	Slow   bool // runs of fewer iterations, as some take long
}

func choices() []choice {
	return []choice{
		{Name: "portfolio", Rivals: []contender{
			withOperators("all operators", destroy.Names()),
			withOperators("mismatched-seams alone", []string{"mismatched-seams"}),
			withOperators("random-cells, mismatched-seams, worst-band", []string{"random-cells", "mismatched-seams", "worst-band"}),
		}},
		{Name: "selection policy", Rivals: rivals(selection.Names(), selection.Default, func(name string) alns.Options { return alns.Options{Selection: name} })},
		{Name: "acceptance rule", Rivals: rivals(acceptance.Names(), acceptance.Default, func(name string) alns.Options { return alns.Options{Acceptance: name} })},
		{Name: "temperature", Rivals: temperatureRivals(0.3, 0.4, 0.5, 0.7, 0.8)},
		{Name: "hole size", Rivals: holeRivals([2]int{4, 12}, [2]int{4, 16}, [2]int{4, 40}, [2]int{8, 60}, [2]int{20, 20})},
		{Name: "repair method", Slow: true, Rivals: rivals(repair.Names(), repair.Default, func(name string) alns.Options { return alns.Options{Repair: name} })},
	}
}

// rivals are contenders by the names of a list, without the default.
func rivals(names []string, byDefault string, with func(string) alns.Options) (all []contender) {
	for _, name := range names {
		if name != byDefault {
			all = append(all, contender{name, with(name)})
		}
	}
	return all
}

func temperatureRivals(temperatures ...float64) (all []contender) {
	for _, t := range temperatures {
		all = append(all, atTemperature(t))
	}
	return all
}

func holeRivals(sizes ...[2]int) (all []contender) {
	for _, s := range sizes {
		all = append(all, contender{fmt.Sprintf("%d to %d cells", s[0], s[1]), alns.Options{Smallest: s[0], Largest: s[1]}})
	}
	return all
}

// defaultPlan is what is measured.
type defaultPlan struct {
	choices   []choice
	families  []family
	run, slow trialPlan
	seeds     []uint64
	whole     bool // as the claims have it
}

func planDefault(o Options) defaultPlan {
	p := defaultPlan{
		choices:  choices(),
		families: []family{beamStarts(beamWidth), beamStarts(512), blockStarts(0.8)},
		run:      trialPlan{Iterations: 200_000, Time: 500 * time.Millisecond},
		slow:     trialPlan{Iterations: 5_000, Time: 500 * time.Millisecond},
		seeds:    o.Seeds, whole: o.Time == 0,
	}
	if o.Quick {
		p.families, p.whole = []family{beamStarts(16), blockStarts(0.8)}, false
		p.run, p.slow = trialPlan{Iterations: 300, Time: time.Millisecond}, trialPlan{Iterations: 32, Time: time.Millisecond}
	}
	if o.Time > 0 {
		p.run.Time, p.slow.Time = o.Time, o.Time
	}
	return p
}

// comparisons is how many rivals there are.
func (p *defaultPlan) comparisons() int {
	n := 0
	for _, c := range p.choices {
		n += len(c.Rivals)
	}
	return n
}

func measureDefault(ctx context.Context, o Options, r *Report) error {
	plan := planDefault(o)
	x := newDefaults(plan)
	r.note(contestNote(x.swift))
	r.note("Block damage is the bundled solved boards, which the seeds take in turn, with random pieces exchanged within a square until at most 80 % of their seams match.")
	r.note(fmt.Sprintf("Each rival is the default with one thing changed. Repair methods and the default beside them run for %s iterations, as some of them take long. Rules that cool run twice, once down to the iterations and once down to the time.", grouped(plan.slow.Iterations)))
	r.note("Boards of a kind of which the default solves most leave a rival little room to be better: they are not among those that the claims are judged by, and the iterations until they are solved have a table of their own.")
	r.note(fmt.Sprintf("%s are held against the default. A rival is better when its interval lies above 0, widened so that all of these comparisons hold together with 95 %% confidence (Bonferroni), which a single interval would with %.2f %%. When none is, a difference may still hide: the default counts as the best when no such interval reaches beyond %v seam.",
		counted(plan.comparisons(), "rival"), 100*(1-0.05/float64(plan.comparisons())), betterBy))
	for _, c := range []*contest{&x.swift, &x.slow} {
		if err := c.run(ctx, plan.seeds, o.Say); err != nil {
			return err
		}
	}
	x.report(r)
	return nil
}

// defaults is the contests of the default with its rivals.
type defaults struct {
	plan        defaultPlan
	swift, slow contest
}

func newDefaults(plan defaultPlan) *defaults {
	x := &defaults{plan: plan}
	x.swift = contest{Families: plan.families, Plan: plan.run, Contenders: []contender{theDefault}}
	x.slow = contest{Families: plan.families, Plan: plan.slow, Contenders: []contender{theDefault}}
	for _, c := range plan.choices {
		of := x.of(c)
		of.Contenders = append(of.Contenders, c.Rivals...)
	}
	return x
}

// of is the contest of a choice.
func (x *defaults) of(c choice) *contest {
	if c.Slow {
		return &x.slow
	}
	return &x.swift
}

func (x *defaults) report(r *Report) {
	points := x.points()
	for _, c := range x.plan.choices {
		x.judge(r, c, points)
	}
	for _, by := range everyBound {
		r.draw(pointChart(x.plan.choices, points, by))
	}
	r.show(pointTable(points))
	for _, c := range x.plan.choices {
		of := *x.of(c)
		of.Contenders = append([]contender{theDefault}, c.Rivals...)
		r.show(standingTable(c.Name, "the default", of.standings(theDefault)))
	}
	if rows := append(x.swift.solved(), x.slow.solved()...); len(rows) > 0 {
		r.show(solvedTable(rows))
	}
}

// unsolved are the families of which a contender does not solve most boards.
func (c *contest) unsolved(d contender) (families []family) {
	for _, f := range c.Families {
		trials, n := c.of(f, d), 0
		for _, t := range trials {
			if t.Solved {
				n++
			}
		}
		if 2*n <= len(trials) {
			families = append(families, f)
		}
	}
	return families
}

// solved is how a contender did on boards that can be solved.
type solved struct {
	Contender  string  `json:"contender"`
	Boards     string  `json:"boards"`
	Runs       int     `json:"runs"`
	Iterations Summary `json:"iterations"` // until it was solved, of the runs that did
	Seconds    Summary `json:"seconds"`
}

// solved lists what every contender did on the kinds of boards of which the
// default solves some.
func (c *contest) solved() (rows []solved) {
	isSolved := func(t trial) bool { return t.Solved }
	for _, f := range c.Families {
		if !slices.ContainsFunc(c.of(f, theDefault), isSolved) {
			continue
		}
		for _, d := range c.Contenders {
			var iterations, seconds []float64
			for _, t := range c.of(f, d) {
				if t.Solved && len(t.gains) > 0 {
					last := t.gains[len(t.gains)-1]
					iterations, seconds = append(iterations, float64(last.Iteration)), append(seconds, last.Seconds)
				}
			}
			name := fmt.Sprintf("%s, %s iterations", d.Name, grouped(c.Plan.Iterations))
			rows = append(rows, solved{name, f.Name, len(c.of(f, d)), Summarise(iterations), Summarise(seconds)})
		}
	}
	return rows
}

func solvedTable(rows []solved) Table {
	of := func(name string, text func(solved) string) column[solved] { return column[solved]{name, text} }
	return tabulate("boards that are solved", "iterations and seconds until then, of the runs that solved theirs; the iterations behind a name are those that the run was given, or more if its time allowed", rows,
		of("contender", func(s solved) string { return s.Contender }),
		of("boards", func(s solved) string { return s.Boards }),
		of("runs", func(s solved) string { return fmt.Sprint(s.Runs) }),
		of("solved", func(s solved) string { return fmt.Sprint(s.Iterations.N) }),
		of("iterations, mean", func(s solved) string { return short(s.Iterations.Mean) }),
		of("min", func(s solved) string { return short(s.Iterations.Min) }),
		of("median", func(s solved) string { return short(s.Iterations.Median) }),
		of("max", func(s solved) string { return short(s.Iterations.Max) }),
		of("seconds, median", func(s solved) string { return short(s.Seconds.Median) }),
	)
}

// point is a rival against the default, over the boards that it is judged by.
type point struct {
	Number     int           `json:"number"` // in the charts
	Choice     string        `json:"choice"`
	Rival      string        `json:"rival"`
	Iterations Summary       `json:"more_by_iterations"`
	Time       Summary       `json:"more_by_time"`
	Guarded    chart.Numbers `json:"more_by_time_guarded"` // low and high, as one of all comparisons
}

func (p point) low() float64  { return p.Guarded[0] }
func (p point) high() float64 { return p.Guarded[1] }

func (x *defaults) points() (points []point) {
	for _, c := range x.plan.choices {
		of := x.of(c)
		judged := of.unsolved(theDefault)
		if len(of.seeds) == 0 || len(judged) == 0 {
			continue
		}
		for _, rival := range c.Rivals {
			p := point{Number: len(points) + 1, Choice: c.Name, Rival: rival.Name}
			p.Iterations = of.more(judged, rival, theDefault, sameIterations)
			p.Time = of.more(judged, rival, theDefault, sameTime)
			low, high := guarded(p.Time, x.plan.comparisons())
			p.Guarded = chart.Numbers{low, high}
			points = append(points, p)
		}
	}
	return points
}

// judge judges that no rival of a choice is better than the default.
func (x *defaults) judge(r *Report, c choice, points []point) {
	seeds := x.of(c).seeds
	f := Finding{
		Claim:     fmt.Sprintf("no other %s than the default is better, %s", c.Name, sameTime.Name),
		Published: fmt.Sprintf("no guarded interval above 0, and none that reaches beyond %v seam", betterBy),
		Seeds:     seeds,
	}
	var texts, better []string
	reach := math.Inf(-1)
	for _, p := range points {
		if p.Choice != c.Name {
			continue
		}
		texts = append(texts, fmt.Sprintf("%s %s (%s to %s)", p.Rival, signed(p.Time.Mean), signed(p.low()), signed(p.high())))
		reach = max(reach, p.high()) // NaN stays NaN
		if p.low() > 0 {
			better = append(better, p.Rival)
		}
	}
	if len(texts) > 0 {
		f.Measured = "seams more than the default, with the guarded interval: " + strings.Join(texts, ", ")
	}
	if len(better) > 0 {
		f.Note = "better: " + strings.Join(better, ", ")
	}
	settle(r, f, len(texts) > 0 && len(better) == 0 && reach <= betterBy, len(better) > 0, x.plan.whole && covers(seeds, defaultSeeds),
		fmt.Sprintf("none is shown to be better, but one could still be by %s seams", signed(reach)))
}

func pointTable(points []point) Table {
	of := func(name string, text func(point) string) column[point] { return column[point]{name, text} }
	return tabulate("rivals of the default", "seams more than the default over the boards that the claims are judged by, by as many iterations and by as much time, with the 95 % interval of the mean; low and high are the interval by time that is guarded for all comparisons; the numbers are those of the charts", points,
		of("number", func(p point) string { return fmt.Sprint(p.Number) }),
		of("choice", func(p point) string { return p.Choice }),
		of("rival", func(p point) string { return p.Rival }),
		of("n", func(p point) string { return fmt.Sprint(p.Time.N) }),
		of("by iterations", func(p point) string { return bracket(p.Iterations) }),
		of("by time", func(p point) string { return bracket(p.Time) }),
		of("low", func(p point) string { return signed(p.low()) }),
		of("high", func(p point) string { return signed(p.high()) }),
	)
}

func pointChart(choices []choice, points []point, by bound) chart.Chart {
	c := chart.Chart{Title: "Seams more than the default " + by.Name + ", with the 95 % interval of the mean", XLabel: "rival, by its number in the table", YLabel: "seams"}
	for _, choice := range choices {
		s := chart.Series{Name: choice.Name, Kind: chart.Points}
		for _, p := range points {
			more := p.Iterations
			if by.Name == sameTime.Name {
				more = p.Time
			}
			if p.Choice == choice.Name {
				whiskers(&s, float64(p.Number), more)
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}
