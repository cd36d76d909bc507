package alns

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
	"sync"
	"testing"
	"time"

	"lastmile/alns/acceptance"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/puzzle"
	"lastmile/random"
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
	uses := int64(0)
	for _, o := range first.Operators {
		uses += o.Uses
	}
	if uses != first.Iterations || first.Repairs.Uses != first.Iterations || first.Gained > first.Iterations {
		t.Errorf("stopped after %d iterations, %d uses of operators and %d of the repair, the last gain at %d", first.Iterations, uses, first.Repairs.Uses, first.Gained)
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

// The best board of a round that was cut short is saved, though the walk goes
// on without it.
func TestKeptBoard(t *testing.T) {
	p, board := start(t)
	w, err := NewWalk(p, board, quick, 3)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	checks := 0
	w.Run(countdown{ctx, &checks, 7, cancel}, Round, Horizon{})
	_, want := w.Best()
	state := w.State()
	if state.Iterations != 0 || state.Kept == nil {
		t.Fatalf("%d iterations saved, a better board kept: %v", state.Iterations, state.Kept != nil)
	}
	again, err := ResumeWalk(p, state, quick, 3)
	if err != nil {
		t.Fatal(err)
	}
	if best, score := again.Best(); score != want || p.Look(best).Tally().Matched != want {
		t.Errorf("resumed with a best of %d, want %d", score, want)
	}
	whole, err := NewWalk(p, board, quick, 3)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		again.Run(context.Background(), Round, Horizon{})
		whole.Run(context.Background(), Round, Horizon{})
	}
	if fmt.Sprint(again.State()) != fmt.Sprint(whole.State()) {
		t.Error("a kept board changes the walk")
	}
	state.Kept = state.Kept[1:]
	if _, err := ResumeWalk(p, state, quick, 3); err == nil {
		t.Error("a short kept board was accepted")
	}
}

// However short a walk is, a rule that cools goes through its whole range.
func TestShortWalksCool(t *testing.T) {
	p, board := start(t)
	for _, n := range []int64{1, 40, 700, 5000} {
		var at []float64
		s := steps{&at}
		w, err := NewWalk(p, board, quick, 0)
		if err != nil {
			t.Fatal(err)
		}
		w.search.accept = s
		w.Run(context.Background(), n, Horizon{Iterations: n})
		if len(at) == 0 || at[0] != 0 || at[len(at)-1] < 1-1/float64(min(n, 900)) || !slices.IsSorted(at) {
			t.Errorf("%d iterations: told of %v", n, at)
		}
		if n == 5000 && len(at) < 1000 {
			t.Errorf("%d iterations: told %d times", n, len(at))
		}
	}
}

// steps is a rule that notes what it is told.
type steps struct{ at *[]float64 }

func (s steps) Accept(before, after, _ int, _ *random.Stream) bool { return after >= before }
func (s steps) Advance(done float64)                               { *s.at = append(*s.at, done) }
func (s steps) State() []float64                                   { return nil }
func (s steps) Restore([]float64) error                            { return nil }

