package study

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/construct"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/solve"
	"lastmile/study/chart"
)

var ledgerFinish = Study{
	Name:    "ledger-finish",
	Claim:   "for the best prefixes that a beam keeps, the last 40 to 56 cells are exhausted with the ledger and the optimum is taken: seams gained on 20 seeds, and the cost",
	Seeds:   finishSeeds,
	Measure: measureFinish,
}

var finishSeeds = fromTo(1, 20)

// The tails that the claim speaks of.
const (
	claimedTail = 40
	claimedStep = 4
	longestTail = 56
)

// finishPlan is what is measured.
type finishPlan struct {
	seeds      []uint64
	width      int
	nodes      []int // of a finish for each board of the width, the default of solve first
	even       int   // the one of these that takes about as long as a beam of twice the width takes more
	tails      []int
	most       int64 // nodes of one tail
	iterations int64 // of a polish
	whole      bool  // as the claims have it
}

func planFinish(o Options) finishPlan {
	p := finishPlan{seeds: o.Seeds, width: beamWidth, nodes: []int{solve.FinishNodes, 1024, 4096}, even: 1024, most: 2_000_000, iterations: 400_000, whole: true}
	for tail := 12; tail <= longestTail; tail += claimedStep {
		p.tails = append(p.tails, tail)
	}
	if o.Quick {
		p.seeds, p.width, p.most, p.iterations, p.whole = o.Seeds[:min(2, len(o.Seeds))], 256, 100_000, 20_000, false
	}
	return p
}

// finishRun is one seed: a beam and what is made of it.
type finishRun struct {
	Seed     uint64     `json:"seed"`
	Order    string     `json:"order"`
	Beam     searched   `json:"beam"`
	Finishes []finished `json:"finishes"` // by the nodes of the plan
	Wide     searched   `json:"wide"`     // a beam of twice the width
	Tails    []tailed   `json:"tails"`
}

// searched is what a search gave and took.
type searched struct {
	Score    int     `json:"score"`
	Nodes    int64   `json:"nodes"`
	Seconds  float64 `json:"seconds"`
	Polished int     `json:"polished"` // score of its board after a polish
}

// finished is the exhaustion of the tails of many prefixes.
type finished struct {
	searched
	Each     int `json:"nodes_for_each_board"`
	Tail     int `json:"tail"` // the longest decided for every prefix that was tried
	Prefixes int `json:"prefixes"`
	Censored int `json:"censored"`
}

// tailed is the exhaustion of one tail of the beam's board for a better one.
type tailed struct {
	Cells   int   `json:"cells"`
	Own     int   `json:"own_breaks"`
	Decided bool  `json:"decided"`
	Saved   int   `json:"saved"` // breaks, by the best completion that was found
	Nodes   int64 `json:"nodes"`
}

func measureFinish(ctx context.Context, o Options, r *Report) error {
	return finishBeams(ctx, o, r, planFinish(o))
}

func finishBeams(ctx context.Context, o Options, r *Report, plan finishPlan) error {
	r.note(fmt.Sprintf("Each seed builds a board of the official puzzle with its five clues by a beam of width %s, on one thread, in one of the orders %s, which the seeds take in turn. The finish exhausts the last cells of the best boards that the beam kept, tails of 12 cells, 16 and so on, for completions with fewer breaks than the beam's board; it goes on until most prefixes are too hard or its nodes are used up. A finish of so many nodes for each board may enter that many times the width; %s is what solve allows. The nodes of a finish and of a tail are entries at a cell still to be filled, those of a beam children that were ranked. Every score is counted again from the colours of the board.",
		grouped(int64(plan.width)), strings.Join(solve.DefaultOrders, ", "), grouped(int64(plan.nodes[0]))))
	r.note(fmt.Sprintf("A tail is the last cells of the board that the beam ends with, emptied, and filled again with fewer breaks than the board has there. It is decided when the best completion is known, or that there is none, within %s nodes. A prefix with fewer breaks leaves more for its tail, and makes the search larger; one with more breaks is refuted sooner, and promises less.", grouped(plan.most)))
	r.note(fmt.Sprintf("The polish is %s iterations of one walk with the seed of the beam; the time of the finish is not taken off it. Differences are those of runs with the same seed, and intervals hold their mean with 95 %% confidence, by Student's t. All but the seconds comes out the same each time.", grouped(plan.iterations)))
	var runs []finishRun
	for i, seed := range plan.seeds {
		if ctx.Err() != nil {
			break
		}
		o.Say(fmt.Sprintf("seed %d, %d of %d", seed, i+1, len(plan.seeds)))
		run, err := finishSeed(ctx, o, plan, seed)
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		if ctx.Err() == nil { // a part of a seed says nothing
			runs = append(runs, run)
		}
	}
	reportFinish(r, runs, plan)
	return nil
}

