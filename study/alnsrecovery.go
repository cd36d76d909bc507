package study

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/study/chart"
)

var alnsRecovery = Study{
	Name:    "alns-recovery",
	Claim:   "from the bundled generated 16×16 solutions damaged to 80 % of their score, the loop with its default settings regains at least 90 % of the lost seams in 60 s",
	Seeds:   recoverySeeds,
	Measure: measureRecovery,
}

var recoverySeeds = fromTo(1, 10)

// What the claims speak of.
const (
	recoveryDamaged = 0.8 // of the score is left
	recoveryShare   = 0.9 // of the lost seams is regained
	recoveryTime    = 60 * time.Second
)

// bundledBoard is the solved board that a seed takes.
func bundledBoard(seed uint64) puzzle.SolvedBoard {
	all := puzzle.Solved()
	return all[(seed-1)%uint64(len(all))]
}

// damagedStarts are the bundled solved boards, seed by seed in turn, on which
// random pieces were exchanged until at most that share of the seams matched.
func damagedStarts(share float64) family {
	return damaged("scattered damage", func(b *puzzle.Board, r *random.Stream) {
		p := b.Puzzle()
		cells := make([]int, p.Cells())
		for i := range cells {
			cells[i] = i
		}
		puzzle.Scramble(b, cells, share, r)
	})
}

// blockStarts are damagedStarts whose pieces are exchanged within a square
// only, at a random place, the smallest that holds the damage.
func blockStarts(share float64) family {
	return damaged("block damage", func(b *puzzle.Board, r *random.Stream) {
		p := b.Puzzle()
		for side := 2; side <= min(p.Width, p.Height); side++ {
			top, left := r.Below(p.Height-side+1), r.Below(p.Width-side+1)
			whole := b.Placements(nil)
			if puzzle.Scramble(b, square(p, top, left, side), share, r) {
				return
			}
			b.Load(whole)
		}
	})
}

// meltedStarts are the bundled boards after the loop itself has worked on them,
// at a temperature at which hardly a loss is refused, until at most that share
// of the seams matched. Little of the solution is left then, and what is broken
// is broken as a mediocre board is.
func meltedStarts(share float64) family {
	return damaged("melted", func(b *puzzle.Board, r *random.Stream) {
		loop, err := alns.NewSearch(b, alns.Options{
			Operators: []destroy.Operator{{Name: "random-cells", Choose: destroy.RandomCells}},
			Accepting: acceptance.Options{Temperature: meltingT}, Seed: r.Uint64(),
		})
		if err != nil {
			panic(err) // a solved board has no fault
		}
		for float64(b.Score()) > share*float64(b.Puzzle().MaxScore()) {
			loop.Iterate()
		}
	})
}

// meltingT is a temperature in seams at which boards melt down to 80 % and less.
const meltingT = 10

func damaged(name string, damage func(*puzzle.Board, *random.Stream)) family {
	return family{name, func(_ context.Context, seed uint64) (start, error) {
		s := bundledBoard(seed)
		b := puzzle.NewBoard(s.Puzzle)
		b.Load(s.Board)
		damage(b, random.New(seed, name, 0))
		return startOf(s.Puzzle, b.Placements(nil)), nil
	}}
}

func square(p *puzzle.Puzzle, top, left, side int) (cells []int) {
	for row := top; row < top+side; row++ {
		for column := left; column < left+side; column++ {
			cells = append(cells, row*p.Width+column)
		}
	}
	return cells
}

// recoveryPlan is what is measured.
type recoveryPlan struct {
	seeds      []uint64
	kinds      [3]family // scattered damage, a block, melted
	time       time.Duration
	iterations int64 // after which the kinds are compared too
	complete   bool  // as the claims have it
}

func planRecovery(o Options) recoveryPlan {
	p := recoveryPlan{
		seeds: o.Seeds, kinds: [3]family{damagedStarts(recoveryDamaged), blockStarts(recoveryDamaged), meltedStarts(recoveryDamaged)},
		time: recoveryTime, iterations: 1_000_000,
	}
	if o.Quick {
		p.seeds, p.time, p.iterations = o.Seeds[:1], 50*time.Millisecond, 2000
	}
	if o.Time > 0 {
		p.time = o.Time
	}
	p.complete = !o.Quick && p.time == recoveryTime
	return p
}

