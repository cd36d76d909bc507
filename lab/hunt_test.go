package lab_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lastmile/hunt"
	"lastmile/lab"
	"lastmile/ledger"
	"lastmile/puzzle"
)

// hunting is a lab that shows a hunt, which a test tells by hand.
type hunting struct {
	testing.TB
	feed     *lab.HuntFeed
	watching atomic.Int64 // browsers that are being told
	origin   string
}

func newHunting(t testing.TB) *hunting {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	h := &hunting{TB: t, feed: lab.NewHuntFeed()}
	live := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.watching.Add(1)
		defer h.watching.Add(-1)
		h.feed.ServeHTTP(w, r)
	})
	site, err := lab.Handler(os.DirFS(dir), lab.Options{Live: live})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(site)
	t.Cleanup(s.Close)
	t.Cleanup(h.feed.End) // or the server would wait for the browser
	h.origin = s.URL
	return h
}

func (h *hunting) show(s hunt.Status) {
	h.Helper()
	if err := h.feed.Show(s); err != nil {
		h.Fatal(err)
	}
}

// shown shows a status and waits until the page has it.
func (h *hunting) shown(p *page, s hunt.Status) {
	h.Helper()
	h.show(s)
	p.until(fmt.Sprintf(`document.querySelector(".room").dataset.at === %q`, s.At.Format(time.RFC3339Nano)))
}

// puzzles tells the piece sets that the boards of sampleHunt refer to.
func (h *hunting) puzzles() {
	h.Helper()
	small, _, err := puzzle.Generate(smallSet)
	if err != nil {
		h.Fatal(err)
	}
	h.feed.Puzzle("official", puzzle.Official())
	h.feed.Puzzle("small", small)
}

var smallSet = puzzle.Spec{Width: 8, Height: 6, Colours: 7, Seed: 1}

var huntBegan = time.Date(2026, 3, 5, 8, 0, 0, 0, time.UTC)

