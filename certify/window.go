package certify

import (
	"encoding/binary"
	"slices"
)

// window is a part of a region, cut in two until single cells are left. How it
// is cut follows from its cells alone, so that a window is the same wherever it
// is met.
type window struct {
	cells []int // ascending
	parts [2]*window
}

// windowOf cuts cells, ascending and at least one, across the longer side of
// what they span.
func windowOf(cells []int, width int) *window {
	w := &window{cells: cells}
	if len(cells) == 1 {
		return w
	}
	top, bottom, left, right := cells[0]/width, cells[len(cells)-1]/width, width, 0
	for _, cell := range cells {
		left, right = min(left, cell%width), max(right, cell%width)
	}
	sorted := slices.Clone(cells)
	if right-left >= bottom-top {
		slices.SortStableFunc(sorted, func(a, b int) int { return a%width - b%width })
	}
	for i, part := range [][]int{sorted[:len(sorted)/2], sorted[len(sorted)/2:]} {
		part = slices.Clone(part)
		slices.Sort(part)
		w.parts[i] = windowOf(part, width)
	}
	return w
}

// window cuts cells of the region.
func (r *Region) window(cells []int) *window { return windowOf(cells, r.whole.Puzzle().Width) }

// single tells whether the window is one cell.
func (w *window) single() bool { return w.parts[0] == nil }

// key names the window by its cells.
func (w *window) key() string { return keyOf(w.cells) }

func keyOf(cells []int) string {
	var key []byte
	for _, cell := range cells {
		key = binary.AppendUvarint(key, uint64(cell))
	}
	return string(key)
}

// Floors are lower bounds that have been proved: that every filling of a window
// with free pieces breaks so many of its seams or more.
type Floors map[string]int

// Raise notes that a filling of the cells, ascending, breaks so many seams or
// more.
func (f Floors) Raise(cells []int, breaks int) {
	key := keyOf(cells)
	f[key] = max(f[key], breaks)
}

// of is the floor of a window: what was proved of it, or of its parts.
func (f Floors) of(w *window) int { return max(f[w.key()], f.sum(w)) }

// sum is the floor that the parts of a window give it: they have no seam in
// common.
func (f Floors) sum(w *window) int {
	if w.single() {
		return 0
	}
	return f.of(w.parts[0]) + f.of(w.parts[1])
}
