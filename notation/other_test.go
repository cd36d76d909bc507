package notation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
)

// generated is a document of a solved puzzle of the official size.
func generated(t testing.TB, seed uint64) *Document {
	t.Helper()
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 16, Height: 16, Colours: 22, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	return FromBoard(b, p.Name)
}

func written(t testing.TB, d *Document, dialect string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d, dialect); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readOne(t testing.TB, data []byte, o Options) *Document {
	t.Helper()
	documents, err := Read(data, o)
	if err != nil || len(documents) != 1 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	return documents[0]
}

func TestOtherSet(t *testing.T) {
	five, six := generated(t, 5), generated(t, 6)
	letters := recordLetters(t, "riotte-464")
	recoloured := func() []byte {
		var to puzzle.Colouring
		for c := 1; c <= 22; c++ {
			to[c] = uint8(c%22 + 1)
		}
		record, _ := puzzle.RecordNamed("riotte-464")
		s, _ := encodeLetters(recolour(puzzle.Official().Look(record.Board), &to))
		return []byte(s)
	}()
	for _, c := range []struct {
		what     string
		text     []byte
		set      *puzzle.Puzzle
		other    bool
		warnings []string
	}{
		{"official", []byte(letters), nil, false, nil},
		{"official, given", []byte(letters), puzzle.Official(), false, nil},
		{"official where another is given", []byte(letters), six.Puzzle, true, []string{"other piece set: the pieces are the official set, not those of generated"}},
		{"official in other colours", recoloured, nil, false, []string{"in other colours, which are translated"}},
		{"official in other colours where another is given", recoloured, six.Puzzle, true, []string{"other piece set: the pieces are the official set", "which are translated"}},
		{"own set", written(t, five, "edges"), nil, true, []string{"other piece set"}},
		{"given set", written(t, five, "edges"), five.Puzzle, false, nil},
		{"neither", written(t, five, "edges"), six.Puzzle, true, []string{"other piece set"}},
		{"listed set", written(t, five, "json"), five.Puzzle, false, []string{"is not Eternity II"}},
		{"listed set where another is given", written(t, five, "json"), six.Puzzle, true, []string{"is not Eternity II"}},
		{"official JSON where another is given", written(t, FromBoard(puzzle.NewBoard(puzzle.Official()), ""), "json"), six.Puzzle, true, []string{"other piece set: the pieces are not those of generated"}},
		{"no set", []byte("board_w=2&board_h=1&board_edges=abcaaaaa"), nil, true, []string{"no piece set of 2x1"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			d := readOne(t, c.text, Options{Puzzle: c.set})
			if d.OtherSet != c.other {
				t.Errorf("other set %v", d.OtherSet)
			}
			checkWarnings(t, d, c.warnings)
		})
	}
}

// Numbers mean something only with the list that they were written for.
func TestNumbersOfAnotherList(t *testing.T) {
	d := generated(t, 5)
	own := readOne(t, written(t, d, "edges"), Options{})
	if lost := Lost(own, "pieces"); len(lost) != 1 || !strings.Contains(lost[0], "which nobody else has") {
		t.Errorf("lost %q", lost)
	}
	if s := written(t, own, "bucas"); bytes.Contains(s, []byte("board_pieces")) {
		t.Error("a link with numbers that were made up")
	}
	grid := written(t, own, "pieces")
	for _, p := range []*puzzle.Puzzle{nil, d.Puzzle} {
		again := readOne(t, grid, Options{Puzzle: p})
		if !slices.ContainsFunc(again.Warnings, func(w string) bool {
			return strings.HasPrefix(w, "only ") && strings.Contains(w, "another piece list")
		}) {
			t.Errorf("score %d, %q", again.Grid.Tally().Matched, again.Warnings)
		}
		if slices.ContainsFunc(again.Warnings, func(w string) bool { return strings.Contains(w, "read as") }) {
			t.Errorf("read by chance: %q", again.Warnings)
		}
	}
	if lost := Lost(d, "pieces"); lost != nil {
		t.Errorf("a board of a given set loses %q", lost)
	}
}

func TestForcedGridStaysForced(t *testing.T) {
	record, _ := puzzle.RecordNamed("riotte-464")
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(record.Board)
	d := FromBoard(b, "")
	for dialect, other := range map[string]string{"pieces": "et2", "et2": "pieces"} {
		text := written(t, d, dialect)
		if got := readOne(t, text, Options{Dialect: dialect}); got.Grid.Tally().Matched != 464 || len(got.Warnings) != 0 {
			t.Errorf("%s: %q", dialect, got.Warnings)
		}
		got := readOne(t, text, Options{Dialect: other})
		if got.Grid.Tally().Matched > 100 || !strings.Contains(got.Warnings[0], "the board would hold together better") {
			t.Errorf("%s as %s: score %d, %q", dialect, other, got.Grid.Tally().Matched, got.Warnings)
		}
	}
	d = readOne(t, readFile(t, "r09_pejic_465_grid.txt"), Options{Dialect: "pieces"})
	on16("pieces", "", 465, 5, "112 and 113 exchanged").check(t, d)
}

