package destroy

import "lastmile/puzzle"

// windows is how many windows WorstWindow compares.
const windows = 8

// WorstWindow chooses the worst of eight windows of at most k cells, all of one
// size: as near a square as a box as full as Rectangle's can be, upright or
// lying by a coin. Each window is drawn round a random broken seam, every place
// on the board that holds both its cells as likely (one of them where a window
// one cell wide cannot hold both). The worst is the one with the smallest share
// of matched seams among those between two of its own cells; the first drawn of
// those that are as bad. Nothing on a board without breaks. O(k).
//
// It is not always the worst of all windows: to find that one takes a scan.
func WorstWindow(h *Hole, k int) {
	if h.Board.Breaks() == 0 {
		return
	}
	rows, columns := h.box(root(k), k)
	top, left, worst := 0, 0, -1
	for range windows {
		t, l := h.window(rows, columns)
		// Windows of one size have as many seams, so the fewest matched are the
		// most broken.
		if broken := h.brokenInside(t, l, rows, columns); broken > worst {
			top, left, worst = t, l, broken
		}
	}
	h.addBox(top, left, rows, columns)
}

// window draws the place of a window round a random broken seam.
func (h *Hole) window(rows, columns int) (top, left int) {
	p := h.Board.Puzzle()
	a, b := h.Board.Mismatch(h.Random.Below(h.Board.Breaks()))
	top = h.stretch(a/p.Width, b/p.Width, rows, p.Height)
	left = h.stretch(a%p.Width, b%p.Width, columns, p.Width)
	return top, left
}

// stretch draws the start of a stretch of the given length in 0..n-1 that holds
// first and last, which are equal or neighbours; one of them when it is too
// short for both.
func (h *Hole) stretch(first, last, length, n int) int {
	low, high := max(0, last-length+1), min(first, n-length)
	if low > high {
		low, high = high, low
	}
	return low + h.Random.Below(high-low+1)
}

// brokenInside counts the broken seams between two cells of a box.
func (h *Hole) brokenInside(top, left, rows, columns int) int {
	width := h.Board.Puzzle().Width
	broken := 0
	for row := range rows {
		for column := range columns {
			cell := (top+row)*width + left + column
			if column > 0 && h.Board.Broken(cell, puzzle.Left) {
				broken++
			}
			if row > 0 && h.Board.Broken(cell, puzzle.Up) {
				broken++
			}
		}
	}
	return broken
}
