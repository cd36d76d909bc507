package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"lastmile/puzzle"
	"lastmile/random"
)

var update = flag.Bool("update", false, "write the golden files")

// small is 3x3: solved, but for a piece turned round at the top right, which
// makes two breaks, and a hole at the bottom left.
func small(t testing.TB) *puzzle.Grid {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 3, Height: 3, Colours: 6, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	g := p.Look(solution)
	g.Edges[2] = g.Edges[2].Rotated(2)
	g.Filled[6] = false
	return g
}

type writer func(io.Writer, *puzzle.Grid, Options) error

var writers = map[string]writer{"svg": SVG, "png": PNG, "text": Text}

func drawn(t testing.TB, f writer, g *puzzle.Grid, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b, g, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	o := Options{
		Cell: 40, Title: `Tom & "Jerry" <3`, Clues: []int{4},
		Labels: []string{"1", "", "<2>", "", "", "&", "", "", "999"},
	}
	for _, c := range []struct {
		file string
		f    writer
		o    Options
	}{
		{"small.svg", SVG, o},
		{"small.txt", Text, o},
		{"small.ansi", Text, Options{ANSI: true}},
	} {
		file := filepath.Join("testdata", c.file)
		got := drawn(t, c.f, small(t), c.o)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is drawn; if the change is meant, look at it and run the tests with -update", file)
		}
	}
}

func decoded(t testing.TB, g *puzzle.Grid, o Options) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(drawn(t, PNG, g, o)))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// origin is the pixel at the top left of the board.
func origin(cell int) int { return max(6, cell/3) }

