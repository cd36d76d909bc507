package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/certify/solver"
	"lastmile/puzzle"
)

// ruled runs certify, which must end with a status.
func ruled(t *testing.T, want int, args string) map[string]any {
	t.Helper()
	v := object(t, want, append(strings.Fields("certify --json -q"), strings.Fields(args)...)...)
	has(t, v, "verdict freed breaks bound proof checked seconds seams floor best optimal question radius metric solver engine engines steps why "+
		"pinned score max board url clues clues_held threads reproducible stopped warnings")
	return v
}

// files lists what lies in a folder.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestCertifySmallBoards(t *testing.T) {
	swapped := small(t)
	own := func(region string) float64 { return breaksOf(swapped, region) }
	for args, want := range map[string]struct {
		verdict     string
		freed       float64
		breaks      float64
		floor, best float64
	}{
		"swapped.json --cells 6,7,13,18":                             {"found", 4, own("6,7,13,18"), 0, 0},
		"swapped.json --cells 6,7,13,18 --question perfect":          {"found", 4, own("6,7,13,18"), 0, 0},
		"swapped.json --cells 7":                                     {"proven", 1, own("7"), own("7"), own("7")},
		"swapped.json --cells 7 --engine ledger":                     {"proven", 1, own("7"), own("7"), own("7")},
		"swapped.json --cells 7 --engine both":                       {"proven", 1, own("7"), own("7"), own("7")},
		"swapped.json --radius 0":                                    {"found", -1, float64(swapped.Breaks()), 0, 0},
		"swapped.json":                                               {"found", -1, float64(swapped.Breaks()), 0, 0},
		"swapped.json --metric manhattan":                            {"found", -1, float64(swapped.Breaks()), 0, 0},
		"swapped.json --cells 7,12 --pin":                            {"proven", 1, own("7"), own("7"), own("7")},
		"swapped.json --cells 7,12 --pin --clues none --engine both": {"found", 2, own("7,12"), -1, -1},
		"solved.json":                                                         {"proven", 0, 0, 0, 0},
		"solved.json --cells 3-9":                                             {"proven", 7, 0, 0, 0},
		"solved.json --question perfect":                                      {"found", 0, 0, 0, 0},
		"solved.json --cells 3-9 --question perfect":                          {"found", 7, 0, 0, 0},
		"holes.json --radius 0 --engine both":                                 {"found", -1, -1, 0, 0},
		"holes.json --cells 24 --engine both":                                 {"found", 2, -1, -1, -1},
		"swapped.json --cells 6,7,13,18 --engine both --question perfect":     {"found", 4, own("6,7,13,18"), 0, 0},
		"swapped.json --cells 7 --engine both --question perfect":             {"proven", 1, own("7"), -1, own("7")},
		"swapped.json --cells 6,7,13,18 --engine ledger --threads 2":          {"found", 4, own("6,7,13,18"), 0, 0},
		"holes.json --cells 6,13,18 --solver gophersat --memory 500MB -o x":   {"found", 5, -1, 0, 0},
		"holes.json --cells 6,13,18 --solver gophersat --max-proof 1GiB":      {"found", 5, -1, 0, 0},
		"swapped.json --cells 0-5,10,11 --solver gophersat --engine both":     {"", 8, own("0-5,10,11"), -1, -1},
		"swapped.json --cells 2,3,7-9,12,14 --solver gophersat --engine both": {"", 7, own("2,3,7-9,12,14"), -1, -1},
	} {
		v := ruled(t, 0, args)
		for key, want := range map[string]float64{"freed": want.freed, "breaks": want.breaks, "floor": want.floor, "best": want.best} {
			if want >= 0 && v[key] != want {
				t.Errorf("%s: %s %v, want %v", args, key, v[key], want)
			}
		}
		if want.verdict != "" && v["verdict"] != want.verdict {
			t.Errorf("%s: %v, want %s", args, v["verdict"], want.verdict)
		}
		if floor := v["floor"].(float64); (v["bound"] == nil) != (floor == 0) || floor > 0 && v["bound"] != floor-1 {
			t.Errorf("%s: bound %v with a floor of %v", args, v["bound"], floor)
		}
		found := v["verdict"] == "found"
		if found != (v["score"] != nil) || found != (v["url"] != "") || v["proof"] != nil || v["why"] != "" || v["stopped"] != false {
			t.Errorf("%s: %v", args, v)
		}
		if found {
			// What the region lost the whole board lost.
			var start map[string]any
			if _, out, _ := lastmile(t, "", "score", strings.Fields(args)[0], "--json"); json.Unmarshal([]byte(out), &start) != nil {
				t.Fatal(out)
			}
			if gain := v["breaks"].(float64) - v["best"].(float64); v["score"] != start["score"].(float64)+gain {
				t.Errorf("%s: score %v from %v, with %v breaks less", args, v["score"], start["score"], gain)
			}
			if scored := object(t, 0, "score", v["url"].(string), "--json"); scored["score"] != v["score"] {
				t.Errorf("%s: the link scores %v, want %v", args, scored["score"], v["score"])
			}
		}
		if question := strings.Contains(args, "perfect"); question != (v["question"] == "perfect") || !question && v["optimal"] != true {
			t.Errorf("%s: %v", args, v)
		}
	}
	if v := object(t, 0, "score", "x", "--json"); v["score"] != 40.0 {
		t.Errorf("--board: %v", v)
	}
}

