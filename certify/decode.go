package certify

import (
	"fmt"

	"lastmile/certify/drat"
	"lastmile/puzzle"
)

// Decode reads a filling of the window from a model, puts it on the board and
// counts what it breaks there. A model that gives no filling, or one that breaks
// more than was asked for, is an error: the solver or the encoding is wrong.
func (q *Question) Decode(model []bool) (filling []puzzle.Placement, breaks int, err error) {
	if len(model) < len(q.choices) {
		return nil, 0, fmt.Errorf("certify: a model of %d variables, want %d", len(model), q.Formula.Vars)
	}
	for i, c := range q.choices {
		if model[i] {
			filling = append(filling, puzzle.Placement{Cell: c.cell, Piece: int(c.Piece), Rotation: int(c.Rotation)})
		}
	}
	_, breaks, err = q.Region.Fill(q.Cells, filling)
	if err == nil && breaks > q.Bound {
		err = fmt.Errorf("certify: a model breaks %d seams, more than %d", breaks, q.Bound)
	}
	return filling, breaks, err
}

// Admits tells whether a filling of the window satisfies the formula: the
// control of an encoding, with a filling that is known to be right, and with one
// that breaks too much.
func (q *Question) Admits(filling []puzzle.Placement) (bool, error) {
	var assumed []int32
	for _, at := range filling {
		p := q.Region.whole.Puzzle()
		look, found := p.Rotated(at.Piece, at.Rotation), false
		for i, c := range q.choices {
			if found = c.cell == at.Cell && int(c.Piece) == at.Piece && c.Edges == look; found {
				assumed = append(assumed, int32(i+1))
				break
			}
		}
		if !found {
			return false, nil // it is left out because it breaks too much by itself
		}
	}
	values, ok := drat.New(q.Formula).Propagate(assumed)
	if !ok {
		return false, nil
	}
	// What nothing forces are sums that need not be reached.
	model := make([]bool, q.Formula.Vars)
	for v := range model {
		model[v] = values[v] > 0
	}
	if !q.Formula.Satisfied(model) {
		return false, fmt.Errorf("certify: a filling leaves the formula undecided")
	}
	return true, nil
}
