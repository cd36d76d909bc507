package selection

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lastmile/random"
)

// settings are options that make each policy do all that it can within some
// hundred iterations: segments end, credits are rescaled.
var settings = []Options{{}, {Memory: 0.5, Segment: 7, Reaction: 0.5}, {Memory: 0.97, Segment: 1, Reaction: 1}, {Memory: 1e-9}}

// settled are the policies whose draws are left to no chance once every choice
// has been tried.
var settled = []string{"bandit"}

func policy(tb testing.TB, name string, choices int, o Options) Policy {
	tb.Helper()
	p, err := New(name, choices, o)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// rewards are those of the loop.
var rewards = []float64{0.1, 1, 4, MaxReward}

// train lets a policy draw and learn from rewards at random, those of higher
// choices being higher.
func train(p Policy, r *random.Stream, choices, steps int) {
	for range steps {
		c := p.Draw(r)
		p.Learn(c, rewards[min(r.Below(4), r.Below(2)+3*(c+1)/choices)])
	}
}

// each runs a test for every policy under every setting.
func each(t *testing.T, f func(t *testing.T, name string, o Options)) {
	for _, name := range Names() {
		for i, o := range settings {
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) { f(t, name, o) })
		}
	}
}

func TestBeginsEqual(t *testing.T) {
	each(t, func(t *testing.T, name string, o Options) {
		for _, n := range []int{1, 2, 11} {
			shares := policy(t, name, n, o).Shares([]float64{7})
			if len(shares) != n+1 || shares[0] != 7 {
				t.Fatalf("%d choices: shares %v, want those behind what was there", n, shares)
			}
			for _, x := range shares[1:] {
				if math.Abs(x-1/float64(n)) > 1e-12 {
					t.Errorf("%d choices: %v", n, shares)
				}
			}
		}
	})
}

// Frequencies of draws are those of Shares, within 5 sigma: at the beginning,
// and later where a draw is left to chance.
func TestDrawsFollowShares(t *testing.T) {
	const n, draws = 6, 60_000
	each(t, func(t *testing.T, name string, o Options) {
		p, r := policy(t, name, n, o), random.New(1, name, 0)
		for _, steps := range []int{0, 1000, 5} {
			if steps > 0 && slices.Contains(settled, name) {
				break
			}
			train(p, r, n, steps)
			shares := p.Shares(nil)
			var count [n]float64
			for range draws {
				count[p.Draw(r)]++
			}
			total := 0.0
			for i, share := range shares {
				total += share
				if sigma := math.Sqrt(draws * share * (1 - share)); math.Abs(count[i]-draws*share) > 5*sigma {
					t.Errorf("after %d steps: choice %d drawn %v times of %d, want %.0f ± %.0f", steps, i, count[i], draws, draws*share, sigma)
				}
			}
			if math.Abs(total-1) > 1e-12 {
				t.Errorf("shares %v add up to %v", shares, total)
			}
		}
	})
}

// No choice dies out, neither one that always brings the least while the others
// bring the most, nor all of them when none brings anything.
func TestNoChoiceDiesOut(t *testing.T) {
	const n, steps = 11, 60_000
	each(t, func(t *testing.T, name string, o Options) {
		for _, others := range []float64{rewards[0], MaxReward} {
			p, r := policy(t, name, n, o), random.New(2, name, 0)
			var late [n]int
			for step := range steps {
				c := p.Draw(r)
				reward := others
				if c == 4 {
					reward = rewards[0]
				}
				p.Learn(c, reward)
				if step >= steps/2 {
					late[c]++
				}
			}
			if slices.Min(late[:]) == 0 {
				t.Errorf("others earn %v: drawn %v times", others, late)
			}
			// Who remembers a few uses alone has nothing to learn eleven choices by.
			if others == MaxReward && o.Memory == 0 && slices.Max(late[:]) < 2*late[4] {
				t.Errorf("nothing learned: %v", late)
			}
		}
	})
}

// saved is the state as a checkpoint has it.
func saved(t *testing.T, p Policy) []float64 {
	t.Helper()
	text, err := json.Marshal(p.State())
	if err != nil {
		t.Fatal(err)
	}
	var state []float64
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	return state
}

func bits(state []float64) []uint64 {
	b := make([]uint64, len(state))
	for i, x := range state {
		b[i] = math.Float64bits(x)
	}
	return b
}

