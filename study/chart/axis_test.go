package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lastmile/random"
)

func labels(a axis) string {
	var all []string
	for _, t := range a.ticks {
		if t.Label != "" {
			all = append(all, t.Label)
		}
	}
	return strings.Join(all, " ")
}

func TestAxes(t *testing.T) {
	for _, c := range []struct {
		values []float64
		log    bool
		want   string
	}{
		{[]float64{3, 17}, false, "0 5 10 15 20"},
		{[]float64{3, 6}, false, "3 4 5 6"},
		{[]float64{3, 5.5}, false, "3.0 3.5 4.0 4.5 5.0 5.5"},
		{[]float64{-0.03, 0.1}, false, "−0.05 0.00 0.05 0.10"},
		{[]float64{1200, 4_000_000}, false, "0 1,000,000 2,000,000 3,000,000 4,000,000"},
		{[]float64{450}, false, "300 350 400 450 500 550 600"},
		{[]float64{0}, false, "−1 0 1"},
		{nil, false, "0 1"},
		{nil, true, "1 2 5 10"},
		{[]float64{1000}, true, "500 1,000 2,000"},
		{[]float64{30, 800}, true, "20 50 100 200 500 1,000"},
		{[]float64{0.02, 70}, true, "0.1 1 10 100"},
		{[]float64{1, 1_000_000}, true, "1 10 100 1,000 10,000 100,000 1,000,000"},
		{[]float64{210, 2.9e8}, true, "10³ 10⁴ 10⁵ 10⁶ 10⁷ 10⁸"},
		{[]float64{3e7, 4e8}, true, "2·10⁷ 5·10⁷ 10⁸ 2·10⁸ 5·10⁸"},
		{[]float64{1e-9, 1e20}, true, "10⁻⁸ 10⁻⁴ 10⁰ 10⁴ 10⁸ 10¹² 10¹⁶ 10²⁰"},
	} {
		if got := labels(axisOf(c.values, c.log)); got != c.want {
			t.Errorf("%v, log %v: %q, want %q", c.values, c.log, got, c.want)
		}
	}
	if a := axisOf([]float64{100, 1e6}, true); len(a.ticks) != 4*9+1 {
		t.Errorf("%d ticks over four decades, want one a digit", len(a.ticks))
	}
}

// Whatever the values: the axis holds them, ends on ticks, and its labels are
// few and differ.
func TestEveryRangeHasAnAxis(t *testing.T) {
	r := random.New(1, "axis test", 0)
	for range 20000 {
		log := r.Below(2) == 0
		draw := func() float64 {
			v := (1 + float64(r.Below(900))/100) * math.Pow10(r.Below(580)-290)
			switch {
			case r.Below(2) == 0:
				v = float64(1+r.Below(2000)) / float64(1+r.Below(50))
			case r.Below(4) == 0:
				v = math.Pow10(r.Below(40) - 20)
			}
			if !log && r.Below(3) == 0 {
				v = -v
			}
			return v
		}
		values := []float64{draw(), draw()}
		if r.Below(3) == 0 {
			values[1] = values[0] * (1 + float64(r.Below(1000))/1e4)
		}
		a := axisOf(values, log)
		low, high := slices.Min(values), slices.Max(values)
		room := 1e-12 * (a.high - a.low) // what rounding may take
		if !(a.low < a.high) || low < a.low-room || high > a.high+room || log && a.low <= 0 {
			t.Fatalf("%v, log %v: axis from %v to %v", values, log, a.low, a.high)
		}
		shown := map[string]bool{}
		for i, tick := range a.ticks {
			if i > 0 && tick.Value <= a.ticks[i-1].Value {
				t.Fatalf("%v, log %v: ticks %v", values, log, a.ticks)
			}
			if tick.Label != "" {
				if shown[tick.Label] && high-low > 1e-5*math.Abs(high) {
					t.Fatalf("%v, log %v: twice %q", values, log, tick.Label)
				}
				shown[tick.Label] = true
			}
		}
		if len(shown) < 2 || len(shown) > 11 {
			t.Fatalf("%v, log %v: %d labels: %s", values, log, len(shown), labels(a))
		}
	}
}
