package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lastmile/cycles"
	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/solve"
	"lastmile/study/chart"
)

var sigmaCycles = Study{
	Name:    "sigma-cycles",
	Claim:   "no partial application of a long cycle between two good boards scores as high as doing nothing",
	Seeds:   fromTo(1, 5),
	Measure: measureCycles,
}

// What is published: pairs of boards, prefixes of the cycles that count, and
// from how many cells.
const (
	publishedPairs    = 246
	publishedPrefixes = 54_238
	longCycle         = 10 // cells
)

// boundRule is the least correlation of boundary and loss, over the pairs, that
// is taken for a confirmation.
const boundRule = 0.9

// cycleBoard is a board to compare.
type cycleBoard struct {
	name  string
	board *puzzle.Board
	solve bool // else a record
	seed  uint64
	later bool // of the two boards of a seed
}

// cyclePair is what a comparison of two boards found.
type cyclePair struct {
	A       string `json:"a"`
	B       string `json:"b"`
	Start   int    `json:"score_a"`
	End     int    `json:"score_b"`
	Turns   int    `json:"turns"`
	Moved   int    `json:"moved"`
	Turned  int    `json:"turned"`
	Fixed   int    `json:"fixed"`
	Lengths []int  `json:"lengths"`
	// Prefixes of long cycles: boards that can be built, from the first cell of
	// each cycle and from all, and copies.
	First  cycles.Tally `json:"first"`
	All    cycles.Tally `json:"all"`
	Copied cycles.Tally `json:"copied"`
	Once   cycles.Tally `json:"copied_first"` // copies, from the first cell
	Short  cycles.Tally `json:"short"`        // boards, from all cells of shorter cycles

	Subsets     cycles.Tally     `json:"subsets"`
	Correlation *float64         `json:"correlation"` // of boundary and loss, over prefixes of all cycles
	Boundary    []cycles.LossRow `json:"-"`           // a chart shows those of some pairs

	a, b cycleBoard
}

func (x cyclePair) long() (n int) {
	for _, l := range x.Lengths {
		if l >= longCycle {
			n++
		}
	}
	return n
}

// cyclesPlan is what is measured.
type cyclesPlan struct {
	width        int
	early, later int64 // iterations of the two solves of a seed
}

func measureCycles(ctx context.Context, o Options, r *Report) error {
	plan := cyclesPlan{width: 256, early: 32_768, later: 524_288}
	boards := recordCycleBoards()
	if o.Quick {
		plan = cyclesPlan{width: 16, early: 2048, later: 8192}
		boards = boards[:3]
	}
	r.note(fmt.Sprintf("A cycle leads through the cells between which pieces change places from board A to board B, after B was turned as a whole so that the fewest pieces move. A prefix makes the first k moves of it: the pieces of the k cells come to their cells on B in the rotations that they have there, and each move is an exchange, so that the piece that the last one displaced lies on the open cell where the prefix began. That piece is turned as it matches most seams, among the turns that keep grey on the rim, which favours the prefix. All other cells are as on A. A cycle of n cells has n-2 proper prefixes of that kind from each of its n cells. The start of a prefix is A, and the claim is of cycles of %d cells or more.", longCycle))
	r.note(fmt.Sprintf("Published are %s proper prefixes over %d ordered pairs, %.0f a pair, which is what one starting cell a cycle gives, as the table shows, and no more. %d is not the number of ordered pairs of any number of boards; 16 boards have 240. The cell that prefixes were published from is not known, so all are measured. A prefix can also be read as cells copied from B: the open cell then keeps its piece of A, which lies on two cells, and the displaced piece lies nowhere. That is no board, but it makes n-1 prefixes a start and may be what was counted; the tables have both. The bundled records are fewer than the published ones, so the pairs are others.",
		grouped(publishedPrefixes), publishedPairs, float64(publishedPrefixes)/publishedPairs, publishedPairs))
	r.note(fmt.Sprintf("Besides the records, each seed gives two boards of one attempt of solve with beams of %d: after %s iterations, and after %s. They hold the five clues. A subset of cycles applies some of them as a whole, and all cells that are turned in place together as if they were one: every subset but none and all is scored when there are at most %d of them, else those of one and of all but one.",
		plan.width, grouped(plan.early), grouped(plan.later), cycles.AllSubsets))

	made, err := solvedCycleBoards(ctx, o, plan)
	if err != nil {
		return err
	}
	rest := len(boards)
	boards = append(boards, made...)
	var records, others []cyclePair
	for i, a := range boards {
		for k, b := range boards {
			if i == k || ctx.Err() != nil {
				continue
			}
			if k == 0 || i == 0 && k == 1 {
				o.Say("comparing " + a.name)
			}
			x, err := comparePair(a, b)
			if err != nil {
				return err
			}
			if i < rest && k < rest {
				records = append(records, x)
			} else {
				others = append(others, x)
			}
		}
	}
	n := len(puzzle.Records())
	all := 2*len(o.Seeds) + n
	reportCycles(r, records, others, o.Seeds, cyclesDone{
		records: !o.Quick && len(records) == n*(n-1),
		quick:   o.Quick,
		all:     !o.Quick && len(o.Seeds) > 0 && len(records)+len(others) == all*(all-1),
	})
	return nil
}

