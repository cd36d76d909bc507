package puzzle

import (
	"fmt"
	"slices"
)

// Limits of what a Puzzle may be. They bound the memory that a pasted text can
// claim and let cells, pieces and colours be kept in small integers.
const (
	MaxSide    = 128
	MaxCells   = 1 << 14
	MaxColours = 254 // colour 255 is left free for searches to mean "none"
)

// A Placement puts a piece on a cell, turned clockwise by Rotation quarter turns.
type Placement struct {
	Cell, Piece, Rotation int
}

// An Oriented is a piece in one of its rotations.
type Oriented struct {
	Piece    int32
	Rotation uint8
	Edges    Edges
}

// Puzzle is a set of pieces and the size of the board that they fill, with the
// tables that every search over it shares. It is immutable: build it with New.
type Puzzle struct {
	Name          string
	Width, Height int
	Pieces        []Edges     // one for each cell
	Clues         []Placement // pieces whose place is given, at most one a cell

	framed    bool
	colours   int
	neighbour [][4]int32     // by cell and side, -1 beyond the rim
	rimMask   []uint8        // by cell: bit i set when side i lies on the rim
	rotated   []Edges        // by 4*piece + rotation
	grey      []uint8        // by 4*piece + rotation: bit i set when side i is grey
	period    []uint8        // by piece
	class     []int32        // by piece: the lowest piece that is the same up to rotation
	fits      [16][]Oriented // by rim mask: every distinct way to fill such a cell
}

// New checks its arguments and builds the tables. There must be one piece for
// each cell. The pieces are not copied.
func New(name string, width, height int, pieces []Edges, clues []Placement) (*Puzzle, error) {
	if width < 1 || height < 1 || width > MaxSide || height > MaxSide || width*height > MaxCells {
		return nil, fmt.Errorf("puzzle: size %dx%d, want sides of 1 to %d and at most %d cells", width, height, MaxSide, MaxCells)
	}
	if len(pieces) != width*height {
		return nil, fmt.Errorf("puzzle: %d pieces, want %d for %dx%d cells", len(pieces), width*height, width, height)
	}
	for i, e := range pieces {
		if c := slices.Max(e[:]); c > MaxColours {
			return nil, fmt.Errorf("puzzle: colour %d on piece %d, want 0 to %d", c, i+1, MaxColours)
		}
	}
	p := &Puzzle{Name: name, Width: width, Height: height, Pieces: pieces, Clues: clues}
	p.layOut()
	p.turnPieces()
	p.framed = p.greyFitsRim()
	p.listFits()
	if err := p.checkClues(); err != nil {
		return nil, err
	}
	return p, nil
}

// WithClues returns the same puzzle with other clues.
func (p *Puzzle) WithClues(clues []Placement) (*Puzzle, error) {
	q := *p
	q.Clues = clues
	if err := q.checkClues(); err != nil {
		return nil, err
	}
	return &q, nil
}

// Cells is the number of cells, and of pieces.
func (p *Puzzle) Cells() int { return p.Width * p.Height }

// Colours is the highest colour number; grey is not counted.
func (p *Puzzle) Colours() int { return p.colours }

// MaxScore is the number of seams: 2wh - w - h.
func (p *Puzzle) MaxScore() int { return seams(p.Width, p.Height) }

func seams(w, h int) int { return 2*w*h - w - h }

// Framed tells whether the frame rule applies: the grey sides of the pieces
// are exactly what the rim of the board asks for, so grey can and must lie on
// the rim and only there.
func (p *Puzzle) Framed() bool { return p.framed }

// Neighbour is the cell beyond the given side, or -1.
func (p *Puzzle) Neighbour(cell, side int) int { return int(p.neighbour[cell][side]) }

// Neighbours are the cells beyond the four sides, -1 beyond the rim.
func (p *Puzzle) Neighbours(cell int) [4]int32 { return p.neighbour[cell] }

// RimMask has bit i set when side i of the cell lies on the rim.
func (p *Puzzle) RimMask(cell int) int { return int(p.rimMask[cell]) }

// Rotated is the piece turned clockwise by rotation (0 to 3) quarter turns.
func (p *Puzzle) Rotated(piece, rotation int) Edges { return p.rotated[piece*4+rotation] }

// Period is the number of distinct rotations of the piece: 1, 2 or 4.
func (p *Puzzle) Period(piece int) int { return int(p.period[piece]) }

// Class is the lowest piece that equals this one up to rotation. Searches that
// count boards by their look try one unused piece of a class, not each.
func (p *Puzzle) Class(piece int) int { return int(p.class[piece]) }

