package notation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

func TestFaultsNameThePlace(t *testing.T) {
	edges := strings.Repeat("abca", 4)
	for _, c := range []struct{ what, dialect, text, want string }{
		{"nothing", "", " \r\n\n", "an empty text, want a board"},
		{"prose", "", "dear all,\nhere it comes", `line 1: no dialect is recognised in "dear all,"`},
		{"unknown dialect", "morse", "aaaa", `dialect: "morse", want one of json, bucas`},
		{"too long", "", strings.Repeat("a", MaxText+1), "want at most 4194304"},
		{"wide characters", "", "\xff\xfea\x00", "UTF-16, want UTF-8"},
		{"no board", "", "https://example.org/#x=1", "a link without a board"},
		{"size", "", "board_w=0&board_h=2&board_edges=" + edges, "bucas: board_w: \"0\", want 1 to 128"},
		{"size", "", "board_w=129&board_h=2&board_edges=" + edges, "board_w"},
		{"size", "", "board_w=+&board_edges=" + edges, "board_w"},
		{"half a size", "", "board_w=3&board_edges=" + edges, "want both"},
		{"twice", "", "board_edges=" + edges + "&board_edges=aaaa", "board_edges: given twice"},
		{"percent", "", "board_edges=%zz", "board_edges: a broken percent code"},
		{"pieces without edges", "", "puzzle=x&board_pieces=001", "board_pieces alone"},
		{"second board of a file", "", "board_edges=" + edges + "\n\nboard_edges=aaa", "bucas: line 3: 3 letters"},
		{"bare letters", "", "abcde", "edges: 5 letters, want four for each cell of a square board"},
		{"letters of other scripts", "edges", "äbca", "letter ä at 0"},
		{"short grid", "", "1/0 2/0\n3/0 4/0", "pieces: 2 rows, want 16 for the 16x16 cells of the official set"},
		{"ragged grid", "", strings.Repeat(strings.Repeat("1/0 ", 16)+"\n", 15) + "1/0", "line 16: 1 token, want 16"},
		{"tokens", "", "1/4 x 257/0 " + strings.Repeat("1/0 ", 13) + strings.Repeat("\n"+strings.Repeat("1/0 ", 16), 15), `line 1, token 1: "1/4"; line 1, token 2: "x"; line 1, token 3: "257/0", want piece/rotation, pieces 1 to 256`},
		{"list of no size", "", "1 2 3 4\n1 2 3 4\n", "2 pieces and no size"},
		{"list of another size", "", "3 2\n1 2 3 4\n1 2 3 4\n", "2 pieces, want 6 for 3x2"},
		{"list with a word", "", "1 2 3 4\n1 2 3 x\n1 2 3 4\n1 2 3 y\n1 2 3 4", "lines 2, 4: not only numbers"},
		{"numbered twice", "", "1 1 2 3 4\n1 1 2 3 4\n3 1 2 3 4\n4 1 2 3 4", "line 2: piece number 1"},
		{"header", "", "7\n1 2 3 4", "line 1: 7 above 1 rows"},
		{"size in a list", "", "0 3\n1 2 3 4", "size 0x3"},
		{"huge size", "", "200 1\n" + strings.Repeat("1 2 3 4\n", 200), "size 200x1"},
		{"solution", "solution", "16 15\n", "a board of 16x15, want 16x16"},
		{"solution", "solution", "16 16\n1 2 3\n", "1 piece, want 256"},
		{"table", "", "2\n0000000000000001,0000000000000001,0000000000000001,0000000000000001\n0000000000000001,0000000000000001,1,1\n", "line 3"},
		{"syntax", "", "{\n\"width\": 2,\n}", "json: line 3: invalid character"},
		{"kind", "", `{"width": "2"}`, "width: a string"},
		{"nothing in it", "", `{"width": 2}`, "only one of width and height"},
		{"nothing in it", "", `{"id": 7}`, "an object without a board"},
		{"nothing in it", "", `[]`, "no board"},
		{"piece", "", `{"width":1,"height":1,"pieces":[[1,2,3]]}`, "piece 1: 3 colours, want 4"},
		{"colour", "", `{"width":1,"height":1,"pieces":[[1,2,3,256]]}`, "piece 1: colour 256"},
		{"cells", "", `{"width":2,"height":1,"edges":[null]}`, "edges: 1 cell, want 2 for 2x1"},
		{"placement", "", `{"width":1,"height":1,"pieces":[[1,1,1,1]],"placements":[{"cell":0,"piece":0,"rotation":0}]}`, "placements, entry 1: cell 0, piece 0, rotation 0, want cells 0 to 0, pieces 1 to 1"},
		{"placement", "", `{"width":1,"height":1,"pieces":[[1,1,1,1]],"placements":[{"cell":0,"piece":1}]}`, "without cell, piece or rotation"},
		{"hints apart", "", `{"rows":1,"cols":2,"tiles":[[1,2,1,2],[3,2,1,2]],"placed":[{"row":0,"col":0,"tile":[1,2,1,2]},{"row":0,"col":0,"tile":[3,2,1,2]}]}`, "placed, entry 2: another piece on cell 0"},
		{"hint of no piece", "", `{"rows":1,"cols":1,"tiles":[[1,2,1,2]],"placed":[{"row":0,"col":0,"tile":[1,1,1,1]}]}`, "placed, entry 1: colours [1 1 1 1] on cell 0"},
		{"size without pieces", "", `{"width":3,"height":3,"placements":[]}`, "a board of 3x3 without pieces"},
	} {
		documents, err := Read([]byte(c.text), Options{Dialect: c.dialect})
		if err == nil || documents != nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one that says %q", c.what, err, c.want)
		}
	}
}

