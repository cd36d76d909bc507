package solve

import (
	"time"

	"lastmile/construct"
)

const (
	firstWidth = 1024
	leastWidth = 16
	memory     = 4 << 30 // bytes of all beams at work
)

// polishFor is how long an attempt is polished after a beam of that length.
func polishFor(beam time.Duration) time.Duration {
	return max(300*time.Millisecond, beam/3)
}

// widthInTime chooses the width of the next beam under a time budget, or 0
// when there is no time for one. Widths double from a quick first board up to
// beams of an eighth of the time: wider ones build better boards, but several
// beams draw more lots. What a width costs is read off the beams so far.
func (c *crew) widthInTime() int {
	total, left := c.plan.Budget.Time, c.plan.Budget.Time-c.elapsed()
	// Before the first beam: about a microsecond a cell and board.
	perWidth := time.Duration(c.puzzle.Cells()) * time.Microsecond
	widest := 0
	for _, t := range c.attempts {
		if t.Beam > 0 && !t.Cut && t.Width >= widest {
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
		if cost(2*width) <= total/8 && 2*width <= construct.MaxWidth && construct.Memory(c.puzzle, 2*width) <= memory/int64(c.plan.Threads) {
			width *= 2
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
