package match

import (
	"slices"
	"testing"

	"lastmile/game/virus"
)

// openings draws n of them.
func drawn(t *testing.T, start virus.Position, plies int, seed uint64, n int) []Opening {
	t.Helper()
	o, err := NewOpenings(start, plies, seed)
	if err != nil {
		t.Fatal(err)
	}
	var all []Opening
	for range n {
		next, err := o.Next()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, next)
	}
	return all
}

func TestOpenings(t *testing.T) {
	gaps, err := virus.ParseFEN(virus.Virus, "x4o/6/2-1-1/6/6/o4x o 0 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []virus.Position{virus.Start(virus.Virus, 7, 7), virus.Start(virus.Ataxx, 8, 4), gaps} {
		seen := map[virus.Shape]bool{}
		all := drawn(t, start, 4, 7, 60)
		for k, o := range all {
			p := start
			for _, m := range o.Moves {
				if err := p.Check(m); err != nil {
					t.Fatal(err)
				}
				p = p.Play(m)
			}
			if p != o.Position || p.Over() || len(o.Moves) != 4 {
				t.Errorf("opening %d: %v leads to %s, want %s", k, o.Moves, o.Position.FEN(), p.FEN())
			}
			if seen[p.Shape()] {
				t.Errorf("opening %d repeats: %s", k, p.FEN())
			}
			seen[p.Shape()] = true
		}
		again, other := drawn(t, start, 4, 7, 60), drawn(t, start, 4, 8, 60)
		same := func(a, b Opening) bool { return slices.Equal(a.Moves, b.Moves) }
		if !slices.EqualFunc(all, again, same) || slices.EqualFunc(all, other, same) {
			t.Errorf("openings from %s do not follow from the seed, or are those of all seeds", start.FEN())
		}
	}
}

// Openings get longer when those of a length are used up, and repeat when that
// does not help.
func TestOpeningsRunOut(t *testing.T) {
	start := virus.Start(virus.Virus, 7, 7)
	first := map[virus.Shape]bool{} // after a ply
	for _, m := range start.Moves(nil) {
		p := start.Play(m)
		first[p.Shape()] = true
	}
	all := drawn(t, start, 1, 1, 30)
	long := 0
	for _, o := range all {
		if len(o.Moves) > 1 {
			long++
		}
	}
	if got := 30 - long; got != len(first) {
		t.Errorf("%d openings of one ply, want %d", got, len(first))
	}
	for _, o := range drawn(t, start, 0, 1, 3) {
		if len(o.Moves) != 0 || o.Position != start {
			t.Errorf("no plies, but %v", o.Moves)
		}
	}
	small, err := NewOpenings(virus.Start(virus.Virus, 3, 3), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if o, err := small.Next(); err != nil || o.Position.Over() {
			t.Fatalf("%v, %v", o.Moves, err)
		}
	}
	if p, err := small.pair(); err != nil || p.different >= 300 || p.different < 2 {
		t.Errorf("%d different openings on 3x3, %v", p.different, err)
	}
}
