package notation

import (
	"fmt"
	"io"
	"strings"

	"lastmile/puzzle"
)

// The bucas viewer (e2.bucas.name) takes a board in the fragment of a link:
// board_edges, four letters a cell, and board_pieces, three digits a cell: the
// piece from 1, 000 for none. Some writers count from 0 instead; then 000 is a
// piece. The edges are the board; the numbers are checked against them.

// pieceNumbers is the channel board_pieces.
type pieceNumbers struct {
	said []int // by cell, as written; nil when there is no usable channel
	base int   // what the first piece is called: 1 or 0
}

// boardPieces splits the digits, or warns that they are unusable.
func boardPieces(d *Document, digits string, sent bool, g *puzzle.Grid) *pieceNumbers {
	n := &pieceNumbers{base: 1}
	if !sent {
		return n
	}
	if want := 3 * len(g.Edges); len(digits) != want {
		d.warn("board_pieces has %s, want %d: it is ignored", counted(len(digits), "digit"), want)
		return n
	}
	said := make([]int, len(g.Edges))
	for i := range len(digits) {
		c := digits[i]
		if c < '0' || c > '9' {
			d.warn("board_pieces has %s at %d, want digits: it is ignored", letterAt(digits, i), i)
			return n
		}
		said[i/3] = 10*said[i/3] + int(c-'0')
	}
	n.said = said
	return n
}

// choose finds out whether the numbers count from 1 or from 0, and gives them
// from 0.
func (n *pieceNumbers) choose(d *Document, raw *puzzle.Grid, o Options) []int {
	if n.said == nil {
		return nil
	}
	if n.fromZero(raw, o) {
		n.base = 0
		d.warn("board_pieces counts from 0")
	}
	return n.from(n.base, raw)
}

// from gives the numbers of the filled cells, from 0.
func (n *pieceNumbers) from(base int, raw *puzzle.Grid) []int {
	numbers := make([]int, len(n.said))
	for cell, s := range n.said {
		numbers[cell] = puzzle.Empty
		if raw.Filled[cell] {
			numbers[cell] = s - base
		}
	}
	return numbers
}

// fromZero tells whether the first piece is called 0. Counting from 1 is the
// rule. The other takes either most cells, on a board of a known set, or a
// single piece 0 among numbers that all differ and fit.
func (n *pieceNumbers) fromZero(raw *puzzle.Grid, o Options) bool {
	one, zero := n.from(1, raw), n.from(0, raw)
	if isPermutation(one, len(one)) {
		return false
	}
	filled := filledCells(raw)
	agree := agreement(raw, o, one, zero)
	switch {
	case 2*agree[0] > filled && agree[0] > agree[1]:
		return false
	case 2*agree[1] > filled && agree[1] > agree[0]:
		return true
	}
	seen := make([]bool, len(zero))
	for _, k := range zero {
		if k == puzzle.Empty {
			continue
		}
		if k >= len(zero) || seen[k] {
			return false
		}
		seen[k] = true
	}
	return seen[0]
}

// agreement counts for each numbering the cells where it names the piece that
// lies there. A set that the board is not made of has no say.
func agreement(raw *puzzle.Grid, o Options, numberings ...[]int) []int {
	agree := make([]int, len(numberings))
	p := o.naming()
	if !sameSize(p, raw) {
		return agree
	}
	fewest := filledCells(raw)/2 + 1
	var placements []puzzle.Placement
	for _, m := range orders {
		if id := p.Identify(m.translate(raw)); len(id.Foreign) < fewest {
			fewest, placements = len(id.Foreign), id.Placements
		}
	}
	for _, q := range placements {
		for i, numbers := range numberings {
			if k := numbers[q.Cell]; k >= 0 && k < p.Cells() && p.Class(k) == p.Class(q.Piece) {
				agree[i]++
			}
		}
	}
	return agree
}

// compare warns of cells where the numbers and the edges say different pieces.
func (n *pieceNumbers) compare(d *Document) {
	if n.said == nil || d.Puzzle == nil {
		return
	}
	if d.ownNumbers {
		d.warn("board_pieces does not number the pieces from 1 to %d, each once: it is ignored", len(n.said))
		return
	}
	var differ []string
	note := func(cell int, edges string) {
		differ = append(differ, fmt.Sprintf("cell %d says %d, edges %s", cell, n.said[cell], edges))
	}
	piece := make([]int, len(n.said))
	for cell := range piece {
		piece[cell] = puzzle.Empty
	}
	for _, q := range d.ID.Placements {
		piece[q.Cell] = q.Piece
	}
	for cell, s := range n.said {
		switch k := piece[cell]; {
		case k >= 0 && s != k+n.base:
			note(cell, fmt.Sprint(k+n.base))
		case !d.Grid.Filled[cell] && s != 0:
			note(cell, "none")
		}
	}
	if len(differ) > 0 {
		d.warn("board_pieces contradicts the edges in %s (%s): the edges win", counted(len(differ), "cell"), joined(differ))
	}
}

// writeBucas leaves motifs_order out: its default is the official colours. It
// leaves board_pieces out where a cell has no number, or none that others know.
func writeBucas(w io.Writer, d *Document) error {
	g, err := d.board()
	if err != nil {
		return err
	}
	letters, err := encodeLetters(g)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "https://e2.bucas.name/#puzzle=%s&board_w=%d&board_h=%d&board_edges=%s", escape(d.Name, "+"), g.Width, g.Height, letters)
	if byCell, err := d.named(); err == nil && !d.ownNumbers {
		io.WriteString(w, "&board_pieces=")
		for cell, q := range byCell {
			if q.Piece+1 > 999 {
				return fault(fmt.Sprintf("cell %d", cell), fmt.Sprintf("piece %d", q.Piece+1), "at most 999 (board_pieces has three digits), or one of edges, json")
			}
			fmt.Fprintf(w, "%03d", q.Piece+1)
		}
	}
	_, err = io.WriteString(w, "\n")
	return err
}

// escape percent-encodes what a link would take for its own, save the bytes
// of keep.
func escape(s, keep string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~"+keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
