package engine

import (
	"context"
	"fmt"
	"slices"

	"lastmile/alns"
	"lastmile/certify"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// wallRoom is a full board whose breaks are looked at.
type wallRoom struct{ board *puzzle.Board }

type wallQuestion struct {
	Board string `json:"board"`
}

type wallOpened struct {
	Puzzle Puzzle `json:"puzzle"`
	Name   string `json:"name"`
	Board  []int  `json:"board"`
	Score  int    `json:"score"`
	Breaks int    `json:"breaks"`
}

func openWall(e *Engine, q wallQuestion) (wallOpened, error) {
	b, name, err := sound(q.Board)
	if err != nil {
		return wallOpened{}, err
	}
	if b.Filled() < b.Puzzle().Cells() || b.Breaks() == 0 {
		return wallOpened{}, fmt.Errorf("a board with %d empty cells and %d breaks, want a full one with a break", b.Puzzle().Cells()-b.Filled(), b.Breaks())
	}
	e.rooms["wall"] = &wallRoom{b}
	return wallOpened{PuzzleOf(b.Puzzle()), name, codes(b), b.Score(), b.Breaks()}, nil
}

// haloQuestion asks for the cells within a radius of the broken ones.
type haloQuestion struct {
	Radius int    `json:"radius"`
	Metric string `json:"metric"`
}

// MaxRadius bounds a halo.
const MaxRadius = 8

func (q *haloQuestion) cells(b *puzzle.Board) ([]int, error) {
	m, err := puzzle.MetricNamed(q.Metric)
	if err != nil {
		return nil, err
	}
	if q.Radius < 0 || q.Radius > MaxRadius {
		return nil, fmt.Errorf("radius %d, want 0 to %d", q.Radius, MaxRadius)
	}
	return b.Puzzle().Halo(b.BrokenCells(), q.Radius, m), nil
}

func (r *wallRoom) halo(_ *Engine, q haloQuestion) ([]int, error) { return q.cells(r.board) }

// decideQuestion asks whether a halo can be refilled without any break (perfect),
// or with fewer than it has (better), within so many nodes.
type decideQuestion struct {
	haloQuestion
	Goal  string `json:"goal"`
	Nodes int64  `json:"nodes"`
}

type decided struct {
	Verdict certify.Verdict `json:"verdict"` // proven, found or open
	Freed   int             `json:"freed"`
	Nodes   int64           `json:"nodes"`
	Score   int             `json:"score"` // of the best board that is known
	Board   []int           `json:"board"`
}

// maxDecide bounds the nodes of a decision: some minutes in a page, which ends
// the worker when nobody wants to wait for it.
const maxDecide = 1 << 30

func (r *wallRoom) decide(e *Engine, q decideQuestion) (decided, error) {
	cells, err := q.cells(r.board)
	if err != nil {
		return decided{}, err
	}
	goal := certify.Goal(slices.Index(certify.GoalNames, q.Goal))
	if goal < 0 {
		return decided{}, fmt.Errorf("goal %q, want one of %v", q.Goal, certify.GoalNames)
	}
	if q.Nodes < 1 || q.Nodes > maxDecide {
		return decided{}, fmt.Errorf("%d nodes, want 1 to %d", q.Nodes, maxDecide)
	}
	return decide(e, r.board, cells, goal, q.Nodes)
}

// decide exhausts the ways to fill the cells again.
func decide(e *Engine, b *puzzle.Board, cells []int, goal certify.Goal, nodes int64) (decided, error) {
	region, err := certify.NewRegion(b, cells)
	if err != nil {
		return decided{}, err
	}
	d := decided{Freed: len(cells)}
	watch := search.Func(func(v search.Event) {
		d.Nodes = max(d.Nodes, v.Done)
		e.tell("wall", map[string]any{"nodes": v.Done, "of": nodes})
	})
	res, err := certify.Exhaust(context.Background(), region, goal, ledger.Plan{Budget: search.Budget{Nodes: nodes}, Watch: watch})
	if err != nil {
		return decided{}, err
	}
	best := puzzle.NewBoard(b.Puzzle())
	best.Load(res.Board)
	d.Verdict, d.Score, d.Board = res.Verdict, best.Score(), codes(best)
	return d, nil
}

// gameQuestion asks for a small board at the wall.
type gameQuestion struct {
	Side int    `json:"side"`
	Seed uint64 `json:"seed"`
}

// wallGame is a board at the wall, for people to beat.
type wallGame struct {
	puzzle *puzzle.Puzzle
	start  int
}

type gameOpened struct {
	Puzzle   Puzzle `json:"puzzle"`
	Board    []int  `json:"board"`
	Score    int    `json:"score"`
	Solution []int  `json:"solution"`
	Radius   int    `json:"radius"` // of the halo that is proved to hold nothing better
	Freed    int    `json:"freed"`
	Nodes    int64  `json:"nodes"` // of that proof
}

// Tries at a board for the game, and nodes of one proof.
const (
	gameTries = 400
	gameNodes = 1 << 18
)

// openGame polishes damaged boards of a small puzzle until one is stuck: it has
// breaks, and exhaustion proves that no refill of the cells round them has fewer.
func openGame(e *Engine, q gameQuestion) (gameOpened, error) {
	if q.Side < 4 || q.Side > 6 {
		return gameOpened{}, fmt.Errorf("a board of side %d, want 4 to 6", q.Side)
	}
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: q.Side, Height: q.Side, Colours: q.Side + 1, Seed: q.Seed})
	if err != nil {
		return gameOpened{}, err
	}
	var cells []int
	for cell := range p.Cells() {
		cells = append(cells, cell)
	}
	for radius := 1; radius >= 0; radius-- {
		for try := range gameTries {
			r := random.New(q.Seed, "lab game", try)
			b := puzzle.NewBoard(p)
			b.Load(solution)
			puzzle.Scramble(b, cells, 0.4, r)
			loop, err := alns.NewSearch(b, alns.Options{Acceptance: "hill-climbing", Smallest: 2, Largest: 5, Seed: r.Uint64()})
			if err != nil {
				return gameOpened{}, err
			}
			for range 200 {
				loop.Iterate()
			}
			halo := p.Halo(b.BrokenCells(), radius, puzzle.Chebyshev)
			if b.Breaks() < 2 || b.Breaks() > 2*q.Side-4 || 4*len(halo) > 3*p.Cells() {
				continue
			}
			d, err := decide(&Engine{tell: func(string, any) {}}, b, halo, certify.Better, gameNodes)
			if err != nil {
				return gameOpened{}, err
			}
			if d.Verdict != certify.Proven {
				continue
			}
			e.rooms["game"] = &wallGame{p, b.Score()}
			whole := puzzle.NewBoard(p)
			whole.Load(solution)
			return gameOpened{PuzzleOf(p), codes(b), b.Score(), codes(whole), radius, len(halo), d.Nodes}, nil
		}
	}
	return gameOpened{}, fmt.Errorf("no board at the wall in %d tries of seed %d, want another seed", gameTries, q.Seed)
}

// playQuestion is the board as a player has left it.
type playQuestion struct {
	Board []int `json:"board"`
}

type played struct {
	Score  int  `json:"score"`
	Beaten bool `json:"beaten"`
	Solved bool `json:"solved"`
}

// play scores the board of a player, whose pieces must lie each once and by the
// frame rule.
func (g *wallGame) play(_ *Engine, q playQuestion) (played, error) {
	b, err := placed(g.puzzle, q.Board)
	if err != nil {
		return played{}, err
	}
	for _, x := range b.Placements(nil) {
		if !g.puzzle.FitsAt(x.Cell, x.Piece, x.Rotation) {
			return played{}, fmt.Errorf("the piece on cell %d breaks the frame rule", x.Cell)
		}
	}
	return played{b.Score(), b.Score() > g.start, b.Score() == g.puzzle.MaxScore()}, nil
}
