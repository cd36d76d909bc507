package draw

import (
	"fmt"
	"io"
	"strings"

	"lastmile/puzzle"
)

// Forms are the names that As knows.
var Forms = []string{"text", "svg", "png"}

// As draws a board in the form of that name.
func As(w io.Writer, form string, g *puzzle.Grid, o Options) error {
	switch form {
	case "text":
		return Text(w, g, o)
	case "svg":
		return SVG(w, g, o)
	case "png":
		return PNG(w, g, o)
	}
	return fmt.Errorf("draw: form %q, want one of %s", form, strings.Join(Forms, ", "))
}
