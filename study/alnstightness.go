package study

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/puzzle"
	"lastmile/study/chart"
)

var alnsTightness = Study{
	Name:    "alns-tightness",
	Claim:   "on smaller generated puzzles destroy and repair closes most of the distance from a random placement to the best reachable score, over a wide range of tightness, before it saturates on the hardest instances",
	Seeds:   tightSeeds,
	Measure: measureTightness,
}

var tightSeeds = fromTo(1, 10)

// What the claims speak of: shares of the distance.
const (
	tightMost   = 0.5
	tightNearly = 0.9 // stated, not claimed
)

// tightCell is a size and a number of colours. More colours are tighter: fewer
// boards are without a break.
type tightCell struct {
	Side    int `json:"side"`
	Colours int `json:"colours"`
}

func (c tightCell) String() string {
	return fmt.Sprintf("%d×%d, %d colours", c.Side, c.Side, c.Colours)
}

// rim is how many of the colours lie between rim pieces: the share that the
// official puzzle has.
func (c tightCell) rim() int { return max(1, (5*c.Colours+11)/22) }

// starts are random placements of the pieces of generated puzzles, a puzzle a
// seed.
func (c tightCell) starts() family {
	return randomStarts(c.String(), func(seed uint64) (*puzzle.Puzzle, error) {
		p, _, err := puzzle.Generate(puzzle.Spec{Width: c.Side, Height: c.Side, Colours: c.Colours, RimColours: c.rim(), Seed: seed})
		return p, err
	})
}

// seams is the score of a board without a break, which each of the puzzles has.
func (c tightCell) seams() int { return 2 * c.Side * (c.Side - 1) }

// expected is the logarithm to base 10 of the number of boards without a break
// that chance would give, if colours were drawn for each side of a piece alone:
// the ways to lay the pieces under the frame rule, times the chance that all
// seams match. Puzzles are hard to solve where it is about 0.
func (c tightCell) expected() float64 {
	n := c.Side
	inner, ring := (n-2)*(n-2), 4*(n-1)
	ways := factorial(4) + factorial(4*(n-2)) + factorial(inner) + float64(inner)*math.Log10(4)
	return ways - float64(ring)*math.Log10(float64(c.rim())) - float64(c.seams()-ring)*math.Log10(float64(c.Colours-c.rim()))
}

// factorial is the logarithm of n! to base 10.
func factorial(n int) float64 {
	log, _ := math.Lgamma(float64(n + 1))
	return log / math.Ln10
}

// closed is the share that a score has come of the way from a start to the
// best. Where there is no way to go it is all.
func closed(start, score, best int) float64 {
	if best == start {
		return 1
	}
	return float64(score-start) / float64(best-start)
}

// inSeconds is a time as people say it.
func inSeconds(d time.Duration) string { return short(d.Seconds()) + " s" }

// shares is a mean share with its interval.
func shares(s Summary) string {
	if s.N < 2 {
		return fmt.Sprintf("%.1f %%", 100*s.Mean)
	}
	return fmt.Sprintf("%.1f %% (95 %% interval %.1f to %.1f)", 100*s.Mean, 100*s.Lowest, 100*s.Highest)
}

// tightPlan is what is measured.
type tightPlan struct {
	seeds    []uint64
	cells    []tightCell // by side, then by colours
	run      trialPlan
	complete bool // as the claims have it
}

func planTightness(o Options) tightPlan {
	p := tightPlan{seeds: o.Seeds, run: trialPlan{Iterations: 200_000, Time: 500 * time.Millisecond}, complete: !o.Quick && o.Time == 0}
	sides, colours := []int{6, 7, 8, 9, 10}, []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 22}
	if o.Quick {
		sides, colours = []int{6, 7}, []int{3, 8, 22}
		p.seeds, p.run = o.Seeds[:1], trialPlan{Iterations: 2000, Time: 5 * time.Millisecond}
	}
	if o.Time > 0 {
		p.run.Time = o.Time
	}
	for _, side := range sides {
		for _, c := range colours {
			p.cells = append(p.cells, tightCell{side, c})
		}
	}
	return p
}

