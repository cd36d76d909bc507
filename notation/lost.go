package notation

import (
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// Lost says what of a document a dialect cannot carry, one line each: what a
// reader of the text that Write makes would miss. It is nil when nothing is
// lost, and for a dialect that Dialects does not list. The label of a board and
// the numbers of pieces where the colours are written do not count. What would
// make the text say something else is no loss but an error of Write.
func Lost(d *Document, dialect string) []string {
	r := dialectNamed(dialect)
	if r == nil {
		return nil
	}
	var lost []string
	say := func(format string, values ...any) { lost = append(lost, fmt.Sprintf(format, values...)) }
	if d.Grid != nil && !r.Board {
		say("the board: %s lists pieces only", dialect)
	}
	if n := d.hintsLost(dialect); n > 0 {
		if dialect == "viewer" {
			say("%s: %s marks pieces of the board only, and they are not on it so", counted(n, "hint"), dialect)
		} else {
			say("%s: %s has no hints", counted(n, "hint"), dialect)
		}
	}
	if d.Grid == nil || d.Puzzle == nil || d.Official || r.Pieces {
		return lost
	}
	byNumber := dialect == "pieces" || dialect == "et2" || dialect == "solution"
	switch {
	case byNumber && d.ownSet:
		say("the pieces: the numbers and rotations of %s would be those of a list made of this board, which nobody else has; give the piece list, or write edges, bucas or json", dialect)
	case byNumber && d.Listed != nil:
		say("the pieces: %s has their numbers only; write the list too, as e2pieces or json", dialect)
	case d.Listed != nil && slices.Contains(d.Grid.Filled, false):
		say("the pieces that are not on the board: %s does not list them", dialect)
	}
	return lost
}

// hintsLost counts the hints that the dialect leaves out.
func (d *Document) hintsLost(dialect string) int {
	hints := d.givenHints()
	switch dialect {
	case "json", "csv-hints-xyr", "csv-hints-hxy":
		return 0
	case "viewer":
		n := 0
		for _, h := range hints {
			if !d.holds(h) {
				n++
			}
		}
		return n
	}
	return len(hints)
}

// holds tells whether a hint lies on the board.
func (d *Document) holds(h puzzle.Placement) bool { return slices.Contains(d.ID.Placements, h) }
