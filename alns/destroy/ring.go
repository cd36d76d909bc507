package destroy

// Ring chooses an arc of at most k cells, one after the other, of a ring of
// cells as deep below the rim as a random free cell, from a random cell of the
// ring on. So rings are drawn by their length, and every cell is cleared about
// as often, but for rings of fewer than k cells: they are cleared whole, and a
// cell of them more seldom. O(k).
func Ring(h *Hole, k int) {
	if len(h.Free) == 0 {
		return
	}
	p := h.Board.Puzzle()
	cell := h.Free[h.Random.Below(len(h.Free))]
	row, column := cell/p.Width, cell%p.Width
	depth := min(row, column, p.Height-1-row, p.Width-1-column)
	length := h.ringLength(depth)
	start := h.Random.Below(length)
	for i := range min(k, length) {
		h.Add(h.ringCell(depth, (start+i)%length))
	}
}

// ringLength is the number of cells at that depth below the rim.
func (h *Hole) ringLength(depth int) int {
	p := h.Board.Puzzle()
	rows, columns := p.Height-2*depth, p.Width-2*depth
	if rows == 1 || columns == 1 {
		return rows * columns // a line, which has no way back
	}
	return 2*(rows+columns) - 4
}

// ringCell is the i-th cell of the ring, clockwise from its top left corner.
func (h *Hole) ringCell(depth, i int) int {
	p := h.Board.Puzzle()
	row, column := depth, depth
	down, right := p.Height-1-2*depth, p.Width-1-2*depth // the steps of a side
	switch {
	case i < right:
		column += i
	case i < right+down:
		row, column = row+i-right, column+right
	case i < 2*right+down:
		row, column = row+down, column+2*right+down-i
	default:
		row += 2*(right+down) - i
	}
	return row*p.Width + column
}
