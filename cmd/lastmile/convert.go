package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"lastmile/draw"
	"lastmile/notation"
)

type convertCommand struct {
	Board string `arg:"" help:"The board or puzzle: a file, - for standard input, a link or text, or a bundled name."`
	boardFlags
	To      string `required:"" placeholder:"DIALECT" help:"What to write. Drawings: text, svg, png. Dialects: ${dialects}."`
	Out     string `short:"o" placeholder:"FILE" help:"Write to this file instead of standard output."`
	Lenient bool   `help:"Read what is legible of a damaged board."`
	Cell    int    `placeholder:"PIXELS" help:"Side of a cell in a drawing."`
	Numbers bool   `help:"Write piece numbers into a drawing."`
	Plain   bool   `help:"Leave breaks and clues unmarked in a drawing."`
	Color   bool   `help:"Colours in a text drawing, for a terminal."`
}

func (c *convertCommand) Run(t *terminal) error {
	documents, err := c.boards(c.Board, c.Lenient, t)
	if err != nil {
		return err
	}
	if names := append(slices.Clone(draw.Forms), dialectNames()...); !slices.Contains(names, c.To) {
		return badf("--to %s, want one of %s", c.To, strings.Join(names, ", "))
	}
	if len(documents) > 1 && !holdsMany(c.To) {
		return badf("%d boards, want one: %s holds one", len(documents), c.To)
	}
	var out bytes.Buffer
	damaged := false // or not of the set that was asked for
	for _, d := range documents {
		warn(t, d)
		for _, lost := range notation.Lost(d, c.To) {
			fmt.Fprintln(t.err, "warning: not carried over:", printable(lost))
		}
		damaged = damaged || d.Damaged || c.given() && d.OtherSet
		if err := c.write(&out, d); err != nil {
			return bad{err}
		}
	}
	if err := t.write(c.Out, out.Bytes()); err != nil {
		return err
	}
	if damaged {
		return errFailed
	}
	return nil
}

func (c *convertCommand) write(out *bytes.Buffer, d *notation.Document) error {
	o := draw.Options{Cell: c.Cell, Title: printable(d.Name), Unmarked: c.Plain, ANSI: c.Color}
	if !slices.Contains(draw.Forms, c.To) {
		return notation.Write(out, d, c.To)
	}
	if d.Grid == nil {
		return fmt.Errorf("%s: pieces without a board, want a board to draw", d.Dialect)
	}
	if !c.Plain {
		o.Clues = d.ClueCells()
	}
	if c.Numbers {
		o.Labels = make([]string, len(d.Grid.Edges))
		for _, q := range d.ID.Placements {
			o.Labels[q.Cell] = fmt.Sprint(q.Piece + 1)
		}
	}
	return draw.As(out, c.To, d.Grid, o)
}

// holdsMany tells whether one text can hold several boards.
func holdsMany(to string) bool {
	if to == "text" {
		return true
	}
	i := slices.IndexFunc(notation.Dialects(), func(d notation.Dialect) bool { return d.Name == to })
	return i >= 0 && notation.Dialects()[i].Many
}

// Help lists the dialects under the flags.
func (*convertCommand) Help() string {
	var b strings.Builder
	b.WriteString("Dialects, in the order in which they are recognised:\n\n")
	for _, d := range notation.Dialects() {
		fmt.Fprintf(&b, "  %-14s %s\n", d.Name, d.Description)
	}
	return b.String()
}

// dialectNames lists what --to and --dialect take.
func dialectNames() (names []string) {
	for _, d := range notation.Dialects() {
		if d.Writes {
			names = append(names, d.Name)
		}
	}
	return names
}