// cyclesDone tells what was measured in full, and whether the boards of solve
// are those of a quick look, which refute nothing.
type cyclesDone struct{ records, all, quick bool }

func recordCycleBoards() (boards []cycleBoard) {
	for _, record := range puzzle.Records() {
		b := puzzle.NewBoard(puzzle.Official())
		b.Load(record.Board)
		boards = append(boards, cycleBoard{name: record.Name, board: b})
	}
	return boards
}

// solvedCycleBoards are the boards of the seeds, those of whole runs only.
func solvedCycleBoards(ctx context.Context, o Options, plan cyclesPlan) (boards []cycleBoard, err error) {
	p := puzzle.Official()
	for _, seed := range o.Seeds {
		for _, run := range []struct {
			name       string
			iterations int64
			later      bool
		}{{"early", plan.early, false}, {"later", plan.later, true}} {
			if ctx.Err() != nil {
				return boards, nil
			}
			o.Say(fmt.Sprintf("solving for a board, seed %d, %s", seed, run.name))
			found, err := solve.Run(ctx, p, solve.Options{Attempts: 1, Width: plan.width, Seed: seed},
				solve.Plan{Budget: search.Budget{Iterations: run.iterations}, Watch: o.Watch})
			if err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return boards, nil // cut short
			}
			b := puzzle.NewBoard(p)
			b.Load(found.Placements)
			boards = append(boards, cycleBoard{fmt.Sprintf("solve %d %s", seed, run.name), b, true, seed, run.later})
		}
	}
	return boards, nil
}

// comparePair scores what lies between two boards.
func comparePair(a, b cycleBoard) (cyclePair, error) {
	c, err := cycles.Between(a.board, b.board)
	if err != nil {
		return cyclePair{}, fmt.Errorf("%s and %s: %w", a.name, b.name, err)
	}
	x := cyclePair{
		A: a.name, B: b.name, Start: c.Start, End: c.End, Turns: c.Turns,
		Moved: c.Moved(), Turned: len(c.Turned), Fixed: len(c.Fixed), Lengths: []int{}, Subsets: c.TallySubsets(),
		a: a, b: b,
	}
	var losses cycles.Losses
	for i, y := range c.Cycles {
		x.Lengths = append(x.Lengths, len(y.Cells))
		long := len(y.Cells) >= longCycle
		for f := range c.Prefixes(i, cycles.Exchanged) {
			losses.Add(f.Boundary, c.Start-f.Score)
			switch {
			case !long:
				x.Short.Add(f.Score, c.Start)
				continue
			case f.Start == 0:
				x.First.Add(f.Score, c.Start)
			}
			x.All.Add(f.Score, c.Start)
		}
		if long {
			every, first := c.TallyPrefixes(i, cycles.Copied)
			x.Copied.Join(every)
			x.Once.Join(first)
		}
	}
	x.Boundary = losses.Rows()
	if r, ok := losses.Correlation(); ok {
		x.Correlation = &r
	}
	return x, nil
}

