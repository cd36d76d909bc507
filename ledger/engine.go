package ledger

import (
	"math/bits"

	"lastmile/puzzle"
)

// engine is a depth-first search that can be stopped at any node and taken up
// again from a Task. It allocates nothing while it runs.
type engine struct {
	plan    *plan
	colours []uint8  // by 4*cell + side, of the pieces that are placed
	hand    []uint64 // the bits of the free pieces, class by class
	tally   tally
	levels  []level
	entries []entry
	depth   int
	floor   int  // levels below it have no alternatives here
	from    int  // candidates of levels below it are not judged
	booked  int  // levels below it are in the books
	refused bool // run has stopped at a node that the ledger refused, not at a new level
	bound   int  // breaks that a completion may have
	counts  Counts
	profile []Level  // counts by level, or nil
	costs   []uint64 // see costlyOn, by side and word
	costed  uint8    // sides whose costs are there

	matching matching

	byBreaks   []int64 // completions by what they cost
	bestBreaks int
	best       []int32 // the first completion with so few, by level; empty when there is none
}

// level is a cell of the current path.
type level struct {
	next, end int32  // its entries that are left
	used      int32  // breaks before this cell
	charge    int32  // what the piece on the cell costs
	bit       int32  // of the piece on the cell
	word      int32  // where the bits of that piece stand in the hand
	bits      uint64 // those bits
}

// entry is up to 64 candidates that are mismatched alike.
type entry struct {
	bits   uint64
	base   int32 // the number of its first bit
	charge int16
	rank   int16 // of the way in which they are mismatched; entries come by rank, then base
}

// Counts is what a search has done.
type Counts struct {
	Nodes       int64 `json:"nodes"`       // entries at a cell still to be filled
	Completions int64 `json:"completions"` // within the budget
	Judged      int64 `json:"judged"`      // candidates or nodes put before the ledger
	Fires       int64 `json:"fires"`       // of those, how many it refused
	// Of the fires, how many had a shortage of supply, and how many too many odd
	// colours or half-edges without a partner. Both may be true of one.
	Shortages int64 `json:"fires_deficit"`
	Losses    int64 `json:"fires_parity"`
	Misfits   int64 `json:"fires_cells"` // of the fires, how many were of the conditions cells and hall
}

// Add sums counts of parts of a search.
func (c *Counts) Add(d Counts) {
	c.Nodes += d.Nodes
	c.Completions += d.Completions
	c.Judged += d.Judged
	c.Fires += d.Fires
	c.Shortages += d.Shortages
	c.Losses += d.Losses
	c.Misfits += d.Misfits
}

// Level is what a search has done at one cell of the order.
type Level struct {
	Nodes  int64 `json:"nodes"` // entries at the cell
	Judged int64 `json:"judged"`
	Fires  int64 `json:"fires"`
	Sieved int64 `json:"sieved"` // fires of the sieve, many at once
}

func (l *Level) add(m Level) {
	l.Nodes += m.Nodes
	l.Judged += m.Judged
	l.Fires += m.Fires
	l.Sieved += m.Sieved
}

func newEngine(l *plan) *engine {
	e := &engine{
		plan: l, colours: make([]uint8, len(l.colours)), hand: make([]uint64, len(l.hand)),
		tally:  tally{cost: l.tally.cost, state: make([]int32, len(l.tally.state))},
		levels: make([]level, len(l.steps)+1), entries: make([]entry, l.entries), costs: make([]uint64, 4*l.widest),
		best: make([]int32, 0, len(l.steps)), byBreaks: make([]int64, l.budget+1),
	}
	if l.conditions&Hall != 0 {
		e.matching = matching{
			fits: make([]uint64, len(l.steps)*l.widest), taken: make([]int32, 64*len(l.hand)), tried: make([]uint64, len(l.hand)),
		}
	}
	if l.profile {
		e.profile = make([]Level, len(l.steps))
	}
	return e
}

// reset puts the engine before the first step.
func (e *engine) reset(bound, from int) {
	copy(e.colours, e.plan.colours)
	copy(e.hand, e.plan.hand)
	copy(e.tally.state, e.plan.tally.state)
	e.tally.sums = e.plan.tally.sums
	e.depth, e.floor, e.booked = 0, 0, 0
	e.bound, e.from = bound, from
	e.best = e.best[:0]
	e.forget()
}

