package ledger

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// scene is a random problem on a small board.
type scene struct {
	name string
	Problem
}

// newScene shuffles a generated board within what the frame rule allows and
// frees some of its cells, or all of them where the board is tiny.
func newScene(t *testing.T, number int) scene {
	t.Helper()
	r := random.New(7, "scene", number)
	s := puzzle.Spec{Width: 3 + r.Below(3), Height: 3 + r.Below(3), Colours: 2 + r.Below(5), Seed: uint64(number)}
	switch r.Below(8) {
	case 0:
		s.Unframed = true
	case 1:
		s.Width, s.Height = 1+r.Below(2), 1+r.Below(6)
	case 2: // rim colours that are those of the inside
		s.RimColours = s.Colours
	}
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	full := puzzle.NewBoard(p)
	full.Load(solution)
	for range r.Below(1 + 2*p.Cells()) {
		x, y := r.Below(p.Cells()), r.Below(p.Cells())
		if p.RimMask(x) == p.RimMask(y) || !p.Framed() {
			full.Swap(x, full.Rotation(y), y, full.Rotation(x))
		}
	}
	cells := make([]int, p.Cells())
	for i := range cells {
		cells[i] = i
	}
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	most := 6
	if !p.Framed() {
		most = 4
	}
	k := min(len(cells), 1+r.Below(most))
	if p.Cells() == 9 && p.Framed() && r.Below(4) == 0 {
		k = 9
	}
	if r.Below(2) == 0 {
		slices.Sort(cells[len(cells)-k:])
		cells = slices.Clone(cells)
		for i := range cells {
			cells[i] = i // a suffix
		}
	}
	region := cells[len(cells)-k:]
	x := scene{Problem: Problem{Board: Without(full, region), Order: region, Budget: r.Below(1 + r.Below(2*k+3)), Charge: Charge(r.Below(2))}}
	if r.Below(3) == 0 {
		for _, cell := range full.BrokenCells() {
			if x.Board.Piece(cell) != puzzle.Empty && r.Below(2) == 0 {
				x.Uncharged = append(x.Uncharged, cell)
			}
		}
	}
	x.name = fmt.Sprintf("scene %d: %+v, order %v, budget %d, charge %v, uncharged %v", number, s, region, x.Budget, x.Charge, x.Uncharged)
	return x
}

// twin enumerates completions with a Board and nothing else.
type twin struct {
	problem     *Problem
	board       *puzzle.Board
	nodes       int64
	completions int64
	byBreaks    []int64
}

func enumerate(p *Problem) *twin {
	w := &twin{problem: p, board: Without(p.Board, nil), byBreaks: make([]int64, p.Budget+1)}
	w.fill(0, 0)
	return w
}

func (w *twin) fill(depth, used int) {
	if depth == len(w.problem.Order) {
		w.completions++
		w.byBreaks[used]++
		return
	}
	w.nodes++
	z, cell := w.board.Puzzle(), w.problem.Order[depth]
	for piece := range z.Pieces {
		for turn := range z.Period(piece) {
			if w.board.CellOf(piece) != puzzle.Empty || !z.FitsAt(cell, piece, turn) {
				continue
			}
			w.board.Place(cell, piece, turn)
			cost := w.cost(cell)
			if used+cost <= w.problem.Budget && (w.problem.Charge == Seam || cost <= 1) {
				w.fill(depth+1, used+cost)
			}
			w.board.Remove(cell)
		}
	}
}

// cost is the charged breaks of a cell.
func (w *twin) cost(cell int) (n int) {
	for side, beyond := range w.board.Puzzle().Neighbours(cell) {
		if beyond < 0 || w.board.Piece(int(beyond)) == puzzle.Empty || slices.Contains(w.problem.Uncharged, int(beyond)) {
			continue
		}
		if a, b := w.board.Edges(cell)[side], w.board.Edges(int(beyond))[side^2]; a != b || a == puzzle.Grey {
			n++
		}
	}
	return n
}

