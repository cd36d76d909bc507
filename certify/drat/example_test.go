package drat_test

import (
	"context"
	"fmt"
	"strings"

	"lastmile/certify/cnf"
	"lastmile/certify/drat"
)

// No two variables have all four clauses over them.
func ExampleCheck() {
	f := &cnf.Formula{Vars: 2}
	f.Add(1, 2)
	f.Add(1, -2)
	f.Add(-1, 2)
	_, err := drat.Check(context.Background(), f, strings.NewReader("1 0\n0\n"), drat.Text, drat.Limits{})
	fmt.Println(err)
	f.Add(-1, -2)
	stats, err := drat.Check(context.Background(), f, strings.NewReader("1 0\n0\n"), drat.Text, drat.Limits{})
	fmt.Println(stats.Lemmas, err)
	// Output:
	// drat: step 2: lemma 0: not RUP: no conflict by unit propagation
	// 1 <nil>
}
