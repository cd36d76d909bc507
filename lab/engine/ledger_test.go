package engine

import (
	"testing"

	"lastmile/ledger"
	"lastmile/puzzle"
)

// The published counts of the tail of 24 cells, however it is stepped through.
func TestLedgerCountsArePublishedOnes(t *testing.T) {
	for mode, want := range map[string]int64{"node": 316, "candidate": 86} {
		for _, nodes := range []int{1, 7, 1000} {
			e := New(nil)
			o := ask[ledgerOpened](t, e, "ledger.open", values{"board": "riotte-464", "turn": 180, "keep": 232, "budget": -1, "charge": "seam", "mode": mode})
			if o.Budget != 2 || len(o.Tail) != 24 {
				t.Fatalf("budget %d, tail of %d", o.Budget, len(o.Tail))
			}
			s := o.ledgerState
			for steps := 0; !(s.Off.Done && s.On.Done); steps++ {
				if steps > 1000 {
					t.Fatalf("%s by %d: no end at %d and %d nodes", mode, nodes, s.Off.Nodes, s.On.Nodes)
				}
				s = ask[ledgerState](t, e, "ledger.step", values{"nodes": nodes})
				for name, w := range map[string]twinState{"off": s.Off, "on": s.On} {
					if b := board(t, o.Puzzle, w.Board); w.Left < 0 || w.Left > 2 || b.Filled() < 232 || b.Filled() > 256 {
						t.Fatalf("%s: %d breaks left, %d pieces", name, w.Left, b.Filled())
					}
				}
				if len(s.Balance.Colours) != 22 {
					t.Fatalf("%d colours", len(s.Balance.Colours))
				}
			}
			if s.Off.Nodes != 542 || s.On.Nodes != want || s.Off.Completions != 1 || s.On.Completions != 1 {
				t.Errorf("%s by %d: off %d, on %d nodes, completions %d and %d; want 542 and %d, 1 and 1", mode, nodes, s.Off.Nodes, s.On.Nodes, s.Off.Completions, s.On.Completions, want)
			}
			sum := int64(0)
			for _, l := range s.On.Levels {
				sum += l.Nodes
			}
			if sum != s.On.Nodes {
				t.Errorf("%s: %d nodes by level", mode, sum)
			}
		}
	}
}

// Node by node, the balance shows a condition that fails when the ledger has cut,
// the one that it counts, and none otherwise.
func TestLedgerShowsWhatFires(t *testing.T) {
	for _, keep := range []int{232, 224} {
		e := New(nil)
		s := ask[ledgerOpened](t, e, "ledger.open", values{"board": "riotte-464", "turn": 180, "keep": keep, "budget": -1, "charge": "seam", "mode": "node"}).ledgerState
		for range 400 {
			before := s.On.Counts
			if s = ask[ledgerState](t, e, "ledger.step", values{"nodes": 1}); s.On.Done {
				break
			}
			fired, w := s.On.Fires > before.Fires, s.Balance
			if s.On.Cut != fired || w.DeficitOK != (s.On.Shortages == before.Shortages) || w.ParityOK != (s.On.Losses == before.Losses) {
				t.Fatalf("keep %d, node %d: cut %v, %+v; the search counted %+v, then %+v", keep, s.On.Nodes, s.On.Cut, w, before, s.On.Counts)
			}
			if w.DeficitOK != (w.Deficit <= w.Left) || w.ParityOK != (w.Odd <= w.OddMost) {
				t.Fatalf("keep %d, node %d: the sums say otherwise: %+v", keep, s.On.Nodes, w)
			}
		}
		if s.On.Shortages == 0 || s.On.Losses == 0 {
			t.Errorf("keep %d: %+v, want both conditions to fire", keep, s.On.Counts)
		}
	}
}

// Without a frame the rim holds half-edges that no seam charges: they may be odd.
func TestLedgerBalanceWithoutFrame(t *testing.T) {
	p, err := puzzle.New("open", 3, 3, []puzzle.Edges{{1, 2, 1, 2}, {2, 1, 2, 1}, {1, 1, 2, 2}, {2, 2, 1, 1}, {1, 2, 2, 1}, {2, 1, 1, 2}, {1, 1, 1, 2}, {2, 2, 2, 1}, {1, 1, 1, 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := weigh(puzzle.NewBoard(p), 1)
	if err != nil {
		t.Fatal(err)
	}
	if w.OddMost != 2+12 || w.ParityOK != (w.Odd <= w.OddMost) {
		t.Errorf("%+v, want 12 half-edges on the rim besides two breaks' worth", w)
	}
}

func TestLedgerBalance(t *testing.T) {
	record, _ := puzzle.RecordNamed("riotte-464")
	full := puzzle.NewBoard(puzzle.Official())
	full.Load(record.Board)
	var tail []int
	for cell := 200; cell < 256; cell++ {
		tail = append(tail, cell)
	}
	b := ledger.Without(full, tail)
	w, err := weigh(b, full.Breaks()-b.Breaks())
	if err != nil {
		t.Fatal(err)
	}
	// The board itself completes it, so both conditions hold.
	if !w.DeficitOK || !w.ParityOK || w.Deficit > w.Left {
		t.Errorf("%+v", w)
	}
	w, err = weigh(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	if w.DeficitOK != (w.Deficit == 0) || w.ParityOK != (w.Odd == 0) {
		t.Errorf("without breaks: %+v", w)
	}
}

func TestLedgerRow(t *testing.T) {
	row := ask[ledgerRow](t, New(nil), "ledger.row", values{"board": "riotte-464", "turn": 180, "keep": 224, "budget": -1, "charge": "seam", "nodes": 200000})
	if want := (ledgerRow{Keep: 224, Budget: 5, Completions: 1, Node: 194827, Candidate: 8150}); row != want {
		t.Errorf("%+v, want %+v: off takes 3,784,655", row, want)
	}
	for _, params := range []values{
		{"board": "riotte-464", "keep": 100, "budget": -1, "charge": "seam"}, {"board": "riotte-464", "keep": 256, "budget": -1, "charge": "seam"},
		{"board": "riotte-464", "keep": 232, "budget": -2, "charge": "seam"}, {"board": "riotte-464", "keep": 232, "budget": 99, "charge": "seam"},
		{"board": "riotte-464", "keep": 232, "budget": 2, "charge": "x"}, {"board": "riotte-464", "keep": 232, "budget": 2, "charge": "seam", "turn": 45},
		{"board": "x", "keep": 232, "budget": 2, "charge": "seam"}, {"board": "riotte-464", "keep": 232, "budget": 2, "charge": "seam", "conditions": []string{"x"}},
	} {
		params["nodes"] = 10
		if _, err := New(nil).Call("ledger.row", must(t, params)); err == nil {
			t.Errorf("%v answered", params)
		}
	}
}
