package notation

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
)

// recordLetters are the bare letters of a published board.
func recordLetters(t testing.TB, name string) string {
	t.Helper()
	record, ok := puzzle.RecordNamed(name)
	if !ok {
		t.Fatal(name)
	}
	letters, err := encodeLetters(puzzle.Official().Look(record.Board))
	if err != nil {
		t.Fatal(err)
	}
	return letters
}

func TestLinksAmongWords(t *testing.T) {
	letters := recordLetters(t, "mcgavin-469")
	link := "https://e2.bucas.name/#puzzle=a&board_w=16&board_h=16&board_edges=" + letters
	encoded := url.QueryEscape(link)
	for _, c := range []struct {
		what, text string
		warnings   []string // of the boards, in order
	}{
		{"brackets", "(" + link + ")", []string{""}},
		{"angles", "<" + link + ">", []string{""}},
		{"full stop", link + ".", []string{""}},
		{"comma", link + ",", []string{""}},
		{"bold", "**" + link + "**", []string{""}},
		{"label", "[board](" + link + ")", []string{`line 1: text beside the link is ignored: "board"`}},
		{"label that is the link", "[" + link + "](" + link + ")", []string{""}},
		{"word before", "see " + link, []string{`line 1: text beside the link is ignored: "see"`}},
		{"no scheme", "e2.bucas.name/?puzzle=a&board_edges=" + letters, []string{""}},
		{"no scheme in words", "at e2.bucas.name/#board_edges=" + letters + "!", []string{`"at"`}},
		{"word on its own line", "hello\n" + link, []string{`line 1: text beside the link is ignored: "hello"`}},
		{"sentence", "Look at this board:\n\n" + link + "\nthanks\nPaul, from far", []string{`line 1: text beside the link is ignored: "Look at this board", and 2 lines more`}},
		{"another link", "see https://example.org/a#b for more\n" + link, []string{`line 1: text beside the link is ignored: "https://example.org/a#b", and 1 line more`}},
		{"between", link + "\nand this one:\n" + link, []string{`line 2: text beside the link is ignored: "and this one"`, ""}},
		{"below", link + "\nx\n\ny\n" + link + "\nz", []string{`line 2: text beside the link is ignored: "x", and 1 line more`, `line 6: text beside the link is ignored: "z"`}},
		{"list", "1. " + link + "\n2. " + link, []string{"line 1", "line 2"}},
		{"wrapped", "see " + link[:200] + "\n" + link[200:700] + "\n" + link[700:] + "\nbye", []string{`"see", and 1 line more`}},
		{"letters behind another link", "https://example.org/\n" + letters, []string{`"https://example.org/"`}},
		{"entities of entities", strings.ReplaceAll(link, "&", "&amp;amp;"), []string{""}},
		{"capital entities", strings.ReplaceAll(link, "&", "&AMP;"), []string{""}},
		{"escapes", strings.ReplaceAll(link, "&", `\u0026`), []string{""}},
		{"more escapes", strings.NewReplacer("&", `\u0026`, "=", `\u003d`, "/", `\/`).Replace(link), []string{""}},
		{"encoded", encoded, []string{""}},
		{"in another link", "https://example.org/go?to=" + encoded + "&x=1", []string{""}},
	} {
		documents, err := Read([]byte(c.text), Options{})
		if err != nil || len(documents) != len(c.warnings) {
			t.Errorf("%s: %d documents, %v", c.what, len(documents), err)
			continue
		}
		for i, d := range documents {
			if d.Grid.Tally().Matched != 469 {
				t.Errorf("%s: another board", c.what)
			}
			if all := strings.Join(d.Warnings, "|"); (all == "") != (c.warnings[i] == "") || !strings.Contains(all, c.warnings[i]) {
				t.Errorf("%s: warnings %q, want %q", c.what, all, c.warnings[i])
			}
		}
	}
}

