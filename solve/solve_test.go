package solve

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"sync"
	"testing"
	"time"

	"lastmile/alns"
	"lastmile/alns/acceptance"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

func generated(t *testing.T, s puzzle.Spec, clues ...int) *puzzle.Puzzle {
	t.Helper()
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	var pinned []puzzle.Placement
	for _, cell := range clues {
		pinned = append(pinned, solution[cell])
	}
	if p, err = p.WithClues(pinned); err != nil {
		t.Fatal(err)
	}
	return p
}

func valid(t *testing.T, p *puzzle.Puzzle, r Result) {
	t.Helper()
	b := puzzle.NewBoard(p)
	b.Load(r.Placements)
	if b.Filled() != p.Cells() || b.Score() != r.Score || p.CluesHeld(b.Grid()) != len(p.Clues) {
		t.Fatalf("%d of %d cells filled, score %d, said %d, clues %d of %d",
			b.Filled(), p.Cells(), b.Score(), r.Score, p.CluesHeld(b.Grid()), len(p.Clues))
	}
	if tally := b.Grid().Tally(); p.Framed() && len(tally.RimFaults) > 0 {
		t.Fatalf("rim faults on cells %v", tally.RimFaults)
	}
}

// result is what must not depend on threads or on being stopped.
func result(r Result) string {
	return fmt.Sprint(r.Score, r.Placements, r.Attempt, r.Nodes, r.Iterations)
}

var (
	small   = Options{Attempts: 3, Width: 64, Seed: 5, Polish: alns.Options{Largest: 6}}
	counted = search.Budget{Iterations: 3*alns.Round + 5000}
)

func TestSolveIsReproducible(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 12, Height: 12, Colours: 17, Seed: 8}, 40)
	want, err := Run(context.Background(), p, small, Plan{Budget: counted})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, p, want)
	for _, threads := range []int{2, 4} {
		got, err := Run(context.Background(), p, small, Plan{Budget: counted, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if result(got) != result(want) {
			t.Errorf("%d threads: %s, want %s", threads, result(got), result(want))
		}
	}
}

// A run that is cut at any checkpoint, by a kill or by a signal, goes on to the
// board of an unbroken one.
func TestSolveResumes(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 12, Height: 12, Colours: 17, Seed: 8}, 40)
	want, err := Run(context.Background(), p, small, Plan{Budget: counted})
	if err != nil {
		t.Fatal(err)
	}
	var saved [][]byte
	last := ""
	keep := func(s State) {
		now := ""
		for _, a := range s.Attempts {
			if a.Walk != nil {
				now += fmt.Sprint(a.Number, a.Walk.Iterations, " ")
			}
		}
		if now == last {
			return
		}
		last = now
		text, err := json.Marshal(s)
		if err != nil {
			t.Error(err)
		}
		saved = append(saved, text)
	}
	// Killed: every state that was ever saved.
	if _, err := Run(context.Background(), p, small, Plan{Budget: counted, Save: keep, Every: 10 * time.Millisecond, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	// Stopped: in a beam, and later in a walk.
	for _, after := range []int{1, 6} {
		ctx, cancel := context.WithCancel(context.Background())
		events := 0
		r, err := Run(ctx, p, small, Plan{Budget: counted, Save: keep, Watch: search.Func(func(search.Event) {
			if events++; events == after {
				cancel()
			}
		})})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		valid(t, p, r)
	}
	if len(saved) < 6 {
		t.Fatalf("only %d states saved", len(saved))
	}
	withBoards := 0
	for i, text := range saved {
		var s State
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		best := 0
		for _, a := range s.Attempts {
			if a.Walk != nil {
				best = max(best, a.Best)
			}
		}
		first := 0 // the score of the first better board that is told of
		got, err := Resume(context.Background(), p, s, small, Plan{Budget: counted, Watch: search.Func(func(e search.Event) {
			if e.Kind == search.Improved && first == 0 {
				first = e.Score
			}
		})})
		if err != nil {
			t.Fatalf("state %d: %v", i, err)
		}
		if best > 0 {
			// The saved best may be of an interrupted round, which is not saved.
			if withBoards++; first == 0 || first > best {
				t.Errorf("resumed with a board of %d, first told of %d", best, first)
			}
		}
		if result(got) != result(want) {
			t.Errorf("resumed from state %d of %d: %s, want %s", i, len(saved), result(got), result(want))
		}
	}
	if withBoards == 0 {
		t.Error("no state with a board: it shows nothing of them")
	}
}

// However little time there is, a board comes back.
func TestSolveAlwaysReturnsABoard(t *testing.T) {
	for _, p := range []*puzzle.Puzzle{
		generated(t, puzzle.Spec{Width: 1, Height: 1, Colours: 1}),
		generated(t, puzzle.Spec{Width: 1, Height: 7, Colours: 3}),
		generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3}, 4),
		generated(t, puzzle.Spec{Width: 5, Height: 9, Colours: 4, Unframed: true}),
		generated(t, puzzle.Spec{Width: 32, Height: 32, Colours: 22}, 500),
		puzzle.Official(),
	} {
		for _, threads := range []int{1, 3} {
			for _, limit := range []time.Duration{1, 30 * time.Millisecond} {
				r, err := Run(context.Background(), p, Options{}, Plan{Threads: threads, Budget: search.Budget{Time: limit}})
				if err != nil {
					t.Fatal(err)
				}
				valid(t, p, r)
			}
		}
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		r, err := Run(gone, p, Options{}, Plan{Budget: counted})
		if err != nil {
			t.Fatal(err)
		}
		valid(t, p, r)
	}
}

