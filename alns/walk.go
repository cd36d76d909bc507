package alns

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"lastmile/alns/repair"
	"lastmile/puzzle"
	"lastmile/search"
)

// Round is the number of iterations after which a walk can be saved, when its
// repair is greedy: some 0.1 s. Slower repairs have shorter rounds.
const Round = 1 << 15

// round is the number of iterations of a round. It depends on the options alone.
func (o Options) round() int64 { return max(1, Round/repair.Slow(o.Repair, o.Repairing)) }

// Walk is one numbered stream of the loop, cut into rounds. A round depends on
// the walk's State at its beginning and on nothing else: the board is laid
// anew, so that the order of the mismatch map is that of the board, and the
// random stream is that of the round. A walk that is killed in a round and
// resumed from the State before it goes on to the same boards.
type Walk struct {
	// Watch, when set, hears of the walk at iterations that the seed fixes:
	// Traced events. Up to 64 it is each iteration, then 32 moments for each
	// doubling, so that a long run tells hardly more than a short one.
	Watch search.Observer

	search *Search
	round  int64 // iterations
	puzzle *puzzle.Puzzle
	number int
	state  State

	best      []puzzle.Placement // of all rounds, those that were interrupted too
	bestScore int
	gained    int64 // the iteration of the best board
	told      int64 // the iteration that Watch has heard of last
}

// State is a walk between two rounds, in a form that JSON carries exactly.
type State struct {
	Iterations int64             `json:"iterations"`
	Board      []int             `json:"board"` // by cell: 4*piece + rotation
	Best       []int             `json:"best"`
	Kept       []int             `json:"kept,omitempty"` // a better board, of a round that was cut short; the walk does not know it
	KeptAt     int64             `json:"kept_at,omitempty"`
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
	w := &Walk{search: s, puzzle: p, number: number, round: s.options.round(), best: slices.Clone(s.best), bestScore: s.bestScore}
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
	if len(state.Kept) > 0 {
		kept, err := unpackBoard(p, state.Kept)
		if err != nil {
			return nil, err
		}
		if score := p.Look(kept).Tally().Matched; score > w.bestScore {
			w.best, w.bestScore, w.gained = kept, score, state.KeptAt
		}
	}
	w.restore()
	return w, nil
}

// Run does one round, or fewer iterations if the limit says so, if the puzzle
// is solved, or if the context ends. A round that the context ends is done
// again by the next Run, from the State before it; the best board takes in what
// it found.
func (w *Walk) Run(ctx context.Context, limit int64, h Horizon) {
	w.restore()
	defer w.note()
	s, end := w.search, w.state.Iterations+min(limit, w.round)
	look, cool, tell := max(1, w.round/32), h.step(), moment(s.iterations)
	s.Advance(h.at(s.iterations))
	for s.iterations < end {
		if s.iterations%look == 0 && ctx.Err() != nil {
			return
		}
		if s.iterations%cool == 0 {
			s.Advance(h.at(s.iterations))
		}
		if s.Iterate() == NewBest && s.bestScore == w.puzzle.MaxScore() {
			end = s.iterations
		}
		if s.iterations == tell {
			w.Tell()
			tell = moment(tell)
		}
	}
	w.save()
}

// Step does one iteration, for those who want to look at each: as many as a
// budget has come to the same as Run does. What is saved is the state before the
// round that it is in.
func (w *Walk) Step(h Horizon) Outcome {
	s := w.search
	if s.iterations == w.state.Iterations {
		w.restore()
		s.Advance(h.at(s.iterations))
	} else if s.iterations%h.step() == 0 {
		s.Advance(h.at(s.iterations))
	}
	tell := moment(s.iterations)
	outcome := s.Iterate()
	if s.iterations == tell {
		w.Tell()
	}
	over := s.iterations == w.state.Iterations+w.round
	if over {
		w.save()
	}
	if over || outcome == NewBest {
		w.note()
	}
	return outcome
}

// Search is the loop of the walk. Look at it, show it or force it; to iterate it
// is the walk's.
func (w *Walk) Search() *Search { return w.search }

// moment is the first iteration after n that a walk is traced at: one of at
// most six bits that matter.
func moment(n int64) int64 {
	step := int64(1) << max(0, bits.Len64(uint64(n))-6)
	return n - n%step + step
}

// step is the number of iterations between two looks at what is done.
func (h Horizon) step() int64 {
	if h.Iterations == 0 {
		return 1024
	}
	return min(max(1, h.Iterations/1024), 1024)
}

// at is the share that is done after so many iterations.
func (h Horizon) at(iterations int64) float64 {
	if h.Iterations > 0 {
		return float64(iterations) / float64(h.Iterations)
	}
	return h.Done
}

// Tell lets Watch hear of the walk as it is, unless it just has.
func (w *Walk) Tell() {
	s := w.search
	if w.Watch == nil || w.told == s.iterations {
		return
	}
	w.told = s.iterations
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
	w.told = min(w.told, s.iterations)
	copy(s.operators, w.state.Operators)
	s.repairs = w.state.Repair
	if err := cmp.Or(s.selection.Restore(w.state.Selection), s.accept.Restore(w.state.Acceptance)); err != nil {
		panic(err) // it was saved by this walk, or checked by ResumeWalk
	}
	s.random.Reset(s.options.Seed, fmt.Sprintf("alns %d", w.number), int(w.state.Iterations/w.round))
}

// note keeps the best board of the round if it is better than those before.
func (w *Walk) note() {
	if w.search.bestScore > w.bestScore {
		w.best, w.bestScore, w.gained = slices.Clone(w.search.best), w.search.bestScore, w.search.gained
	}
	if w.gained > w.state.Iterations { // of a round that was cut short
		w.state.Kept, w.state.KeptAt = packBoard(w.best), w.gained
	} else {
		w.state.Kept, w.state.KeptAt = nil, 0
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

// Iterations counts those so far, of a round that was cut short too, as do
// Score, Operators and Repairs.
func (w *Walk) Iterations() int64 { return w.search.iterations }

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
