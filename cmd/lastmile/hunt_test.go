package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lastmile/hunt"
	"lastmile/hunt/archive"
	"lastmile/puzzle"
)

// hunted starts a hunt in this process and lets it come to its end.
func hunted(t *testing.T, dir string, args ...string) {
	t.Helper()
	args = append([]string{"hunt", "start", "--dir", dir, "--listen", "127.0.0.1:0", "--finish", "-q", "--workers", "2"}, args...)
	if status, _, errors := lastmile(t, "", args...); status != 0 {
		t.Fatalf("%v: status %d: %s", args, status, errors)
	}
}

// What a hunt says of how a board was made makes that board again.
func TestHuntBoardsCanBeMadeAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hunt")
	hunted(t, dir, "--clues", "starter", "--seed", "5", "--jobs", "12", "--order", "column,comb", "--width", "16", "--depth-first", "row-major@sw", "--nodes", "300000", "--iterations", "5000")
	status := object(t, 0, "hunt", "status", "--dir", dir, "--json")
	has(t, status, "name jobs done boards best workers campaigns top history trouble")
	if status["done"] != 12.0 || status["running"] != false {
		t.Errorf("%v jobs done, running %v; want 12 and not running", status["done"], status["running"])
	}
	if choices := object(t, 0, "hunt", "status", "--dir", dir, "--json", "--choices", "5")["choices"].([]any); len(choices) != 5 {
		t.Errorf("%d choices, want 5", len(choices))
	}
	if _, out, _ := lastmile(t, "", "hunt", "status", "--dir", dir, "--choices", "50"); strings.Count(out, " %") < 12 {
		t.Errorf("not every choice is told with its share:\n%s", out)
	}
	list, err := hunt.Chosen(dir, archive.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 3 || float64(list[0].Score) != status["best"] {
		t.Fatalf("%d boards, the best scores %d, the status says %v", len(list), list[0].Score, status["best"])
	}
	kinds := map[string]bool{}
	for _, x := range list {
		command, input := strings.Fields(x.Made), ""
		kind := command[1]
		if from, to, piped := strings.Cut(x.Made, " | "); piped {
			export := append(strings.Fields(from)[1:], "--dir", dir)
			var status int
			if status, input, _ = lastmile(t, "", export...); status != 0 {
				t.Fatalf("%v: status %d", export, status)
			}
			command, kind = strings.Fields(to), "polish"
		} else if strings.Contains(x.Made, "--depth-first") {
			kind = "depth-first"
		}
		kinds[kind] = true
		run := append(command[1:], "-q", "--json", "--checkpoint", filepath.Join(t.TempDir(), "run"))
		status, out, errors := lastmile(t, input, run...)
		if status != 0 {
			t.Fatalf("%s: status %d: %s", x.Made, status, errors)
		}
		var made struct {
			URL string `json:"url"`
		}
		if err := json.Unmarshal([]byte(out), &made); err != nil {
			t.Fatal(err)
		}
		d, err := hunt.Document(x.Board, x.Puzzle)
		if err != nil {
			t.Fatal(err)
		}
		if edges(t, made.URL) != edges(t, linkTo(d)) {
			t.Errorf("%s makes another board than the hunt did", x.Made)
		}
		if x.Clues < 1 || x.Version != version || x.Worker == "" {
			t.Errorf("board %s holds %d clues, was made by %q of %q", x.ID, x.Clues, x.Worker, x.Version)
		}
	}
	for _, kind := range []string{"solve", "depth-first"} {
		if !kinds[kind] {
			t.Errorf("no board was made by %s", kind)
		}
	}
}

// edges is the part of a link that says how a board looks.
func edges(t *testing.T, link string) string {
	t.Helper()
	_, rest, found := strings.Cut(link, "board_edges=")
	if !found {
		t.Fatalf("%q is no link of a board", link)
	}
	rest, _, _ = strings.Cut(rest, "&")
	return rest
}

// An exhaustion that is shared out counts what the command counts, and a hunt takes
// up campaigns that are added while it rests.
func TestHuntCountsAndCertifies(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hunt")
	hunted(t, dir, "--jobs", "2", "--order", "column", "--width", "8", "--iterations", "500", "--no-again")
	for _, add := range [][]string{
		{"exhaust", "riotte-464", "--turn", "180", "--keep", "224", "--budget", "5", "--ledger", "node", "--nodes", "3000"},
		{"exhaust", "riotte-464", "--turn", "180", "--keep", "232", "--budget", "2", "--ledger", "off", "--nodes", "1000000"},
		{"certify", "riotte-464", "blackwood-470", "mcgavin-469", "--radius", "0", "--nodes", "100000"},
	} {
		if status, out, errors := lastmile(t, "", append([]string{"hunt", "add"}, append(add, "--dir", dir)...)...); status != 0 || !strings.Contains(out, "campaign") {
			t.Fatalf("%v: status %d: %s%s", add, status, out, errors)
		}
	}
	hunted(t, dir)
	s, err := hunt.Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Campaigns) != 5 { // the boards hold other clues, so they are certified in two campaigns
		t.Fatalf("%d campaigns, want 5", len(s.Campaigns))
	}
	for i, want := range []int64{194_827, 542} {
		e := s.Campaigns[1+i].Exhausted
		if e == nil || e.Nodes != want || e.Completions != 1 || !e.Complete {
			t.Errorf("%s: %+v, want %d nodes, 1 completion, complete", s.Campaigns[1+i].What, e, want)
		}
	}
	if jobs := s.Campaigns[1].Jobs.Done; jobs < 20 {
		t.Errorf("the exhaustion was shared out among %d jobs only", jobs)
	}
	for i, want := range []hunt.Certified{{Open: 1}, {Proven: 2}} {
		if c := s.Campaigns[3+i]; c.Certified == nil || *c.Certified != want {
			t.Errorf("%s: %+v, want %+v", c.What, c.Certified, want)
		}
	}
}

