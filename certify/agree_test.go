package certify_test

import (
	"io"
	"math"
	"slices"
	"testing"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/certify/solver"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/random"
)

var gophersat = solver.Gophersat{}

// each runs a test with every solver that is here.
func each(t *testing.T, run func(t *testing.T, s certify.Solver)) {
	for _, name := range solver.Names() {
		t.Run(name, func(t *testing.T) {
			s, err := solver.Named(name)
			if err != nil {
				t.Skip(err)
			}
			run(t, s)
		})
	}
}

// satisfiable decides a formula.
func satisfiable(t *testing.T, s certify.Solver, f *cnf.Formula) bool {
	t.Helper()
	answer, err := s.Solve(t.Context(), f, io.Discard, certify.Limits{})
	if err != nil || answer.Status == certify.Unknown {
		t.Fatal(answer, err)
	}
	return answer.Status == certify.Satisfiable
}

// What Decide and Exhaust say of small regions is what enumeration says, and
// every certificate is good.
func TestVerdictsAgreeWithEnumeration(t *testing.T) {
	solvers := []certify.Solver{gophersat}
	if s, err := solver.Named("cadical"); err == nil {
		solvers = append(solvers, s)
	}
	found, steps := map[certify.Verdict]int{}, map[string]int{}
	eachScene(t, 1000, 20_000, func(number int, x *scene) {
		r := x.region(t)
		for _, goal := range []certify.Goal{certify.Better, certify.Perfect} {
			for i, s := range solvers {
				if i > 0 && number%20 != 0 {
					continue // each question is a process
				}
				store := newStore()
				res, err := certify.Decide(t.Context(), r, goal, certify.Plan{Solver: s, Store: store, Name: "halo"})
				if err != nil {
					t.Fatalf("%s: %v by %s: %v", x.name, goal, s.Name(), err)
				}
				x.judge(t, r, goal, &res)
				x.recheck(t, r, &res, store)
				found[res.Verdict]++
				for _, step := range res.Steps {
					steps[step.By]++
				}
			}
			res, err := certify.Exhaust(t.Context(), r, goal, ledger.Plan{})
			if err != nil {
				t.Fatalf("%s: %v by exhaustion: %v", x.name, goal, err)
			}
			x.judge(t, r, goal, &res)
			x.recheck(t, r, &res, newStore())
		}
	})
	t.Log(found, steps)
	if found[certify.Proven] < 500 || found[certify.Found] < 300 || steps[certify.Counting] < 20 || steps[certify.Proof] < 100 {
		t.Errorf("verdicts %v, steps %v: want many of each", found, steps)
	}
}

func (x *scene) region(t *testing.T) *certify.Region {
	t.Helper()
	r, err := certify.NewRegion(x.board, x.cells)
	if err != nil {
		t.Fatalf("%s: %v", x.name, err)
	}
	if !slices.Equal(r.Cells(), x.open) {
		t.Fatalf("%s: cells %v, want %v", x.name, r.Cells(), x.open)
	}
	return r
}

// judge holds a settled result against the truth.
func (x *scene) judge(t *testing.T, r *certify.Region, goal certify.Goal, res *certify.Result) {
	t.Helper()
	verdict := certify.Proven
	if goal == certify.Perfect && x.least == 0 || goal == certify.Better && x.least < r.Own() {
		verdict = certify.Found
	}
	if res.Verdict != verdict || res.Why != "" {
		t.Errorf("%s: %v is %s for %q, want %s", x.name, goal, res.Verdict, res.Why, verdict)
	}
	least, most := x.least, x.least // what the floor may be
	if goal == certify.Perfect {
		least = min(1, x.least)
	}
	if res.Floor < least || res.Floor > most {
		t.Errorf("%s: a floor of %d for %v, want %d to %d", x.name, res.Floor, goal, least, most)
	}
	if goal == certify.Better && (res.Best != x.least && res.Best != r.Own() || res.Best > r.Own() || !res.Optimal()) {
		t.Errorf("%s: best %d, floor %d, want %d", x.name, res.Best, res.Floor, x.least)
	}
	b := puzzle.NewBoard(r.Board().Puzzle())
	b.Load(res.Board)
	for cell := range b.Puzzle().Cells() {
		if !slices.Contains(x.open, cell) && (b.Piece(cell) != x.board.Piece(cell) || b.Rotation(cell) != x.board.Rotation(cell)) {
			t.Fatalf("%s: the piece on cell %d does not stay", x.name, cell)
		}
	}
	if b.Filled() == b.Puzzle().Cells() {
		var filling []puzzle.Placement
		for _, cell := range x.open {
			filling = append(filling, puzzle.Placement{Cell: cell, Piece: b.Piece(cell), Rotation: b.Rotation(cell)})
		}
		if n := x.breaks(x.open, filling); n != res.Best {
			t.Errorf("%s: the board of %v breaks %d, not %d", x.name, goal, n, res.Best)
		}
	} else if res.Best != r.Own() {
		t.Errorf("%s: a better board has holes", x.name)
	}
}

