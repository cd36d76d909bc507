package virus

import "context"

// Perft counts the ways to play so many plies. A pass is a ply; a game that is
// over has no further ones. The last ply is counted, not played.
func Perft(p Position, depth int) int64 {
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return int64(p.countMoves())
	}
	var n int64
	if p.rules == Virus {
		clones := p.clones(p.own)
		if clones == 0 {
			return p.perftPass(depth)
		}
		for ; clones != 0; clones &= clones - 1 {
			n += Perft(p.Play(clone(clones.first())), depth-1)
		}
		return n
	}
	var room [256]Move
	for _, m := range p.Moves(room[:0]) {
		n += Perft(p.Play(m), depth-1)
	}
	return n
}

func (p *Position) perftPass(depth int) int64 {
	if p.Over() {
		return 0
	}
	return Perft(p.Play(Pass), depth-1)
}

// countMoves returns how many moves there are.
func (p *Position) countMoves() int {
	if p.rules == Virus {
		if n := p.clones(p.own).Count(); n > 0 {
			return n
		}
	}
	if p.Over() {
		return 0
	}
	empty := p.Empty()
	n := p.clones(p.own).Count()
	if p.rules == Ataxx {
		for from := p.own; from != 0; from &= from - 1 {
			n += (far[from.first()] & empty).Count()
		}
	}
	return max(n, 1) // the pass
}

// MoveCount is a move, and the ways to play on after it.
type MoveCount struct {
	Move  Move
	Count int64
}

// Divide is Perft, move by move. It stops early when the context ends, with its
// error.
func Divide(ctx context.Context, p Position, depth int) ([]MoveCount, error) {
	var list []MoveCount
	for _, m := range p.Moves(nil) {
		n, err := PerftContext(ctx, p.Play(m), depth-1)
		if err != nil {
			return list, err
		}
		list = append(list, MoveCount{m, n})
	}
	return list, nil
}

// PerftContext is Perft, and stops early when the context ends, with its error.
func PerftContext(ctx context.Context, p Position, depth int) (n int64, err error) {
	if depth <= 5 { // soon done
		return Perft(p, depth), ctx.Err()
	}
	for _, m := range p.Moves(nil) {
		below, err := PerftContext(ctx, p.Play(m), depth-1)
		if err != nil {
			return 0, err
		}
		n += below
	}
	return n, nil
}