// Boards below what is to be kept teach which way pays, and are not kept.
func TestHuntKeepsTheBest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hunt")
	hunted(t, dir, "--jobs", "6", "--order", "column", "--width", "8", "--iterations", "500", "--least", "470")
	s, err := hunt.Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	if s.Done != 6 || s.Boards != 0 || s.Campaigns[0].Best < 400 {
		t.Errorf("%d jobs done, %d boards, best %d; want 6, none, and the best told", s.Done, s.Boards, s.Campaigns[0].Best)
	}
}

func TestHuntImportAndExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hunt")
	if status, _, errors := lastmile(t, "", "hunt", "import", "blackwood-470", "--dir", dir); status != statusBad || !strings.Contains(errors, "no archive") {
		t.Errorf("import into nothing: status %d: %s", status, errors)
	}
	hunted(t, dir, "--jobs", "1", "--order", "column", "--width", "8", "--iterations", "500")
	_, turned, _ := lastmile(t, "", "convert", "mcgavin-469", "--to", "pieces")
	file := filepath.Join(t.TempDir(), "board.txt")
	if err := os.WriteFile(file, []byte(turned), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errors := lastmile(t, "", "hunt", "import", "blackwood-470", file, "mcgavin-469", "--dir", dir)
	if status != 0 || out != "2 boards added, 1 known before\n" {
		t.Fatalf("status %d: %s%s", status, out, errors)
	}
	best := object(t, 0, "hunt", "best", "--dir", dir, "--json", "--score", "469")
	if rows := best["boards"].([]any); len(rows) != 2 || best["best"] != 470.0 {
		t.Errorf("the best are %v", best)
	}
	for _, to := range dialectNames() {
		status, out, errors := lastmile(t, "", "hunt", "export", "--dir", dir, "--top", "1", "--to", to)
		if status != 0 {
			if strings.Contains(errors, "cannot") || strings.Contains(errors, "holds no board") || strings.Contains(errors, "piece") {
				continue // a dialect of piece lists, or of puzzles
			}
			t.Errorf("%s: status %d: %s", to, status, errors)
			continue
		}
		if status, back, _ := lastmile(t, out, "score", "-", "--json"); status == 0 && !strings.Contains(back, "470") {
			t.Errorf("%s: the best board comes back as %s", to, back)
		}
	}
	status, out, _ = lastmile(t, "", "hunt", "export", "--dir", dir, "--top", "0", "--to", "rows")
	if status != 0 {
		t.Fatal(status)
	}
	var rows []archivedRow
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if status, out, _ := lastmile(t, "", "boards", "--archive", dir); status != 0 || strings.Count(out, "\n") < 4 {
		t.Errorf("boards --archive: status %d: %s", status, out)
	}
	if status, out, errors := lastmile(t, "", "hunt", "export", "--dir", dir, "--board", rows[0].ID[:10], "--to", "svg"); status != 0 || !strings.HasPrefix(out, "<svg") {
		t.Errorf("svg: status %d: %.60s %s", status, out, errors)
	}
}

// A puzzle of one's own is handed to the workers with its clues.
func TestHuntOfAnotherPuzzle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hunt")
	file := filepath.Join(t.TempDir(), "mine.json")
	if status, _, errors := lastmile(t, "", "generate", "--width", "5", "--height", "4", "--colours", "4", "--seed", "2", "-o", file); status != 0 {
		t.Fatal(errors)
	}
	hunted(t, dir, "--puzzle", file, "--jobs", "6", "--order", "column", "--width", "64", "--iterations", "3000")
	s, err := hunt.Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	if s.Done != 6 || s.Best < 28 || s.Max != 31 {
		t.Errorf("%d jobs done, best %d of %d, want 6 and most of 31", s.Done, s.Best, s.Max)
	}
	list, err := hunt.Chosen(dir, archive.Filter{Most: 1})
	if err != nil || len(list) != 1 {
		t.Fatal(len(list), err)
	}
	if b := puzzle.NewBoard(list[0].Puzzle); b.Puzzle().Width != 5 || b.Puzzle().Height != 4 {
		t.Errorf("a board of %dx%d", b.Puzzle().Width, b.Puzzle().Height)
	}
}
