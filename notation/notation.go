// Package notation reads and writes the dialects in which people write boards
// and piece sets of edge-matching puzzles: links of two viewers, bare letters,
// grids of pieces and rotations, lists of pieces, tables and JSON.
//
// Read recognises the dialect, names the pieces and says what it had to
// decide. A text that contradicts itself is read by its edges, with a warning
// that names the cells; a text that does not hold what it announces is an
// *Error that names the line, cell or letter. Nothing is repaired in silence.
//
// Which set a board belongs to. The set is the one of Options, or the official
// one. A board of its size belongs to it, with foreign cells listed, unless the
// board is full and more than half of its cells hold no piece of the set. Such
// a board, and any full board of another size, is a set of its own: the pieces
// that lie on it. A partly filled board of another size has no known set.
package notation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lastmile/puzzle"
)

// MaxText is the longest text that Read takes, in bytes.
const MaxText = 4 << 20

// Options direct Read. The zero value reads anything against the official set.
type Options struct {
	Dialect string         // force one of Dialects, and refuse any other; "" recognises it
	Puzzle  *puzzle.Puzzle // piece set that names the pieces; nil is the official set
	Lenient bool           // damaged texts: keep what is legible, with a warning and Damaged set
}

// Document is one board or one piece set as read.
type Document struct {
	Dialect string // as Dialects names it
	Name    string // the label that the text gave, "" if none

	Grid *puzzle.Grid // the board; nil when the text holds pieces only

	// Puzzle names the pieces of the board, or holds the pieces that the text
	// lists. When that is the official set, Puzzle has the official numbers,
	// colours and rotations, whatever those of the text. It is nil when no
	// set is known: a partly filled board of a size that no given set has.
	Puzzle   *puzzle.Puzzle
	Official bool // Puzzle is the official set

	// OtherSet: the pieces are not those of Options.Puzzle or, without one, not
	// the official ones: a text that lists its own pieces, a full board that is
	// a set of its own, or a board whose set is not known.
	OtherSet bool

	// Listed holds the pieces that the text lists, with the numbers and
	// rotations of the text, in the colours of Puzzle. It is what piece numbers
	// written for that list must be read with. nil when the text lists none.
	Listed *puzzle.Puzzle

	ID       puzzle.Identification // the pieces of Grid, named by Puzzle
	Hints    []puzzle.Placement    // placements given as hints, named by Puzzle
	Damaged  bool                  // parts of the text were illegible and left out
	Warnings []string              // one line each

	ownSet     bool // Puzzle was made of the pieces of a full board
	ownNumbers bool // and so were the numbers
}

// Error says what is wrong with a text, where, and what would be right.
type Error struct {
	Dialect string // the dialect the text was read as, or to be written in
	Where   string // key, line or cell
	Found   string
	Want    string
}

// Error gives the fault in one line.
func (e *Error) Error() string {
	var b strings.Builder
	for _, s := range []string{e.Dialect, e.Where} {
		if s != "" {
			b.WriteString(s + ": ")
		}
	}
	b.WriteString(e.Found)
	if e.Want != "" {
		b.WriteString(", want " + e.Want)
	}
	return oneLine(b.String())
}

// fault is an Error whose dialect Read or Write fills in.
func fault(where, found, want string) *Error {
	return &Error{Where: where, Found: found, Want: want}
}

// inDialect makes any error an *Error that names its dialect.
func inDialect(err error, dialect string) error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Dialect: dialect, Found: err.Error()}
	}
	if e.Dialect == "" {
		e.Dialect = dialect
	}
	return e
}

// Read reads every board or piece set of a text, at least one. Its errors are
// of type *Error.
func Read(data []byte, o Options) ([]*Document, error) {
	t, err := newText(data)
	if err != nil {
		return nil, inDialect(err, o.Dialect)
	}
	r, err := recognise(t, o.Dialect)
	if err != nil {
		return nil, err
	}
	documents, err := r.read(t, o)
	if err != nil {
		return nil, inDialect(err, r.Name)
	}
	p := o.naming()
	for _, d := range documents {
		if d.Dialect == "" {
			d.Dialect = r.Name
		}
		d.compareSet(p, o)
		for i, w := range d.Warnings {
			d.Warnings[i] = oneLine(w)
		}
	}
	return documents, nil
}

