package certify

import (
	"context"
	"fmt"

	"lastmile/puzzle"
)

// control tests the encoding of a region with the one filling that is known, that
// of the board as it was given: a formula that allows its breaks must admit it,
// one that allows fewer must not.
func (r *Region) control(ctx context.Context, memory int64) error {
	var own []puzzle.Placement
	for _, cell := range r.cells {
		if r.whole.Piece(cell) == puzzle.Empty {
			return nil
		}
		own = append(own, puzzle.Placement{Cell: cell, Piece: r.whole.Piece(cell), Rotation: r.whole.Rotation(cell)})
	}
	for bound := max(0, r.own-1); bound <= r.own; bound++ {
		q, err := r.ask(ctx, r.cells, bound, nil, memory)
		if err != nil {
			return err
		}
		admits, err := q.Admits(own)
		if err != nil {
			return err
		}
		if admits != (bound == r.own) {
			return fmt.Errorf("certify: the formula for at most %d breaks admits the board with %d: %t", bound, r.own, admits)
		}
	}
	return nil
}

// Control tests a solver, by way of all that its answers go through, on a small
// puzzle whose answers are known: the inside of a solved board, which can be
// filled perfectly; the same with two pieces exchanged, which can be improved;
// and the same with one of the two kept where it is wrong, which cannot. The last
// takes a proof with lemmas: nothing is plain from the formula alone.
func Control(ctx context.Context, s Solver) error {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 5, Height: 5, Colours: 6, Seed: 1})
	if err != nil {
		return err
	}
	var inside []int
	for row := 1; row < 4; row++ {
		for column := 1; column < 4; column++ {
			inside = append(inside, 5*row+column)
		}
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	plan := &Plan{Solver: s, Store: nowhere{}}
	ask := func(cells []int, goal Goal) (outcome, error) {
		r, err := NewRegion(b, cells)
		if err != nil {
			return outcome{}, err
		}
		bound := 0
		if goal == Better {
			bound = r.own - 1
		}
		q, err := r.Ask(r.cells, bound, nil)
		if err != nil {
			return outcome{}, err
		}
		o, err := plan.solve(ctx, q, "control")
		if err == nil && o.status == Unknown && ctx.Err() == nil {
			err = fmt.Errorf("no answer: %s", o.why)
		}
		return o, err
	}
	want := func(what string, cells []int, goal Goal, status Status) error {
		o, err := ask(cells, goal)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("certify: control with %s: %w", what, err)
		case o.status != status:
			return fmt.Errorf("certify: control with %s: %s answers %v, want %v", what, s.Name(), o.status, status)
		}
		return nil
	}
	if err := want("a solved board", inside, Perfect, Satisfiable); err != nil {
		return err
	}
	first, last := inside[0], inside[len(inside)-1]
	b.Swap(first, b.Rotation(last), last, b.Rotation(first))
	if err := want("two pieces exchanged", inside, Better, Satisfiable); err != nil {
		return err
	}
	return want("a piece kept where it is wrong", inside[:len(inside)-1], Better, Unsatisfiable)
}

func (s Status) String() string {
	return [...]string{"unknown", "satisfiable", "unsatisfiable"}[s]
}
