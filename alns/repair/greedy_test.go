package repair

import (
	"fmt"
	"maps"
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

// The repair does what the page says, word by word, and with a coin what its
// comment says: the slow twin.
func TestGreedyAgainstItsPage(t *testing.T) {
	for _, spec := range []puzzle.Spec{
		{Width: 6, Height: 6, Colours: 4, Seed: 1}, {Width: 5, Height: 8, Colours: 6, Seed: 2, Unframed: true},
		{Width: 1, Height: 8, Colours: 2, Seed: 3}, {Width: 2, Height: 5, Colours: 2, Seed: 4}, {Width: 16, Height: 16, Colours: 22, Seed: 5},
	} {
		b := shuffled(t, spec)
		p := b.Puzzle()
		coin, twin := random.New(spec.Seed, "coin", 0), random.New(spec.Seed, "coin", 0)
		fast, tossing := NewGreedy(p), NewGreedyCoin(p, coin)
		r := random.New(spec.Seed, "greedy test", 0)
		for i := range 200 {
			k := 1 + r.Below(1+r.Below(p.Cells())) // any number, but more often a small one
			hole := destroy.NewHole(b, r)
			destroy.RandomCells(hole, k)
			var pieces []int
			for _, cell := range hole.Cells() {
				pieces = append(pieces, b.Piece(cell))
				b.Remove(cell)
			}
			want := greedyTwin(b, hole.Cells(), pieces, nil)
			fast.Repair(b, hole.Cells(), pieces)
			if got := b.Placements(nil); !slices.Equal(got, want) {
				t.Fatalf("%+v, hole %v: %v, want %v", spec, hole.Cells(), got, want)
			}
			if i%4 > 0 {
				continue
			}
			lifted(b, hole.Cells())
			want = greedyTwin(b, hole.Cells(), pieces, twin)
			tossing.Repair(b, hole.Cells(), pieces)
			if got := b.Placements(nil); !slices.Equal(got, want) {
				t.Fatalf("%+v, hole %v with a coin: %v, want %v", spec, hole.Cells(), got, want)
			}
		}
	}
}

// greedyTwin fills the hole on a copy of the board, with no table and no trick,
// and with a coin if there is one.
func greedyTwin(b *puzzle.Board, hole, pieces []int, coin *random.Stream) []puzzle.Placement {
	p := b.Puzzle()
	c := puzzle.NewBoard(p)
	c.Load(b.Placements(nil))
	hole, pieces = slices.Clone(hole), slices.Clone(pieces)
	for len(hole) > 0 {
		next := mostConstrainedTwin(c, hole)
		cell := hole[next]
		var hand []int
		for _, piece := range pieces {
			if fitsSomehow(p, cell, piece) {
				hand = append(hand, piece)
			}
		}
		start, first := 0, 0
		if coin != nil {
			toss := coin.Below(4 * len(hand))
			start, first = toss/4, toss%4
		}
		laid, turn, best := -1, 0, -1
		for i := range hand {
			piece := hand[(start+i)%len(hand)]
			for i := range 4 {
				r := (first + i) % 4
				if m := wouldMatch(c, cell, piece, r); m > best {
					laid, turn, best = piece, r, m
				}
			}
		}
		c.Place(cell, laid, turn)
		hole = slices.Delete(hole, next, next+1)
		at := slices.Index(pieces, laid)
		pieces = slices.Delete(pieces, at, at+1)
	}
	return c.Placements(nil)
}

// mostConstrainedTwin is the index of the first cell with the most placed
// neighbours.
func mostConstrainedTwin(b *puzzle.Board, hole []int) int {
	next, most := 0, -1
	for i, cell := range hole {
		placed := 0
		for _, n := range b.Puzzle().Neighbours(cell) {
			if n >= 0 && b.Piece(int(n)) != puzzle.Empty {
				placed++
			}
		}
		if placed > most {
			next, most = i, placed
		}
	}
	return next
}

func fitsSomehow(p *puzzle.Puzzle, cell, piece int) bool {
	for r := range 4 {
		if p.FitsAt(cell, piece, r) {
			return true
		}
	}
	return false
}

// wouldMatch is how many seams a placement matches, -1 where it breaks the
// frame rule.
func wouldMatch(b *puzzle.Board, cell, piece, r int) int {
	if !b.Puzzle().FitsAt(cell, piece, r) {
		return -1
	}
	before := b.Score()
	b.Place(cell, piece, r)
	matched := b.Score() - before
	b.Remove(cell)
	return matched
}

// With a coin every way to break the ties comes up, and no other.
func TestGreedyCoinReachesEveryTie(t *testing.T) {
	most := 0
	for i, b := range []*puzzle.Board{
		shuffled(t, puzzle.Spec{Width: 4, Height: 4, Colours: 3, Seed: 1}),
		shuffled(t, puzzle.Spec{Width: 5, Height: 5, Colours: 5, Seed: 2, Unframed: true}),
		shuffled(t, puzzle.Spec{Width: 1, Height: 8, Colours: 2, Seed: 3}),
		noise(t, 4, 4, 3, 4),
	} {
		r := random.New(1, "every tie", i)
		g := NewGreedyCoin(b.Puzzle(), r)
		for range 10 {
			before := b.Placements(nil)
			var hole []int
			for len(hole) < 3 {
				if cell := r.Below(b.Puzzle().Cells()); !slices.Contains(hole, cell) {
					hole = append(hole, cell)
				}
			}
			pieces := lifted(b, hole)
			want := map[string]bool{}
			greedyRefills(b, hole, hole, pieces, want)
			most = max(most, len(want))
			got := map[string]bool{}
			for range 100 * len(want) {
				g.Repair(b, hole, pieces)
				got[look(b, hole)] = true
				lifted(b, hole)
			}
			if !maps.Equal(got, want) {
				t.Errorf("scene %d, hole %v: %d refills, want all the %d that ties allow", i, hole, len(got), len(want))
			}
			b.Load(before)
		}
	}
	if most < 20 {
		t.Errorf("at most %d ways to break ties, want a hole with more", most)
	}
}

// greedyRefills adds every refill of the hole that the page allows if any of
// the pieces and rotations that match the most may be laid; left are the cells
// that are still empty.
func greedyRefills(b *puzzle.Board, hole, left, pieces []int, all map[string]bool) {
	if len(left) == 0 {
		all[look(b, hole)] = true
		return
	}
	next := mostConstrainedTwin(b, left)
	cell := left[next]
	left = slices.Delete(slices.Clone(left), next, next+1)
	best := -1
	for range 2 { // the first time for best alone
		goal := best
		for _, piece := range pieces {
			for r := range 4 {
				if b.CellOf(piece) != puzzle.Empty {
					continue
				}
				m := wouldMatch(b, cell, piece, r)
				best = max(best, m)
				if m >= 0 && m == goal {
					b.Place(cell, piece, r)
					greedyRefills(b, hole, left, pieces, all)
					b.Remove(cell)
				}
			}
		}
	}
}

func BenchmarkGreedy(b *testing.B) {
	for _, coin := range []*random.Stream{nil, random.New(1, "coin", 0)} {
		for _, k := range []int{20, 40, 80, 100} {
			b.Run(fmt.Sprintf("coin=%t/k=%d", coin != nil, k), func(b *testing.B) {
				board := nearTop(b)
				benchmarkRepair(b, k, NewGreedyCoin(board.Puzzle(), coin), board)
			})
		}
	}
}
