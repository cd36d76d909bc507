package lab_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lastmile/alns"
	"lastmile/lab"
	"lastmile/puzzle"
	"lastmile/search"
)

// servers run a test on the lab as the program serves it, and as a plain file
// server does from a folder that was exported, below a path of its own.
func servers(t *testing.T, test func(t *testing.T, origin string)) {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("served", func(t *testing.T) {
		test(t, serve(t, dir))
	})
	t.Run("exported", func(t *testing.T) {
		out := filepath.Join(t.TempDir(), "site")
		if err := lab.Export(os.DirFS(dir), out); err != nil {
			t.Fatal(err)
		}
		s := httptest.NewServer(http.StripPrefix("/some/where", http.FileServer(http.Dir(out))))
		defer s.Close()
		test(t, s.URL+"/some/where")
	})
}

// serve serves the files as the program does.
func serve(t testing.TB, dir string) string {
	t.Helper()
	h, err := lab.Handler(os.DirFS(dir), lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// looks are how visitors see the rooms: on a phone and on a desk, in light and dark,
// in each language.
var looks = []look{{360, 780, "light", "en"}, {360, 780, "dark", "fr"}, {768, 1024, "dark", "es"}, {1440, 900, "light", "fr"}, {1440, 900, "dark", "en"}}

func (l look) String() string { return fmt.Sprintf("%d-%s-%s", l.width, l.scheme, l.language) }

// Each room loads without a fault, in every look; nothing sticks out sideways;
// axe-core finds nothing serious.
func TestEveryRoom(t *testing.T) { servers(t, everyRoom) }

func everyRoom(t *testing.T, origin string) {
	for _, l := range looks {
		t.Run(l.String(), func(t *testing.T) {
			p := open(t, origin, l)
			var rooms []string
			p.visit("")
			p.read(`[...document.querySelectorAll("nav a")].map((a) => a.getAttribute("href").slice(2))`, &rooms)
			if len(rooms) < 1 {
				t.Fatal("no rooms")
			}
			for _, r := range rooms {
				p.room(r)
				p.inspect(r, l)
			}
		})
	}
}

// inspect checks what holds of every room.
func (p *page) inspect(room string, l look) {
	p.Helper()
	if lang := p.text(`document.documentElement.lang`); lang != l.language {
		p.Errorf("%s is in %s", room, lang)
	}
	if wide := p.number(`document.documentElement.scrollWidth`); wide > float64(l.width) {
		p.Errorf("%s is %v wide on a page of %d", room, wide, l.width)
	}
	if p.text(`document.querySelector("h1")?.textContent ?? ""`) == "" || p.number(`document.querySelectorAll("h1").length`) != 1 {
		p.Errorf("%s has no one heading", room)
	}
	p.eval(axeCore(p))
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML string }
	}
	p.read(`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then((r) => r.violations)`, &found)
	for _, v := range found {
		if v.Impact == "serious" || v.Impact == "critical" {
			p.Errorf("%s: %s %s: %s, as in %s", room, v.Impact, v.ID, v.Help, v.Nodes[0].HTML)
		}
	}
}

// axeCore is the script that finds faults of accessibility.
func axeCore(t testing.TB) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "axe.min.js.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "; true"
}

// The page runs what the command line, given the command that the page shows,
// runs: the same score after 200 iterations.
func TestPageIsTheCommandLine(t *testing.T) { servers(t, pageIsTheCommandLine) }

func pageIsTheCommandLine(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("repair?seed=7")
	p.set(`.room input[type="range"]`, "3")
	for i := 1; i <= 200; i++ {
		p.click(`[data-do="step"]`)
		p.until(fmt.Sprintf(`document.querySelector(".room").dataset.iterations === "%d"`, i))
	}
	program := filepath.Join(t.TempDir(), "lastmile")
	if out, err := exec.Command("go", "build", "-o", program, "lastmile/cmd/lastmile").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := p.text(`document.querySelector(".command code").textContent`)
	shell := exec.Command("sh", "-c", command+" --json -q")
	shell.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	shell.Dir = t.TempDir()
	var stderr bytes.Buffer
	shell.Stderr = &stderr
	out, err := shell.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, &stderr)
	}
	var v struct{ Score, Start int }
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	if got := p.text(`document.querySelector(".room").dataset.best`); got != fmt.Sprint(v.Score) || v.Score <= v.Start {
		t.Errorf("best %s after 200 iterations, the command line has %d from %d", got, v.Score, v.Start)
	}
}

// A forced operator is drawn, and its weight reacts.
func TestForcingAnOperator(t *testing.T) { servers(t, forcingAnOperator) }

