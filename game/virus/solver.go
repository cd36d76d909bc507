package virus

import (
	"context"
	"fmt"
)

// Solver finds the exact value of positions of virus by a search to the end of
// the game. It shares nothing with package game, whose searches are held against
// it. It is for one goroutine, and remembers what it has solved.
type Solver struct {
	table   []solved
	squares Squares
	nodes   int64
	most    int64
	ctx     context.Context
	stopped bool
}

// solved bounds the margin of a position.
type solved struct {
	own, other Squares
	low, high  int8
	best       Square
	known      bool
}

// noSquare is no move.
const noSquare Square = 255

// NewSolver returns a solver that remembers 2^bits positions.
func NewSolver(bits int) *Solver { return &Solver{table: make([]solved, 1<<bits)} }

// Solution is what a solver has found.
type Solution struct {
	Margin int // stones more than the other side, at the end
	Best   Move
	Nodes  int64
}

// Solve returns the margin with which the side to move ends, when both play for
// the best margin. It gives up after so many nodes, if most is not 0, or when the
// context ends. Ataxx is not solved: its jumps make it go round in circles.
func (s *Solver) Solve(ctx context.Context, p Position, most int64) (Solution, error) {
	if p.rules != Virus {
		return Solution{}, fmt.Errorf("the solver knows virus alone, not %v: jumps go round in circles", p.rules)
	}
	if s.squares != p.squares {
		clear(s.table)
	}
	s.squares, s.nodes, s.most, s.ctx, s.stopped = p.squares, 0, most, ctx, false
	v, best := s.solve(p.own, p.other, -64, 64, false)
	if s.stopped {
		if err := context.Cause(ctx); err != nil {
			return Solution{}, fmt.Errorf("not solved: %w", err)
		}
		return Solution{}, fmt.Errorf("not solved: the bound of nodes, %d, is too low", most)
	}
	m := Pass
	if best != noSquare {
		m = clone(best)
	}
	return Solution{v, m, s.nodes}, nil
}

// solve is alpha-beta, in stones.
func (s *Solver) solve(own, other Squares, alpha, beta int, passed bool) (int, Square) {
	if s.nodes++; s.most > 0 && s.nodes > s.most || s.nodes&1023 == 0 && s.ctx.Err() != nil {
		s.stopped = true
	}
	if s.stopped {
		return 0, noSquare
	}
	empty := s.squares &^ (own | other)
	moves := own.spread() & empty
	switch {
	case moves == 0 && (passed || other.spread()&empty == 0):
		return own.Count() - other.Count(), noSquare
	case moves == 0:
		v, _ := s.solve(other, own, -beta, -alpha, true)
		return -v, noSquare
	case other == 0: // the rest is own's, as far as it goes
		for {
			more := own.spread() & s.squares
			if more == own {
				return own.Count(), moves.first()
			}
			own = more
		}
	}
	e := &s.table[mix(uint64(own)^0x9e3779b97f4a7c15, uint64(other)^0xc2b2ae3d27d4eb4f)&uint64(len(s.table)-1)]
	first := noSquare
	if e.known && e.own == own && e.other == other {
		switch {
		case int(e.low) >= beta || e.low == e.high:
			return int(e.low), e.best
		case int(e.high) <= alpha:
			return int(e.high), e.best
		}
		first = e.best
	}
	best, bestSquare, low := -65, noSquare, alpha
	var list [64]struct {
		square Square
		rank   int
	}
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		q := moves.first()
		turned := near[q] & other
		rank := 3*turned.Count() - ((other &^ turned).spread() & empty).Count()
		if q == first {
			rank = 1000
		}
		i := n
		for ; i > 0 && list[i-1].rank < rank; i-- {
			list[i] = list[i-1]
		}
		list[i].square, list[i].rank = q, rank
		n++
	}
	for _, m := range list[:n] {
		turned := near[m.square] & other
		v, _ := s.solve(other&^turned, own|turned|m.square.bit(), -beta, -max(low, best), false)
		if s.stopped {
			return 0, noSquare
		}
		if -v > best {
			best, bestSquare = -v, m.square
			if best >= beta {
				break
			}
		}
	}
	*e = solved{own, other, -64, 64, bestSquare, true}
	if best > alpha {
		e.low = int8(best)
	}
	if best < beta {
		e.high = int8(best)
	}
	return best, bestSquare
}
