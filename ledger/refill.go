package ledger

import "lastmile/puzzle"

// Refiller finds the best way to fill a small region again, one region after
// another on boards of one puzzle: what Exhaust does with Problem.Best, without
// rounds, threads and checkpoints. It prunes by the default conditions.
//
// It keeps its buffers and reads of the board only what lies round the region,
// so that a region of k cells costs O(k²) before the first node (3 µs for 9
// cells), and allocates nothing once it has seen the like.
type Refiller struct {
	puzzle *puzzle.Puzzle
	kinds  [16][4]kind // of the sides of a cell or piece, by its grey sides
	grey   []uint8     // by piece: its grey sides as it comes, under the frame rule
	class  []uint8     // by piece: the least rotation of these

	accounts []account
	free     int    // half-edges that no seam will charge
	start    [2]int // of the tables of a pair of kinds
	low      [2][2]int
	high     [2][2]int
	far      int // the reach of the table of grey

	plan    plan
	engine  engine
	classes [16]class // by least rotation of the grey sides
	shapes  [16]shape // by grey sides
	filled  []bool    // by cell, right for the region and what lies round it
	around  []bool    // by cell: its seams are not charged; likewise
	place   []int32   // by cell of the region: its step; before it has one, the last step beside it
	known   []uint8   // by cell of the region: neighbours filled, the rim counted
	left    []int     // cells without a step
	watched []watch   // of all steps
	root    []watch   // before the first step

	nodes int64
	found []puzzle.Placement
}

// NewRefiller returns the refiller for boards of a puzzle.
func NewRefiller(z *puzzle.Puzzle) *Refiller {
	n := z.Cells()
	f := &Refiller{
		puzzle: z, grey: make([]uint8, n), class: make([]uint8, n), accounts: make([]account, z.Colours()+1),
		filled: make([]bool, n), around: make([]bool, n), place: make([]int32, n), known: make([]uint8, n),
	}
	l := &f.plan
	l.cap, l.mode, l.best, l.conditions = 4, Candidate, true, Default
	l.open = make([]bool, n)
	l.scheme, l.sieve = newScheme(z, Default), newSieve(Default)
	l.tally = &tally{state: make([]int32, 2*(z.Colours()+1))}
	f.engine.plan = l
	f.engine.colours = make([]uint8, 4*n)
	f.engine.tally.state = make([]int32, len(l.tally.state))
	for mask := range f.kinds {
		for side := range 4 {
			f.kinds[mask][side] = l.scheme.kindOf(mask, side)
		}
		least, ways := mask, int32(0)
		for r := range 4 {
			turned := (mask<<r | mask>>(4-r)) & 15
			least = min(least, turned)
			if turned == mask {
				ways++
			}
		}
		f.classes[mask] = class{mask: mask, ways: ways, group: 1<<ways - 1}
		f.shapes[mask].class = &f.classes[least]
	}
	if z.Framed() {
		for piece, e := range z.Pieces {
			for side, c := range e {
				if c == puzzle.Grey {
					f.grey[piece] |= 1 << side
				}
			}
			f.class[piece] = uint8(f.shapes[f.grey[piece]].class.mask)
		}
	}
	return f
}

// Refill looks for the way to fill the cells with the pieces, as many, that
// leaves the fewest breaks among the seams of the cells, if that is at most the
// budget, within so many nodes. The breaks are -1 when none was found. What was
// decided is proved: there is no better one, or none within the budget at all.
//
// Cells may be filled and pieces may lie on them: they count as lifted, and the
// board is not changed. All else on the board stays. Seams to empty cells
// outside the region are not charged. Under the frame rule the pieces must have
// the grey that the cells ask for.
//
// Cells are filled in the order Closing, of its ties the one beside the cell
// filled last, and pieces are tried by their mismatches. Other ties go to what
// comes first in the lists, so their order says which of several best refills
// is found.
func (f *Refiller) Refill(b *puzzle.Board, cells, pieces []int, budget int, nodes int64) (breaks int, decided bool) {
	f.nodes, f.found = 0, f.found[:0]
	defer f.close(cells)
	if !f.count(b, cells, pieces) {
		return -1, false
	}
	least := f.plan.scheme.needs(f.plan.tally.sums, f.free)
	if least > budget {
		return -1, true
	}
	f.deal(pieces)
	f.lay(cells)
	if least = max(least, f.sumOfCells(budget)); least > budget {
		return -1, true
	}
	return f.search(least, budget, nodes)
}

// Found are the placements of the refill that Refill found, in the order in
// which it filled the cells. The next call overwrites them.
func (f *Refiller) Found() []puzzle.Placement { return f.found }

// Nodes is how many nodes the last call of Refill took.
func (f *Refiller) Nodes() int64 { return f.nodes }