func finishSeed(ctx context.Context, o Options, plan finishPlan, seed uint64) (finishRun, error) {
	p := puzzle.Official()
	run := finishRun{Seed: seed, Order: solve.DefaultOrders[seed%uint64(len(solve.DefaultOrders))]}
	built, beam, err := timedBeam(ctx, p, construct.Options{Order: run.Order, Width: plan.width, Seed: seed})
	if err != nil {
		return run, err
	}
	wider, wide, err := timedBeam(ctx, p, construct.Options{Order: run.Order, Width: 2 * plan.width, Seed: seed})
	if err != nil {
		return run, err
	}
	run.Beam, run.Wide = beam, wide
	boards := [][]puzzle.Placement{built.Placements, wider.Placements}
	for _, each := range plan.nodes {
		f, err := solve.Finish(ctx, p, built, int64(each)*int64(plan.width), search.Nobody)
		if err == nil {
			err = recount(p, f.Placements, f.Score)
		}
		if err != nil {
			return run, err
		}
		run.Finishes = append(run.Finishes, finished{searched{Score: f.Score, Nodes: f.Nodes, Seconds: f.Time.Seconds()}, each, f.Tail, f.Prefixes, f.Censored})
		boards = append(boards, f.Placements)
	}
	if err := run.polish(ctx, o, plan, p, boards); err != nil {
		return run, err
	}
	for _, cells := range plan.tails {
		t, err := exhaustTail(ctx, o, plan, p, built, cells)
		if err != nil {
			return run, err
		}
		run.Tails = append(run.Tails, t)
	}
	return run, nil
}

func timedBeam(ctx context.Context, p *puzzle.Puzzle, o construct.Options) (construct.Result, searched, error) {
	runtime.GC() // so that no beam pays for the one before
	began := time.Now()
	built, err := construct.Beam(ctx, p, o, search.Budget{}, nil)
	spent := time.Since(began)
	if err == nil {
		err = recount(p, built.Placements, built.Score)
	}
	return built, searched{Score: built.Score, Nodes: built.Nodes, Seconds: spent.Seconds()}, err
}

// polish polishes the boards of the beam, the wider beam and the finishes, the
// same board once.
func (run *finishRun) polish(ctx context.Context, o Options, plan finishPlan, p *puzzle.Puzzle, boards [][]puzzle.Placement) error {
	of := []*searched{&run.Beam, &run.Wide}
	for i := range run.Finishes {
		of = append(of, &run.Finishes[i].searched)
	}
	for i, board := range boards {
		if same := slices.IndexFunc(boards, func(b []puzzle.Placement) bool { return slices.Equal(b, board) }); same < i {
			of[i].Polished = of[same].Polished
			continue
		}
		r, err := alns.Polish(ctx, p, board, alns.Options{Seed: run.Seed}, alns.Plan{
			Streams: 1, Budget: search.Budget{Iterations: plan.iterations}, Watch: o.Watch,
		})
		if err == nil {
			err = recount(p, r.Placements, r.Score)
		}
		if err != nil {
			return err
		}
		of[i].Polished = r.Score
	}
	return nil
}

// recount holds a full board against the score that it is said to have.
func recount(p *puzzle.Puzzle, board []puzzle.Placement, score int) error {
	grid := p.Look(board)
	if tally := grid.Tally(); tally.Matched != score || tally.Empty > 0 || p.CluesHeld(grid) != len(p.Clues) {
		return fmt.Errorf("a board said to score %d scores %d, with %d empty cells and %d of %d clues held",
			score, tally.Matched, tally.Empty, p.CluesHeld(grid), len(p.Clues))
	}
	return nil
}

