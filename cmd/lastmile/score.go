package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"lastmile/notation"
	"lastmile/puzzle"
)

type scoreCommand struct {
	Board string `arg:"" help:"The board: a file, - for standard input, a link or text, or a bundled name."`
	boardFlags
	Lenient bool `help:"Read what is legible of a damaged board."`
	JSON    bool `name:"json" help:"Print one JSON document; an array when the text holds several boards."`
}

// verdict is the JSON of score.
type verdict struct {
	Name           string   `json:"name"`
	Dialect        string   `json:"dialect"`
	Width          int      `json:"width"`
	Height         int      `json:"height"`
	Score          int      `json:"score"`
	Max            int      `json:"max"`
	Breaks         int      `json:"breaks"`
	Open           int      `json:"open"`
	Placed         int      `json:"placed"`
	Empty          int      `json:"empty"`
	Official       bool     `json:"official"` // every piece is of the official set, each at most once
	Duplicates     int      `json:"duplicates"`
	Foreign        int      `json:"foreign"`
	RimFaults      int      `json:"rim_faults"`
	CluesHeld      int      `json:"clues_held"`
	Clues          int      `json:"clues"`
	DuplicateCells []int    `json:"duplicate_cells"`
	ForeignCells   []int    `json:"foreign_cells"`
	RimFaultCells  []int    `json:"rim_fault_cells"`
	BrokenCells    []int    `json:"broken_cells"`
	Damaged        bool     `json:"damaged"`
	Warnings       []string `json:"warnings"`
}

func (c *scoreCommand) Run(t *terminal) error {
	documents, err := c.boards(c.Board, c.Lenient, t)
	if err != nil {
		return err
	}
	var verdicts []verdict
	for _, d := range documents {
		if d.Grid == nil {
			return badf("%s: pieces without a board, want a board", d.Dialect)
		}
		verdicts = append(verdicts, judge(d, c.cluesFor(d)))
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
			if err := verdicts[i].summary(t.out); err != nil {
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

// judge scores a document against the clues.
func judge(d *notation.Document, clues []puzzle.Placement) verdict {
	tally := d.Grid.Tally()
	v := verdict{
		Name: d.Name, Dialect: d.Dialect, Width: d.Grid.Width, Height: d.Grid.Height,
		Score: tally.Matched, Max: tally.Max, Breaks: tally.Breaks, Open: tally.Open,
		Placed: len(d.Grid.Filled) - tally.Empty, Empty: tally.Empty,
		DuplicateCells: d.ID.Duplicates, ForeignCells: d.ID.Foreign, BrokenCells: tally.BrokenCells,
		Damaged: d.Damaged, Warnings: d.Warnings,
	}
	if p := d.Puzzle; p != nil {
		if len(clues) == 0 {
			clues = p.Clues
		}
		v.Clues = len(clues)
		if q, err := p.WithClues(clues); err == nil {
			v.CluesHeld = q.CluesHeld(d.Grid)
		}
		if p.Framed() {
			v.RimFaultCells = tally.RimFaults
		}
		v.Official = d.Official && len(d.ID.Foreign) == 0 && len(d.ID.Duplicates) == 0
	}
	for _, list := range []*[]int{&v.DuplicateCells, &v.ForeignCells, &v.RimFaultCells, &v.BrokenCells} {
		if *list == nil {
			*list = []int{}
		}
	}
	if v.Warnings == nil {
		v.Warnings = []string{}
	}
	v.Duplicates, v.Foreign, v.RimFaults = len(v.DuplicateCells), len(v.ForeignCells), len(v.RimFaultCells)
	return v
}

func (v *verdict) summary(out io.Writer) error {
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
