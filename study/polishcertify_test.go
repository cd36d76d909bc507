package study

import (
	"testing"

	"lastmile/certify"
	"lastmile/solve"
)

func TestPolishCertify(t *testing.T) {
	r := reduced(t, polishCertify)
	expect(t, r, map[string]Verdict{"boards are better": Untested, "breaks are locked": Untested})
	if rows := r.Tables[0].Data.([]certifiedTrial); len(rows) != 1 || rows[0].Alone < rows[0].Start || rows[0].Certified < rows[0].Start {
		t.Errorf("%+v", rows)
	}
}

func TestPolishCertifyVerdicts(t *testing.T) {
	proven := []solve.Certified{{Score: 455, Verdict: certify.Proven, Floor: 25, Best: 25, Breaks: 25}}
	found := []solve.Certified{{Score: 455, Verdict: certify.Found, Floor: 24, Best: 24, Breaks: 25}}
	for _, c := range []struct {
		name        string
		gains       []int
		decisions   []solve.Certified
		gain, locks Verdict
	}{
		{"always better", []int{1, 2, 1, 2, 1, 2}, proven, Reproduced, Reproduced},
		{"no difference", []int{0, 0, 1, -1, 0, 0}, proven, NotReproduced, Reproduced},
		{"too few seeds", []int{1, 1}, proven, Untested, Reproduced},
		{"a refill found", []int{1, 2, 1, 2, 1, 2}, found, Reproduced, NotReproduced},
		{"nothing decided", []int{1, 2, 1, 2, 1, 2}, nil, Reproduced, Untested},
		{"nothing measured", nil, nil, Untested, Untested},
	} {
		t.Run(c.name, func(t *testing.T) {
			var trials []certifiedTrial
			for i, g := range c.gains {
				trials = append(trials, certifiedTrial{Seed: uint64(i + 1), Start: 450, Alone: 455, Certified: 455 + g, Decisions: c.decisions})
			}
			r := &Report{}
			reportPolishCertify(r, trials, false)
			expect(t, r, map[string]Verdict{"boards are better": c.gain, "breaks are locked": c.locks})
		})
	}
}
