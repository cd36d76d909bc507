package construct

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// generated gives a small puzzle and, with clues, some cells of its solution.
func generated(t testing.TB, s puzzle.Spec, clues ...int) *puzzle.Puzzle {
	t.Helper()
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	var pinned []puzzle.Placement
	for _, cell := range clues {
		pinned = append(pinned, solution[cell])
	}
	if p, err = p.WithClues(pinned); err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t testing.TB, p *puzzle.Puzzle, o Options) Result {
	t.Helper()
	r, err := Beam(context.Background(), p, o, search.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// valid checks that the result is a full board that obeys frame and clues.
func valid(t testing.TB, p *puzzle.Puzzle, r Result) {
	t.Helper()
	b := puzzle.NewBoard(p)
	b.Load(r.Placements)
	if b.Filled() != p.Cells() || b.Score() != r.Score {
		t.Fatalf("%d cells of %d filled; score %d, said %d", b.Filled(), p.Cells(), b.Score(), r.Score)
	}
	for _, q := range r.Placements {
		if !p.FitsAt(q.Cell, q.Piece, q.Rotation) {
			t.Fatalf("cell %d breaks the frame rule", q.Cell)
		}
	}
	if held := p.CluesHeld(b.Grid()); held != len(p.Clues) {
		t.Fatalf("%d clues held of %d", held, len(p.Clues))
	}
}

// atCorners lists the orders, from each corner.
func atCorners(t *testing.T) []Order {
	var all []Order
	for _, name := range OrderNames() {
		for _, corner := range []string{"", "@ne", "@sw", "@se"} {
			o, err := OrderNamed(name + corner)
			if err != nil || o.Name != name+corner {
				t.Fatalf("order %q: %q, %v", name+corner, o.Name, err)
			}
			all = append(all, o)
		}
	}
	return all
}

func TestOrdersScanEachCellOnce(t *testing.T) {
	for _, o := range atCorners(t) {
		for _, size := range [][2]int{{1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 3}, {5, 4}, {4, 7}, {16, 16}} {
			cells := slices.Clone(o.Scan(size[0], size[1]))
			if len(cells) != size[0]*size[1] {
				t.Fatalf("%s on %v: %d cells", o.Name, size, len(cells))
			}
			slices.Sort(cells)
			for i, cell := range cells {
				if i != cell {
					t.Fatalf("%s on %v scans %v", o.Name, size, cells)
				}
			}
		}
	}
}

func TestOrdersAsNamed(t *testing.T) {
	for name, want := range map[string][]int{
		"row-major": {0, 1, 2, 3, 4, 5, 6, 7, 8},
		"column":    {0, 3, 6, 1, 4, 7, 2, 5, 8},
		"zigzag":    {0, 1, 2, 5, 4, 3, 6, 7, 8},
		"spiral":    {0, 1, 2, 5, 8, 7, 6, 3, 4},
		"diagonal":  {0, 1, 3, 2, 4, 6, 5, 7, 8},
		"comb":      {0, 3, 1, 4, 2, 5, 6, 7, 8},
	} {
		o, err := OrderNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Scan(3, 3); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"sideways", "", "@sw", "comb@", "comb@nw", "comb@SW", "comb@sw@sw", "comb sw"} {
		if _, err := OrderNamed(name); err == nil {
			t.Errorf("order %q was found", name)
		}
	}
}

// From another corner an order is as from the first, seen in a mirror.
func TestOrdersAtCorners(t *testing.T) {
	const w, h = 5, 3
	for _, o := range atCorners(t) {
		name, corner, _ := strings.Cut(o.Name, "@")
		plain, err := OrderNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		seen := o.Scan(w, h)
		for i, cell := range plain.Scan(w, h) {
			x, y := cell%w, cell/w
			if corner == "ne" || corner == "se" {
				x = 4 - x
			}
			if corner == "sw" || corner == "se" {
				y = 2 - y
			}
			if seen[i] != 5*y+x {
				t.Fatalf("%s: cell %d is %d, want %d", o.Name, i, seen[i], 5*y+x)
			}
		}
	}
}

// best is the brute-force twin: the highest score of any full board.
func best(p *puzzle.Puzzle) int {
	b := puzzle.NewBoard(p)
	b.Load(p.Clues)
	top := 0
	var fill func(cell int)
	fill = func(cell int) {
		for cell < p.Cells() && b.Piece(cell) != puzzle.Empty {
			cell++
		}
		if cell == p.Cells() {
			top = max(top, b.Score())
			return
		}
		for _, f := range p.Fits(cell) {
			if b.CellOf(int(f.Piece)) == puzzle.Empty {
				b.Place(cell, int(f.Piece), int(f.Rotation))
				fill(cell + 1)
				b.Remove(cell)
			}
		}
	}
	fill(0)
	return top
}

// A beam that drops nothing is exhaustive search with merging, so it must find
// the best board there is, in every order, with and without the look ahead.
func TestWideBeamIsExact(t *testing.T) {
	unsolvable := func(seed uint64) *puzzle.Puzzle {
		p := generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 4, Seed: seed})
		pieces := slices.Clone(p.Pieces)
		for i := range pieces { // recolour some inner sides, grey stays
			for side, c := range pieces[i] {
				if c != puzzle.Grey && (i+side)%3 == 0 {
					pieces[i][side] = c%4 + 1
				}
			}
		}
		q, err := puzzle.New("unsolvable", 3, 3, pieces, nil)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	puzzles := []*puzzle.Puzzle{
		generated(t, puzzle.Spec{Width: 1, Height: 1, Colours: 1}),
		generated(t, puzzle.Spec{Width: 4, Height: 1, Colours: 2, Seed: 1}),
		generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 2, Seed: 1}),
		generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3, Seed: 2}, 4),
		generated(t, puzzle.Spec{Width: 2, Height: 2, Colours: 3, Seed: 1, Unframed: true}),
		generated(t, puzzle.Spec{Width: 3, Height: 2, Colours: 2, Seed: 1, Unframed: true}),
		generated(t, puzzle.Spec{Width: 4, Height: 3, Colours: 6, Seed: 3}, 5, 11),
		unsolvable(5), unsolvable(6), unsolvable(7), unsolvable(8),
	}
	for i, p := range puzzles {
		want := best(p)
		for _, o := range Orders {
			for _, c := range []Options{{}, {NoLook: true}, {Alike: 1}} {
				c.Order, c.Width = o.Name, 1<<17
				r := run(t, p, c)
				valid(t, p, r)
				if r.Score != want {
					t.Errorf("puzzle %d, %+v: %d, want %d", i, c, r.Score, want)
				}
			}
		}
	}
}

