package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"lastmile/certify"
	"lastmile/certify/solver"
	"lastmile/puzzle"
	"lastmile/study/chart"
)

var rigidity = Study{
	Name:    "rigidity",
	Claim:   "the breaks of top boards are locked: no refill of their halo is better, and there are proofs",
	Seeds:   fromTo(1, 3),
	Measure: measureRigidity,
}

type publishedHalo struct {
	board   string
	freed   [4]int
	decided int
}

// publishedHalos are the cells that a halo of radius 1 to 4 frees, and the radii
// up to which it was decided that they cannot be put back without a break.
var publishedHalos = []publishedHalo{
	{"blackwood-470", [4]int{62, 91, 116, 141}, 4},
	{"mcgavin-469", [4]int{50, 79, 100, 122}, 4},
	{"blackwood-468", [4]int{62, 87, 114, 139}, 4},
	{"verhaard-467", [4]int{67, 87, 109, 133}, 3},
	{"riotte-464", [4]int{72, 99, 123, 148}, 3},
}

// manyBreaks are those from which on there is little hope.
const manyBreaks = 12

// sureRadius is that up to which every halo was decided.
const sureRadius = 3

// halo is a question about the halo of the breaks of a board.
type halo struct {
	Board  string `json:"board"`
	Seed   uint64 `json:"seed,omitempty"` // of a board that was made here
	Score  int    `json:"score"`
	Radius int    `json:"radius"`
	Goal   string `json:"question"`

	Freed   int             `json:"freed"`
	Seams   int             `json:"seams"`
	Breaks  int             `json:"breaks"`
	Verdict certify.Verdict `json:"verdict"`
	Floor   int             `json:"floor"`
	Best    int             `json:"best"`
	Steps   int             `json:"steps"`
	Clauses int             `json:"clauses"` // of the formula of the whole halo, for the bound that was asked last
	Proof   int64           `json:"proof_bytes"`
	Seconds float64         `json:"seconds"` // to find and to check
	Limit   float64         `json:"limit_seconds"`

	from  start
	goal  certify.Goal
	limit time.Duration
}

func (h *halo) decided() bool { return h.Verdict == certify.Proven || h.Verdict == certify.Found }

// planRigidity lists the questions. Those that have a chance have the time of a run
// each. Whether few breaks can be fewer is decided at the price of a factor for
// each break, so from manyBreaks on it has a quarter; others, which show where
// the wall is, have a part in thirty-two.
func planRigidity(ctx context.Context, o Options) (halos []halo, err error) {
	limit := time.Minute
	if o.Long {
		limit = 9 * time.Minute
	}
	limit = cmp.Or(o.Time, limit)
	short := limit / 32
	ask := func(name string, seed uint64, from start, radius int, goal certify.Goal, limit time.Duration) {
		halos = append(halos, halo{Board: name, Seed: seed, Radius: radius, Goal: goal.String(), from: from, goal: goal, limit: limit})
	}
	for _, record := range puzzle.Records() {
		s := startOf(puzzle.Official(), record.Board)
		for radius := 1; radius <= sureRadius; radius++ {
			ask(record.Name, 0, s, radius, certify.Perfect, limit)
		}
		if o.Quick || published(record.Name) < 0 {
			continue
		}
		four, one := limit, limit
		if publishedHalos[published(record.Name)].decided < 4 {
			four = short
		}
		if s.Puzzle.MaxScore()-s.Score >= manyBreaks {
			one = limit / 4
		}
		ask(record.Name, 0, s, 4, certify.Perfect, four)
		ask(record.Name, 0, s, 1, certify.Better, one)
		for radius := 2; radius <= 4; radius++ {
			ask(record.Name, 0, s, radius, certify.Better, short)
		}
	}
	if o.Quick {
		return halos, nil
	}
	made := solveStarts(4096, 2_000_000, o)
	for _, seed := range o.Seeds {
		o.Say(fmt.Sprintf("%s, seed %d", made.Name, seed))
		s, err := made.Of(ctx, seed)
		if err != nil || ctx.Err() != nil {
			return halos, err
		}
		for radius := range 3 {
			ask(made.Name, seed, s, radius, certify.Perfect, short)
		}
		for radius := range 2 {
			ask(made.Name, seed, s, radius, certify.Better, short)
		}
	}
	return halos, nil
}