// Fits lists every piece in each of its distinct rotations that may lie on the
// cell: under the frame rule those whose grey lies on the rim and only there,
// otherwise all. The list is shared; do not change it.
func (p *Puzzle) Fits(cell int) []Oriented {
	if !p.framed {
		return p.fits[0]
	}
	return p.fits[p.rimMask[cell]]
}

// FitsAt tells whether the piece, turned by rotation, may lie on the cell.
func (p *Puzzle) FitsAt(cell, piece, rotation int) bool {
	return !p.framed || p.grey[piece*4+rotation] == p.rimMask[cell]
}

// CluesByCell returns, for each cell, the index of its clue in Clues, or -1.
func (p *Puzzle) CluesByCell() []int {
	at := make([]int, p.Cells())
	for i := range at {
		at[i] = -1
	}
	for i, c := range p.Clues {
		at[c.Cell] = i
	}
	return at
}

func (p *Puzzle) layOut() {
	n := p.Cells()
	p.neighbour = make([][4]int32, n)
	p.rimMask = make([]uint8, n)
	for cell := range n {
		row, column := cell/p.Width, cell%p.Width
		beyond := [4]int{cell - p.Width, cell + 1, cell + p.Width, cell - 1}
		inside := [4]bool{row > 0, column < p.Width-1, row < p.Height-1, column > 0}
		for side := range 4 {
			p.neighbour[cell][side] = -1
			if inside[side] {
				p.neighbour[cell][side] = int32(beyond[side])
			} else {
				p.rimMask[cell] |= 1 << side
			}
		}
	}
}

func (p *Puzzle) turnPieces() {
	n := len(p.Pieces)
	p.rotated = make([]Edges, 4*n)
	p.grey = make([]uint8, 4*n)
	p.period = make([]uint8, n)
	p.class = make([]int32, n)
	first := make(map[Edges]int32, n)
	for i, e := range p.Pieces {
		for r := range 4 {
			p.rotated[4*i+r] = e.Rotated(r)
			p.grey[4*i+r] = uint8(e.Rotated(r).greyMask())
		}
		p.period[i] = uint8(e.Period())
		c, _ := e.Canonical()
		if _, seen := first[c]; !seen {
			first[c] = int32(i)
		}
		p.class[i] = first[c]
		p.colours = max(p.colours, int(slices.Max(e[:])))
	}
}

// greyFitsRim compares the grey patterns of the pieces with those that the
// cells ask for, both up to rotation.
func (p *Puzzle) greyFitsRim() bool {
	var need, have [16]int
	for _, m := range p.rimMask {
		need[canonicalMask(int(m))]++
	}
	for _, e := range p.Pieces {
		have[canonicalMask(e.greyMask())]++
	}
	return need == have
}

func canonicalMask(m int) int {
	return min(m, rotateMask(m, 1), rotateMask(m, 2), rotateMask(m, 3))
}

func (p *Puzzle) listFits() {
	for piece := range p.Pieces {
		for r := range p.Period(piece) {
			e := p.Rotated(piece, r)
			mask := 0
			if p.framed {
				mask = e.greyMask()
			}
			p.fits[mask] = append(p.fits[mask], Oriented{int32(piece), uint8(r), e})
		}
	}
}

func (p *Puzzle) checkClues() error {
	cellOf, pieceOn := map[int]int{}, map[int]int{}
	for _, c := range p.Clues {
		switch {
		case c.Cell < 0 || c.Cell >= p.Cells():
			return fmt.Errorf("puzzle: clue on cell %d, want 0 to %d", c.Cell, p.Cells()-1)
		case c.Piece < 0 || c.Piece >= p.Cells():
			return fmt.Errorf("puzzle: clue with piece %d on cell %d, want 1 to %d", c.Piece+1, c.Cell, p.Cells())
		case c.Rotation < 0 || c.Rotation > 3:
			return fmt.Errorf("puzzle: clue on cell %d turned by %d, want 0 to 3", c.Cell, c.Rotation)
		}
		if other, taken := pieceOn[c.Cell]; taken {
			return fmt.Errorf("puzzle: clues put pieces %d and %d on cell %d, want one", other+1, c.Piece+1, c.Cell)
		}
		if other, taken := cellOf[c.Piece]; taken {
			return fmt.Errorf("puzzle: clues put piece %d on cells %d and %d, want one", c.Piece+1, other, c.Cell)
		}
		if !p.FitsAt(c.Cell, c.Piece, c.Rotation) {
			return fmt.Errorf("puzzle: clue on cell %d breaks the frame rule: piece %d turned by %d has grey elsewhere than on the rim", c.Cell, c.Piece+1, c.Rotation)
		}
		pieceOn[c.Cell], cellOf[c.Piece] = c.Piece, c.Cell
	}
	return nil
}