// A solved puzzle ends a run long before its time.
func TestSolveStopsWhenSolved(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 4, Height: 4, Colours: 6, Seed: 2})
	start := time.Now()
	r, err := Run(context.Background(), p, Options{}, Plan{Threads: 2, Budget: search.Budget{Time: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Score != p.MaxScore() || time.Since(start) > time.Minute {
		t.Errorf("score %d of %d after %v", r.Score, p.MaxScore(), time.Since(start))
	}
	// And under a count budget the answer does not depend on the threads.
	want, err := Run(context.Background(), p, Options{}, Plan{Budget: counted})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Run(context.Background(), p, Options{}, Plan{Budget: counted, Threads: 4})
	if err != nil {
		t.Fatal(err)
	}
	if result(got) != result(want) || want.Score != p.MaxScore() {
		t.Errorf("4 threads: %s, want %s", result(got), result(want))
	}
}

// A count ends a run before its time.
func TestWhatIsUsedUpFirst(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 10, Height: 10, Colours: 14, Seed: 8})
	for _, b := range []search.Budget{{Iterations: 5000}, {Nodes: 3000}, {Iterations: 5000, Nodes: 3000}} {
		want, err := Run(context.Background(), p, Options{}, Plan{Budget: b})
		if err != nil {
			t.Fatal(err)
		}
		b.Time = time.Hour
		got, err := Run(context.Background(), p, Options{}, Plan{Budget: b})
		if err != nil {
			t.Fatal(err)
		}
		if result(got) != result(want) {
			t.Errorf("%+v: %s, without the time %s", b, result(got), result(want))
		}
	}
}

