package notation

import (
	"encoding/json"
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// readHints takes hints by piece, and tiles that are placed by their colours.
// A hint that is given again is counted once.
func (b jsonBoard) readHints(d *Document, set *jsonSet) error {
	hints, err := b.elements("hints")
	if err != nil {
		return err
	}
	placed, err := b.elements("placed")
	if err != nil {
		return err
	}
	var repeated []int
	for i, entry := range hints {
		where := fmt.Sprintf("hints, entry %d", i+1)
		q, err := set.place(where, entry)
		if err != nil {
			return err
		}
		again, err := d.addHint(set, where, q.Cell, set.listed.Rotated(q.Piece, q.Rotation), q.Piece)
		if err != nil {
			return err
		}
		if again {
			repeated = append(repeated, q.Cell)
		}
	}
	for i, raw := range placed {
		where := fmt.Sprintf("placed, entry %d", i+1)
		cell, e, err := set.tile(where, raw)
		if err != nil {
			return err
		}
		again, err := d.addHint(set, where, cell, e, puzzle.Empty)
		if err != nil {
			return err
		}
		if again {
			repeated = append(repeated, cell)
		}
	}
	if n := len(repeated); n > 0 {
		slices.Sort(repeated)
		d.warn("%s repeated, %s: counted once", counted(n, "hint"), cellsText(slices.Compact(repeated)))
	}
	if len(d.Hints) > 0 && d.Puzzle == nil {
		d.warn("%s left out: the piece set of the board is not known", counted(len(d.Hints), "hint"))
		d.Hints = nil
	}
	if len(d.Hints) == 0 {
		return nil
	}
	slices.SortFunc(d.Hints, func(a, c puzzle.Placement) int { return a.Cell - c.Cell })
	if d.Puzzle != nil && !d.Official && d.Listed != nil {
		p, err := d.Puzzle.WithClues(d.Hints)
		if err != nil {
			d.warn("the hints are no clues of the puzzle: %v", err)
			return nil
		}
		d.Puzzle, d.Listed = p, p
	}
	return nil
}

// tile reads a tile that is placed by its colours.
func (s *jsonSet) tile(where string, raw json.RawMessage) (cell int, e puzzle.Edges, err error) {
	entry, err := objectIn(where, raw)
	if err != nil {
		return 0, e, err
	}
	row, hasRow, err := entry.whole("row")
	if err != nil {
		return 0, e, err
	}
	col, hasCol, err := entry.whole("col")
	if err != nil {
		return 0, e, err
	}
	p := s.names
	switch {
	case !hasRow || !hasCol || !entry.has("tile"):
		return 0, e, fault(where, "an entry without row, col or tile", "all three")
	case row < 0 || row >= p.Height || col < 0 || col >= p.Width:
		return 0, e, fault(where, fmt.Sprintf("row %d, col %d", row, col), fmt.Sprintf("rows 0 to %d, cols 0 to %d", p.Height-1, p.Width-1))
	}
	e, err = s.edges(where, entry.values["tile"])
	return row*p.Width + col, e, err
}

// addHint adds a hint by its look: the piece with the number of the text if
// that is one of the set, else the first of that look that no hint uses. again
// tells that the cell has that hint already.
func (d *Document) addHint(set *jsonSet, where string, cell int, look puzzle.Edges, number int) (again bool, err error) {
	p := set.names
	if h, taken := set.hintOn[cell]; taken {
		if p.Rotated(h.Piece, h.Rotation) == look {
			return true, nil
		}
		return false, fault(where, fmt.Sprintf("another piece on cell %d", cell), "one for each cell")
	}
	if set.names != set.listed || number < 0 || set.hinted[number] {
		number = slices.IndexFunc(p.Pieces, func(e puzzle.Edges) bool { return turnsTo(e, look) >= 0 })
		if number >= 0 && set.hinted[number] { // a twin that is not hinted
			class := p.Class(number)
			number = puzzle.Empty
			for piece := range p.Pieces {
				if p.Class(piece) == class && !set.hinted[piece] {
					number = piece
					break
				}
			}
		}
		// The board may say which of several pieces of that look it is.
		i, ok := slices.BinarySearchFunc(d.ID.Placements, cell, func(q puzzle.Placement, cell int) int { return q.Cell - cell })
		if ok {
			if q := d.ID.Placements[i]; p.Rotated(q.Piece, q.Rotation) == look && !set.hinted[q.Piece] {
				number = q.Piece
			}
		}
	}
	if number < 0 {
		return false, fault(where, fmt.Sprintf("colours %d on cell %d", look, cell), "those of a piece that no other hint has")
	}
	q := puzzle.Placement{Cell: cell, Piece: number, Rotation: turnsTo(p.Pieces[number], look)}
	d.Hints = append(d.Hints, q)
	set.hintOn[cell], set.hinted[number] = q, true
	return false, nil
}
