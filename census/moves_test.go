package census

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// counts are what a twin can tell of moves.
type counts struct {
	tested, improving, neutral, worsening int64
	best                                  int
}

func countsOf(m Moves) counts { return counts{m.Tested, m.Improving, m.Neutral, m.Worsening, m.Best} }

// movesTwin performs every move on a board of its own and scores it anew. It
// keeps the looks that differ from the start in all cells of the move, each
// once.
func movesTwin(t *testing.T, b *puzzle.Board, hold, near []int) [3]counts {
	t.Helper()
	p := b.Puzzle()
	start := b.Placements(nil)
	look := b.Grid()
	after := puzzle.NewBoard(p)
	var found [3]counts
	seen := map[string]int{}
	perform := func(kind int, cells, from []int) {
		for code := range 1 << (2 * len(cells)) {
			lawful := true
			for i, cell := range cells {
				piece, turn := b.Piece(from[i]), code>>(2*i)&3
				lawful = lawful && p.FitsAt(cell, piece, turn) && p.Rotated(piece, turn) != look.Edges[cell]
			}
			if !lawful {
				continue
			}
			after.Load(start)
			for _, cell := range cells {
				after.Remove(cell)
			}
			for i, cell := range cells {
				after.Place(cell, b.Piece(from[i]), code>>(2*i)&3)
			}
			grid := after.Grid()
			var text []byte
			for _, e := range grid.Edges {
				text = append(text, e[:]...)
			}
			name := string(text)
			if other, again := seen[name]; again {
				if other != kind {
					t.Errorf("a look under the kinds %s and %s", MoveKinds[other], MoveKinds[kind])
				}
				continue
			}
			seen[name] = kind
			c := &found[kind]
			change := grid.Tally().Matched - look.Tally().Matched
			if c.tested == 0 || change > c.best {
				c.best = change
			}
			c.tested++
			switch {
			case change > 0:
				c.improving++
			case change == 0:
				c.neutral++
			default:
				c.worsening++
			}
		}
	}
	free := func(cell int) bool { return b.Piece(cell) != puzzle.Empty && !slices.Contains(hold, cell) }
	beside := func(cell int) bool { return free(cell) && slices.Contains(near, cell) }
	for a := range p.Cells() {
		if !free(a) {
			continue
		}
		perform(0, []int{a}, []int{a})
		for c := range a {
			if !free(c) {
				continue
			}
			perform(1, []int{a, c}, []int{c, a})
			for d := range c {
				if beside(a) && beside(c) && beside(d) {
					perform(2, []int{a, c, d}, []int{c, d, a})
					perform(2, []int{a, c, d}, []int{d, a, c})
				}
			}
		}
	}
	return found
}

// shuffled is a board of the puzzle at random under the frame rule, of which
// every third piece or so lies as in the solution and some cells may be empty.
func shuffled(p *puzzle.Puzzle, solution []puzzle.Placement, empty int, r *random.Stream) *puzzle.Board {
	b := puzzle.NewBoard(p)
	for _, q := range solution {
		if r.Below(3) == 0 {
			b.Place(q.Cell, q.Piece, q.Rotation)
		}
	}
	for cell := range p.Cells() {
		if b.Piece(cell) != puzzle.Empty {
			continue
		}
		fits := slices.Clone(p.Fits(cell))
		r.Shuffle(len(fits), func(i, j int) { fits[i], fits[j] = fits[j], fits[i] })
		for _, o := range fits {
			if b.CellOf(int(o.Piece)) == puzzle.Empty {
				b.Place(cell, int(o.Piece), int(o.Rotation))
				break
			}
		}
	}
	for range empty {
		if cell := r.Below(p.Cells()); b.Piece(cell) != puzzle.Empty {
			b.Remove(cell)
		}
	}
	return b
}

