package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"lastmile/ledger"
)

type exhaustCommand struct {
	Board string `arg:"" help:"The board: a file, - for standard input, a link or text, or a bundled name. Without a region its empty cells are filled."`
	boardFlags
	clueFlags
	regionFlags
	bounds
	saving
	Budget     string   `default:"auto" placeholder:"R" help:"Breaks that a completion may have among the seams of the region. Auto: as many as the board has there; with --best one less."`
	Count      bool     `xor:"goal" help:"Count all completions within the budget: the default. Pieces that look alike are told apart."`
	Best       bool     `xor:"goal" help:"Find a completion with the fewest breaks instead."`
	Charge     string   `default:"seam" placeholder:"NAME" help:"What breaks cost: ${charges}. Both one each; under cell no cell may bring two when it is filled."`
	Ledger     string   `default:"candidate" placeholder:"NAME" help:"When the ledger is asked: ${ledgers}. Off never, node after a node is entered, candidate before."`
	Conditions []string `placeholder:"NAME" help:"What the ledger tests: ${conditions}. Default: page with --ledger node, else default. go doc lastmile/ledger explains and proves them."`
}

func (c *exhaustCommand) Run(t *terminal) error {
	q, err := c.question()
	if err != nil {
		return err
	}
	d, err := c.board(c.Board, t)
	if err != nil {
		return err
	}
	warn(t, d)
	if err := c.sound(d); err != nil {
		return err
	}
	held, err := c.held(d, c.cluesFor(d))
	if err != nil {
		return err
	}
	if q.region, err = c.take(d, held); err != nil {
		return err
	}
	q.settle()
	a := answer{question: q}
	var keep *saver
	if q.Budget >= 0 {
		var saved sealed
		if keep, err = c.open("exhaust", &c.bounds, "", c.setup(q), &saved, t); err != nil {
			return err
		}
		defer keep.unlock()
		if err := c.search(&a, saved, keep, t); err != nil {
			return err
		}
	}
	if err := c.conclude(d, &a); err != nil {
		return err
	}
	if err := c.say(t, &a); err != nil {
		return err // the checkpoint stays
	}
	if keep != nil {
		if a.Censored && !a.Stopped && c.Time > 0 {
			keep.more()
		} else {
			keep.end(a.Stopped)
		}
	}
	if a.Censored && a.Completions == 0 {
		return errFailed
	}
	return nil
}

// question is what is to be exhausted.
type question struct {
	ledger.Problem
	region *region
	auto   bool // the budget is that of the board
	// incumbent: the board as it was given is an answer that only a completion
	// with fewer breaks can replace. Own is what it is charged.
	incumbent bool
	own       int
}

// question reads the flags that need no board.
func (c *exhaustCommand) question() (*question, error) {
	if err := c.bounds.check(); err != nil {
		return nil, err
	}
	if c.Iterations > 0 {
		return nil, badf("--iterations %d bounds a search that improves a board; give exhaust --time or --nodes", c.Iterations)
	}
	if err := c.regionFlags.check(&c.clueFlags); err != nil {
		return nil, err
	}
	q := &question{auto: c.Budget == "auto"}
	q.Best = c.Best
	if !q.auto {
		budget, err := strconv.ParseUint(c.Budget, 10, 31)
		if err != nil {
			return nil, badf("--budget %s, want auto or a number of breaks", c.Budget)
		}
		q.Budget = int(budget)
	}
	mode, charge := slices.Index(ledger.ModeNames, c.Ledger), slices.Index(ledger.ChargeNames, c.Charge)
	switch {
	case mode < 0:
		return nil, badf("--ledger %s, want one of %s", c.Ledger, strings.Join(ledger.ModeNames, ", "))
	case charge < 0:
		return nil, badf("--charge %s, want one of %s", c.Charge, strings.Join(ledger.ChargeNames, ", "))
	}
	q.Mode, q.Charge = ledger.Mode(mode), ledger.Charge(charge)
	switch {
	case q.Mode == ledger.Off && len(c.Conditions) > 0:
		return nil, badf("--conditions %s: with --ledger off none is tested", strings.Join(c.Conditions, ","))
	case len(c.Conditions) > 0:
		var err error
		if q.Conditions, err = ledger.ConditionsNamed(c.Conditions...); err != nil {
			return nil, badf("--conditions: %w", err)
		}
	case q.Mode == ledger.Node:
		q.Conditions = ledger.Page
	case q.Mode != ledger.Off:
		q.Conditions = ledger.Default
	}
	return q, nil
}

