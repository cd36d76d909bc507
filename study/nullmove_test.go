package study

import (
	"math"
	"testing"

	"lastmile/game"
)

func TestNullMove(t *testing.T) {
	r := quick(t, nullMove)
	every(t, r, map[string]Verdict{"fewer nodes": Untested, "more problems": Untested, "at least as many": Untested, "to the end of the game": Untested})
	if len(r.Findings) != 10 || len(r.Charts) != 4 {
		t.Errorf("%d findings, %d charts", len(r.Findings), len(r.Charts))
	}
	one, err := Run(t.Context(), nullMove, Options{Quick: true, Seeds: []uint64{2}, Threads: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range r.Findings {
		if f.Measured != one.Findings[i].Measured {
			t.Errorf("%s: %s with one thread, %s with three", f.Claim, f.Measured, one.Findings[i].Measured)
		}
	}
}

func TestVirusEndgames(t *testing.T) {
	r := quick(t, virusEndgames)
	expect(t, r, map[string]Verdict{"positions in which": Reproduced, "start": Reproduced, "even number": Untested})
}

// nullRows are runs of one problem of each kind at two depths and the full one.
func nullRows(change func(row *nullRow)) (rows []nullRow) {
	for _, table := range []bool{false, true} {
		for _, arm := range nullArms {
			row := nullRow{arm: arm, Arm: arm.String(), Table: table, EndingNodes: []int64{1, 2, 3}, Solved: []int{1, 1, 1}, MiddleNodes: []int64{10, 20}, Agree: []int{1, 1}, Right: []int{1, 1}}
			switch arm {
			case nullArm{game.NoNull, 0}:
				row.Solved[2] = 2
			case verifiedThree:
				row.MiddleNodes = []int64{8, 19}
				row.Solved[1] = 2
			}
			if change != nil {
				change(&row)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func TestVerdictOfNullMove(t *testing.T) {
	plan := &nullPlan{zugzwangs: 2, middle: 1, depth: 2}
	for name, c := range map[string]struct {
		change func(*nullRow)
		whole  bool
		want   [5]Verdict // nodes, solved, verified, none, plain
	}{
		"as published": {nil, true, [5]Verdict{Reproduced, Reproduced, Reproduced, Reproduced, Reproduced}},
		"fewer games":  {nil, false, [5]Verdict{Untested, Untested, Untested, Untested, Untested}},
		"more nodes at an odd depth": {func(x *nullRow) {
			if x.arm == verifiedThree {
				x.MiddleNodes[0] = 11
			}
		}, true, [5]Verdict{NotReproduced, Reproduced, Reproduced, Reproduced, Reproduced}},
		"verified errs": {func(x *nullRow) {
			if x.arm == verifiedThree {
				x.Solved[0], x.Solved[1] = 0, 2
			}
		}, true, [5]Verdict{Reproduced, NotReproduced, NotReproduced, Reproduced, Reproduced}},
		"full width errs": {func(x *nullRow) {
			if x.arm.null == game.NoNull {
				x.Solved[2] = 1
			}
		}, true, [5]Verdict{Reproduced, Reproduced, Reproduced, NotReproduced, Reproduced}},
		"plain errs nowhere": {func(x *nullRow) {
			if x.arm == plainTwo {
				x.Solved[2] = 2
			}
		}, true, [5]Verdict{Reproduced, NotReproduced, Reproduced, Reproduced, NotReproduced}},
	} {
		r := &Report{}
		rows := nullRows(c.change)
		judgeNullNodes(r, rows, true, []uint64{1}, c.whole)
		judgeNullSolved(r, rows, true, []uint64{1}, c.whole)
		judgeVerified(r, rows, true, 3, []uint64{1}, c.whole)
		judgeFullDepth(r, plan, rows, []uint64{1}, c.whole)
		for i, want := range c.want {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s (%s)", name, i, got, want, r.Findings[i].Measured)
			}
		}
	}
}

func TestWilson(t *testing.T) {
	// Newcombe, 1998, table I: 0 of 20 and 15 of 148.
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 20, 0, 0.1611}, {15, 148, 0.0624, 0.1605}} {
		low, high := wilson(c.k, c.n)
		if math.Abs(low-c.low) > 1e-3 || math.Abs(high-c.high) > 1e-3 {
			t.Errorf("%d of %d: %v to %v, want %v to %v", c.k, c.n, low, high, c.low, c.high)
		}
	}
}
