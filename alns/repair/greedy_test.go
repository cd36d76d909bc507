package repair

import (
	"slices"
	"testing"

	"lastmile/alns/destroy"
	"lastmile/puzzle"
	"lastmile/random"
)

// shuffled gives a solved board with some pieces exchanged within their kind.
func shuffled(t *testing.T, s puzzle.Spec) *puzzle.Board {
	t.Helper()
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	r := random.New(s.Seed, "shuffled", 0)
	for range p.Cells() {
		x, y := r.Below(p.Cells()), r.Below(p.Cells())
		if p.RimMask(x) == p.RimMask(y) || s.Unframed {
			b.Swap(x, b.Rotation(y), y, b.Rotation(x))
		}
	}
	return b
}

// The repair does what the page says, word by word: the slow twin.
func TestGreedyAgainstItsPage(t *testing.T) {
	for _, spec := range []puzzle.Spec{
		{Width: 6, Height: 6, Colours: 4, Seed: 1}, {Width: 5, Height: 8, Colours: 6, Seed: 2, Unframed: true},
		{Width: 1, Height: 8, Colours: 2, Seed: 3}, {Width: 2, Height: 5, Colours: 2, Seed: 4}, {Width: 16, Height: 16, Colours: 22, Seed: 5},
	} {
		b := shuffled(t, spec)
		p := b.Puzzle()
		fast := NewGreedy(p)
		r := random.New(spec.Seed, "greedy test", 0)
		for range 200 {
			k := 1 + r.Below(p.Cells())
			hole := destroy.NewHole(b, r)
			destroy.RandomCells(hole, k)
			var pieces []int
			for _, cell := range hole.Cells() {
				pieces = append(pieces, b.Piece(cell))
				b.Remove(cell)
			}
			want := greedyTwin(b, hole.Cells(), pieces)
			fast.Repair(b, hole.Cells(), pieces)
			if got := b.Placements(nil); !slices.Equal(got, want) {
				t.Fatalf("%+v, hole %v: %v, want %v", spec, hole.Cells(), got, want)
			}
		}
	}
}

// greedyTwin fills the hole on a copy of the board, with no table and no trick.
func greedyTwin(b *puzzle.Board, hole, pieces []int) []puzzle.Placement {
	p := b.Puzzle()
	c := puzzle.NewBoard(p)
	c.Load(b.Placements(nil))
	hole, pieces = slices.Clone(hole), slices.Clone(pieces)
	for len(hole) > 0 {
		next, most := 0, -1
		for i, cell := range hole {
			placed := 0
			for _, n := range p.Neighbours(cell) {
				if n >= 0 && c.Piece(int(n)) != puzzle.Empty {
					placed++
				}
			}
			if placed > most {
				next, most = i, placed
			}
		}
		at, turn, best := -1, 0, -1
		for i, piece := range pieces {
			for r := range 4 {
				if !p.FitsAt(hole[next], piece, r) {
					continue
				}
				before := c.Score()
				c.Place(hole[next], piece, r)
				if c.Score()-before > best {
					at, turn, best = i, r, c.Score()-before
				}
				c.Remove(hole[next])
			}
		}
		c.Place(hole[next], pieces[at], turn)
		hole = slices.Delete(hole, next, next+1)
		pieces = slices.Delete(pieces, at, at+1)
	}
	return c.Placements(nil)
}
