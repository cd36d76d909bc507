package draw

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func pathsOf(t testing.TB, paths []Path, turned []int, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Paths(&b, small(t), paths, turned, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPathsGolden(t *testing.T) {
	got := pathsOf(t, []Path{{[]int{0, 5, 7}, true, "1"}, {[]int{1, 4}, true, "2"}, {[]int{8, 6}, false, ""}}, []int{3}, Options{Cell: 40, Title: "three paths"})
	file := filepath.Join("testdata", "paths.svg")
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
		t.Errorf("%s differs; look at what -update writes", file)
	}
}

func TestPathsAreDocuments(t *testing.T) {
	for name, c := range map[string]struct {
		paths  []Path
		turned []int
	}{
		"none":     {nil, nil},
		"one cell": {[]Path{{[]int{4}, true, "<&>"}, {[]int{4}, false, ""}, {nil, true, "empty"}}, []int{4}},
		"more than inks": {[]Path{
			{[]int{0, 1}, true, "1"}, {[]int{2, 3}, true, "2"}, {[]int{4, 5}, true, "3"}, {[]int{6, 7}, true, "4"},
			{[]int{8, 0}, true, "5"}, {[]int{1, 2}, true, "6"}, {[]int{3, 4}, true, "7"},
		}, []int{0, 8}},
	} {
		svg := pathsOf(t, c.paths, c.turned, Options{})
		for d, err := xml.NewDecoder(bytes.NewReader(svg)), error(nil); err != io.EOF; {
			if _, err = d.Token(); err != nil && err != io.EOF {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "Inf") {
			t.Errorf("%s: a number is none", name)
		}
		if n := strings.Count(string(svg), `<g id="turned`); n != len(c.turned) {
			t.Errorf("%s: %d cells marked as turned, want %d", name, n, len(c.turned))
		}
	}
}

// Arrows stay on the board, however long: they bend by less than half a cell.
func TestArrowsStayNear(t *testing.T) {
	for _, dash := range dashes {
		for distance := 1.0; distance < 130; distance *= 1.7 {
			under, over := arrow(point{0, 0}, point{distance, 0}, strokeHalf, dash)
			for _, polygon := range join(under, over) {
				for _, p := range polygon {
					if math.Abs(p.y) > 0.5 || p.x < 0 || p.x > distance {
						t.Fatalf("over %v cells a point lies at %v", distance, p)
					}
				}
			}
			if len(over) == 0 {
				t.Errorf("no stroke over %v cells", distance)
			}
		}
	}
}

// Without hue, the first dozen paths differ by dashes or by lightness.
func TestPathsDifferWithoutHue(t *testing.T) {
	for i := range 12 {
		for k := range i {
			a, b := pathInks[i%len(pathInks)], pathInks[k%len(pathInks)]
			if i%len(dashes) == k%len(dashes) && contrast(a, b) < 1.4 {
				t.Errorf("paths %d and %d look alike: contrast %.2f", k, i, contrast(a, b))
			}
		}
	}
	for i, ink := range pathInks {
		if contrast(ink, paper) < 3 {
			t.Errorf("ink %d on paper: contrast %.2f, want 3", i, contrast(ink, paper))
		}
	}
}

func TestStretch(t *testing.T) {
	curve := []point{{0, 0}, {1, 0}, {1, 1}}
	part := stretch(curve, 0.5, 1.25)
	if want := []point{{0.5, 0}, {1, 0}, {1, 0.25}}; len(part) != 3 || part[0] != want[0] || part[1] != want[1] || part[2] != want[2] {
		t.Errorf("%v", part)
	}
	if got := length(part); got != 0.75 {
		t.Errorf("length %v", got)
	}
}

func TestPathsRefuse(t *testing.T) {
	g := small(t)
	for _, c := range []struct {
		paths  []Path
		turned []int
		o      Options
		want   string
	}{
		{[]Path{{Cells: []int{0, 9}}}, nil, Options{}, "a path over cell 9, want 0 to 8"},
		{nil, []int{-1}, Options{}, "a turn of cell -1, want 0 to 8"},
		{nil, nil, Options{Cell: 1}, "pixels"},
	} {
		if err := Paths(io.Discard, g, c.paths, c.turned, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := Paths(brokenPipe{}, g, nil, nil, Options{}); err == nil {
		t.Error("a write error is not reported")
	}
}
