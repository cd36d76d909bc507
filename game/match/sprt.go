package match

import (
	"fmt"
	"math"
)

// Test is a sequential probability ratio test: it asks after each pair whether
// the first player is Elo1 stronger than the second rather than Elo0, and stops
// as soon as that is settled. Elo is logistic, as in Rating.
type Test struct {
	Elo0, Elo1 float64
	// Alpha is the risk to accept Elo1 where Elo0 is true, Beta that to reject it
	// where it is true; 0 for 0.05.
	Alpha, Beta float64
}

// maxElo bounds hypotheses.
const maxElo = 1000

// Check tells what is wrong with a test.
func (t *Test) Check() error {
	switch {
	case !(math.Abs(t.Elo0) <= maxElo && math.Abs(t.Elo1) <= maxElo):
		return fmt.Errorf("a test of %v against %v Elo, want -%d to %d", t.Elo0, t.Elo1, maxElo, maxElo)
	case t.Elo0 >= t.Elo1:
		return fmt.Errorf("a test of %v against %v Elo, want the first below the second", t.Elo0, t.Elo1)
	case !(t.Alpha >= 0 && t.Alpha < 0.5 && t.Beta >= 0 && t.Beta < 0.5):
		return fmt.Errorf("a test with risks %v and %v, want them above 0 and below 0.5", t.Alpha, t.Beta)
	}
	return nil
}

// What a test says.
const (
	Accept    = "accept" // Elo1
	Reject    = "reject"
	Undecided = "undecided"
)

// Verdict is the state of a test.
type Verdict struct {
	Elo0    float64 `json:"elo0"`
	Elo1    float64 `json:"elo1"`
	Alpha   float64 `json:"alpha"`
	Beta    float64 `json:"beta"`
	LLR     float64 `json:"llr"`   // log of how much likelier Elo1 makes the pairs than Elo0
	Lower   float64 `json:"lower"` // reject at this or less
	Upper   float64 `json:"upper"` // accept at this or more
	Verdict string  `json:"verdict"`
}

// Judge holds pairs against the test. The ratio is that of the generalised test:
// both hypotheses say what the mean of the pairs is, and of each the likeliest of
// all distributions on the five results is taken that has this mean.
func (t *Test) Judge(pairs [5]int) Verdict {
	v := Verdict{Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Verdict: Undecided}
	if v.Alpha == 0 {
		v.Alpha = 0.05
	}
	if v.Beta == 0 {
		v.Beta = 0.05
	}
	v.Lower, v.Upper = math.Log(v.Beta/(1-v.Alpha)), math.Log((1-v.Beta)/v.Alpha)
	v.LLR = ratio(pairs, scoreOf(t.Elo0), scoreOf(t.Elo1))
	switch {
	case v.LLR >= v.Upper:
		v.Verdict = Accept
	case v.LLR <= v.Lower:
		v.Verdict = Reject
	}
	return v
}

// rare stands in for results that have not been seen yet. They may be: else
// nothing would do for a mean on the far side of all that was seen.
const rare = 1e-3

// ratio is the log-likelihood ratio of two means of the pairs.
func ratio(pairs [5]int, mean0, mean1 float64) float64 {
	if pairs == ([5]int{}) {
		return 0
	}
	var counts [5]float64
	n := 0.0
	for i, m := range pairs {
		counts[i] = max(float64(m), rare)
		n += counts[i]
	}
	x0, x1 := tilt(&counts, n, mean0), tilt(&counts, n, mean1)
	llr := 0.0
	for i, m := range counts {
		a := float64(i) / 4
		llr += m * math.Log((1+x0*(a-mean0))/(1+x1*(a-mean1)))
	}
	return llr
}

// tilt finds x such that counts[i] / n / (1 + x (a_i - mean)), with a_i = i/4, is
// the likeliest distribution of this mean: where Σ counts[i] (a_i - mean) /
// (1 + x (a_i - mean)) is 0. That falls as x grows, between the poles at which the
// first and the last denominators vanish.
func tilt(counts *[5]float64, n, mean float64) float64 {
	low, high := -1/(1-mean), 1/mean
	for range 200 {
		x := (low + high) / 2
		if x == low || x == high {
			break
		}
		sum := 0.0
		for i, m := range counts {
			d := float64(i)/4 - mean
			sum += m / n * d / (1 + x*d)
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}
