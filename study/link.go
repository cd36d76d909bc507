package study

import (
	"fmt"
	"strings"

	"lastmile/notation"
	"lastmile/puzzle"
)

// reference is a table cell that shows text and leads to the link of a label.
func reference(text, label string) string { return fmt.Sprintf("[%s][%s]", text, label) }

// link enters the address at which a viewer shows the board, and returns it.
// Boards that the viewer cannot carry have none.
func (r *Report) link(label string, p *puzzle.Puzzle, board []puzzle.Placement) string {
	b := puzzle.NewBoard(p)
	b.Load(board)
	var text strings.Builder
	if err := notation.Write(&text, notation.FromBoard(b, label), "bucas"); err != nil {
		return ""
	}
	url := strings.TrimSpace(text.String())
	r.Links = append(r.Links, Link{label, url})
	return url
}
