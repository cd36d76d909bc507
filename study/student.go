package study

import "math"

// t975 is the value that Student's t with so many degrees of freedom stays
// below with probability 0.975: the half width, in standard errors, of a 95 %
// confidence interval.
func t975(freedom int) float64 { return central(0.95, freedom) }

// central is the value that |t| stays below with that probability, at most
// 0.9999.
func central(probability float64, freedom int) float64 {
	low, high := 0.0, 1e4 // one degree gives 6366, the most
	for range 70 {
		if middle := (low + high) / 2; within(middle, freedom) < probability {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// within is the probability that |t| is below x, by the closed forms for a
// whole number of degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
func within(x float64, freedom int) float64 {
	angle := math.Atan(x / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(angle)
	if freedom == 1 {
		return 2 / math.Pi * angle
	}
	odd := freedom%2 == 1
	term, j := 1.0, 2
	if odd {
		term, j = cos, 3
	}
	sum := term
	for ; j <= freedom-2; j += 2 {
		term *= float64(j-1) / float64(j) * cos * cos
		sum += term
	}
	if odd {
		return 2 / math.Pi * (angle + sin*sum)
	}
	return sin * sum
}
