package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"lastmile/notation"
	"lastmile/puzzle"
)

// pieceFlags are the flags of commands that need a piece set and no board.
type pieceFlags struct {
	Puzzle  string `default:"official" placeholder:"PUZZLE" help:"Piece set: official, or a file, - or text in any dialect."`
	Dialect string `placeholder:"NAME" help:"Read the piece set in this dialect instead of recognising it; lastmile convert --help lists them."`
}

// boardFlags are the flags of commands that read a board.
type boardFlags struct {
	Puzzle        string `default:"official" placeholder:"PUZZLE" help:"Piece set of the board: official, or a file, - or text in any dialect."`
	PuzzleDialect string `placeholder:"NAME" help:"Read the piece set in this dialect instead of recognising it."`
	Dialect       string `placeholder:"NAME" help:"Read the board in this dialect instead of recognising it; lastmile convert --help lists them."`

	set *notation.Document // what --puzzle gave
}

// given tells whether the user named a piece set.
func (f *boardFlags) given() bool { return f.Puzzle != "official" }

// clueFlags choose the clues that a search holds.
type clueFlags struct {
	Clues string `placeholder:"none|starter|five|all" help:"Clues to hold. Default: all that the puzzle has, or for polish and exhaust those that the board holds."`
}

// text fetches what an argument stands for: standard input, a file, or itself.
func text(argument string, t *terminal) ([]byte, error) {
	if argument == "-" {
		return readAll(t.in, "standard input")
	}
	f, err := os.Open(argument)
	switch {
	case err == nil:
		defer f.Close()
		return readAll(f, argument)
	case strings.ContainsAny(argument, "=%{\n#;"), len(argument) > 255:
		return []byte(argument), nil // a link or a text
	case errors.Is(err, fs.ErrNotExist) && isLetters(argument):
		return []byte(argument), nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, badf("%s: no such file or bundled board, want a file, - for standard input, a link or text of a board, or a name that lastmile boards lists", argument)
	default:
		return nil, bad{err}
	}
}

// isLetters tells whether a text can be the bare letters of a board: four a
// cell, and more than the name of a missing file would have.
func isLetters(s string) bool {
	for _, r := range s {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return len(s) >= 4*9 && len(s)%4 == 0
}

func readAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, notation.MaxText+1))
	if err != nil {
		return nil, badf("%s: %w", name, err)
	}
	if len(data) > notation.MaxText {
		return nil, badf("%s: more than %d bytes, want a board or a puzzle", name, notation.MaxText)
	}
	return data, nil
}

// pieces reads the piece set.
func (f *pieceFlags) pieces(t *terminal) (*notation.Document, error) {
	return pieceSet(f.Puzzle, f.Dialect, "--dialect", t)
}

// pieceSet reads a piece set; flag is the one that chooses its dialect.
func pieceSet(argument, dialect, flag string, t *terminal) (*notation.Document, error) {
	if argument == "official" {
		if dialect != "" {
			return nil, badf("%s %s: the official set is in no dialect; it goes with --puzzle", flag, dialect)
		}
		p := puzzle.Official()
		return &notation.Document{Name: p.Name, Puzzle: p, Official: true, Hints: p.Clues}, nil
	}
	data, err := text(argument, t)
	if err != nil {
		return nil, err
	}
	documents, err := notation.Read(data, notation.Options{Dialect: dialect})
	if err != nil {
		// The reader knows one flag of that name, and which text it is of.
		return nil, badf("--puzzle: %s", strings.ReplaceAll(err.Error(), "--dialect", flag))
	}
	if len(documents) > 1 {
		return nil, badf("--puzzle: %d boards, want one piece set", len(documents))
	}
	d := documents[0]
	if d.Puzzle == nil {
		return nil, badf("--puzzle: the pieces of %s are not known, want a list of pieces or a full board", d.Dialect)
	}
	warn(t, d)
	return d, nil
}

// boards reads a BOARD argument; a list gives several.
func (f *boardFlags) boards(argument string, lenient bool, t *terminal) ([]*notation.Document, error) {
	o := notation.Options{Dialect: f.Dialect, Lenient: lenient}
	if f.given() {
		set, err := pieceSet(f.Puzzle, f.PuzzleDialect, "--puzzle-dialect", t)
		if err != nil {
			return nil, err
		}
		f.set = set
		// Piece numbers in a text are those of the list it was written for.
		if o.Puzzle = set.Listed; o.Puzzle == nil {
			o.Puzzle = set.Puzzle
		}
	} else if f.PuzzleDialect != "" {
		return nil, badf("--puzzle-dialect %s goes with --puzzle", f.PuzzleDialect)
	}
	if d, found := notation.Bundled(argument); found {
		return f.bundled(d, o)
	}
	data, err := text(argument, t)
	if err != nil {
		return nil, err
	}
	documents, err := notation.Read(data, o)
	if err != nil {
		return nil, bad{err}
	}
	return documents, nil
}

