package study

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/study/chart"
)

var alnsLift = Study{
	Name:    "alns-lift",
	Claim:   "beam constructions that land in the mid-450s gain several seams under one pass of refinement",
	Seeds:   liftSeeds,
	Measure: measureLift,
}

var liftSeeds = fromTo(1, 10)

// What the claim speaks of.
const (
	liftWidth   = 16_384
	liftLeast   = 452 // scores of the mid-450s
	liftMost    = 456
	liftSeveral = 2 // seams
)

// liftPass is how long the loop runs: iterations, or seconds where there are
// none.
type liftPass struct {
	Iterations int64   `json:"iterations"`
	Seconds    float64 `json:"seconds"`
}

func (p liftPass) String() string {
	if p.Iterations > 0 {
		return grouped(p.Iterations) + " iterations"
	}
	return short(p.Seconds) + " s"
}

func (p liftPass) gain(t trial) int {
	if p.Iterations > 0 {
		return t.after(p.Iterations) - t.Start
	}
	return t.within(p.Seconds) - t.Start
}

// liftPlan is what is measured.
type liftPlan struct {
	seeds    []uint64
	width    int        // of the beams of the claim
	narrower []int      // widths whose boards get the first pass only
	passes   []liftPass // of the boards of the claim
	brief    trialPlan  // of the narrower ones
	complete bool       // as the claim has it
}

func planLift(o Options) liftPlan {
	p := liftPlan{
		seeds: o.Seeds, width: liftWidth, narrower: []int{256, 1024, 4096},
		passes:   []liftPass{{Iterations: 400_000}, {Iterations: 4_000_000}, {Seconds: 10}},
		brief:    trialPlan{Iterations: 400_000, Time: 1500 * time.Millisecond},
		complete: !o.Quick && o.Time == 0,
	}
	if o.Quick {
		p.seeds, p.width, p.narrower = o.Seeds[:1], 256, []int{16, 64}
		p.passes = []liftPass{{Iterations: 2000}, {Iterations: 20_000}, {Seconds: 0.05}}
		p.brief = trialPlan{Iterations: 2000, Time: 10 * time.Millisecond}
	}
	if o.Time > 0 {
		p.passes[2].Seconds = o.Time.Seconds()
	}
	return p
}

// whole is a run that holds all passes.
func (p liftPlan) whole() trialPlan {
	return trialPlan{Iterations: p.passes[1].Iterations, Time: time.Duration(p.passes[2].Seconds * float64(time.Second))}
}

// liftRun is one beam and what is made of its board.
type liftRun struct {
	Width   int     `json:"width"`
	Seed    uint64  `json:"seed"`
	Start   int     `json:"start"`
	Seconds float64 `json:"seconds"` // of the beam
	Gains   []int   `json:"gains"`   // by the passes that it had
	Wide    int     `json:"wide"`    // score of a beam of twice the width
	More    float64 `json:"more"`    // seconds that it takes more
	Refined int     `json:"refined"` // score of the first beam's board after as many seconds of the loop

	trial trial
}

func measureLift(ctx context.Context, o Options, r *Report) error {
	plan := planLift(o)
	var passes []string
	for _, p := range plan.passes {
		passes = append(passes, p.String())
	}
	r.note(fmt.Sprintf("Each seed builds a board of the official puzzle with its five clues by a beam of width %s, row by row, and one walk of the loop with its default settings goes on from it, on one thread. The passes, %s, are parts of one run. A board counts for the claim when it scores %d to %d. Boards of narrower beams get the first pass. Every score is counted again from the colours of the board.",
		grouped(int64(plan.width)), strings.Join(passes, ", "), liftLeast, liftMost))
	r.note("A beam of twice the width, with the same seed, takes some seconds more. The loop gets exactly as many from the board of the first beam, so that both have had the same time when they are compared. Where its run was shorter than that, the loop's score is that of its end.")
	var runs []liftRun
	for _, width := range append(append([]int{}, plan.narrower...), plan.width) {
		run := plan.whole()
		if width != plan.width {
			run = plan.brief
		}
		some, err := liftBeams(ctx, o, plan, width, run)
		if err != nil {
			return err
		}
		runs = append(runs, some...)
	}
	reportLift(r, runs, plan)
	return nil
}

