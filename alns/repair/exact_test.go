package repair

import (
	"fmt"
	"slices"
	"testing"

	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/random"
)

// recordBoard loads a board of puzzle.Records.
func recordBoard(t testing.TB, name string) *puzzle.Board {
	t.Helper()
	r, ok := puzzle.RecordNamed(name)
	if !ok {
		t.Fatalf("no record %s", name)
	}
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(r.Board)
	return b
}

// grown is a connected hole of k cells that begins with the given ones.
func grown(p *puzzle.Puzzle, r *random.Stream, k int, hole ...int) []int {
	in := map[int]bool{}
	for _, cell := range hole {
		in[cell] = true
	}
	for len(hole) < k {
		n := p.Neighbour(hole[r.Below(len(hole))], r.Below(4))
		if n >= 0 && !in[n] {
			in[n] = true
			hole = append(hole, n)
		}
	}
	return hole
}

// lift takes the pieces of a hole off the board.
func lift(b *puzzle.Board, hole []int) (pieces, turns []int) {
	for _, cell := range hole {
		pieces, turns = append(pieces, b.Piece(cell)), append(turns, b.Rotation(cell))
		b.Remove(cell)
	}
	return pieces, turns
}

// place fills a hole.
func place(b *puzzle.Board, hole, pieces, turns []int) {
	for i, cell := range hole {
		b.Place(cell, pieces[i], turns[i])
	}
}

// putBack fills a hole that has been repaired as it was before.
func putBack(b *puzzle.Board, hole, pieces, turns []int) {
	for _, cell := range hole {
		b.Remove(cell)
	}
	place(b, hole, pieces, turns)
}

// hardCase is a full board that obeys the frame rule, of all sorts of puzzles.
func hardCase(t *testing.T, number int, r *random.Stream) *puzzle.Board {
	t.Helper()
	s := puzzle.Spec{Width: 4 + r.Below(5), Height: 4 + r.Below(5), Colours: 2 + r.Below(8), Seed: uint64(number)}
	switch r.Below(7) {
	case 0:
		s.Unframed = true
	case 1: // thin
		s.Width, s.Height = 1+r.Below(2), 2+r.Below(9)
		if r.Below(2) == 0 {
			s.Width, s.Height = s.Height, s.Width
		}
	case 2: // rim colours that are those of the inside
		s.RimColours = s.Colours
	case 3: // duplicate and symmetric pieces
		s.Colours = 1 + r.Below(2)
	case 4: // grey anywhere
		return noise(t, s.Width, s.Height, s.Colours, s.Seed)
	}
	b := shuffled(t, s)
	if r.Below(2) == 0 { // near a solution
		p, solution, err := puzzle.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		b = puzzle.NewBoard(p)
		b.Load(solution)
	}
	return b
}

// fewest looks for a way to fill the hole with fewer breaks than most, and
// tells how many the best has, or most: plain recursion over pieces and turns.
func fewest(b *puzzle.Board, hole, pieces []int, most int) int {
	base := b.Breaks()
	var fill func(depth int)
	fill = func(depth int) {
		if b.Breaks()-base >= most {
			return
		}
		if depth == len(hole) {
			most = b.Breaks() - base
			return
		}
		for i, piece := range pieces {
			if piece < 0 {
				continue
			}
			pieces[i] = -1
			for turn := range 4 {
				if b.Puzzle().FitsAt(hole[depth], piece, turn) {
					b.Place(hole[depth], piece, turn)
					fill(depth + 1)
					b.Remove(hole[depth])
				}
			}
			pieces[i] = piece
		}
	}
	fill(0)
	return most
}

// exactCases calls check with thousands of holes: connected ones of up to 9
// cells, sometimes with clues beside them, empty cells elsewhere, and other
// pieces in the hand.
func exactCases(t *testing.T, check func(name string, b *puzzle.Board, hole, pieces []int, r *random.Stream)) {
	puzzles := 300
	if testing.Short() {
		puzzles = 60
	}
	for number := range puzzles {
		r := random.New(5, "exact cases", number)
		b := hardCase(t, number, r)
		p := b.Puzzle()
		for hole := range 12 {
			most := 6
			switch {
			case !p.Framed(): // there the twin is slow
				most = 4
			case hole == 0 && p.Colours() > 3:
				most = 9
			}
			cells := grown(p, r, min(p.Cells(), 1+r.Below(most)), r.Below(p.Cells()))
			pieces, turns := lift(b, cells)
			away := []int{}
			for range r.Below(2) * r.Below(4) { // empty cells outside
				if cell := r.Below(p.Cells()); b.Piece(cell) != puzzle.Empty {
					away = append(away, cell)
				}
			}
			slices.Sort(away)
			away = slices.Compact(away)
			awayPieces, awayTurns := lift(b, away)
			check(fmt.Sprintf("puzzle %d of %d by %d, hole %v with %v, empty %v", number, p.Width, p.Height, cells, pieces, away), b, cells, pieces, r)
			place(b, away, awayPieces, awayTurns)
			if r.Below(2) == 0 {
				putBack(b, cells, pieces, turns)
			}
		}
	}
}

