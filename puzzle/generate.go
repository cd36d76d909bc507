package puzzle

import (
	"fmt"
	"slices"

	"lastmile/random"
)

// Spec describes a puzzle to generate.
type Spec struct {
	Width, Height int
	Colours       int // without grey
	// RimColours of the Colours are kept to the ring of seams between rim
	// pieces, as on Eternity II (5 of 22). 0 asks for that share; it is at least
	// 1 where there is a ring and an inside. Unframed puzzles have none.
	RimColours int
	Unframed   bool // no grey: the rim is coloured like the rest
	Seed       uint64
}

// tries bounds how often Generate redraws a colour to make two pieces differ.
const tries = 64

// Generate returns a puzzle that has a solution, and that solution. Colours
// are spread evenly over the seams, so each occurs on an even number of piece
// sides; on an unframed board opposite rim sides share a colour to the same
// end. Pieces are made to differ, and to have no symmetry, where the colours
// suffice. They are numbered in the order of their canonical edges, so corners
// come first and the numbers tell nothing of the solution. The same Spec gives
// the same puzzle for ever.
func Generate(s Spec) (*Puzzle, []Placement, error) {
	if s.Width < 1 || s.Height < 1 || s.Width > MaxSide || s.Height > MaxSide || s.Width*s.Height > MaxCells {
		return nil, nil, fmt.Errorf("puzzle: size %dx%d, want sides of 1 to %d and at most %d cells", s.Width, s.Height, MaxSide, MaxCells)
	}
	if s.Colours < 1 || s.Colours > MaxColours {
		return nil, nil, fmt.Errorf("puzzle: %d colours, want 1 to %d", s.Colours, MaxColours)
	}
	if s.Unframed && s.RimColours != 0 {
		return nil, nil, fmt.Errorf("puzzle: %d rim colours on an unframed puzzle, want none", s.RimColours)
	}
	if s.RimColours < 0 || s.RimColours > s.Colours {
		return nil, nil, fmt.Errorf("puzzle: %d rim colours of %d, want 0 to %d", s.RimColours, s.Colours, s.Colours)
	}
	g := newGenerator(s)
	g.paint()
	g.tellApart()
	return g.deal()
}

// generator paints the seams of a board. A seam is kept as the two sides that
// it joins: cell and side.
type generator struct {
	spec   Spec
	random *random.Stream
	edges  []Edges
	kinds  [][]joint // seams that share a palette: the rim ring, the inside
	first  []int     // by kind: the first colour of its palette
	size   []int     // by kind: the number of its colours
}

type joint struct {
	cell, side, other, otherSide int
}

func newGenerator(s Spec) *generator {
	g := &generator{
		spec:   s,
		random: random.New(s.Seed, "generate", 0),
		edges:  make([]Edges, s.Width*s.Height),
	}
	var ring, inside []joint
	onRim := func(cell int) bool {
		row, column := cell/s.Width, cell%s.Width
		return row == 0 || column == 0 || row == s.Height-1 || column == s.Width-1
	}
	for cell := range g.edges {
		row, column := cell/s.Width, cell%s.Width
		add := func(side, other int) {
			j := joint{cell, side, other, side ^ 2}
			// A seam of the ring lies along the rim: both cells touch the same side.
			along := side == Right && (row == 0 || row == s.Height-1) || side == Down && (column == 0 || column == s.Width-1)
			if !s.Unframed && along && onRim(cell) && onRim(other) {
				ring = append(ring, j)
			} else {
				inside = append(inside, j)
			}
		}
		if column < s.Width-1 {
			add(Right, cell+1)
		} else if s.Unframed {
			add(Right, row*s.Width)
		}
		if row < s.Height-1 {
			add(Down, cell+s.Width)
		} else if s.Unframed {
			add(Down, column)
		}
	}
	rim := s.RimColours
	if rim == 0 && len(ring) > 0 {
		rim = max(1, (5*s.Colours+11)/22)
	}
	if len(inside) == 0 || s.Colours == 1 {
		rim = 0 // one palette for all
		ring, inside = nil, append(ring, inside...)
	}
	if rim > 0 && rim < s.Colours {
		g.kinds, g.first, g.size = [][]joint{ring, inside}, []int{1, rim + 1}, []int{rim, s.Colours - rim}
	} else {
		g.kinds, g.first, g.size = [][]joint{append(ring, inside...)}, []int{1}, []int{s.Colours}
	}
	return g
}

// paint gives each kind of seam its colours in equal shares, in random order.
func (g *generator) paint() {
	for k, seams := range g.kinds {
		g.random.Shuffle(len(seams), func(i, j int) { seams[i], seams[j] = seams[j], seams[i] })
		for i, j := range seams {
			g.set(j, uint8(g.first[k]+i%g.size[k]))
		}
	}
}

func (g *generator) set(j joint, colour uint8) {
	g.edges[j.cell][j.side], g.edges[j.other][j.otherSide] = colour, colour
}

// tellApart exchanges colours between seams of a kind until no piece is
// symmetric or has a twin, or the tries are used up. Shares stay equal.
func (g *generator) tellApart() {
	count := make(map[Edges]int, len(g.edges))
	for _, e := range g.edges {
		c, _ := e.Canonical()
		count[c]++
	}
	bad := func(cell int) int {
		c, _ := g.edges[cell].Canonical()
		faults := count[c] - 1
		if g.edges[cell].Period() < 4 {
			faults++
		}
		return faults
	}
	change := func(j joint, colour uint8) {
		cells := []int{j.cell, j.other}
		if j.cell == j.other { // a torus one cell across
			cells = cells[:1]
		}
		for _, cell := range cells {
			c, _ := g.edges[cell].Canonical()
			count[c]--
		}
		g.set(j, colour)
		for _, cell := range cells {
			c, _ := g.edges[cell].Canonical()
			count[c]++
		}
	}
	for range tries {
		again := false
		for _, seams := range g.kinds {
			for _, a := range seams {
				if bad(a.cell) == 0 && bad(a.other) == 0 {
					continue
				}
				again = true
				b := seams[g.random.Below(len(seams))]
				ca, cb := g.edges[a.cell][a.side], g.edges[b.cell][b.side]
				before := bad(a.cell) + bad(a.other) + bad(b.cell) + bad(b.other)
				change(a, cb)
				change(b, ca)
				if bad(a.cell)+bad(a.other)+bad(b.cell)+bad(b.other) > before {
					change(b, cb)
					change(a, ca)
				}
			}
		}
		if !again {
			return
		}
	}
}

// deal numbers the pieces and turns each at random.
func (g *generator) deal() (*Puzzle, []Placement, error) {
	n := len(g.edges)
	cells := make([]int, n)
	for i := range cells {
		cells[i] = i
	}
	g.random.Shuffle(n, func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	canonical := make([]Edges, n)
	for cell, e := range g.edges {
		canonical[cell], _ = e.Canonical()
	}
	slices.SortStableFunc(cells, func(a, b int) int {
		x, y := canonical[a].word(), canonical[b].word()
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	pieces := make([]Edges, n)
	solution := make([]Placement, n)
	for piece, cell := range cells {
		turned := g.random.Below(4)
		pieces[piece] = g.edges[cell].Rotated(turned)
		solution[cell] = Placement{cell, piece, -turned & 3}
	}
	s := g.spec
	name := fmt.Sprintf("generated-%dx%d-%d-%d", s.Width, s.Height, s.Colours, s.Seed)
	p, err := New(name, s.Width, s.Height, pieces, nil)
	return p, solution, err
}
