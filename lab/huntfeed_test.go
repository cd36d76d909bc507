package lab

import (
	"encoding/json"
	"math"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"lastmile/puzzle"
)

// stage is a status that a test can tell from others.
type stage struct {
	Number  int    `json:"number"`
	Ballast string `json:"ballast"`
}

func shows(t *testing.T, f *HuntFeed, status any) {
	t.Helper()
	if err := f.Show(status); err != nil {
		t.Fatal(err)
	}
}

func TestHuntFeed(t *testing.T) {
	f := NewHuntFeed()
	s := httptest.NewServer(f)
	defer s.Close()
	next, leave := listen(t, s.URL)
	defer leave()
	// The page learns at once that this is a hunt, be there anything to tell or not.
	if m := next(); m != (message{"hunt", "null"}) {
		t.Fatalf("first %+v", m)
	}
	until := func(want message) (between []message) {
		t.Helper()
		for {
			switch m := next(); m {
			case want:
				return between
			case message{}:
				t.Fatalf("the end before %+v", want)
			default:
				between = append(between, m)
			}
		}
	}
	for i := range 1000 {
		shows(t, f, stage{Number: i})
	}
	until(message{"hunt", `{"number":999,"ballast":""}`})
	// Each piece set comes once, by the name that boards use; the first keeps a name.
	f.Puzzle("official <set>", puzzle.Official())
	f.Puzzle("official <set>", puzzle.Solved()[0].Puzzle)
	f.Puzzle("small", puzzle.Solved()[0].Puzzle)
	shows(t, f, stage{Number: 1000})
	f.End()
	got := map[string]int{}
	for _, m := range until(message{"over", "true"}) {
		if m.event != "puzzle" {
			continue
		}
		var set struct {
			ID     string
			Max    int
			Pieces [][4]int
		}
		if err := json.Unmarshal([]byte(m.data), &set); err != nil {
			t.Fatal(err)
		}
		if _, again := got[set.ID]; again {
			t.Errorf("%s comes again", set.ID)
		}
		got[set.ID] = set.Max
		if len(set.Pieces) == 0 {
			t.Errorf("%s has no pieces", set.ID)
		}
	}
	if len(got) != 2 || got["official <set>"] != 480 || got["small"] != puzzle.Solved()[0].Puzzle.MaxScore() {
		t.Errorf("piece sets %v", got)
	}
	if m := next(); m != (message{}) {
		t.Errorf("after the end %+v", m)
	}
}

// Who comes when all is over gets all the same how it ended, with the sets to draw
// the boards.
func TestHuntFeedAfterTheEnd(t *testing.T) {
	f := NewHuntFeed()
	shows(t, f, stage{Number: 7})
	f.Puzzle("small", puzzle.Solved()[0].Puzzle)
	f.End()
	s := httptest.NewServer(f)
	defer s.Close()
	next, leave := listen(t, s.URL)
	defer leave()
	for _, want := range []message{{"hunt", `{"number":7,"ballast":""}`}, {"puzzle", ""}, {"over", "true"}, {}} {
		if m := next(); m.event != want.event || want.data != "" && m.data != want.data {
			t.Fatalf("%.80v, want %v", m, want)
		}
	}
}

// A browser that does not read keeps nobody waiting.
func TestHuntFeedOfASlowBrowser(t *testing.T) {
	f := NewHuntFeed()
	s := httptest.NewServer(f)
	defer s.Close()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: h\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	// More than any connection holds: were Show to wait for the browser, this would
	// not come to its end.
	big := strings.Repeat("x", 1<<20)
	for i := range 500 {
		shows(t, f, stage{Number: i, Ballast: big})
	}
	shows(t, f, stage{Number: 500})
	next, leave := listen(t, s.URL)
	defer leave()
	if m := next(); m != (message{"hunt", `{"number":500,"ballast":""}`}) {
		t.Errorf("another browser gets %.60v", m)
	}
}

// Whoever comes to read after many states has one piece of news, the latest.
func TestHuntFeedKeepsTheLatest(t *testing.T) {
	f := NewHuntFeed()
	news, leave, _ := f.watch()
	defer leave()
	for i := range 1000 {
		shows(t, f, stage{Number: i})
	}
	events, seen := f.latest(-1)
	if len(news) != 1 || len(events) != 1 || string(events[0].data.(json.RawMessage)) != `{"number":999,"ballast":""}` || seen != 0 {
		t.Errorf("%d news, %v", len(news), events)
	}
}

// What cannot be said in JSON is refused, and what was shown before stays.
func TestHuntFeedRefuses(t *testing.T) {
	f := NewHuntFeed()
	shows(t, f, stage{Number: 1})
	err := f.Show(map[string]float64{"rate": math.NaN()})
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	if string(f.status) != `{"number":1,"ballast":""}` {
		t.Errorf("shows %s", f.status)
	}
}
