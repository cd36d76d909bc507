package repair

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// apart draws at most k cells of a full board, no two of which share a seam.
func apart(b *puzzle.Board, k int, r *random.Stream) []int {
	p := b.Puzzle()
	order := make([]int, p.Cells())
	for i := range order {
		order[i] = i
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var hole []int
	for _, cell := range order {
		if len(hole) < k && b.Piece(cell) >= 0 && !touches(p, hole, cell) {
			hole = append(hole, cell)
		}
	}
	return hole
}

func touches(p *puzzle.Puzzle, hole []int, cell int) bool {
	for _, n := range p.Neighbours(cell) {
		if slices.Contains(hole, int(n)) {
			return true
		}
	}
	return false
}

// lifted takes the pieces off the cells.
func lifted(b *puzzle.Board, hole []int) (pieces []int) {
	for _, cell := range hole {
		pieces = append(pieces, b.Piece(cell))
		b.Remove(cell)
	}
	return pieces
}

// noise gives a board of pieces of random colours, grey among them, that has
// no frame: grey may lie anywhere and matches nothing.
func noise(t *testing.T, width, height, colours int, seed uint64) *puzzle.Board {
	t.Helper()
	r := random.New(seed, "noise", 0)
	pieces := make([]puzzle.Edges, width*height)
	for i := range pieces {
		for side := range 4 {
			pieces[i][side] = uint8(r.Below(colours + 1))
		}
	}
	p, err := puzzle.New("noise", width, height, pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Framed() {
		t.Fatal("a frame by chance")
	}
	b := puzzle.NewBoard(p)
	for i := range pieces {
		b.Place(i, i, r.Below(4))
	}
	return b
}

// scenes are boards of all sorts. Few colours make many ties.
func scenes(t *testing.T) []*puzzle.Board {
	t.Helper()
	var all []*puzzle.Board
	for seed, s := range []puzzle.Spec{
		{Width: 4, Height: 4, Colours: 3}, {Width: 5, Height: 5, Colours: 2}, {Width: 6, Height: 6, Colours: 4},
		{Width: 7, Height: 7, Colours: 8}, {Width: 8, Height: 8, Colours: 12}, {Width: 8, Height: 8, Colours: 3},
		{Width: 1, Height: 9, Colours: 2}, {Width: 12, Height: 1, Colours: 3}, {Width: 2, Height: 7, Colours: 3}, {Width: 1, Height: 1, Colours: 1},
		{Width: 4, Height: 4, Colours: 1, Unframed: true}, {Width: 6, Height: 5, Colours: 3, Unframed: true},
		{Width: 8, Height: 8, Colours: 6, Unframed: true}, {Width: 1, Height: 8, Colours: 2, Unframed: true}, {Width: 2, Height: 6, Colours: 4, Unframed: true},
	} {
		s.Seed = uint64(seed)
		all = append(all, shuffled(t, s))
	}
	return append(all, noise(t, 5, 6, 2, 1), noise(t, 8, 8, 5, 2), noise(t, 3, 9, 3, 3), noise(t, 1, 7, 1, 4))
}

// leastBreaks tries every way to fill an isolated hole, as the board counts it.
func leastBreaks(b *puzzle.Board, hole, pieces []int) int {
	p, before := b.Puzzle(), b.Breaks()
	const never = 1 << 20
	costs := make([][]int, len(hole))
	for i, cell := range hole {
		costs[i] = make([]int, len(pieces))
		for j, piece := range pieces {
			costs[i][j] = never
			for r := range 4 {
				if p.FitsAt(cell, piece, r) {
					b.Place(cell, piece, r)
					costs[i][j] = min(costs[i][j], b.Breaks()-before)
					b.Remove(cell)
				}
			}
		}
	}
	// The rows from i on cost at least rest[i].
	rest := make([]int, len(hole)+1)
	for i := len(hole) - 1; i >= 0; i-- {
		rest[i] = rest[i+1] + slices.Min(costs[i])
	}
	best := never
	used := make([]bool, len(pieces))
	var fill func(i, sum int)
	fill = func(i, sum int) {
		if sum+rest[i] >= best {
			return
		}
		if i == len(hole) {
			best = sum
			return
		}
		for j, c := range costs[i] {
			if !used[j] {
				used[j] = true
				fill(i+1, sum+c)
				used[j] = false
			}
		}
	}
	fill(0, 0)
	return before + best
}

// filled checks that the pieces lie on the cells of the hole, each once, under
// the frame rule.
func filled(t *testing.T, b *puzzle.Board, hole, pieces []int) {
	t.Helper()
	var laid []int
	for _, cell := range hole {
		laid = append(laid, b.Piece(cell))
		if !b.Puzzle().FitsAt(cell, b.Piece(cell), b.Rotation(cell)) {
			t.Fatalf("cell %d breaks the frame rule", cell)
		}
	}
	want := slices.Clone(pieces)
	slices.Sort(laid)
	slices.Sort(want)
	if !slices.Equal(laid, want) {
		t.Fatalf("pieces %v on the hole, want %v", laid, want)
	}
}

func TestAssignmentAgainstAllRefills(t *testing.T) {
	boards := scenes(t)
	r := random.New(1, "assignment test", 0)
	var repairs []*Assignment
	for _, b := range boards {
		repairs = append(repairs, NewAssignment(b.Puzzle(), r))
	}
	sizes := [8]int{}
	for i := range 10_000 {
		b, a := boards[i%len(boards)], repairs[i%len(boards)]
		full := b.Placements(nil)
		if i%3 == 0 {
			for range r.Below(6) {
				if cell := r.Below(b.Puzzle().Cells()); b.Piece(cell) >= 0 {
					b.Remove(cell)
				}
			}
		}
		hole := apart(b, r.Below(8), r)
		sizes[len(hole)]++
		pieces := lifted(b, hole)
		want := leastBreaks(b, hole, pieces)
		if v := a.Repair(b, hole, pieces); v != Optimal || b.Breaks() != want {
			t.Fatalf("case %d, hole %v: verdict %d, %d breaks, want %d, %d", i, hole, v, b.Breaks(), Optimal, want)
		}
		filled(t, b, hole, pieces)
		if b.Filled() < len(full) || i%10 == 0 {
			b.Load(full)
		}
	}
	if slices.Min(sizes[:]) < 500 {
		t.Errorf("holes by size %v, want many of each", sizes)
	}
}

// The sum of the duals bounds the cost of any assignment from below, so that of
// the solver is optimal if it reaches the bound.
func certify(t *testing.T, h *hungarian, cost int) {
	t.Helper()
	sum := 0
	taken := make([]bool, h.n)
	for i := range h.n {
		for j, c := range h.row(i) {
			if int32(c) < h.rowDual[i]+h.columnDual[j] {
				t.Fatalf("n=%d: negative reduced cost at (%d, %d)", h.n, i, j)
			}
		}
		sum += int(h.rowDual[i] + h.columnDual[i])
		j := h.columnOf[i]
		if taken[j] || h.rowOf[j] != int32(i) {
			t.Fatalf("n=%d: %v and %v are no assignment", h.n, h.columnOf, h.rowOf)
		}
		taken[j] = true
	}
	if sum != cost {
		t.Fatalf("n=%d: cost %d, duals %d", h.n, cost, sum)
	}
}

// Costs of all ranges and of odd shapes, one solver for all sizes.
func TestHungarianIsCertified(t *testing.T) {
	r := random.New(2, "hungarian test", 0)
	var h hungarian
	for i := range 2000 {
		n := r.Below(9)
		if i%10 == 0 {
			n = 20 + r.Below(101)
		}
		h.size(n)
		span := []int{1, 2, 3, 5, 20, 256}[r.Below(6)]
		shape := r.Below(3)
		for row := range n {
			for j := range h.row(row) {
				c := r.Below(span)
				switch shape {
				case 1: // rows and columns that compete for the same
					c = min(255, row*j*span/(n*n)+c)
				case 2: // equal rows
					c = int(random.Mix(uint64(j/2*(row/3))) % uint64(span))
				}
				h.row(row)[j] = uint8(c)
			}
		}
		certify(t, &h, h.solve())
	}
}

// Duals prove large holes optimal, on boards where all kinds of cells compete.
func TestAssignmentIsCertified(t *testing.T) {
	r := random.New(3, "certified", 0)
	for _, b := range []*puzzle.Board{
		nearTop(t),
		shuffled(t, puzzle.Spec{Width: 16, Height: 16, Colours: 4, Seed: 1}),
		shuffled(t, puzzle.Spec{Width: 20, Height: 13, Colours: 3, Seed: 2, Unframed: true}),
	} {
		a := NewAssignment(b.Puzzle(), r)
		for k := 20; k <= 120; k += 4 {
			hole := apart(b, k, r)
			pieces := lifted(b, hole)
			before := b.Breaks()
			sum := 0
			for i := range hole {
				need, placed := a.asked(b, hole[i])
				d := &a.blocks[a.cells[hole[i]]]
				d.cells = append(d.cells, demand{hole[i], need, placed})
				d = &a.blocks[a.kind[pieces[i]]]
				d.pieces = append(d.pieces, int32(pieces[i]))
			}
			for i := range a.blocks {
				d := &a.blocks[i]
				was := b.Breaks()
				a.fill(b, d)
				cost := b.Breaks() - was
				certify(t, &a.solver, cost)
				sum += cost
				d.cells, d.pieces = d.cells[:0], d.pieces[:0]
			}
			want := before + sum
			filled(t, b, hole, pieces)
			pieces = lifted(b, hole)
			if v := a.Repair(b, hole, pieces); v != Optimal || b.Breaks() != want {
				t.Fatalf("k=%d: verdict %d, %d breaks, want %d", len(hole), v, b.Breaks(), want)
			}
		}
	}
}

func TestAssignmentFallsBackWhereCellsTouch(t *testing.T) {
	r := random.New(4, "fallback", 0)
	counts := map[Verdict]int{}
	for _, b := range scenes(t) {
		p := b.Puzzle()
		a, greedy := NewAssignment(p, r), NewGreedy(p)
		for range 100 {
			before := b.Placements(nil)
			var hole []int
			want := Optimal
			for range 1 + r.Below(4) {
				cell := r.Below(p.Cells())
				if slices.Contains(hole, cell) {
					continue
				}
				if touches(p, hole, cell) {
					want = Fallback
				}
				hole = append(hole, cell)
			}
			pieces := lifted(b, hole)
			v := a.Repair(b, hole, pieces)
			if v != want {
				t.Fatalf("%dx%d, hole %v: verdict %d, want %d", p.Width, p.Height, hole, v, want)
			}
			counts[v]++
			got := b.Placements(nil)
			b.Load(before)
			if want == Optimal {
				continue
			}
			lifted(b, hole)
			greedy.Repair(b, hole, pieces)
			if !slices.Equal(got, b.Placements(nil)) {
				t.Fatalf("%dx%d, hole %v: not the greedy refill", p.Width, p.Height, hole)
			}
		}
	}
	if counts[Optimal] < 100 || counts[Fallback] < 100 {
		t.Errorf("verdicts %v, want many of each", counts)
	}
}

// The stream decides between refills that are as good, and nothing else does.
func TestAssignmentIsDrawnFromTheStream(t *testing.T) {
	b := shuffled(t, puzzle.Spec{Width: 10, Height: 10, Colours: 2, Seed: 1})
	before := b.Placements(nil)
	hole := apart(b, 30, random.New(1, "hole", 0))
	r := random.New(1, "drawn", 0)
	a := NewAssignment(b.Puzzle(), r)
	refill := func(number int) string {
		b.Load(before)
		pieces := lifted(b, hole)
		r.Reset(1, "drawn", number)
		a.Repair(b, hole, pieces)
		return look(b, hole)
	}
	seen, breaks := map[string]bool{}, map[int]bool{}
	for number := range 100 {
		first := refill(number)
		seen[first] = true
		breaks[b.Breaks()] = true
		refill(number + 1)
		if refill(number) != first {
			t.Fatalf("stream %d gave two refills", number)
		}
	}
	if len(seen) < 90 || len(breaks) != 1 {
		t.Errorf("100 streams gave %d refills with %v breaks, want nearly as many, all as good", len(seen), breaks)
	}
}

// Every optimal refill of small scenes can be drawn.
func TestAssignmentReachesEveryOptimalRefill(t *testing.T) {
	most := 0
	for seed := range uint64(12) {
		b := noise(t, 4, 4, 2+int(seed%3), seed)
		hole := apart(b, 4, random.New(2, "hole", 0))
		pieces := lifted(b, hole)
		want := optima(b, hole, pieces)
		most = max(most, len(want))
		a := NewAssignment(b.Puzzle(), random.New(1, "reach", 0))
		got := map[string]bool{}
		for range 100 * len(want) {
			a.Repair(b, hole, pieces)
			got[look(b, hole)] = true
			lifted(b, hole)
		}
		if !maps.Equal(got, want) {
			t.Errorf("scene %d: %d refills drawn, want all the %d optimal ones", seed, len(got), len(want))
		}
	}
	if most < 100 {
		t.Errorf("at most %d optimal refills, want a scene with more", most)
	}
}

// look is what lies on the cells.
func look(b *puzzle.Board, cells []int) string {
	var key []byte
	for _, cell := range cells {
		key = binary.BigEndian.AppendUint16(key, uint16(4*b.Piece(cell)+b.Rotation(cell)))
	}
	return string(key)
}

// optima are the refills of an isolated hole with the least breaks.
func optima(b *puzzle.Board, hole, pieces []int) map[string]bool {
	least, all := leastBreaks(b, hole, pieces), map[string]bool{}
	var fill func(i int)
	fill = func(i int) {
		if b.Breaks() > least {
			return
		}
		if i == len(hole) {
			all[look(b, hole)] = true
			return
		}
		for _, piece := range pieces {
			for r := range 4 {
				if b.CellOf(piece) < 0 {
					b.Place(hole[i], piece, r)
					fill(i + 1)
					b.Remove(hole[i])
				}
			}
		}
	}
	fill(0)
	return all
}

func TestAssignmentAllocatesNothing(t *testing.T) {
	b := nearTop(t)
	r := random.New(5, "allocations", 0)
	a := NewAssignment(b.Puzzle(), r)
	holes := [][]int{apart(b, 100, r), apart(b, 5, r), apart(b, 40, r), {1, 2, 17, 18}}
	for _, hole := range holes {
		a.Repair(b, hole, lifted(b, hole))
	}
	pieces := make([]int, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		for _, hole := range holes {
			pieces = pieces[:0]
			for _, cell := range hole {
				pieces = append(pieces, b.Piece(cell))
				b.Remove(cell)
			}
			a.Repair(b, hole, pieces)
		}
	}); n != 0 {
		t.Errorf("%v allocations a round, want none", n)
	}
}

// Half of the cells of a large board in one hole.
func TestAssignmentOnALargeBoard(t *testing.T) {
	b := shuffled(t, puzzle.Spec{Width: 64, Height: 64, Colours: 22, Seed: 1})
	p := b.Puzzle()
	var hole []int
	for cell := range p.Cells() {
		if (cell/p.Width+cell)%2 == 0 {
			hole = append(hole, cell)
		}
	}
	pieces := lifted(b, hole)
	if v := NewAssignment(p, random.New(1, "large", 0)).Repair(b, hole, pieces); v != Optimal {
		t.Errorf("verdict %d, want %d", v, Optimal)
	}
	filled(t, b, hole, pieces)
}

// nearTop is the official puzzle near the top.
func nearTop(tb testing.TB) *puzzle.Board {
	tb.Helper()
	r, ok := puzzle.RecordNamed("riotte-464")
	if !ok {
		tb.Fatal("no riotte-464")
	}
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(r.Board)
	return b
}

// benchmarkRepair repairs scattered holes of k cells again and again and goes
// back each time.
func benchmarkRepair(b *testing.B, k int, m Method, board *puzzle.Board) {
	r := random.New(1, "benchmark", 0)
	var holes [64][]int
	for i := range holes {
		holes[i] = apart(board, k, r)
	}
	pieces, turns := make([]int, k), make([]int, k)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		hole := holes[i%len(holes)]
		for j, cell := range hole {
			pieces[j], turns[j] = board.Piece(cell), board.Rotation(cell)
			board.Remove(cell)
		}
		m.Repair(board, hole, pieces[:len(hole)])
		for _, cell := range hole {
			board.Remove(cell)
		}
		for j, cell := range hole {
			board.Place(cell, pieces[j], turns[j])
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "repairs/s")
}

func BenchmarkAssignment(b *testing.B) {
	for _, k := range []int{20, 40, 80, 100} {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			board := nearTop(b)
			benchmarkRepair(b, k, NewAssignment(board.Puzzle(), random.New(1, "assignment", 0)), board)
		})
	}
}
