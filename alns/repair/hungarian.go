package repair

import "slices"

// hungarian solves linear assignment problems: give each of n rows a column of
// its own at the least sum of costs. It is the shortest augmenting path method
// of Jonker and Volgenant (Computing 38, 1987), which grew out of Kuhn's
// Hungarian method (Naval Research Logistics Quarterly 2, 1955): column
// reduction, reduction transfer and augmenting row reduction assign most rows,
// and a search for a shortest path by Dijkstra's rule each of the others.
//
// Costs are small integers, so ties abound: where several rows or columns
// would do, the first that is free is taken, and a path ends at the first free
// column that is as near as any.
//
// The dual proves the result: no reduced cost, cost less rowDual less
// columnDual, is below zero, and the duals add up to the sum of the costs.
//
// It takes O(n³) at worst, and on small integers far less; n² bytes, kept for
// the next problem.
type hungarian struct {
	n    int
	cost []uint8 // by n*row + column

	columnOf, rowOf     []int32 // by row, by column; -1 for none
	rowDual, columnDual []int32

	free    []int32 // the rows without a column
	reached []int32 // by column: the length of the shortest path to it
	from    []int32 // by column: the row that this path comes from
	order   []int32 // the columns: first those whose path is final, then those as near as the nearest
}

// size makes room for a problem of n rows. Its costs are unknown then: set
// every row.
func (h *hungarian) size(n int) {
	h.n = n
	h.cost = sized(h.cost, n*n)
	for _, s := range []*[]int32{
		&h.columnOf, &h.rowOf, &h.rowDual, &h.columnDual, &h.free, &h.reached, &h.from, &h.order,
	} {
		*s = sized(*s, n)
	}
}