// sampleHunt is a hunt that has gone on for some hours: three campaigns, three
// workers, boards of two piece sets.
func sampleHunt() hunt.Status {
	s := hunt.Status{
		Name: "spring", Archive: "a17c", Version: "v1.4.0", Since: huntBegan, At: huntBegan.Add(5 * time.Hour), Running: true,
		Jobs: hunt.Jobs{Open: 1200, Queued: 24, Done: 3456, Failed: 2}, Done: 3456, Boards: 2817, Best: 470, Max: 480, Results: 0.75, Refused: 3, Twice: 11,
		Workers: []hunt.Worker{
			{Name: "anna-1", Host: "anna", Version: "v1.4.0", Slots: 8, Busy: 2, Done: 1800, Nodes: 5123456, Iterations: 201000, Best: 470, Seen: 1, Doing: []hunt.Doing{
				{Job: "j1", Kind: "solve", Detail: "polish, 468 of 480", Done: 131072, Of: 262144, Unit: "iterations", Seconds: 41},
				{Job: "j2", Kind: "exhaust", Detail: "tail of 24 cells", Done: 8123456, Unit: "nodes", Seconds: 310},
			}},
			{Name: "berta-1", Host: "berta", Version: "v1.4.0", Slots: 4, Busy: 4, Done: 900, Iterations: 98000, Best: 467, Seen: 2},
			{Name: "berta-2", Host: "berta", Version: "v1.4.0", Slots: 4, Done: 756, Best: -1, Seen: 3},
		},
		Campaigns: []hunt.Campaign{
			{Number: 1, Kind: "solve", What: "the official puzzle with all five clues", Jobs: hunt.Jobs{Open: 1100, Queued: 20, Done: 2400, Failed: 2}, Best: 470, Arms: []hunt.Arm{
				{Name: "beam column 16384", Share: 0.3, Uses: 812, Mean: 458.4, Best: 466, Seconds: 90000},
				{Name: "archive", Share: 0.6, Uses: 1500, Mean: 464.2, Best: 470, Seconds: 180000},
				{Name: "beam spiral 4096", Share: 0.1, Best: -1},
			}},
			{Number: 2, Kind: "exhaust", What: "the last 24 cells of riotte-464", Jobs: hunt.Jobs{Done: 64}, Best: 464, Over: true,
				Exhausted: &hunt.Exhausted{Counts: ledger.Counts{Nodes: 123456789, Completions: 43}, ByBreaks: []int64{0, 0, 1, 12, 30}, Budget: 4, Complete: true}},
			{Number: 3, Kind: "certify", What: "halos of the best boards", Jobs: hunt.Jobs{Open: 100, Queued: 4, Done: 992}, Best: -1, Certified: &hunt.Certified{Proven: 980, Found: 5, Open: 7}},
		},
		History: []hunt.Moment{{Seconds: 60, Score: 455}, {Seconds: 900, Score: 463}, {Seconds: 5000, Score: 467}, {Seconds: 12000, Score: 470}},
	}
	for i, name := range []string{"blackwood-470", "riotte-464"} {
		r, _ := puzzle.RecordNamed(name)
		s.Top = append(s.Top, hunt.Top{
			ID: name, Score: puzzle.Official().Look(r.Board).Tally().Matched, Clues: 5 - i, Found: huntBegan.Add(time.Hour), Worker: "anna-1", Job: fmt.Sprint("job-", i), Made: "lastmile solve --seed " + fmt.Sprint(i),
			Corner: [4]int{1, 3, 2, 4}, Codes: puzzle.Official().Codes(r.Board), URL: "https://example.org/#puzzle=" + name, Set: "official",
		})
	}
	small, solution, err := puzzle.Generate(smallSet)
	if err != nil {
		panic(err)
	}
	s.Top = append(s.Top, hunt.Top{ID: "solved", Score: small.MaxScore(), Found: huntBegan, Worker: "berta-1", Job: "job-9", Made: "lastmile solve", Codes: small.Codes(solution), Set: "small"})
	return s
}

// fact is the text of a fact, the first of its name within what a selector finds.
func (p *page) fact(within, name string) string {
	p.Helper()
	return p.text(fmt.Sprintf(`document.querySelector(%q).querySelector('[data-fact="%s"]').textContent`, within, name))
}

// cells are the texts of the cells of the rows of a list.
func (p *page) cells(list string) (rows [][]string) {
	p.Helper()
	p.read(fmt.Sprintf(`[...document.querySelectorAll('%s tr')].map((r) => [...r.children].map((c) => c.innerText.trim().replace(/\s+/g, " ")))`, list), &rows)
	return rows
}

