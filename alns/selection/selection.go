// Package selection holds the policies by which the loop draws an operator
// and learns from what came of it: one policy a file, and all of them in
// list.go.
package selection

import (
	"fmt"

	"lastmile/random"
)

// Policy draws among a fixed number of choices and learns from rewards.
type Policy interface {
	// Draw picks a choice.
	Draw(r *random.Stream) int
	// Learn takes in the reward ψ of an iteration that used the choice: above 0
	// and at most MaxReward.
	Learn(choice int, reward float64)

	// Shares appends to dst how likely each choice is to be drawn next, 0 to 1,
	// adding up to 1; where no chance is involved, how often each has been drawn
	// of late.
	Shares(dst []float64) []float64

	// State is what Restore needs to go on from here, in numbers that JSON
	// carries exactly. It is not shared with the policy.
	State() []float64
	// Restore goes back to a state. An error says what no State holds.
	Restore([]float64) error
}

// MaxReward is the highest reward of an iteration.
const MaxReward = 8

// Options tune the policies. The zero value of a field asks for its default.
type Options struct {
	// Memory is between 0 and 1, default 0.999. For the roulette it is λ, what
	// the weight of an operator keeps at each of its uses; for the bandit γ, what
	// all accounts keep at each iteration, whoever was drawn. Segments ignore it.
	Memory float64
	// Segment is the number of iterations after which weights that are adapted
	// by segments change. Default 100.
	Segment int
	// Reaction is what such a change takes from the segment and not from the
	// weight before, 0 to 1. Default 0.1.
	Reaction float64
}

// WithDefaults is the options with the defaults in place of zeros.
func (o Options) WithDefaults() Options {
	if o.Memory == 0 {
		o.Memory = 0.999
	}
	if o.Segment == 0 {
		o.Segment = 100
	}
	if o.Reaction == 0 {
		o.Reaction = 0.1
	}
	return o
}

// Check tells what is wrong with the options.
func (o Options) Check() error {
	o = o.WithDefaults()
	switch {
	case !(o.Memory > 0) || o.Memory >= 1:
		return fmt.Errorf("memory %v, want a number between 0 and 1", o.Memory)
	case o.Segment < 1:
		return fmt.Errorf("segments of %d iterations, want 1 or more", o.Segment)
	case !(o.Reaction > 0) || o.Reaction > 1:
		return fmt.Errorf("reaction %v, want a number above 0, at most 1", o.Reaction)
	}
	return nil
}

// wheel is weights and their sum, to draw from in proportion.
type wheel struct {
	weights []float64
	sum     float64
}

// newWheel begins with equal weights, at the highest reward, so that no
// operator is given up before it has been tried.
func newWheel(choices int) wheel {
	w := wheel{weights: make([]float64, choices)}
	for i := range w.weights {
		w.weights[i] = MaxReward
	}
	w.total()
	return w
}

// total sums the weights afresh, so that no rounding error piles up.
func (w *wheel) total() {
	w.sum = 0
	for _, x := range w.weights {
		w.sum += x
	}
}

func (w *wheel) Draw(r *random.Stream) int {
	x := r.Float64() * w.sum
	for i, weight := range w.weights {
		if x < weight {
			return i
		}
		x -= weight
	}
	return len(w.weights) - 1
}

func (w *wheel) Shares(dst []float64) []float64 {
	for _, weight := range w.weights {
		dst = append(dst, weight/w.sum)
	}
	return dst
}

// mix is a(1-share) + b·share. The conversions keep a compiler from fusing a
// product with the sum, which would round otherwise on some machines.
func mix(a, b, share float64) float64 {
	return float64((1-share)*a) + float64(share*b)
}

// checkWeights tells what no State holds.
func checkWeights(weights []float64) error {
	for _, w := range weights {
		if !(w > 0) || w > MaxReward {
			return fmt.Errorf("a weight of %v, want above 0 and at most %v", w, MaxReward)
		}
	}
	return nil
}
