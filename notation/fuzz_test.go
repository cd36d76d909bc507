package notation

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
)

// small is a set whose boards are short texts, so that a fuzzer meets them.
func small(t testing.TB) *puzzle.Puzzle {
	p, _, err := puzzle.Generate(puzzle.Spec{Width: 3, Height: 2, Colours: 3, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkRead reads and holds what must be true of every text: an *Error of one
// line or at least one document; documents that agree with themselves; and
// boards that read back as written.
func checkRead(t *testing.T, data []byte, o Options) {
	documents, err := Read(data, o)
	if err != nil {
		var e *Error
		if !errors.As(err, &e) || documents != nil || err.Error() == "" || strings.ContainsAny(err.Error(), "\n\r") {
			t.Fatalf("%d documents, error %q", len(documents), err)
		}
		return
	}
	if len(documents) == 0 {
		t.Fatal("neither a document nor an error")
	}
	for _, d := range documents {
		checkDocument(t, d)
		dialects := Dialects()
		roundTrip(t, d, dialects[len(data)%len(dialects)].Name)
	}
}

func checkDocument(t *testing.T, d *Document) {
	if d.Dialect == "" || d.Grid == nil && d.Puzzle == nil {
		t.Fatalf("an empty document: %+v", d)
	}
	for _, w := range d.Warnings {
		if w == "" || strings.ContainsAny(w, "\n\r") {
			t.Fatalf("warning %q", w)
		}
	}
	if d.Official != (d.Puzzle != nil && samePieces(d.Puzzle, puzzle.Official())) {
		t.Fatalf("official %v", d.Official)
	}
	for _, h := range d.Hints {
		if h.Cell < 0 || h.Cell >= d.Puzzle.Cells() || h.Piece < 0 || h.Piece >= d.Puzzle.Cells() || h.Rotation < 0 || h.Rotation > 3 {
			t.Fatalf("hint %v", h)
		}
	}
	if d.Grid == nil {
		return
	}
	y := d.Grid.Tally()
	if y.Matched+y.Breaks+y.Open != y.Max {
		t.Fatalf("%+v", y)
	}
	if d.Puzzle == nil {
		return
	}
	d.Puzzle.Identify(d.Grid)
	d.Puzzle.CluesHeld(d.Grid)
	if n := len(d.ID.Placements) + len(d.ID.Duplicates) + len(d.ID.Foreign); n != len(d.Grid.Edges)-y.Empty {
		t.Fatalf("%d cells named, %d filled", n, len(d.Grid.Edges)-y.Empty)
	}
	used := map[int]bool{}
	for _, q := range d.ID.Placements {
		if used[q.Piece] || d.Puzzle.Rotated(q.Piece, q.Rotation) != d.Grid.Edges[q.Cell] {
			t.Fatalf("cell %d is not piece %d turned by %d", q.Cell, q.Piece+1, q.Rotation)
		}
		used[q.Piece] = true
	}
}

func roundTrip(t *testing.T, d *Document, dialect string) {
	var b bytes.Buffer
	if Write(&b, d, dialect) != nil {
		if b.Len() > 0 {
			t.Fatalf("%s: an error, yet %d bytes", dialect, b.Len())
		}
		return
	}
	again, err := Read(b.Bytes(), Options{Dialect: dialect, Puzzle: d.Puzzle, Lenient: d.Damaged})
	if err != nil || len(again) != 1 {
		t.Fatalf("%s reads back as %d documents, %v:\n%s", dialect, len(again), err, b.Bytes())
	}
	if d.Grid != nil && slices.Contains(boardDialects, dialect) && !sameGrid(again[0].Grid, d.Grid) && !decided(again[0]) {
		t.Fatalf("%s reads back as another board, %q:\n%s", dialect, again[0].Warnings, b.Bytes())
	}
	if d.Grid == nil && !samePieces(again[0].Puzzle, d.Puzzle) && !decided(again[0]) {
		t.Fatalf("%s reads back as other pieces, %q:\n%s", dialect, again[0].Warnings, b.Bytes())
	}
}

// decided tells whether the reader had to choose between readings and says so:
// a text that is made to look like another dialect is read as that.
func decided(d *Document) bool {
	return slices.ContainsFunc(d.Warnings, func(w string) bool {
		return strings.Contains(w, "read as") || strings.Contains(w, "read in the order") || strings.HasPrefix(w, "official set:") || strings.Contains(w, " is grey: ")
	})
}

// seed adds the cases whose names match, and the golden files of the dialects.
func seed(f *testing.F, cases string, dialects ...string) {
	var files []string
	if cases != "" {
		files, _ = filepath.Glob(filepath.Join("testdata", "cases", cases))
	}
	for _, dialect := range dialects {
		golden, _ := filepath.Glob(filepath.Join("testdata", "golden", dialect+"*"))
		files = append(files, golden...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

func FuzzRead(f *testing.F) {
	seed(f, "*", "*")
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRead(t, data, Options{})
		checkRead(t, data, Options{Lenient: true})
	})
}

// fuzzAs fuzzes one parser, strict and lenient, with a small set and with none.
func fuzzAs(f *testing.F, dialect string) {
	p := small(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRead(t, data, Options{Dialect: dialect, Puzzle: p, Lenient: len(data)%2 == 0})
		checkRead(t, data, Options{Dialect: dialect})
	})
}

func FuzzBucas(f *testing.F) {
	seed(f, "r11*", "bucas")
	seed(f, "s12*")
	f.Add([]byte("#puzzle=a&board_w=3&board_h=2&board_edges=abca&amp;board_pieces=001002003004005006&motifs_order=jef&hints=1.0-2.1"))
	f.Add([]byte("https://x/#puzzle%3da%26board_edges%3dabcd\nabcd\n\n# b\nbdca\ncacacacabbbb"))
	fuzzAs(f, "bucas")
}

func FuzzViewer(f *testing.F) {
	seed(f, "s12*", "viewer")
	f.Add([]byte("https://eternity2.dev/viewer?puzzle=t&puzzle_size=2&board_edges=abcaabbaabacaccb&hints=0.1-3.7-x--9.1-0.0"))
	fuzzAs(f, "viewer")
}

func FuzzEdges(f *testing.F) {
	seed(f, "s18*", "edges")
	f.Add([]byte("abca"))
	f.Add([]byte("abca\nabcd\n\nAbcdabcdabcdabcd\nabcdabcd\nabcdabcd"))
	fuzzAs(f, "edges")
}

func FuzzJSON(f *testing.F) {
	seed(f, "*.json", "json")
	f.Add([]byte(`{"width":1,"height":1,"pieces":[[1,1,1,1]]}`))
	f.Add([]byte(`{"width":2,"height":1,"edges":[null,[0,1,2,3]]}`))
	f.Add([]byte(`{"width":2,"height":2,"edges":"abbaaabbbaabbbaa"}`))
	f.Add([]byte(`[{"url":"board_edges=abca"},{"board":{"width":1,"height":1,"edges":"abca"}}]`))
	f.Add([]byte(`{"width":3,"height":2,"placements":[{"cell":0,"piece":1,"rotation":2}],"hints":[{"cell":0,"piece":1,"rotation":2}],"score":3}`))
	f.Add([]byte(`{"rows":1,"cols":2,"tiles":[[1,2,1,2],[3,2,1,2]],"placed":[{"row":0,"col":0,"tile":[2,1,2,1]}]}`))
	fuzzAs(f, "json")
}

func FuzzGrid(f *testing.F) {
	seed(f, "", "pieces", "et2")
	f.Add([]byte("1/0 2/1 -/-\n4.3 5:2 6/0\n"))
	f.Add([]byte("0/0 2/1 1/1 4/3 5/2 3/0\n\n1/0 2/0 3/0 4/0 5/0 6/9"))
	fuzzAs(f, "pieces")
}

func FuzzEt2(f *testing.F) {
	seed(f, "", "et2")
	f.Add([]byte("---/- 2/1 1/1\n4/3 ---/- 3/0"))
	fuzzAs(f, "et2")
}

func FuzzSolution(f *testing.F) {
	seed(f, "", "solution")
	f.Add([]byte("3 2\n0 0 1\n1 0 2\n2 0 0\n0 1 3\n1 1 1\n2 1 1\n"))
	fuzzAs(f, "solution")
}

func FuzzPieces(f *testing.F) {
	seed(f, "r20*", "e2pieces")
	f.Add([]byte("Top;Bottom;Left;Right\n1;0;0;2\n2;0;0;1\n1;0;0;1\n2;0;0;2"))
	f.Add([]byte("# id N E S W\n0\n1 0 1 2 0\n2 0 9 9 0\n3 0 -4 300 0\n4 1 2 0 0\n"))
	f.Add([]byte("1 2 3 4"))
	f.Add([]byte("1 2\n0 0 1 0\n1 0 0 0"))
	f.Add([]byte("1 2 3 9\n2 4 4 3\n1 3 4 1\n2 1 1 2"))
	f.Add([]byte("3 2\n0 1 2 0\n0 1 2 1\n0 2 1 0\n1 1 0 0\n1 2 0 1\n0 0 1 1"))
	fuzzAs(f, "e2pieces")
}

func FuzzCSV(f *testing.F) {
	seed(f, "", "csv")
	one := "0000000000000001,"
	f.Add([]byte("1\n" + one + one + one + one + "0,0,1"))
	f.Add([]byte(one + one + one + one + "1,0,0"))
	p := small(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, dialect := range []string{"csv", "csv-hints-xyr", "csv-hints-hxy"} {
			checkRead(t, data, Options{Dialect: dialect, Puzzle: p})
		}
	})
}
