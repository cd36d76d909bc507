package construct

import (
	"fmt"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// twin is the brute force that a dive is held against: it tries every piece on
// every cell and knows no tables.
type twin struct {
	order  []int
	board  *puzzle.Board
	rules  *schedule
	clue   []int   // by cell
	counts []int64 // nodes by level
	least  int     // breaks of the best full board, -1 while there is none
	left   int     // nodes until it is given up
}

func newTwin(p *puzzle.Puzzle, order []int, s *schedule, most int) *twin {
	t := &twin{board: puzzle.NewBoard(p), rules: s, clue: p.CluesByCell(), least: -1, left: most}
	for _, cell := range order {
		if t.clue[cell] < 0 {
			t.order = append(t.order, cell)
		}
	}
	t.counts = make([]int64, len(t.order))
	t.board.Load(p.Clues)
	early := 0
	for _, c := range p.Clues {
		early += t.early(t.board.Edges(c.Cell))
	}
	t.fill(0, 0, early)
	return t
}

func (t *twin) early(e puzzle.Edges) (n int) {
	for _, c := range e {
		if t.rules.early[c] {
			n++
		}
	}
	return n
}

func (t *twin) fill(level, breaks, early int) {
	if level == len(t.order) {
		if t.least < 0 || breaks < t.least {
			t.least = breaks
		}
		return
	}
	p, cell := t.board.Puzzle(), t.order[level]
	allowed := 0
	for _, x := range t.rules.indexes {
		if level >= x {
			allowed++
		}
	}
	for piece := range p.Cells() {
		for turn := range p.Period(piece) {
			if t.board.CellOf(piece) != puzzle.Empty || !p.FitsAt(cell, piece, turn) {
				continue
			}
			t.board.Place(cell, piece, turn)
			broken, owed := 0, 0
			for side, n := range p.Neighbours(cell) {
				// Nobody can match a grey clue, so it is not charged.
				lost := n >= 0 && t.clue[n] >= 0 && t.board.Edges(int(n))[side^2] == puzzle.Grey
				if t.board.Broken(cell, side) && !lost {
					broken++
				}
			}
			if level < len(t.rules.owed) {
				owed = int(t.rules.owed[level])
			}
			now := early + t.early(t.board.Edges(cell))
			if (broken == 0 || broken == 1 && breaks < allowed) && now >= owed && t.left > 0 {
				t.counts[level]++
				t.left--
				t.fill(level+1, breaks+broken, now)
			}
			t.board.Remove(cell)
		}
	}
}

// case of a dive: a puzzle, an order and a schedule.
type diveCase struct {
	name     string
	puzzle   *puzzle.Puzzle
	order    []int
	schedule schedule
}

// diveCases are small enough for the twin: framed or not, with clues, twins and
// symmetric pieces, grey inside, in every order and in shuffled ones, with break
// indexes and early colours drawn by lot.
func diveCases(t testing.TB, most int) []diveCase {
	lots := random.New(1, "dive cases", 0)
	var cases []diveCase
	add := func(name string, p *puzzle.Puzzle) {
		for n := 0; n < len(Orders)+5; n++ {
			order, label := rowMajor(p.Width, p.Height), "shuffled"
			lots.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			if n < len(Orders) {
				label = Orders[n].Name + []string{"", "@ne", "@sw", "@se"}[lots.Below(4)]
				o, err := OrderNamed(label)
				if err != nil {
					t.Fatal(err)
				}
				order = o.Scan(p.Width, p.Height)
			}
			c := diveCase{fmt.Sprintf("%s %s %d", name, label, n), p, order, schedule{}}
			for range lots.Below(5) {
				c.schedule.indexes = append(c.schedule.indexes, lots.Below(p.Cells()))
			}
			slices.Sort(c.schedule.indexes)
			if lots.Below(2) == 0 {
				owes := 0
				for range 1 + lots.Below(2) {
					c.schedule.early[1+lots.Below(p.Colours())] = true
				}
				for range lots.Below(p.Cells()) {
					owes += lots.Below(5) / 3
					c.schedule.owed = append(c.schedule.owed, int32(owes))
				}
			}
			// Fewer and later breaks until the twin can do it. A few shuffled
			// orders are too much for it in any case.
			small := newTwin(p, order, &c.schedule, most).left > 0
			for !small && len(c.schedule.indexes) > 0 {
				c.schedule.indexes = c.schedule.indexes[1:]
				small = newTwin(p, order, &c.schedule, most).left > 0
			}
			if small {
				cases = append(cases, c)
			}
		}
	}
	add("2x2", generated(t, puzzle.Spec{Width: 2, Height: 2, Colours: 2, Seed: 1}))
	add("1x5", generated(t, puzzle.Spec{Width: 1, Height: 5, Colours: 2, Seed: 1}))
	add("3x3", generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3, Seed: 2}))
	add("3x3 clue", generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 2, Seed: 3}, 4))
	add("4x3", generated(t, puzzle.Spec{Width: 4, Height: 3, Colours: 4, Seed: 4}, 5))
	add("4x4", generated(t, puzzle.Spec{Width: 4, Height: 4, Colours: 5, Seed: 5}, 0, 10))
	add("4x4 free", generated(t, puzzle.Spec{Width: 4, Height: 4, Colours: 8, Seed: 6}))
	add("2x2 unframed", generated(t, puzzle.Spec{Width: 2, Height: 2, Colours: 3, Seed: 7, Unframed: true}))
	add("3x3 unframed", generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 7, Seed: 8, Unframed: true}, 0, 8))
	// Twins, symmetric pieces, and grey where no frame asks for it, on a clue too.
	pieces := []puzzle.Edges{{1, 2, 1, 2}, {1, 1, 1, 1}, {0, 1, 2, 1}, {0, 1, 2, 1}, {2, 2, 0, 0}, {1, 0, 2, 2}, {2, 1, 2, 1}, {0, 0, 0, 0}, {1, 2, 3, 0}}
	for name, clues := range map[string][]puzzle.Placement{"": nil, " clues": {{Cell: 0, Piece: 4, Rotation: 3}, {Cell: 5, Piece: 0, Rotation: 1}}} {
		p, err := puzzle.New("odd", 3, 3, pieces, clues)
		if err != nil {
			t.Fatal(err)
		}
		if p.Framed() {
			t.Fatal("odd pieces make a frame")
		}
		if name != "" {
			add("odd"+name, p)
			continue
		}
		small, err := puzzle.New("odd", 3, 2, pieces[:6], nil)
		if err != nil {
			t.Fatal(err)
		}
		add("odd small", small)
	}
	if len(cases) < 120 {
		t.Fatalf("%d cases, too few", len(cases))
	}
	return cases
}

