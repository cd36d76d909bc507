package draw

import (
	"image"
	"math"
	"testing"
)

// area is what a shape covers, in pixels, drawn black on white.
func area(s shape, scale, x, y float64) float64 {
	img := image.NewRGBA(image.Rect(0, 0, 100, 100))
	fill(img, box(100, 100), 1, 0, 0, white)
	fill(img, s, scale, x, y, black)
	sum := 0.0
	for i := 0; i < len(img.Pix); i += 4 {
		sum += float64(255-img.Pix[i]) / 255
	}
	return sum
}

func TestFillCoversTheAreaOfAShape(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape shape
		want  float64
	}{
		{"square", box(20, 20), 1600},
		{"off the pixels", box(20.25, 20.25), 40.5 * 40.5},
		{"diamond", rhomb(30, 30), 1800},
		{"disc", disc(30), 900 * 16 * math.Sin(math.Pi/16)},
		{"frame", box(20, 20).without(box(10, 10)), 1200},
		{"twice the same", join(box(20, 20), box(20, 20)), 1600},
		{"overlapping", join(box(20, 10), box(10, 20)), 1200},
		{"apart", join(box(5, 5).moved(20, 0), box(5, 5).moved(-20, 0)), 200},
		{"half", disc(30).below(), 450 * 16 * math.Sin(math.Pi/16)},
		{"beyond the page", box(200, 10), 2000},
		{"far off", box(5, 5).moved(1000, -1000), 0},
		{"nothing", shape{}, 0},
		{"a line without area", polygon(0, 0, 10, 10), 0},
	} {
		if got := area(c.shape, 1, 50, 50); math.Abs(got-c.want) > 0.004*c.want+0.5 {
			t.Errorf("%s covers %.2f pixels, want %.2f", c.name, got, c.want)
		}
	}
}

func TestBlendLaysInkOverPaper(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 1, 1))
	blend(img, 0, 0, white, coverage)
	blend(img, 0, 0, black, coverage/2)
	if got := img.RGBAAt(0, 0); got.R < 127 || got.R > 128 || got.A != 255 {
		t.Errorf("half black over white is %v", got)
	}
}
