package ledger

import (
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// hand lists the pieces that are not on a board.
func hand(b *puzzle.Board) (pieces []int) {
	for piece := range b.Puzzle().Cells() {
		if b.CellOf(piece) == puzzle.Empty {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// A refiller finds what Exhaust finds, whatever the order of the lists.
func TestRefillAgainstExhaust(t *testing.T) {
	scenes := 2000
	if testing.Short() {
		scenes = 300
	}
	refillers := map[*puzzle.Puzzle]*Refiller{}
	found := 0
	for number := range scenes {
		x := newScene(t, number)
		x.Charge, x.Uncharged, x.Mode, x.Best = Seam, nil, Candidate, true
		want := exhaust(t, x.Problem, Plan{})
		z := x.Board.Puzzle()
		if refillers[z] == nil {
			refillers[z] = NewRefiller(z)
		}
		f := refillers[z]
		cells, pieces := slices.Clone(x.Order), hand(x.Board)
		r := random.New(7, "refill", number)
		for range 3 {
			breaks, decided := f.Refill(x.Board, cells, pieces, x.Budget, 1<<40)
			if breaks != want.Breaks || !decided {
				t.Fatalf("%s: %d breaks, decided %v; want %d", x.name, breaks, decided, want.Breaks)
			}
			if breaks >= 0 {
				found++
				checkRefill(t, x.Board, cells, pieces, f.Found(), breaks)
			}
			r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
			r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		}
	}
	if found < scenes {
		t.Errorf("%d refills found in %d scenes", found, scenes)
	}
}

// checkRefill sees that a refill is one, and has so many breaks.
func checkRefill(t *testing.T, b *puzzle.Board, cells, pieces []int, refill []puzzle.Placement, breaks int) {
	t.Helper()
	c := Without(b, cells)
	before := c.Breaks()
	left := slices.Clone(pieces)
	for _, q := range refill {
		i := slices.Index(left, q.Piece)
		if i < 0 || !slices.Contains(cells, q.Cell) || !c.Puzzle().FitsAt(q.Cell, q.Piece, q.Rotation) {
			t.Fatalf("%v in a refill of %v with %v", q, cells, pieces)
		}
		left = slices.Delete(left, i, i+1)
		c.Place(q.Cell, q.Piece, q.Rotation)
	}
	if len(left) > 0 || c.Breaks()-before != breaks {
		t.Fatalf("refill %v: %d breaks, want %d; pieces %v left", refill, c.Breaks()-before, breaks, left)
	}
}

// One refiller for region after region on a board forgets each of them, and
// takes no notice of empty cells and free pieces elsewhere, nor of what lies on
// the region.
func TestRefillOneAfterAnother(t *testing.T) {
	b := Without(riotte(t, 256).Board, nil)
	z := b.Puzzle()
	r := random.New(8, "one after another", 0)
	f := NewRefiller(z)
	for number := range 200 {
		cells := []int{r.Below(z.Cells())}
		for k := 1 + r.Below(14); len(cells) < k; {
			n := z.Neighbour(cells[r.Below(len(cells))], r.Below(4))
			if r.Below(8) == 0 {
				n = r.Below(z.Cells()) // not connected
			}
			if n >= 0 && !slices.Contains(cells, n) {
				cells = append(cells, n)
			}
		}
		hole := Without(b, cells)
		var pieces []int
		for _, cell := range cells {
			pieces = append(pieces, b.Piece(cell))
		}
		budget := b.Breaks() - hole.Breaks()
		breaks, decided := f.Refill(b, cells, pieces, budget, 500)
		again := NewRefiller(z)
		if n, d := again.Refill(hole, cells, pieces, budget, 500); n != breaks || d != decided || !slices.Equal(f.Found(), again.Found()) || f.Nodes() != again.Nodes() {
			t.Fatalf("cells %v: %d breaks, decided %v in %d nodes; alone %d, %v in %d", cells, breaks, decided, f.Nodes(), n, d, again.Nodes())
		}
		if !decided {
			continue
		}
		checkRefill(t, hole, cells, pieces, f.Found(), breaks)
		order, err := Arrange(hole, Closing)
		if err != nil {
			t.Fatal(err)
		}
		if want := exhaust(t, Problem{Board: hole, Order: order, Budget: budget, Mode: Candidate, Best: true}, Plan{}); want.Breaks != breaks {
			t.Fatalf("cells %v: %d breaks, want %d", cells, breaks, want.Breaks)
		}
		// An empty cell elsewhere lets its seams go; the twin charges them not either.
		if number%4 > 0 || len(cells) > 4 {
			continue
		}
		for side, n := range z.Neighbours(cells[0]) {
			if n < 0 || hole.Piece(int(n)) == puzzle.Empty {
				continue
			}
			less := Without(hole, []int{int(n)})
			breaks, decided := f.Refill(less, cells, pieces, 4*len(cells), 1<<40)
			w := &twin{problem: &Problem{Board: hole, Order: cells, Budget: 4 * len(cells), Uncharged: []int{int(n)}}, board: Without(hole, nil), byBreaks: make([]int64, 4*len(cells)+1)}
			w.fill(0, 0)
			if want := slices.IndexFunc(w.byBreaks, func(n int64) bool { return n > 0 }); breaks != want || !decided {
				t.Fatalf("cells %v less the neighbour on side %d: %d breaks, want %d", cells, side, breaks, want)
			}
			break
		}
	}
}
