package construct

import (
	"context"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

func depthFirstOf(t testing.TB, p *puzzle.Puzzle, o DepthFirstOptions, b search.Budget) DepthFirstResult {
	t.Helper()
	r, err := DepthFirst(context.Background(), p, o, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// officialBreaks suit the official puzzle with its starter clue.
var officialBreaks = []int{201, 206, 211, 216, 221, 225, 229, 233, 237, 239}

// starter is the official puzzle with the clue that everybody must keep.
func starter(t testing.TB) *puzzle.Puzzle {
	t.Helper()
	clues, err := puzzle.CluesNamed("starter")
	if err != nil {
		t.Fatal(err)
	}
	p, err := puzzle.Official().WithClues(clues)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A board comes back whatever the puzzle, the options and the budget.
func TestDepthFirstGivesABoard(t *testing.T) {
	odd, err := puzzle.New("odd", 2, 2, []puzzle.Edges{{0, 0, 0, 0}, {0, 1, 0, 1}, {1, 1, 1, 1}, {1, 2, 2, 0}}, []puzzle.Placement{{Cell: 1, Piece: 1}})
	if err != nil {
		t.Fatal(err)
	}
	full := generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3, Seed: 1}, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	for _, p := range []*puzzle.Puzzle{
		generated(t, puzzle.Spec{Width: 1, Height: 1, Colours: 1}),
		generated(t, puzzle.Spec{Width: 1, Height: 7, Colours: 2}),
		generated(t, puzzle.Spec{Width: 6, Height: 1, Colours: 2}, 2),
		generated(t, puzzle.Spec{Width: 2, Height: 2, Colours: 3}),
		generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3}, 4),
		generated(t, puzzle.Spec{Width: 3, Height: 2, Colours: 3, Unframed: true}),
		generated(t, puzzle.Spec{Width: 7, Height: 4, Colours: 200, Unframed: true}),
		generated(t, puzzle.Spec{Width: 32, Height: 32, Colours: 22}),
		odd, full, puzzle.Official(), starter(t),
	} {
		for i, o := range []DepthFirstOptions{
			{}, {Strict: true}, {Early: -1, Order: "spiral@se"}, {Early: 22, Restart: 1000}, {Breaks: []int{0, 0, 3, 500}}, {Order: "comb-4@ne", Strict: true, Early: -1},
		} {
			if p.Cells() > 1000 && i > 1 {
				break // its beams take long
			}
			for _, nodes := range []int64{1, 5000} {
				r := depthFirstOf(t, p, o, search.Budget{Nodes: nodes})
				valid(t, p, r.Result)
				what := fmt.Sprintf("%s %dx%d, %+v, %d nodes", p.Name, p.Width, p.Height, o, nodes)
				if got := p.Look(r.Placements).Tally().Matched; got != r.Score {
					t.Errorf("%s: score %d, the board has %d", what, r.Score, got)
				}
				if r.Nodes > nodes {
					t.Errorf("%s: %d nodes", what, r.Nodes)
				}
				sum := int64(0)
				for _, n := range r.Counts {
					sum += n
				}
				open := p.Cells() - len(p.Clues)
				if sum > r.Nodes || r.Depth > open || len(r.Counts) != open+1 {
					t.Errorf("%s: %d nodes counted of %d, depth %d, %d counts", what, sum, r.Nodes, r.Depth, len(r.Counts))
				}
				if o.Strict && (r.Breaks != 0 || len(r.Indexes) != 0) {
					t.Errorf("%s: %d breaks, indexes %v", what, r.Breaks, r.Indexes)
				}
				if o.Breaks != nil && !slices.Equal(r.Indexes, o.Breaks) {
					t.Errorf("%s: indexes %v", what, r.Indexes)
				}
			}
		}
	}
}

func TestDepthFirstEndsWhenTold(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		budget search.Budget
	}{
		"context": {gone, search.Budget{}},
		"time":    {context.Background(), search.Budget{Time: time.Nanosecond}},
		"nodes":   {context.Background(), search.Budget{Nodes: chunk + 7}},
	} {
		r, err := DepthFirst(c.ctx, puzzle.Official(), DepthFirstOptions{}, c.budget, nil)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, puzzle.Official(), r.Result)
		if most := max(chunk, c.budget.Nodes); r.Nodes > most {
			t.Errorf("%s: %d nodes, want %d at most", name, r.Nodes, most)
		}
	}
}

