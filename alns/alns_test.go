package alns

import (
	"fmt"
	"testing"

	"lastmile/puzzle"
)

// recordBoard is a full board near the top, without its clues pinned.
func recordBoard(tb testing.TB) *puzzle.Board {
	tb.Helper()
	r, ok := puzzle.RecordNamed("riotte-464")
	if !ok {
		tb.Fatal("no riotte-464")
	}
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(r.Board)
	return b
}

// BenchmarkIterate measures one iteration by the size of the hole, on a board
// near the top and on a solved and damaged board of other sizes: the cost must
// follow k, not the board.
func BenchmarkIterate(b *testing.B) {
	for _, k := range []int{12, 20, 40, 80} {
		b.Run(fmt.Sprintf("k=%d/board=16x16", k), func(b *testing.B) { benchmarkIterate(b, recordBoard(b), k) })
	}
	for _, side := range []int{8, 16, 32, 64} {
		for _, k := range []int{20, 40} {
			b.Run(fmt.Sprintf("k=%d/board=%dx%d", k, side, side), func(b *testing.B) {
				p, solution, err := puzzle.Generate(puzzle.Spec{Width: side, Height: side, Colours: 22, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				board := puzzle.NewBoard(p)
				board.Load(solution)
				benchmarkIterate(b, board, k)
			})
		}
	}
}

func benchmarkIterate(b *testing.B, board *puzzle.Board, k int) {
	s, err := NewSearch(board, Options{Smallest: k, Largest: k})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Iterate()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "iterations/s")
}