// bundled is a bundled board, read against the piece set as any other.
func (f *boardFlags) bundled(d *notation.Document, o notation.Options) ([]*notation.Document, error) {
	if f.Dialect != "" {
		return nil, badf("--dialect %s: the bundled board %s is in no dialect", f.Dialect, d.Name)
	}
	if !f.given() {
		return []*notation.Document{d}, nil
	}
	var letters bytes.Buffer
	if err := notation.Write(&letters, d, "edges"); err != nil {
		return nil, err
	}
	documents, err := notation.Read(letters.Bytes(), o)
	if err != nil {
		return nil, bad{err}
	}
	documents[0].Name, documents[0].Dialect = d.Name, d.Dialect
	return documents, nil
}

// board reads a BOARD argument that must be one board.
func (f *boardFlags) board(argument string, t *terminal) (*notation.Document, error) {
	documents, err := f.boards(argument, false, t)
	if err != nil {
		return nil, err
	}
	if len(documents) > 1 {
		return nil, badf("%d boards, want one", len(documents))
	}
	if documents[0].Grid == nil {
		return nil, badf("%s: pieces without a board, want a board", documents[0].Dialect)
	}
	return documents[0], nil
}

// sound checks that a search can go on from a board: its pieces are known, each
// lies there once, and none breaks the frame rule.
func (f *boardFlags) sound(d *notation.Document) error {
	switch {
	case f.given() && d.OtherSet:
		return badf("%s: the board is not of the pieces of --puzzle", d.Dialect)
	case d.Puzzle == nil:
		return badf("%s: the pieces of the board are not known; give its piece set with --puzzle", d.Dialect)
	}
	if err := d.Sound(); err != nil {
		return bad{err}
	}
	return nil
}

// warn passes the warnings of a document on.
func warn(t *terminal, d *notation.Document) {
	for _, w := range d.Warnings {
		fmt.Fprintln(t.err, "warning:", printable(w))
	}
}

// clues chooses among the clues of a puzzle. Starter and five are the official
// ones where the pieces are.
func (c *clueFlags) clues(given []puzzle.Placement, official bool) ([]puzzle.Placement, error) {
	if official && (c.Clues == "starter" || c.Clues == "five") {
		return puzzle.CluesNamed(c.Clues)
	}
	switch {
	case c.Clues == "" || c.Clues == "all":
		return given, nil
	case c.Clues == "none":
		return nil, nil
	case c.Clues == "starter" && len(given) > 0:
		return given[:1:1], nil
	case c.Clues == "five" && len(given) == 5:
		return given, nil
	case c.Clues == "starter" || c.Clues == "five":
		return nil, badf("--clues %s: the puzzle has %d clues, want none or all", c.Clues, len(given))
	}
	return nil, badf("--clues %s, want one of none, starter, five, all", c.Clues)
}

// held chooses the clues of a board to keep: those asked for, which it must
// hold, or else those that it holds.
func (c *clueFlags) held(d *notation.Document, all []puzzle.Placement) ([]puzzle.Placement, error) {
	clues, err := c.clues(all, d.Official)
	if err != nil {
		return nil, err
	}
	held, others := d.Holding(clues)
	if c.Clues != "" && len(others) > 0 {
		q := others[0]
		return nil, badf("--clues %s: cell %d does not hold piece %d turned by %d", c.Clues, q.Cell, q.Piece+1, q.Rotation)
	}
	return held, nil
}

// instance is the puzzle of a search, with the clues to hold, and all clues
// that it has.
func instance(f *pieceFlags, c *clueFlags, t *terminal) (p *puzzle.Puzzle, all []puzzle.Placement, err error) {
	d, err := f.pieces(t)
	if err != nil {
		return nil, nil, err
	}
	clues, err := c.clues(cluesOf(d), d.Official)
	if err != nil {
		return nil, nil, err
	}
	if f.Puzzle != "official" && d.Official && len(d.Hints) == 0 && c.Clues == "" {
		fmt.Fprintln(t.err, "note: the pieces are those of Eternity II, so its five clues are held; --clues none holds none")
	}
	if p, err = d.Puzzle.WithClues(clues); err != nil {
		return nil, nil, bad{err}
	}
	return p, cluesOf(d), nil
}

// cluesOf are all clues of a piece set: the hints of its text, or those of the
// official set, which everybody knows.
func cluesOf(set *notation.Document) []puzzle.Placement {
	if len(set.Hints) == 0 && set.Official {
		return puzzle.Official().Clues
	}
	return set.Hints
}

// cluesFor are all clues that a board is judged by: those of the piece set that
// was asked for, else of its own. A board of the official set is judged by the
// official clues, whatever hints its text gives.
func (f *boardFlags) cluesFor(board *notation.Document) []puzzle.Placement {
	if f.set != nil && !board.OtherSet {
		return cluesOf(f.set)
	}
	return board.Clues()
}
