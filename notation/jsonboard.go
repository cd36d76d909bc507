package notation

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"lastmile/puzzle"
)

// jsonSet is how the pieces of a JSON text are called there and here.
type jsonSet struct {
	names, listed *puzzle.Puzzle
	reading       *reading // nil when the text lists no pieces

	hintOn map[int]puzzle.Placement // hints so far, by cell
	hinted map[int]bool             // their pieces
}

// edges brings colours of the text to those of the puzzle.
func (s *jsonSet) edges(where string, raw json.RawMessage) (e puzzle.Edges, err error) {
	row, err := coloursIn(where, raw)
	if err != nil {
		return e, err
	}
	for i, c := range row {
		e[i] = uint8(c)
	}
	return s.colours(e), nil
}

func (s *jsonSet) colours(e puzzle.Edges) puzzle.Edges {
	if s.reading != nil {
		e = s.reading.order.edges([4]uint8(e))
		if s.reading.to != nil {
			e = s.reading.to.Apply(e)
		}
	}
	return e
}

// place reads a placement written with the numbers of the text.
func (s *jsonSet) place(where string, raw json.RawMessage) (q puzzle.Placement, err error) {
	entry, err := objectIn(where, raw)
	if err != nil {
		return q, err
	}
	for _, k := range []struct {
		key string
		to  *int
	}{{"cell", &q.Cell}, {"piece", &q.Piece}, {"rotation", &q.Rotation}} {
		given := false
		if *k.to, given, err = entry.whole(k.key); err != nil {
			return q, err
		}
		if !given {
			return q, fault(where, "an entry without cell, piece or rotation", "all three")
		}
	}
	n := s.listed.Cells()
	if q.Cell < 0 || q.Cell >= n || q.Piece < 1 || q.Piece > n || q.Rotation < 0 || q.Rotation > 3 {
		return q, fault(where, fmt.Sprintf("cell %d, piece %d, rotation %d", q.Cell, q.Piece, q.Rotation),
			fmt.Sprintf("cells 0 to %d, pieces 1 to %d, rotations 0 to 3", n-1, n))
	}
	q.Piece--
	return q, nil
}

// readBoard fills d.Grid from edges, else placements, else tiles that are
// listed in the order of a board.
func (b jsonBoard) readBoard(d *Document, set *jsonSet, w, h int, o Options) error {
	var numbers []int
	var placed *puzzle.Grid
	placements, err := b.elements("placements")
	if err != nil {
		return err
	}
	if placements != nil {
		p := set.listed
		if w != 0 && (p.Width != w || p.Height != h) {
			return fault("placements", fmt.Sprintf("a board of %dx%d without pieces", w, h), fmt.Sprintf("pieces, or %dx%d as %s has", p.Width, p.Height, setName(p)))
		}
		w, h = p.Width, p.Height
		placed = puzzle.NewGrid(w, h)
		numbers = slices.Repeat([]int{puzzle.Empty}, w*h)
		for i, entry := range placements {
			where := fmt.Sprintf("placements, entry %d", i+1)
			q, err := set.place(where, entry)
			if err != nil {
				return err
			}
			if placed.Filled[q.Cell] {
				return fault(where, fmt.Sprintf("cell %d again", q.Cell), "each cell once")
			}
			placed.Edges[q.Cell], placed.Filled[q.Cell] = p.Rotated(q.Piece, q.Rotation), true
			numbers[q.Cell] = q.Piece
		}
		if set.names != set.listed {
			numbers = nil
		}
	}
	if b.has("edges") {
		return b.readEdges(d, set, w, h, numbers, placed, o)
	}
	if placed == nil && b.has("placed") && d.Listed != nil {
		// Generators of such puzzles list the tiles as they lie in the solution.
		g := puzzle.NewGrid(w, h)
		for cell, e := range d.Listed.Pieces {
			g.Edges[cell], g.Filled[cell] = e, true
			numbers = append(numbers, cell)
		}
		if t := g.Tally(); len(t.RimFaults) == 0 && 2*t.Matched >= t.Max {
			placed = g
			d.warn("the tiles are listed in the order of a board that scores %d of %d: it is read as the board", t.Matched, t.Max)
		}
	}
	if placed != nil {
		d.Grid = placed
		d.nameBy(set.names, numbers)
	}
	return nil
}

// readEdges reads the colours by cell, which win over placements.
func (b jsonBoard) readEdges(d *Document, set *jsonSet, w, h int, numbers []int, placed *puzzle.Grid, o Options) error {
	if letters := stringIn(b.values["edges"]); letters != "" {
		if w == 0 {
			var err error
			if w, h, err = sizeOfLetters(utf8.RuneCountInString(letters), o); err != nil {
				return err
			}
		}
		raw, err := decodeLetters(d, "edges", letters, w, h, o.Lenient)
		if err != nil {
			return err
		}
		if set.reading == nil {
			d.nameLetters(raw, orders[0], numbers, o)
			return nil
		}
		for cell := range raw.Edges {
			raw.Edges[cell] = set.colours(raw.Edges[cell])
		}
		d.Grid = raw
		d.nameBy(set.names, numbers)
		return nil
	}
	rows, err := b.elements("edges")
	if err != nil {
		return fault("edges", kindOf(b.values["edges"]), "letters, or an array with four colours or null for each cell")
	}
	if w == 0 {
		return fault("edges", "no size", "width and height")
	}
	if len(rows) != w*h {
		return fault("edges", counted(len(rows), "cell"), fmt.Sprintf("%d for %dx%d", w*h, w, h))
	}
	g := puzzle.NewGrid(w, h)
	for cell, row := range rows {
		if string(row) == "null" {
			continue
		}
		e, err := set.edges(fmt.Sprintf("edges, cell %d", cell), row)
		if err != nil {
			return err
		}
		g.Edges[cell], g.Filled[cell] = e, true
	}
	d.Grid = g
	if set.reading != nil {
		d.nameBy(set.names, numbers)
	} else {
		d.name(set.names, numbers)
	}
	if placed != nil {
		var differ []int
		for cell := range g.Edges {
			if placed.Filled[cell] && (!g.Filled[cell] || g.Edges[cell] != placed.Edges[cell]) {
				differ = append(differ, cell)
			}
		}
		if len(differ) > 0 {
			d.warn("placements contradict the edges on %s: the edges win", cellsText(differ))
		}
	}
	return nil
}