// What the hunt tells is what the page shows.
func TestHuntInThePage(t *testing.T) {
	h := newHunting(t)
	p := open(t, h.origin, desktop)
	p.room("live") // before anything was told
	if got := p.text(`document.querySelector("h1").textContent + "; " + document.querySelector(".said").textContent`); got != "Hunt; The hunt has told nothing yet." {
		t.Errorf("before anything was told: %s", got)
	}
	s := sampleHunt()
	h.shown(p, s)
	for name, want := range map[string]string{
		"best": "470 / 480", "boards": "2,817", "results": "0.75", "workers": "3 / 3", "open": "1,200", "queued": "24", "done": "3,456", "failed": "2", "refused": "3", "twice": "11", "time": "5 hr",
	} {
		if got := p.fact(".room", name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := p.text(`document.querySelector(".chart").getAttribute("aria-label")`); got != "Best score over time: 470 since 3.3 hr after the start" {
		t.Errorf("the chart says %s", got)
	}
	if got := p.text(`document.querySelector(".trouble").textContent`); got != "" {
		t.Errorf("there is no trouble, the page says %s", got)
	}
	p.until(`document.querySelector(".chart canvas") !== null`)

	workers := p.cells(`[data-list="workers"]`)
	if want := []string{"anna-1", "anna", "2 / 8", "1,800", "5,123,456", "201,000", "470", "1 sec", "solve polish, 468 of 480 131,072 / 262,144 iterations · 41 sec exhaust tail of 24 cells 8,123,456 nodes · 5.2 min"}; len(workers) != 3 || !slices.Equal(workers[0], want) {
		t.Errorf("workers %q, want first %q", workers, want)
	}
	if got := workers[2][6]; got != "–" {
		t.Errorf("the best of a worker that has none is %s", got)
	}

	// Arms by their share of the work, the largest first.
	arms := p.cells(`[data-campaign="1"] [data-list="arms"]`)
	if want := [][]string{{"archive", "60 %", "1,500", "464.2", "470", "2.1 days"}, {"beam column 16384", "30 %", "812", "458.4", "466", "25 hr"}, {"beam spiral 4096", "10 %", "0", "–", "–", "0 sec"}}; !slices.EqualFunc(arms, want, slices.Equal) {
		t.Errorf("arms %q, want %q", arms, want)
	}
	var shares []string
	p.read(`[...document.querySelectorAll('[data-list="arms"] .meter')].map((m) => m.style.getPropertyValue("--share"))`, &shares)
	if !slices.Equal(shares, []string{"0.6", "0.3", "0.1"}) {
		t.Errorf("bars of %v", shares)
	}
	breaks := p.cells(`[data-campaign="2"] [data-list="breaks"]`)
	if want := [][]string{{"0", "0"}, {"1", "0"}, {"2", "1"}, {"3", "12"}, {"4", "30"}}; !slices.EqualFunc(breaks, want, slices.Equal) || p.fact(`[data-campaign="2"]`, "searched") != "123,456,789" {
		t.Errorf("breaks %q", breaks)
	}
	if got := p.text(`document.querySelector('[data-campaign="2"] .good').textContent`); !strings.HasPrefix(got, "Complete:") {
		t.Errorf("the exhaustion is %s", got)
	}
	for name, want := range map[string]string{"proven": "980", "betterFound": "5", "undecided": "7"} {
		if got := p.fact(`[data-campaign="3"]`, name); got != want {
			t.Errorf("halos %s: %s, want %s", name, got, want)
		}
	}
	// What a campaign has not is not shown.
	if n := p.number(`[...document.querySelectorAll("[data-campaign] h3")].filter((h) => h.checkVisibility()).length`); n != 3 {
		t.Errorf("%v parts of campaigns are seen, want 3", n)
	}

	h.feed.End()
	p.until(`document.querySelector(".said").textContent === "The hunt does not run any more."`)
}

// red counts the pixels of the board that have the red of breaks.
const red = `(() => {
	const c = document.querySelector(".stage canvas");
	const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
	let n = 0;
	for (let i = 0; i < d.length; i += 4) if (d[i] === 255 && d[i + 1] === 24 && d[i + 2] === 48) n++;
	return n;
})()`

// The best board is drawn, until another is chosen; that one stays, even when it
// is among the best no more, until the best is to be followed again.
func TestGalleryOfTheHunt(t *testing.T) {
	h := newHunting(t)
	s := sampleHunt()
	h.show(s)
	p := open(t, h.origin, desktop)
	p.room("live")
	p.until(`document.querySelector(".stage .hint").textContent.startsWith("This board cannot be drawn")`)
	h.puzzles()
	drawn := func(id string) { p.until(fmt.Sprintf(`document.querySelector(".room").dataset.board === %q`, id)) }
	pressed := func() string {
		return p.text(`[...document.querySelectorAll('.gallery [aria-pressed="true"]')].map((b) => b.dataset.board).join()`)
	}
	drawn("blackwood-470")
	p.until(red + ` > 0`)
	p.until(`document.querySelectorAll(".gallery canvas").length === 6`)
	if got := pressed() + p.text(`[...document.querySelectorAll(".gallery strong")].map((e) => ", " + e.textContent).join("")`); got != "blackwood-470, 470 / 480, 464 / 480, 82 / 82" {
		t.Errorf("pressed: %s", got)
	}
	details := func(want map[string]string) {
		t.Helper()
		for name, want := range want {
			if got := p.fact(`.panel`, name); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
	}
	details(map[string]string{"score": "470 / 480", "clues": "5", "worker": "anna-1", "job": "job-0", "corners": "1, 3, 2, 4"})

	// By the keyboard, as everything.
	p.eval(`document.querySelector('[data-board="solved"]').focus()`)
	p.click(`[data-board="solved"]`)
	drawn("solved")
	p.until(red + ` === 0`)
	details(map[string]string{"score": "82 / 82", "clues": "0", "worker": "berta-1"})
	if got := p.text(`document.querySelector(".command code").textContent`); got != "lastmile solve" {
		t.Errorf("made by %s", got)
	}
	if p.eval(`document.querySelector(".panel .buttons a").checkVisibility()`) != "false" {
		t.Error("a link that leads nowhere")
	}
	// The list changes under the hands of who reads it, who keeps the place.
	better := s.Top[0]
	better.ID, better.Score = "better", 471
	s.Top = []hunt.Top{better, s.Top[2], s.Top[0], s.Top[1]}
	s.Best, s.At = 471, s.At.Add(time.Second)
	h.shown(p, s)
	if got := p.text(`document.activeElement.dataset.board + " " + document.querySelector(".room").dataset.board`); got != "solved solved" || pressed() != "solved" {
		t.Errorf("%s, pressed %s", got, pressed())
	}
	p.until(`document.querySelector('[role="status"].visually-hidden').textContent.includes("471")`)
	s.Top = slices.Delete(s.Top, 1, 2)
	s.At = s.At.Add(time.Second)
	h.shown(p, s)
	if got := p.text(`document.querySelector(".room").dataset.board`); got != "solved" || pressed() != "" {
		t.Errorf("%s, pressed %s", got, pressed())
	}
	p.click(`.panel .check input`)
	drawn("better")
	if got := p.text(`document.querySelector(".panel .buttons a").href`); got != "https://example.org/#puzzle=blackwood-470" {
		t.Errorf("the link is %s", got)
	}
	// A board that no set can draw says so, instead of another board.
	s.Top[0].ID, s.Top[0].Codes = "short", s.Top[0].Codes[1:]
	s.At = s.At.Add(time.Second)
	h.shown(p, s)
	p.until(`document.querySelector(".stage .hint").textContent.startsWith("This board cannot be drawn") && !document.querySelector(".stage .board").checkVisibility()`)
}

// Trouble is an alert, said once; workers that are silent or whose clocks are off
// are marked, in words.
func TestTroubleOfTheHunt(t *testing.T) {
	h := newHunting(t)
	p := open(t, h.origin, desktop)
	s := sampleHunt()
	h.show(s)
	p.room("live")
	warnings := func() (all []string) {
		p.read(`[...document.querySelectorAll(".warnings")].map((w) => w.textContent)`, &all)
		return all
	}
	if got := warnings(); !slices.Equal(got, []string{"", "", ""}) {
		t.Errorf("warnings %q", got)
	}
	s.At = s.At.Add(time.Minute)
	s.Trouble = "the queue does not answer"
	s.Workers[0].Seen, s.Workers[1].Skew, s.Workers[2].Skew, s.Workers[2].Version = 95, 75, -61, "v1.3.0"
	h.shown(p, s)
	if got, want := warnings(), []string{"silent for 95 sec", "clock 75 sec ahead", "clock 61 sec behindversion v1.3.0"}; !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	if got := p.fact(".room", "workers"); got != "2 / 3" {
		t.Errorf("%s workers are heard", got)
	}
	p.until(`document.querySelector('[role="status"].visually-hidden').textContent === "Worker anna-1 has not been heard for 95 sec."`)
	if got := p.text(`document.querySelector('.trouble[role="alert"]').innerText`); got != "Trouble: the queue does not answer" {
		t.Errorf("trouble: %q", got)
	}
	// At the bounds there is no warning yet; the same trouble is not said again.
	p.eval(`window.line = document.querySelector(".trouble p")`)
	s.At = s.At.Add(time.Second)
	s.Workers[0].Seen, s.Workers[1].Skew, s.Workers[2].Skew, s.Workers[2].Version = 30, 60, -60, "v1.4.0"
	h.shown(p, s)
	if got := warnings(); !slices.Equal(got, []string{"", "", ""}) || p.eval(`window.line === document.querySelector(".trouble p")`) != "true" {
		t.Errorf("warnings %q", got)
	}
	s.At = s.At.Add(time.Second)
	s.Trouble, s.Stopping = "", true
	h.shown(p, s)
	if got := p.text(`document.querySelector(".trouble").textContent + document.querySelector(".said").textContent`); !strings.HasPrefix(got, "The hunt is stopping") {
		t.Error(got)
	}
}

// Names that workers choose are text, and nothing but text.
func TestHostileHunt(t *testing.T) {
	const evil = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>{name} ` + "\u202e\x00"
	h := newHunting(t)
	s := sampleHunt()
	s.Name, s.Archive, s.Version, s.Trouble = evil, evil, evil, evil
	for i := range s.Workers {
		w := &s.Workers[i]
		w.Name, w.Host, w.Version = evil, evil, evil // all of one name, too
		w.Doing = []hunt.Doing{{Job: evil, Kind: evil, Detail: evil, Unit: evil, Of: 1}}
	}
	for i := range s.Campaigns {
		c := &s.Campaigns[i]
		c.Kind, c.What = evil, evil
		for j := range c.Arms {
			c.Arms[j].Name = evil
		}
	}
	for i := range s.Top {
		b := &s.Top[i]
		b.ID, b.Worker, b.Job, b.Made, b.Set, b.URL = evil, evil, evil, evil, evil, "javascript:document.title='broken'"
		b.Codes[0], b.Codes[1] = 1<<30, -7
	}
	p := open(t, h.origin, look{360, 780, "light", "en"})
	h.show(s)
	h.feed.Puzzle(evil, puzzle.Official())
	p.room("live")
	p.until(`document.querySelector(".room").dataset.board !== undefined`)
	if n := p.number(`document.querySelectorAll("main img, main script, main a[href]").length`); n != 0 || strings.Contains(p.text(`document.title`), "broken") {
		t.Errorf("%v elements of hostile text, title %s", n, p.text(`document.title`))
	}
	for _, where := range []string{".trouble", `[data-list="workers"] th`, ".host", ".doing", `[data-list="arms"] th`, "[data-campaign] h2", ".gallery button", ".command code"} {
		if got := p.text(fmt.Sprintf(`document.querySelector(%q).textContent`, where)); !strings.Contains(got, `<img src=x onerror=`) {
			t.Errorf("%s says %q", where, got)
		}
	}
	if n := len(p.cells(`[data-list="workers"]`)); n != 3 {
		t.Errorf("%d workers of one name, want 3", n)
	}
	if wide := p.number(`document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("%v wide on a page of 360", wide)
	}
}

// A hunt that has nothing yet has lists that are null.
func TestEmptyHunt(t *testing.T) {
	h := newHunting(t)
	h.show(hunt.Status{Name: "new", Running: true, Best: -1, Since: huntBegan, At: huntBegan, Campaigns: []hunt.Campaign{
		{Number: 1, Kind: "solve", Best: -1}, {Number: 2, Kind: "exhaust", Best: -1, Exhausted: &hunt.Exhausted{}},
	}})
	p := open(t, h.origin, desktop)
	p.room("live")
	if got := p.fact(".room", "best") + " " + p.text(`document.querySelector(".stage").innerText`); got != "– There is no board yet." {
		t.Error(got)
	}
	if got := p.text(`document.querySelector('[data-campaign="2"] .warm').textContent`); !strings.HasPrefix(got, "Not complete:") {
		t.Error(got)
	}
}

// A hidden tab is told nothing, so it draws nothing; once it is seen again it shows
// where the hunt is by then.
func TestHiddenHunt(t *testing.T) {
	h := newHunting(t)
	p := open(t, h.origin, desktop)
	s := sampleHunt()
	h.show(s)
	p.room("live")
	hidden := func(hidden bool) {
		p.eval(fmt.Sprintf(`Object.defineProperty(document, "hidden", {value: %v, configurable: true}); document.dispatchEvent(new Event("visibilitychange"))`, hidden))
	}
	hidden(true)
	for end := time.Now().Add(time.Minute); h.watching.Load() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a hidden tab goes on watching")
		}
	}
	s.At, s.Boards = s.At.Add(time.Hour), 9000
	h.show(s)
	if got := p.fact(".room", "boards"); got != "2,817" {
		t.Errorf("a hidden tab shows %s boards", got)
	}
	hidden(false)
	p.until(`document.querySelector('[data-fact="boards"]').textContent === "9,000"`)
}