// A policy that is restored, through JSON and over whatever it held, goes on as
// the one that was saved, bit for bit; the state is not shared.
func TestRestoreGoesOn(t *testing.T) {
	const n = 7
	each(t, func(t *testing.T, name string, o Options) {
		for _, cut := range []int{0, 1, 5, 250, 1003} {
			p, r := policy(t, name, n, o), random.New(3, name, cut)
			train(p, r, n, cut)
			state := saved(t, p)
			other := policy(t, name, n, o)
			train(other, random.New(4, name, 0), n, 321)
			if err := other.Restore(state); err != nil {
				t.Fatalf("after %d steps: %v", cut, err)
			}
			clear(state)
			clear(p.State())
			a, b := random.New(5, name, 0), random.New(5, name, 0)
			for step := range 3000 {
				x, y := p.Draw(a), other.Draw(b)
				if x != y {
					t.Fatalf("saved after %d steps: draw %d is %d, restored %d", cut, step, x, y)
				}
				reward := rewards[a.Below(4)]
				b.Below(4)
				p.Learn(x, reward)
				other.Learn(y, reward)
			}
			if x, y := p.State(), other.State(); !slices.Equal(bits(x), bits(y)) {
				t.Errorf("saved after %d steps: %v, restored %v", cut, x, y)
			}
		}
	})
}

// Restore refuses what no State holds, and leaves the policy as it was.
func TestRestoreRefuses(t *testing.T) {
	const n = 4
	each(t, func(t *testing.T, name string, o Options) {
		p := policy(t, name, n, o)
		train(p, random.New(6, name, 0), n, 555)
		good := p.State()
		refuse := func(what string, state []float64) {
			t.Helper()
			if err := p.Restore(state); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v was accepted, %v", what, state, err)
			}
			if now := p.State(); !slices.Equal(now, good) {
				t.Fatalf("%s: refused, but it is %v now, was %v", what, now, good)
			}
		}
		refuse("nothing", nil)
		refuse("a number less", good[1:])
		refuse("a number more", append(slices.Clone(good), good[0]))
		for i := range good {
			for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -1e-300, 1e101, math.MaxFloat64} {
				state := slices.Clone(good)
				state[i] = x
				refuse(fmt.Sprintf("number %d of %v", i, x), state)
			}
		}
	})
}

func TestAllocatesNothing(t *testing.T) {
	each(t, func(t *testing.T, name string, o Options) {
		p, r := policy(t, name, 11, o), random.New(7, name, 0)
		if n := testing.AllocsPerRun(2000, func() { train(p, r, 11, 1) }); n != 0 {
			t.Errorf("%v allocations an iteration", n)
		}
	})
}

// The weights of the roulette are w ← λw + (1-λ)ψ from the highest reward on,
// and tend to what the operators bring.
func TestRouletteSmooths(t *testing.T) {
	const memory, n = 0.98, 3
	p, r := policy(t, "roulette", n, Options{Memory: memory}), random.New(8, "", 0)
	history := [n][]float64{}
	means := []float64{0.5, 3, 6}
	for range 4000 {
		c := p.Draw(r)
		reward := means[c] + r.Float64() - 0.5
		history[c] = append(history[c], reward)
		p.Learn(c, reward)
		// The sum in full: λ^m w_0 + (1-λ) Σ λ^(m-j) ψ_j.
		w := math.Pow(memory, float64(len(history[c]))) * MaxReward
		for j, x := range history[c] {
			w += (1 - memory) * math.Pow(memory, float64(len(history[c])-1-j)) * x
		}
		if got := p.State()[c]; math.Abs(got-w) > 1e-9 {
			t.Fatalf("weight of %d after %d uses: %v, want %v", c, len(history[c]), got, w)
		}
	}
	for c, w := range p.State() {
		// Means of about 1/(1-λ) rewards, each spread by 0.29.
		if math.Abs(w-means[c]) > 0.15 {
			t.Errorf("weight of %d: %v, want about %v", c, w, means[c])
		}
	}
}

// Segments against a slow twin of Ropke and Pisinger: the weights change where a
// segment ends, by the mean reward of each operator in it, and those that were
// not used keep theirs.
func TestSegmentsAreThoseOfRopkeAndPisinger(t *testing.T) {
	const n, length, reaction = 5, 6, 0.3
	p, r := policy(t, "segments", n, Options{Segment: length, Reaction: reaction}), random.New(9, "", 0)
	weights := [n]float64{MaxReward, MaxReward, MaxReward, MaxReward, MaxReward}
	type use struct {
		choice int
		reward float64
	}
	var segment []use
	kept, changed := 0, 0
	for step := range 6000 {
		c := p.Draw(r)
		u := use{c, rewards[r.Below(4)]}
		p.Learn(c, u.reward)
		if segment = append(segment, u); len(segment) == length {
			for i := range weights {
				pi, theta := 0.0, 0.0
				for _, u := range segment {
					if u.choice == i {
						pi, theta = pi+u.reward, theta+1
					}
				}
				if theta == 0 {
					kept++
					continue
				}
				changed++
				weights[i] = (1-reaction)*weights[i] + reaction*pi/theta
			}
			segment = nil
		}
		for i, w := range p.State()[:n] {
			if math.Abs(w-weights[i]) > 1e-9 {
				t.Fatalf("weight of %d after %d iterations: %v, want %v", i, step+1, w, weights[i])
			}
		}
	}
	if kept == 0 || changed == 0 {
		t.Errorf("%d weights kept, %d changed: it shows nothing", kept, changed)
	}
}

