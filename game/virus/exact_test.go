package virus

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"testing"

	"lastmile/game"
)

// stones are all that the value of a position of virus depends on.
type stones struct{ own, other Squares }

// truth is the margin of every position that can be reached from p, by nothing
// but the rules.
func truth(p Position, values map[stones]int) int {
	k := stones{p.own, p.other}
	if v, ok := values[k]; ok {
		return v
	}
	if p.Over() {
		values[k] = p.Result()
		return p.Result()
	}
	best := -100
	for _, m := range p.Moves(nil) {
		best = max(best, -truth(p.Play(m), values))
	}
	values[k] = best
	return best
}

// reachable are the positions that can be reached from p, once for each way the
// stones lie before the side to move.
func reachable(p Position) map[stones]Position {
	all := map[stones]Position{}
	var visit func(p Position)
	visit = func(p Position) {
		k := stones{p.own, p.other}
		if _, seen := all[k]; seen {
			return
		}
		all[k] = p
		for _, m := range p.Moves(nil) {
			visit(p.Play(m))
		}
	}
	visit(p)
	return all
}

// The published counts of 4x4 virus: its positions in which both sides can move,
// and those of them in which a pass would change who wins.
func TestSmallVirus(t *testing.T) {
	start := Start(Virus, 4, 4)
	values := map[stones]int{}
	if v := truth(start, values); v != -8 {
		t.Errorf("the start is worth %d, want -8", v)
	}
	if v := -truth(start.Swapped(), values); v != 8 {
		t.Errorf("with a pass the start is worth %d, want 8", v)
	}
	both, zugzwangs := 0, 0
	for _, p := range reachable(start) {
		if !p.canMove(p.own) || !p.canMove(p.other) {
			continue
		}
		both++
		if v := truth(p, values); cmp.Compare(-truth(p.Swapped(), values), 0) > cmp.Compare(v, 0) {
			zugzwangs++
		}
	}
	if both != 125061 || zugzwangs != 4585 {
		t.Errorf("%d positions with %d zugzwangs, want 125061 with 4585", both, zugzwangs)
	}
}

func TestSolver(t *testing.T) {
	solver := NewSolver(16) // small enough to forget
	for _, size := range [][2]int{{3, 3}, {4, 3}, {4, 4}} {
		start := Start(Virus, size[0], size[1])
		values := map[stones]int{}
		for _, p := range reachable(start) {
			want := truth(p, values)
			s, err := solver.Solve(context.Background(), p, 0)
			if err != nil || s.Margin != want {
				t.Fatalf("%s: %d, %v, want %d", p.FEN(), s.Margin, err, want)
			}
			if p.Over() {
				continue
			}
			if err := p.Check(s.Best); err != nil {
				t.Fatalf("%s: best %v: %v", p.FEN(), s.Best, err)
			}
			if got := -truth(p.Play(s.Best), values); got != want {
				t.Fatalf("%s: %v leads to %d, want %d", p.FEN(), s.Best, got, want)
			}
		}
	}
}

// exactSettings are all switches that must not change what a search to the end of
// the game finds.
var exactSettings = map[string]game.Settings{
	"alpha-beta": {},
	"table":      {Table: 16},
	"good":       {Table: 16, Good: 2 * Stone},
	"singular":   {Table: 16, Singular: Stone},
	"quiet":      {Table: 16, Quiet: 2},
	"all":        {Table: 12, Good: Stone, Singular: 2 * Stone, Quiet: 1},
}

// To the end of the game, at once: each position is worth at least its value and
// not more, and a full window finds the value and a move that keeps it.
func TestSearchIsExact(t *testing.T) {
	for name, settings := range exactSettings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := game.New(settings)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{3, 4} {
				values := map[stones]int{}
				all := slices.SortedFunc(maps.Values(reachable(Start(Virus, size, size))), byStones)
				for i, p := range all {
					left := p.Empty().Count()
					if p.Over() || settings.Table == 0 && left > 6 && i%40 != 0 {
						continue // without a table the large ones take long
					}
					want := game.Points(truth(p, values)) * Stone
					for bound, holds := range map[game.Points]bool{want: true, want + 1: false} {
						got, _, err := s.Test(context.Background(), NewBoard(p, nil), 2*left+1, bound)
						if err != nil || got != holds {
							t.Fatalf("%s: at least %d: %v, %v, but it is worth %d", p.FEN(), bound, got, err, want)
						}
					}
					if i%50 != 0 {
						continue
					}
					r, err := s.Run(context.Background(), NewBoard(p, nil), game.Limit{Depth: 2*left + 1}, nil)
					if err != nil || r.Value != want || r.Depth != 2*left+1 {
						t.Fatalf("%s: %d at depth %d, %v, want %d", p.FEN(), r.Value, r.Depth, err, want)
					}
					if got := -truth(p.Play(Move(r.Move)), values); game.Points(got)*Stone != want {
						t.Fatalf("%s: %v leads to %d, want %d", p.FEN(), Move(r.Move), got, want)
					}
				}
			}
		})
	}
}

func byStones(a, b Position) int {
	return cmp.Or(cmp.Compare(a.own, b.own), cmp.Compare(a.other, b.other))
}