// close forgets the region.
func (f *Refiller) close(cells []int) {
	for _, cell := range cells {
		f.plan.open[cell] = false
	}
}

// count opens the books, and tells whether the tables could be laid out.
func (f *Refiller) count(b *puzzle.Board, cells, pieces []int) bool {
	z, l := f.puzzle, &f.plan
	clear(f.accounts)
	var open [kinds]int
	f.free = 0
	for _, cell := range cells {
		l.open[cell] = true
	}
	for _, cell := range cells {
		sides := &f.kinds[z.RimMask(cell)]
		known := uint8(0)
		for side, n := range z.Neighbours(cell) {
			open[sides[side]]++
			switch {
			case n < 0:
				known++
				if !z.Framed() {
					f.free++
				}
			case l.open[n]:
			case b.Piece(int(n)) == puzzle.Empty:
				f.filled[n], f.around[n] = true, true
				f.free++
			default:
				known++
				f.filled[n], f.around[n] = true, false
				e := b.Edges(int(n))
				copy(f.engine.colours[4*n:], e[:])
				f.accounts[e[side^2]].demand[sides[side]]++
			}
		}
		f.filled[cell], f.around[cell], f.known[cell], f.place[cell] = false, false, known, 0
	}
	for _, piece := range pieces {
		sides := &f.kinds[f.grey[piece]]
		for side, c := range z.Pieces[piece] {
			if c != puzzle.Grey || !z.Framed() {
				f.accounts[c].supply[sides[side]]++
			}
		}
	}
	if !f.tabulate(open) {
		return false
	}
	for i, pair := range pairs {
		l.scheme.enter(l.tally, f.accounts, pair, f.start[i], f.low[i])
	}
	l.tally.sum()
	return true
}

// tabulate lays the tables out anew when the region needs wider ones, twice as
// wide so that it is seldom.
func (f *Refiller) tabulate(open [kinds]int) bool {
	s, t := f.plan.scheme, f.plan.tally
	wide := len(t.cost) > 0
	for i, pair := range pairs {
		low, high := reach(f.accounts, pair, open)
		for j := range 2 {
			if low[j] > f.low[i][j] || high[j] > f.high[i][j] {
				wide = false
				f.low[i][j], f.high[i][j] = max(f.low[i][j], 2*low[j]), max(f.high[i][j], 2*high[j])
			}
		}
	}
	if far := s.reachGrey(f.accounts[puzzle.Grey]); far > f.far {
		wide = false
	}
	if wide {
		return true
	}
	t.cost, f.plan.sieve.gains = t.cost[:0], f.plan.sieve.gains[:0]
	for i, pair := range pairs {
		f.start[i] = len(t.cost)
		if err := s.lay(t, pair, f.low[i], f.high[i]); err != nil {
			t.cost, f.low, f.high = t.cost[:0], [2][2]int{}, [2][2]int{}
			return false
		}
	}
	f.far = max(f.far, 2*s.reachGrey(f.accounts[puzzle.Grey]))
	s.layGrey(t, f.far)
	f.engine.tally.cost = t.cost
	return true
}

// deal sorts the pieces into classes.
func (f *Refiller) deal(pieces []int) {
	l, e := &f.plan, &f.engine
	for mask := range f.classes {
		f.classes[mask].pieces = f.classes[mask].pieces[:0]
		f.shapes[mask].edges = f.shapes[mask].edges[:0]
	}
	for _, piece := range pieces {
		c := &f.classes[f.class[piece]]
		c.pieces = append(c.pieces, piece)
	}
	start := int32(0)
	l.widest = 0
	for mask := range f.classes {
		c := &f.classes[mask]
		c.start, c.words = start, (int32(len(c.pieces))*c.ways+63)/64
		start += c.words
		l.widest = max(l.widest, int(c.words))
	}
	l.hand = resized(l.hand, int(start))
	clear(l.hand)
	e.hand = resized(e.hand, int(start))
	e.costs = resized(e.costs, 4*l.widest)
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}