// sound sees that a hole is full, of the right pieces, and that the board has
// kept count.
func sound(t *testing.T, name string, b *puzzle.Board, hole, pieces []int) {
	t.Helper()
	var on []int
	for _, cell := range hole {
		on = append(on, b.Piece(cell))
		if on[len(on)-1] == puzzle.Empty || !b.Puzzle().FitsAt(cell, b.Piece(cell), b.Rotation(cell)) {
			t.Fatalf("%s: cell %d holds %d turned by %d", name, cell, b.Piece(cell), b.Rotation(cell))
		}
	}
	want := slices.Clone(pieces)
	slices.Sort(on)
	slices.Sort(want)
	if !slices.Equal(on, want) {
		t.Fatalf("%s: pieces %v", name, on)
	}
	anew := puzzle.NewBoard(b.Puzzle())
	anew.Load(b.Placements(nil))
	if anew.Score() != b.Score() || anew.Breaks() != b.Breaks() || anew.Filled() != b.Filled() {
		t.Fatalf("%s: score %d, %d breaks; anew %d, %d", name, b.Score(), b.Breaks(), anew.Score(), anew.Breaks())
	}
}

// The repair leaves as many breaks as the plain twin finds to be the fewest.
func TestExactAgainstTwin(t *testing.T) {
	better, many := 0, 0
	exactCases(t, func(name string, b *puzzle.Board, hole, pieces []int, r *random.Stream) {
		base := b.Breaks()
		asGiven := slices.Clone(hole)
		verdict := NewExact(b.Puzzle(), r, 1<<40).Repair(b, hole, pieces)
		got := b.Breaks() - base
		sound(t, name, b, hole, pieces)
		if verdict != Optimal || !slices.Equal(hole, asGiven) {
			t.Fatalf("%s: verdict %v, hole %v afterwards", name, verdict, hole)
		}
		placed := b.Placements(nil)
		lift(b, hole)
		limit := got // to prove that there is no better one
		if len(hole) <= 4 {
			limit = 1 << 20
		}
		if want := fewest(b, hole, slices.Clone(pieces), limit); want != got {
			t.Fatalf("%s: %d breaks, want %d", name, got, want)
		}
		NewGreedy(b.Puzzle()).Repair(b, hole, pieces)
		many++
		if b.Breaks()-base > got {
			better++
		}
		b.Load(placed)
	})
	if many < 500 || better < many/10 {
		t.Errorf("better than greedy %d times of %d", better, many)
	}
}

// With few nodes the repair is never worse than the greedy one that it starts
// with, and claims no more than is true.
func TestExactCutShort(t *testing.T) {
	count := map[Verdict]int{}
	exactCases(t, func(name string, b *puzzle.Board, hole, pieces []int, _ *random.Stream) {
		base := b.Breaks()
		NewGreedy(b.Puzzle()).Repair(b, hole, pieces)
		greedy := b.Breaks() - base
		lift(b, hole)
		fewestBreaks := -1
		for _, nodes := range []int64{1, 5, 20} {
			x := NewExact(b.Puzzle(), random.New(9, name, 0), nodes)
			verdict := x.Repair(b, hole, pieces)
			got := b.Breaks() - base
			sound(t, name, b, hole, pieces)
			if n := x.refill.Nodes(); n > nodes {
				t.Fatalf("%s: %d nodes, want %d at most", name, n, nodes)
			}
			count[verdict]++
			lift(b, hole)
			if got > greedy {
				t.Fatalf("%s: %d breaks with %d nodes, greedy has %d", name, got, nodes, greedy)
			}
			if verdict == Fallback {
				continue
			}
			if fewestBreaks < 0 {
				fewestBreaks = fewest(b, hole, slices.Clone(pieces), got)
			}
			if got != fewestBreaks || verdict != Optimal {
				t.Fatalf("%s: verdict %v of %d breaks, want %d", name, verdict, got, fewestBreaks)
			}
		}
		NewGreedy(b.Puzzle()).Repair(b, hole, pieces)
	})
	if count[Fallback] < 50 || count[Optimal] < 50 {
		t.Errorf("verdicts %v, want many of both", count)
	}
}

