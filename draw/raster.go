package draw

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// The rasteriser works in whole numbers, 256 to a pixel, so that the same
// shape gives the same pixels on every machine. A row of pixels is crossed by
// 16 scan lines; on each the spans inside the shape are measured to 1/256.
const (
	grain    = 256
	scans    = 16
	coverage = grain * scans // of a pixel that lies wholly inside
)

type side struct {
	x0, y0, x1, y1 int // y0 < y1
	winding        int
}

type crossing struct {
	x, winding int
}

// fill paints the shape, scaled and then moved by (x, y) pixels, over the
// image.
func fill(img *image.RGBA, s shape, scale, x, y float64, ink color.NRGBA) {
	snap := func(v float64) int { return int(math.Round(v * grain)) }
	var sides []side
	low, high := math.MaxInt, math.MinInt
	for _, polygon := range s {
		for i, p := range polygon {
			q := polygon[(i+1)%len(polygon)]
			e := side{snap(p.x*scale + x), snap(p.y*scale + y), snap(q.x*scale + x), snap(q.y*scale + y), 1}
			if e.y0 == e.y1 {
				continue
			}
			if e.y0 > e.y1 {
				e = side{e.x1, e.y1, e.x0, e.y0, -1}
			}
			low, high = min(low, e.y0), max(high, e.y1)
			sides = append(sides, e)
		}
	}
	if len(sides) == 0 {
		return
	}
	b := img.Bounds()
	covered := make([]int, b.Dx())
	var row []crossing
	for py := max(b.Min.Y, low>>8); py < min(b.Max.Y, high>>8+1); py++ {
		clear(covered)
		for k := range scans {
			at := py*grain + k*grain/scans + grain/scans/2
			row = row[:0]
			for _, e := range sides {
				if e.y0 <= at && at < e.y1 {
					along := int64(at-e.y0) * int64(e.x1-e.x0) / int64(e.y1-e.y0)
					row = append(row, crossing{e.x0 + int(along), e.winding})
				}
			}
			slices.SortFunc(row, func(a, b crossing) int { return a.x - b.x })
			winding, from := 0, 0
			for _, c := range row {
				if winding == 0 {
					from = c.x
				}
				if winding += c.winding; winding == 0 {
					span(covered, from-b.Min.X*grain, c.x-b.Min.X*grain)
				}
			}
		}
		for i, n := range covered {
			if n > 0 {
				blend(img, b.Min.X+i, py, ink, n)
			}
		}
	}
}

// span adds the stretch of a scan line to the pixels that it covers.
func span(covered []int, from, to int) {
	from, to = max(0, from), min(to, len(covered)*grain)
	for from < to {
		end := min(to, (from/grain+1)*grain)
		covered[from/grain] += end - from
		from = end
	}
}

// blend lays ink over a pixel, of whose area n/coverage is inside.
func blend(img *image.RGBA, x, y int, ink color.NRGBA, n int) {
	const whole = 255 * coverage
	a := int(ink.A) * n
	p := img.Pix[img.PixOffset(x, y):][:4]
	for i, c := range [4]uint8{ink.R, ink.G, ink.B, 255} {
		p[i] = uint8((int(c)*a + int(p[i])*(whole-a) + whole/2) / whole)
	}
}
