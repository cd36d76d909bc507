package ledger

import (
	"fmt"
	"math/bits"

	"lastmile/puzzle"
)

// plan is what the region and the order fix in advance.
type plan struct {
	steps   []step
	classes []*class
	hand    []uint64 // the bits of all free pieces, class by class
	open    []bool   // by cell: of the region
	colours []uint8  // by 4*cell + side, of the pieces that stay

	budget     int
	cap        int // breaks that one cell may bring
	mode       Mode
	best       bool
	least      int  // no completion has fewer breaks, so the best needs no more search
	profile    bool // counts by level are wanted
	scheme     *scheme
	conditions Conditions
	tally      *tally // as it is before the first step
	limit      uint64 // of the sums before the first step, with no break left
	entries    int    // of all steps
	sieve      *sieve // or nil
	widest     int    // words of the largest class
}

// step fills one cell.
type step struct {
	shape *shape
	cell  int32
	first int32 // of its entries in the search

	known  [4]known // sides whose neighbour is filled and charged
	knowns int
	after  [4]after // what the ledger books of the other sides
	afters int
	frees  int    // of these, how many face nothing that is charged
	limit  uint64 // of the sums after the step, with no break left

	watches  []watch // for Cells
	frontier []watch // for Hall
}

// known is a side of the cell that must match a colour that is there.
type known struct {
	side  int32
	at    int32 // of the colour, in colours
	masks int32 // of colour 0, in the masks of the shape
	key   int32 // of colour 0
	unit  int32

	gainMine, gainTheirs []int8 // see sieve
}

// after is a side of the cell that faces an empty cell, or nothing that is
// charged.
type after struct {
	side, key, step int32
	gain            []int8 // see sieve
}

// class is the free pieces with grey on the same sides up to rotation: those
// that fill the same cells. Each fits a cell in up to so many ways. The
// candidates of a cell are bits, those of one piece side by side.
type class struct {
	mask   int // of the grey sides, the least of its rotations
	pieces []int
	cells  int    // of the region that they fill
	ways   int32  // 1, 2 or 4
	words  int32  // of its bits
	group  uint64 // the bits of one piece
	start  int32  // of its words among those of all classes
}

// shape is a class with its pieces turned so that they fit a cell.
type shape struct {
	class    *class
	edges    []puzzle.Edges // by bit
	rotation []uint8        // by bit
	masks    []uint64       // by side, colour and word: the bits with that colour there
}

func newPlan(p *Problem) (*plan, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	z := p.Board.Puzzle()
	l := &plan{budget: min(p.Budget, 2*MaxCells), cap: 4, mode: p.Mode, best: p.Best, profile: p.Profile || p.Mode == Auto, colours: make([]uint8, 4*z.Cells())}
	if p.Charge == Cell {
		l.cap = 1
	}
	uncharged := make([]bool, z.Cells())
	for _, cell := range p.Uncharged {
		uncharged[cell] = true
	}
	conditions := p.Conditions
	switch {
	case p.Mode == Off:
		conditions = 0
	case conditions == 0:
		conditions = Default
	}
	var err error
	free := 0
	if l.scheme, l.tally, free, err = newTally(p.Board, conditions, uncharged); err != nil {
		return nil, err
	}
	l.limit = l.scheme.limit(0, free)
	l.conditions = conditions
	l.open = make([]bool, z.Cells())
	for cell := range z.Cells() {
		if l.open[cell] = p.Board.Piece(cell) == puzzle.Empty; !l.open[cell] {
			e := p.Board.Edges(cell)
			copy(l.colours[4*cell:], e[:])
		}
	}
	filled := make([]bool, z.Cells())
	for cell, open := range l.open {
		filled[cell] = !open
	}
	shapes := map[int]*shape{}
	for _, cell := range p.Order {
		rim := 0
		if z.Framed() {
			rim = z.RimMask(cell)
		}
		if shapes[rim] == nil {
			shapes[rim] = l.newShape(p.Board, cell, rim)
		}
		s := l.newStep(z, cell, shapes[rim], filled, uncharged)
		free -= s.frees
		s.limit = l.scheme.limit(0, free)
		s.first = int32(l.entries)
		l.entries += 1 << s.knowns * int(s.shape.class.words)
		s.shape.class.cells++
		filled[cell] = true
		l.steps = append(l.steps, s)
	}
	if p.Mode != Off && conditions&(Cells|Hall) != 0 {
		l.watches()
	}
	if p.Mode >= Candidate {
		if l.sieve = newSieve(conditions); l.sieve != nil {
			for i := range l.steps {
				l.sieve.equip(&l.steps[i], l.tally.cost)
			}
		}
	}
	for _, c := range l.classes {
		l.widest = max(l.widest, int(c.words))
		if c.cells != len(c.pieces) {
			return nil, fmt.Errorf("ledger: %d pieces for %d cells of the region with %d grey sides: the pieces outside break the frame rule",
				len(c.pieces), c.cells, bits.OnesCount(uint(c.mask)))
		}
	}
	return l, nil
}

