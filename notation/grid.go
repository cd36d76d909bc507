package notation

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"lastmile/puzzle"
)

// A grid of pieces has a token piece/rotation for each cell, the top row
// first: the piece from 1, the rotation in clockwise quarter turns. Both refer
// to a list of pieces, and lists differ: some turn every piece by a half turn,
// a well-known one exchanges two pieces. The numbers are taken as
// those of the given set unless another convention fits far better.

// token is one cell of a grid.
type token struct {
	piece, rotation int // as written
	empty           bool
}

// parseToken reads 12/3, 12.3 or 12:3; dashes or dots make an empty cell.
func parseToken(s string) (token, bool) {
	if strings.Trim(s, "-._/:") == "" {
		return token{empty: true}, true
	}
	i := strings.IndexAny(s, "/.:")
	if i <= 0 {
		return token{}, false
	}
	piece, err1 := strconv.Atoi(s[:i])
	rotation, err2 := strconv.Atoi(s[i+1:])
	if err1 != nil || err2 != nil || piece < 0 || rotation < 0 || rotation > 3 {
		return token{}, false
	}
	return token{piece: piece, rotation: rotation}, true
}

func claimsGrid(t *text) bool {
	rows := t.rows()
	if len(rows) == 0 {
		return false
	}
	good, all := 0, fields(rows[0].text)
	for _, s := range all {
		if k, ok := parseToken(s); ok && (!k.empty || strings.ContainsAny(s, "/.:")) {
			good++
		}
	}
	return good > 0 && 2*good >= len(all)
}

func readGrid(t *text, o Options) ([]*Document, error) { return readTokens(t, o, 0) }

// readTokens reads grids whose rotations are turned by home from those of the
// piece set.
func readTokens(t *text, o Options, home int) ([]*Document, error) {
	p := o.given()
	rows := t.rows()
	var documents []*Document
	single := len(rows) > 0 && p.Height > 1 && len(fields(rows[0].text)) == p.Cells()
	height := p.Height
	if single { // a whole board on a line
		height = 1
	}
	if len(rows) == 0 || len(rows)%height != 0 {
		return nil, fault("", counted(len(rows), "row"), fmt.Sprintf("%d for the %dx%d cells of %s, or the piece set of the board", p.Height, p.Width, p.Height, setName(p)))
	}
	if err := tooMany(len(rows) / height); err != nil {
		return nil, err
	}
	for len(rows) > 0 {
		d := &Document{}
		tokens, err := tokensOf(d, rows[:height], p, o.Lenient)
		if err != nil {
			return nil, err
		}
		rows = rows[height:]
		c, err := chooseConvention(d, tokens, p, home)
		if err != nil {
			return nil, err
		}
		g, numbers := c.look(p, tokens)
		d.Grid = g
		if q := o.naming(); q != p {
			numbers = nil // they are numbers of another list
			d.warn("the pieces are the official set under other numbers or rotations: named by the official ones")
		}
		d.nameBy(o.naming(), numbers)
		documents = append(documents, d)
	}
	return documents, nil
}

// tokensOf reads one grid, or names every token that is none.
func tokensOf(d *Document, rows []line, p *puzzle.Puzzle, lenient bool) ([]token, error) {
	var tokens []token
	var bad []string
	for _, l := range rows {
		all := fields(l.text)
		if want := p.Cells() / len(rows); len(all) != want {
			return nil, fault(fmt.Sprintf("line %d", l.number), counted(len(all), "token"),
				fmt.Sprintf("%d for the %dx%d cells of %s, or the piece set of the board", want, p.Width, p.Height, setName(p)))
		}
		for i, s := range all {
			k, ok := parseToken(s)
			if !ok || k.piece > p.Cells() {
				bad = append(bad, fmt.Sprintf("line %d, token %d: %s", l.number, i+1, clip(s)))
				k = token{empty: true}
			}
			tokens = append(tokens, k)
		}
	}
	if n := len(bad); n > 0 {
		found := joined(bad)
		want := fmt.Sprintf("piece/rotation, pieces 1 to %d, rotations 0 to 3", p.Cells())
		if !lenient || n == len(tokens) {
			return nil, fault("", found, want)
		}
		d.warn("%s, want %s: the cells are left empty", found, want)
		d.Damaged = true
	}
	return tokens, nil
}

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
// draw among the others goes to the simpler.
func chooseConvention(d *Document, tokens []token, p *puzzle.Puzzle, home int) (convention, error) {
	const margin = 12
	plain := convention{base: 1, turn: home}
	lowest, highest := p.Cells(), 0
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
	if bestValue >= 2*plainValue && (bestValue >= plainValue+margin || p.Framed() && framesOnly(p, tokens, best, plain)) {
		d.warn("tokens read as %s: that scores %d, and %d as %s", best, best.score(p, tokens), plain.score(p, tokens), plain)
		return best, nil
	}
	// A board that holds together is not reinterpreted for a better score.
	if plainValue*2 < bestValue {
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

func writeGrid(w io.Writer, d *Document) error { return writeTokens(w, d, 0, "-/-") }

func writeTokens(w io.Writer, d *Document, home int, empty string) error {
	byCell, err := d.named()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for cell, q := range byCell {
		if q.Piece < 0 {
			b.WriteString(empty)
		} else {
			fmt.Fprintf(b, "%d/%d", q.Piece+1, (q.Rotation-home)&3)
		}
		if (cell+1)%d.Grid.Width == 0 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.Flush()
}
