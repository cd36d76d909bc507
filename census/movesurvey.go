package census

import (
	"math/bits"

	"lastmile/puzzle"
)

// A word is the colours of four sides, Up lowest, so that sides are compared
// all at once.
type word uint32

func wordOf(e puzzle.Edges) word {
	return word(e[0]) | word(e[1])<<8 | word(e[2])<<16 | word(e[3])<<24
}

func (w word) at(side int) uint8 { return uint8(w >> (8 * side)) }

// without is the word with a side that nothing matches.
func (w word) without(side int) word { return w | 0xff<<(8*side) }

// matches is the number of sides on which two words are equal. The bytes of
// their difference are tested for zero without a carry from one to the next.
func (w word) matches(v word) int {
	x := uint32(w ^ v)
	const low = 0x7f7f7f7f
	return bits.OnesCount32(^((x&low + low) | x | low))
}

// A survey counts moves on one board. Nothing it does to count one allocates.
type survey struct {
	puzzle *puzzle.Puzzle
	board  *puzzle.Board
	turned []word // by 4*piece + rotation
	look   []word // by cell
	around []word // by cell: the colours that its sides must have to match
	holds  []int  // by cell: its matched seams
	found  Moves
	tried  attempt
}

// noColour matches no side of a piece: what lies beyond the rim, an empty cell
// and grey.
const noColour = puzzle.MaxColours + 1

func newSurvey(b *puzzle.Board) *survey {
	p := b.Puzzle()
	n := p.Cells()
	s := &survey{puzzle: p, board: b, turned: make([]word, 4*n), look: make([]word, n), around: make([]word, n), holds: make([]int, n)}
	for piece := range n {
		for r := range 4 {
			s.turned[4*piece+r] = wordOf(p.Rotated(piece, r))
		}
	}
	for cell := range n {
		var facing puzzle.Edges
		for side, other := range p.Neighbours(cell) {
			facing[side] = noColour
			if other >= 0 && b.Piece(int(other)) != puzzle.Empty {
				if c := b.Edges(int(other))[side^2]; c != puzzle.Grey {
					facing[side] = c
				}
			}
		}
		s.around[cell] = wordOf(facing)
		if b.Piece(cell) != puzzle.Empty {
			s.look[cell] = wordOf(b.Edges(cell))
			s.holds[cell] = s.look[cell].matches(s.around[cell])
		}
	}
	return s
}

// beside tells whether two cells share a seam.
func (s *survey) beside(a, c int) bool { return s.side(a, c) >= 0 }

// side is the side of a that c lies on, or -1.
func (s *survey) side(a, c int) int {
	for side, other := range s.puzzle.Neighbours(a) {
		if int(other) == c {
			return side
		}
	}
	return -1
}

// levelBits hold the number of rotations that match so many seams. The products
// of three fits count at most 64 there, in 13 levels.
const (
	levelBits = 7
	levelMask = 1<<levelBits - 1
)

// A fit is what becomes of a piece on another cell while the neighbours of that
// stay: how many of its rotations change the look and obey the frame rule, how
// many of these match 0, 1, ... 4 seams, as the coefficients of a polynomial in
// 2^levelBits, and the best change of the matched seams of the cell.
type fit struct {
	levels  uint64
	options int32
	best    int32
}

// unmoved is the fit of a cell that is not there: it leaves products and sums as
// they are.
var unmoved = fit{1, 1, 0}

// fit tries the piece of another cell, or its own.
func (s *survey) fit(cell, from int) fit {
	f := fit{best: -4}
	piece := s.board.Piece(from)
	for r := range s.puzzle.Period(piece) {
		w := s.turned[4*piece+r]
		if w == s.look[cell] || !s.puzzle.FitsAt(cell, piece, r) {
			continue
		}
		n := w.matches(s.around[cell])
		f.levels += 1 << (levelBits * n)
		f.options++
		f.best = max(f.best, int32(n-s.holds[cell]))
	}
	return f
}

// A shift says which cells take part in a move, and from which each gets its
// piece; the first of size of the three.
type shift struct {
	size       int
	cell, from [3]int
}

