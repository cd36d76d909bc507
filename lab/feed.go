package lab

import (
	"net/http"
	"slices"
	"time"

	"lastmile/lab/engine"
	"lastmile/puzzle"
	"lastmile/search"
)

// Feed shows a run to browsers while it goes on: an Observer on one side, a stream
// of server-sent events on the other. The run never waits for a browser.
type Feed struct {
	stream
	puzzle  *puzzle.Puzzle
	start   time.Time
	state   liveState
	boards  []liveBoard
	changes int // of the boards
}

// liveState is where a run stands.
type liveState struct {
	Stage     string            `json:"stage"`
	Detail    string            `json:"detail"`
	Stream    int               `json:"stream"`
	Score     int               `json:"score"`
	Best      int               `json:"best"`
	Done      int64             `json:"done"`
	Of        int64             `json:"of"`
	Unit      string            `json:"unit"`
	Rate      float64           `json:"rate"`
	Operators []search.Operator `json:"operators"`
	Seconds   float64           `json:"seconds"`
	Over      bool              `json:"over"`
}

// liveBoard is a board that was the best of its stage and stream.
type liveBoard struct {
	Score   int     `json:"score"`
	Stage   string  `json:"stage"`
	Stream  int     `json:"stream"`
	Seconds float64 `json:"seconds"`
	Board   []int   `json:"board"`
}

// keptBoards is how many boards a feed keeps.
const keptBoards = 24

// NewFeed returns the feed of a run on a puzzle.
func NewFeed(p *puzzle.Puzzle) *Feed {
	return &Feed{puzzle: p, start: time.Now(), state: liveState{Operators: []search.Operator{}}}
}

// Observe enters an event. It never waits for a browser.
func (f *Feed) Observe(e search.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &f.state
	s.Seconds = time.Since(f.start).Seconds()
	s.Stage, s.Detail, s.Stream, s.Score = e.Stage, e.Detail, e.Stream, e.Score
	s.Best = max(s.Best, e.Best)
	if e.Unit != "" {
		s.Done, s.Of, s.Unit, s.Rate = e.Done, e.Of, e.Unit, e.Rate
	}
	if len(e.Operators) > 0 {
		s.Operators = slices.Clone(e.Operators)
	}
	if e.Kind == search.Improved && len(e.Placements) > 0 {
		f.keep(e)
	}
	f.wake()
}

// keep enters a board; of the boards that are kept the lowest goes when there are
// too many, of several the oldest.
func (f *Feed) keep(e search.Event) {
	b := liveBoard{Score: e.Score, Stage: e.Stage, Stream: e.Stream, Seconds: f.state.Seconds, Board: f.puzzle.Codes(e.Placements)}
	f.boards = append(f.boards, b)
	f.changes++
	if len(f.boards) > keptBoards {
		lowest := 0
		for i, b := range f.boards {
			if b.Score < f.boards[lowest].Score {
				lowest = i
			}
		}
		f.boards = slices.Delete(f.boards, lowest, lowest+1)
	}
}

// End tells browsers that the run is over.
func (f *Feed) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over, f.state.Over = true, true
	f.wake()
}

// ServeHTTP streams the run: the puzzle, then the state and, when they have
// changed, the boards.
func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.serve(w, r, f.latest)
}

func (f *Feed) latest(seen int) (events []sent, now int) {
	if seen < 0 {
		events = append(events, sent{"puzzle", engine.PuzzleOf(f.puzzle)})
	}
	if seen != f.changes {
		events = append(events, sent{"boards", append([]liveBoard{}, f.boards...)})
	}
	return append(events, sent{"state", f.state}), f.changes
}
