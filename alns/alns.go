// Package alns polishes a board by adaptive large neighbourhood search: it
// destroys part of the board, rebuilds it, keeps the result or takes it back,
// and learns which demolitions pay (Shaw, CP 1998; Ropke and Pisinger,
// Transportation Science 2006).
//
// Search is the loop itself on one board. Polish runs it in numbered streams,
// on any number of threads, within a budget, with checkpoints.
package alns

import (
	"cmp"
	"fmt"

	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/puzzle"
	"lastmile/random"
)

// Options tune the loop. The zero value of a field asks for its default.
type Options struct {
	Operators []destroy.Operator // default: destroy.Portfolio
	Smallest  int                // cells that a hole has at least, default 4
	Largest   int                // and at most, default 24, or all there are; each size between is as likely

	Repair     string // a name of repair.Names, default repair.Default
	Repairing  repair.Options
	Selection  string // a name of selection.Names, default selection.Default
	Selecting  selection.Options
	Acceptance string // a name of acceptance.Names, default acceptance.Default
	Accepting  acceptance.Options

	Seed uint64
}

// Check tells what is wrong with the options.
func (o Options) Check() error {
	o = o.withDefaults()
	if o.Smallest < 1 || o.Largest < o.Smallest {
		return fmt.Errorf("hole of %d to %d cells, want 1 or more, the smallest first", o.Smallest, o.Largest)
	}
	for i, operator := range o.Operators {
		if operator.Choose == nil {
			return fmt.Errorf("operator %d, %q, without a function that chooses cells", i, operator.Name)
		}
	}
	if _, err := selection.New(o.Selection, len(o.Operators), o.Selecting); err != nil {
		return err
	}
	if _, err := acceptance.New(o.Acceptance, o.Accepting, 0); err != nil {
		return err
	}
	return repair.Check(o.Repair, o.Repairing)
}

func (o Options) withDefaults() Options {
	if o.Operators == nil {
		o.Operators = destroy.Portfolio
	}
	if o.Largest == 0 {
		o.Largest = max(24, o.Smallest)
	}
	if o.Smallest == 0 {
		o.Smallest = min(4, o.Largest)
	}
	o.Repair = cmp.Or(o.Repair, repair.Default)
	return o
}

// Outcome is what became of an iteration, from worst to best.
type Outcome int

// The outcomes. A worse board that the acceptance rule lets pass counts as
// Sideways: it was accepted and gained nothing.
const (
	Rejected  Outcome = iota
	Unchanged         // every piece came back to where it was: no move, and nothing to accept
	Sideways
	Better
	NewBest
)

// rewards are the ψ of the page, by outcome. They must fall from NewBest to
// Rejected and stay above zero, so that no operator dies out. A refill that
// changes nothing earns what a rejected one does: else operators that choose
// what greedy repair puts back, a few cells far apart, would be drawn the most.
var rewards = [...]float64{Rejected: 0.1, Unchanged: 0.1, Sideways: 1, Better: 4, NewBest: selection.MaxReward}

// Search is the loop on one full board.
type Search struct {
	options   Options
	board     *puzzle.Board
	random    *random.Stream
	hole      *destroy.Hole
	repair    repair.Method
	selection selection.Policy
	accept    acceptance.Rule
	account

	pieces, turns []int // what was lifted, in the order of the hole's cells
	best          []puzzle.Placement
	bestScore     int
	iterations    int64
	gained        int64 // the iteration of the best board, 0 for the start

	forced int            // operator of the next iteration in place of the drawn one, or -1
	show   func(Proposal) // nil for nobody
}

// Proposal is an iteration before it is judged: the hole is filled again.
type Proposal struct {
	Operator int
	Lifted   []puzzle.Placement // by the cells of the hole as the operator chose them
	Filled   []puzzle.Placement // in the order of filling, where the repair knows one, else as Lifted
	Verdict  repair.Verdict
	Before   int // score
	Score    int // of the proposed board
}

// Show lets f see each proposal from now on; nil ends it. F must not keep the
// lists.
func (s *Search) Show(f func(Proposal)) { s.show = f }

// Force makes the next iteration use an operator, whatever is drawn. The stream
// of random numbers goes on as if it had been drawn.
func (s *Search) Force(operator int) { s.forced = operator }

