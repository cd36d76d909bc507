package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// axis is a range that ends on ticks. A tick without a label is a minor one.
type axis struct {
	low, high float64
	log       bool
	ticks     []plot.Tick
}

// axisOf lays out the axis that shows all values. Where there are none it shows
// the range from 0, or on a log axis from 1.
func axisOf(values []float64, log bool) axis {
	low, high, whole := math.Inf(1), math.Inf(-1), true
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
			whole = whole && v == math.Trunc(v)
		}
	}
	switch {
	case log && low > high:
		return logAxis(1, 10)
	case log:
		return logAxis(low, high)
	case low > high:
		return linearAxis(0, 1, whole)
	}
	return linearAxis(low, high, whole)
}

// linearAxis has some six steps of 1, 2 or 5 times a power of ten; between
// whole numbers no step is less than 1.
func linearAxis(low, high float64, whole bool) axis {
	size := max(math.Abs(low), math.Abs(high))
	if high-low <= 1e-9*size { // one value, or as good as one
		half := size / 4
		if size == 0 {
			half = 1
		}
		low, high = low-half, high+half
	}
	power := decade((high - low) / 6)
	if whole {
		power = max(power, 0)
	}
	step := math.Pow10(power)
	for _, m := range []float64{2, 5, 10} {
		if (high-low)/step <= 6 {
			break
		}
		step = m * math.Pow10(power)
	}
	first, last := math.Floor(low/step), math.Ceil(high/step)
	a := axis{low: first * step, high: last * step}
	for i := range int(last-first) + 1 {
		v := (first + float64(i)) * step
		a.ticks = append(a.ticks, plot.Tick{Value: v, Label: plain(v, max(0, -power))})
	}
	return a
}

// logAxis ends on 1, 2 or 5 times a power of ten and has a tick for each digit.
// Powers of ten have labels, and on a short axis the 2 and the 5 as well.
func logAxis(low, high float64) axis {
	a := axis{low: floor(low), high: ceiling(high), log: true}
	if a.low == a.high {
		a.low, a.high = floor(a.low/2), ceiling(a.high*2)
	}
	bottom, top := decade(a.low), decade(a.high)
	short := top-bottom <= 2
	every := 1 + (top-bottom)/9        // powers that have a label
	powers := low < 1e-3 || high > 1e6 // 10⁷ instead of 10,000,000
	for power := bottom; power <= top; power++ {
		for digit := 1; digit < 10; digit++ {
			v := float64(digit) * math.Pow10(power)
			if v < a.low || v > a.high || digit > 1 && every > 1 {
				continue
			}
			t := plot.Tick{Value: v}
			if digit == 1 && power%every == 0 || short && (digit == 2 || digit == 5) {
				t.Label = logLabel(digit, power, powers)
			}
			a.ticks = append(a.ticks, t)
		}
	}
	return a
}

// floor is the nearest 1, 2 or 5 times a power of ten that is not above x.
func floor(x float64) float64 {
	unit := math.Pow10(decade(x))
	switch {
	case 5*unit <= x:
		return 5 * unit
	case 2*unit <= x:
		return 2 * unit
	}
	return unit
}

// ceiling is the nearest that is not below x.
func ceiling(x float64) float64 {
	unit := math.Pow10(decade(x))
	switch {
	case unit >= x:
		return unit
	case 2*unit >= x:
		return 2 * unit
	case 5*unit >= x:
		return 5 * unit
	}
	return math.Pow10(decade(x) + 1) // ten units may be another number
}

// decade is the power of ten of the first digit of x.
func decade(x float64) int {
	d := int(math.Floor(math.Log10(x)))
	switch { // the logarithm of 1000 is a little less than 3
	case math.Pow10(d+1) <= x:
		return d + 1
	case math.Pow10(d) > x:
		return d - 1
	}
	return d
}

func logLabel(digit, power int, powers bool) string {
	if !powers {
		return plain(float64(digit)*math.Pow10(power), max(0, -power))
	}
	label := "10" + raised.Replace(strconv.Itoa(power))
	if digit > 1 {
		label = fmt.Sprintf("%d·%s", digit, label)
	}
	return label
}

var raised = strings.NewReplacer(
	"-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
)

// plain writes a number with its thousands grouped, or what is too long for
// that by its exponent.
func plain(v float64, decimals int) string {
	if decimals > 6 || math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	whole, rest, dotted := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dotted {
		whole += "." + rest
	}
	if strings.HasPrefix(text, "-") && strings.Trim(whole, "0.") != "" {
		return "−" + whole
	}
	return whole
}
