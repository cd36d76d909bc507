package main

import (
	"bytes"
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/ledger"
	"lastmile/notation"
	"lastmile/puzzle"
)

// exhausted runs exhaust, which must end with a status, and drops what changes
// from run to run.
func exhausted(t *testing.T, want int, args string) map[string]any {
	t.Helper()
	v := object(t, want, append(strings.Fields("exhaust --json -q"), strings.Fields(args)...)...)
	for _, key := range []string{"seconds", "nodes_per_second", "threads", "stopped"} {
		if _, ok := v[key]; !ok {
			t.Errorf("%s: no key %q", args, key)
		}
		delete(v, key)
	}
	return v
}

func TestExhaustCountsWhatIsPublished(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]float64{
		"--keep 232 --ledger off":                                         542,
		"--keep 232 --ledger node":                                        316,
		"--keep 232 --conditions page":                                    86,
		"--keep 224 --ledger node":                                        194_827,
		"--keep 224 --ledger candidate --conditions page":                 8_150,
		"--keep 224 --charge cell --conditions page":                      3_586,
		"--keep 224 --ledger off":                                         3_784_655,
		"--keep 224 --charge cell --ledger off":                           800_896,
		"--keep 232 --budget auto --order row-major --count --ledger off": 542,
	} {
		v := exhausted(t, 0, "riotte-464 --turn 180 "+args)
		has(t, v, "nodes completions fires fires_deficit fires_parity fires_cells judged censored exhausted budget best by_breaks keep cells "+
			"turn order charge ledger conditions score max breaks board url clues clues_held seed reproducible warnings")
		breaks := map[bool]float64{true: 2, false: 5}[v["keep"] == 232.0]
		by := make([]any, int(breaks)+1)
		for i := range by {
			by[i] = 0.0
		}
		by[int(breaks)] = 1.0
		if v["nodes"] != want || v["completions"] != 1.0 || v["best"] != breaks || v["budget"] != breaks || v["censored"] != false || !reflect.DeepEqual(v["by_breaks"], any(by)) {
			t.Errorf("%s: want %v nodes and a completion with %v breaks: %v", args, want, breaks, v)
		}
		// The board is printed as it was given, not turned.
		if v["score"] != 464.0 || v["clues_held"] != 5.0 || !strings.Contains(v["url"].(string), "puzzle=riotte-464&") {
			t.Errorf("%s: %v", args, v)
		}
		if _, there := v["optimal"]; there {
			t.Errorf("%s: optimal is said of --best alone: %v", args, v)
		}
	}
	_, letters, _ := lastmile(t, "", "convert", "riotte-464", "--to", "edges")
	if v := exhausted(t, 0, "riotte-464 --turn 180 --keep 232"); v["board"] != strings.TrimSpace(letters) || v["nodes"].(float64) >= 86 {
		t.Errorf("%v", v)
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("files left behind: %v", left)
	}
}

// The conditions that are said to be tested are those that the ledger tests
// when it is asked for nothing else.
func TestUsualConditionsAreThoseOfTheLedger(t *testing.T) {
	record, _ := puzzle.RecordNamed("riotte-464")
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(record.Board[:226])
	var counts [2]ledger.Counts
	for i, set := range []ledger.Conditions{0, ledger.Default} {
		order, err := ledger.Arrange(b, "row-major")
		if err != nil {
			t.Fatal(err)
		}
		r, err := ledger.Exhaust(t.Context(), &ledger.Problem{Board: b, Order: order, Budget: 4, Mode: ledger.Candidate, Conditions: set}, ledger.Plan{})
		if err != nil {
			t.Fatal(err)
		}
		counts[i] = r.Counts
	}
	if counts[0] != counts[1] || counts[0].Fires == 0 {
		t.Errorf("%+v, but with %v %+v", counts[0], ledger.Default, counts[1])
	}
}

