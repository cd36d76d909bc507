package study

import (
	"context"
	"fmt"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/solve"
)

var solveAblation = Study{
	Name:    "solve-ablation",
	Claim:   "each ingredient of lastmile solve makes its boards better, and a break-index search does not",
	Seeds:   ablationSeeds,
	Measure: measureSolveAblation,
}

var ablationSeeds = fromTo(1, 20)

const ablationTime = 10 * time.Second

// solveArm is a way to solve, and why the default should be better.
type solveArm struct {
	Name    string
	Claim   string
	Options solve.Options // without the seed
}

func solveArms() []solveArm {
	beams := solve.DefaultOrders
	return []solveArm{
		{Name: "the default"},
		{"without alike colours", "boards are better when beams prefer alike colours", solve.Options{Alike: -1}},
		{"without the finish", "boards are better when the last cells of a beam are exhausted", solve.Options{NoFinish: true}},
		{"without walking on", "boards are better when walks go on from the archive than when all time is for building", solve.Options{NoAgain: true}},
		{"row by row", "boards are better in the default orders than row by row", solve.Options{Orders: []string{"row-major"}}},
		{"with break-index searches", "boards are better without break-index searches among the beams", solve.Options{Orders: beams, DepthFirst: []string{"row-major@sw", "row-major"}}},
		{"break-index searches alone", "boards are better by beams than by break-index searches", solve.Options{DepthFirst: []string{"row-major"}}},
	}
}

func measureSolveAblation(ctx context.Context, o Options, r *Report) error {
	limit := ablationTime
	switch {
	case o.Time > 0:
		limit = o.Time
	case o.Quick:
		limit = 100 * time.Millisecond
	}
	arms := solveArms()
	a := &ablation{Clues: []string{"five", "none"}, Side: o.Threads, Run: func(ctx context.Context, p *puzzle.Puzzle, arm int, seed uint64) (armRun, []puzzle.Placement, error) {
		options := arms[arm].Options
		options.Seed = seed
		plan := solve.Plan{Threads: 1, Watch: alone(o)}
		plan.Budget.Time = limit
		began := time.Now()
		result, err := solve.Run(ctx, p, options, plan)
		return armRun{Score: result.Score, Seconds: time.Since(began).Seconds(), Nodes: result.Nodes, Work: len(result.Attempts)}, result.Placements, err
	}}
	claims := map[string]string{}
	for _, arm := range arms {
		a.Arms = append(a.Arms, arm.Name)
		if arm.Claim != "" {
			claims[arm.Name] = arm.Claim
		}
	}
	r.note(fmt.Sprintf("Each arm is the default of lastmile solve with one thing changed. It solves the official puzzle for %v on one thread, once a seed, with its five clues and without any; all arms of a seed run before the next seed. %s. Differences are those of runs with the same seed and clues. A run bounded by time depends on the machine and comes out differently each time. Nothing guards the intervals for there being many of them: about one in twenty may miss its mean.", limit, sideNote(o.Threads)))
	if err := a.run(ctx, o.Seeds, o.Say); err != nil {
		return err
	}
	judgeArms(r, a, claims, limit == ablationTime && covers(a.seeds, ablationSeeds))
	effects := a.effects()
	r.draw(armChart("Seams more than the default of solve, with the 95 % interval of the mean", effects))
	r.show(armTable("arms", "more is than the default, over runs with the same seed, with the 95 % interval of the mean; nodes are those of beams and break-index searches", "attempts", effects))
	r.show(armRuns(a.every()))
	return nil
}

// alone is who watches a study's runs: nobody when several go on at a time, as
// what they tell would get mixed up.
func alone(o Options) search.Observer {
	if o.Threads > 1 {
		return search.Nobody
	}
	return o.Watch
}

// sideNote says how runs shared the machine.
func sideNote(k int) string {
	if k == 1 {
		return "Runs follow each other"
	}
	return fmt.Sprintf("Up to %d runs go on side by side in one process, each on one thread", k)
}