// clocked notes the seconds that a family takes for a seed.
func clocked(f family, seconds map[uint64]float64) family {
	return family{f.Name, func(ctx context.Context, seed uint64) (start, error) {
		runtime.GC() // so that no board pays for the one before
		began := time.Now()
		s, err := f.Of(ctx, seed)
		seconds[seed] = time.Since(began).Seconds()
		return s, err
	}}
}

// liftBeams runs the loop from the boards of beams of one width, and builds the
// beams of twice the width.
func liftBeams(ctx context.Context, o Options, plan liftPlan, width int, run trialPlan) ([]liftRun, error) {
	first, second := map[uint64]float64{}, map[uint64]float64{}
	wide := map[uint64]int{}
	wider := clocked(beamStarts(2*width), second)
	both := family{beamStarts(width).Name, func(ctx context.Context, seed uint64) (start, error) {
		w, err := wider.Of(ctx, seed)
		if err != nil {
			return w, err
		}
		wide[seed] = w.Score
		return clocked(beamStarts(width), first).Of(ctx, seed)
	}}
	c := contest{Families: []family{both}, Contenders: []contender{{"default", alns.Options{}}}, Plan: run}
	if err := c.run(ctx, plan.seeds, o.Say); err != nil {
		return nil, err
	}
	var runs []liftRun
	for _, t := range c.of(both, c.Contenders[0]) {
		x := liftRun{Width: width, Seed: t.Seed, Start: t.Start, Seconds: first[t.Seed], Wide: wide[t.Seed], trial: t}
		x.More = second[t.Seed] - x.Seconds
		x.Refined = t.within(x.More)
		passes := plan.passes
		if width != plan.width {
			passes = passes[:1]
		}
		for _, p := range passes {
			x.Gains = append(x.Gains, p.gain(t))
		}
		runs = append(runs, x)
	}
	return runs, nil
}

// liftRow is the beams of one width, over the seeds.
type liftRow struct {
	Width   int       `json:"width"`
	Start   Summary   `json:"start"`
	Gains   []Summary `json:"gains"`
	Seconds Summary   `json:"seconds"` // of the beam
	More    Summary   `json:"more"`    // that twice the width takes
	Wide    Summary   `json:"wide"`    // what twice the width gains
	Refined Summary   `json:"refined"` // what the loop gains in as many seconds
	Ahead   Summary   `json:"ahead"`   // the loop over twice the width, by seed
}

func liftRows(runs []liftRun) (rows []liftRow) {
	for len(runs) > 0 {
		n := 1
		for n < len(runs) && runs[n].Width == runs[0].Width {
			n++
		}
		rows, runs = append(rows, liftRowOf(runs[:n])), runs[n:]
	}
	return rows
}

func liftRowOf(runs []liftRun) liftRow {
	of := func(value func(liftRun) float64) Summary {
		var all []float64
		for _, x := range runs {
			all = append(all, value(x))
		}
		return Summarise(all)
	}
	row := liftRow{
		Width:   runs[0].Width,
		Start:   of(func(x liftRun) float64 { return float64(x.Start) }),
		Seconds: of(func(x liftRun) float64 { return x.Seconds }),
		More:    of(func(x liftRun) float64 { return x.More }),
		Wide:    of(func(x liftRun) float64 { return float64(x.Wide - x.Start) }),
		Refined: of(func(x liftRun) float64 { return float64(x.Refined - x.Start) }),
		Ahead:   of(func(x liftRun) float64 { return float64(x.Refined - x.Wide) }),
	}
	for i := range runs[0].Gains {
		row.Gains = append(row.Gains, of(func(x liftRun) float64 { return float64(x.Gains[i]) }))
	}
	return row
}

