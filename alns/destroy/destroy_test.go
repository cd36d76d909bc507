package destroy

import (
	"math"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// broken gives a full board with conflicts, of which two cells are clues.
func broken(t *testing.T, s puzzle.Spec) *puzzle.Board {
	t.Helper()
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	r := random.New(9, "broken", 0)
	clues := []puzzle.Placement{solution[0], solution[p.Cells()/2]}
	if clues[0] == clues[1] {
		clues = clues[:1]
	}
	if p, err = p.WithClues(clues); err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	for range p.Cells() / 3 {
		x, y := r.Below(p.Cells()), r.Below(p.Cells())
		at := p.CluesByCell()
		if p.RimMask(x) == p.RimMask(y) && at[x] < 0 && at[y] < 0 {
			b.Swap(x, b.Rotation(y), y, b.Rotation(x))
		}
	}
	return b
}

// Every operator keeps the clues, chooses at most k cells, each once, and
// leaves the board and the list of free cells as they were.
func TestOperators(t *testing.T) {
	for _, s := range []puzzle.Spec{
		{Width: 1, Height: 1, Colours: 1}, {Width: 1, Height: 5, Colours: 2}, {Width: 3, Height: 3, Colours: 3},
		{Width: 12, Height: 5, Colours: 6}, {Width: 5, Height: 12, Colours: 6}, {Width: 16, Height: 16, Colours: 22},
	} {
		b := broken(t, s)
		h := NewHole(b, random.New(1, "operators", 0))
		free, board := slices.Clone(h.Free), b.Placements(nil)
		for _, o := range Portfolio {
			for k := 1; k <= b.Puzzle().Cells()+1; k++ {
				h.Clear()
				o.Choose(h, k)
				seen := map[int]bool{}
				for _, cell := range h.Cells() {
					if seen[cell] || !slices.Contains(free, cell) || !h.Has(cell) {
						t.Fatalf("%s, k = %d: chose %v of %v", o.Name, k, h.Cells(), free)
					}
					seen[cell] = true
				}
				if h.Len() > k || !slices.Equal(h.Free, free) || !slices.Equal(b.Placements(nil), board) {
					t.Fatalf("%s, k = %d: %d cells, free %v", o.Name, k, h.Len(), h.Free)
				}
			}
		}
	}
}

func TestOperatorsAllocateNothing(t *testing.T) {
	b := broken(t, puzzle.Spec{Width: 16, Height: 16, Colours: 22})
	h := NewHole(b, random.New(1, "operators", 0))
	for _, o := range Portfolio {
		if n := testing.AllocsPerRun(200, func() { h.Clear(); o.Choose(h, 40) }); n != 0 {
			t.Errorf("%s: %v allocations", o.Name, n)
		}
	}
}

func TestRandomCellsAreUniform(t *testing.T) {
	b := broken(t, puzzle.Spec{Width: 6, Height: 6, Colours: 5})
	h := NewHole(b, random.New(1, "uniform", 0))
	count := make([]float64, 36)
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
	want := float64(runs*k) / float64(len(h.Free))
	for _, cell := range h.Free {
		if math.Abs(count[cell]-want) > 5*math.Sqrt(want) {
			t.Errorf("cell %d chosen %v times, want about %v", cell, count[cell], want)
		}
	}
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
	solved, solution, err := puzzle.Generate(puzzle.Spec{Width: 4, Height: 4, Colours: 4})
	if err != nil {
		t.Fatal(err)
	}
	board := puzzle.NewBoard(solved)
	board.Load(solution)
	h = NewHole(board, random.New(1, "seams", 0))
	MismatchedSeams(h, 5)
	if h.Len() != 0 {
		t.Errorf("%d cells on a solved board", h.Len())
	}
}

func TestWorstBandIsTheWorst(t *testing.T) {
	b := broken(t, puzzle.Spec{Width: 6, Height: 9, Colours: 6})
	p := b.Puzzle()
	h := NewHole(b, random.New(1, "band", 0))
	for _, rows := range []int{1, 2, 3, 9} {
		worst := 0
		for top := 0; top+rows <= p.Height; top++ {
			sum := 0
			for row := top; row < top+rows; row++ {
				sum += b.RowConflicts(row)
			}
			worst = max(worst, sum)
		}
		h.Clear()
		WorstBand(h, rows*p.Width)
		low, high, sum := p.Height, 0, 0
		for _, cell := range h.Cells() {
			low, high = min(low, cell/p.Width), max(high, cell/p.Width)
		}
		for row := low; row <= high; row++ {
			sum += b.RowConflicts(row)
		}
		// A row may consist of a clue at its edge only in part, so the band is seen whole.
		if high-low+1 != rows || sum != worst {
			t.Errorf("%d rows: took rows %d to %d with %d conflicts, the worst have %d", rows, low, high, sum, worst)
		}
		if short := rows*p.Width - h.Len(); short > len(p.Clues) {
			t.Errorf("%d rows: %d cells short", rows, short)
		}
	}
}

func TestNamed(t *testing.T) {
	got, err := Named("worst-band", "random-cells")
	if err != nil || len(got) != 2 || got[0].Name != "worst-band" || got[1].Name != "random-cells" {
		t.Errorf("%v, %v", got, err)
	}
	if all, err := Named(); err != nil || len(all) != len(Portfolio) {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := Named("dynamite"); err == nil {
		t.Error("dynamite was found")
	}
}