// The bandit against a slow twin of discounted UCB that sums with powers of γ
// over all that came before: it draws an operator of the highest bound, but for
// the rounding of ties, and says how often each was drawn of late. With γ = 0.9
// the credit is rescaled each 2,185 iterations; that must not show.
func TestBanditIsDiscountedUCB(t *testing.T) {
	const n = 4
	for _, gamma := range []float64{0.9, 0.995} {
		p, r := policy(t, "bandit", n, Options{Memory: gamma}), random.New(10, "", 0)
		logarithm := math.Round(math.Log(1 / (1 - gamma)))
		var choices []int
		var earned []float64
		rescaled := 0
		for step := range 5000 {
			var uses, sums [n]float64
			for s, c := range choices {
				weight := math.Pow(gamma, float64(step-1-s))
				uses[c] += weight
				sums[c] += weight * earned[s] / MaxReward
			}
			top, bound := 0.0, [n]float64{}
			for i := range bound {
				bound[i] = math.Inf(1)
				if uses[i] > 0 {
					bound[i] = sums[i]/uses[i] + 2*math.Sqrt(exploration*logarithm/uses[i])
				}
				top = max(top, bound[i])
			}
			c := p.Draw(r)
			if bound[c] < top*(1-1e-9) {
				t.Fatalf("γ = %v, step %d: drew %d of %v", gamma, step, c, bound)
			}
			all := uses[0] + uses[1] + uses[2] + uses[3]
			for i, share := range p.Shares(nil) {
				if all > 0 && math.Abs(share-uses[i]/all) > 1e-9 {
					t.Fatalf("γ = %v, step %d: share %v of %d, want %v", gamma, step, share, i, uses[i]/all)
				}
			}
			choices, earned = append(choices, c), append(earned, rewards[r.Below(1+(c+step/1000)%n)])
			before := p.(*bandit).credit
			if p.Learn(c, earned[step]); p.(*bandit).credit < before {
				rescaled++
			}
		}
		if gamma == 0.9 && rescaled < 2 {
			t.Errorf("rescaled %d times: it shows nothing", rescaled)
		}
	}
}

// When another operator becomes the best, every policy turns to it; the bandit
// draws it most of the time.
func TestFollowsTheBest(t *testing.T) {
	const n, steps = 5, 40_000
	for _, name := range Names() {
		p, r := policy(t, name, n, Options{Memory: 0.99}), random.New(11, name, 0)
		for _, best := range []int{1, 3} {
			var late [n]int
			for step := range steps {
				c := p.Draw(r)
				reward := 1.0
				if c == best {
					reward = 4
				}
				p.Learn(c, reward)
				if step >= steps/2 {
					late[c]++
				}
			}
			others := slices.Clone(late[:])
			others[best] = 0
			if late[best] < 2*slices.Max(others) || name == "bandit" && late[best] < steps/4 {
				t.Errorf("%s: %d is the best, drawn %v", name, best, late)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, name := range append(Names(), "") {
		for what, o := range map[string]Options{
			"a memory of 1": {Memory: 1}, "a memory below 0": {Memory: -0.1}, "no memory": {Memory: math.NaN()}, "a memory of ∞": {Memory: math.Inf(1)},
			"a segment below 0": {Segment: -1},
			"a reaction over 1": {Reaction: 1.1}, "a reaction below 0": {Reaction: -0.1}, "no reaction": {Reaction: math.NaN()},
		} {
			if _, err := New(name, 3, o); err == nil {
				t.Errorf("%q: %s was accepted", name, what)
			}
		}
		for _, choices := range []int{0, -1} {
			if _, err := New(name, choices, Options{}); err == nil {
				t.Errorf("%q: %d choices were accepted", name, choices)
			}
		}
	}
	_, err := New("dice", 3, Options{})
	for _, name := range Names() {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want it to name %s", err, name)
		}
	}
}

// The zero value asks for the defaults that are documented, no name for the
// policy of the page; and a memory of next to nothing is one.
func TestDefaults(t *testing.T) {
	same := func(a, b Policy) {
		t.Helper()
		train(a, random.New(12, "", 0), 3, 500)
		train(b, random.New(12, "", 0), 3, 500)
		if x, y := a.State(), b.State(); !slices.Equal(x, y) {
			t.Errorf("%v and %v", x, y)
		}
	}
	for _, name := range Names() {
		same(policy(t, name, 3, Options{}), policy(t, name, 3, Options{Memory: 0.999, Segment: 100, Reaction: 0.1}))
		p := policy(t, name, 3, Options{Memory: math.SmallestNonzeroFloat64})
		train(p, random.New(13, "", 0), 3, 500)
		if err := p.Restore(p.State()); err != nil {
			t.Errorf("%s: with hardly any memory: %v", name, err)
		}
	}
	same(policy(t, "", 3, Options{}), policy(t, "roulette", 3, Options{}))
}
