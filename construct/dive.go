package construct

import (
	"math/bits"
	"slices"

	"lastmile/puzzle"
	"lastmile/random"
)

// dive is one depth-first search from an empty board, up to its restart. A level
// is a cell in the order of the scan. Levels are left and entered in a loop, not
// by recursion, so that a dive can stop and go on anywhere.
type dive struct {
	levels []level // and one more, where the board is full
	rules  []rule
	tables *plays
	used   *[1 << 16]uint8 // by piece
	placed *[1 << 16]play  // by level; at the level past the last, no colour at all
	depth  int
	nodes  int64
	over   bool // nothing is left to search

	deepest []play // the most cells that were ever filled; with the fewest breaks when all were
	breaks  int    // of them

	narrowAt int // at this level free pieces are sorted out; 0 for never
	copies   []narrowing
}

// A level goes through the plays of its cell phase by phase: those that match all
// that is asked, then, if a break is left, those that match all but one side.
// Two phases do that: plays that match the first side asked, and plays that match
// the second one but not the first.
const (
	matched  = iota
	filtered // as matched, where a table of two colours cannot tell alone
	first
	second
)

// level is what the loop needs of a cell, in one line of the cache.
type level struct {
	fromA, fromB   uint16 // levels of the neighbours that ask, or the one past the last
	shiftA, shiftB uint8  // to the colour that they show
	begin, last    uint8  // phases
	special        bool   // look twice when entering
	phase          uint8
	exact          int32 // the table
	allowed        int32 // breaks once the cell is filled
	owed           int32 // early sides that must have been used once it is filled

	next, end     int32 // plays not tried yet in this phase
	breaks, early int32 // before the cell is filled
	need          word  // from phase filtered on
	floor         play  // the least play that has enough early sides
	nodes         int64 // times that the cell was filled
}

// rule is the rest of what is known of a cell.
type rule struct {
	cell   int
	asked  int  // sides that ask for a colour
	fixed  word // colours asked by clues
	asks   []ask
	bySide [2]int32 // tables of phases first and second
}

// ask says that a side must match what the play of a level shows.
type ask struct {
	from  uint16
	shift uint8
	side  uint8
}

// schedule says when colours are to be used and breaks are allowed.
type schedule struct {
	early   [puzzle.MaxColours + 1]bool
	owed    []int32 // by level, early sides; none where it ends
	indexes []int   // cells filled before each further break is allowed
}

