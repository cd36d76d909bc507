package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/puzzle"
)

// lastmile runs one command line in this process.
func lastmile(t *testing.T, input string, args ...string) (status int, out, err string) {
	t.Helper()
	var o, e bytes.Buffer
	still := func() (context.Context, func()) { return context.Background(), func() {} }
	status = run(args, &terminal{strings.NewReader(input), &o, &e, still})
	return status, o.String(), e.String()
}

// object runs a command line that must print one JSON object.
func object(t *testing.T, want int, args ...string) map[string]any {
	t.Helper()
	status, out, errors := lastmile(t, "", args...)
	if status != want {
		t.Fatalf("%v: status %d, want %d: %s", args, status, want, errors)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%v printed no JSON object: %v\n%s", args, err, out)
	}
	return v
}

func has(t *testing.T, v map[string]any, keys string) {
	t.Helper()
	for _, key := range strings.Fields(keys) {
		if _, ok := v[key]; !ok {
			t.Errorf("no key %q in %v", key, v)
		}
	}
}

func TestScoreOfBundledBoards(t *testing.T) {
	for name, want := range map[string][3]float64{ // score, breaks, clues held
		"riotte-464": {464, 16, 5}, "blackwood-470": {470, 10, 1}, "mcgavin-469": {469, 11, 1},
		"blackwood-468": {468, 12, 1}, "verhaard-467": {467, 13, 1}, "pejic-465": {465, 15, 5},
	} {
		v := object(t, 0, "score", name, "--json")
		has(t, v, "score max breaks open empty official duplicates foreign rim_faults clues_held warnings")
		if got := [3]float64{v["score"].(float64), v["breaks"].(float64), v["clues_held"].(float64)}; got != want || v["official"] != true || v["max"] != 480.0 {
			t.Errorf("%s: %v", name, v)
		}
	}
	status, out, _ := lastmile(t, "", "boards")
	if status != 0 || strings.Count(out, "\n") != 1+len(puzzle.Records())+len(puzzle.Solved()) {
		t.Errorf("boards: %d\n%s", status, out)
	}
}

// A generated board comes with its own puzzle, to every command that takes one.
func TestSolvedBundledBoards(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, s := range puzzle.Solved() {
		v := object(t, 0, "score", s.Name, "--json")
		if v["score"] != 480.0 || v["max"] != 480.0 || v["empty"] != 0.0 || v["foreign"] != 0.0 || v["official"] != false || v["clues"] != 0.0 {
			t.Errorf("%s: %v", s.Name, v)
		}
	}
	if status, _, err := lastmile(t, "", "convert", "generated-3", "--to", "json", "-o", "three.json"); status != 0 {
		t.Fatal(err)
	}
	for args, want := range map[string]int{
		"score generated-3 --puzzle three.json":                      0,
		"score generated-4 --puzzle three.json":                      1,
		"score generated-3 --puzzle official":                        0,
		"polish generated-3 --iterations 5":                          0,
		"polish generated-4 --puzzle three.json --iterations 5":      2,
		"score generated-3 --dialect edges":                          2,
		"solve --puzzle three.json --iterations 5 --width 2 --quiet": 0,
	} {
		if status, out, err := lastmile(t, "", strings.Fields(args)...); status != want {
			t.Errorf("%s: status %d, want %d\n%s%s", args, status, want, out, err)
		}
	}
	v := object(t, 0, "polish", "generated-5", "--iterations", "5", "--json", "-q")
	if v["score"] != 480.0 || v["start"] != 480.0 || !strings.Contains(v["url"].(string), "puzzle=generated-5&") {
		t.Errorf("polished: %v", v)
	}
}

