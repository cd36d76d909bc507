package solve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"lastmile/alns"
	"lastmile/puzzle"
	"lastmile/search"
)

// keeps fails unless the archive is what one must be, whatever the run: sound, and
// its best the result.
func keeps(t *testing.T, p *puzzle.Puzzle, r Result) {
	t.Helper()
	valid(t, p, r)
	begun := 0
	for _, a := range r.Attempts {
		begun = max(begun, a.Number+1)
	}
	if err := checkArchive(p, r.Archive, begun); err != nil {
		t.Fatal(err)
	}
	if len(r.Archive) == 0 || !reflect.DeepEqual(r.Archive[0], Kept{r.Score, r.Attempt, r.Archive[0].Walks, r.Placements}) {
		t.Fatalf("a board of %d by attempt %d is not the first of the archive of %d", r.Score, r.Attempt, len(r.Archive))
	}
}

// Runs bounded by time give a board of any puzzle, by any way to build, on any
// number of threads, whether there is time for it or not.
func TestTimedRuns(t *testing.T) {
	impossible := generated(t, puzzle.Spec{Width: 5, Height: 4, Colours: 5, Seed: 1})
	var pinned []puzzle.Placement
	{
		_, solution, err := puzzle.Generate(puzzle.Spec{Width: 5, Height: 4, Colours: 5, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		solution[6].Rotation = (solution[6].Rotation + 1) % 4
		pinned = solution
	}
	var err error
	if impossible, err = impossible.WithClues(pinned); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*puzzle.Puzzle{
		"2x2":      generated(t, puzzle.Spec{Width: 2, Height: 2, Colours: 2}),
		"3x3":      generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3}, 4),
		"1x9":      generated(t, puzzle.Spec{Width: 1, Height: 9, Colours: 4}),
		"9x1":      generated(t, puzzle.Spec{Width: 9, Height: 1, Colours: 4}),
		"pinned":   impossible,
		"unframed": generated(t, puzzle.Spec{Width: 6, Height: 6, Colours: 30, Unframed: true}),
		"32x32":    generated(t, puzzle.Spec{Width: 32, Height: 32, Colours: 22}, 500),
		"official": puzzle.Official(),
	} {
		for _, o := range []Options{
			{}, {DepthFirst: []string{"row-major"}}, {Orders: []string{"comb"}, DepthFirst: []string{"row-major", "column"}, Width: 16, Attempts: 3},
			{Attempts: 1, Alike: -1},
		} {
			for threads, limit := range map[int]time.Duration{1: time.Millisecond, 2: 40 * time.Millisecond, 8: 5} {
				r, err := Run(context.Background(), p, o, Plan{Threads: threads, Budget: search.Budget{Time: limit}})
				if err != nil {
					t.Fatalf("%s, %+v, %d threads: %v", name, o, threads, err)
				}
				keeps(t, p, r)
				if builds := len(r.Attempts); o.Attempts > 0 {
					for _, a := range r.Attempts {
						if a.Method == Again {
							builds--
						}
					}
					if builds > o.Attempts {
						t.Errorf("%s: %d boards built, %d were asked for", name, builds, o.Attempts)
					}
				}
			}
		}
	}
}

// When all that is to be built is built, the crew walks on from the archive until
// the time is up.
func TestWalksOnUntilTheTimeIsUp(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 10, Height: 10, Colours: 17, Seed: 8})
	for _, o := range []Options{{Attempts: 1, Width: 8}, {Attempts: 1, DepthFirst: []string{"row-major"}}} {
		const limit = 300 * time.Millisecond
		r, err := Run(context.Background(), p, o, Plan{Threads: 2, Budget: search.Budget{Time: limit}})
		if err != nil {
			t.Fatal(err)
		}
		keeps(t, p, r)
		if r.Elapsed < limit && r.Score < p.MaxScore() {
			t.Errorf("over after %v of %v", r.Elapsed, limit)
		}

		// A run that is stopped when it has walked on twice.
		ctx, cancel := context.WithCancel(context.Background())
		r, err = Run(ctx, p, o, Plan{Threads: 2, Budget: search.Budget{Time: time.Minute}, Every: 10 * time.Millisecond, Save: func(s State) {
			if len(s.Attempts) > 2 && s.Attempts[2].Steps > 0 {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		keeps(t, p, r)
		if len(r.Attempts) < 3 || r.Attempts[0].Method == Again {
			t.Fatalf("%d attempts, want three of which the first builds", len(r.Attempts))
		}
		for _, a := range r.Attempts[1:] {
			if a.Method != Again || a.Best < a.Built || a.From >= a.Number || a.Nodes > 0 {
				t.Errorf("attempt %d, %s, went on from a board of %d by attempt %d to one of %d", a.Number, a.Method.Name(), a.Built, a.From, a.Best)
			}
		}
	}
}

// A run bounded by time that is killed and goes on, again and again, loses no
// board and nothing of what it knows.
func TestTimedRunsResume(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 12, Height: 12, Colours: 17, Seed: 8}, 40)
	o := Options{Width: 32, Orders: []string{"comb"}, DepthFirst: []string{"row-major"}, Seed: 3, Polish: alns.Options{Largest: 6}}
	const total = time.Minute // of which not all is used
	var state State
	best, counted := 0, false
	for sitting := 0; sitting < 7 || !counted && sitting < 40; sitting++ { // more where the machine is slow
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1+100*min(sitting, 10))*time.Millisecond)
		text, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		var from, last State
		if err := json.Unmarshal(text, &from); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(from, state) {
			t.Fatal("JSON changes a state")
		}
		r, err := Resume(ctx, p, from, o, Plan{
			Threads: 2, Budget: search.Budget{Time: total}, Every: 20 * time.Millisecond,
			Save: func(s State) {
				if len(last.Archive) > 0 && (len(s.Archive) == 0 || s.Archive[0].Score < last.Archive[0].Score) {
					t.Error("a saved state has lost its best board")
				}
				last = s
			},
		})
		cancel()
		if err != nil {
			t.Fatalf("sitting %d: %v", sitting, err)
		}
		keeps(t, p, r)
		if r.Score < best {
			t.Fatalf("sitting %d: a board of %d after one of %d", sitting, r.Score, best)
		}
		if len(last.Archive) == 0 || last.Archive[0].Score != r.Score || !reflect.DeepEqual(archive(last.Archive), r.Archive) {
			t.Fatalf("sitting %d: the archive that was saved is not that of the result", sitting)
		}
		if last.Begun < state.Begun || last.Builds < state.Builds || last.Elapsed <= state.Elapsed || last.Iterations < state.Iterations {
			t.Errorf("sitting %d: %d attempts, %d builds in %v after %d, %d in %v", sitting, last.Begun, last.Builds, last.Elapsed, state.Begun, state.Builds, state.Elapsed)
		}
		if state.Pays.Build.Time > 0 && last.Pays.Build.Time == 0 {
			t.Errorf("sitting %d: it is forgotten what has paid", sitting)
		}
		counted = counted || state.Pays.Build.Time > 0
		best, state = r.Score, last
	}
	if !counted {
		t.Error("nothing has paid yet when the last sitting begins: it shows nothing of that")
	}
}