// exhaustTail looks for a board with fewer breaks among those that agree with
// the beam's but for its last cells.
func exhaustTail(ctx context.Context, o Options, plan finishPlan, p *puzzle.Puzzle, built construct.Result, cells int) (tailed, error) {
	b := puzzle.NewBoard(p)
	b.Load(built.Placements)
	breaks, order := b.Breaks(), built.Trail.Order(cells)
	for _, cell := range order {
		b.Remove(cell)
	}
	t := tailed{Cells: cells, Own: breaks - b.Breaks()}
	if t.Own == 0 {
		t.Decided = true
		return t, nil
	}
	r, err := ledger.Exhaust(ctx, &ledger.Problem{
		Board: b, Order: order, Budget: t.Own - 1, Mode: ledger.Candidate, Best: true,
	}, ledger.Plan{Budget: search.Budget{Nodes: plan.most}, Watch: o.Watch})
	if err != nil {
		return t, err
	}
	t.Decided, t.Nodes = !r.Censored, r.Nodes
	if r.Breaks >= 0 {
		t.Saved = t.Own - r.Breaks
		err = recount(p, r.Placements, built.Score+t.Saved)
	}
	return t, err
}

// finishFindings is what the runs of a plan come to.
type finishFindings struct {
	runs     []finishRun
	plan     finishPlan
	seeds    []uint64 // of the runs
	complete bool     // all that the claims speak of
}

func reportFinish(r *Report, runs []finishRun, plan finishPlan) {
	x := finishFindings{runs: runs, plan: plan}
	for _, run := range runs {
		x.seeds = append(x.seeds, run.Seed)
	}
	x.complete = plan.whole && covers(x.seeds, finishSeeds)
	rows, tails := x.finishes(), x.tails()
	x.judgeTails(r, tails, rows)
	x.judgeGain(r, rows)
	x.judgeWide(r, rows)
	x.judgePolish(r, rows)
	r.draw(decidedChart(tails))
	r.draw(tailChart(tails))
	r.draw(x.gainChart(rows))
	r.show(finishTable(rows))
	r.show(tailTable(tails, plan))
	r.show(x.everyFinish())
}

// of takes one value of each run.
func (x *finishFindings) of(value func(*finishRun) float64) []float64 {
	values := make([]float64, len(x.runs))
	for i := range x.runs {
		values[i] = value(&x.runs[i])
	}
	return values
}

// compare describes by how much one score of each run is above another.
func (x *finishFindings) compare(a, b func(*finishRun) int) Summary {
	return Summarise(x.of(func(run *finishRun) float64 { return float64(a(run) - b(run)) }))
}

// finishRow is one way to spend time after a beam, over the seeds.
type finishRow struct {
	Name     string  `json:"name"`
	Gain     Summary `json:"gain"`     // over the beam
	Gained   int     `json:"gained"`   // seeds with a gain
	Wide     Summary `json:"wide"`     // over the beam of twice the width
	Polished Summary `json:"polished"` // over the beam, both polished
	Seconds  Summary `json:"seconds"`  // more than the beam
	Share    Summary `json:"share"`    // of the time of the beam
	Nodes    Summary `json:"nodes"`
	Tail     Summary `json:"tail"`
	Prefixes Summary `json:"prefixes"`
	Censored Summary `json:"censored"`
}

// finishes is a row for each finish, and the last one for the wider beam.
func (x *finishFindings) finishes() (rows []finishRow) {
	if len(x.runs) == 0 {
		return nil
	}
	row := func(name string, by func(*finishRun) searched, seconds func(*finishRun) float64) finishRow {
		score := func(run *finishRun) int { return by(run).Score }
		f := finishRow{
			Name:     name,
			Gain:     x.compare(score, func(run *finishRun) int { return run.Beam.Score }),
			Wide:     x.compare(score, func(run *finishRun) int { return run.Wide.Score }),
			Polished: x.compare(func(run *finishRun) int { return by(run).Polished }, func(run *finishRun) int { return run.Beam.Polished }),
			Seconds:  Summarise(x.of(seconds)),
			Share:    Summarise(x.of(func(run *finishRun) float64 { return seconds(run) / run.Beam.Seconds })),
			Nodes:    Summarise(x.of(func(run *finishRun) float64 { return float64(by(run).Nodes) })),
		}
		for i := range x.runs {
			if run := &x.runs[i]; score(run) > run.Beam.Score {
				f.Gained++
			}
		}
		return f
	}
	for i, each := range x.plan.nodes {
		count := func(value func(*finished) int) Summary {
			return Summarise(x.of(func(run *finishRun) float64 { return float64(value(&run.Finishes[i])) }))
		}
		f := row("finish, "+grouped(int64(each)), func(run *finishRun) searched { return run.Finishes[i].searched },
			func(run *finishRun) float64 { return run.Finishes[i].Seconds })
		f.Tail = count(func(f *finished) int { return f.Tail })
		f.Prefixes = count(func(f *finished) int { return f.Prefixes })
		f.Censored = count(func(f *finished) int { return f.Censored })
		rows = append(rows, f)
	}
	wide := row("twice the width", func(run *finishRun) searched { return run.Wide },
		func(run *finishRun) float64 { return run.Wide.Seconds - run.Beam.Seconds })
	none := Summarise(nil)
	wide.Tail, wide.Prefixes, wide.Censored, wide.Wide = none, none, none, none
	return append(rows, wide)
}

