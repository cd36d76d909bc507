package alns

import (
	"cmp"
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
	// Watch, when set, is told of a moment of the walk at iterations 1, 2, 4 and
	// so on, and at the end of each round: Traced events.
	Watch search.Observer

	search *Search
	puzzle *puzzle.Puzzle
	number int
	state  State

	best      []puzzle.Placement // of all rounds, those that were interrupted too
	bestScore int
	gained    int64 // the iteration of the best board
}

// State is a walk between two rounds, in a form that JSON carries exactly.
type State struct {
	Iterations int64             `json:"iterations"`
	Board      []int             `json:"board"` // by cell: 4*piece + rotation
	Best       []int             `json:"best"`
	Gained     int64             `json:"gained"` // the iteration of the best board, 0 for the start
	Selection  []float64         `json:"selection"`
	Acceptance []float64         `json:"acceptance,omitempty"`
	Operators  []search.Operator `json:"operators"`
	Repair     search.Repair     `json:"repair"`
}

// Horizon is how far a walk is to go, for acceptance rules that cool.
type Horizon struct {
	Iterations int64   // of the whole walk, or 0 when they are not known
	Done       float64 // then: the share of the time that is gone, 0 to 1
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
	switch {
	case len(state.Operators) != len(w.search.operators):
		return nil, fmt.Errorf("saved walk of %d operators, want %d", len(state.Operators), len(w.search.operators))
	case state.Iterations < 0:
		return nil, fmt.Errorf("saved walk of %d iterations, want 0 or more", state.Iterations)
	case state.Gained < 0 || state.Gained > state.Iterations:
		return nil, fmt.Errorf("saved walk of %d iterations whose best board is of iteration %d", state.Iterations, state.Gained)
	}
	if err := w.search.selection.Restore(state.Selection); err != nil {
		return nil, fmt.Errorf("saved walk: %w", err)
	}
	if err := w.search.accept.Restore(state.Acceptance); err != nil {
		return nil, fmt.Errorf("saved walk: %w", err)
	}
	w.state, w.best, w.bestScore, w.gained = state, best, p.Look(best).Tally().Matched, state.Gained
	w.restore()
	return w, nil
}

// Run does one round, or fewer iterations if the limit says so, if the puzzle
// is solved, or if the context ends. A round that the context ends leaves the
// State as it was; the best board takes in what it found.
func (w *Walk) Run(ctx context.Context, limit int64, h Horizon) {
	w.restore()
	defer w.note()
	s, end := w.search, w.state.Iterations+min(limit, Round)
	s.Advance(h.at(s.iterations))
	for s.iterations < end {
		if s.iterations%1024 == 0 {
			if ctx.Err() != nil {
				return
			}
			s.Advance(h.at(s.iterations))
		}
		if s.Iterate() == NewBest && s.bestScore == w.puzzle.MaxScore() {
			end = s.iterations
		}
		if n := s.iterations; w.Watch != nil && (n == end || n < Round && n&(n-1) == 0) {
			w.trace()
		}
	}
	w.save()
}

// at is the share that is done after so many iterations.
func (h Horizon) at(iterations int64) float64 {
	if h.Iterations > 0 {
		return float64(iterations) / float64(h.Iterations)
	}
	return h.Done
}

// trace tells of the moment.
func (w *Walk) trace() {
	s := w.search
	w.Watch.Observe(search.Event{
		Kind: search.Traced, Stage: "polish", Stream: w.number, Score: s.board.Score(), Best: s.bestScore, Max: w.puzzle.MaxScore(),
		Done: s.iterations, Unit: "iterations", Operators: s.Operators(), Repairs: []search.Repair{s.repairs},
	})
}

// restore puts the search back to the State, whatever an interrupted round has
// done since.
func (w *Walk) restore() {
	s := w.search
	s.board.Load(unpack(w.state.Board))
	s.best = append(s.best[:0], unpack(w.state.Best)...)
	s.bestScore = w.puzzle.Look(s.best).Tally().Matched
	s.iterations, s.gained = w.state.Iterations, w.state.Gained
	copy(s.operators, w.state.Operators)
	s.repairs = w.state.Repair
	if err := cmp.Or(s.selection.Restore(w.state.Selection), s.accept.Restore(w.state.Acceptance)); err != nil {
		panic(err) // it was saved by this walk, or checked by ResumeWalk
	}
	s.random.Reset(s.options.Seed, fmt.Sprintf("alns %d", w.number), int(w.state.Iterations/Round))
}

// note keeps the best board of the round if it is better than those before.
func (w *Walk) note() {
	if w.search.bestScore > w.bestScore {
		w.best, w.bestScore, w.gained = slices.Clone(w.search.best), w.search.bestScore, w.search.gained
	}
}

// Solved tells whether the best board has no break: there is nothing left to do.
func (w *Walk) Solved() bool { return w.bestScore == w.puzzle.MaxScore() }

func (w *Walk) save() {
	w.state.Board = packBoard(w.search.board.Placements(nil))
	w.state.Best = packBoard(w.search.best)
	s := w.search
	w.state.Iterations, w.state.Gained = s.iterations, s.gained
	w.state.Selection, w.state.Acceptance = s.selection.State(), s.accept.State()
	w.state.Operators, w.state.Repair = s.Operators(), s.repairs
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

// Repairs is the account of the repair.
func (w *Walk) Repairs() search.Repair { return w.search.repairs }

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
