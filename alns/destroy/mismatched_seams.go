package destroy

// MismatchedSeams chooses cells at broken seams: it draws seams from the
// mismatch map, each as likely, and takes both their cells, until there are k
// or no broken seam is left to draw. O(k) expected.
func MismatchedSeams(h *Hole, k int) {
	breaks := h.Board.Breaks()
	if breaks == 0 {
		return
	}
	// When the hole can take every broken cell there is nothing to draw: walk
	// round the map from a random seam. The map has at most 2k seams then.
	if 2*breaks <= k {
		start := h.Random.Below(breaks)
		for i := range breaks {
			h.addSeam((start+i)%breaks, k)
		}
		return
	}
	// A draw fails when both cells are taken already; after as many draws as
	// that, what is left is too little to be worth more.
	for range 2 * k {
		if h.Len() >= k {
			return
		}
		h.addSeam(h.Random.Below(breaks), k)
	}
}

// addSeam chooses the cells of the i-th broken seam, first a random one.
func (h *Hole) addSeam(i, k int) {
	a, b := h.Board.Mismatch(i)
	if h.coin() {
		a, b = b, a
	}
	for _, cell := range [2]int{a, b} {
		if h.Len() < k {
			h.Add(cell)
		}
	}
}