// tailRow is one length of tail, over the seeds.
type tailRow struct {
	Cells   int     `json:"cells"`
	Boards  int     `json:"boards"`
	Own     Summary `json:"own_breaks"`
	Decided int     `json:"decided"`
	Better  int     `json:"better"` // boards for which fewer breaks were found
	Nodes   Summary `json:"nodes"`  // up to the limit where it was cut short
}

func (t tailRow) share() float64 { return float64(t.Decided) / float64(t.Boards) }

func (x *finishFindings) tails() (rows []tailRow) {
	if len(x.runs) == 0 {
		return nil
	}
	for i, cells := range x.plan.tails {
		t := tailRow{
			Cells: cells, Boards: len(x.runs),
			Own:   Summarise(x.of(func(run *finishRun) float64 { return float64(run.Tails[i].Own) })),
			Nodes: Summarise(x.of(func(run *finishRun) float64 { return float64(run.Tails[i].Nodes) })),
		}
		for _, run := range x.runs {
			if run.Tails[i].Decided {
				t.Decided++
			}
			if run.Tails[i].Saved > 0 {
				t.Better++
			}
		}
		rows = append(rows, t)
	}
	return rows
}

// judgeTails judges that the tails of the claim are decided. One that is not
// refutes it.
func (x *finishFindings) judgeTails(r *Report, tails []tailRow, rows []finishRow) {
	f := Finding{
		Claim:     fmt.Sprintf("the last %d to %d cells of the best prefixes are decided", claimedTail, longestTail),
		Published: "wanted: all", Seeds: x.seeds,
	}
	holds := true
	var shares, breaks []string
	for _, t := range tails {
		shares = append(shares, fmt.Sprintf("%d cells: %d", t.Cells, t.Decided))
		if t.Cells >= claimedTail {
			holds = holds && t.Decided == t.Boards
			breaks = append(breaks, fmt.Sprintf("%s in %d", short(t.Own.Median), t.Cells))
		}
	}
	if len(tails) > 0 {
		reach := rows[len(x.plan.nodes)-1].Tail
		f.Measured = fmt.Sprintf("of %s that the beams end with, decided within %s nodes, by tail: %s; a finish decides every prefix that it tries up to tails of %s to %s cells",
			counted(len(x.runs), "board"), grouped(x.plan.most), strings.Join(shares, ", "), short(reach.Min), short(reach.Max))
		f.Note = fmt.Sprintf("the boards have many breaks there, at the median %s, and the search may spend all but one of them", strings.Join(breaks, ", ")) + growth(tails)
	}
	f.Verdict = judge(holds || !x.plan.whole, x.complete)
	r.find(f)
}

// growth tells how the nodes grow with the tail, over those lengths of which
// most tails are decided.
func growth(tails []tailRow) string {
	last := 0
	for last+1 < len(tails) && 2*tails[last+1].Decided > tails[last+1].Boards {
		last++
	}
	first, end := tails[0], tails[last]
	if last == 0 || first.Nodes.Median == 0 {
		return ""
	}
	fold := math.Pow(end.Nodes.Median/first.Nodes.Median, claimedStep/float64(end.Cells-first.Cells))
	return fmt.Sprintf("; from %d to %d cells the median of the nodes grows %s times with every %d cells", first.Cells, end.Cells, short(fold), claimedStep)
}

// seams is a mean difference with its interval.
func seams(s Summary) string {
	if s.N < 2 {
		return signed(s.Mean) + " seams"
	}
	return fmt.Sprintf("%s seams (95 %% interval %s to %s)", signed(s.Mean), signed(s.Lowest), signed(s.Highest))
}

// above judges that a mean is above 0, and says how plain that is.
func (x *finishFindings) above(f *Finding, s Summary) {
	f.Seeds = x.seeds
	f.Verdict = judge(!x.complete || s.Lowest > 0, x.complete)
	switch {
	case len(x.runs) == 0:
	case !x.complete:
		f.Note = "a part of the seeds or of the work, so it was not tested"
	case s.Highest < 0:
		f.Note = "the interval lies below 0"
	case s.Lowest <= 0:
		f.Note = "the interval holds 0, so these seeds do not tell"
	}
}