func TestCensusIsThePublishedOne(t *testing.T) {
	status, out, _ := lastmile(t, "", "census", "2x2", "--json")
	var counts []struct {
		Name  string
		Count int64
	}
	if err := json.Unmarshal([]byte(out), &counts); err != nil || status != 0 {
		t.Fatalf("status %d, %v: %s", status, err, out)
	}
	want := map[string]int64{"2x2 corner": 5248, "2x2 edge": 292012, "2x2 interior": 4059952}
	for _, c := range counts {
		if want[c.Name] != c.Count {
			t.Errorf("%s: %d, want %d", c.Name, c.Count, want[c.Name])
		}
		delete(want, c.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing %v", want)
	}
	if _, out, _ := lastmile(t, "", "census", "2x2"); !strings.Contains(out, "4,059,952") {
		t.Errorf("no grouped digits in\n%s", out)
	}
}

// Every search prints the keys of its contract and a board that scores what it
// says, through its own link.
func TestSearches(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, keys string }{
		{"solve --iterations 2000 --attempts 2 --width 8", "score board url seconds seed stages"},
		{"solve --iterations 2000 --nodes 300000 --attempts 3 --width 8 --order comb --depth-first row-major,column --alike 0", "score stages archive"},
		{"build --width 8", "score iterations iterations_per_second operators trace nodes alike"},
		{"build --width 8 --alike 0", "score alike"},
		{"build --greedy --order spiral", "score iterations iterations_per_second operators trace"},
		{"build --method depth-first --nodes 300000", "score operators trace nodes nodes_per_second depth breaks_at_depth restarts indexes softened early order"},
		{"build --method depth-first --strict --early 0 --restart 100000 --nodes 300000 --clues starter --order comb@ne", "score depth restarts"},
		{"build --method depth-first --time 50ms --breaks 201,230 --clues none", "score depth indexes"},
		{"polish riotte-464 --iterations 2000", "score iterations iterations_per_second operators trace stream gained repair"},
		{"solve --iterations 500 --width 4 --clues none", "score"},
		{"solve --nodes 4000 --clues starter --order zigzag --order diagonal", "score"},
		{"solve --time 100ms --threads 2", "score"},
	} {
		v := object(t, 0, append(strings.Fields(c.args), "--json", "--quiet")...)
		has(t, v, c.keys)
		scored := object(t, 0, "score", v["url"].(string), "--json")
		if scored["score"] != v["score"] || scored["official"] != true {
			t.Errorf("%s: %v, but its link scores %v", c.args, v["score"], scored["score"])
		}
		if again := object(t, 0, "score", v["board"].(string), "--json"); again["score"] != v["score"] {
			t.Errorf("%s: %v, but its letters score %v", c.args, v["score"], again["score"])
		}
		want := map[bool]float64{true: 5}[!strings.Contains(c.args, "--clues")]
		if strings.Contains(c.args, "starter") {
			want = 1
		}
		if held := scored["clues_held"].(float64); held < want || held != v["clues_held"] || v["clues"] != 5.0 {
			t.Errorf("%s: %v clues held, said %v, want %v or more", c.args, held, v["clues_held"], want)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("files left behind: %v", left)
	}
}

// The stages of solve say what each attempt began with, and its archive holds the
// best boards, the result first.
func TestStagesAndArchive(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, _, err := lastmile(t, "", strings.Fields("generate --width 7 --height 5 --colours 9 --seed 3 -o p.json")...); status != 0 {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, stages string }{
		{"solve --iterations 20000 --nodes 400000 --attempts 4 --width 8 --order comb --depth-first row-major", "beam depth-first finish polish"},
		{"solve --iterations 3000 --nodes 300000 --attempts 3 --depth-first column", "depth-first polish"},
		{"solve --iterations 3000 --attempts 3 --width 2 --no-finish", "beam polish"},
		{"solve --time 2500ms --attempts 1 --width 4 --threads 2", "beam polish again"},
		{"solve --puzzle p.json --iterations 3000 --attempts 2 --width 2", "beam polish"},
	} {
		args := strings.Fields(c.args)
		v := object(t, 0, append(args, "--json", "-q")...)
		seen := map[string]bool{}
		for _, x := range v["stages"].([]any) {
			s := x.(map[string]any)
			kind := s["stage"].(string)
			seen[kind] = true
			has(t, s, "stage attempt score seconds")
			_, from := s["from"]
			_, order := s["order"]
			_, width := s["width"]
			if from != (kind == "again") || order != (kind == "beam" || kind == "depth-first") || width != (kind == "beam") {
				t.Errorf("%s: a stage %v", c.args, s)
			}
		}
		for _, kind := range strings.Fields(c.stages) {
			if !seen[kind] {
				t.Errorf("%s: no stage %s in %v", c.args, kind, v["stages"])
			}
		}
		kept := v["archive"].([]any)
		if len(kept) == 0 {
			t.Fatalf("%s: no archive", c.args)
		}
		last := v["score"].(float64)
		for i, x := range kept {
			a := x.(map[string]any)
			has(t, a, "score attempt distance corners")
			of := []string{}
			if slices.Contains(args, "--puzzle") {
				of = []string{"--puzzle", "p.json"}
			}
			text, link := a["url"].(string)
			if board, whole := a["board"].(string); whole == link {
				t.Errorf("%s: board %d has url %q and board %q, want one of them", c.args, i, text, board)
			} else if whole {
				text = board
			}
			scored := object(t, 0, append([]string{"score", text, "--json"}, of...)...)
			if scored["score"] != a["score"] || a["score"].(float64) > last {
				t.Errorf("%s: board %d is said to score %v, scores %v, after %v", c.args, i, a["score"], scored["score"], last)
			}
			last = a["score"].(float64)
			if i == 0 && (a["score"] != v["score"] || a["distance"] != 0.0) || i > 0 && a["distance"].(float64) < 1 {
				t.Errorf("%s: board %d of %v is %v cells from the result of %v", c.args, i, a["score"], a["distance"], v["score"])
			}
			for _, piece := range a["corners"].([]any) {
				if n := piece.(float64); n < 1 || n > 4 && len(of) == 0 { // the corners of the official set come first
					t.Errorf("%s: corners %v", c.args, a["corners"])
				}
			}
		}
	}
}

// Clues that cannot hold together are refused, and the error says which.
func TestContradictoryClues(t *testing.T) {
	t.Chdir(t.TempDir())
	_, text, _ := lastmile(t, "", strings.Fields("generate --width 4 --height 4 --colours 5 --clues 2 --seed 3")...)
	clue := regexp.MustCompile(`\{"cell".*\}`)
	if len(clue.FindAllString(text, -1)) != 2 {
		t.Fatalf("no two clues in\n%s", text)
	}
	for _, c := range []struct{ first, second, want string }{
		{`{"cell":5,"piece":13,"rotation":0}`, `{"cell":5,"piece":14,"rotation":0}`, "another piece on cell 5"},
		{`{"cell":5,"piece":13,"rotation":0}`, `{"cell":6,"piece":13,"rotation":1}`, "those of a piece that no other hint has"},
		{`{"cell":5,"piece":1,"rotation":0}`, `{"cell":6,"piece":13,"rotation":0}`, "frame rule"},
		{`{"cell":5,"piece":13,"rotation":0}`, `{"cell":16,"piece":14,"rotation":0}`, "cell 16"},
		{`{"cell":5,"piece":13,"rotation":0}`, `{"cell":6,"piece":17,"rotation":0}`, "piece 17"},
		{`{"cell":5,"piece":13,"rotation":4}`, `{"cell":6,"piece":14,"rotation":0}`, "rotation 4, want"},
	} {
		turn := 0
		faulty := clue.ReplaceAllStringFunc(text, func(string) string {
			turn++
			return map[int]string{1: c.first, 2: c.second}[turn]
		})
		if err := os.WriteFile("faulty.json", []byte(faulty), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range []string{"solve --time 1s", "solve --iterations 1 --depth-first comb", "build --method depth-first --nodes 1"} {
			status, out, err := lastmile(t, "", append(strings.Fields(args), "--puzzle", "faulty.json")...)
			if status != 2 || out != "" || !strings.Contains(err, "\nlastmile: ") && !strings.HasPrefix(err, "lastmile: ") || !strings.Contains(err, c.want) {
				t.Errorf("%s: status %d, out %q, want status 2 and a line with %q:\n%s", args, status, out, c.want, err)
			}
		}
	}
}

// A board that has been improved is not called by the score that it had.
func TestPolishedBoardIsNamedAnew(t *testing.T) {
	t.Chdir(t.TempDir())
	v := object(t, 0, "build", "--width", "4", "--json", "-q")
	polished := object(t, 0, "polish", v["url"].(string), "--iterations", "200000", "--json", "-q")
	if polished["score"] == v["score"] {
		t.Fatal("nothing was gained: it shows nothing")
	}
	if want := fmt.Sprintf("puzzle=lastmile_%v&", polished["score"]); !strings.Contains(polished["url"].(string), want) {
		t.Errorf("%.80s, want %s", polished["url"], want)
	}
	same := object(t, 0, "polish", "blackwood-470", "--iterations", "1", "--temperature", "0", "--json", "-q")
	if !strings.Contains(same["url"].(string), "puzzle=blackwood-470&") {
		t.Errorf("%.80s", same["url"])
	}
}

func TestGenerateSolveConvert(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, _, err := lastmile(t, "", "generate", "--width", "5", "--height", "4", "--colours", "5", "--clues", "2", "--seed", "3", "-o", "p.json"); status != 0 {
		t.Fatal(err)
	}
	_, solution, _ := lastmile(t, "", "generate", "--width", "5", "--height", "4", "--colours", "5", "--seed", "3", "--solution")
	if err := os.WriteFile("s.json", []byte(solution), 0o644); err != nil {
		t.Fatal(err)
	}
	if v := object(t, 0, "score", "s.json", "--json"); v["score"] != 31.0 || v["max"] != 31.0 {
		t.Errorf("solution: %v", v)
	}
	v := object(t, 0, "solve", "--puzzle", "p.json", "--iterations", "1000", "--json", "-q", "-o", "best.json")
	if v["score"] != 31.0 || v["clues"] != 2.0 {
		t.Errorf("solved: %v", v)
	}
	if again := object(t, 0, "score", "best.json", "--json"); again["score"] != 31.0 {
		t.Errorf("--out: %v", again)
	}
	// Bare letters and tables have no size or one side: they carry square boards.
	for _, to := range []string{"pieces", "bucas", "json", "e2pieces", "text", "svg", "png"} {
		status, out, err := lastmile(t, "", "convert", "best.json", "--to", to)
		if status != 0 || out == "" {
			t.Errorf("--to %s: status %d, %s", to, status, err)
		}
	}
	for _, to := range []string{"edges", "pieces", "bucas", "viewer", "json", "e2pieces", "csv", "text", "svg", "png"} {
		if status, out, err := lastmile(t, "", "convert", "blackwood-470", "--to", to); status != 0 || out == "" {
			t.Errorf("--to %s: status %d, %s", to, status, err)
		}
	}
	for _, c := range []string{"none", "starter"} {
		if status, _, err := lastmile(t, "", "solve", "--puzzle", "p.json", "--clues", c, "--iterations", "10", "-q"); status != 0 {
			t.Errorf("--clues %s: %s", c, err)
		}
	}
}

// Bad input gives one line that says what is wrong, status 2, and no file.
func TestBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("list", []byte("1 2 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, clash, _ := lastmile(t, "", "generate", "--width", "3", "--height", "3", "--colours", "3", "--clues", "2")
	clash = strings.Replace(clash, `"piece":`, `"piece":9,"was":`, 2)
	if err := os.WriteFile("clash.json", []byte(clash), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"score nowhere.url", "nowhere.url"},
		{"score list", "line 1"},
		{"score .", "directory"},
		{"solve --time -5s", "--time -5s, want a positive duration"},
		{"solve --time soon", "duration"},
		{"solve --iterations -1", "--iterations -1, want a positive number"},
		{"polish blackwood-470 --temperature -Inf", "--temperature -Inf, want 0 or"},
		{"polish blackwood-470 --deviation -.5 --acceptance record", "--deviation -0.5, want"},
		{"polish blackwood-470 --quiet -5", "--quiet"},
		{"solve --iterations 0", "--iterations 0, want more than 0"},
		{"solve --time 0", "--time 0s, want more than 0"},
		{"solve --time 1s --nodes 0", "--nodes 0"},
		{"solve --width 0", "--width 0"},
		{"solve --attempts 0", "--attempts 0"},
		{"polish blackwood-470 --time 0s", "--time 0s"},
		{"polish blackwood-470 --iterations=0", "--iterations 0"},
		{"polish blackwood-470 --nodes 0", "--nodes 0"},
		{"build --time 0", "--time 0s"},
		{"build --nodes 0", "--nodes 0"},
		{"exhaust riotte-464 --time 0", "--time 0s"},
		{"exhaust riotte-464 --nodes 0", "--nodes 0"},
		{"study census --time 0", "--time 0s"},
		{"polish blackwood-470 --operators=", "--operators: an empty value"},
		{"polish blackwood-470 --operators ring,", "--operators: an empty value"},
		{"polish blackwood-470 --repair=", "--repair: an empty value"},
		{"polish blackwood-470 --trace=", "--trace: an empty value"},
		{"solve --order=", "--order: an empty value"},
		{"solve --checkpoint=", "--checkpoint: an empty value"},
		{"build --out=", "--out: an empty value"},
		{"exhaust riotte-464 --conditions=", "--conditions: an empty value"},
		{"convert riotte-464 --to=", "--to: an empty value"},
		{"solve --clues seven", "none, starter, five"},
		{"solve --order sideways", "row-major"},
		{"solve --width -3", "width"},
		{"solve --depth-first sideways", "row-major"},
		{"solve --depth-first=", "--depth-first: an empty value"},
		{"solve --depth-first comb@nw", "@ne, @sw or @se"},
		{"solve --alike -1", "--alike -1, want 0 to 4"},
		{"solve --alike 4.5", "--alike 4.5, want 0 to 4"},
		{"solve --alike NaN", "--alike NaN, want 0 to 4"},
		{"solve --alike Inf", "--alike +Inf, want 0 to 4"},
		{"solve --alike much", "--alike"},
		{"build --alike -0.5", "--alike -0.5, want 0 to 4"},
		{"build --alike NaN", "--alike NaN, want 0 to 4"},
		{"build --method depth-first --nodes 5 --alike 1", "--alike 1 has no effect with --method depth-first, want --method beam"},
		{"build --method depth-first --nodes 5 --alike 0", "--alike 0 has no effect with --method depth-first, want --method beam"},
		{"solve --threads -1", "--threads"},
		{"solve --puzzle clash.json", "hint"},
		{"solve --puzzle gone", "gone"},
		{"score -", "empty"},
		{"solve --resume", "no such checkpoint"},
		{"solve --every -1s", "--every"},
		{"solve --out gone/best.json", "--out"},
		{"solve --out .", "folder"},
		{"solve --out -", "--out"},
		{"solve --out same --checkpoint ./same", "two files"},
		{"study census --out list", "--out"},
		{"study census --keep runs", "study census keeps no runs"},
		{"study all --keep runs", "the runs of one study"},
		{"study solve --keep gone/runs", "--keep"},
		{"study solve --keep list", "not a checkpoint"},
		{"study solve --keep=", "--keep: an empty value"},
		{"solve --checkpoint gone/run", "--checkpoint"},
		{"solve --dialect csv", "--puzzle"},
		{"score riotte-464 --puzzle nosuch", "nosuch"},
		{"score riotte-464 --dialect edges", "no dialect"},
		{"score riotte-464 --puzzle-dialect csv", "--puzzle"},
		{"convert riotte-464 --to edges -o gone/x", "--out"},
		{"build --iterations 5", "--nodes"},
		{"build --order sideways", "comb"},
		{"build --order comb@nw", "@ne, @sw or @se"},
		{"build --width 0", "--width 0, want 1 to"},
		{"build --method dfs", "beam, depth-first"},
		{"build --method=", "--method: an empty value"},
		{"build --breaks 200", "--breaks has no effect with --method beam, want --method depth-first"},
		{"build --strict", "--strict has no effect with --method beam"},
		{"build --early 2", "--early 2 has no effect with --method beam"},
		{"build --restart 9", "--restart 9 has no effect with --method beam"},
		{"build --method depth-first", "give it --time or --nodes"},
		{"build --method depth-first --nodes 5 --width 8", "--width 8 has no effect with --method depth-first, want --method beam"},
		{"build --method depth-first --nodes 5 --greedy", "--greedy has no effect"},
		{"build --method depth-first --nodes 5 --no-look", "--no-look has no effect"},
		{"build --method depth-first --iterations 5", "--nodes"},
		{"build --method depth-first --nodes 5 --order sideways", "row-major"},
		{"build --method depth-first --nodes 5 --early -1", "--early -1, want 0 to"},
		{"build --method depth-first --nodes 5 --early 999", "--early 999, want 0 to"},
		{"build --method depth-first --nodes 5 --restart 0", "--restart 0, want 1 or more"},
		{"build --method depth-first --nodes 5 --breaks=", "--breaks: an empty value"},
		{"build --method depth-first --nodes 5 --breaks 210,200", "ascending"},
		{"build --method depth-first --nodes 5 --breaks -3", "break index -3, want 0 or more"},
		{"build --method depth-first --nodes 5 --breaks many", "--breaks"},
		{"build --method depth-first --nodes 5 --strict --breaks 3", "one or the other"},
		{"polish blackwood-470 --clues five", "does not hold"},
		{"polish blackwood-470 --nodes 5", "--iterations"},
		{"polish blackwood-470 --operators dynamite", "random-cells"},
		{"polish blackwood-470 --temperature -1", "--temperature -1, want 0 or"},
		{"polish blackwood-470 --temperature NaN", "--temperature NaN, want 0 or"},
		{"polish blackwood-470 --temperature Inf", "--temperature +Inf, want 0 or"},
		{"polish blackwood-470 --acceptance cooling --final-temperature -1", "--final-temperature -1, want"},
		{"polish blackwood-470 --smallest 0", "--smallest"},
		{"polish blackwood-470 --largest 0", "--largest"},
		{"polish blackwood-470 --memory 0", "--memory"},
		{"polish blackwood-470 --memory 1", "--memory 1, want a number above 0 and below 1"},
		{"polish blackwood-470 --memory NaN", "--memory NaN, want a number above 0 and below 1"},
		{"polish blackwood-470 --memory 0 --selection bandit", "--memory"},
		{"polish blackwood-470 --memory 0.9 --selection segments", "--selection roulette or bandit"},
		{"polish blackwood-470 --operators ring,ring", "twice"},
		{"polish blackwood-470 --selection dice", "roulette, segments, bandit"},
		{"polish blackwood-470 --selection=", "--selection: an empty value"},
		{"polish blackwood-470 --segment 10", "--selection segments"},
		{"polish blackwood-470 --segment 0 --selection segments", "--segment"},
		{"polish blackwood-470 --segment -5 --selection segments", "--segment -5, want 1 or more"},
		{"polish blackwood-470 --segment 1.5 --selection segments", "--segment"},
		{"polish blackwood-470 --acceptance luck", "annealing, cooling, hill-climbing, late, record, threshold"},
		{"polish blackwood-470 --acceptance cooling --temperature 0", "--temperature"},
		{"polish blackwood-470 --acceptance cooling --temperature -1", "--temperature"},
		{"polish blackwood-470 --acceptance cooling --final-temperature 0", "--final-temperature"},
		{"polish blackwood-470 --acceptance cooling --final-temperature 0.7", "at most the --temperature of 0.6"},
		{"polish blackwood-470 --acceptance cooling --final-temperature NaN", "--final-temperature NaN, want"},
		{"polish blackwood-470 --acceptance hill-climbing --temperature 0.3", "--acceptance annealing or cooling"},
		{"polish blackwood-470 --acceptance late --temperature 0", "--acceptance annealing or cooling"},
		{"polish blackwood-470 --final-temperature 0.1", "--acceptance cooling"},
		{"polish blackwood-470 --deviation 2", "--acceptance record or threshold"},
		{"polish blackwood-470 --deviation 0 --acceptance record", "--deviation"},
		{"polish blackwood-470 --deviation -2 --acceptance record", "--deviation -2, want"},
		{"polish blackwood-470 --deviation Inf --acceptance threshold", "--deviation +Inf, want"},
		{"polish blackwood-470 --history 1000", "--acceptance late"},
		{"polish blackwood-470 --history 0 --acceptance late", "--history"},
		{"polish blackwood-470 --history -1 --acceptance late", "--history -1, want 1 to 100000"},
		{"polish blackwood-470 --history 100001 --acceptance late", "--history 100001, want 1 to 100000"},
		{"polish blackwood-470 --repair glue", "greedy, "},
		{"polish blackwood-470 --repair-nodes 100", "--repair exact"},
		{"polish blackwood-470 --repair exact --repair-nodes 0", "--repair-nodes"},
		{"polish blackwood-470 --repair exact --repair-nodes -1", "--repair-nodes -1, want 1 or more"},
		{"solve --acceptance record --history 5", "--acceptance late"},
		{"solve --selection dice", "roulette, segments, bandit"},
		{"polish blackwood-470 --trace -", "--trace"},
		{"polish blackwood-470 --trace .", "folder"},
		{"polish blackwood-470 --trace gone/x", "--trace"},
		{"polish blackwood-470 --trace list", "list is not a trace"},
		{"polish blackwood-470 --trace same --out ./same", "two files"},
		{"polish blackwood-470 --trace same --checkpoint ./same", "two files"},
		{"solve --trace list", "list is not a trace"},
		{"solve --trace same --checkpoint ./same", "two files"},
		{"solve --trace list.lock --checkpoint list", "--trace and the lock of --checkpoint are both "},
		{"build --trace new", "--trace"},
		{"polish blackwood-470 --smallest 9 --largest 3", "--smallest 9 and --largest 3"},
		{"polish blackwood-470 --streams 0", "--streams"},
		{"convert blackwood-470 --to gif", "svg"},
		{"convert blackwood-470 --to png --cell 100000", "cell"},
		{"generate --width 0", "size"},
		{"generate --colours 300", "colours"},
		{"generate --clues 999", "--clues"},
		{"census 3x3", "2x2"},
		{"frobnicate", "frobnicate"},
		{"score", "board"},
	} {
		args := strings.Fields(c.args)
		if (args[0] == "polish" || args[0] == "solve") && !strings.Contains(c.args, "--iterations") {
			args = append(args, "--iterations", "1") // one that runs after all is soon over
		}
		status, out, err := lastmile(t, "", args...)
		if status != 2 || out != "" || strings.Count(err, "\n") != 1 || !strings.Contains(strings.ToLower(err), strings.ToLower(c.want)) {
			t.Errorf("%s: status %d, out %q, want status 2 and one line with %q:\n%s", c.args, status, out, c.want, err)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("files left behind: %v", left)
	}
}

// A board that is no board of its set is scored, and its status says so.
func TestFaultyBoardIsScored(t *testing.T) {
	_, letters, _ := lastmile(t, "", "convert", "mcgavin-469", "--to", "edges")
	letters = strings.TrimSpace(letters)
	twice := letters[:4*100] + letters[4*101:4*102] + letters[4*101:]
	v := object(t, 1, "score", twice, "--json")
	if v["duplicates"] != 1.0 || v["foreign"] != 0.0 {
		t.Errorf("a piece twice: %v", v)
	}
	status, out, _ := lastmile(t, "", "score", twice)
	if status != 1 || !strings.Contains(out, "1 duplicate piece: cell 101") {
		t.Errorf("status %d\n%s", status, out)
	}
	if status, _, err := lastmile(t, "", "polish", twice, "--iterations", "5"); status != 2 || !strings.Contains(err, "cell 101") {
		t.Errorf("polish of it: status %d, %s", status, err)
	}
}

// With --puzzle a board is judged by that set, whatever else it may be.
func TestBoardOfAnotherSet(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, args := range map[string]string{
		"same.json":  "generate --seed 5 --colours 22 --to json",
		"small.json": "generate --width 9 --height 6 --to json",
		"own.url":    "generate --seed 5 --colours 22 --solution --to bucas",
	} {
		if status, _, err := lastmile(t, "", append(strings.Fields(args), "-o", file)...); status != 0 {
			t.Fatal(err)
		}
	}
	_, letters, _ := lastmile(t, "", "convert", "riotte-464", "--to", "edges")
	if err := os.WriteFile("letters", []byte(letters), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
	}{
		{"score own.url", 0}, {"score own.url --puzzle same.json", 0},
		{"score letters", 0}, {"score letters --puzzle same.json", 1}, {"score letters --puzzle small.json", 1},
		{"score riotte-464 --puzzle same.json", 1},
		{"polish letters --puzzle same.json --iterations 5", 2}, {"polish riotte-464 --puzzle small.json --iterations 5", 2},
	} {
		if status, out, err := lastmile(t, "", strings.Fields(c.args)...); status != c.status {
			t.Errorf("%s: status %d, want %d\n%s%s", c.args, status, c.status, out, err)
		}
	}
}

// What a dialect cannot carry is said, and what it would garble refused.
func TestConvertSaysWhatIsLost(t *testing.T) {
	t.Chdir(t.TempDir())
	_, one, _ := lastmile(t, "", "convert", "riotte-464", "--to", "bucas")
	if err := os.WriteFile("two", []byte(one+one), 0o644); err != nil {
		t.Fatal(err)
	}
	for to, lost := range map[string]bool{"e2pieces": true, "csv": true, "json": false, "bucas": false, "pieces": false, "png": false} {
		status, _, err := lastmile(t, "", "convert", "riotte-464", "--to", to)
		if status != 0 || strings.Contains(err, "not carried over") != lost {
			t.Errorf("--to %s: status %d, %s", to, status, err)
		}
	}
	for to, want := range map[string]int{"e2pieces": 2, "solution": 2, "csv": 2, "json": 2, "png": 2, "svg": 2, "bucas": 0, "edges": 0, "pieces": 0, "text": 0} {
		if status, _, err := lastmile(t, "", "convert", "two", "--to", to); status != want {
			t.Errorf("two boards --to %s: status %d, want %d: %s", to, status, want, err)
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	if status, out, _ := lastmile(t, ""); status != 2 || !strings.Contains(out, "solve") {
		t.Errorf("no command: status %d, want the help and 2", status)
	}
	for _, args := range []string{"--help", "help", "help solve", "solve --help", "convert --help", "version", "--version"} {
		if status, out, err := lastmile(t, "", strings.Fields(args)...); status != 0 || out == "" {
			t.Errorf("%s: status %d, %s", args, status, err)
		}
	}
}

// binary builds the command once.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lastmile")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// kill -9 in the middle of a run, and --resume: the result is that of an
// unbroken run, on one thread or two.
func TestKillLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program several times")
	}
	program := binary(t)
	for _, command := range []string{
		"solve --iterations 1600000 --attempts 3 --width 64 --seed 4 --trace run.trace",
		"polish riotte-464 --iterations 1600000 --seed 4 --temperature 0.4 --selection bandit --trace run.trace",
		"exhaust riotte-464 --turn 180 --keep 224 --ledger off --budget 6",
	} {
		args := append(strings.Fields(command), "--json", "--quiet", "--every", "20ms", "--checkpoint", "run.checkpoint")
		result := func(dir string, more ...string) map[string]any {
			c := exec.Command(program, append(args, more...)...)
			c.Dir = dir
			var errors bytes.Buffer
			c.Stderr = &errors
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%s %v: %v\n%s", command, more, err, errors.String())
			}
			var v map[string]any
			if err := json.Unmarshal(out, &v); err != nil {
				t.Fatal(err)
			}
			kept := map[string]any{}
			for _, key := range strings.Fields("board score iterations nodes completions judged fires") {
				kept[key] = v[key]
			}
			return kept
		}
		unbroken, dir := t.TempDir(), t.TempDir()
		whole := result(unbroken, "--threads", "2")
		path := filepath.Join(dir, "run.checkpoint")
		kills := 0
		for kills < 3 {
			more := []string{"--resume"}
			if _, err := os.Stat(path); err != nil {
				more = nil
			}
			before, _ := os.ReadFile(path)
			c := exec.Command(program, append(args, more...)...)
			c.Dir = dir
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- c.Wait() }()
			// Kill it once it has saved something new.
			over := false
			for deadline := time.Now().Add(time.Minute); !over && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
				select {
				case <-done:
					over = true
					continue
				default:
				}
				if now, _ := os.ReadFile(path); len(now) > 0 && !bytes.Equal(now, before) {
					break
				}
			}
			if over {
				break
			}
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			<-done
			kills++
		}
		if kills == 0 {
			t.Errorf("%s: over before it could be killed", command)
			continue
		}
		// What a kill leaves in the middle of a write is swept up.
		if err := os.WriteFile(filepath.Join(dir, ".run.checkpoint.4711"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		traces := strings.Contains(command, "--trace")
		if traces {
			appendTo(t, filepath.Join(dir, "run.trace"), `{"stream":0,"iterations":32768,"sec`)
		}
		resumed := result(dir, "--resume", "--threads", "1")
		if traces {
			got, want := readTrace(t, filepath.Join(dir, "run.trace")), readTrace(t, filepath.Join(unbroken, "run.trace"))
			if len(want) < 3 || !reflect.DeepEqual(got, want) {
				t.Errorf("%s after %d kills: another trace", command, kills)
			}
			if err := os.Remove(filepath.Join(dir, "run.trace")); err != nil {
				t.Fatal(err)
			}
		}
		for key, want := range whole {
			if resumed[key] != want {
				t.Errorf("%s after %d kills: %s %v, want %v", command, kills, key, resumed[key], want)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: left behind %v", command, left)
		}
	}
}

// A signal ends a depth-first search too, and its board is printed.
func TestSignalEndsDepthFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	c := exec.Command(binary(t), "build", "--method", "depth-first", "--strict", "--restart", "1000000", "--time", "1h", "--json")
	c.Dir = t.TempDir()
	var out bytes.Buffer
	c.Stdout = &out
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(said)
	for line := ""; !strings.Contains(line, "(depth-first: row-major@sw)"); { // until it has a board
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if v["stopped"] != true || v["reproducible"] != false || v["score"].(float64) < 400 || v["depth"] == 0.0 {
		t.Errorf("stopped %v, reproducible %v, score %v, depth %v", v["stopped"], v["reproducible"], v["score"], v["depth"])
	}
}

// A build by depth-first search is the same each time, and says what it was given.
func TestBuildDepthFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("build --method depth-first --clues starter --breaks 201,206,211,216 --nodes 5500000 --restart 500000 --json -q")
	v, again := object(t, 0, args...), object(t, 0, args...)
	if v["board"] != again["board"] || v["depth"] != again["depth"] || v["nodes"] != again["nodes"] || v["reproducible"] != true {
		t.Errorf("%v and %v", v["board"], again["board"])
	}
	if got := fmt.Sprint(v["indexes"]); got != "[201 206 211 216]" {
		t.Errorf("break indexes %s", got)
	}
	if v["breaks_at_depth"].(float64) > 4 || v["restarts"] == 0.0 || v["nodes"] != 5.5e6 {
		t.Errorf("%v breaks, %v restarts, %v nodes", v["breaks_at_depth"], v["restarts"], v["nodes"])
	}
}

// A signal ends a search at once, prints the best board, and leaves a
// checkpoint that other flags cannot resume.
func TestSignalPrintsTheBestBoard(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	program := binary(t)
	for _, s := range []os.Signal{os.Interrupt, terminate} {
		dir := t.TempDir()
		c := exec.Command(program, "solve", "--time", "1h", "--json", "--every", "10ms", "--checkpoint", "run.checkpoint")
		c.Dir = dir
		var out, errors bytes.Buffer
		c.Stdout, c.Stderr = &out, &errors
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "run.checkpoint")
		for range 2000 {
			if _, err := os.Stat(path); err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %v\n%s", s, err, errors.String())
		}
		var v map[string]any
		if err := json.Unmarshal(out.Bytes(), &v); err != nil {
			t.Fatalf("%v: %v\n%s", s, err, out.String())
		}
		if v["stopped"] != true || v["reproducible"] != false || v["score"].(float64) < 200 {
			t.Errorf("%v: %v", s, v)
		}
		t.Chdir(dir)
		for args, want := range map[string]string{
			"solve --time 1h --clues none":        "another clues",
			"solve --time 1h --width 7":           "had no --width, this one has --width 7",
			"solve --iterations 5":                "another kind of budget",
			"solve --time 1h --alike 0":           "had no --alike, this one has --alike 0",
			"solve --time 1h --depth-first comb":  "had no --depth-first, this one has --depth-first comb",
			"solve --time 1h --seed 2":            "had --seed 1, not 2",
			"polish riotte-464 --time 1h":         "lastmile solve",
			"solve --time 1h --checkpoint .":      "folder",
			"solve --time 1h --checkpoint run.no": "no such checkpoint",
		} {
			if !strings.Contains(args, "--checkpoint") {
				args += " --checkpoint run.checkpoint"
			}
			args := append(strings.Fields(args), "--resume")
			if status, _, err := lastmile(t, "", args...); status != 2 || !strings.Contains(err, want) {
				t.Errorf("%v: status %d, %s, want %q", args, status, err, want)
			}
		}
		// A new run does not overwrite the old one.
		if status, _, err := lastmile(t, "", "solve", "--iterations", "10", "--width", "2", "--checkpoint", "run.checkpoint"); status != 0 || !strings.Contains(err, ".checkpoint.1") {
			t.Errorf("status %d, %s", status, err)
		}
		if _, err := os.Stat(path + ".1"); err != nil {
			t.Error(err)
		}
	}
}

// Two runs in one folder do not touch each other's checkpoint.
func TestCheckpointIsHeldAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	program := binary(t)
	dir := t.TempDir()
	start := func(args ...string) *exec.Cmd {
		c := exec.Command(program, append(args, "--time", "1h", "-q", "--every", "10ms")...)
		c.Dir = dir
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Process.Kill(); c.Wait() })
		return c
	}
	start("solve", "--width", "64")
	start("solve", "--width", "32")
	files := func() []string {
		list, _ := filepath.Glob(filepath.Join(dir, "*.checkpoint"))
		return list
	}
	for deadline := time.Now().Add(time.Minute); len(files()) < 2 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	if n := len(files()); n != 2 {
		t.Fatalf("%d checkpoints of two runs", n)
	}
	for _, path := range files() {
		for _, resume := range []string{"", "--resume"} {
			args := strings.Fields("solve --width 64 --time 1h --checkpoint " + path + " " + resume)
			if status, _, err := lastmile(t, "", args...); status != 2 || !strings.Contains(err, "held by another run") {
				t.Errorf("%v: status %d, %s", args, status, err)
			}
		}
	}
}

