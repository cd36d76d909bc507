package study

import (
	"context"
	"fmt"

	"lastmile/game"
	"lastmile/game/virus"
	"lastmile/random"
)

// This file is what the studies of game trees share: games that a search plays
// against itself, and the distinct positions that these pass through.

// virusSize is the side of the board that is played on, in squares.
const virusSize = 7

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

// zugzwang is an ending in which to pass would be better than to move, so much that
// it changes who wins or draws. Passing is not allowed where there is a move.
type zugzwang struct {
	position virus.Position
	empties  int // squares that can be filled
	move     int // margin when the side to move moves, in stones
	pass     int // and when it could pass
}

// judgeEnding solves an ending, and tells whether it is a zugzwang.
func judgeEnding(ctx context.Context, s *virus.Solver, p virus.Position) (z zugzwang, is bool, err error) {
	z = zugzwang{position: p, empties: p.Fillable()}
	if z.move, err = exactMargin(ctx, s, p); err != nil || z.move > 0 {
		return z, false, err // nothing is better than to win
	}
	z.pass, err = exactMargin(ctx, s, p.Swapped())
	z.pass = -z.pass
	return z, z.pass > 0 && z.move <= 0 || z.pass == 0 && z.move < 0, err
}

// How positions are sampled.
const (
	suiteLeast, suiteMost       = 50, 200 // nodes a move
	suiteOpening                = 6       // plies by lot
	suiteStray                  = 0.1     // of the moves after them
	suiteContinued              = 30      // continuations by lot from an ending of a game
	suiteFew, suiteMany         = 4, 12   // squares that can be filled in endings
	suiteStart                  = 10      // squares that can be filled where continuations begin
	suitePerGame                = 3       // zugzwangs of one game, at most
	suiteMiddleFew, suiteMiddle = 15, 30  // empty squares in the middle of a game
)

// sampleNote says how games are played, for the page.
func sampleNote() string {
	return fmt.Sprintf("Games are self-play: a search with %d to %d nodes a move and the weights of the program, the first %d plies and %s of the later moves drawn by lot. Positions are distinct: turns, mirrors and a change of colours make no other position.",
		suiteLeast, suiteMost, suiteOpening, percent(suiteStray))
}

// suiteGame plays a game of samples.
func suiteGame(ctx context.Context, s *selfPlay, lots *random.Stream) ([]virus.Position, error) {
	return s.play(ctx, lots, func(_ *virus.Position, ply int) bool {
		return ply < suiteOpening || lots.Float64() < suiteStray
	})
}

// continuations calls visit with the positions of so many ways by lot to play a
// game from p to its end, p first.
func continuations(p virus.Position, n int, lots *random.Stream, visit func(virus.Position) error) error {
	var moves []virus.Move
	for range n {
		for q := p; !q.Over(); q = q.Play(moves[lots.Below(len(moves))]) {
			if err := visit(q); err != nil {
				return err
			}
			moves = q.Moves(moves[:0])
		}
	}
	return nil
}

// gameSuite is what searches are asked about.
type gameSuite struct {
	zugzwangs []zugzwang
	middle    []virus.Position
	games     int // that it took
}

// gameSample is what one game has to offer.
type gameSample struct {
	zugzwangs []zugzwang
	middle    []virus.Position
}

// sampleSuite plays games until it has so many zugzwangs and positions of the middle
// game. It depends on seed and counts alone.
func sampleSuite(ctx context.Context, seed uint64, zugzwangs, middle, threads int, say func(string)) (*gameSuite, error) {
	const batch = 50
	var suite gameSuite
	seen := map[virus.Shape]bool{}
	for ctx.Err() == nil {
		first := suite.games
		wave := make([]gameSample, threads*batch)
		err := inParallel(ctx, threads, threads, func(job int) error {
			s, err := newSelfPlay(nil, suiteLeast, suiteMost)
			if err != nil {
				return err
			}
			solver := virus.NewSolver(16)
			for i := job * batch; i < (job+1)*batch && ctx.Err() == nil; i++ {
				if wave[i], err = sampleGame(ctx, s, solver, random.New(seed, "self-play", first+i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		for _, g := range wave {
			suite.games++
			for _, z := range g.zugzwangs {
				if k := z.position.Shape(); len(suite.zugzwangs) < zugzwangs && !seen[k] {
					seen[k] = true
					suite.zugzwangs = append(suite.zugzwangs, z)
				}
			}
			for _, p := range g.middle {
				if k := p.Shape(); len(suite.middle) < middle && !seen[k] {
					seen[k] = true
					suite.middle = append(suite.middle, p)
				}
			}
			if len(suite.zugzwangs) == zugzwangs && len(suite.middle) == middle {
				return &suite, nil
			}
		}
		if suite.games%1000 >= threads*batch {
			continue
		}
		say(fmt.Sprintf("sampling: %d games, %d of %d zugzwangs", suite.games, len(suite.zugzwangs), zugzwangs))
	}
	return nil, nil
}

// sampleGame plays one game, and takes from it one position of the middle game and
// some zugzwangs.
func sampleGame(ctx context.Context, s *selfPlay, solver *virus.Solver, lots *random.Stream) (g gameSample, err error) {
	line, err := suiteGame(ctx, s, lots)
	if err != nil || ctx.Err() != nil {
		return g, err
	}
	seen := map[virus.Shape]bool{}
	look := func(p virus.Position) error {
		n := p.Fillable()
		if len(g.zugzwangs) == suitePerGame || n < suiteFew || n > suiteMany || !bothMove(&p) {
			return ctx.Err()
		}
		k := p.Shape()
		if seen[k] {
			return nil
		}
		seen[k] = true
		z, is, err := judgeEnding(ctx, solver, p)
		if err == nil && is {
			g.zugzwangs = append(g.zugzwangs, z)
		}
		return err
	}
	middle := suiteMiddleFew + lots.Below(suiteMiddle-suiteMiddleFew+1)
	for _, p := range line {
		n := p.Fillable()
		if len(g.middle) == 0 && p.Empty().Count() == middle && bothMove(&p) {
			g.middle = append(g.middle, p)
		}
		if err := look(p); err != nil {
			return g, ignoreEnd(ctx, err)
		}
		if n == suiteStart {
			if err := continuations(p, suiteContinued, lots, look); err != nil {
				return g, ignoreEnd(ctx, err)
			}
		}
	}
	return g, nil
}

// ignoreEnd is the error, unless the context has ended: that is none.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
