package solver_test

import (
	"bytes"
	"context"
	"fmt"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/certify/drat"
	"lastmile/certify/solver"
)

// A formula is decided, and the proof checked: the solver is not believed.
func ExampleNamed() {
	s, err := solver.Named("gophersat")
	if err != nil {
		fmt.Println(err)
		return
	}
	var f cnf.Formula
	a, b := f.Fresh(), f.Fresh()
	f.Add(a, b)
	f.Add(a, -b)
	f.Add(-a, b)
	f.Add(-a, -b)

	var proof bytes.Buffer
	answer, err := s.Solve(context.Background(), &f, &proof, certify.Limits{})
	fmt.Println(answer.Status == certify.Unsatisfiable, err)
	_, err = drat.Check(context.Background(), &f, &proof, drat.Binary, drat.Limits{})
	fmt.Println(err)
	// Output:
	// true <nil>
	// <nil>
}