// lay plans the steps.
func (f *Refiller) lay(cells []int) {
	z, l, e := f.puzzle, &f.plan, &f.engine
	f.left = append(f.left[:0], cells...)
	l.steps, l.entries = l.steps[:0], 0
	free := f.free
	l.limit = l.scheme.limit(0, free)
	for len(f.left) > 0 {
		next, most := 0, int32(-1)
		for i, cell := range f.left {
			if rank := int32(f.known[cell])<<16 | f.place[cell]; rank > most {
				next, most = i, rank
			}
		}
		cell := f.left[next]
		f.left = append(f.left[:next], f.left[next+1:]...)
		for _, n := range z.Neighbours(cell) {
			if n >= 0 && !f.filled[n] {
				f.known[n]++
				f.place[n] = int32(len(l.steps))
			}
		}
		rim := 0
		if z.Framed() {
			rim = z.RimMask(cell)
		}
		f.place[cell] = int32(len(l.steps))
		l.steps = append(l.steps, l.newStep(z, cell, f.shape(rim), f.filled, f.around))
		s := &l.steps[len(l.steps)-1]
		free -= s.frees
		s.limit = l.scheme.limit(0, free)
		s.first = int32(l.entries)
		l.entries += 1 << s.knowns * int(s.shape.class.words)
		l.sieve.equip(s, l.tally.cost)
		f.filled[cell] = true
	}
	e.levels = resized(e.levels, len(l.steps)+1)
	e.entries = resized(e.entries, l.entries)
	f.watches()
}

// shape lists the candidates of cells whose sides of the given mask must be
// grey.
func (f *Refiller) shape(rim int) *shape {
	s := &f.shapes[rim]
	if len(s.edges) > 0 {
		return s
	}
	z, l, c := f.puzzle, &f.plan, s.class
	words := int(c.words)
	s.edges, s.rotation = resized(s.edges, 64*words), resized(s.rotation, 64*words)
	s.masks = resized(s.masks, 4*(z.Colours()+1)*words)
	clear(s.masks)
	for i, piece := range c.pieces {
		bit := i * int(c.ways)
		for r := range z.Period(piece) {
			turned := int(f.grey[piece]) << r
			if (turned|turned>>4)&15 != rim {
				continue
			}
			e := z.Rotated(piece, r)
			s.edges[bit], s.rotation[bit] = e, uint8(r)
			for side, colour := range e {
				if colour != puzzle.Grey { // grey matches nothing
					s.masks[(side*(z.Colours()+1)+int(colour))*words+bit/64] |= 1 << (bit % 64)
				}
			}
			l.hand[int(c.start)+bit/64] |= 1 << (bit % 64)
			bit++
		}
	}
	return s
}

// watches lists the watches of Cells for all steps, and those before the first.
func (f *Refiller) watches() {
	l := &f.plan
	f.watched, f.root = f.watched[:0], f.root[:0]
	for i := -1; i < len(l.steps)-1; i++ {
		start := len(f.watched)
		for j := i + 1; j < len(l.steps); j++ {
			s := &l.steps[j]
			w := watch{shape: s.shape}
			for k := range s.knowns {
				if n := s.known[k].at / 4; !l.open[n] || int(f.place[n]) <= i {
					w.known[w.knowns] = seen{s.known[k].at, s.known[k].masks}
					w.knowns++
				}
			}
			switch {
			case i < 0 && w.knowns >= 1:
				f.root = append(f.root, w)
			case i >= 0 && w.knowns >= 2:
				f.watched = append(f.watched, w)
			}
		}
		if i >= 0 {
			l.steps[i].watches = f.watched[start:]
		}
	}
}

// sumOfCells is the fewest breaks that the cells can have, each by itself with
// any of the pieces, as far as it is at most the given number.
func (f *Refiller) sumOfCells(most int) (sum int) {
	copy(f.engine.hand, f.plan.hand)
	for i := 0; i < len(f.root) && sum <= most; i++ {
		sum += f.engine.least(&f.root[i], most)
	}
	return sum
}

// search looks for a completion of least breaks; when there is none, of one
// more, and so on. The tighter the bound, the more the ledger refuses: on holes
// of 16 cells of riotte-464 this takes a third of the nodes of a search whose
// bound comes down from the budget, and 2000 nodes are a seventh as often too
// few.
func (f *Refiller) search(least, budget int, nodes int64) (breaks int, decided bool) {
	l, e := &f.plan, &f.engine
	e.byBreaks = resized(e.byBreaks, budget+1)
	for l.least = least; l.least <= budget; l.least++ {
		if nodes-f.nodes <= 1 { // the root would be the last
			return -1, false
		}
		e.reset(l.least, 0)
		e.counts.Nodes = 1
		more := false
		if e.holds(l.limit, 0) {
			e.enter(0)
			more = e.run(nodes - f.nodes)
		}
		f.nodes += e.counts.Nodes
		switch {
		case len(e.best) > 0: // there is no better one, and run has stopped
			f.keep(e.best)
			return e.bestBreaks, true
		case more:
			return -1, false
		}
	}
	return -1, true
}

// keep lists the placements of a completion.
func (f *Refiller) keep(path []int32) {
	for i, bit := range path {
		s := &f.plan.steps[i]
		f.found = append(f.found, puzzle.Placement{
			Cell: int(s.cell), Piece: s.shape.class.pieces[bit/s.shape.class.ways], Rotation: int(s.shape.rotation[bit]),
		})
	}
}
