package destroy

import "math"

// Rectangle chooses a rectangle of at most k cells to which neither a row nor a
// column can be added: its shorter side is drawn from 1 to √k, each as likely,
// upright or lying by a coin, and then its place, each as likely. On a board too
// small for that shape it is cut, and longer the other way. Cells that are near
// are related, in the sense of Shaw (CP 1998). O(k).
func Rectangle(h *Hole, k int) {
	rows, columns := h.box(1+h.Random.Below(root(k)), k)
	p := h.Board.Puzzle()
	top, left := h.Random.Below(p.Height-rows+1), h.Random.Below(p.Width-columns+1)
	h.addBox(top, left, rows, columns)
}

// box gives the size of a box on the board that has at most k cells and one
// side of the given length, 1 to √k, upright or lying by a coin, as far as the
// board allows. No row or column more would fit in k cells and the board.
func (h *Hole) box(side, k int) (rows, columns int) {
	p := h.Board.Puzzle()
	columns = side
	if h.coin() {
		columns = k / side
	}
	columns = min(columns, p.Width)
	rows = min(k/columns, p.Height)
	return rows, min(k/rows, p.Width)
}

// addBox chooses the cells of a box, row by row.
func (h *Hole) addBox(top, left, rows, columns int) {
	width := h.Board.Puzzle().Width
	for row := top; row < top+rows; row++ {
		for column := left; column < left+columns; column++ {
			h.Add(row*width + column)
		}
	}
}

func root(k int) int { return int(math.Sqrt(float64(k))) }