func reportLift(r *Report, runs []liftRun, plan liftPlan) {
	judgeLift(r, runs, plan)
	rows := liftRows(runs)
	r.draw(liftCurve(runs, plan))
	r.draw(liftStartChart(rows, plan))
	r.draw(liftTimeChart(rows))
	r.show(liftTable(rows, plan))
	r.show(liftTimeTable(rows))
	r.show(everyLift(runs, plan))
}

// judgeLift judges each pass by the boards that the claim speaks of.
func judgeLift(r *Report, runs []liftRun, plan liftPlan) {
	var seeds []uint64 // that were run
	var counting []liftRun
	for _, x := range runs {
		if x.Width != plan.width {
			continue
		}
		seeds = append(seeds, x.Seed)
		if !plan.complete || x.Start >= liftLeast && x.Start <= liftMost {
			counting = append(counting, x)
		}
	}
	complete := plan.complete && covers(seeds, liftSeeds) && len(counting) > 1
	for i, p := range plan.passes {
		f := Finding{
			Claim:     fmt.Sprintf("a beam's board in the mid-450s gains several seams in one pass of %s", p),
			Published: fmt.Sprintf("several: on average at least %d seams", liftSeveral),
			Seeds:     seeds,
		}
		var s Summary
		if len(counting) > 0 {
			row := liftRowOf(counting)
			s = row.Gains[i]
			some := 0
			for _, x := range counting {
				if x.Gains[i] > 0 {
					some++
				}
			}
			f.Measured = fmt.Sprintf("%s, %s to %s, a gain on %d of %s that score %s to %s, %s on average",
				seams(s), short(s.Min), short(s.Max), some, counted(s.N, "board"), short(row.Start.Min), short(row.Start.Max), short(row.Start.Mean))
		}
		f.Verdict = judge(s.Mean >= liftSeveral || !complete, complete)
		if complete {
			if left := len(seeds) - len(counting); left > 0 {
				f.Note = fmt.Sprintf("%s scored less or more and is left out; ", counted(left, "board"))
			}
			if s.Lowest <= liftSeveral && s.Highest >= liftSeveral {
				f.Note += fmt.Sprintf("the interval holds %d, so another ten seeds may say otherwise", liftSeveral)
			}
			f.Note = strings.TrimSuffix(f.Note, "; ")
		}
		r.find(f)
	}
}

// liftCurve is the gain against the iterations, for the widest beams.
func liftCurve(runs []liftRun, plan liftPlan) chart.Chart {
	c := chart.Chart{Title: fmt.Sprintf("Seams gained from boards of beams of width %s, with the 95 %% interval of the mean", grouped(int64(plan.width))), XLabel: "iterations", YLabel: "seams", LogX: true}
	s := chart.Series{Kind: chart.Line}
	for _, n := range curveMarks(plan.passes[1].Iterations) {
		var gains []float64
		for _, x := range runs {
			if x.Width == plan.width {
				gains = append(gains, float64(x.trial.after(n)-x.Start))
			}
		}
		whiskers(&s, float64(n), Summarise(gains))
	}
	c.Series = append(c.Series, s)
	return c
}

// liftStartChart is the gain of the first pass against the score of the boards.
func liftStartChart(rows []liftRow, plan liftPlan) chart.Chart {
	c := chart.Chart{Title: fmt.Sprintf("Seams gained in %s by the score of the beam, with the 95 %% interval of the mean", plan.passes[0]), XLabel: "mean score of the beams", YLabel: "seams"}
	for _, row := range rows {
		s := chart.Series{Name: "width " + grouped(int64(row.Width)), Kind: chart.Points}
		whiskers(&s, row.Start.Mean, row.Gains[0])
		c.Series = append(c.Series, s)
	}
	return c
}