// Hints of a file are held, whatever its pieces are; and a damaged checkpoint is
// refused, not trusted.
func TestHintsOfOfficialPieces(t *testing.T) {
	t.Chdir(t.TempDir())
	_, text, _ := lastmile(t, "", "convert", "riotte-464", "--to", "json")
	var board map[string]any
	if err := json.Unmarshal([]byte(text), &board); err != nil {
		t.Fatal(err)
	}
	all := board["placements"].([]any)
	for name, hints := range map[string]any{"three.json": []any{all[0], all[17], all[100]}, "none.json": []any{}} {
		v := map[string]any{"width": 16, "height": 16, "pieces": board["pieces"], "hints": hints}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string][2]float64{
		"--puzzle three.json":                {3, 3},
		"--puzzle three.json --clues five":   {3, -1},
		"--puzzle three.json --clues none":   {3, -1},
		"--puzzle none.json":                 {5, 5},
		"--puzzle none.json --clues none":    {5, -1},
		"--puzzle none.json --clues starter": {5, -1},
	} {
		v := object(t, 0, append(strings.Fields("build --width 4 --json -q -o best.json "), strings.Fields(args)...)...)
		if v["clues"] != want[0] || want[1] >= 0 && v["clues_held"] != want[1] {
			t.Errorf("%s: %v of %v clues held, want %v", args, v["clues_held"], v["clues"], want)
		}
		if strings.Contains(args, "three") {
			if again := object(t, 0, "score", "best.json", "--puzzle", "three.json", "--json"); again["clues_held"] != v["clues_held"] {
				t.Errorf("%s: score says %v clues held, build %v", args, again["clues_held"], v["clues_held"])
			}
		}
	}
}

