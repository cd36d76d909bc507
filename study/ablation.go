package study

import (
	"context"
	"fmt"
	"sync"
	"time"

	"lastmile/puzzle"
	"lastmile/study/chart"
)

// This file is what the studies of ingredients share: arms that differ from the
// first of them in one thing, each run once a seed on puzzles of a few kinds.

// inParallel does so many jobs, up to k of them at a time, begun in their order.
// After an error, or when the context has ended, no further one begins.
func inParallel(ctx context.Context, jobs, k int, job func(i int) error) error {
	var crew sync.WaitGroup
	var m sync.Mutex
	var failed error
	next := 0
	take := func() int {
		m.Lock()
		defer m.Unlock()
		if next == jobs || failed != nil || ctx.Err() != nil {
			return -1
		}
		next++
		return next - 1
	}
	for range min(k, jobs) {
		crew.Go(func() {
			for i := take(); i >= 0; i = take() {
				if err := job(i); err != nil {
					m.Lock()
					failed = err
					m.Unlock()
				}
			}
		})
	}
	crew.Wait()
	return failed
}

// stopwatch starts to count seconds: those of the processor where one run goes on
// at a time, as others may have the machine too, else those of the clock.
func stopwatch(side int) func() float64 {
	if side > 1 {
		began := time.Now()
		return func() float64 { return time.Since(began).Seconds() }
	}
	began := processorTime()
	return func() float64 { return (processorTime() - began).Seconds() }
}

// withClues is the official puzzle with the clues of that name.
func withClues(name string) (*puzzle.Puzzle, error) {
	clues, err := puzzle.CluesNamed(name)
	if err != nil {
		return nil, err
	}
	return puzzle.Official().WithClues(clues)
}

// armRun is one run of an arm.
type armRun struct {
	Clues   string  `json:"clues"`
	Arm     string  `json:"arm"`
	Seed    uint64  `json:"seed"`
	Score   int     `json:"score"`
	Seconds float64 `json:"seconds"`
	Nodes   int64   `json:"nodes"`
	Work    int     `json:"work"` // attempts or dives
}

// ablation holds arms against the first of them. Each seed goes through all
// arms before the next; seeds that were cut short are left out.
type ablation struct {
	Clues []string // sets, by name
	Arms  []string
	Side  int // runs at a time
	Run   func(ctx context.Context, p *puzzle.Puzzle, arm int, seed uint64) (armRun, []puzzle.Placement, error)

	runs  [][][]armRun // by clues and arm, in the order of the seeds
	seeds []uint64
}

func (a *ablation) run(ctx context.Context, seeds []uint64, say func(string)) error {
	a.runs = make([][][]armRun, len(a.Clues))
	puzzles := make([]*puzzle.Puzzle, len(a.Clues))
	for i, name := range a.Clues {
		a.runs[i] = make([][]armRun, len(a.Arms))
		var err error
		if puzzles[i], err = withClues(name); err != nil {
			return err
		}
	}
	for i, seed := range seeds {
		if ctx.Err() != nil {
			return nil
		}
		say(fmt.Sprintf("seed %d, %d of %d", seed, i+1, len(seeds)))
		row := make([]armRun, len(a.Clues)*len(a.Arms))
		err := inParallel(ctx, len(row), a.Side, func(j int) error {
			p, arm := puzzles[j/len(a.Arms)], j%len(a.Arms)
			run, board, err := a.Run(ctx, p, arm, seed)
			if err == nil {
				err = recount(p, board, run.Score)
			}
			if err != nil {
				return fmt.Errorf("%s, %s, seed %d: %w", a.Clues[j/len(a.Arms)], a.Arms[arm], seed, err)
			}
			run.Clues, run.Arm, run.Seed = a.Clues[j/len(a.Arms)], a.Arms[arm], seed
			row[j] = run
			return nil
		})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		for j, run := range row {
			of := &a.runs[j/len(a.Arms)][j%len(a.Arms)]
			*of = append(*of, run)
		}
		a.seeds = append(a.seeds, seed)
	}
	return nil
}

// armEffect is how an arm did on one kind of puzzle.
type armEffect struct {
	Number  int     `json:"number"` // in the chart
	Clues   string  `json:"clues"`
	Arm     string  `json:"arm"`
	Score   Summary `json:"score"`
	More    Summary `json:"more"` // than the first arm, by seed; 0 for itself
	Seconds Summary `json:"seconds"`
	Nodes   Summary `json:"nodes"`
	Work    Summary `json:"work"`
}