func TestBeamOnManyShapes(t *testing.T) {
	for _, s := range []puzzle.Spec{
		{Width: 1, Height: 9, Colours: 2}, {Width: 2, Height: 7, Colours: 3}, {Width: 9, Height: 5, Colours: 7},
		{Width: 6, Height: 6, Colours: 5, Unframed: true}, {Width: 20, Height: 3, Colours: 9}, {Width: 32, Height: 32, Colours: 22},
	} {
		for _, o := range Orders {
			p := generated(t, s, s.Width*s.Height/2)
			valid(t, p, run(t, p, Options{Order: o.Name, Width: 8}))
		}
	}
}

func TestTwinsAreTriedOnce(t *testing.T) {
	// Three twins and a fourth piece without symmetry: 4 looks of a 2x2 board by
	// place of the fourth, each in 4^4 turns.
	pieces := []puzzle.Edges{{1, 2, 3, 4}, {2, 3, 4, 1}, {3, 4, 1, 2}, {4, 3, 2, 1}}
	p, err := puzzle.New("twins", 2, 2, pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, p, Options{Width: 1 << 12})
	valid(t, p, r)
	// First cell: two looks of a piece in four turns.
	first := newBeam(p, newPlan(p, rowMajor(2, 2)), Options{Width: 1 << 12})
	first.fill(&first.plan.steps[0])
	if first.states.n != 8 {
		t.Errorf("%d states after one cell, want 8", first.states.n)
	}
	if want := best(p); r.Score != want {
		t.Errorf("score %d, want %d", r.Score, want)
	}
}