// small writes boards of a generated puzzle of 5x5 cells with clues on 12 and
// 16: solved.json, swapped.json with two pairs of pieces exchanged, and
// holes.json, which is swapped.json without the pieces on 7 and 24. It returns
// the second.
func small(t *testing.T) *puzzle.Board {
	t.Helper()
	t.Chdir(t.TempDir())
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 5, Height: 5, Colours: 9, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.WithClues([]puzzle.Placement{solution[12], solution[16]}); err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	save := func(file string, b *puzzle.Board) {
		var text bytes.Buffer
		if err := notation.Write(&text, notation.FromBoard(b, strings.TrimSuffix(file, ".json")), "json"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save("solved.json", b)
	b.Swap(6, b.Rotation(6), 18, b.Rotation(18))
	b.Swap(7, b.Rotation(7), 13, b.Rotation(13))
	turns := []int{0, 1, 2, 3} // the piece on 7 lies as well as it can
	conflicts := func(turn int) int { b.Swap(7, turn, 7, turn); return b.Conflicts(7) }
	conflicts(slices.MinFunc(turns, func(x, y int) int { return conflicts(x) - conflicts(y) }))
	save("swapped.json", b)
	save("holes.json", ledger.Without(b, []int{7, 24}))
	return b
}

// breaksOf counts the breaks of a board that a region is charged.
func breaksOf(b *puzzle.Board, region string, uncharged ...int) (n float64) {
	cells, _ := parseCells(region, b.Puzzle().Cells())
	for i := range b.Breaks() {
		x, y := b.Mismatch(i)
		free := slices.Contains(uncharged, x) || slices.Contains(uncharged, y)
		if !free && (slices.Contains(cells, x) || slices.Contains(cells, y)) {
			n++
		}
	}
	return n
}

func TestExhaustRegions(t *testing.T) {
	swapped := small(t)
	for args, cells := range map[string]float64{
		"swapped.json --keep 20":                                    5,
		"swapped.json --keep 25":                                    0,
		"swapped.json --cells 6,7":                                  2,
		"swapped.json --cells 7,5-8,6":                              4,
		"swapped.json --cells 11-13 --pin":                          2,
		"swapped.json --cells 11-13 --pin --clues none":             3,
		"swapped.json --radius 0 --budget 3":                        float64(len(swapped.BrokenCells())),
		"solved.json --radius 2":                                    0,
		"holes.json":                                                2,
		"holes.json --cells 3":                                      3,
		"holes.json --keep 7 --budget 0":                            18,
		"holes.json --keep 7 --budget 0 --pin":                      16,
		"holes.json --budget 99":                                    2,
		"holes.json --budget 99 --charge cell --turn 270":           2,
		"holes.json --radius 0 --metric manhattan --pin --budget 3": -1,
	} {
		v := exhausted(t, 0, args)
		if v["cells"] != cells && cells >= 0 || v["censored"] != false {
			t.Errorf("%s: want %v cells: %v", args, cells, v)
		}
		if strings.Contains(args, "--budget") {
			continue
		}
		if v["completions"] == 0.0 && strings.HasPrefix(args, "swapped") {
			t.Errorf("%s: the board itself is a completion: %v", args, v)
		}
	}
	for region, same := range map[string]string{
		"solved.json --keep 20":            "solved.json --cells 20-24 --order row-major",
		"solved.json --keep 20 --turn 90":  "solved.json --cells 4,9,14,19,24",
		"solved.json --keep 20 --turn 180": "solved.json --cells 0-4",
		"solved.json --keep 20 --turn 270": "solved.json --cells 0,5,10,15,20",
	} {
		a, b := exhausted(t, 0, region+" --budget 4"), exhausted(t, 0, same+" --budget 4")
		if !reflect.DeepEqual(a["by_breaks"], b["by_breaks"]) || a["completions"].(float64) < 1 || a["board"] != b["board"] {
			t.Errorf("%s: %v\n%s: %v", region, a, same, b)
		}
	}
	// The budget is what the board has there, less what is not charged.
	for args, want := range map[string][2]float64{ // budget, uncharged clues
		"--cells 6,7,13":                          {breaksOf(swapped, "6,7,13"), 0},
		"--cells 6,7,13 --uncharged-clues":        {breaksOf(swapped, "6,7,13", 12), 1},
		"--cells 7,12,13 --pin --uncharged-clues": {breaksOf(swapped, "7,13", 12), 1},
		"--cells 7,12,13 --uncharged-clues":       {breaksOf(swapped, "7,12,13"), 0},
	} {
		v := exhausted(t, 0, "swapped.json "+args)
		if v["budget"] != want[0] || v["uncharged"] != want[1] || v["completions"] == 0.0 {
			t.Errorf("%s: want a budget of %v: %v", args, want, v)
		}
	}
	if breaksOf(swapped, "6,7,13") == breaksOf(swapped, "6,7,13", 12) {
		t.Error("no break beside a clue: it shows nothing")
	}
}

func TestExhaustFindsTheBest(t *testing.T) {
	swapped := small(t)
	for args, best := range map[string]float64{
		"--cells 6,7,13,18 --best":                            0,
		"--radius 0 --best":                                   0,
		"--radius 1 --metric manhattan --best --threads 2":    0,
		"--cells 6,7,13,18 --best --ledger off --charge cell": 0,
		"--cells 6,7,13,18 --best --ledger auto --budget 99":  0,
		"--cells 8,13,16,17 --best --turn 90 --ledger node":   0,
		"--cells 7 --best":                                    breaksOf(swapped, "7"),
		"--cells 7 --best --budget 99":                        breaksOf(swapped, "7"),
		"--cells 7 --budget 99":                               breaksOf(swapped, "7"),
	} {
		v := exhausted(t, 0, "swapped.json "+args)
		asked := strings.Contains(args, "--best")
		if v["best"] != best || asked && v["optimal"] != true || v["score"].(float64) != 40-v["breaks"].(float64) {
			t.Errorf("%s: want a best of %v: %v", args, best, v)
		}
		own := asked && best > 0
		if own != strings.Contains(v["url"].(string), "puzzle=swapped&") && asked || own && (v["completions"] != 0.0 || v["budget"] != best-1) {
			t.Errorf("%s: want the board as it was given: %v", args, own)
		}
	}
	// Nothing can be better than no break, and a board that breaks the rule of
	// the charge is no answer.
	if v := exhausted(t, 0, "solved.json --keep 0 --best -o best.json"); v["nodes"] != 0.0 || v["best"] != 0.0 || v["optimal"] != true || v["budget"] != -1.0 {
		t.Errorf("%v", v)
	}
	if v := object(t, 0, "score", "best.json", "--json"); v["score"] != 40.0 {
		t.Errorf("--out: %v", v)
	}
	if swapped.Conflicts(7) < 2 {
		t.Fatal("one break: it shows nothing")
	}
	for args, known := range map[string]bool{
		"--cells 7 --best --charge cell":         false,
		"--cells 7 --charge cell":                false,
		"--cells 7 --best --budget 1":            false,
		"--cells 7 --best":                       true,
		"--cells 6,7,13,18 --best --charge cell": true,
	} {
		v := exhausted(t, 0, "swapped.json "+args)
		if (v["best"] != nil) != known || (v["score"] != nil) != known || (v["url"] != "") != known || strings.Contains(args, "best") && v["optimal"] != known {
			t.Errorf("%s: %v", args, v)
		}
	}
}

func TestExhaustStatusAndWords(t *testing.T) {
	small(t)
	for args, want := range map[string]struct {
		status int
		words  string
	}{
		"riotte-464 --turn 180 --keep 232 -q":                         {0, "region of 24 cells in row-major order|budget of 2 breaks|(kinds, cells)|1 completion: 1 with 2 breaks|exhausted in|score 464 of 480, 16 breaks, 5 of 5 clues held|https://"},
		"riotte-464 --turn 180 --keep 232 -q --budget 1":              {0, "0 completions\nexhausted in"},
		"riotte-464 --turn 180 --keep 224 -q --nodes 9":               {1, "9 nodes|0 completions\ncut short after"},
		"riotte-464 --turn 180 --keep 0 -q --time 1ms":                {1, "region of 256 cells|0 completions\ncut short after"},
		"riotte-464 --turn 180 --keep 224 -q --best":                  {0, "the board as it was given, with 5 breaks there, is optimal within the region|score 464"},
		"riotte-464 --turn 180 --keep 200 --best -q --nodes 9 -o out": {1, "cut short|the best that is known is the board as it was given|score 464"},
		"swapped.json --radius 0 --best -q":                           {0, "0 breaks is optimal within the region|score 40 of 40, 0 breaks"},
		"swapped.json --cells 7,12 --pin -q --ledger off":             {0, "region of 1 cell in closing order, 1 clue pinned|without a ledger"},
		"solved.json --keep 3 --best -q":                              {0, "nothing can be better|score 40 of 40"},
		"solved.json --keep 20 --nodes 1 -q":                          {1, "1 nodes"},
	} {
		status, out, err := lastmile(t, "", append([]string{"exhaust"}, strings.Fields(args)...)...)
		timed := strings.Contains(args, "--time")
		if status != want.status || timed != strings.Contains(err, "--resume and a longer --time") || !timed && err != "" {
			t.Errorf("%s: status %d, want %d: %s", args, status, want.status, err)
		}
		for _, words := range strings.Split(want.words, "|") {
			if !strings.Contains(out, words) {
				t.Errorf("%s: no %q in\n%s", args, words, out)
			}
		}
	}
	if _, err := os.Stat("out"); err != nil {
		t.Error(err)
	}
	// No board, no file, and that is said.
	_, _, err := lastmile(t, "", strings.Fields("exhaust riotte-464 --turn 180 --keep 232 --budget 1 -q -o none")...)
	if _, gone := os.Stat("none"); gone == nil || !strings.Contains(err, "none is not written") {
		t.Error(err)
	}
}

// Threads change nothing, whatever bounds the run.
func TestExhaustOnAnyNumberOfThreads(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, status := range map[string]int{
		"riotte-464 --turn 180 --keep 224 --conditions page":                      0,
		"riotte-464 --turn 180 --keep 224 --budget 6 --ledger node --nodes 30000": 1,
		"riotte-464 --turn 180 --keep 224 --budget 6 --best":                      0,
		"riotte-464 --turn 180 --keep 216 --ledger auto --nodes 5000":             1,
		"blackwood-470 --radius 0 --budget 12 --nodes 20000":                      0,
	} {
		one := exhausted(t, status, args)
		if two := exhausted(t, status, args+" --threads 2"); !reflect.DeepEqual(one, two) {
			t.Errorf("%s:\n%v, on two threads\n%v", args, one, two)
		}
	}
}

// until runs a command line that is interrupted after a while.
func until(after time.Duration, args ...string) (status int, out, err string) {
	var o, e bytes.Buffer
	listen := func() (context.Context, func()) {
		if after == 0 {
			ctx, stop := context.WithCancel(context.Background())
			stop()
			return ctx, stop
		}
		ctx, stop := context.WithTimeout(context.Background(), after)
		return ctx, stop
	}
	status = run(args, &terminal{strings.NewReader(""), &o, &e, listen})
	return status, o.String(), e.String()
}

func TestExhaustGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{
		"--keep 224 --ledger node", "--keep 224 --budget 6 --best --conditions combined", "--keep 224 --budget 4 --ledger auto",
	} {
		args := "riotte-464 --turn 180 " + args
		whole := exhausted(t, 0, args)
		line := append(strings.Fields("exhaust --json -q --every 1us --checkpoint run"), strings.Fields(args)...)
		stops := 0
		for _, after := range []time.Duration{0, time.Millisecond, 4 * time.Millisecond, 9 * time.Millisecond} {
			status, out, err := until(after, line...)
			if !strings.Contains(err, "--resume goes on from") {
				break // it was over before
			}
			stops++
			if !strings.Contains(out, `"censored": true`) || !strings.Contains(out, `"stopped": true`) || status > 1 {
				t.Errorf("%s: status %d\n%s", args, status, out)
			}
			if stops == 1 {
				line = append(line, "--resume")
			}
		}
		if stops == 0 {
			t.Errorf("%s: never stopped", args)
			continue
		}
		if _, err := os.Stat("run"); err != nil {
			continue // the last stop came too late
		}
		if resumed := exhausted(t, 0, args+" --threads 2 --checkpoint run --resume"); !reflect.DeepEqual(resumed, whole) {
			t.Errorf("%s: after %d stops\n%v, want\n%v", args, stops, resumed, whole)
		}
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("files left behind: %v", left)
	}
}

// When the time is up before the work is done, more time goes on with it.
func TestExhaustTakesMoreTime(t *testing.T) {
	t.Chdir(t.TempDir())
	question := strings.Fields("exhaust riotte-464 --turn 180 --keep 200 -q --json --checkpoint run")
	v := object(t, 1, append(question, "--time", "100ms")...)
	if _, err := os.Stat("run"); err != nil || v["censored"] != true || v["stopped"] != false {
		t.Fatalf("%v: %v", err, v)
	}
	w := object(t, 1, append(question, "--time", "400ms", "--resume")...)
	if w["nodes"].(float64) <= v["nodes"].(float64) || w["seconds"].(float64) < 0.4 {
		t.Errorf("%v nodes in %v s, then %v in %v s", v["nodes"], v["seconds"], w["nodes"], w["seconds"])
	}
}

// A checkpoint is resumed by the question that it was of, and not when it is
// damaged.
func TestExhaustRefusesCheckpoints(t *testing.T) {
	t.Chdir(t.TempDir())
	const question = "exhaust riotte-464 --turn 180 --keep 224 -q --checkpoint run"
	if status, _, err := until(0, strings.Fields(question)...); status != 1 || !strings.Contains(err, "--resume") {
		t.Fatalf("status %d, %s", status, err)
	}
	refused := func(args, want string) {
		t.Helper()
		status, out, err := lastmile(t, "", strings.Fields(args+" --resume")...)
		if status != 2 || out != "" || strings.Count(err, "\n") != 1 || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, want 2 and %q: %s", args, status, want, err)
		}
	}
	for more, what := range map[string]string{
		"--budget 4": "had --budget 5, not 4;", "--charge cell": "had --charge seam, not cell;", "--conditions page": "had --conditions kinds,cells, not deficit,parity;",
		"--best": "had no --best, this one has --best;", "--order zigzag": "had another order;", "--ledger node": "had --ledger candidate, not node;",
		"--ledger off": "had --ledger candidate, not off;", "--turn 0": "had ", "--keep 225": "had ", // differ in more than one thing
	} {
		refused(question+" "+more, "the saved run "+what)
	}
	refused(question+" --uncharged-clues --pin --nodes 7", "had no --nodes, this one has --nodes 7;")
	whole, err := os.ReadFile("run")
	if err != nil {
		t.Fatal(err)
	}
	for old, damage := range map[string]string{
		`"round":1`: `"round":0`, `"by_breaks":[`: `"by_breaks":[1,`, `"floor":0`: `"floor":9`, `"elapsed":`: `"elapsed":-`,
		`"path":[]`: `"path":[77777]`, `"breaks":-1`: `"breaks":3`, `"tasks":[`: `"tasks":["`, `"nodes":1,`: `"nodes":1.5,`,
	} {
		at := bytes.Index(whole, []byte(`"state"`))
		text := append(bytes.Clone(whole[:at]), bytes.Replace(whole[at:], []byte(old), []byte(damage), 1)...)
		if bytes.Equal(text, whole) {
			t.Fatalf("no %s in the checkpoint: %s", old, whole)
		}
		if err := os.WriteFile("run", text, 0o644); err != nil {
			t.Fatal(err)
		}
		refused(question, "run: ")
	}
}

