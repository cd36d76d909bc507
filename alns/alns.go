// Package alns polishes a board by adaptive large neighbourhood search: it
// destroys part of the board, rebuilds it, keeps the result or takes it back,
// and learns which demolitions pay (Shaw, CP 1998; Ropke and Pisinger,
// Transportation Science 2006).
//
// Search is the loop itself on one board. Polish runs it in numbered streams,
// on any number of threads, within a budget, with checkpoints.
package alns

import (
	"fmt"
	"math"

	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/puzzle"
	"lastmile/random"
)

// Options tune the loop. The zero value of a field asks for its default.
type Options struct {
	Operators   []destroy.Operator // default: destroy.Portfolio
	Smallest    int                // cells that a hole has at least, default 4
	Largest     int                // and at most, default 24; each size between is as likely
	Temperature float64            // T of the acceptance rule in seams, default 0.3; a tiny one accepts no loss
	Memory      float64            // λ of the weights, 0 to 1, default 0.999
	Seed        uint64
}

// Check tells what is wrong with the options.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

func (o Options) withDefaults() (Options, error) {
	if o.Operators == nil {
		o.Operators = destroy.Portfolio
	}
	if o.Largest == 0 {
		o.Largest = max(24, o.Smallest)
	}
	if o.Smallest == 0 {
		o.Smallest = min(4, o.Largest)
	}
	if o.Temperature == 0 {
		o.Temperature = 0.3
	}
	if o.Memory == 0 {
		o.Memory = 0.999
	}
	switch {
	case o.Smallest < 1 || o.Largest < o.Smallest:
		return o, fmt.Errorf("hole of %d to %d cells, want 1 or more, the smallest first", o.Smallest, o.Largest)
	case !(o.Temperature > 0) || math.IsInf(o.Temperature, 1):
		return o, fmt.Errorf("temperature %v, want a positive number of seams", o.Temperature)
	case !(o.Memory > 0) || o.Memory >= 1:
		return o, fmt.Errorf("memory %v, want a number between 0 and 1", o.Memory)
	}
	return o, nil
}

// Outcome is what became of an iteration, from worst to best.
type Outcome int

// The outcomes. A worse board that the temperature lets pass counts as
// Sideways: it was accepted and gained nothing.
const (
	Rejected Outcome = iota
	Sideways
	Better
	NewBest
)

// rewards are the ψ of the page, by outcome. They must fall from NewBest to
// Rejected and stay above zero, so that no operator dies out.
var rewards = [...]float64{Rejected: 0.1, Sideways: 1, Better: 4, NewBest: 8}

// Search is the loop on one full board.
type Search struct {
	options Options
	board   *puzzle.Board
	random  *random.Stream
	hole    *destroy.Hole
	repair  *repair.Greedy
	roulette
	tolerance [65]uint64 // by seams lost: the draw below which the loss is accepted

	pieces, turns []int // what was lifted, in the order of the hole's cells
	best          []puzzle.Placement
	bestScore     int
}

// NewSearch returns the loop on a board that is full, obeys the frame rule and
// holds its clues; the loop keeps it so. The board is used, not copied.
func NewSearch(b *puzzle.Board, o Options) (*Search, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	p := b.Puzzle()
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
		repair:    repair.NewGreedy(p),
		roulette:  newRoulette(o.Operators, o.Memory),
		tolerance: tolerances(o.Temperature),
		pieces:    make([]int, 0, p.Cells()),
		turns:     make([]int, 0, p.Cells()),
		best:      b.Placements(make([]puzzle.Placement, 0, p.Cells())),
		bestScore: b.Score(),
	}
	s.hole = destroy.NewHole(b, s.random)
	return s, nil
}

// Iterate runs one iteration: draw, destroy, repair, accept, adapt.
func (s *Search) Iterate() Outcome {
	before := s.board.Score()
	operator := s.draw(s.random)
	s.destroy(operator)
	s.repair.Repair(s.board, s.hole.Cells(), s.pieces)
	outcome := s.judge(before)
	if outcome == Rejected {
		s.revert()
	}
	s.adapt(operator, outcome, s.board.Score()-before)
	return outcome
}

// destroy lifts the pieces of the cells that the operator chooses.
func (s *Search) destroy(operator int) {
	s.hole.Clear()
	k := s.options.Smallest + s.random.Below(s.options.Largest-s.options.Smallest+1)
	s.operators[operator].Choose(s.hole, k)
	s.pieces, s.turns = s.pieces[:0], s.turns[:0]
	for _, cell := range s.hole.Cells() {
		s.pieces = append(s.pieces, s.board.Piece(cell))
		s.turns = append(s.turns, s.board.Rotation(cell))
		s.board.Remove(cell)
	}
}

// judge accepts a board that is no worse, and a worse one with probability
// exp(Δ/T).
func (s *Search) judge(before int) Outcome {
	after := s.board.Score()
	switch {
	case after > s.bestScore:
		s.bestScore = after
		s.best = s.board.Placements(s.best[:0])
		return NewBest
	case after > before:
		return Better
	case after == before:
		return Sideways
	}
	loss := min(before-after, len(s.tolerance)-1)
	if s.random.Uint64() < s.tolerance[loss] {
		return Sideways
	}
	return Rejected
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

// tolerances tabulates exp(-loss/T) as a threshold for 64 random bits. The
// lowest 32 bits are dropped: exp differs there from machine to machine.
func tolerances(t float64) (table [65]uint64) {
	for loss := range table {
		table[loss] = uint64(math.Exp(-float64(loss)/t)*(1<<32)) << 32
	}
	table[0] = math.MaxUint64
	return table
}
