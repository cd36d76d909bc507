package acceptance

import (
	"math"

	"lastmile/random"
)

// cooling is annealing whose temperature falls from Options.Temperature to
// Options.Final over the run, by the same factor in each of its steps
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
	step := int(coolingSteps * min(max(done, 0), 1))
	if step == c.step {
		return
	}
	c.step = step
	c.tolerance = newTolerances(c.first * math.Pow(c.last/c.first, float64(step)/coolingSteps))
}

func (c *cooling) Accept(before, after, _ int, r *random.Stream) bool {
	return c.tolerance.accept(before-after, r)
}