// however writes a link in ways that mean the same.
func TestLinksInEveryDress(t *testing.T) {
	record, _ := puzzle.RecordNamed("mcgavin-469")
	want := puzzle.Official().Look(record.Board)
	letters, _ := encodeLetters(want)
	for i, text := range []string{
		"https://e2.bucas.name/?puzzle=a&board_w=16&board_h=16&board_edges=" + letters,
		"https://e2.bucas.name/?board_edges=" + letters + "&board_h=16&board_w=16&x=%zz&x=2",
		"#board_edges=" + letters,
		"puzzle=a\nboard_w=16\nboard_h=16\nboard_edges=" + letters,
		"puzzle=a&\nboard_w=16&\nboard_edges=" + letters[:100] + "\n" + letters[100:800] + "\r\n" + letters[800:],
		"Look: <https://e2.bucas.name/#board_edges=" + letters + "> (469!)",
		`<a href="https://eternity2.dev/viewer?puzzle_size=16&#38;board_edges=` + letters + `">here</a>`,
		"# see https://example.org\nhttps://e2.bucas.name/#puzzle%3da%26board_edges%3d" + letters,
		letters[:512] + "\n" + letters[512:],
		"\ufeff" + letters + "\r\n",
		`{"url":"https://e2.bucas.name/#board_edges=` + letters + `"}`,
		`{"score":469,"board":{"width":16,"height":16,"edges":"` + letters + `"}}`,
		"board_edges=" + letters + "&board_pieces=12x&motifs_order=jef",
		"board_edges=" + letters + "&motifs_order=nobody",
	} {
		documents, err := Read([]byte(text), Options{})
		if err != nil || len(documents) != 1 || !sameGrid(documents[0].Grid, want) {
			t.Errorf("dress %d: %d documents, %v", i, len(documents), err)
		}
	}
	documents, err := Read([]byte("board_edges="+letters+"\nBest wishes, P."), Options{})
	if err != nil || !sameGrid(documents[0].Grid, want) || !strings.Contains(documents[0].Warnings[0], "ignored: \"Best wishes") {
		t.Errorf("with a greeting: %v", err)
	}
	text := "https://e2.bucas.name/#board_edges=" + letters + "\n" + letters + "\n# more\n\n" + letters + " \nhttps://e2.bucas.name/#puzzle=blackwood-470"
	documents, err = Read([]byte(text), Options{})
	if err != nil || len(documents) != 4 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	for _, d := range documents[:3] {
		if !sameGrid(d.Grid, want) {
			t.Error("a board of the list is another")
		}
	}
}

