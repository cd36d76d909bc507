package destroy

import (
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// No free cell that is left out has more conflicts than one that is taken, and
// the worst come first.
func TestMostConflictedTakesTheWorst(t *testing.T) {
	for _, b := range boards(t) {
		h := NewHole(b, random.New(1, "worst", 0))
		for _, k := range holes(b) {
			h.Clear()
			MostConflicted(h, k)
			if h.Len() != min(k, len(h.Free)) {
				t.Fatalf("%d cells, want %d of %d free ones", h.Len(), k, len(h.Free))
			}
			least := 4
			for i, cell := range h.Cells() {
				if b.Conflicts(cell) > least {
					t.Fatalf("the cell chosen as number %d is worse than the one before", i)
				}
				least = b.Conflicts(cell)
			}
			for _, cell := range h.Free {
				if !h.Has(cell) && b.Conflicts(cell) > least {
					t.Fatalf("cell %d with %d conflicts left out, one with %d taken", cell, b.Conflicts(cell), least)
				}
			}
		}
	}
}

// Among cells that are as bad every choice and every order is as likely.
func TestMostConflictedIsUniformAmongEquals(t *testing.T) {
	b := solved(t, 8, 8)
	twist(b, 9, 13, 36)
	var class [5][]int
	for cell := range b.Puzzle().Cells() {
		class[b.Conflicts(cell)] = append(class[b.Conflicts(cell)], cell)
	}
	if len(class[4]) != 3 || len(class[1]) != 12 {
		t.Fatalf("%d cells with four conflicts and %d with one, want 3 and 12", len(class[4]), len(class[1]))
	}
	h := NewHole(b, random.New(1, "equals", 0))
	const runs = 30000
	for _, conflicts := range []int{4, 1, 0} {
		before := b.CellsAbove(conflicts)
		var pairs [][2]int
		for _, x := range class[conflicts] {
			for _, y := range class[conflicts] {
				if x != y {
					pairs = append(pairs, [2]int{x, y})
				}
			}
		}
		count := map[[2]int]int{}
		for range runs {
			h.Clear()
			MostConflicted(h, before+2)
			count[[2]int(h.Cells()[before:])]++
		}
		asOften(t, count, runs, pairs)
	}
}

// Where every cell is as bad it is RandomCells, clues or not.
func TestMostConflictedWithoutBreaks(t *testing.T) {
	b := damaged(t, puzzle.Spec{Width: 5, Height: 5, Colours: 4}, 0, 0, 1, 2, 3, 4, 5, 12)
	h := NewHole(b, random.New(1, "solved", 0))
	const runs, k = 20000, 4
	count := map[int]int{}
	for range runs {
		h.Clear()
		MostConflicted(h, k)
		for _, cell := range h.Cells() {
			count[cell]++
		}
	}
	asOften(t, count, runs*k, h.Free)
}
