package main

import (
	"fmt"
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
	tuning
	Streams int `default:"4" help:"Independent walks that share an iteration budget; threads work on them."`
}

func (c *polishCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
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
	var state alns.States
	keep, err := c.open("polish", &c.bounds, setup{
		Puzzle: fingerprint(p), Clues: placementTexts(p.Clues), Start: digest(start), Seed: c.Seed,
		Timed: c.Time > 0, Iterations: c.Iterations, Options: map[string]any{"streams": c.Streams, "polish": c.tuning},
	}, &state, t)
	if err != nil {
		return err
	}
	defer keep.unlock()
	ctx, stop := t.listen()
	defer stop()
	watch := newProgress(t, &c.bounds, state.Elapsed)
	plan := alns.Plan{
		Streams: c.Streams, Threads: c.Threads, Budget: c.budget(), Watch: watch, Every: c.Every,
		Save: func(s alns.States) { keep.save(s) },
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
		outcome: result, Start: scoreOf(p, start), Stream: r.Stream,
		Iterations: r.Iterations, IterationsPerSecond: float64(r.Iterations-before) / spent.Seconds(),
		Operators: r.Operators, Trace: watch.trace,
	})
	if err != nil {
		return err // the checkpoint stays
	}
	keep.end(stopped)
	return nil
}

// improvement is the JSON of build and polish.
type improvement struct {
	outcome
	Start               int               `json:"start"` // score of the board that it began with
	Stream              int               `json:"stream"`
	Iterations          int64             `json:"iterations"`
	IterationsPerSecond float64           `json:"iterations_per_second"`
	Operators           []search.Operator `json:"operators"`
	Trace               []point           `json:"trace"`
}

func scoreOf(p *puzzle.Puzzle, board []puzzle.Placement) int { return p.Look(board).Tally().Matched }

// start checks that a board can be polished, chooses the clues to hold, and
// fills its empty cells.
func (c *polishCommand) start(d *notation.Document) (p *puzzle.Puzzle, board []puzzle.Placement, filled int, err error) {
	tally := d.Grid.Tally()
	switch {
	case c.given() && d.OtherSet:
		return nil, nil, 0, badf("%s: the board is not of the pieces of --puzzle", d.Dialect)
	case d.Puzzle == nil:
		return nil, nil, 0, badf("%s: the pieces of the board are not known; give its piece set with --puzzle", d.Dialect)
	case len(d.ID.Foreign) > 0:
		return nil, nil, 0, badf("cell %d holds a piece that is not of the set, want boards of whole sets; score lists such cells", d.ID.Foreign[0])
	case len(d.ID.Duplicates) > 0:
		return nil, nil, 0, badf("cell %d holds a piece that lies elsewhere too, want each piece once; score lists such cells", d.ID.Duplicates[0])
	case d.Puzzle.Framed() && len(tally.RimFaults) > 0:
		return nil, nil, 0, badf("cell %d breaks the frame rule, want grey on the rim and only there", tally.RimFaults[0])
	}
	clues, err := c.held(d)
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

// held chooses the clues to keep: those asked for, which the board must hold,
// or else those that it holds.
func (c *polishCommand) held(d *notation.Document) ([]puzzle.Placement, error) {
	clues, err := c.clues(c.cluesFor(d), d.Official)
	if err != nil {
		return nil, err
	}
	at := map[int]puzzle.Placement{}
	for _, q := range d.ID.Placements {
		at[q.Cell] = q
	}
	var held []puzzle.Placement
	for _, q := range clues {
		// A board names one of several twins; the look decides.
		on, filled := at[q.Cell]
		if filled && d.Puzzle.Rotated(on.Piece, on.Rotation) == d.Puzzle.Rotated(q.Piece, q.Rotation) {
			held = append(held, on)
		} else if c.Clues != "" {
			return nil, badf("--clues %s: cell %d does not hold piece %d turned by %d", c.Clues, q.Cell, q.Piece+1, q.Rotation)
		}
	}
	return held, nil
}
