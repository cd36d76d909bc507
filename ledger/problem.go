package ledger

import (
	"fmt"

	"lastmile/puzzle"
)

// MaxCells bounds the region of a problem.
const MaxCells = 2048

// Charge says what a break costs.
type Charge int

// The charges.
const (
	Seam Charge = iota // every break costs one
	Cell               // the same, and no cell may bring two when it is filled
)

// Mode says when the ledger is asked.
type Mode int

// The modes.
const (
	Off       Mode = iota // never
	Node                  // after entering a node, as on the page
	Candidate             // before entering: what it refuses is no node
	Auto                  // as Candidate, from the cell on where that has been paying
)

// Words of the modes and charges, in their order.
var (
	ModeNames   = []string{"off", "node", "candidate", "auto"}
	ChargeNames = []string{"seam", "cell"}
)

func (m Mode) String() string   { return ModeNames[m] }
func (c Charge) String() string { return ChargeNames[c] }

// Problem asks for the completions of a board within a budget of breaks.
type Problem struct {
	// Board holds the pieces that stay. Its empty cells are the region, to be
	// filled with all the pieces that are not on it. It is not changed.
	Board *puzzle.Board
	// Order lists the empty cells in the order in which they are filled.
	Order []int
	// Budget is the number of breaks that a completion may have among the seams
	// of the region, those to pieces that stay included.
	Budget int
	Charge Charge
	// Uncharged are filled cells, such as clues, whose seams cost nothing.
	Uncharged []int

	Mode       Mode
	Conditions Conditions // which the ledger tests; 0 for Default
	// Best asks for a completion with the fewest breaks instead of all
	// completions: each one found lowers the budget below its own breaks.
	Best bool
	// Profile asks for counts by level. Auto keeps them anyway.
	Profile bool
}

// Check tells what is wrong with the problem.
func (p *Problem) Check() error {
	if p.Board == nil {
		return fmt.Errorf("ledger: no board")
	}
	z := p.Board.Puzzle()
	seen := make([]bool, z.Cells())
	for i, cell := range p.Order {
		switch {
		case cell < 0 || cell >= z.Cells():
			return fmt.Errorf("ledger: cell %d in the order, want 0 to %d", cell, z.Cells()-1)
		case p.Board.Piece(cell) != puzzle.Empty:
			return fmt.Errorf("ledger: cell %d in the order is filled, want empty cells", cell)
		case seen[cell]:
			return fmt.Errorf("ledger: cell %d is in the order twice, at %d", cell, i)
		}
		seen[cell] = true
	}
	open := z.Cells() - p.Board.Filled()
	switch {
	case len(p.Order) != open:
		return fmt.Errorf("ledger: an order of %d cells, want the %d that are empty", len(p.Order), open)
	case open > MaxCells:
		return fmt.Errorf("ledger: a region of %d cells, want at most %d", open, MaxCells)
	case p.Budget < 0:
		return fmt.Errorf("ledger: a budget of %d breaks, want 0 or more", p.Budget)
	case p.Mode < Off || p.Mode > Auto:
		return fmt.Errorf("ledger: mode %d, want 0 to %d", p.Mode, Auto)
	case p.Charge < Seam || p.Charge > Cell:
		return fmt.Errorf("ledger: charge %d, want 0 or 1", p.Charge)
	}
	for _, cell := range p.Uncharged {
		if cell < 0 || cell >= z.Cells() || p.Board.Piece(cell) == puzzle.Empty {
			return fmt.Errorf("ledger: uncharged cell %d, want filled cells", cell)
		}
	}
	return nil
}
