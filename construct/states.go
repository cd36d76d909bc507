package construct

import (
	"cmp"
	"slices"

	"lastmile/puzzle"
	"lastmile/random"
)

// states are partial boards that have filled the same cells, in parallel arrays.
type states struct {
	n        int
	used     []uint64 // words a state
	frontier []uint8  // slots a state
	score    []int32
	hash     []uint64 // of used and frontier
	left     []int32  // colours a state, when alike: the unused sides of each but grey
	square   []int64  // the sum of the squares of left
}

// child is a candidate for the next states.
type child struct {
	key    uint64 // rank, then lottery: higher is better
	hash   uint64
	parent int32
	way    way
	score  int32
}

// ticket is the key of a child of the pool.
type ticket struct {
	key   uint64
	child int32
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
	pieces  []uint64 // Zobrist keys by piece: twins are used in their order
	colours []uint64 // and by slot and colour
	alike   float64  // unit times the weight
	own     []int64  // by piece: the sum of the squares of its own colours

	states, next states
	pool         []child
	seen         *seen
	ranked       []ticket // the pool by falling key
	ways         []way
	byTop        []int32 // indices of states, best first
	top          []int32 // by state: its children gain on this rank
	trail        [][]mark
	most         int64 // bytes that the arrays ever took
	nodes        int64
	merged       int64
	cut          bool
	over         func() bool // the time is up: what is collected must do
}

func newBeam(p *puzzle.Puzzle, l *plan, o Options) *beam {
	b := &beam{
		puzzle: p, plan: l, width: o.Width, words: (p.Cells() + 63) / 64, slots: l.slots, look: !o.NoLook,
		salt:    random.New(o.Seed, "beam", o.Stream).Uint64(),
		twin:    make([]int32, p.Cells()),
		pieces:  make([]uint64, p.Cells()),
		colours: make([]uint64, l.slots*(puzzle.MaxColours+1)),
		pool:    make([]child, 0, poolFactor*o.Width),
		ranked:  make([]ticket, 0, o.Width),
		seen:    newSeen(poolFactor * o.Width),
		byTop:   make([]int32, 0, o.Width),
		top:     make([]int32, o.Width),
		alike:   unit * o.Alike,
	}
	last := map[int]int32{}
	for piece := range b.twin {
		b.twin[piece] = -1
		if before, ok := last[p.Class(piece)]; ok {
			b.twin[piece] = before
		}
		last[p.Class(piece)] = int32(piece)
		b.pieces[piece] = random.Mix(uint64(piece) << 32)
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
	if b.alike > 0 {
		b.countColours()
	}
	return b
}

// countColours fills in own, left and square of the first state.
func (b *beam) countColours() {
	n := b.puzzle.Colours() + 1
	for _, s := range []*states{&b.states, &b.next} {
		s.left, s.square = make([]int32, len(s.score)*n), make([]int64, len(s.score))
	}
	b.own = make([]int64, b.puzzle.Cells())
	used, left := b.used(&b.states, 0), b.left(&b.states, 0)
	for piece, e := range b.puzzle.Pieces {
		for i, c := range e {
			if c == puzzle.Grey {
				continue
			}
			for j := range e {
				if e[j] == c {
					b.own[piece]++
				}
			}
			if !has(used, int32(piece)) {
				left[e[i]]++
			}
		}
	}
	for _, k := range left {
		b.states.square[0] += int64(k) * int64(k)
	}
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

func (b *beam) left(s *states, i int32) []int32 {
	n := b.puzzle.Colours() + 1
	return s.left[int(i)*n : int(i+1)*n]
}

// fill grows every state by one cell and keeps the best.
func (b *beam) fill(s *step) {
	b.collect(s)
	b.drop(b.width)
	// In the order of their keys, so that what follows depends on the states
	// alone, not on how they were found.
	b.ranked = b.ranked[:0]
	for i := range b.pool {
		b.ranked = append(b.ranked, ticket{b.pool[i].key, int32(i)})
	}
	slices.SortFunc(b.ranked, func(x, y ticket) int { return cmp.Compare(y.key, x.key) })
	marks := make([]mark, len(b.pool))
	for i, t := range b.ranked {
		c := &b.pool[t.child]
		b.settle(s, c, int32(i))
		marks[i] = mark{c.parent, 4*c.way.piece + int32(c.way.turn)}
	}
	b.next.n = len(b.pool)
	b.trail = append(b.trail, marks)
	b.most = max(b.most, b.bytes())
	forget(b.trail)
	b.states, b.next = b.next, b.states
}