func newDive(p *puzzle.Puzzle, order []int, s *schedule, lots *random.Stream, narrowAt int) *dive {
	d := &dive{tables: newPlays(p), used: new([1 << 16]uint8), placed: new([1 << 16]play), narrowAt: narrowAt}
	lottery := make([]int, p.Cells())
	for i := range lottery {
		lottery[i] = i
	}
	lots.Shuffle(len(lottery), func(i, j int) { lottery[i], lottery[j] = lottery[j], lottery[i] })
	clue, isClue, earlier := p.CluesByCell(), make([]bool, p.Cells()), 0
	for _, c := range p.Clues {
		isClue[c.Piece] = true
		earlier += countEarly(p.Rotated(c.Piece, c.Rotation), &s.early)
	}
	open := 0
	for _, cell := range order {
		if clue[cell] < 0 {
			open++
		}
	}
	fixed := fixedByClues(p)
	at := make([]int, p.Cells())
	for i := range at {
		at[i] = -1
	}
	mask := func(cell int) int {
		if p.Framed() {
			return p.RimMask(cell)
		}
		return 0
	}
	type exactKey struct {
		mask, a, b int
		fixed      word
	}
	type sideKey struct{ mask, side int }
	exact, bySide, all := map[exactKey]int32{}, map[sideKey]int32{}, map[int][]play{}
	for _, cell := range order {
		if clue[cell] >= 0 {
			continue
		}
		m := mask(cell)
		if all[m] == nil {
			all[m] = fitting(p, cell, isClue, &s.early, lottery)
		}
		r := rule{cell: cell, fixed: fixed[cell]}
		l := level{fromA: uint16(open), fromB: uint16(open)}
		sides := [2]int{-1, -1}
		for side, n := range p.Neighbours(cell) {
			if n < 0 || at[n] < 0 {
				continue
			}
			x := ask{uint16(at[n]), uint8(8 * (side ^ 2)), uint8(side)}
			switch len(r.asks) {
			case 0:
				l.fromA, l.shiftA, sides[0] = x.from, x.shift, side
			case 1:
				l.fromB, l.shiftB, sides[1] = x.from, x.shift, side
			default:
				l.begin = filtered
			}
			r.asks = append(r.asks, x)
		}
		r.asked = 4 - countNone(r.fixed) + len(r.asks)
		k := exactKey{m, sides[0], sides[1], r.fixed}
		if _, ok := exact[k]; !ok {
			exact[k] = d.tables.exact(all[m], k.a, k.b, k.fixed)
		}
		l.exact = exact[k]
		table := func(side int) int32 {
			k := sideKey{m, side}
			if _, ok := bySide[k]; !ok {
				bySide[k] = d.tables.bySide(all[m], side)
			}
			return bySide[k]
		}
		// Where one side asks, whoever breaks there may be anyone; where a clue
		// asks too, one of the others may be wrong.
		switch {
		case r.asked == 0:
			l.last = l.begin
		case len(r.asks) < 2:
			l.last, r.bySide[0] = first, table(-1)
		default:
			l.last, r.bySide = second, [2]int32{table(sides[0]), table(sides[1])}
		}
		at[cell] = len(d.levels)
		for _, x := range s.indexes {
			if x <= at[cell] {
				l.allowed++
			}
		}
		if at[cell] < len(s.owed) {
			l.owed = s.owed[at[cell]] - int32(earlier)
		}
		d.levels = append(d.levels, l)
		d.rules = append(d.rules, r)
	}
	d.levels = append(d.levels, level{})
	d.layNarrowed()
	for i := range d.levels {
		d.levels[i].special = true // deeper than any before
	}
	d.over = len(d.rules) == 0
	if !d.over {
		d.enter(0, 0)
	}
	return d
}

// layNarrowed makes the levels from narrowAt on read copies of their tables.
func (d *dive) layNarrowed() {
	if d.narrowAt <= 0 || d.narrowAt >= len(d.rules) {
		d.narrowAt = 0
		return
	}
	copied := map[int32]int32{}
	for i := d.narrowAt; i < len(d.rules); i++ {
		l := &d.levels[i]
		if _, ok := copied[l.exact]; !ok {
			copied[l.exact] = l.exact
			if x, ok := d.tables.narrowed(l.exact); ok {
				d.copies = append(d.copies, x)
				copied[l.exact] = x.to
			}
		}
		l.exact = copied[l.exact]
	}
}

// enter begins the level at d.depth.
func (d *dive) enter(breaks, early int32) {
	l := &d.levels[d.depth]
	a, b := uint8(d.placed[l.fromA]>>l.shiftA), uint8(d.placed[l.fromB]>>l.shiftB)
	s := d.tables.spans[int(l.exact)+int(a)<<d.tables.shift+int(b)]
	l.next, l.end, l.breaks, l.early, l.phase = s.start, s.end, breaks, early, l.begin
	l.floor = atLeast(l.owed - early)
	if l.begin == filtered {
		l.need = d.need(d.depth)
	}
}

