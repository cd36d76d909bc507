package destroy

// MostConflicted chooses the k cells with the most broken seams, all free cells
// when they are fewer: those with four first, cells that are as bad in random
// order, so that the last places go to each of them as likely. On a board
// without breaks it is RandomCells. It is the worst removal of Ropke and
// Pisinger (Transportation Science 2006), with chance only among equals. O(k),
// and a draw for every clue cell that is as bad as the cells it takes.
func MostConflicted(h *Hole, k int) {
	from := 0
	for conflicts := 3; conflicts >= 0; conflicts-- {
		to := h.Board.CellsAbove(conflicts)
		h.addWorst(from, to, k)
		from = to
	}
	h.addWorst(from, h.Board.Puzzle().Cells(), k)
}

// addWorst chooses cells from WorstCell(from) to WorstCell(to-1) in random
// order until the hole has k. O(1) a draw: Fisher and Yates on a list of places
// that is never written out, of which moved keeps what has changed.
func (h *Hole) addWorst(from, to, k int) {
	n := to - from
	h.drawn = h.drawn[:0]
	for i := 0; i < n && h.Len() < k; i++ {
		j := i + h.Random.Below(n-i)
		h.Add(h.Board.WorstCell(from + h.place(j)))
		h.moved[j] = int32(1 + h.place(i))
		h.drawn = append(h.drawn, j)
	}
	for _, j := range h.drawn {
		h.moved[j] = 0
	}
}

// place is what stands at index i of the list of places, i itself unless moved.
func (h *Hole) place(i int) int {
	if m := h.moved[i]; m > 0 {
		return int(m) - 1
	}
	return i
}
