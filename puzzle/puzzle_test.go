package puzzle

import (
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"lastmile/random"
)

func TestRotationIsClockwise(t *testing.T) {
	e := Edges{1, 2, 3, 4}
	if got := e.Rotated(1); got != (Edges{4, 1, 2, 3}) {
		t.Errorf("one turn of %v gives %v", e, got)
	}
	for r := range 4 {
		if e.Rotated(r).Rotated(4-r) != e {
			t.Errorf("%d turns and %d more do not come home", r, 4-r)
		}
		c, turns := e.Rotated(r).Canonical()
		if c != (Edges{1, 2, 3, 4}) || e.Rotated(r).Rotated(turns) != c {
			t.Errorf("canonical of %v: %v after %d turns", e.Rotated(r), c, turns)
		}
	}
	for e, want := range map[Edges]int{{1, 1, 1, 1}: 1, {1, 2, 1, 2}: 2, {1, 2, 2, 1}: 4} {
		if e.Period() != want {
			t.Errorf("period of %v is %d, want %d", e, e.Period(), want)
		}
	}
}

func TestOfficialSet(t *testing.T) {
	p := Official()
	if !p.Framed() || p.Cells() != 256 || p.Colours() != 22 || p.MaxScore() != 480 {
		t.Fatalf("framed %v, %d cells, %d colours, %d seams", p.Framed(), p.Cells(), p.Colours(), p.MaxScore())
	}
	halves := make([]int, 23)
	for i, e := range p.Pieces {
		if p.Class(i) != i || p.Period(i) != 4 {
			t.Errorf("piece %d has a twin or a symmetry", i+1)
		}
		for _, c := range e {
			halves[c]++
		}
	}
	for c, n := range halves {
		if n%2 != 0 {
			t.Errorf("colour %d has %d half-edges, want an even number", c, n)
		}
	}
	for mask, want := range map[int]int{0b1001: 4, 0b0001: 56, 0: 4 * 196} {
		if got := len(p.fits[mask]); got != want {
			t.Errorf("%d ways to fill a cell with rim %04b, want %d", got, mask, want)
		}
	}
}

func TestRecordsScoreAsPublished(t *testing.T) {
	p := Official()
	want := map[string][2]int{ // score, clues
		"riotte-464": {464, 5}, "blackwood-470": {470, 1}, "mcgavin-469": {469, 1},
		"blackwood-468": {468, 1}, "verhaard-467": {467, 1}, "pejic-465": {465, 5},
	}
	if len(Records()) != len(want) {
		t.Errorf("%d records, want %d", len(Records()), len(want))
	}
	for _, r := range Records() {
		b := NewBoard(p)
		b.Load(r.Board)
		tally := b.Grid().Tally()
		if got := [2]int{b.Score(), p.CluesHeld(b.Grid())}; got != want[r.Name] {
			t.Errorf("%s: score and clues %v, want %v", r.Name, got, want[r.Name])
		}
		if b.Score() != tally.Matched || b.Breaks() != tally.Breaks || b.Open() != 0 || len(tally.RimFaults) != 0 {
			t.Errorf("%s: board says %d and %d, its grid %+v", r.Name, b.Score(), b.Breaks(), tally)
		}
	}
}

// check compares everything that a board maintains with what its colours say.
func check(t *testing.T, b *Board) {
	t.Helper()
	p, tally := b.Puzzle(), b.Grid().Tally()
	if b.Score() != tally.Matched || b.Breaks() != tally.Breaks || b.Open() != tally.Open || b.Filled() != p.Cells()-tally.Empty {
		t.Fatalf("score %d, breaks %d, open %d, filled %d; recomputed %+v", b.Score(), b.Breaks(), b.Open(), b.Filled(), tally)
	}
	conflicts := make([]int, p.Cells())
	seen := map[[2]int]bool{}
	for i := range b.Breaks() {
		first, second := b.Mismatch(i)
		conflicts[first]++
		conflicts[second]++
		if seen[[2]int{first, second}] {
			t.Fatalf("seam %d-%d twice in the mismatch map", first, second)
		}
		seen[[2]int{first, second}] = true
	}
	for cell, want := range conflicts {
		if b.Conflicts(cell) != want {
			t.Fatalf("cell %d: %d conflicts, want %d", cell, b.Conflicts(cell), want)
		}
		if (want > 0) != slices.Contains(tally.BrokenCells, cell) {
			t.Fatalf("cell %d: %d conflicts, but its grid says otherwise", cell, want)
		}
		if piece := b.Piece(cell); piece >= 0 && b.CellOf(piece) != cell {
			t.Fatalf("cell %d holds piece %d, which says cell %d", cell, piece, b.CellOf(piece))
		}
	}
	for row := range p.Height {
		sum := 0
		for column := range p.Width {
			sum += conflicts[row*p.Width+column]
		}
		if b.RowConflicts(row) != sum {
			t.Fatalf("row %d: %d conflicts, want %d", row, b.RowConflicts(row), sum)
		}
	}
}

