package selection

import (
	"fmt"
	"slices"
)

// segments draws like the roulette and adapts its weights at the end of each
// segment of iterations: an operator that was used takes a share of its mean
// reward in the segment, w ← (1-r)w + rπ/θ, the others keep their weight
// (Ropke and Pisinger, Transportation Science 2006, section 3.4).
type segments struct {
	wheel
	length   int
	reaction float64
	done     int       // iterations of the segment at hand
	rewards  []float64 // π: what each operator earned in it
	uses     []float64 // θ: by so many uses
}

func newSegments(choices int, o Options) Policy {
	return &segments{
		wheel: newWheel(choices), length: o.Segment, reaction: o.Reaction,
		rewards: make([]float64, choices), uses: make([]float64, choices),
	}
}

func (s *segments) Learn(choice int, reward float64) {
	s.rewards[choice] += reward
	s.uses[choice]++
	if s.done++; s.done < s.length {
		return
	}
	for i, n := range s.uses {
		if n > 0 {
			s.weights[i] = mix(s.weights[i], s.rewards[i]/n, s.reaction)
		}
	}
	clear(s.rewards)
	clear(s.uses)
	s.done = 0
	s.total()
}

// State is the weights, the rewards and the uses, by operator.
func (s *segments) State() []float64 { return slices.Concat(s.weights, s.rewards, s.uses) }

func (s *segments) Restore(state []float64) error {
	n := len(s.weights)
	if len(state) != 3*n {
		return fmt.Errorf("%d numbers of %d operators, want %d", len(state), n, 3*n)
	}
	if err := checkWeights(state[:n]); err != nil {
		return err
	}
	rewards, uses, done := state[n:2*n], state[2*n:], 0.0
	for i, u := range uses {
		if !(u >= 0) || u != float64(int(u)) || !(rewards[i] >= 0) || rewards[i] > MaxReward*u {
			return fmt.Errorf("a reward of %v for %v uses, want at most %v for each", rewards[i], u, MaxReward)
		}
		done += u
	}
	if done >= float64(s.length) {
		return fmt.Errorf("a segment of %v iterations, want fewer than %d", done, s.length)
	}
	copy(s.weights, state[:n])
	copy(s.rewards, rewards)
	copy(s.uses, uses)
	s.done = int(done)
	s.total()
	return nil
}
