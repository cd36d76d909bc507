// Package repair holds the ways to fill the hole of a board again: one method a
// file, and all of them in list.go.
package repair

import (
	"lastmile/puzzle"
)

// Method fills holes with the pieces that were lifted from them.
type Method interface {
	// Repair fills the empty cells of the hole with the given pieces, as many
	// as there are cells, all in the hand. On a framed puzzle the pieces must
	// have the grey that the cells ask for, as the pieces lifted from those
	// cells have. Cells outside the hole may be empty too: they ask for nothing.
	Repair(b *puzzle.Board, hole, pieces []int) Verdict
}

// Verdict says how a hole was filled.
type Verdict int

// The verdicts.
const (
	// Heuristic is by a method that proves nothing.
	Heuristic Verdict = iota
	// Optimal says that no way to fill the hole with its pieces has fewer
	// breaks.
	Optimal
	// Fallback says that the method does not apply to the hole, or has reached
	// its bound: the hole is filled greedily or better, and nothing is proved.
	Fallback
)
