package notation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
)

// officialRows are the rows of the official list, clockwise from the top.
func officialRows() []string {
	var rows []string
	for _, e := range puzzle.Official().Pieces {
		rows = append(rows, fmt.Sprintf("%d %d %d %d", e[0], e[1], e[2], e[3]))
	}
	return rows
}

func rowsOf(t *testing.T, file string) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(strings.ReplaceAll(string(readFile(t, file)), "\r", "")), "\n")
}

func TestPartsOfTheOfficialList(t *testing.T) {
	official := officialRows()
	grey22 := rowsOf(t, "r21_fabri_pieces_grey22.txt")
	udlr := rowsOf(t, "r20_pejic_256pieces_UDLR.txt")
	for _, c := range []struct {
		what string
		rows []string
		want string
	}{
		{"without the last", official[:255], "255 pieces, all of the official set, which has 256: 1 piece missing: 256, want"},
		{"252", official[:252], "4 pieces missing: 253, 254, 255, 256, want"},
		{"240", official[:240], "16 pieces missing: 241, 242, 243, 244, 245, 246, 247, 248 and 8 more"},
		{"15x15", official[:225], "31 pieces missing: 226"},
		{"4x4", official[:16], "240 pieces missing: 17"},
		{"without the first", official[1:], "1 piece missing: 1, want"},
		{"without two", slices.Concat(official[:99], official[101:]), "2 pieces missing: 100, 101, want"},
		{"without one and one wrong", slices.Concat([]string{"0 0 5 9"}, official[1:255]), "254 of them of the official set, which has 256 (line 1: not): 2 pieces missing: 1, 256"},
		{"all but for the grey of one", slices.Concat([]string{"0 3 5 9"}, official[1:]), "255 of them of the official set, which has 256 (line 1: not): 1 piece missing: 1"},
		{"other labels", grey22[:240], "16 pieces missing"},
		{"other labels, without one", slices.Concat(grey22[:150], grey22[151:]), "1 piece missing: 151"},
		{"other labels and sides", udlr[:len(udlr)-3], "pieces missing"},
	} {
		text := []byte(strings.Join(c.rows, "\n"))
		documents, err := Read(text, Options{})
		if err == nil || documents != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.what, err, c.want)
		}
		documents, err = Read(text, Options{Lenient: true})
		if err == nil && (!documents[0].Damaged || !slices.ContainsFunc(documents[0].Warnings, func(w string) bool { return strings.Contains(w, c.want) })) {
			t.Errorf("%s, leniently: %q", c.what, documents[0].Warnings)
		}
	}
	// Puzzles that are made of official pieces say so by a rim or a size.
	corners := official[:4]
	for what, text := range map[string]string{
		"the corners":  strings.Join(corners, "\n"),
		"a size":       "17 15\n" + strings.Join(official[:255], "\n"),
		"four by four": strings.Join(slices.Concat(corners, official[4:12], official[100:104]), "\n"),
	} {
		if d := readOne(t, []byte(text), Options{}); d.Damaged || d.Official {
			t.Errorf("%s: %q", what, d.Warnings)
		}
	}
}

func TestHeaderAgainstThePieces(t *testing.T) {
	official := officialRows()
	for _, c := range []struct{ header, want string }{
		{"Top;Right;Bottom;Left", ""},
		{"N E S W", ""},
		{"Top;Bottom;Left;Right", "official set: with sides in order top right bottom left; the text says top bottom left right and is wrong"},
		{"# up down right left", "the text says top bottom right left and is wrong"},
	} {
		d := readOne(t, []byte(c.header+"\n"+strings.Join(official, "\n")), Options{})
		if !d.Official || strings.Join(d.Warnings, "|") != c.want && (c.want == "" || !strings.Contains(d.Warnings[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.header, d.Warnings, c.want)
		}
	}
	list := written(t, generated(t, 5), "e2pieces")
	d := readOne(t, slices.Concat([]byte("Top;Bottom;Left;Right\n"), list), Options{})
	checkWarnings(t, d, []string{"the sides are read as top bottom left right, which the text says, and would fit as top right bottom left", "other piece set"})
}

func TestColoursOutOfRange(t *testing.T) {
	own := strings.Split(string(bytes.TrimSpace(written(t, generated(t, 5), "e2pieces"))), "\n")
	official := officialRows()
	wide := strings.Repeat("0000001111100111,", 3)
	for _, c := range []struct{ what, text, want string }{
		{"below 0", strings.Join(slices.Concat(official[:4], []string{"0 0 -1 3", "-2 0 0 0"}, official[6:]), "\n"), `lines 5, 6: -1 in "0 0 -1 3", want numbers from 0`},
		{"above the limit", strings.Join(slices.Concat(official[:4], []string{"0 0 999 3"}, official[5:]), "\n"), "line 5: "},
		{"above the limit in another set", strings.Join(slices.Concat(own[:4], []string{"0 0 999 3"}, own[5:]), "\n"), "line 5: colour 999 in `0 0 999 3`, want 0 to 254"},
		{"above the limit in two rows", "1 255 2 3\n1 2 3 4\n256 1 1 1\n1 2 3 4", "lines 1, 3: colour 255"},
		{"above the limit in a table", "2\n" + strings.Repeat(wide+wide[:16]+"\n", 4), "lines 2, 3, 4, 5: colour 999"},
	} {
		for _, lenient := range []bool{false, true} {
			if documents, err := Read([]byte(c.text), Options{Lenient: lenient}); err == nil || documents != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want one that says %q", c.what, err, c.want)
			}
		}
	}
}
