package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/notation"
	"lastmile/puzzle"
)

// decided is what polish --certify says it has decided.
func decided(t *testing.T, v map[string]any) []map[string]any {
	t.Helper()
	has(t, v, "score breaks board start stream gained iterations operators trace certified optimal")
	var all []map[string]any
	for _, c := range v["certified"].([]any) {
		has(t, c.(map[string]any), "score radius freed verdict floor best breaks")
		all = append(all, c.(map[string]any))
	}
	return all
}

// A few iterations on single cells do not mend the board; a decision does, by the
// ledger and by a solver.
func TestPolishCertifyMends(t *testing.T) {
	small(t)
	args := strings.Fields("polish swapped.json --largest 1 --streams 1 --iterations 20 --json -q")
	if v := object(t, 0, args...); v["score"] == v["max"] {
		t.Fatal("mended without: the test shows nothing")
	}
	for _, more := range []string{"--certify", "--certify --time 1h", "--certify --time 1h --solver gophersat", "--certify --clues none"} {
		v := object(t, 0, append(args, strings.Fields(more)...)...)
		if all := decided(t, v); v["score"] != v["max"] || v["optimal"] != true || v["stream"] != -1.0 || len(all) == 0 || all[0]["verdict"] != "found" {
			t.Errorf("%s: %v", more, v)
		}
		if v["clues_held"] != v["clues"] {
			t.Errorf("%s: %v of %v clues held", more, v["clues_held"], v["clues"])
		}
		if v["reproducible"] != !strings.Contains(more, "--time") {
			t.Errorf("%s: reproducible %v", more, v["reproducible"])
		}
	}
}

