package uai

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

// What can bound a search. The clocks of o follow those of x.
const (
	boundDepth = iota
	boundNodes
	boundMove
	boundTime
	boundTimeO
	boundInc
	boundIncO
	boundToGo
	infinite
	kinds
)

// maxMS bounds times, in milliseconds: a few decades.
const maxMS = 1e12

// bound is a word of the command go, with what its value may be.
type bound struct {
	kind      int
	low, high int64
}

// bounds are these words. Runners of Ataxx say b and w where UGI says p1 and p2:
// either is x and o. A clock may have run out, and a runner that counts no moves
// may say so by 0.
var bounds = map[string]bound{
	"depth":     {boundDepth, 1, game.MaxDepth},
	"nodes":     {boundNodes, 1, math.MaxInt64},
	"movetime":  {boundMove, 0, maxMS},
	"btime":     {boundTime, -maxMS, maxMS},
	"p1time":    {boundTime, -maxMS, maxMS},
	"wtime":     {boundTimeO, -maxMS, maxMS},
	"p2time":    {boundTimeO, -maxMS, maxMS},
	"binc":      {boundInc, 0, maxMS},
	"p1inc":     {boundInc, 0, maxMS},
	"winc":      {boundIncO, 0, maxMS},
	"p2inc":     {boundIncO, 0, maxMS},
	"movestogo": {boundToGo, 0, 1e6},
	"infinite":  {kind: infinite},
}

// request is what bounds a search.
type request struct {
	given [kinds]bool
	value [kinds]int64
}

// parseGo reads what follows the word go.
func parseGo(words []string) (request, error) {
	var r request
	for i := 0; i < len(words); i++ {
		word := words[i]
		b, known := bounds[word]
		switch {
		case !known:
			return r, fmt.Errorf("%q, want %s", clip(word), strings.Join(boundNames(), ", "))
		case r.given[b.kind]:
			return r, fmt.Errorf("%s: given twice", word)
		}
		r.given[b.kind] = true
		if b.kind == infinite {
			continue
		}
		if i++; i == len(words) {
			return r, fmt.Errorf("%s: no value, want %d to %d", word, b.low, b.high)
		}
		n, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil || n < b.low || n > b.high {
			return r, fmt.Errorf("%s %q, want %d to %d", word, clip(words[i]), b.low, b.high)
		}
		r.value[b.kind] = n
	}
	return r, nil
}

func boundNames() []string {
	var names []string
	for name := range bounds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// limit returns how far to search the position. None is for good.
func (r *request) limit(p *virus.Position, margin time.Duration) (game.Limit, error) {
	l := game.Limit{Depth: int(r.value[boundDepth]), Nodes: r.value[boundNodes]}
	if r.given[boundMove] {
		l.Hard = within(r.ms(boundMove), margin)
		l.Soft = l.Hard
	}
	side, clocked := 0, r.given[boundToGo]
	for kind := boundTime; kind <= boundIncO; kind++ {
		clocked = clocked || r.given[kind]
	}
	if !p.XToMove() {
		side = 1
	}
	switch {
	case !clocked:
		return l, nil
	case !r.given[boundTime+side]:
		return l, fmt.Errorf("no time for the side to move, want %s", [...]string{"btime", "wtime"}[side])
	}
	soft, hard := clock{
		left: r.ms(boundTime + side), inc: r.ms(boundInc + side), toGo: int(r.value[boundToGo]),
		moves: movesLeft(p), margin: margin,
	}.budget()
	if l.Hard == 0 {
		l.Soft, l.Hard = soft, hard
	}
	l.Soft, l.Hard = min(l.Soft, soft), min(l.Hard, hard)
	return l, nil
}

func (r *request) ms(kind int) time.Duration { return time.Duration(r.value[kind]) * time.Millisecond }

// bounded tells whether the search ends by itself.
func (r *request) bounded() bool {
	return slices.Contains(r.given[:infinite], true)
}

// movesLeft guesses how many moves the side to move will make. Virus fills a
// square by each; Ataxx jumps as well.
func movesLeft(p *virus.Position) int {
	n := (p.Empty().Count() + 1) / 2
	if p.Rules() == virus.Ataxx {
		n += 8
	}
	return n
}
