package destroy

// WorstBand chooses cells of the band of rows grown round a row with the most
// conflicts, one of the worst at random when several are as bad. The band takes
// in the row above or below, whichever has more conflicts, until it has as many
// rows as k cells fill, two at least. From a random column on, round the edge,
// its cells are taken column by column until k are seen. O(k).
//
// It is not always the worst of all bands: to find that one takes a look at
// every row.
func WorstBand(h *Hole, k int) {
	p := h.Board.Puzzle()
	rows := min(max(2, k/p.Width), p.Height)
	top := h.worstRow()
	for bottom := top; bottom-top+1 < rows; {
		if h.worseAbove(top, bottom) {
			top--
		} else {
			bottom++
		}
	}
	column := h.Random.Below(p.Width)
	for i := range min(k, rows*p.Width) {
		h.Add((top+i%rows)*p.Width + (column+i/rows)%p.Width)
	}
}

// worseAbove tells whether the row above the band has more conflicts than the
// row below it, by a coin when they are as bad. The board has one of the two.
func (h *Hole) worseAbove(top, bottom int) bool {
	if top == 0 || bottom == h.Board.Puzzle().Height-1 {
		return top > 0
	}
	above, below := h.Board.RowConflicts(top-1), h.Board.RowConflicts(bottom+1)
	if above == below {
		return h.coin()
	}
	return above > below
}
