package cost

import (
	"math"
	"slices"
	"testing"
	"time"

	"lastmile/alns"
	"lastmile/alns/destroy"
)

// short keeps measurements short: what they count is tested, not how fast.
const short = 100 * time.Microsecond

// Damaged boards of all sizes have the same share of broken seams, and are
// what the loop takes.
func TestDamaged(t *testing.T) {
	for _, side := range []int{8, 16, 24} {
		b, err := Damaged(side, 3)
		if err != nil {
			t.Fatal(err)
		}
		live := b.board()
		share := float64(live.Breaks()) / float64(b.Puzzle.MaxScore())
		if share < Broken || share > Broken+8.0/float64(b.Puzzle.MaxScore()) {
			t.Errorf("%s: %.3f of the seams broken, want %v", b.Name, share, Broken)
		}
		again, err := Damaged(side, 3)
		if err != nil || !slices.Equal(again.Start, b.Start) {
			t.Errorf("%s: the same seed gives another board (%v)", b.Name, err)
		}
		if _, err := NewLoop(b, 5, alns.Options{}); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}

func TestRecord(t *testing.T) {
	if b, err := Record("riotte-464"); err != nil || b.board().Score() != 464 {
		t.Errorf("%v", err)
	}
	if _, err := Record("nobody-480"); err == nil {
		t.Error("a board that is not bundled was found")
	}
}

// The loop goes back to the start when the cells have been lifted once on
// average, and holes have the size asked for.
func TestLoop(t *testing.T) {
	b, err := Damaged(8, 1)
	if err != nil {
		t.Fatal(err)
	}
	random, err := destroy.Named("random-cells")
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLoop(b, 6, alns.Options{Operators: random})
	if err != nil {
		t.Fatal(err)
	}
	if l.reload != 64/6 {
		t.Errorf("back after %d iterations, want %d", l.reload, 64/6)
	}
	if nanos := l.Measure(short); !(nanos > 0) {
		t.Errorf("%v ns an iteration", nanos)
	}
	if l.Hole() != 6 {
		t.Errorf("holes of %v cells, want 6", l.Hole())
	}
	if c := l.Conflicts(); !(c > 0) || c > 4 {
		t.Errorf("%v conflicts a cell", c)
	}
	if n := l.Allocations(200); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

func TestChoice(t *testing.T) {
	b, err := Record("riotte-464")
	if err != nil {
		t.Fatal(err)
	}
	for _, operator := range destroy.Portfolio {
		c := NewChoice(b, 12, operator, 1)
		if nanos := c.Measure(short); !(nanos > 0) || !(c.Hole() > 0) || c.Hole() > 12 {
			t.Errorf("%s: %v ns, holes of %v cells", operator.Name, nanos, c.Hole())
		}
	}
}

// The parts leave the board as it was, and count the work of the definition.
func TestParts(t *testing.T) {
	b, err := Record("riotte-464")
	if err != nil {
		t.Fatal(err)
	}
	random, err := destroy.Named("random-cells")
	if err != nil {
		t.Fatal(err)
	}
	p := NewParts(b, 20, random, 1)
	times := p.Measure(short)
	if got := p.live.Placements(nil); !slices.Equal(got, b.board().Placements(nil)) {
		t.Error("the board has changed")
	}
	if math.Abs(times.Cells-20) > 1e-9 || math.Abs(times.Comparisons-210) > 1e-9 {
		t.Errorf("%v cells, %v comparisons, want 20 and 210", times.Cells, times.Comparisons)
	}
	if !(times.Unwatched > 0) || !(times.Compare > 0) {
		t.Errorf("%+v", times)
	}
}

// The bare comparison finds what counting sides one by one finds.
func TestBest(t *testing.T) {
	b, err := Record("riotte-464")
	if err != nil {
		t.Fatal(err)
	}
	p := NewParts(b, 40, destroy.Portfolio, 1)
	for cell := 100; cell < 110; cell++ {
		e := b.Puzzle.Rotated(cell, cell%4)
		need := uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24
		want := 0
		for piece := range 40 {
			for r := range 4 {
				matched := 0
				for side, c := range b.Puzzle.Rotated(piece, r) {
					if c == e[side] {
						matched++
					}
				}
				want = max(want, matched)
			}
		}
		if got := best(p.quads, need|need<<32); got != want {
			t.Errorf("cell %d: %d sides, want %d", cell, got, want)
		}
	}
}

func TestAllocationsAreCounted(t *testing.T) {
	var keep []*int
	if n := Allocations(100, func() { keep = append(keep[:0], new(int)) }); n < 100 || n > 200 {
		t.Errorf("%d allocations in 100 runs that each do one", n)
	}
}
