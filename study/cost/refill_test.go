package cost

import (
	"slices"
	"testing"

	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/puzzle"
)

// Every method fills the same holes, says what it has done, and leaves the
// board as it was.
func TestRefillLeavesTheBoard(t *testing.T) {
	b, err := Damaged(10, 4)
	if err != nil {
		t.Fatal(err)
	}
	var methods []Method
	for _, name := range repair.Names() {
		methods = append(methods, Method{Name: name})
	}
	r, err := NewRefill(b, 1, methods)
	if err != nil {
		t.Fatal(err)
	}
	before := b.board().Placements(nil)
	better := 0
	for _, operator := range destroy.Operators {
		for _, k := range []int{1, 4, 12, 30} {
			cells, apart := r.Choose(operator, k)
			if cells == 0 || cells > k || cells == 1 && !apart {
				t.Errorf("%s, k = %d: %d cells, apart %v", operator.Name, k, cells, apart)
			}
			if operator.Name == "scattered" && !apart || operator.Name == "rectangle" && cells > 1 && apart {
				t.Errorf("%s, k = %d: apart %v", operator.Name, k, apart)
			}
			for i, m := range methods {
				f, err := r.Fill(i)
				if err != nil {
					t.Fatalf("%s, %s: %v", operator.Name, m.Name, err)
				}
				if got := r.live.Placements(nil); !slices.Equal(got, before) || r.live.Breaks() != b.board().Breaks() {
					t.Fatalf("%s, %s: the board has changed", operator.Name, m.Name)
				}
				if f.Same && f.Breaks != 0 || cells == 1 && f.Breaks > 0 {
					t.Errorf("%s, %s: %d cells, %+v", operator.Name, m.Name, cells, f)
				}
				if f.Breaks < 0 {
					better++
				}
			}
		}
	}
	if better == 0 {
		t.Error("a board that is a quarter broken was never mended")
	}
	again, err := NewRefill(b, 1, methods)
	if err != nil {
		t.Fatal(err)
	}
	again.Choose(destroy.Operators[0], 9)
	first := slices.Clone(again.hole.Cells())
	if third, err := NewRefill(b, 1, methods[:1]); err != nil {
		t.Error(err)
	} else if third.Choose(destroy.Operators[0], 9); !slices.Equal(third.hole.Cells(), first) {
		t.Error("the methods change the holes")
	}
}

// lazy leaves the hole as it is.
type lazy struct{}

func (lazy) Repair(*puzzle.Board, []int, []int) repair.Verdict { return repair.Optimal }

func TestRefillRefuses(t *testing.T) {
	b, err := Record("riotte-464")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewRefill(b, 1, []Method{{Name: "glue"}}); err == nil {
		t.Error("glue was accepted")
	}
	r, err := NewRefill(b, 1, []Method{{Name: "greedy"}})
	if err != nil {
		t.Fatal(err)
	}
	r.methods[0] = lazy{}
	r.Choose(destroy.Operators[0], 5)
	if _, err := r.Fill(0); err == nil {
		t.Error("an empty hole was taken for a refill")
	}
}