// The room of a hunt is as all rooms are, with everything in it, in every look.
func TestHuntInEveryLook(t *testing.T) {
	h := newHunting(t)
	h.puzzles()
	s := sampleHunt()
	s.Trouble = "the queue does not answer"
	s.Workers[0].Seen, s.Workers[1].Skew = 95, 75
	h.show(s)
	for _, l := range looks {
		t.Run(l.String(), func(t *testing.T) {
			p := open(t, h.origin, l)
			p.room("live")
			p.until(`document.querySelector(".room").dataset.board === "blackwood-470"`)
			p.inspect("hunt", l)
			want := map[string][]string{
				"en": {"Hunt", "Trouble: the queue does not answer", "silent for 95 sec", "clock 75 sec ahead", "Best boards", "470 / 480", "2,817", "Over."},
				"fr": {"Chasse", "Problème : the queue does not answer", "muet depuis 95 s", "horloge en avance de 75 s", "Meilleurs plateaux", "470 / 480", "2 817", "Finie."},
				"es": {"Caza", "Problema: the queue does not answer", "callado desde hace 95 s", "reloj adelantado 75 s", "Mejores tableros", "470 / 480", "2817", "Terminada."},
			}[l.language]
			text := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(p.text(`document.querySelector("main").textContent`))
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%s is not in the page", w)
				}
			}
		})
	}
}

// A browser that is turned away comes again by itself.
func TestLiveRoomTriesAgain(t *testing.T) {
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	feed := lab.NewHuntFeed()
	var asked atomic.Int64
	live := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.WriteHeader(http.StatusNoContent) // to which browsers do not come back of their own
			return
		}
		feed.ServeHTTP(w, r)
	})
	site, err := lab.Handler(os.DirFS(dir), lab.Options{Live: live})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(site)
	defer s.Close()
	defer feed.End()
	p := open(t, s.URL, desktop)
	p.room("live")
	if n := asked.Load(); n < 2 {
		t.Errorf("asked %d times", n)
	}
}

// Who wants less motion sees bars that jump to their length.
func TestHuntWithLessMotion(t *testing.T) {
	h := newHunting(t)
	h.show(sampleHunt())
	p := open(t, h.origin, desktop)
	p.prefer("prefers-reduced-motion", "reduce")
	p.room("live")
	if got := p.text(`getComputedStyle(document.querySelector('[data-list="arms"] .meter'), "::before").transitionDuration`); got != "0s" {
		t.Errorf("bars move for %s", got)
	}
	if n := p.number(`document.getAnimations().length`); n != 0 {
		t.Errorf("%v animations", n)
	}
}
