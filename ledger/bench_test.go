package ledger

import (
	"testing"

	"lastmile/puzzle"
)

// One placement and its undo on a board, without a ledger and with one.
func BenchmarkPlaceUndo(b *testing.B) {
	p := riotte(b, 208)
	record, _ := puzzle.RecordNamed("riotte-464")
	turned, err := puzzle.Official().Turned(record.Board, 2)
	if err != nil {
		b.Fatal(err)
	}
	q := turned[0]
	for _, t := range turned {
		if t.Cell == 208 {
			q = t
		}
	}
	b.Run("board", func(b *testing.B) {
		board := Without(p.Board, nil)
		for b.Loop() {
			board.Place(q.Cell, q.Piece, q.Rotation)
			board.Remove(q.Cell)
		}
	})
	for _, c := range []Conditions{Page, Combined, Kinds} {
		b.Run("ledger/"+c.String(), func(b *testing.B) {
			l, err := New(Without(p.Board, nil), c)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				l.Place(q.Cell, q.Piece, q.Rotation)
				l.Remove(q.Cell)
			}
		})
	}
}

// A node of the search, without the ledger and with it. The metrics are nodes
// and, where the ledger is asked, candidates a second.
func BenchmarkExhaust(b *testing.B) {
	for _, row := range []struct {
		name       string
		mode       Mode
		conditions Conditions
	}{
		{"off", Off, Page},
		{"node/page", Node, Page},
		{"candidate/page", Candidate, Page},
		{"candidate/combined", Candidate, Combined},
		{"candidate/kinds", Candidate, Kinds},
		{"candidate/all", Candidate, All},
	} {
		b.Run(row.name, func(b *testing.B) {
			p := riotte(b, 216)
			p.Mode, p.Conditions = row.mode, row.conditions
			l, err := newPlan(&p)
			if err != nil {
				b.Fatal(err)
			}
			e := newEngine(l)
			from := 0
			if row.mode == Off {
				from = len(l.steps)
			}
			nodes, judged := int64(0), int64(0)
			for b.Loop() {
				if e.counts.Nodes == 0 {
					e.reset(l.budget, from)
					e.enter(0)
				}
				nodes, judged = nodes-e.counts.Nodes, judged-e.counts.Judged
				more := e.run(e.counts.Nodes + 1000)
				nodes, judged = nodes+e.counts.Nodes, judged+e.counts.Judged
				if !more {
					e.forget()
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			b.ReportMetric(float64(judged)/b.Elapsed().Seconds()/1e6, "Mjudged/s")
		})
	}
}