// The index answers as a scan of all ways does.
func TestIndex(t *testing.T) {
	p := puzzle.Official()
	x := newIndex(p, 100)
	r := random.New(1, "index", 0)
	used := make([]uint64, 4)
	for range 300 {
		for i := range used {
			used[i] = r.Uint64()
			used[i] &= r.Uint64()
		}
		asked := word(0xffffffff)
		for side := range 4 {
			if r.Below(3) > 0 {
				asked = asked&^(0xff<<(8*side)) | word(6+r.Below(17))<<(8*side)
			}
		}
		full := 4 - countNone(asked)
		for gain := range 5 {
			got := x.exact(nil, asked, gain, used)
			var want []way
			if gain <= full {
				for _, w := range x.all {
					if !has(used, w.piece) && bits.OnesCount32(matches(w.edges, asked)) == gain {
						want = append(want, w)
					}
				}
			}
			by := func(a, b way) int { return int(4*a.piece+int32(a.turn)) - int(4*b.piece+int32(b.turn)) }
			slices.SortFunc(got, by)
			slices.SortFunc(want, by)
			if !slices.Equal(got, want) {
				t.Fatalf("asked %08x, gain %d: %d ways, want %d", asked, gain, len(got), len(want))
			}
		}
		if full < 2 {
			continue
		}
		except := int32(r.Below(256))
		want := false
		for _, w := range x.all {
			want = want || w.piece != except && !has(used, w.piece) && bits.OnesCount32(matches(w.edges, asked)) == full
		}
		if got := x.served(asked, used, except); got != want {
			t.Fatalf("asked %08x: served %v, want %v", asked, got, want)
		}
	}
}

func TestDropKeepsTheBest(t *testing.T) {
	r := random.New(1, "drop", 0)
	for _, size := range []int{1, 2, 3, 10, 1000} {
		for _, spread := range []int{1, 5, 1 << 20} {
			b := &beam{}
			var keys []uint64
			for range size {
				k := uint64(r.Below(spread))
				keys = append(keys, k)
				b.pool = append(b.pool, child{key: k})
			}
			slices.Sort(keys)
			n := 1 + r.Below(size)
			b.drop(n)
			var got []uint64
			for _, c := range b.pool {
				got = append(got, c.key)
			}
			slices.Sort(got)
			if !slices.Equal(got, keys[size-n:]) {
				t.Errorf("%d of %d with %d keys: wrong ones kept", n, size, spread)
			}
		}
	}
}

// Without the look ahead the scan reaches the cells beside a clue with pieces
// that leave them unservable; with it fewer clue seams break, and fewer in all.
func TestLookAheadDoesNotStrandClues(t *testing.T) {
	var atClues, inAll [2]int // with, without
	for seed := range uint64(100) {
		p := generated(t, puzzle.Spec{Width: 8, Height: 8, Colours: 9, Seed: seed}, 27, 36)
		for i, noLook := range []bool{false, true} {
			r := run(t, p, Options{Order: "row-major", Width: 4, NoLook: noLook, Seed: seed})
			valid(t, p, r)
			b := puzzle.NewBoard(p)
			b.Load(r.Placements)
			inAll[i] += b.Breaks()
			for _, c := range p.Clues {
				atClues[i] += b.Conflicts(c.Cell)
			}
		}
	}
	if 4*atClues[0] > 3*atClues[1] || 10*inAll[0] > 9*inAll[1] {
		t.Errorf("with and without the look ahead: %v broken clue seams, %v in all", atClues, inAll)
	}
}

