package draw

import (
	"image"
	"image/color"
	"math"
	"testing"
)

const testCell = 48 // pixels

var black = color.NRGBA{0, 0, 0, 255}

// silhouette is a motif in black on white, the seam across the middle.
func silhouette(m motif) *image.RGBA {
	img := image.NewRGBA(image.Rect(-testCell/2, -testCell/2, testCell/2, testCell/2))
	fill(img, box(1, 1), testCell, 0, 0, white)
	fill(img, m.body, testCell, 0, 0, black)
	fill(img, m.core, testCell, 0, 0, white)
	return img
}

// difference is the share of the diamond's area in which two images differ.
func difference(a, b *image.RGBA) float64 {
	sum := 0.0
	for i := 0; i < len(a.Pix); i += 4 {
		sum += math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
	}
	return sum / 255 / (testCell * testCell / 2)
}

// Shape alone must tell any two colours apart: the drawn ones at a glance.
func TestMotifsDifferInShape(t *testing.T) {
	var drawn []*image.RGBA
	for c := 1; c <= 255; c++ {
		img := silhouette(motifOf(uint8(c)))
		for i, other := range drawn {
			least := 0.01
			if c <= len(motifs) {
				least = 0.12
			}
			if d := difference(img, other); d < least {
				t.Errorf("motifs %d and %d differ on %.3f of the diamond, want %.2f", i+1, c, d, least)
			}
		}
		drawn = append(drawn, img)
	}
}

// Half a turn brings a motif home, or the two halves at a seam would not be one.
func TestMotifsAreTheSameFromBothSides(t *testing.T) {
	for c := 1; c <= 255; c++ {
		m := motifOf(uint8(c))
		turned := motif{m.body.turned(2), m.core.turned(2)}
		if d := difference(silhouette(m), silhouette(turned)); d > 0.002 {
			t.Errorf("motif %d differs from itself after half a turn on %.4f of the diamond", c, d)
		}
	}
}

func TestMotifsStayInTheirDiamond(t *testing.T) {
	for c := 1; c <= 255; c++ {
		m := motifOf(uint8(c))
		for _, polygon := range join(m.body, m.core) {
			for _, p := range polygon {
				if math.Abs(p.x)+math.Abs(p.y) > diamond {
					t.Errorf("motif %d reaches %.3f, %.3f", c, p.x, p.y)
				}
			}
		}
	}
}

// What a piece shows at a break is half of what it shows at a match.
func TestTwoHalvesMakeOneWhole(t *testing.T) {
	for c := range 256 {
		lower := stamp{layers: half(uint8(c), 0)}
		upper := stamp{layers: half(uint8(c), 2)}
		for i, l := range upper.layers { // of the cell above
			upper.layers[i].shape = l.shape.moved(0, -1)
		}
		whole := stamp{layers: full(uint8(c), 0)}
		paint := func(stamps ...stamp) *image.RGBA {
			img := image.NewRGBA(image.Rect(0, -testCell/2, testCell, testCell/2))
			for _, s := range stamps {
				for _, l := range s.layers {
					fill(img, l.shape, testCell, 0, 0, l.ink)
				}
			}
			return img
		}
		if d := difference(paint(lower, upper), paint(whole)); d > 0.002 {
			t.Errorf("the halves of colour %d differ from the whole on %.4f of the diamond", c, d)
		}
	}
}

// luminance and contrast as in the Web Content Accessibility Guidelines.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	l, m := luminance(a), luminance(b)
	return (max(l, m) + 0.05) / (min(l, m) + 0.05)
}

func TestMotifsStandOutFromTheirFields(t *testing.T) {
	for c := 1; c <= 255; c++ {
		least := 2.0
		if c <= len(palette) {
			least = 2.5
		}
		if got := contrast(inksOf(uint8(c)).field, inksOf(uint8(c)).body); got < least {
			t.Errorf("colour %d: contrast %.2f, want %.1f", c, got, least)
		}
	}
}

func TestFieldsDiffer(t *testing.T) {
	distance := func(a, b color.NRGBA) float64 {
		return math.Hypot(math.Hypot(float64(a.R)-float64(b.R), float64(a.G)-float64(b.G)), float64(a.B)-float64(b.B))
	}
	fields := []color.NRGBA{alarm, rim, vacant}
	for c := range palette {
		field := inksOf(uint8(c + 1)).field
		for _, other := range fields {
			if d := distance(field, other); d < 40 && other != vacant {
				t.Errorf("field %d is %.0f from %v", c+1, d, other)
			}
		}
		fields = append(fields, field)
	}
}
