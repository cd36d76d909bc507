package alns

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/puzzle"
	"lastmile/random"
)

// recordBoard is a full board near the top, without its clues pinned.
func recordBoard(tb testing.TB) *puzzle.Board {
	tb.Helper()
	r, ok := puzzle.RecordNamed("riotte-464")
	if !ok {
		tb.Fatal("no riotte-464")
	}
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(r.Board)
	return b
}

// BenchmarkIterate measures one iteration by the size of the hole, on a board
// near the top and on a solved and damaged board of other sizes: the cost must
// follow k, not the board.
func BenchmarkIterate(b *testing.B) {
	for _, k := range []int{12, 20, 40, 80} {
		b.Run(fmt.Sprintf("k=%d/board=16x16", k), func(b *testing.B) { benchmarkIterate(b, recordBoard(b), k) })
	}
	for _, side := range []int{8, 16, 32, 64} {
		for _, k := range []int{20, 40} {
			b.Run(fmt.Sprintf("k=%d/board=%dx%d", k, side, side), func(b *testing.B) {
				p, solution, err := puzzle.Generate(puzzle.Spec{Width: side, Height: side, Colours: 22, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				board := puzzle.NewBoard(p)
				board.Load(solution)
				benchmarkIterate(b, board, k)
			})
		}
	}
}

func benchmarkIterate(b *testing.B, board *puzzle.Board, k int) {
	s, err := NewSearch(board, Options{Smallest: k, Largest: k})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Iterate()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "iterations/s")
}

// damaged gives a solved board with some pieces of the inside shuffled.
func damaged(tb testing.TB, s puzzle.Spec, share float64) *puzzle.Board {
	tb.Helper()
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		tb.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	r := random.New(s.Seed, "damage", 0)
	n := int(share * float64(p.Cells()))
	for range 1000 * n {
		if n == 0 {
			break
		}
		x, y := r.Below(p.Cells()), r.Below(p.Cells())
		if p.RimMask(x) == 0 && p.RimMask(y) == 0 || s.Unframed {
			b.Swap(x, r.Below(4), y, r.Below(4))
			n--
		}
	}
	return b
}

// Whatever the loop does, the board stays full, framed, and holds its clues,
// the counts are those of its colours, and a rejected iteration changes nothing:
// by default for long, and briefly for every repair, policy and rule.
func TestIterateKeepsTheBoard(t *testing.T) {
	keepsTheBoard(t, Options{Accepting: acceptance.Options{Temperature: 0.5}}, 3000)
	for _, method := range repair.Names() {
		for _, policy := range selection.Names() {
			for _, rule := range acceptance.Names() {
				o := combined(method, policy, rule)
				t.Run(method+"/"+policy+"/"+rule, func(t *testing.T) { keepsTheBoard(t, o, 60) })
			}
		}
	}
}

// combined is a loop of every operator that is cheap to try, and that changes
// its mind within some iterations.
func combined(method, policy, rule string) Options {
	return Options{
		Operators: destroy.Operators, Repair: method, Selection: policy, Acceptance: rule,
		Repairing: repair.Options{Nodes: 100}, Selecting: selection.Options{Memory: 0.9, Segment: 10},
		Accepting: acceptance.Options{Temperature: 0.5, History: 20},
	}
}

func keepsTheBoard(t *testing.T, o Options, iterations int) {
	for _, spec := range []puzzle.Spec{
		{Width: 8, Height: 8, Colours: 8, Seed: 1}, {Width: 7, Height: 5, Colours: 5, Seed: 2, Unframed: true},
		{Width: 1, Height: 9, Colours: 2, Seed: 3}, {Width: 2, Height: 2, Colours: 2, Seed: 3},
	} {
		b := damaged(t, spec, 0.4)
		cell := b.Puzzle().Cells() / 2
		p, err := b.Puzzle().WithClues([]puzzle.Placement{{Cell: cell, Piece: b.Piece(cell), Rotation: b.Rotation(cell)}})
		if err != nil {
			t.Fatal(err)
		}
		board := puzzle.NewBoard(p)
		board.Load(b.Placements(nil))
		o.Smallest, o.Largest = 1, p.Cells()
		s, err := NewSearch(board, o)
		if err != nil {
			t.Fatal(err)
		}
		start := board.Score()
		best := start
		for i := range iterations {
			s.Advance(float64(i) / float64(iterations))
			before, score := board.Placements(nil), board.Score()
			outcome := s.Iterate()
			after := board.Placements(nil)
			tally := board.Grid().Tally()
			if board.Filled() != p.Cells() || board.Score() != tally.Matched || p.CluesHeld(board.Grid()) != 1 {
				t.Fatalf("%+v: filled %d, score %d of %d", spec, board.Filled(), board.Score(), tally.Matched)
			}
			if p.Framed() && len(tally.RimFaults) > 0 {
				t.Fatalf("%+v: rim faults at %v", spec, tally.RimFaults)
			}
			switch {
			case outcome <= Unchanged && !slices.Equal(before, after),
				outcome > Unchanged && slices.Equal(before, after),
				outcome == Better && board.Score() <= score,
				outcome == NewBest && board.Score() <= best:
				t.Fatalf("%+v: outcome %v from %d to %d, best %d", spec, outcome, score, board.Score(), best)
			}
			best = max(best, board.Score())
		}
		if s.bestScore != best {
			t.Errorf("%+v: best %d, saw %d", spec, s.bestScore, best)
		}
		b.Load(s.best)
		if b.Score() != best {
			t.Errorf("%+v: kept a board of %d as the best of %d", spec, b.Score(), best)
		}
		if p.Cells() > 30 && iterations >= 1000 && best == start {
			t.Errorf("%+v: nothing gained from %d", spec, start)
		}
	}
}

func TestIterateAllocatesNothing(t *testing.T) {
	for _, policy := range selection.Names() {
		for _, rule := range acceptance.Names() {
			o := combined("greedy", policy, rule)
			o.Smallest, o.Largest = 1, 200
			s, err := NewSearch(recordBoard(t), o)
			if err != nil {
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(500, func() { s.Iterate() }); n != 0 {
				t.Errorf("%s, %s: %v allocations an iteration", policy, rule, n)
			}
		}
	}
}

// Holes are never larger than the board, whatever the options allow.
func TestHolesFitTheBoard(t *testing.T) {
	b := damaged(t, puzzle.Spec{Width: 4, Height: 4, Colours: 4, Seed: 1}, 0.3)
	for _, o := range []Options{{Largest: math.MaxInt}, {Smallest: math.MaxInt, Largest: math.MaxInt}} {
		o.Operators = []destroy.Operator{{Name: "wanted", Choose: func(h *destroy.Hole, k int) {
			if k < 1 || k > 16 {
				t.Fatalf("asked for %d cells of 16", k)
			}
			destroy.Scattered(h, k)
		}}}
		s, err := NewSearch(b, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			s.Iterate()
		}
	}
}

func TestNewSearchRefuses(t *testing.T) {
	full := func() *puzzle.Board { return recordBoard(t) }
	empty := full()
	empty.Remove(7)
	faulty := full()
	faulty.Swap(0, 0, 17, 0)
	moved := full()
	moved.Swap(135, 0, 136, 0) // 135 holds the starter
	for name, c := range map[string]struct {
		b *puzzle.Board
		o Options
	}{
		"an empty cell":      {empty, Options{}},
		"a rim fault":        {faulty, Options{}},
		"a moved clue":       {moved, Options{}},
		"a negative size":    {full(), Options{Smallest: -1}},
		"no function":        {full(), Options{Operators: []destroy.Operator{{Name: "idle"}}}},
		"sizes upside down":  {full(), Options{Smallest: 9, Largest: 3}},
		"a temperature of ∞": {full(), Options{Accepting: acceptance.Options{Temperature: math.Inf(1)}}},
		"no temperature":     {full(), Options{Accepting: acceptance.Options{Temperature: math.NaN()}}},
		"a memory of 1":      {full(), Options{Selecting: selection.Options{Memory: 1}}},
		"no such policy":     {full(), Options{Selection: "dice"}},
		"no such rule":       {full(), Options{Acceptance: "luck"}},
		"no such repair":     {full(), Options{Repair: "glue"}},
		"nodes below 0":      {full(), Options{Repairing: repair.Options{Nodes: -1}}},
		"no operators":       {full(), Options{Operators: []destroy.Operator{}}},
	} {
		if _, err := NewSearch(c.b, c.o); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
