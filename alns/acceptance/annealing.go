package acceptance

import (
	"math"

	"lastmile/random"
)

// annealing accepts a loss of x seams with probability exp(-x/T), T being fixed:
// the rule of the ALNS page (Metropolis et al., J. Chem. Phys. 1953).
type annealing struct {
	forgetful
	steady
	tolerance tolerances
}

func newAnnealing(o Options, _ int) Rule {
	return &annealing{tolerance: newTolerances(o.Temperature)}
}

func (a *annealing) Accept(before, after, _ int, r *random.Stream) bool {
	return a.tolerance.accept(before-after, r)
}

// tolerances tabulates exp(-loss/T) by loss, as a threshold for 64 random bits.
// The lowest 32 bits are dropped: exp differs there from machine to machine.
type tolerances [65]uint64

func newTolerances(t float64) (table tolerances) {
	for loss := range table {
		// Where exp gives 1, 2^32 would be shifted out.
		table[loss] = min(uint64(math.Exp(-float64(loss)/t)*(1<<32)), 1<<32-1) << 32
	}
	return table
}

// accept draws only when there is a loss.
func (t *tolerances) accept(loss int, r *random.Stream) bool {
	return loss <= 0 || r.Uint64() < t[min(loss, len(t)-1)]
}
