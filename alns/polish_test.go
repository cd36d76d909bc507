package alns

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"testing"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

func start(t *testing.T) (*puzzle.Puzzle, []puzzle.Placement) {
	b := damaged(t, puzzle.Spec{Width: 10, Height: 10, Colours: 12, Seed: 3}, 0.5)
	return b.Puzzle(), b.Placements(nil)
}

// The same seed and iterations give the same board and the same account on any
// number of threads, and after a stop at any checkpoint, through JSON.
func TestPolishIsReproducible(t *testing.T) {
	p, board := start(t)
	plan := Plan{Streams: 3, Threads: 1, Budget: search.Budget{Iterations: 5*Round + 12345}}
	o := Options{Seed: 7, Largest: 6}
	want, err := Polish(context.Background(), p, board, o, plan)
	if err != nil {
		t.Fatal(err)
	}
	if want.Iterations != plan.Budget.Iterations {
		t.Errorf("%d iterations, want %d", want.Iterations, plan.Budget.Iterations)
	}
	for _, threads := range []int{2, 5} {
		plan.Threads = threads
		got, err := Polish(context.Background(), p, board, o, plan)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d threads: %+v, want %+v", threads, got, want)
		}
	}
	var checkpoints [][]byte
	plan.Threads, plan.Every = 1, time.Millisecond
	last := int64(-1)
	plan.Save = func(s States) {
		done := int64(0)
		for _, w := range s.Walks {
			done += w.Iterations
		}
		if done == last {
			return
		}
		last = done
		text, err := json.Marshal(s)
		if err != nil {
			t.Error(err)
		}
		checkpoints = append(checkpoints, text)
	}
	if _, err := Polish(context.Background(), p, board, o, plan); err != nil {
		t.Fatal(err)
	}
	if len(checkpoints) < 5 {
		t.Fatalf("%d checkpoints", len(checkpoints))
	}
	plan.Save, plan.Threads = nil, 2
	for i, text := range checkpoints {
		var saved States
		if err := json.Unmarshal(text, &saved); err != nil {
			t.Fatal(err)
		}
		got, err := Resume(context.Background(), p, saved, o, plan)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("resumed from checkpoint %d: %+v, want %+v", i, got, want)
		}
	}
}

var quick = Options{Largest: 6}

// A run that is stopped in the middle of a round returns its best board, and
// goes on from its last state as if nothing had happened.
func TestPolishStoppedInARound(t *testing.T) {
	p, board := start(t)
	plan := Plan{Streams: 2, Budget: search.Budget{Iterations: 6 * Round}}
	want, err := Polish(context.Background(), p, board, quick, plan)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var saved States
	stopped := plan
	stopped.Save = func(s States) { saved = s }
	stopped.Watch = search.Func(func(e search.Event) {
		if e.Kind == search.Progress && e.Done >= 2*Round {
			go func() { time.Sleep(time.Millisecond); cancel() }()
		}
	})
	first, err := Polish(ctx, p, board, quick, stopped)
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(first.Placements)
	if b.Score() != first.Score || b.Filled() != p.Cells() {
		t.Errorf("stopped with a board of %d, said %d", b.Score(), first.Score)
	}
	got, err := Resume(context.Background(), p, saved, quick, plan)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("resumed: %+v, want %+v", got, want)
	}
}

// A walk that was interrupted goes on in the same process, too, as if it had
// not been: the best board of the lost round is kept, but changes nothing.
func TestInterruptedWalkGoesOn(t *testing.T) {
	p, board := start(t)
	whole, err := NewWalk(p, board, quick, 3)
	if err != nil {
		t.Fatal(err)
	}
	broken, err := NewWalk(p, board, quick, 3)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		whole.Run(context.Background(), Round, Horizon{})
		ctx, cancel := context.WithCancel(context.Background())
		checks := 0
		broken.Run(countdown{ctx, &checks, 7, cancel}, Round, Horizon{})
		if _, score := broken.Best(); score <= p.Look(board).Tally().Matched {
			t.Error("the interrupted round found nothing: it shows nothing")
		}
		broken.Run(context.Background(), Round, Horizon{})
		if fmt.Sprint(broken.State()) != fmt.Sprint(whole.State()) {
			t.Fatal("interrupted and whole walk differ")
		}
	}
}