func TestBoardKeepsItsCounts(t *testing.T) {
	for _, s := range []Spec{
		{Width: 1, Height: 1, Colours: 2}, {Width: 1, Height: 5, Colours: 2}, {Width: 3, Height: 3, Colours: 3},
		{Width: 7, Height: 4, Colours: 5}, {Width: 4, Height: 6, Colours: 3, Unframed: true},
	} {
		p, _, err := Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBoard(p)
		r := random.New(3, "board test", 0)
		for range 2000 {
			cell, piece := r.Below(p.Cells()), r.Below(p.Cells())
			switch {
			case b.Piece(cell) == Empty && b.CellOf(piece) == Empty:
				b.Place(cell, piece, r.Below(4))
			case b.Piece(cell) != Empty && r.Below(3) == 0:
				b.Remove(cell)
			case b.Piece(cell) != Empty && b.CellOf(piece) != Empty:
				b.Swap(cell, r.Below(4), b.CellOf(piece), r.Below(4))
			}
			check(t, b)
		}
		copied := NewBoard(p)
		copied.Load(b.Placements(nil))
		if !slices.Equal(copied.Placements(nil), b.Placements(nil)) {
			t.Error("Load of Placements gives another board")
		}
		check(t, copied)
	}
}

func TestMovesAllocateNothing(t *testing.T) {
	p := Official()
	b := NewBoard(p)
	b.Load(Records()[0].Board)
	if n := testing.AllocsPerRun(100, func() {
		piece, turn := b.Piece(100), b.Rotation(100)
		b.Remove(100)
		b.Place(100, piece, (turn+1)&3)
		b.Swap(100, turn, 101, 2)
		b.Swap(100, 1, 101, turn)
	}); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

func TestBoardRefusesToLoseAPiece(t *testing.T) {
	b := NewBoard(Official())
	b.Place(20, 100, 0)
	for name, move := range map[string]func(){
		"a second piece on a cell": func() { b.Place(20, 101, 0) },
		"a piece twice":            func() { b.Place(21, 100, 0) },
		"nothing taken":            func() { b.Remove(22) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s went through", name)
				}
			}()
			move()
		}()
	}
}

func hash(p *Puzzle, solution []Placement) string {
	h := fnv.New64a()
	fmt.Fprint(h, p.Width, p.Height, p.Pieces, solution)
	return fmt.Sprintf("%016x", h.Sum64())
}

func TestGenerate(t *testing.T) {
	for _, c := range []struct {
		spec   Spec
		golden string
	}{
		{Spec{Width: 1, Height: 1, Colours: 1, Seed: 1}, "0e9e5387447710c1"},
		{Spec{Width: 2, Height: 2, Colours: 1, Seed: 1}, "e321def0e3023907"},
		{Spec{Width: 1, Height: 9, Colours: 3, Seed: 1}, "528ab0231e362cb2"},
		{Spec{Width: 3, Height: 3, Colours: 4, Seed: 1}, "1b1165166530ebc5"},
		{Spec{Width: 8, Height: 8, Colours: 11, Seed: 2}, "1b6f2a50ee393f8c"},
		{Spec{Width: 8, Height: 8, Colours: 11, RimColours: 11, Seed: 2}, "8748c58926176e73"},
		{Spec{Width: 10, Height: 6, Colours: 9, Unframed: true, Seed: 3}, "4ac149cf988fd37c"},
		{Spec{Width: 1, Height: 6, Colours: 3, Unframed: true, Seed: 3}, "8f958e92de501562"},
		{Spec{Width: 16, Height: 16, Colours: 22, Seed: 1}, "6ed1f0ce3b3a4df6"},
		{Spec{Width: 32, Height: 32, Colours: 22, Seed: 1}, "47138f35c3af72e6"},
	} {
		p, solution, err := Generate(c.spec)
		if err != nil {
			t.Errorf("%+v: %v", c.spec, err)
			continue
		}
		if got := hash(p, solution); got != c.golden {
			t.Errorf("%+v: hash %s, want %s: the same seed must give the same puzzle for ever", c.spec, got, c.golden)
		}
		b := NewBoard(p)
		b.Load(solution)
		if b.Score() != p.MaxScore() {
			t.Errorf("%+v: solution scores %d of %d", c.spec, b.Score(), p.MaxScore())
		}
		if p.Framed() == c.spec.Unframed {
			t.Errorf("%+v: framed %v", c.spec, p.Framed())
		}
		halves := map[uint8]int{}
		for _, e := range p.Pieces {
			for _, x := range e {
				halves[x]++
			}
		}
		for x, n := range halves {
			if n%2 != 0 {
				t.Errorf("%+v: colour %d on %d sides", c.spec, x, n)
			}
		}
		if tally := b.Grid().Tally(); !c.spec.Unframed && len(tally.RimFaults) > 0 {
			t.Errorf("%+v: rim faults %v", c.spec, tally.RimFaults)
		}
	}
}