func TestBeamEndsWhenTold(t *testing.T) {
	p := puzzle.Official()
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		budget search.Budget
	}{
		"context": {gone, search.Budget{}},
		"nodes":   {context.Background(), search.Budget{Nodes: 5000}},
		"time":    {context.Background(), search.Budget{Time: time.Nanosecond}},
	} {
		r, err := Beam(c.ctx, p, Options{Width: 1 << 16}, c.budget, nil)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, p, r)
		if !r.Cut {
			t.Errorf("%s: not cut", name)
		}
	}
}

func TestBeamRefuses(t *testing.T) {
	for _, o := range []Options{{Order: "sideways"}, {Width: -1}, {Width: MaxWidth + 1}, {Alike: -1}, {Alike: MaxAlike + 1}, {Alike: math.NaN()}} {
		if _, err := Beam(context.Background(), puzzle.Official(), o, search.Budget{}, nil); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

func TestMemoryIsAnUpperBound(t *testing.T) {
	for _, size := range [][2]int{{3, 3}, {16, 16}, {30, 4}, {4, 30}} {
		p := generated(t, puzzle.Spec{Width: size[0], Height: size[1], Colours: 9})
		for _, o := range Orders {
			for _, width := range []int{10, 1000} {
				r := run(t, p, Options{Order: o.Name, Width: width, Alike: 1})
				if estimate := Memory(p, width); r.Bytes > estimate {
					t.Errorf("%v, %s, width %d: %d bytes, estimated %d", size, o.Name, width, r.Bytes, estimate)
				}
			}
		}
	}
}

func TestCheckMemory(t *testing.T) {
	p := puzzle.Official()
	if err := CheckMemory(p, 65536, 4); err != nil {
		t.Error(err)
	}
	if err := CheckMemory(p, MaxWidth, 1000); err == nil {
		t.Error("a thousand of the widest beams were let through")
	}
}

// collectAll is the plain twin of collect: it ranks every child of every state,
// counting anew what collect keeps in its books, and gives the keys of the best
// with the largest first, and how many children there are.
func collectAll(b *beam, s *step, o Options, placed []bool) (best []uint64, all int64) {
	p := b.puzzle
	sides, seams := countOpen(p, placed)
	keys := map[string]uint64{} // by what tells children apart
	for i := range int32(b.states.n) {
		used, frontier := b.used(&b.states, i), b.frontier(&b.states, i)
		asked := need(s.fixed, s.reads, frontier)
		var colours [puzzle.MaxColours + 1]int
		for piece, e := range p.Pieces {
			if !has(used, int32(piece)) {
				for _, c := range e {
					colours[c]++
				}
			}
		}
		for _, w := range s.index.all {
			if has(used, w.piece) || b.twin[w.piece] >= 0 && !has(used, b.twin[w.piece]) {
				continue
			}
			all++
			rank := unit * (b.states.score[i] + int32(bits.OnesCount32(matches(w.edges, asked))))
			if !o.NoLook {
				var beside [3]word
				for i, k := range s.looks {
					beside[i] = need(k.fixed, k.reads, frontier)
				}
				rank -= unit * b.stranded(s, &beside, w, used)
			}
			if o.Alike > 0 && sides > 0 {
				left := colours
				for _, c := range p.Pieces[w.piece] {
					left[c]--
				}
				square := 0
				for _, n := range left[puzzle.Grey+1:] {
					square += n * n
				}
				rank += int32(unit * o.Alike * (float64(seams) / float64(sides*sides)) * float64(square))
			}
			b.settle(s, &child{parent: i, way: w}, 0)
			state := string(b.frontier(&b.next, 0))
			for _, word := range b.used(&b.next, 0) {
				state += string(binary.LittleEndian.AppendUint64(nil, word))
			}
			hash := b.states.hash[i] ^ b.pieces[w.piece]
			for _, r := range s.reads {
				hash ^= b.colour(r.slot, frontier[r.slot])
			}
			for _, q := range s.opens {
				hash ^= b.colour(q.slot, uint8(w.edges>>(8*q.side)))
			}
			keys[state] = max(keys[state], keyOf(rank, random.Mix(hash^b.salt)))
		}
	}
	best = slices.SortedFunc(maps.Values(keys), func(x, y uint64) int { return cmp.Compare(y, x) })
	return best[:min(len(best), b.width)], all
}

// countOpen counts the sides of empty cells that face cells, and their seams.
func countOpen(p *puzzle.Puzzle, placed []bool) (sides, seams int) {
	for cell := range placed {
		for _, n := range p.Neighbours(cell) {
			if n >= 0 && !placed[cell] {
				sides++
				if placed[n] || int(n) > cell {
					seams++
				}
			}
		}
	}
	return sides, seams
}

// What collect leaves out, because no better child can be there, is not missed.
func TestCollectKeepsTheBest(t *testing.T) {
	puzzles := []*puzzle.Puzzle{
		puzzle.Official(),
		generated(t, puzzle.Spec{Width: 5, Height: 5, Colours: 2, RimColours: 1, Seed: 2}, 12),
		generated(t, puzzle.Spec{Width: 4, Height: 6, Colours: 3, Seed: 3, Unframed: true}),
	}
	early := 0
	for i, p := range puzzles {
		for _, order := range []string{"row-major", "comb", "spiral"} {
			for _, o := range []Options{{}, {NoLook: true}, {Alike: 0.7}, {Alike: 3}, {Alike: 1, NoLook: true}} {
				named, err := OrderNamed(order)
				if err != nil {
					t.Fatal(err)
				}
				o.Width = 12
				b := newBeam(p, newPlan(p, named.Scan(p.Width, p.Height)), o)
				placed := make([]bool, p.Cells())
				for _, c := range p.Clues {
					placed[c.Cell] = true
				}
				for n := range b.plan.steps {
					s := &b.plan.steps[n]
					placed[s.cell] = true
					if p.Cells() > 64 && n%32 != 8 {
						b.fill(s) // the twin takes its time
						continue
					}
					want, all := collectAll(b, s, o, placed)
					ranked := b.nodes
					b.fill(s)
					var got []uint64
					for _, r := range b.ranked {
						got = append(got, r.key)
						if b.pool[r.child].key != r.key {
							t.Fatalf("a ticket of key %x leads to a child of key %x", r.key, b.pool[r.child].key)
						}
					}
					if !slices.Equal(got, want) {
						t.Fatalf("puzzle %d, %s, %+v, step %d: keys %x, want %x", i, order, o, n, got, want)
					}
					if o.Alike > 0 && b.nodes-ranked < all {
						early++
					}
				}
			}
		}
	}
	if early == 0 {
		t.Error("no step with alike colours ended early: it shows little")
	}
}

// To leave few colours over makes the last cells easier.
func TestAlikeColoursPay(t *testing.T) {
	without, with := 0, 0
	for seed := range uint64(12) {
		without += run(t, puzzle.Official(), Options{Width: 128, Seed: seed}).Score
		with += run(t, puzzle.Official(), Options{Width: 128, Seed: seed, Alike: 1}).Score
	}
	if with <= without {
		t.Errorf("%d seams with alike colours, %d without", with, without)
	}
}

// Two children are the same exactly when the states that they make are.
func TestSame(t *testing.T) {
	told := map[bool]int{}
	for _, p := range []*puzzle.Puzzle{puzzle.Official(), generated(t, puzzle.Spec{Width: 5, Height: 5, Colours: 2, RimColours: 1, Seed: 2}, 12)} {
		b := newBeam(p, newPlan(p, rowMajor(p.Width, p.Height)), Options{Width: 40})
		for i := range b.plan.steps[:p.Cells()/2] {
			s := &b.plan.steps[i]
			b.collect(s)
			b.drop(b.width)
			for i := range b.pool {
				b.settle(s, &b.pool[i], int32(i))
			}
			for i := range b.pool {
				for j := range b.pool {
					want := slices.Equal(b.used(&b.next, int32(i)), b.used(&b.next, int32(j))) &&
						slices.Equal(b.frontier(&b.next, int32(i)), b.frontier(&b.next, int32(j)))
					if got := b.same(s, &b.pool[i], &b.pool[j]); got != want {
						t.Fatalf("step %d: children %d and %d the same: %v, want %v", s.cell, i, j, got, want)
					}
					sameUsed := slices.Equal(b.used(&b.next, int32(i)), b.used(&b.next, int32(j)))
					told[sameUsed && !want]++
				}
			}
			b.fill(s)
		}
	}
	if told[true] == 0 {
		t.Error("no two children with the same pieces and another frontier: it shows little")
	}
}

func TestExpandAllocatesNothing(t *testing.T) {
	p := puzzle.Official()
	b := newBeam(p, newPlan(p, rowMajor(16, 16)), Options{Width: 512, Alike: 1})
	for i := range 100 {
		b.fill(&b.plan.steps[i])
	}
	b.collect(&b.plan.steps[100])
	if n := testing.AllocsPerRun(10, func() { b.collect(&b.plan.steps[100]) }); n != 0 {
		t.Errorf("%v allocations a step, want none however many children", n)
	}
}

// Signature: what a fixed seed gives. A change here is a change of the search.
func TestBeamSignature(t *testing.T) {
	for _, c := range []struct {
		order string
		alike float64
		want  string
	}{
		{"row-major", 0, "452 723177 1772 3c4e4e3b04cc4cf5"},
		{"comb", 0, "448 730019 2576 836f0c7e4f2d9ca1"},
		{"spiral", 0, "444 955859 3090 d0c8233ec5e0837d"},
		{"comb", 0.7, "450 764149 2216 ec7277a6f350d8a8"},
	} {
		r := run(t, puzzle.Official(), Options{Order: c.order, Width: 256, Seed: 1, Alike: c.alike})
		h := fnv.New64a()
		fmt.Fprint(h, r.Placements)
		if got := fmt.Sprintf("%d %d %d %016x", r.Score, r.Nodes, r.Merged, h.Sum64()); got != c.want {
			t.Errorf("%s, alike %v: %s, want %s", c.order, c.alike, got, c.want)
		}
	}
}

func BenchmarkBeam(b *testing.B) {
	for _, width := range []int{256, 4096} {
		b.Run(fmt.Sprintf("comb/width=%d", width), func(b *testing.B) {
			b.ReportAllocs()
			nodes, score := int64(0), 0
			for i := 0; b.Loop(); i++ {
				r := run(b, puzzle.Official(), Options{Width: width, Seed: uint64(i)})
				nodes += r.Nodes
				score += r.Score
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(score)/float64(b.N), "score")
		})
	}
}

// An order by hand is an order: the one that a name stands for gives the same.
func TestBeamAlong(t *testing.T) {
	p, _, err := puzzle.Generate(puzzle.Spec{Width: 6, Height: 5, Colours: 7, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	spiral, err := OrderNamed("spiral")
	if err != nil {
		t.Fatal(err)
	}
	cells := spiral.Scan(6, 5)
	o := Options{Order: "spiral", Width: 50, Seed: 3}
	want, err := Beam(context.Background(), p, o, search.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Order = "mine"
	got, err := BeamAlong(context.Background(), p, cells, o, search.Budget{}, nil)
	if err != nil || got.Score != want.Score || !slices.Equal(got.Placements, want.Placements) || got.Nodes != want.Nodes {
		t.Errorf("score %d after %d nodes, %v; want %d after %d", got.Score, got.Nodes, err, want.Score, want.Nodes)
	}
	for _, bad := range [][]int{nil, cells[1:], append(slices.Clone(cells[1:]), 30), append(slices.Clone(cells[1:]), -1), append(slices.Clone(cells[1:]), cells[1])} {
		if _, err := BeamAlong(context.Background(), p, bad, o, search.Budget{}, nil); err == nil {
			t.Errorf("order %v", bad)
		}
	}
}
