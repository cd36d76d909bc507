package job

import (
	"context"
	"fmt"

	"lastmile/alns"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/solve"
)

// Solve builds a board and polishes it: one attempt of the main job. Iterations
// bound the walk, Nodes the building; the latter may be 0 for a beam.
type Solve struct {
	Method string  `json:"method"` // "beam", or "depth-first"
	Order  string  `json:"order"`
	Width  int     `json:"width,omitempty"` // of the beam
	Alike  float64 `json:"alike,omitempty"` // see solve.Options
}

func (*Solve) kind() string { return "solve" }

func (w *Solve) options(j Job) solve.Options {
	o := solve.Options{Width: w.Width, Alike: w.Alike, Attempts: 1, Seed: j.seed()}
	if w.Method == "depth-first" {
		o.DepthFirst = []string{w.Order}
	} else {
		o.Orders = []string{w.Order}
	}
	return o
}

// seed is that of a job of which only the stream differs from its neighbours.
func (j Job) seed() uint64 { return j.Seed + uint64(j.Stream) }

func (w *Solve) check(p *puzzle.Puzzle, j Job) error {
	switch {
	case w.Method != "beam" && w.Method != "depth-first":
		return fmt.Errorf("method %q, want beam or depth-first", w.Method)
	case j.Iterations == 0:
		return fmt.Errorf("a job of kind solve without iterations, want some to polish by")
	case w.Method == "depth-first" && j.Nodes == 0:
		return fmt.Errorf("a break-index search without nodes, want a bound")
	}
	if err := w.options(j).Check(); err != nil {
		return err
	}
	return construct.CheckMemory(p, w.Width, 1)
}

func (w *Solve) do(ctx context.Context, p *puzzle.Puzzle, j Job, s Sitting) (Result, error) {
	var state solve.State
	if err := load(s, &state); err != nil {
		return Result{}, err
	}
	r, err := solve.Resume(ctx, p, state, w.options(j), solve.Plan{
		Budget: search.Budget{Nodes: j.Nodes, Iterations: j.Iterations}, Watch: s.Watch, Save: save[solve.State](s), Every: s.Every,
	})
	if err != nil {
		return Result{}, blame(s, err)
	}
	if ctx.Err() != nil {
		return Result{}, ErrStopped
	}
	return Result{Nodes: r.Nodes, Iterations: r.Iterations, Boards: []Board{BoardOf(p, r.Score, r.Placements)}}, nil
}

func (w *Solve) command(j Job) string {
	j.Seed = j.seed()
	text := fmt.Sprintf("lastmile solve %s --attempts 1 --iterations %d", j.flags(), j.Iterations)
	if w.Method == "depth-first" {
		return text + fmt.Sprintf(" --depth-first %s --nodes %d", w.Order, j.Nodes)
	}
	text += " --order " + w.Order
	if w.Width > 0 {
		text += fmt.Sprint(" --width ", w.Width)
	}
	if w.Alike != 0 {
		text += fmt.Sprint(" --alike ", max(0, w.Alike))
	}
	if j.Nodes > 0 {
		text += fmt.Sprint(" --nodes ", j.Nodes)
	}
	return text
}

// Build is one dive of the break-index search, bounded by Nodes.
type Build struct {
	Order string `json:"order"`
	Early int    `json:"early,omitempty"` // colours used up early, see construct.DepthFirstOptions
}

func (*Build) kind() string { return "build" }

func (w *Build) options(j Job) construct.DepthFirstOptions {
	return construct.DepthFirstOptions{Order: w.Order, Early: w.Early, Restart: max(1, j.Nodes), Seed: j.seed()}
}

func (w *Build) check(_ *puzzle.Puzzle, j Job) error {
	if j.Nodes == 0 {
		return fmt.Errorf("a job of kind build without nodes, want a bound")
	}
	return w.options(j).Check()
}

// do saves nothing: a dive of some billion nodes is a minute's work, and nobody
// can go on in the middle of it.
func (w *Build) do(ctx context.Context, p *puzzle.Puzzle, j Job, s Sitting) (Result, error) {
	r, err := construct.DepthFirst(ctx, p, w.options(j), search.Budget{Nodes: j.Nodes}, s.Watch)
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, ErrStopped
	}
	return Result{Nodes: r.Nodes, Boards: []Board{BoardOf(p, r.Score, r.Placements)}}, nil
}

func (w *Build) command(j Job) string {
	nodes := j.Nodes
	j.Seed = j.seed()
	text := fmt.Sprintf("lastmile build --method depth-first %s --order %s --nodes %d --restart %d", j.flags(), w.Order, nodes, nodes)
	if w.Early != 0 {
		text += fmt.Sprint(" --early ", max(0, w.Early))
	}
	return text
}

// Polish is a walk of the ALNS loop from a board that is known, bounded by
// Iterations.
type Polish struct {
	Start []int  `json:"start"`          // see puzzle.Board.Codes
	From  string `json:"from,omitempty"` // the name of that board in the archive
}

func (*Polish) kind() string { return "polish" }

func (w *Polish) check(p *puzzle.Puzzle, j Job) error {
	b, err := p.Decode(w.Start)
	switch {
	case err != nil:
		return err
	case b.Filled() != p.Cells():
		return fmt.Errorf("a walk from a board of %d pieces, want %d", b.Filled(), p.Cells())
	case j.Iterations == 0:
		return fmt.Errorf("a job of kind polish without iterations, want a bound")
	}
	return nil
}

func (w *Polish) do(ctx context.Context, p *puzzle.Puzzle, j Job, s Sitting) (Result, error) {
	start, err := p.Decode(w.Start)
	if err != nil {
		return Result{}, err
	}
	o := alns.Options{Seed: j.seed()}
	plan := alns.Plan{Streams: 1, Budget: search.Budget{Iterations: j.Iterations}, Watch: s.Watch, Save: save[alns.States](s), Every: s.Every}
	var r alns.Result
	if s.Saved == nil {
		r, err = alns.Polish(ctx, p, start.Placements(nil), o, plan)
	} else {
		var state alns.States
		if err = load(s, &state); err == nil {
			r, err = alns.Resume(ctx, p, state, o, plan)
		}
	}
	if err != nil {
		return Result{}, blame(s, err)
	}
	if ctx.Err() != nil {
		return Result{}, ErrStopped
	}
	return Result{Iterations: r.Iterations, Boards: []Board{BoardOf(p, r.Score, r.Placements)}}, nil
}

func (w *Polish) command(j Job) string {
	j.Seed = j.seed()
	text := fmt.Sprintf("lastmile polish - %s --streams 1 --iterations %d", j.flags(), j.Iterations)
	if w.From != "" {
		text = fmt.Sprintf("lastmile hunt export --board %s | %s", w.From, text)
	}
	return text
}
