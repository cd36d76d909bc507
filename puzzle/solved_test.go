package puzzle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Every bundled solved board is whole, holds each piece once, and is not told by
// the numbers of its pieces.
func TestSolvedBoards(t *testing.T) {
	all := Solved()
	if len(all) != 8 {
		t.Errorf("%d boards, want 8", len(all))
	}
	seen := map[string]string{} // puzzles by their pieces
	for _, s := range all {
		p := s.Puzzle
		if p.Name != s.Name || p.Width != 16 || p.Height != 16 || !p.Framed() || len(p.Clues) != 0 {
			t.Errorf("%s: %q, %dx%d, framed %v, %d clues", s.Name, p.Name, p.Width, p.Height, p.Framed(), len(p.Clues))
		}
		var used [256]bool
		for _, e := range p.Pieces {
			for _, c := range e {
				used[c] = true
			}
		}
		if n := slices.Index(used[:], false); n != 23 || slices.Contains(used[23:], true) {
			t.Errorf("%s: colours end at %d, want grey and 22 more, all used", s.Name, n-1)
		}
		b := NewBoard(p)
		b.Load(s.Board) // refuses a piece or a cell twice
		tally := b.Grid().Tally()
		if b.Filled() != 256 || tally.Matched != 480 || tally.Max != 480 || len(tally.RimFaults) != 0 {
			t.Errorf("%s: %d pieces, %+v", s.Name, b.Filled(), tally)
		}
		inPlace := 0
		for _, q := range s.Board {
			if q.Piece == q.Cell {
				inPlace++
			}
		}
		if inPlace > 16 {
			t.Errorf("%s: %d pieces have the number of their cell", s.Name, inPlace)
		}
		pieces := fmt.Sprint(p.Pieces)
		if other, twice := seen[pieces]; twice {
			t.Errorf("%s and %s are one puzzle", s.Name, other)
		}
		seen[pieces] = s.Name
		if found, ok := SolvedNamed(strings.ToUpper(s.Name)); !ok || found.Name != s.Name {
			t.Errorf("%s is not found by its name", s.Name)
		}
	}
	if _, ok := SolvedNamed("generated-9"); ok {
		t.Error("a board that is not bundled was found")
	}
}
