package solve

import (
	"math"
	"time"

	"lastmile/construct"
)

const (
	firstWidth = 1024
	leastWidth = 16
	memory     = 4 << 30 // bytes of all beams at work
	slice      = 3       // the longest beam takes one part in so many of the time
)

// polishFor is how long an attempt is polished after it was built in that time.
func polishFor(built time.Duration) time.Duration {
	return max(300*time.Millisecond, built/3)
}

// widthInTime chooses the width of the next beam under a time budget, or 0
// when there is no time for one. Widths grow fourfold from a quick first board up
// to beams of a third of the time. What a width costs is read off the beams so
// far.
func (c *crew) widthInTime() int {
	total, left := c.plan.Budget.Time, c.plan.Budget.Time-c.elapsed()
	// Before the first beam: about a microsecond a cell and board.
	perWidth := time.Duration(c.puzzle.Cells()) * time.Microsecond
	widest := 0
	for _, t := range c.attempts {
		if t.Method == Beamed && t.Beam > 0 && !t.Cut && t.Width >= widest {
			widest, perWidth = t.Width, (t.Beam+t.Finish)/time.Duration(t.Width)
		}
	}
	perWidth = max(perWidth, 1)
	cost := func(width int) time.Duration { return time.Duration(width) * perWidth }
	if fixed := c.options.Width; fixed > 0 {
		if widest > 0 && cost(fixed) > left {
			return 0
		}
		return fixed
	}
	width := firstWidth
	if widest > 0 {
		width = widest
		for range 2 {
			if cost(2*width) <= total/slice && c.roomFor(2*width) {
				width *= 2
			}
		}
	}
	for width > leastWidth && (cost(width)+polishFor(cost(width)) > left || widest == 0 && cost(width) > total/20) {
		width /= 2
	}
	if cost(width) > left || 4*width < widest {
		return 0 // polishing the best board gives more than a much narrower beam
	}
	return width
}

func (c *crew) roomFor(width int) bool {
	return width <= construct.MaxWidth && construct.Memory(c.puzzle, width) <= memory/int64(c.plan.Threads)
}

// grown tells whether beams are as wide as the time allows: from then on the
// work is shared out by what it brings.
func (c *crew) grown() bool {
	widest := 0
	for _, t := range c.attempts {
		if t.Method == Beamed && t.Beam > 0 {
			widest = max(widest, t.Width)
		}
	}
	return len(c.options.Orders) == 0 || widest > 0 && c.widthInTime() <= widest
}

// payoff is what an activity has brought for its time, the last attempts
// counting most.
type payoff struct {
	Wins float64       `json:"wins"`
	Time time.Duration `json:"time"`
}

// wrong tells whether no run has saved this.
func (p payoff) wrong() bool { return !(p.Wins >= 0) || p.Time < 0 }

// fading is by how much an attempt of any activity fades what came before.
const fading = 0.95

func (p *payoff) fade() {
	p.Wins *= fading
	p.Time = time.Duration(float64(p.Time) * fading)
}

// buildNext tells whether the next attempt is to build a board; else it goes on
// from one of the archive. Each activity gets time by what its attempts have
// brought in it, at least a fifth.
func (c *crew) buildNext() bool {
	// As if building had won once in the time that a board has taken at most, and
	// walking on half as often.
	longest := time.Nanosecond
	for _, t := range c.attempts {
		if t.Method != Again {
			longest = max(longest, t.Beam+t.Finish+t.Polish)
		}
	}
	rate := func(p payoff, wins float64) float64 { return (p.Wins + wins) / (p.Time + longest).Seconds() }
	build, again := rate(c.pays.Build, 1), rate(c.pays.Again, 0.5)
	share := build / (build + again)
	share = min(max(share, 0.2), 0.8)
	return float64(c.pays.Build.Time)*(1-share) <= float64(c.pays.Again.Time)*share
}

// pay accounts for an attempt that is over: a whole win for a board better than
// all when it began, half a win for building one as good.
func (c *crew) pay(t *attempt) {
	if c.plan.open() == 0 || !t.Counted {
		return
	}
	c.pays.Build.fade()
	c.pays.Again.fade()
	p := &c.pays.Build
	if t.Method == Again {
		p = &c.pays.Again
	}
	p.Time += t.Beam + t.Finish + t.Polish
	switch {
	case t.Best > t.Bar:
		p.Wins++
	case t.Best == t.Bar && t.Method != Again:
		p.Wins += 0.5
	}
}

// constructor is a way to build: a method and the order in which it fills cells.
type constructor struct {
	method Method
	order  string
}

// joins is after how many boards a further way to build is tried.
const joins = 2

// constructorInTime chooses how to build the next board under a time budget. The
// constructors share the attempts in proportion to e^score, with the mean score of
// their own so far. They join one by one: a short run stays with the first ones,
// and a long one tries them all.
func (c *crew) constructorInTime() constructor {
	sum, n := make([]float64, len(c.constructors)), make([]float64, len(c.constructors))
	all := 0
	for _, t := range c.attempts {
		if !t.Counted || t.Method == Again {
			continue
		}
		all++
		for i, x := range c.constructors {
			if t.Method == x.method && t.Order == x.order {
				n[i]++
				sum[i] += float64(max(t.Best, t.Bar-5)) // an attempt at work counts as poor until it has a board
			}
		}
	}
	best, joined := math.Inf(-1), 1+all/joins
	for i := range sum {
		if n[i] > 0 {
			joined = max(joined, i+1)
			best = max(best, sum[i]/n[i])
		}
	}
	next, turn := 0, math.Inf(1)
	for i := range sum[:min(joined, len(sum))] {
		weight := 1.0
		if n[i] > 0 {
			weight = math.Exp(sum[i]/n[i] - best)
		}
		if x := (n[i] + 0.5) / weight; x < turn {
			next, turn = i, x
		}
	}
	return c.constructors[next]
}
