package study

import (
	"context"
	"fmt"
	"strings"

	"lastmile/alns"
	"lastmile/study/chart"
)

var alnsFlattening = Study{
	Name:    "alns-flattening",
	Claim:   "improvement curves of ALNS flatten within the first dozens of iterations, and a run ten times longer ends with the same score",
	Seeds:   flatSeeds,
	Measure: measureFlattening,
}

var flatSeeds = fromTo(1, 10)

// What the claims speak of.
const (
	flatEarly = 100 // iterations: some dozens
	flatShare = 0.9 // of the gain is there when a curve is flat
	flatSame  = 0.5 // seams by which two scores may differ and be the same
	flatTimes = 10  // a longer run
)

// The page does not tell how fast its engine is. These are a guess that makes
// the most of its claims: an engine as slow as this one, and its holes.
const (
	flatSlowRate     = 0.7 // iterations a second
	flatSlowMinute   = 42  // iterations
	flatSlowSmallest = 20
	flatSlowLargest  = 80
)

// flatArm is a loop whose runs are held against runs ten times longer: the
// same runs gone on.
type flatArm struct {
	contender
	short int64 // iterations
	whole int64 // iterations of all
	contest
}

func (a *flatArm) long() int64 { return flatTimes * a.short }

// flatPlan is what is measured.
type flatPlan struct {
	seeds    []uint64
	fast     flatArm
	slow     flatArm
	complete bool // as the claims have it
}

func planFlattening(o Options) flatPlan {
	families := []family{beamStarts(4096), beamStarts(64), greedyStarts()}
	arm := func(name string, options alns.Options, short, whole int64) flatArm {
		a := flatArm{contender: contender{name, options}, short: short, whole: whole}
		a.contest = contest{Families: families, Contenders: []contender{a.contender}, Plan: trialPlan{Iterations: whole, Marks: []int64{short, flatTimes * short}}}
		return a
	}
	p := flatPlan{seeds: o.Seeds, complete: true}
	short, whole, slow := int64(300_000), int64(3_000_000), int64(1000*flatSlowMinute)
	switch {
	case o.Long:
		whole *= 10
	case o.Quick:
		p.seeds, p.complete = o.Seeds[:1], false
		families = []family{beamStarts(64), greedyStarts()}
		short, whole, slow = 2000, 20_000, 10*flatSlowMinute
	}
	p.fast = arm("default", alns.Options{}, short, whole)
	p.slow = arm(fmt.Sprintf("holes of %d to %d", flatSlowSmallest, flatSlowLargest), alns.Options{Smallest: flatSlowSmallest, Largest: flatSlowLargest}, flatSlowMinute, slow)
	return p
}

func measureFlattening(ctx context.Context, o Options, r *Report) error {
	plan := planFlattening(o)
	arms := []*flatArm{&plan.fast, &plan.slow}
	r.note(fmt.Sprintf("Each seed makes a board of each kind and runs the loop with its default settings from it for %s iterations, on one thread; the boards are of the official puzzle with its five clues. A shorter run is the beginning of the longer one: the same seed, the same random stream. Every score is counted again from the colours of the board. All but the seconds comes out the same each time.", grouped(plan.fast.whole)))
	r.note(fmt.Sprintf("The gain is that of the best board so far over the first. The share of the gain is taken run by run; a run that gains nothing was flat from the start and counts as 100 %%. A tenth of the time is a tenth of the time that %s iterations took.", grouped(plan.fast.long())))
	r.note(fmt.Sprintf("The page does not say how fast its engine runs. At %v iterations a second, with holes of %d to %d cells, a minute is %d iterations; the loop with such holes is measured at that scale too, so that the claims are also read as kindly as they can be.", flatSlowRate, flatSlowSmallest, flatSlowLargest, flatSlowMinute))
	for _, a := range arms {
		err := a.run(ctx, plan.seeds, func(line string) { o.Say(a.Name + ", " + line) })
		if err != nil {
			return err
		}
	}
	reportFlattening(r, &plan)
	return nil
}

