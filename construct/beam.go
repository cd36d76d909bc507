package construct

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// Options of a beam. The zero value of a field asks for its default.
type Options struct {
	Order  string // default "comb"
	Width  int    // boards kept at each step, default 4096
	NoLook bool   // rank by score alone, without the look ahead
	Seed   uint64
	Stream int
}

// MaxWidth bounds the boards of a beam.
const MaxWidth = 1 << 20

// Check tells what is wrong with the options.
func (o Options) Check() error {
	_, _, err := o.withDefaults()
	return err
}

func (o Options) withDefaults() (Options, Order, error) {
	if o.Order == "" {
		o.Order = "comb"
	}
	if o.Width == 0 {
		o.Width = 4096
	}
	order, err := OrderNamed(o.Order)
	if err == nil && (o.Width < 1 || o.Width > MaxWidth) {
		err = fmt.Errorf("beam of width %d, want 1 to %d", o.Width, MaxWidth)
	}
	return o, order, err
}

// Result is a full board and what it took.
type Result struct {
	Score      int
	Placements []puzzle.Placement
	Nodes      int64 // children ranked
	Merged     int64 // children dropped because another had the same pieces and frontier
	Cut        bool  // the budget or the context ended before the last step at full width
	Bytes      int64 // memory of the beam's arrays
}

// Beam fills the board cell by cell in a scan order and keeps, after each
// cell, the Width best partial boards. The clues lie on the board from the
// start, so that the cells beside them are filled to match.
//
// A partial board is its used pieces, the colours of its frontier, and its
// score; what lies behind the frontier does not matter any more, so of two
// that agree in pieces and frontier the better stays (exact duplicates merge).
// Children are ranked by score, less one for each empty neighbour of the new
// piece that no unused piece can serve any more: the seam that it will lose is
// lost already. A neighbour may be beside a clue that the scan has not reached,
// so a clue is not stranded unawares. Ties are drawn by a seeded lottery.
//
// When the budget or the context ends, the beam goes on one board wide, so
// there is always a full board. Nodes of the budget count ranked children;
// with no bound on time the same options give the same board.
func Beam(ctx context.Context, p *puzzle.Puzzle, o Options, budget search.Budget, watch search.Observer) (Result, error) {
	o, order, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	if watch == nil {
		watch = search.Nobody
	}
	b := newBeam(p, newPlan(p, order.Scan(p.Width, p.Height)), o)
	detail := fmt.Sprintf("%s, width %d", o.Order, o.Width)
	event := func(kind search.Kind, step int) search.Event {
		return search.Event{
			Kind: kind, Stage: "beam", Detail: detail, Stream: o.Stream, Max: p.MaxScore(),
			Done: int64(step), Of: int64(len(b.plan.steps)), Unit: "cells",
		}
	}
	watch.Observe(event(search.Started, 0))
	start, told := time.Now(), time.Now()
	for i := range b.plan.steps {
		now := time.Now()
		if ctx.Err() != nil || budget.Time > 0 && now.Sub(start) >= budget.Time || budget.Nodes > 0 && b.nodes >= budget.Nodes {
			b.cut = true
			b.width = 1
		}
		b.fill(&b.plan.steps[i])
		if now.Sub(told) >= search.Tell {
			told = now
			e := event(search.Progress, i+1)
			e.Score, e.Best = int(b.states.score[0]), int(b.states.score[0])
			e.Rate = float64(i+1) / now.Sub(start).Seconds()
			watch.Observe(e)
		}
	}
	r := b.result()
	e := event(search.Improved, len(b.plan.steps))
	e.Score, e.Best, e.Placements = r.Score, r.Score, r.Placements
	watch.Observe(e)
	e.Kind, e.Placements = search.Finished, nil
	watch.Observe(e)
	return r, nil
}

// Memory estimates the bytes that a beam of this width takes, an order that
// scans along the longer side included: what Result.Bytes will say, or a
// little more.
func Memory(p *puzzle.Puzzle, width int) int64 {
	words, slots := (p.Cells()+63)/64, 2*max(p.Width, p.Height)+2
	state := 2*(8*words+slots+12) + poolFactor*int(unsafe.Sizeof(child{})) + 8*8*poolFactor + 4 +
		p.Cells()*int(unsafe.Sizeof(mark{}))
	return int64(width) * int64(state)
}

