package destroy

// WorstRow chooses cells of the row with the most conflicts, one of the worst
// at random when several are as bad: the whole row, or where it has more than k
// cells, k that lie side by side from a random column on, round the edge. O(k).
func WorstRow(h *Hole, k int) {
	width := h.Board.Puzzle().Width
	row, column := h.worstRow(), h.Random.Below(width)
	for range min(k, width) {
		h.Add(row*width + column)
		column = (column + 1) % width
	}
}

// worstRow draws one of the rows with the most conflicts, each as likely; any
// row of a board without breaks. O(1): the worst are the first of the ranking.
func (h *Hole) worstRow() int {
	ties := h.Board.Puzzle().Height
	if worst := h.Board.RowConflicts(h.Board.WorstRow(0)); worst > 0 {
		ties = h.Board.RowsAbove(worst - 1)
	}
	return h.Board.WorstRow(h.Random.Below(ties))
}