func forcingAnOperator(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("repair")
	p.set(`.room input[type="range"]`, "3")
	weight := func() string {
		return p.text(`document.querySelector('[data-force="scattered"]').closest("tr").textContent`)
	}
	before := weight()
	for i := 1; i <= 12; i++ {
		p.click(`[data-force="scattered"]`)
		p.until(fmt.Sprintf(`document.querySelector(".room").dataset.iterations === "%d"`, i))
	}
	if after := weight(); after == before || !strings.Contains(after, "12") {
		t.Errorf("%q, after 12 iterations by hand %q", before, after)
	}
	share := p.number(`Number(getComputedStyle(document.querySelector('[data-force="scattered"]').closest("tr").querySelector(".meter")).getPropertyValue("--share"))`)
	if share <= 0 || share >= 0.2 {
		t.Errorf("a weight of %v, want less than an even share after losses", share)
	}
}

// Pause and a hidden tab stop the work.
func TestPauseAndHiddenTab(t *testing.T) { servers(t, pauseAndHiddenTab) }

func pauseAndHiddenTab(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("repair?seed=2")
	p.set(`.room input[type="range"]`, "4")
	iterations := func() float64 { return p.number(`Number(document.querySelector(".room").dataset.iterations)`) }
	rests := func(what string) {
		t.Helper()
		time.Sleep(300 * time.Millisecond) // what was asked for before is answered
		before := iterations()
		time.Sleep(500 * time.Millisecond)
		if after := iterations(); after != before || before == 0 {
			t.Errorf("%s: %v iterations, then %v", what, before, after)
		}
	}
	goes := func(from float64) {
		t.Helper()
		p.until(fmt.Sprintf(`Number(document.querySelector(".room").dataset.iterations) > %v`, from))
	}
	p.click(`[data-do="play"]`)
	goes(0)
	p.click(`[data-do="play"]`)
	rests("paused")
	p.click(`[data-do="play"]`)
	goes(iterations())
	p.eval(`Object.defineProperty(document, "hidden", {value: true, configurable: true})`)
	rests("hidden")
	p.eval(`Object.defineProperty(document, "hidden", {value: false, configurable: true})`)
	goes(iterations())
	// To leave the room ends its worker.
	p.eval(`location.hash = "#/repair?seed=3"`)
	p.until(`document.querySelector(".room").dataset.iterations === "0"`)
}

// What people paste gets the right answer in the page, or one line that says what
// is wrong.
func TestPastedBoards(t *testing.T) { servers(t, pastedBoards) }

func pastedBoards(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("desk")
	for name, want := range map[string]string{
		"r01_blackwood_470.url": "470", "r04_verhaard_467_pieces.url": "467", "r09_pejic_465_grid.txt": "465", "r16_clue2_12x6_solved.url": "126",
		"r13_blackwood_230_partial.url": "429", "s04_html_amp_wrapped.txt": "469", "s05_uppercase_edges.url": "alert", "s11_size_mismatch.url": "alert",
		"s12_name_only.url": "470", "s18_bare_blob.txt": "469", "s21_blackwood230.et2": "429", "s23_blackwood_two_boards.txt": "468",
	} {
		text, err := os.ReadFile(filepath.Join("..", "notation", "testdata", "cases", name))
		if err != nil {
			t.Fatal(err)
		}
		p.set(`[data-do="paste"]`, string(text))
		p.click(`[data-do="read"]`)
		p.until(`document.querySelector(".room").dataset.score !== "" || document.querySelector(".alert").textContent !== ""`)
		got := p.text(`document.querySelector(".room").dataset.score || "alert"`)
		if got != want {
			t.Errorf("%s: %s, want %s; %s", name, got, want, p.text(`document.querySelector(".alert").textContent`))
		}
	}
	// Markup in a pasted text is text.
	p.set(`[data-do="paste"]`, "#puzzle=<img src=x onerror=document.title='broken'>&board_w=2&board_h=2&board_edges=abbaabbaabbaabba")
	p.click(`[data-do="read"]`)
	p.until(`document.querySelector(".room").dataset.score !== "" || document.querySelector(".alert").textContent !== ""`)
	if p.text(`document.title`) == "broken" || p.number(`document.querySelectorAll(".room img[src=x], .alert img").length`) > 0 {
		t.Error("markup of a pasted text was taken for markup")
	}
	// A link opens the board that it holds.
	p.visit("#/desk?board=riotte-464")
	p.until(`document.querySelector(".room")?.dataset.score === "464"`)
}

// A race needs a lane, and runs while the tab is seen only; a link is to the board
// that was read, not to what was typed since.
func TestRaceAndLinkInThePage(t *testing.T) { servers(t, raceAndLinkInThePage) }

