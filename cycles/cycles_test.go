package cycles

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

func record(t testing.TB, name string) *puzzle.Board {
	t.Helper()
	r, found := puzzle.RecordNamed(name)
	if !found {
		t.Fatalf("no board %s", name)
	}
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(r.Board)
	return b
}

func turned(t testing.TB, b *puzzle.Board, turns int) *puzzle.Board {
	t.Helper()
	placements, err := b.Puzzle().Turned(b.Placements(nil), turns)
	if err != nil {
		t.Fatal(err)
	}
	c := puzzle.NewBoard(b.Puzzle())
	c.Load(placements)
	return c
}

func between(t testing.TB, a, b *puzzle.Board) *Comparison {
	t.Helper()
	c, err := Between(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTwoPiecesExchanged(t *testing.T) {
	a, b := record(t, "mcgavin-469"), record(t, "mcgavin-469")
	b.Swap(100, b.Rotation(37), 37, b.Rotation(100))
	c := between(t, a, b)
	if want := []Cycle{{[]int{37, 100}}}; !reflect.DeepEqual(c.Cycles, want) || c.Moved() != 2 || len(c.Turned) != 0 || len(c.Fixed) != 254 || c.Differ() != 2 {
		t.Errorf("cycles %v, %d moved, %d turned, %d fixed", c.Cycles, c.Moved(), len(c.Turned), len(c.Fixed))
	}
}

func TestTurnedBoardIsTheSame(t *testing.T) {
	a := record(t, "mcgavin-469")
	for turns := range 4 {
		c := between(t, a, turned(t, a, turns))
		if c.Moved() != 0 || len(c.Turned) != 0 || len(c.Fixed) != 256 || c.Turns != (4-turns)&3 || len(c.Parts()) != 0 {
			t.Errorf("%d quarter turns: %d moved, %d turned, turns %d", turns, c.Moved(), len(c.Turned), c.Turns)
		}
	}
}

// A board and one that is turned, and differs by a cycle of three and a piece
// turned in place.
func TestTurnsAndCyclesTogether(t *testing.T) {
	a := record(t, "blackwood-470")
	b := turned(t, a, 0)
	b.Swap(20, 0, 50, 1)
	b.Swap(50, 2, 90, 3)
	b.Swap(70, b.Rotation(70)^1, 70, 0)
	c := between(t, a, turned(t, b, 1))
	if want := []Cycle{{[]int{20, 90, 50}}}; !reflect.DeepEqual(c.Cycles, want) || !slices.Equal(c.Turned, []int{70}) || c.Turns != 3 {
		t.Errorf("cycles %v, turned %v, turns %d", c.Cycles, c.Turned, c.Turns)
	}
	if n := c.TallySubsets(); n.Tested != 2 || n.AtLeastStart != 0 {
		t.Errorf("subsets %+v", n)
	}
}

func TestRecordsAgainstNaiveTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("scans whole boards some ten thousand times")
	}
	a, b := record(t, "riotte-464"), record(t, "pejic-465")
	c := between(t, a, b)
	for i, y := range c.Cycles {
		for _, f := range []Filling{Exchanged, Copied, Vacant} {
			for x := range c.Prefixes(i, f) {
				if (x.Start+x.Moves)%29 > 0 {
					continue
				}
				score, boundary := naivePrefix(c, y.Cells, x.Start, x.Moves, f)
				if score != x.Score || boundary != x.Boundary {
					t.Fatalf("%s %+v: the twin says score %d, boundary %d", f, x, score, boundary)
				}
			}
		}
	}
}