func TestGeneratedLikeTheRealOne(t *testing.T) {
	p, _, err := Generate(Spec{Width: 16, Height: 16, Colours: 22, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	official := Official()
	use := func(p *Puzzle) (rim, inner int) {
		kinds := map[uint8]bool{}
		for _, e := range p.Pieces {
			for side, c := range e {
				// On a rim piece the sides next to grey join the ring.
				if c != Grey && (e[(side+1)&3] == Grey || e[(side+3)&3] == Grey) {
					kinds[c] = true
				}
			}
		}
		return len(kinds), p.Colours() - len(kinds)
	}
	r, i := use(p)
	or, oi := use(official)
	if r != or || i != oi {
		t.Errorf("%d rim and %d inner colours, the real one has %d and %d", r, i, or, oi)
	}
	for i := range p.Pieces {
		if p.Class(i) != i || p.Period(i) != 4 {
			t.Errorf("piece %d has a twin or a symmetry", i+1)
		}
	}
}

func TestIdentify(t *testing.T) {
	// Twins and a symmetric piece: the grid does not name a unique piece.
	pieces := []Edges{{1, 2, 3, 4}, {3, 4, 1, 2}, {5, 6, 5, 6}, {7, 7, 7, 7}}
	p, err := New("twins", 2, 2, pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Framed() {
		t.Error("framed without grey")
	}
	g := p.Look([]Placement{{0, 1, 1}, {1, 0, 0}, {2, 2, 3}, {3, 3, 2}})
	id := p.Identify(g)
	if want := []Placement{{0, 0, 3}, {1, 1, 2}, {2, 2, 1}, {3, 3, 0}}; !slices.Equal(id.Placements, want) {
		t.Errorf("%v, want %v", id.Placements, want)
	}
	g.Edges[2], g.Edges[3] = Edges{4, 1, 2, 3}, Edges{9, 9, 9, 9}
	id = p.Identify(g)
	if !slices.Equal(id.Duplicates, []int{2}) || !slices.Equal(id.Foreign, []int{3}) {
		t.Errorf("duplicates %v, foreign %v", id.Duplicates, id.Foreign)
	}
}

func TestNewRefuses(t *testing.T) {
	pieces := []Edges{{0, 1, 1, 0}, {0, 0, 1, 1}, {1, 0, 0, 1}, {1, 1, 0, 0}}
	for _, c := range []struct {
		w, h  int
		clues []Placement
	}{
		{0, 4, nil}, {3, 1, nil}, {1000, 1000, nil}, {2, 2, []Placement{{4, 0, 0}}}, {2, 2, []Placement{{0, 4, 0}}},
		{2, 2, []Placement{{0, 0, 4}}}, {2, 2, []Placement{{0, 0, 0}, {0, 1, 3}}}, {2, 2, []Placement{{0, 0, 0}, {1, 0, 1}}},
		{2, 2, []Placement{{0, 0, 1}}},
	} {
		if _, err := New("bad", c.w, c.h, pieces, c.clues); err == nil {
			t.Errorf("%dx%d with clues %v was accepted", c.w, c.h, c.clues)
		}
	}
	if p, err := New("good", 2, 2, pieces, []Placement{{0, 0, 0}}); err != nil || !p.Framed() {
		t.Errorf("framed 2x2: %v", err)
	}
}

func BenchmarkSwapUndo(b *testing.B) {
	board := NewBoard(Official())
	board.Load(Records()[0].Board)
	p, q := board.Rotation(100), board.Rotation(155)
	for b.Loop() {
		board.Swap(100, 0, 155, 0)
		board.Swap(100, p, 155, q)
	}
}
