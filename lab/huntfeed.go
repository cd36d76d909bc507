package lab

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"lastmile/lab/engine"
	"lastmile/puzzle"
)

// HuntFeed shows a hunt, the work of many machines, to browsers while it goes on.
// What a hunt says of itself is JSON that the page reads (hunt.Status) and the feed
// does not: package hunt is none of the lab's business.
type HuntFeed struct {
	stream
	status json.RawMessage
	sets   []huntSet
}

// huntSet is a piece set under the name that boards of the hunt call it by.
type huntSet struct {
	ID string `json:"id"`
	engine.Puzzle
}

// NewHuntFeed returns the feed of a hunt that has not said anything yet.
func NewHuntFeed() *HuntFeed {
	return &HuntFeed{status: json.RawMessage("null")}
}

// Show enters where the hunt stands: the whole of it, as JSON. It never waits for a
// browser, and keeps nothing of the status. One that cannot be JSON is not shown.
func (f *HuntFeed) Show(status any) error {
	text, err := json.Marshal(status)
	if err != nil {
		return fmt.Errorf("the state of the hunt cannot be shown: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = text
	f.wake()
	return nil
}

// Puzzle makes a piece set known by the name that boards refer to. A name that is
// known stays with the set that had it.
func (f *HuntFeed) Puzzle(id string, p *puzzle.Puzzle) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.ContainsFunc(f.sets, func(s huntSet) bool { return s.ID == id }) {
		return
	}
	f.sets = append(f.sets, huntSet{id, engine.PuzzleOf(p)})
	f.wake()
}

// End tells browsers that the hunt is over, after its last status.
func (f *HuntFeed) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	f.wake()
}

// ServeHTTP streams the hunt: its status, first and whenever there is another, and
// each piece set once.
func (f *HuntFeed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.serve(w, r, f.latest)
}

func (f *HuntFeed) latest(seen int) (events []sent, now int) {
	events = append(events, sent{"hunt", f.status})
	for _, s := range f.sets[max(seen, 0):] {
		events = append(events, sent{"puzzle", s})
	}
	if f.over {
		events = append(events, sent{"over", true})
	}
	return events, len(f.sets)
}