// agree holds the counts against the twin's, and performs the moves that are
// named as the best.
func agree(t *testing.T, name string, b *puzzle.Board, hold, near []int) {
	t.Helper()
	found, err := MovesOf(context.Background(), b, hold, near)
	if err != nil {
		t.Fatal(err)
	}
	want := movesTwin(t, b, hold, near)
	for kind, m := range found {
		if got := countsOf(m); got != want[kind] || m.Kind != MoveKinds[kind] {
			t.Errorf("%s, %s: %+v, the twin counts %+v", name, m.Kind, got, want[kind])
		}
		if m.Tested == 0 {
			if len(m.Move) > 0 {
				t.Errorf("%s, %s: a best move of none", name, m.Kind)
			}
			continue
		}
		after := puzzle.NewBoard(b.Puzzle())
		after.Load(b.Placements(nil))
		for _, q := range m.Move {
			after.Remove(q.Cell)
		}
		for _, q := range m.Move {
			if !b.Puzzle().FitsAt(q.Cell, q.Piece, q.Rotation) || slices.Contains(hold, q.Cell) {
				t.Errorf("%s, %s: the best move breaks a rule: %v", name, m.Kind, m.Move)
			}
			after.Place(q.Cell, q.Piece, q.Rotation)
		}
		if len(m.Move) != kind+1 || after.Score()-b.Score() != m.Best {
			t.Errorf("%s, %s: %v changes the score by %d, want %d", name, m.Kind, m.Move, after.Score()-b.Score(), m.Best)
		}
	}
}

func everyCell(p *puzzle.Puzzle) (cells []int) {
	for cell := range p.Cells() {
		cells = append(cells, cell)
	}
	return cells
}

// Sizes down to one cell, framed or not, with few colours for symmetric pieces
// and twins, full and with holes, held cells and 3-cycles of all cells or of
// those at breaks.
func TestMovesAgreeWithTwin(t *testing.T) {
	type size struct{ width, height int }
	sizes := []size{{1, 1}, {1, 4}, {4, 1}, {2, 2}, {2, 3}, {3, 3}, {4, 3}, {4, 4}}
	if !testing.Short() {
		sizes = append(sizes, size{5, 5})
	}
	for _, size := range sizes {
		for seed := range uint64(2) {
			for _, spec := range []puzzle.Spec{{Colours: 1}, {Colours: 3}, {Colours: 6}, {Colours: 1, Unframed: true}, {Colours: 2, Unframed: true}, {Colours: 4, Unframed: true}} {
				cells := size.width * size.height
				if (spec.Unframed || cells > 16) && cells > 9 && (seed > 0 || spec.Colours < 4) {
					continue // the twin would take seconds
				}
				spec.Width, spec.Height, spec.Seed = size.width, size.height, seed
				p, solution, err := puzzle.Generate(spec)
				if err != nil {
					t.Fatal(err)
				}
				r := random.New(seed, "moves", 0)
				b := shuffled(p, solution, int(seed), r)
				name := fmt.Sprintf("%s, unframed %v", p.Name, spec.Unframed)
				near := b.BrokenCells()
				if p.Cells() <= 12 || p.Framed() && p.Cells() <= 16 {
					near = everyCell(p)
				}
				agree(t, name, b, nil, near)
				if p.Cells() <= 9 {
					agree(t, name+", held", b, []int{0, r.Below(p.Cells())}, b.BrokenCells())
					b.Load(solution)
					agree(t, name+", solved", b, nil, near)
				}
			}
		}
	}
}

// Grey anywhere, so that grey sides meet, and pieces that are all alike.
func TestMovesOfOddSets(t *testing.T) {
	for seed := range uint64(8) {
		r := random.New(seed, "odd", 0)
		pieces := make([]puzzle.Edges, 9)
		for i := range pieces {
			for side := range 4 {
				pieces[i][side] = uint8(r.Below(3))
			}
			if i > 0 && r.Below(2) == 0 {
				pieces[i] = pieces[r.Below(i)].Rotated(r.Below(4))
			}
		}
		p, err := puzzle.New("odd", 3, 3, pieces, nil)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, fmt.Sprint(pieces), shuffled(p, nil, int(seed%3), r), nil, everyCell(p))
	}
	alike := make([]puzzle.Edges, 4)
	for i := range alike {
		alike[i] = puzzle.Edges{1, 2, 3, 4}
	}
	p, err := puzzle.New("alike", 2, 2, alike, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := shuffled(p, nil, 0, random.New(1, "alike", 0))
	found, err := MovesOf(context.Background(), b, nil, everyCell(p))
	if err != nil {
		t.Fatal(err)
	}
	// Each cell has three other looks: 4 cells, 6 pairs, 4 triples in one direction.
	for kind, want := range []int64{4 * 3, 6 * 9, 4 * 27} {
		if found[kind].Tested != want {
			t.Errorf("%s of four twins: %d, want %d", found[kind].Kind, found[kind].Tested, want)
		}
	}
}

