// Package construct builds first boards: by a beam over a scan order, greedily,
// which is a beam one board wide, and by a break-index search, depth first.
package construct

import (
	"fmt"
	"strings"
)

// Order names a way to scan the cells of a board, each once.
type Order struct {
	Name string
	What string               // one line for people
	Scan func(w, h int) []int // the cells in the order they are filled
}

// Orders lists the scan orders. A new one is a function and one line here.
var Orders = []Order{
	{"row-major", "row by row, each from the left", rowMajor},
	{"column", "column by column, each from the top", columnMajor},
	{"zigzag", "row by row, every other one from the right", zigzag},
	{"spiral", "round the rim, clockwise, then inwards", spiral},
	{"diagonal", "by diagonals from the top left corner", diagonal},
	{"comb", "bands of two rows, each filled by teeth: column by column", comb(2)},
	{"comb-4", "bands of four rows, each filled by teeth: column by column", comb(4)},
}

// corners are where an order may begin instead of top left, and what mirrors it
// there.
var corners = map[string]struct{ acrossRows, acrossColumns bool }{
	"ne": {acrossColumns: true}, "sw": {acrossRows: true}, "se": {true, true},
}

// OrderNamed finds an order. After its name may come the corner where it begins,
// if that is not top left: comb@ne, comb@sw or comb@se.
func OrderNamed(name string) (Order, error) {
	base, corner, mirrored := strings.Cut(name, "@")
	mirror, known := corners[corner]
	for _, o := range Orders {
		if o.Name != base || mirrored && !known {
			continue
		}
		scan := o.Scan
		o.Name, o.Scan = name, func(w, h int) []int {
			cells := scan(w, h)
			for i, cell := range cells {
				x, y := cell%w, cell/w
				if mirror.acrossColumns {
					x = w - 1 - x
				}
				if mirror.acrossRows {
					y = h - 1 - y
				}
				cells[i] = y*w + x
			}
			return cells
		}
		return o, nil
	}
	return Order{}, fmt.Errorf("order %q, want one of %s, and after it @ne, @sw or @se to begin in another corner", name, strings.Join(OrderNames(), ", "))
}

// OrderNames lists the names of the orders.
func OrderNames() []string {
	names := make([]string, len(Orders))
	for i, o := range Orders {
		names[i] = o.Name
	}
	return names
}

func rowMajor(w, h int) []int { return comb(1)(w, h) }

func columnMajor(w, h int) []int { return comb(h)(w, h) }

// comb fills bands of so many rows, each column by column.
func comb(rows int) func(w, h int) []int {
	return func(w, h int) []int {
		cells := make([]int, 0, w*h)
		for top := 0; top < h; top += rows {
			for column := range w {
				for row := top; row < min(top+rows, h); row++ {
					cells = append(cells, row*w+column)
				}
			}
		}
		return cells
	}
}

func zigzag(w, h int) []int {
	cells := rowMajor(w, h)
	for row := 1; row < h; row += 2 {
		for i := range w {
			cells[row*w+i] = row*w + w - 1 - i
		}
	}
	return cells
}

func spiral(w, h int) []int {
	cells := make([]int, 0, w*h)
	for ring := 0; 2*ring < min(w, h); ring++ {
		top, left, bottom, right := ring, ring, h-1-ring, w-1-ring
		for column := left; column <= right; column++ {
			cells = append(cells, top*w+column)
		}
		for row := top + 1; row <= bottom; row++ {
			cells = append(cells, row*w+right)
		}
		if bottom > top {
			for column := right - 1; column >= left; column-- {
				cells = append(cells, bottom*w+column)
			}
		}
		if right > left {
			for row := bottom - 1; row > top; row-- {
				cells = append(cells, row*w+left)
			}
		}
	}
	return cells
}

func diagonal(w, h int) []int {
	cells := make([]int, 0, w*h)
	for sum := 0; sum <= w+h-2; sum++ {
		for row := max(0, sum-w+1); row <= min(sum, h-1); row++ {
			cells = append(cells, row*w+sum-row)
		}
	}
	return cells
}
