package ledger

// watch is an open cell of which several neighbours are filled after a step.
type watch struct {
	shape  *shape
	known  [4]seen
	knowns int
}

// seen is a side of a watched cell that must match a colour that is there.
type seen struct {
	at    int32 // of the colour, in colours
	masks int32 // of colour 0, in the masks of the shape
}

// watches lists, for each step, the open cells with neighbours filled after it.
// For Cells there must be two: a colour that no piece shows any more is a
// shortage anyway.
func (l *plan) watches() {
	filled := map[int32]bool{}
	for i := range l.steps {
		filled[l.steps[i].cell] = true
		for j := i + 1; j < len(l.steps); j++ {
			s := &l.steps[j]
			w := watch{shape: s.shape}
			for k := range s.knowns {
				if n := s.known[k].at / 4; filled[n] || !l.open[n] {
					w.known[w.knowns] = seen{s.known[k].at, s.known[k].masks}
					w.knowns++
				}
			}
			if w.knowns >= 1 && l.conditions&Hall != 0 {
				l.steps[i].frontier = append(l.steps[i].frontier, w)
			}
			if w.knowns >= 2 && l.conditions&Cells != 0 {
				l.steps[i].watches = append(l.steps[i].watches, w)
			}
		}
	}
}

// fit tells whether every open cell, each by itself and with any piece of the
// hand, can be filled with no more mismatches than are left in all. The seams
// of two cells are different seams, so their mismatches add up.
func (e *engine) fit(s *step, left int) bool {
	for i := range s.watches {
		w := &s.watches[i]
		if left -= e.least(w, left); left < 0 {
			return false
		}
	}
	return true
}

// least is the fewest mismatches with which a watched cell can be filled, or
// any number above most when it is above most.
func (e *engine) least(w *watch, most int) int {
	c := w.shape.class
	hand := e.hand[c.start:][:c.words]
	var masks [4][]uint64
	for i := range w.knowns {
		k := &w.known[i]
		masks[i] = w.shape.masks[k.masks+int32(e.colours[k.at])*c.words:][:c.words]
	}
	var some [5]uint64 // not 0 when there is a candidate with so many mismatches
	for word, free := range hand {
		with := [5]uint64{free}
		for i := range w.knowns {
			fits := masks[i][word]
			for j := i + 1; j > 0; j-- {
				with[j] = with[j]&fits | with[j-1]&^fits
			}
			with[0] &= fits
		}
		if with[0] != 0 {
			return 0
		}
		for j := range some {
			some[j] |= with[j]
		}
	}
	for j := range some {
		if some[j] != 0 {
			return j
		}
	}
	return most + 1
}
