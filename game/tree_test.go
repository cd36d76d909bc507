package game

import "slices"

// tree is a game without sense: what has been played, whoever's turn it was in
// whichever order, says by a hash what can be played and what it is worth. So it
// has transpositions, forced passes, early ends, and null moves of any worth.
type tree struct {
	state
	seed   uint64
	height int
	before []state
}

type state struct {
	sum  [2]uint64
	turn int
	ply  int
}

const treePass Move = 0xffff

func newTree(seed uint64, height int) *tree { return &tree{seed: seed, height: height} }

func scramble(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

func (t *tree) hash(what uint64) uint64 {
	return scramble(scramble(scramble(scramble(t.seed^what)+t.sum[0])+t.sum[1]) + uint64(2*t.ply+t.turn))
}

func (t *tree) Moves(list []Move) []Move {
	switch h := t.hash(1); {
	case t.ply >= t.height || h%23 == 0:
		return list
	case h%13 == 0:
		return append(list, treePass)
	default:
		for m := range Move(1 + h>>8%5) {
			list = append(list, m)
		}
		return list
	}
}

func (t *tree) Play(m Move) {
	t.before = append(t.before, t.state)
	t.sum[t.turn] += scramble(uint64(m) + 77)
	t.turn, t.ply = 1-t.turn, t.ply+1
}

func (t *tree) Skip() {
	t.before = append(t.before, t.state)
	t.turn = 1 - t.turn
}

func (t *tree) Undo() {
	last := len(t.before) - 1
	t.state, t.before = t.before[last], t.before[:last]
}

func (t *tree) MustPass() bool  { return slices.Equal(t.Moves(nil), []Move{treePass}) }
func (t *tree) Left() int       { return t.height - t.ply }
func (t *tree) Gain(m Move) int { return int(t.hash(uint64(m)+2)) & 3 }
func (t *tree) Value() Points   { return Points(t.hash(3)%201) - 100 }
func (t *tree) Key() uint64     { return t.hash(4) }

// minimax is the value of the position, searched to a depth.
func (t *tree) minimax(depth int) Points {
	moves := t.Moves(nil)
	if depth == 0 || len(moves) == 0 {
		return t.Value()
	}
	best := -infinite
	for _, m := range moves {
		t.Play(m)
		best = max(best, -t.minimax(depth-1))
		t.Undo()
	}
	return best
}
