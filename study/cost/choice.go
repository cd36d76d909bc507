package cost

import (
	"time"

	"lastmile/alns/destroy"
	"lastmile/random"
)

// Choice is one destroy operator alone, on a board that stays as it is.
type Choice struct {
	operator destroy.Operator
	k        int
	hole     *destroy.Hole

	holes, cells int64
}

// NewChoice sets the operator up.
func NewChoice(b Board, k int, operator destroy.Operator, seed uint64) *Choice {
	return &Choice{operator: operator, k: k, hole: destroy.NewHole(b.board(), random.New(seed, "choice", 0))}
}

// Measure chooses and forgets holes for about so long and returns the
// nanoseconds a hole.
func (c *Choice) Measure(d time.Duration) float64 {
	var spent time.Duration
	holes := 0
	for spent < d {
		began := now()
		for range 4 * chunk {
			c.hole.Clear()
			c.operator.Choose(c.hole, c.k)
			c.cells += int64(c.hole.Len())
		}
		spent += now() - began
		holes += 4 * chunk
	}
	c.holes += int64(holes)
	return float64(spent.Nanoseconds()) / float64(holes)
}

// Hole is the mean number of cells that were chosen.
func (c *Choice) Hole() float64 { return float64(c.cells) / float64(max(1, c.holes)) }