// settle completes the question once the region is known. The budget is -1 when
// the board leaves nothing to ask for.
func (q *question) settle() {
	r := q.region
	q.Board, q.Order, q.Uncharged = r.rest, r.order, r.uncharged
	q.own = r.breaks()
	if q.auto {
		q.Budget = q.own
	}
	q.incumbent = q.Best && q.own <= q.Budget && r.isCompletion(q.Charge)
	if q.incumbent {
		q.Budget = q.own - 1
	}
}

// setup is all that a resumed run must agree in.
func (c *exhaustCommand) setup(q *question) setup {
	return setup{
		Puzzle: fingerprint(q.Board.Puzzle()), Clues: placementTexts(q.region.clues), Start: digest(q.region.whole.Placements(nil)),
		Seed: c.Seed, Timed: c.Time > 0, Nodes: c.Nodes,
		Options: map[string]any{
			"order": digest(q.Order), "turn": c.Turn, "budget": q.Budget, "best": q.Best, "charge": q.Charge.String(),
			"uncharged": digest(q.Uncharged), "ledger": q.Mode.String(), "conditions": q.Conditions.String(),
		},
	}
}

// search exhausts the region, from where a saved run was.
func (c *exhaustCommand) search(a *answer, saved sealed, keep *saver, t *terminal) error {
	var state ledger.State
	if c.Resume {
		if err := saved.open(&state); err != nil {
			return badf("%s: damaged: %w", keep.path, err)
		}
	}
	problem := a.question.Problem
	// No completion can have more breaks than there are seams.
	problem.Budget = min(problem.Budget, a.question.region.seams())
	ctx, stop := t.listen()
	defer stop()
	r, err := c.exhaust(ctx, &problem, state, keep, t)
	if err != nil && c.Resume {
		return badf("%s: damaged: %s", keep.path, bare(err))
	}
	if err != nil {
		return badf("%s", bare(err))
	}
	a.Counts, a.ByBreaks, a.Censored, a.Seconds = r.Counts, r.ByBreaks, r.Censored, r.Elapsed.Seconds()
	if spent := (r.Elapsed - state.Elapsed).Seconds(); spent > 0 {
		a.NodesPerSecond = float64(r.Nodes-state.Nodes) / spent
	}
	a.Stopped = ctx.Err() != nil && r.Censored
	if r.Breaks >= 0 {
		a.Best, a.placements = &r.Breaks, r.Placements
	}
	return nil
}

// exhaust goes on from a state, and shows how it goes.
func (c *exhaustCommand) exhaust(ctx context.Context, p *ledger.Problem, state ledger.State, keep *saver, t *terminal) (ledger.Result, error) {
	watch := newProgress(t, &c.bounds, state.Elapsed)
	defer watch.close()
	return ledger.Resume(ctx, p, state, ledger.Plan{
		Threads: c.Threads, Budget: c.budget(), Watch: watch, Every: c.Every,
		Save: func(s ledger.State) { keep.save(seal(s)) },
	})
}

// sealed is a state as it is saved. A board that was damaged shows it, a count
// does not: so the seal tells whether the state is what was saved.
type sealed struct {
	State json.RawMessage `json:"exhaustion"`
	Seal  string          `json:"seal"`
}

func seal(s ledger.State) sealed {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // it is made of numbers
	}
	return sealed{text, digest(string(text))}
}

func (s *sealed) open(state *ledger.State) error {
	if s.Seal != digest(string(s.State)) {
		return errors.New("its seal is broken")
	}
	return json.Unmarshal(s.State, state)
}

// bare is the text of an error without the package that it comes from.
func bare(err error) string {
	text := err.Error()
	for _, room := range []string{"ledger: ", "puzzle: ", "certify: "} {
		text = strings.TrimPrefix(text, room)
	}
	return text
}
