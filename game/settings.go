package game

import (
	"fmt"
	"slices"
)

// NullMove is a way to use null moves: to let the other side move twice, and to
// believe that a position is good enough if it is good enough even so.
type NullMove uint8

// The ways.
const (
	NoNull       NullMove = iota
	PlainNull             // cut where the null move says so
	CheckedNull           // cut if a reduced search without it agrees
	VerifiedNull          // go on one ply shallower with plain null moves, and search again if that disagrees
)

var nullNames = [...]string{"none", "plain", "checked", "verified"}

// String is the name of the way.
func (n NullMove) String() string { return nullNames[n] }

// NullMoves lists the names of the ways.
func NullMoves() []string { return slices.Clone(nullNames[:]) }

// NullMoveNamed returns the way of that name.
func NullMoveNamed(name string) (NullMove, error) {
	i := slices.Index(nullNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("null move %q, want one of %v", name, nullNames)
	}
	return NullMove(i), nil
}

// Settings say how to search. The zero value is alpha-beta alone.
type Settings struct {
	Table int // transposition table, 2^Table entries of 16 bytes; 0 for none

	Null  NullMove
	R     int  // plies by which the search after a null move is shallower than that after a move
	Near  int  // no null move where fewer moves than this are left
	Twice bool // allow a null move after a null move

	// Selective deepening, as Chinook's: each move is looked at by a search of
	// half the depth. One that loses Bad points or more against the position's own
	// value is searched no further; one that wins Good points or more, a fifth
	// deeper. 0 switches either off.
	Bad, Good Points

	// Singular extends, as Deep Blue did, the one good move of a position: where a
	// search of half the depth puts all others so many points below the best. 0
	// switches it off.
	Singular Points

	Late bool // search late, quiet moves a ply or two less deep
	// Quiet goes on at the leaves with moves that gain this much or more, until
	// there is none. 0 switches it off.
	Quiet int
}

// Plain is alpha-beta with a transposition table: full width, fixed depth.
var Plain = Settings{Table: 20}

// Check tells what is wrong with the settings.
func (s Settings) Check() error {
	switch {
	case s.Table < 0 || s.Table > 30:
		return fmt.Errorf("a table of 2^%d entries, want 2^1 to 2^30, or 0 for none", s.Table)
	case int(s.Null) >= len(nullNames):
		return fmt.Errorf("null move %d, want 0 to %d", s.Null, len(nullNames)-1)
	case s.Null == NoNull && (s.R != 0 || s.Near != 0 || s.Twice):
		return fmt.Errorf("null moves are off, so that R %d, near %d and twice %v have no effect", s.R, s.Near, s.Twice)
	case s.Null != NoNull && (s.R < 1 || s.R > 10):
		return fmt.Errorf("null moves with R = %d, want 1 to 10 plies", s.R)
	case s.Near < 0:
		return fmt.Errorf("no null move nearer than %d moves to the end, want 0 or more", s.Near)
	case min(s.Bad, s.Good, s.Singular) < 0 || max(s.Bad, s.Good, s.Singular) > MaxPoints:
		return fmt.Errorf("bad %d, good %d, singular %d points, want 0 to %d", s.Bad, s.Good, s.Singular, MaxPoints)
	case s.Quiet < 0:
		return fmt.Errorf("quiescence by moves that gain %d, want 0 or more", s.Quiet)
	}
	return nil
}