func raceAndLinkInThePage(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("desk")
	p.eval(`document.querySelectorAll("fieldset input:checked").forEach((box) => box.click())`)
	p.click(`[data-do="race"]`)
	p.until(`document.querySelector(".said").textContent.startsWith("Draw an order")`)
	hidden := func(hidden bool) {
		p.eval(fmt.Sprintf(`Object.defineProperty(document, "hidden", {value: %v, configurable: true}); document.dispatchEvent(new Event("visibilitychange"))`, hidden))
	}
	const rows = `document.querySelectorAll(".said + .scroll tbody tr").length`
	p.eval(`document.querySelectorAll("fieldset input")[0].click()`)
	hidden(true)
	p.click(`[data-do="race"]`)
	time.Sleep(2 * time.Second) // several times what the race takes
	if n := p.number(rows); n != 0 {
		t.Errorf("%v lanes were run in a hidden tab", n)
	}
	hidden(false)
	p.until(rows + ` === 1`)

	p.set(`[data-do="paste"]`, "riotte-464\n")
	p.click(`[data-do="read"]`)
	p.until(`document.querySelector(".room").dataset.score === "464" && location.hash === "#/desk?board=riotte-464"`)
	p.set(`[data-do="paste"]`, "no board")
	p.click(`[data-do="read"]`)
	p.until(`document.querySelector(".alert").textContent !== ""`)
	if hash := p.text(`location.hash`); hash != "#/desk?board=riotte-464" {
		t.Errorf("the link is %s", hash)
	}
}

// The page counts the published nodes of the tail of 24 cells.
func TestLedgerInThePage(t *testing.T) { servers(t, ledgerInThePage) }

func ledgerInThePage(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("ledger")
	// The 14th node is refused, and the page says why.
	for node := 2; node <= 14; node++ {
		p.click(`[data-do="step"]`)
		p.until(fmt.Sprintf(`document.querySelector(".room").dataset.on.startsWith("%d ")`, node))
	}
	p.until(`document.querySelector(".room").dataset.cut !== "" && document.querySelectorAll(".conditions .bad").length > 0`)
	p.set(`.room input[type="range"]`, "5")
	p.click(`[data-do="play"]`)
	p.until(`document.querySelector(".room").dataset.off === "542 1 done" && document.querySelector(".room").dataset.on === "316 1 done"`)
}

// Along a cycle the score falls below the start, and the end is that of the whole.
func TestCyclesInThePage(t *testing.T) { servers(t, cyclesInThePage) }

func cyclesInThePage(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("cycles")
	score := func(moves int) float64 {
		p.set(`.room input[type="range"]`, fmt.Sprint(moves))
		p.until(fmt.Sprintf(`document.querySelector(".inline output").textContent.startsWith("%d ")`, moves))
		return p.number(`Number(document.querySelector(".room").dataset.score)`)
	}
	last := int(p.number(`Number(document.querySelector('.room input[type="range"]').max)`))
	if start, half, end := score(0), score(last/2), score(last); start != 464 || half >= start-50 || end != 467 {
		t.Errorf("from %v by %v to %v, want from 464 far down and up to 467", start, half, end)
	}
	p.set(`.room select`, "1")
	p.until(`document.querySelector('.room input[type="range"]').max === document.querySelectorAll(".scroll tbody tr")[1].children[1].textContent`)
	if end, want := score(int(p.number(`Number(document.querySelector('.room input[type="range"]').max)`))), p.text(`document.querySelectorAll(".scroll tbody tr")[1].children[2].textContent`); fmt.Sprint(end) != want {
		t.Errorf("the second cycle as a whole %v, want %s", end, want)
	}
}

// The halo frees the published numbers of cells; the first is decided in the page by
// exhaustion, the second by a checked proof; a board that can be filled better is.
// The game is played by the keyboard and scored by the engine, which gives a hint.
func TestWallInThePage(t *testing.T) { servers(t, wallInThePage) }

func wallInThePage(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("wall")
	for radius, want := range map[int]string{1: "62", 2: "91", 3: "116", 4: "141"} {
		p.set(`.room input[type="range"]`, fmt.Sprint(radius))
		p.until(`document.querySelector(".room").dataset.freed === "` + want + `"`)
	}
	p.set(`.room input[type="range"]`, "1")
	p.until(`document.querySelector(".room").dataset.freed === "62"`)
	decide := func(radius, verdict, by string) {
		p.set(`.room input[type="range"]`, radius)
		p.until(`document.querySelector(".room input[type=range]").getAttribute("aria-valuetext").startsWith("` + radius + `:")`)
		p.click(`[data-do="decide"]`)
		p.until(`document.querySelector(".room").dataset.verdict === "` + verdict + `"`)
		if got := p.text(`document.querySelector(".room tbody tr:last-child").children[4].textContent`); !strings.HasPrefix(got, by) {
			t.Errorf("radius %s: %s, want %s", radius, got, by)
		}
	}
	decide("1", "proven", "exhaustion")
	decide("2", "proven", "checked proof")
	p.set(`.room select`, "damaged")
	p.until(`document.querySelector(".room canvas[role=img]").getAttribute("aria-label").includes(" of 112 ")`)
	decide("0", "found", "exhaustion")
	key := func(name string) {
		p.eval(fmt.Sprintf(`document.querySelectorAll("canvas.live")[0].dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true}))`, name))
	}
	for _, k := range []string{"ArrowRight", "ArrowDown", " ", "ArrowRight", " "} {
		key(k)
	}
	p.until(`(document.querySelector(".room").dataset.played ?? "") !== ""`)
	p.click(`[data-do="undo"]`)
	p.until(`document.querySelector('[data-do="undo"]').disabled`)
	p.click(`[data-do="hint"]`)
	p.until(`Number(document.querySelector(".room").dataset.hinted) > 1`)
	p.click(`[data-do="solution"]`)
	p.until(`document.querySelector(".room").dataset.played.endsWith("solved")`)
}

