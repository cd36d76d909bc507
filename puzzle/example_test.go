package puzzle_test

import (
	"fmt"

	"lastmile/puzzle"
)

func ExampleBoard() {
	b := puzzle.NewBoard(puzzle.Official())
	record, _ := puzzle.RecordNamed("riotte-464")
	b.Load(record.Board)
	fmt.Println(b.Score(), "of", b.Puzzle().MaxScore(), "seams,", b.Breaks(), "breaks")

	piece, rotation := b.Piece(119), b.Rotation(119)
	b.Remove(119)
	fmt.Println(b.Score(), "matched,", b.Open(), "open")
	b.Place(119, piece, rotation)
	fmt.Println(b.Score(), "again")
	// Output:
	// 464 of 480 seams, 16 breaks
	// 460 matched, 4 open
	// 464 again
}

func ExampleGenerate() {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 6, Height: 6, Colours: 8, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	fmt.Println(p.Name, b.Score() == p.MaxScore())
	// Output: generated-6x6-8-1 true
}
