package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lastmile/alns"
	"lastmile/certify"
	"lastmile/certify/solver"
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
	return wallOpened{PuzzleOf(b.Puzzle()), name, b.Codes(), b.Score(), b.Breaks()}, nil
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
// or with fewer than it has (better).
type decideQuestion struct {
	haloQuestion
	Goal    string `json:"goal"`
	Seconds int    `json:"seconds"` // for the solver, after which it gives up
}

type decided struct {
	Verdict certify.Verdict `json:"verdict"` // proven, found or open
	Freed   int             `json:"freed"`
	By      string          `json:"by"`    // exhaustion or proof: who had the last word
	Nodes   int64           `json:"nodes"` // of the exhaustion
	Steps   int             `json:"steps"` // checked ones that the floor rests on
	Floor   int             `json:"floor"` // no refill has fewer breaks: so much is proved
	Score   int             `json:"score"` // of the best board that is known
	Board   []int           `json:"board"`
	Text    string          `json:"text"` // of that board, to go on from
}

// A decision begins with so many nodes of exhaustion, a fraction of a second in a
// page, which settle what is small. What is left is for the solver: a perfect refill
// of riotte-464's halo of radius 2 it rules out in a second, where 30 million nodes
// do not.
const (
	quickNodes   = 1 << 17
	maxSeconds   = 600
	decideMemory = 512 << 20
)

func (r *wallRoom) decide(e *Engine, q decideQuestion) (decided, error) {
	cells, err := q.cells(r.board)
	if err != nil {
		return decided{}, err
	}
	goal := certify.Goal(slices.Index(certify.GoalNames, q.Goal))
	if goal < 0 {
		return decided{}, fmt.Errorf("goal %q, want one of %v", q.Goal, certify.GoalNames)
	}
	if q.Seconds < 1 || q.Seconds > maxSeconds {
		return decided{}, fmt.Errorf("%d seconds, want 1 to %d", q.Seconds, maxSeconds)
	}
	return decide(e, r.board, cells, goal, quickNodes, time.Duration(q.Seconds)*time.Second)
}

// deciding is what a page hears of a decision at work.
type deciding struct {
	By    string `json:"by"`
	Nodes int64  `json:"nodes"`
	Steps int    `json:"steps"` // proved of parts of the halo too, so far
	Floor int    `json:"floor"`
}

// decide exhausts the ways to fill the cells again within so many nodes, and when
// they are too many asks the solver, for as long as it is told; 0 is not at all,
// and depends on no clock.
func decide(e *Engine, b *puzzle.Board, cells []int, goal certify.Goal, nodes int64, bound time.Duration) (decided, error) {
	region, err := certify.NewRegion(b, cells)
	if err != nil {
		return decided{}, err
	}
	at := deciding{By: "exhaustion"}
	exhausting := search.Func(func(v search.Event) {
		at.Nodes = max(at.Nodes, v.Done)
		e.tell("wall", at)
	})
	res, err := certify.Exhaust(context.Background(), region, goal, ledger.Plan{Budget: search.Budget{Nodes: nodes}, Watch: exhausting})
	if err == nil && res.Why != "" && bound > 0 {
		at.By = "proof"
		e.tell("wall", at)
		res, err = certify.Decide(context.Background(), region, goal, certify.Plan{
			Solver: solver.Gophersat{}, Time: bound, Memory: decideMemory,
			From: certify.Result{Best: res.Best, Board: res.Board},
			Save: func(r certify.Result) {
				at.Steps, at.Floor = len(r.Steps), r.Floor
				e.tell("wall", at)
			},
		})
	}
	if err != nil {
		return decided{}, err
	}
	best := puzzle.NewBoard(b.Puzzle())
	best.Load(res.Board)
	d := decided{
		Verdict: res.Verdict, Freed: len(cells), By: at.By, Nodes: at.Nodes, Floor: res.Floor, Score: best.Score(), Board: best.Codes(),
	}
	if at.By == "proof" {
		d.Steps = len(res.Steps)
	}
	d.Text, err = asLink(b.Puzzle(), res.Board, b.Puzzle().Name)
	return d, err
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
				return gameOpened{PuzzleOf(p), b.Codes(), b.Score(), p.Codes(solution), freed}, nil
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
	d, err := decide(New(nil), b, halo, certify.Better, gameNodes, 0)
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

// board reads the board of a player, whose pieces must lie each once and by the
// frame rule.
func (g *wallGame) board(q playQuestion) (*puzzle.Board, error) {
	b, err := g.puzzle.Decode(q.Board)
	if err != nil {
		return nil, err
	}
	for _, x := range b.Placements(nil) {
		if !g.puzzle.FitsAt(x.Cell, x.Piece, x.Rotation) {
			return nil, fmt.Errorf("the piece on cell %d breaks the frame rule", x.Cell)
		}
	}
	if b.Filled() < g.puzzle.Cells() {
		return nil, fmt.Errorf("a board with %d empty cells, want a full one", g.puzzle.Cells()-b.Filled())
	}
	return b, nil
}

// play scores the board of a player.
func (g *wallGame) play(_ *Engine, q playQuestion) (played, error) {
	b, err := g.board(q)
	if err != nil {
		return played{}, err
	}
	return played{b.Score(), b.Score() > g.start, b.Score() == g.puzzle.MaxScore()}, nil
}

// hinted is the smallest halo round the breaks of a player's board that can be
// filled better. Found is false when the search for it was cut short, or the
// board has no breaks.
type hinted struct {
	Found  bool  `json:"found"`
	Radius int   `json:"radius"` // Chebyshev
	Cells  []int `json:"cells"`
	Score  int   `json:"score"` // with the best filling of it that is known
}

// hintTime is for the solver, for each radius.
const hintTime = 10 * time.Second

// hint takes as long as it takes to rule the smaller halos out; a page ends the
// worker when nobody wants to wait for it.
func (g *wallGame) hint(e *Engine, q playQuestion) (hinted, error) {
	b, err := g.board(q)
	if err != nil {
		return hinted{}, err
	}
	h := hinted{Score: b.Score(), Cells: []int{}}
	if b.Breaks() == 0 {
		return h, nil
	}
	for ; ; h.Radius++ { // ends: the halo that is the whole board holds the solution
		h.Cells = g.puzzle.Halo(b.BrokenCells(), h.Radius, puzzle.Chebyshev)
		d, err := decide(e, b, h.Cells, certify.Better, quickNodes, hintTime)
		if err != nil || d.Verdict == certify.Open {
			return h, err
		}
		if d.Verdict == certify.Found {
			h.Found, h.Score = true, d.Score
			return h, nil
		}
	}
}