// forget sets all counts to zero.
func (e *engine) forget() {
	e.counts = Counts{}
	clear(e.byBreaks)
	clear(e.profile)
}

// enter lists the candidates of the cell at the current depth by what they
// cost, so that a mismatch is looked at only when the budget allows it.
func (e *engine) enter(used int32) {
	s := &e.plan.steps[e.depth]
	l := &e.levels[e.depth]
	l.used, l.next = used, s.first
	if e.plan.sieve != nil && e.depth < len(e.plan.steps)-1 && (e.depth >= e.from || s.knowns > 2) {
		l.end = e.enterSieved(s, l)
		return
	}
	most := min(e.bound-int(used), e.plan.cap, s.knowns)
	words := int(s.shape.class.words)
	hand := e.hand[s.shape.class.start:][:words]
	n := s.first
	switch s.knowns {
	case 1:
		a := e.match(s, 0, words)
		for w, free := range hand {
			n = e.list(n, free&a[w], w, 0, 0)
		}
		if most >= 1 {
			for w, free := range hand {
				n = e.list(n, free&^a[w], w, 1, 1)
			}
		}
	case 2:
		a, b := e.match(s, 0, words), e.match(s, 1, words)
		for w, free := range hand {
			n = e.list(n, free&a[w]&b[w], w, 0, 0)
		}
		if most >= 1 && e.plan.sieve == nil {
			for w, free := range hand {
				n = e.list(n, free&(a[w]^b[w]), w, 1, 1)
			}
		} else if most >= 1 { // in the order of patterns
			for w, free := range hand {
				n = e.list(n, free&b[w]&^a[w], w, 1, 1)
			}
			for w, free := range hand {
				n = e.list(n, free&a[w]&^b[w], w, 1, 2)
			}
		}
		if most >= 2 {
			for w, free := range hand {
				n = e.list(n, free&^(a[w]|b[w]), w, 2, 3)
			}
		}
	default:
		n = e.enterAny(s, hand, most)
	}
	l.end = n
}

// match is the candidates of a step with the colour that a known side asks for.
func (e *engine) match(s *step, i, words int) []uint64 {
	k := &s.known[i]
	return s.shape.masks[int(k.masks)+int(e.colours[k.at])*words:][:words]
}

// list enters candidates that are mismatched alike.
func (e *engine) list(n int32, candidates uint64, word, charge, rank int) int32 {
	if candidates == 0 {
		return n
	}
	e.entries[n] = entry{candidates, int32(64 * word), int16(charge), int16(rank)}
	return n + 1
}

// enterAny is enter for any number of known sides.
func (e *engine) enterAny(s *step, hand []uint64, most int) int32 {
	n := s.first
	for charge := 0; charge <= most; charge++ {
		for w, free := range hand {
			with := [5]uint64{free} // the candidates by mismatches on the sides so far
			for i := range s.knowns {
				fits := e.match(s, i, len(hand))[w]
				for j := i + 1; j > 0; j-- {
					with[j] = with[j]&fits | with[j-1]&^fits
				}
				with[0] &= fits
			}
			n = e.list(n, with[charge], w, charge, charge)
		}
	}
	return n
}

// run goes on from the current level until so many nodes are counted or the
// levels from the floor up have no alternative left. It tells whether there is
// more to do.
func (e *engine) run(limit int64) bool {
	e.refused = false
	last := len(e.plan.steps) - 1
	for {
		l := &e.levels[e.depth]
		if l.next == l.end {
			if e.depth == e.floor {
				return false
			}
			e.depth--
			e.undo()
			continue
		}
		n := &e.entries[l.next]
		used := l.used + int32(n.charge)
		if int(used) > e.bound { // the bound has come down; later entries cost no less
			l.next = l.end
			continue
		}
		l.bit, l.charge = n.base+int32(bits.TrailingZeros64(n.bits)), int32(n.charge)
		n.bits &= n.bits - 1
		if n.bits == 0 {
			l.next++
		}
		if e.depth == last {
			e.complete(int(used))
			continue
		}
		if !e.place(int(used)) {
			if e.counts.Nodes >= limit { // it was a node all the same
				e.refused = true
				return true
			}
			continue
		}
		e.depth++
		e.enter(used)
		if e.counts.Nodes >= limit {
			return true
		}
	}
}

