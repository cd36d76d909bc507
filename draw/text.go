package draw

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"lastmile/puzzle"
)

// Text writes the board with box-drawing lines, each cell with its four colours
// at its four sides:
//
//	┌─────┐
//	│  a  │
//	│b   c│
//	│  d  │
//	└─────┘
//
// A colour up to 25 is a letter, a for grey; a higher one is two hexadecimal
// digits, 1A to FF, so that no two colours look alike. A broken seam has a ╳
// on its line, a clue a * in its corner, an empty cell a dot in its middle. A
// label stands in the middle of its cell, cut to three runes. A board of 16
// columns is 97 runes wide; cells widen by two where labels meet colours above
// 25.
//
// Options.ANSI paints letters in the inks of their colours and the ╳ on red.
func Text(w io.Writer, g *puzzle.Grid, o Options) error {
	if err := check(g, o); err != nil {
		return err
	}
	t := &terminal{Writer: bufio.NewWriter(w), grid: g, options: o, inner: 5, clue: make([]bool, len(g.Edges))}
	for _, c := range o.Clues {
		t.clue[c] = true
	}
	for _, e := range g.Edges {
		for _, c := range e {
			if c > lastLetter && len(o.Labels) > 0 {
				t.inner = 7
			}
		}
	}
	if o.Title != "" {
		t.WriteString(plain(cut(o.Title, titleRunes)) + "\n")
	}
	for row := range g.Height {
		t.rule(row)
		t.line(row, puzzle.Up)
		t.middle(row)
		t.line(row, puzzle.Down)
	}
	t.rule(g.Height)
	return t.Flush()
}

// lastLetter is the highest colour that has a letter, z.
const lastLetter = 25

// A terminal leaves errors to Flush.
type terminal struct {
	*bufio.Writer
	grid    *puzzle.Grid
	options Options
	inner   int // columns inside a cell
	clue    []bool
}

// rule draws the line above a row, or below the last one.
func (t *terminal) rule(row int) {
	g := t.grid
	ends := "├┼┤"
	switch row {
	case 0:
		ends = "┌┬┐"
	case g.Height:
		ends = "└┴┘"
	}
	corner := []rune(ends)
	for column := range g.Width {
		t.WriteRune(corner[min(column, 1)])
		dash := strings.Repeat("─", t.inner/2)
		t.WriteString(dash)
		cell := row*g.Width + column
		if row > 0 && row < g.Height && t.broken(cell, puzzle.Up) {
			t.cross()
		} else {
			t.WriteString("─")
		}
		t.WriteString(dash)
	}
	t.WriteString(string(corner[2]) + "\n")
}

// line draws the upper or the lower colours of a row.
func (t *terminal) line(row, side int) {
	for column := range t.grid.Width {
		cell := row*t.grid.Width + column
		mark := " "
		if side == puzzle.Up && t.clue[cell] {
			mark = "*"
		}
		t.WriteString("│" + mark)
		if t.grid.Filled[cell] {
			name := colourName(t.grid.Edges[cell][side])
			left := (t.inner-len(name))/2 - 1
			t.WriteString(strings.Repeat(" ", left))
			t.colour(t.grid.Edges[cell][side])
			t.WriteString(strings.Repeat(" ", t.inner-1-left-len(name)))
		} else {
			t.WriteString(strings.Repeat(" ", t.inner-1))
		}
	}
	t.WriteString("│\n")
}

// middle draws the left and right colours of a row, and what lies between.
func (t *terminal) middle(row int) {
	for column := range t.grid.Width {
		cell := row*t.grid.Width + column
		if column > 0 && t.broken(cell, puzzle.Left) {
			t.cross()
		} else {
			t.WriteString("│")
		}
		label := ""
		if len(t.options.Labels) > 0 {
			label = plain(cut(t.options.Labels[cell], 3))
		}
		if !t.grid.Filled[cell] {
			if label == "" {
				label = "·"
			}
			t.centred(label, t.inner)
			continue
		}
		left, right := t.grid.Edges[cell][puzzle.Left], t.grid.Edges[cell][puzzle.Right]
		t.colour(left)
		t.centred(label, t.inner-len(colourName(left))-len(colourName(right)))
		t.colour(right)
	}
	t.WriteString("│\n")
}

// centred writes a text in the middle of so many columns.
func (t *terminal) centred(text string, columns int) {
	room := columns - utf8.RuneCountInString(text)
	t.WriteString(strings.Repeat(" ", room/2) + text + strings.Repeat(" ", room-room/2))
}

func (t *terminal) broken(cell, side int) bool {
	n := beyond(t.grid, cell, side)
	return !t.options.Unmarked && n >= 0 && seam(t.grid, cell, n, side) == broken
}

// cross marks a break.
func (t *terminal) cross() { t.painted("╳", white, alarm) }

// colour writes a colour's name.
func (t *terminal) colour(c uint8) {
	ink := inksOf(c)
	if c == puzzle.Grey {
		ink.body = lead
	}
	t.painted(colourName(c), ink.body, ink.field)
}

func (t *terminal) painted(text string, ink, ground color.NRGBA) {
	if !t.options.ANSI {
		t.WriteString(text)
		return
	}
	fmt.Fprintf(t, "\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm%s\x1b[0m", ink.R, ink.G, ink.B, ground.R, ground.G, ground.B, text)
}

func colourName(c uint8) string {
	if c <= lastLetter {
		return string('a' + rune(c))
	}
	return fmt.Sprintf("%02X", c)
}

// plain replaces what a terminal might obey instead of print.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
