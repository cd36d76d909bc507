package destroy

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// broken gives a full board with conflicts, of which two cells are clues.
func broken(t testing.TB, s puzzle.Spec) *puzzle.Board {
	t.Helper()
	return damaged(t, s, s.Width*s.Height/3, 0, s.Width*s.Height/2)
}

// damaged gives a solved board on which so many pairs of cells have then been
// exchanged, with clues on the given cells, which stay as they are.
func damaged(t testing.TB, s puzzle.Spec, swaps int, clues ...int) *puzzle.Board {
	t.Helper()
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(clues)
	var fixed []puzzle.Placement
	for _, cell := range slices.Compact(clues) {
		fixed = append(fixed, solution[cell])
	}
	if p, err = p.WithClues(fixed); err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	r, at := random.New(9, "broken", 0), p.CluesByCell()
	for range swaps {
		x, y := r.Below(p.Cells()), r.Below(p.Cells())
		if p.RimMask(x) == p.RimMask(y) && at[x] < 0 && at[y] < 0 {
			b.Swap(x, b.Rotation(y), y, b.Rotation(x))
		}
	}
	return b
}

// solved gives a board without breaks and without clues. Its colours are so many
// that a piece turned round breaks all its seams, see twist.
func solved(t testing.TB, width, height int) *puzzle.Board {
	t.Helper()
	return damaged(t, puzzle.Spec{Width: width, Height: height, Colours: 200, Unframed: true}, 0)
}

// twist turns pieces of an unframed board round where they lie.
func twist(b *puzzle.Board, cells ...int) {
	for _, cell := range cells {
		turn := (b.Rotation(cell) + 2) % 4
		b.Swap(cell, turn, cell, turn)
	}
}

// asOften fails unless each of the keys was counted about total/len(keys) times,
// and no other: within five standard deviations of a sum of independent draws.
func asOften[K comparable](t *testing.T, count map[K]int, total int, keys []K) {
	t.Helper()
	want := float64(total) / float64(len(keys))
	sum := 0
	for _, key := range keys {
		sum += count[key]
		if math.Abs(float64(count[key])-want) > 5*math.Sqrt(want) {
			t.Errorf("%v came %d times, want about %.0f", key, count[key], want)
		}
	}
	all := 0
	for _, n := range count {
		all += n
	}
	if all != sum {
		t.Errorf("%d draws outside the %d choices", all-sum, len(keys))
	}
}

// boards are the sizes that operators must cope with: tiny, thin and huge ones,
// with few clues, many and nothing but clues.
func boards(t testing.TB) []*puzzle.Board {
	var list []*puzzle.Board
	for _, s := range []puzzle.Spec{
		{Width: 1, Height: 1, Colours: 1}, {Width: 1, Height: 5, Colours: 2}, {Width: 5, Height: 1, Colours: 2},
		{Width: 2, Height: 2, Colours: 2}, {Width: 3, Height: 3, Colours: 3},
		{Width: 2, Height: 30, Colours: 5}, {Width: 12, Height: 5, Colours: 6}, {Width: 5, Height: 12, Colours: 6},
		{Width: 16, Height: 16, Colours: 22}, {Width: 128, Height: 128, Colours: 40},
	} {
		list = append(list, broken(t, s))
		s.Unframed = true
		list = append(list, broken(t, s), damaged(t, s, s.Width*s.Height/3))
	}
	var half, all []int
	for cell := range 6 * 7 {
		if all = append(all, cell); cell%2 == 0 {
			half = append(half, cell)
		}
	}
	s := puzzle.Spec{Width: 7, Height: 6, Colours: 5}
	return append(list, damaged(t, s, 20, half...), damaged(t, s, 0, all...), damaged(t, s, 0))
}

// holes are the k that a board is tried with: all of a small one.
func holes(b *puzzle.Board) []int {
	var list []int
	for k := 1; k <= min(b.Puzzle().Cells()+1, 40); k++ {
		list = append(list, k)
	}
	return append(list, 100, 257)
}

// Every operator keeps the clues, chooses at most k cells, each once, and
// leaves the board and the list of free cells as they were.
func TestOperators(t *testing.T) {
	for _, b := range boards(t) {
		h := NewHole(b, random.New(1, "operators", 0))
		free, board := slices.Clone(h.Free), b.Placements(nil)
		for _, o := range Operators {
			for _, k := range holes(b) {
				h.Clear()
				o.Choose(h, k)
				seen := map[int]bool{}
				for _, cell := range h.Cells() {
					_, isFree := slices.BinarySearch(free, cell)
					if seen[cell] || !isFree || !h.Has(cell) {
						t.Fatalf("%s, k = %d: chose %v", o.Name, k, h.Cells())
					}
					seen[cell] = true
				}
				if h.Len() > k {
					t.Fatalf("%s, k = %d: %d cells", o.Name, k, h.Len())
				}
			}
			if !slices.Equal(h.Free, free) || !slices.Equal(b.Placements(nil), board) {
				t.Fatalf("%s changed the board or the free cells", o.Name)
			}
		}
	}
}