func (x *finishFindings) judgeGain(r *Report, rows []finishRow) {
	for i, each := range x.plan.nodes {
		f := Finding{
			Claim:     fmt.Sprintf("a finish of %s nodes for each board never loses seams, and gains some", grouped(int64(each))),
			Published: "wanted: no seed below 0, and the 95 % interval of the mean above 0",
		}
		if len(rows) == 0 {
			x.above(&f, Summary{})
			r.find(f)
			continue
		}
		row := rows[i]
		f.Measured = fmt.Sprintf("%s, %s to %s, a gain on %d of %s; in %s s, %s of the time of the beam, at the median",
			seams(row.Gain), short(row.Gain.Min), short(row.Gain.Max), row.Gained, counted(row.Gain.N, "seed"), short(row.Seconds.Median), percent(row.Share.Median))
		x.above(&f, row.Gain)
		if row.Gain.Min < 0 {
			f.Verdict = NotReproduced
		}
		r.find(f)
	}
}

// judgeWide holds a finish against a beam of twice the width, which takes about
// as much more time.
func (x *finishFindings) judgeWide(r *Report, rows []finishRow) {
	f := Finding{
		Claim:     fmt.Sprintf("a finish of %s nodes for each board gains more than a beam of twice the width", grouped(int64(x.plan.even))),
		Published: "wanted: the 95 % interval of the mean difference above 0",
	}
	var s Summary
	if len(rows) > 0 {
		at, wide := slices.Index(x.plan.nodes, x.plan.even), rows[len(rows)-1]
		s = rows[at].Wide
		f.Measured = fmt.Sprintf("%s; the finish takes %s s, and the wider beam gains %s in %s s more than the first, at the median",
			seams(s), short(rows[at].Seconds.Median), seams(wide.Gain), short(wide.Seconds.Median))
	}
	x.above(&f, s)
	r.find(f)
}

func (x *finishFindings) judgePolish(r *Report, rows []finishRow) {
	f := Finding{
		Claim:     fmt.Sprintf("what a finish of %s nodes for each board gains survives the polish", grouped(int64(x.plan.nodes[0]))),
		Published: "wanted: the 95 % interval of the mean difference above 0",
	}
	var s Summary
	if len(rows) > 0 {
		s = rows[0].Polished
		alone := x.compare(func(run *finishRun) int { return run.Beam.Polished }, func(run *finishRun) int { return run.Beam.Score })
		f.Measured = fmt.Sprintf("%s after %s iterations, which alone gain %s; the finish had gained on %d of %s",
			seams(s), grouped(x.plan.iterations), seams(alone), rows[0].Gained, counted(s.N, "seed"))
	}
	x.above(&f, s)
	r.find(f)
}

func decidedChart(tails []tailRow) chart.Chart {
	s := chart.Series{Kind: chart.Line}
	for _, t := range tails {
		s.X, s.Y = append(s.X, float64(t.Cells)), append(s.Y, 100*t.share())
	}
	return chart.Chart{Title: "Tails of the beams' boards that were decided", XLabel: "cells of the tail", YLabel: "% of the boards", Series: []chart.Series{s}}
}

// tailChart shows what it takes. Where most were cut short that is the limit.
func tailChart(tails []tailRow) chart.Chart {
	s := chart.Series{Kind: chart.Line}
	for _, t := range tails {
		one := func(nodes float64) float64 { return max(1, nodes) } // the axis has no 0
		s.X, s.Y = append(s.X, float64(t.Cells)), append(s.Y, one(t.Nodes.Median))
		s.Low, s.High = append(s.Low, one(t.Nodes.Min)), append(s.High, one(t.Nodes.Max))
	}
	return chart.Chart{
		Title: "Nodes to decide a tail, or up to the limit: median, least and most", XLabel: "cells of the tail", YLabel: "nodes", LogY: true,
		Series: []chart.Series{s},
	}
}

func (x *finishFindings) gainChart(rows []finishRow) chart.Chart {
	c := chart.Chart{Title: "Seams gained over the beam, with the 95 % interval of the mean", XLabel: "seconds after the beam, median", YLabel: "seams"}
	for _, row := range rows {
		c.Series = append(c.Series, chart.Series{
			Name: row.Name, Kind: chart.Points, X: chart.Numbers{row.Seconds.Median}, Y: chart.Numbers{row.Gain.Mean},
			Low: chart.Numbers{row.Gain.Lowest}, High: chart.Numbers{row.Gain.Highest},
		})
	}
	return c
}

