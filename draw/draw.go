// Package draw draws a board for people: as an SVG document, as a PNG image,
// and as text for a terminal.
//
// Every side of a piece is a triangle in the colour of that side, with half a
// motif; two sides that match join to a diamond with the whole motif. Motifs
// differ by shape, not by hue alone, so that a reader who does not see colours
// can still match them. A broken seam carries a red bar.
//
// The drawing is a scene of stamps (see scene.go), laid out once and then
// written as vectors or as pixels, so that both show the same. The same board
// and options give the same bytes.
package draw

import (
	"fmt"

	"lastmile/puzzle"
)

// Options say what to draw besides the colours. The zero value is a plain
// board with its breaks marked.
type Options struct {
	// Cell is the side of a cell in pixels, MinCell to MaxCell. 0 chooses: 60,
	// less on boards of more than 40 cells a side. Text takes no notice of it.
	Cell int

	Title    string   // a line above the board
	Unmarked bool     // leave breaks unmarked
	Clues    []int    // cells to outline
	Labels   []string // by cell, such as piece numbers; nil for none, "" for no label

	// ANSI makes Text print in colour, for terminals that know 24-bit escapes.
	ANSI bool
}

// Bounds on the side of a cell, in pixels.
const (
	MinCell = 8
	MaxCell = 400
)

// maxPixels bounds the area of a drawing; an image takes four bytes a pixel.
const maxPixels = 1 << 25

const (
	defaultCell = 60
	defaultSide = 2400 // pixels along the longer side of a large board
)

// check tells what is wrong with the board or the options.
func check(g *puzzle.Grid, o Options) error {
	cells := g.Width * g.Height
	switch {
	case g.Width < 1 || g.Height < 1 || g.Width > puzzle.MaxSide || g.Height > puzzle.MaxSide:
		return fmt.Errorf("draw: a board of %dx%d cells, want sides of 1 to %d", g.Width, g.Height, puzzle.MaxSide)
	case len(g.Edges) != cells || len(g.Filled) != cells:
		return fmt.Errorf("draw: colours for %d and fillings for %d cells, want %d", len(g.Edges), len(g.Filled), cells)
	case len(o.Labels) != 0 && len(o.Labels) != cells:
		return fmt.Errorf("draw: %d labels, want none or one for each of %d cells", len(o.Labels), cells)
	}
	for _, cell := range o.Clues {
		if cell < 0 || cell >= cells {
			return fmt.Errorf("draw: clue on cell %d, want 0 to %d", cell, cells-1)
		}
	}
	return nil
}

// cellSize is the side of a cell in pixels.
func cellSize(g *puzzle.Grid, o Options) (int, error) {
	if o.Cell == 0 {
		return max(MinCell, min(defaultCell, defaultSide/max(g.Width, g.Height))), nil
	}
	if o.Cell < MinCell || o.Cell > MaxCell {
		return 0, fmt.Errorf("draw: cells of %d pixels, want %d to %d", o.Cell, MinCell, MaxCell)
	}
	tooLarge := func(cell int) bool { return g.Width*g.Height*cell > maxPixels/cell }
	if tooLarge(o.Cell) {
		most := o.Cell
		for tooLarge(most) {
			most--
		}
		return 0, fmt.Errorf("draw: cells of %d pixels on a board of %dx%d, want at most %d", o.Cell, g.Width, g.Height, most)
	}
	return o.Cell, nil
}

// A seam's state is read the way the score reads it.
type state int

const (
	open state = iota
	matched
	broken
)

// seam tells the state of the seam on the given side of a cell that has a
// neighbour there.
func seam(g *puzzle.Grid, cell, neighbour, side int) state {
	switch {
	case !g.Filled[cell] || !g.Filled[neighbour]:
		return open
	case g.Edges[cell][side] != puzzle.Grey && g.Edges[cell][side] == g.Edges[neighbour][side^2]:
		return matched
	}
	return broken
}

// beyond is the cell on the given side, or -1.
func beyond(g *puzzle.Grid, cell, side int) int {
	row, column := cell/g.Width, cell%g.Width
	switch {
	case side == puzzle.Up && row > 0:
		return cell - g.Width
	case side == puzzle.Right && column < g.Width-1:
		return cell + 1
	case side == puzzle.Down && row < g.Height-1:
		return cell + g.Width
	case side == puzzle.Left && column > 0:
		return cell - 1
	}
	return -1
}