func (c *diveCase) dive(narrowAt int) *dive {
	return newDive(c.puzzle, c.order, &c.schedule, random.New(3, "dive", 0), narrowAt)
}

func (d *dive) counts() []int64 {
	counts := make([]int64, len(d.rules))
	for i := range counts {
		counts[i] = d.levels[i].nodes
	}
	return counts
}

const twinNodes = 1 << 14

// A dive that never fills the last cell goes through all that its rules let pass,
// node for node.
func TestDiveCountsAsBruteForce(t *testing.T) {
	broke := 0
	for _, c := range diveCases(t, twinNodes) {
		want := newTwin(c.puzzle, c.order, &c.schedule, twinNodes).counts
		d := c.dive(0)
		last := len(d.rules) - 1
		d.levels[last].owed, want[last] = 255, 0
		d.enter(0, 0) // that may be the level of the root
		d.run(1 << 40)
		if got := d.counts(); !slices.Equal(got, want) {
			t.Errorf("%s, %+v: nodes by level\n%v, want\n%v", c.name, c.schedule, got, want)
		}
		if !d.over {
			t.Errorf("%s: not over", c.name)
		}
		for piece, used := range d.used {
			if used != 0 {
				t.Errorf("%s: piece %d is left in use", c.name, piece)
			}
		}
		if d.breaks > 0 {
			broke++
		}
	}
	if broke < 10 {
		t.Errorf("breaks in %d cases only: it shows little", broke)
	}
}

// A dive that runs to its end has found a full board with the fewest breaks that
// its schedule lets pass, and says its breaks as a board counts them.
func TestDiveFindsTheFewestBreaks(t *testing.T) {
	full := 0
	for _, c := range diveCases(t, twinNodes) {
		want := newTwin(c.puzzle, c.order, &c.schedule, twinNodes).least
		d := c.dive(0)
		d.run(1 << 40)
		if !d.over {
			t.Errorf("%s: not over", c.name)
		}
		if got := len(d.deepest) == len(d.rules); got != (want >= 0) || got && d.breaks != want {
			t.Errorf("%s, %+v: a full board %v, %d breaks, want %d", c.name, c.schedule, got, d.breaks, want)
		}
		if want < 0 {
			continue
		}
		full++
		if n := d.levels[len(d.rules)-1].nodes; int(n) > len(c.schedule.indexes)+1 {
			t.Errorf("%s: %d full boards, so some are no better than the one before", c.name, n)
		}
		// Seams that a clue spoils, or two, are nobody's choice.
		b := puzzle.NewBoard(c.puzzle)
		b.Load(c.puzzle.Clues)
		spoilt := b.Breaks()
		for _, x := range c.puzzle.Clues {
			for side, n := range c.puzzle.Neighbours(x.Cell) {
				if n >= 0 && b.Piece(int(n)) == puzzle.Empty && b.Edges(x.Cell)[side] == puzzle.Grey {
					spoilt++
				}
			}
		}
		b.Load(d.board(c.puzzle, d.deepest))
		if b.Breaks() != d.breaks+spoilt {
			t.Errorf("%s: %d breaks and %d spoilt on the board, said %d", c.name, b.Breaks(), spoilt, d.breaks)
		}
	}
	if full < 20 {
		t.Errorf("%d full boards: it shows little", full)
	}
}