// states are partial boards that have filled the same cells, in parallel arrays.
type states struct {
	n        int
	used     []uint64 // words a state
	frontier []uint8  // slots a state
	score    []int32
	hash     []uint64 // of used and frontier
}

// child is a candidate for the next states.
type child struct {
	key    uint64 // rank, then lottery: higher is better
	hash   uint64
	parent int32
	way    way
	score  int32
}

// mark remembers how a state came to be.
type mark struct {
	parent int32
	move   int32 // 4*piece + turn
}

type beam struct {
	puzzle  *puzzle.Puzzle
	plan    *plan
	width   int
	words   int
	slots   int
	look    bool
	salt    uint64
	twin    []int32  // by piece: the piece before it in its class, or -1
	pieces  []uint64 // Zobrist keys by class of piece
	colours []uint64 // and by slot and colour

	states, next states
	pool         []child
	seen         *seen
	ways         []way
	byScore      []int32 // indices of states, best first
	trail        [][]mark
	nodes        int64
	merged       int64
	cut          bool
}

func newBeam(p *puzzle.Puzzle, l *plan, o Options) *beam {
	b := &beam{
		puzzle: p, plan: l, width: o.Width, words: (p.Cells() + 63) / 64, slots: l.slots, look: !o.NoLook,
		salt:    random.New(o.Seed, "beam", o.Stream).Uint64(),
		twin:    make([]int32, p.Cells()),
		pieces:  make([]uint64, p.Cells()),
		colours: make([]uint64, l.slots*(puzzle.MaxColours+1)),
		pool:    make([]child, 0, poolFactor*o.Width),
		seen:    newSeen(poolFactor * o.Width),
		byScore: make([]int32, 0, o.Width),
	}
	last := map[int]int32{}
	for piece := range b.twin {
		b.twin[piece] = -1
		if before, ok := last[p.Class(piece)]; ok {
			b.twin[piece] = before
		}
		last[p.Class(piece)] = int32(piece)
		b.pieces[piece] = random.Mix(uint64(p.Class(piece)) << 32)
	}
	for i := range b.colours {
		b.colours[i] = random.Mix(uint64(i)<<32 | 1)
	}
	b.states, b.next = b.newStates(o.Width), b.newStates(o.Width)
	b.states.n = 1
	board := puzzle.NewBoard(p)
	for _, c := range p.Clues {
		b.states.used[c.Piece>>6] |= 1 << (c.Piece & 63)
		board.Place(c.Cell, c.Piece, c.Rotation)
	}
	b.states.score[0] = int32(board.Score())
	return b
}

// poolFactor is how many candidates are held for each state that is kept,
// before the worst are dropped.
const poolFactor = 2

func (b *beam) newStates(n int) states {
	return states{
		used: make([]uint64, n*b.words), frontier: make([]uint8, n*b.slots),
		score: make([]int32, n), hash: make([]uint64, n),
	}
}

func (b *beam) used(s *states, i int32) []uint64 {
	return s.used[int(i)*b.words : int(i+1)*b.words]
}

func (b *beam) frontier(s *states, i int32) []uint8 {
	return s.frontier[int(i)*b.slots : int(i+1)*b.slots]
}

// fill grows every state by one cell and keeps the best.
func (b *beam) fill(s *step) {
	b.collect(s)
	b.drop(b.width)
	// In the order of their keys, so that what follows depends on the states
	// alone, not on how they were found.
	slices.SortFunc(b.pool, func(x, y child) int { return cmp.Compare(y.key, x.key) })
	marks := make([]mark, len(b.pool))
	for i := range b.pool {
		b.settle(s, &b.pool[i], int32(i))
		marks[i] = mark{b.pool[i].parent, 4*b.pool[i].way.piece + int32(b.pool[i].way.turn)}
	}
	b.next.n = len(b.pool)
	b.trail = append(b.trail, marks)
	b.states, b.next = b.next, b.states
}

