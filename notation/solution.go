package notation

import (
	"bufio"
	"fmt"
	"io"

	"lastmile/puzzle"
)

// A solution file has width and height, then for each piece of a list its
// place: x from the left, y from the bottom, clockwise quarter turns. Which
// list that is the file does not tell. Files that count y from the top or turn
// counter-clockwise are told apart by the board that they make.

func claimsSolution(t *text) bool {
	rows, numeric := countNumeric(t)
	return numeric[3] > 0 && 2*numeric[3] > rows-1
}

func readSolution(t *text, o Options) ([]*Document, error) {
	p := o.given()
	rows := t.rows()
	if len(rows) == 0 {
		return nil, fault("", "no rows", "width and height, then x, y and rotation for each piece")
	}
	size, ok := numbersIn(rows[0].text)
	if !ok || len(size) != 2 {
		return nil, fault(fmt.Sprintf("line %d", rows[0].number), clip(rows[0].text), "width and height")
	}
	if size[0] != p.Width || size[1] != p.Height {
		return nil, fault(fmt.Sprintf("line %d", rows[0].number), fmt.Sprintf("a board of %dx%d", size[0], size[1]),
			fmt.Sprintf("%dx%d as %s has, or the piece list that the solution belongs to", p.Width, p.Height, setName(p)))
	}
	places, err := placesIn(rows[1:], p)
	if err != nil {
		return nil, err
	}
	d := &Document{}
	g, numbers := chooseFrame(d, places, p)
	d.Grid = g
	// The places of another list make no board: grey lies inside.
	if p.Framed() && 2*worth(p, g) < p.MaxScore() {
		if o.Puzzle == nil {
			return nil, fault("", "places that make no board of "+setName(p), "the piece list that the solution belongs to")
		}
		d.warn("the places make no board of %s: they belong to another piece list", setName(p))
	}
	q := o.naming()
	if q != p {
		numbers = nil
	}
	d.nameBy(q, numbers)
	return []*Document{d}, nil
}

// place is where a piece lies, as written.
type place struct{ x, y, rotation int }

func placesIn(rows []line, p *puzzle.Puzzle) ([]place, error) {
	if len(rows) != p.Cells() {
		return nil, fault("", counted(len(rows), "piece"), fmt.Sprintf("%d for %dx%d", p.Cells(), p.Width, p.Height))
	}
	places := make([]place, len(rows))
	on := map[[2]int]int{}
	var wrong []int
	for piece, l := range rows {
		n, ok := numbersIn(l.text)
		if !ok || len(n) != 3 || n[0] < 0 || n[0] >= p.Width || n[1] < 0 || n[1] >= p.Height || n[2] < 0 || n[2] > 3 {
			wrong = append(wrong, l.number)
			continue
		}
		at := [2]int{n[0], n[1]}
		if other, taken := on[at]; taken {
			return nil, fault(fmt.Sprintf("line %d", l.number), fmt.Sprintf("x %d, y %d, where line %d is", n[0], n[1], rows[other].number), "each place once")
		}
		on[at], places[piece] = piece, place{n[0], n[1], n[2]}
	}
	if len(wrong) > 0 {
		return nil, fault(linesText(wrong), "no place on the board", fmt.Sprintf("x from 0 to %d, y from 0 to %d, rotation from 0 to 3", p.Width-1, p.Height-1))
	}
	return places, nil
}

// chooseFrame lays the pieces out as the dialect says, or the other way up or
// round where only that makes a board.
func chooseFrame(d *Document, places []place, p *puzzle.Puzzle) (best *puzzle.Grid, numbers []int) {
	const margin = 12
	var plain, most int
	for i, frame := range []struct {
		fromTop, counter bool
		text             string
	}{{false, false, ""}, {true, false, "y from the top"}, {false, true, "counter-clockwise turns"}, {true, true, "y from the top and counter-clockwise turns"}} {
		g := puzzle.NewGrid(p.Width, p.Height)
		by := make([]int, p.Cells())
		for piece, at := range places {
			y, r := p.Height-1-at.y, at.rotation
			if frame.fromTop {
				y = at.y
			}
			if frame.counter {
				r = -r & 3
			}
			cell := y*p.Width + at.x
			g.Edges[cell], g.Filled[cell], by[cell] = p.Rotated(piece, r), true, piece
		}
		v := worth(p, g)
		if i == 0 {
			best, numbers, plain, most = g, by, v, v
		} else if v >= plain+margin && v >= 2*plain && v > most && makesSense(g) {
			best, numbers, most = g, by, v
			d.Warnings = d.Warnings[:0]
			d.warn("places read with %s: only so do they make a board", frame.text)
		}
	}
	return best, numbers
}

func writeSolution(w io.Writer, d *Document) error {
	byCell, err := d.named()
	if err != nil {
		return err
	}
	p := d.Puzzle
	places := make([]string, p.Cells())
	for cell, q := range byCell {
		if q.Piece < 0 {
			return fault(fmt.Sprintf("cell %d", cell), "no piece", "a full board, or pieces, et2, bucas")
		}
		places[q.Piece] = fmt.Sprintf("%d %d %d", cell%p.Width, p.Height-1-cell/p.Width, q.Rotation)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%d %d\n", p.Width, p.Height)
	for _, s := range places {
		fmt.Fprintln(b, s)
	}
	return b.Flush()
}