// The official set is recognised under any numbers, rotations, colours and
// order of sides, and the warning tells them.
func TestOfficialSetInDisguise(t *testing.T) {
	p := puzzle.Official()
	r := random.New(3, "disguise", 0)
	for _, order := range sideOrders {
		for _, grey := range []int{0, 7, 23, 65535} {
			colour := make([]int, 23)
			for c := range colour {
				colour[c] = c
			}
			r.Shuffle(22, func(i, j int) { colour[i+1], colour[j+1] = colour[j+1], colour[i+1] })
			for c := 1; c <= 22; c++ {
				if colour[c] == grey {
					colour[c] = 0
				}
			}
			colour[0] = grey
			pieces := slices.Clone(p.Pieces)
			r.Shuffle(256, func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
			var b bytes.Buffer
			for _, e := range pieces {
				e = e.Rotated(r.Below(4))
				fmt.Fprintln(&b, colour[e[order[0]]], colour[e[order[1]]], colour[e[order[2]]], colour[e[order[3]]])
			}
			documents, err := Read(b.Bytes(), Options{})
			if err != nil || !documents[0].Official || !sameSet(documents[0].Listed.Pieces, p.Pieces) {
				t.Fatalf("sides %v, grey %d: %v", order, grey, err)
			}
			w := documents[0].Warnings[0]
			if !strings.Contains(w, "have other numbers") || order != sideOrders[0] && !strings.Contains(w, order.String()) {
				t.Errorf("sides %v, grey %d: %q", order, grey, w)
			}
		}
	}
}

// The same for a full board in colours of its own.
func TestOfficialBoardInOtherColours(t *testing.T) {
	record, _ := puzzle.RecordNamed("blackwood-470")
	want := puzzle.Official().Look(record.Board)
	var to puzzle.Colouring
	for c := 1; c <= 22; c++ {
		to[c] = uint8(c%22 + 1)
	}
	letters, _ := encodeLetters(recolour(want, &to))
	documents, err := Read([]byte(letters), Options{})
	if err != nil || !documents[0].Official || !sameGrid(documents[0].Grid, want) {
		t.Fatalf("%v", err)
	}
}

// A colour that no official piece has survives beside the official list.
func TestForeignColoursBesideTheOfficialList(t *testing.T) {
	record, _ := puzzle.RecordNamed("blackwood-470")
	g := puzzle.Official().Look(record.Board)
	g.Edges[100][puzzle.Up] = 200
	d := &Document{Grid: g}
	d.nameBy(puzzle.Official(), nil)
	var b bytes.Buffer
	if err := Write(&b, d, "json"); err != nil {
		t.Fatal(err)
	}
	again, err := Read(b.Bytes(), Options{})
	if err != nil || !sameGrid(again[0].Grid, g) || !slices.Equal(again[0].ID.Foreign, []int{100}) {
		t.Errorf("another board, %v", err)
	}
}

func TestSetOfABoard(t *testing.T) {
	official := puzzle.Official()
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 16, Height: 16, Colours: 22, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	record, _ := puzzle.RecordNamed("riotte-464")
	mixed := func(foreign int) *puzzle.Grid {
		g := official.Look(record.Board)
		other := p.Look(solution)
		copy(g.Edges[:foreign], other.Edges)
		return g
	}
	for foreign, belongs := range map[int]bool{0: true, 60: true, 128: true, 140: false, 256: false} {
		g := mixed(foreign)
		letters, _ := encodeLetters(g)
		documents, err := Read([]byte(letters), Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := documents[0]
		if d.Official != belongs || !belongs && (len(d.ID.Foreign) != 0 || !strings.HasPrefix(d.Warnings[0], "other piece set")) {
			t.Errorf("%d cells of another set: official %v, foreign %d, %q", foreign, d.Official, len(d.ID.Foreign), d.Warnings)
		}
	}
	g := mixed(200)
	g.Edges[255], g.Filled[255] = puzzle.Edges{}, false
	letters, _ := encodeLetters(g)
	documents, _ := Read([]byte(letters), Options{})
	if d := documents[0]; !d.Official || len(d.ID.Foreign) < 150 {
		t.Errorf("a partial board: official %v, %d foreign", d.Official, len(d.ID.Foreign))
	}
	letters, _ = encodeLetters(p.Look(solution))
	documents, _ = Read([]byte(letters), Options{Puzzle: p})
	if d := documents[0]; d.Puzzle != p || d.Official || len(d.ID.Placements) != 256 {
		t.Error("a board of the given set is not named by it")
	}
}

func TestTwiceTheSamePiece(t *testing.T) {
	record, _ := puzzle.RecordNamed("riotte-464")
	g := puzzle.Official().Look(record.Board)
	g.Edges[20] = g.Edges[19]
	letters, _ := encodeLetters(g)
	documents, _ := Read([]byte(letters), Options{})
	if d := documents[0]; !slices.Equal(d.ID.Duplicates, []int{20}) || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "1 duplicate, cell 20") {
		t.Errorf("duplicates %v, %q", d.ID.Duplicates, d.Warnings)
	}
}

func TestJSONEdgesWin(t *testing.T) {
	for text, want := range map[string]string{
		`{"width":2,"height":1,"score":0,"pieces":[[1,2,1,3],[1,3,1,2]],"placements":[{"cell":0,"piece":1,"rotation":1}],"edges":[[1,2,1,3],null]}`: "placements contradict the edges on cell 0",
		`{"width":2,"height":1,"score":7,"pieces":[[1,2,1,3],[1,3,1,2]],"edges":"bcbdbdbc"}`:                                                        "score says 7, the edges give 1",
		`{"width":2,"height":1,"score":0,"edges":"bcbdaaaa"}`:                                                                                       "no piece set of 2x1",
		`{"score":0,"edges":"bcbd","hints":null,"name":5,"id":"x"}`:                                                                                 "other piece set: the board is 1x1",
	} {
		documents, err := Read([]byte(text), Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		d := documents[0]
		if d.Grid.Edges[0] != (puzzle.Edges{1, 2, 1, 3}) || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], want) {
			t.Errorf("%s: %v, %q, want %q", text, d.Grid.Edges, d.Warnings, want)
		}
	}
}