// collect puts the best children of all states into the pool, level by level
// of score from the top, until the levels below cannot hold a better one.
func (b *beam) collect(s *step) {
	b.pool = b.pool[:0]
	b.seen.clear()
	b.rankStates()
	floor := uint64(0)
	best, worst := b.states.score[b.byScore[0]], b.states.score[b.byScore[len(b.byScore)-1]]
	for level := best + 4; level >= worst; level-- {
		for _, parent := range b.byScore {
			gain := level - b.states.score[parent]
			if gain > 4 {
				break
			}
			if gain < 0 {
				continue
			}
			floor = b.expand(s, parent, int(gain), floor)
		}
		if b.countAbove(level) >= b.width {
			return
		}
	}
}

// rankStates lists the states by falling score.
func (b *beam) rankStates() {
	b.byScore = b.byScore[:0]
	for i := range int32(b.states.n) {
		b.byScore = append(b.byScore, i)
	}
	slices.SortStableFunc(b.byScore, func(x, y int32) int { return cmp.Compare(b.states.score[y], b.states.score[x]) })
}

// countAbove counts the pool's children of at least this rank.
func (b *beam) countAbove(rank int32) int {
	n := 0
	for i := range b.pool {
		if rankOf(b.pool[i].key) >= rank {
			n++
		}
	}
	return n
}

// A key is a rank in its upper 24 bits, which may be negative by at most four,
// and a lottery ticket below.
func keyOf(rank int32, ticket uint64) uint64 { return uint64(rank+4)<<40 | ticket>>24 }

func rankOf(key uint64) int32 { return int32(key>>40) - 4 }

// expand ranks the children of a state that gain exactly so many seams. Keys
// up to floor are known to be too low; it returns the new floor.
func (b *beam) expand(s *step, parent int32, gain int, floor uint64) uint64 {
	used, frontier := b.used(&b.states, parent), b.frontier(&b.states, parent)
	asked := need(s.fixed, s.reads, frontier)
	b.ways = s.index.exact(b.ways[:0], asked, gain, used)
	if len(b.ways) == 0 {
		return floor
	}
	score := b.states.score[parent] + int32(gain)
	hash := b.states.hash[parent]
	for _, r := range s.reads {
		hash ^= b.colour(r.slot, frontier[r.slot])
	}
	var beside [3]word
	if b.look {
		for i := range s.looks {
			beside[i] = need(s.looks[i].fixed, s.looks[i].reads, frontier)
		}
	}
	for _, w := range b.ways {
		if t := b.twin[w.piece]; t >= 0 && !has(used, t) {
			continue // the same look with the twin
		}
		b.nodes++
		rank := score
		if b.look {
			rank -= b.stranded(s, &beside, w, used)
		}
		h := hash ^ b.pieces[w.piece]
		for _, o := range s.opens {
			h ^= b.colour(o.slot, uint8(w.edges>>(8*o.side)))
		}
		key := keyOf(rank, random.Mix(h^b.salt))
		if key > floor {
			floor = b.offer(s, child{key, h, parent, w, score}, floor)
		}
	}
	return floor
}

func (b *beam) colour(slot int32, c uint8) uint64 {
	return b.colours[int(slot)*(puzzle.MaxColours+1)+int(c)]
}

// stranded counts the empty neighbours that no unused piece can serve once w
// is placed.
func (b *beam) stranded(s *step, beside *[3]word, w way, used []uint64) int32 {
	n := int32(0)
	for i := range s.looks {
		k := &s.looks[i]
		c := uint8(w.edges >> (8 * k.mine))
		if c == puzzle.Grey {
			continue
		}
		shift := 8 * k.side
		asked := beside[i]&^(0xff<<shift) | word(c)<<shift
		if (asked | 0xff<<shift) == 0xffffffff {
			continue // it sees this piece alone: its other neighbours show grey
		}
		if !k.index.served(asked, used, w.piece) {
			n++
		}
	}
	return n
}

// offer puts a child into the pool, unless its twin state is there already
// with as good a key. When the pool is full the worst half is dropped.
func (b *beam) offer(s *step, c child, floor uint64) uint64 {
	if at := b.seen.find(c.hash, b.pool); at >= 0 && b.same(s, &c, &b.pool[at]) {
		b.merged++
		if c.key > b.pool[at].key {
			b.pool[at] = c
		}
		return floor
	}
	b.seen.add(c.hash, int32(len(b.pool)))
	b.pool = append(b.pool, c)
	if len(b.pool) < cap(b.pool) {
		return floor
	}
	b.drop(b.width)
	b.seen.clear()
	for i := range b.pool {
		b.seen.add(b.pool[i].hash, int32(i))
	}
	floor = b.pool[0].key
	for i := range b.pool {
		floor = min(floor, b.pool[i].key)
	}
	return floor
}

