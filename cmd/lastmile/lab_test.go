package main

import (
	"encoding/json"
	"fmt"
	"testing"

	lab "lastmile/lab/engine"
	"lastmile/search"
)

// The lab's numbers are the command line's: each event of a trace is what the
// page has at that iteration, and the score after 200 iterations is that of
// polish, given the board, the seed and the portfolio that the page names.
func TestLabIsTheCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	type state struct {
		Text       string
		Iterations int64
		Score      int
		Best       int
		Operators  []search.Operator
	}
	for run, question := range []map[string]any{
		{"seed": 3, "damage": 0.6},
		{"seed": 11, "board": "blackwood-470", "damage": 0.9, "operators": []string{"ring", "scattered", "worst-band"}},
	} {
		call := func(e *lab.Engine, method string, params any) (s state) {
			text, err := json.Marshal(params)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := e.Call(method, text)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(answer, &s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		e := lab.New(nil)
		page := call(e, "repair.open", question)
		file := fmt.Sprintf("%d.trace", run)
		args := []string{"polish", page.Text, "--streams", "1", "--seed", fmt.Sprint(question["seed"]), "--iterations", "200", "--trace", file, "--json", "-q"}
		if names, ok := question["operators"].([]string); ok {
			for _, n := range names {
				args = append(args, "--operators", n)
			}
		}
		v := object(t, 0, args...)
		events := readTrace(t, file)[0]
		if len(events) < 100 {
			t.Fatalf("%d events", len(events))
		}
		for _, m := range events {
			page = call(e, "repair.step", map[string]any{"iterations": m.Iterations - page.Iterations})
			if page.Iterations != m.Iterations || page.Score != m.Score || page.Best != m.Best || fmt.Sprint(page.Operators) != fmt.Sprint(m.Operators) {
				t.Fatalf("run %d: the page has %+v, the command line %+v", run, page, m)
			}
		}
		if page.Iterations != 200 || float64(page.Best) != v["score"] {
			t.Errorf("run %d: best %d after %d iterations, polish %v", run, page.Best, page.Iterations, v["score"])
		}
	}
}
