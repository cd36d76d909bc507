package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/solve"
)

type buildCommand struct {
	pieceFlags
	clueFlags
	bounds
	Method string `default:"beam" placeholder:"NAME" help:"How the board is filled: beam, or depth-first, a break-index search that needs a bound."`
	Order  string `placeholder:"NAME" help:"Scan order: ${orders}; after it @ne, @sw or @se to begin in that corner. Default: ${beam_order} for a beam, ${depth_first_order} for depth-first."`

	Width  *int     `placeholder:"N" help:"Boards that the beam keeps. Default: ${beam_width}."`
	Greedy bool     `help:"Keep one board only: the same as --width 1."`
	NoLook bool     `help:"Rank boards by score alone, without the look ahead."`
	Alike  *float64 `placeholder:"X" help:"How much a beam prefers that the colours left over are alike, 0 to ${most_alike}. Default: ${alike}, as in solve."`

	Breaks  []int  `placeholder:"N" help:"Break indexes of depth-first: from each number of cells on that it has filled, clues not counted, it may break one seam more. Default: pilots find them."`
	Strict  bool   `help:"Depth-first breaks nothing; a beam completes the board."`
	Early   *int   `placeholder:"N" help:"Colours that depth-first uses up early, 0 for none. Default: ${early}."`
	Restart *int64 `placeholder:"N" help:"Nodes after which depth-first begins anew with the pieces in another order. Default: ${restart}."`
}

func (c *buildCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Iterations > 0 {
		return badf("--iterations %d bounds a search that improves a board; give build --time or --nodes", c.Iterations)
	}
	if err := c.settle(); err != nil {
		return err
	}
	p, clues, err := instance(&c.pieceFlags, &c.clueFlags, t)
	if err != nil {
		return err
	}
	fill := c.depthFirst
	if c.Method == "beam" {
		fill = c.beam
		if err := construct.CheckMemory(p, *c.Width, 1); err != nil {
			return bad{err}
		}
	}
	ctx, stop := t.listen()
	defer stop()
	watch := newProgress(t, &c.bounds, 0)
	began := time.Now()
	board, report, err := fill(ctx, p, watch)
	watch.close()
	spent := time.Since(began).Seconds()
	if err != nil {
		return err
	}
	result, err := c.finish(p, clues, "", board, spent, ctx.Err() != nil)
	if err != nil {
		return err
	}
	return c.print(t, &result, report(improvement{outcome: result, Operators: []search.Operator{}, Trace: watch.trace}))
}

// settle gives the flags of the method their defaults, and refuses the others.
func (c *buildCommand) settle() error {
	m := choice{"method", c.Method, []string{"beam", "depth-first"}}
	if !slices.Contains(m.names, m.chosen) {
		return badf("--method %q, want one of %s", m.chosen, strings.Join(m.names, ", "))
	}
	for _, f := range []struct {
		given        bool
		flag, reader string
	}{{c.Greedy, "greedy", "beam"}, {c.NoLook, "no-look", "beam"}, {len(c.Breaks) > 0, "breaks", "depth-first"}, {c.Strict, "strict", "depth-first"}} {
		if f.given && f.reader != c.Method {
			return badf("--%s has no effect with --method %s, want --method %s", f.flag, c.Method, f.reader)
		}
	}
	beam, deep := construct.Options{}.WithDefaults(), construct.DepthFirstOptions{}.WithDefaults()
	for _, err := range []error{
		settle("width", &c.Width, beam.Width, m, "beam"),
		settle("alike", &c.Alike, solve.DefaultAlike, m, "beam"),
		settle("early", &c.Early, deep.Early, m, "depth-first"),
		settle("restart", &c.Restart, deep.Restart, m, "depth-first"),
	} {
		if err != nil {
			return err
		}
	}
	// Zeros would be taken for defaults, and -1 for none.
	switch beams := c.Method == "beam"; {
	case beams && *c.Width < 1:
		return badf("--width %d, want 1 to %d", *c.Width, construct.MaxWidth)
	case beams:
		if c.Greedy {
			*c.Width = 1
		}
		c.Order = cmp.Or(c.Order, beam.Order)
		if err := checkAlike(c.Alike); err != nil {
			return err
		}
		return checked(c.beamOptions().Check())
	case *c.Early < 0 || *c.Early > construct.MaxEarly:
		return badf("--early %d, want 0 to %d", *c.Early, construct.MaxEarly)
	case *c.Restart < 1:
		return badf("--restart %d, want 1 or more", *c.Restart)
	case c.Time == 0 && c.Nodes == 0:
		return badf("--method depth-first would go on for ever: give it --time or --nodes")
	}
	c.Order = cmp.Or(c.Order, deep.Order)
	return checked(c.depthFirstOptions().Check())
}

// checked marks an error, if any, as one of the user's input.
func checked(err error) error {
	if err != nil {
		return bad{err}
	}
	return nil
}

func (c *buildCommand) beamOptions() construct.Options {
	return construct.Options{Order: c.Order, Width: *c.Width, NoLook: c.NoLook, Alike: *c.Alike, Seed: c.Seed}
}

func (c *buildCommand) depthFirstOptions() construct.DepthFirstOptions {
	o := construct.DepthFirstOptions{Order: c.Order, Breaks: c.Breaks, Strict: c.Strict, Early: *c.Early, Restart: *c.Restart, Seed: c.Seed}
	if o.Early == 0 {
		o.Early = -1
	}
	return o
}

// beam gives a board and what is printed of it as JSON.
func (c *buildCommand) beam(ctx context.Context, p *puzzle.Puzzle, watch search.Observer) ([]puzzle.Placement, func(improvement) any, error) {
	r, err := construct.Beam(ctx, p, c.beamOptions(), c.budget(), watch)
	return r.Placements, func(i improvement) any {
		return struct {
			improvement
			Method         string  `json:"method"`
			Order          string  `json:"order"`
			Width          int     `json:"width"`
			Alike          float64 `json:"alike"`
			Nodes          int64   `json:"nodes"`
			NodesPerSecond float64 `json:"nodes_per_second"`
			Merged         int64   `json:"merged"`
			Bytes          int64   `json:"bytes"`
			Cut            bool    `json:"cut"`
		}{i, c.Method, c.Order, *c.Width, *c.Alike, r.Nodes, float64(r.Nodes) / i.Seconds, r.Merged, r.Bytes, r.Cut}
	}, err
}

// depthFirst gives a board and what is printed of it as JSON.
func (c *buildCommand) depthFirst(ctx context.Context, p *puzzle.Puzzle, watch search.Observer) ([]puzzle.Placement, func(improvement) any, error) {
	r, err := construct.DepthFirst(ctx, p, c.depthFirstOptions(), c.budget(), watch)
	return r.Placements, func(i improvement) any {
		return struct {
			improvement
			Method         string  `json:"method"`
			Order          string  `json:"order"`
			Depth          int     `json:"depth"` // cells filled by the search before a beam completed the board, clues left out
			BreaksAtDepth  int     `json:"breaks_at_depth"`
			Restarts       int     `json:"restarts"`
			Indexes        []int   `json:"indexes"`
			Early          int     `json:"early"`
			Softened       float64 `json:"softened"` // factor of the schedule of early colours
			Nodes          int64   `json:"nodes"`
			NodesPerSecond float64 `json:"nodes_per_second"`
		}{
			i, c.Method, c.Order, r.Depth, r.Breaks, r.Restarts, append([]int{}, r.Indexes...), *c.Early, r.Softened,
			r.Nodes, float64(r.Nodes) / i.Seconds,
		}
	}, err
}