// same tells whether two children have the same used pieces, up to rotation,
// and the same frontier.
func (b *beam) same(s *step, x, y *child) bool {
	ux, uy := b.used(&b.states, x.parent), b.used(&b.states, y.parent)
	for i := range ux {
		a, c := ux[i], uy[i]
		if int(x.way.piece)>>6 == i {
			a |= 1 << (x.way.piece & 63)
		}
		if int(y.way.piece)>>6 == i {
			c |= 1 << (y.way.piece & 63)
		}
		if a != c {
			return false
		}
	}
	fx, fy := b.frontier(&b.states, x.parent), b.frontier(&b.states, y.parent)
	for slot := range fx {
		if fx[slot] != fy[slot] && !slices.ContainsFunc(s.reads, func(r read) bool { return int(r.slot) == slot }) {
			return false
		}
	}
	for _, o := range s.opens {
		if uint8(x.way.edges>>(8*o.side)) != uint8(y.way.edges>>(8*o.side)) {
			return false
		}
	}
	return true
}

// settle makes state i of next out of a child.
func (b *beam) settle(s *step, c *child, i int32) {
	used, frontier := b.used(&b.next, i), b.frontier(&b.next, i)
	copy(used, b.used(&b.states, c.parent))
	copy(frontier, b.frontier(&b.states, c.parent))
	used[c.way.piece>>6] |= 1 << (c.way.piece & 63)
	for _, slot := range s.closes {
		frontier[slot] = 0
	}
	for _, o := range s.opens {
		frontier[o.slot] = uint8(c.way.edges >> (8 * o.side))
	}
	b.next.score[i], b.next.hash[i] = c.score, c.hash
}

// drop keeps the n best children of the pool, in no particular order.
func (b *beam) drop(n int) {
	if len(b.pool) <= n {
		return
	}
	low, high := 0, len(b.pool)-1
	for low < high {
		pivot := median(b.pool[low].key, b.pool[(low+high)/2].key, b.pool[high].key)
		i, j := low, high
		for i <= j {
			for b.pool[i].key > pivot {
				i++
			}
			for b.pool[j].key < pivot {
				j--
			}
			if i <= j {
				b.pool[i], b.pool[j] = b.pool[j], b.pool[i]
				i++
				j--
			}
		}
		switch {
		case n-1 <= j:
			high = j
		case n-1 >= i:
			low = i
		default:
			low = high
		}
	}
	b.pool = b.pool[:n]
}

func median(a, b, c uint64) uint64 { return max(min(a, b), min(max(a, b), c)) }

// result walks the trail of the best state back to the start.
func (b *beam) result() Result {
	best := int32(0)
	for i := range int32(b.states.n) {
		if b.states.score[i] > b.states.score[best] {
			best = i
		}
	}
	r := Result{
		Score: int(b.states.score[best]), Placements: slices.Clone(b.puzzle.Clues),
		Nodes: b.nodes, Merged: b.merged, Cut: b.cut, Bytes: b.bytes(),
	}
	at := best
	for i := len(b.plan.steps) - 1; i >= 0; i-- {
		m := b.trail[i][at]
		r.Placements = append(r.Placements, puzzle.Placement{Cell: b.plan.steps[i].cell, Piece: int(m.move >> 2), Rotation: int(m.move & 3)})
		at = m.parent
	}
	slices.SortFunc(r.Placements, func(x, y puzzle.Placement) int { return cmp.Compare(x.Cell, y.Cell) })
	return r
}

// bytes is the memory of the beam's arrays.
func (b *beam) bytes() int64 {
	state := 8*b.words + b.slots + 4 + 8
	n := int64(2*len(b.states.score)*state) + int64(cap(b.pool))*int64(unsafe.Sizeof(child{})) + int64(8*len(b.seen.at))
	for _, marks := range b.trail {
		n += int64(len(marks)) * int64(unsafe.Sizeof(mark{}))
	}
	return n
}
