package engine

import (
	"context"
	"fmt"
	"slices"

	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
)

// ledgerQuestion asks for the same tail searched twice: the cells behind the
// first Keep, row by row, of a board that may be turned first.
type ledgerQuestion struct {
	Board      string   `json:"board"`
	Turn       int      `json:"turn"` // degrees: 0, 90, 180 or 270
	Keep       int      `json:"keep"`
	Budget     int      `json:"budget"`     // breaks; -1 for as many as the board has there
	Charge     string   `json:"charge"`     // seam or cell
	Mode       string   `json:"mode"`       // node or candidate: of the search that prunes
	Conditions []string `json:"conditions"` // none for those of the page
}

// MaxTail bounds the cells of a tail, and maxBudget its breaks.
const (
	MaxTail   = 96
	maxBudget = 40
)

// problem is the question as the ledger takes it, without pruning.
func (q *ledgerQuestion) problem() (ledger.Problem, error) {
	b, _, err := sound(q.Board)
	if err != nil {
		return ledger.Problem{}, err
	}
	p := b.Puzzle()
	if q.Turn%90 != 0 || q.Turn < 0 || q.Turn > 270 {
		return ledger.Problem{}, fmt.Errorf("turned by %d degrees, want 0, 90, 180 or 270", q.Turn)
	}
	turned, err := p.Turned(b.Placements(nil), q.Turn/90)
	if err != nil {
		return ledger.Problem{}, err
	}
	whole := puzzle.NewBoard(p)
	whole.Load(turned)
	if least := max(0, p.Cells()-MaxTail); q.Keep < least || q.Keep >= p.Cells() {
		return ledger.Problem{}, fmt.Errorf("the first %d cells kept, want %d to %d", q.Keep, least, p.Cells()-1)
	}
	var z ledger.Problem
	for cell := range p.Cells() {
		switch {
		case cell >= q.Keep:
			z.Order = append(z.Order, cell)
		case whole.Piece(cell) == puzzle.Empty:
			return z, fmt.Errorf("cell %d is empty, want a piece on each cell that is kept", cell)
		}
	}
	z.Board = ledger.Without(whole, z.Order)
	if z.Budget = q.Budget; q.Budget == -1 {
		if whole.Filled() < p.Cells() {
			return z, fmt.Errorf("the board is not full: its breaks are no budget, want one of 0 to %d", maxBudget)
		}
		z.Budget = whole.Breaks() - z.Board.Breaks()
	}
	if z.Budget < 0 || z.Budget > maxBudget {
		return z, fmt.Errorf("a budget of %d breaks, want 0 to %d", z.Budget, maxBudget)
	}
	charge := slices.Index(ledger.ChargeNames, q.Charge)
	if charge < 0 {
		return z, fmt.Errorf("charge %q, want one of %v", q.Charge, ledger.ChargeNames)
	}
	z.Charge = ledger.Charge(charge)
	z.Conditions = ledger.Page
	if len(q.Conditions) > 0 {
		if z.Conditions, err = ledger.ConditionsNamed(q.Conditions...); err != nil {
			return z, err
		}
	}
	return z, nil
}

// ledgerRoom is one tail under two searches.
type ledgerRoom struct {
	searches [2]twin // off, on
	target   int64   // nodes that each may have taken
}

// twin is a search of the tail in one line, between two steps.
type twin struct {
	problem ledger.Problem
	state   ledger.State
}

// twinState is a search as a page shows it.
type twinState struct {
	ledger.Counts
	Done   bool           `json:"done"`
	Cut    bool           `json:"cut"`    // the ledger refused the node that the search is at
	Board  []int          `json:"board"`  // at the place of the search, with what was refused
	Left   int            `json:"left"`   // breaks that are left there
	Levels []ledger.Level `json:"levels"` // by cell of the tail
}

// colourRow is the account of a colour at the place of the search that prunes.
type colourRow struct {
	Colour int `json:"colour"`
	Supply int `json:"supply"`
	Demand int `json:"demand"`
}

// balance is what the conditions of the page say there.
type balance struct {
	Colours   []colourRow `json:"colours"`
	Deficit   int         `json:"deficit"`  // half-edges that no supply serves
	Odd       int         `json:"odd"`      // colours with an odd balance
	Left      int         `json:"left"`     // r, breaks that are left: the most that the deficit may be
	OddMost   int         `json:"odd_most"` // 2r + u, the most that may be odd
	DeficitOK bool        `json:"deficit_ok"`
	ParityOK  bool        `json:"parity_ok"`
}

type ledgerState struct {
	Off     twinState `json:"off"`
	On      twinState `json:"on"`
	Balance balance   `json:"balance"`
}

type ledgerOpened struct {
	Puzzle Puzzle `json:"puzzle"`
	Budget int    `json:"budget"`
	Tail   []int  `json:"tail"` // cells, in the order they are filled
	ledgerState
}

func openLedger(e *Engine, q ledgerQuestion) (ledgerOpened, error) {
	z, err := q.problem()
	if err != nil {
		return ledgerOpened{}, err
	}
	mode, err := pruning(q.Mode)
	if err != nil {
		return ledgerOpened{}, err
	}
	z.Profile = true
	r := &ledgerRoom{}
	for i, m := range []ledger.Mode{ledger.Off, mode} {
		r.searches[i].problem = z
		r.searches[i].problem.Mode = m
	}
	s, err := r.step(e, ledgerStep{Nodes: 1})
	if err != nil {
		return ledgerOpened{}, err
	}
	e.rooms["ledger"] = r
	return ledgerOpened{PuzzleOf(z.Board.Puzzle()), z.Budget, z.Order, s}, nil
}