func measureRecovery(ctx context.Context, o Options, r *Report) error {
	plan := planRecovery(o)
	r.note(fmt.Sprintf("Seed s takes the bundled board (s - 1) mod %d. Damage exchanges random pieces of one kind (corner, edge, inner), turned at random where the frame rule allows it, until at most %s of the seams match: over the whole board (%s), or within the smallest square at a random place that holds so much (%s). Boards are melted (%s) by the loop itself, with random cells at a temperature of %v, which is more than damage: the solution is gone, and what is left of it is scattered. The loop runs with its default settings for %s, one walk on one thread; a run that is solved ends. Every score is counted again from the colours of the board.",
		len(puzzle.Solved()), percent(recoveryDamaged), plan.kinds[0].Name, plan.kinds[1].Name, plan.kinds[2].Name, meltingT, inSeconds(plan.time)))
	r.note(fmt.Sprintf("The share regained is (score - start) / (all seams - start), run by run. The kinds of damage are compared by seed: after %s, and after %s iterations, which runs go on to if they must.", inSeconds(plan.time), grouped(plan.iterations)))
	c := contest{Families: plan.kinds[:], Contenders: []contender{{"default", alns.Options{}}}, Plan: trialPlan{Iterations: plan.iterations, Time: plan.time}}
	if err := c.run(ctx, plan.seeds, o.Say); err != nil {
		return err
	}
	var runs []recovered
	for _, kind := range plan.kinds {
		for _, t := range c.of(kind, c.Contenders[0]) {
			runs = append(runs, recoveredOf(kind, t))
		}
	}
	reportRecovery(r, runs, plan)
	return nil
}

// recovered is one run.
type recovered struct {
	Damage string  `json:"damage"`
	Board  string  `json:"board"`
	Seed   uint64  `json:"seed"`
	Start  int     `json:"start"`
	Score  int     `json:"score"` // after the time
	Share  float64 `json:"share"` // regained after the time
	Counts float64 `json:"share_after_iterations"`
	Last   float64 `json:"last_gain"` // seconds
	Solved bool    `json:"solved"`

	best  int
	trial trial
}

func recoveredOf(kind family, t trial) recovered {
	board := bundledBoard(t.Seed)
	x := recovered{Damage: kind.Name, Board: board.Name, Seed: t.Seed, Start: t.Start, Score: t.AtTime, best: board.Puzzle.MaxScore(), trial: t}
	x.Share, x.Counts = x.closed(t.AtTime), x.closed(t.AtIterations)
	x.Solved = x.Score == x.best
	for _, g := range t.gains {
		if g.Score <= x.Score {
			x.Last = g.Seconds
		}
	}
	return x
}

func (x recovered) closed(score int) float64 { return closed(x.Start, score, x.best) }

// within is the share regained after so many seconds.
func (x recovered) within(seconds float64) float64 { return x.closed(x.trial.within(seconds)) }

// ofKind are the runs of one kind of damage.
func ofKind(runs []recovered, kind family) (these []recovered) {
	for _, x := range runs {
		if x.Damage == kind.Name {
			these = append(these, x)
		}
	}
	return these
}

func recoveries(runs []recovered, value func(recovered) float64) []float64 {
	all := make([]float64, len(runs))
	for i, x := range runs {
		all[i] = value(x)
	}
	return all
}

func reportRecovery(r *Report, runs []recovered, plan recoveryPlan) {
	judgeRecovery(r, runs, plan)
	judgeOther(r, runs, plan, plan.kinds[1], "a compact block damaged as much")
	judgeOther(r, runs, plan, plan.kinds[2], "a board melted as far")
	first := min(1e-5, plan.time.Seconds()/10) // seconds that are drawn
	r.draw(recoveryChart(runs, plan, "seconds", scaledMarks(plan.time.Seconds()/first, first), recovered.within))
	r.draw(recoveryChart(runs, plan, "iterations", scaledMarks(float64(plan.iterations), 1), func(x recovered, mark float64) float64 {
		return x.closed(x.trial.after(int64(mark)))
	}))
	r.show(recoveryTable(recoveryRows(runs, plan), plan))
	r.show(everyRecovery(runs))
}

