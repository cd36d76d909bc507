package repair

import (
	"fmt"
	"testing"

	"lastmile/random"
)

// Each hole gets the repair that is for it, with the verdict of that one.
func TestByHolePicks(t *testing.T) {
	b := recordBoard(t, "riotte-464")
	p := b.Puzzle()
	r := random.New(6, "by hole", 0)
	count := map[string]int{}
	for number := range 300 {
		hole := grown(p, r, 2+r.Below(20), r.Below(p.Cells()))
		if number%3 == 0 {
			hole = apart(b, 1+r.Below(20), r)
		}
		pieces, turns := lift(b, hole)
		name, want := "greedy", Method(NewGreedy(p))
		switch {
		case number%3 == 0:
			name, want = "assignment", NewAssignment(p, random.New(6, "pick", number))
		case len(hole) <= smallHole:
			name, want = "exact", NewExact(p, random.New(6, "pick", number), 3)
		}
		verdict := want.Repair(b, hole, pieces)
		board := fmt.Sprint(b.Placements(nil))
		count[fmt.Sprint(name, verdict)]++
		lift(b, hole)
		got := NewByHole(p, random.New(6, "pick", number), 3).Repair(b, hole, pieces)
		if got != verdict || fmt.Sprint(b.Placements(nil)) != board {
			t.Fatalf("hole %v: verdict %v, want %v of %s", hole, got, verdict, name)
		}
		putBack(b, hole, pieces, turns)
	}
	if len(count) != 4 {
		t.Errorf("%v, want greedy ones, assignments, and exact ones with two verdicts", count)
	}
}