// flatRun is one run. Iterations are 0 where nothing was gained.
type flatRun struct {
	Loop       string  `json:"loop"`
	Boards     string  `json:"boards"`
	Seed       uint64  `json:"seed"`
	Start      int     `json:"start"`
	Early      int     `json:"early"`      // score after the first dozens of iterations
	Iterations int64   `json:"iterations"` // of the short run
	Short      int     `json:"short"`      // score after it
	Long       int     `json:"long"`       // and after the one ten times longer
	Tenth      int     `json:"tenth"`      // and after a tenth of the time of the longer one
	Share      float64 `json:"share"`      // of the gain of the longer one that was there early
	Half       int64   `json:"half"`       // iterations after which half of it was there
	Most       int64   `json:"most"`       // and nine tenths
	Last       int64   `json:"last"`       // the last iteration of all that gained
	Seconds    float64 `json:"seconds"`    // of the longer run
}

func (a *flatArm) look(boards string, t trial) flatRun {
	x := flatRun{
		Loop: a.Name, Boards: boards, Seed: t.Seed, Start: t.Start,
		Early: t.after(flatEarly), Short: t.Curve[0], Long: t.Curve[1],
		Last: t.Gained, Iterations: a.short, Seconds: t.clock[1],
	}
	x.Tenth = t.within(x.Seconds / flatTimes)
	x.Share = closed(x.Start, x.Early, x.Long)
	for _, g := range t.gains {
		if g.Iteration > a.long() {
			break
		}
		done := closed(x.Start, g.Score, x.Long)
		if x.Half == 0 && done >= 0.5 {
			x.Half = g.Iteration
		}
		if x.Most == 0 && done >= flatShare {
			x.Most = g.Iteration
		}
	}
	return x
}

// flatRow is a loop from one kind of board, over the seeds.
type flatRow struct {
	Loop     string  `json:"loop"`
	Boards   string  `json:"boards"`
	From     int64   `json:"from"` // iterations of the short run
	Start    Summary `json:"start"`
	Short    Summary `json:"short"`
	Long     Summary `json:"long"`
	Share    Summary `json:"share"`
	Half     Summary `json:"half"`
	Most     Summary `json:"most"`
	Last     Summary `json:"last"`
	More     Summary `json:"more"`      // that ten times the iterations gain
	MoreTime Summary `json:"more_time"` // that ten times the time gains
	Seconds  Summary `json:"seconds"`   // of the longer run
	None     int     `json:"none"`      // runs that gained nothing
}

// rows are the kinds of boards, and runs all their runs.
func (a *flatArm) rows() (rows []flatRow, runs []flatRun) {
	for _, f := range a.Families {
		var these []flatRun
		for _, t := range a.of(f, a.contender) {
			these = append(these, a.look(f.Name, t))
		}
		if len(these) == 0 {
			continue
		}
		of := func(value func(flatRun) float64) Summary {
			var all []float64
			for _, x := range these {
				all = append(all, value(x))
			}
			return Summarise(all)
		}
		row := flatRow{
			Loop: a.Name, Boards: f.Name, From: a.short,
			Start:    of(func(x flatRun) float64 { return float64(x.Start) }),
			Short:    of(func(x flatRun) float64 { return float64(x.Short) }),
			Long:     of(func(x flatRun) float64 { return float64(x.Long) }),
			Share:    of(func(x flatRun) float64 { return x.Share }),
			Half:     of(func(x flatRun) float64 { return float64(x.Half) }),
			Most:     of(func(x flatRun) float64 { return float64(x.Most) }),
			Last:     of(func(x flatRun) float64 { return float64(x.Last) }),
			More:     of(func(x flatRun) float64 { return float64(x.Long - x.Short) }),
			MoreTime: of(func(x flatRun) float64 { return float64(x.Long - x.Tenth) }),
			Seconds:  of(func(x flatRun) float64 { return x.Seconds }),
		}
		for _, x := range these {
			if x.Long == x.Start {
				row.None++
			}
		}
		rows, runs = append(rows, row), append(runs, these...)
	}
	return rows, runs
}

