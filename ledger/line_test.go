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

// The board at a task has the prefix of its path, within the budget, and grows a
// cell at a time.
func TestBoardAt(t *testing.T) {
	p := riotte(t, 232)
	var s State
	for nodes := int64(1); s.Round == 0 || len(s.Tasks) > 0; nodes += 5 {
		if _, err := Resume(context.Background(), &p, s, Plan{Line: true, Budget: search.Budget{Nodes: nodes}, Save: func(n State) { s = n }}); err != nil {
			t.Fatal(err)
		}
		if len(s.Tasks) == 0 {
			break
		}
		task := s.Tasks[0]
		b, err := p.BoardAt(task)
		if err != nil {
			t.Fatal(err)
		}
		want := 232 + len(task.Path)
		if task.After {
			want--
		}
		if b.Filled() != want || b.Breaks()-p.Board.Breaks() > p.Budget {
			t.Fatalf("%+v: %d pieces, %d breaks more", task, b.Filled(), b.Breaks()-p.Board.Breaks())
		}
		for i, cell := range p.Order {
			if (b.Piece(cell) >= 0) != (i < want-232) {
				t.Fatalf("%+v: cell %d", task, cell)
			}
		}
	}
	for _, path := range [][]int32{{-1}, {1 << 20}, make([]int32, 25), {0, 0, 0}} {
		if _, err := p.BoardAt(Task{Path: path}); err == nil && len(path) != 3 {
			t.Errorf("path %v", path)
		}
	}
}
