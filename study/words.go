package study

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// grouped writes a whole number with its digits in threes.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// short writes a number as people read it: three or four digits that matter,
// thousands grouped, a dash for what is not known.
func short(x float64) string {
	size := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "–"
	case size >= 1000:
		return grouped(int64(math.Round(x)))
	case size >= 100:
		return fmt.Sprintf("%.1f", x)
	case size >= 1 || x == 0:
		return strings.TrimSuffix(fmt.Sprintf("%.2f", x), ".00")
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// signed is short with its sign.
func signed(x float64) string {
	if x > 0 {
		return "+" + short(x)
	}
	return short(x)
}

// plusMinus is a mean and its standard error.
func plusMinus(s Summary) string {
	if math.IsNaN(s.Error) {
		return signed(s.Mean)
	}
	return signed(s.Mean) + " ± " + short(s.Error)
}

// percent writes a share of one.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
