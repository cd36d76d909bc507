package notation

import (
	"bytes"
	"strings"
	"testing"

	"lastmile/puzzle"
)

// A board seen from the wrong side keeps its score, and the warning says so.
func TestOrientationIsTold(t *testing.T) {
	record, _ := puzzle.RecordNamed("riotte-464")
	upright := puzzle.Official().Look(record.Board)
	half := puzzle.Official().Look(record.Board[128:])
	upsideDown := turn(turn(upright))
	for name, c := range map[string]struct {
		grid *puzzle.Grid
		want string
	}{
		"upright":             {upright, ""},
		"mirrored":            {mirror(upright), "mirror image: mirrored back, 256 of its 256"},
		"top to bottom":       {turn(turn(mirror(upright))), "mirror image"},
		"half a board":        {mirror(half), "mirror image: mirrored back, 128 of its 128"},
		"a quarter turn":      {turn(upright), "turned clockwise by 270 degrees it holds 5 clues instead of 0"},
		"a half turn":         {upsideDown, "turned clockwise by 180 degrees"},
		"three quarter turns": {turn(upsideDown), "turned clockwise by 90 degrees"},
	} {
		var text bytes.Buffer
		if err := Write(&text, &Document{Grid: c.grid}, "edges"); err != nil {
			t.Fatal(err)
		}
		documents, err := Read(text.Bytes(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := documents[0]
		warnings := strings.Join(d.Warnings, "\n")
		if c.want == "" && warnings != "" || !strings.Contains(warnings, c.want) {
			t.Errorf("%s: %q, want %q", name, warnings, c.want)
		}
		if got, want := d.Grid.Tally().Matched, c.grid.Tally().Matched; got != want {
			t.Errorf("%s: score %d, want %d", name, got, want)
		}
	}
}