// The formula of a window is satisfiable exactly from its fewest breaks on, and
// admits a filling exactly from its breaks on, whatever floors are said.
func TestFormulaAgreesWithEnumeration(t *testing.T) {
	windows, parted, admitted := 0, 0, 0
	eachScene(t, 1000, 3000, func(number int, x *scene) {
		r, random := x.region(t), random.New(12, "window", number)
		window := slices.Clone(x.open)
		if number%2 == 1 {
			random.Shuffle(len(window), func(i, j int) { window[i], window[j] = window[j], window[i] })
			window = window[:1+random.Below(len(window))]
			slices.Sort(window)
			parted++
		}
		w := x.truth
		if len(window) < len(x.open) {
			if w = x.enumerate(window, 30_000); w == nil {
				return
			}
		}
		windows++
		floors := x.floors(random, window)
		seams := 4 * len(window)
		bounds := []int{w.least - 1, w.least, random.Below(seams + 1)}
		switch number % 50 {
		case 0:
			bounds = upTo(seams + 2)
		case 1:
			bounds = []int{seams + 1000, math.MaxInt}
		}
		for _, bound := range bounds {
			if bound < 0 {
				continue
			}
			for i, said := range []certify.Floors{nil, floors} {
				if i > 0 && len(said) == 0 {
					continue
				}
				q, err := r.Ask(window, bound, said)
				if err != nil {
					t.Fatalf("%s: %v", x.name, err)
				}
				if got := satisfiable(t, gophersat, q.Formula); got != (w.least <= bound) {
					t.Fatalf("%s: window %v, at most %d breaks, floors %v: satisfiable %t, and the fewest are %d", x.name, window, bound, said, got, w.least)
				}
				admitted += x.admits(t, random, q, w)
			}
		}
	})
	t.Logf("%d windows, %d of them parts, %d fillings admitted", windows, parted, admitted)
}

// floors are true floors of some parts of a window.
func (x *scene) floors(r *random.Stream, window []int) certify.Floors {
	floors := certify.Floors{}
	var visit func(cells []int)
	visit = func(cells []int) {
		if r.Below(4) > 0 {
			if w := x.enumerate(cells, 30_000); w != nil && w.least > 0 {
				floors.Raise(cells, w.least-r.Below(2))
			}
		}
		if a, b := certify.Parts(cells, x.board.Puzzle().Width); a != nil {
			visit(a)
			visit(b)
		}
	}
	visit(window)
	return floors
}

// admits holds what a formula admits against the breaks of fillings: all of
// them where they are few. It counts those that it admits.
func (x *scene) admits(t *testing.T, r *random.Stream, q *certify.Question, w *truth) (admitted int) {
	t.Helper()
	some := w.fillings
	all := len(some) <= 24
	if !all {
		some = nil
		for range 6 {
			some = append(some, w.fillings[r.Below(len(w.fillings))])
		}
	}
	for _, filling := range some {
		breaks := x.breaks(q.Cells, filling)
		admits, err := q.Admits(filling)
		if err != nil || admits != (breaks <= q.Bound) {
			t.Fatalf("%s: window %v, at most %d breaks: admits %v with %d: %t, %v", x.name, q.Cells, q.Bound, filling, breaks, admits, err)
		}
		if _, n, err := q.Region.Fill(q.Cells, filling); n != breaks || err != nil {
			t.Fatalf("%s: window %v: %v breaks %d, want %d, %v", x.name, q.Cells, filling, n, breaks, err)
		}
		if admits {
			admitted++
		}
	}
	within := 0
	for breaks, n := range w.byBreaks {
		if breaks <= q.Bound {
			within += n
		}
	}
	if all && admitted != within {
		t.Fatalf("%s: window %v: %d fillings with at most %d breaks, want %d", x.name, q.Cells, admitted, q.Bound, within)
	}
	return admitted
}