func TestDamagedCheckpoint(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	program := binary(t)
	t.Chdir(t.TempDir())
	c := exec.Command(program, strings.Fields("solve --iterations 90000000 --width 8 --attempts 2 -q --every 10ms --checkpoint run")...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var whole []byte
	for deadline := time.Now().Add(time.Minute); !bytes.Contains(whole, []byte(`"selection":[`)) && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		whole, _ = os.ReadFile("run")
	}
	c.Process.Kill()
	c.Wait()
	for old, damage := range map[string]string{
		`"number":0`: `"number":7`, `"order":"column"`: `"order":"zz"`, `"width":8`: `"width":-5`,
		`"selection":[`: `"selection":[1,`, `"elapsed":`: `"elapsed":-`, `"board":[`: `"board":[-4,`,
	} {
		at := bytes.LastIndex(whole, []byte(`"state"`)) // the setup has an order and a width too
		text := append([]byte{}, whole[:at]...)
		text = append(text, bytes.Replace(whole[at:], []byte(old), []byte(damage), 1)...)
		if bytes.Equal(text, whole) {
			t.Fatalf("no %s in the checkpoint", old)
		}
		if err := os.WriteFile("run", text, 0o644); err != nil {
			t.Fatal(err)
		}
		args := strings.Fields("solve --iterations 90000000 --width 8 --attempts 2 -q --checkpoint run --resume")
		if status, _, err := lastmile(t, "", args...); status != 2 || strings.Count(err, "\n") != 1 || !strings.Contains(err, "run: ") {
			t.Errorf("%s: status %d, %s", damage, status, err)
		}
	}
}

