package notation

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "cases", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readCase(t testing.TB, name string, o Options) []*Document {
	t.Helper()
	documents, err := Read(readFile(t, name), o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return documents
}

// board is what a text from the wild must read as.
type board struct {
	dialect, name string
	width, height int
	score, breaks int
	open, empty   int
	official      bool
	clues         int
	foreign, rim  []int
	warnings      []string // fragments, one for each warning in order
}

func (b board) check(t *testing.T, d *Document) {
	t.Helper()
	if d.Dialect != b.dialect || d.Name != b.name || d.Official != b.official {
		t.Errorf("dialect %s, name %q, official %v, want %s, %q, %v", d.Dialect, d.Name, d.Official, b.dialect, b.name, b.official)
	}
	if d.Grid.Width != b.width || d.Grid.Height != b.height {
		t.Fatalf("size %dx%d, want %dx%d", d.Grid.Width, d.Grid.Height, b.width, b.height)
	}
	y := d.Grid.Tally()
	if y.Matched != b.score || y.Breaks != b.breaks || y.Open != b.open || y.Empty != b.empty {
		t.Errorf("score %d, breaks %d, open %d, empty %d, want %d, %d, %d, %d", y.Matched, y.Breaks, y.Open, y.Empty, b.score, b.breaks, b.open, b.empty)
	}
	if y.Max != 2*b.width*b.height-b.width-b.height {
		t.Errorf("maximum %d", y.Max)
	}
	if !slices.Equal(y.RimFaults, b.rim) || !slices.Equal(d.ID.Foreign, b.foreign) || len(d.ID.Duplicates) != 0 {
		t.Errorf("rim faults %v, foreign %v, duplicates %v, want %v, %v, none", y.RimFaults, d.ID.Foreign, d.ID.Duplicates, b.rim, b.foreign)
	}
	if d.Puzzle != nil {
		if got := d.Puzzle.CluesHeld(d.Grid); got != b.clues {
			t.Errorf("%d clues held, want %d", got, b.clues)
		}
		if got, want := len(d.ID.Placements), len(d.Grid.Edges)-b.empty-len(b.foreign); got != want {
			t.Errorf("%d pieces named, want %d", got, want)
		}
	}
	checkWarnings(t, d, b.warnings)
}

func checkWarnings(t *testing.T, d *Document, want []string) {
	t.Helper()
	for i, w := range d.Warnings {
		if i >= len(want) || !strings.Contains(w, want[i]) {
			t.Errorf("warning %d is %q, want %q", i, w, want)
		}
	}
	if len(d.Warnings) < len(want) {
		t.Errorf("warnings %q, want %q", d.Warnings, want)
	}
}

// on16 is a full official board.
func on16(dialect, name string, score, clues int, warnings ...string) board {
	return board{dialect: dialect, name: name, width: 16, height: 16, score: score, breaks: 480 - score, official: true, clues: clues, warnings: warnings}
}

func TestBoardsFromTheWild(t *testing.T) {
	const disagree = "board_pieces contradicts the edges in 2 cells"
	cell100 := on16("bucas", "t", 465, 1, "1 foreign piece, cell 100")
	cell100.foreign = []int{100}
	opposite := on16("bucas", "t", 465, 1, "1 foreign piece, cell 100", "1 rim fault, cell 100")
	opposite.foreign, opposite.rim = []int{100}, []int{100}
	b230 := board{dialect: "bucas", name: "Joshua_Blackwood_230", width: 16, height: 16, score: 429, open: 51, empty: 26, official: true, clues: 1}
	et2 := b230
	et2.dialect, et2.name = "et2", ""
	other := func(name string, w, h, score int, warnings ...string) board {
		return board{dialect: "bucas", name: name, width: w, height: h, score: score, warnings: warnings}
	}
	for file, want := range map[string][]board{
		"r01_blackwood_470.url":                 {on16("bucas", "Joshua_Blackwood_470", 470, 1)},
		"r02_mcgavin_469_boardtypes_plus.url":   {on16("bucas", "JBlackwood+PMcGavin_469", 469, 1)},
		"r03_blackwood_468.url":                 {on16("bucas", "Joshua_Blackwood_468", 468, 1)},
		"r04_verhaard_467_pieces.url":           {on16("bucas", "Louis_Verhaard_467", 467, 1)},
		"r05_riotte_464.url":                    {on16("bucas", "Eternity2", 464, 5)},
		"r06_pejic_464_jef_112_113.url":         {on16("bucas", "Clues", 464, 5, disagree+" (cell 204 says 113, edges 112; cell 212 says 112, edges 113): the edges win")},
		"r07_pejic_465_official_jef.url":        {on16("bucas", "Clues", 465, 5, disagree)},
		"r09_pejic_465_grid.txt":                {on16("pieces", "", 465, 5, "112 and 113 exchanged")},
		"r11_bucas_sample_4x4.txt":              {other("Sample_4x4", 4, 4, 24, "counts from 0", "other piece set")},
		"r12_bucas_clues_partial_jef.url":       {{dialect: "bucas", name: "Clues", width: 16, height: 16, open: 480, empty: 251, official: true, clues: 5}},
		"r13_blackwood_230_partial.url":         {b230},
		"r15_brendan_8x8_solution_jef.url":      {other("brendan_pieces_08x08.txt", 8, 8, 112, "motifs_order jef taken for artwork only", "other piece set")},
		"r16_clue2_12x6_solved.url":             {other("clue2", 12, 6, 126, "other piece set")},
		"s03_percent_encoded.url":               {on16("bucas", "t", 469, 1)},
		"s04_html_amp_wrapped.txt":              {on16("bucas", "t", 469, 1)},
		"s06_letters_beyond_w.url":              {cell100},
		"s07_grey_on_opposite_sides.url":        {opposite},
		"s10_hints_rot_wrong.url":               {on16("viewer", "t", 464, 5, "hints contradict the rotation on cells 45, 210, 221")},
		"s12_name_only.url":                     {on16("bucas", "Joshua_Blackwood_470", 470, 1, "read as the published board blackwood-470")},
		"s14_board_pieces_short.url":            {on16("bucas", "t", 467, 1, "board_pieces has 767 digits, want 768: it is ignored")},
		"s16_blackwood_letters_no_order.url":    {on16("bucas", "Joshua_Blackwood", 470, 1, "letters read in the order jblackwood: it leaves 0 foreign pieces, the order default leaves 252")},
		"s17_empty_board.url":                   {{dialect: "bucas", name: "t", width: 16, height: 16, open: 480, empty: 256, official: true}},
		"s18_bare_blob.txt":                     {on16("edges", "", 469, 1)},
		"s21_blackwood230.et2":                  {et2},
		"s22_32x32_piece_1000.txt":              {{dialect: "bucas", name: "big", width: 32, height: 32, open: 1984, empty: 1024, warnings: []string{"no piece set of 32x32"}}},
		"s23_blackwood_two_boards.txt":          {on16("bucas", "Joshua_Blackwood_468", 468, 1), on16("bucas", "Eternity2", 464, 5)},
		"c01_compare_469_vs_469a.txt":           {on16("bucas", "JBlackwood+PMcGavin_469", 469, 1), on16("bucas", "JBlackwood+PMcGavin_469_a", 469, 1)},
		"c03_compare_rotation_only_cells.txt":   {on16("viewer", "k", 460, 3), on16("viewer", "p", 460, 3)},
		"r25_dobrogost_4x4_duplicate_hint.json": {{dialect: "json", name: "4x4-shuffle-4-2-4-4-seed-17029", width: 4, height: 4, score: 24, clues: 4, warnings: []string{"24 of 24", "1 hint repeated, cell 9"}}},
		"r26_dobrogost_5x5_five_same_hint.json": {{dialect: "json", name: "5x5-shuffle-4-2-5-5-seed-25261", width: 5, height: 5, score: 40, clues: 1, warnings: []string{"40 of 40", "4 hints repeated, cell 12"}}},
	} {
		t.Run(file, func(t *testing.T) {
			documents := readCase(t, file, Options{})
			if len(documents) != len(want) {
				t.Fatalf("%d documents, want %d", len(documents), len(want))
			}
			for i, d := range documents {
				want[i].check(t, d)
			}
		})
	}
}

func TestFaultsFromTheWild(t *testing.T) {
	for file, want := range map[string][]string{
		"s01_short_edges_1021.url":          {"bucas: board_edges: 1021 letters, want 1024 for 16x16"},
		"s05_uppercase_edges.url":           {"letter A at 0"},
		"s09_hints_bad.url":                 {"viewer: hints", "cell 256", "rotation 7", "repeats cell 135", "entry 4 is empty", `"x.1" is not two numbers`, "cells 0 to 255, rotations 0 to 3"},
		"s11_size_mismatch.url":             {"1024 letters, want 768 for 16x12"},
		"r18_barr_pieces_truncated.txt":     {"line 257", "`5 13 14 1`", "the other 255", "1 (51), 13 (49)", "impossible", "want `5 13 14 13`"},
		"r19_zamofing_missing_field.txt":    {"lines 11, 31", "4 fields", `"7   1 8 1"`, "want 5"},
		"r28_brendan_16x16_solution.txt":    {"no board of the official set", "the piece list that the solution belongs to"},
		"r30_variant00_8hints.csv":          {"8 hints as x,y,rotation", "6 hints as isHint,x,y", "--dialect csv-hints-xyr", "csv-hints-hxy"},
		"s12_name_only.url with other name": {`unknown name "Nobody_999"`, "blackwood-470", "Louis_Verhaard_467"},
	} {
		t.Run(file, func(t *testing.T) {
			data := []byte("https://e2.bucas.name/#puzzle=Nobody_999")
			if !strings.Contains(file, " ") {
				data = readFile(t, file)
			}
			documents, err := Read(data, Options{})
			var e *Error
			if documents != nil || !errors.As(err, &e) {
				t.Fatalf("read %d documents, error %v", len(documents), err)
			}
			for _, fragment := range want {
				if !strings.Contains(err.Error(), fragment) {
					t.Errorf("error %q does not say %q", err, fragment)
				}
			}
		})
	}
}

func TestDamagedTextsReadLeniently(t *testing.T) {
	d := readCase(t, "s01_short_edges_1021.url", Options{Lenient: true})[0]
	y := d.Grid.Tally()
	if !d.Damaged || y.Matched != 467 || y.Empty != 1 || d.Grid.Filled[255] || len(d.ID.Placements) != 255 {
		t.Errorf("damaged %v, score %d, %d empty, %d pieces", d.Damaged, y.Matched, y.Empty, len(d.ID.Placements))
	}
	checkWarnings(t, d, []string{"1021 letters, want 1024 for 16x16: the cells from 255 on are left empty"})
	d = readCase(t, "r18_barr_pieces_truncated.txt", Options{Lenient: true})[0]
	if !d.Damaged || d.Official || len(d.Puzzle.Pieces) != 256 {
		t.Errorf("damaged %v, official %v", d.Damaged, d.Official)
	}
	checkWarnings(t, d, []string{"line 257", "other piece set"})
	d = readCase(t, "s09_hints_bad.url", Options{Lenient: true})[0]
	if !d.Damaged || d.Grid.Tally().Matched != 469 || len(d.Hints) != 0 {
		t.Errorf("damaged %v, hints %v", d.Damaged, d.Hints)
	}
	for _, file := range []string{"s05_uppercase_edges.url", "s11_size_mismatch.url", "r19_zamofing_missing_field.txt"} {
		if _, err := Read(readFile(t, file), Options{Lenient: true}); err == nil {
			t.Errorf("%s: nothing in it is legible, yet it reads", file)
		}
	}
}

func TestPieceListsFromTheWild(t *testing.T) {
	udlr := []string{"official set: with sides in order top bottom left right; colours are relabelled; pieces 112 and 113 are exchanged; pieces are turned differently"}
	for file, want := range map[string][]string{
		"r20_pejic_256pieces_UDLR.txt":    udlr,
		"r23_pichon_pieces_semicolon.csv": udlr,
		"r21_fabri_pieces_grey22.txt":     {"official set: grey is 22; colours are relabelled"},
		"r24_heule_e2pieces.txt":          {"official set: colours are relabelled; every piece is turned by 180 degrees"},
		"s20_crlf_bom_pieces.txt":         nil,
	} {
		t.Run(file, func(t *testing.T) {
			d := readCase(t, file, Options{})[0]
			if d.Dialect != "e2pieces" || !d.Official || d.Puzzle != puzzle.Official() || d.Grid != nil || len(d.Hints) != 0 {
				t.Errorf("%s, official %v, hints %v", d.Dialect, d.Official, d.Hints)
			}
			checkWarnings(t, d, want)
			exchanged := strings.Contains(strings.Join(want, ""), "112")
			for i, e := range d.Listed.Pieces {
				k := i
				if exchanged && (i == 111 || i == 112) {
					k = 223 - i
				}
				if turnsTo(e, d.Puzzle.Pieces[k]) < 0 {
					t.Errorf("piece %d is %v, not official piece %d", i+1, e, k+1)
				}
			}
		})
	}
	d := readCase(t, "r28_brendan_16x16_pieces.txt", Options{})[0]
	if d.Official || !d.Puzzle.Framed() {
		t.Errorf("official %v, framed %v", d.Official, d.Puzzle.Framed())
	}
	checkWarnings(t, d, []string{"other piece set"})
}

func TestInstanceWithTwins(t *testing.T) {
	d := readCase(t, "r17_clue1_6x6_instance.json", Options{})[0]
	p := d.Puzzle
	if d.Name != "e2-clue-clue1" || d.Grid != nil || p.Width != 6 || p.Height != 6 || p.MaxScore() != 60 || len(d.Hints) != 0 || p.Colours() != 7 || !p.Framed() {
		t.Errorf("%q %dx%d, %d seams, hints %v, %d colours", d.Name, p.Width, p.Height, p.MaxScore(), d.Hints, p.Colours())
	}
	size := map[int]int{}
	symmetric := 0
	for i := range p.Pieces {
		size[p.Class(i)]++
		if p.Period(i) == 2 {
			symmetric++
		}
	}
	groups := map[int]int{}
	for _, n := range size {
		groups[n]++
	}
	if groups[2] != 6 || groups[3] != 1 || symmetric != 2 {
		t.Errorf("%d pairs, %d triples, %d symmetric pieces, want 6, 1, 2", groups[2], groups[3], symmetric)
	}
}

func TestHintsOfDuplicatedEntries(t *testing.T) {
	for file, cells := range map[string][]int{"r25_dobrogost_4x4_duplicate_hint.json": {5, 6, 9, 10}, "r26_dobrogost_5x5_five_same_hint.json": {12}} {
		d := readCase(t, file, Options{})[0]
		var got []int
		for _, h := range d.Hints {
			got = append(got, h.Cell)
			if d.Puzzle.Rotated(h.Piece, h.Rotation) != d.Grid.Edges[h.Cell] {
				t.Errorf("%s: hint %v is not on the board", file, h)
			}
		}
		if !slices.Equal(got, cells) || !slices.Equal(d.Puzzle.Clues, d.Hints) {
			t.Errorf("%s: hints on %v, want %v", file, got, cells)
		}
	}
}

func TestHintColumnsNeedAChoice(t *testing.T) {
	d := readCase(t, "r30_variant00_8hints.csv", Options{Dialect: "csv-hints-xyr"})[0]
	if !d.Official || len(d.Hints) != 8 || d.Hints[0] != (puzzle.Placement{Cell: 0, Piece: 0, Rotation: 3}) {
		t.Errorf("official %v, hints %v", d.Official, d.Hints)
	}
	for _, c := range puzzle.Official().Clues {
		if !slices.Contains(d.Hints, c) {
			t.Errorf("clue %v is no hint", c)
		}
	}
	checkWarnings(t, d, nil)
	_, err := Read(readFile(t, "r30_variant00_8hints.csv"), Options{Dialect: "csv-hints-hxy"})
	if err == nil || !strings.Contains(err.Error(), "lines 3, 140, 182, 209, 250, 256: 15,0,0, want isHint 0 or 1") {
		t.Errorf("read as flags: %v", err)
	}
}

// Piece numbers belong to a list: the grid reads the same with the list that
// it was written for, in the numbers of that list.
func TestGridOfAnotherList(t *testing.T) {
	for _, list := range []string{"r20_pejic_256pieces_UDLR.txt", "r23_pichon_pieces_semicolon.csv"} {
		p := readCase(t, list, Options{})[0].Listed
		d := readCase(t, "r09_pejic_465_grid.txt", Options{Puzzle: p})[0]
		on16("pieces", "", 465, 5, "named by the official ones").check(t, d)
	}
	record, _ := puzzle.RecordNamed("pejic-465")
	d := readCase(t, "r09_pejic_465_grid.txt", Options{})[0]
	if !slices.Equal(d.ID.Placements, record.Board) {
		t.Error("the grid is not the published board")
	}
}

func TestSolutionOfAnotherSet(t *testing.T) {
	p := readCase(t, "r28_brendan_16x16_pieces.txt", Options{})[0].Puzzle
	d := readCase(t, "r28_brendan_16x16_solution.txt", Options{Puzzle: p})[0]
	want := on16("solution", "", 480, 0) // of the given set: no more to say
	want.official = false
	want.check(t, d)
	d = readCase(t, "r28_brendan_16x16_solution.txt", Options{Puzzle: puzzle.Official()})[0]
	if d.Grid.Tally().Matched > 240 || !strings.Contains(d.Warnings[0], "another piece list") {
		t.Errorf("with the official set: score %d, %q", d.Grid.Tally().Matched, d.Warnings)
	}
}

// Two boards compare cell by cell only after their letters are translated.
func TestPairsDiffer(t *testing.T) {
	for file, want := range map[string][2]int{"c01_compare_469_vs_469a.txt": {2, 2}, "c03_compare_rotation_only_cells.txt": {44, 42}} {
		d := readCase(t, file, Options{})
		a, b := d[0].ID.Placements, d[1].ID.Placements
		differ, moved := 0, 0
		for i := range a {
			if a[i] != b[i] {
				differ++
			}
			if a[i].Piece != b[i].Piece {
				moved++
			}
		}
		if differ != want[0] || moved != want[1] {
			t.Errorf("%s: %d cells differ, %d pieces moved, want %v", file, differ, moved, want)
		}
	}
}

// The hints of a link name pieces by the edges.
func TestHintsOfLink(t *testing.T) {
	d := readCase(t, "s10_hints_rot_wrong.url", Options{})[0]
	want := slices.Clone(puzzle.Official().Clues)
	slices.SortFunc(want, func(a, b puzzle.Placement) int { return a.Cell - b.Cell })
	if !slices.Equal(d.Hints, want) {
		t.Errorf("hints %v, want %v", d.Hints, want)
	}
}
