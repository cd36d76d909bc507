package study

import (
	"fmt"
	"math"
	"strings"

	"lastmile/study/chart"
)

// This file is what the studies of the loop's choices share: contenders held
// against one of them, and how that turns into verdicts.

// bound is what two runs have alike when they are compared.
type bound struct {
	Name string
	Of   func(trial) int // best score of a run
}

var (
	sameIterations = bound{"after the same iterations", atIterations}
	sameTime       = bound{"after the same time", atTime}
	everyBound     = []bound{sameIterations, sameTime}
)

// contestNote says how contenders are compared.
func contestNote(c contest) string {
	var boards []string
	for _, f := range c.Families {
		name := f.Name
		if most, fewer := c.Fewer[f.Name]; fewer {
			name += fmt.Sprintf(" (the first %d seeds)", most)
		}
		boards = append(boards, name)
	}
	return fmt.Sprintf("Each seed gives a board of each kind: %s. A beam is by the rows of the official puzzle with its five clues and of that width, without a finish. Every contender runs once from every board, with the same seed, on one thread; a run goes on for %s iterations and for %v, and what it had at each of the two is kept. Differences are those of runs on the same board with the same seed, intervals hold their means with 95 %% confidence, by Student's t, and every best score is counted again from the colours. What is compared after the same time depends on the machine and comes out a little differently each time.",
		strings.Join(boards, ", "), grouped(c.Plan.Iterations), c.Plan.Time)
}

// greedyNote says what the mediocre boards are.
const greedyNote = "Greedy boards are mediocre ones: the pieces of the official puzzle but its five clues, put down greedily in random order."

// on are the trials of a contender in families, one family after the other.
func (c *contest) on(families []family, d contender) (all []trial) {
	for _, f := range families {
		all = append(all, c.of(f, d)...)
	}
	return all
}

// more describes by how much a is above b on the same boards.
func (c *contest) more(families []family, a, b contender, by bound) Summary {
	return Paired(values(c.on(families, a), by.Of), values(c.on(families, b), by.Of))
}

// standing is how a contender did on boards of one kind.
type standing struct {
	Contender      string  `json:"contender"`
	Boards         string  `json:"boards"`
	Start          Summary `json:"start"`
	GainIterations Summary `json:"gain_by_iterations"` // over the start
	GainTime       Summary `json:"gain_by_time"`
	MoreIterations Summary `json:"more_by_iterations"` // than the contender that it is held against
	MoreTime       Summary `json:"more_by_time"`
	Rate           Summary `json:"rate"` // iterations a second
}

// standings holds every contender against one of them, family by family.
func (c *contest) standings(against contender) (rows []standing) {
	if len(c.seeds) == 0 {
		return nil
	}
	for _, d := range c.Contenders {
		for _, f := range c.Families {
			rows = append(rows, c.standing(f, d, against))
		}
	}
	return rows
}

func (c *contest) standing(f family, d, against contender) standing {
	trials := c.of(f, d)
	scores := startScores(trials)
	return standing{
		Contender: d.Name, Boards: f.Name, Start: Summarise(scores),
		GainIterations: Paired(values(trials, atIterations), scores),
		GainTime:       Paired(values(trials, atTime), scores),
		MoreIterations: c.more([]family{f}, d, against, sameIterations),
		MoreTime:       c.more([]family{f}, d, against, sameTime),
		Rate:           Summarise(iterationRates(trials, c.Plan.Iterations)),
	}
}

// iterationRates are iterations a second, of the trials that ran as many as
// they should.
func iterationRates(trials []trial, iterations int64) (rates []float64) {
	for _, t := range trials {
		if !t.Solved && t.Seconds > 0 {
			rates = append(rates, float64(iterations)/t.Seconds)
		}
	}
	return rates
}

func standingTable(title, against string, rows []standing) Table {
	of := func(name string, text func(*standing) string) column[standing] {
		return column[standing]{name, func(s standing) string { return text(&s) }}
	}
	return tabulate(title, fmt.Sprintf("seams, means over the boards, with the 95 %% interval of the mean in brackets; gain is over the start, more is than %s on the same boards; by iterations and by time say what the runs have alike", against), rows,
		of("contender", func(s *standing) string { return s.Contender }),
		of("boards", func(s *standing) string { return s.Boards }),
		of("n", func(s *standing) string { return fmt.Sprint(s.Start.N) }),
		of("start", func(s *standing) string { return short(s.Start.Mean) }),
		of("gain by iterations", func(s *standing) string { return bracket(s.GainIterations) }),
		of("gain by time", func(s *standing) string { return bracket(s.GainTime) }),
		of("more by iterations", func(s *standing) string { return bracket(s.MoreIterations) }),
		of("more by time", func(s *standing) string { return bracket(s.MoreTime) }),
		of("iterations/s", func(s *standing) string { return short(s.Rate.Mean) }),
	)
}

// bracket is a mean with its interval behind it.
func bracket(s Summary) string {
	if s.N < 2 {
		return signed(s.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", signed(s.Mean), signed(s.Lowest), signed(s.Highest))
}

// guarded is the interval of a mean that is one of so many comparisons: all of
// them hold their means together with 95 % confidence (Bonferroni).
func guarded(s Summary, comparisons int) (low, high float64) {
	if s.N < 2 {
		return math.NaN(), math.NaN()
	}
	half := central(1-0.05/float64(max(1, comparisons)), s.N-1) * s.Error
	return s.Mean - half, s.Mean + half
}

// settle enters a finding. What a complete measurement neither shows nor
// refutes stays untested; open says what it leaves open.
func settle(r *Report, f Finding, shown, refuted, complete bool, open string) {
	f.Verdict = judge(!complete || !refuted, complete && shown)
	switch {
	case f.Measured == "":
	case !complete:
		f.Note = "fewer, shorter or other runs than the claim asks for, so it was not tested"
	case !shown && !refuted:
		f.Note = open
	}
	r.find(f)
}

// settleWin enters the finding that one contender is above another.
func settleWin(r *Report, f Finding, s Summary, complete bool) {
	shown := s.Lowest > 0
	if s.N > 0 {
		f.Measured = seams(s) + fmt.Sprintf(" over %s", counted(s.N, "board")) + f.Measured
	}
	f.Published = "the 95 % interval of the mean difference above 0"
	switch {
	case s.N < 2 || shown:
	case s.Highest < 0:
		f.Note = "the contrary holds: the interval lies below 0"
	default:
		f.Note = fmt.Sprintf("the interval holds 0; a difference of %s seams could still hide in it", signed(s.Highest))
	}
	settle(r, f, shown, !shown, complete, "")
}

// whiskers adds a mean and its interval to a series.
func whiskers(s *chart.Series, x float64, y Summary) {
	s.X, s.Y = append(s.X, x), append(s.Y, y.Mean)
	s.Low, s.High = append(s.Low, y.Lowest), append(s.High, y.Highest)
}
