package study

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Summary describes a sample. What a sample is too small for is NaN, and null
// in JSON.
type Summary struct {
	N               int
	Mean, Median    float64
	SD              float64 // of the sample: divided by n-1
	Error           float64 // standard error of the mean
	Min, Max        float64
	Lowest, Highest float64 // 95 % confidence interval of the mean, by Student's t
}

// Summarise describes the values.
func Summarise(values []float64) Summary {
	nan := math.NaN()
	s := Summary{len(values), nan, nan, nan, nan, nan, nan, nan, nan}
	if s.N == 0 {
		return s
	}
	sorted := slices.Sorted(slices.Values(values))
	s.Min, s.Max = sorted[0], sorted[s.N-1]
	s.Median = (sorted[(s.N-1)/2] + sorted[s.N/2]) / 2
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	s.Mean = sum / float64(s.N)
	if s.N == 1 {
		return s
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - s.Mean) * (v - s.Mean)
	}
	s.SD = math.Sqrt(squares / float64(s.N-1))
	s.Error = s.SD / math.Sqrt(float64(s.N))
	half := t975(s.N-1) * s.Error
	s.Lowest, s.Highest = s.Mean-half, s.Mean+half
	return s
}

// Paired describes the differences a[i] - b[i] of runs that share a seed.
func Paired(a, b []float64) Summary {
	differences := make([]float64, min(len(a), len(b)))
	for i := range differences {
		differences[i] = a[i] - b[i]
	}
	return Summarise(differences)
}

// String is the summary in one line.
func (s Summary) String() string {
	switch s.N {
	case 0:
		return "n 0"
	case 1:
		return fmt.Sprintf("%s (n 1)", short(s.Mean))
	}
	return fmt.Sprintf("mean %s, sd %s, %s to %s, n %d, 95 %% interval of the mean %s to %s",
		short(s.Mean), short(s.SD), short(s.Min), short(s.Max), s.N, short(s.Lowest), short(s.Highest))
}

// MarshalJSON writes NaN as null.
func (s Summary) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		N       int      `json:"n"`
		Mean    *float64 `json:"mean"`
		Median  *float64 `json:"median"`
		SD      *float64 `json:"sd"`
		Error   *float64 `json:"standard_error"`
		Min     *float64 `json:"min"`
		Max     *float64 `json:"max"`
		Lowest  *float64 `json:"confidence_low"`
		Highest *float64 `json:"confidence_high"`
	}{
		s.N, finite(s.Mean), finite(s.Median), finite(s.SD), finite(s.Error),
		finite(s.Min), finite(s.Max), finite(s.Lowest), finite(s.Highest),
	})
}

func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
