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
const MaxRadius = 6

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
	Freed    int    `json:"freed"` // cells within a step of its breaks, that are proved to hold nothing better
}

// Puzzles that the game tries, boards of each and share, nodes of one proof, and
// the largest side.
const (
	gamePuzzles = 16
	gameTries   = 100
	gameNodes   = 1 << 18
	gameSide    = 7
)

// gameDamage are the shares of the seams that are left to match before the polish.
// Hard damage makes the better game; where its breaks lie too far apart for
// a proof, milder damage leaves them closer together.
var gameDamage = []float64{0.4, 0.6, 0.75}

// openGame polishes damaged boards of a small puzzle until one is stuck. A puzzle
// that never gets stuck, as some 4x4 do, gives way to another.
func openGame(e *Engine, q gameQuestion) (gameOpened, error) {
	if q.Side < 4 || q.Side > gameSide {
		return gameOpened{}, fmt.Errorf("a board of side %d, want 4 to %d", q.Side, gameSide)
	}
	seed := q.Seed
	for number := range gamePuzzles {
		p, solution, err := puzzle.Generate(puzzle.Spec{Width: q.Side, Height: q.Side, Colours: q.Side + 1, Seed: seed})
		if err != nil {
			return gameOpened{}, err
		}
		for _, share := range gameDamage {
			for try := range gameTries {
				b, freed, err := stuck(p, solution, share, random.New(seed, "lab game", try))
				if err != nil {
					return gameOpened{}, err
				}
				if freed == 0 {
					continue
				}
				e.rooms["game"] = &wallGame{p, b.Score()}
				return gameOpened{PuzzleOf(p), codes(b), b.Score(), Codes(p, solution), freed}, nil
			}
		}
		seed = random.New(q.Seed, "lab game puzzle", number).Uint64()
	}
	return gameOpened{}, fmt.Errorf("no board at the wall among %d puzzles of seed %d, want another seed", gamePuzzles, q.Seed)
}

// stuck damages and polishes a board. It is at the wall if it has breaks, though
// few, and exhaustion proves that no refill of the cells within a step of them,
// diagonals too, has fewer: those are so many. Otherwise they are none.
func stuck(p *puzzle.Puzzle, solution []puzzle.Placement, share float64, r *random.Stream) (b *puzzle.Board, freed int, err error) {
	b = puzzle.NewBoard(p)
	b.Load(solution)
	cells := make([]int, p.Cells())
	for cell := range cells {
		cells[cell] = cell
	}
	puzzle.Scramble(b, cells, share, r)
	loop, err := alns.NewSearch(b, alns.Options{Acceptance: "hill-climbing", Smallest: 2, Largest: 5, Seed: r.Uint64()})
	if err != nil {
		return nil, 0, err
	}
	for range 200 {
		loop.Iterate()
	}
	halo := p.Halo(b.BrokenCells(), 1, puzzle.Chebyshev)
	if b.Breaks() < 2 || b.Breaks() > 2*p.Width-4 || 4*len(halo) > 3*p.Cells() {
		return b, 0, nil
	}
	d, err := decide(New(nil), b, halo, certify.Better, gameNodes)
	if err != nil || d.Verdict != certify.Proven {
		return b, 0, err
	}
	return b, d.Freed, nil
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
