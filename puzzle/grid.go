package puzzle

// Grid is the look of a board: the colours on each cell, with no word about
// which pieces they are. It is what most texts carry, and it may hold pieces
// of no set, twice the same piece, or grey where no grey may be.
type Grid struct {
	Width, Height int
	Edges         []Edges // by cell
	Filled        []bool  // by cell
}

// NewGrid returns an empty grid.
func NewGrid(width, height int) *Grid {
	return &Grid{width, height, make([]Edges, width*height), make([]bool, width*height)}
}

// Grid is the look of the board.
func (b *Board) Grid() *Grid {
	g := NewGrid(b.puzzle.Width, b.puzzle.Height)
	for cell, piece := range b.piece {
		if piece >= 0 {
			g.Edges[cell], g.Filled[cell] = b.edges[cell], true
		}
	}
	return g
}

// Look is the grid that the placements give.
func (p *Puzzle) Look(placements []Placement) *Grid {
	g := NewGrid(p.Width, p.Height)
	for _, q := range placements {
		g.Edges[q.Cell], g.Filled[q.Cell] = p.Rotated(q.Piece, q.Rotation), true
	}
	return g
}

// Tally counts the seams of a grid. Matched + Breaks + Open = Max.
type Tally struct {
	Matched, Breaks, Open, Max int
	Empty                      int   // cells without a piece
	RimFaults                  []int // filled cells with grey off the rim or colour on it
	BrokenCells                []int // filled cells with at least one broken seam
}

// Tally scores the grid from its colours alone. RimFaults speaks of the frame
// rule, which a puzzle without a frame does not have.
func (g *Grid) Tally() Tally {
	t := Tally{Max: seams(g.Width, g.Height)}
	broken := make([]bool, len(g.Edges))
	joint := func(a, b, side int) {
		switch {
		case !g.Filled[a] || !g.Filled[b]:
			t.Open++
		case g.Edges[a][side] != Grey && g.Edges[a][side] == g.Edges[b][side^2]:
			t.Matched++
		default:
			t.Breaks++
			broken[a], broken[b] = true, true
		}
	}
	for cell := range g.Edges {
		row, column := cell/g.Width, cell%g.Width
		if column < g.Width-1 {
			joint(cell, cell+1, Right)
		}
		if row < g.Height-1 {
			joint(cell, cell+g.Width, Down)
		}
		if !g.Filled[cell] {
			t.Empty++
			continue
		}
		rim := [4]bool{row == 0, column == g.Width-1, row == g.Height-1, column == 0}
		for side, c := range g.Edges[cell] {
			if (c == Grey) != rim[side] {
				t.RimFaults = append(t.RimFaults, cell)
				break
			}
		}
	}
	for cell, b := range broken {
		if b {
			t.BrokenCells = append(t.BrokenCells, cell)
		}
	}
	return t
}

// Identification names the pieces of a grid.
type Identification struct {
	Placements []Placement // by ascending cell, each piece at most once
	Duplicates []int       // cells whose piece is in the set, but all its copies are used by earlier cells
	Foreign    []int       // cells whose colours are no piece of the set
}

// Identify finds the piece of p on each filled cell of g. Where pieces are the
// same up to rotation, cells in ascending order get them in ascending order.
// The grid must have the size of the puzzle.
func (p *Puzzle) Identify(g *Grid) Identification {
	var id Identification
	copies := make(map[Edges][]int, len(p.Pieces))
	for i, e := range p.Pieces {
		c, _ := e.Canonical()
		copies[c] = append(copies[c], i)
	}
	used := make(map[Edges]int, len(copies))
	for cell, e := range g.Edges {
		if !g.Filled[cell] {
			continue
		}
		c, _ := e.Canonical()
		pieces := copies[c]
		switch {
		case pieces == nil:
			id.Foreign = append(id.Foreign, cell)
		case used[c] == len(pieces):
			id.Duplicates = append(id.Duplicates, cell)
		default:
			piece := pieces[used[c]]
			used[c]++
			r := 0
			for p.Rotated(piece, r) != e {
				r++
			}
			id.Placements = append(id.Placements, Placement{cell, piece, r})
		}
	}
	return id
}

// CluesHeld counts the clues that the grid holds: right piece, right rotation.
func (p *Puzzle) CluesHeld(g *Grid) int {
	held := 0
	for _, c := range p.Clues {
		if g.Filled[c.Cell] && g.Edges[c.Cell] == p.Rotated(c.Piece, c.Rotation) {
			held++
		}
	}
	return held
}
