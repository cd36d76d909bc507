// Package acceptance holds the rules by which the loop keeps a rebuilt board
// or takes it back: one rule a file, and all of them in list.go.
//
// Every rule keeps a board that is no worse than the one before. They differ
// in the losses that they let pass.
package acceptance

import (
	"fmt"
	"math"

	"lastmile/random"
)

// Rule decides over rebuilt boards, one after the other.
type Rule interface {
	// Accept tells whether a board of score after may take the place of one of
	// score before; best is the best score so far. It is asked once an
	// iteration, in their order.
	Accept(before, after, best int, r *random.Stream) bool

	// Advance tells the rule how much of the run is done, from 0 to 1. Rules
	// that do not cool ignore it.
	Advance(done float64)

	// State is what Restore needs to go on from here, in numbers that JSON
	// carries exactly; empty when the rule remembers nothing. It is not shared
	// with the rule.
	State() []float64
	// Restore goes back to a state. An error says what no State holds.
	Restore([]float64) error
}

// Options tune the rules. The zero value of a field asks for its default. All
// are checked, also those that a rule does not read.
type Options struct {
	Temperature float64 // T in seams: of annealing, and where cooling begins; default 0.6
	Final       float64 // T in seams where cooling ends; default a quarter of Temperature
	Deviation   float64 // losses of fewer seams pass: below the best, or for threshold below the board before; default 2
	History     int     // iterations that late acceptance looks back, 1 to 100,000; default 1000
}

// WithDefaults is the options with the defaults in place of zeros.
func (o Options) WithDefaults() Options {
	if o.Temperature == 0 {
		o.Temperature = 0.6
	}
	if o.Final == 0 {
		o.Final = o.Temperature / 4
	}
	if o.Deviation == 0 {
		o.Deviation = 2
	}
	if o.History == 0 {
		o.History = 1000
	}
	return o
}

// MaxHistory bounds what late acceptance remembers, in iterations.
const MaxHistory = 100_000

// Check tells what is wrong with the options.
func (o Options) Check() error {
	o = o.WithDefaults()
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
	switch {
	case !positive(o.Temperature):
		return fmt.Errorf("temperature %v, want a positive number of seams", o.Temperature)
	case !positive(o.Final) || o.Final > o.Temperature:
		return fmt.Errorf("final temperature %v, want a positive number of seams, at most the temperature of %v", o.Final, o.Temperature)
	case !positive(o.Deviation):
		return fmt.Errorf("deviation %v, want a positive number of seams", o.Deviation)
	case o.History < 1 || o.History > MaxHistory:
		return fmt.Errorf("history of %d iterations, want 1 to %d", o.History, MaxHistory)
	}
	return nil
}

// forgetful is the part of a rule that remembers nothing.
type forgetful struct{}

func (forgetful) State() []float64 { return nil }

func (forgetful) Restore(state []float64) error {
	if len(state) > 0 {
		return fmt.Errorf("a state of %d numbers for an acceptance rule that has none", len(state))
	}
	return nil
}

// steady is the part of a rule that does not change as the run goes on.
type steady struct{}

func (steady) Advance(float64) {}
