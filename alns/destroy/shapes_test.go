package destroy

import (
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// bounds gives the box round the cells.
func bounds(p *puzzle.Puzzle, cells []int) (top, left, rows, columns int) {
	top, left = p.Height, p.Width
	bottom, right := 0, 0
	for _, cell := range cells {
		top, bottom = min(top, cell/p.Width), max(bottom, cell/p.Width)
		left, right = min(left, cell%p.Width), max(right, cell%p.Width)
	}
	return top, left, bottom - top + 1, right - left + 1
}

// checkBox fails unless the cells of a board without clues fill a box to which
// no row or column can be added.
func checkBox(t *testing.T, p *puzzle.Puzzle, cells []int, k int) {
	t.Helper()
	_, _, rows, columns := bounds(p, cells)
	if rows*columns != len(cells) || len(cells) > k {
		t.Fatalf("k = %d: %d cells in a box of %d by %d", k, len(cells), rows, columns)
	}
	if rows < p.Height && (rows+1)*columns <= k || columns < p.Width && rows*(columns+1) <= k {
		t.Fatalf("k = %d: a box of %d by %d could be larger", k, rows, columns)
	}
}

func TestRectangleIsFull(t *testing.T) {
	for _, b := range boards(t) {
		p := b.Puzzle()
		h := NewHole(b, random.New(1, "rectangle", 0))
		for _, k := range holes(b) {
			h.Clear()
			Rectangle(h, k)
			if len(p.Clues) == 0 {
				checkBox(t, p, h.Cells(), k)
				continue
			}
			// What is missing in the box round the cells is clues.
			if h.Len() == 0 {
				continue
			}
			top, left, rows, columns := bounds(p, h.Cells())
			for i := range rows * columns {
				if cell := (top+i/columns)*p.Width + left + i%columns; !h.Has(cell) && !h.clue[cell] {
					t.Fatalf("k = %d: cell %d is missing in %v", k, cell, h.Cells())
				}
			}
		}
	}
}

// Every shape is as likely, upright or lying, and every place of it.
func TestRectangleIsUniform(t *testing.T) {
	b := solved(t, 7, 9)
	h := NewHole(b, random.New(1, "places", 0))
	const runs, k = 30000, 6
	shapes := map[[2]int]int{}
	places := map[[2]int]map[[2]int]int{}
	for range runs {
		h.Clear()
		Rectangle(h, k)
		top, left, rows, columns := bounds(b.Puzzle(), h.Cells())
		shape := [2]int{rows, columns}
		shapes[shape]++
		if places[shape] == nil {
			places[shape] = map[[2]int]int{}
		}
		places[shape][[2]int{top, left}]++
	}
	all := [][2]int{{1, 6}, {6, 1}, {2, 3}, {3, 2}}
	asOften(t, shapes, runs, all)
	for _, shape := range all {
		var corners [][2]int
		for top := range 9 - shape[0] + 1 {
			for left := range 7 - shape[1] + 1 {
				corners = append(corners, [2]int{top, left})
			}
		}
		asOften(t, places[shape], shapes[shape], corners)
	}
}

// depth is the distance of a cell from the rim.
func depth(p *puzzle.Puzzle, cell int) int {
	row, column := cell/p.Width, cell%p.Width
	return min(row, column, p.Height-1-row, p.Width-1-column)
}

// The cells of a ring are those of its depth, each once, each beside the last.
func TestRingCells(t *testing.T) {
	for _, b := range boards(t) {
		p := b.Puzzle()
		h := NewHole(b, random.New(1, "ring", 0))
		seen := make([]bool, p.Cells())
		total := 0
		for d := range (min(p.Width, p.Height) + 1) / 2 {
			length := h.ringLength(d)
			total += length
			for i := range length {
				cell := h.ringCell(d, i)
				if seen[cell] || depth(p, cell) != d {
					t.Fatalf("%d×%d, ring %d: cell %d comes twice or is of ring %d", p.Width, p.Height, d, cell, depth(p, cell))
				}
				seen[cell] = true
				if i > 0 && !slices.Contains(besides(p, cell), h.ringCell(d, i-1)) {
					t.Fatalf("%d×%d, ring %d: cell %d does not follow %d", p.Width, p.Height, d, cell, h.ringCell(d, i-1))
				}
			}
		}
		if total != p.Cells() {
			t.Fatalf("%d×%d: %d cells in rings", p.Width, p.Height, total)
		}
	}
}

// besides lists the cells that share a seam with the cell.
func besides(p *puzzle.Puzzle, cell int) []int {
	var list []int
	for _, n := range p.Neighbours(cell) {
		if n >= 0 {
			list = append(list, int(n))
		}
	}
	return list
}

// The cells are an arc of one ring: k of them or all, one after the other.
func TestRingIsAnArc(t *testing.T) {
	for _, b := range boards(t) {
		p := b.Puzzle()
		if len(p.Clues) > 0 {
			continue
		}
		h := NewHole(b, random.New(1, "arc", 0))
		for _, k := range holes(b) {
			h.Clear()
			Ring(h, k)
			d := depth(p, h.Cells()[0])
			length := h.ringLength(d)
			if h.Len() != min(k, length) {
				t.Fatalf("k = %d: %d cells of a ring of %d", k, h.Len(), length)
			}
			start := 0
			for h.ringCell(d, start) != h.Cells()[0] {
				start++
			}
			for i, cell := range h.Cells() {
				if cell != h.ringCell(d, (start+i)%length) {
					t.Fatalf("k = %d: %v is no arc of ring %d", k, h.Cells(), d)
				}
			}
		}
	}
}

// Where no ring is shorter than k every cell is as likely.
func TestRingIsUniform(t *testing.T) {
	b := solved(t, 6, 10)
	h := NewHole(b, random.New(1, "uniform", 0))
	const runs, k = 30000, 12 // the inmost ring has 2×6 cells
	count := map[int]int{}
	for range runs {
		h.Clear()
		Ring(h, k)
		for _, cell := range h.Cells() {
			count[cell]++
		}
	}
	// A hit drags 11 others along, but each cell is hit once a run at most.
	asOften(t, count, runs*k, h.Free)
}

func TestWorstWindowIsABox(t *testing.T) {
	for _, b := range boards(t) {
		p := b.Puzzle()
		h := NewHole(b, random.New(1, "window", 0))
		for _, k := range holes(b) {
			h.Clear()
			WorstWindow(h, k)
			if h.Len() == 0 {
				if b.Breaks() > 0 && len(p.Clues) == 0 {
					t.Fatalf("k = %d: an empty hole at %d breaks", k, b.Breaks())
				}
				continue
			}
			_, _, rows, columns := bounds(p, h.Cells())
			if rows*columns > k {
				t.Fatalf("k = %d: a window of %d by %d", k, rows, columns)
			}
			if len(p.Clues) == 0 {
				checkBox(t, p, h.Cells(), k)
				if side := min(root(k), p.Width, p.Height); min(rows, columns) != side {
					t.Fatalf("k = %d: a window of %d by %d, want a side of %d", k, rows, columns, side)
				}
			}
		}
	}
}

// A window holds the seam that it is drawn round, at every place as often.
func TestWindowHoldsASeam(t *testing.T) {
	b := solved(t, 12, 12)
	twist(b, 0) // breaks the seams to 1 and 12
	h := NewHole(b, random.New(1, "places", 0))
	if h.Board.Breaks() != 2 {
		t.Fatalf("%d breaks, want 2", h.Board.Breaks())
	}
	for range 100 {
		if top, left := h.window(3, 4); top != 0 || left != 0 {
			t.Fatalf("window at %d, %d does not hold the corner", top, left)
		}
	}
	b = damaged(t, puzzle.Spec{Width: 12, Height: 1, Colours: 200, Unframed: true}, 0)
	twist(b, 0) // breaks the seam to 1
	h = NewHole(b, random.New(1, "places", 0))
	const runs = 10000
	count := map[int]int{}
	for range runs {
		_, left := h.window(1, 1)
		count[left]++
	}
	asOften(t, count, runs, []int{0, 1})

	for _, c := range []struct {
		first, last, length, n int
		want                   []int
	}{
		{5, 6, 4, 12, []int{3, 4, 5}}, {5, 5, 3, 12, []int{3, 4, 5}}, {0, 1, 4, 12, []int{0}},
		{10, 11, 4, 12, []int{8}}, {9, 10, 4, 12, []int{7, 8}}, {5, 6, 1, 12, []int{5, 6}}, {3, 4, 5, 5, []int{0}},
	} {
		count := map[int]int{}
		for range runs {
			count[h.stretch(c.first, c.last, c.length, c.n)]++
		}
		asOften(t, count, runs, c.want)
	}
}

func TestBrokenInside(t *testing.T) {
	b := broken(t, puzzle.Spec{Width: 9, Height: 7, Colours: 6})
	p := b.Puzzle()
	h := NewHole(b, random.New(1, "inside", 0))
	for range 500 {
		rows, columns := 1+h.Random.Below(7), 1+h.Random.Below(9)
		top, left := h.Random.Below(7-rows+1), h.Random.Below(9-columns+1)
		in := func(cell int) bool {
			row, column := cell/p.Width-top, cell%p.Width-left
			return row >= 0 && row < rows && column >= 0 && column < columns
		}
		want := 0
		for i := range b.Breaks() {
			if x, y := b.Mismatch(i); in(x) && in(y) {
				want++
			}
		}
		if got := h.brokenInside(top, left, rows, columns); got != want {
			t.Fatalf("%d broken seams in %d by %d at %d, %d, want %d", got, rows, columns, top, left, want)
		}
	}
}

// The window is the worst of eight drawn: never better than their mean.
func TestWorstWindowIsTheWorstDrawn(t *testing.T) {
	b := damaged(t, puzzle.Spec{Width: 16, Height: 16, Colours: 22}, 8)
	h := NewHole(b, random.New(1, "drawn", 0))
	again := NewHole(b, random.New(1, "drawn", 0))
	for n := range 500 {
		h.Random.Reset(1, "drawn", n)
		again.Random.Reset(1, "drawn", n)
		h.Clear()
		WorstWindow(h, 24)
		top, left, rows, columns := bounds(b.Puzzle(), h.Cells())
		if r, c := again.box(root(24), 24); r != rows || c != columns {
			t.Fatalf("a window of %d by %d, want %d by %d", rows, columns, r, c)
		}
		most, sum := 0, 0
		for range windows {
			t, l := again.window(rows, columns)
			broken := again.brokenInside(t, l, rows, columns)
			most, sum = max(most, broken), sum+broken
		}
		if got := h.brokenInside(top, left, rows, columns); got != most || got*windows < sum {
			t.Fatalf("%d broken seams, the worst drawn has %d, all have %d", got, most, sum)
		}
	}
}

// A damaged spot among stray breaks is found nearly always.
func TestWorstWindowFindsADamagedSpot(t *testing.T) {
	b := solved(t, 30, 30)
	var spot []int
	for i := range 9 {
		spot = append(spot, (20+i/3)*30+7+i%3)
	}
	twist(b, spot...)
	twist(b, 3*30+3, 3*30+25, 10*30+15, 26*30+24)
	h := NewHole(b, random.New(1, "spot", 0))
	const runs = 1000
	found := 0
	for range runs {
		h.Clear()
		WorstWindow(h, 20)
		hit := 0
		for _, cell := range spot {
			if h.Has(cell) {
				hit++
			}
		}
		if hit >= 4 {
			found++
		}
	}
	if found < runs*97/100 {
		t.Errorf("found %d times of %d", found, runs)
	}
}

func TestRoot(t *testing.T) {
	for k := 1; k <= puzzle.MaxCells+1; k++ {
		if r := root(k); r*r > k || (r+1)*(r+1) <= k {
			t.Fatalf("root of %d is %d", k, r)
		}
	}
}