func TestCertifyWords(t *testing.T) {
	small(t)
	for args, words := range map[string]string{
		"swapped.json --cells 7":                                 "1 cell freed: |proven: no refill of this cell has fewer than|the board is optimal there",
		"swapped.json --cells 6,7,13,18":                         "found: a refill of these 4 cells with 0 breaks instead of|none has fewer|score 40 of 40, 0 breaks|https://",
		"swapped.json --cells 6,7,13,18 --question perfect":      "found: a refill of these 4 cells without a break",
		"swapped.json --cells 7 --question perfect":              "is perfect; each has at least",
		"swapped.json --cells 7,12 --pin":                        "1 cell freed, 1 clue pinned",
		"solved.json":                                            "nothing can be better",
		"solved.json --cells 5":                                  "none of the seams of this cell is broken, so nothing can be better",
		"solved.json --cells 5 --question perfect":               "found: the board itself",
		"swapped.json --cells 7 --engine both":                   "says that the best refill has|the exhaustion says that",
		"swapped.json --cells 7 --engine ledger":                 "by exhaustion",
		"blackwood-470 --question perfect":                       "62 cells freed: 10 are broken of their 133 seams now|each has at least 1 break|shown by 1 step by proof|each proof was checked, and none kept: --out",
		"holes.json --cells 24 --question better":                "are broken or open of their",
		"blackwood-470 --question perfect --out kept":            "certificate: kept/perfect-62-|to check it again: lastmile certify --check kept/perfect-62-",
		"riotte-464 --cells 2,3 --board none --solver gophersat": "nothing can be better",
	} {
		status, out, err := lastmile(t, "", append([]string{"certify", "-q"}, strings.Fields(args)...)...)
		note := strings.Contains(args, "--board")
		if status != 0 || note != strings.Contains(err, "none is not written") || !note && err != "" {
			t.Errorf("%s: status %d: %s", args, status, err)
		}
		for words := range strings.SplitSeq(words, "|") {
			if !strings.Contains(out, words) {
				t.Errorf("%s: no %q in\n%s", args, words, out)
			}
		}
	}
	// What is not decided is a failure, and says between what.
	status, out, err := lastmile(t, "", strings.Fields("certify mcgavin-469 --radius 2 --time 50ms -q")...)
	if status != 1 || err != "" || !strings.Contains(out, "open: the best refill of these 79 cells has") || !strings.Contains(out, "to 11 breaks; time ran out") {
		t.Errorf("status %d: %s%s", status, out, err)
	}
}

// kept makes a certificate of a record board, and returns its manifest.
func kept(t *testing.T, more ...string) string {
	t.Helper()
	v := ruled(t, 0, "mcgavin-469 --question perfect --out kept "+strings.Join(more, " "))
	proof, _ := v["proof"].(string)
	if v["verdict"] != "proven" || v["checked"] != true || proof == "" {
		t.Fatalf("%v", v)
	}
	return proof
}

func TestCertifyCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	proof := kept(t)
	status, out, err := lastmile(t, "", "certify", "-q", "--check", proof, "mcgavin-469")
	for _, words := range []string{"Of the 111 seams of these 50 cells", "holds: 1 step by proof of a solver", "of the pieces of Eternity II, scores 469 of 480", "https://"} {
		if status != 0 || err != "" || !strings.Contains(out, words) {
			t.Errorf("status %d, no %q in %s%s", status, words, out, err)
		}
	}
	v := object(t, 0, "certify", "--check", proof, "--json", "-q")
	if v["holds"] != true || v["freed"] != 50.0 || v["breaks"] != 11.0 || v["floor"] != 1.0 || v["score"] != 469.0 || v["official"] != true {
		t.Errorf("%v", v)
	}

	drat, cnf := strings.TrimSuffix(proof, ".json")+"-1.drat", strings.TrimSuffix(proof, ".json")+"-1.cnf"
	read := func(path string) []byte {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	write := func(path string, text []byte) {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	good := map[string][]byte{proof: read(proof), drat: read(drat), cnf: read(cnf)}
	flipped := func(path string) []byte {
		text := bytes.Clone(good[path])
		text[len(text)/2] ^= 4
		return text
	}
	// A manifest that has been edited and sealed again.
	forged := func(edit func(m map[string]any)) []byte {
		var m map[string]any
		if err := json.Unmarshal(good[proof], &m); err != nil {
			t.Fatal(err)
		}
		edit(m)
		text, _ := json.Marshal(m)
		var real certify.Manifest
		if err := json.Unmarshal(text, &real); err != nil {
			t.Fatal(err)
		}
		r, err := real.Region()
		if err != nil {
			t.Fatal(err)
		}
		var sealed bytes.Buffer
		if err := (&certify.Result{Floor: real.Floor, Steps: real.Steps}).Certificate(r).Write(&sealed); err != nil {
			t.Fatal(err)
		}
		return sealed.Bytes()
	}
	for name, c := range map[string]struct {
		spoil  func()
		status int
		words  string
	}{
		"as it is":          {func() {}, 0, ""},
		"no formula":        {func() { os.Remove(cnf) }, 0, ""},
		"no proof":          {func() { os.Remove(drat) }, 1, "-1.drat"},
		"a proof cut short": {func() { write(drat, good[drat][:len(good[drat])/2]) }, 1, "bytes, want"},
		"a bit of it":       {func() { write(drat, flipped(drat)) }, 1, "its hash differs"},
		"a bit of the cnf":  {func() { write(cnf, flipped(cnf)) }, 1, "its hash differs"},
		"a link out":        {func() { write("else", good[drat]); os.Remove(drat); os.Symlink("../else", drat) }, 1, "escapes"},
		"a folder":          {func() { os.Remove(drat); os.Mkdir(drat, 0o755) }, 1, "is no file"},
		"a higher floor":    {func() { write(proof, forged(func(m map[string]any) { m["floor"] = 2 })) }, 1, "a floor of 1 breaks, not 2"},
		"another bound": {func() {
			write(proof, forged(func(m map[string]any) { m["steps"].([]any)[0].(map[string]any)["bound"] = 1 }))
		}, 1, "is not the formula"},
		"a file elsewhere": {func() {
			write(proof, forged(func(m map[string]any) {
				m["steps"].([]any)[0].(map[string]any)["proof"].(map[string]any)["name"] = "../else"
			}))
		}, 1, "../else"},
		"a broken seal":   {func() { write(proof, bytes.Replace(good[proof], []byte(`"floor": 1`), []byte(`"floor": 2`), 1)) }, 2, "seal"},
		"half a manifest": {func() { write(proof, good[proof][:500]) }, 2, "no manifest"},
		"another version": {func() { write(proof, bytes.Replace(good[proof], []byte(`"version": 1`), []byte(`"version": 9`), 1)) }, 2, "version 9"},
		"the proof":       {func() { write(proof, good[drat]) }, 2, "no manifest"},
	} {
		for path, text := range good {
			os.Remove(path)
			write(path, text)
		}
		c.spoil()
		status, out, err := lastmile(t, "", "certify", "-q", "--check", proof)
		if status != c.status || status > 0 && (out != "" || strings.Count(err, "\n") != 1 || !strings.Contains(err, c.words)) {
			t.Errorf("%s: status %d, want %d and %q: %s%s", name, status, c.status, c.words, out, err)
		}
		if status == 1 {
			if v := object(t, 1, "certify", "--json", "-q", "--check", proof); v["holds"] != false || !strings.Contains(v["why"].(string), c.words) {
				t.Errorf("%s: %v", name, v)
			}
		}
	}
	write(proof, good[proof])
	if status, _, err := lastmile(t, "", "certify", "-q", "--check", proof, "riotte-464"); status != 1 || !strings.Contains(err, "another board") {
		t.Errorf("another board: status %d, %s", status, err)
	}
	if status, out, err := until(0, "certify", "-q", "--check", proof); status != 1 || out != "" || !strings.Contains(err, "not checked: it was stopped") {
		t.Errorf("stopped: status %d, %s%s", status, out, err)
	}
}

// A new run keeps an older certificate, whole; one that is resumed goes on with
// it; what killed runs have left goes.
func TestCertifyFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	proof := kept(t)
	first := files(t, "kept")
	stem := strings.TrimSuffix(filepath.Base(proof), ".json")
	for _, name := range []string{stem + "-7.cnf", stem + "-7.drat", "." + stem + "-8.drat.123", "." + stem + ".json.55"} {
		if err := os.WriteFile(filepath.Join("kept", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	theirs := []string{"notes.txt", "better-50-00000000-1.drat", stem + "-1.drat.bak", "." + stem}
	for _, name := range theirs {
		os.WriteFile(filepath.Join("kept", name), nil, 0o644)
	}
	if v := ruled(t, 0, "mcgavin-469 --question perfect --out kept --resume"); v["verdict"] != "proven" || len(v["steps"].([]any)) != 1 || v["proof"] != proof {
		t.Errorf("%v", v)
	}
	want := len(first) + len(theirs)
	if now := files(t, "kept"); len(now) != want {
		t.Errorf("%v, want %v and %v", now, first, theirs)
	}
	_, _, err := lastmile(t, "", strings.Fields("certify mcgavin-469 --question perfect -q --out kept")...)
	if aside := filepath.Join("kept", stem+".1"); !strings.Contains(err, "it is kept in "+aside) {
		t.Error(err)
	} else if v := object(t, 0, "certify", "--json", "-q", "--check", filepath.Join(aside, stem+".json")); v["holds"] != true {
		t.Errorf("%v", v)
	}
	if now := files(t, "kept"); len(now) != want+1 {
		t.Errorf("%v", now)
	}
	if v := object(t, 0, "certify", "--json", "-q", "--check", proof); v["holds"] != true {
		t.Errorf("%v", v)
	}
	// What does not hold is not gone on from.
	drat := filepath.Join("kept", stem+"-1.drat")
	if err := os.WriteFile(drat, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, err := lastmile(t, "", strings.Fields("certify mcgavin-469 --question perfect -q --out kept --resume")...); status != 1 || !strings.Contains(err, "has 1 bytes") {
		t.Errorf("status %d, %s", status, err)
	}
	if err := os.WriteFile(proof, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, err := lastmile(t, "", strings.Fields("certify mcgavin-469 --question perfect -q --out kept --resume")...); status != 2 || !strings.Contains(err, "format") {
		t.Errorf("status %d, %s", status, err)
	}
	// A new run keeps even that.
	if status, _, err := lastmile(t, "", strings.Fields("certify mcgavin-469 --question perfect -q --out kept")...); status != 0 || !strings.Contains(err, "it is kept in ") {
		t.Errorf("status %d, %s", status, err)
	}
	if text, err := os.ReadFile(filepath.Join("kept", stem+".2", stem+".json")); string(text) != "{}" {
		t.Errorf("%q, %v", text, err)
	}
	// Where nothing was kept a run that is resumed begins.
	if status, _, err := lastmile(t, "", strings.Fields("certify mcgavin-469 --question perfect -q --out fresh --resume")...); status != 0 || !strings.Contains(err, "it begins anew") {
		t.Errorf("status %d, %s", status, err)
	}
}

// A file that the manifest on disk names is there until another manifest is. A
// disk that is full is said once, and the files stay.
func TestCertifyFolderIsWholeAtAllTimes(t *testing.T) {
	var said bytes.Buffer
	f := &folder{dir: t.TempDir(), name: "x", t: &terminal{err: &said}}
	write := func(name string, commit bool) {
		t.Helper()
		w, err := f.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, name)
		if !commit {
			w.Abort()
		} else if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	manifest := func(names ...string) *certify.Manifest {
		m := &certify.Manifest{}
		for _, name := range names {
			m.Steps = append(m.Steps, certify.Step{Proof: &certify.Content{Name: name}})
		}
		return m
	}
	there := func(want ...string) {
		t.Helper()
		if got := files(t, f.dir); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	write("x-1.drat", true)
	write("x-2.drat", false)
	there("x-1.drat")
	f.save(manifest("x-1.drat"))
	write("x-2.drat", true)
	f.Remove("x-1.drat")
	there("x-1.drat", "x-2.drat", "x.json")

	dir := f.dir
	f.dir = filepath.Join(dir, "full")
	f.save(manifest("x-2.drat"))
	f.save(manifest("x-2.drat"))
	if strings.Count(said.String(), "\n") != 1 || f.failed == nil {
		t.Errorf("%q, %v", said.String(), f.failed)
	}
	f.dir = dir
	there("x-1.drat", "x-2.drat", "x.json")
	f.save(manifest("x-2.drat"))
	there("x-2.drat", "x.json")
	if f.failed != nil {
		t.Error(f.failed)
	}
	write("x-3.drat", true)
	f.Remove("x-3.drat")
	there("x-2.drat", "x.json")
}

// Another run that is at work with the same certificate is not disturbed.
func TestCertifyHoldsItsFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	proof := kept(t)
	lock, err := hold(proof, "--out")
	if err != nil {
		t.Fatal(err)
	}
	defer release(lock)
	if status, _, err := lastmile(t, "", strings.Fields("certify mcgavin-469 --question perfect -q --out kept")...); status != 2 || !strings.Contains(err, "held by another run") {
		t.Errorf("status %d, %s", status, err)
	}
}

// A better board is there after a kill, and is gone on from.
func TestCertifyResumesTheBetterBoard(t *testing.T) {
	small(t)
	v := ruled(t, 0, "swapped.json --cells 6,7,13,18 --out kept -o best.json")
	if v["verdict"] != "found" || v["proof"] != nil { // a floor of 0 needs no proof
		t.Fatalf("%v", v)
	}
	now := files(t, "kept")
	if len(now) != 1 || !strings.HasSuffix(now[0], "-board.json") {
		t.Fatalf("%v", now)
	}
	for _, path := range []string{"best.json", filepath.Join("kept", now[0])} {
		if v := object(t, 0, "score", path, "--json"); v["score"] != 40.0 {
			t.Errorf("%s: %v", path, v)
		}
	}
	// It is gone on from, and a new run keeps it.
	if v := ruled(t, 0, "swapped.json --cells 6,7,13,18 --out kept --resume"); v["verdict"] != "found" || v["score"] != 40.0 || len(v["steps"].([]any)) != 0 {
		t.Errorf("%v", v)
	}
	_, _, err := lastmile(t, "", strings.Fields("certify -q swapped.json --cells 6,7,13,18 --out kept")...)
	if !strings.Contains(err, now[0]+" is of an earlier run; it is kept in kept") || len(files(t, "kept")) != 2 {
		t.Errorf("%v %s", files(t, "kept"), err)
	}
	// What lies there must be a refill.
	b := small(t)
	r, e := certify.NewRegion(b, []int{6, 7, 13, 18})
	if e != nil {
		t.Fatal(e)
	}
	f := &folder{dir: ".", name: "x"}
	if err := os.Rename("solved.json", "x-board.json"); err != nil {
		t.Fatal(err)
	}
	board, breaks, e := f.better(r)
	if e != nil || breaks != 0 || scoreOf(b.Puzzle(), board) != 40 {
		t.Errorf("%d breaks, %v", breaks, e)
	}
	if err := os.Rename("holes.json", "x-board.json"); err != nil {
		t.Fatal(err)
	}
	if _, _, e := f.better(r); e == nil {
		t.Error("a board with holes is no refill")
	}
}

// moody is a solver that now and then gives up.
type moody struct {
	certify.Solver
	chance *rand.Rand
}

func (m moody) Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
	if m.chance.IntN(3) > 0 {
		return certify.Answer{Why: "mood"}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	return m.Solver.Solve(ctx, f, proof, limits)
}

// However often a decision is broken off and taken up again, at every moment the
// manifest on disk holds, and all that lies there is of it.
func TestCertifyResumedAgainAndAgain(t *testing.T) {
	real, err := solver.Named("auto")
	if err != nil {
		t.Fatal(err)
	}
	record, _ := puzzle.RecordNamed("mcgavin-469")
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(record.Board)
	r, err := certify.NewRegion(b, b.Puzzle().Halo(b.BrokenCells(), 1, puzzle.Chebyshev))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	chance := rand.New(rand.NewPCG(1, 2))
	floor := 0
	for range 5 {
		f, err := openFolder(dir, "x", &terminal{err: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		holds := func(m *certify.Manifest) error {
			return certify.Check(t.Context(), m, os.DirFS(dir), 0, 1, nil)
		}
		var from certify.Result
		if floor > 0 {
			if from, err = f.resume(r, holds); err != nil {
				t.Fatal(err)
			}
		}
		res, err := certify.Decide(t.Context(), r, certify.Better, certify.Plan{
			Solver: moody{real, chance}, Store: f, Name: "x", From: from,
			Save: func(res certify.Result) {
				if len(res.Steps) > 0 {
					f.save(res.Certificate(r))
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		f.close()
		if res.Floor < floor {
			t.Errorf("a floor of %d, after one of %d", res.Floor, floor)
		}
		floor = res.Floor
		if len(res.Steps) == 0 {
			continue
		}
		m, err := readManifest(f.manifest())
		if err != nil {
			t.Fatal(err)
		}
		if err := holds(m); err != nil || m.Floor != floor {
			t.Errorf("floor %d, want %d: %v", m.Floor, floor, err)
		}
		if left := files(t, dir); len(left) != 1+len(namedBy(m)) {
			t.Errorf("%v, want %v and the manifest", left, namedBy(m))
		}
	}
	if floor == 0 {
		t.Error("nothing was proved: it shows nothing")
	}
}

// kill -9 in the middle, and --resume.
func TestCertifyKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	program, dir := binary(t), t.TempDir()
	args := strings.Fields("certify mcgavin-469 -q --json --out kept --time 8s")
	c := exec.Command(program, args...)
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	manifest := func() string {
		found, _ := filepath.Glob(filepath.Join(dir, "kept", "better-50-*.json"))
		if len(found) == 0 {
			return ""
		}
		return found[0]
	}
	for deadline := time.Now().Add(time.Minute); manifest() == "" && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // into the middle of another question
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	v := object(t, 0, "certify", "--check", manifest(), "--json", "-q")
	if v["holds"] != true || len(v["steps"].([]any)) == 0 {
		t.Fatalf("%v", v)
	}
	t.Chdir(dir)
	status, out, err := until(500*time.Millisecond, append(args, "--resume")...)
	var w map[string]any
	if e := json.Unmarshal([]byte(out), &w); e != nil || status != 1 || w["stopped"] != true || w["why"] != "stopped" {
		t.Fatalf("status %d: %s%s", status, out, err)
	}
	if len(w["steps"].([]any)) < len(v["steps"].([]any)) || w["floor"].(float64) < v["floor"].(float64) {
		t.Errorf("%v after %v", w, v)
	}
	m, e := readManifest(manifest())
	if e != nil {
		t.Fatal(e)
	}
	if left := files(t, "kept"); len(left) != 1+len(namedBy(m)) {
		t.Errorf("left behind %v", left)
	}
}

func TestCertifyStops(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, engine := range engineNames {
		status, out, err := until(0, "certify", "mcgavin-469", "-q", "--json", "--engine", engine, "--out", "kept")
		var v map[string]any
		if e := json.Unmarshal([]byte(out), &v); e != nil || status != 1 || v["verdict"] != "open" || v["why"] != "stopped" || v["stopped"] != true || err != "" {
			t.Errorf("%s: status %d: %s%s", engine, status, out, err)
		}
	}
	if left := files(t, "kept"); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}

// A solver that errs on what is known is asked nothing.
func TestCertifyControl(t *testing.T) {
	small(t)
	if _, err := solver.FindCadical("sh"); err == nil || !strings.Contains(err.Error(), "version") {
		t.Skip("no shell")
	}
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --version ] && { echo 9; exit; }\ncat >/dev/null; exit 20\n"
	if err := os.WriteFile(filepath.Join(bin, "cadical"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	status, out, err := lastmile(t, "", strings.Fields("certify swapped.json -q")...)
	if status != 1 || out != "" || !strings.Contains(err, "fails its control") || !strings.Contains(err, "cadical 9") {
		t.Errorf("status %d: %s%s", status, out, err)
	}
	t.Setenv("PATH", t.TempDir())
	if status, _, err := lastmile(t, "", strings.Fields("certify swapped.json -q --solver cadical")...); status != 2 || !strings.Contains(err, "not installed") {
		t.Errorf("status %d: %s", status, err)
	}
	if v := ruled(t, 0, "swapped.json"); !strings.HasPrefix(v["solver"].(string), "gophersat") {
		t.Errorf("%v", v)
	}
}

func TestEnginesAgree(t *testing.T) {
	for _, c := range []struct {
		x, y [2]int // floor and best
		want bool
	}{
		{[2]int{3, 5}, [2]int{4, 4}, true}, {[2]int{0, 9}, [2]int{9, 9}, true},
		{[2]int{3, 3}, [2]int{4, 4}, false}, {[2]int{5, 6}, [2]int{0, 4}, false},
	} {
		a := &inquiry{engines: []engine{{Name: "one", Floor: c.x[0], Best: c.x[1]}, {Name: "other", Floor: c.y[0], Best: c.y[1]}}}
		err := a.agree()
		if (err == nil) != c.want || err != nil && (!strings.Contains(err.Error(), "one says") || !strings.Contains(err.Error(), "other says")) {
			t.Errorf("%v: %v", c, err)
		}
	}
	const found, proven, open = certify.Found, certify.Proven, certify.Open
	steps := []certify.Step{{By: certify.Exhaustion}}
	for _, c := range []struct{ x, y, want certify.Result }{
		{certify.Result{Verdict: open, Floor: 2, Best: 9, Why: "time"}, certify.Result{Verdict: proven, Floor: 9, Best: 9, Steps: steps}, certify.Result{Verdict: proven, Floor: 9, Best: 9, Steps: steps}},
		{certify.Result{Verdict: open, Floor: 2, Best: 9, Why: "time"}, certify.Result{Verdict: found, Best: 2, Why: "time"}, certify.Result{Verdict: found, Floor: 2, Best: 2}},
		{certify.Result{Verdict: found, Floor: 2, Best: 4, Why: "time"}, certify.Result{Verdict: open, Best: 9, Why: "time"}, certify.Result{Verdict: found, Floor: 2, Best: 4, Why: "time"}},
		{certify.Result{Verdict: open, Floor: 2, Best: 9, Why: "memory"}, certify.Result{Verdict: open, Best: 9, Why: "time"}, certify.Result{Verdict: open, Floor: 2, Best: 9, Why: "memory"}},
	} {
		got := (&inquiry{}).merged(c.x, c.y)
		if got.Verdict != c.want.Verdict || got.Floor != c.want.Floor || got.Best != c.want.Best || got.Why != c.want.Why || len(got.Steps) != len(c.want.Steps) {
			t.Errorf("%+v and %+v: %+v, want %+v", c.x, c.y, got, c.want)
		}
	}
}

// Other puzzles, with their pieces in the text or by --puzzle.
func TestCertifyOtherPuzzles(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, _, err := lastmile(t, "", "convert", "generated-3", "--to", "json", "-o", "three.json"); status != 0 {
		t.Fatal(err)
	}
	for args, status := range map[string]int{
		"generated-3 --cells 17-20":                     0,
		"generated-3 --cells 17-20 --puzzle three.json": 0,
		"generated-4 --cells 17-20 --puzzle three.json": 2,
	} {
		if got, out, err := lastmile(t, "", append([]string{"certify", "-q"}, strings.Fields(args)...)...); got != status {
			t.Errorf("%s: status %d, want %d: %s%s", args, got, status, out, err)
		}
	}
}

func TestBadCertify(t *testing.T) {
	small(t)
	_, letters, _ := lastmile(t, "", "convert", "mcgavin-469", "--to", "edges")
	letters = strings.TrimSpace(letters)
	twice := letters[:4*100] + letters[4*101:4*102] + letters[4*101:]
	turned := letters[:1] + letters[3:4] + letters[1:3] + letters[4:]
	before := files(t, ".")
	for _, c := range []struct{ args, want string }{
		{"", "no board"},
		{"riotte-464 --radius=-1", "want 0 or more"},
		{"riotte-464 --radius 1 --cells 3", "want one of them"},
		{"riotte-464 --radius 1 --metric euclid", "chebyshev, manhattan"},
		{"riotte-464 --cells 3 --metric manhattan", "goes with --radius"},
		{"riotte-464 --cells 256", "want 0 to 255"},
		{"riotte-464 --question best", "better, perfect"},
		{"riotte-464 --engine steam", "proof, ledger, both"},
		{"riotte-464 --solver minisat", "cadical, gophersat"},
		{"riotte-464 --engine ledger --solver gophersat", "--solver gophersat"},
		{"riotte-464 --clues five", "goes with --pin"},
		{"blackwood-470 --clues five --pin", "does not hold"},
		{"riotte-464 --resume", "goes with --out"},
		{"riotte-464 --resume --out x --engine ledger", "--resume"},
		{"riotte-464 --out solved.json", "--out: "},
		{"riotte-464 --board -", "want a file"},
		{"riotte-464 --board no/where", "--board: "},
		{"riotte-464 --time=-1s", "--time"},
		{"riotte-464 --time 0", "more than 0"},
		{"riotte-464 --memory 0", "more than 0"},
		{"riotte-464 --memory lots", "500MB or 2GiB"},
		{"riotte-464 --max-proof=-1", "500MB or 2GiB"},
		{"riotte-464 --threads 1000", "0 to 256"},
		{"riotte-464 --puzzle solved.json", "--puzzle"},
		{"riotte-464 --keep 5", "unknown flag"},
		{"nowhere", "no such file"},
		{"nowhere --check x", "no such file"},
		{"--check nowhere.json", "no such file"},
		{"--check .", "is a directory"},
		{"--check solved.json", "solved.json: no manifest"},
		{"--check x --radius 1", "--radius goes with a question"},
		{"--check x --out y", "--out goes with a question"},
		{"--check x --puzzle solved.json", "goes with a board"},
		{twice, "cell 101"},
		{turned, "frame rule"},
	} {
		status, out, err := lastmile(t, "", append([]string{"certify"}, strings.Fields(c.args)...)...)
		if status != 2 || out != "" || strings.Count(err, "lastmile: ") != 1 || !strings.Contains(err, c.want) || strings.Contains(err, "certify: ") {
			t.Errorf("%.80s: status %d, out %q, want status 2 and one line with %q:\n%s", c.args, status, out, c.want, err)
		}
	}
	if after := files(t, "."); len(after) != len(before) {
		t.Errorf("files left behind: %v", after)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]size{
		"0": 0, "4096": 4096, "7B": 7, "2GiB": 2 << 30, "2gib": 2 << 30, "500MB": 500e6, "1.5 KiB": 1536, "1kb": 1000, "3TB": 3e12, "1TiB": 1 << 40,
	} {
		var s size
		if err := s.UnmarshalText([]byte(text)); err != nil || s != want {
			t.Errorf("%s: %d, %v, want %d", text, s, err, want)
		}
	}
	for _, text := range []string{"", "GB", "-1", "-1MB", "1e30", "nan", "infGB", "5XB", "five", "1 2", "9999999999TiB"} {
		var s size
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was taken for %d bytes", text, s)
		}
	}
	for s, want := range map[size]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 2_345_678: "2.3 MB", 5e9: "5.0 GB"} {
		if s.String() != want {
			t.Errorf("%s, want %s", s, want)
		}
	}
}

func FuzzSize(f *testing.F) {
	f.Add("2GiB")
	f.Add("1.5e3 kb")
	f.Fuzz(func(t *testing.T, text string) {
		var s size
		if err := s.UnmarshalText([]byte(text)); err == nil && s < 0 {
			t.Errorf("%q: %d", text, s)
		}
	})
}