func measureRigidity(ctx context.Context, o Options, r *Report) error {
	halos, err := planRigidity(ctx, o)
	if err != nil {
		return err
	}
	s, err := solver.Named("auto")
	if err != nil {
		return err
	}
	if err := certify.Control(ctx, s); err != nil && ctx.Err() == nil {
		return err
	}
	r.note(fmt.Sprintf("A halo of radius r is all cells within r king's steps of a cell at a break; all its pieces are taken off, clues too. Perfect asks for a refill that matches every seam of the halo, better for one that breaks fewer than the board does. The solver is %s. Every proof was checked by the checker of this project while it was written, and the times hold both; every refill that was found was counted on the board. A verdict of open says that the time was over: floor and best then bound the fewest breaks.", s.Name()))
	r.note(fmt.Sprintf("%s at once. A question had the time that the table gives; one that was settled needed less.", counted(o.Threads, "question")))
	if err := decideAll(ctx, o, s, halos); err != nil {
		return err
	}
	reportRigidity(r, halos)
	return nil
}

// decideAll asks the questions, several at once.
func decideAll(ctx context.Context, o Options, s certify.Solver, halos []halo) error {
	// The longest first, so that the threads end together.
	order := make([]*halo, len(halos))
	for i := range halos {
		order[i] = &halos[i]
	}
	slices.SortStableFunc(order, func(a, b *halo) int { return cmp.Compare(b.limit, a.limit) })
	next := make(chan *halo)
	failed := make([]error, o.Threads)
	var workers sync.WaitGroup
	for i := range o.Threads {
		workers.Go(func() {
			for h := range next {
				if ctx.Err() == nil && failed[i] == nil {
					failed[i] = h.decide(ctx, o, s)
				}
			}
		})
	}
	for _, h := range order {
		next <- h
	}
	close(next)
	workers.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// decide asks one question.
func (h *halo) decide(ctx context.Context, o Options, s certify.Solver) error {
	b := puzzle.NewBoard(h.from.Puzzle)
	b.Load(h.from.Board)
	region, err := certify.NewRegion(b, h.from.Puzzle.Halo(b.BrokenCells(), h.Radius, puzzle.Chebyshev))
	if err != nil {
		return err
	}
	o.Say(fmt.Sprintf("%s, radius %d, %s", h.Board, h.Radius, h.Goal))
	began := time.Now()
	res, err := certify.Decide(ctx, region, h.goal, certify.Plan{Solver: s, Time: h.limit, Watch: o.Watch})
	if err != nil || ctx.Err() != nil {
		return err
	}
	h.Score, h.Freed, h.Seams, h.Breaks = b.Score(), len(region.Cells()), region.Seams(), region.Own()
	h.Verdict, h.Floor, h.Best, h.Steps = res.Verdict, res.Floor, res.Best, len(res.Steps)
	h.Seconds, h.Limit = time.Since(began).Seconds(), h.limit.Seconds()
	for _, step := range res.Steps {
		if step.Proof != nil {
			h.Proof += step.Proof.Bytes
		}
	}
	bound := 0
	if h.goal == certify.Better {
		bound = max(0, res.Floor-1)
	}
	q, err := region.Ask(region.Cells(), bound, nil)
	if err != nil {
		return err
	}
	h.Clauses = q.Formula.Clauses
	return nil
}

func reportRigidity(r *Report, halos []halo) {
	judgePerfect(r, halos)
	judgeFour(r, halos)
	judgeBetter(r, halos, "records", 1, func(h *halo) bool { return h.Seed == 0 })
	for radius := range 2 {
		judgeBetter(r, halos, "boards made here", radius, func(h *halo) bool { return h.Seed > 0 })
	}
	r.draw(rigidityChart(halos))
	var rows []halo
	for _, h := range halos {
		if h.Verdict != "" {
			rows = append(rows, h)
		}
	}
	r.show(rigidityTable(rows))
}

// published is the index of what is published of a board, or -1.
func published(board string) int {
	return slices.IndexFunc(publishedHalos, func(p publishedHalo) bool { return p.board == board })
}

// answered looks for the answer to a question about a record.
func answered(halos []halo, board string, radius int, goal certify.Goal) (*halo, bool) {
	for i := range halos {
		h := &halos[i]
		if h.Board == board && h.Radius == radius && h.goal == goal && h.Seed == 0 && h.Verdict != "" {
			return h, true
		}
	}
	return nil, false
}

// judgePerfect judges the halos that were published as decided, up to radius 3.
func judgePerfect(r *Report, halos []halo) {
	for _, p := range publishedHalos {
		holds, complete := true, true
		var want, got []string
		for radius := 1; radius <= sureRadius; radius++ {
			want = append(want, fmt.Sprint(p.freed[radius-1]))
			h, known := answered(halos, p.board, radius, certify.Perfect)
			if !known {
				complete = false
				continue
			}
			holds = holds && h.Freed == p.freed[radius-1] && h.Verdict != certify.Found
			complete = complete && h.Verdict != certify.Open
			got = append(got, fmt.Sprintf("%d %s in %s s", h.Freed, h.Verdict, short(h.Seconds)))
		}
		r.find(Finding{
			Claim:     fmt.Sprintf("%s: the cells freed at radius 1 to %d, and that no refill matches every seam", p.board, sureRadius),
			Published: strings.Join(want, ", ") + " cells, unsatisfiable", Measured: strings.Join(got, ", "),
			Verdict: judge(holds, complete), Note: "proven: with a checked proof",
		})
	}
}

// judgeFour judges radius 4, decided and open ones.
func judgeFour(r *Report, halos []halo) {
	for _, p := range publishedHalos {
		want := fmt.Sprintf("%d cells, unsatisfiable", p.freed[3])
		if p.decided < 4 {
			want = fmt.Sprintf("%d cells, open after 1,800 s", p.freed[3])
		}
		f := Finding{Claim: p.board + ": radius 4, no refill matches every seam", Published: want}
		h, known := answered(halos, p.board, 4, certify.Perfect)
		if known {
			f.Measured = fmt.Sprintf("%d cells, %s after %s s of %s s", h.Freed, h.Verdict, short(h.Seconds), short(h.Limit))
			f.Verdict = judge(h.Freed == p.freed[3] && h.Verdict != certify.Found, h.Verdict == certify.Proven)
		} else {
			f.Verdict = judge(true, false)
		}
		r.find(f)
	}
}

// judgeBetter judges whether halos of a radius can be improved.
func judgeBetter(r *Report, halos []halo, what string, radius int, of func(*halo) bool) {
	holds, complete, asked := true, true, 0
	var got []string
	for i := range halos {
		h := &halos[i]
		if h.goal != certify.Better || h.Radius != radius || !of(h) {
			continue
		}
		asked++
		complete = complete && h.decided()
		holds = holds && h.Verdict != certify.Found
		name := h.Board
		if h.Seed > 0 {
			name = fmt.Sprintf("seed %d", h.Seed)
		}
		switch h.Verdict {
		case certify.Proven:
			got = append(got, fmt.Sprintf("%s proven: %d is the fewest", name, h.Breaks))
		case certify.Found:
			got = append(got, fmt.Sprintf("%s improved from %d to %d", name, h.Breaks, h.Best))
		case certify.Open:
			got = append(got, fmt.Sprintf("%s open: %d to %d", name, h.Floor, h.Best))
		}
	}
	r.find(Finding{
		Claim:     fmt.Sprintf("%s: no refill of the halo of radius %d has fewer breaks", what, radius),
		Published: "the remaining breaks are provably locked (the ALNS page, of top boards)",
		Measured:  strings.Join(got, "; "), Verdict: judge(holds, complete && asked > 0),
	})
}

// rigidityChart shows the time by the cells that are freed.
func rigidityChart(halos []halo) chart.Chart {
	c := chart.Chart{Title: "Seconds to decide and check a halo", XLabel: "cells freed", YLabel: "seconds", LogY: true}
	for _, goal := range []certify.Goal{certify.Perfect, certify.Better} {
		for _, decided := range []bool{true, false} {
			s := chart.Series{Name: goal.String() + ", decided", Kind: chart.Points}
			if !decided {
				s.Name = goal.String() + ", open"
			}
			for i := range halos {
				if h := &halos[i]; h.Verdict != "" && h.goal == goal && h.decided() == decided && h.Seconds > 0 {
					s.X, s.Y = append(s.X, float64(h.Freed)), append(s.Y, h.Seconds)
				}
			}
			if len(s.X) > 0 {
				c.Series = append(c.Series, s)
			}
		}
	}
	return c
}

func rigidityTable(rows []halo) Table {
	of := func(name string, text func(halo) string) column[halo] { return column[halo]{name, text} }
	number := func(name string, value func(halo) int) column[halo] {
		return of(name, func(h halo) string { return grouped(int64(value(h))) })
	}
	return tabulate("halos", "every refill breaks at least as many seams as the floor; best is the fewest that are known; steps are the proofs that a certificate holds, floors of parts included", rows,
		of("board", func(h halo) string {
			if h.Seed > 0 {
				return fmt.Sprintf("%s, seed %d", h.Board, h.Seed)
			}
			return h.Board
		}),
		number("score", func(h halo) int { return h.Score }),
		number("radius", func(h halo) int { return h.Radius }),
		of("question", func(h halo) string { return h.Goal }),
		number("freed", func(h halo) int { return h.Freed }),
		number("breaks", func(h halo) int { return h.Breaks }),
		of("verdict", func(h halo) string { return string(h.Verdict) }),
		number("floor", func(h halo) int { return h.Floor }),
		number("best", func(h halo) int { return h.Best }),
		number("steps", func(h halo) int { return h.Steps }),
		number("clauses", func(h halo) int { return h.Clauses }),
		of("proof, MB", func(h halo) string { return short(float64(h.Proof) / 1e6) }),
		of("seconds", func(h halo) string { return short(h.Seconds) }),
		of("of at most", func(h halo) string { return short(h.Limit) }),
	)
}