// Under counts the archive is the same on any number of threads, and after a kill.
func TestArchiveIsReproducible(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 8, Height: 8, Colours: 13, Seed: 8}, 27)
	for _, o := range []Options{
		{Attempts: 4, Width: 8, Seed: 5},
		{Attempts: 3, Width: 8, NoFinish: true, Seed: 6, Orders: []string{"comb"}, DepthFirst: []string{"row-major", "column"}},
	} {
		b := search.Budget{Iterations: 20_077, Nodes: 30_000}
		answer := func(r Result, err error) string {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			keeps(t, p, r)
			return result(r) + fmt.Sprint(r.Archive)
		}
		var states []State
		want := answer(Run(context.Background(), p, o, Plan{Budget: b}))
		got := answer(Run(context.Background(), p, o, Plan{Budget: b, Threads: 3, Every: 15 * time.Millisecond, Save: func(s State) { states = append(states, s) }}))
		if got != want {
			t.Errorf("%+v: 3 threads give\n%.200s, 1 gives\n%.200s", o, got, want)
		}
		for _, after := range []int{1, 9} {
			ctx, cancel := context.WithCancel(context.Background())
			events := 0
			if _, err := Run(ctx, p, o, Plan{Budget: b, Save: func(s State) { states = append(states, s) }, Watch: search.Func(func(search.Event) {
				if events++; events == after {
					cancel()
				}
			})}); err != nil {
				t.Fatal(err)
			}
			cancel()
		}
		for i, s := range states {
			if i > 0 && i != len(states)/2 && i < len(states)-2 {
				continue
			}
			if got := answer(Resume(context.Background(), p, s, o, Plan{Budget: b})); got != want {
				t.Errorf("%+v: resumed from state %d of %d\n%.200s, want\n%.200s", o, i, len(states), got, want)
			}
		}
	}
}

// The archive of a solved puzzle does not tell who came first: attempts after the
// one that solved it may have crowded earlier ones out before.
func TestArchiveOfASolvedPuzzle(t *testing.T) {
	s := puzzle.Spec{Width: 8, Height: 7, Colours: 9, Seed: 4}
	p := generated(t, s)
	_, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	const solves, attempts = 5, 3 * keep
	run := func(order []int) Result {
		c := &crew{puzzle: p, plan: Plan{Budget: counted}, options: Options{Attempts: attempts}, perfect: math.MaxInt, tells: search.NewThrottle(search.Tell)}
		for n := range attempts {
			c.enter(Attempt{})
			c.attempts[n].busy = true
		}
		for _, n := range order {
			board := slices.Clone(solution)
			for cell := 9; n != solves && cell < 30-n/2; cell++ { // the later ones are better
				board[cell].Rotation = (board[cell].Rotation + 1) % 4
			}
			for cell := range board { // but hold the frame
				if !p.FitsAt(cell, board[cell].Piece, board[cell].Rotation) {
					board[cell] = solution[cell]
				}
			}
			x := c.attempts[n]
			if x.walk, err = alns.NewWalk(p, board, alns.Options{}, n); err != nil {
				t.Fatal(err)
			}
			x.Settled = true
			c.give(x, 0)
		}
		return c.result()
	}
	var up, down []int
	for n := range attempts {
		up, down = append(up, n), append(down, attempts-1-n)
	}
	want, got := run(up[:solves+1]), run(down)
	if !reflect.DeepEqual(got.Archive, want.Archive) || len(want.Archive) == 0 || want.Archive[0].Score != p.MaxScore() || got.Attempt != want.Attempt {
		t.Errorf("an archive of %d boards, the best of %d; of %d, the best of %d, when others came first",
			len(want.Archive), want.Archive[0].Score, len(got.Archive), got.Archive[0].Score)
	}
}