func TestBudgetsAreSharedOut(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 10, Height: 10, Colours: 14, Seed: 8})
	r, err := Run(context.Background(), p, small, Plan{Budget: search.Budget{Iterations: 10_001}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Iterations != 10_001 || len(r.Attempts) != 3 {
		t.Errorf("%d iterations in %d attempts, want 10001 in 3", r.Iterations, len(r.Attempts))
	}
	r, err = Run(context.Background(), p, small, Plan{Budget: search.Budget{Nodes: 3000}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range r.Attempts {
		if !a.Cut || a.Nodes < 1000 {
			t.Errorf("attempt %d: %d nodes, cut %v, want a beam cut soon after 1000", a.Number, a.Nodes, a.Cut)
		}
	}
	if r.Iterations != 0 {
		t.Errorf("%d iterations without a budget for them", r.Iterations)
	}
}

// Memory must not grow with the number of attempts.
func TestOldWalksAreDropped(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 6, Height: 6, Colours: 12, Seed: 1})
	last := State{}
	r, err := Run(context.Background(), p, Options{Attempts: 3 * keep, Width: 1}, Plan{
		Budget: search.Budget{Iterations: 3 * keep * 50}, Save: func(s State) { last = s },
	})
	if err != nil {
		t.Fatal(err)
	}
	kept, best := 0, 0
	for _, a := range last.Attempts {
		if a.Walk != nil {
			kept++
		}
		best = max(best, a.Best)
	}
	if r.Iterations != 3*keep*50 {
		t.Errorf("%d iterations counted of %d", r.Iterations, 3*keep*50)
	}
	if kept != keep || len(last.Attempts) != 3*keep || r.Score != best {
		t.Errorf("%d of %d walks kept, want %d; score %d, best %d", kept, len(last.Attempts), keep, r.Score, best)
	}
	valid(t, p, r)
}

// A run of very many attempts remembers the latest, and counts them all.
func TestOldAttemptsAreForgotten(t *testing.T) {
	c := &crew{puzzle: puzzle.Official(), plan: Plan{Budget: search.Budget{Time: time.Hour}}, perfect: math.MaxInt}
	for i := range history + 500 {
		c.begun++
		c.attempts = append(c.attempts, &attempt{Attempt: Attempt{Number: i, Settled: true, Nodes: 2, Steps: 3}})
		c.crowdOut()
	}
	if len(c.attempts) != history || c.attempts[0].Number != 500 {
		t.Errorf("%d attempts from number %d", len(c.attempts), c.attempts[0].Number)
	}
	if r := c.result(); r.Nodes != 2*(history+500) || r.Iterations != 3*(history+500) {
		t.Errorf("%d nodes, %d iterations", r.Nodes, r.Iterations)
	}
}

// Without walks from the archive a run builds until its time is over.
func TestNoAgain(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 10, Height: 10, Colours: 17, Seed: 8})
	r, err := Run(context.Background(), p, Options{NoAgain: true}, Plan{Budget: search.Budget{Time: 1500 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, p, r)
	for _, a := range r.Attempts {
		if a.Method == Again {
			t.Errorf("attempt %d walks on from the archive", a.Number)
		}
	}
	// An attempt that is counted ends a run that may not walk on.
	r, err = Run(context.Background(), p, Options{NoAgain: true, Attempts: 1, Width: 16}, Plan{Threads: 2, Budget: search.Budget{Time: time.Hour}})
	if err != nil || len(r.Attempts) != 1 {
		t.Errorf("%d attempts, %v", len(r.Attempts), err)
	}
}

func TestSolveRefuses(t *testing.T) {
	for _, o := range []Options{
		{Orders: []string{"sideways"}}, {Width: -1}, {Width: math.MaxInt}, {Attempts: -1}, {Attempts: maxAttempts + 1},
		{DepthFirst: []string{"sideways"}}, {Alike: construct.MaxAlike + 0.5}, {Alike: math.Inf(1)}, {Alike: math.NaN()},
		{Polish: alns.Options{Accepting: acceptance.Options{Temperature: -1}}},
	} {
		if _, err := Run(context.Background(), puzzle.Official(), o, Plan{Budget: counted}); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	p := generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3})
	broken := State{Attempts: []Attempt{{Walk: &alns.State{Board: []int{1}}}}}
	if _, err := Resume(context.Background(), p, broken, Options{}, Plan{Budget: counted}); err == nil {
		t.Error("a state of another board was accepted")
	}
}

// Events come one at a time, and the best of them is the result.
func TestEvents(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 9, Height: 9, Colours: 12, Seed: 8})
	var alone sync.Mutex
	best := 0
	r, err := Run(context.Background(), p, small, Plan{Budget: counted, Threads: 3, Watch: search.Func(func(e search.Event) {
		if !alone.TryLock() {
			t.Error("two events at once")
			return
		}
		defer alone.Unlock()
		if e.Kind == search.Improved {
			if got := p.Look(e.Placements).Tally().Matched; got != e.Score {
				t.Errorf("event of %d carries a board of %d", e.Score, got)
			}
			best = max(best, e.Score)
		}
	})})
	if err != nil {
		t.Fatal(err)
	}
	if best != r.Score {
		t.Errorf("best event %d, result %d", best, r.Score)
	}
}

// Signature: what a fixed seed gives. A change here is a change of the search.
func TestSolveSignature(t *testing.T) {
	r, err := Run(context.Background(), puzzle.Official(), Options{Attempts: 2, Width: 128, Seed: 1}, Plan{Budget: search.Budget{Iterations: 50_000}, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	fmt.Fprint(h, r.Placements)
	const want = "454 1 683651 92e87e5641ceb618"
	if got := fmt.Sprintf("%d %d %d %016x", r.Score, r.Attempt, r.Nodes, h.Sum64()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