func exhaust(t *testing.T, p Problem, plan Plan) Result {
	t.Helper()
	r, err := Exhaust(context.Background(), &p, plan)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every mode, condition and charge finds what plain enumeration finds.
func TestAgainstEnumeration(t *testing.T) {
	scenes := 2000
	if testing.Short() {
		scenes = 300
	}
	fired, met := map[Conditions]int64{}, 0
	for number := range scenes {
		x := newScene(t, number)
		want := enumerate(&x.Problem)
		if want.completions > 0 {
			met++
		}
		for _, mode := range []Mode{Off, Node, Candidate, Auto} {
			for _, c := range []Conditions{Deficit, Parity, Page, Combined, Kinds, Cells, Hall, Combined | Cells | Hall, All} {
				if mode == Off && c != Page || mode == Auto && c != Kinds {
					continue
				}
				p := x.Problem
				p.Mode, p.Conditions = mode, c
				r := exhaust(t, p, Plan{})
				if r.Completions != want.completions || !slices.Equal(r.ByBreaks, want.byBreaks) || r.Censored {
					t.Fatalf("%s, %v with %v: %d completions %v, want %d %v", x.name, mode, c, r.Completions, r.ByBreaks, want.completions, want.byBreaks)
				}
				if mode == Off && r.Nodes != want.nodes || r.Nodes > want.nodes {
					t.Fatalf("%s, %v with %v: %d nodes, want %d", x.name, mode, c, r.Nodes, want.nodes)
				}
				fired[c] += r.Fires
				p.Best = true
				best := exhaust(t, p, Plan{})
				least := slices.IndexFunc(want.byBreaks, func(n int64) bool { return n > 0 })
				if best.Breaks != least || best.Censored {
					t.Fatalf("%s, %v with %v: best %d, want %d", x.name, mode, c, best.Breaks, least)
				}
				if r.Breaks != least || least >= 0 && worth(&p, best.Placements) != least {
					t.Fatalf("%s, %v with %v: a board of %d breaks was found, want %d", x.name, mode, c, r.Breaks, least)
				}
			}
		}
	}
	for _, c := range []Conditions{Deficit, Parity, Page, Combined, Kinds, Cells, Hall, All} {
		if fired[c] == 0 {
			t.Errorf("%v never fired", c)
		}
	}
	if met < scenes/4 || met > scenes*9/10 {
		t.Errorf("%d of %d scenes have completions: want some with and some without", met, scenes)
	}
}

// worth counts the charged breaks of a whole board among the seams of a
// problem's region.
func worth(p *Problem, board []puzzle.Placement) (n int) {
	w := &twin{problem: p, board: Without(p.Board, nil)}
	at := map[int]puzzle.Placement{}
	for _, q := range board {
		at[q.Cell] = q
	}
	for _, cell := range p.Order {
		w.board.Place(cell, at[cell].Piece, at[cell].Rotation)
		n += w.cost(cell)
	}
	return n
}

// riotte is the problem of a row of certificates: riotte-464 turned by half,
// less all but the first cells, with the breaks that it has there itself.
func riotte(t testing.TB, keep int) Problem {
	t.Helper()
	record, _ := puzzle.RecordNamed("riotte-464")
	z := puzzle.Official()
	turned, err := z.Turned(record.Board, 2)
	if err != nil {
		t.Fatal(err)
	}
	full := puzzle.NewBoard(z)
	full.Load(turned)
	p := Problem{}
	for cell := keep; cell < z.Cells(); cell++ {
		p.Order = append(p.Order, cell)
	}
	p.Board = Without(full, p.Order)
	p.Budget = full.Breaks() - p.Board.Breaks()
	return p
}

// The counts that the LEDGER page publishes, and signatures of what it does
// not have.
func TestCertificates(t *testing.T) {
	for _, row := range []struct {
		keep, budget int
		charge       Charge
		mode         Mode
		conditions   Conditions
		nodes, fires int64
	}{
		{232, 2, Seam, Off, Page, 542, 0},
		{232, 2, Seam, Node, Page, 316, 230},
		{232, 2, Seam, Candidate, Page, 86, 230},
		{232, 2, Seam, Candidate, Kinds, 79, 222},
		{224, 5, Seam, Off, Page, 3784655, 0},
		{224, 5, Seam, Node, Page, 194827, 186677},
		{224, 5, Seam, Candidate, Page, 8150, 186677},
		{224, 5, Seam, Candidate, Combined, 7411, 158821},
		{224, 5, Seam, Candidate, Kinds, 3455, 97247},
		{224, 5, Seam, Candidate, Kinds | Cells, 3388, 97314},
		{224, 5, Seam, Candidate, All, 1418, 56596},
		{224, 5, Cell, Off, Page, 800896, 0},
		{224, 5, Cell, Candidate, Page, 3586, 17466},
		{224, 5, Cell, Candidate, Kinds, 1581, 9109},
		{216, 6, Seam, Candidate, Kinds, 43031, 1730671},
		{216, 6, Cell, Candidate, Page, 37362, 251832},
		{216, 6, Cell, Candidate, Kinds, 10869, 78155},
	} {
		p := riotte(t, row.keep)
		if p.Budget != row.budget {
			t.Errorf("keep %d: budget %d, want %d", row.keep, p.Budget, row.budget)
		}
		p.Charge, p.Mode, p.Conditions = row.charge, row.mode, row.conditions
		r := exhaust(t, p, Plan{})
		if r.Nodes != row.nodes || r.Fires != row.fires || r.Completions != 1 || r.Breaks != row.budget || r.Censored {
			t.Errorf("keep %d, %v, %v, %v: %d nodes, %d fires, %d completions, best %d; want %d, %d, 1, %d",
				row.keep, row.charge, row.mode, row.conditions, r.Nodes, r.Fires, r.Completions, r.Breaks, row.nodes, row.fires, row.budget)
		}
	}
}

// The sieve refuses what the ledger would have refused, no more and no less.
func TestSieveChangesNothing(t *testing.T) {
	for number := range 400 {
		x := newScene(t, number)
		x.Mode = Candidate
		for _, c := range []Conditions{Combined, Kinds, All} {
			x.Conditions = c
			got := exhaust(t, x.Problem, Plan{})
			l, err := newPlan(&x.Problem)
			if err != nil {
				t.Fatal(err)
			}
			l.sieve = nil
			e := newEngine(l)
			e.reset(l.budget, 0)
			if !e.holds(l.limit, 0) {
				continue
			}
			e.enter(0)
			e.run(1 << 40)
			e.counts.Nodes++
			if e.counts.Nodes != got.Nodes || e.counts.Judged != got.Judged || e.counts.Fires != got.Fires || e.counts.Completions != got.Completions {
				t.Fatalf("%s, %v: %+v, want %+v", x.name, c, got.Counts, e.counts)
			}
		}
	}
}

// dear is a task whose candidates each break all they can.
func dear(t *testing.T) (task Task) {
	p := riotte(t, 216)
	p.Budget = 40
	l, err := newPlan(&p)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(l)
	e.reset(l.budget, len(l.steps))
	for range 6 {
		e.enter(int32(2 * len(task.Path)))
		s, v := &l.steps[e.depth], &e.levels[e.depth]
		last := e.entries[v.end-1]
		if !e.pass(s, v, last.base+int32(bits.TrailingZeros64(last.bits))) {
			t.Fatal("a candidate that is listed was not found")
		}
		e.put(s, v)
		task.Path = append(task.Path, v.bit)
		e.depth++
	}
	return task
}

// A region without cells has one completion, and a run over it can be resumed.
func TestNothingToFill(t *testing.T) {
	p := riotte(t, 256)
	for _, mode := range []Mode{Off, Node, Candidate, Auto} {
		p.Mode = mode
		var s State
		want := exhaust(t, p, Plan{Save: func(last State) { s = last }})
		if want.Completions != 1 || want.Breaks != 0 || want.Nodes != 0 || len(want.Placements) != 256 {
			t.Errorf("%v: %+v", mode, want)
		}
		got, err := Resume(context.Background(), &p, s, Plan{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
	}
}

// Neither threads nor interruptions change a count.
func TestSameCountsAnyway(t *testing.T) {
	for _, best := range []bool{false, true} {
		for _, mode := range []Mode{Off, Node, Candidate, Auto} {
			for _, nodes := range []int64{0, 3000, 7001} {
				p := riotte(t, 216)
				switch {
				case nodes == 0 && mode == Off:
					continue // takes too long here
				case nodes == 0 || best:
					p = riotte(t, 224)
				}
				p.Mode, p.Best = mode, best
				if best {
					p.Budget += 2
				}
				var states []State
				plan := Plan{Budget: search.Budget{Nodes: nodes}, Every: 1, Save: func(s State) {
					s.Tasks, s.ByBreaks, s.Levels = slices.Clone(s.Tasks), slices.Clone(s.ByBreaks), slices.Clone(s.Levels)
					states = append(states, s)
				}}
				want := exhaust(t, p, plan)
				if want.Nodes < 3000 || nodes > 0 && !best && want.Nodes != nodes || want.Censored != (nodes > 0) || len(states) < 3 {
					t.Fatalf("%v, best %v, of %d nodes in %d rounds: %+v", mode, best, nodes, len(states), want)
				}
				plan.Save = nil
				plan.Threads = 3
				same(t, exhaust(t, p, plan), want)
				for i, s := range states {
					if i%(1+len(states)/3) != 0 {
						continue
					}
					r, err := Resume(context.Background(), &p, s, plan)
					if err != nil {
						t.Fatal(err)
					}
					same(t, r, want)
				}
			}
		}
	}
}

func same(t *testing.T, got, want Result) {
	t.Helper()
	got.Elapsed, want.Elapsed = 0, 0
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// A search that is cut short in the middle of a round tells of all it has
// done, and goes on as if it had not been cut.
func TestCutShort(t *testing.T) {
	p := riotte(t, 208)
	p.Mode = Candidate
	ctx, cancel := context.WithCancel(context.Background())
	var last State
	rounds := 0
	r, err := Resume(ctx, &p, State{}, Plan{Every: 1, Save: func(s State) {
		last = s
		if rounds++; rounds == 5 {
			cancel()
		}
	}})
	if err != nil || !r.Censored || r.Nodes < last.Nodes {
		t.Fatalf("%+v, %v", r, err)
	}
	budget := search.Budget{Nodes: 300_000}
	want := exhaust(t, p, Plan{Budget: budget})
	got, err := Resume(context.Background(), &p, last, Plan{Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
}

func TestNoAllocations(t *testing.T) {
	for _, mode := range []Mode{Off, Node, Candidate} {
		p := riotte(t, 216)
		p.Mode, p.Conditions = mode, All
		l, err := newPlan(&p)
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(l)
		e.reset(l.budget, 0)
		if mode == Off {
			e.from = len(l.steps)
		}
		e.enter(0)
		limit := int64(0)
		if n := testing.AllocsPerRun(20, func() { limit += 1000; e.run(limit) }); n != 0 {
			t.Errorf("%v: %v allocations in 1000 nodes", mode, n)
		}
	}
}

func TestBadProblems(t *testing.T) {
	good := riotte(t, 250)
	for name, spoil := range map[string]func(*Problem){
		"no board":        func(p *Problem) { p.Board = nil },
		"cell outside":    func(p *Problem) { p.Order = append(p.Order[:5:5], 256) },
		"filled cell":     func(p *Problem) { p.Order = append(p.Order[:5:5], 3) },
		"cell twice":      func(p *Problem) { p.Order = append(p.Order[:5:5], 250) },
		"cell missing":    func(p *Problem) { p.Order = p.Order[:5] },
		"negative budget": func(p *Problem) { p.Budget = -1 },
		"mode":            func(p *Problem) { p.Mode = 9 },
		"charge":          func(p *Problem) { p.Charge = 9 },
		"uncharged empty": func(p *Problem) { p.Uncharged = []int{255} },
		"frame rule outside": func(p *Problem) {
			b := Without(p.Board, []int{0, 17})
			b.Place(0, p.Board.Piece(17), 0)
			b.Place(17, p.Board.Piece(0), 0)
			b.Remove(0)
			p.Board, p.Order = b, append([]int{0}, p.Order...)
		},
	} {
		p := good
		spoil(&p)
		if _, err := Exhaust(context.Background(), &p, Plan{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, spoil := range map[string]func(*State){
		"other budget":  func(s *State) { s.ByBreaks = append(s.ByBreaks, 0) },
		"no such piece": func(s *State) { s.Tasks[0].Path = []int32{9999} },
		"floor":         func(s *State) { s.Tasks[0].Floor = 99 },
		"long path":     func(s *State) { s.Tasks[0].Path = make([]int32, 300) },
		"from":          func(s *State) { s.From = -1 },
		"negative":      func(s *State) { s.Fires = -1 },
		"dear piece":    func(s *State) { s.Tasks[0] = dear(t) },
		"other best":    func(s *State) { s.Breaks, s.Best = 3, make([]int32, 40) },
	} {
		p := riotte(t, 216)
		p.Mode = Candidate
		var s State
		if _, err := Exhaust(context.Background(), &p, Plan{Budget: search.Budget{Nodes: 1000}, Save: func(last State) { s = last }}); err != nil || len(s.Tasks) == 0 {
			t.Fatal(err, s)
		}
		spoil(&s)
		if _, err := Resume(context.Background(), &p, s, Plan{}); err == nil {
			t.Errorf("saved run with %s: no error", name)
		}
	}
}
