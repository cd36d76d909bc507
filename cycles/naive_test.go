package cycles

import (
	"fmt"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// The slow twin: it builds each partial board anew from what the doc says and
// scans all seams.

// naiveBoundary scans the seams between cells that hold what they hold on B and
// cells that have yet to change.
func naiveBoundary(c *Comparison, arrived []int) int {
	a, b := c.Puzzle.Look(c.From), c.Puzzle.Look(c.To)
	changes := func(cell int) bool {
		return a.Filled[cell] != b.Filled[cell] || a.Filled[cell] && a.Edges[cell] != b.Edges[cell]
	}
	n := 0
	for cell := range c.Puzzle.Cells() {
		for _, side := range []int{puzzle.Right, puzzle.Down} {
			if other := c.Puzzle.Neighbour(cell, side); other >= 0 && changes(cell) && changes(other) &&
				slices.Contains(arrived, cell) != slices.Contains(arrived, other) {
				n++
			}
		}
	}
	return n
}

// naivePrefix makes the first moves of a cycle.
func naivePrefix(c *Comparison, cells []int, start, moves int, f Filling) (score, boundary int) {
	g, b := c.Puzzle.Look(c.From), c.Puzzle.Look(c.To)
	cell := func(i int) int { return cells[(start+i)%len(cells)] }
	var arrived []int
	for i := 1; i <= moves; i++ {
		g.Edges[cell(i)] = b.Edges[cell(i)]
		arrived = append(arrived, cell(i))
	}
	boundary = naiveBoundary(c, arrived)
	switch f {
	case Vacant:
		g.Filled[cell(0)] = false
	case Exchanged:
		var displaced int
		for _, q := range c.From {
			if q.Cell == cell(moves) {
				displaced = q.Piece
			}
		}
		legal := slices.DeleteFunc([]int{0, 1, 2, 3}, func(r int) bool { return !c.Puzzle.FitsAt(cell(0), displaced, r) })
		if len(legal) == 0 {
			legal = []int{0, 1, 2, 3}
		}
		best := -1
		for _, r := range legal {
			g.Edges[cell(0)] = c.Puzzle.Rotated(displaced, r)
			best = max(best, g.Tally().Matched)
		}
		return best, boundary
	}
	return g.Tally().Matched, boundary
}

func naiveSubset(c *Comparison, parts [][]int, applied []int) (score, boundary int) {
	g, b := c.Puzzle.Look(c.From), c.Puzzle.Look(c.To)
	var arrived []int
	for _, part := range applied {
		for _, cell := range parts[part] {
			g.Edges[cell], g.Filled[cell] = b.Edges[cell], b.Filled[cell]
			arrived = append(arrived, cell)
		}
	}
	return g.Tally().Matched, naiveBoundary(c, arrived)
}

// naiveMoved is the least number of moved pieces over all whole turns, class by
// class.
func naiveMoved(p *puzzle.Puzzle, a, b []puzzle.Placement) int {
	least := p.Cells() + 1
	for turns := range 4 {
		t, err := p.Turned(b, turns)
		if err != nil {
			continue
		}
		moved := 0
		for class := range p.Cells() {
			on := func(list []puzzle.Placement) (cells []int) {
				for _, q := range list {
					if p.Class(q.Piece) == class {
						cells = append(cells, q.Cell)
					}
				}
				return cells
			}
			x, y := on(a), on(t)
			moved += min(len(x), len(y))
			for _, cell := range x {
				if slices.Contains(y, cell) {
					moved--
				}
			}
		}
		least = min(least, moved)
	}
	return least
}

// checkAgainstTwin checks a comparison and all that it yields.
func checkAgainstTwin(t *testing.T, c *Comparison, a, b *puzzle.Board) {
	t.Helper()
	p := a.Puzzle()
	from, to := p.Look(c.From), p.Look(c.To)
	back, err := p.Turned(c.To, 4-c.Turns)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.Look(back).Filled, b.Grid().Filled) || !slices.Equal(p.Look(back).Edges, b.Grid().Edges) {
		t.Fatal("To does not look like B")
	}
	if c.Start != a.Score() || c.End != b.Score() {
		t.Fatalf("scores %d and %d, want %d and %d", c.Start, c.End, a.Score(), b.Score())
	}
	puzzle.NewBoard(p).Load(c.To) // panics when a piece lies twice
	if want := naiveMoved(p, c.From, b.Placements(nil)); c.Moved() != want {
		t.Fatalf("%d pieces move, want %d", c.Moved(), want)
	}
	// Each cell that changes is in one part, and in no other list.
	cells := slices.Concat(append(c.Parts(), c.Fixed)...)
	slices.Sort(cells)
	var want []int
	for cell := range p.Cells() {
		if from.Filled[cell] || to.Filled[cell] {
			want = append(want, cell)
		}
	}
	if !slices.Equal(cells, want) {
		t.Fatalf("parts and fixed cells are %v, want %v", cells, want)
	}
	if got := c.Differ() + len(c.Fixed); got != len(want) {
		t.Fatalf("%d cells differ and %d are fixed, want %d together", c.Differ(), len(c.Fixed), len(want))
	}
	// The piece of each cell goes to the next.
	at := map[int]int{}
	for _, q := range c.To {
		at[q.Piece] = q.Cell
	}
	follow := func(path []int, closed bool) {
		for i, cell := range path {
			next := path[(i+1)%len(path)]
			if i+1 == len(path) && !closed {
				continue
			}
			k := slices.IndexFunc(c.From, func(q puzzle.Placement) bool { return q.Cell == cell })
			if k < 0 || at[c.From[k].Piece] != next {
				t.Fatalf("the piece of cell %d does not go to %d", cell, next)
			}
		}
	}
	for _, y := range c.Cycles {
		follow(y.Cells, true)
	}
	for _, h := range c.Chains {
		follow(h.Cells, false)
	}

	for i, y := range c.Cycles {
		n := len(y.Cells)
		for _, f := range []Filling{Exchanged, Copied, Vacant} {
			tested := 0
			for x := range c.Prefixes(i, f) {
				score, boundary := naivePrefix(c, y.Cells, x.Start, x.Moves, f)
				if score != x.Score || boundary != x.Boundary {
					t.Fatalf("%s prefix %+v of %v: the twin says score %d, boundary %d", f, x, y.Cells, score, boundary)
				}
				tested++
			}
			if tested != n*f.Proper(n) {
				t.Fatalf("%d %s prefixes of a cycle of %d", tested, f, n)
			}
			all, first := c.TallyPrefixes(i, f)
			if all.Tested != tested || first.Tested != f.Proper(n) || first.AtLeastStart > all.AtLeastStart {
				t.Fatalf("%+v, %+v", all, first)
			}
		}
	}
	parts := c.Parts()
	seen := map[string]bool{}
	for s := range c.Subsets() {
		seen[fmt.Sprint(s.Parts)] = true
		score, boundary := naiveSubset(c, parts, s.Parts)
		if score != s.Score || boundary != s.Boundary || len(s.Parts) == 0 || len(s.Parts) == len(parts) {
			t.Fatalf("subset %+v of %d parts: the twin says score %d, boundary %d", s, len(parts), score, boundary)
		}
	}
	wantSubsets := max(0, 1<<min(len(parts), 20)-2)
	if len(parts) > AllSubsets {
		wantSubsets = 2 * len(parts)
	}
	if len(seen) != wantSubsets {
		t.Fatalf("%d subsets of %d parts, want %d", len(seen), len(parts), wantSubsets)
	}
	every := make([]int, len(parts))
	for i := range every {
		every[i] = i
	}
	if score, boundary := naiveSubset(c, parts, every); score != c.End || boundary != 0 {
		t.Fatalf("A with all parts applied scores %d with a boundary of %d, want %d and 0", score, boundary, c.End)
	}
}

