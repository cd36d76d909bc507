package notation

import (
	"fmt"

	"lastmile/puzzle"
)

// Sound tells why a search cannot go on from the board: its pieces must be
// known, each lie there once, and none break the frame rule.
func (d *Document) Sound() error {
	switch {
	case d.Grid == nil:
		return fmt.Errorf("%s: pieces without a board, want a board", d.Dialect)
	case d.Puzzle == nil:
		return fmt.Errorf("%s: the pieces of the board are not known", d.Dialect)
	case len(d.ID.Foreign) > 0:
		return fmt.Errorf("cell %d holds a piece that is not of the set, want boards of whole sets; score lists such cells", d.ID.Foreign[0])
	case len(d.ID.Duplicates) > 0:
		return fmt.Errorf("cell %d holds a piece that lies elsewhere too, want each piece once; score lists such cells", d.ID.Duplicates[0])
	}
	if faults := d.Grid.Tally().RimFaults; d.Puzzle.Framed() && len(faults) > 0 {
		return fmt.Errorf("cell %d breaks the frame rule, want grey on the rim and only there", faults[0])
	}
	return nil
}

// Holding splits clues into those that the board holds, with the pieces as the
// board names them, and the others. A board names one of several twins; the look
// decides. The board must be sound.
func (d *Document) Holding(clues []puzzle.Placement) (held, others []puzzle.Placement) {
	at := map[int]puzzle.Placement{}
	for _, q := range d.ID.Placements {
		at[q.Cell] = q
	}
	for _, q := range clues {
		if on, filled := at[q.Cell]; filled && d.Puzzle.Rotated(on.Piece, on.Rotation) == d.Puzzle.Rotated(q.Piece, q.Rotation) {
			held = append(held, on)
		} else {
			others = append(others, q)
		}
	}
	return held, others
}

// Clues are those that a board is judged by: of the official puzzle its five,
// else the hints of the text.
func (d *Document) Clues() []puzzle.Placement {
	if d.Official {
		return puzzle.Official().Clues
	}
	return d.Hints
}

// ClueCells are the cells on which the board holds a clue of its puzzle.
func (d *Document) ClueCells() (cells []int) {
	if d.Puzzle == nil || d.Grid == nil {
		return nil
	}
	for _, q := range d.Puzzle.Clues {
		if d.Grid.Filled[q.Cell] && d.Grid.Edges[q.Cell] == d.Puzzle.Rotated(q.Piece, q.Rotation) {
			cells = append(cells, q.Cell)
		}
	}
	return cells
}

// Borrow reads the board with the pieces of another when those of its own are not
// known or are not all of one set, and the other's are: a partial board says
// little of its set.
func (d *Document) Borrow(from *Document) {
	p := from.Puzzle
	if d.Puzzle != nil && len(d.ID.Foreign)+len(d.ID.Duplicates) == 0 || p == nil || d.Grid.Width != p.Width || d.Grid.Height != p.Height {
		return
	}
	if id := p.Identify(d.Grid); len(id.Foreign)+len(id.Duplicates) == 0 {
		d.Puzzle, d.ID = p, id
	}
}