// flatStep is what ten times the iterations gain.
type flatStep struct {
	Loop   string  `json:"loop"`
	Boards string  `json:"boards"`
	From   int64   `json:"from"` // iterations
	To     int64   `json:"to"`
	Gain   Summary `json:"gain"`
	Last   int     `json:"last"` // runs whose last gain lies between
	Same   bool    `json:"same"` // by the interval
}

// steps go up to the whole run by tens, the first from nothing.
func (a *flatArm) steps() (steps []flatStep) {
	var ends []int64
	for n := a.whole; n > 0; n /= 10 {
		ends = append([]int64{n}, ends...)
	}
	for _, f := range a.Families {
		trials, from := a.of(f, a.contender), int64(0)
		if len(trials) == 0 {
			continue
		}
		for _, to := range ends {
			s := flatStep{Loop: a.Name, Boards: f.Name, From: from, To: to}
			s.Gain = Summarise(values(trials, func(t trial) int { return t.after(to) - t.after(from) }))
			s.Same = unchanged(s.Gain)
			for _, t := range trials {
				if t.Gained > from && t.Gained <= to {
					s.Last++
				}
			}
			steps, from = append(steps, s), to
		}
	}
	return steps
}

// unchanged tells whether scores are the same by the interval of their difference.
func unchanged(difference Summary) bool {
	return difference.Lowest >= -flatSame && difference.Highest <= flatSame
}

func reportFlattening(r *Report, plan *flatPlan) {
	fast, fastRuns := plan.fast.rows()
	slow, slowRuns := plan.slow.rows()
	steps := plan.fast.steps()
	judgeFlat(r, plan, fast)
	judgeLonger(r, plan, fast, steps)
	judgeSlow(r, plan, slow)
	r.draw(plan.fast.curves("Score of the default loop, with the 95 % interval of the mean"))
	r.draw(plan.slow.curves(fmt.Sprintf("Score with holes of %d to %d cells, with the 95 %% interval of the mean", flatSlowSmallest, flatSlowLargest)))
	r.draw(stepChart(steps))
	r.show(flatTable(append(fast, slow...)))
	r.show(stepTable(append(steps, plan.slow.steps()...)))
	r.show(everyFlat(append(fastRuns, slowRuns...)))
}

func judgeFlat(r *Report, plan *flatPlan, rows []flatRow) {
	f := Finding{
		Claim:     "improvement curves flatten within the first dozens of iterations",
		Published: fmt.Sprintf("on average at least %s of the gain of %s iterations after %d, from each kind of board", percent(flatShare), grouped(plan.fast.long()), flatEarly),
		Seeds:     plan.fast.seeds,
	}
	holds := true
	var measured, notes []string
	for _, row := range rows {
		holds = holds && row.Share.Mean >= flatShare
		measured = append(measured, fmt.Sprintf("%s boards: %s", row.Boards, shares(row.Share)))
		notes = append(notes, fmt.Sprintf("%s boards: half of the gain after %s iterations, %s after %s, the last gain at %s of %s, %d of %s without a gain",
			row.Boards, short(row.Half.Median), percent(flatShare), short(row.Most.Median), short(row.Last.Median), grouped(plan.fast.whole), row.None, counted(row.Share.N, "run")))
	}
	f.Measured = strings.Join(measured, "; ")
	if len(notes) > 0 {
		f.Note = "medians of " + strings.Join(notes, "; ")
	}
	f.Verdict = plan.verdict(holds, plan.fast.seeds)
	r.find(f)
}

// verdict judges means over the seeds, of which a part tells nothing.
func (plan *flatPlan) verdict(holds bool, seeds []uint64) Verdict {
	complete := plan.complete && covers(seeds, flatSeeds)
	return judge(holds || !complete, complete)
}

