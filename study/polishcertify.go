package study

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/certify"
	"lastmile/certify/solver"
	"lastmile/search"
	"lastmile/solve"
)

var polishCertify = Study{
	Name:    "polish-certify",
	Claim:   "deciding where polishing has stalled gives proofs, and better boards than polishing alone for the same time",
	Seeds:   fromTo(1, 10),
	Measure: measurePolishCertify,
}

// certifiedTrial is a seed polished alone and with decisions.
type certifiedTrial struct {
	Seed       uint64            `json:"seed"`
	Start      int               `json:"start"`
	Alone      int               `json:"alone"`
	Certified  int               `json:"certified"`
	Iterations [2]int64          `json:"iterations"` // alone, certified
	Decisions  []solve.Certified `json:"decisions"`
	Seconds    float64           `json:"seconds"` // of each run
}

func measurePolishCertify(ctx context.Context, o Options, r *Report) error {
	limit, width := cmp.Or(o.Time, time.Minute), 4096
	if o.Quick {
		limit, width = min(limit, 2*time.Second), 64
	}
	s, err := solver.Named("auto")
	if err != nil {
		return err
	}
	from := beamStarts(width)
	r.note(fmt.Sprintf("From the board of a %s, five clues held, each seed is polished twice for %v by one walk on one thread: alone, and with decisions on the halo of the breaks, clues left where they are, whenever the walk has stalled. The two runs of a seed follow each other. The solver is %s; its time and that of checking its proofs count.", from.Name, limit, s.Name()))
	var trials []certifiedTrial
	for _, seed := range o.Seeds {
		o.Say(fmt.Sprintf("%s, seed %d", from.Name, seed))
		t, err := certifyTrial(ctx, from, seed, limit, s, o.Watch)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			break
		}
		trials = append(trials, t)
	}
	reportPolishCertify(r, trials, o.Quick)
	return nil
}

func certifyTrial(ctx context.Context, from family, seed uint64, limit time.Duration, s certify.Solver, watch search.Observer) (certifiedTrial, error) {
	t := certifiedTrial{Seed: seed, Seconds: limit.Seconds()}
	b, err := from.Of(ctx, seed)
	if err != nil || ctx.Err() != nil {
		return t, err
	}
	options, budget := alns.Options{Seed: seed}, search.Budget{Time: limit}
	alone, err := alns.Polish(ctx, b.Puzzle, b.Board, options, alns.Plan{Streams: 1, Watch: watch, Budget: budget})
	if err != nil || ctx.Err() != nil {
		return t, err
	}
	walled, err := solve.Wall(ctx, b.Puzzle, b.Board, options, solve.WallPlan{Streams: 1, Threads: 1, Budget: budget, Solver: s, Watch: watch})
	t.Start, t.Alone, t.Certified = b.Score, alone.Score, walled.Score
	t.Iterations, t.Decisions = [2]int64{alone.Iterations, walled.Iterations}, list(walled.Certified)
	return t, err
}

func reportPolishCertify(r *Report, trials []certifiedTrial, quick bool) {
	var alone, certified []float64
	asked, found, proven, boards := 0, 0, 0, 0
	var rows []decisionRow
	for _, t := range trials {
		alone, certified = append(alone, float64(t.Alone)), append(certified, float64(t.Certified))
		locked := false
		for _, c := range t.Decisions {
			asked++
			switch {
			case c.Verdict == certify.Found:
				found++
			case c.Verdict == certify.Proven:
				proven++
				locked = locked || c.Score == t.Certified
			}
			rows = append(rows, decisionRow{t.Seed, c})
		}
		if locked {
			boards++
		}
	}
	gain := Paired(certified, alone)
	measured, decisions := "", ""
	if len(trials) > 0 {
		measured = fmt.Sprintf("%s seams, mean %s (%s to %s); mean scores %s with, %s alone, n = %d",
			plusMinus(gain), signed(gain.Mean), signed(gain.Lowest), signed(gain.Highest), short(Summarise(certified).Mean), short(Summarise(alone).Mean), gain.N)
		decisions = fmt.Sprintf("%d decisions: %d better refills found, %d proven, %d open; of %d boards at the end %d are proven to be the best within some halo",
			asked, found, proven, asked-found-proven, len(trials), boards)
	}
	note := ""
	if asked > 0 && found == 0 {
		note = "No decision found a better refill, so a difference is not theirs: after each of them a new walk begins from the best board, which a walk alone never does."
	}
	r.find(Finding{
		Note:      note,
		Claim:     "with decisions boards are better than without, after the same time",
		Published: "asked here, as a rule: the 95 % interval of the difference lies above 0", Measured: strings.TrimSpace(measured),
		Verdict: judge(quick || len(trials) == 0 || gain.Lowest > 0, !quick && gain.N >= 5),
	})
	r.find(Finding{
		Claim:     "where polishing ends the breaks are locked: no decision finds a better refill, and some prove it",
		Published: "the remaining breaks are provably locked, and another engine has to say so (the ALNS page)", Measured: decisions,
		Verdict: judge(quick || found == 0, !quick && proven > 0),
	})
	r.show(tabulate("seeds", "", trials,
		column[certifiedTrial]{"seed", func(t certifiedTrial) string { return fmt.Sprint(t.Seed) }},
		column[certifiedTrial]{"start", func(t certifiedTrial) string { return fmt.Sprint(t.Start) }},
		column[certifiedTrial]{"alone", func(t certifiedTrial) string { return fmt.Sprint(t.Alone) }},
		column[certifiedTrial]{"with decisions", func(t certifiedTrial) string { return fmt.Sprint(t.Certified) }},
		column[certifiedTrial]{"iterations alone", func(t certifiedTrial) string { return grouped(t.Iterations[0]) }},
		column[certifiedTrial]{"with decisions ", func(t certifiedTrial) string { return grouped(t.Iterations[1]) }},
		column[certifiedTrial]{"decisions", func(t certifiedTrial) string { return fmt.Sprint(len(t.Decisions)) }},
	))
	if len(rows) > 0 {
		r.show(tabulate("decisions", "every refill of the freed cells breaks at least as many seams as the floor; best is the fewest that are known", rows,
			column[decisionRow]{"seed", func(d decisionRow) string { return fmt.Sprint(d.Seed) }},
			column[decisionRow]{"score", func(d decisionRow) string { return fmt.Sprint(d.Score) }},
			column[decisionRow]{"radius", func(d decisionRow) string { return fmt.Sprint(d.Radius) }},
			column[decisionRow]{"freed", func(d decisionRow) string { return fmt.Sprint(d.Freed) }},
			column[decisionRow]{"breaks", func(d decisionRow) string { return fmt.Sprint(d.Breaks) }},
			column[decisionRow]{"verdict", func(d decisionRow) string { return string(d.Verdict) }},
			column[decisionRow]{"floor", func(d decisionRow) string { return fmt.Sprint(d.Floor) }},
			column[decisionRow]{"best", func(d decisionRow) string { return fmt.Sprint(d.Best) }},
		))
	}
}

// decisionRow is what was decided in the run of a seed.
type decisionRow struct {
	Seed uint64 `json:"seed"`
	solve.Certified
}