// effects holds every arm against the first, by clues; none when no seed is whole.
func (a *ablation) effects() (all []armEffect) {
	if len(a.seeds) == 0 {
		return nil
	}
	of := func(runs []armRun, value func(armRun) float64) []float64 {
		values := make([]float64, len(runs))
		for i, x := range runs {
			values[i] = value(x)
		}
		return values
	}
	score := func(x armRun) float64 { return float64(x.Score) }
	for i, clues := range a.Clues {
		for j, arm := range a.Arms {
			runs := a.runs[i][j]
			all = append(all, armEffect{
				Number: j, Clues: clues, Arm: arm, Score: Summarise(of(runs, score)),
				More:    Paired(of(runs, score), of(a.runs[i][0], score)),
				Seconds: Summarise(of(runs, func(x armRun) float64 { return x.Seconds })),
				Nodes:   Summarise(of(runs, func(x armRun) float64 { return float64(x.Nodes) })),
				Work:    Summarise(of(runs, func(x armRun) float64 { return float64(x.Work) })),
			})
		}
	}
	return all
}

// every lists the runs, one clue set after the other.
func (a *ablation) every() (all []armRun) {
	for _, arms := range a.runs {
		for _, runs := range arms {
			all = append(all, runs...)
		}
	}
	return all
}

// judgeArms enters a finding for each arm that has a claim, in words that say
// why the first arm should be above it: shown when the interval of the
// difference lies below 0, refuted when above.
func judgeArms(r *Report, a *ablation, claims map[string]string, complete bool) {
	effects := a.effects()
	for i, clues := range a.Clues {
		for j, arm := range a.Arms {
			claim, claimed := claims[arm]
			if !claimed {
				continue
			}
			f := Finding{Claim: fmt.Sprintf("clues %s: %s", clues, claim), Published: "the 95 % interval of the mean difference above 0", Seeds: a.seeds}
			var more Summary
			if effects != nil {
				less := effects[i*len(a.Arms)+j].More
				more = Summary{N: less.N, Mean: 0 - less.Mean, Lowest: 0 - less.Highest, Highest: 0 - less.Lowest}
				f.Measured = seams(more) + fmt.Sprintf(" over %s", counted(more.N, "seed"))
			}
			settle(r, f, more.Lowest > 0, more.Highest < 0, complete,
				fmt.Sprintf("the interval holds 0: the difference is between %s and %s seams", signed(more.Lowest), signed(more.Highest)))
		}
	}
}

// armTable shows the effects; work names what a run has many of.
func armTable(title, note, work string, effects []armEffect) Table {
	of := func(name string, text func(*armEffect) string) column[armEffect] {
		return column[armEffect]{name, func(e armEffect) string { return text(&e) }}
	}
	columns := []column[armEffect]{
		of("number", func(e *armEffect) string { return fmt.Sprint(e.Number) }),
		of("clues", func(e *armEffect) string { return e.Clues }),
		of("arm", func(e *armEffect) string { return e.Arm }),
		of("n", func(e *armEffect) string { return fmt.Sprint(e.Score.N) }),
		of("score", func(e *armEffect) string { return short(e.Score.Mean) }),
		of("sd", func(e *armEffect) string { return short(e.Score.SD) }),
		of("min", func(e *armEffect) string { return short(e.Score.Min) }),
		of("max", func(e *armEffect) string { return short(e.Score.Max) }),
		of("more than the first", func(e *armEffect) string {
			if e.Number == 0 {
				return ""
			}
			return bracket(e.More)
		}),
		of("seconds", func(e *armEffect) string { return short(e.Seconds.Mean) }),
		of("nodes", func(e *armEffect) string { return short(e.Nodes.Mean) }),
	}
	if work != "" {
		columns = append(columns, of(work, func(e *armEffect) string { return short(e.Work.Mean) }))
	}
	return tabulate(title, note, effects, columns...)
}

// armChart draws the differences from the first arm, one series for each clue set.
func armChart(title string, effects []armEffect) chart.Chart {
	c := chart.Chart{Title: title, XLabel: "arm, by its number in the table", YLabel: "seams more than arm 0"}
	at := map[string]int{}
	for _, e := range effects {
		if e.Number == 0 {
			continue
		}
		i, known := at[e.Clues]
		if !known {
			i = len(c.Series)
			at[e.Clues] = i
			c.Series = append(c.Series, chart.Series{Name: "clues " + e.Clues, Kind: chart.Points})
		}
		whiskers(&c.Series[i], float64(e.Number)+0.15*float64(i), e.More)
	}
	return c
}

// armRuns lists the runs that the other tables sum up.
func armRuns(runs []armRun) Table {
	of := func(name string, text func(armRun) string) column[armRun] { return column[armRun]{name, text} }
	return tabulate("every run", "", runs,
		of("clues", func(x armRun) string { return x.Clues }),
		of("arm", func(x armRun) string { return x.Arm }),
		of("seed", func(x armRun) string { return fmt.Sprint(x.Seed) }),
		of("score", func(x armRun) string { return fmt.Sprint(x.Score) }),
		of("seconds", func(x armRun) string { return short(x.Seconds) }),
		of("nodes", func(x armRun) string { return grouped(x.Nodes) }),
	)
}
