package acceptance

import "lastmile/random"

// threshold accepts a loss below a threshold that falls evenly from
// Options.Deviation to nothing over the run (Dueck and Scheuer, J. Comput.
// Phys. 1990).
type threshold struct {
	forgetful
	first, now float64
}

func newThreshold(o Options, _ int) Rule { return &threshold{first: o.Deviation, now: o.Deviation} }

func (t *threshold) Advance(done float64) { t.now = t.first * (1 - min(max(done, 0), 1)) }

func (t *threshold) Accept(before, after, _ int, _ *random.Stream) bool {
	return after >= before || float64(before-after) < t.now
}