func measureTightness(ctx context.Context, o Options, r *Report) error {
	plan := planTightness(o)
	r.note(fmt.Sprintf("Each seed makes a puzzle of each size and number of colours, framed and without clues, deals its pieces at random under the frame rule, and runs the loop with its default settings from there, on one thread, until %s iterations and %s are both spent; a run that solves its puzzle ends at once. The generator makes a puzzle of a board without a break, so the best reachable score is known: all seams. Every score is counted again from the colours of the board.", grouped(plan.run.Iterations), inSeconds(plan.run.Time)))
	r.note("The share closed is (score - start) / (all seams - start), run by run. Five of 22 colours, in that share, are kept to the seams between rim pieces, as on the official puzzle. Boards by chance is the number of boards without a break, beside the one that the puzzle was made of, if the colour of each side were drawn alone: the ways to lay the pieces under the frame rule times the chance that all seams match. Where it is about one a puzzle is hardest to solve: with fewer colours there are many solutions, with more the wrong ways end early for a search that backtracks.")
	c := contest{Contenders: []contender{{"default", alns.Options{}}}, Plan: plan.run}
	for _, cell := range plan.cells {
		c.Families = append(c.Families, cell.starts())
	}
	if err := c.run(ctx, plan.seeds, o.Say); err != nil {
		return err
	}
	var rows []tightRow
	for i, cell := range plan.cells {
		if trials := c.of(c.Families[i], c.Contenders[0]); len(trials) > 0 {
			rows = append(rows, tightRowOf(cell, trials, plan.run))
		}
	}
	reportTightness(r, rows, plan, c.seeds)
	return nil
}

// tightRow is a size and a number of colours, over the seeds.
type tightRow struct {
	tightCell
	Rim        int     `json:"rim_colours"`
	Expected   float64 `json:"expected"` // see tightCell
	Start      Summary `json:"start"`    // share of the seams
	Share      Summary `json:"share"`    // closed after the iterations
	Tenth      Summary `json:"tenth"`    // after a tenth of them
	Solved     int     `json:"solved"`
	Breaks     Summary `json:"breaks"`
	ShareTime  Summary `json:"share_time"` // after the time
	SolvedTime int     `json:"solved_time"`
	BreaksTime Summary `json:"breaks_time"`
	InTime     Summary `json:"in_time"` // iterations

	each, eachTime []float64 // the shares by seed
}

func tightRowOf(cell tightCell, trials []trial, plan trialPlan) tightRow {
	best := cell.seams()
	of := func(value func(trial) float64) []float64 {
		all := make([]float64, len(trials))
		for i, t := range trials {
			all[i] = value(t)
		}
		return all
	}
	share := func(score func(trial) int) []float64 {
		return of(func(t trial) float64 { return closed(t.Start, score(t), best) })
	}
	breaks := func(score func(trial) int) Summary {
		return Summarise(values(trials, func(t trial) int { return best - score(t) }))
	}
	row := tightRow{
		tightCell: cell, Rim: cell.rim(), Expected: cell.expected(),
		Start:  Summarise(of(func(t trial) float64 { return float64(t.Start) / float64(best) })),
		Tenth:  Summarise(share(func(t trial) int { return t.after(plan.Iterations / 10) })),
		Breaks: breaks(atIterations), BreaksTime: breaks(atTime),
		InTime: Summarise(of(func(t trial) float64 { return float64(t.InTime) })),
		each:   share(atIterations), eachTime: share(atTime),
	}
	row.Share, row.ShareTime = Summarise(row.each), Summarise(row.eachTime)
	for _, t := range trials {
		if t.AtIterations == best {
			row.Solved++
		}
		if t.AtTime == best {
			row.SolvedTime++
		}
	}
	return row
}

func reportTightness(r *Report, rows []tightRow, plan tightPlan, seeds []uint64) {
	complete := plan.complete && covers(seeds, tightSeeds) && len(rows) == len(plan.cells)
	judgeDistance(r, rows, plan, seeds, complete)
	hard := saturations(rows)
	judgeSaturation(r, hard, seeds, complete)
	r.draw(tightChart(rows, "Share of the distance closed, with the 95 % interval of the mean", "% of the distance", func(s *chart.Series, row tightRow) {
		whiskers(s, float64(row.Colours), Summarise(scaled(row.each, 100)))
	}))
	r.draw(tightChart(rows, "Runs that solved their puzzle", "% of the runs", func(s *chart.Series, row tightRow) {
		s.X, s.Y = append(s.X, float64(row.Colours)), append(s.Y, 100*float64(row.Solved)/float64(row.Share.N))
	}))
	r.show(saturationTable(hard))
	r.show(tightTable(rows, plan))
}

func scaled(values []float64, by float64) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = by * v
	}
	return all
}

