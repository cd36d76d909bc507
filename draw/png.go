package draw

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"lastmile/puzzle"
)

// PNG writes the board as an image. It holds the whole image in memory, four
// bytes a pixel, 128 MiB at the most.
func PNG(w io.Writer, g *puzzle.Grid, o Options) error {
	s, err := layOut(g, o)
	if err != nil {
		return err
	}
	return png.Encode(w, s.image())
}

// image makes a patch of each stamp once and lays it wherever it is used.
func (s *scene) image() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	for _, r := range s.rects {
		area := image.Rect(r.x, r.y, r.x+r.width, r.y+r.height)
		draw.Draw(img, area, image.NewUniform(color.Color(r.ink)), image.Point{}, draw.Src)
	}
	patches := make([]*image.RGBA, len(s.stamps))
	for i, t := range s.stamps {
		patches[i] = t.patch(s.cell)
	}
	for _, u := range s.uses {
		patch := patches[u.stamp]
		area := patch.Bounds().Add(image.Pt(u.x, u.y))
		draw.Draw(img, area, patch, patch.Bounds().Min, draw.Over)
	}
	for _, t := range s.writings {
		fill(img, letters(t.text), t.size, t.x, t.y, t.ink)
	}
	return img
}

// patch is the stamp on a clear ground, its origin at (0, 0).
func (t stamp) patch(cell int) *image.RGBA {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, l := range t.layers {
		for _, polygon := range l.shape {
			for _, p := range polygon {
				low = point{min(low.x, p.x), min(low.y, p.y)}
				high = point{max(high.x, p.x), max(high.y, p.y)}
			}
		}
	}
	size := float64(cell)
	img := image.NewRGBA(image.Rect(
		int(math.Floor(low.x*size)), int(math.Floor(low.y*size)),
		int(math.Ceil(high.x*size)), int(math.Ceil(high.y*size))))
	for _, l := range t.layers {
		fill(img, l.shape, size, 0, 0, l.ink)
	}
	return img
}
