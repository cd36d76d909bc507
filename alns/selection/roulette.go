package selection

import (
	"fmt"
	"slices"
)

// roulette is the policy of the ALNS page: it draws operator o with probability
// w_o / Σ w_j, and smooths its weight exponentially towards the reward of each
// use, w ← λw + (1-λ)ψ.
type roulette struct {
	wheel
	memory float64
}

func newRoulette(choices int, o Options) Policy {
	return &roulette{wheel: newWheel(choices), memory: o.Memory}
}

func (r *roulette) Learn(choice int, reward float64) {
	r.weights[choice] = float64(r.memory*r.weights[choice]) + float64((1-r.memory)*reward)
	r.total()
}

func (r *roulette) State() []float64 { return slices.Clone(r.weights) }

func (r *roulette) Restore(state []float64) error {
	if len(state) != len(r.weights) {
		return fmt.Errorf("%d weights, want %d", len(state), len(r.weights))
	}
	if err := checkWeights(state); err != nil {
		return err
	}
	copy(r.weights, state)
	r.total()
	return nil
}
