package job

import (
	"fmt"

	"lastmile/certify"
	"lastmile/ledger"
	"lastmile/puzzle"
)

// Result is what came of a job, as it travels.
type Result struct {
	Protocol   int     `json:"protocol"`
	Job        string  `json:"job"`
	Worker     string  `json:"worker"`
	Version    string  `json:"version"`   // of the worker's program
	Signature  string  `json:"signature"` // of its searches, see Signature
	Nodes      int64   `json:"nodes"`
	Iterations int64   `json:"iterations"`
	Seconds    float64 `json:"seconds"` // of the last sitting
	Error      string  `json:"error,omitempty"`

	Boards    []Board    `json:"boards,omitempty"`
	Exhausted *Exhausted `json:"exhausted,omitempty"`
	Certified *Certified `json:"certified,omitempty"`
}

// Board is a full board as it travels.
type Board struct {
	Score int   `json:"score"` // that it is said to have
	Codes []int `json:"codes"` // see puzzle.Board.Codes
}

// BoardOf is a board that has been found.
func BoardOf(p *puzzle.Puzzle, score int, placements []puzzle.Placement) Board {
	return Board{score, p.Codes(placements)}
}

// Exhausted is what a part of an exhaustion has counted, and what it has left.
type Exhausted struct {
	Counts   ledger.Counts `json:"counts"`
	ByBreaks []int64       `json:"by_breaks"` // completions by their breaks
	Round    int           `json:"round"`
	From     int           `json:"from"`
	Rest     []ledger.Task `json:"rest"`
}

// Certified is what is known of a halo.
type Certified struct {
	Verdict certify.Verdict `json:"verdict"`
	Freed   int             `json:"freed"` // cells
	Own     int             `json:"own"`   // breaks of the board in it
	Floor   int             `json:"floor"` // that every refill has at least
	Best    int             `json:"best"`  // of a refill that is known
}

// Judge scores a board that somebody claims to have found. Nothing of the claim is
// believed: the board must be full, have each piece once, keep the frame rule, hold
// the clues of the puzzle, and score what is said.
func (b Board) Judge(p *puzzle.Puzzle) (*puzzle.Board, error) {
	board, err := p.Decode(b.Codes)
	if err != nil {
		return nil, err
	}
	if board.Filled() != p.Cells() {
		return nil, fmt.Errorf("a board of %d pieces, want %d", board.Filled(), p.Cells())
	}
	if p.Framed() {
		for cell := range p.Cells() {
			if !p.FitsAt(cell, board.Piece(cell), board.Rotation(cell)) {
				return nil, fmt.Errorf("cell %d breaks the frame rule", cell)
			}
		}
	}
	for _, c := range p.Clues {
		if board.Edges(c.Cell) != p.Rotated(c.Piece, c.Rotation) {
			return nil, fmt.Errorf("cell %d does not hold its clue", c.Cell)
		}
	}
	if board.Score() != b.Score {
		return nil, fmt.Errorf("a board said to score %d scores %d", b.Score, board.Score())
	}
	return board, nil
}

// Check tells what is wrong with what a result says of its job, boards apart.
func (r *Result) Check(p *puzzle.Puzzle, j Job) error {
	w, err := j.Work()
	if err != nil {
		return err
	}
	switch w := w.(type) {
	case *Exhaust:
		return r.Exhausted.check(w, j.Nodes)
	case *Certify:
		c := r.Certified
		switch {
		case c == nil || c.Verdict != certify.Proven && c.Verdict != certify.Found && c.Verdict != certify.Open:
			return fmt.Errorf("a job of kind certify without a verdict")
		case c.Verdict == certify.Found && len(r.Boards) == 0:
			return fmt.Errorf("a refill is said to be better and is not there")
		}
	default:
		if len(r.Boards) == 0 {
			return fmt.Errorf("a job of kind %s without a board", j.Kind)
		}
	}
	return nil
}

// check tells what cannot be of the counts of a part of an exhaustion.
func (e *Exhausted) check(w *Exhaust, nodes int64) error {
	if e == nil {
		return fmt.Errorf("a job of kind exhaust without counts")
	}
	sum := int64(0)
	for _, n := range e.ByBreaks {
		if n < 0 {
			return fmt.Errorf("%d completions", n)
		}
		sum += n
	}
	c := e.Counts
	switch {
	case len(e.ByBreaks) != w.Budget+1 || sum != c.Completions:
		return fmt.Errorf("%d completions, of which %d are told by their breaks", c.Completions, sum)
	case c.Nodes < 0 || c.Nodes > nodes || min(c.Judged, c.Fires, c.Shortages, c.Losses, c.Misfits) < 0:
		return fmt.Errorf("%d nodes and %d fires, want 0 or more and at most %d nodes", c.Nodes, c.Fires, nodes)
	case len(e.Rest) > 0 && (e.Round < 1 || c.Nodes < nodes):
		return fmt.Errorf("%d subtrees left after %d of %d nodes", len(e.Rest), c.Nodes, nodes)
	case len(e.Rest) > maxRest:
		return fmt.Errorf("%d subtrees left, want %d at most", len(e.Rest), maxRest)
	}
	return nil
}

// maxRest bounds the subtrees that a part of an exhaustion may leave.
const maxRest = 4096
