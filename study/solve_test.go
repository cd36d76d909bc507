package study

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/puzzle"
	"lastmile/solve"
)

func TestSolveBoards(t *testing.T) {
	r := quick(t, solveBoards)
	every(t, r, map[string]Verdict{"mean": Untested, "best": Untested, "a board for every seed": Untested})
	if len(r.Links) != 4 || !strings.Contains(r.Links[0].URL, "board_edges=") || len(r.Tables[0].Rows) != 4 {
		t.Errorf("links %v, groups %v", r.Links, r.Tables[0].Rows)
	}
}

// Runs side by side give each its board and its row.
func TestSolveSideBySide(t *testing.T) {
	said := 0 // one line at a time: the race detector sees it
	r, err := Run(context.Background(), solveBoards, Options{Quick: true, Seeds: []uint64{7, 3}, Threads: 3, Time: 100 * time.Millisecond, Say: func(string) { said++ }})
	if err != nil {
		t.Fatal(err)
	}
	runs := r.Tables[2].Data.([]solveRun)
	if said != len(runs) {
		t.Errorf("%d lines of %d runs", said, len(runs))
	}
	var rows []string
	for _, run := range runs {
		rows = append(rows, run.label())
		if run.Fault != "" || run.Board == "" || run.Score+run.Breaks != 480 {
			t.Errorf("%+v", run)
		}
	}
	if want := "five-seed-7 five-seed-3 starter-seed-7 starter-seed-3 none-seed-7 none-seed-3 corners-seed-7 corners-seed-3"; strings.Join(rows, " ") != want {
		t.Errorf("%v, want %s", rows, want)
	}
}

func TestSolveLong(t *testing.T) {
	r := quick(t, solveLong)
	every(t, r, map[string]Verdict{"10 min": Untested, "a board": Untested})
}

func TestCornered(t *testing.T) {
	seen := map[[4]int]bool{}
	for seed := range uint64(60) {
		p, err := cornered(seed)
		if err != nil {
			t.Fatal(err)
		}
		corners := []int{0, 15, 255, 240} // clockwise
		at := [4]int{-1, -1, -1, -1}
		for _, q := range p.Clues {
			i := slices.Index(corners, q.Cell)
			if i < 0 || !p.FitsAt(q.Cell, q.Piece, q.Rotation) || at[i] >= 0 {
				t.Fatalf("seed %d: clue %+v", seed, q)
			}
			at[i] = q.Piece
		}
		if len(p.Clues) != 3 {
			t.Fatalf("seed %d: %d clues", seed, len(p.Clues))
		}
		free := 0 + 1 + 2 + 3 // the corner pieces of the official set come first
		for _, piece := range at {
			free -= max(piece, 0)
		}
		at[slices.Index(at[:], -1)] = free
		for at[0] != 0 { // turn it
			at = [4]int{at[1], at[2], at[3], at[0]}
		}
		seen[at] = true
	}
	if len(seen) != 6 {
		t.Errorf("%d arrangements of the corners, want 6", len(seen))
	}
}

func TestCameFrom(t *testing.T) {
	attempts := []solve.Attempt{
		{Number: 4, Method: solve.Beamed, Order: "comb", Width: 64, Built: 440},
		{Number: 5, Method: solve.Again, From: 4},
		{Number: 6, Method: solve.DepthFirst, Order: "column", Built: 430},
		{Number: 7, Method: solve.Again, From: 5},
		{Number: 8, Method: solve.Again, From: 1}, // that is forgotten
	}
	for attempt, want := range map[int]solveRun{
		4: {Order: "comb", Width: 64, Built: 440},
		7: {Order: "comb", Width: 64, Built: 440, Walks: 2},
		6: {Order: "column", Built: 430},
		8: {Walks: 1},
	} {
		var run solveRun
		run.cameFrom(solve.Result{Attempt: attempt, Attempts: attempts})
		if run.Again != 3 || run.Order != want.Order || run.Width != want.Width || run.Built != want.Built || run.Walks != want.Walks {
			t.Errorf("attempt %d: %+v, want %+v", attempt, run, want)
		}
	}
}

func TestVerdictOfSolveBoards(t *testing.T) {
	p := puzzle.Official()
	some := func(uint64) (*puzzle.Puzzle, error) { return p, nil }
	plan := solvePlan{groups: []solveGroup{{Name: "a", Of: some, Mean: 457, Best: 459}, {Name: "b", Of: some}}, limit: time.Minute, whole: true, seeds: fromTo(1, 3)}
	runs := func(a, b []int) (list []solveRun) {
		for group, scores := range map[string][]int{"a": a, "b": b} {
			for _, run := range solveRuns(scores...) {
				run.Group = group
				if run.Score == 0 {
					run.Fault = "no board"
				}
				list = append(list, run)
			}
		}
		return list
	}
	late := runs([]int{457, 458, 459}, []int{1, 1, 1})
	late[4].Seconds = 62
	other := plan
	other.whole = false
	const y, n, u = Reproduced, NotReproduced, Untested
	for name, c := range map[string]struct {
		plan solvePlan
		runs []solveRun
		want [3]Verdict // mean, best, boards
	}{
		"all hold":       {plan, runs([]int{457, 458, 459}, []int{1, 1, 1}), [3]Verdict{y, y, y}},
		"mean and best":  {plan, runs([]int{456, 457, 457}, []int{1, 1, 1}), [3]Verdict{n, n, y}},
		"best alone":     {plan, runs([]int{457, 458, 458}, []int{1, 1, 1}), [3]Verdict{y, n, y}},
		"one is missing": {plan, runs([]int{457, 458, 459}, []int{1, 1}), [3]Verdict{y, y, u}},
		"one fails":      {plan, runs([]int{457, 458, 459}, []int{1, 0, 1}), [3]Verdict{y, y, n}},
		"a claimed one":  {plan, runs([]int{457, 0, 459}, []int{1, 1, 1}), [3]Verdict{u, u, n}},
		"late":           {plan, late, [3]Verdict{y, y, n}},
		"another time":   {other, late, [3]Verdict{u, u, u}},
		"nothing":        {plan, nil, [3]Verdict{u, u, u}},
	} {
		r := &Report{}
		c.plan.report(r, c.runs)
		for i, want := range c.want {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s (%s)", name, i, got, want, r.Findings[i].Measured)
			}
		}
	}
}
