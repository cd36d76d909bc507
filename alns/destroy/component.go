package destroy

// Component chooses a connected component of the mismatch graph, whose edges
// are the broken seams: breadth-first from a cell of a random broken seam, until
// it has k cells or the component ends. Clue cells are walls: what hangs
// together by a clue alone is two components. Nothing on a board without breaks
// or when both cells of the seam are clues. O(k).
func Component(h *Hole, k int) {
	if h.Board.Breaks() == 0 {
		return
	}
	if a, b := h.brokenSeam(); !h.Add(a) {
		h.Add(b)
	}
	// The cells of the hole are the queue.
	for next := 0; next < h.Len() && h.Len() < k; next++ {
		cell := h.cells[next]
		neighbours := h.Board.Puzzle().Neighbours(cell)
		first := h.Random.Below(4) // no side is preferred where k cuts the component
		for i := 0; i < 4 && h.Len() < k; i++ {
			side := (first + i) % 4
			if h.Board.Broken(cell, side) {
				h.Add(int(neighbours[side]))
			}
		}
	}
}

// brokenSeam draws a broken seam, each as likely, and returns its two cells,
// either of them first. The board must have breaks.
func (h *Hole) brokenSeam() (first, second int) {
	first, second = h.Board.Mismatch(h.Random.Below(h.Board.Breaks()))
	if h.coin() {
		return second, first
	}
	return first, second
}