// liftTimeChart holds the loop against wider beams, in the same time.
func liftTimeChart(rows []liftRow) chart.Chart {
	c := chart.Chart{Title: "Seams gained in the time that twice the width takes more, with the 95 % interval of the mean", XLabel: "width of the beam", YLabel: "seams", LogX: true}
	loop, wide := chart.Series{Name: "the loop", Kind: chart.Line}, chart.Series{Name: "twice the width", Kind: chart.Line}
	for _, row := range rows {
		whiskers(&loop, float64(row.Width), row.Refined)
		whiskers(&wide, float64(row.Width), row.Wide)
	}
	c.Series = []chart.Series{loop, wide}
	return c
}

// interval is the 95 % confidence interval of a mean.
func interval(s Summary) string { return short(s.Lowest) + " to " + short(s.Highest) }

func liftTable(rows []liftRow, plan liftPlan) Table {
	of := func(name string, text func(liftRow) string) column[liftRow] { return column[liftRow]{name, text} }
	columns := []column[liftRow]{
		of("width", func(x liftRow) string { return grouped(int64(x.Width)) }),
		of("n", func(x liftRow) string { return fmt.Sprint(x.Start.N) }),
		of("start", func(x liftRow) string { return short(x.Start.Mean) }),
	}
	for i, p := range plan.passes {
		gain := func(text func(Summary) string) func(liftRow) string {
			return func(x liftRow) string {
				if i >= len(x.Gains) {
					return "–"
				}
				return text(x.Gains[i])
			}
		}
		columns = append(columns, of(p.String(), gain(func(s Summary) string { return signed(s.Mean) })), of("95 % interval", gain(interval)))
	}
	return tabulate("seams gained by the width of the beam", "means over the seeds; boards of the narrower beams had the first pass only", rows, columns...)
}

func liftTimeTable(rows []liftRow) Table {
	of := func(name string, text func(liftRow) string) column[liftRow] { return column[liftRow]{name, text} }
	return tabulate("the loop against a beam of twice the width, in the same time", "means over the seeds; more are the seconds that twice the width takes more, and that the loop gets from the board of the first beam; ahead is the loop's score less that of the wider beam, by seed", rows,
		of("width", func(x liftRow) string { return grouped(int64(x.Width)) }),
		of("n", func(x liftRow) string { return fmt.Sprint(x.Start.N) }),
		of("seconds", func(x liftRow) string { return short(x.Seconds.Mean) }),
		of("more", func(x liftRow) string { return short(x.More.Mean) }),
		of("start", func(x liftRow) string { return short(x.Start.Mean) }),
		of("twice the width", func(x liftRow) string { return signed(x.Wide.Mean) }),
		of("95 % interval", func(x liftRow) string { return interval(x.Wide) }),
		of("the loop", func(x liftRow) string { return signed(x.Refined.Mean) }),
		of("95 % interval", func(x liftRow) string { return interval(x.Refined) }),
		of("ahead", func(x liftRow) string { return signed(x.Ahead.Mean) }),
		of("95 % interval", func(x liftRow) string { return interval(x.Ahead) }),
	)
}

func everyLift(runs []liftRun, plan liftPlan) Table {
	of := func(name string, text func(liftRun) string) column[liftRun] { return column[liftRun]{name, text} }
	columns := []column[liftRun]{
		of("width", func(x liftRun) string { return grouped(int64(x.Width)) }),
		of("seed", func(x liftRun) string { return fmt.Sprint(x.Seed) }),
		of("start", func(x liftRun) string { return fmt.Sprint(x.Start) }),
		of("seconds", func(x liftRun) string { return fmt.Sprintf("%.2f", x.Seconds) }),
	}
	for i, p := range plan.passes {
		columns = append(columns, of(p.String(), func(x liftRun) string {
			if i >= len(x.Gains) {
				return "–"
			}
			return signed(float64(x.Gains[i]))
		}))
	}
	columns = append(columns,
		of("twice the width", func(x liftRun) string { return fmt.Sprint(x.Wide) }),
		of("seconds more", func(x liftRun) string { return fmt.Sprintf("%.2f", x.More) }),
		of("the loop in as many", func(x liftRun) string { return fmt.Sprint(x.Refined) }),
	)
	return tabulate("every run", "scores, the seconds of the beam, and the seams that each pass gains", runs, columns...)
}