// newStep sorts the sides of a cell by what they face when it is filled.
func (l *plan) newStep(z *puzzle.Puzzle, cell int, h *shape, filled, uncharged []bool) step {
	s := step{shape: h, cell: int32(cell)}
	for side, n := range z.Neighbours(cell) {
		k := l.scheme.kindOfCell(z, cell, side)
		key, unit := l.scheme.key[k], l.scheme.unit[k]
		switch {
		case n < 0 && z.Framed():
		case n < 0 || uncharged[n]:
			s.after[s.afters] = after{side: int32(side), key: key, step: -unit}
			s.afters++
			s.frees++
		case !filled[n]:
			s.after[s.afters] = after{side: int32(side), key: key, step: -unit - l.scheme.unit[l.scheme.kindOfCell(z, int(n), side^2)]}
			s.afters++
		default:
			s.known[s.knowns] = known{
				side: int32(side), at: 4*n + int32(side^2), masks: int32(side*(z.Colours()+1)) * h.class.words,
				key: key, unit: unit,
			}
			s.knowns++
		}
	}
	return s
}

// newShape lists the candidates of a cell whose sides of the given mask must be
// grey.
func (l *plan) newShape(b *puzzle.Board, cell, rim int) *shape {
	z := b.Puzzle()
	c := l.classOf(b, cell, rim)
	size, words := 64*c.words, int(c.words)
	s := &shape{
		class: c, edges: make([]puzzle.Edges, size), rotation: make([]uint8, size),
		masks: make([]uint64, 4*(z.Colours()+1)*words),
	}
	next := map[int32]int32{} // the bit of a piece
	for i, piece := range c.pieces {
		next[int32(piece)] = int32(i) * c.ways
	}
	for _, o := range z.Fits(cell) {
		bit, free := next[o.Piece]
		if !free {
			continue
		}
		next[o.Piece]++
		s.edges[bit], s.rotation[bit] = o.Edges, o.Rotation
		for side, colour := range o.Edges {
			if colour != puzzle.Grey { // grey matches nothing
				s.masks[(side*(z.Colours()+1)+int(colour))*words+int(bit/64)] |= 1 << (bit % 64)
			}
		}
		l.hand[c.start+bit/64] |= 1 << (bit % 64)
	}
	return s
}

// classOf finds the class of the pieces that fit a cell, or makes it.
func (l *plan) classOf(b *puzzle.Board, cell, rim int) *class {
	mask, ways := rim, int32(0)
	for r := range 4 {
		turned := (rim<<r | rim>>(4-r)) & 15
		mask = min(mask, turned)
		if turned == rim {
			ways++
		}
	}
	for _, c := range l.classes {
		if c.mask == mask {
			return c
		}
	}
	c := &class{mask: mask, ways: ways, group: 1<<ways - 1, start: int32(len(l.hand))}
	for _, o := range b.Puzzle().Fits(cell) {
		piece := int(o.Piece)
		if last := len(c.pieces) - 1; b.CellOf(piece) == puzzle.Empty && (last < 0 || c.pieces[last] != piece) {
			c.pieces = append(c.pieces, piece)
		}
	}
	c.words = (int32(len(c.pieces))*ways + 63) / 64
	l.hand = append(l.hand, make([]uint64, c.words)...)
	l.classes = append(l.classes, c)
	return c
}