// mirrored writes the board mirrored.json of a puzzle that cannot be solved: two of
// its inner pieces are mirror images of what they should be.
func mirrored(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 4, Height: 4, Colours: 7, RimColours: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	pieces := slices.Clone(p.Pieces)
	for _, cell := range []int{5, 10} {
		e := &pieces[solution[cell].Piece]
		e[puzzle.Up], e[puzzle.Right] = e[puzzle.Right], e[puzzle.Up]
	}
	if p, err = puzzle.New("mirrored", 4, 4, pieces, nil); err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	var text bytes.Buffer
	if err := notation.Write(&text, notation.FromBoard(b, "mirrored"), "json"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("mirrored.json", text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is proven is said, and its certificates hold.
func TestPolishCertifyProves(t *testing.T) {
	mirrored(t)
	for _, bound := range []string{"--iterations 20", "--iterations 20 --time 1h", "--iterations 20 --time 1h --solver gophersat"} {
		args := append(strings.Fields("polish mirrored.json --certify -q --certificates kept"), strings.Fields(bound)...)
		status, out, err := lastmile(t, "", args...)
		if status != 0 || !strings.Contains(out, "proven: no board has fewer than") {
			t.Errorf("%s: status %d\n%s%s", bound, status, out, err)
		}
		v := object(t, 0, append(args, "--json")...)
		all := decided(t, v)
		last := all[len(all)-1]
		if v["optimal"] != true || last["verdict"] != "proven" || last["freed"] != 16.0 || last["floor"] != v["breaks"] {
			t.Errorf("%s: %v", bound, v)
		}
	}
	manifests, err := filepath.Glob("kept/*.json")
	if err != nil || len(manifests) < 6 { // each run has names of its own
		t.Fatalf("%v, %v", manifests, err)
	}
	for _, path := range manifests {
		if status, out, err := lastmile(t, "", "certify", "--check", path); status != 0 {
			t.Errorf("%s: status %d\n%s%s", path, status, out, err)
		}
	}
	for _, pattern := range []string{"kept/*.lock", "kept/.*", "*.checkpoint*"} {
		if left, _ := filepath.Glob(pattern); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestSayingWhatIsProven(t *testing.T) {
	mirrored(t)
	// Nothing can be said of a board that no time was left for.
	status, out, err := lastmile(t, "", strings.Fields("polish mirrored.json --certify -q --time 1ns")...)
	if status != 0 || !strings.Contains(out, "open: nothing was decided") {
		t.Errorf("status %d\n%s%s", status, out, err)
	}
}

func TestBadPolishCertify(t *testing.T) {
	small(t)
	for _, c := range []struct{ args, want string }{
		{"--patience 5", "--patience goes with --certify"},
		{"--solver auto --time 1s", "--solver goes with --certify"},
		{"--certificates x", "--certificates goes with --certify"},
		{"--certify --patience 0 --iterations 5", "--patience 0, want 1"},
		{"--certify --iterations 5 --solver auto", "no solver is asked"},
		{"--certify --time 1s --solver oracle", "want cadical, gophersat"},
		{"--certify --time 1s --certificates swapped.json", "--certificates"},
		{"--certify --nodes 5", "--iterations"},
		{"--certify --iterations 5 --resume", "no such checkpoint"},
	} {
		status, _, err := lastmile(t, "", append(strings.Fields("polish swapped.json -q"), strings.Fields(c.args)...)...)
		if status != 2 || !strings.Contains(err, c.want) || strings.Count(err, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, err, c.want)
		}
	}
	// A saved run goes on with its own flags alone.
	run := strings.Fields("polish swapped.json --certify --iterations 50 --checkpoint run -q")
	stopped(t, run...)
	for more, want := range map[string]string{"--patience 7": "had no --patience", "--seed 2": "had --seed 1"} {
		if status, _, err := lastmile(t, "", append(append(slices.Clone(run), strings.Fields(more)...), "--resume")...); status != 2 || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, %q, want %q", more, status, err, want)
		}
	}
	plain := strings.Fields("polish swapped.json --iterations 50 --checkpoint run -q --resume")
	if status, _, err := lastmile(t, "", plain...); status != 2 || !strings.Contains(err, "polish-certify") {
		t.Errorf("resumed without --certify: status %d, %q", status, err)
	}
	text, err := os.ReadFile("run")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("run", bytes.Replace(text, []byte(`"radius":0`), []byte(`"radius":-1`), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, err := lastmile(t, "", append(run, "--resume")...); status != 2 || !strings.Contains(err, "run: damaged") {
		t.Errorf("damaged: status %d, %q", status, err)
	}
}

// kill -9 in walks and in decisions, and --resume: the board, the proofs and the
// trace are those of an unbroken run.
func TestPolishCertifyKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program several times")
	}
	program := binary(t)
	args := strings.Fields("polish riotte-464 --certify --patience 1 --iterations 600000 --seed 4 --trace run.trace --json --quiet --every 20ms --checkpoint run.checkpoint")
	result := func(dir string, more ...string) map[string]any {
		c := exec.Command(program, append(args, more...)...)
		c.Dir = dir
		var errors bytes.Buffer
		c.Stderr = &errors
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", more, err, errors.String())
		}
		var v map[string]any
		if err := json.Unmarshal(out, &v); err != nil {
			t.Fatal(err)
		}
		kept := map[string]any{}
		for _, key := range strings.Fields("board score stream gained iterations certified optimal") {
			kept[key] = v[key]
		}
		return kept
	}
	unbroken, dir := t.TempDir(), t.TempDir()
	whole := result(unbroken, "--threads", "2")
	path := filepath.Join(dir, "run.checkpoint")
	kills := 0
	for ; kills < 4; kills++ {
		more := args
		if _, err := os.Stat(path); err == nil {
			more = append(slices.Clone(args), "--resume")
		}
		before, _ := os.ReadFile(path)
		c := exec.Command(program, more...)
		c.Dir = dir
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
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
		time.Sleep(time.Duration(kills) * 100 * time.Millisecond) // not always after a save
		c.Process.Kill()
		<-done
	}
	if kills == 0 {
		t.Fatal("over before it could be killed")
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("over before it could be resumed")
	}
	if resumed := result(dir, "--resume"); !reflect.DeepEqual(resumed, whole) {
		t.Errorf("after %d kills: %v, want %v", kills, resumed, whole)
	}
	if got, want := readTrace(t, filepath.Join(dir, "run.trace")), readTrace(t, filepath.Join(unbroken, "run.trace")); len(want) < 8 || !reflect.DeepEqual(got, want) {
		t.Errorf("after %d kills: another trace, of %d streams, want %d", kills, len(got), len(want))
	}
}
