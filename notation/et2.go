package notation

import (
	"io"
	"strings"
)

// The .et2 files of a Julia solver are grids of piece/rotation over a list
// whose rotations are a half turn away from the official ones: the starter,
// which is not turned on the official board, is 139/2.
const et2Home = 2

const et2Empty = "---/-"

func claimsEt2(t *text) bool {
	for _, l := range t.rows() {
		for _, s := range strings.Fields(l.text) {
			if s == et2Empty {
				return claimsGrid(t)
			}
		}
	}
	return false
}

func readEt2(t *text, o Options) ([]*Document, error) { return readTokens(t, o, et2Home) }

func writeEt2(w io.Writer, d *Document) error { return writeTokens(w, d, et2Home, et2Empty) }
