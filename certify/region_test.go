package certify_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/puzzle"
	"lastmile/random"
)

// solved is a generated puzzle and its solution on a board.
func solved(t testing.TB, s puzzle.Spec) *puzzle.Board {
	t.Helper()
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	return b
}

// Regions at the ends of what can be asked.
func TestUnusualRegions(t *testing.T) {
	for name, test := range map[string]struct {
		spec          puzzle.Spec
		change        func(b *puzzle.Board)
		cells         []int
		own, least    int
		better, exact certify.Verdict
		by            string // of the last step of the better one
	}{
		"nothing to gain": {
			puzzle.Spec{Width: 4, Height: 4, Colours: 5, Seed: 1}, func(*puzzle.Board) {}, []int{5, 6}, 0, 0, certify.Proven, certify.Found, ""},
		"one cell": {
			puzzle.Spec{Width: 4, Height: 4, Colours: 5, Seed: 1}, func(b *puzzle.Board) { turn(b, 5) }, []int{5}, 3, 0, certify.Found, certify.Found, ""},
		"one cell that is right": {
			puzzle.Spec{Width: 4, Height: 4, Colours: 5, Seed: 1}, func(*puzzle.Board) {}, []int{0}, 0, 0, certify.Proven, certify.Found, ""},
		"the whole board": {
			puzzle.Spec{Width: 3, Height: 4, Colours: 4, Seed: 1}, func(b *puzzle.Board) { damage(random.New(1, "whole", 0), b, 400) }, upTo(12), 6, 0, certify.Found, certify.Found, ""},
		"an empty board": {
			puzzle.Spec{Width: 3, Height: 3, Colours: 4, Seed: 1}, (*puzzle.Board).Clear, nil, 12, 0, certify.Found, certify.Found, ""},
		"one row": {
			puzzle.Spec{Width: 8, Height: 1, Colours: 3, Seed: 1}, func(b *puzzle.Board) { b.Remove(3); b.Remove(5) }, []int{4}, 4, 0, certify.Found, certify.Found, ""},
		"one column": {
			puzzle.Spec{Width: 1, Height: 7, Colours: 2, Seed: 1, Unframed: true}, func(b *puzzle.Board) { turn(b, 2) }, upTo(7), 1, 0, certify.Found, certify.Found, ""},
		"one cell of a board of one": {
			puzzle.Spec{Width: 1, Height: 1, Colours: 1, Seed: 1}, (*puzzle.Board).Clear, nil, 0, 0, certify.Proven, certify.Found, ""},
		"a piece that belongs elsewhere": {
			puzzle.Spec{Width: 5, Height: 5, Colours: 9, Seed: 1}, func(b *puzzle.Board) { b.Swap(6, b.Rotation(18), 18, b.Rotation(6)) }, []int{6}, 4, 4, certify.Proven, certify.Proven, certify.Counting},
		"all of one colour": {
			puzzle.Spec{Width: 4, Height: 3, Colours: 1, Seed: 1, Unframed: true}, func(b *puzzle.Board) { turn(b, 5) }, upTo(12), 0, 0, certify.Proven, certify.Found, ""},
		"the largest board": {
			puzzle.Spec{Width: 128, Height: 128, Colours: 40, Seed: 1}, func(b *puzzle.Board) { b.Swap(8000, 0, 8001, 0) }, []int{7999, 8000, 8001, 8002}, 7, 0, certify.Found, certify.Found, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := solved(t, test.spec)
			test.change(b)
			r, err := certify.NewRegion(b, test.cells)
			if err != nil {
				t.Fatal(err)
			}
			if r.Own() != test.own {
				t.Errorf("%d of the seams are broken or open, want %d", r.Own(), test.own)
			}
			for _, goal := range []certify.Goal{certify.Better, certify.Perfect} {
				want := test.better
				if goal == certify.Perfect {
					want = test.exact
				}
				files := newStore()
				res, err := certify.Decide(t.Context(), r, goal, certify.Plan{Solver: gophersat, Store: files})
				if err != nil || res.Verdict != want || res.Best != test.least {
					t.Errorf("%v: %s with %d breaks, want %s with %d, %v", goal, res.Verdict, res.Best, want, test.least, err)
				}
				if by := lastBy(&res); goal == certify.Better && by != test.by {
					t.Errorf("shown by %q, want %q", by, test.by)
				}
				if b.Puzzle().Cells() < 1000 { // else the manifest takes its time
					(&scene{name: name}).recheck(t, r, &res, files)
				}
			}
		})
	}
}

func turn(b *puzzle.Board, cell int) {
	b.Swap(cell, (b.Rotation(cell)+1)%4, cell, (b.Rotation(cell)+1)%4)
}

func lastBy(res *certify.Result) string {
	if len(res.Steps) == 0 {
		return ""
	}
	return res.Steps[len(res.Steps)-1].By
}