func at(img image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

func TestPNGHasTheExpectedSize(t *testing.T) {
	for _, c := range []struct{ width, height, cell, wide, high int }{
		{3, 3, 60, 180 + 40, 180 + 40},
		{16, 16, 0, 960 + 40, 960 + 40},
		{2, 1, 8, 16 + 12, 8 + 12},
		{128, 128, 0, 128*18 + 12, 128*18 + 12},
	} {
		img := decoded(t, puzzle.NewGrid(c.width, c.height), Options{Cell: c.cell})
		if got := img.Bounds().Size(); got != image.Pt(c.wide, c.high) {
			t.Errorf("%dx%d cells of %d: %v, want %dx%d", c.width, c.height, c.cell, got, c.wide, c.high)
		}
	}
}

func TestSeamsOnTheImage(t *testing.T) {
	const cell = 60
	g := puzzle.NewGrid(3, 1)
	for i := range g.Filled {
		g.Filled[i] = true
	}
	g.Edges[0] = puzzle.Edges{0, 3, 0, 0} // matched: the disc
	g.Edges[1] = puzzle.Edges{0, 3, 0, 3} // broken
	g.Edges[2] = puzzle.Edges{0, 0, 0, 4}
	marked, unmarked := decoded(t, g, Options{Cell: cell}), decoded(t, g, Options{Cell: cell, Unmarked: true})
	y := origin(cell) + cell/2
	match, fault := origin(cell)+cell, origin(cell)+2*cell
	for _, img := range []image.Image{marked, unmarked} {
		for dx := 2; dx < cell/2-1; dx++ {
			left, right := at(img, match-1-dx, y), at(img, match+dx, y)
			if left != right {
				t.Errorf("%d pixels from the matched seam: %v on the left, %v on the right", dx, left, right)
			}
			want := inksOf(3).body
			if dx > 17 {
				want = inksOf(3).field
			}
			if dx != 16 && dx != 17 && dx < 28 && left != want {
				t.Errorf("%d pixels from the matched seam: %v, want %v", dx, left, want)
			}
		}
	}
	for dy := -cell / 3; dy <= cell/3; dy++ {
		if got := at(marked, fault, y+dy); got != alarm {
			t.Errorf("%d pixels along the break: %v, want %v", dy, got, alarm)
		}
		if got := at(marked, match, y+dy); got == alarm {
			t.Errorf("the matched seam is marked")
		}
	}
	for x := range unmarked.Bounds().Dx() {
		if at(unmarked, x, y) == alarm {
			t.Fatalf("a mark at x = %d, want none", x)
		}
	}
	if got := at(unmarked, fault-12, y); got != inksOf(3).body {
		t.Errorf("left of the break: %v, want %v", got, inksOf(3).body)
	}
	if got := at(unmarked, fault+14, y); got != inksOf(4).body {
		t.Errorf("right of the break: %v, want %v", got, inksOf(4).body)
	}
}

// Marks are as many as breaks; grey against grey is one.
func TestEveryBreakIsMarked(t *testing.T) {
	p := puzzle.Official()
	for _, r := range puzzle.Records() {
		g := p.Look(r.Board)
		g.Filled[37] = false
		g.Edges[100][1], g.Edges[101][3] = 0, 0
		want := g.Tally().Breaks
		svg := drawn(t, SVG, g, Options{})
		if got := len(regexp.MustCompile(`href="#break[ul]"`).FindAll(svg, -1)); got != want {
			t.Errorf("%s: %d marks, want %d", r.Name, got, want)
		}
		if got := bytes.Count(svg, []byte(`href="#whole`)); got != g.Tally().Matched {
			t.Errorf("%s: %d whole diamonds, want %d", r.Name, got, g.Tally().Matched)
		}
		for _, use := range regexp.MustCompile(`href="#(\w+)"`).FindAllSubmatch(svg, -1) {
			if bytes.Count(svg, []byte(`id="`+string(use[1])+`"`)) != 1 {
				t.Fatalf("%s: %q is used, but not defined once", r.Name, use[1])
			}
		}
		if got := bytes.Count(drawn(t, Text, g, Options{}), []byte("╳")); got != want {
			t.Errorf("%s: %d marks in the text, want %d", r.Name, got, want)
		}
		if got := bytes.Count(drawn(t, SVG, g, Options{Unmarked: true}), []byte("break")); got != 0 {
			t.Errorf("%s: %d marks, want none", r.Name, got)
		}
		if len(svg) > 100_000 {
			t.Errorf("%s: %d bytes of SVG", r.Name, len(svg))
		}
	}
}

func TestEmptyCellsAndClues(t *testing.T) {
	const cell = 60
	img := decoded(t, puzzle.NewGrid(2, 2), Options{Cell: cell, Clues: []int{3}})
	o := origin(cell)
	if got := at(img, o+cell/2, o+cell/2); got != vacant {
		t.Errorf("an empty cell is %v, want %v", got, vacant)
	}
	if got := at(img, o+cell+4, o+cell+cell/2); got != gold {
		t.Errorf("the outline of a clue is %v, want %v", got, gold)
	}
}

func TestTextFitsATerminal(t *testing.T) {
	p := puzzle.Official()
	o := Options{Labels: make([]string, 256), Clues: []int{0, 255}}
	for i := range o.Labels {
		o.Labels[i] = fmt.Sprint(1000 + i)
	}
	plainText := string(drawn(t, Text, p.Look(puzzle.Records()[0].Board), o))
	lines := strings.Split(strings.TrimSuffix(plainText, "\n"), "\n")
	if len(lines) != 65 {
		t.Errorf("%d lines, want 65", len(lines))
	}
	for i, l := range lines {
		if n := utf8.RuneCountInString(l); n != 97 {
			t.Errorf("line %d is %d runes wide, want 97", i+1, n)
		}
	}
	o.ANSI = true
	painted := string(drawn(t, Text, p.Look(puzzle.Records()[0].Board), o))
	if got := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(painted, ""); got != plainText {
		t.Error("without its escapes the painted text is not the plain one")
	}
}

func TestColourNamesDiffer(t *testing.T) {
	seen := map[string]int{}
	for c := range 256 {
		name := colourName(uint8(c))
		if other, twice := seen[name]; twice {
			t.Errorf("colours %d and %d are both %q", other, c, name)
		}
		seen[name] = c
	}
	if colourName(0) != "a" || colourName(22) != "w" || colourName(25) != "z" || colourName(26) != "1A" || colourName(255) != "FF" {
		t.Error("a to z are 0 to 25, 1A to FF are 26 to 255")
	}
}

// Whatever is written on a board stays text.
func TestTextIsEscaped(t *testing.T) {
	nasty := "</title><script>alert('&\"')</script>\x00\x1b[2J\xff]]>"
	g := puzzle.NewGrid(1, 1)
	o := Options{Title: nasty, Labels: []string{nasty}}
	svg := drawn(t, SVG, g, o)
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Errorf("a script in\n%s", svg)
		}
	}
	if text := drawn(t, Text, g, o); bytes.ContainsAny(text, "\x00\x1b") || !utf8.Valid(text) {
		t.Errorf("control characters or bad UTF-8 in %q", text)
	}
	drawn(t, PNG, g, o)
}

