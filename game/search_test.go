package game

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

func newSearch(t testing.TB, s Settings) *Search {
	t.Helper()
	x, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// At every depth the value is that of minimax, and the line leads to it.
func TestValueIsMinimax(t *testing.T) {
	for name, s := range map[string]Settings{"alpha-beta": {}, "table": {Table: 12}, "small table": {Table: 2}} {
		x := newSearch(t, s)
		for seed := range uint64(150) {
			x.Forget()
			b := newTree(seed, 7)
			if len(b.Moves(nil)) == 0 {
				continue
			}
			told := 0
			_, err := x.Run(context.Background(), b, Limit{Depth: 8}, func(r Result) {
				told++
				if r.Depth != told {
					t.Fatalf("depth %d is told as number %d", r.Depth, told)
				}
				if want := b.minimax(r.Depth); r.Value != want {
					t.Fatalf("%s, tree %d, depth %d: %d, want %d", name, seed, r.Depth, r.Value, want)
				}
				if r.Move != r.Line[0] || len(r.Line) > r.Depth {
					t.Fatalf("%s, tree %d: move %d, line %v", name, seed, r.Move, r.Line)
				}
				b.Play(r.Move)
				if got := -b.minimax(r.Depth - 1); got != r.Value {
					t.Fatalf("%s, tree %d, depth %d: move %d is worth %d, not %d", name, seed, r.Depth, r.Move, got, r.Value)
				}
				b.Undo()
				if s.Table == 0 { // a table cuts lines short
					for _, m := range r.Line {
						if !slices.Contains(b.Moves(nil), m) {
							t.Fatalf("%s, tree %d: line %v", name, seed, r.Line)
						}
						b.Play(m)
					}
					v := b.Value()
					for range r.Line {
						b.Undo()
						v = -v
					}
					if v != r.Value {
						t.Fatalf("%s, tree %d: the line ends at %d, want %d", name, seed, v, r.Value)
					}
				}
			})
			if err != nil || told != 8 || len(b.before) != 0 {
				t.Fatalf("%v, %d depths, %d moves not taken back", err, told, len(b.before))
			}
		}
	}
}

// Extensions change nothing where all games end within the depth.
func TestExtendedToTheEnd(t *testing.T) {
	for seed := range uint64(200) {
		b := newTree(seed, 6)
		for _, s := range []Settings{{Table: 10, Singular: 20}, {Table: 10, Good: 30}, {Singular: 50, Good: 10, Quiet: 2}} {
			x := newSearch(t, s)
			r, err := x.Run(context.Background(), b, Limit{Depth: 7}, nil)
			if len(b.Moves(nil)) == 0 {
				if err == nil {
					t.Fatal("a game that is over was searched")
				}
				continue
			}
			if want := b.minimax(7); err != nil || r.Value != want {
				t.Fatalf("tree %d, %+v: %d, %v, want %d", seed, s, r.Value, err, want)
			}
		}
	}
}

// reaches is null-move search as the literature words it, without order, table or
// counts. Whether it reaches beta depends on none of them.
func reaches(t *tree, s Settings, beta Points, depth int, passed, guarded, mayNull bool) bool {
	if depth <= 0 {
		return t.Value() >= beta
	}
	null := s.Null != NoNull && mayNull && (!passed || s.Twice) && t.Left() >= max(s.Near, 1) && !t.MustPass()
	if s.Null == VerifiedNull && guarded && depth == 1 {
		null = false
	}
	failedHigh, full := false, depth
	if null {
		t.Skip()
		high := !reaches(t, s, -beta+1, depth-1-s.R, true, guarded, true)
		t.Undo()
		switch {
		case !high:
		case s.Null == VerifiedNull && guarded:
			failedHigh, guarded, depth = true, false, depth-1
		case s.Null == CheckedNull:
			if reaches(t, s, beta, depth-s.R, false, guarded, false) {
				return true
			}
		default:
			return true
		}
	}
	moves := t.Moves(nil)
	if len(moves) == 0 {
		return t.Value() >= beta
	}
	try := func() bool {
		for _, m := range moves {
			t.Play(m)
			high := !reaches(t, s, -beta+1, depth-1, false, guarded, true)
			t.Undo()
			if high {
				return true
			}
		}
		return false
	}
	if try() {
		return true
	}
	if failedHigh {
		guarded, depth = true, full
		return try()
	}
	return false
}

func TestNullMoves(t *testing.T) {
	differs := map[NullMove]int{}
	for _, s := range []Settings{
		{Null: PlainNull, R: 1}, {Null: PlainNull, R: 2, Twice: true}, {Null: PlainNull, R: 3, Near: 4},
		{Null: CheckedNull, R: 1}, {Null: CheckedNull, R: 2}, {Null: CheckedNull, R: 2, Twice: true},
		{Null: VerifiedNull, R: 1}, {Null: VerifiedNull, R: 2}, {Null: VerifiedNull, R: 3}, {Null: VerifiedNull, R: 1, Twice: true, Near: 3},
	} {
		x := newSearch(t, s)
		for seed := range uint64(60) {
			b := newTree(seed, 7)
			for depth := 1; depth <= 7; depth++ {
				for bound := Points(-60); bound <= 60; bound += 30 {
					got, counts, err := x.Test(context.Background(), b, depth, bound)
					want := reaches(b, s, bound, depth, false, true, true)
					if err != nil || got != want {
						t.Fatalf("%+v, tree %d, depth %d: at least %d is %v, %v, want %v", s, seed, depth, bound, got, err, want)
					}
					if want != (b.minimax(depth) >= bound) {
						differs[s.Null]++
					}
					if counts.NullCuts > counts.NullMoves || s.Null != PlainNull && counts.Verified+counts.Zugzwangs > counts.NullCuts {
						t.Fatalf("%+v: %+v", s, counts)
					}
				}
			}
		}
	}
	// In these trees null moves say nothing, so the guards have much to do.
	if !(differs[VerifiedNull] < differs[PlainNull] && differs[CheckedNull] < differs[PlainNull] && differs[PlainNull] > 0) {
		t.Errorf("answers unlike those of full width: %v", differs)
	}
}

func TestLimits(t *testing.T) {
	b := newTree(5, 40)
	for _, n := range []int64{1, 2, 100, 5000, 100_000} {
		x := newSearch(t, Settings{Table: 12})
		r, err := x.Run(context.Background(), b, Limit{Nodes: n}, nil)
		if err != nil || len(b.before) != 0 {
			t.Fatal(err, len(b.before))
		}
		if !slices.Contains(b.Moves(nil), r.Move) {
			t.Errorf("%d nodes: move %d", n, r.Move)
		}
		if n >= 100 && r.Nodes > n+40 || n >= 5000 && r.Nodes < n-40 { // leaves and forced lines in between
			t.Errorf("%d nodes asked, %d spent", n, r.Nodes)
		}
		x.Forget()
		again, err := x.Run(context.Background(), b, Limit{Nodes: n}, nil)
		if err != nil || again.Counts != r.Counts || again.Value != r.Value || !slices.Equal(again.Line, r.Line) {
			t.Errorf("%d nodes: %+v, then %+v", n, r, again)
		}
	}
	for _, n := range []int64{200, 3000} { // quiescence counts, and stops, too
		x := newSearch(t, Settings{Table: 12, Quiet: 1})
		if r, err := x.Run(context.Background(), b, Limit{Nodes: n}, nil); err != nil || r.Nodes > n+40 || len(b.before) != 0 {
			t.Errorf("%d nodes asked with quiescence, %d spent, %v", n, r.Nodes, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := newSearch(t, Settings{Table: 12})
	if r, err := x.Run(ctx, b, Limit{}, nil); err != nil || !r.Stopped || !slices.Contains(b.Moves(nil), r.Move) {
		t.Errorf("a context that is over: %+v, %v", r, err)
	}
	if _, _, err := x.Test(ctx, b, 30, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
	if r, err := x.Run(context.Background(), b, Limit{Hard: 30 * time.Millisecond}, nil); err != nil || r.Depth < 1 {
		t.Errorf("a short time: %+v, %v", r, err)
	}
}

func TestSettingsCheck(t *testing.T) {
	for _, s := range []Settings{
		{Table: 31}, {Table: -1}, {Null: 4}, {R: 2}, {Near: 2}, {Twice: true}, {Null: PlainNull}, {Null: VerifiedNull, R: 11},
		{Null: PlainNull, R: 2, Near: -1}, {Bad: -1}, {Good: -1}, {Singular: -1}, {Quiet: -1},
		{Bad: MaxPoints + 1}, {Good: math.MaxInt32}, {Singular: math.MaxInt32},
	} {
		if _, err := New(s); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	for _, l := range []Limit{{Depth: -1}, {Depth: MaxDepth + 1}, {Nodes: -1}, {Hard: -1}, {Soft: -1}} {
		if _, err := newSearch(t, Settings{}).Run(context.Background(), newTree(5, 9), l, nil); err == nil {
			t.Errorf("%+v is accepted", l)
		}
	}
	for i, name := range NullMoves() {
		if n, err := NullMoveNamed(name); err != nil || int(n) != i || n.String() != name {
			t.Errorf("%s: %v, %v", name, n, err)
		}
	}
	if _, err := NullMoveNamed("maybe"); err == nil {
		t.Error("null move maybe is accepted")
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	for _, s := range []Settings{{Table: 10}, {Table: 10, Null: VerifiedNull, R: 2, Late: true, Quiet: 1, Singular: 10, Bad: 20, Good: 20}} {
		x := newSearch(t, s)
		b := newAllocless(9)
		search := func() {
			if _, _, err := x.Test(context.Background(), b, 8, 3); err != nil {
				t.Fatal(err)
			}
		}
		search()
		if n := testing.AllocsPerRun(5, search); n != 0 {
			t.Errorf("%+v: %v allocations a search", s, n)
		}
	}
}

// allocless is a tree whose own bookkeeping takes no memory either.
type allocless struct{ *tree }

func newAllocless(seed uint64) allocless {
	t := newTree(seed, 9)
	t.before = make([]state, 0, 64)
	return allocless{t}
}

func (a allocless) MustPass() bool {
	var room [8]Move
	list := a.Moves(room[:0])
	return len(list) == 1 && list[0] == treePass
}