func TestBadExhaust(t *testing.T) {
	small(t)
	_, letters, _ := lastmile(t, "", "convert", "mcgavin-469", "--to", "edges")
	letters = strings.TrimSpace(letters)
	twice := letters[:4*100] + letters[4*101:4*102] + letters[4*101:]
	foreign := letters[:4*100] + "bbbb" + letters[4*101:]
	large := `{"width":47,"height":44,"placements":[{"cell":0,"piece":1,"rotation":0}],"pieces":[` + strings.Repeat("[1,1,1,1],", 47*44-1) + "[1,1,1,1]]}"
	before, _ := os.ReadDir(".")
	for _, c := range []struct{ args, want string }{
		{"riotte-464", "--keep, --radius or --cells"},
		{"riotte-464 --keep 3 --radius 1", "want one of them"},
		{"riotte-464 --keep 257", "want 0 to 256"},
		{"riotte-464 --keep=-1", "want 0 to 256"},
		{"riotte-464 --radius=-1", "--radius"},
		{"riotte-464 --radius 1 --metric euclid", "chebyshev, manhattan"},
		{"riotte-464 --keep 1 --metric manhattan", "goes with --radius"},
		{"riotte-464 --cells 3,256", "want 0 to 255"},
		{"riotte-464 --cells 9-4", "4-9"},
		{"riotte-464 --cells 3,,4", "is no cell"},
		{"riotte-464 --cells 1-99999999999", "is no cell"},
		{"riotte-464 --keep 232 --turn 45", "90, 180 or 270"},
		{"riotte-464 --keep 232 --budget many", "auto"},
		{"riotte-464 --keep 232 --budget=-1", "auto"},
		{"riotte-464 --keep 232 --order sideways", "closing, row-major"},
		{"riotte-464 --keep 232 --ledger maybe", "off, node, candidate"},
		{"riotte-464 --keep 232 --charge half", "seam, cell"},
		{"riotte-464 --keep 232 --conditions luck", "parity"},
		{"riotte-464 --keep 232 --ledger off --conditions page", "--ledger off"},
		{"riotte-464 --keep 232 --iterations 5", "--nodes"},
		{"riotte-464 --keep 232 --best --count", "--best"},
		{"riotte-464 --keep 232 --clues five", "--pin"},
		{"riotte-464 --keep 232 --every=-1s", "--every"},
		{"riotte-464 --keep 232 --resume", "no such checkpoint"},
		{"riotte-464 --keep 232 --out -", "--out"},
		{"blackwood-470 --keep 232 --pin --clues five", "does not hold"},
		{"riotte-464 --keep 232 --puzzle solved.json", "--puzzle"},
		{"holes.json --keep 8", "cell 7 is empty"},
		{twice + " --keep 232", "cell 101"},
		{foreign + " --keep 232", "cell 100"},
		{large, "lastmile: a region of 2067 cells, want at most 2048"},
		{large + " --turn 90", "want a square"},
	} {
		status, out, err := lastmile(t, "", append([]string{"exhaust"}, strings.Fields(c.args)...)...)
		if status != 2 || out != "" || strings.Count(err, "lastmile: ") != 1 || !strings.Contains(err, c.want) || strings.Contains(err, "ledger: ") || strings.Contains(err, "puzzle: ") {
			t.Errorf("%.80s: status %d, out %q, want status 2 and one line with %q:\n%s", c.args, status, out, c.want, err)
		}
	}
	if after, _ := os.ReadDir("."); len(after) != len(before) {
		t.Errorf("files left behind: %v", after)
	}
}