// A hole depends on the board and the stream alone: one that has served many
// times gives what a new one gives.
func TestOperatorsDependOnTheStreamAlone(t *testing.T) {
	for _, b := range boards(t) {
		old := NewHole(b, random.New(1, "old", 0))
		for _, o := range Operators {
			for n, k := range holes(b) {
				if b.Puzzle().Cells() > 1000 && n%10 > 0 {
					continue // a new hole of a huge board takes its time
				}
				fresh := NewHole(b, random.New(2, "stream", n))
				o.Choose(fresh, k)
				old.Random.Reset(2, "stream", n)
				old.Clear()
				o.Choose(old, k)
				if !slices.Equal(old.Cells(), fresh.Cells()) {
					t.Fatalf("%s, k = %d: %v, then %v", o.Name, k, fresh.Cells(), old.Cells())
				}
			}
		}
	}
}

func TestOperatorsAllocateNothing(t *testing.T) {
	b := broken(t, puzzle.Spec{Width: 16, Height: 16, Colours: 22})
	for _, o := range Operators {
		h := NewHole(b, random.New(1, "operators", 0))
		if n := testing.AllocsPerRun(200, func() { h.Clear(); o.Choose(h, 40) }); n != 0 {
			t.Errorf("%s: %v allocations", o.Name, n)
		}
	}
}

// BenchmarkChoose measures holes of up to 24 cells on boards with about as many
// broken seams a cell. The time for a chosen cell must not grow with the board
// by more than slower caches explain.
func BenchmarkChoose(b *testing.B) {
	for _, o := range Operators {
		b.Run(o.Name, func(b *testing.B) {
			for _, side := range []int{16, 64} {
				b.Run(strconv.Itoa(side), func(b *testing.B) {
					s := puzzle.Spec{Width: side, Height: side, Colours: 22, Unframed: true}
					h := NewHole(damaged(b, s, side*side/32), random.New(1, "choose", 0))
					cells := 0
					b.ReportAllocs()
					for b.Loop() {
						h.Clear()
						o.Choose(h, 24)
						cells += h.Len()
					}
					b.ReportMetric(float64(cells)/float64(b.N), "cells/op")
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(cells), "ns/cell")
				})
			}
		})
	}
}

func TestRandomCellsAreUniform(t *testing.T) {
	b := broken(t, puzzle.Spec{Width: 6, Height: 6, Colours: 5})
	h := NewHole(b, random.New(1, "uniform", 0))
	count := map[int]int{}
	const runs, k = 20000, 5
	for range runs {
		h.Clear()
		RandomCells(h, k)
		if h.Len() != k {
			t.Fatalf("%d cells, want %d", h.Len(), k)
		}
		for _, cell := range h.Cells() {
			count[cell]++
		}
	}
	asOften(t, count, runs*k, h.Free)
}

func TestMismatchedSeamsTakesOnlyBrokenCells(t *testing.T) {
	b := broken(t, puzzle.Spec{Width: 10, Height: 10, Colours: 8})
	h := NewHole(b, random.New(1, "seams", 0))
	broken := 0
	for _, cell := range h.Free {
		if b.Conflicts(cell) > 0 {
			broken++
		}
	}
	count := map[int]int{}
	for _, k := range []int{1, 2, 3, 8, 1000} {
		for range 500 {
			h.Clear()
			MismatchedSeams(h, k)
			for _, cell := range h.Cells() {
				count[cell]++
				if b.Conflicts(cell) == 0 {
					t.Fatalf("cell %d has no broken seam", cell)
				}
			}
			if k <= 3 && h.Len() != k || k == 1000 && h.Len() != broken {
				t.Fatalf("k = %d: %d cells of %d broken", k, h.Len(), broken)
			}
		}
	}
	if len(count) != broken {
		t.Errorf("%d broken cells ever chosen of %d", len(count), broken)
	}
}

// On a board without breaks the operators that start from a broken seam choose
// nothing, and the others something.
func TestOperatorsOnASolvedBoard(t *testing.T) {
	h := NewHole(solved(t, 6, 6), random.New(1, "solved", 0))
	for _, o := range Operators {
		h.Clear()
		o.Choose(h, 5)
		nothing := slices.Contains([]string{"mismatched-seams", "component", "component-halo", "worst-window"}, o.Name)
		if nothing != (h.Len() == 0) {
			t.Errorf("%s: %d cells on a solved board", o.Name, h.Len())
		}
	}
}

// The portfolio is a choice of the operators, and the list has no name twice.
func TestLists(t *testing.T) {
	for i, name := range Names() {
		if index(name) != i {
			t.Errorf("%s stands twice in the list", name)
		}
	}
	for _, o := range Portfolio {
		got, err := Named(o.Name)
		if err != nil || reflect.ValueOf(got[0].Choose).Pointer() != reflect.ValueOf(o.Choose).Pointer() {
			t.Errorf("%s is another operator in the portfolio (%v)", o.Name, err)
		}
	}
}

func TestNamed(t *testing.T) {
	got, err := Named("scattered", "random-cells")
	if err != nil || len(got) != 2 || got[0].Name != "scattered" || got[1].Name != "random-cells" {
		t.Errorf("%v, %v", got, err)
	}
	if usual, err := Named(); err != nil || len(usual) != len(Portfolio) {
		t.Errorf("%v, %v", usual, err)
	}
	if _, err := Named("dynamite"); err == nil {
		t.Error("dynamite was found")
	}
}