func TestNewRegionErrors(t *testing.T) {
	b := solved(t, puzzle.Spec{Width: 4, Height: 4, Colours: 4, Seed: 1})
	for name, test := range map[string]struct {
		change func()
		cells  []int
		want   string
	}{
		"nothing":       {func() {}, nil, "certify: no cell is freed"},
		"below":         {func() {}, []int{3, -1}, "certify: cell -1, want 0 to 15"},
		"beyond":        {func() {}, []int{16}, "certify: cell 16, want 0 to 15"},
		"frame rule":    {func() { turn(b, 1) }, []int{5}, "certify: the piece on cell 1 breaks the frame rule"},
		"in the region": {func() {}, []int{1}, "certify: the piece on cell 1 breaks the frame rule"},
	} {
		b.Load(solved(t, puzzle.Spec{Width: 4, Height: 4, Colours: 4, Seed: 1}).Placements(nil))
		if test.change(); name == "in the region" {
			turn(b, 1)
		}
		if _, err := certify.NewRegion(b, test.cells); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// A region is taken apart from a board that stays as it was, and its cells may be
// listed in any order, more than once.
func TestRegionLeavesTheBoard(t *testing.T) {
	b := solved(t, puzzle.Spec{Width: 4, Height: 4, Colours: 4, Seed: 1})
	before := b.Placements(nil)
	r, err := certify.NewRegion(b, []int{9, 5, 6, 5, 9})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.Placements(nil), before) || !slices.Equal(r.Cells(), []int{5, 6, 9}) || r.Seams() != 10 || r.Rest().Filled() != 13 {
		t.Errorf("cells %v, %d seams, %d pieces stay", r.Cells(), r.Seams(), r.Rest().Filled())
	}
}

func TestAskErrors(t *testing.T) {
	r := bad(t)
	for _, test := range []struct {
		cells []int
		bound int
		want  string
	}{
		{[]int{6, 7}, -1, "a bound of -1 breaks, want 0 or more"},
		{nil, 0, "a window of 0 cells, want one or more, ascending"},
		{[]int{7, 6}, 0, "a window of 2 cells, want one or more, ascending"},
		{[]int{6, 6}, 0, "cell 6 in a window, want cells of the region, each once"},
		{[]int{6, 9}, 0, "cell 9 in a window"},
		{[]int{-1, 6}, 0, "cell -1 in a window"},
		{[]int{6, 25}, 0, "cell 25 in a window"},
	} {
		if _, err := r.Ask(test.cells, test.bound, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, at most %d: %v, want %q", test.cells, test.bound, err, test.want)
		}
	}
}

func TestFillErrors(t *testing.T) {
	r := bad(t)
	window := []int{6, 7}
	at := func(cell int) puzzle.Placement {
		return puzzle.Placement{Cell: cell, Piece: r.Board().Piece(cell), Rotation: r.Board().Rotation(cell)}
	}
	off := func(change func(q *puzzle.Placement)) []puzzle.Placement {
		q := at(7)
		change(&q)
		return []puzzle.Placement{at(6), q}
	}
	for name, test := range map[string]struct {
		cells   []int
		filling []puzzle.Placement
		want    string
	}{
		"too few":            {window, []puzzle.Placement{at(6)}, "1 placements, want one for each of 2 cells"},
		"too many":           {window, []puzzle.Placement{at(6), at(7), at(8)}, "3 placements"},
		"a cell twice":       {window, []puzzle.Placement{at(6), at(6)}, "a piece on cell 6, which is not free"},
		"outside":            {window, []puzzle.Placement{at(6), at(8)}, "a piece on cell 8, which is not free"},
		"no cell":            {window, off(func(q *puzzle.Placement) { q.Cell = -1 }), "a piece on cell -1"},
		"beyond":             {window, off(func(q *puzzle.Placement) { q.Cell = 25 }), "a piece on cell 25"},
		"a piece twice":      {window, off(func(q *puzzle.Placement) { q.Piece = at(6).Piece }), "which is not free"},
		"a piece that stays": {window, off(func(q *puzzle.Placement) { q.Piece = at(0).Piece }), "which is not free"},
		"no piece":           {window, off(func(q *puzzle.Placement) { q.Piece = -1 }), "piece -1, which is not free"},
		"no rotation":        {window, off(func(q *puzzle.Placement) { q.Rotation = 4 }), "breaks the frame rule at cell 7"},
		"no rotation below":  {window, off(func(q *puzzle.Placement) { q.Rotation = -1 }), "breaks the frame rule at cell 7"},
		"window outside":     {[]int{6, 25}, []puzzle.Placement{at(6), at(7)}, "cell 25 in a window"},
		"window that stays":  {[]int{0, 6}, []puzzle.Placement{at(0), at(6)}, "cell 0 in a window"},
		"window doubled":     {[]int{6, 6}, []puzzle.Placement{at(6), at(6)}, "cell 6 in a window"},
	} {
		if _, _, err := r.Fill(test.cells, test.filling); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	full, breaks, err := r.Fill(window, []puzzle.Placement{at(7), at(6)})
	if err != nil || full.Filled() != 25-len(r.Cells())+2 || breaks > r.Own() {
		t.Errorf("%d pieces, %d breaks, %v", full.Filled(), breaks, err)
	}
}

// A piece that would break the frame rule fills nothing.
func TestFrameRuleHolds(t *testing.T) {
	b := solved(t, puzzle.Spec{Width: 4, Height: 4, Colours: 4, Seed: 1})
	r, err := certify.NewRegion(b, []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	filling := []puzzle.Placement{{Cell: 1, Piece: b.Piece(2), Rotation: b.Rotation(2) ^ 1}, {Cell: 2, Piece: b.Piece(1), Rotation: b.Rotation(1)}}
	if _, _, err := r.Fill(r.Cells(), filling); err == nil || !strings.Contains(err.Error(), "frame rule at cell 1") {
		t.Error(err)
	}
	q, err := r.Ask(r.Cells(), 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	if admits, err := q.Admits(filling); admits || err != nil {
		t.Errorf("admitted: %t, %v", admits, err)
	}
}

// Windows are cut the same way wherever they are met, into parts that share no
// cell and miss none, until single cells are left.
func TestWindows(t *testing.T) {
	for number := range 300 {
		r := random.New(14, "windows", number)
		width := 1 + r.Below(10)
		var cells []int
		for cell := range width * (1 + r.Below(10)) {
			if r.Below(3) > 0 {
				cells = append(cells, cell)
			}
		}
		if len(cells) == 0 {
			continue
		}
		leaves := 0
		var visit func(cells []int) string
		visit = func(cells []int) string {
			if !slices.IsSorted(cells) || len(slices.Compact(slices.Clone(cells))) != len(cells) {
				t.Fatalf("window %v", cells)
			}
			a, b := certify.Parts(cells, width)
			if a == nil {
				if leaves++; len(cells) != 1 {
					t.Fatalf("%v is not cut", cells)
				}
				return fmt.Sprint(cells)
			}
			both := slices.Concat(a, b)
			slices.Sort(both)
			if !slices.Equal(both, cells) || len(a) > len(b) || len(b)-len(a) > 1 {
				t.Fatalf("%v is cut into %v and %v", cells, a, b)
			}
			return fmt.Sprint(cells, visit(a), visit(b))
		}
		before := slices.Clone(cells)
		tree := visit(cells)
		if leaves != len(cells) || !slices.Equal(cells, before) || visit(cells) != tree {
			t.Fatalf("%d leaves of %d cells, width %d", leaves, len(cells), width)
		}
	}
}

// The order of the pieces on the board's list, and a name in any letters, do not
// matter to a manifest.
func TestManifestOfOddNames(t *testing.T) {
	b := solved(t, puzzle.Spec{Width: 3, Height: 3, Colours: 2, Seed: 1})
	p, err := puzzle.New("caf\xe9 \u2028 <\"\n[1,\n2]>", 3, 3, b.Puzzle().Pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := puzzle.NewBoard(p)
	other.Load(b.Placements(nil))
	r, err := certify.NewRegion(other, []int{4, 5})
	if err != nil {
		t.Fatal(err)
	}
	res, err := certify.Decide(t.Context(), r, certify.Better, certify.Plan{Solver: gophersat})
	if err != nil {
		t.Fatal(err)
	}
	m, err := certify.Read(bytes.NewReader(written(t, res.Certificate(r))))
	if err != nil {
		t.Fatal(err)
	}
	if err := check(t, m, newStore()); err != nil {
		t.Error(err)
	}
}

// What improves a region is most often at its breaks, and a perfect refill of
// nothing but these is one of the whole.
func TestDecideLooksNearFirst(t *testing.T) {
	b := solved(t, puzzle.Spec{Width: 8, Height: 8, Colours: 9, Seed: 3})
	b.Swap(9, b.Rotation(54), 54, b.Rotation(9))
	r, err := certify.NewRegion(b, upTo(64))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	res, err := certify.Decide(t.Context(), r, certify.Better, certify.Plan{Solver: liar(func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
		if asked++; asked > 2 {
			return certify.Answer{Why: "enough"}, nil
		}
		return gophersat.Solve(ctx, f, proof, limits)
	})})
	if err != nil || res.Verdict != certify.Found || res.Best != 0 || !res.Optimal() || asked > 2 {
		t.Errorf("%s, %d breaks after %d questions, %v", res.Verdict, res.Best, asked, err)
	}
	full := puzzle.NewBoard(b.Puzzle())
	full.Load(res.Board)
	if full.Breaks() != res.Best {
		t.Errorf("a board with %d breaks is said to have %d", full.Breaks(), res.Best)
	}
}
