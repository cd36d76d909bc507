package solve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"lastmile/alns"
	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/certify/solver"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
)

// exchanged is a solved board in which inner pieces far apart have changed
// places, so that two of its pieces break all their seams.
func exchanged(t *testing.T, s puzzle.Spec, clues ...int) (*puzzle.Puzzle, []puzzle.Placement) {
	t.Helper()
	p := generated(t, s, clues...)
	_, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	first, last := s.Width+1, p.Cells()-s.Width-2
	b.Swap(first, b.Rotation(last), last, b.Rotation(first))
	return p, b.Placements(nil)
}

var spec = puzzle.Spec{Width: 8, Height: 8, Colours: 9, Seed: 3}

// few are options with which the loop mends next to nothing: single cells.
var few = alns.Options{Smallest: 1, Largest: 1, Seed: 7}

func wallValid(t *testing.T, p *puzzle.Puzzle, r WallResult) {
	t.Helper()
	valid(t, p, Result{Score: r.Score, Placements: r.Placements})
	breaks := p.MaxScore() + 1
	for _, c := range r.Certified {
		if c.Breaks > breaks || c.Floor > c.Best || c.Best > c.Breaks || c.Freed < 1 {
			t.Errorf("certified %+v after a board of %d breaks", c, breaks)
		}
		if (c.Verdict == certify.Found) != (c.Best < c.Breaks) || c.Verdict == certify.Proven && c.Floor != c.Best {
			t.Errorf("certified %+v", c)
		}
		breaks = c.Breaks
	}
	if r.Optimal != (r.Score == p.MaxScore()) && len(r.Certified) == 0 {
		t.Errorf("optimal %t without a proof", r.Optimal)
	}
}

// wallResult is what must not depend on threads or on being stopped.
func wallResult(r WallResult) string {
	for i := range r.Operators {
		r.Operators[i].Weight = 0
	}
	return fmt.Sprint(r.Score, r.Placements, r.Stream, r.Gained, r.Iterations, r.Operators, r.Repairs, r.Certified, r.Optimal)
}

func solvers(t *testing.T) map[string]certify.Solver {
	t.Helper()
	s, err := solver.Named("gophersat")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]certify.Solver{"gophersat": s, "ledger": nil}
}