func TestPolishRefuses(t *testing.T) {
	p, board := start(t)
	for name, plan := range map[string]Plan{
		"negative iterations": {Budget: search.Budget{Iterations: -5}},
		"a negative time":     {Budget: search.Budget{Time: -1}},
	} {
		if _, err := Polish(context.Background(), p, board, quick, plan); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	// A negative interval is none.
	saved := 0
	plan := Plan{Budget: search.Budget{Iterations: 100}, Every: -1, Save: func(States) { saved++ }}
	if _, err := Polish(context.Background(), p, board, quick, plan); err != nil || saved == 0 {
		t.Errorf("saved %d times, %v", saved, err)
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

// With every repair, policy and rule the result and the trace are the same on
// one thread and on three, and after an interruption in a round, through JSON.
func TestEveryChoiceIsReproducible(t *testing.T) {
	p, board := start(t)
	chosen := []Options{}
	for _, name := range repair.Names() {
		chosen = append(chosen, combined(name, selection.Default, acceptance.Default))
	}
	for _, name := range selection.Names()[1:] {
		chosen = append(chosen, combined(repair.Default, name, acceptance.Default))
	}
	for _, name := range acceptance.Names()[1:] {
		chosen = append(chosen, combined(repair.Default, selection.Names()[len(selection.Names())-1], name))
	}
	for _, o := range chosen {
		o.Seed, o.Smallest, o.Largest, o.Repairing.Nodes = 5, 2, 5, 20
		t.Run(o.Repair+"/"+o.Selection+"/"+o.Acceptance, func(t *testing.T) {
			plan := Plan{Streams: 2, Budget: search.Budget{Iterations: 2*Round + 999}}
			whole := newTrace()
			plan.Trace = whole
			want, err := Polish(context.Background(), p, board, o, plan)
			if err != nil {
				t.Fatal(err)
			}
			if want.Repairs.Uses != want.Iterations || want.Repairs.Name != o.Repair {
				t.Errorf("%d iterations, repairs %+v", want.Iterations, want.Repairs)
			}
			threads := newTrace()
			plan.Trace, plan.Threads = threads, 3
			got, err := Polish(context.Background(), p, board, o, plan)
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("three threads: %+v, want %+v", got, want)
			}
			if fmt.Sprint(threads.moments) != fmt.Sprint(whole.moments) {
				t.Error("three threads trace another run")
			}
			// Stopped in the first round of the second walk, and in the second of
			// the first, and each time resumed from what was saved.
			broken := newTrace()
			plan.Threads = 1
			var saved States
			for sitting := range 3 {
				ctx, cancel := context.WithCancel(context.Background())
				stopping := plan
				stopping.Save = func(s States) { saved = s }
				stopping.Trace = search.Func(func(e search.Event) {
					broken.Observe(e)
					if sitting == 0 && e.Stream == 1 && e.Done == Round/2 || sitting == 1 && e.Stream == 1 && e.Done == Round {
						cancel()
					}
				})
				if sitting == 0 {
					got, err = Polish(ctx, p, board, o, stopping)
				} else {
					got, err = Resume(ctx, p, saved, o, stopping)
				}
				cancel()
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(saved)
				if err != nil {
					t.Fatal(err)
				}
				saved = States{}
				if err := json.Unmarshal(text, &saved); err != nil {
					t.Fatal(err)
				}
				// What goes beyond the saved state comes again.
				for i, w := range saved.Walks {
					broken.moments[i] = slices.DeleteFunc(broken.moments[i], func(e search.Event) bool { return e.Done > w.Iterations })
				}
				if sitting < 2 && got.Iterations >= want.Iterations {
					t.Error("it was over before it was stopped: it shows nothing")
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("interrupted: %+v, want %+v", got, want)
			}
			if fmt.Sprint(broken.moments) != fmt.Sprint(whole.moments) {
				t.Error("interrupted, it traces another run")
			}
		})
	}
}

// trace keeps the moments of each walk in their order.
type trace struct {
	mu      sync.Mutex
	moments map[int][]search.Event
}

func newTrace() *trace { return &trace{moments: map[int][]search.Event{}} }

func (r *trace) Observe(e search.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moments[e.Stream] = append(r.moments[e.Stream], e)
}

// A walk tells of all iterations of at most six bits that matter, and of its
// end, with accounts that add up.
func TestTrace(t *testing.T) {
	p, board := start(t)
	r := newTrace()
	if _, err := Polish(context.Background(), p, board, quick, Plan{Streams: 2, Threads: 2, Trace: r, Budget: search.Budget{Iterations: 4*Round + 14}}); err != nil {
		t.Fatal(err)
	}
	var want []int64
	for n := int64(1); n <= 2*Round+7; n++ {
		if n>>bits.TrailingZeros64(uint64(n)) < 64 || n == 2*Round+7 {
			want = append(want, n)
		}
	}
	for stream := range 2 {
		var at []int64
		best := 0
		for _, e := range r.moments[stream] {
			at = append(at, e.Done)
			uses, weights := int64(0), 0.0
			for _, o := range e.Operators {
				uses += o.Uses
				weights += o.Weight
			}
			if e.Kind != search.Traced || uses != e.Done || math.Abs(weights-1) > 1e-9 || e.Repairs[0].Uses != e.Done || e.Score > e.Best || e.Best < best {
				t.Errorf("stream %d: %+v after a best of %d", stream, e, best)
			}
			best = e.Best
		}
		if !slices.Equal(at, want) {
			t.Errorf("stream %d: traced at %v, want %v", stream, at, want)
		}
	}
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
		"no weights":       func(s *State) { s.Selection = nil },
		"a weight of ∞":    func(s *State) { s.Selection = []float64{1, 1, math.Inf(1)} },
		"an operator less": func(s *State) { s.Operators = s.Operators[1:] },
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
	const want = "170 3 5b75ecd2f9eb61de"
	if got := fmt.Sprintf("%d %d %016x", r.Score, r.Stream, h.Sum64()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What the walks have counted adds up in the result: every hole of an exact
// repair is proved or given up, and every iteration has one outcome.
func TestAccountsAddUp(t *testing.T) {
	p, board := start(t)
	r := newTrace()
	got, err := Polish(context.Background(), p, board, Options{Repair: "exact", Repairing: repair.Options{Nodes: 20}},
		Plan{Streams: 2, Trace: r, Budget: search.Budget{Iterations: 600}})
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Repairs; n.Optimal == 0 || n.Fallbacks == 0 || n.Optimal+n.Fallbacks != n.Uses || n.Uses != 600 {
		t.Errorf("repairs %+v", n)
	}
	var unchanged, want int64
	for i, o := range got.Operators {
		unchanged += o.Unchanged
		for stream := range 2 {
			want += r.moments[stream][len(r.moments[stream])-1].Operators[i].Unchanged
		}
		if o.Accepted+o.Unchanged > o.Uses || o.Improved > o.Accepted {
			t.Errorf("%+v", o)
		}
	}
	if unchanged != want || want == 0 {
		t.Errorf("%d unchanged, the walks tell of %d", unchanged, want)
	}
}
