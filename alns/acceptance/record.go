package acceptance

import "lastmile/random"

// record accepts a board that is less than Options.Deviation seams below the
// best so far: record-to-record travel (Dueck, J. Comput. Phys. 1993).
type record struct {
	forgetful
	steady
	deviation float64
}

func newRecord(o Options, _ int) Rule { return &record{deviation: o.Deviation} }

func (r *record) Accept(before, after, best int, _ *random.Stream) bool {
	return after >= before || float64(best-after) < r.deviation
}