func TestLinksThatCannotBeRead(t *testing.T) {
	letters := recordLetters(t, "mcgavin-469")
	link := "https://e2.bucas.name/#puzzle=a&board_w=16&board_h=16&board_edges=" + letters
	viewer := "https://eternity2.dev/viewer?puzzle=a&puzzle_size=16&board_edges=" + letters
	host, fragment, _ := strings.Cut(link, "#")
	for _, c := range []struct{ what, dialect, text, want string }{
		{"capital key", "", "BOARD_EDGES=" + letters, "bucas: key BOARD_EDGES, want board_edges"},
		{"capital key beside a board", "", link + "&Motifs_Order=jef", "key Motifs_Order, want motifs_order"},
		{"encoded twice", "", url.QueryEscape(url.QueryEscape(link)), "encoded twice"},
		{"fragment encoded twice", "", host + "#" + url.QueryEscape(url.QueryEscape(fragment)), "encoded twice"},
		{"value encoded twice", "", "board_edges=%2561" + letters[1:], "board_edges: percent codes of percent codes"},
		{"a letter of two bytes", "", link + "é", "letter é at 1024, want"},
		{"short word", "", "null", `edges: 4 letters in "null", want at least 36`},
		{"short words", "", "help\nhelp", `line 1: 4 letters in "help", want at least 36`},
		{"link as letters", "edges", link, "edges: a link"},
		{"link of bucas", "viewer", link, "viewer: a link that is not of eternity2.dev"},
		{"keys of bucas", "viewer", fragment, "viewer: a link that is not of eternity2.dev"},
		{"link of the viewer", "bucas", viewer, "bucas: a link of eternity2.dev (puzzle_size=16), want board_w and board_h, or the dialect viewer"},
		{"letters as a link", "bucas", letters, "bucas: no link"},
		{"letters as a link", "viewer", letters, "viewer: no link"},
		{"letters below a link", "bucas", link + "\n\n" + letters, "bucas: line 3: no link"},
		{"list as a grid", "pieces", strings.Repeat("1 2 3 4\n", 256), "pieces:"},
	} {
		documents, err := Read([]byte(c.text), Options{Dialect: c.dialect})
		if err == nil || documents != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.what, err, c.want)
		}
	}
	d, err := Read([]byte(strings.Repeat("abca", 4)), Options{Dialect: "edges"})
	if err != nil || d[0].Grid.Width != 2 {
		t.Errorf("a small board with its dialect: %v", err)
	}
}

func TestContradictorySizes(t *testing.T) {
	letters := recordLetters(t, "blackwood-470")
	for text, want := range map[string]string{
		"#puzzle=t&puzzle_size=12&board_w=16&board_h=16&board_edges=" + letters: "puzzle_size says 12x12, board_w and board_h say 16x16: read as 16x16",
		"#puzzle=t&puzzle_size=16&board_w=12&board_h=16&board_edges=" + letters: "puzzle_size says 16x16, board_w and board_h say 12x16: read as 16x16",
		"#puzzle=Joshua_Blackwood_470&board_w=12&board_h=12":                    "the link says 12x12, the published board is 16x16",
		"#puzzle=Joshua_Blackwood_470&puzzle_size=4":                            "the link says 4x4, the published board is 16x16",
	} {
		documents, err := Read([]byte(text), Options{})
		if err != nil || documents[0].Grid.Tally().Matched != 470 || !slices.Contains(documents[0].Warnings, want) {
			t.Errorf("%v, warnings %q, want %q", err, documents[0].Warnings, want)
		}
	}
	if _, err := Read([]byte("#puzzle=Joshua_Blackwood_470&board_w=x"), Options{}); err == nil {
		t.Error("a size that is no number beside a name")
	}
}

