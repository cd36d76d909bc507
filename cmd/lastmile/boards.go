package main

import (
	"fmt"
	"text/tabwriter"

	"lastmile/notation"
	"lastmile/puzzle"
)

type boardsCommand struct {
	JSON bool `name:"json" help:"Print one JSON document."`
}

func (c *boardsCommand) Run(t *terminal) error {
	type row struct {
		verdict
		By string `json:"by"`
	}
	var rows []row
	for _, r := range puzzle.Records() {
		rows = append(rows, row{judge(recordBoard(r), puzzle.Official().Clues), r.By})
	}
	for _, s := range puzzle.Solved() {
		rows = append(rows, row{judge(solvedBoard(s), nil), "generated"})
	}
	if c.JSON {
		return printJSON(t.out, rows)
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tscore\tbreaks\tclues\tby")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", r.Name, r.Score, r.Breaks, r.CluesHeld, r.By)
	}
	return w.Flush()
}

// bundledBoard finds a bundled board by its name.
func bundledBoard(name string) (d *notation.Document, found bool) {
	if r, found := puzzle.RecordNamed(name); found {
		return recordBoard(r), true
	}
	if s, found := puzzle.SolvedNamed(name); found {
		return solvedBoard(s), true
	}
	return nil, false
}

func recordBoard(r puzzle.Record) *notation.Document {
	return bundled(r.Name, puzzle.Official(), r.Board)
}

func solvedBoard(s puzzle.SolvedBoard) *notation.Document {
	return bundled(s.Name, s.Puzzle, s.Board)
}

func bundled(name string, p *puzzle.Puzzle, board []puzzle.Placement) *notation.Document {
	b := puzzle.NewBoard(p)
	b.Load(board)
	d := notation.FromBoard(b, name)
	d.Dialect = "bundled"
	return d
}
