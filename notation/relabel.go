package notation

import (
	"sync"

	"lastmile/puzzle"
	"lastmile/random"
)

func recolour(g *puzzle.Grid, c *puzzle.Colouring) *puzzle.Grid {
	t := puzzle.NewGrid(g.Width, g.Height)
	copy(t.Filled, g.Filled)
	for cell, e := range g.Edges {
		t.Edges[cell] = c.Apply(e)
	}
	return t
}

// prints gives each colour a fingerprint of the company that it keeps, which
// does not depend on the names of the colours, the numbers of the pieces or
// their rotations: a few rounds of colour refinement. Grey keeps its own.
func prints(pieces []puzzle.Edges) [256]uint64 {
	var now [256]uint64
	for c := range now {
		now[c] = 1
	}
	now[puzzle.Grey] = 2
	for range 5 {
		var sum [256]uint64
		for _, e := range pieces {
			for i, c := range e {
				around := now[c]
				for k := 1; k < 4; k++ {
					around = random.Mix(around*3 + now[e[(i+k)&3]])
				}
				sum[c] += around
			}
		}
		for c := 1; c < 256; c++ {
			now[c] = random.Mix(now[c]*5 + sum[c])
		}
	}
	return now
}

var officialPrints = sync.OnceValue(func() map[uint64]uint8 {
	p := puzzle.Official()
	by := make(map[uint64]uint8)
	for c, f := range prints(p.Pieces) {
		if c <= p.Colours() {
			by[f] = uint8(c)
		}
	}
	return by
})

// officialColours finds the colours under which the pieces, in any order and
// rotation, are the official set. Grey stays grey.
func officialColours(pieces []puzzle.Edges) (*puzzle.Colouring, bool) {
	official := puzzle.Official()
	if len(pieces) != len(official.Pieces) {
		return nil, false
	}
	own := prints(pieces)
	var to puzzle.Colouring
	var used [256]bool
	for _, e := range pieces {
		for _, c := range e {
			if used[c] {
				continue
			}
			used[c] = true
			o, ok := officialPrints()[own[c]]
			if !ok {
				return nil, false
			}
			to[c] = o
		}
	}
	mapped := make([]puzzle.Edges, len(pieces))
	for i, e := range pieces {
		mapped[i] = to.Apply(e)
	}
	if !sameSet(mapped, official.Pieces) {
		return nil, false
	}
	to.Complete(used)
	return &to, true
}

// nearlyOfficialColours guesses the colours of a list that is the official set
// in official numbers but for a few damaged pieces, or the beginning of it:
// each rim piece, whose rotation grey tells, votes for its colours.
func nearlyOfficialColours(pieces []puzzle.Edges) (*puzzle.Colouring, bool) {
	official := puzzle.Official()
	if len(pieces) > len(official.Pieces) {
		return nil, false
	}
	var votes [256][256]int
	for i, e := range pieces {
		f := official.Pieces[i]
		for r := range 4 {
			if t := e.Rotated(r); grey(f) != 0 && grey(t) == grey(f) {
				for side := range t {
					votes[t[side]][f[side]]++
				}
			}
		}
	}
	var to puzzle.Colouring
	var taken [256]bool
	for c := 1; c < 256; c++ {
		best := 0
		for o := 1; o < 256; o++ {
			if votes[c][o] > votes[c][best] || best == 0 && votes[c][o] > 0 {
				best = o
			}
		}
		if best > 0 && taken[best] {
			return nil, false
		}
		taken[best], to[c] = best > 0, uint8(best)
	}
	return &to, true
}

// grey has bit i set when side i is grey.
func grey(e puzzle.Edges) int {
	m := 0
	for i, c := range e {
		if c == puzzle.Grey {
			m |= 1 << i
		}
	}
	return m
}
