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
		c, err := chooseConvention(d, tokens, p, home, o.Dialect != "")
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
		checkSense(d, p)
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