func judgeLonger(r *Report, plan *flatPlan, rows []flatRow, steps []flatStep) {
	a := &plan.fast
	f := Finding{
		Claim:     "a run ten times longer ends with the same score",
		Published: fmt.Sprintf("the 95 %% interval of what %s iterations gain over %s within ±%v seams, from each kind of board", grouped(a.long()), grouped(a.short), flatSame),
		Seeds:     a.seeds,
	}
	holds := true
	var measured, at []string
	for _, row := range rows {
		holds = holds && unchanged(row.More)
		measured = append(measured, fmt.Sprintf("%s boards: %s, and %s in ten times the time (%s s, not %s)",
			row.Boards, seams(row.More), seams(row.MoreTime), short(row.Seconds.Mean), short(row.Seconds.Mean/flatTimes)))
	}
	for _, s := range steps {
		if s.Same && s.From > 0 {
			at = append(at, fmt.Sprintf("%s to %s (%s boards)", grouped(s.From), grouped(s.To), s.Boards))
		}
	}
	f.Measured = strings.Join(measured, "; ")
	if len(rows) > 0 {
		f.Note = "ten times the iterations give the same score from " + strings.Join(at, ", ")
		if len(at) == 0 {
			f.Note = "ten times the iterations give the same score at no length that was measured"
		}
	}
	f.Verdict = plan.verdict(holds, a.seeds)
	r.find(f)
}

func judgeSlow(r *Report, plan *flatPlan, rows []flatRow) {
	a := &plan.slow
	f := Finding{
		Claim:     fmt.Sprintf("at %v iterations a second and with holes of %d to %d cells, ten minutes give the score of one", flatSlowRate, flatSlowSmallest, flatSlowLargest),
		Published: fmt.Sprintf("no speed is published; on this reading the 95 %% interval of what %d iterations gain over %d within ±%v seams, from each kind of board", a.long(), a.short, flatSame),
		Seeds:     a.seeds,
	}
	holds := true
	var measured []string
	for _, row := range rows {
		holds = holds && unchanged(row.More)
		measured = append(measured, fmt.Sprintf("%s boards: %s", row.Boards, seams(row.More)))
	}
	f.Measured = strings.Join(measured, "; ")
	f.Verdict = plan.verdict(holds, a.seeds)
	r.find(f)
}

// curveMarks are the iterations at which a curve is drawn: 1, 2, 5, 10 and so
// on, and the last.
func curveMarks(last int64) (marks []int64) {
	for ten := int64(1); ten < last; ten *= 10 {
		for _, n := range []int64{ten, 2 * ten, 5 * ten} {
			if n < last {
				marks = append(marks, n)
			}
		}
	}
	return append(marks, last)
}

