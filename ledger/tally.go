package ledger

import (
	"fmt"

	"lastmile/puzzle"
)

// scheme says how half-edges are counted: under which key, with which weight,
// and what each count costs. It is fixed once the open cells and the pieces
// for them are known.
//
// All that the conditions ask about one colour is a function of two numbers:
// supply minus demand of its two kinds that share seams (inward and inner, or
// leading and trailing; without kinds all are inner and the first number is 0).
// The two are kept as one index into a table of costs, so that a half-edge that
// is used up or asked for is one addition, and the sums that the conditions
// bound follow from two lookups. The sums are packed into one word, 16 bits
// each.
type scheme struct {
	conditions Conditions
	split      bool // half-edges are told apart by kind
	framed     bool
	colours    int

	key  [kinds]int32 // of colour 0; that of colour c is c further
	unit [kinds]int32 // what one half-edge weighs in the state of its colour

	perBreak, perFree uint64 // what a break and a free half-edge allow, by field
	shortages         uint64 // top bits of the fields that speak of supply alone
}

// tally is the books: for each key a state, and the sums of what the states
// cost.
type tally struct {
	cost  []uint64 // by state
	state []int32  // by key
	sums  uint64
}

// shift enters half-edges under a key.
func (t *tally) shift(key, step int32) {
	old := t.state[key]
	t.state[key] = old + step
	t.sums += t.cost[old+step] - t.cost[old]
}

const (
	fieldBits = 16
	fields    = 4
	tops      = uint64(0x8000_8000_8000_8000) // the top bit of each field
)

func pack(sums [fields]int) (word uint64) {
	for i, s := range sums {
		word |= uint64(s) << (fieldBits * i)
	}
	return word
}

func unpack(word uint64) (sums [fields]int) {
	for i := range sums {
		sums[i] = int(word >> (fieldBits * i) & 0x7fff)
	}
	return sums
}

// The fields of the sums. The documentation of the package derives them.
const (
	shortage  = 0 // half-edges asked for that no piece is left to serve
	oddness   = 1 // without kinds: colours whose balance is odd
	loss      = 2 // without kinds: half-edges that will lie in breaks
	forwards  = 1 // with kinds: leading and inward half-edges without a partner, and demands that face their partners
	backwards = 2 // with kinds: the same with trailing for leading
	splitLoss = 3 // with kinds: half-edges that will lie in breaks
)

// limit is what a number of breaks and of free half-edges allow, with the top
// bit of each field set: subtracting the sums clears the top bits of those
// that are too large.
func (s *scheme) limit(breaks, free int) uint64 {
	return uint64(breaks)*s.perBreak + uint64(free)*s.perFree | tops
}

// needs is the least number of breaks that sums leave possible.
func (s *scheme) needs(word uint64, free int) (need int) {
	sums, perBreak, perFree := unpack(word), unpack(s.perBreak), unpack(s.perFree)
	for i, sum := range sums {
		if perBreak[i] > 0 {
			need = max(need, (sum-free*perFree[i]+perBreak[i]-1)/perBreak[i])
		}
	}
	return need
}

// account counts half-edges of one colour.
type account struct{ supply, demand [kinds]int }

// count takes the supply of the free pieces and the demand on the open cells
// of a board by colour, and the half-edges that may lie anywhere: on the rim
// of a puzzle without a frame, or beside cells whose seams are not charged.
func (s *scheme) count(b *puzzle.Board, uncharged []bool) (accounts []account, free int) {
	p := b.Puzzle()
	accounts = make([]account, s.colours+1)
	for piece, e := range p.Pieces {
		if b.CellOf(piece) != puzzle.Empty {
			continue
		}
		for side, c := range e {
			if c != puzzle.Grey || !s.framed {
				accounts[c].supply[s.kindOfPiece(e, side)]++
			}
		}
	}
	for cell := range p.Cells() {
		if b.Piece(cell) != puzzle.Empty {
			continue
		}
		for side, n := range p.Neighbours(cell) {
			switch {
			case n < 0:
				if !s.framed {
					free++
				}
			case b.Piece(int(n)) == puzzle.Empty:
			case uncharged != nil && uncharged[n]:
				free++
			default:
				accounts[b.Edges(int(n))[side^2]].demand[s.kindOfCell(p, cell, side)]++
			}
		}
	}
	return accounts, free
}

func (s *scheme) kindOfPiece(e puzzle.Edges, side int) kind {
	grey := 0
	for i, c := range e {
		if c == puzzle.Grey {
			grey |= 1 << i
		}
	}
	return s.kindOf(grey, side)
}

func (s *scheme) kindOfCell(p *puzzle.Puzzle, cell, side int) kind {
	return s.kindOf(p.RimMask(cell), side)
}

func (s *scheme) kindOf(grey, side int) kind {
	if !s.split {
		return inner
	}
	return kindOf(grey, side)
}

// newScheme says how half-edges of a puzzle are counted. Keys and weights
// follow from the tables, which are laid out for a region.
func newScheme(p *puzzle.Puzzle, c Conditions) *scheme {
	s := &scheme{conditions: c, framed: p.Framed(), colours: p.Colours()}
	s.split = c&Kinds != 0 && splits(p)
	s.key[leading] = int32(s.colours + 1)
	s.key[trailing] = s.key[leading]
	s.shortages = pack([fields]int{shortage: 0x8000})
	s.perBreak, s.perFree = pack([fields]int{shortage: 1, oddness: 2, loss: 2}), pack([fields]int{oddness: 1, loss: 1})
	if c&Kinds != 0 {
		s.shortages = pack([fields]int{shortage: 0x8000, forwards: 0x8000, backwards: 0x8000})
		s.perBreak = pack([fields]int{shortage: 1, forwards: 1, backwards: 1, splitLoss: 2})
		s.perFree = pack([fields]int{forwards: 1, backwards: 1, splitLoss: 1})
	}
	return s
}

