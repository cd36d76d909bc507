package uai

import (
	"context"

	"lastmile/game/virus"
)

// unstoppable is how many plies are counted without asking whether to stop.
const unstoppable = 3

// perft counts as virus.Perft does, and returns what it has when it is stopped.
func perft(ctx context.Context, p virus.Position, depth int) (n int64) {
	if depth <= unstoppable {
		return virus.Perft(p, depth)
	}
	for _, m := range p.Moves(nil) {
		if ctx.Err() != nil {
			return n
		}
		n += perft(ctx, p.Play(m), depth-1)
	}
	return n
}
