package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// moved is what census moves prints of a board, by kind.
func moved(t *testing.T, args ...string) (document map[string]any, kinds map[string]map[string]any) {
	t.Helper()
	document = object(t, 0, append(append([]string{"census", "moves"}, args...), "--json")...)
	has(t, document, "name score max breaks held moves")
	kinds = map[string]map[string]any{}
	for _, m := range document["moves"].([]any) {
		m := m.(map[string]any)
		has(t, m, "kind cells tested improving neutral worsening best example")
		kinds[m["kind"].(string)] = m
	}
	return document, kinds
}

func TestCensusOfMoves(t *testing.T) {
	for args, want := range map[string][3]float64{ // tested turns, swaps, cells of 3-cycles
		"blackwood-470 --clues none":                {588, 307306, 17},
		"blackwood-470":                             {585, 304186, 17},
		"riotte-464":                                {573, 291866, 27},
		"blackwood-470 --radius 1 --clues none":     {588, 307306, 62},
		"blackwood-470 --cells 17,18-20":            {585, 304186, 4},
		"blackwood-470 --clues none --hold 0,1-254": {0, 0, 0},
	} {
		v, kinds := moved(t, strings.Fields(args)...)
		if got := [3]float64{kinds["turn"]["tested"].(float64), kinds["swap"]["tested"].(float64), kinds["3-cycle"]["cells"].(float64)}; got != want {
			t.Errorf("%s: %v, want %v", args, got, want)
		}
		if v["breaks"] != 480-v["score"].(float64) {
			t.Errorf("%s: %v", args, v)
		}
		for kind, m := range kinds {
			if m["improving"] != 0.0 || m["tested"] != m["neutral"].(float64)+m["worsening"].(float64) {
				t.Errorf("%s, %s: %v", args, kind, m)
			}
		}
	}
	if _, out, _ := lastmile(t, "", "census", "moves", "mcgavin-469", "--clues", "none"); !strings.Contains(out, "307,306") || !strings.Contains(out, "no cell held") {
		t.Errorf("no table in\n%s", out)
	}
}

// A board that moves improve names the best of them, and one that is solved has
// none; a puzzle of other pieces is read as by score.
func TestCensusOfMovesOnOtherSets(t *testing.T) {
	t.Chdir(t.TempDir())
	_, kinds := moved(t, "generated-3", "--radius", "1")
	if m := kinds["3-cycle"]; m["cells"] != 0.0 || len(m["example"].([]any)) != 0 {
		t.Errorf("a solved board: %v", m)
	}
	if status, _, err := lastmile(t, "", strings.Fields("generate --width 6 --height 6 --colours 5 --seed 3 -o six.json")...); status != 0 {
		t.Fatal(err)
	}
	status, out, err := lastmile(t, "", strings.Fields("build --greedy --puzzle six.json --json -q")...)
	if status != 0 {
		t.Fatal(err)
	}
	var built map[string]any
	if err := json.Unmarshal([]byte(out), &built); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("board", []byte(built["url"].(string)), 0o644); err != nil {
		t.Fatal(err)
	}
	v, kinds := moved(t, "board", "--puzzle", "six.json")
	if v["score"] != built["score"] || v["max"] != 60.0 {
		t.Errorf("%v, want the board of %v", v, built["score"])
	}
	for kind, size := range map[string]int{"turn": 1, "swap": 2, "3-cycle": 3} {
		if m := kinds[kind]; m["tested"].(float64) > 0 && len(m["example"].([]any)) != size {
			t.Errorf("%s: the example %v, want %d placements", kind, m["example"], size)
		}
	}
}

func TestCensusRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"census moves":                                         "no board",
		"census 2x2 blackwood-470":                             "a board goes with moves",
		"census --clues none":                                  "--clues goes with moves",
		"census --hold 3":                                      "--hold goes with moves",
		"census --radius 0":                                    "--radius goes with moves",
		"census --cells 3":                                     "--cells goes with moves",
		"census --metric manhattan":                            "--metric goes with moves",
		"census --puzzle-dialect csv":                          "--puzzle-dialect goes with moves",
		"census 3x3":                                           "2x2 or moves",
		"census moves nosuch":                                  "nosuch",
		"census moves blackwood-470 --clues five":              "does not hold",
		"census moves blackwood-470 --hold 256":                "--hold: cell 256",
		"census moves blackwood-470 --hold x":                  "--hold: \"x\"",
		"census moves blackwood-470 --hold=":                   "--hold: an empty value",
		"census moves blackwood-470 --cells 9-3":               "--cells: 9-3 falls",
		"census moves blackwood-470 --radius -1":               "--radius -1, want 0 or more",
		"census moves blackwood-470 --metric taxi --radius 1":  "chebyshev, manhattan",
		"census moves blackwood-470 --metric manhattan":        "--radius",
		"census moves blackwood-470 --radius 1 --cells 3":      "want one of them",
		"census moves blackwood-470 --puzzle-dialect csv":      "--puzzle",
		"census moves generated-3 --puzzle official --clues x": "--clues x",
	} {
		status, out, err := lastmile(t, "", strings.Fields(args)...)
		if status != 2 || out != "" || strings.Count(err, "\n") != 1 || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, out %q, want status 2 and one line with %q:\n%s", args, status, out, want, err)
		}
	}
}

// A census that is interrupted prints nothing, as part of a count is no count.
func TestCensusOfMovesStops(t *testing.T) {
	var o, e bytes.Buffer
	stopped := func() (context.Context, func()) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx, func() {}
	}
	status := run([]string{"census", "moves", "blackwood-470"}, &terminal{strings.NewReader(""), &o, &e, stopped})
	if status != 1 || o.Len() > 0 || !strings.Contains(e.String(), "stopped") {
		t.Errorf("status %d, out %q, %s", status, o.String(), e.String())
	}
	if status := run([]string{"census", "moves", "blackwood-470"}, &terminal{strings.NewReader(""), broken{}, &e, func() (context.Context, func()) { return context.Background(), func() {} }}); status != 1 {
		t.Errorf("a full output: status %d, want 1", status)
	}
}
