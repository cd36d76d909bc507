package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"lastmile/notation"
	"lastmile/puzzle"
)

// reading holds the flags of commands that read a board or a puzzle.
type reading struct {
	Puzzle  string `default:"official" placeholder:"PUZZLE" help:"Piece set: official, or a file, - or text in any dialect."`
	Dialect string `placeholder:"NAME" help:"Read the board in this dialect instead of recognising it; lastmile convert --help lists them."`
}

// clueFlags choose the clues that a search holds.
type clueFlags struct {
	Clues string `placeholder:"none|starter|five|all" help:"Clues to hold. Default: all that the puzzle has, or for polish those that the board holds."`
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

// pieces reads the --puzzle flag.
func (r *reading) pieces(t *terminal) (*notation.Document, error) {
	if r.Puzzle == "official" {
		p := puzzle.Official()
		return &notation.Document{Name: p.Name, Puzzle: p, Official: true, Hints: p.Clues}, nil
	}
	data, err := text(r.Puzzle, t)
	if err != nil {
		return nil, err
	}
	documents, err := notation.Read(data, notation.Options{})
	if err != nil {
		return nil, badf("--puzzle: %w", err)
	}
	d := documents[0]
	if d.Puzzle == nil {
		return nil, badf("--puzzle: the pieces of %s are not known, want a list of pieces or a full board", d.Dialect)
	}
	warn(t, d)
	return d, nil
}

// boards reads a BOARD argument; a list gives several.
func (r *reading) boards(argument string, lenient bool, t *terminal) ([]*notation.Document, error) {
	if record, ok := puzzle.RecordNamed(argument); ok {
		b := puzzle.NewBoard(puzzle.Official())
		b.Load(record.Board)
		d := notation.FromBoard(b, record.Name)
		d.Dialect = "bundled"
		return []*notation.Document{d}, nil
	}
	data, err := text(argument, t)
	if err != nil {
		return nil, err
	}
	o := notation.Options{Dialect: r.Dialect, Lenient: lenient}
	if r.Puzzle != "official" {
		set, err := r.pieces(t)
		if err != nil {
			return nil, err
		}
		// Piece numbers in a text are those of the list it was written for.
		if o.Puzzle = set.Listed; o.Puzzle == nil {
			o.Puzzle = set.Puzzle
		}
	}
	documents, err := notation.Read(data, o)
	if err != nil {
		return nil, bad{err}
	}
	return documents, nil
}

// board reads a BOARD argument that must be one board.
func (r *reading) board(argument string, t *terminal) (*notation.Document, error) {
	documents, err := r.boards(argument, false, t)
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

// warn passes the warnings of a document on.
func warn(t *terminal, d *notation.Document) {
	for _, w := range d.Warnings {
		fmt.Fprintln(t.err, "warning:", w)
	}
}

// clues chooses among the clues of a puzzle.
func (c *clueFlags) clues(d *notation.Document) ([]puzzle.Placement, error) {
	given := d.Hints
	if d.Official {
		given = puzzle.Official().Clues
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

// instance is the puzzle of a search, with its clues.
func instance(r *reading, c *clueFlags, t *terminal) (*puzzle.Puzzle, error) {
	d, err := r.pieces(t)
	if err != nil {
		return nil, err
	}
	clues, err := c.clues(d)
	if err != nil {
		return nil, err
	}
	p, err := d.Puzzle.WithClues(clues)
	if err != nil {
		return nil, bad{err}
	}
	return p, nil
}