// countdown is a context that is cancelled when it has been asked so often.
type countdown struct {
	context.Context
	asked  *int
	after  int
	cancel func()
}

func (c countdown) Err() error {
	if *c.asked++; *c.asked == c.after {
		c.cancel()
	}
	return c.Context.Err()
}

func TestPolishWithinTime(t *testing.T) {
	p, board := start(t)
	var mu sync.Mutex
	kinds := map[search.Kind]int{}
	best := 0
	r, err := Polish(context.Background(), p, board, Options{}, Plan{
		Threads: 2, Budget: search.Budget{Time: 300 * time.Millisecond},
		Watch: search.Func(func(e search.Event) {
			mu.Lock()
			defer mu.Unlock()
			kinds[e.Kind]++
			if e.Kind == search.Improved {
				if e.Score <= best {
					t.Errorf("improved from %d to %d", best, e.Score)
				}
				best = e.Score
			}
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if kinds[search.Started] != 1 || kinds[search.Finished] != 1 || kinds[search.Improved] == 0 || best > r.Score {
		t.Errorf("events %v, best %d, result %d", kinds, best, r.Score)
	}
}

// A solved puzzle ends a run: before its time, and under a count budget with
// the same answer on any number of threads.
func TestPolishStopsWhenSolved(t *testing.T) {
	b := damaged(t, puzzle.Spec{Width: 5, Height: 5, Colours: 8, Seed: 3}, 0.3)
	p, board := b.Puzzle(), b.Placements(nil)
	if b.Score() == p.MaxScore() {
		t.Fatal("the board is not damaged")
	}
	begin := time.Now()
	r, err := Polish(context.Background(), p, board, Options{}, Plan{Threads: 2, Budget: search.Budget{Time: time.Hour}})
	if err != nil || r.Score != p.MaxScore() || time.Since(begin) > time.Minute {
		t.Fatalf("%d of %d after %v, %v", r.Score, p.MaxScore(), time.Since(begin), err)
	}
	var want Result
	for _, threads := range []int{1, 2, 4} {
		got, err := Polish(context.Background(), p, board, Options{}, Plan{Threads: threads, Budget: search.Budget{Iterations: 40 * Round}})
		if err != nil {
			t.Fatal(err)
		}
		if threads == 1 {
			want = got
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || got.Score != p.MaxScore() {
			t.Errorf("%d threads: %+v, want %+v", threads, got, want)
		}
	}
	// It was solved already.
	r, err = Polish(context.Background(), p, want.Placements, Options{}, Plan{Budget: search.Budget{Iterations: 1000}})
	if err != nil || r.Iterations != 0 {
		t.Errorf("%d iterations on a solved board, %v", r.Iterations, err)
	}
}

func TestResumeRefusesDamage(t *testing.T) {
	p, board := start(t)
	w, err := NewWalk(p, board, Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	good := w.State()
	for name, damage := range map[string]func(*State){
		"a short board":    func(s *State) { s.Board = s.Board[1:] },
		"a piece twice":    func(s *State) { s.Best = slices.Clone(s.Best); s.Best[0] = s.Best[1] },
		"a foreign piece":  func(s *State) { s.Board = slices.Clone(s.Board); s.Board[0] = 4 * p.Cells() },
		"a negative piece": func(s *State) { s.Board = slices.Clone(s.Board); s.Board[0] = -1 },
		"a weight less":    func(s *State) { s.Selection = s.Selection[1:] },
		"a negative gain":  func(s *State) { s.Gained = -1 },
		"a history":        func(s *State) { s.Acceptance = []float64{1} },
	} {
		s := good
		damage(&s)
		if _, err := ResumeWalk(p, s, Options{}, 0); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := Resume(context.Background(), p, States{Walks: []State{good}}, Options{}, Plan{Streams: 2}); err == nil {
		t.Error("one stream was accepted for two")
	}
}

// Signature: what a fixed seed gives. A change here is a change of the search.
func TestPolishSignature(t *testing.T) {
	p, board := start(t)
	r, err := Polish(context.Background(), p, board, Options{Seed: 1}, Plan{Budget: search.Budget{Iterations: 100_000}})
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	fmt.Fprint(h, r.Placements)
	const want = "168 0 81f8462070bc5ea1"
	if got := fmt.Sprintf("%d %d %016x", r.Score, r.Stream, h.Sum64()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