// scaledMarks are the marks of a curve that ends there, times a unit.
func scaledMarks(last, unit float64) (marks []float64) {
	for _, n := range curveMarks(int64(math.Round(last))) {
		marks = append(marks, unit*float64(n))
	}
	return marks
}

// regained judges that a kind of damage is regained on average.
func regained(f *Finding, runs []recovered, plan recoveryPlan, kind family) {
	these := ofKind(runs, kind)
	solved := 0
	for _, x := range these {
		f.Seeds = append(f.Seeds, x.Seed)
		if x.Solved {
			solved++
		}
	}
	s := Summarise(recoveries(these, func(x recovered) float64 { return x.Share }))
	if s.N > 0 {
		f.Measured = fmt.Sprintf("%s, %.1f to %.1f %%, %d of %s solved", shares(s), 100*s.Min, 100*s.Max, solved, counted(s.N, "run"))
	}
	complete := plan.complete && covers(f.Seeds, recoverySeeds)
	f.Verdict = judge(s.Mean >= recoveryShare || !complete, complete)
}

func judgeRecovery(r *Report, runs []recovered, plan recoveryPlan) {
	kind := plan.kinds[0]
	f := Finding{
		Claim:     fmt.Sprintf("scattered damage down to %s of the score: at least %s of the lost seams are regained in %s", percent(recoveryDamaged), percent(recoveryShare), inSeconds(recoveryTime)),
		Published: fmt.Sprintf("at least %s on average", percent(recoveryShare)),
	}
	regained(&f, runs, plan, kind)
	these := ofKind(runs, kind)
	if len(these) > 0 {
		var at []string
		for _, seconds := range moments(plan.time) {
			at = append(at, fmt.Sprintf("%s after %s s", shares(Summarise(recoveries(these, func(x recovered) float64 { return x.within(seconds) }))), short(seconds)))
		}
		f.Note = strings.Join(at, ", ")
	}
	r.find(f)
}

// moments are the times before the end at which the share is told.
func moments(limit time.Duration) (seconds []float64) {
	for _, s := range []float64{0.001, 0.01, 0.1, 1, 10} {
		if s < limit.Seconds() {
			seconds = append(seconds, s)
		}
	}
	return seconds
}

// judgeOther judges the same of another kind of damage, and compares the two.
func judgeOther(r *Report, runs []recovered, plan recoveryPlan, kind family, what string) {
	f := Finding{
		Claim:     fmt.Sprintf("%s: at least %s of the lost seams are regained in %s", what, percent(recoveryShare), inSeconds(recoveryTime)),
		Published: fmt.Sprintf("not published; wanted: at least %s on average, as of scattered damage", percent(recoveryShare)),
	}
	regained(&f, runs, plan, kind)
	scattered, other := ofKind(runs, plan.kinds[0]), ofKind(runs, kind)
	if len(other) > 0 {
		against := func(value func(recovered) float64) string {
			return shares(Paired(recoveries(other, value), recoveries(scattered, value)))
		}
		f.Note = fmt.Sprintf("against scattered damage, by seed: %s after %s, %s after %s iterations",
			against(func(x recovered) float64 { return x.Share }), inSeconds(plan.time),
			against(func(x recovered) float64 { return x.Counts }), grouped(plan.iterations))
	}
	r.find(f)
}