// What the pieces of the official set allow, whatever the board: no symmetric
// piece, no twins, and the frame rule parts corners, edges and the inside.
func TestNumberOfMoves(t *testing.T) {
	for _, record := range puzzle.Records()[:2] {
		b := puzzle.NewBoard(puzzle.Official())
		b.Load(record.Board)
		found, err := MovesOf(context.Background(), b, nil, everyCell(b.Puzzle()))
		if err != nil {
			t.Fatal(err)
		}
		choose3 := func(n int64) int64 { return n * (n - 1) * (n - 2) / 6 }
		for kind, want := range []int64{
			196 * 3,
			4*3/2 + 56*55/2 + 196*195/2*16,
			2 * (choose3(4) + choose3(56) + choose3(196)*64),
		} {
			if m := found[kind]; m.Tested != want || m.Improving+m.Neutral+m.Worsening != want || m.Cells != 256 {
				t.Errorf("%s, %s: %+v, want %d tested", record.Name, m.Kind, m, want)
			}
		}
	}
}

func TestMovesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(puzzle.Records()[0].Board)
	if _, err := MovesOf(ctx, b, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestTooManyCycles(t *testing.T) {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 46, Height: 45, Colours: 30})
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	if _, err := MovesOf(context.Background(), b, nil, everyCell(p)); err == nil {
		t.Errorf("3-cycles of %d cells were counted, want at most %d", p.Cells(), MaxCycleCells)
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(puzzle.Records()[0].Board)
	s, cells := newSurvey(b), b.BrokenCells()
	s.found.Move = make([]puzzle.Placement, 0, 3)
	next := s.board.Puzzle().Neighbour(cells[0], puzzle.Down)
	far := cells[len(cells)-1]
	moves := []shift{{3, [3]int{cells[0], next, far}, [3]int{next, far, cells[0]}}, {2, [3]int{cells[0], far}, [3]int{far, cells[0]}}}
	if n := testing.AllocsPerRun(100, func() {
		s.found.Tested = 0
		s.together(moves[0])
		s.found.Tested = 0
		s.apart(moves[1], s.fit(cells[0], far), s.fit(far, cells[0]), unmoved)
	}); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestWordMatches(t *testing.T) {
	r := random.New(1, "words", 0)
	for range 10_000 {
		var e, f puzzle.Edges
		want := 0
		for side := range 4 {
			values := []uint8{0, 1, 2, 127, 128, 254, 255}
			e[side], f[side] = values[r.Below(len(values))], values[r.Below(len(values))]
			if e[side] == f[side] {
				want++
			}
		}
		if got := wordOf(e).matches(wordOf(f)); got != want {
			t.Fatalf("%v and %v: %d, want %d", e, f, got, want)
		}
	}
}

func benchmarkMoves(b *testing.B, board func(*puzzle.Puzzle) []puzzle.Placement, near func(*puzzle.Board) []int) {
	p := puzzle.Official()
	at := puzzle.NewBoard(p)
	at.Load(board(p))
	var moves int64
	for range b.N {
		found, err := MovesOf(context.Background(), at, nil, near(at))
		if err != nil {
			b.Fatal(err)
		}
		moves = found[0].Tested + found[1].Tested + found[2].Tested
	}
	b.ReportMetric(float64(moves), "moves/op")
	b.ReportMetric(float64(moves)*float64(b.N)/b.Elapsed().Seconds(), "moves/s")
}

func record(*puzzle.Puzzle) []puzzle.Placement { return puzzle.Records()[1].Board }

func BenchmarkSwaps(b *testing.B) {
	benchmarkMoves(b, record, func(*puzzle.Board) []int { return nil })
}

func BenchmarkCyclesAtBreaks(b *testing.B) {
	benchmarkMoves(b, record, (*puzzle.Board).BrokenCells)
}

func BenchmarkCyclesEverywhere(b *testing.B) {
	benchmarkMoves(b, record, func(at *puzzle.Board) []int { return everyCell(at.Puzzle()) })
}

// On a bad board few cycles can be told apart by their bounds.
func BenchmarkCyclesOfABadBoard(b *testing.B) {
	benchmarkMoves(b, func(p *puzzle.Puzzle) []puzzle.Placement {
		return shuffled(p, nil, 0, random.New(1, "bad", 0)).Placements(nil)
	}, func(at *puzzle.Board) []int { return everyCell(at.Puzzle()) })
}
