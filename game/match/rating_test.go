package match

import (
	"math"
	"testing"

	"lastmile/random"
)

func near(a *float64, want, within float64) bool {
	if a == nil || math.IsNaN(want) {
		return a == nil && math.IsNaN(want)
	}
	return math.Abs(*a-want) <= within
}

func show(a *float64) any {
	if a == nil {
		return "none"
	}
	return *a
}

// Values by hand: 75% are 3 to 1, 400 log10(3) = 190.85.
func TestElo(t *testing.T) {
	none := math.NaN()
	for score, want := range map[float64]float64{
		0.5: 0, 0.75: 190.8485, 0.25: -190.8485, 10.0 / 11: 400, 1.0 / 11: -400, 0.6: 70.4365, 0: none, 1: none, 1.2: none, -1: none,
	} {
		if got := Elo(score); !near(got, want, 1e-3) {
			t.Errorf("Elo of %v: %v, want %v", score, show(got), want)
		}
		if got := Elo(score); got != nil && math.Abs(scoreOf(*got)-score) > 1e-12 {
			t.Errorf("%v Elo score %v, want %v", *got, scoreOf(*got), score)
		}
	}
}

func TestRate(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		pairs                [5]int
		score, elo, low, top float64
		los                  float64
	}{
		// None played.
		{[5]int{}, 0.5, none, none, none, 0.5},
		// 10 at 0 and at 1, 20 at ¼ and at ¾, 40 at ½: (20/4 + 40/16) / 99 = 0.0757576;
		// ± 1.959964 sqrt(0.0757576/100) = ± 0.0539464, and 400 log10(0.5539464/0.4460536) = 37.6322.
		{[5]int{10, 20, 40, 20, 10}, 0.5, 0, -37.6322, 37.6322, 0.5},
		// Four pairs, two at ¾ and two at 1: mean 0.875, variance 4 (1/8)² / 3 = 1/48,
		// ± 1.959964 sqrt(1/192) = ± 0.141448: 400 log10(0.733552/0.266448), and beyond 1.
		{[5]int{0, 0, 0, 2, 2}, 0.875, 338.0392, 175.9272, none, 1},
		// All equal: with n = 10, others are rarer than 1 - 0.05^0.1 = 0.258866, so 0.370567 to 0.629433.
		{[5]int{0, 0, 10, 0, 0}, 0.5, 0, -92.0329, 92.0329, 0.5},
		{[5]int{0, 0, 0, 0, 10}, 1, none, 182.7291, none, 1 - math.Pow(0.5, 11)},
		{[5]int{10, 0, 0, 0, 0}, 0, none, none, -182.7291, math.Pow(0.5, 11)},
		// A single pair won proves next to nothing: 1 - 0.05 = 0.95 may be others.
		{[5]int{0, 0, 0, 0, 1}, 1, none, -511.5014, none, 0.75},
	} {
		r := Rate(c.pairs)
		if math.Abs(r.Score-c.score) > 1e-12 || !near(r.Elo, c.elo, 1e-3) || !near(r.Low, c.low, 1e-3) || !near(r.High, c.top, 1e-3) || math.Abs(r.LOS-c.los) > 1e-3 {
			t.Errorf("%v: score %v, elo %v in [%v, %v], los %v; want %v, %v in [%v, %v], %v",
				c.pairs, r.Score, show(r.Elo), show(r.Low), show(r.High), r.LOS, c.score, c.elo, c.low, c.top, c.los)
		}
	}
}

// What one player is rated at the other one is rated the opposite of.
func TestRateIsFair(t *testing.T) {
	stream := random.New(1, "fair", 0)
	opposite := func(a *float64) float64 {
		if a == nil {
			return math.NaN()
		}
		return -*a
	}
	for range 1000 {
		var mine, yours [5]int
		for i := range mine {
			mine[i] = stream.Below(4) * stream.Below(4)
			yours[4-i] = mine[i]
		}
		a, b := Rate(mine), Rate(yours)
		if !near(a.Elo, opposite(b.Elo), 1e-6) || !near(a.Low, opposite(b.High), 1e-6) || math.Abs(a.LOS+b.LOS-1) > 1e-9 {
			t.Errorf("%v: %+v against %+v", mine, a, b)
		}
		for _, v := range []float64{a.Score, a.LOS} {
			if !(v >= 0 && v <= 1) {
				t.Errorf("%v: %+v", mine, a)
			}
		}
	}
}
