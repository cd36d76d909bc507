package selection

import (
	"fmt"
	"math"
	"slices"

	"lastmile/random"
)

// bandit is discounted UCB (Garivier and Moulines, ALT 2011, section 3): it
// draws the operator whose discounted mean reward, plus a bonus for what is
// little known, is the highest.
//
// Of the bandits it is the one whose assumptions fit. What an operator brings
// changes as the board nears the top, so old rewards must fade, as they do not
// in UCB1 or Thompson sampling as published. Rewards do not answer to the
// draws, so that the caution of Exp3 would be paid for nothing. And a draw takes
// square roots and no exponentials, so that it comes out the same on every
// machine.
type bandit struct {
	discount float64
	wide     float64   // what the bonus is in proportion to
	rewards  []float64 // discounted sums, of rewards between 0 and 1
	uses     []float64
	credit   float64 // by how much a use counts now: 1/discount at each, so that the rest need not shrink
}

// exploration is ξ of the paper: its bonus is 2√(ξ ln n / N).
const exploration = 0.02

func newBandit(choices int, o Options) Policy {
	// A memory below the floor keeps nothing either, but its credit would be
	// infinite.
	b := &bandit{discount: max(o.Memory, 1/largestCredit), rewards: make([]float64, choices), uses: make([]float64, choices), credit: 1}
	// With a discount the count n of the paper tends to 1/(1-γ); its logarithm
	// is taken there, rounded, once and for all.
	b.wide = 4 * exploration * math.Round(max(1, math.Log(1/(1-o.Memory))))
	return b
}

func (b *bandit) Draw(r *random.Stream) int {
	best, top, ties := 0, -1.0, 0
	for i, n := range b.uses {
		if n == 0 {
			// Those that have never been tried come first, in random order.
			if top < math.Inf(1) {
				top, ties = math.Inf(1), 0
			}
			if ties++; r.Below(ties) == 0 {
				best = i
			}
			continue
		}
		if x := b.rewards[i]/n + math.Sqrt(b.wide*b.credit/n); x > top {
			best, top = i, x
		}
	}
	return best
}

// largestCredit is when the sums are brought back to size.
const largestCredit = 1e100

func (b *bandit) Learn(choice int, reward float64) {
	b.credit /= b.discount
	b.rewards[choice] += float64(reward / MaxReward * b.credit)
	b.uses[choice] += b.credit
	if b.credit > largestCredit {
		b.rescale()
	}
}

// rescale makes a use count one again. An operator that has hardly been used
// since is as good as untried.
func (b *bandit) rescale() {
	for i := range b.uses {
		b.uses[i] /= b.credit
		b.rewards[i] /= b.credit
	}
	b.credit = 1
}

func (b *bandit) Shares(dst []float64) []float64 {
	total := 0.0
	for _, n := range b.uses {
		total += n
	}
	for _, n := range b.uses {
		if total == 0 {
			dst = append(dst, 1/float64(len(b.uses)))
		} else {
			dst = append(dst, n/total)
		}
	}
	return dst
}

// State is the discounted rewards and uses, by operator, and the credit.
func (b *bandit) State() []float64 {
	return append(slices.Concat(b.rewards, b.uses), b.credit)
}

func (b *bandit) Restore(state []float64) error {
	n := len(b.uses)
	if len(state) != 2*n+1 {
		return fmt.Errorf("%d numbers of %d operators, want %d", len(state), n, 2*n+1)
	}
	rewards, uses, credit := state[:n], state[n:2*n], state[2*n]
	if !(credit >= 1) || credit > largestCredit {
		return fmt.Errorf("a credit of %v, want 1 to %v", credit, largestCredit)
	}
	total := 0.0
	for i, u := range uses {
		if !(u >= 0) || !(rewards[i] >= 0) || rewards[i] > u*(1+1e-9) {
			return fmt.Errorf("a reward of %v for uses of %v, want at most as much", rewards[i], u)
		}
		total += u
	}
	// The uses count 1, γ, γ² and so on of the credit.
	if most := credit / (1 - b.discount); total > 1.001*most {
		return fmt.Errorf("uses of %v in all, want at most %v", total, most)
	}
	copy(b.rewards, rewards)
	copy(b.uses, uses)
	b.credit = credit
	return nil
}
