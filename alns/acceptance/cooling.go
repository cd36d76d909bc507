package acceptance

import (
	"math"

	"lastmile/random"
)

// cooling is annealing whose temperature falls from Options.Temperature to
// Options.Final over the run, in 200 steps, by the same factor in each
// (Kirkpatrick, Gelatt and Vecchi, Science 1983).
type cooling struct {
	forgetful
	first, last float64
	step        int
	tolerance   tolerances
}

// coolingSteps is how often the temperature changes.
const coolingSteps = 200

func newCooling(o Options, _ int) Rule {
	c := &cooling{first: o.Temperature, last: o.Final, step: -1}
	c.Advance(0)
	return c
}

func (c *cooling) Advance(done float64) {
	if !(done > 0) {
		done = 0
	}
	step := min(int(coolingSteps*min(done, 1)), coolingSteps-1)
	if step == c.step {
		return
	}
	c.step = step
	share := float64(step) / (coolingSteps - 1)
	c.tolerance = newTolerances(math.Pow(c.first, 1-share) * math.Pow(c.last, share))
}

func (c *cooling) Accept(before, after, _ int, r *random.Stream) bool {
	return c.tolerance.accept(before-after, r)
}
