package job

import (
	"context"
	"fmt"

	"lastmile/certify"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
)

// Exhaust is a part of an exhaustion: some of the numbered subtrees that the
// search is left with. Nodes bound it; what it does not come to is handed back, to
// be shared out again. Whoever does which part, the counts of all parts add up to
// those of one machine that does it all.
type Exhaust struct {
	Board     []int    `json:"board"` // what stays, see puzzle.Board.Codes
	Order     []int    `json:"order"` // in which the empty cells are filled
	Budget    int      `json:"budget"`
	Uncharged []int    `json:"uncharged,omitempty"`
	Charge    string   `json:"charge"`     // a word of ledger.ChargeNames
	Ledger    string   `json:"ledger"`     // off, node or candidate
	Tests     []string `json:"conditions"` // of ledger.ConditionNames, none for the default

	// The subtrees; none is the root, which comes first of all.
	Tasks []ledger.Task `json:"tasks,omitempty"`
	Round int           `json:"round,omitempty"`
	From  int           `json:"from,omitempty"`
}

func (*Exhaust) kind() string { return "exhaust" }

func (w *Exhaust) problem(p *puzzle.Puzzle) (*ledger.Problem, error) {
	b, err := p.Decode(w.Board)
	if err != nil {
		return nil, err
	}
	q := &ledger.Problem{Board: b, Order: w.Order, Budget: w.Budget, Uncharged: w.Uncharged}
	if q.Mode, err = modeNamed(w.Ledger); err != nil {
		return nil, err
	}
	if q.Charge, err = chargeNamed(w.Charge); err != nil {
		return nil, err
	}
	if len(w.Tests) > 0 {
		q.Conditions, err = ledger.ConditionsNamed(w.Tests...)
	}
	return q, err
}

func modeNamed(name string) (ledger.Mode, error) {
	for _, m := range []ledger.Mode{ledger.Off, ledger.Node, ledger.Candidate} {
		if m.String() == name {
			return m, nil
		}
	}
	// Where Auto begins to judge depends on what came before, elsewhere.
	return 0, fmt.Errorf("ledger %q, want off, node or candidate", name)
}

func chargeNamed(name string) (ledger.Charge, error) {
	for _, c := range []ledger.Charge{ledger.Seam, ledger.Cell} {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, fmt.Errorf("charge %q, want seam or cell", name)
}

func (w *Exhaust) check(p *puzzle.Puzzle, j Job) error {
	if j.Nodes == 0 {
		return fmt.Errorf("a job of kind exhaust without nodes, want a bound")
	}
	q, err := w.problem(p)
	if err != nil {
		return err
	}
	return q.Check()
}

func (w *Exhaust) do(ctx context.Context, p *puzzle.Puzzle, j Job, s Sitting) (Result, error) {
	q, err := w.problem(p)
	if err != nil {
		return Result{}, err
	}
	var state ledger.State
	if len(w.Tasks) > 0 {
		state = ledger.State{Round: w.Round, From: w.From, Tasks: w.Tasks, ByBreaks: make([]int64, q.Budget+1), Breaks: -1, Best: []int32{}}
	}
	if err := load(s, &state); err != nil {
		return Result{}, err
	}
	keep := save[ledger.State](s)
	var last ledger.State
	r, err := ledger.Resume(ctx, q, state, ledger.Plan{
		Budget: search.Budget{Nodes: j.Nodes}, Watch: s.Watch, Every: s.Every,
		Save: func(s ledger.State) {
			last = s
			keep(s)
		},
	})
	if err != nil {
		return Result{}, blame(s, err)
	}
	if ctx.Err() != nil && len(last.Tasks) > 0 {
		return Result{}, ErrStopped
	}
	result := Result{Nodes: r.Nodes, Exhausted: &Exhausted{r.Counts, r.ByBreaks, last.Round, last.From, last.Tasks}}
	if r.Breaks >= 0 {
		b := puzzle.NewBoard(p)
		b.Load(r.Placements)
		result.Boards = []Board{BoardOf(p, b.Score(), r.Placements)}
	}
	return result, nil
}

func (w *Exhaust) command(Job) string { return "" }

// Next shares out what a part has left among new jobs, at most so many, each of
// so many nodes. Their streams say which part they come from.
func (e *Exhausted) Next(j Job, w *Exhaust, most int, nodes int64) []Job {
	var jobs []Job
	parts := min(most, len(e.Rest))
	at := 0
	for i := range parts {
		n := int(search.Share(int64(len(e.Rest)), parts, i))
		part := *w
		part.Tasks, part.Round, part.From = e.Rest[at:at+n], e.Round, e.From
		next := j
		next.Nodes = nodes
		jobs = append(jobs, New(next, &part))
		at += n
	}
	return jobs
}

// Certify asks whether cells of a board can be filled with fewer breaks, by
// exhaustion with the ledger, bounded by Nodes.
type Certify struct {
	Board []int  `json:"board"` // see puzzle.Board.Codes
	Cells []int  `json:"cells"`
	Goal  string `json:"goal"` // a word of certify.GoalNames
}

func (*Certify) kind() string { return "certify" }

func (w *Certify) goal() (certify.Goal, error) {
	for i, name := range certify.GoalNames {
		if name == w.Goal {
			return certify.Goal(i), nil
		}
	}
	return 0, fmt.Errorf("question %q, want perfect or better", w.Goal)
}

func (w *Certify) region(p *puzzle.Puzzle) (*certify.Region, error) {
	b, err := p.Decode(w.Board)
	if err != nil {
		return nil, err
	}
	return certify.NewRegion(b, w.Cells)
}

func (w *Certify) check(p *puzzle.Puzzle, j Job) error {
	if j.Nodes == 0 {
		return fmt.Errorf("a job of kind certify without nodes, want a bound")
	}
	if _, err := w.goal(); err != nil {
		return err
	}
	_, err := w.region(p)
	return err
}

func (w *Certify) do(ctx context.Context, p *puzzle.Puzzle, j Job, s Sitting) (Result, error) {
	goal, err := w.goal()
	if err != nil {
		return Result{}, err
	}
	r, err := w.region(p)
	if err != nil {
		return Result{}, err
	}
	var state ledger.State
	if err := load(s, &state); err != nil {
		return Result{}, err
	}
	keep := save[ledger.State](s)
	nodes := state.Nodes
	res, err := certify.ResumeExhaust(ctx, r, goal, state, ledger.Plan{
		Budget: search.Budget{Nodes: j.Nodes}, Watch: s.Watch, Every: s.Every,
		Save: func(s ledger.State) {
			nodes = s.Nodes
			keep(s)
		},
	})
	if err != nil {
		return Result{}, blame(s, err)
	}
	if ctx.Err() != nil && res.Verdict == certify.Open {
		return Result{}, ErrStopped
	}
	result := Result{Nodes: nodes, Certified: &Certified{Verdict: res.Verdict, Freed: len(r.Cells()), Own: r.Own(), Floor: res.Floor, Best: res.Best}}
	if res.Best < r.Own() {
		b := puzzle.NewBoard(p)
		b.Load(res.Board)
		result.Boards = []Board{BoardOf(p, b.Score(), res.Board)}
	}
	return result, nil
}

func (w *Certify) command(Job) string { return "" }