// place puts the chosen candidate on the cell at the current depth, unless the
// ledger refuses it.
func (e *engine) place(used int) bool {
	s, l := &e.plan.steps[e.depth], &e.levels[e.depth]
	if e.depth < e.from {
		e.put(s, l)
		e.node()
		return true
	}
	e.catchUp()
	e.book(s, l, 1)
	if e.plan.mode == Node {
		e.node()
	}
	if !e.holds(s.limit, used) {
		e.book(s, l, -1)
		return false
	}
	e.booked = e.depth + 1
	e.put(s, l)
	if len(s.watches) > 0 && !e.fit(s, e.bound-used) || len(s.frontier) > 0 && !e.pair(s, e.bound-used) {
		e.refuse(1)
		e.counts.Misfits++
		e.undo()
		return false
	}
	if e.plan.mode != Node {
		e.node()
	}
	return true
}

// node counts an entry at the next cell.
func (e *engine) node() {
	e.counts.Nodes++
	if e.profile != nil {
		e.profile[e.depth+1].Nodes++
	}
}

// judge counts what is put before the ledger, and refuse what it refuses.
func (e *engine) judge(n int64) {
	e.counts.Judged += n
	if e.profile != nil {
		e.profile[e.depth].Judged += n
	}
}

func (e *engine) refuse(n int64) {
	e.counts.Fires += n
	if e.profile != nil {
		e.profile[e.depth].Fires += n
	}
}

// catchUp books the levels that were passed without the ledger.
func (e *engine) catchUp() {
	for ; e.booked < e.depth; e.booked++ {
		e.book(&e.plan.steps[e.booked], &e.levels[e.booked], 1)
	}
}

// put lays the piece on the cell.
func (e *engine) put(s *step, l *level) {
	*(*[4]uint8)(e.colours[4*s.cell:]) = s.shape.edges[l.bit]
	c := s.shape.class
	l.word = c.start + l.bit>>6
	l.bits = e.hand[l.word] & (c.group << (l.bit & 63 &^ (c.ways - 1))) // a symmetric piece has fewer ways
	e.hand[l.word] &^= l.bits
}

// undo takes the piece at the current depth back.
func (e *engine) undo() {
	l := &e.levels[e.depth]
	e.hand[l.word] |= l.bits
	if e.depth < e.booked {
		e.book(&e.plan.steps[e.depth], l, -1)
		e.booked = e.depth
	}
}

// book enters the piece on the cell in the ledger, or with sign -1 takes it
// out. A side that matches changes nothing.
func (e *engine) book(s *step, l *level, sign int32) {
	edges := &s.shape.edges[l.bit]
	for i := range s.afters {
		a := &s.after[i]
		e.tally.shift(a.key+int32(edges[a.side]), sign*a.step)
	}
	if l.charge == 0 {
		return
	}
	for i := range s.knowns {
		k := &s.known[i]
		mine, theirs := edges[k.side], e.colours[k.at]
		if mine != theirs || mine == puzzle.Grey {
			e.tally.shift(k.key+int32(mine), -sign*k.unit)
			e.tally.shift(k.key+int32(theirs), sign*k.unit)
		}
	}
}

// holds asks the ledger whether the breaks that are left may be enough, and
// counts what fires.
func (e *engine) holds(limit uint64, used int) bool {
	e.judge(1)
	limit += uint64(e.bound-used) * e.plan.scheme.perBreak
	excess := ^(limit - e.tally.sums) & tops
	if excess == 0 {
		return true
	}
	e.refuse(1)
	if excess&e.plan.scheme.shortages != 0 {
		e.counts.Shortages++
	}
	if excess&^e.plan.scheme.shortages != 0 {
		e.counts.Losses++
	}
	return false
}

// complete counts a completion.
func (e *engine) complete(used int) {
	e.counts.Completions++
	e.byBreaks[used]++
	if len(e.best) > 0 && used >= e.bestBreaks {
		return
	}
	e.bestBreaks, e.best = used, e.best[:0]
	for i := range e.plan.steps {
		e.best = append(e.best, e.levels[i].bit)
	}
	if e.plan.best {
		e.bound = used - 1
		if used <= e.plan.least {
			e.bound = -1
		}
	}
}
