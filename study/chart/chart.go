// Package chart holds the charts of a report and draws them as SVG.
package chart

import (
	"encoding/json"
	"fmt"
	"math"
)

// Chart is series of points over two numeric axes.
type Chart struct {
	Title  string   `json:"title"`
	XLabel string   `json:"x_label"`
	YLabel string   `json:"y_label"`
	LogX   bool     `json:"log_x"`
	LogY   bool     `json:"log_y"`
	Series []Series `json:"series"`
}

// Series is one set of points, in one colour. A point with a NaN was not
// measured and is left out; so is a whisker.
type Series struct {
	Name string  `json:"name"` // in the legend; a series without one is not there
	Kind Kind    `json:"kind"`
	X    Numbers `json:"x"`
	Y    Numbers `json:"y"`
	Low  Numbers `json:"low,omitempty"`  // whiskers from Low to High, such as
	High Numbers `json:"high,omitempty"` // min and max; both or neither
}

// Kind says how the points of a series are shown.
type Kind string

// The kinds.
const (
	Line   Kind = "line" // marks, joined in the order given
	Points Kind = "points"
)

// Numbers are written with null for what JSON has no word for.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	all := make([]*float64, len(n))
	for i := range n {
		if !math.IsNaN(n[i]) && !math.IsInf(n[i], 0) {
			all[i] = &n[i]
		}
	}
	return json.Marshal(all)
}

// largest bounds the size of a number, and of its inverse on a log axis, so
// that no step between two of them overflows.
const largest = 1e300

// Check tells why a chart cannot be drawn.
func (c *Chart) Check() error {
	for _, s := range c.Series {
		if err := s.check(c.LogX, c.LogY); err != nil {
			return fmt.Errorf("chart %q, series %q: %w", c.Title, s.Name, err)
		}
	}
	return nil
}

func (s *Series) check(logX, logY bool) error {
	if s.Kind != Line && s.Kind != Points {
		return fmt.Errorf("kind %q, want %s or %s", s.Kind, Line, Points)
	}
	if len(s.X) != len(s.Y) {
		return fmt.Errorf("%d x and %d y, want as many", len(s.X), len(s.Y))
	}
	if len(s.Low) != len(s.High) || s.whiskers() && len(s.Low) != len(s.Y) {
		return fmt.Errorf("%d low and %d high ends of whiskers, want none or %d", len(s.Low), len(s.High), len(s.Y))
	}
	for _, on := range []struct {
		axis   string
		log    bool
		values Numbers
	}{{"x", logX, s.X}, {"y", logY, s.Y}, {"y", logY, s.Low}, {"y", logY, s.High}} {
		for i, v := range on.values {
			switch {
			case math.Abs(v) > largest, on.log && v > 0 && v < 1/largest:
				return fmt.Errorf("point %d: %s is %v, want a number of ordinary size", i, on.axis, v)
			case on.log && v <= 0:
				return fmt.Errorf("point %d: %s is %v, want more than 0 on a log axis", i, on.axis, v)
			}
		}
	}
	for i := range s.Low {
		if s.Low[i] > s.Y[i] || s.Y[i] > s.High[i] {
			return fmt.Errorf("point %d: y is %v, want it within its whisker, %v to %v", i, s.Y[i], s.Low[i], s.High[i])
		}
	}
	return nil
}

func (s *Series) whiskers() bool { return len(s.Low) > 0 }

// measured tells whether a point is there.
func (s *Series) measured(i int) bool { return !math.IsNaN(s.X[i]) && !math.IsNaN(s.Y[i]) }

// empty tells whether no point is there.
func (s *Series) empty() bool {
	for i := range s.X {
		if s.measured(i) {
			return false
		}
	}
	return true
}
