package ledger

import (
	"context"
	"fmt"
	"testing"

	"lastmile/search"
)

// A search in one line, a few nodes at a time, counts what the whole counts, and
// the task that is left is one path that grows and shrinks.
func TestLineCountsTheSame(t *testing.T) {
	for _, mode := range []Mode{Off, Node, Candidate} {
		p := riotte(t, 232)
		p.Mode, p.Profile = mode, true
		want := exhaust(t, p, Plan{})
		var s State
		for nodes := int64(1); s.Round == 0 || len(s.Tasks) > 0; nodes += 7 {
			if _, err := Resume(context.Background(), &p, s, Plan{Line: true, Budget: search.Budget{Nodes: nodes}, Save: func(n State) { s = n }}); err != nil {
				t.Fatal(err)
			}
			if len(s.Tasks) > 1 {
				t.Fatalf("%v: %d tasks in one line", mode, len(s.Tasks))
			}
			if s.Nodes > nodes {
				t.Fatalf("%v: %d nodes within a budget of %d", mode, s.Nodes, nodes)
			}
		}
		if fmt.Sprint(s.Counts, s.ByBreaks, s.Levels) != fmt.Sprint(want.Counts, want.ByBreaks, want.Levels) {
			t.Errorf("%v: %+v %v, want %+v %v", mode, s.Counts, s.ByBreaks, want.Counts, want.ByBreaks)
		}
	}
}
