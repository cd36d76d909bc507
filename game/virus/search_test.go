package virus

import (
	"context"
	"testing"

	"lastmile/game"
)

// BenchmarkSearch searches a middle game to a fixed depth, from nothing.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		name     string
		settings game.Settings
	}{
		{"alpha-beta", game.Settings{}},
		{"table", game.Settings{Table: 16}},
		{"verified", game.Settings{Table: 16, Null: game.VerifiedNull, R: 3}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := game.New(c.settings)
			if err != nil {
				b.Fatal(err)
			}
			board := NewBoard(position(b, Virus, "x1xo3/1xxoo2/2xxo2/2ooxx1/1oo1x2/1o5/o5x x 0 12"), nil)
			var nodes int64
			b.ReportAllocs()
			for b.Loop() {
				s.Forget()
				r, err := s.Run(context.Background(), board, game.Limit{Depth: 9}, nil)
				if err != nil {
					b.Fatal(err)
				}
				nodes += r.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
