package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestVirusPerft(t *testing.T) {
	for args, want := range map[string]string{
		"virus perft 5":               "23040\n",
		"virus perft 3 --rules ataxx": "6460\n",
		"virus perft 1 --size 3":      "5\n",
		"virus perft 1 --divide":      "f1 1\nf2 1\ng2 1\na6 1\nb6 1\nb7 1\n6\n",
		"virus perft 2 --moves b7":    "42\n",
		"virus perft 2 --moves b6":    "60\n",
	} {
		status, out, said := lastmile(t, "", strings.Fields(args)...)
		if status != 0 || out != want {
			t.Errorf("%s: status %d, %q, %s, want %q", args, status, out, said, want)
		}
	}
	// A gap in the corner is no flag, wherever it stands.
	if status, out, said := lastmile(t, "", "virus", "perft", "--rules", "ataxx", "1", "---/xo1/--- o 0 1", "--divide"); status != 0 || out != "c2 1\n1\n" {
		t.Errorf("status %d, %q, %s", status, out, said)
	}
	// But -o with a path at once is one, for other commands.
	t.Chdir(t.TempDir())
	if status, _, said := lastmile(t, "", "convert", "riotte-464", "--to", "edges", "-o./board"); status != 0 {
		t.Errorf("status %d, %s", status, said)
	}
	_, out, _ := lastmile(t, "", "virus", "perft", "3", "x5o/7/7/7/7/7/o5x x 0 1", "--json")
	var answer struct {
		Position string
		Nodes    int64
		Moves    []struct{ Nodes int64 }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Nodes != 288 || len(answer.Moves) != 6 || answer.Moves[0].Nodes != 42 {
		t.Errorf("%v, %s", err, out)
	}
}

// The 4x4 start is lost by having to move.
func TestVirusSolve(t *testing.T) {
	status, out, said := lastmile(t, "", "virus", "solve", "--size", "4", "--json")
	var answer struct {
		Value, Pass int
		Move        string
		Zugzwang    bool
		Nodes       int64
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || status != 0 || answer.Value != -8 || answer.Pass != 8 || !answer.Zugzwang || answer.Nodes == 0 {
		t.Errorf("status %d, %v, %s%s", status, err, out, said)
	}
	for fen, want := range map[string]string{
		"xxx/xxx/xxx o 0 1": "-9 (",      // over
		"xo1/oo1/ooo x 0 1": "0000  -7 ", // a pass, and no other
		"x1o/3/o1x x 0 1":   " with a pass",
		"---/xo1/--- o 0 1": "c2  ",
	} {
		status, out, said := lastmile(t, "", "virus", "solve", fen)
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %q, %s, want %q", fen, status, out, said, want)
		}
	}
	if status, out, said := lastmile(t, "", "virus", "solve", "--nodes", "2000"); status != 1 || out != "" || !strings.Contains(said, "not solved: the bound of nodes, 2000, is too low") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
	if status, out, said := lastmile(t, "", "virus", "solve", "--time", "20ms"); status != 1 || out != "" || !strings.Contains(said, "20ms is over") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
}

func TestVirusSearch(t *testing.T) {
	type result struct {
		Move  string
		Value float64
		Depth int
		Nodes int64
		Line  []string
	}
	search := func(args ...string) (r result) {
		t.Helper()
		status, out, said := lastmile(t, "", append([]string{"virus", "search", "--json", "-q"}, args...)...)
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 {
			t.Fatalf("%v: status %d, %v, %s%s", args, status, err, out, said)
		}
		return r
	}
	a, b := search("--nodes", "5000"), search("--nodes", "5000")
	if a.Move != b.Move || a.Nodes != b.Nodes || a.Depth < 3 || len(a.Line) == 0 || a.Line[0] != a.Move {
		t.Errorf("%+v, then %+v", a, b)
	}
	if r := search("--size", "4", "--depth", "30"); r.Value != -8 {
		t.Errorf("4x4: %+v", r)
	}
	if r := search("--size", "4", "--depth", "30", "--settings", "null=verified,r=3,table=0"); r.Nodes == 0 {
		t.Errorf("4x4: %+v", r)
	}
	if r := search("xo1/oo1/ooo x 0 1", "--depth", "3"); r.Move != "0000" || r.Value >= -6 {
		t.Errorf("a pass: %+v", r)
	}
	_, _, said := lastmile(t, "", "virus", "search", "--depth", "3")
	if lines := strings.Count(said, "\n"); lines != 3 || !strings.Contains(said, "depth  3") {
		t.Errorf("progress %q", said)
	}
}

func TestBadVirus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"perft", "0"}, "depth 0, want 1 to 30 plies"},
		{[]string{"perft", "31"}, "depth 31"},
		{[]string{"perft", "-3"}, "-3"},
		{[]string{"perft", "much"}, "much"},
		{[]string{"perft", "3", "--rules", "chess"}, "--rules chess, want virus or ataxx"},
		{[]string{"perft", "3", "--size", "9"}, "--size 9, want a width and a height of 3 to 8"},
		{[]string{"perft", "3", "--size", "4x"}, "--size 4x"},
		{[]string{"perft", "3", "x1o/3/o1x x 0 1", "--size", "4"}, "its own size"},
		{[]string{"perft", "3", "x1o/3/o2x x 0 1"}, "rank 1 of the position"},
		{[]string{"perft", "3", "--moves", "a1"}, "--moves: 1: move a1: a1 is not empty"},
		{[]string{"perft", "3", "--moves", "b7,b7"}, "--moves: 2: move b7"},
		{[]string{"perft", "3", "--moves", "b7,,"}, "--moves: 2"},
		{[]string{"search", "xxx/xxx/xxx o 0 1"}, "the game is over"},
		{[]string{"search", "--depth", "101"}, "want 1 to 100"},
		{[]string{"search", "--depth", "0"}, "--depth"},
		{[]string{"search", "--nodes", "-5"}, "-5"},
		{[]string{"search", "--time", "-5s"}, "-5s"},
		{[]string{"search", "--settings", "null=maybe"}, "maybe"},
		{[]string{"search", "--settings", "r=2"}, "null moves are off"},
		{[]string{"search", "nonsense"}, "1 parts"},
		{[]string{"solve", "--rules", "ataxx"}, "only virus is solved"},
		{[]string{"solve", "--nodes", "-1"}, "-1"},
		{[]string{"search", "--settings", "table=30"}, "transposition tables of"},
		{[]string{"search", ""}, "an empty argument"},
		{[]string{"match", "", "plain"}, "an empty argument"},
		{[]string{"search", "-q1/3/3 x"}, "'q' is none of"},
		{[]string{"search", "x1é/3/3 x"}, "'é' is none of"},
		{[]string{"play", "--fen", "-x1/3/o1 x"}, "rank 1 of the position"},
		{[]string{"solve", "--time", "-1s"}, "-1s"},
		{[]string{"solve", "\x1b[31mred"}, "parts"},
	} {
		status, out, said := lastmile(t, "", append([]string{"virus"}, c.args...)...)
		if status != 2 || out != "" || !strings.Contains(said, c.want) || strings.Count(said, "\n") != 1 || strings.Contains(said, "\x1b") {
			t.Errorf("%v: status %d, %q, %q, want %q", c.args, status, out, said, c.want)
		}
	}
}
