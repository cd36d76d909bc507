package construct

import (
	"slices"

	"lastmile/puzzle"
)

// plan is what a scan order fixes in advance: for each cell in turn, where the
// colours that its neighbours show are kept, and where its own will be.
//
// The frontier of a partial board, the sides of placed pieces that face empty
// cells, is kept in slots. A side gets a slot when its piece is placed and
// gives it back when the cell that it faces is filled, so the frontier of a
// board takes as many bytes as it is ever long. Sides of clue pieces never
// change and need no slot.
type plan struct {
	steps []step
	slots int
}

// step fills one cell.
type step struct {
	cell   int
	index  *index
	fixed  word // colours asked by clues, none elsewhere
	reads  []read
	closes []int32 // slots of reads that no side of this cell takes over
	opens  []open
	looks  []look
	chance float64 // times the squares of the colours left: the seams that a random filling matches
}

// read says that a side of the cell must match the colour in a slot.
type read struct{ slot, side int32 }

// open says that a side of the cell is kept in a slot.
type open struct{ slot, side int32 }

// look is an empty neighbour that will see two placed pieces or more once the
// cell is filled: whether any piece is left for it can be known at once.
type look struct {
	index *index
	fixed word   // colours asked by clues
	reads []read // colours asked by the frontier before this step
	mine  int32  // the side of this cell that it sees
	side  int32  // the side of it that sees this cell
}

func newPlan(p *puzzle.Puzzle, order []int) *plan {
	l := &plan{}
	clue := p.CluesByCell()
	classes := map[int]*index{}
	classOf := func(cell int) *index {
		mask := 0
		if p.Framed() {
			mask = p.RimMask(cell)
		}
		if classes[mask] == nil {
			classes[mask] = newIndex(p, cell)
		}
		return classes[mask]
	}
	fixed := fixedByClues(p)
	placed := make([]bool, p.Cells())
	slotOf := map[[2]int]int32{} // by placed cell and side
	var free []int32
	readsOf := func(cell int) (reads []read) {
		for side, n := range p.Neighbours(cell) {
			if n >= 0 && placed[n] {
				reads = append(reads, read{slotOf[[2]int{int(n), side ^ 2}], int32(side)})
			}
		}
		return reads
	}
	sides, seams := openTo(p)
	for _, cell := range order {
		if clue[cell] >= 0 {
			continue
		}
		s := step{cell: cell, index: classOf(cell), fixed: fixed[cell], reads: readsOf(cell)}
		for side, n := range p.Neighbours(cell) {
			if n < 0 || placed[n] || clue[n] >= 0 {
				continue
			}
			k := look{classOf(int(n)), fixed[n], readsOf(int(n)), int32(side), int32(side ^ 2)}
			if 4-countNone(k.fixed)+len(k.reads) >= 1 {
				s.looks = append(s.looks, k)
			}
		}
		for _, r := range s.reads {
			free = append(free, r.slot)
		}
		placed[cell] = true
		for side, n := range p.Neighbours(cell) {
			if n < 0 || placed[n] || clue[n] >= 0 {
				continue
			}
			if len(free) == 0 {
				free = append(free, int32(l.slots))
				l.slots++
			}
			slot := free[len(free)-1]
			free = free[:len(free)-1]
			slotOf[[2]int{cell, side}] = slot
			s.opens = append(s.opens, open{slot, int32(side)})
		}
		for _, r := range s.reads {
			if slices.Contains(free, r.slot) {
				s.closes = append(s.closes, r.slot)
			}
		}
		for _, n := range p.Neighbours(cell) {
			if n >= 0 {
				sides--
				if placed[n] || clue[n] >= 0 {
					seams--
				}
			}
		}
		if sides > 0 {
			s.chance = float64(seams) / float64(sides*sides)
		}
		l.steps = append(l.steps, s)
	}
	return l
}

// fixedByClues is, for each cell, the colours that clues show to it, and none at
// its other sides.
func fixedByClues(p *puzzle.Puzzle) []word {
	fixed := make([]word, p.Cells())
	for i := range fixed {
		fixed[i] = 0xffffffff
	}
	for _, c := range p.Clues {
		e := p.Rotated(c.Piece, c.Rotation)
		for side, n := range p.Neighbours(c.Cell) {
			if n >= 0 && e[side] != puzzle.Grey {
				shift := 8 * (side ^ 2)
				fixed[n] = fixed[n]&^(0xff<<shift) | word(e[side])<<shift
			}
		}
	}
	return fixed
}

// openTo counts what is open while only the clues lie: the sides of empty cells
// that face other cells, and the seams with such a side.
func openTo(p *puzzle.Puzzle) (sides, seams int) {
	clue := p.CluesByCell()
	for cell := range clue {
		for side, n := range p.Neighbours(cell) {
			if n < 0 {
				continue
			}
			if clue[cell] < 0 {
				sides++
			}
			if side < 2 && (clue[cell] < 0 || clue[n] < 0) {
				seams++
			}
		}
	}
	return sides, seams
}

func countNone(w word) int {
	n := 0
	for side := range 4 {
		if uint8(w>>(8*side)) == none {
			n++
		}
	}
	return n
}

// need collects what a frontier asks of a cell. Grey matches nothing, so it is
// asked for as none.
func need(fixed word, reads []read, frontier []uint8) word {
	for _, r := range reads {
		if c := frontier[r.slot]; c != puzzle.Grey {
			shift := 8 * r.side
			fixed = fixed&^(0xff<<shift) | word(c)<<shift
		}
	}
	return fixed
}