// cycleSum adds pairs up.
type cycleSum struct {
	Pairs        string       `json:"pairs"` // which
	N            int          `json:"n"`
	Long         int          `json:"long"`    // cycles that count
	Reached      int          `json:"reached"` // pairs with a prefix of a long cycle that reaches its start
	First        cycles.Tally `json:"first"`
	All          cycles.Tally `json:"all"`
	Copied       cycles.Tally `json:"copied"`
	Once         cycles.Tally `json:"copied_first"`
	Short        cycles.Tally `json:"short"`
	Subsets      cycles.Tally `json:"subsets"`
	Moved        Summary      `json:"moved"`
	Cycles       Summary      `json:"cycles"`
	Correlation  Summary      `json:"correlation"`
	LeastLoss    *int         `json:"least_loss"` // of a prefix of a long cycle; null without one
	moved, count []float64
	correlations []float64
}

func sumCycles(name string, pairs []cyclePair) cycleSum {
	s := cycleSum{Pairs: name, N: len(pairs)}
	for _, x := range pairs {
		s.Long += x.long()
		if x.All.AtLeastStart > 0 {
			s.Reached++
		}
		s.First.Join(x.First)
		s.All.Join(x.All)
		s.Copied.Join(x.Copied)
		s.Once.Join(x.Once)
		s.Short.Join(x.Short)
		s.Subsets.Join(x.Subsets)
		if x.All.Tested > 0 {
			if loss := x.Start - x.All.Best; s.LeastLoss == nil || loss < *s.LeastLoss {
				s.LeastLoss = &loss
			}
		}
		s.moved, s.count = append(s.moved, float64(x.Moved)), append(s.count, float64(len(x.Lengths)))
		if x.Correlation != nil {
			s.correlations = append(s.correlations, *x.Correlation)
		}
	}
	s.Moved, s.Cycles, s.Correlation = Summarise(s.moved), Summarise(s.count), Summarise(s.correlations)
	return s
}