// newTally lays out the tables for a board and opens its books.
func newTally(b *puzzle.Board, c Conditions, uncharged []bool) (*scheme, *tally, int, error) {
	p := b.Puzzle()
	s := newScheme(p, c)
	accounts, free := s.count(b, uncharged)
	var open [kinds]int // sides that seams may still be asked of, by kind
	for cell := range p.Cells() {
		if b.Piece(cell) == puzzle.Empty {
			for side := range 4 {
				open[s.kindOfCell(p, cell, side)]++
			}
		}
	}
	t := &tally{state: make([]int32, 2*(s.colours+1))}
	for _, pair := range pairs {
		low, high := reach(accounts, pair, open)
		start := len(t.cost)
		if err := s.lay(t, pair, low, high); err != nil {
			return nil, nil, 0, err
		}
		s.enter(t, accounts, pair, start, low)
	}
	s.layGrey(t, s.reachGrey(accounts[puzzle.Grey]))
	t.sum()
	return s, t, free, nil
}

// sum adds up what the states cost.
func (t *tally) sum() {
	t.sums = 0
	for _, state := range t.state {
		t.sums += t.cost[state]
	}
}

// maxStates bounds a table of costs.
const maxStates = 1 << 23

// pairs are the kinds that share a table.
var pairs = [...][2]kind{{inward, inner}, {leading, trailing}}

// reach is how far below zero, and how far above, placing the free pieces can
// bring supply less demand of any colour of a pair of kinds.
func reach(accounts []account, pair [2]kind, open [kinds]int) (low, high [2]int) {
	for c := range accounts[1:] {
		a := &accounts[1+c]
		both := a.supply[pair[0]] + a.supply[pair[1]] // each may be asked for again once it is placed
		for i, k := range pair {
			low[i] = max(low[i], a.demand[k]+min(both, open[k]))
			high[i] = max(high[i], a.supply[k]+a.demand[k]) // demands may go by a break
		}
	}
	return low, high
}

// lay appends the table of a pair of kinds that reaches so far.
func (s *scheme) lay(t *tally, pair [2]kind, low, high [2]int) error {
	size := [2]int{low[0] + high[0] + 1, low[1] + high[1] + 1}
	if size[0]*size[1] > maxStates {
		return fmt.Errorf("ledger: %d by %d states of a colour, want at most %d in all; leave the condition kinds out", size[0], size[1], maxStates)
	}
	s.unit[pair[0]], s.unit[pair[1]] = int32(size[1]), 1
	for first := -low[0]; first <= high[0]; first++ {
		for second := -low[1]; second <= high[1]; second++ {
			t.cost = append(t.cost, s.price(pair, first, second))
		}
	}
	return nil
}

// enter opens the books of a pair of kinds, whose table starts at a state and
// reaches so far below zero.
func (s *scheme) enter(t *tally, accounts []account, pair [2]kind, start int, low [2]int) {
	zero := start + low[0]*int(s.unit[pair[0]]) + low[1]*int(s.unit[pair[1]])
	for c := 1; c < len(accounts); c++ {
		a, state := &accounts[c], zero
		for _, k := range pair {
			state += (a.supply[k] - a.demand[k]) * int(s.unit[k])
		}
		t.state[int(s.key[pair[0]])+c] = int32(state)
	}
}

// layGrey gives grey a table without costs: on a seam it matches nothing, so
// there is nothing to count.
func (s *scheme) layGrey(t *tally, reach int) {
	for k := range kinds {
		t.state[s.key[k]] = int32(len(t.cost) + reach)
	}
	t.cost = append(t.cost, make([]uint64, 2*reach+1)...)
}

// reachGrey is how far from its start the state of grey can come.
func (s *scheme) reachGrey(a account) int {
	events := 0
	for k := range kinds {
		events += 2*a.supply[k] + a.demand[k]
	}
	return events * int(max(s.unit[inward], s.unit[inner], s.unit[leading]))
}

// price is what a colour adds to the sums when supply less demand is first and
// second for the two kinds.
func (s *scheme) price(pair [2]kind, first, second int) uint64 {
	short := max(0, -first) + max(0, -second)
	if s.conditions&Kinds == 0 {
		odd := second & 1
		sums := [fields]int{}
		if s.conditions&Deficit != 0 {
			sums[shortage] = short
		}
		if s.conditions&Parity != 0 {
			sums[oddness] = odd
		}
		if s.conditions&Combined != 0 {
			sums[loss] = max(short, odd)
		}
		return pack(sums)
	}
	left := [2]int{max(0, first), max(0, second)} // after the demands are served
	sums := [fields]int{shortage: short}
	if pair[0] == leading {
		sums[forwards], sums[backwards] = max(0, left[0]-second), max(0, left[1]-first)
		sums[splitLoss] = short + max(left[0]-left[1], left[1]-left[0])
		return pack(sums)
	}
	// Inner half-edges that no demand and no inward one takes pair up.
	rest := second - left[0]
	sums[forwards], sums[backwards] = max(0, -rest), max(0, -rest)
	sums[splitLoss] = max(0, -first) + max(-rest, rest&1)
	return pack(sums)
}
