package ledger

import (
	"lastmile/puzzle"
)

// Ledger keeps, as pieces come and go on a board, the supply of half-edges by
// the free pieces against the demand of the sides that face empty cells, and
// the sums of what is missing. Place and Remove are O(1), allocate nothing,
// and undo each other; nothing is summed over the colours again.
//
// Breaks are counted from the board as New found it: those that were there
// are not charged.
type Ledger struct {
	board     *puzzle.Board
	scheme    *scheme
	tally     *tally
	uncharged []bool // by cell, or nil
	breaks    int    // charged since New
	free      int    // half-edges still to come that no seam charges
}

// New opens the ledger of a board. The board is then the ledger's: change it by
// Place and Remove of the ledger alone. Seams of the uncharged cells, which
// must be filled, cost nothing; there may be none. Cells and Hall look at cells
// and not at colours: they are tested in a search alone.
func New(b *puzzle.Board, c Conditions, uncharged ...int) (*Ledger, error) {
	l := &Ledger{board: b}
	if len(uncharged) > 0 {
		l.uncharged = make([]bool, b.Puzzle().Cells())
		for _, cell := range uncharged {
			l.uncharged[cell] = true
		}
	}
	var err error
	l.scheme, l.tally, l.free, err = newTally(b, c, l.uncharged)
	return l, err
}

// Board is the board that the ledger keeps. Do not change it.
func (l *Ledger) Board() *puzzle.Board { return l.board }

// Breaks is the number of charged breaks since the ledger was opened.
func (l *Ledger) Breaks() int { return l.breaks }

// Place puts a piece on an empty cell.
func (l *Ledger) Place(cell, piece, rotation int) {
	l.board.Place(cell, piece, rotation)
	l.enter(cell, 1)
}

// Remove takes the piece off a filled cell. Cells that were filled when the
// ledger was opened stay.
func (l *Ledger) Remove(cell int) {
	l.enter(cell, -1)
	l.board.Remove(cell)
}

// enter books the piece on a cell, or with sign -1 takes it out of the books.
func (l *Ledger) enter(cell int, sign int32) {
	p, s, t := l.board.Puzzle(), l.scheme, l.tally
	mine := l.board.Edges(cell)
	for side, n := range p.Neighbours(cell) {
		k := s.kindOfCell(p, cell, side)
		key := s.key[k] + int32(mine[side])
		switch {
		case n < 0 && s.framed:
		case n < 0 || l.uncharged != nil && l.uncharged[n]:
			t.shift(key, -sign*s.unit[k])
			l.free -= int(sign)
		case l.board.Piece(int(n)) == puzzle.Empty:
			t.shift(key, -sign*(s.unit[k]+s.unit[s.kindOfCell(p, int(n), side^2)]))
		default:
			theirs := l.board.Edges(int(n))[side^2]
			if theirs == mine[side] && theirs != puzzle.Grey {
				continue
			}
			t.shift(key, -sign*s.unit[k])
			t.shift(s.key[k]+int32(theirs), sign*s.unit[k])
			l.breaks += int(sign)
		}
	}
}

// Holds tells whether a completion with so many charged breaks in all may
// exist. When it is false there is none; when it is true there may be none all
// the same.
func (l *Ledger) Holds(budget int) bool {
	left := budget - l.breaks
	return left >= 0 && (l.scheme.limit(min(left, MaxCells*2), l.free)-l.tally.sums)&tops == tops
}

// Needs is the least number of further charged breaks that the conditions of
// the ledger leave possible.
func (l *Ledger) Needs() int { return l.scheme.needs(l.tally.sums, l.free) }

// Uncharged is the number of half-edges to come that no charged seam will hold:
// u in the documentation of the package.
func (l *Ledger) Uncharged() int { return l.free }

// Balance is supply less demand of a colour, all kinds together.
func (l *Ledger) Balance(colour int) int {
	supply, demand := l.Account(colour)
	return supply - demand
}

// Account is the supply and the demand of a colour, counted anew from the
// board: for showing, not for searching.
func (l *Ledger) Account(colour int) (supply, demand int) {
	accounts, _ := l.scheme.count(l.board, l.uncharged)
	for k := range kinds {
		supply += accounts[colour].supply[k]
		demand += accounts[colour].demand[k]
	}
	return supply, demand
}
