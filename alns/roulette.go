package alns

import (
	"lastmile/alns/destroy"
	"lastmile/random"
	"lastmile/search"
)

// roulette draws operator o with probability w_o / Σ w_j, and smooths its
// weight exponentially towards the reward of each use: w ← λw + (1-λ)ψ. All
// weights begin equal, at the highest reward, so that no operator is given up
// before it has been tried.
type roulette struct {
	operators []destroy.Operator
	memory    float64
	weights   []float64
	sum       float64
	tally     []search.Operator
}

func newRoulette(operators []destroy.Operator, memory float64) roulette {
	r := roulette{
		operators: operators,
		memory:    memory,
		weights:   make([]float64, len(operators)),
		tally:     make([]search.Operator, len(operators)),
	}
	for i, o := range operators {
		r.weights[i] = rewards[NewBest]
		r.tally[i].Name = o.Name
	}
	r.total()
	return r
}

// total sums the weights afresh, so that no rounding error piles up.
func (r *roulette) total() {
	r.sum = 0
	for _, w := range r.weights {
		r.sum += w
	}
}

func (r *roulette) draw(s *random.Stream) int {
	x := s.Float64() * r.sum
	for i, w := range r.weights {
		if x < w {
			return i
		}
		x -= w
	}
	return len(r.weights) - 1
}

func (r *roulette) adapt(operator int, outcome Outcome, gain int) {
	// The conversions keep a compiler from fusing the product with the sum,
	// which would round otherwise on some machines.
	r.weights[operator] = float64(r.memory*r.weights[operator]) + float64((1-r.memory)*rewards[outcome])
	r.total()
	t := &r.tally[operator]
	t.Uses++
	if outcome != Rejected {
		t.Accepted++
	}
	if gain > 0 {
		t.Improved++
		t.Gain += int64(gain)
	}
}

// Operators is the account of each operator so far.
func (r *roulette) Operators() []search.Operator {
	account := append([]search.Operator(nil), r.tally...)
	for i := range account {
		account[i].Weight = r.weights[i] / r.sum
	}
	return account
}
