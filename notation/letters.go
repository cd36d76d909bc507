package notation

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"lastmile/puzzle"
)

// An order of motifs says which colours the letters of a viewer stand for. The
// letter a is grey in every order.
type order struct {
	name    string
	letters string // letter i stands for the colour of letters[i]; "" for itself
}

// orders are those that viewers know as motifs_order, the default first.
var orders = []order{
	{"default", ""},
	{"jblackwood", "abglqejotchmrfkpudinsvw"},
	{"jef", "atojeqlgbupkfrmhcwvsnid"},
}

func orderNamed(name string) (order, bool) {
	for _, m := range orders {
		if strings.EqualFold(m.name, name) {
			return m, true
		}
	}
	return orders[0], false
}

func orderNames() string {
	all := make([]string, len(orders))
	for i, m := range orders {
		all[i] = m.name
	}
	return strings.Join(all, ", ")
}

// translate reads the letters of a grid in another order. Letters beyond the
// order stay what they are.
func (m order) translate(g *puzzle.Grid) *puzzle.Grid {
	if m.letters == "" {
		return g
	}
	t := puzzle.NewGrid(g.Width, g.Height)
	copy(t.Filled, g.Filled)
	for cell, e := range g.Edges {
		for side, c := range e {
			if int(c) < len(m.letters) {
				c = m.letters[c] - 'a'
			}
			t.Edges[cell][side] = c
		}
	}
	return t
}

// decodeLetters reads four letters a cell, a for grey; four a make an empty
// cell. In a damaged string read leniently the cells that are not legible stay
// empty, and d says so.
func decodeLetters(d *Document, where, s string, width, height int, lenient bool) (*puzzle.Grid, error) {
	letters := []rune(s)
	n, need := len(letters), 4*width*height
	if first, bad := illegible(s); bad > 0 {
		if !lenient || bad == n {
			return nil, badLetters(where, s, first, bad)
		}
		d.warn("%s: the cells are left empty", badLetters(where, s, first, bad))
		d.Damaged = true
	}
	if n != need {
		fault := fault(where, counted(n, "letter"), fmt.Sprintf("%d for %dx%d", need, width, height))
		// Too many letters tell nothing of which are the board's.
		if !lenient || n > need || n < 4 {
			return nil, fault
		}
		d.warn("%s: the cells from %d on are left empty", fault, n/4)
		d.Damaged = true
	}
	g := puzzle.NewGrid(width, height)
	for cell := range min(n/4, width*height) {
		var e puzzle.Edges
		legible := true
		for side := range e {
			l := letters[4*cell+side]
			legible = legible && l >= 'a' && l <= 'z'
			e[side] = uint8(l - 'a')
		}
		if legible && e != (puzzle.Edges{}) {
			g.Edges[cell], g.Filled[cell] = e, true
		}
	}
	return g, nil
}

// illegible counts the characters that are no letters from a to z, and tells
// at which byte the first of them begins.
func illegible(s string) (first, bad int) {
	for i, r := range s {
		if r < 'a' || r > 'z' {
			if bad == 0 {
				first = i
			}
			bad++
		}
	}
	return first, bad
}

func badLetters(where, s string, first, bad int) *Error {
	found := fmt.Sprintf("letter %s at %d", letterAt(s, first), first)
	if bad > 1 {
		found += fmt.Sprintf(" and %d more", bad-1)
	}
	return fault(where, found, "only a to z")
}

// letterAt shows the character at a byte of s.
func letterAt(s string, i int) string {
	if r, _ := utf8.DecodeRuneInString(s[i:]); r > ' ' && r != 0x7f && r != utf8.RuneError {
		return string(r)
	}
	return fmt.Sprintf("0x%02x", s[i])
}

// encodeLetters writes four letters a cell, or says why letters cannot.
func encodeLetters(g *puzzle.Grid) (string, error) {
	s := make([]byte, 0, 4*len(g.Edges))
	for cell, e := range g.Edges {
		if !g.Filled[cell] {
			s = append(s, "aaaa"...)
			continue
		}
		if e == (puzzle.Edges{}) {
			return "", fault(fmt.Sprintf("cell %d", cell), "a piece with four grey sides, which letters write as an empty cell", "json")
		}
		for _, c := range e {
			if c > 25 {
				return "", fault(fmt.Sprintf("cell %d", cell), fmt.Sprintf("colour %d", c), "at most 25 (letters a to z), or json")
			}
			s = append(s, 'a'+c)
		}
	}
	return string(s), nil
}