// curves are the mean scores against the iterations.
func (a *flatArm) curves(title string) chart.Chart {
	c := chart.Chart{Title: title, XLabel: "iterations", YLabel: "matched seams", LogX: true}
	for _, f := range a.Families {
		s := chart.Series{Name: f.Name, Kind: chart.Line}
		for _, n := range curveMarks(a.whole) {
			whiskers(&s, float64(n), Summarise(values(a.of(f, a.contender), func(t trial) int { return t.after(n) })))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func stepChart(steps []flatStep) chart.Chart {
	c := chart.Chart{Title: "Seams that ten times the iterations gain, with the 95 % interval of the mean", XLabel: "iterations of the longer run", YLabel: "seams", LogX: true}
	for _, s := range steps {
		if last := len(c.Series) - 1; last < 0 || c.Series[last].Name != s.Boards {
			c.Series = append(c.Series, chart.Series{Name: s.Boards, Kind: chart.Line})
		}
		whiskers(&c.Series[len(c.Series)-1], float64(s.To), s.Gain)
	}
	return c
}

func flatTable(rows []flatRow) Table {
	of := func(name string, text func(flatRow) string) column[flatRow] { return column[flatRow]{name, text} }
	return tabulate("runs and runs ten times longer", fmt.Sprintf("means over the seeds, and medians where it says so; iterations are those of the short run; early is the share of the gain that was there after %d iterations; half, nine tenths and last tell after how many iterations so much of it was there; more is what ten times the iterations gain, and what ten times the time, with 95 %% intervals", flatEarly), rows,
		of("loop", func(x flatRow) string { return x.Loop }),
		of("boards", func(x flatRow) string { return x.Boards }),
		of("n", func(x flatRow) string { return fmt.Sprint(x.Start.N) }),
		of("start", func(x flatRow) string { return short(x.Start.Mean) }),
		of("iterations", func(x flatRow) string { return grouped(x.From) }),
		of("short run", func(x flatRow) string { return short(x.Short.Mean) }),
		of("long run", func(x flatRow) string { return short(x.Long.Mean) }),
		of("early", func(x flatRow) string { return percent(x.Share.Mean) }),
		of("half, median", func(x flatRow) string { return short(x.Half.Median) }),
		of("nine tenths, median", func(x flatRow) string { return short(x.Most.Median) }),
		of("last gain, least", func(x flatRow) string { return short(x.Last.Min) }),
		of("median", func(x flatRow) string { return short(x.Last.Median) }),
		of("most", func(x flatRow) string { return short(x.Last.Max) }),
		of("more", func(x flatRow) string { return signed(x.More.Mean) }),
		of("low", func(x flatRow) string { return signed(x.More.Lowest) }),
		of("high", func(x flatRow) string { return signed(x.More.Highest) }),
		of("more in time", func(x flatRow) string { return signed(x.MoreTime.Mean) }),
		of("low in time", func(x flatRow) string { return signed(x.MoreTime.Lowest) }),
		of("high in time", func(x flatRow) string { return signed(x.MoreTime.Highest) }),
		of("seconds, long run", func(x flatRow) string { return short(x.Seconds.Mean) }),
	)
}

func stepTable(steps []flatStep) Table {
	of := func(name string, text func(flatStep) string) column[flatStep] { return column[flatStep]{name, text} }
	return tabulate("what ten times the iterations gain", fmt.Sprintf("the mean gain in seams with its 95 %% interval; the same when the interval lies within ±%v; last counts the runs whose last gain lies between", flatSame), steps,
		of("loop", func(s flatStep) string { return s.Loop }),
		of("boards", func(s flatStep) string { return s.Boards }),
		of("from", func(s flatStep) string { return grouped(s.From) }),
		of("to", func(s flatStep) string { return grouped(s.To) }),
		of("n", func(s flatStep) string { return fmt.Sprint(s.Gain.N) }),
		of("gain", func(s flatStep) string { return signed(s.Gain.Mean) }),
		of("low", func(s flatStep) string { return signed(s.Gain.Lowest) }),
		of("high", func(s flatStep) string { return signed(s.Gain.Highest) }),
		of("the same", func(s flatStep) string { return yes(s.Same) }),
		of("last", func(s flatStep) string { return fmt.Sprint(s.Last) }),
	)
}

func everyFlat(runs []flatRun) Table {
	of := func(name string, text func(flatRun) string) column[flatRun] { return column[flatRun]{name, text} }
	return tabulate("every run", fmt.Sprintf("scores at the start, after %d iterations, after the short run of so many, and after the long run, ten times as long; half, nine tenths and last tell after how many iterations so much of the gain was there", flatEarly), runs,
		of("loop", func(x flatRun) string { return x.Loop }),
		of("boards", func(x flatRun) string { return x.Boards }),
		of("seed", func(x flatRun) string { return fmt.Sprint(x.Seed) }),
		of("start", func(x flatRun) string { return fmt.Sprint(x.Start) }),
		of("early", func(x flatRun) string { return fmt.Sprint(x.Early) }),
		of("iterations", func(x flatRun) string { return grouped(x.Iterations) }),
		of("short run", func(x flatRun) string { return fmt.Sprint(x.Short) }),
		of("a tenth of the time", func(x flatRun) string { return fmt.Sprint(x.Tenth) }),
		of("long run", func(x flatRun) string { return fmt.Sprint(x.Long) }),
		of("half", func(x flatRun) string { return grouped(x.Half) }),
		of("nine tenths", func(x flatRun) string { return grouped(x.Most) }),
		of("last gain", func(x flatRun) string { return grouped(x.Last) }),
		of("seconds", func(x flatRun) string { return fmt.Sprintf("%.2f", x.Seconds) }),
	)
}
