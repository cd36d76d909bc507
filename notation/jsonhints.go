package notation

import (
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// readHints takes hints by piece, and tiles that are placed by their colours.
// A hint that is given again is counted once.
func (b *jsonBoard) readHints(d *Document, set *jsonSet) error {
	var repeated []int
	for i, entry := range b.Hints {
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
	for i, entry := range b.Placed {
		where := fmt.Sprintf("placed, entry %d", i+1)
		if entry.Row == nil || entry.Col == nil {
			return fault(where, "no row or no col", "both")
		}
		p := set.names
		if *entry.Row < 0 || *entry.Row >= p.Height || *entry.Col < 0 || *entry.Col >= p.Width {
			return fault(where, fmt.Sprintf("row %d, col %d", *entry.Row, *entry.Col), fmt.Sprintf("rows 0 to %d, cols 0 to %d", p.Height-1, p.Width-1))
		}
		e, err := set.edges(where, entry.Tile)
		if err != nil {
			return err
		}
		cell := *entry.Row*p.Width + *entry.Col
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