// large has tables that are worth narrowing, a clue and levels that are filtered.
func large(t testing.TB, scan string) *diveCase {
	o, err := OrderNamed(scan)
	if err != nil {
		t.Fatal(err)
	}
	p := puzzle.Official()
	c := &diveCase{scan, p, o.Scan(p.Width, p.Height), schedule{indexes: []int{40, 60, 100, 120, 121, 150, 190, 200}}}
	c.schedule.early = earlyColours(p, 3)
	c.schedule.owed = owed(p, &c.schedule.early, c.order, 0.5)
	return c
}

// However a dive is cut and wherever its tables are narrowed, it goes the same way.
func TestDiveInChunks(t *testing.T) {
	lots := random.New(2, "chunks", 0)
	const nodes = 200_000
	for _, scan := range []string{"row-major@sw", "spiral", "comb", "diagonal@ne"} {
		c := large(t, scan)
		whole := c.dive(0)
		whole.run(nodes)
		if whole.nodes != nodes {
			t.Fatalf("%s: over after %d nodes", scan, whole.nodes)
		}
		for _, narrowAt := range []int{0, 1, 30, 77, 120, len(whole.rules) - 1, len(whole.rules)} {
			d := c.dive(narrowAt)
			for d.nodes < nodes {
				d.run(min(nodes-d.nodes, int64(1+lots.Below(1<<lots.Below(16)))))
			}
			if !slices.Equal(d.counts(), whole.counts()) || !slices.Equal(d.deepest, whole.deepest) || d.breaks != whole.breaks ||
				d.depth != whole.depth || *d.placed != *whole.placed || *d.used != *whole.used {
				t.Errorf("%s, narrowed at %d: another way than without chunks", scan, narrowAt)
			}
			if narrow := narrowAt > 0 && narrowAt < len(d.rules)-50; narrow && len(d.copies) == 0 {
				t.Errorf("%s: nothing is narrowed at %d", scan, narrowAt)
			}
		}
	}
	for _, c := range diveCases(t, twinNodes) {
		whole, d := c.dive(0), c.dive(0)
		whole.run(1 << 40)
		for !d.over {
			d.run(1)
		}
		if !slices.Equal(d.counts(), whole.counts()) || d.nodes != whole.nodes || !slices.Equal(d.deepest, whole.deepest) {
			t.Errorf("%s: another way node by node", c.name)
		}
	}
}

func TestDiveAllocatesNothing(t *testing.T) {
	for _, narrowAt := range []int{0, 60} {
		d := large(t, "spiral").dive(narrowAt)
		d.run(100_000)
		if n := testing.AllocsPerRun(10, func() { d.run(10_000) }); n != 0 {
			t.Errorf("narrowed at %d: %v allocations in 10,000 nodes", narrowAt, n)
		}
	}
}

// BenchmarkDive goes on with a dive that has settled where it spends its time.
func BenchmarkDive(b *testing.B) {
	const settled = 1 << 24
	for _, c := range []struct {
		name    string
		indexes []int
	}{{"strict", nil}, {"breaks", officialBreaks}} {
		b.Run(c.name, func(b *testing.B) {
			o, err := OrderNamed("row-major@sw")
			if err != nil {
				b.Fatal(err)
			}
			f := &depthFirst{puzzle: starter(b), order: o.Scan(16, 16)}
			f.schedule.early = earlyColours(f.puzzle, 3)
			f.schedule.owed = owed(f.puzzle, &f.schedule.early, f.order, 1)
			f.schedule.indexes = c.indexes
			var d *dive
			for range 2 { // the first says where to narrow
				d = newDive(f.puzzle, f.order, &f.schedule, random.New(1, "benchmark", 0), f.narrowAt)
				d.run(settled)
				f.chooseNarrow(d)
			}
			b.ReportAllocs()
			for b.Loop() {
				d.run(chunk)
			}
			b.ReportMetric(float64(d.nodes-settled)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