// A broken board in official numbers stays what it is, whatever another
// convention would score.
func TestConventionNeedsEvidence(t *testing.T) {
	p := puzzle.Official()
	record, _ := puzzle.RecordNamed("pejic-465")
	board := slices.Clone(record.Board)
	for i := range board { // piece 112 where 113 lies and the other way
		if k := board[i].Piece; k == 111 || k == 112 {
			board[i].Piece = 223 - k
		}
	}
	d := &Document{Grid: p.Look(board), Puzzle: p, ID: puzzle.Identification{Placements: board}}
	var b bytes.Buffer
	if err := Write(&b, d, "pieces"); err != nil {
		t.Fatal(err)
	}
	again, err := Read(b.Bytes(), Options{})
	if err != nil || !sameGrid(again[0].Grid, d.Grid) {
		t.Errorf("read as another board: %v", err)
	}
}

// Texts made to take long, or to give an error as long as themselves. What a
// quadratic reader would need for them is hours.
func TestHostileTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of large texts")
	}
	n := MaxText / 4
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	twins := "[" + strings.TrimSuffix(strings.Repeat("[1,1,1,1],", 1<<14), ",") + "]"
	placed := strings.Builder{}
	for cell := range 1 << 14 {
		fmt.Fprintf(&placed, `{"row":%d,"col":%d,"tile":[1,1,1,1]},`, cell/128, cell%128)
	}
	for i, text := range []string{
		fill("a\n"), fill("abca\n"), fill("abcaabcaabcaabca\n"), fill("board_edges=\n"), fill("a://b "),
		"board_edges=" + fill("\nabca"), "board_edges=" + fill("\nabcaabcaabcaabca"), "board_edges=" + fill("\nab"),
		"board_edges=abca&hints=" + fill("-"), "board_edges=" + fill("abca"), fill("puzzle=a&"),
		fill("1 2 3 4\n"), fill("1 2 3 4 5\n"), fill("x 2 3 4\n1 2 3 4\n1 2 3 4\n"), fill("1/0 "), fill("1/0\n"), fill("---/-\n"),
		strings.Repeat("1 2 3 4\n", 1<<14), fill("0000000000000001,0000000000000001,0000000000000001,0000000000000001\n"),
		fill("puzzle=x#"), fill("%"), fill("puzzle=&amp;amp;amp;"), `puzzle=` + fill(`\u0026`), fill("a://?a="), fill("(a.b/#puzzle=x) "), "board_edges=abca\n" + fill("thanks\n"), "puzzle=" + fill(")"),
		"[" + fill("[") + "]", `{"hints":[` + fill(`{"cell":0,"cell":0},`) + `{}]}`, fill("0/0 "), fill("{}"), fill(`{"edges":"abca"}`), `{"rows":128,"cols":128,"tiles":` + twins + `,"placed":[` + strings.TrimSuffix(placed.String(), ",") + "]}",
	} {
		_, err := Read([]byte(text), Options{Lenient: true})
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("text %d: an error of %d bytes", i, len(err.Error()))
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, file := range []string{"r01_blackwood_470.url", "r07_pejic_465_official_jef.url", "r09_pejic_465_grid.txt", "r20_pejic_256pieces_UDLR.txt"} {
		data := readFile(b, file)
		b.Run(file, func(b *testing.B) {
			for b.Loop() {
				if _, err := Read(data, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestDialects(t *testing.T) {
	for _, d := range Dialects() {
		if d.Name == "" || d.Description == "" || !d.Reads || !d.Writes {
			t.Errorf("%+v", d)
		}
	}
}