func sized[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

// row is the costs of a row by column.
func (h *hungarian) row(i int) []uint8 { return h.cost[i*h.n : (i+1)*h.n] }

// solve assigns the rows and returns the sum of their costs.
func (h *hungarian) solve() int {
	if h.n == 0 {
		return 0
	}
	h.reduceColumns()
	h.takeTight()
	if h.n > 1 {
		h.transfer()
		h.reduceRows()
	}
	for _, row := range h.free {
		h.augment(row)
	}
	sum := 0
	for i, j := range h.columnOf {
		c := h.row(i)[j]
		sum += int(c)
		h.rowDual[i] = int32(c) - h.columnDual[j]
	}
	return sum
}

// reduceColumns makes the least cost of each column its dual.
func (h *hungarian) reduceColumns() {
	dual := h.columnDual
	for j := range dual {
		dual[j] = 0xff
	}
	for i := range h.n {
		for j, c := range h.row(i) {
			dual[j] = min(dual[j], int32(c))
		}
	}
}

// takeTight gives each row the first free column of reduced cost 0.
func (h *hungarian) takeTight() {
	for j := range h.rowOf {
		h.rowOf[j] = -1
	}
	h.free = h.free[:0]
	for i := range h.n {
		h.columnOf[i] = -1
		for j, c := range h.row(i) {
			if h.rowOf[j] < 0 && int32(c) == h.columnDual[j] {
				h.assign(int32(i), int32(j))
				break
			}
		}
		if h.columnOf[i] < 0 {
			h.free = append(h.free, int32(i))
		}
	}
}

func (h *hungarian) assign(row, column int32) {
	h.columnOf[row], h.rowOf[column] = column, row
}

// transfer lowers the dual of each taken column by what its row would pay more
// for another, so that free rows pay for it.
func (h *hungarian) transfer() {
	for i, own := range h.columnOf {
		if own < 0 {
			continue
		}
		second := int32(1) << 30
		for j, c := range h.row(i) {
			if int32(j) != own {
				second = min(second, int32(c)-h.columnDual[j])
			}
		}
		h.columnDual[own] -= second
	}
}

// reduceRows goes twice through the free rows. Each takes its nearest column,
// whose dual falls by the lead over the second nearest; a row that loses its
// column comes next if there was a lead, and in the next pass otherwise.
func (h *hungarian) reduceRows() {
	for range 2 {
		todo, left := h.free, 0
		// A row that comes next takes the place of the one before, so the free
		// rows are a list in one array. The bound keeps a pass at O(n²).
		for at, steps := 0, 2*h.n; at < len(todo); {
			row := todo[at]
			at++
			if steps == 0 {
				todo[left] = row
				left++
				continue
			}
			steps--
			first, second, least, next := h.twoNearest(row)
			lost := h.rowOf[first]
			if least < next {
				h.columnDual[first] -= next - least
			} else if lost >= 0 {
				first, lost = second, h.rowOf[second]
			}
			h.assign(row, first)
			if lost < 0 {
				continue
			}
			h.columnOf[lost] = -1
			if least < next {
				at--
				todo[at] = lost
			} else {
				todo[left] = lost
				left++
			}
		}
		h.free = todo[:left]
	}
}

// twoNearest finds the two columns of least reduced cost for a row.
func (h *hungarian) twoNearest(row int32) (first, second, least, next int32) {
	least, next = 1<<30, 1<<30
	dual := h.columnDual
	for j, c := range h.row(int(row)) {
		reduced := int32(c) - dual[j]
		if reduced >= next {
			continue
		}
		if reduced >= least {
			second, next = int32(j), reduced
			continue
		}
		first, second, least, next = int32(j), first, reduced, least
	}
	return first, second, least, next
}

// augment finds the shortest path from a free row to a free column, makes the
// duals such that its reduced costs are 0, and exchanges the columns along it.
func (h *hungarian) augment(row int32) {
	dual, order := h.columnDual, h.order
	for j, c := range h.row(int(row)) {
		h.reached[j], h.from[j], order[j] = int32(c)-dual[j], row, int32(j)
	}
	// order[:done] is scanned, order[done:near] is as near as the nearest.
	done, near, scanned, least := 0, 0, 0, int32(0)
	for {
		if done == near {
			scanned = done
			least, near = h.nearest(near)
			for _, j := range order[done:near] {
				if h.rowOf[j] < 0 {
					h.settle(order[:scanned], least)
					h.exchange(row, j)
					return
				}
			}
		}
		if end := h.scan(&near, order[done], least); end >= 0 {
			h.settle(order[:scanned], least)
			h.exchange(row, end)
			return
		}
		done++
	}
}

// nearest brings the nearest of the columns order[from:] to its front, and
// returns how near they are and where they end.
func (h *hungarian) nearest(from int) (least int32, end int) {
	least, end = h.reached[h.order[from]], from
	for k := from; k < h.n; k++ {
		j := h.order[k]
		d := h.reached[j]
		if d > least {
			continue
		}
		if d < least {
			least, end = d, from
		}
		h.order[k], h.order[end] = h.order[end], j
		end++
	}
	return least, end
}

// scan goes on from a taken column, least away, by its row to the columns
// order[near:]. Those that come as near join the near ones; the first free one
// among them ends the path and is returned, -1 for none.
func (h *hungarian) scan(near *int, column, least int32) (end int32) {
	row := h.rowOf[column]
	cost := h.row(int(row))
	base := least - (int32(cost[column]) - h.columnDual[column])
	for k := *near; k < h.n; k++ {
		j := h.order[k]
		d := base + int32(cost[j]) - h.columnDual[j]
		if d >= h.reached[j] {
			continue
		}
		h.reached[j], h.from[j] = d, row
		if d == least {
			if h.rowOf[j] < 0 {
				return j
			}
			h.order[k], h.order[*near] = h.order[*near], j
			*near++
		}
	}
	return -1
}

// settle lowers the duals of the columns that lie nearer than the end.
func (h *hungarian) settle(nearer []int32, least int32) {
	for _, j := range nearer {
		h.columnDual[j] += h.reached[j] - least
	}
}

// exchange gives the rows on the path to a free column the columns after them.
func (h *hungarian) exchange(row, end int32) {
	for {
		i := h.from[end]
		before := h.columnOf[i]
		h.assign(i, end)
		if i == row {
			return
		}
		end = before
	}
}
