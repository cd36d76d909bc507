package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
	"lastmile/solve"
)

var (
	solveBoards = Study{
		Name:    "solve",
		Claim:   "official puzzle, 60 s, one thread: means of at least 457 with five clues, 463 with the starter and 463 without, and a board for every seed",
		Seeds:   boardSeeds,
		Keeps:   true,
		Measure: measureSolveBoards,
	}
	solveLong = Study{
		Name:    "solve-long",
		Claim:   "official puzzle, 10 min, two threads: means of at least 459 with five clues and 465 without",
		Seeds:   longSeeds,
		Keeps:   true,
		Measure: measureSolveLong,
	}
)

var boardSeeds, longSeeds = fromTo(1, 10), fromTo(1, 5)

// solveGroup is a kind of puzzle, one a seed, and what is claimed of its boards.
type solveGroup struct {
	Name string
	Of   func(seed uint64) (*puzzle.Puzzle, error)
	Mean float64 // that the scores must reach; 0 for no claim
	Best float64
}

// clued is the official puzzle with a set of clues.
func clued(name string, mean, best float64) solveGroup {
	return solveGroup{name, func(uint64) (*puzzle.Puzzle, error) { return withClues(name) }, mean, best}
}

// cornered is the official puzzle without its clues, and with three corners
// pinned: the corner pieces are dealt by the seed, and the last one is left out.
func cornered(seed uint64) (*puzzle.Puzzle, error) {
	p := puzzle.Official()
	cells := []int{0, p.Width - 1, p.Cells() - p.Width, p.Cells() - 1}
	lots := random.New(seed, "corners", 0)
	pieces := slices.Clone(p.Fits(cells[0]))
	lots.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	lots.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	var clues []puzzle.Placement
	for i, cell := range cells[:3] {
		for turn := range 4 {
			if piece := int(pieces[i].Piece); p.FitsAt(cell, piece, turn) {
				clues = append(clues, puzzle.Placement{Cell: cell, Piece: piece, Rotation: turn})
			}
		}
	}
	return p.WithClues(clues)
}

// solvePlan is what is measured.
type solvePlan struct {
	groups  []solveGroup
	claim   string // what the claims say of a run
	limit   time.Duration
	threads int  // of a run
	side    int  // runs at a time
	whole   bool // as the claims have it, but for the seeds
	seeds   []uint64
}

func measureSolveBoards(ctx context.Context, o Options, r *Report) error {
	plan := solvePlan{
		groups: []solveGroup{clued("five", 457, 459), clued("starter", 463, 0), clued("none", 463, 0), {Name: "corners", Of: cornered}},
		claim:  "60 s on one thread", limit: cmp.Or(o.Time, solveTime), threads: 1, side: o.Threads, seeds: boardSeeds,
	}
	plan.whole = plan.limit == solveTime && !o.Quick
	r.note("Corners is the official puzzle without its clues but with three of its corners pinned. Which corner pieces lie where is dealt by the seed; the fourth then has one piece left, and four arrangements that are turns of each other are the same puzzle, so that there are six.")
	return plan.measure(ctx, o, r)
}

// What solve-long speaks of.
const (
	longTime    = 10 * time.Minute
	longThreads = 2
)

func measureSolveLong(ctx context.Context, o Options, r *Report) error {
	plan := solvePlan{
		groups: []solveGroup{clued("none", 465, 0), clued("five", 459, 0), clued("starter", 0, 0)},
		claim:  "10 min on two threads", limit: cmp.Or(o.Time, longTime), threads: max(longThreads, o.Threads), side: 1, seeds: longSeeds,
	}
	plan.whole = plan.limit == longTime && plan.threads == longThreads && !o.Quick
	return plan.measure(ctx, o, r)
}

// measure runs the groups, each seed through all of them before the next.
func (plan *solvePlan) measure(ctx context.Context, o Options, r *Report) error {
	if o.Quick && o.Time == 0 {
		plan.limit = 200 * time.Millisecond
	}
	r.note(fmt.Sprintf("Each seed solves a puzzle of each group for %v on %s, from nothing. %s; each seed goes through all groups before the next. Scores are counted again from the colours of the boards. A run bounded by time depends on the machine and comes out differently each time; a run that was cut short is left out.",
		plan.limit, counted(plan.threads, "thread"), sideNote(plan.side)))
	if err := o.Kept.begin(fmt.Sprintf("%v on %s, %s", plan.limit, counted(plan.threads, "thread"), sideNote(plan.side))); err != nil {
		return err
	}
	runs := make([]solveRun, len(plan.groups)*len(o.Seeds)) // by seed
	done := make([]bool, len(runs))
	var saying sync.Mutex
	err := inParallel(ctx, len(runs), plan.side, func(i int) error {
		group, seed := plan.groups[i%len(plan.groups)], o.Seeds[i/len(plan.groups)]
		saying.Lock()
		o.Say(fmt.Sprintf("%s, seed %d, run %d of %d", group.Name, seed, i+1, len(runs)))
		saying.Unlock()
		p, err := group.Of(seed)
		if err != nil {
			return fmt.Errorf("%s, seed %d: %w", group.Name, seed, err)
		}
		kept, ok, err := o.Kept.find(p, group.Name, seed)
		if err != nil || ok {
			runs[i], done[i] = kept, ok
			return err
		}
		watch := o.Watch
		if plan.side > 1 {
			watch = search.Nobody
		}
		run, err := solveOnce(ctx, p, seed, plan.limit, plan.threads, watch)
		if err != nil {
			run.Fault = err.Error()
		}
		run.Group = group.Name
		if runs[i], done[i] = run, ctx.Err() == nil; !done[i] || err != nil {
			return nil
		}
		return o.Kept.keep(run, o.Version)
	})
	if err != nil {
		return err
	}
	var whole []solveRun
	for g := range plan.groups {
		for i := g; i < len(runs); i += len(plan.groups) {
			if done[i] {
				whole = append(whole, runs[i])
			}
		}
	}
	if builds := o.Kept.builds(whole); len(builds) > 0 {
		r.note("The runs were made one by one, and kept: " + strings.Join(builds, "; ") + ".")
	}
	plan.report(r, whole)
	return nil
}