// reportCycles judges the pairs of records, and all pairs.
func reportCycles(r *Report, records, others []cyclePair, seeds []uint64, done cyclesDone) {
	known, every := sumCycles("records", records), sumCycles("all", slices.Concat(records, others))
	prefixes := func(s cycleSum) string {
		if s.N == 0 {
			return ""
		}
		return fmt.Sprintf("%d ordered pairs, %s cycles of %d cells or more: %s proper prefixes from one cell a cycle score as high as their start, %s from all cells%s",
			s.N, grouped(int64(s.Long)), longCycle, reach(s.First), reach(s.All), least(s))
	}
	copies := ""
	if known.Copied.Tested > 0 {
		copies = fmt.Sprintf("Read as copies, which leave a piece on two cells, %s score as high as their start, and %s from one cell a cycle.", reach(known.Copied), reach(known.Once))
	}
	r.find(Finding{
		Claim:     fmt.Sprintf("over ordered pairs of record boards no proper prefix of a cycle of %d or more cells scores as high as its start", longCycle),
		Published: fmt.Sprintf("none of %s over %d ordered pairs", grouped(publishedPrefixes), publishedPairs),
		Measured:  prefixes(known), Verdict: judge(known.All.AtLeastStart == 0, done.records), Note: copies,
	})
	r.find(Finding{
		Claim:     "the same holds between boards of solve, and between these and the records",
		Published: "nothing; asked here, as a rule: none",
		Measured:  prefixes(every), Verdict: judge(done.quick || every.All.AtLeastStart == 0, done.all), Seeds: seeds,
	})
	subsets := Finding{
		Claim:     "the way from one record to another is one interlaced loop: it must be taken as a whole, and no proper subset of its cycles, each applied as a whole, scores as high as the start",
		Published: "a single loop, every partial application of which scores less than doing nothing",
		Verdict:   judge(known.Subsets.AtLeastStart == 0, done.records),
	}
	if known.N > 0 {
		subsets.Measured = fmt.Sprintf("%s to %s cycles a pair; %s proper subsets score as high as the start, in %s",
			short(known.Cycles.Min), short(known.Cycles.Max), reach(known.Subsets), counted(subsetPairs(records), "pair"))
		subsets.Note = fmt.Sprintf("Of the prefixes of cycles of less than %d cells %s score as high as the start.", longCycle, reach(known.Short))
	}
	r.find(subsets)
	boundary := Finding{
		Claim:     "the loss of a prefix follows its boundary, the seams between cells that have changed and cells that have yet to",
		Published: fmt.Sprintf("nothing; asked here, as a rule: a correlation of %v or more in each pair of records", boundRule),
		Verdict:   judge(!(known.Correlation.Min < boundRule), done.records),
	}
	if known.Correlation.N > 0 {
		boundary.Measured = fmt.Sprintf("correlation %s", correlation(known.Correlation))
	}
	r.find(boundary)

	if len(records) == 0 {
		return
	}
	r.draw(boundaryChart(records, others))
	r.show(pairTable(records))
	r.show(sumTable(groupCycles(known, others)))
}

// least says how near the best prefix of a long cycle comes.
func least(s cycleSum) string {
	if s.LeastLoss == nil {
		return ""
	}
	return fmt.Sprintf("; the best scores %d less", *s.LeastLoss)
}

func correlation(s Summary) string {
	return fmt.Sprintf("%.3f to %.3f over %d pairs, mean %.3f", s.Min, s.Max, s.N, s.Mean)
}

// subsetPairs is the number of pairs with a subset that reaches its start.
func subsetPairs(pairs []cyclePair) (n int) {
	for _, x := range pairs {
		if x.Subsets.AtLeastStart > 0 {
			n++
		}
	}
	return n
}

// groupCycles adds the pairs up by what they are made of.
func groupCycles(known cycleSum, others []cyclePair) []cycleSum {
	sameRun := func(x cyclePair) bool { return x.a.solve && x.b.solve && x.a.seed == x.b.seed }
	sums := []cycleSum{known}
	for _, group := range []struct {
		name string
		has  func(cyclePair) bool
	}{
		{"record to solve", func(x cyclePair) bool { return !x.a.solve }},
		{"solve to record", func(x cyclePair) bool { return !x.b.solve }},
		{"solve to solve, other seed", func(x cyclePair) bool { return x.a.solve && x.b.solve && !sameRun(x) }},
		{"early to later, same seed", func(x cyclePair) bool { return sameRun(x) && x.b.later }},
		{"later to early, same seed", func(x cyclePair) bool { return sameRun(x) && x.a.later }},
	} {
		if pairs := slices.DeleteFunc(slices.Clone(others), func(x cyclePair) bool { return !group.has(x) }); len(pairs) > 0 {
			sums = append(sums, sumCycles(group.name, pairs))
		}
	}
	return sums
}

