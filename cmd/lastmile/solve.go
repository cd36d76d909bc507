package main

import (
	"fmt"
	"math"
	"time"

	"lastmile/construct"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/solve"
)

type solveCommand struct {
	pieceFlags
	clueFlags
	bounds
	saving
	tracing
	living
	tuning
	Order      []string `placeholder:"NAME" help:"Scan orders of the beams, drawn in turn; lastmile build --help lists them."`
	DepthFirst []string `placeholder:"NAME" help:"Scan orders of break-index searches, drawn in turn with the beams that --order names; without --order they build alone."`
	Width      int      `positive:"" placeholder:"N" help:"Width of the beams. Default: 4096, or what fits into --time."`
	Alike      *float64 `placeholder:"X" help:"How much the beams prefer that the colours left over are alike, 0 to ${most_alike}. Default: ${alike}."`
	Attempts   int      `positive:"" placeholder:"N" help:"Boards to build and polish. Default: 4, or as many as --time allows."`
	NoFinish   bool     `help:"Polish the boards of the beams as they are, without exhausting their last cells first."`
}

// defaultTime bounds a solve that is given no bound.
const defaultTime = 60 * time.Second

func (c *solveCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := checkAlike(c.Alike); err != nil {
		return err
	}
	if err := c.writable(t); err != nil {
		return err
	}
	if c.Time == 0 && c.Iterations == 0 && c.Nodes == 0 {
		c.Time = defaultTime
	}
	p, clues, err := instance(&c.pieceFlags, &c.clueFlags, t)
	if err != nil {
		return err
	}
	polish, err := c.options(c.Seed)
	if err != nil {
		return err
	}
	o := solve.Options{Orders: c.Order, DepthFirst: c.DepthFirst, Width: c.Width, Alike: c.alike(), Attempts: c.Attempts, NoFinish: c.NoFinish, Polish: polish, Seed: c.Seed}
	if err := o.Check(); err != nil {
		return bad{err}
	}
	if err := construct.CheckMemory(p, c.Width, c.Threads); err != nil {
		return bad{err}
	}
	var state solve.State
	run := setup{
		Puzzle: fingerprint(p), Clues: placementTexts(p.Clues), Seed: c.Seed,
		Timed: c.Time > 0, Iterations: c.Iterations, Nodes: c.Nodes,
		Options: map[string]any{"order": c.Order, "width": c.Width, "attempts": c.Attempts, "depth_first": c.DepthFirst, "alike": c.Alike, "no_finish": c.NoFinish, "polish": c.tuning},
	}
	keep, err := c.open("solve", &c.bounds, c.Trace, run, &state, t)
	if err != nil {
		return err
	}
	defer keep.unlock()
	trace, err := c.record(keep, c.Resume, state.Elapsed, func(stream int) int64 { return traced(state, stream) })
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
	r, err := solve.Resume(ctx, p, state, o, solve.Plan{
		Threads: c.Threads, Budget: c.budget(), Watch: both(watch, feed), Trace: trace.observer(), Every: c.Every,
		Save: func(s solve.State) {
			trace.sync()
			keep.save(s)
		},
	})
	watch.close()
	if err != nil && c.Resume {
		return badf("%s: damaged: %w", keep.path, err)
	}
	if err != nil {
		return err
	}
	stopped := ctx.Err() != nil
	result, err := c.finish(p, clues, "", r.Placements, r.Elapsed.Seconds(), stopped)
	if err != nil {
		return err
	}
	err = c.print(t, &result, struct {
		outcome
		Attempt    int        `json:"attempt"`
		Nodes      int64      `json:"nodes"`
		Iterations int64      `json:"iterations"`
		Stages     []stage    `json:"stages"`
		Archive    []archived `json:"archive"`
	}{result, r.Attempt, r.Nodes, r.Iterations, stages(r.Attempts), keptBoards(p, r)})
	if err != nil {
		return err // the checkpoint stays
	}
	keep.end(stopped)
	return nil
}

// alike is what solve takes: 0 for its default, below 0 for none.
func (c *solveCommand) alike() float64 {
	if c.Alike != nil && *c.Alike == 0 {
		return -1
	}
	return value(c.Alike)
}

// checkAlike refuses a weight of alike colours that no beam takes.
func checkAlike(weight *float64) error {
	if x := value(weight); !(x >= 0 && x <= construct.MaxAlike) {
		return badf("--alike %v, want 0 to %d", x, construct.MaxAlike)
	}
	return nil
}

// traced is how far the walk of an attempt had come when the run was saved. One
// that has been forgotten since does not go on: all that it did is behind.
func traced(s solve.State, attempt int) int64 {
	for _, a := range s.Attempts {
		switch {
		case a.Number != attempt:
		case a.Walk != nil:
			return a.Walk.Iterations // of whole rounds: one that was cut short comes again
		default:
			return a.Steps
		}
	}
	if attempt < s.Begun {
		return math.MaxInt64
	}
	return 0
}

// stage is what an attempt begins with, its finish or its walk, in the JSON of
// solve.
type stage struct {
	Stage      string  `json:"stage"`
	Attempt    int     `json:"attempt"`
	Order      string  `json:"order,omitempty"`
	Width      int     `json:"width,omitempty"`
	From       *int    `json:"from,omitempty"` // the attempt whose board is polished again
	Nodes      int64   `json:"nodes,omitempty"`
	Iterations int64   `json:"iterations,omitempty"`
	Score      int     `json:"score"`
	Seconds    float64 `json:"seconds"`
}

func stages(attempts []solve.Attempt) []stage {
	list := []stage{}
	for _, a := range attempts {
		begin := stage{Stage: a.Method.Name(), Attempt: a.Number, Order: a.Order, Width: a.Width, Nodes: a.Nodes, Score: a.Built, Seconds: a.Beam.Seconds()}
		if a.Method == solve.Again {
			begin.From = &a.From
		}
		list = append(list, begin)
		if a.FinishNodes > 0 {
			list = append(list, stage{Stage: "finish", Attempt: a.Number, Nodes: a.FinishNodes, Score: a.Finished, Seconds: a.Finish.Seconds()})
		}
		list = append(list, stage{Stage: "polish", Attempt: a.Number, Iterations: a.Steps, Score: a.Best, Seconds: a.Polish.Seconds()})
	}
	return list
}

// archived is a board of the archive in the JSON of solve.
type archived struct {
	Score    int    `json:"score"`
	Attempt  int    `json:"attempt"`
	Distance int    `json:"distance"` // cells that differ from the best board
	Corners  [4]int `json:"corners"`  // official numbers of the pieces, clockwise from the top left
	URL      string `json:"url,omitempty"`
	Board    string `json:"board,omitempty"` // where no link can carry it
}

func keptBoards(p *puzzle.Puzzle, r solve.Result) []archived {
	list := []archived{}
	board := puzzle.NewBoard(p)
	for _, k := range r.Archive {
		corners := solve.Corners(p, k.Placements)
		for i := range corners {
			corners[i]++
		}
		board.Load(k.Placements)
		d := notation.FromBoard(board, fmt.Sprintf("lastmile_%d", k.Score))
		x := archived{Score: k.Score, Attempt: k.Attempt, Distance: solve.Distance(k.Placements, r.Placements), Corners: corners, URL: linkTo(d)}
		if x.URL == "" {
			x.Board = spell(d, "json")
		}
		list = append(list, x)
	}
	return list
}