// of are the runs of a group.
func (g solveGroup) of(runs []solveRun) (list []solveRun) {
	for _, run := range runs {
		if run.Group == g.Name {
			list = append(list, run)
		}
	}
	return list
}

// report judges the runs, by group and then by seed.
func (plan *solvePlan) report(r *Report, runs []solveRun) {
	complete := plan.whole
	var rows []solveGroupRow
	for _, g := range plan.groups {
		list := g.of(runs)
		run, seeds, scores := scored(list)
		all := Summarise(scores)
		if len(list) > 0 {
			rows = append(rows, solveGroupRow{Group: g.Name, Runs: len(list), Score: all, Peers: peersOf(g.Name)})
		}
		whole := plan.whole && covers(seeds, plan.seeds)
		complete = complete && covers(run, plan.seeds)
		for _, c := range []struct {
			what         string
			least, value float64
		}{{"mean", g.Mean, all.Mean}, {"best", g.Best, all.Max}} {
			if c.least == 0 {
				continue
			}
			f := Finding{
				Claim: fmt.Sprintf("%s, %s: the %s score", g.Name, plan.claim, c.what), Seeds: seeds,
				Published: fmt.Sprintf("at least %v for the seeds %s", c.least, FormatSeeds(plan.seeds)),
			}
			if all.N > 0 {
				f.Measured = all.String()
			}
			settle(r, f, c.value >= c.least, c.value < c.least, whole, "")
		}
	}
	plan.judgeBoards(r, runs, complete)
	r.show(solveGroupTable(rows))
	r.show(peerTable(plan.groups))
	r.show(solveRunTable("runs", r, runs))
}

// judgeBoards judges that there is a board for every seed, in time.
func (plan *solvePlan) judgeBoards(r *Report, runs []solveRun, complete bool) {
	f := Finding{Claim: "a board for every seed of every group, its clues held, within its time", Published: "no run fails, and none is late"}
	failed, late, slowest := 0, 0, 0.0
	for _, run := range runs {
		slowest = max(slowest, run.Seconds)
		switch {
		case run.Fault != "":
			failed++
			f.Note += fmt.Sprintf("%s, seed %d: %s. ", run.Group, run.Seed, run.Fault)
		case run.Seconds > (plan.limit + solveLate).Seconds():
			late++
		}
	}
	if len(runs) > 0 {
		f.Measured = fmt.Sprintf("%d boards of %s, %d late, the slowest after %.2f s", len(runs)-failed, counted(len(runs), "run"), late, slowest)
	}
	f.Verdict = judge(failed == 0 && (late == 0 || !plan.whole), complete)
	if f.Verdict == Untested && len(runs) > 0 {
		f.Note += "other time, threads or seeds than the claim has, so it was not tested"
	}
	r.find(f)
}

// scored are the seeds of the runs, and seeds and scores of those that gave a
// board.
func scored(runs []solveRun) (all, seeds []uint64, scores []float64) {
	for _, run := range runs {
		all = append(all, run.Seed)
		if run.Fault == "" {
			seeds, scores = append(seeds, run.Seed), append(scores, float64(run.Score))
		}
	}
	return all, seeds, scores
}

// solveOnce solves a puzzle. What it tells of a run that the context cut short
// says nothing.
func solveOnce(ctx context.Context, p *puzzle.Puzzle, seed uint64, limit time.Duration, threads int, watch search.Observer) (solveRun, error) {
	plan := solve.Plan{Threads: threads, Watch: watch}
	plan.Budget.Time = limit
	run := solveRun{Seed: seed, puzzle: p}
	began := time.Now()
	result, err := solve.Run(ctx, p, solve.Options{Seed: seed}, plan)
	run.Seconds = time.Since(began).Seconds()
	if err == nil {
		err = recount(p, result.Placements, result.Score)
	}
	if err != nil {
		return run, err
	}
	run.Score, run.Breaks, run.placements = result.Score, p.MaxScore()-result.Score, result.Placements
	run.Attempts, run.Archive = len(result.Attempts), len(result.Archive)
	run.Nodes, run.Iterations = result.Nodes, result.Iterations
	run.cameFrom(result)
	return run, nil
}

// cameFrom enters where the board was built: a walk from the archive goes back
// to the attempt whose board it began with.
func (run *solveRun) cameFrom(result solve.Result) {
	at := map[int]solve.Attempt{}
	for _, a := range result.Attempts {
		at[a.Number] = a
		if a.Method == solve.Again {
			run.Again++
		}
	}
	a, known := at[result.Attempt]
	for ; known && a.Method == solve.Again; a, known = at[a.From] {
		run.Walks++
	}
	if known {
		run.Method, run.Order, run.Width, run.Built = a.Method.Name(), a.Order, a.Width, a.Built
	}
}