// NewSearch returns the loop on a board that is full, obeys the frame rule and
// holds its clues; the loop keeps it so. The board is used, not copied.
func NewSearch(b *puzzle.Board, o Options) (*Search, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	p := b.Puzzle()
	o = o.withDefaults()
	o.Largest = min(o.Largest, p.Cells())
	o.Smallest = min(o.Smallest, o.Largest)
	if b.Filled() != p.Cells() {
		return nil, fmt.Errorf("board with %d empty cells, want a full one", p.Cells()-b.Filled())
	}
	for _, c := range p.Clues {
		if b.Piece(c.Cell) != c.Piece || b.Rotation(c.Cell) != c.Rotation {
			return nil, fmt.Errorf("cell %d does not hold its clue, piece %d turned by %d", c.Cell, c.Piece+1, c.Rotation)
		}
	}
	for cell := range p.Cells() {
		if !p.FitsAt(cell, b.Piece(cell), b.Rotation(cell)) {
			return nil, fmt.Errorf("cell %d breaks the frame rule", cell)
		}
	}
	s := &Search{
		options:   o,
		board:     b,
		random:    random.New(o.Seed, "alns", 0),
		account:   newAccount(o),
		pieces:    make([]int, 0, p.Cells()),
		turns:     make([]int, 0, p.Cells()),
		best:      b.Placements(make([]puzzle.Placement, 0, p.Cells())),
		bestScore: b.Score(),
		forced:    -1,
	}
	s.hole = destroy.NewHole(b, s.random)
	var err error
	if s.repair, err = repair.New(o.Repair, p, s.random, o.Repairing); err != nil {
		return nil, err
	}
	if s.selection, err = selection.New(o.Selection, len(o.Operators), o.Selecting); err != nil {
		return nil, err
	}
	s.accept, err = acceptance.New(o.Acceptance, o.Accepting, s.bestScore)
	return s, err
}

// Iterate runs one iteration: draw, destroy, repair, accept, adapt.
func (s *Search) Iterate() Outcome {
	before := s.board.Score()
	operator := s.draw()
	s.destroy(operator)
	verdict := s.repair.Repair(s.board, s.hole.Cells(), s.pieces)
	if s.show != nil {
		s.show(s.proposal(operator, verdict, before))
	}
	outcome := s.judge(before)
	if outcome == Rejected {
		s.revert()
	}
	s.selection.Learn(operator, rewards[outcome])
	s.enter(operator, verdict, outcome, s.board.Score()-before)
	return outcome
}

// draw chooses the operator.
func (s *Search) draw() int {
	operator := s.selection.Draw(s.random)
	if s.forced >= 0 {
		operator, s.forced = s.forced, -1
	}
	return operator
}

// proposal is what is about to be judged.
func (s *Search) proposal(operator int, verdict repair.Verdict, before int) Proposal {
	p := Proposal{Operator: operator, Verdict: verdict, Before: before, Score: s.board.Score()}
	order := s.hole.Cells()
	for i, cell := range order {
		p.Lifted = append(p.Lifted, puzzle.Placement{Cell: cell, Piece: s.pieces[i], Rotation: s.turns[i]})
	}
	if r, ok := s.repair.(interface{ Filled() []int }); ok {
		order = r.Filled()
	}
	for _, cell := range order {
		p.Filled = append(p.Filled, puzzle.Placement{Cell: cell, Piece: s.board.Piece(cell), Rotation: s.board.Rotation(cell)})
	}
	return p
}

// Advance tells the loop how much of the run is done, 0 to 1, for acceptance
// rules that cool.
func (s *Search) Advance(done float64) { s.accept.Advance(done) }

// Best is the best board so far, its score, and the iteration that made it, 0
// for the start. The board is shared with the loop.
func (s *Search) Best() (board []puzzle.Placement, score int, iteration int64) {
	return s.best, s.bestScore, s.gained
}

// Iterations is the number of iterations so far.
func (s *Search) Iterations() int64 { return s.iterations }

// Board is the board at hand. It is the loop's: look, and change nothing.
func (s *Search) Board() *puzzle.Board { return s.board }

// destroy lifts the pieces of the cells that the operator chooses.
func (s *Search) destroy(operator int) {
	s.hole.Clear()
	k := s.options.Smallest + s.random.Below(s.options.Largest-s.options.Smallest+1)
	s.options.Operators[operator].Choose(s.hole, k)
	s.pieces, s.turns = s.pieces[:0], s.turns[:0]
	for _, cell := range s.hole.Cells() {
		s.pieces = append(s.pieces, s.board.Piece(cell))
		s.turns = append(s.turns, s.board.Rotation(cell))
		s.board.Remove(cell)
	}
}

// judge keeps the board if the acceptance rule does.
func (s *Search) judge(before int) Outcome {
	s.iterations++
	after := s.board.Score()
	kept := s.accept.Accept(before, after, s.bestScore, s.random)
	switch {
	case after > s.bestScore:
		s.bestScore, s.gained = after, s.iterations
		s.best = s.board.Placements(s.best[:0])
		return NewBest
	case after > before:
		return Better
	case kept && after == before && s.unchanged():
		return Unchanged
	case kept:
		return Sideways
	}
	return Rejected
}

// unchanged tells whether every lifted piece lies where it was.
func (s *Search) unchanged() bool {
	for i, cell := range s.hole.Cells() {
		if s.board.Piece(cell) != s.pieces[i] || s.board.Rotation(cell) != s.turns[i] {
			return false
		}
	}
	return true
}

// revert puts every lifted piece back where it was.
func (s *Search) revert() {
	cells := s.hole.Cells()
	for _, cell := range cells {
		s.board.Remove(cell)
	}
	for i, cell := range cells {
		s.board.Place(cell, s.pieces[i], s.turns[i])
	}
}