func finishTable(rows []finishRow) Table {
	of := func(name string, text func(*finishRow) string) column[finishRow] {
		return column[finishRow]{name, func(f finishRow) string { return text(&f) }}
	}
	return tabulate("seams gained", "means over the seeds, with their standard errors after a ±; low and high bound the mean gain with 95 % confidence; polished is the gain when both boards are polished; seconds are the median of those that it takes more than the beam, also as a share of its time; the tail is the longest that was decided for every prefix tried", rows,
		of("after the beam", func(f *finishRow) string { return f.Name }),
		of("n", func(f *finishRow) string { return fmt.Sprint(f.Gain.N) }),
		of("gain", func(f *finishRow) string { return signed(f.Gain.Mean) }),
		of("low", func(f *finishRow) string { return signed(f.Gain.Lowest) }),
		of("high", func(f *finishRow) string { return signed(f.Gain.Highest) }),
		of("min", func(f *finishRow) string { return signed(f.Gain.Min) }),
		of("max", func(f *finishRow) string { return signed(f.Gain.Max) }),
		of("seeds that gain", func(f *finishRow) string { return fmt.Sprint(f.Gained) }),
		of("against twice the width", func(f *finishRow) string { return plusMinus(f.Wide) }),
		of("polished", func(f *finishRow) string { return plusMinus(f.Polished) }),
		of("seconds", func(f *finishRow) string { return short(f.Seconds.Median) }),
		of("of the beam", func(f *finishRow) string { return percent(f.Share.Median) }),
		of("nodes", func(f *finishRow) string { return short(f.Nodes.Mean) }),
		of("tail", func(f *finishRow) string { return short(f.Tail.Mean) }),
		of("prefixes", func(f *finishRow) string { return short(f.Prefixes.Mean) }),
		of("cut short", func(f *finishRow) string { return short(f.Censored.Mean) }),
	)
}

func tailTable(tails []tailRow, plan finishPlan) Table {
	of := func(name string, text func(tailRow) string) column[tailRow] { return column[tailRow]{name, text} }
	return tabulate("tails of the beams' boards", fmt.Sprintf("breaks are those that the board has in its tail; a + says that the median was cut short, after %s nodes; better counts the boards for which fewer breaks were found", grouped(plan.most)), tails,
		of("cells", func(t tailRow) string { return fmt.Sprint(t.Cells) }),
		of("boards", func(t tailRow) string { return fmt.Sprint(t.Boards) }),
		of("breaks, median", func(t tailRow) string { return short(t.Own.Median) }),
		of("least", func(t tailRow) string { return short(t.Own.Min) }),
		of("most", func(t tailRow) string { return short(t.Own.Max) }),
		of("decided", func(t tailRow) string { return fmt.Sprint(t.Decided) }),
		of("share", func(t tailRow) string { return percent(t.share()) }),
		of("nodes, median", func(t tailRow) string {
			if 2*t.Decided <= t.Boards {
				return short(t.Nodes.Median) + "+"
			}
			return short(t.Nodes.Median)
		}),
		of("better", func(t tailRow) string { return fmt.Sprint(t.Better) }),
	)
}

func (x *finishFindings) everyFinish() Table {
	of := func(name string, text func(finishRun) string) column[finishRun] { return column[finishRun]{name, text} }
	columns := []column[finishRun]{
		of("seed", func(run finishRun) string { return fmt.Sprint(run.Seed) }),
		of("order", func(run finishRun) string { return run.Order }),
	}
	add := func(name string, by func(*finishRun) searched, more ...column[finishRun]) {
		columns = append(columns, of(name, func(run finishRun) string { return fmt.Sprint(by(&run).Score) }))
		columns = append(columns, more...)
		columns = append(columns,
			of("seconds", func(run finishRun) string { return fmt.Sprintf("%.2f", by(&run).Seconds) }),
			of("polished", func(run finishRun) string { return fmt.Sprint(by(&run).Polished) }),
		)
	}
	add("beam", func(run *finishRun) searched { return run.Beam })
	for i, each := range x.plan.nodes {
		add("finish, "+grouped(int64(each)), func(run *finishRun) searched { return run.Finishes[i].searched },
			of("tail", func(run finishRun) string { return fmt.Sprint(run.Finishes[i].Tail) }))
	}
	add("twice the width", func(run *finishRun) searched { return run.Wide })
	return tabulate("seeds", "scores, the seconds that they took, and the scores after the polish", x.runs, columns...)
}
