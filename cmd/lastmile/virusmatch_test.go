package main

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"
)

func TestVirusMatch(t *testing.T) {
	args := strings.Fields("virus match null=plain,r=2,late table=12 --nodes 200 --games 8 --size 5 --plies 3 --seed 4 --json -q")
	v := object(t, 0, args...)
	has(t, v, "games wins draws losses pairs elo low high los sprt pentanomial margin plies nodes score openings stopped")
	if v["games"] != 8.0 || v["pairs"] != 4.0 || v["wins"].(float64)+v["draws"].(float64)+v["losses"].(float64) != 8 || v["sprt"] != nil {
		t.Errorf("%v", v)
	}
	if v["a"] != "null=plain,r=2,late" || v["b"] != "table=12" || v["move_nodes"] != 200.0 || v["start"] != "x3o/5/5/5/o3x x 0 1" || v["reproducible"] != true {
		t.Errorf("%v", v)
	}
	four := object(t, 0, append(args, "--threads", "4")...)
	delete(v, "seconds")
	delete(four, "seconds")
	if !reflect.DeepEqual(v, four) {
		t.Errorf("one thread: %v\nfour threads: %v", v, four)
	}
	for key, args := range map[string]string{
		"seed":  "virus match null=plain,r=2,late table=12 --nodes 200 --pairs 4 --size 5 --plies 3 --seed 5 --json -q",
		"rules": "virus match null=plain,r=2,late table=12 --nodes 200 --pairs 4 --size 5 --plies 3 --seed 4 --rules ataxx --json -q",
	} {
		if w := object(t, 0, strings.Fields(args)...); w[key] == v[key] || reflect.DeepEqual(w["nodes"], v["nodes"]) {
			t.Errorf("%s: %v", args, w)
		}
	}
	timed := object(t, 0, strings.Fields("virus match late plain --time 1ms --pairs 1 --size 3 --plies 1 --json -q")...)
	if timed["reproducible"] != false || timed["move_seconds"] != 0.001 || timed["move_nodes"] != nil {
		t.Errorf("%v", timed)
	}
}

// A depth against another that is greater: the match is stopped by its test, and
// says so in words.
func TestVirusMatchTest(t *testing.T) {
	v := object(t, 0, strings.Fields("virus match table=8 table=8 --depth 1 --pairs 400 --size 4 --plies 2 --sprt -800,-700 --json -q")...)
	sprt := v["sprt"].(map[string]any)
	if sprt["verdict"] != "accept" || sprt["elo0"] != -800.0 || sprt["elo1"] != -700.0 || v["pairs"] == 400.0 || v["stopped"] != false {
		t.Errorf("%v", v)
	}
	status, out, err := lastmile(t, "", strings.Fields("virus match table=8 table=8 --depth 1 --pairs 400 --size 4 --plies 2 --sprt -800,-700 -q")...)
	if status != 0 || !strings.Contains(out, "test of -800 against -700 Elo: accept") || !strings.Contains(out, "Elo +0.0 in [-") || strings.Contains(out, "NaN") {
		t.Errorf("status %d: %s%s", status, out, err)
	}
	// On 3x3 there are few openings.
	_, _, err = lastmile(t, "", strings.Fields("virus match table=8 table=8 --depth 1 --pairs 200 --size 3 --plies 1 -q")...)
	if !strings.Contains(err, "openings repeat others") {
		t.Error(err)
	}
}

func TestBadVirusMatch(t *testing.T) {
	for args, want := range map[string]string{
		"depth=3 plain":                   `player A: settings "depth=3": no setting "depth", want some of table=N`,
		"plain null=plain,r=0":            "player B: settings",
		"plain":                           "<b>",
		"plain plain plain":               "unexpected",
		"plain plain --pairs 0":           "--pairs",
		"plain plain --pairs -1":          "--pairs -1, want 1 to",
		"plain plain --games 7":           "--games 7, want an even number",
		"plain plain --games 4 --pairs 2": "want one of them",
		"plain plain --nodes 0":           "--nodes",
		"plain plain --nodes -5":          "--nodes -5, want 1 or more",
		"plain plain --depth 101":         "--depth 101, want 1 to 100",
		"plain plain --time -1s":          "--time -1s",
		"plain plain --plies -1":          "--plies -1, want 0 to",
		"plain plain --plies 41":          "--plies 41, want 0 to",
		"plain plain --threads 257":       "--threads 257",
		"plain plain --sprt 5":            "--sprt 5, want two numbers",
		"plain plain --sprt 5,x":          "--sprt 5,x, want two numbers",
		"plain plain --sprt 10,0":         "want the first below the second",
		"plain plain --sprt 0,NaN":        "Elo, want -1000 to 1000",
		"plain plain --size 2":            "--size 2, want a width and a height of 3 to 8",
		"plain plain --size 9x7":          "--size 9x7",
		"plain plain --size 7x":           "--size 7x",
		"plain plain --size -7":           "--size -7",
		"plain plain --rules chess":       "--rules chess, want virus or ataxx",
		"plain plain --fen xx":            "--fen: position",
		"plain plain --size 7 --fen xx":   "has its own size",
		"table=30 table=30":               "table=N gives one 2^N entries",
		"plain plain --size 3 --plies 30": "want fewer plies",
	} {
		status, out, err := lastmile(t, "", append([]string{"virus", "match", "-q"}, strings.Fields(args)...)...)
		if status != 2 || out != "" || strings.Count(err, "\n") != 1 || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, %s%s, want %q", args, status, out, err, want)
		}
	}
	status, _, err := lastmile(t, "", "virus", "match", "plain", "plain", "--fen", "xxx/xxo/ooo x")
	if status != 2 || !strings.Contains(err, "the game is over") {
		t.Errorf("status %d, %s", status, err)
	}
}

// A match that is stopped at once has found nothing.
func TestStoppedVirusMatch(t *testing.T) {
	stopped := func() (context.Context, func()) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx, cancel
	}
	var out, err bytes.Buffer
	status := run(strings.Fields("virus match plain plain --pairs 3"), &terminal{strings.NewReader(""), &out, &err, stopped})
	if status != 1 || out.Len() > 0 || err.String() != "stopped after 0 of 3 pairs\n" {
		t.Errorf("status %d, %s, %s", status, out.String(), err.String())
	}
	status = run(strings.Fields("virus match table=4 table=4 --pairs 1 --depth 1 --size 3 --plies 1"), &terminal{strings.NewReader(""), broken{}, &err, listenNot})
	if status != 1 {
		t.Errorf("full output: status %d", status)
	}
}

// listenNot hears no signal.
func listenNot() (context.Context, func()) { return context.Background(), func() {} }

// Flags of a match are read or refused, and what is read can be played.
func FuzzVirusMatchFlags(f *testing.F) {
	f.Add("0,10", "7")
	f.Add("-5,5", "7x6")
	f.Add("1e3,NaN", "3x9")
	f.Add(",", "x")
	f.Fuzz(func(t *testing.T, sprt, size string) {
		if test, err := parseSPRT(sprt); err == nil && sprt != "" {
			if err := test.Check(); err != nil {
				t.Errorf("--sprt %q: %v", sprt, err)
			}
		}
		if p, err := (&virusRules{Rules: "virus", Size: size}).position("", ""); err == nil && p.Over() {
			t.Errorf("--size %q: %s", size, p.FEN())
		}
	})
}
