package ledger

import (
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

var everyCondition = []Conditions{Deficit, Parity, Page, Combined, Kinds}

// The books after any moves are those that a new ledger opens, and moves that
// are undone leave no trace.
func TestLedgerIsKept(t *testing.T) {
	for number := range 300 {
		x := newScene(t, number)
		r := random.New(3, "moves", number)
		for _, c := range everyCondition {
			l, err := New(Without(x.Board, nil), c, x.Uncharged...)
			if err != nil {
				t.Fatal(err)
			}
			b := l.Board()
			var placed []int
			for range 40 {
				if n := len(placed); n > 0 && (n == len(x.Order) || r.Below(3) == 0) {
					i := r.Below(n)
					l.Remove(placed[i])
					placed = slices.Delete(placed, i, i+1)
				} else if q, ok := anyMove(b, x.Order, r); ok {
					l.Place(q.Cell, q.Piece, q.Rotation)
					placed = append(placed, q.Cell)
				}
				anew, err := New(Without(b, nil), c, x.Uncharged...)
				if err != nil {
					t.Fatal(err)
				}
				if l.tally.sums != anew.tally.sums || l.free != anew.free {
					t.Fatalf("%s, %v: sums %v, %d free; anew %v, %d free", x.name, c, unpack(l.tally.sums), l.free, unpack(anew.tally.sums), anew.free)
				}
				if got := worth(&Problem{Board: x.Board, Order: placed, Uncharged: x.Uncharged}, b.Placements(nil)); l.Breaks() != got {
					t.Fatalf("%s: %d breaks charged, want %d", x.name, l.Breaks(), got)
				}
			}
		}
	}
}

// anyMove is a piece of the hand for an empty cell of the order that the frame
// rule lets it lie on.
func anyMove(b *puzzle.Board, order []int, r *random.Stream) (puzzle.Placement, bool) {
	z := b.Puzzle()
	for range 50 {
		q := puzzle.Placement{Cell: order[r.Below(len(order))], Piece: r.Below(z.Cells()), Rotation: r.Below(4)}
		if b.Piece(q.Cell) == puzzle.Empty && b.CellOf(q.Piece) == puzzle.Empty && z.FitsAt(q.Cell, q.Piece, q.Rotation) {
			return q, true
		}
	}
	return puzzle.Placement{}, false
}

// What a ledger says is needed never exceeds what the best completion costs,
// and each condition is at least as strong as those that it takes in.
func TestNeedsIsNeeded(t *testing.T) {
	above, tight := map[Conditions]int{}, 0
	for number := range 600 {
		x := newScene(t, number)
		x.Charge, x.Budget = Seam, 4*len(x.Order)
		least := slices.IndexFunc(enumerate(&x.Problem).byBreaks, func(n int64) bool { return n > 0 })
		if least < 0 {
			t.Fatalf("%s: no completion with every seam broken", x.name)
		}
		need := map[Conditions]int{}
		for _, c := range everyCondition {
			l, err := New(Without(x.Board, nil), c, x.Uncharged...)
			if err != nil {
				t.Fatal(err)
			}
			need[c] = l.Needs()
			if need[c] > least || need[c] < 0 {
				t.Fatalf("%s: %v needs %d, and %d are enough", x.name, c, need[c], least)
			}
			if need[c] > 0 && l.Holds(need[c]-1) || !l.Holds(need[c]) {
				t.Fatalf("%s: %v needs %d, and does not say so", x.name, c, need[c])
			}
			above[c] += need[c]
		}
		if need[Page] != max(need[Deficit], need[Parity]) || need[Combined] < need[Parity] || need[Kinds] < max(need[Page], need[Combined]) {
			t.Fatalf("%s: %v", x.name, need)
		}
		if need[Kinds] == least {
			tight++
		}
	}
	if above[Combined] <= above[Parity] || above[Kinds] <= above[Combined] || tight == 0 {
		t.Errorf("needs in all: %v, tight %d times: want each stronger than the last somewhere", above, tight)
	}
}

// A solved board needs no break at any depth, in any order.
func TestSolvedBoardNeedsNothing(t *testing.T) {
	for _, s := range puzzle.Solved() {
		for _, c := range everyCondition {
			for _, order := range []string{"row-major", "spiral", "diagonal"} {
				l, err := New(puzzle.NewBoard(s.Puzzle), c)
				if err != nil {
					t.Fatal(err)
				}
				at := map[int]puzzle.Placement{}
				for _, q := range s.Board {
					at[q.Cell] = q
				}
				cells, err := Arrange(l.Board(), order)
				if err != nil {
					t.Fatal(err)
				}
				for depth, cell := range cells {
					l.Place(cell, at[cell].Piece, at[cell].Rotation)
					if !l.Holds(0) || l.Needs() != 0 {
						t.Fatalf("%s, %v, %s: fires at depth %d", s.Name, c, order, depth)
					}
				}
			}
		}
	}
}

func TestKindsOfSides(t *testing.T) {
	// The rim of a 3x3 board, once round: each leading side faces a trailing one.
	p, _, err := puzzle.Generate(puzzle.Spec{Width: 3, Height: 3, Colours: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	count := map[[2]kind]int{}
	for cell := range p.Cells() {
		for side, n := range p.Neighbours(cell) {
			if n >= 0 {
				count[[2]kind{kindOf(p.RimMask(cell), side), kindOf(p.RimMask(int(n)), side^2)}]++
			}
		}
	}
	want := map[[2]kind]int{{leading, trailing}: 8, {trailing, leading}: 8, {inward, inner}: 4, {inner, inward}: 4}
	if len(count) != len(want) {
		t.Errorf("seams join %v, want %v", count, want)
	}
	for k, n := range want {
		if count[k] != n {
			t.Errorf("%d seams join %v, want %d", count[k], k, n)
		}
	}
}

func TestConditionNames(t *testing.T) {
	for _, c := range []Conditions{Page, Combined, Kinds, All, Deficit | Cells} {
		got, err := ConditionsNamed(strings.Split(c.String(), ",")...)
		if err != nil || got != c {
			t.Errorf("%v read as %v, %v", c, got, err)
		}
	}
	if _, err := ConditionsNamed("deficit", "nonsense"); err == nil {
		t.Error("nonsense is no condition")
	}
}

func TestArrange(t *testing.T) {
	p := riotte(t, 200)
	for _, name := range OrderNames() {
		order, err := Arrange(p.Board, name)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Sort(order); !slices.Equal(order, p.Order) {
			t.Errorf("%s: %v, want the empty cells", name, order)
		}
	}
	if _, err := Arrange(p.Board, "nonsense"); err == nil {
		t.Error("nonsense is no order")
	}
	// A hole in the middle closes from the cell with three neighbours on.
	b := Without(p.Board, []int{100, 101, 102, 118})
	hole, _ := Arrange(b, Closing)
	if i := slices.Index(hole, 100); i < 0 || hole[i+1] != 101 || hole[i+2] != 102 || hole[i+3] != 118 {
		t.Errorf("the hole is filled in the order %v", hole)
	}
}