// recoveryChart is the share regained by what was spent.
func recoveryChart(runs []recovered, plan recoveryPlan, label string, marks []float64, share func(recovered, float64) float64) chart.Chart {
	c := chart.Chart{Title: "Share of the lost seams regained, with the 95 % interval of the mean, by " + label, XLabel: label, YLabel: "% of the lost seams", LogX: true}
	for _, kind := range plan.kinds {
		these := ofKind(runs, kind)
		s := chart.Series{Name: kind.Name, Kind: chart.Line}
		for _, mark := range marks {
			whiskers(&s, mark, Summarise(recoveries(these, func(x recovered) float64 { return 100 * share(x, mark) })))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// recoveryRow is one kind of damage, over the seeds.
type recoveryRow struct {
	Damage  string    `json:"damage"`
	Start   Summary   `json:"start"`
	Share   Summary   `json:"share"`
	Moments []Summary `json:"moments"` // after 0.001 s, 0.01 s and so on, those before the end
	Counts  Summary   `json:"share_after_iterations"`
	Solved  int       `json:"solved"`
	Last    Summary   `json:"last_gain"`
}

func recoveryRows(runs []recovered, plan recoveryPlan) (rows []recoveryRow) {
	for _, kind := range plan.kinds {
		these := ofKind(runs, kind)
		if len(these) == 0 {
			continue
		}
		of := func(value func(recovered) float64) Summary { return Summarise(recoveries(these, value)) }
		row := recoveryRow{
			Damage: kind.Name,
			Start:  of(func(x recovered) float64 { return float64(x.Start) }),
			Share:  of(func(x recovered) float64 { return x.Share }),
			Counts: of(func(x recovered) float64 { return x.Counts }),
			Last:   of(func(x recovered) float64 { return x.Last }),
		}
		for _, seconds := range moments(plan.time) {
			row.Moments = append(row.Moments, of(func(x recovered) float64 { return x.within(seconds) }))
		}
		for _, x := range these {
			if x.Solved {
				row.Solved++
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func recoveryTable(rows []recoveryRow, plan recoveryPlan) Table {
	of := func(name string, text func(recoveryRow) string) column[recoveryRow] {
		return column[recoveryRow]{name, text}
	}
	columns := []column[recoveryRow]{
		of("damage", func(x recoveryRow) string { return x.Damage }),
		of("n", func(x recoveryRow) string { return fmt.Sprint(x.Start.N) }),
		of("start", func(x recoveryRow) string { return short(x.Start.Mean) }),
	}
	for i, seconds := range moments(plan.time) {
		columns = append(columns, of(short(seconds)+" s", func(x recoveryRow) string { return tenths(x.Moments[i].Mean) }))
	}
	columns = append(columns,
		of(inSeconds(plan.time), func(x recoveryRow) string { return tenths(x.Share.Mean) }),
		of("low", func(x recoveryRow) string { return tenths(x.Share.Lowest) }),
		of("high", func(x recoveryRow) string { return tenths(x.Share.Highest) }),
		of("after "+grouped(plan.iterations)+" iterations", func(x recoveryRow) string { return tenths(x.Counts.Mean) }),
		of("low", func(x recoveryRow) string { return tenths(x.Counts.Lowest) }),
		of("high", func(x recoveryRow) string { return tenths(x.Counts.Highest) }),
		of("solved", func(x recoveryRow) string { return fmt.Sprint(x.Solved) }),
		of("last gain, median s", func(x recoveryRow) string { return short(x.Last.Median) }),
	)
	return tabulate("share of the lost seams regained, by the kind of damage", "in %, means over the seeds, low and high the 95 % interval: after some seconds, after the whole run, and after the same iterations", rows, columns...)
}

func everyRecovery(runs []recovered) Table {
	of := func(name string, text func(recovered) string) column[recovered] { return column[recovered]{name, text} }
	return tabulate("every run", "shares are of the lost seams, in %; the last gain is when the run was solved, where it was", runs,
		of("damage", func(x recovered) string { return x.Damage }),
		of("seed", func(x recovered) string { return fmt.Sprint(x.Seed) }),
		of("board", func(x recovered) string { return x.Board }),
		of("start", func(x recovered) string { return fmt.Sprint(x.Start) }),
		of("1 s", func(x recovered) string { return tenths(x.within(1)) }),
		of("10 s", func(x recovered) string { return tenths(x.within(10)) }),
		of("final", func(x recovered) string { return fmt.Sprint(x.Score) }),
		of("share", func(x recovered) string { return tenths(x.Share) }),
		of("solved", func(x recovered) string { return yes(x.Solved) }),
		of("last gain, s", func(x recovered) string { return short(x.Last) }),
	)
}
