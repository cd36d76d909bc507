package construct

import (
	"cmp"
	"math"
	"slices"

	"lastmile/puzzle"
	"lastmile/random"
)

// collect puts the best children of all states into the pool, level by level
// from the top, until the levels below cannot hold a better one.
func (b *beam) collect(s *step) {
	b.pool = b.pool[:0]
	b.seen.clear()
	b.rankStates(s)
	floor := uint64(0)
	best, worst := b.seams(b.byTop[0]), b.seams(b.byTop[len(b.byTop)-1])
	for level := best + 4; level >= worst; level-- {
		for i, parent := range b.byTop {
			if i%64 == 63 && len(b.pool) > 0 && b.over != nil && b.over() {
				b.cut = true
				return
			}
			gain := level - b.seams(parent)
			if gain > 4 {
				break
			}
			if gain < 0 || keyOf(b.top[parent]+gain*unit, math.MaxUint64) <= floor {
				continue
			}
			floor = b.expand(s, parent, int(gain), floor)
		}
		if b.countAbove((level-1)*unit) >= b.width {
			return
		}
	}
}

// rankStates lists the states by falling top: their rank before the next piece.
// A piece takes colours away and never adds to their squares, so no child with
// some gain ranks higher than top and gain.
func (b *beam) rankStates(s *step) {
	b.byTop = b.byTop[:0]
	for i := range int32(b.states.n) {
		b.byTop = append(b.byTop, i)
		b.top[i] = b.states.score[i] * unit
		if b.alike > 0 {
			b.top[i] += b.fraction(s, b.states.square[i])
		}
	}
	slices.SortStableFunc(b.byTop, func(x, y int32) int { return cmp.Compare(b.top[y], b.top[x]) })
}

// seams is the top of a state in whole seams, rounded up.
func (b *beam) seams(state int32) int32 { return (b.top[state] + unit - 1) / unit }

// fraction is what the colours left over add to a rank.
func (b *beam) fraction(s *step, square int64) int32 {
	return int32(b.alike * s.chance * float64(square))
}

// squareAfter is the sum of squares of the colours that a state has left once
// it uses w: (n-k)^2 = n^2 - 2nk + k^2 for k sides of a colour.
func (b *beam) squareAfter(parent int32, w way) int64 {
	left := b.left(&b.states, parent)
	sum := int32(0)
	for e := w.edges; e != 0; e >>= 8 {
		sum += left[uint8(e)]
	}
	return b.states.square[parent] - 2*int64(sum) + b.own[w.piece]
}

// countAbove counts the pool's children of more than this rank.
func (b *beam) countAbove(rank int32) int {
	n := 0
	for i := range b.pool {
		if rankOf(b.pool[i].key) > rank {
			n++
		}
	}
	return n
}

// unit is a seam in ranks.
const unit = 64

// A key is a rank in its upper 24 bits, which may be negative by at most four
// seams, and a lottery ticket below.
func keyOf(rank int32, ticket uint64) uint64 { return uint64(rank+4*unit)<<40 | ticket>>24 }

func rankOf(key uint64) int32 { return int32(key>>40) - 4*unit }

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
		rank := score * unit
		if b.alike > 0 {
			rank += b.fraction(s, b.squareAfter(parent, w))
		}
		if keyOf(rank, math.MaxUint64) <= floor {
			continue
		}
		if b.look {
			rank -= unit * b.stranded(s, &beside, w, used)
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
	if b.alike > 0 {
		left := b.left(&b.next, i)
		copy(left, b.left(&b.states, c.parent))
		for _, colour := range b.puzzle.Pieces[c.way.piece] {
			if colour != puzzle.Grey {
				left[colour]--
			}
		}
		b.next.square[i] = b.squareAfter(c.parent, c.way)
	}
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
