package main

import (
	"bytes"

	"lastmile/notation"
	"lastmile/puzzle"
)

type generateCommand struct {
	Width      int    `default:"16" help:"Cells in a row."`
	Height     int    `default:"16" help:"Cells in a column."`
	Colours    int    `default:"22" help:"Colours, grey not counted."`
	RimColours int    `placeholder:"N" help:"How many of them are kept to the ring of the rim. Default: the share of the official puzzle."`
	Unframed   bool   `help:"No grey rim."`
	Clues      int    `placeholder:"N" help:"Give so many pieces of the solution as hints, spread over the board."`
	Seed       uint64 `default:"1" help:"The same seed gives the same puzzle for ever."`
	To         string `default:"json" placeholder:"DIALECT" help:"What to write: ${dialects}."`
	Solution   bool   `help:"Write the solution instead of the puzzle."`
	JSON       bool   `name:"json" help:"The same as --to json."`
	Out        string `short:"o" placeholder:"FILE" help:"Write to this file instead of standard output."`
}

func (c *generateCommand) Run(t *terminal) error {
	if c.JSON && c.To != "json" {
		return badf("--json and --to %s, want one of them", c.To)
	}
	p, solution, err := puzzle.Generate(puzzle.Spec{
		Width: c.Width, Height: c.Height, Colours: c.Colours, RimColours: c.RimColours, Unframed: c.Unframed, Seed: c.Seed,
	})
	if err != nil {
		return bad{err}
	}
	if c.Clues < 0 || c.Clues > p.Cells() {
		return badf("--clues %d, want 0 to %d", c.Clues, p.Cells())
	}
	var hints []puzzle.Placement
	for i := range c.Clues {
		hints = append(hints, solution[(2*i+1)*p.Cells()/(2*c.Clues)])
	}
	if p, err = p.WithClues(hints); err != nil {
		return err
	}
	d := &notation.Document{Name: p.Name, Puzzle: p, Hints: hints}
	if c.Solution {
		b := puzzle.NewBoard(p)
		b.Load(solution)
		d = notation.FromBoard(b, p.Name)
	}
	var out bytes.Buffer
	if err := notation.Write(&out, d, c.To); err != nil {
		return bad{err}
	}
	return t.write(c.Out, out.Bytes())
}
