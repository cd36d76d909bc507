package match

import (
	"context"

	"lastmile/game"
	"lastmile/game/virus"
)

// Player is one side of a match.
type Player struct {
	Name     string
	Settings game.Settings
	Weights  *virus.Weights // nil for virus.DefaultWeights
	Limit    game.Limit     // of each move
}

// Game is a game that has been played, from the end of its opening on.
type Game struct {
	FirstIsX bool         // the first player has x
	Moves    []virus.Move // passes too
	Margin   int          // stones of the first player more than of the second; 0 of a draw by rule
	Nodes    [2]int64     // of the players
	End      virus.Position
}

// Points of the first player, in halves: 2 for a win, 1 for a draw.
func (g *Game) Points() int {
	switch {
	case g.Margin > 0:
		return 2
	case g.Margin < 0:
		return 0
	}
	return 1
}

// table is where two players sit: their searches and their boards.
type table struct {
	players  [2]Player
	searches [2]*game.Search
	boards   [2]*virus.Board
}

func newTable(players [2]Player, start virus.Position) (*table, error) {
	t := &table{players: players}
	for i, p := range players {
		s, err := game.New(p.Settings)
		if err != nil {
			return nil, err
		}
		t.searches[i], t.boards[i] = s, virus.NewBoard(start, p.Weights)
	}
	return t, nil
}

// both plays the two games of a pair.
func (t *table) both(ctx context.Context, p *Pair) (err error) {
	for i := range p.Games {
		if p.Games[i], err = t.play(ctx, p.Opening.Position, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// play plays a game to its end. Both players have forgotten all others, so that a
// game depends on nothing but its opening. A side with one move only does not think.
func (t *table) play(ctx context.Context, p virus.Position, firstIsX bool) (Game, error) {
	g := Game{FirstIsX: firstIsX}
	t.searches[0].Forget()
	t.searches[1].Forget()
	var room [256]virus.Move
	for !p.Over() {
		moves := p.Moves(room[:0])
		m := moves[0]
		if len(moves) > 1 {
			turn := 0
			if p.XToMove() != firstIsX {
				turn = 1
			}
			t.boards[turn].Position = p
			r, err := t.searches[turn].Run(ctx, t.boards[turn], t.players[turn].Limit, nil)
			if err != nil {
				return g, err
			}
			if ctx.Err() != nil {
				return g, context.Cause(ctx)
			}
			g.Nodes[turn] += r.Nodes
			m = virus.Move(r.Move)
		}
		g.Moves = append(g.Moves, m)
		p = p.Play(m)
	}
	g.End, g.Margin = p, p.Result()
	if p.XToMove() != firstIsX {
		g.Margin = -g.Margin
	}
	return g, nil
}
