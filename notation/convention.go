package notation

import (
	"fmt"

	"lastmile/puzzle"
)

// A convention says how tokens refer to a puzzle.
type convention struct {
	base      int  // the number of the first piece
	turn      int  // quarter turns to add to each rotation
	counter   bool // rotations are counter-clockwise
	blackwood bool // the list of Blackwood's solver, see fromBlackwood
}

// fromBlackwood brings a piece, from 0, and a rotation of the list that
// Blackwood's solver and its ports use to the official list, where each piece
// of that list is turned by a half: it exchanges pieces 112 and 113, and turns
// 182 and 183 once more.
func fromBlackwood(piece, rotation int) (int, int) {
	switch piece + 1 {
	case 112, 113:
		return 223 - piece, rotation
	case 182, 183:
		return piece, rotation + 1
	}
	return piece, rotation
}

func (c convention) String() string {
	s := fmt.Sprintf("pieces from %d, clockwise turns", c.base)
	if c.counter {
		s = fmt.Sprintf("pieces from %d, counter-clockwise turns", c.base)
	}
	if c.turn != 0 {
		s += fmt.Sprintf(", each piece turned by %d more", c.turn)
	}
	if c.blackwood {
		s += ", pieces 112 and 113 exchanged, 182 and 183 turned once more (the list of Blackwood's solver)"
	}
	return s
}

// look gives the grid and the pieces by cell.
func (c convention) look(p *puzzle.Puzzle, tokens []token) (*puzzle.Grid, []int) {
	g := puzzle.NewGrid(p.Width, p.Height)
	numbers := make([]int, len(tokens))
	for cell, k := range tokens {
		numbers[cell] = puzzle.Empty
		if k.empty {
			continue
		}
		piece, r := k.piece-c.base, k.rotation
		if c.counter {
			r = -r
		}
		if c.blackwood {
			piece, r = fromBlackwood(piece, r)
		}
		numbers[cell] = piece
		g.Edges[cell], g.Filled[cell] = p.Rotated(piece, (r+c.turn)&3), true
	}
	return g, numbers
}

// worth measures how well a board holds together.
func worth(p *puzzle.Puzzle, g *puzzle.Grid) int {
	t := g.Tally()
	if p.Framed() {
		return t.Matched - len(t.RimFaults)
	}
	return t.Matched
}

// chooseConvention prefers the plain convention of the dialect. Another is
// taken when it makes a board at least twice as good, by a margin that chance
// does not give, or when it puts right a frame that is wrong in most cells; a
// draw among the others goes to the simpler. When the dialect is forced, its
// sister, whose rotations are a half turn away, is not taken for it.
func chooseConvention(d *Document, tokens []token, p *puzzle.Puzzle, home int, forced bool) (convention, error) {
	const margin = 12
	plain := convention{base: 1, turn: home}
	lowest, highest := p.Cells(), 0
	emptyZeros(d, tokens)
	for _, k := range tokens {
		if !k.empty {
			lowest, highest = min(lowest, k.piece), max(highest, k.piece)
		}
	}
	if lowest == 0 && highest == p.Cells() {
		return plain, fault("", fmt.Sprintf("pieces 0 and %d", highest), fmt.Sprintf("pieces from 1 to %d, or from 0 to %d", p.Cells(), p.Cells()-1))
	}
	if lowest == 0 {
		plain.base = 0
		d.warn("the pieces are counted from 0")
	}
	valueOf := func(c convention) int {
		g, _ := c.look(p, tokens)
		return worth(p, g)
	}
	plainValue := valueOf(plain)
	best, bestValue := plain, plainValue
	for _, c := range conventions(p, home) {
		if c.base == 1 && lowest == 0 || c.base == 0 && highest == p.Cells() {
			continue
		}
		if v := valueOf(c); v > bestValue {
			best, bestValue = c, v
		}
	}
	if best == plain {
		return plain, nil
	}
	sister := best.turn == (home+2)&3 && !best.counter && !best.blackwood
	if g, _ := best.look(p, tokens); !(forced && sister) && makesSense(g) && bestValue >= 2*plainValue &&
		(bestValue >= plainValue+margin || p.Framed() && framesOnly(p, tokens, best, plain)) {
		d.warn("tokens read as %s: that scores %d, and %d as %s", best, best.score(p, tokens), plain.score(p, tokens), plain)
		return best, nil
	}
	// A board that holds together is not reinterpreted for a better score.
	if g, _ := best.look(p, tokens); plainValue*2 < bestValue && makesSense(g) {
		d.warn("tokens read as %s; as %s the board would hold together better", plain, best)
	}
	return plain, nil
}

// framesOnly tells whether one convention keeps the frame rule everywhere and
// the other breaks it in most cells.
func framesOnly(p *puzzle.Puzzle, tokens []token, one, other convention) bool {
	right, _ := one.look(p, tokens)
	wrong, _ := other.look(p, tokens)
	faults := len(wrong.Tally().RimFaults)
	return len(right.Tally().RimFaults) == 0 && faults > 2 && 2*faults > filledCells(wrong)
}

func (c convention) score(p *puzzle.Puzzle, tokens []token) int {
	g, _ := c.look(p, tokens)
	return g.Tally().Matched
}

// conventions are those that boards in circulation follow, the simple first.
func conventions(p *puzzle.Puzzle, home int) []convention {
	official := samePieces(p, puzzle.Official())
	var all []convention
	for _, blackwood := range []bool{false, true} {
		for _, base := range []int{1, 0} {
			for _, counter := range []bool{false, true} {
				for _, more := range []int{0, 2, 1, 3} {
					turn := (home + more) & 3
					if blackwood && !(official && turn == 2) {
						continue
					}
					all = append(all, convention{base, turn, counter, blackwood})
				}
			}
		}
	}
	return all
}

// emptyZeros empties the cells with piece 0 where that is no piece: only one
// cell can hold the first piece.
func emptyZeros(d *Document, tokens []token) {
	zeros := 0
	for _, k := range tokens {
		if !k.empty && k.piece == 0 {
			zeros++
		}
	}
	if zeros < 2 {
		return
	}
	for i, k := range tokens {
		if !k.empty && k.piece == 0 {
			tokens[i] = token{empty: true}
		}
	}
	d.warn("piece 0 on %s is read as no piece", counted(zeros, "cell"))
}

// makesSense tells a board from pieces laid at random, of which a small part of
// the seams match.
func makesSense(g *puzzle.Grid) bool {
	const least = 12
	t := g.Tally()
	closed := t.Matched + t.Breaks
	return closed < least || 2*t.Matched >= closed
}

// checkSense warns of a board that makes none: its tokens are then those of
// another list.
func checkSense(d *Document, p *puzzle.Puzzle) {
	if !makesSense(d.Grid) {
		t := d.Grid.Tally()
		d.warn("only %d of %d seams between pieces match: the numbers or rotations seem to be those of another piece list than %s", t.Matched, t.Matched+t.Breaks, setName(p))
	}
}
