package match

import "math"

// Rating says how much stronger the first player is, in Elo: the logistic scale,
// on which 400 more make ten to one. What is infinite or not known is nil, and
// null in JSON.
type Rating struct {
	Score float64  `json:"score"` // share of the points, 0 to 1
	Elo   *float64 `json:"elo"`   // nil where all games were won, or all lost, or none was played
	// Low and High bound it with 95% confidence; nil is no bound.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
	// LOS is the likelihood that the first player is the stronger one.
	LOS float64 `json:"los"`
}

// normal95 is the quantile of the normal distribution that 95% lie within.
const normal95 = 1.959963984540054

// Rate rates the first player by how many pairs gave 0, ½, 1, 1½ and 2 points.
//
// The interval is that of the mean of the pairs, by their variance, brought over
// to Elo; a bound at 0 or 1 or beyond is none. Where all pairs are equal, their
// variance is 0 and would promise certainty. What n equal pairs do show is that
// with 95% confidence others are no more frequent than 1 - 0.05^(1/n); the
// interval is what the mean can be if those others are all lost, or all won. The
// likelihood is then that of n wins of n at even odds: 1 - 0.5^(n+1).
func Rate(pairs [5]int) Rating {
	n, mean, variance := moments(pairs)
	if n == 0 {
		return Rating{Score: 0.5, LOS: 0.5}
	}
	r := Rating{Score: mean, Elo: Elo(mean)}
	var low, high float64
	if variance == 0 {
		others := 1 - math.Pow(0.05, 1/n)
		low, high = mean*(1-others), mean*(1-others)+others
		switch {
		case mean > 0.5:
			r.LOS = 1 - math.Pow(0.5, n+1)
		case mean < 0.5:
			r.LOS = math.Pow(0.5, n+1)
		default:
			r.LOS = 0.5
		}
	} else {
		deviation := math.Sqrt(variance / n)
		low, high = mean-normal95*deviation, mean+normal95*deviation
		r.LOS = (1 + math.Erf((mean-0.5)/deviation/math.Sqrt2)) / 2
	}
	r.Low, r.High = Elo(low), Elo(high)
	return r
}

// moments returns the number of pairs, and the mean of their scores, 0 to 1, with
// its unbiased variance, which one pair alone does not have.
func moments(pairs [5]int) (n, mean, variance float64) {
	for i, m := range pairs {
		n += float64(m)
		mean += float64(m*i) / 4
	}
	if n == 0 {
		return 0, 0, 0
	}
	for _, m := range pairs {
		if float64(m) == n {
			return n, mean / n, 0 // exactly
		}
	}
	mean /= n
	for i, m := range pairs {
		d := float64(i)/4 - mean
		variance += float64(m) * d * d
	}
	return n, mean, variance / (n - 1)
}

// Elo is what a score from 0 to 1 is worth; nil where that is infinite.
func Elo(score float64) *float64 {
	if score <= 0 || score >= 1 {
		return nil
	}
	elo := 400 * math.Log10(score/(1-score))
	return &elo
}

// scoreOf is the score that so many Elo give.
func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
