package engine

import (
	"fmt"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// choices are what the loop can be made of.
type choices struct {
	Operators   []string `json:"operators"`
	Portfolio   []string `json:"portfolio"` // of these, the default
	Repairs     []string `json:"repairs"`
	Selections  []string `json:"selections"`
	Acceptances []string `json:"acceptances"`

	Repair      string  `json:"repair"` // the defaults
	Selection   string  `json:"selection"`
	Acceptance  string  `json:"acceptance"`
	Temperature float64 `json:"temperature"`
	Deviation   float64 `json:"deviation"`
}

func repairChoices(*Engine, none) (choices, error) {
	accepting := acceptance.Options{}.WithDefaults()
	c := choices{
		Operators: destroy.Names(), Repairs: repair.Names(), Selections: selection.Names(), Acceptances: acceptance.Names(),
		Repair: repair.Default, Selection: selection.Default, Acceptance: acceptance.Default,
		Temperature: accepting.Temperature, Deviation: accepting.Deviation,
	}
	for _, o := range destroy.Portfolio {
		c.Portfolio = append(c.Portfolio, o.Name)
	}
	return c, nil
}

// repairQuestion asks for a board and a loop on it. What is left out takes its
// default, as on the command line.
type repairQuestion struct {
	Board string `json:"board"` // a name or a text; "" for the solved 8x8 of the lab
	Seed  uint64 `json:"seed"`

	// Damage is the share of the seams that is left to match, of a board that
	// matches more, before the loop begins; 0 leaves the board as it is.
	Damage float64 `json:"damage"`

	Operators   []string `json:"operators"`
	Repair      string   `json:"repair"`
	Selection   string   `json:"selection"`
	Acceptance  string   `json:"acceptance"`
	Temperature float64  `json:"temperature"`
	Deviation   float64  `json:"deviation"`
	Smallest    int      `json:"smallest"`
	Largest     int      `json:"largest"`
	Iterations  int64    `json:"iterations"` // that the run is meant to have, for rules that cool; 0 for no end
}

// repairRoom is one walk, looked at step by step.
type repairRoom struct {
	options alns.Options
	horizon alns.Horizon
	puzzle  *puzzle.Puzzle
	walk    *alns.Walk
	number  int // of the walk: how often damage was done since the start
	points  []tracePoint
	last    *iteration
}

// tracePoint is the score at an iteration.
type tracePoint struct {
	Iteration int64 `json:"iteration"`
	Score     int   `json:"score"`
	Best      int   `json:"best"`
}

// iteration is one turn of the loop, for showing.
type iteration struct {
	Operator string   `json:"operator"`
	Lifted   [][2]int `json:"lifted"` // cell and code, as the operator chose them
	Filled   [][2]int `json:"filled"` // cell and code, in the order of filling
	Before   int      `json:"before"`
	Proposed int      `json:"proposed"`
	After    int      `json:"after"`
	Outcome  string   `json:"outcome"`
	Verdict  string   `json:"verdict"` // of the repair: "", "optimal" or "fallback"
}

// repairState is the room between two calls.
type repairState struct {
	Iterations int64             `json:"iterations"`
	Score      int               `json:"score"`
	Best       int               `json:"best"`
	Solved     bool              `json:"solved"`
	Board      []int             `json:"board"`
	Operators  []search.Operator `json:"operators"`
	Points     []tracePoint      `json:"points"` // since the last call
	Last       *iteration        `json:"last"`   // when it was asked for
}

type repairOpened struct {
	Puzzle Puzzle `json:"puzzle"`
	Name   string `json:"name"`
	Text   string `json:"text"`   // the board that the loop begins with: what polish must be given to do the same
	Filled int    `json:"filled"` // empty cells that greedy filled
	repairState
}

// The solved board that the page damages.
var small = puzzle.Spec{Width: 8, Height: 8, Colours: 9, Seed: 2008}

func openRepair(e *Engine, q repairQuestion) (repairOpened, error) {
	p, board, name, filled, err := q.start()
	if err != nil {
		return repairOpened{}, err
	}
	if q.Damage < 0 || q.Damage > 1 {
		return repairOpened{}, fmt.Errorf("damage that leaves %v of the seams, want a share of 0 to 1", q.Damage)
	}
	operators, err := destroy.Named(q.Operators...)
	if err != nil {
		return repairOpened{}, err
	}
	r := &repairRoom{
		puzzle: p,
		options: alns.Options{
			Operators: operators, Smallest: q.Smallest, Largest: q.Largest, Repair: q.Repair, Selection: q.Selection,
			Acceptance: q.Acceptance, Accepting: acceptance.Options{Temperature: q.Temperature, Deviation: q.Deviation}, Seed: q.Seed,
		},
		horizon: alns.Horizon{Iterations: q.Iterations},
	}
	text := strings.TrimSpace(q.Board)
	if q.Damage > 0 || q.Board == "" {
		// Pieces are numbered as the text of the damaged board has them, so that
		// the command line, given the text, does the same.
		if q.Damage > 0 {
			board = r.scrambled(board, q.Damage)
		}
		if text, err = asLink(p, board, name); err != nil {
			return repairOpened{}, err
		}
		if r.puzzle, board, _, _, err = (&repairQuestion{Board: text}).start(); err != nil {
			return repairOpened{}, err
		}
	}
	if err := r.begin(board); err != nil {
		return repairOpened{}, err
	}
	e.rooms["repair"] = r
	return repairOpened{PuzzleOf(r.puzzle), name, text, filled, r.state()}, nil
}

// asLink is a board as a link.
func asLink(p *puzzle.Puzzle, board []puzzle.Placement, name string) (string, error) {
	b := puzzle.NewBoard(p)
	b.Load(board)
	var link strings.Builder
	err := notation.Write(&link, notation.FromBoard(b, name), "bucas")
	return strings.TrimSpace(link.String()), err
}

// start is the board to begin with: full, and holding the clues that it held.
func (q *repairQuestion) start() (p *puzzle.Puzzle, board []puzzle.Placement, name string, filled int, err error) {
	if q.Board == "" {
		p, board, err := puzzle.Generate(small)
		return p, board, "8×8", 0, err
	}
	d, err := document(q.Board)
	if err != nil {
		return nil, nil, "", 0, err
	}
	if err := d.Sound(); err != nil {
		return nil, nil, "", 0, err
	}
	held, _ := d.Holding(d.Clues())
	if p, err = d.Puzzle.WithClues(held); err != nil {
		return nil, nil, "", 0, err
	}
	b := puzzle.NewBoard(p)
	b.Load(d.ID.Placements)
	board, filled = repair.Complete(b)
	return p, board, d.Name, filled, nil
}

// begin starts the walk of that number.
func (r *repairRoom) begin(board []puzzle.Placement) error {
	w, err := alns.NewWalk(r.puzzle, board, r.options, r.number)
	if err != nil {
		return err
	}
	w.Watch = search.Func(func(t search.Event) {
		r.points = append(r.points, tracePoint{t.Done, t.Score, t.Best})
	})
	r.walk, r.last = w, nil
	w.Tell()
	if len(r.points) == 0 {
		_, best := w.Best()
		r.points = []tracePoint{{0, w.Score(), best}}
	}
	return nil
}

// scrambled is the board after damage within a square, or anywhere if no
// square holds so much. Clues stay.
func (r *repairRoom) scrambled(board []puzzle.Placement, share float64) []puzzle.Placement {
	b := puzzle.NewBoard(r.puzzle)
	b.Load(board)
	s := random.New(r.options.Seed, "lab damage", r.number)
	clue := r.puzzle.CluesByCell()
	for side := 3; side <= max(r.puzzle.Width, r.puzzle.Height); side++ {
		wide, high := min(side, r.puzzle.Width), min(side, r.puzzle.Height)
		left, top := s.Below(r.puzzle.Width-wide+1), s.Below(r.puzzle.Height-high+1)
		var cells []int
		for y := top; y < top+high; y++ {
			for x := left; x < left+wide; x++ {
				if cell := y*r.puzzle.Width + x; clue[cell] < 0 {
					cells = append(cells, cell)
				}
			}
		}
		if len(cells) > 0 && puzzle.Scramble(b, cells, share, s) {
			break
		}
		if side < max(r.puzzle.Width, r.puzzle.Height) {
			b.Load(board) // try a larger square on the board as it was
		}
	}
	return b.Placements(nil)
}

// MaxIterations bounds one step of the room.
const MaxIterations = 1 << 20

// stepQuestion asks for so many iterations, or fewer when the time is over.
type stepQuestion struct {
	Iterations   int64   `json:"iterations"`
	Milliseconds float64 `json:"ms"`    // 0 for no bound
	Force        string  `json:"force"` // operator of the first iteration
	Show         bool    `json:"show"`  // the last iteration, piece by piece
}

func (r *repairRoom) step(_ *Engine, q stepQuestion) (repairState, error) {
	if q.Iterations < 0 || q.Iterations > MaxIterations {
		return repairState{}, fmt.Errorf("%d iterations, want 0 to %d", q.Iterations, MaxIterations)
	}
	if q.Force != "" {
		if err := r.force(q.Force); err != nil {
			return repairState{}, err
		}
	}
	r.last = nil
	end := deadline(q.Milliseconds)
	for i := int64(1); i <= q.Iterations && !r.walk.Solved(); i++ {
		if q.Show && i == q.Iterations {
			r.walk.Search().Show(r.see)
		}
		outcome := r.walk.Step(r.horizon)
		if r.last != nil {
			r.last.Outcome, r.last.After = outcomeNames[outcome], r.walk.Score()
		}
		if i%16 == 0 && end() {
			break
		}
	}
	r.walk.Search().Show(nil)
	return r.state(), nil
}

// deadline tells whether so many milliseconds are over; 0 never are.
func deadline(milliseconds float64) func() bool {
	if milliseconds <= 0 {
		return func() bool { return false }
	}
	end := time.Now().Add(time.Duration(milliseconds * float64(time.Millisecond)))
	return func() bool { return !time.Now().Before(end) }
}

var outcomeNames = map[alns.Outcome]string{
	alns.Rejected: "rejected", alns.Unchanged: "unchanged", alns.Sideways: "sideways", alns.Better: "better", alns.NewBest: "best",
}

func (r *repairRoom) force(name string) error {
	for i, o := range r.walk.Operators() {
		if o.Name == name {
			r.walk.Search().Force(i)
			return nil
		}
	}
	return fmt.Errorf("operator %q is not in the portfolio", name)
}

// see keeps an iteration for showing.
func (r *repairRoom) see(p alns.Proposal) {
	r.last = &iteration{
		Operator: r.walk.Operators()[p.Operator].Name, Lifted: pairs(p.Lifted), Filled: pairs(p.Filled), Before: p.Before, Proposed: p.Score,
		Verdict: map[repair.Verdict]string{repair.Optimal: "optimal", repair.Fallback: "fallback"}[p.Verdict],
	}
}

// pairs are placements as pages know them: cell and code.
func pairs(all []puzzle.Placement) [][2]int {
	list := make([][2]int, len(all))
	for i, q := range all {
		list[i] = [2]int{q.Cell, 4*q.Piece + q.Rotation}
	}
	return list
}

func (r *repairRoom) state() repairState {
	_, best := r.walk.Best()
	s := repairState{
		Iterations: r.walk.Iterations(), Score: r.walk.Score(), Best: best, Solved: r.walk.Solved(),
		Board: r.walk.Search().Board().Codes(), Operators: r.walk.Operators(), Points: r.points, Last: r.last,
	}
	r.points = []tracePoint{}
	return s
}

// damageQuestion asks for damage to the board at hand.
type damageQuestion struct {
	Damage float64 `json:"damage"` // share of the seams that is left to match
}

// damage breaks the board at hand and begins a new walk on it.
func (r *repairRoom) damage(_ *Engine, q damageQuestion) (repairState, error) {
	if q.Damage <= 0 || q.Damage > 1 {
		return repairState{}, fmt.Errorf("damage that leaves %v of the seams, want a share above 0, to 1", q.Damage)
	}
	r.number++
	r.points = nil
	if err := r.begin(r.scrambled(r.walk.Search().Board().Placements(nil), q.Damage)); err != nil {
		return repairState{}, err
	}
	return r.state(), nil
}
