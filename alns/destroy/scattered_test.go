package destroy

import (
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

func TestScatteredCellsShareNoSeam(t *testing.T) {
	for _, b := range boards(t) {
		p := b.Puzzle()
		h := NewHole(b, random.New(1, "scattered", 0))
		for _, k := range holes(b) {
			h.Clear()
			Scattered(h, k)
			for _, cell := range h.Cells() {
				for _, n := range p.Neighbours(cell) {
					if n >= 0 && h.slot[n] > 0 {
						t.Fatalf("k = %d: cells %d and %d share a seam", k, cell, n)
					}
				}
			}
			// Each cell kept bars five cells at most, so these k always find room.
			if room := len(h.Free) / 10; k <= room && h.Len() != k {
				t.Fatalf("%d cells, want %d of %d free ones", h.Len(), k, len(h.Free))
			}
			if len(h.Free) > 0 && h.Len() == 0 {
				t.Fatal("an empty hole")
			}
		}
	}
}

// The first cell is any free cell as likely, and the second any that does not
// touch it.
func TestScatteredIsUniform(t *testing.T) {
	b := damaged(t, puzzle.Spec{Width: 5, Height: 4, Colours: 4}, 0, 7)
	h := NewHole(b, random.New(1, "uniform", 0))
	const runs = 100000
	first := map[int]int{}
	second := map[int]map[int]int{}
	for range runs {
		h.Clear()
		Scattered(h, 2)
		x, y := h.Cells()[0], h.Cells()[1]
		first[x]++
		if second[x] == nil {
			second[x] = map[int]int{}
		}
		second[x][y]++
	}
	asOften(t, first, runs, h.Free)
	for _, x := range h.Free {
		h.Clear()
		h.Add(x)
		var rest []int
		for _, y := range h.Free {
			if y != x && !h.touches(y) {
				rest = append(rest, y)
			}
		}
		asOften(t, second[x], first[x], rest)
	}
}
