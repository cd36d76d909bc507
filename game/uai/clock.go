package uai

import "time"

// least is a limit of time that is over at once: it leaves a search its first
// depth alone.
const least time.Duration = 1

// clock is the time that one side has, at the beginning of its move.
type clock struct {
	left   time.Duration // none if negative
	inc    time.Duration // added after each move
	toGo   int           // moves until time is added; 0 if never
	moves  int           // own moves to the end of the game, a guess
	margin time.Duration // lost on the way to the runner's clock, at most
}

// budget returns when to begin no further depth, and when to stop. That is never
// later than the margin before the clock runs out, unless less than the margin is
// left: then it is at once.
func (c clock) budget() (soft, hard time.Duration) {
	safe := c.left - c.margin
	if safe <= 0 {
		return least, least
	}
	n := max(c.moves, 1)
	if c.toGo > 0 {
		n = min(n, c.toGo)
	}
	share := min(safe/time.Duration(n)+c.inc/4*3, safe)
	hard = min(3*share, safe)
	if n > 1 { // another move must be made with what is left
		hard = min(hard, (safe+c.inc)/2)
	}
	soft = min(share/5*3, hard)
	return max(soft, least), max(hard, least)
}

// within returns the time to think where each move has the same: less than that
// by the margin, or by a quarter if the margin is much of it.
func within(move, margin time.Duration) time.Duration {
	return max(move-min(margin, move/4), least)
}
