package certify_test

import (
	"bytes"
	"context"
	"fmt"

	"lastmile/certify"
	"lastmile/certify/solver"
	"lastmile/puzzle"
)

// The inside of a small board is filled as well as it can be, and the proof that
// it can be no better is written, read and checked.
func ExampleDecide() {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 5, Height: 5, Colours: 4, Seed: 51})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	b.Swap(12, b.Rotation(18), 18, b.Rotation(12)) // cell 18 stays as it is now
	region, err := certify.NewRegion(b, []int{6, 7, 8, 11, 12, 13, 16, 17})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, files := context.Background(), newStore()
	res, err := certify.Decide(ctx, region, certify.Better, certify.Plan{
		Solver: solver.Gophersat{}, Store: files, Name: "inside",
	})
	fmt.Println(res.Verdict, err)
	fmt.Printf("%d breaks before, %d now, %d or more for ever\n", region.Own(), res.Best, res.Floor)

	var manifest bytes.Buffer
	res.Certificate(region).Write(&manifest)
	m, err := certify.Read(&manifest)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(certify.Check(ctx, m, files, 0, 1, nil))
	// Output:
	// found <nil>
	// 3 breaks before, 1 now, 1 or more for ever
	// <nil>
}