// recognise finds the forced dialect, or the first that claims the text.
func recognise(t *text, forced string) (*dialect, error) {
	if forced != "" {
		r := dialectNamed(forced)
		if r == nil || r.read == nil {
			return nil, fault("dialect", clip(forced), "one of "+strings.Join(names(func(d *dialect) bool { return d.read != nil }), ", "))
		}
		return r, nil
	}
	for i := range dialects {
		if r := &dialects[i]; r.claims != nil && r.claims(t) {
			return r, nil
		}
	}
	first := t.first()
	if first.text == "" {
		return nil, fault("", "an empty text", "a board or a piece set")
	}
	return nil, fault(fmt.Sprintf("line %d", first.number), "no dialect is recognised in "+clip(first.text),
		"a board or a piece set in one of "+strings.Join(names(func(d *dialect) bool { return d.read != nil }), ", "))
}

// Write writes the document in the named dialect as far as the dialect carries
// it (Lost says how far), or fails and writes nothing: with an
// *Error when the dialect cannot carry the board, else with the error of w.
func Write(w io.Writer, d *Document, name string) error {
	r := dialectNamed(name)
	if r == nil || r.write == nil {
		return fault("dialect", clip(name), "one of "+strings.Join(names(func(d *dialect) bool { return d.write != nil }), ", "))
	}
	var b bytes.Buffer
	if err := r.write(&b, d); err != nil {
		return inDialect(err, r.Name)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// FromBoard is the document of a board in play.
func FromBoard(b *puzzle.Board, name string) *Document {
	return &Document{
		Name:     name,
		Grid:     b.Grid(),
		Puzzle:   b.Puzzle(),
		Official: samePieces(b.Puzzle(), puzzle.Official()),
		ID:       puzzle.Identification{Placements: b.Placements(nil)},
	}
}

func (d *Document) warn(format string, values ...any) {
	d.Warnings = append(d.Warnings, fmt.Sprintf(format, values...))
}

// givenHints are the hints of the document: those that the text gave, else the
// clues of a set that is not the official one, whose clues everybody knows.
func (d *Document) givenHints() []puzzle.Placement {
	if len(d.Hints) == 0 && d.Puzzle != nil && !d.Official {
		return d.Puzzle.Clues
	}
	return d.Hints
}

// board is the grid, or an error for dialects that write boards.
func (d *Document) board() (*puzzle.Grid, error) {
	if d.Grid == nil {
		return nil, fault("", "pieces without a board", "a board, or one of e2pieces, csv, json")
	}
	return d.Grid, nil
}

// set is the puzzle, or an error for dialects that write pieces.
func (d *Document) set() (*puzzle.Puzzle, error) {
	if d.Puzzle == nil {
		return nil, fault("", "a board whose piece set is not known", "the piece set, or one of edges, bucas, json")
	}
	return d.Puzzle, nil
}

// named gives the placement on each cell, or an error for dialects that write
// boards by piece numbers.
func (d *Document) named() (byCell []puzzle.Placement, err error) {
	g, err := d.board()
	if err != nil {
		return nil, err
	}
	if _, err := d.set(); err != nil {
		return nil, err
	}
	byCell = make([]puzzle.Placement, len(g.Edges))
	for cell := range byCell {
		byCell[cell].Piece = puzzle.Empty
	}
	for _, q := range d.ID.Placements {
		byCell[q.Cell] = q
	}
	for cell, filled := range g.Filled {
		if filled && byCell[cell].Piece < 0 {
			what := "a piece that is not of the set"
			if slices.Contains(d.ID.Duplicates, cell) {
				what = "a piece that lies on an earlier cell too"
			}
			return nil, fault(fmt.Sprintf("cell %d", cell), what, "a piece with a number, or one of edges, bucas, json")
		}
	}
	return byCell, nil
}
