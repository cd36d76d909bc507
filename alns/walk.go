package alns

import (
	"context"
	"fmt"
	"slices"

	"lastmile/puzzle"
	"lastmile/search"
)

// Round is the number of iterations after which a walk can be saved.
const Round = 1 << 15

// Walk is one numbered stream of the loop, cut into rounds. A round depends on
// the walk's State at its beginning and on nothing else: the board is laid
// anew, so that the order of the mismatch map is that of the board, and the
// random stream is that of the round. A walk that is killed in a round and
// resumed from the State before it goes on to the same boards.
type Walk struct {
	search *Search
	puzzle *puzzle.Puzzle
	number int
	state  State

	best      []puzzle.Placement // of all rounds, those that were interrupted too
	bestScore int
}

// State is a walk between two rounds, in a form that JSON carries exactly.
type State struct {
	Iterations int64             `json:"iterations"`
	Board      []int             `json:"board"` // by cell: 4*piece + rotation
	Best       []int             `json:"best"`
	Weights    []float64         `json:"weights"`
	Operators  []search.Operator `json:"operators"`
}

// NewWalk starts walk number from a full board.
func NewWalk(p *puzzle.Puzzle, start []puzzle.Placement, o Options, number int) (*Walk, error) {
	b := puzzle.NewBoard(p)
	b.Load(start)
	s, err := NewSearch(b, o)
	if err != nil {
		return nil, err
	}
	w := &Walk{search: s, puzzle: p, number: number, best: slices.Clone(s.best), bestScore: s.bestScore}
	w.save()
	return w, nil
}

// ResumeWalk goes on with walk number from a saved state.
func ResumeWalk(p *puzzle.Puzzle, state State, o Options, number int) (*Walk, error) {
	board, err := unpackBoard(p, state.Board)
	if err != nil {
		return nil, err
	}
	best, err := unpackBoard(p, state.Best)
	if err != nil {
		return nil, err
	}
	w, err := NewWalk(p, board, o, number)
	if err != nil {
		return nil, err
	}
	n := len(w.search.operators)
	if len(state.Weights) != n || len(state.Operators) != n {
		return nil, fmt.Errorf("saved walk of %d operators with %d weights, want %d", len(state.Operators), len(state.Weights), n)
	}
	for _, w := range state.Weights {
		if !(w > 0) || w > rewards[NewBest] {
			return nil, fmt.Errorf("saved walk with a weight of %v, want above 0 and at most %v", w, rewards[NewBest])
		}
	}
	if state.Iterations < 0 {
		return nil, fmt.Errorf("saved walk of %d iterations, want 0 or more", state.Iterations)
	}
	w.state, w.best, w.bestScore = state, best, p.Look(best).Tally().Matched
	w.restore()
	return w, nil
}

// Run does one round, or fewer iterations if the limit says so, if the puzzle
// is solved, or if the context ends. A round that the context ends leaves the
// State as it was; the best board takes in what it found.
func (w *Walk) Run(ctx context.Context, limit int64) {
	w.restore()
	defer w.note()
	done := min(limit, Round)
	for i := range done {
		if i%1024 == 0 && ctx.Err() != nil {
			return
		}
		if w.search.Iterate() == NewBest && w.search.bestScore == w.puzzle.MaxScore() {
			done = i + 1
			break
		}
	}
	w.state.Iterations += done
	w.save()
}

// restore puts the search back to the State, whatever an interrupted round has
// done since.
func (w *Walk) restore() {
	s := w.search
	s.board.Load(unpack(w.state.Board))
	s.best = append(s.best[:0], unpack(w.state.Best)...)
	s.bestScore = w.puzzle.Look(s.best).Tally().Matched
	copy(s.weights, w.state.Weights)
	copy(s.tally, w.state.Operators)
	s.total()
	s.random.Reset(s.options.Seed, fmt.Sprintf("alns %d", w.number), int(w.state.Iterations/Round))
}

// note keeps the best board of the round if it is better than those before.
func (w *Walk) note() {
	if w.search.bestScore > w.bestScore {
		w.best, w.bestScore = slices.Clone(w.search.best), w.search.bestScore
	}
}

// Solved tells whether the best board has no break: there is nothing left to do.
func (w *Walk) Solved() bool { return w.bestScore == w.puzzle.MaxScore() }

func (w *Walk) save() {
	w.state.Board = packBoard(w.search.board.Placements(nil))
	w.state.Best = packBoard(w.search.best)
	w.state.Weights = slices.Clone(w.search.weights)
	w.state.Operators = w.search.Operators()
}

// State is the walk after its last whole round. It shares nothing with the walk.
func (w *Walk) State() State { return w.state }

// Iterations counts those of whole rounds.
func (w *Walk) Iterations() int64 { return w.state.Iterations }

// Score is the score of the board at hand.
func (w *Walk) Score() int { return w.search.board.Score() }

// Best is the best board so far, and its score.
func (w *Walk) Best() ([]puzzle.Placement, int) {
	return slices.Clone(w.best), w.bestScore
}

// Operators is the account of the operators.
func (w *Walk) Operators() []search.Operator { return w.search.Operators() }

func packBoard(board []puzzle.Placement) []int {
	packed := make([]int, len(board))
	for _, q := range board {
		packed[q.Cell] = 4*q.Piece + q.Rotation
	}
	return packed
}

func unpack(packed []int) []puzzle.Placement {
	board := make([]puzzle.Placement, len(packed))
	for cell, v := range packed {
		board[cell] = puzzle.Placement{Cell: cell, Piece: v >> 2, Rotation: v & 3}
	}
	return board
}

// unpackBoard checks that the saved board is one.
func unpackBoard(p *puzzle.Puzzle, packed []int) ([]puzzle.Placement, error) {
	if len(packed) != p.Cells() {
		return nil, fmt.Errorf("saved board of %d cells, want %d", len(packed), p.Cells())
	}
	seen := make([]bool, p.Cells())
	for cell, v := range packed {
		piece := v >> 2
		if piece < 0 || piece >= p.Cells() || seen[piece] {
			return nil, fmt.Errorf("saved board: cell %d holds %d, want a piece of its own", cell, v)
		}
		seen[piece] = true
	}
	return unpack(packed), nil
}
