package destroy

// RandomCells chooses k cells, every set of k as likely: the baseline that the
// guided operators are compared with. O(k).
func RandomCells(h *Hole, k int) {
	n := len(h.Free)
	k = min(k, n)
	// Fisher and Yates on the first k places, undone at the end, so that the
	// list keeps its order and the choice depends on the stream alone.
	h.drawn = h.drawn[:0]
	for i := range k {
		j := i + h.Random.Below(n-i)
		h.Free[i], h.Free[j] = h.Free[j], h.Free[i]
		h.drawn = append(h.drawn, j)
		h.Add(h.Free[i])
	}
	for i := k - 1; i >= 0; i-- {
		j := h.drawn[i]
		h.Free[i], h.Free[j] = h.Free[j], h.Free[i]
	}
}