// A game is played by pressing cells; the engine answers, and its account is shown.
func TestVirusInThePage(t *testing.T) { servers(t, virusInThePage) }

func virusInThePage(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("virus")
	p.click(`.stone.can`)
	p.until(`document.querySelector(".room").dataset.played === "2"`)
	p.until(`Number((document.querySelector('[data-count="nodes"] td')?.textContent ?? "").replace(/\D/g, "")) > 100`)
	p.click(`[data-do="zug"]`)
	p.until(`document.querySelector(".room").dataset.fen.startsWith("o3o/")`)
	p.click(`[data-do="compare"]`)
	p.until(`document.querySelector(".room").dataset.compared === "5"`)
	if rows := p.text(`[...document.querySelectorAll(".card tbody tr")].map((r) => r.children[1].textContent).join()`); !strings.HasPrefix(rows, "b5,d4,b5,b5") {
		t.Errorf("moves at the zugzwangs: %s", rows)
	}
}

// An operator that is forced while an iteration is shown is the next one's; a
// search that is stopped leaves the game as it is, with moves to take back.
func TestHandsInTheWay(t *testing.T) { servers(t, handsInTheWay) }

func handsInTheWay(t *testing.T, origin string) {
	p := open(t, origin, desktop)
	p.room("repair")
	p.set(`.room input[type="range"]`, "2")
	p.click(`[data-do="play"]`)
	p.until(`document.querySelectorAll("tr.drawn").length === 1`)
	p.click(`[data-force="worst-band"]`)
	uses := `document.querySelector('[data-force="worst-band"]').closest("tr").children[3].textContent`
	before := p.number(`Number(` + uses + `)`)
	p.until(fmt.Sprintf(`Number(%s) > %v`, uses, before))
	p.room("virus")
	p.eval(`[...document.querySelectorAll(".panel select")].at(-1).value = "1000000"; [...document.querySelectorAll(".panel select")].at(-1).dispatchEvent(new Event("change"))`)
	p.click(`.stone.can`)
	p.until(`document.querySelector(".room").dataset.played === "1"`)
	p.eval(`[...document.querySelectorAll(".panel .buttons button")].at(-1).click()`)
	p.until(`document.querySelector(".room").dataset.played !== "0" && ![...document.querySelectorAll(".panel .buttons button")].slice(0, 4).some((b) => b.disabled)`)
	played := p.text(`document.querySelector(".room").dataset.played`)
	p.eval(`[...document.querySelectorAll(".panel .buttons button")][1].click()`)
	p.until(fmt.Sprintf(`document.querySelector(".room").dataset.played === "0" || document.querySelector(".room").dataset.played < "%s"`, played))
}

// A run that is watched: its boards, its state and its end come to the page.
func TestLiveInThePage(t *testing.T) {
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	feed := lab.NewFeed(puzzle.Official())
	h, err := lab.Handler(os.DirFS(dir), lab.Options{Live: feed})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	p := open(t, s.URL, desktop)
	p.room("live")
	record, _ := puzzle.RecordNamed("riotte-464")
	r, err := alns.Polish(t.Context(), puzzle.Official(), record.Board, alns.Options{Seed: 1}, alns.Plan{Streams: 1, Budget: search.Budget{Iterations: 60000}, Watch: feed})
	if err != nil {
		t.Fatal(err)
	}
	p.until(fmt.Sprintf(`document.querySelector(".room").dataset.score === "%d"`, r.Score))
	if n := p.number(`document.querySelectorAll(".scroll tbody")[0].children.length`); n != float64(len(r.Operators)) {
		t.Errorf("%v operators, want %d", n, len(r.Operators))
	}
	feed.End()
	p.until(`/over/.test(document.querySelector(".said").textContent)`)
	p.eval(axeCore(t))
	if n := p.number(`axe.run(document).then((r) => r.violations.filter((v) => ["serious", "critical"].includes(v.impact)).length)`); n > 0 {
		t.Errorf("%v serious faults of accessibility", n)
	}
}