// A search that is stopped completes its board as well as any other.
func TestStoppedSearchCompletesItsBoard(t *testing.T) {
	p := starter(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	o := DepthFirstOptions{Seed: 2}
	got, err := DepthFirst(ctx, p, o, search.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := depthFirstOf(t, p, o, search.Budget{Nodes: got.Nodes})
	if got.Nodes == 0 || !slices.Equal(got.Placements, want.Placements) {
		t.Errorf("%d after %d nodes, want %d as by a budget", got.Score, got.Nodes, want.Score)
	}
}

// A tiny puzzle is searched to its end without a budget, and the board is best.
func TestDepthFirstEndsByItself(t *testing.T) {
	for seed := range uint64(5) {
		p := generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3, Seed: seed})
		r := depthFirstOf(t, p, DepthFirstOptions{Early: -1}, search.Budget{})
		if r.Score != p.MaxScore() || r.Depth != p.Cells() || r.Breaks != 0 {
			t.Errorf("seed %d: score %d, depth %d, %d breaks; it can be solved", seed, r.Score, r.Depth, r.Breaks)
		}
	}
}

func TestDepthFirstIsReproducible(t *testing.T) {
	p := starter(t)
	for _, o := range []DepthFirstOptions{{Restart: 150_000}, {Breaks: officialBreaks, Seed: 3}, {Strict: true, Stream: 2, Restart: 100_000}} {
		b := search.Budget{Nodes: 500_000}
		first, again := depthFirstOf(t, p, o, b), depthFirstOf(t, p, o, b)
		if !slices.Equal(first.Placements, again.Placements) || !slices.Equal(first.Counts, again.Counts) || first.Nodes != again.Nodes ||
			!slices.Equal(first.Indexes, again.Indexes) || first.Depth != again.Depth || first.Restarts != again.Restarts {
			t.Errorf("%+v: two results", o)
		}
		o.Seed += 100
		if other := depthFirstOf(t, p, o, b); slices.Equal(first.Counts, other.Counts) {
			t.Errorf("%+v: another seed counts the same", o)
		}
	}
}

func TestDepthFirstRestarts(t *testing.T) {
	r := depthFirstOf(t, starter(t), DepthFirstOptions{Strict: true, Early: -1, Restart: 100_000}, search.Budget{Nodes: 350_000})
	if r.Restarts != 3 || r.Nodes != 350_000 {
		t.Errorf("%d restarts in %d nodes, want 3 in 350000", r.Restarts, r.Nodes)
	}
}

// A budget that ends within a pilot says nothing about the schedule.
func TestShortPilotSoftensNothing(t *testing.T) {
	for _, nodes := range []int64{1, 200} {
		r := depthFirstOf(t, starter(t), DepthFirstOptions{}, search.Budget{Nodes: nodes})
		if r.Depth < int(nodes)/10 {
			t.Errorf("%d nodes: depth %d, the board of the pilot is lost", nodes, r.Depth)
		}
		if r.Softened != 1 || len(r.Indexes) > 0 {
			t.Errorf("%d nodes: softened to %v, break indexes %v", nodes, r.Softened, r.Indexes)
		}
	}
}

// A schedule that cannot be followed is softened until it can, or given up.
func TestScheduleIsSoftened(t *testing.T) {
	small := generated(t, puzzle.Spec{Width: 8, Height: 8, Colours: 8, Seed: 1})
	for _, c := range []struct {
		puzzle      *puzzle.Puzzle
		early       int
		least, most float64
	}{{starter(t), 1, 1, 1}, {starter(t), 5, 0.5, 0.9}, {small, MaxEarly, 0, 0}} {
		r := depthFirstOf(t, c.puzzle, DepthFirstOptions{Early: c.early, Strict: true}, search.Budget{Nodes: 6 * patient * pilot})
		if r.Softened < c.least || r.Softened > c.most {
			t.Errorf("%d early colours: softened to %v, want %v to %v", c.early, r.Softened, c.least, c.most)
		}
		if r.Softened > 0 && r.Depth < 160 {
			t.Errorf("%d early colours: the schedule is still too hard after %d cells", c.early, r.Depth)
		}
	}
}

