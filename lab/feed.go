package lab

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"lastmile/lab/engine"
	"lastmile/puzzle"
	"lastmile/search"
)

// Feed shows a run to browsers while it goes on: an Observer on one side, a stream
// of server-sent events on the other. A browser that is slow gets the latest
// state, not all of them, so nothing piles up; the run never waits for one.
type Feed struct {
	puzzle *puzzle.Puzzle
	start  time.Time

	mu       sync.Mutex
	state    liveState
	boards   []liveBoard
	changes  int // of the boards
	watchers map[chan struct{}]bool
	over     bool
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

// What a feed keeps and whom it serves.
const (
	keptBoards  = 24
	maxWatchers = 16
	pace        = 200 * time.Millisecond // between two messages to a browser
	patience    = 10 * time.Second       // with a browser that does not read
	heartbeat   = 15 * time.Second
)

// NewFeed returns the feed of a run on a puzzle.
func NewFeed(p *puzzle.Puzzle) *Feed {
	return &Feed{puzzle: p, start: time.Now(), watchers: map[chan struct{}]bool{}, state: liveState{Operators: []search.Operator{}}}
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

// wake tells all watchers that there is news. Who has not read the last news has
// them to come anyway.
func (f *Feed) wake() {
	for w := range f.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// watch adds a watcher, if there is room.
func (f *Feed) watch() (news chan struct{}, leave func(), ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.watchers) >= maxWatchers {
		return nil, nil, false
	}
	news = make(chan struct{}, 1)
	news <- struct{}{}
	f.watchers[news] = true
	return news, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, news)
	}, true
}

// ServeHTTP streams the run: the puzzle, then the state and, when they have
// changed, the boards.
func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.WriteHeader(http.StatusNoContent) // HEAD
		return
	}
	news, leave, ok := f.watch()
	if !ok {
		http.Error(w, "too many browsers watch this run", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	send := func(event string, data any) error {
		text, err := json.Marshal(data)
		if err != nil {
			return err
		}
		out.SetWriteDeadline(time.Now().Add(patience)) // who cannot set one has the server's
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text); err != nil {
			return err
		}
		return out.Flush()
	}
	if send("puzzle", engine.PuzzleOf(f.puzzle)) != nil {
		return
	}
	seen := -1
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-alive.C:
		case <-news:
		}
		f.mu.Lock()
		state, changes, over := f.state, f.changes, f.over
		var boards []liveBoard
		if changes != seen {
			boards = slices.Clone(f.boards)
		}
		f.mu.Unlock()
		if changes != seen {
			if send("boards", append([]liveBoard{}, boards...)) != nil {
				return
			}
			seen = changes
		}
		if send("state", state) != nil || over {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-time.After(pace):
		}
	}
}
