package study

import (
	"encoding/json"
	"math"
	"testing"
)

// Quantiles from the printed tables of Student's t.
func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{
		1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469, 9: 2.2622,
		10: 2.2281, 14: 2.1448, 29: 2.0452, 30: 2.0423, 100: 1.9840, 1000: 1.9623,
	} {
		if got := t975(freedom); math.Abs(got-want) > 6e-5 {
			t.Errorf("%d degrees: %.5f, want %.4f", freedom, got, want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 || math.IsNaN(a) && math.IsNaN(b) }

func TestSummarise(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		want   Summary
	}{
		{nil, Summary{0, nan, nan, nan, nan, nan, nan, nan, nan}},
		{[]float64{7}, Summary{1, 7, 7, nan, nan, 7, 7, nan, nan}},
		{[]float64{3, 1}, Summary{2, 2, 2, math.Sqrt2, 1, 1, 3, 2 - 12.706204736, 2 + 12.706204736}},
		// The textbook sample: squares sum to 32, so the sample deviation is √(32/7).
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, Summary{8, 5, 4.5, 2.138089935, 0.755928946, 2, 9, 3.212512360, 6.787487640}},
		{[]float64{450, 452, 451}, Summary{3, 451, 451, 1, 0.577350269, 450, 452, 448.515862287, 453.484137713}},
	} {
		got := Summarise(c.values)
		for i, pair := range [][2]float64{
			{got.Mean, c.want.Mean}, {got.Median, c.want.Median}, {got.SD, c.want.SD}, {got.Error, c.want.Error},
			{got.Min, c.want.Min}, {got.Max, c.want.Max}, {got.Lowest, c.want.Lowest}, {got.Highest, c.want.Highest},
		} {
			if got.N != c.want.N || !near(pair[0], pair[1]) {
				t.Errorf("%v, value %d: %v, want %v", c.values, i, pair[0], pair[1])
			}
		}
	}
}

func TestPaired(t *testing.T) {
	// The third run of a has no partner.
	if s := Paired([]float64{5, 8, 100}, []float64{4, 5}); s.N != 2 || s.Mean != 2 || !near(s.Error, 1) {
		t.Errorf("%+v, want mean 2, error 1 of n 2", s)
	}
}

func TestSummaryIsValidJSON(t *testing.T) {
	text, err := json.Marshal(Summarise([]float64{7}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"n":1,"mean":7,"median":7,"sd":null,"standard_error":null,"min":7,"max":7,"confidence_low":null,"confidence_high":null}`
	if string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

func TestNumbersForPeople(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 452.25: "452.2", 2.5: "2.50", 1234567: "1,234,567", -1234.6: "-1,235", 0.00026789: "0.000268", 999: "999.0",
	} {
		if got := short(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
	if got := short(math.NaN()); got != "–" {
		t.Errorf("NaN is written %q", got)
	}
}