func TestBadInputIsRefused(t *testing.T) {
	g := puzzle.NewGrid(2, 2)
	big := puzzle.NewGrid(128, 128)
	for name, c := range map[string]struct {
		g *puzzle.Grid
		o Options
	}{
		"no cells":         {puzzle.NewGrid(0, 3), Options{}},
		"too wide":         {puzzle.NewGrid(129, 1), Options{}},
		"too few edges":    {&puzzle.Grid{Width: 2, Height: 2, Filled: make([]bool, 4)}, Options{}},
		"a clue off board": {g, Options{Clues: []int{4}}},
		"a negative clue":  {g, Options{Clues: []int{-1}}},
		"too few labels":   {g, Options{Labels: []string{"1"}}},
	} {
		for kind, f := range writers {
			if err := f(io.Discard, c.g, c.o); err == nil || !strings.Contains(err.Error(), "want") {
				t.Errorf("%s: %s says %v", name, kind, err)
			}
		}
	}
	for _, o := range []Options{{Cell: -1}, {Cell: MinCell - 1}, {Cell: MaxCell + 1}, {Cell: 100}} {
		if err := PNG(io.Discard, big, o); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("cells of %d pixels on 128x128: %v", o.Cell, err)
		}
	}
}

// A full disc must not look like a drawing.
func TestWriteErrorsAreReported(t *testing.T) {
	for kind, f := range writers {
		if err := f(brokenPipe{}, small(t), Options{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Any grid can be drawn: any size, any colours, any cells filled.
func TestRandomGrids(t *testing.T) {
	stream := random.New(1, "draw", 0)
	for range 60 {
		w, h, colours := 1+stream.Below(6), 1+stream.Below(6), 1+stream.Below(256)
		g := puzzle.NewGrid(w, h)
		o := Options{Cell: MinCell + stream.Below(30), ANSI: stream.Below(2) == 0, Unmarked: stream.Below(2) == 0}
		for c := range g.Edges {
			g.Filled[c] = stream.Below(4) > 0
			for side := range 4 {
				g.Edges[c][side] = uint8(stream.Below(colours))
			}
			o.Labels = append(o.Labels, strings.Repeat("é8", stream.Below(7)))
			if stream.Below(5) == 0 {
				o.Clues = append(o.Clues, c)
			}
		}
		for kind, f := range writers {
			if !bytes.Equal(drawn(t, f, g, o), drawn(t, f, g, o)) {
				t.Errorf("%s: the same board gives other bytes", kind)
			}
		}
		text := strings.Split(strings.TrimSuffix(string(drawn(t, Text, g, Options{Labels: o.Labels})), "\n"), "\n")
		for i, l := range text {
			if utf8.RuneCountInString(l) != utf8.RuneCountInString(text[0]) {
				t.Fatalf("line %d is of another width:\n%s", i+1, strings.Join(text, "\n"))
			}
		}
	}
}

func TestLargestBoard(t *testing.T) {
	g := puzzle.NewGrid(puzzle.MaxSide, puzzle.MaxSide)
	for c := range g.Edges {
		g.Filled[c] = true
		g.Edges[c] = puzzle.Edges{uint8(c), uint8(c >> 3), uint8(c >> 6), uint8(c * 7)}
	}
	for _, f := range writers {
		drawn(t, f, g, Options{})
	}
}

func FuzzDraw(f *testing.F) {
	f.Add(uint8(3), []byte("abcdefghijkl"), "title", "label")
	f.Fuzz(func(t *testing.T, width uint8, colours []byte, title, label string) {
		w := int(width)%16 + 1
		h := min(16, len(colours)/4/w+1)
		g := puzzle.NewGrid(w, h)
		labels := make([]string, w*h)
		for c := range g.Edges {
			if 4*c+4 <= len(colours) {
				g.Filled[c] = true
				copy(g.Edges[c][:], colours[4*c:])
			}
			labels[c] = label
		}
		for _, draw := range writers {
			drawn(t, draw, g, Options{Cell: MinCell, Title: title, Labels: labels})
		}
	})
}

func benchmark(b *testing.B, f writer) {
	g := puzzle.Official().Look(puzzle.Records()[0].Board)
	b.ReportAllocs()
	for b.Loop() {
		if err := f(io.Discard, g, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVG(b *testing.B)  { benchmark(b, SVG) }
func BenchmarkPNG(b *testing.B)  { benchmark(b, PNG) }
func BenchmarkText(b *testing.B) { benchmark(b, Text) }
