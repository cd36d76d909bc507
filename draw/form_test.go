package draw

import (
	"bytes"
	"io"
	"testing"

	"lastmile/puzzle"
)

// Each name draws what its function does.
func TestForms(t *testing.T) {
	r, _ := puzzle.RecordNamed("riotte-464")
	g := puzzle.Official().Look(r.Board)
	for form, draw := range map[string]func(io.Writer, *puzzle.Grid, Options) error{"text": Text, "svg": SVG, "png": PNG} {
		var want, got bytes.Buffer
		o := Options{Cell: 8, Title: form}
		if err := draw(&want, g, o); err != nil {
			t.Fatal(err)
		}
		if err := As(&got, form, g, o); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: %d bytes, %v, want %d", form, got.Len(), err, want.Len())
		}
	}
	if len(Forms) != 3 {
		t.Errorf("forms %v", Forms)
	}
	if err := As(io.Discard, "jpeg", g, Options{}); err == nil {
		t.Error("drawn as jpeg")
	}
}
