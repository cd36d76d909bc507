package notation_test

import (
	"fmt"
	"os"

	"lastmile/notation"
	"lastmile/puzzle"
)

func ExampleRead() {
	documents, err := notation.Read([]byte("https://e2.bucas.name/#puzzle=Joshua_Blackwood_470"), notation.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := documents[0]
	fmt.Println(d.Dialect, d.Name, d.Official, d.Grid.Tally().Matched)
	// Output: bucas Joshua_Blackwood_470 true 470
}

func ExampleRead_fault() {
	_, err := notation.Read([]byte("puzzle=t&board_w=2&board_h=2&board_edges=abcaabca"), notation.Options{})
	fmt.Println(err)
	// Output: bucas: board_edges: 8 letters, want 16 for 2x2
}

func ExampleWrite() {
	p, solution, _ := puzzle.Generate(puzzle.Spec{Width: 3, Height: 2, Colours: 2, Seed: 1})
	b := puzzle.NewBoard(p)
	b.Load(solution[:4])
	if err := notation.Write(os.Stdout, notation.FromBoard(b, "small"), "pieces"); err != nil {
		fmt.Println(err)
	}
	err := notation.Write(os.Stdout, notation.FromBoard(b, "small"), "edges")
	fmt.Println(err)
	// Output:
	// 1/0 6/3 2/0
	// 4/1 -/- -/-
	// edges: a board of 3x2, want a square one (bare letters do not tell the size), or bucas
}
