package destroy

// around holds the steps, in rows and columns, to the eight cells round a cell,
// clockwise.
var around = [8][2]int{{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}}

// ComponentHalo chooses a component as Component does and then the cells round
// it, corners too, up to k cells in all: pieces that match, to trade with those
// that do not. A component of k cells has no halo. Nothing where Component
// chooses nothing. O(k).
func ComponentHalo(h *Hole, k int) {
	Component(h, k)
	p := h.Board.Puzzle()
	for _, cell := range h.cells[:h.Len()] {
		row, column := cell/p.Width, cell%p.Width
		first := h.Random.Below(8) // no side is preferred where k cuts the halo
		for i := range around {
			if h.Len() >= k {
				return
			}
			step := around[(first+i)%8]
			r, c := row+step[0], column+step[1]
			if r >= 0 && r < p.Height && c >= 0 && c < p.Width {
				h.Add(r*p.Width + c)
			}
		}
	}
}
