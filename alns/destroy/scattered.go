package destroy

// scatterTries is how many draws Scattered makes for each cell it wants. For 24
// cells of a 16×16 board more than half of the draws succeed, to the last one.
const scatterTries = 8

// Scattered chooses k cells no two of which share a seam, so that what a piece
// is worth on one of them does not depend on the others: the very large
// neighbourhood of Schaus and Deville ("Hybridization of CP and VLNS for
// Eternity II", JFPC 2008). It draws free cells, each as likely, and keeps those
// that touch none kept before, up to 8k draws; so it chooses fewer than k where
// the board is too small. O(k).
func Scattered(h *Hole, k int) {
	if len(h.Free) == 0 {
		return
	}
	for range scatterTries * k {
		if h.Len() >= k {
			return
		}
		if cell := h.Free[h.Random.Below(len(h.Free))]; !h.touches(cell) {
			h.Add(cell)
		}
	}
}

// touches tells whether a chosen cell shares a seam with the cell.
func (h *Hole) touches(cell int) bool {
	for _, n := range h.Board.Puzzle().Neighbours(cell) {
		if n >= 0 && h.Has(int(n)) {
			return true
		}
	}
	return false
}