// What is said of one board of a list names its line, in strict and lenient
// reading alike.
func TestListsNameTheLine(t *testing.T) {
	letters := recordLetters(t, "mcgavin-469")
	text := "board_edges=" + letters + "\n\nboard_w=16&board_h=16&board_edges=" + letters[:1000]
	if _, err := Read([]byte(text), Options{}); err == nil || !strings.Contains(err.Error(), "line 3, board_edges: 1000 letters") {
		t.Errorf("strict: %v", err)
	}
	documents, err := Read([]byte(text), Options{Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	checkWarnings(t, documents[0], nil)
	checkWarnings(t, documents[1], []string{"line 3: board_edges: 1000 letters"})
}

// The numbers of a link count from 1 unless they cannot.
func TestNumbersOfPieces(t *testing.T) {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 16, Height: 16, Colours: 22, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	record, _ := puzzle.RecordNamed("riotte-464")
	write := func(p *puzzle.Puzzle, board []puzzle.Placement, change func(numbers []int)) string {
		letters, _ := encodeLetters(p.Look(board))
		numbers := make([]int, p.Cells())
		for _, q := range board {
			numbers[q.Cell] = q.Piece + 1
		}
		change(numbers)
		s := "board_edges=" + letters + "&board_pieces="
		for _, n := range numbers {
			s += string([]byte{'0' + byte(n/100), '0' + byte(n/10%10), '0' + byte(n%10)})
		}
		return s
	}
	keep := func([]int) {}
	lower := func(numbers []int) {
		for cell, n := range numbers {
			numbers[cell] = max(n-1, 0)
		}
	}
	const other = "other piece set: 244 of 256"
	official := puzzle.Official()
	for _, c := range []struct {
		what, text string
		warnings   []string
	}{
		{"own set", write(p, solution, keep), []string{other}},
		{"own set from 0", write(p, solution, lower), []string{"counts from 0", other}},
		{"own set, one number twice", write(p, solution, func(n []int) { n[7] = n[8] }), []string{other, "board_pieces does not number the pieces from 1 to 256, each once: it is ignored"}},
		{"own set, no numbers", write(p, solution, func(n []int) { clear(n) }), []string{other, "it is ignored"}},
		{"official", write(official, record.Board, keep), nil},
		{"official from 0", write(official, record.Board, lower), []string{"counts from 0"}},
		{"official without most", write(official, record.Board[:20], keep), nil},
		{"official without most, from 0", write(official, record.Board[:20], lower), []string{"counts from 0"}},
		{"official, two cells wrong", write(official, record.Board, func(n []int) { n[3], n[4] = n[4], n[3] }), []string{"in 2 cells"}},
		{"official, a number missing", write(official, record.Board, func(n []int) { n[3] = 0 }), []string{"in 1 cell (cell 3 says 0"}},
	} {
		documents, err := Read([]byte(c.text), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		t.Run(c.what, func(t *testing.T) { checkWarnings(t, documents[0], c.warnings) })
	}
	documents, err := Read([]byte(write(p, solution, keep)), Options{})
	if err != nil || documents[0].ID.Placements[0].Piece != solution[0].Piece {
		t.Errorf("the numbers of the text are not those of its set: %v", err)
	}
}

// Most of a board of another set is not read in another order of motifs because
// a few cells fit it by chance.
func TestOrderNeedsMoreThanChance(t *testing.T) {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 16, Height: 16, Colours: 22, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	g := p.Look(solution[:250])
	official := puzzle.Official()
	for cell := range 10 { // letters of official pieces in another order
		e := official.Rotated(100+cell, 0)
		for side, c := range e {
			g.Edges[20+cell][side] = uint8(strings.IndexByte(orders[1].letters, 'a'+c))
		}
	}
	letters, _ := encodeLetters(g)
	documents, err := Read([]byte(letters), Options{})
	if err != nil || !sameGrid(documents[0].Grid, g) {
		t.Errorf("another board, %v, %q", err, documents[0].Warnings)
	}
}

// What mails, chats, boards and tables put around a link is no part of it.
func TestLinksInTheirWrappers(t *testing.T) {
	link := func(name string) string {
		record, _ := puzzle.RecordNamed(name)
		b := puzzle.NewBoard(puzzle.Official())
		b.Load(record.Board)
		var text strings.Builder
		if err := Write(&text, FromBoard(b, name), "bucas"); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(text.String())
	}
	one, two := link("mcgavin-469"), link("riotte-464")
	var quoted strings.Builder
	for rest := one; rest != ""; {
		n := min(76, len(rest))
		quoted.WriteString("> " + rest[:n] + "\n")
		rest = rest[n:]
	}
	for text, want := range map[string][]int{
		quoted.String():                         {469},
		"> > " + one + "\n":                     {469},
		"<" + one + "|my board>":                {469},
		"[url=" + one + "]here[/url]":           {469},
		"[url]" + one + "[/url]":                {469},
		one + "。":                               {469},
		"~~" + one + "~~":                       {469},
		one + "🎉":                               {469},
		"[a](" + one + ") and [b](" + two + ")": {469, 464},
		"|[a](" + one + ")|[b](" + two + ")|":   {469, 464},
	} {
		documents, err := Read([]byte(text), Options{})
		if err != nil || len(documents) != len(want) {
			t.Errorf("%.60q: %d boards, %v", text, len(documents), err)
			continue
		}
		for i, d := range documents {
			if got := d.Grid.Tally().Matched; got != want[i] {
				t.Errorf("%.60q: %d, want %d", text, got, want[i])
			}
			if w := strings.Join(d.Warnings, " "); strings.Contains(w, "digits") {
				t.Errorf("%.60q: %s", text, w)
			}
		}
	}
}