// apart counts the moves of cells of which no two are neighbours. What a piece
// matches then depends on its own rotation alone, so the changes add up and
// the levels multiply as polynomials do.
func (s *survey) apart(m shift, x, y, z fit) {
	options := int64(x.options) * int64(y.options) * int64(z.options)
	if options == 0 {
		return
	}
	best := int(x.best + y.best + z.best)
	if s.found.Tested == 0 || best > s.found.Best {
		s.found.Best = best
		s.remember(m)
	}
	s.found.Tested += options
	if best < 0 { // most are
		s.found.Worsening += options
		return
	}
	before := 0
	for i := range m.size {
		before += s.holds[m.cell[i]]
	}
	high, low := bits.Mul64(x.levels*y.levels, z.levels)
	high, low = down(high, low, levelBits*before)
	neutral := int64(low & levelMask)
	var improving int64
	for high, low = down(high, low, levelBits); high|low != 0; high, low = down(high, low, levelBits) {
		improving += int64(low & levelMask)
	}
	s.found.Neutral += neutral
	s.found.Improving += improving
	s.found.Worsening += options - neutral - improving
}

// down shifts 128 bits right by n, 0 to 127.
func down(high, low uint64, n int) (uint64, uint64) {
	if n >= 64 {
		return 0, high >> (n - 64)
	}
	return high >> n, low>>n | high<<(64-n)
}

// remember keeps the best rotations of cells apart as the move.
func (s *survey) remember(m shift) {
	s.found.Move = s.found.Move[:0]
	for i := range m.size {
		cell, piece := m.cell[i], s.board.Piece(m.from[i])
		best, turn := -1, 0
		for r := range s.puzzle.Period(piece) {
			w := s.turned[4*piece+r]
			if w == s.look[cell] || !s.puzzle.FitsAt(cell, piece, r) {
				continue
			}
			if n := w.matches(s.around[cell]); n > best {
				best, turn = n, r
			}
		}
		s.found.Move = append(s.found.Move, puzzle.Placement{Cell: cell, Piece: piece, Rotation: turn})
	}
}

// An attempt is a move of cells some of which are neighbours, cell by cell.
type attempt struct {
	shift
	around [3]word   // without the cells of the move
	side   [3][3]int // of one cell on which another lies, or -1
	laid   [3]word
	turn   [3]int
	before int // seams matched at its cells, each once
}

// together counts the moves of cells that may be neighbours, one by one.
func (s *survey) together(m shift) {
	t := &s.tried
	t.shift, t.before = m, 0
	for i := range m.size {
		a := m.cell[i]
		t.around[i] = s.around[a]
		t.before += s.holds[a]
		for j := range m.size {
			t.side[i][j] = -1
			if i == j {
				continue
			}
			side := s.side(a, m.cell[j])
			if t.side[i][j] = side; side < 0 {
				continue
			}
			t.around[i] = t.around[i].without(side)
			if j < i && joined(s.look[a], s.look[m.cell[j]], side) {
				t.before-- // counted at both cells
			}
		}
	}
	s.lay(0, 0)
}

// joined tells whether two neighbours match, the second on that side of the
// first.
func joined(a, c word, side int) bool {
	return a.at(side) != puzzle.Grey && a.at(side) == c.at(side^2)
}

// lay puts the pieces from the i-th on in every rotation; those before it match
// so many seams.
func (s *survey) lay(i, matched int) {
	t := &s.tried
	if i == t.size {
		s.count(matched - t.before)
		return
	}
	cell, piece := t.cell[i], s.board.Piece(t.from[i])
	for r := range s.puzzle.Period(piece) {
		w := s.turned[4*piece+r]
		if w == s.look[cell] || !s.puzzle.FitsAt(cell, piece, r) {
			continue
		}
		n := matched + w.matches(t.around[i])
		for j := range i {
			if side := t.side[i][j]; side >= 0 && joined(w, t.laid[j], side) {
				n++
			}
		}
		t.laid[i], t.turn[i] = w, r
		s.lay(i+1, n)
	}
}

// count enters the move that is laid.
func (s *survey) count(change int) {
	if s.found.Tested == 0 || change > s.found.Best {
		s.found.Best, s.found.Move = change, s.found.Move[:0]
		for i := range s.tried.size {
			s.found.Move = append(s.found.Move, puzzle.Placement{
				Cell: s.tried.cell[i], Piece: s.board.Piece(s.tried.from[i]), Rotation: s.tried.turn[i],
			})
		}
	}
	s.found.Tested++
	switch {
	case change > 0:
		s.found.Improving++
	case change == 0:
		s.found.Neutral++
	default:
		s.found.Worsening++
	}
}
