package notation

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lastmile/puzzle"
)

// The viewer of eternity2.dev takes a board in the query of a link. It has one
// puzzle_size, so its boards are square, and hints=cell.rotation-..., which
// mark pieces of the board as given.

// readHints takes the hints of a link. The edges name the piece; where they
// contradict the rotation, they win.
func (d *Document) readHints(s string, lenient bool) error {
	if s == "" {
		return nil
	}
	cells := len(d.Grid.Edges)
	want := fmt.Sprintf("cell.rotation joined by -, cells 0 to %d, rotations 0 to 3, each cell once", cells-1)
	if n := strings.Count(s, "-") + 1; n > 2*cells+8 {
		return fault("hints", counted(n, "hint"), want)
	}
	type hint struct{ cell, rotation int }
	var hints []hint
	var bad []string
	seen := map[int]bool{}
	for i, entry := range strings.Split(s, "-") {
		a, b, two := strings.Cut(entry, ".")
		cell, err1 := strconv.Atoi(a)
		rotation, err2 := strconv.Atoi(b)
		what := ""
		switch {
		case entry == "":
			what = "is empty"
		case !two || err1 != nil || err2 != nil:
			what = clip(entry) + " is not two numbers"
		case cell < 0 || cell >= cells:
			what = fmt.Sprintf("has cell %d", cell)
		case rotation < 0 || rotation > 3:
			what = fmt.Sprintf("has rotation %d on cell %d", rotation, cell)
			seen[cell] = true
		case seen[cell]:
			what = fmt.Sprintf("repeats cell %d", cell)
		default:
			hints = append(hints, hint{cell, rotation})
			seen[cell] = true
		}
		if what != "" {
			bad = append(bad, fmt.Sprintf("entry %d %s", i+1, what))
		}
	}
	if len(bad) > 0 {
		if !lenient {
			return fault("hints", joined(bad), want)
		}
		d.warn("hints: %s, want %s: left out", joined(bad), want)
		d.Damaged = true
	}
	var contradicted, unnamed []int
	var details []string
	for _, h := range hints {
		i, ok := slices.BinarySearchFunc(d.ID.Placements, h.cell, func(q puzzle.Placement, cell int) int { return q.Cell - cell })
		if !ok {
			unnamed = append(unnamed, h.cell)
			continue
		}
		q := d.ID.Placements[i]
		if d.Puzzle.Rotated(q.Piece, h.rotation) != d.Grid.Edges[h.cell] {
			contradicted = append(contradicted, h.cell)
			details = append(details, fmt.Sprintf("cell %d says %d, edges %d", h.cell, h.rotation, q.Rotation))
		}
		d.Hints = append(d.Hints, q)
	}
	if len(contradicted) > 0 {
		d.warn("hints contradict the rotation on %s (%s): the edges win", cellsText(contradicted), joined(details))
	}
	if len(unnamed) > 0 {
		d.warn("hints on %s name no piece: the board has none of the set there", cellsText(unnamed))
	}
	return nil
}

// joined lists faults, the first few of many.
func joined(faults []string) string {
	const most = 8
	if n := len(faults); n > most {
		return strings.Join(faults[:most], "; ") + fmt.Sprintf("; and %d more", n-most)
	}
	return strings.Join(faults, "; ")
}

// writeViewer refuses boards that are not square: the viewer would show
// another board. Hints are written where the board holds them.
func writeViewer(w io.Writer, d *Document) error {
	g, err := d.board()
	if err != nil {
		return err
	}
	if g.Width != g.Height {
		return fault("", fmt.Sprintf("a board of %dx%d", g.Width, g.Height), "a square one (the viewer has one puzzle_size), or bucas")
	}
	letters, err := encodeLetters(g)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "https://eternity2.dev/viewer?puzzle=%s&puzzle_size=%d&board_edges=%s", escape(d.Name, ""), g.Width, letters)
	sep := "&hints="
	for _, h := range d.givenHints() {
		if d.holds(h) {
			fmt.Fprintf(w, "%s%d.%d", sep, h.Cell, h.Rotation)
			sep = "-"
		}
	}
	_, err = io.WriteString(w, "\n")
	return err
}