// boundaryChart shows a pair of records, and the nearest pair there is.
func boundaryChart(records, others []cyclePair) chart.Chart {
	c := chart.Chart{Title: "Loss of prefixes by their boundary: least, mean, greatest", XLabel: "seams of the boundary", YLabel: "score of the start less that of the prefix"}
	shown := []cyclePair{records[0]}
	var near *cyclePair
	for i, x := range others {
		if x.All.Tested > 0 && (near == nil || x.Moved < near.Moved) {
			near = &others[i]
		}
	}
	if near != nil {
		shown = append(shown, *near)
	}
	for _, x := range shown {
		s := chart.Series{Name: x.A + " to " + x.B, Kind: chart.Points}
		for _, row := range x.Boundary {
			s.X, s.Y = append(s.X, float64(row.Boundary)), append(s.Y, row.Mean)
			s.Low, s.High = append(s.Low, float64(row.Least)), append(s.High, float64(row.Greatest))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// reach shows how many reach their start.
func reach(t cycles.Tally) string {
	return fmt.Sprintf("%s of %s", grouped(int64(t.AtLeastStart)), grouped(int64(t.Tested)))
}

func pairTable(pairs []cyclePair) Table {
	of := func(name string, text func(cyclePair) string) column[cyclePair] { return column[cyclePair]{name, text} }
	return tabulate("pairs of records", fmt.Sprintf("one cell, all cells: prefixes of cycles of %d cells or more that score as high as A, from the first cell of a cycle and from all; best: of these, the highest score; copied: the same from all cells when cells are copied from B; shorter: prefixes of shorter cycles; subsets: of whole cycles; r: correlation of boundary and loss", longCycle), pairs,
		of("A", func(x cyclePair) string { return x.A }),
		of("B", func(x cyclePair) string { return x.B }),
		of("scores", func(x cyclePair) string { return fmt.Sprintf("%d, %d", x.Start, x.End) }),
		of("B turned", func(x cyclePair) string { return fmt.Sprintf("%d°", 90*x.Turns) }),
		of("moved, turned, fixed", func(x cyclePair) string { return fmt.Sprintf("%d, %d, %d", x.Moved, x.Turned, x.Fixed) }),
		of("cycles", func(x cyclePair) string { return strings.Trim(fmt.Sprint(x.Lengths), "[]") }),
		of("one cell", func(x cyclePair) string { return reach(x.First) }),
		of("all cells", func(x cyclePair) string { return reach(x.All) }),
		of("best", func(x cyclePair) string { return fmt.Sprint(x.All.Best) }),
		of("copied", func(x cyclePair) string { return reach(x.Copied) }),
		of("shorter", func(x cyclePair) string { return reach(x.Short) }),
		of("subsets", func(x cyclePair) string { return reach(x.Subsets) }),
		of("r", func(x cyclePair) string {
			if x.Correlation == nil {
				return "–"
			}
			return fmt.Sprintf("%.3f", *x.Correlation)
		}),
	)
}

func sumTable(sums []cycleSum) Table {
	of := func(name string, text func(cycleSum) string) column[cycleSum] { return column[cycleSum]{name, text} }
	return tabulate("all pairs", "columns as above; moved and cycles are means", sums,
		of("pairs", func(s cycleSum) string { return s.Pairs }),
		of("n", func(s cycleSum) string { return fmt.Sprint(s.N) }),
		of("moved", func(s cycleSum) string { return short(s.Moved.Mean) }),
		of("cycles", func(s cycleSum) string { return short(s.Cycles.Mean) }),
		of(fmt.Sprintf("of %d or more", longCycle), func(s cycleSum) string { return fmt.Sprint(s.Long) }),
		of("one cell", func(s cycleSum) string { return reach(s.First) }),
		of("all cells", func(s cycleSum) string { return reach(s.All) }),
		of("least loss", func(s cycleSum) string {
			if s.LeastLoss == nil {
				return "–"
			}
			return fmt.Sprint(*s.LeastLoss)
		}),
		of("copied, one cell", func(s cycleSum) string { return reach(s.Once) }),
		of("copied", func(s cycleSum) string { return reach(s.Copied) }),
		of("shorter", func(s cycleSum) string { return reach(s.Short) }),
		of("subsets", func(s cycleSum) string { return reach(s.Subsets) }),
		of("r", func(s cycleSum) string { return short(s.Correlation.Mean) }),
	)
}
