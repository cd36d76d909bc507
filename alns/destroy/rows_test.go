package destroy

import (
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// worst is the number of conflicts in the worst row.
func worst(b *puzzle.Board) int {
	most := 0
	for row := range b.Puzzle().Height {
		most = max(most, b.RowConflicts(row))
	}
	return most
}

// The cells are of one row, which has the most conflicts, and side by side.
func TestWorstRowIsTheWorst(t *testing.T) {
	for _, b := range boards(t) {
		p := b.Puzzle()
		h := NewHole(b, random.New(1, "row", 0))
		for _, k := range holes(b) {
			h.Clear()
			WorstRow(h, k)
			for i, cell := range h.Cells() {
				first := h.Cells()[0]
				if cell/p.Width != first/p.Width || b.RowConflicts(cell/p.Width) != worst(b) {
					t.Fatalf("cell %d of row %d with %d conflicts, the worst has %d",
						cell, cell/p.Width, b.RowConflicts(cell/p.Width), worst(b))
				}
				if len(p.Clues) == 0 && cell%p.Width != (first+i)%p.Width {
					t.Fatalf("k = %d: %v are not side by side", k, h.Cells())
				}
			}
			if len(p.Clues) == 0 && h.Len() != min(k, p.Width) {
				t.Fatalf("k = %d: %d cells of %d in a row", k, h.Len(), p.Width)
			}
		}
	}
}

func TestWorstRowSpreadsTies(t *testing.T) {
	whole, spoilt := solved(t, 7, 9), solved(t, 7, 9)
	twist(spoilt, 2*7+3, 6*7+1, 4*7) // a cell at the rim breaks one seam less
	for _, c := range []struct {
		board *puzzle.Board
		rows  []int
	}{{whole, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}}, {spoilt, []int{2, 6}}} {
		var cells []int
		for _, row := range c.rows {
			for column := range 7 {
				cells = append(cells, row*7+column)
			}
		}
		h := NewHole(c.board, random.New(1, "ties", 0))
		const runs, k = 20000, 3
		count := map[int]int{}
		for range runs {
			h.Clear()
			WorstRow(h, k)
			for _, cell := range h.Cells() {
				count[cell]++
			}
		}
		asOften(t, count, runs*k, cells)
	}
}

// The band is neighbouring rows, as many as promised, grown round a worst row:
// no row outside it that touches it is worse than the row taken last.
func TestWorstBandGrowsRoundAWorstRow(t *testing.T) {
	for _, b := range boards(t) {
		p := b.Puzzle()
		if len(p.Clues) > 0 {
			continue // clues can hide rows of the band
		}
		h := NewHole(b, random.New(1, "band", 0))
		for _, k := range holes(b) {
			rows := min(max(2, k/p.Width), p.Height)
			h.Clear()
			WorstBand(h, k)
			if h.Len() != min(k, rows*p.Width) {
				t.Fatalf("k = %d: %d cells, want at most %d rows of %d", k, h.Len(), rows, p.Width)
			}
			if h.Len() < rows {
				continue // not all rows of the band show
			}
			low, high, most := p.Height, 0, 0
			for i, cell := range h.Cells() {
				low, high = min(low, cell/p.Width), max(high, cell/p.Width)
				most = max(most, b.RowConflicts(cell/p.Width))
				if first := h.Cells()[0]; cell%p.Width != (first+i/rows)%p.Width {
					t.Fatalf("%v are not column by column", h.Cells())
				}
			}
			if high-low+1 != rows || most != worst(b) {
				t.Fatalf("k = %d: rows %d to %d, want %d of them; conflicts %d, the worst %d",
					k, low, high, rows, most, worst(b))
			}
			if !grown(b, low, high) {
				t.Fatalf("k = %d: rows %d to %d are not grown by the worse neighbour", k, low, high)
			}
		}
	}
}

// grown tells whether the rows can be grown from a worst row by the worse
// neighbour each time.
func grown(b *puzzle.Board, low, high int) bool {
	var grow func(top, bottom int) bool
	at := func(row int) int {
		if row < 0 || row >= b.Puzzle().Height {
			return -1
		}
		return b.RowConflicts(row)
	}
	grow = func(top, bottom int) bool {
		if top < low || bottom > high {
			return false
		}
		if top == low && bottom == high {
			return true
		}
		above, below := at(top-1), at(bottom+1)
		return above >= below && grow(top-1, bottom) || below >= above && grow(top, bottom+1)
	}
	for row := low; row <= high; row++ {
		if b.RowConflicts(row) == worst(b) && grow(row, row) {
			return true
		}
	}
	return false
}

// On a board with two rows that are as bad, either is taken as often, and of two
// neighbours that are as bad, either.
func TestWorstBandSpreadsTies(t *testing.T) {
	b := solved(t, 5, 9)
	twist(b, 1*5+2, 6*5+2)
	h := NewHole(b, random.New(1, "ties", 0))
	const runs = 20000
	count := map[int]int{}
	for range runs {
		h.Clear()
		WorstBand(h, 10)
		low := 9
		for _, cell := range h.Cells() {
			low = min(low, cell/5)
		}
		count[low]++
	}
	asOften(t, count, runs, []int{0, 1, 5, 6})
}

// Few cells of a wide band begin at a random column, so that each is as likely.
func TestWorstBandReachesEveryColumn(t *testing.T) {
	b := solved(t, 12, 2)
	h := NewHole(b, random.New(1, "columns", 0))
	const runs, k = 20000, 6
	count := map[int]int{}
	for range runs {
		h.Clear()
		WorstBand(h, k)
		for _, cell := range h.Cells() {
			count[cell]++
		}
	}
	asOften(t, count, runs*k, h.Free)
}
