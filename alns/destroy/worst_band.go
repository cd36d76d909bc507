package destroy

// WorstBand chooses cells of the band of neighbouring rows with the most
// conflicts, one of the worst at random when several are as bad. The band is
// as many rows as k cells fill, at least one; where it has more than k cells
// they are taken column by column from a random column on, round the edge.
// O(k + height).
func WorstBand(h *Hole, k int) {
	p := h.Board.Puzzle()
	rows := min(max(1, k/p.Width), p.Height)
	sum := 0
	for row := range rows {
		sum += h.Board.RowConflicts(row)
	}
	top, worst, ties := 0, sum, 1
	for row := 1; row+rows <= p.Height; row++ {
		sum += h.Board.RowConflicts(row+rows-1) - h.Board.RowConflicts(row-1)
		switch {
		case sum > worst:
			top, worst, ties = row, sum, 1
		case sum == worst:
			if ties++; h.Random.Below(ties) == 0 {
				top = row
			}
		}
	}
	column := h.Random.Below(p.Width)
	for range p.Width {
		for row := top; row < top+rows; row++ {
			if h.Len() >= k {
				return
			}
			h.Add(row*p.Width + column)
		}
		column = (column + 1) % p.Width
	}
}
