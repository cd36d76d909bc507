package main

import (
	"fmt"
	"slices"
	"time"

	"lastmile/alns"
	"lastmile/alns/repair"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/search"
)

type polishCommand struct {
	Board string `arg:"" help:"The board: a file, - for standard input, a link or text, or a bundled name."`
	boardFlags
	clueFlags
	bounds
	saving
	tracing
	living
	tuning
	Streams int `default:"4" help:"Independent walks that share an iteration budget; threads work on them."`
	wallFlags
}

func (c *polishCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.writable(t); err != nil {
		return err
	}
	if c.Nodes > 0 {
		return badf("--nodes %d bounds a search that builds a board; give polish --time or --iterations", c.Nodes)
	}
	if c.Streams < 1 || c.Streams > 1024 {
		return badf("--streams %d, want 1 to 1024", c.Streams)
	}
	if c.Time == 0 && c.Iterations == 0 {
		c.Time = defaultTime
	}
	if err := c.coherent(&c.bounds); err != nil {
		return err
	}
	d, err := c.board(c.Board, t)
	if err != nil {
		return err
	}
	warn(t, d)
	p, start, filled, err := c.start(d)
	if err != nil {
		return err
	}
	if filled > 0 {
		fmt.Fprintf(t.err, "note: %s filled greedily\n", count(filled, "empty cell"))
	}
	o, err := c.options(c.Seed)
	if err != nil {
		return err
	}
	if c.Certify {
		return c.wall(t, d, p, start, o)
	}
	var state alns.States
	run := setup{
		Puzzle: fingerprint(p), Clues: placementTexts(p.Clues), Start: digest(start), Seed: c.Seed,
		Timed: c.Time > 0, Iterations: c.Iterations, Options: map[string]any{"streams": c.Streams, "polish": c.tuning},
	}
	keep, err := c.open("polish", &c.bounds, c.Trace, run, &state, t)
	if err != nil {
		return err
	}
	defer keep.unlock()
	trace, err := c.record(keep, c.Resume, state.Elapsed, func(stream int) int64 {
		if stream >= len(state.Walks) {
			return 0
		}
		return state.Walks[stream].Iterations
	})
	if err != nil {
		return err
	}
	defer trace.close()
	ctx, stop := t.listen()
	defer stop()
	feed, end, err := c.show(ctx, t, p, c.Quiet)
	if err != nil {
		return err
	}
	defer end()
	watch := newProgress(t, &c.bounds, state.Elapsed)
	plan := alns.Plan{
		Streams: c.Streams, Threads: c.Threads, Budget: c.budget(), Watch: both(watch, feed), Trace: trace.observer(), Every: c.Every,
		Save: func(s alns.States) {
			trace.sync()
			keep.save(s)
		},
	}
	began := time.Now()
	var r alns.Result
	if c.Resume {
		r, err = alns.Resume(ctx, p, state, o, plan)
	} else {
		r, err = alns.Polish(ctx, p, start, o, plan)
	}
	watch.close()
	if err != nil && c.Resume {
		return badf("%s: damaged: %w", keep.path, err)
	}
	if err != nil {
		return err
	}
	spent := time.Since(began)
	stopped := ctx.Err() != nil
	name := d.Name
	if r.Score != scoreOf(p, start) {
		name = "" // it may say the old score
	}
	result, err := c.finish(p, c.cluesFor(d), name, r.Placements, (state.Elapsed + spent).Seconds(), stopped)
	if err != nil {
		return err
	}
	before := int64(0)
	for _, w := range state.Walks {
		before += w.Iterations
	}
	err = c.print(t, &result, improvement{
		outcome: result, Start: scoreOf(p, start), Stream: r.Stream, Gained: &r.Gained,
		Iterations: r.Iterations, IterationsPerSecond: float64(r.Iterations-before) / spent.Seconds(),
		Operators: r.Operators, Repair: &r.Repairs, Trace: watch.trace,
	})
	if err != nil {
		return err // the checkpoint stays
	}
	if n := r.Repairs; n.Optimal+n.Fallbacks > 0 && !c.JSON && !c.Quiet {
		fmt.Fprintln(t.err, proved(n))
	}
	keep.end(stopped)
	return nil
}

// proved says what a repair has proved of the holes that it filled.
func proved(n search.Repair) string {
	rest := "left to greedy" // as assignment does
	if slices.Contains(readNodes, n.Name) {
		rest = "not proved" // their nodes were used up; the hole may be better than greedy all the same
	}
	text := fmt.Sprintf("%s repair: of %d holes %d proved optimal, %d %s", n.Name, n.Uses, n.Optimal, n.Fallbacks, rest)
	if greedy := n.Uses - n.Optimal - n.Fallbacks; greedy > 0 {
		text += fmt.Sprintf(", %d filled by greedy", greedy)
	}
	return text
}

// improvement is the JSON of build and polish.
type improvement struct {
	outcome
	Start               int               `json:"start"` // score of the board that it began with
	Stream              int               `json:"stream"`
	Gained              *int64            `json:"gained,omitempty"` // of polish: the iteration of that stream that made the board, 0 for the start
	Iterations          int64             `json:"iterations"`
	IterationsPerSecond float64           `json:"iterations_per_second"`
	Operators           []search.Operator `json:"operators"`
	Repair              *search.Repair    `json:"repair,omitempty"` // of polish
	Trace               []point           `json:"trace"`
}

func scoreOf(p *puzzle.Puzzle, board []puzzle.Placement) int { return p.Look(board).Tally().Matched }

// start checks that a board can be polished, chooses the clues to hold, and
// fills its empty cells.
func (c *polishCommand) start(d *notation.Document) (p *puzzle.Puzzle, board []puzzle.Placement, filled int, err error) {
	if err := c.sound(d); err != nil {
		return nil, nil, 0, err
	}
	clues, err := c.held(d, c.cluesFor(d))
	if err != nil {
		return nil, nil, 0, err
	}
	if p, err = d.Puzzle.WithClues(clues); err != nil {
		return nil, nil, 0, bad{err}
	}
	b := puzzle.NewBoard(p)
	b.Load(d.ID.Placements)
	board, filled = repair.Complete(b)
	return p, board, filled, nil
}