// On windows of the record boards it finds what an exhaustion finds.
func TestExactAgainstExhaust(t *testing.T) {
	for _, rec := range puzzle.Records() {
		if testing.Short() && rec.Name != "riotte-464" {
			continue
		}
		b := recordBoard(t, rec.Name)
		p := b.Puzzle()
		x := NewExact(p, random.New(2, rec.Name, 0), 1<<40)
		for corner := 0; corner < p.Cells(); corner += 5 {
			row, column := min(corner/p.Width, p.Height-4), min(corner%p.Width, p.Width-4)
			var hole []int
			for i := range 16 {
				hole = append(hole, (row+i/4)*p.Width+column+i%4)
			}
			pieces, turns := lift(b, hole)
			base := b.Breaks()
			order, err := ledger.Arrange(b, ledger.Closing)
			if err != nil {
				t.Fatal(err)
			}
			r, err := ledger.Exhaust(t.Context(), &ledger.Problem{Board: b, Order: order, Budget: 6, Mode: ledger.Candidate, Best: true}, ledger.Plan{})
			if err != nil {
				t.Fatal(err)
			}
			verdict := x.Repair(b, hole, pieces)
			got := b.Breaks() - base
			sound(t, rec.Name, b, hole, pieces)
			if verdict != Optimal || r.Breaks >= 0 && got != r.Breaks || r.Breaks < 0 && got <= 6 {
				t.Errorf("%s, window at %d: %d breaks, verdict %v, want %d", rec.Name, hole[0], got, verdict, r.Breaks)
			}
			putBack(b, hole, pieces, turns)
		}
	}
}

// The same stream gives the same boards, and several best ones come out.
func TestExactFollowsItsStream(t *testing.T) {
	b := recordBoard(t, "riotte-464")
	p := b.Puzzle()
	run := func(x *Exact, hole, pieces, turns []int) string {
		lift(b, hole)
		x.Repair(b, hole, pieces)
		board := fmt.Sprint(b.Placements(nil))
		putBack(b, hole, pieces, turns)
		return board
	}
	one, two := random.New(3, "exact", 0), random.New(3, "exact", 0)
	first, second := NewExact(p, one, 2000), NewExact(p, two, 2000)
	r, varied := random.New(4, "holes", 0), 0
	for range 100 {
		x, y := b.Mismatch(r.Below(b.Breaks()))
		hole := grown(p, r, 2+r.Below(20), x, y)
		pieces, turns := lift(b, hole)
		place(b, hole, pieces, turns)
		board := run(first, hole, pieces, turns)
		if run(second, hole, pieces, turns) != board {
			t.Fatalf("hole %v: two boards from one stream", hole)
		}
		again := run(first, hole, pieces, turns)
		if run(second, hole, pieces, turns) != again {
			t.Fatalf("hole %v: two boards from one stream", hole)
		}
		if again != board {
			varied++
		}
	}
	if one.Uint64() != two.Uint64() {
		t.Error("the streams part")
	}
	if varied == 0 {
		t.Errorf("%d of 100 holes were filled in two ways, want some", varied)
	}
}

func TestExactAllocatesNothing(t *testing.T) {
	b := recordBoard(t, "riotte-464")
	p := b.Puzzle()
	r := random.New(4, "allocations", 0)
	x := NewExact(p, r, 2000)
	for _, k := range []int{4, 9, 16} {
		one, two := b.Mismatch(r.Below(b.Breaks()))
		hole := grown(p, r, k, one, two)
		pieces, turns := lift(b, hole)
		place(b, hole, pieces, turns)
		repair := func() {
			for _, cell := range hole {
				b.Remove(cell)
			}
			x.Repair(b, hole, pieces)
			putBack(b, hole, pieces, turns)
		}
		for range 50 {
			repair()
		}
		if n := testing.AllocsPerRun(100, repair); n != 0 {
			t.Errorf("%d cells: %v allocations", k, n)
		}
	}
}

// Connected holes round a random broken seam of a record board: how long the
// greedy repair and the search take, how often the search stays undecided, and
// how many breaks are left more than on the record.
func BenchmarkExact(b *testing.B) {
	board := recordBoard(b, "riotte-464")
	p := board.Puzzle()
	type lifted struct{ hole, pieces, turns []int }
	for _, k := range []int{4, 6, 9, 12, 16, 20, 24} {
		r := random.New(1, "bench", k)
		var holes []lifted
		for range 512 {
			x, y := board.Mismatch(r.Below(board.Breaks()))
			hole := grown(p, r, k, x, y)
			pieces, turns := lift(board, hole)
			place(board, hole, pieces, turns)
			holes = append(holes, lifted{hole, pieces, turns})
		}
		for _, m := range []struct {
			name   string
			method Method
		}{
			{"coin", NewGreedyCoin(p, r)},
			{"exact", NewExact(p, r, 2000)},
		} {
			b.Run(fmt.Sprintf("%s/k=%d", m.name, k), func(b *testing.B) {
				i, capped, nodes := 0, 0, int64(0)
				was, more := board.Score(), 0
				b.ReportAllocs()
				for b.Loop() {
					h := holes[i%len(holes)]
					i++
					for _, cell := range h.hole {
						board.Remove(cell)
					}
					if m.method.Repair(board, h.hole, h.pieces) == Fallback {
						capped++
					}
					if x, ok := m.method.(*Exact); ok {
						nodes += x.refill.Nodes()
					}
					more += was - board.Score()
					putBack(board, h.hole, h.pieces, h.turns)
				}
				n := float64(b.N)
				b.ReportMetric(float64(capped)/n, "capped/op")
				b.ReportMetric(float64(more)/n, "breaks/op")
				b.ReportMetric(float64(nodes)/n, "nodes/op")
			})
		}
	}
}