// pruning reads the mode of the search that prunes.
func pruning(name string) (ledger.Mode, error) {
	m := ledger.Mode(slices.Index(ledger.ModeNames, name))
	if m != ledger.Node && m != ledger.Candidate {
		return m, fmt.Errorf("mode %q, want node or candidate", name)
	}
	return m, nil
}

// ledgerStep asks for so many nodes of each search, again and again for so many
// milliseconds if that is more than 0.
type ledgerStep struct {
	Nodes        int64   `json:"nodes"`
	Milliseconds float64 `json:"ms"`
}

// maxNodes bounds the nodes between two looks at the clock.
const maxNodes = 1 << 20

func (r *ledgerRoom) step(_ *Engine, q ledgerStep) (ledgerState, error) {
	if q.Nodes < 0 || q.Nodes > maxNodes {
		return ledgerState{}, fmt.Errorf("%d nodes, want 0 to %d", q.Nodes, maxNodes)
	}
	end := deadline(q.Milliseconds)
	for {
		r.target += q.Nodes
		for i := range r.searches {
			if err := r.searches[i].run(r.target); err != nil {
				return ledgerState{}, err
			}
		}
		if q.Milliseconds <= 0 || q.Nodes == 0 || end() || r.searches[0].done() && r.searches[1].done() {
			break
		}
	}
	var s ledgerState
	var err error
	if s.Off, _, err = r.searches[0].show(); err != nil {
		return s, err
	}
	on, board, err := r.searches[1].show()
	if err != nil {
		return s, err
	}
	s.On = on
	s.Balance, err = weigh(board, on.Left)
	return s, err
}

// run goes on until the search has taken so many nodes in all.
func (t *twin) run(target int64) error {
	if t.done() || t.state.Nodes >= target {
		return nil
	}
	_, err := ledger.Resume(context.Background(), &t.problem, t.state, ledger.Plan{
		Line: true, Budget: search.Budget{Nodes: target}, Save: func(s ledger.State) { t.state = s },
	})
	return err
}

func (t *twin) done() bool { return t.state.Round > 0 && len(t.state.Tasks) == 0 }

// show is the search and the board at its place: that of the problem, when it has
// come to its end. A node that was refused is a place too: there a condition fires.
func (t *twin) show() (twinState, *puzzle.Board, error) {
	task := ledger.Task{}
	if !t.done() {
		task = t.state.Tasks[0]
	}
	b, err := t.problem.BoardAt(ledger.Task{Path: task.Path})
	if err != nil {
		return twinState{}, nil, err
	}
	return twinState{
		Counts: t.state.Counts, Done: t.done(), Cut: task.After, Board: b.Codes(), Left: t.problem.Budget - (b.Breaks() - t.problem.Board.Breaks()),
		Levels: append([]ledger.Level{}, t.state.Levels...),
	}, b, nil
}

// weigh is the account of a board with so many breaks left.
func weigh(b *puzzle.Board, left int) (balance, error) {
	books, err := ledger.New(b, ledger.Page)
	if err != nil {
		return balance{}, err
	}
	w := balance{Left: left, OddMost: 2*left + books.Uncharged(), Colours: []colourRow{}}
	seen := [256]bool{}
	for _, e := range b.Puzzle().Pieces {
		for _, c := range e {
			seen[c] = true
		}
	}
	for c := 1; c < len(seen); c++ {
		if !seen[c] {
			continue
		}
		row := colourRow{Colour: c}
		row.Supply, row.Demand = books.Account(c)
		w.Colours = append(w.Colours, row)
		w.Deficit += max(0, row.Demand-row.Supply)
		w.Odd += (row.Demand + row.Supply) & 1
	}
	for condition, ok := range map[ledger.Conditions]*bool{ledger.Deficit: &w.DeficitOK, ledger.Parity: &w.ParityOK} {
		one, err := ledger.New(b, condition)
		if err != nil {
			return balance{}, err
		}
		*ok = left >= 0 && one.Holds(left)
	}
	return w, nil
}

// rowQuestion asks for a row of certificates: the whole of a tail in each mode,
// within so many nodes.
type rowQuestion struct {
	ledgerQuestion
	Nodes int64 `json:"nodes"`
}

type ledgerRow struct {
	Keep        int   `json:"keep"`
	Budget      int   `json:"budget"`
	Completions int64 `json:"completions"`
	Off         int64 `json:"off"`       // nodes; 0 where they were not enough
	Node        int64 `json:"node"`      // likewise
	Candidate   int64 `json:"candidate"` // likewise
}

// maxRow bounds the nodes of one search of a row: some seconds in a page.
const maxRow = 1 << 23

func rowOfLedger(_ *Engine, q rowQuestion) (ledgerRow, error) {
	z, err := q.problem()
	if err != nil {
		return ledgerRow{}, err
	}
	if q.Nodes < 1 || q.Nodes > maxRow {
		return ledgerRow{}, fmt.Errorf("%d nodes, want 1 to %d", q.Nodes, maxRow)
	}
	row := ledgerRow{Keep: q.Keep, Budget: z.Budget}
	for mode, nodes := range map[ledger.Mode]*int64{ledger.Off: &row.Off, ledger.Node: &row.Node, ledger.Candidate: &row.Candidate} {
		z.Mode = mode
		r, err := ledger.Exhaust(context.Background(), &z, ledger.Plan{Budget: search.Budget{Nodes: q.Nodes}})
		if err != nil {
			return row, err
		}
		if !r.Censored {
			*nodes, row.Completions = r.Nodes, r.Completions
		}
	}
	return row, nil
}
