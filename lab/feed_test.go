package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

// message is an event as it is sent.
type message struct{ event, data string }

// listen reads the events of a feed.
func listen(t *testing.T, url string) (next func() message, leave func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	q, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, 1<<20)
	return func() (m message) {
		for lines.Scan() {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "event: "):
				m.event = line[7:]
			case strings.HasPrefix(line, "data: "):
				m.data = line[6:]
			case line == "":
				return m
			}
		}
		return message{}
	}, func() { cancel(); r.Body.Close() }
}

func improved(score int) search.Event {
	record := puzzle.Records()[0]
	return search.Event{Kind: search.Improved, Stage: "polish", Score: score, Best: score, Max: 480, Placements: record.Board}
}

func TestFeed(t *testing.T) {
	f := NewFeed(puzzle.Official())
	s := httptest.NewServer(f)
	defer s.Close()
	f.Observe(improved(460))
	next, leave := listen(t, s.URL)
	defer leave()
	if m := next(); m.event != "puzzle" || !strings.Contains(m.data, `"max":480`) {
		t.Fatalf("first %+v", m)
	}
	var boards []liveBoard
	if m := next(); m.event != "boards" || json.Unmarshal([]byte(m.data), &boards) != nil || len(boards) != 1 || boards[0].Score != 460 || len(boards[0].Board) != 256 {
		t.Fatalf("then %.80s", m.data)
	}
	if m := next(); m.event != "state" || !strings.Contains(m.data, `"best":460`) {
		t.Fatalf("then %+v", m)
	}
	// What happens in between comes as the latest state, once; boards only when
	// there are others.
	for i := range 1000 {
		f.Observe(search.Event{Kind: search.Progress, Stage: "polish", Best: 460, Done: int64(i + 1), Unit: "iterations", Operators: []search.Operator{{Name: "ring", Weight: 0.5}}})
	}
	m := next()
	for m.event == "state" && !strings.Contains(m.data, `"done":1000`) {
		m = next()
	}
	if m.event != "state" || !strings.Contains(m.data, `"ring"`) {
		t.Fatalf("after 1,000 events %+v", m)
	}
	for score := range 100 {
		f.Observe(improved(300 + score))
	}
	for m = next(); m.event != "boards" || !strings.Contains(m.data, `"score":399`); m = next() {
		if m.event == "" {
			t.Fatal("the end")
		}
	}
	if err := json.Unmarshal([]byte(m.data), &boards); err != nil || len(boards) != keptBoards || boards[0].Score != 460 {
		t.Errorf("%d boards, the first of %d: %v", len(boards), boards[0].Score, err)
	}
	f.End()
	for m = next(); m.event != ""; m = next() {
		if m.event == "state" && strings.Contains(m.data, `"over":true`) {
			m = next()
			break
		}
	}
	if m.event != "" {
		t.Errorf("after the end %+v", m)
	}
}

func TestFeedHasRoomForSoMany(t *testing.T) {
	run, hunt := NewFeed(puzzle.Official()), NewHuntFeed()
	t.Run("run", func(t *testing.T) { roomForSoMany(t, run, &run.stream) })
	t.Run("hunt", func(t *testing.T) { roomForSoMany(t, hunt, &hunt.stream) })
}

func roomForSoMany(t *testing.T, h http.Handler, f *stream) {
	s := httptest.NewServer(h)
	defer s.Close()
	var leaves []func()
	for range maxWatchers {
		next, leave := listen(t, s.URL)
		next()
		leaves = append(leaves, leave)
	}
	r, err := http.Get(s.URL)
	if err != nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%v %v", r, err)
	}
	for _, leave := range leaves {
		leave()
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		f.mu.Lock()
		n := len(f.watchers)
		f.mu.Unlock()
		if n == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d watchers have not left", n)
		}
	}
}

// The page has a room for a run exactly when there is one.
func TestLiveRoomIsThere(t *testing.T) {
	files := some()
	files["index.html"].Data = []byte(`<html lang="en">`)
	for _, feed := range []http.Handler{nil, NewFeed(puzzle.Official()), NewHuntFeed()} {
		h, err := Handler(files, Options{Live: feed})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		if strings.Contains(w.Body.String(), "data-live") != (feed != nil) {
			t.Errorf("feed %T: %s", feed, w.Body)
		}
		if feed == nil {
			w = httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/live", nil))
			if w.Code != 404 {
				t.Errorf("live without a run: %d", w.Code)
			}
		}
	}
}
