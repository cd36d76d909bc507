package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"lastmile/notation"
)

type scoreCommand struct {
	Board string `arg:"" help:"The board: a file, - for standard input, a link or text, or a bundled name."`
	boardFlags
	Lenient bool `help:"Read what is legible of a damaged board."`
	JSON    bool `name:"json" help:"Print one JSON document; an array when the text holds several boards."`
}

func (c *scoreCommand) Run(t *terminal) error {
	documents, err := c.boards(c.Board, c.Lenient, t)
	if err != nil {
		return err
	}
	var verdicts []notation.Verdict
	for _, d := range documents {
		if d.Grid == nil {
			return badf("%s: pieces without a board, want a board", d.Dialect)
		}
		verdicts = append(verdicts, d.Judge(c.cluesFor(d)))
	}
	if c.JSON {
		if len(verdicts) == 1 {
			err = printJSON(t.out, verdicts[0])
		} else {
			err = printJSON(t.out, verdicts)
		}
		if err != nil {
			return err
		}
	} else {
		for i := range verdicts {
			if err := summary(verdicts[i], t.out); err != nil {
				return err
			}
			warn(t, documents[i])
		}
	}
	for i, v := range verdicts {
		if c.given() && documents[i].OtherSet {
			return errFailed // not a board of the set that was asked for
		}
		if v.Damaged || v.Duplicates > 0 || v.Foreign > 0 || v.RimFaults > 0 {
			return errFailed
		}
	}
	return nil
}

func summary(v notation.Verdict, out io.Writer) error {
	var w strings.Builder
	set := "another piece set"
	switch {
	case v.Official:
		set = "official pieces"
	case v.Foreign > 0 || v.Duplicates > 0:
		set = "not all of one piece set"
	}
	parts := []string{fmt.Sprintf("score %d of %d", v.Score, v.Max), count(v.Breaks, "break")}
	if v.Open > 0 {
		parts = append(parts, fmt.Sprintf("%d open", v.Open), fmt.Sprintf("%d of %d cells filled", v.Placed, v.Width*v.Height))
	}
	parts = append(parts, set)
	if v.Clues > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s held", v.CluesHeld, count(v.Clues, "clue")))
	}
	fmt.Fprintf(&w, "%s (%s): %s\n", cmp.Or(printable(v.Name), "board"), v.Dialect, strings.Join(parts, ", "))
	for _, fault := range []struct {
		what  string
		cells []int
	}{
		{"duplicate piece", v.DuplicateCells}, {"foreign piece", v.ForeignCells}, {"rim fault", v.RimFaultCells},
	} {
		if len(fault.cells) > 0 {
			fmt.Fprintf(&w, "  %s: %s\n", count(len(fault.cells), fault.what), cellList(fault.cells))
		}
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// cellList names cells, the first few of many.
func cellList(cells []int) string {
	const most = 12
	var texts []string
	for _, cell := range cells[:min(most, len(cells))] {
		texts = append(texts, fmt.Sprint(cell))
	}
	if len(cells) == 1 {
		return "cell " + texts[0]
	}
	if len(cells) > most {
		texts = append(texts, "…")
	}
	return "cells " + strings.Join(texts, ", ")
}
