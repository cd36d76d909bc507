package study

import (
	"context"
	"fmt"
	"time"

	"lastmile/puzzle"
	"lastmile/solve"
)

var solve60s = Study{
	Name:    "solve-60s",
	Claim:   solveClaim,
	Seeds:   fromTo(1, 5),
	Measure: measureSolve,
}

// What the claim speaks of.
const (
	solveClaim = "official puzzle, five clues, 60 s, one core: at least 450 for each of seeds 1 to 5"
	solveTime  = 60 * time.Second
	solveScore = 450
	solveLate  = time.Second // by which a run may end after its time: the clock of a busy machine
)

// solveRun is one run of solve.
type solveRun struct {
	Seed       uint64  `json:"seed"`
	Score      int     `json:"score"`
	Breaks     int     `json:"breaks"`
	Attempts   int     `json:"attempts"`
	Order      string  `json:"order"` // of the beam that the board comes from
	Width      int     `json:"width"`
	Built      int     `json:"built"` // its score before polishing
	Nodes      int64   `json:"nodes"`
	Iterations int64   `json:"iterations"`
	Seconds    float64 `json:"seconds"`
	Board      string  `json:"board"` // a link
}

func measureSolve(ctx context.Context, o Options, r *Report) error {
	p := puzzle.Official()
	limit := solveTime
	switch {
	case o.Time > 0:
		limit = o.Time
	case o.Quick:
		limit = 200 * time.Millisecond
	}
	r.note(fmt.Sprintf("Each seed solves the official puzzle with its five clues for %v on %s, from nothing. The score is counted again from the colours of the board. A run bounded by time depends on the machine and comes out differently each time, which is why the claim names a bound that all seeds must reach and not a score.", limit, counted(o.Threads, "thread")))
	var runs []solveRun
	for i, seed := range o.Seeds {
		if ctx.Err() != nil {
			break
		}
		o.Say(fmt.Sprintf("seed %d, %d of %d", seed, i+1, len(o.Seeds)))
		run, err := solveOnce(ctx, p, seed, limit, o, r)
		if err != nil {
			return err
		}
		if ctx.Err() == nil { // a run that was cut short says nothing
			runs = append(runs, run)
		}
	}
	reportSolve(r, runs, limit == solveTime && o.Threads == 1)
	return nil
}

func solveOnce(ctx context.Context, p *puzzle.Puzzle, seed uint64, limit time.Duration, o Options, r *Report) (solveRun, error) {
	plan := solve.Plan{Threads: o.Threads, Watch: o.Watch}
	plan.Budget.Time = limit
	began := time.Now()
	result, err := solve.Run(ctx, p, solve.Options{Seed: seed}, plan)
	spent := time.Since(began)
	if err != nil {
		return solveRun{}, err
	}
	grid := p.Look(result.Placements)
	tally := grid.Tally()
	if tally.Matched != result.Score || tally.Empty > 0 || p.CluesHeld(grid) != len(p.Clues) {
		return solveRun{}, fmt.Errorf("seed %d: a board said to score %d scores %d, with %d empty cells and %d of %d clues held",
			seed, result.Score, tally.Matched, tally.Empty, p.CluesHeld(grid), len(p.Clues))
	}
	run := solveRun{
		Seed: seed, Score: result.Score, Breaks: tally.Breaks, Attempts: len(result.Attempts),
		Nodes: result.Nodes, Iterations: result.Iterations, Seconds: spent.Seconds(),
	}
	for _, a := range result.Attempts {
		if a.Number == result.Attempt {
			run.Order, run.Width, run.Built = a.Order, a.Width, a.Built
		}
	}
	if ctx.Err() == nil {
		run.Board = r.link(fmt.Sprintf("seed-%d", seed), p, result.Placements)
	}
	return run, nil
}

// reportSolve judges the runs. Claimed says that they ran as the claim has it.
func reportSolve(r *Report, runs []solveRun, claimed bool) {
	claimSeeds := fromTo(1, 5)
	f := Finding{
		Claim:     solveClaim,
		Published: fmt.Sprintf("at least %d for each of the seeds %s", solveScore, FormatSeeds(claimSeeds)),
	}
	holds := true
	var scores []float64
	for _, run := range runs {
		f.Seeds = append(f.Seeds, run.Seed)
		scores = append(scores, float64(run.Score))
		if covers(claimSeeds, []uint64{run.Seed}) {
			holds = holds && run.Score >= solveScore && run.Seconds <= (solveTime+solveLate).Seconds()
		}
	}
	all := Summarise(scores)
	if len(runs) > 0 {
		f.Measured = "score " + all.String()
	}
	f.Verdict = judge(holds || !claimed, claimed && covers(f.Seeds, claimSeeds))
	switch {
	case !claimed:
		f.Note = "other time or threads than the claim has, so it was not tested"
	case f.Verdict == Untested:
		f.Note = "not all seeds of the claim were run"
	}
	r.find(f)
	r.show(tabulate("runs", "built is the score of the beam that the best board comes from, before polishing", runs,
		column[solveRun]{"seed", func(s solveRun) string { return fmt.Sprint(s.Seed) }},
		column[solveRun]{"score", func(s solveRun) string { return fmt.Sprint(s.Score) }},
		column[solveRun]{"breaks", func(s solveRun) string { return fmt.Sprint(s.Breaks) }},
		column[solveRun]{"attempts", func(s solveRun) string { return fmt.Sprint(s.Attempts) }},
		column[solveRun]{"best from", func(s solveRun) string { return fmt.Sprintf("%s, width %d", s.Order, s.Width) }},
		column[solveRun]{"built", func(s solveRun) string { return fmt.Sprint(s.Built) }},
		column[solveRun]{"nodes", func(s solveRun) string { return grouped(s.Nodes) }},
		column[solveRun]{"iterations", func(s solveRun) string { return grouped(s.Iterations) }},
		column[solveRun]{"seconds", func(s solveRun) string { return fmt.Sprintf("%.2f", s.Seconds) }},
		column[solveRun]{"board", func(s solveRun) string { return reference("board", fmt.Sprintf("seed-%d", s.Seed)) }},
	))
	var summary []Summary
	if all.N > 0 {
		summary = []Summary{all}
	}
	r.show(summaries("scores", summary))
}