func judgeDistance(r *Report, rows []tightRow, plan tightPlan, seeds []uint64, complete bool) {
	f := Finding{
		Claim:     "most of the distance from a random placement is closed, over a wide range of tightness",
		Published: fmt.Sprintf("at every size and number of colours a mean share with its 95 %% interval at or above %s, after the iterations and after the time", percent(tightMost)),
		Seeds:     seeds,
	}
	holds := true
	var lines []string
	for _, by := range []struct {
		name  string
		share func(tightRow) Summary
	}{
		{grouped(plan.run.Iterations) + " iterations", func(row tightRow) Summary { return row.Share }},
		{inSeconds(plan.run.Time), func(row tightRow) Summary { return row.ShareTime }},
	} {
		most, nearly, least := 0, 0, 0
		for i, row := range rows {
			s := by.share(row)
			if s.Lowest >= tightMost {
				most++
			}
			if s.Lowest >= tightNearly {
				nearly++
			}
			if s.Mean < by.share(rows[least]).Mean {
				least = i
			}
		}
		holds = holds && most == len(rows)
		if len(rows) > 0 {
			lines = append(lines, fmt.Sprintf("after %s at or above %s at %d of %d points, and above %s at %d; the least is %s, %s",
				by.name, percent(tightMost), most, len(rows), percent(tightNearly), nearly, shares(by.share(rows[least])), rows[least]))
		}
	}
	f.Measured = strings.Join(lines, "; ")
	f.Verdict = judge(holds || !complete, complete)
	r.find(f)
}

// bySide cuts the rows into those of one size.
func bySide(rows []tightRow) (sides [][]tightRow) {
	for i, row := range rows {
		if i == 0 || row.Side != rows[i-1].Side {
			sides = append(sides, nil)
		}
		sides[len(sides)-1] = append(sides[len(sides)-1], row)
	}
	return sides
}

// hardest is the row of a size where about one board by chance is expected.
func hardest(rows []tightRow) tightRow {
	least := rows[0]
	for _, row := range rows {
		if math.Abs(row.Expected) < math.Abs(least.Expected) {
			least = row
		}
	}
	return least
}

// saturation is the hardest row of a size against the loosest, the one with the
// fewest colours.
type saturation struct {
	hard     tightRow
	Cell     string  `json:"cell"`
	Expected float64 `json:"expected"`
	Share    Summary `json:"share"`
	Tenth    Summary `json:"tenth"`
	Solved   int     `json:"solved"`
	Loose    int     `json:"loose"`     // colours of the loosest
	Fall     Summary `json:"fall"`      // from there to the hardest, by seed
	FallTime Summary `json:"fall_time"` // the same in the same time
	Least    int     `json:"least"`     // colours where the mean share is least
	AtLeast  Summary `json:"at_least"`
}

func saturations(rows []tightRow) (all []saturation) {
	for _, side := range bySide(rows) {
		loose, hard, least := side[0], hardest(side), side[0]
		for _, row := range side {
			if row.Share.Mean < least.Share.Mean {
				least = row
			}
		}
		all = append(all, saturation{
			hard: hard, Cell: hard.String(), Expected: hard.Expected, Share: hard.Share, Tenth: hard.Tenth, Solved: hard.Solved,
			Loose: loose.Colours, Fall: Paired(hard.each, loose.each), FallTime: Paired(hard.eachTime, loose.eachTime),
			Least: least.Colours, AtLeast: least.Share,
		})
	}
	return all
}

// judgeSaturation judges that less is closed where puzzles are hardest than
// where they are loosest.
func judgeSaturation(r *Report, all []saturation, seeds []uint64, complete bool) {
	f := Finding{
		Claim:     "it saturates on the hardest instances",
		Published: "at each size the share closed where about one board by chance is expected lies below that with the fewest colours, by the 95 % interval of the difference, after the iterations and after the time",
		Seeds:     seeds,
	}
	holds, tighter, late := true, 0, 0.0
	var measured []string
	for _, s := range all {
		holds = holds && s.Fall.Highest < 0 && s.FallTime.Highest < 0
		measured = append(measured, fmt.Sprintf("%s against %d: %s, after the time %s", s.Cell, s.Loose, shares(s.Fall), shares(s.FallTime)))
		if s.Least > s.hard.Colours {
			tighter++
		}
		late = max(late, s.Share.Mean-s.Tenth.Mean)
	}
	f.Measured = strings.Join(measured, "; ")
	if len(all) > 0 {
		f.Note = fmt.Sprintf("the last nine tenths of the iterations close %.1f %% more there at most; at %d of %s the share falls on with more colours than that, where a search that backtracks has it easier", 100*late, tighter, counted(len(all), "size"))
	}
	f.Verdict = judge(holds || !complete, complete)
	r.find(f)
}

