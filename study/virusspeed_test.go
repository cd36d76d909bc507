package study

import "testing"

func TestVirusSpeed(t *testing.T) {
	r := quick(t, virusSpeed)
	expect(t, r, map[string]Verdict{"counts of virus": Untested, "counts of ataxx": Untested, "leaves": Untested, "nodes of a search": Untested})
	if rows := r.Tables[0].Data.([]speedRow); len(rows) != 2*speedRuns || rows[0].Nodes != perfts[0][5] {
		t.Errorf("%+v", rows)
	}
}

func TestJudgeVirusSpeed(t *testing.T) {
	rows := func(leaves, nodes int64) (list []speedRow) {
		for i := range 2 * speedRuns {
			n := leaves
			if i >= speedRuns {
				n = nodes
			}
			list = append(list, speedRow{Nodes: n, Seconds: 1})
		}
		return list
	}
	for _, c := range []struct {
		rows   []speedRow
		leaves Verdict
		nodes  Verdict
	}{
		{rows(300e6, 5e6), Reproduced, Reproduced},
		{rows(299e6, 5e6), NotReproduced, Reproduced},
		{rows(300e6, 4e6), Reproduced, NotReproduced},
		{rows(300e6, 5e6)[:7], Reproduced, Untested},
		{nil, Untested, Untested},
	} {
		var r Report
		judgeVirusSpeed(&r, c.rows, true)
		expect(t, &r, map[string]Verdict{"leaves": c.leaves, "nodes": c.nodes})
	}
}
