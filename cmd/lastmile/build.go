package main

import (
	"time"

	"lastmile/construct"
	"lastmile/search"
)

type buildCommand struct {
	pieceFlags
	clueFlags
	bounds
	Order  string `default:"comb" placeholder:"NAME" help:"Scan order: ${orders}."`
	Width  int    `default:"4096" placeholder:"N" help:"Boards that the beam keeps."`
	Greedy bool   `help:"Keep one board only: the same as --width 1."`
	NoLook bool   `help:"Rank boards by score alone, without the look ahead."`
}

func (c *buildCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Iterations > 0 {
		return badf("--iterations %d bounds a search that improves a board; give build --time or --nodes", c.Iterations)
	}
	if c.Greedy {
		c.Width = 1
	}
	p, clues, err := instance(&c.pieceFlags, &c.clueFlags, t)
	if err != nil {
		return err
	}
	o := construct.Options{Order: c.Order, Width: c.Width, NoLook: c.NoLook, Seed: c.Seed}
	if err := o.Check(); err != nil {
		return bad{err}
	}
	if err := construct.CheckMemory(p, c.Width, 1); err != nil {
		return bad{err}
	}
	ctx, stop := t.listen()
	defer stop()
	watch := newProgress(t, &c.bounds, 0)
	began := time.Now()
	r, err := construct.Beam(ctx, p, o, c.budget(), watch)
	watch.close()
	if err != nil {
		return err
	}
	spent := time.Since(began).Seconds()
	result, err := c.finish(p, clues, "", r.Placements, spent, ctx.Err() != nil)
	if err != nil {
		return err
	}
	return c.print(t, &result, struct {
		improvement
		Order          string  `json:"order"`
		Width          int     `json:"width"`
		Nodes          int64   `json:"nodes"`
		NodesPerSecond float64 `json:"nodes_per_second"`
		Merged         int64   `json:"merged"`
		Bytes          int64   `json:"bytes"`
		Cut            bool    `json:"cut"`
	}{
		improvement{outcome: result, Operators: []search.Operator{}, Trace: watch.trace},
		c.Order, c.Width, r.Nodes, float64(r.Nodes) / spent, r.Merged, r.Bytes, r.Cut,
	})
}