// run goes on for so many nodes, or to the end. A node is a piece placed.
//
// All the time goes into this loop, so it is written out: what a level needs
// lies in one cache line, tables are read by shifts, and whatever happens seldom
// hides behind the flag special.
func (d *dive) run(limit int64) {
	if d.over || limit <= 0 {
		return
	}
	levels, arena, spans := d.levels, d.tables.arena, d.tables.spans
	used, placed, shift := d.used, d.placed, d.tables.shift&31
	depth, left := d.depth, limit
	l := &levels[depth]
	i, end := l.next, l.end
	for {
		var w play
		for i < end {
			w = arena[i]
			i++
			if used[w.piece()] == 0 {
				l.next = i
				goto free
			}
		}
	spent:
		if l.breaks < l.allowed && l.phase < l.last {
			d.nextPhase(depth)
			i, end = l.next, l.end
			continue
		}
		depth--
		if depth < 0 {
			d.over = true
			d.nodes += limit - left
			return
		}
		used[placed[uint16(depth)].piece()] = 0
		l = &levels[depth]
		i, end = l.next, l.end
		continue
	free:
		if w < l.floor {
			goto spent // and all plays after it
		}
		breaks := l.breaks
		if l.phase != matched {
			if !d.allows(depth, w) {
				continue
			}
			if l.phase >= first {
				breaks++
			}
		}
		used[w.piece()] = 1
		placed[uint16(depth)] = w
		early := l.early + w.early()
		l.nodes++
		depth++
		left--
		l = &levels[depth]
		if l.special || left == 0 {
			d.depth = depth
			d.arrive(breaks, early)
			if d.over || left == 0 {
				d.nodes += limit - left
				return
			}
			depth = d.depth
			l = &levels[depth]
			i, end = l.next, l.end
			continue
		}
		b := w // most often what was placed last asks, and need not be read again
		if int(l.fromB) != depth-1 {
			b = placed[l.fromB]
		}
		s := spans[int(l.exact)+int(uint8(placed[l.fromA]>>(l.shiftA&31)))<<shift+int(uint8(b>>(l.shiftB&31)))]
		i, end = s.start, s.end
		l.next, l.end, l.breaks, l.early, l.phase = i, end, breaks, early, l.begin
		l.floor = atLeast(l.owed - early)
	}
}

// arrive does what is due at a level that needs a second look, and enters it.
func (d *dive) arrive(breaks, early int32) {
	full := d.depth == len(d.rules)
	if full || d.depth > len(d.deepest) {
		d.deepest, d.breaks = append(d.deepest[:0], d.placed[:d.depth]...), int(breaks)
		l := &d.levels[d.depth]
		l.special = full || d.depth == d.narrowAt || l.begin == filtered
	}
	if full {
		d.tighten(breaks - 1)
		return
	}
	if d.depth == d.narrowAt {
		d.tables.narrow(d.copies, d.used)
	}
	d.enter(breaks, early)
}

// tighten goes back from a full board to where one with fewer breaks may begin,
// and allows no more than those from now on.
func (d *dive) tighten(breaks int32) {
	for i := range d.rules {
		l := &d.levels[i]
		l.allowed = min(l.allowed, breaks)
		if l.phase >= first && l.breaks >= l.allowed {
			l.phase, l.next, l.end = l.last, 0, 0
		}
	}
	d.over = breaks < 0
	for !d.over {
		d.depth--
		d.used[d.placed[d.depth].piece()] = 0
		if d.levels[d.depth].breaks <= breaks {
			return
		}
	}
}

// nextPhase begins the next phase of a level that has a break left.
func (d *dive) nextPhase(depth int) {
	l, r := &d.levels[depth], &d.rules[depth]
	l.phase = max(first, l.phase+1)
	l.need = d.need(depth)
	side := int(l.phase - first)
	key := 0
	if l.last == second {
		key = int(uint8(d.placed[r.asks[side].from] >> r.asks[side].shift))
	}
	s := d.tables.spans[int(r.bySide[side])+key]
	l.next, l.end = s.start, s.end
}

// allows tells whether a play that its table offers matches as much as the
// phase wants.
func (d *dive) allows(depth int, w play) bool {
	l, r := &d.levels[depth], &d.rules[depth]
	m := matches(w.colours(), l.need)
	n := bits.OnesCount32(m)
	switch l.phase {
	case filtered:
		return n == r.asked
	case first:
		return n == r.asked-1
	default: // what matches the first side has had its turn
		return n == r.asked-1 && m>>(8*r.asks[0].side)&1 == 0
	}
}

// need is what is asked of the cell of a level. Grey matches nothing, so it is
// asked for as none, which nothing matches either.
func (d *dive) need(depth int) word {
	r := &d.rules[depth]
	asked := r.fixed
	for _, x := range r.asks {
		if c := uint8(d.placed[x.from] >> x.shift); c != puzzle.Grey {
			asked = asked&^(0xff<<(8*x.side)) | word(c)<<(8*x.side)
		}
	}
	return asked
}

// board is the clues and some plays, in the order of the scan.
func (d *dive) board(p *puzzle.Puzzle, plays []play) []puzzle.Placement {
	board := slices.Clone(p.Clues)
	for i, w := range plays {
		board = append(board, puzzle.Placement{Cell: d.rules[i].cell, Piece: int(w.piece()), Rotation: w.turn()})
	}
	return board
}