// tightChart draws a line for each size over the colours.
func tightChart(rows []tightRow, title, label string, add func(*chart.Series, tightRow)) chart.Chart {
	c := chart.Chart{Title: title, XLabel: "colours", YLabel: label}
	for _, side := range bySide(rows) {
		s := chart.Series{Name: fmt.Sprintf("%d×%d", side[0].Side, side[0].Side), Kind: chart.Line}
		for _, row := range side {
			add(&s, row)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// tenths is a share in %, to a tenth of one.
func tenths(share float64) string {
	if math.IsNaN(share) {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*share)
}

func saturationTable(all []saturation) Table {
	of := func(name string, text func(saturation) string) column[saturation] {
		return column[saturation]{name, text}
	}
	return tabulate("where about one board by chance is expected", "by chance is the logarithm to base 10 of the boards without a break that chance would give; shares of the distance closed in %, means over the seeds, after the iterations and a tenth of them; the fall is that from the fewest colours, by seed, with its 95 % interval; the least share of the size is at so many colours", all,
		of("puzzles", func(s saturation) string { return s.Cell }),
		of("by chance", func(s saturation) string { return fmt.Sprintf("%.1f", s.Expected) }),
		of("n", func(s saturation) string { return fmt.Sprint(s.Share.N) }),
		of("a tenth", func(s saturation) string { return tenths(s.Tenth.Mean) }),
		of("share", func(s saturation) string { return tenths(s.Share.Mean) }),
		of("solved", func(s saturation) string { return fmt.Sprint(s.Solved) }),
		of("fall", func(s saturation) string { return tenths(s.Fall.Mean) }),
		of("low", func(s saturation) string { return tenths(s.Fall.Lowest) }),
		of("high", func(s saturation) string { return tenths(s.Fall.Highest) }),
		of("fall in time", func(s saturation) string { return tenths(s.FallTime.Mean) }),
		of("low in time", func(s saturation) string { return tenths(s.FallTime.Lowest) }),
		of("high in time", func(s saturation) string { return tenths(s.FallTime.Highest) }),
		of("least at", func(s saturation) string { return fmt.Sprint(s.Least) }),
		of("least share", func(s saturation) string { return tenths(s.AtLeast.Mean) }),
	)
}

func tightTable(rows []tightRow, plan tightPlan) Table {
	of := func(name string, text func(tightRow) string) column[tightRow] { return column[tightRow]{name, text} }
	return tabulate("every size and number of colours", fmt.Sprintf("shares of the distance closed in %%, means over the seeds with their 95 %% intervals, after %s iterations, a tenth of them, and %s; start is the share of the seams that match on the random placement, by chance the logarithm to base 10 of the boards without a break that chance would give, breaks the mean of those left, iterations in time those until a run was solved or its time spent", grouped(plan.run.Iterations), inSeconds(plan.run.Time)), rows,
		of("side", func(x tightRow) string { return fmt.Sprint(x.Side) }),
		of("colours", func(x tightRow) string { return fmt.Sprint(x.Colours) }),
		of("of the rim", func(x tightRow) string { return fmt.Sprint(x.Rim) }),
		of("by chance", func(x tightRow) string { return fmt.Sprintf("%.1f", x.Expected) }),
		of("n", func(x tightRow) string { return fmt.Sprint(x.Share.N) }),
		of("start", func(x tightRow) string { return tenths(x.Start.Mean) }),
		of("a tenth", func(x tightRow) string { return tenths(x.Tenth.Mean) }),
		of("share", func(x tightRow) string { return tenths(x.Share.Mean) }),
		of("low", func(x tightRow) string { return tenths(x.Share.Lowest) }),
		of("high", func(x tightRow) string { return tenths(x.Share.Highest) }),
		of("solved", func(x tightRow) string { return fmt.Sprint(x.Solved) }),
		of("breaks", func(x tightRow) string { return short(x.Breaks.Mean) }),
		of("share in time", func(x tightRow) string { return tenths(x.ShareTime.Mean) }),
		of("low in time", func(x tightRow) string { return tenths(x.ShareTime.Lowest) }),
		of("high in time", func(x tightRow) string { return tenths(x.ShareTime.Highest) }),
		of("solved in time", func(x tightRow) string { return fmt.Sprint(x.SolvedTime) }),
		of("breaks in time", func(x tightRow) string { return short(x.BreaksTime.Mean) }),
		of("iterations in time", func(x tightRow) string { return short(x.InTime.Mean) }),
	)
}