// shuffled is a board of the puzzle some exchanges and turns away from the one
// given, with so many cells emptied.
func shuffled(p *puzzle.Puzzle, board []puzzle.Placement, exchanges, turns, holes int, r *random.Stream) *puzzle.Board {
	board = slices.Clone(board)
	for range exchanges {
		i, j := r.Below(len(board)), r.Below(len(board))
		board[i].Piece, board[j].Piece = board[j].Piece, board[i].Piece
	}
	for range turns {
		board[r.Below(len(board))].Rotation = r.Below(4)
	}
	r.Shuffle(len(board), func(i, j int) { board[i], board[j] = board[j], board[i] })
	b := puzzle.NewBoard(p)
	b.Load(board[:len(board)-holes])
	return b
}

func TestAgainstNaiveTwin(t *testing.T) {
	r := random.New(1, "cycles", 0)
	for _, s := range []puzzle.Spec{
		{Width: 5, Height: 5, Colours: 9, Seed: 1},
		{Width: 4, Height: 4, Colours: 2, Seed: 2},                 // twins
		{Width: 4, Height: 4, Colours: 1, Unframed: true, Seed: 3}, // nothing but twins
		{Width: 5, Height: 4, Colours: 2, Unframed: true, Seed: 4}, // twins and symmetric pieces
		{Width: 7, Height: 1, Colours: 3, Seed: 5},
		{Width: 6, Height: 6, Colours: 3, Seed: 6},
	} {
		p, solution, err := puzzle.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 12 {
			n := p.Cells()
			holesA, holesB := 0, 0
			if round%2 == 1 {
				holesA, holesB = r.Below(n/2+1), r.Below(n/2+1)
			}
			a := shuffled(p, solution, r.Below(n), r.Below(4), holesA, r)
			b := shuffled(p, solution, r.Below(n), r.Below(4), holesB, r)
			c, err := Between(a, b)
			if err != nil {
				t.Fatal(err)
			}
			if c.Recoloured {
				t.Fatal("boards of one puzzle need no other colours")
			}
			checkAgainstTwin(t, c, a, b)
		}
	}
}