// Empty cells make chains, and pieces that one board alone holds.
func TestPartialBoards(t *testing.T) {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 4, Height: 4, Colours: 12, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	full := puzzle.NewBoard(p)
	full.Load(solution)
	load := func(change func(b *puzzle.Board)) *puzzle.Board {
		b := puzzle.NewBoard(p)
		b.Load(solution)
		change(b)
		return b
	}
	shift := load(func(b *puzzle.Board) { // 5 to 6, 6 to 9; 9 leaves
		five, six := b.Piece(5), b.Piece(6)
		for _, cell := range []int{5, 6, 9} {
			b.Remove(cell)
		}
		b.Place(6, five, 0)
		b.Place(9, six, 0)
	})
	for name, x := range map[string]struct {
		a, b         *puzzle.Board
		chains       []Chain
		onlyA, onlyB int
		moved        int
	}{
		"a piece leaves":  {full, load(func(b *puzzle.Board) { b.Remove(3) }), []Chain{{[]int{3}}}, 1, 0, 0},
		"a piece comes":   {load(func(b *puzzle.Board) { b.Remove(3) }), full, []Chain{{[]int{3}}}, 0, 1, 0},
		"pieces move up":  {full, shift, []Chain{{[]int{5, 6, 9}}}, 1, 0, 2},
		"and back":        {shift, full, []Chain{{[]int{9, 6, 5}}}, 0, 1, 2},
		"empty and full":  {puzzle.NewBoard(p), full, nil, 0, 16, 0},
		"empty and empty": {puzzle.NewBoard(p), puzzle.NewBoard(p), nil, 0, 0, 0},
	} {
		c := between(t, x.a, x.b)
		checkAgainstTwin(t, c, x.a, x.b)
		if x.chains != nil && !reflect.DeepEqual(c.Chains, x.chains) || len(c.Cycles) != 0 || len(c.OnlyA) != x.onlyA || len(c.OnlyB) != x.onlyB || c.Moved() != x.moved {
			t.Errorf("%s: chains %v, only A %v, only B %v, %d moved", name, c.Chains, c.OnlyA, c.OnlyB, c.Moved())
		}
	}
}

