package acceptance

import (
	"fmt"

	"lastmile/random"
)

// late accepts a board that is no worse than the one at hand was so many
// iterations ago, Options.History (Burke and Bykov, EJOR 2017).
type late struct {
	steady
	scores []int32 // at hand, one an iteration, as a ring
	next   int
}

func newLate(o Options, score int) Rule {
	l := &late{scores: make([]int32, o.History)}
	for i := range l.scores {
		l.scores[i] = int32(score)
	}
	return l
}

func (l *late) Accept(before, after, _ int, _ *random.Stream) bool {
	accept := after >= before || after >= int(l.scores[l.next])
	if accept {
		before = after
	}
	l.scores[l.next] = int32(before)
	if l.next++; l.next == len(l.scores) {
		l.next = 0
	}
	return accept
}

// State is the scores from the oldest on.
func (l *late) State() []float64 {
	state := make([]float64, len(l.scores))
	for i := range state {
		state[i] = float64(l.scores[(l.next+i)%len(l.scores)])
	}
	return state
}

func (l *late) Restore(state []float64) error {
	if len(state) != len(l.scores) {
		return fmt.Errorf("a history of %d scores, want %d", len(state), len(l.scores))
	}
	for _, score := range state {
		if !(score >= 0 && score <= 1<<30) || score != float64(int32(score)) {
			return fmt.Errorf("a history with a score of %v, want whole numbers from 0", score)
		}
	}
	for i, score := range state {
		l.scores[i] = int32(score)
	}
	l.next = 0
	return nil
}
