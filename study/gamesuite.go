package study

import (
	"context"
	"fmt"
	"math/bits"

	"lastmile/game"
	"lastmile/game/virus"
	"lastmile/random"
)

// This file is what the studies of game trees share: games that a search plays
// against itself, and the distinct positions that these pass through.

// virusSize is the side of the board that is played on, in squares.
const virusSize = 7

// virusShape is how the stones lie before the side to move. Positions that turns,
// mirrors or a change of colours carry into each other have the same one.
type virusShape struct{ own, other virus.Squares }

// shapeOf returns the shape of a position on a square board without gaps.
func shapeOf(p *virus.Position) virusShape {
	side, _ := p.Size()
	own, other := p.Stones()
	if !p.XToMove() {
		own, other = other, own
	}
	var best virusShape
	for turn := range 8 {
		s := virusShape{turned(own, side, turn), turned(other, side, turn)}
		if turn == 0 || s.own < best.own || s.own == best.own && s.other < best.other {
			best = s
		}
	}
	return best
}

// turned carries squares by one of the eight symmetries of a square board.
func turned(s virus.Squares, side, turn int) (t virus.Squares) {
	for ; s != 0; s &= s - 1 {
		q := bits.TrailingZeros64(uint64(s))
		f, r := q&7, q>>3
		if turn&1 != 0 {
			f = side - 1 - f
		}
		if turn&2 != 0 {
			r = side - 1 - r
		}
		if turn&4 != 0 {
			f, r = r, f
		}
		t |= 1 << (8*r + f)
	}
	return t
}

// fillable counts the empty squares that one side or the other can still come to.
func fillable(p *virus.Position) int {
	x, o := p.Stones()
	all, empty := x|o, p.Empty()
	for {
		more := all | beside(all)&empty
		if more == all {
			return (all & empty).Count()
		}
		all = more
	}
}

// beside returns squares and their neighbours on a board of at most 8 by 8.
func beside(s virus.Squares) virus.Squares {
	const a virus.Squares = 0x0101010101010101
	s |= s<<1&^a | s>>1&^(a<<7)
	return s | s<<8 | s>>8
}

// bothMove tells whether either side has a clone.
func bothMove(p *virus.Position) bool {
	if p.Over() || p.MustPass() {
		return false
	}
	s := p.Swapped()
	return !s.MustPass()
}

// selfPlay plays games of virus against itself. It is for one goroutine.
type selfPlay struct {
	search      *game.Search
	weights     *virus.Weights // nil for those of the program
	least, most int64          // nodes a move, drawn anew for each
	size        int
}

// newSelfPlay returns one that is as strong as so many nodes a move make it.
func newSelfPlay(w *virus.Weights, least, most int64) (*selfPlay, error) {
	s, err := game.New(game.Settings{Table: 14})
	return &selfPlay{s, w, least, most, virusSize}, err
}

// play plays one game, and returns its positions, the last one over. Moves are
// drawn by lot where stray says so. The game depends on the stream alone.
func (s *selfPlay) play(ctx context.Context, lots *random.Stream, stray func(p *virus.Position, ply int) bool) ([]virus.Position, error) {
	s.search.Forget()
	p := virus.Start(virus.Virus, s.size, s.size)
	line := []virus.Position{p}
	var moves []virus.Move
	for ply := 0; !p.Over(); ply++ {
		moves = p.Moves(moves[:0])
		m := moves[0]
		switch {
		case len(moves) == 1:
		case stray(&p, ply):
			m = moves[lots.Below(len(moves))]
		default:
			nodes := s.least + int64(lots.Below(int(s.most-s.least)+1))
			r, err := s.search.Run(ctx, virus.NewBoard(p, s.weights), game.Limit{Nodes: nodes}, nil)
			if err != nil || ctx.Err() != nil {
				return nil, err
			}
			m = virus.Move(r.Move)
		}
		p = p.Play(m)
		line = append(line, p)
	}
	return line, nil
}

// exactMargin solves a position, in stones for the side to move.
func exactMargin(ctx context.Context, s *virus.Solver, p virus.Position) (int, error) {
	v, err := s.Solve(ctx, p, 0)
	if err != nil && ctx.Err() == nil {
		return 0, fmt.Errorf("%s: %w", p.FEN(), err)
	}
	return v.Margin, nil
}
