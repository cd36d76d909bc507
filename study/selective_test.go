package study

import (
	"testing"

	"lastmile/game/match"
)

func TestSelective(t *testing.T) {
	r := quick(t, selective)
	every(t, r, map[string]Verdict{"more problems solved": Untested, "stronger play": Untested})
	if len(r.Findings) != 2*(len(selectiveArms)-1) || len(r.Tables[1].Rows) != len(selectiveArms)-1 || len(r.Tables[0].Rows) != len(selectiveArms) {
		t.Errorf("%d findings, %d rows", len(r.Findings), len(r.Tables[0].Rows))
	}
}

func TestVerdictOfSelective(t *testing.T) {
	rows := func(nodes int64, solved int) (rows []selectiveRow) {
		for i, arm := range selectiveArms {
			x := selectiveRow{Arm: arm.name, Nodes: nodes, solved: make([]bool, 40)}
			for j := range x.solved {
				x.solved[j] = j < 20 || i == 1 && j < solved
			}
			rows = append(rows, x)
		}
		return rows
	}
	for name, c := range map[string]struct {
		rows  []selectiveRow
		whole bool
		want  Verdict // of the first rule
	}{
		"more":                  {rows(100, 25), true, Reproduced},
		"more by chance":        {rows(100, 23), true, NotReproduced},
		"more with fewer nodes": {append(rows(100, 40), rows(200, 20)...), true, NotReproduced},
		"fewer problems":        {rows(100, 40), false, Untested},
		"none":                  {nil, true, Untested},
	} {
		r := &Report{}
		compareSelective(c.rows)
		reportSelective(r, c.rows, []uint64{1}, 40, c.whole)
		if got := r.Findings[0].Verdict; got != c.want {
			t.Errorf("%s: %s, want %s (%s)", name, got, c.want, r.Findings[0].Measured)
		}
	}
}

func TestVerdictOfStrength(t *testing.T) {
	for name, c := range map[string]struct {
		pairs [5]int
		whole bool
		want  Verdict
	}{
		"stronger":    {[5]int{5, 0, 60, 0, 35}, true, Reproduced},
		"as strong":   {[5]int{20, 0, 60, 0, 20}, true, Untested},
		"weaker":      {[5]int{35, 0, 60, 0, 5}, true, NotReproduced},
		"won all":     {[5]int{0, 0, 0, 0, 100}, true, Reproduced},
		"lost all":    {[5]int{100, 0, 0, 0, 0}, true, NotReproduced},
		"fewer games": {[5]int{5, 0, 60, 0, 35}, false, Untested},
	} {
		x := strengthRow{Number: 1, Arm: selectiveArms[1].name}
		x.Rating, x.Games = match.Rate(c.pairs), 200
		r := &Report{}
		reportStrength(r, []strengthRow{x}, []uint64{1}, c.whole)
		if got := r.Findings[0].Verdict; got != c.want {
			t.Errorf("%s: %s, want %s (%s)", name, got, c.want, r.Findings[0].Measured)
		}
	}
}