func TestChooseNarrow(t *testing.T) {
	const many = 10 * narrowPays
	for _, c := range []struct {
		nodes []int64 // by level
		want  int
	}{
		{[]int64{1, 1, many, many, 10, many}, 2}, // also pays at 5, but saves less there
		{[]int64{1, 1, 100, 5, 11, many}, 4},
		{[]int64{many, many, many, many}, 7}, // pays nowhere: as it was
		{[]int64{1, many, 0, 0}, 1},
	} {
		d := &dive{rules: make([]rule, len(c.nodes)), levels: make([]level, len(c.nodes)+1)}
		for i, n := range c.nodes {
			d.levels[i].nodes = n
		}
		f := &depthFirst{narrowAt: 7}
		if f.chooseNarrow(d); f.narrowAt != c.want {
			t.Errorf("%v: narrowed at %d, want %d", c.nodes, f.narrowAt, c.want)
		}
	}
}

func TestDepthFirstTells(t *testing.T) {
	var events []search.Event
	watch := search.Func(func(e search.Event) { events = append(events, e) })
	r, err := DepthFirst(context.Background(), starter(t), DepthFirstOptions{Strict: true, Restart: 50_000}, search.Budget{Nodes: 200_000}, watch)
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for i, e := range events {
		if e.Stage != "depth-first" || e.Unit != "nodes" || e.Max != 480 {
			t.Errorf("event %+v", e)
		}
		if (e.Kind == search.Started) != (i == 0) || (e.Kind == search.Finished) != (i == len(events)-1) {
			t.Errorf("event %d of %d is of kind %v", i, len(events), e.Kind)
		}
		if e.Kind == search.Improved {
			if e.Score <= best || starter(t).Look(e.Placements).Tally().Matched != e.Score {
				t.Errorf("improved to %d after %d", e.Score, best)
			}
			best = e.Score
		}
	}
	if best != r.Score {
		t.Errorf("told of %d, result %d", best, r.Score)
	}
}

func TestDepthFirstRefuses(t *testing.T) {
	for want, o := range map[string]DepthFirstOptions{
		"sideways":    {Order: "sideways"},
		"0 early":     {}, // stands for the default
		"-2 early":    {Early: -2},
		"255 early":   {Early: 255},
		"-1 nodes":    {Restart: -1},
		"strict":      {Strict: true, Breaks: []int{200}},
		"ascending":   {Breaks: []int{210, 200}},
		"index -3":    {Breaks: []int{-3, 200}},
		"@ne, @sw or": {Order: "comb@nw"},
	} {
		err := o.Check()
		if reflect.DeepEqual(o, DepthFirstOptions{}) {
			if err != nil {
				t.Errorf("the defaults are refused: %v", err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want it refused with a word about %q", o, err, want)
		}
		if _, again := DepthFirst(context.Background(), puzzle.Official(), o, search.Budget{Nodes: 1}, nil); again == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

// Signature: what a fixed seed gives. A change here is a change of the search.
func TestDepthFirstSignature(t *testing.T) {
	for _, c := range []struct {
		options DepthFirstOptions
		want    string
	}{
		{DepthFirstOptions{Breaks: officialBreaks, Seed: 1}, "456 6000000 234 8 6392a85ee40e5d1b"},
		{DepthFirstOptions{Strict: true, Early: -1, Order: "comb@ne", Seed: 1}, "454 6000000 190 0 bc324571238011d5"},
	} {
		r := depthFirstOf(t, starter(t), c.options, search.Budget{Nodes: 6_000_000})
		h := fnv.New64a()
		fmt.Fprint(h, r.Placements, r.Counts)
		if got := fmt.Sprintf("%d %d %d %d %016x", r.Score, r.Nodes, r.Depth, r.Breaks, h.Sum64()); got != c.want {
			t.Errorf("%+v: %s, want %s", c.options, got, c.want)
		}
	}
}
