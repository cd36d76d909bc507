package lab

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Whom a stream serves, and how.
const (
	maxWatchers = 16
	pace        = 200 * time.Millisecond // between two messages to a browser
	patience    = 10 * time.Second       // with a browser that does not read
	heartbeat   = 15 * time.Second
)

// stream tells browsers of what goes on, by server-sent events. A browser that is
// slow gets the latest, not all there was, so nothing piles up; whoever tells it
// something never waits for one.
type stream struct {
	mu       sync.Mutex
	watchers map[chan struct{}]bool
	over     bool
}

// sent is an event as it is sent.
type sent struct {
	event string
	data  any // for JSON
}

// wake tells all watchers that there is news. Who has not read the last news has
// them to come anyway. The stream is locked.
func (s *stream) wake() {
	for w := range s.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// watch adds a watcher, if there is room.
func (s *stream) watch() (news chan struct{}, leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.watchers) >= maxWatchers {
		return nil, nil, false
	}
	if s.watchers == nil {
		s.watchers = map[chan struct{}]bool{}
	}
	news = make(chan struct{}, 1)
	news <- struct{}{}
	s.watchers[news] = true
	return news, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, news)
	}, true
}

// serve streams to one browser until it leaves or the stream is over. Whenever
// there is news, latest tells what to send to a browser that has seen so much of
// what is sent but once, and how much it has seen then; -1 is nothing at all. The
// stream is locked while it does: what it returns must not change afterwards.
func (s *stream) serve(w http.ResponseWriter, r *http.Request, latest func(seen int) ([]sent, int)) {
	if r.Method != http.MethodGet {
		w.WriteHeader(http.StatusNoContent) // HEAD
		return
	}
	news, leave, ok := s.watch()
	if !ok {
		http.Error(w, "too many browsers watch this already", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
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
		s.mu.Lock()
		events, now := latest(seen)
		over := s.over
		s.mu.Unlock()
		seen = now
		for _, e := range events {
			if send(w, e) != nil {
				return
			}
		}
		if over {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-time.After(pace):
		}
	}
}

// send writes an event to a browser.
func send(w http.ResponseWriter, e sent) error {
	text, err := json.Marshal(e.data)
	if err != nil {
		return err
	}
	out := http.NewResponseController(w)
	out.SetWriteDeadline(time.Now().Add(patience)) // who cannot set one has the server's
	if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.event, text); err != nil {
		return err
	}
	return out.Flush()
}
