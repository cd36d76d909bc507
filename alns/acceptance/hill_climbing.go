package acceptance

import "lastmile/random"

// hillClimbing accepts no loss.
type hillClimbing struct {
	forgetful
	steady
}

func newHillClimbing(Options, int) Rule { return hillClimbing{} }

func (hillClimbing) Accept(before, after, _ int, _ *random.Stream) bool { return after >= before }
