package study

import (
	"context"
	"fmt"
	"time"

	"lastmile/puzzle"
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
		run, err := solveOnce(ctx, p, seed, limit, o.Threads, o.Watch)
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		if ctx.Err() == nil { // a run that was cut short says nothing
			runs = append(runs, run)
		}
	}
	reportSolve(r, runs, limit == solveTime && o.Threads == 1)
	return nil
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
	r.show(solveRunTable("runs", r, runs))
	var summary []Summary
	if all.N > 0 {
		summary = []Summary{all}
	}
	r.show(summaries("scores", summary))
}
