package notation

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"lastmile/puzzle"
)

var update = flag.Bool("update", false, "write the golden files")

// Every dialect keeps its look: other programs read these files.
func TestGolden(t *testing.T) {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 3, Height: 3, Colours: 4, Seed: 12})
	if err != nil {
		t.Fatal(err)
	}
	full := puzzle.NewBoard(p)
	full.Load(solution)
	partial := puzzle.NewBoard(p)
	partial.Load(solution[:5])
	for _, dialect := range Dialects() {
		for name, d := range map[string]*Document{"full": FromBoard(full, "three by three"), "partial": FromBoard(partial, "three by three")} {
			switch dialect.Name {
			case "csv-hints-xyr", "json", "viewer":
				d.Hints = solution[4:5]
			case "csv-hints-hxy":
				d.Hints = []puzzle.Placement{{Cell: 4, Piece: solution[4].Piece}}
			case "solution":
				if name == "partial" {
					continue
				}
			}
			var b bytes.Buffer
			if err := Write(&b, d, dialect.Name); err != nil {
				t.Errorf("%s: %v", dialect.Name, err)
				continue
			}
			file := filepath.Join("testdata", "golden", dialect.Name+"-"+name)
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s is not as in %s (%v):\n%s", dialect.Name, file, err, b.Bytes())
			}
		}
	}
}
