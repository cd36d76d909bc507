package destroy

import (
	"math"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// flood lists the cells that hang together with the given one by broken seams,
// over cells that may be entered.
func flood(b *puzzle.Board, from int, may func(cell int) bool) []int {
	cells := []int{from}
	for i := 0; i < len(cells); i++ {
		for side, n := range b.Puzzle().Neighbours(cells[i]) {
			if n >= 0 && b.Broken(cells[i], side) && may(int(n)) && !slices.Contains(cells, int(n)) {
				cells = append(cells, int(n))
			}
		}
	}
	slices.Sort(cells)
	return cells
}

// sparse are boards on which components are small, with and without clues.
func sparse(t *testing.T) []*puzzle.Board {
	s := puzzle.Spec{Width: 14, Height: 11, Colours: 12}
	many := make([]int, 0, 60)
	for cell := 0; cell < 14*11; cell += 3 {
		many = append(many, cell)
	}
	return []*puzzle.Board{damaged(t, s, 6), damaged(t, s, 14), damaged(t, s, 14, 20, 21, 75), damaged(t, s, 40, many...)}
}

// The cells hang together by broken seams, and are the whole component when it
// fits.
func TestComponentIsConnectedAndWhole(t *testing.T) {
	for _, b := range sparse(t) {
		h := NewHole(b, random.New(1, "component", 0))
		free := func(cell int) bool { return !h.clue[cell] }
		for _, k := range []int{1, 2, 3, 5, 8, 13, 40, 200} {
			for range 50 {
				h.Clear()
				Component(h, k)
				if h.Len() == 0 {
					if len(b.Puzzle().Clues) == 0 {
						t.Fatal("an empty hole on a board without clues")
					}
					continue
				}
				chosen := slices.Sorted(slices.Values(h.Cells()))
				if together := flood(b, chosen[0], h.Has); !slices.Equal(together, chosen) {
					t.Fatalf("k = %d: %v are not connected", k, chosen)
				}
				if whole := flood(b, chosen[0], free); len(chosen) != min(k, len(whole)) {
					t.Fatalf("k = %d: %d cells of a component of %d", k, len(chosen), len(whole))
				}
			}
		}
	}
}

// Every broken seam is as likely to be drawn, and either of its cells to be
// chosen first.
func TestBrokenSeamsAreDrawnAlike(t *testing.T) {
	b := solved(t, 9, 9)
	twist(b, 10, 16, 0)
	if b.Breaks() != 10 {
		t.Fatalf("%d breaks, want 4 + 4 + 2", b.Breaks())
	}
	h := NewHole(b, random.New(1, "seams", 0))
	for _, choose := range []func(*Hole, int){MismatchedSeams, Component, ComponentHalo} {
		for _, k := range []int{1, 40} {
			const runs = 20000
			count := map[int]int{}
			for range runs {
				h.Clear()
				choose(h, k)
				count[h.Cells()[0]]++
			}
			for _, cell := range h.Free {
				want := float64(runs*b.Conflicts(cell)) / 20
				if math.Abs(float64(count[cell])-want) > 5*math.Sqrt(want) {
					t.Errorf("cell %d came first %d times, want about %.0f", cell, count[cell], want)
				}
			}
		}
	}
}

// What is cut short by k grows to every side as often.
func TestComponentsPreferNoSide(t *testing.T) {
	b := solved(t, 5, 5)
	twist(b, 12)
	h := NewHole(b, random.New(1, "sides", 0))
	for _, c := range []struct {
		choose func(*Hole, int)
		k      int
		want   []int
	}{{Component, 2, []int{7, 11, 13, 17}}, {ComponentHalo, 6, []int{6, 8, 16, 18}}} {
		count := map[int]int{}
		total := 0
		for range 20000 {
			h.Clear()
			c.choose(h, c.k)
			if h.Cells()[0] == 12 {
				count[h.Cells()[c.k-1]]++
				total++
			}
		}
		asOften(t, count, total, c.want)
	}
}

// Clues are walls: two broken seams that meet in a clue are two components.
func TestComponentStopsAtClues(t *testing.T) {
	b := damaged(t, puzzle.Spec{Width: 5, Height: 1, Colours: 50, Unframed: true}, 0, 2)
	twist(b, 1, 3)
	h := NewHole(b, random.New(1, "walls", 0))
	for range 50 {
		h.Clear()
		Component(h, 5)
		left := h.Has(0) && h.Has(1)
		right := h.Has(3) && h.Has(4)
		if h.Len() != 2 || left == right {
			t.Fatalf("chose %v, want one side of the clue", h.Cells())
		}
	}
}

// Cells beyond the component touch it, and all that do are there when they fit.
func TestComponentHaloSurroundsAComponent(t *testing.T) {
	for _, b := range sparse(t) {
		p := b.Puzzle()
		h := NewHole(b, random.New(1, "halo", 0))
		free := func(cell int) bool { return !h.clue[cell] }
		for _, k := range []int{1, 2, 3, 5, 8, 13, 24, 40, 200} {
			for range 50 {
				h.Clear()
				ComponentHalo(h, k)
				if h.Len() == 0 {
					continue
				}
				component := flood(b, h.Cells()[0], free)
				inside := min(k, len(component))
				for i, cell := range h.Cells() {
					if in := slices.Contains(component, cell); in != (i < inside) {
						t.Fatalf("k = %d: cell %d is number %d, the component has %d", k, cell, i, len(component))
					}
				}
				if len(component) >= k {
					continue
				}
				var whole []int
				for cell := range p.Cells() {
					if free(cell) && slices.ContainsFunc(component, func(other int) bool {
						return max(distance(cell/p.Width, other/p.Width), distance(cell%p.Width, other%p.Width)) <= 1
					}) {
						whole = append(whole, cell)
					}
				}
				for _, cell := range h.Cells() {
					if !slices.Contains(whole, cell) {
						t.Fatalf("cell %d is not next to %v", cell, component)
					}
				}
				if h.Len() != min(k, len(whole)) {
					t.Fatalf("k = %d: %d cells of a component and halo of %d", k, h.Len(), len(whole))
				}
			}
		}
	}
}

func distance(a, b int) int { return max(a-b, b-a) }
