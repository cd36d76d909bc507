package puzzle

import "fmt"

// Codes are the board as one number a cell: 4*piece + rotation, or -1 where it is
// empty. It is how boards travel between programs of this module.
func (b *Board) Codes() []int {
	codes := make([]int, b.puzzle.Cells())
	for cell := range codes {
		codes[cell] = -1
		if piece := b.Piece(cell); piece != Empty {
			codes[cell] = 4*piece + b.Rotation(cell)
		}
	}
	return codes
}

// Codes are placements as one number a cell, see Board.Codes.
func (p *Puzzle) Codes(placements []Placement) []int {
	b := NewBoard(p)
	b.Load(placements)
	return b.Codes()
}

// Decode makes the board that the codes tell of. They must be as many as there
// are cells and hold each piece once at most; the frame rule is not asked for.
func (p *Puzzle) Decode(codes []int) (*Board, error) {
	if len(codes) != p.Cells() {
		return nil, fmt.Errorf("a board of %d cells, want %d", len(codes), p.Cells())
	}
	b := NewBoard(p)
	for cell, code := range codes {
		if code == -1 {
			continue
		}
		if code < 0 || code >= 4*p.Cells() || b.CellOf(code>>2) != Empty {
			return nil, fmt.Errorf("cell %d holds %d, want -1 or four times a piece of its own, plus its turns", cell, code)
		}
		b.Place(cell, code>>2, code&3)
	}
	return b, nil
}