// A reader that has gone, of the progress or of the result, ends no search and
// is no success.
func TestReaderThatHasGone(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	program := binary(t)
	gone := func() *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		return w
	}
	dir := t.TempDir()
	c := exec.Command(program, "solve", "--time", "500ms", "-o", "best.json")
	c.Dir, c.Stderr = dir, gone()
	out, err := c.Output()
	if err != nil || !bytes.HasPrefix(out, []byte("score ")) {
		t.Errorf("no reader of progress: %v, %q", err, out)
	}
	c = exec.Command(program, "solve", "--time", "500ms", "-q", "-o", "best.json", "--checkpoint", "run")
	var errors bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, gone(), &errors
	if err := c.Run(); c.ProcessState.ExitCode() != 1 || !strings.Contains(errors.String(), "pipe") {
		t.Errorf("no reader of the result: %v, %s", err, errors.String())
	}
	for _, file := range []string{"best.json", "run"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

// broken is an output that is full.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A result that could not be printed is not called done.
func TestFullOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{
		"score riotte-464", "score riotte-464 --json", "boards", "census 2x2", "version", "convert riotte-464 --to edges",
		"build --width 2", "polish riotte-464 --iterations 5", "solve --iterations 5 --width 2", "generate", "study list",
	} {
		var e bytes.Buffer
		still := func() (context.Context, func()) { return context.Background(), func() {} }
		if status := run(strings.Fields(command), &terminal{strings.NewReader(""), broken{}, &e, still}); status != 1 {
			t.Errorf("%s: status %d, want 1; %s", command, status, e.String())
		}
	}
}

// A board that letters cannot carry is printed as JSON, which score reads.
func TestEveryBoardIsPrinted(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, spec := range []string{"--width 40 --height 40 --colours 20", "--width 6 --height 5 --colours 30", "--width 1 --height 1 --colours 1"} {
		if status, _, err := lastmile(t, "", strings.Fields("generate -o p.json "+spec)...); status != 0 {
			t.Fatal(err)
		}
		_, out, err := lastmile(t, "", strings.Fields("solve --puzzle p.json --iterations 50 --attempts 1 --width 4 -q")...)
		first, board, _ := strings.Cut(out, "\n")
		if err := os.WriteFile("board", []byte(board), 0o644); err != nil {
			t.Fatal(err)
		}
		v := object(t, 0, "score", "board", "--puzzle", "p.json", "--json")
		if want := fmt.Sprintf("score %v of %v,", v["score"], v["max"]); !strings.HasPrefix(first, want) {
			t.Errorf("%s: %q, but its board says %q; %s", spec, first, want, err)
		}
	}
}
