package main

import (
	"fmt"
	"text/tabwriter"

	"lastmile/notation"
	"lastmile/puzzle"
)

type boardsCommand struct {
	Archive string `placeholder:"DIR" help:"List the boards of the hunt in this folder instead; hunt best shows families, hunt export writes them."`
	JSON    bool   `name:"json" help:"Print one JSON document."`
}

func (c *boardsCommand) Run(t *terminal) error {
	if c.Archive != "" {
		return (&huntBestCommand{huntFolder: huntFolder{c.Archive}, Apart: 1, JSON: c.JSON}).Run(t)
	}
	type row struct {
		notation.Verdict
		By string `json:"by"`
	}
	var rows []row
	for _, r := range puzzle.Records() {
		rows = append(rows, row{notation.OfRecord(r).Judge(puzzle.Official().Clues), r.By})
	}
	for _, s := range puzzle.Solved() {
		rows = append(rows, row{notation.OfSolved(s).Judge(nil), "generated"})
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
