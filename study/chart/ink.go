package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	dark = color.Gray{0x22}
	pale = color.Gray{0xdd}
)

// The colours of Okabe and Ito that show on white, and marks, one fewer: colour
// blind readers tell series by their marks, and all pairs come before one
// comes again.
var (
	colours = []color.Color{
		color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
		color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		color.RGBA{0x00, 0x9e, 0x73, 0xff}, // green
		color.RGBA{0x00, 0x00, 0x00, 0xff}, // black
		color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // purple
		color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
		color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky
	}
	marks = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{},
	}
)

// ink is what a series is drawn with.
type ink struct {
	line draw.LineStyle
	mark draw.GlyphStyle
}

func inkOf(series int) ink {
	c := colours[series%len(colours)]
	return ink{stroke(c, 1.25), draw.GlyphStyle{Color: c, Radius: 3, Shape: marks[series%len(marks)]}}
}

// drawn is a series on paper. It implements plot.Plotter and plot.Thumbnailer.
// Nothing is clipped: the axes hold every point.
type drawn struct {
	*Series
	ink ink
}

func (d drawn) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	var line []vg.Point
	for i := range d.X {
		if !d.measured(i) {
			continue
		}
		x := toX(d.X[i])
		line = append(line, vg.Point{X: x, Y: toY(d.Y[i])})
		if d.whiskers() && !math.IsNaN(d.Low[i]) && !math.IsNaN(d.High[i]) {
			d.whisker(&c, x, toY(d.Low[i]), toY(d.High[i]))
		}
	}
	if d.Kind == Line {
		c.StrokeLines(d.ink.line, line)
	}
	for _, at := range line {
		c.DrawGlyphNoClip(d.ink.mark, at)
	}
}

func (d drawn) whisker(c *draw.Canvas, x, low, high vg.Length) {
	const half = 3 // of its ends
	c.StrokeLine2(d.ink.line, x, low, x, high)
	c.StrokeLine2(d.ink.line, x-half, low, x+half, low)
	c.StrokeLine2(d.ink.line, x-half, high, x+half, high)
}

func (d drawn) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	if d.Kind == Line {
		c.StrokeLine2(d.ink.line, c.Min.X, middle.Y, c.Max.X, middle.Y)
	} else if d.whiskers() {
		d.whisker(c, middle.X, c.Min.Y, c.Max.Y)
	}
	c.DrawGlyphNoClip(d.ink.mark, middle)
}

// grid draws a line at each tick that has a label and no axis.
type grid struct{}

func (grid) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if !t.IsMinor() && t.Value > p.X.Min {
			c.StrokeLine2(stroke(pale, 0.5), toX(t.Value), c.Min.Y, toX(t.Value), c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !t.IsMinor() && t.Value > p.Y.Min {
			c.StrokeLine2(stroke(pale, 0.5), c.Min.X, toY(t.Value), c.Max.X, toY(t.Value))
		}
	}
}