// What single cells cannot mend, a decision does.
func TestWallMends(t *testing.T) {
	p, start := exchanged(t, spec)
	plain, err := alns.Polish(context.Background(), p, start, few, alns.Plan{Streams: 1, Budget: search.Budget{Iterations: 50}})
	if err != nil || plain.Score == p.MaxScore() {
		t.Fatalf("polish alone: %d, %v: the test shows nothing", plain.Score, err)
	}
	for name, s := range solvers(t) {
		for _, budget := range []search.Budget{{Iterations: 50}, {Iterations: 50, Time: time.Hour}} {
			r, err := Wall(context.Background(), p, start, few, WallPlan{Streams: 1, Budget: budget, Solver: s})
			if err != nil {
				t.Fatal(err)
			}
			wallValid(t, p, r)
			if r.Score != p.MaxScore() || !r.Optimal || r.Stream != -1 {
				t.Errorf("%s, %+v: %d of %d, optimal %t, stream %d, certified %+v", name, budget, r.Score, p.MaxScore(), r.Optimal, r.Stream, r.Certified)
			}
			if c := r.Certified[0]; c.Verdict != certify.Found || c.Radius != 0 || c.Breaks != p.MaxScore()-plain.Score {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// unsolvable is a small puzzle whose best board has breaks: two of its inner
// pieces are mirror images of what they should be.
func unsolvable(t *testing.T, clues ...int) (*puzzle.Puzzle, []puzzle.Placement) {
	t.Helper()
	for seed := range uint64(100) {
		p, solution, err := puzzle.Generate(puzzle.Spec{Width: 4, Height: 4, Colours: 7, RimColours: 3, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		pieces := slices.Clone(p.Pieces)
		for _, cell := range []int{5, 10} {
			e := &pieces[solution[cell].Piece]
			e[puzzle.Up], e[puzzle.Right] = e[puzzle.Right], e[puzzle.Up]
		}
		var held []puzzle.Placement
		for _, cell := range clues {
			held = append(held, solution[cell])
		}
		if p, err = puzzle.New("mirrored", 4, 4, pieces, held); err != nil {
			t.Fatal(err)
		}
		if best(t, p, solution) > 0 {
			return p, solution
		}
	}
	t.Fatal("all can be solved")
	return nil, nil
}

// best is the fewest breaks of all boards that hold the clues.
func best(t *testing.T, p *puzzle.Puzzle, start []puzzle.Placement) int {
	t.Helper()
	b := puzzle.NewBoard(p)
	b.Load(start)
	clue := p.CluesByCell()
	var cells []int
	for cell := range p.Cells() {
		if clue[cell] < 0 {
			cells = append(cells, cell)
		}
	}
	r, err := certify.NewRegion(b, cells)
	if err != nil {
		t.Fatal(err)
	}
	res, err := certify.Exhaust(context.Background(), r, certify.Better, ledger.Plan{})
	if err != nil || !res.Optimal() {
		t.Fatalf("%+v, %v", res, err)
	}
	return b.Breaks() - r.Own() + res.Best
}

// A board that cannot be improved is proven so, radius by radius, up to the
// whole board.
func TestWallProves(t *testing.T) {
	for _, clues := range [][]int{nil, {5}, {6, 9}, {0, 5, 6}} {
		p, start := unsolvable(t, clues...)
		want := best(t, p, start)
		for name, s := range solvers(t) {
			r, err := Wall(context.Background(), p, start, few, WallPlan{Streams: 1, Budget: search.Budget{Iterations: 50, Time: time.Hour}, Solver: s})
			if err != nil {
				t.Fatal(err)
			}
			wallValid(t, p, r)
			if breaks := p.MaxScore() - r.Score; breaks != want || !r.Optimal {
				t.Errorf("%s, clues %v: %d breaks, optimal %t, want %d, true", name, clues, breaks, r.Optimal, want)
			}
			last := r.Certified[len(r.Certified)-1]
			if last.Verdict != certify.Proven || last.Freed != p.Cells()-len(clues) || last.Floor != last.Breaks {
				t.Errorf("%s, clues %v: last certified %+v", name, clues, last)
			}
		}
	}
}

// Two clues that do not match leave a break whose halo is empty at first.
func TestWallOfClues(t *testing.T) {
	p, solution := exchanged(t, puzzle.Spec{Width: 4, Height: 4, Colours: 4, Seed: 1})
	p, err := p.WithClues(solution)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Wall(context.Background(), p, solution, few, WallPlan{Budget: search.Budget{Iterations: 10}})
	if err != nil || !r.Optimal || len(r.Certified) != 0 {
		t.Errorf("a board of clues: %+v, %v", r, err)
	}
	// One cell is free: its piece is the only one.
	if p, err = p.WithClues(solution[1:]); err != nil {
		t.Fatal(err)
	}
	for name, s := range solvers(t) {
		r, err = Wall(context.Background(), p, solution, few, WallPlan{Budget: search.Budget{Iterations: 10, Time: time.Hour}, Solver: s})
		if err != nil || !r.Optimal || r.Score != p.Look(solution).Tally().Matched {
			t.Errorf("%s, one free cell: %+v, %v", name, r, err)
		}
	}
}

// hard is a puzzle on which every kind of verdict comes up within a short run.
var (
	hard     = puzzle.Spec{Width: 8, Height: 8, Colours: 12, Seed: 8}
	hardPlan = WallPlan{Streams: 2, Patience: 1, Nodes: 2000, Budget: search.Budget{Iterations: 8*alns.Round + 100}}
	hardly   = alns.Options{Seed: 5, Largest: 4}
)

func hardBoard(t *testing.T) (*puzzle.Puzzle, []puzzle.Placement) {
	t.Helper()
	p := generated(t, hard, 20)
	r, err := Run(context.Background(), p, Options{Orders: []string{"row-major"}, Alike: -1, Attempts: 1, Width: 1, NoFinish: true, Seed: 4}, Plan{Budget: search.Budget{Nodes: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	return p, r.Placements
}

func TestWallIsReproducible(t *testing.T) {
	p, start := hardBoard(t)
	want, err := Wall(context.Background(), p, start, hardly, hardPlan)
	if err != nil {
		t.Fatal(err)
	}
	wallValid(t, p, want)
	if want.Iterations != hardPlan.Budget.Iterations {
		t.Errorf("%d iterations, want %d", want.Iterations, hardPlan.Budget.Iterations)
	}
	verdicts := map[certify.Verdict]int{}
	for _, c := range want.Certified {
		verdicts[c.Verdict]++
	}
	if verdicts[certify.Open] == 0 || verdicts[certify.Proven] == 0 {
		t.Errorf("verdicts %v: it shows too little", verdicts)
	}
	for _, threads := range []int{2, 3} {
		plan := hardPlan
		plan.Threads = threads
		got, err := Wall(context.Background(), p, start, hardly, plan)
		if err != nil {
			t.Fatal(err)
		}
		if wallResult(got) != wallResult(want) {
			t.Errorf("%d threads: %s, want %s", threads, wallResult(got), wallResult(want))
		}
	}
}

// A run that is cut at any checkpoint, or stopped anywhere, goes on to the board
// and the proofs of an unbroken one, and has lost no board.
func TestWallResumes(t *testing.T) {
	p, start := hardBoard(t)
	want, err := Wall(context.Background(), p, start, hardly, hardPlan)
	if err != nil {
		t.Fatal(err)
	}
	var saved [][]byte
	keep := func(s WallState) {
		text, err := json.Marshal(s)
		if err != nil {
			t.Error(err)
		}
		saved = append(saved, text)
	}
	plan := hardPlan
	plan.Save, plan.Every, plan.Threads = keep, 5*time.Millisecond, 2
	if _, err := Wall(context.Background(), p, start, hardly, plan); err != nil {
		t.Fatal(err)
	}
	all := len(saved)
	for i := 0; i < all; i++ { // about six of them
		if i%(1+all/6) != 0 {
			saved[i] = nil
		}
	}
	for _, after := range []int{1, 12, 40} {
		ctx, cancel := context.WithCancel(context.Background())
		events, best, began := 0, 0, len(saved)
		plan := plan
		plan.Watch = search.Func(func(e search.Event) {
			if e.Kind == search.Improved {
				best = e.Score
			}
			if events++; events == after {
				cancel()
			}
		})
		r, err := Wall(ctx, p, start, hardly, plan)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		wallValid(t, p, r)
		saved = slices.Delete(saved, began, len(saved)-1)
		if r.Score < best {
			t.Errorf("stopped with a board of %d, told of %d", r.Score, best)
		}
	}
	for i, text := range saved {
		if text == nil {
			continue
		}
		var s WallState
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		got, err := ResumeWall(context.Background(), p, s, hardly, hardPlan)
		if err != nil {
			t.Fatalf("state %d: %v\n%s", i, err, text)
		}
		if wallResult(got) != wallResult(want) {
			t.Fatalf("resumed from state %d of %d: %s, want %s\n%s", i, len(saved), wallResult(got), wallResult(want), text)
		}
	}
}

// A run whose time is over still has the board of its walks.
func TestWallResumesWithoutTime(t *testing.T) {
	p, start := hardBoard(t)
	var last WallState
	best := 0
	plan := hardPlan
	plan.Save = func(s WallState) { last = s }
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	plan.Watch = search.Func(func(e search.Event) {
		if e.Kind == search.Improved && e.Score > p.Look(start).Tally().Matched {
			best = e.Score
			cancel()
		}
	})
	r, err := Wall(ctx, p, start, hardly, plan)
	if err != nil || r.Score < best {
		t.Fatalf("%d, told of %d, %v", r.Score, best, err)
	}
	if last.Walks == nil {
		t.Fatal("stopped outside of the walks: it shows nothing")
	}
	plan.Budget.Time, last.Elapsed = time.Second, time.Hour
	again, err := ResumeWall(context.Background(), p, last, hardly, plan)
	if err != nil || again.Score < r.Score {
		t.Errorf("resumed with %d, stopped with %d, %v", again.Score, r.Score, err)
	}
}

// Under a time budget the run ends, with a full board and all its clues.
func TestWallInTime(t *testing.T) {
	p, start := hardBoard(t)
	for name, s := range solvers(t) {
		for _, limit := range []time.Duration{1, 20 * time.Millisecond, 300 * time.Millisecond} {
			r, err := Wall(context.Background(), p, start, hardly, WallPlan{Threads: 2, Patience: 1, Budget: search.Budget{Time: limit}, Solver: s})
			if err != nil {
				t.Fatal(err)
			}
			wallValid(t, p, r)
			if r.Score < p.Look(start).Tally().Matched {
				t.Errorf("%s, %v: a board of %d", name, limit, r.Score)
			}
		}
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		r, err := Wall(gone, p, start, hardly, WallPlan{Budget: search.Budget{Time: time.Hour}, Solver: s})
		if err != nil {
			t.Fatal(err)
		}
		wallValid(t, p, r)
	}
}

// liar is a solver that fails after some answers.
type liar struct {
	certify.Solver
	after int
}

func (l *liar) Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
	if l.after--; l.after < 0 {
		return certify.Answer{}, errors.New("no licence")
	}
	return l.Solver.Solve(ctx, f, proof, limits)
}

// A solver that fails does not cost the board.
func TestWallOfABrokenSolver(t *testing.T) {
	p, start := hardBoard(t)
	for after := range 3 {
		s := &liar{solvers(t)["gophersat"], after}
		r, err := Wall(context.Background(), p, start, hardly, WallPlan{Budget: search.Budget{Iterations: 5000, Time: time.Hour}, Solver: s})
		if err == nil {
			continue // it had no need of more answers
		}
		wallValid(t, p, r)
		if r.Score < p.Look(start).Tally().Matched {
			t.Errorf("after %d answers: a board of %d", after, r.Score)
		}
	}
}

// folder is a store in memory.
type folder struct{ files fstest.MapFS }

type page struct {
	bytes.Buffer
	name string
	in   *folder
}

func (f *folder) Create(name string) (certify.File, error) { return &page{name: name, in: f}, nil }
func (f *folder) Remove(name string) error                 { delete(f.files, name); return nil }
func (p *page) Abort()                                     {}
func (p *page) Commit() error {
	p.in.files[p.name] = &fstest.MapFile{Data: bytes.Clone(p.Bytes())}
	return nil
}

// What is proven can be checked again, and nothing else is kept.
func TestWallKeepsCertificates(t *testing.T) {
	p, start := unsolvable(t, 5)
	for name, s := range solvers(t) {
		store := &folder{files: fstest.MapFS{}}
		r, err := Wall(context.Background(), p, start, few, WallPlan{Streams: 1, Budget: search.Budget{Iterations: 50, Time: time.Hour}, Solver: s, Store: store})
		if err != nil {
			t.Fatal(err)
		}
		proven, manifests, files := 0, 0, 0
		for _, c := range r.Certified {
			if c.Verdict == certify.Proven {
				proven++
			}
		}
		for path, file := range store.files {
			if !bytes.HasPrefix(file.Data, []byte("{")) {
				continue
			}
			manifests++
			m, err := certify.Read(bytes.NewReader(file.Data))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if err := certify.Check(context.Background(), m, store.files, 0, 1, nil); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			for _, step := range m.Steps {
				if step.Proof != nil {
					files += 2
				}
			}
		}
		if manifests != proven || proven == 0 || len(store.files) != manifests+files {
			t.Errorf("%s: %d proven, %d manifests, %d of %d files named in them", name, proven, manifests, files, len(store.files)-manifests)
		}
	}
}

func TestWallRefuses(t *testing.T) {
	p, start := exchanged(t, spec, 9)
	counted := WallPlan{Budget: search.Budget{Iterations: 10}}
	short := start[1:]
	twice := slices.Clone(start)
	twice[0] = twice[1]
	for what, run := range map[string]func() error{
		"no budget": func() error { _, err := Wall(context.Background(), p, start, few, WallPlan{}); return err },
		"a negative one": func() error {
			_, err := Wall(context.Background(), p, start, few, WallPlan{Budget: search.Budget{Iterations: -1}})
			return err
		},
		"no patience": func() error {
			_, err := Wall(context.Background(), p, start, few, WallPlan{Budget: counted.Budget, Patience: -1})
			return err
		},
		"a short board": func() error { _, err := Wall(context.Background(), p, short, few, counted); return err },
		"a piece twice": func() error { _, err := Wall(context.Background(), p, twice, few, counted); return err },
		"a lost clue":   func() error { _, err := Wall(context.Background(), p, start, few, counted); return err }, // cell 9 has been exchanged
		"a bad state": func() error {
			_, err := ResumeWall(context.Background(), p, WallState{Board: start, Want: 5}, few, counted)
			return err
		},
	} {
		if run() == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

// Events come one at a time; the best of them is the result; both stages show.
func TestWallEvents(t *testing.T) {
	p, start := hardBoard(t)
	var alone sync.Mutex
	best, stages := 0, map[string]int{}
	plan := hardPlan
	plan.Threads = 3
	plan.Watch = search.Func(func(e search.Event) {
		if !alone.TryLock() {
			t.Error("two events at once")
			return
		}
		defer alone.Unlock()
		stages[e.Stage]++
		if e.Kind == search.Improved {
			if got := p.Look(e.Placements).Tally().Matched; got != e.Score || got <= best {
				t.Errorf("event of %d carries a board of %d, after one of %d", e.Score, got, best)
			}
			best = e.Score
		}
	})
	r, err := Wall(context.Background(), p, start, hardly, plan)
	if err != nil {
		t.Fatal(err)
	}
	if best != r.Score || stages["polish"] == 0 || stages["certify"] == 0 || len(stages) != 2 {
		t.Errorf("best event %d, result %d, events %v", best, r.Score, stages)
	}
}

// Signature: what a fixed seed gives. A change here is a change of the search.
func TestWallSignature(t *testing.T) {
	p, start := hardBoard(t)
	r, err := Wall(context.Background(), p, start, hardly, hardPlan)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	fmt.Fprint(h, r.Placements, r.Certified)
	const want = "102 5 31345 5 66f01431c3a8c3c0"
	if got := fmt.Sprintf("%d %d %d %d %016x", r.Score, r.Stream, r.Gained, len(r.Certified), h.Sum64()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