func TestZeroForNoPiece(t *testing.T) {
	record, _ := puzzle.RecordNamed("riotte-464")
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(record.Board[:250])
	text := strings.ReplaceAll(string(written(t, FromBoard(b, ""), "pieces")), "-/-", "0/0")
	d := readOne(t, []byte(text), Options{})
	if !sameGrid(d.Grid, b.Grid()) {
		t.Error("another board")
	}
	checkWarnings(t, d, []string{"piece 0 on 6 cells is read as no piece"})
}

func TestDuplicatesAreNamed(t *testing.T) {
	record, _ := puzzle.RecordNamed("riotte-464")
	g := puzzle.Official().Look(record.Board)
	g.Edges[20], g.Edges[40] = g.Edges[19].Rotated(1), g.Edges[30]
	letters, _ := encodeLetters(g)
	d := readOne(t, []byte(letters), Options{})
	checkWarnings(t, d, []string{fmt.Sprintf("2 duplicates, cells 20, 40: piece %d of cell 20 lies on cell 19 too; piece %d of cell 40 lies on cell 30 too",
		record.Board[19].Piece+1, record.Board[30].Piece+1)})
}

func TestLost(t *testing.T) {
	d := generated(t, 5)
	board := puzzle.NewBoard(d.Puzzle)
	board.Load(d.ID.Placements[:100])
	part := readOne(t, written(t, FromBoard(board, ""), "json"), Options{})
	full := readOne(t, written(t, d, "json"), Options{})
	hinted := *full
	hinted.Hints = d.ID.Placements[:5]
	list := *d
	list.Grid, list.ID, list.Hints = nil, puzzle.Identification{}, d.ID.Placements[:2]
	off := hinted
	off.Hints = slices.Clone(hinted.Hints)
	off.Hints[0].Rotation ^= 2
	for _, c := range []struct {
		what    string
		d       *Document
		dialect string
		want    []string
	}{
		{"board", d, "json", nil},
		{"board", d, "bucas", nil},
		{"board", d, "edges", nil},
		{"board", d, "solution", nil},
		{"board", d, "e2pieces", []string{"the board: e2pieces lists pieces only"}},
		{"hints", &hinted, "json", nil},
		{"hints", &hinted, "viewer", nil},
		{"hints", &hinted, "bucas", []string{"5 hints: bucas has no hints"}},
		{"hints", &hinted, "csv", []string{"the board: csv lists pieces only", "5 hints: csv has no hints"}},
		{"hints", &hinted, "csv-hints-xyr", []string{"the board: csv-hints-xyr lists pieces only"}},
		{"hints off the board", &off, "viewer", []string{"1 hint: viewer marks pieces of the board only"}},
		{"list with hints", &list, "e2pieces", []string{"2 hints: e2pieces has no hints"}},
		{"list with hints", &list, "csv-hints-xyr", nil},
		{"board with its list", full, "pieces", []string{"the pieces: pieces has their numbers only"}},
		{"board with its list", full, "bucas", nil},
		{"part of a board with its list", part, "bucas", []string{"the pieces that are not on the board: bucas does not list them"}},
		{"part of a board with its list", part, "json", nil},
		{"unknown dialect", full, "svg", nil},
	} {
		lost := Lost(c.d, c.dialect)
		if !slices.EqualFunc(lost, c.want, strings.HasPrefix) {
			t.Errorf("%s as %s: lost %q, want %q", c.what, c.dialect, lost, c.want)
		}
	}
	if s := written(t, &hinted, "csv"); bytes.Count(s, []byte("\n")) != 257 {
		t.Error("csv of a document with hints is not a list")
	}
}

func TestWhatDialectsCarry(t *testing.T) {
	for _, d := range Dialects() {
		sample := generated(t, 1)
		text := written(t, sample, d.Name)
		many, err := Read(slices.Concat(text, text), Options{Dialect: d.Name, Puzzle: sample.Puzzle})
		if d.Many != (err == nil && len(many) == 2 && d.Name != "json") {
			t.Errorf("%s: many %v, read twice %v", d.Name, d.Many, err)
		}
		one := readOne(t, text, Options{Dialect: d.Name, Puzzle: sample.Puzzle})
		if d.Board != (one.Grid != nil) || d.Pieces != (one.Listed != nil) {
			t.Errorf("%s: board %v, pieces %v", d.Name, d.Board, d.Pieces)
		}
	}
}