// renamed is the board in other colours, its pieces in another order and turned.
func renamed(t testing.TB, b *puzzle.Board, r *random.Stream) *puzzle.Board {
	t.Helper()
	p := b.Puzzle()
	var names [256]uint8
	rest := make([]uint8, p.Colours())
	for i := range rest {
		rest[i] = uint8(i + 1)
	}
	r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	copy(names[1:], rest)
	order := make([]int, p.Cells()) // by new number
	for i := range order {
		order[i] = i
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	pieces, turn, number := make([]puzzle.Edges, len(order)), make([]int, len(order)), make([]int, len(order))
	for i, old := range order {
		turn[i], number[old] = r.Below(4), i
		e := p.Rotated(old, turn[i])
		for side := range e {
			pieces[i][side] = names[e[side]]
		}
	}
	q, err := puzzle.New("renamed", p.Width, p.Height, pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := puzzle.NewBoard(q)
	for _, x := range b.Placements(nil) {
		i := number[x.Piece]
		c.Place(x.Cell, i, (x.Rotation-turn[i])&3)
	}
	return c
}

func TestOtherNamesForColours(t *testing.T) {
	r := random.New(2, "cycles", 0)
	a, b := record(t, "mcgavin-469"), record(t, "mcgavin-469")
	b.Swap(100, b.Rotation(37), 37, b.Rotation(100))
	c := between(t, a, renamed(t, turned(t, b, 2), r))
	if c.Moved() != 2 || !c.Recoloured || c.Turns != 2 || c.End != b.Score() {
		t.Errorf("%d moved, recoloured %v, %d turns, score %d", c.Moved(), c.Recoloured, c.Turns, c.End)
	}
	for _, s := range []puzzle.Spec{
		{Width: 5, Height: 5, Colours: 7, Seed: 1},
		{Width: 4, Height: 6, Colours: 4, Seed: 2},
		{Width: 4, Height: 4, Colours: 3, Unframed: true, Seed: 3},
		{Width: 6, Height: 6, Colours: 1, Seed: 4},
	} {
		p, solution, err := puzzle.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			x, y := shuffled(p, solution, 3, 2, r.Below(3), r), shuffled(p, solution, 3, 2, r.Below(3), r)
			plain, other := between(t, x, y), between(t, x, renamed(t, y, r))
			if other.Moved() > plain.Moved() || other.End != y.Score() || len(other.To) != y.Filled() {
				t.Errorf("%dx%d: %d moved, score %d; in the same colours %d and %d", s.Width, s.Height, other.Moved(), other.End, plain.Moved(), plain.End)
			}
			puzzle.NewBoard(p).Load(other.To)
		}
	}
}

// Colours that can be exchanged leave a choice; the fewest moves decide.
func TestSymmetricColours(t *testing.T) {
	pieces := []puzzle.Edges{{1, 1, 2, 2}, {3, 3, 4, 4}, {1, 2, 1, 2}, {3, 4, 3, 4}}
	p, err := puzzle.New("a", 2, 2, pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := puzzle.New("b", 2, 2, []puzzle.Edges{pieces[1], pieces[0], pieces[3], pieces[2]}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := puzzle.NewBoard(p), puzzle.NewBoard(q)
	for cell := range 4 {
		a.Place(cell, cell, 0)
		b.Place(cell, cell, 0)
	}
	c := between(t, a, b)
	if c.Moved() != 0 || len(c.Turned) != 0 || !c.Recoloured {
		t.Errorf("%d moved, %d turned, recoloured %v", c.Moved(), len(c.Turned), c.Recoloured)
	}
}

// Two triangles of colours and a ring of six look the same to each colour, but no
// renaming makes one of the other.
func TestColoursThatOnlyLookAlike(t *testing.T) {
	board := func(pairs ...[2]uint8) *puzzle.Board {
		var pieces []puzzle.Edges
		for _, x := range pairs {
			pieces = append(pieces, puzzle.Edges{x[0], x[1], x[0], x[1]})
		}
		p, err := puzzle.New("pairs", 3, 2, pieces, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := puzzle.NewBoard(p)
		for cell := range pieces {
			b.Place(cell, cell, 0)
		}
		return b
	}
	triangles := board([2]uint8{1, 2}, [2]uint8{2, 3}, [2]uint8{3, 1}, [2]uint8{4, 5}, [2]uint8{5, 6}, [2]uint8{6, 4})
	ring := board([2]uint8{1, 2}, [2]uint8{2, 3}, [2]uint8{3, 4}, [2]uint8{4, 5}, [2]uint8{5, 6}, [2]uint8{6, 1})
	if c, err := Between(triangles, ring); err == nil {
		t.Errorf("a ring is taken for two triangles: %+v", c)
	}
	other := board([2]uint8{1, 3}, [2]uint8{3, 5}, [2]uint8{5, 7}, [2]uint8{7, 9}, [2]uint8{9, 2}, [2]uint8{2, 1})
	if c := between(t, ring, other); c.Moved() != 0 || !c.Recoloured {
		t.Errorf("%d moved, recoloured %v", c.Moved(), c.Recoloured)
	}
}

func TestBetweenRefuses(t *testing.T) {
	board := func(s puzzle.Spec) *puzzle.Board {
		p, solution, err := puzzle.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		b := puzzle.NewBoard(p)
		b.Load(solution)
		return b
	}
	a := board(puzzle.Spec{Width: 5, Height: 4, Colours: 6, Seed: 1})
	for _, x := range []struct {
		other puzzle.Spec
		want  string
	}{
		{puzzle.Spec{Width: 5, Height: 5, Colours: 6, Seed: 1}, "one size"},
		{puzzle.Spec{Width: 5, Height: 4, Colours: 6, Seed: 2}, "two piece sets"},
		{puzzle.Spec{Width: 5, Height: 4, Colours: 5, Seed: 1}, "two piece sets"},
		{puzzle.Spec{Width: 5, Height: 4, Colours: 6, Unframed: true, Seed: 1}, "two piece sets"},
	} {
		if _, err := Between(a, board(x.other)); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v, want %q", x.other, err, x.want)
		}
	}
}

func TestLosses(t *testing.T) {
	var l Losses
	if _, ok := l.Correlation(); ok || len(l.Rows()) != 0 {
		t.Error("an empty table correlates")
	}
	for _, x := range [][2]int{{2, 1}, {2, 3}, {4, 4}, {4, 4}, {7, -1}} {
		l.Add(x[0], x[1])
	}
	want := []LossRow{{2, 2, 1, 2, 3}, {4, 2, 4, 4, 4}, {7, 1, -1, -1, -1}}
	if !reflect.DeepEqual(l.Rows(), want) {
		t.Errorf("%+v", l.Rows())
	}
	// By hand: n 5, sums 19, 11, 89, 33, 43.
	if r, ok := l.Correlation(); !ok || math.Abs(r-(5*33-19*11)/math.Sqrt((5*89-361)*(5*43-121))) > 1e-12 {
		t.Errorf("correlation %v", r)
	}
	if s, ok := l.Slope(); !ok || math.Abs(s-float64(5*33-19*11)/(5*89-361)) > 1e-12 {
		t.Errorf("slope %v", s)
	}
}

func TestFillings(t *testing.T) {
	for i, name := range FillingNames {
		if f, err := FillingNamed(name); err != nil || f != Filling(i) || f.String() != name {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if _, err := FillingNamed("full"); err == nil {
		t.Error("full was accepted")
	}
}

// A loop over prefixes may end early, and another may run meanwhile.
func TestPrefixesNest(t *testing.T) {
	c := between(t, record(t, "riotte-464"), record(t, "pejic-465"))
	first := func() Prefix {
		for x := range c.Prefixes(0, Exchanged) {
			return x
		}
		return Prefix{}
	}
	want := first()
	n := 0
	for range c.Prefixes(0, Exchanged) {
		if n++; n%1000 == 0 && first() != want {
			t.Fatal("a loop disturbs another")
		}
	}
}

func TestMixtureAllocatesNothing(t *testing.T) {
	c := between(t, record(t, "riotte-464"), record(t, "pejic-465"))
	m, cells := c.mixture(), c.Cycles[0].Cells
	if n := testing.AllocsPerRun(10, func() {
		for _, cell := range cells[1:] {
			m.toB(cell)
			m.layBest(cells[0], c.pieces[cell])
		}
		for _, cell := range cells {
			m.toA(cell)
		}
	}); n != 0 || m.score != c.Start || m.boundary != 0 {
		t.Errorf("%v allocations; score %d, boundary %d after all is undone", n, m.score, m.boundary)
	}
}

func BenchmarkPrefixes(b *testing.B) {
	c := between(b, record(b, "riotte-464"), record(b, "pejic-465"))
	n := 0
	for b.Loop() {
		for range c.Prefixes(0, Exchanged) {
			n++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/prefix")
}

func BenchmarkBetween(b *testing.B) {
	x, y := record(b, "riotte-464"), record(b, "pejic-465")
	for b.Loop() {
		between(b, x, y)
	}
}

// A partial board has the score and boundary that the prefixes and subsets say,
// counted again from its look.
func TestPartialIsPrefixAndSubset(t *testing.T) {
	for _, pair := range [][2]string{{"riotte-464", "verhaard-467"}, {"blackwood-470", "mcgavin-469"}} {
		c := between(t, record(t, pair[0]), record(t, pair[1]))
		for i, y := range c.Cycles {
			for f := range c.Prefixes(i, Exchanged) {
				if (f.Start+f.Moves)%7 > 0 {
					continue
				}
				look, score, boundary, err := c.Partial(nil, i, f.Start, f.Moves)
				if err != nil || score != f.Score || boundary != f.Boundary || look.Tally().Matched != score {
					t.Fatalf("%v, cycle %d: %d %d %v, want %+v", pair, i, score, boundary, err, f)
				}
			}
			whole, score, _, err := c.Partial(nil, i, 0, len(y.Cells))
			if err != nil || score != c.Whole(i) || whole.Tally().Matched != score {
				t.Errorf("%v: cycle %d as a whole %d, want %d, %v", pair, i, score, c.Whole(i), err)
			}
		}
		var all []int
		for i := range c.Parts() {
			all = append(all, i)
		}
		look, score, _, err := c.Partial(all, -1, 0, 0)
		if err != nil || score != c.End {
			t.Errorf("%v: all parts %d, want %d, %v", pair, score, c.End, err)
		}
		for cell, e := range c.to.Edges {
			if look.Edges[cell] != e {
				t.Fatalf("%v: all parts differ from B on cell %d", pair, cell)
			}
		}
		for _, bad := range [][4]int{{0, 0, 0, 1}, {-1, len(c.Cycles), 0, 1}, {-1, 0, -1, 1}, {-1, 0, 0, 1000}, {99, 0, 0, 1}} {
			var parts []int
			if bad[0] >= 0 {
				parts = []int{bad[0]}
			}
			if _, _, _, err := c.Partial(parts, bad[1], bad[2], bad[3]); err == nil {
				t.Errorf("%v accepted", bad)
			}
		}
	}
}
