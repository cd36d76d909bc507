package ledger

import "math/bits"

// pair tells whether all watched cells but as many as breaks are left can be
// given pieces of their own that match all around. It looks for a largest
// matching of cells and pieces by augmenting paths (Kuhn, Naval Research
// Logistics Quarterly 2, 1955).
func (e *engine) pair(s *step, left int) bool {
	m := &e.matching
	m.begin()
	for i := range s.frontier {
		w := &s.frontier[i]
		c := w.shape.class
		fits := m.fits[i*e.plan.widest:][:c.words]
		copy(fits, e.hand[c.start:][:c.words])
		for k := range w.knowns {
			at := &w.known[k]
			for word, match := range w.shape.masks[at.masks+int32(e.colours[at.at])*c.words:][:c.words] {
				fits[word] &= match
			}
		}
	}
	for i := range s.frontier {
		clear(m.tried)
		if !m.augment(s.frontier, int32(i), e.plan.widest) {
			if left--; left < 0 {
				return false
			}
		}
	}
	return true
}

// matching gives cells pieces. A piece is known by the first of its bits.
type matching struct {
	fits  []uint64 // by cell and word: the candidates that match all around
	taken []int32  // by bit of the hand: the cell that its piece is given to, or -1
	tried []uint64 // by word of the hand: pieces that this path has been to
}

func (m *matching) begin() {
	for i := range m.taken {
		m.taken[i] = -1
	}
}

// augment gives a cell a piece, moving others on if need be.
func (m *matching) augment(cells []watch, cell int32, widest int) bool {
	c := cells[cell].shape.class
	for word, fits := range m.fits[int(cell)*widest:][:c.words] {
		for fits &^= m.tried[int(c.start)+word]; fits != 0; fits &^= m.tried[int(c.start)+word] {
			bit := int32(bits.TrailingZeros64(fits)) &^ (c.ways - 1)
			m.tried[int(c.start)+word] |= c.group << bit
			piece := 64*(int(c.start)+word) + int(bit)
			if other := m.taken[piece]; other < 0 || m.augment(cells, other, widest) {
				m.taken[piece] = cell
				return true
			}
		}
	}
	return false
}
