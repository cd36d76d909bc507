package chart

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes in points. The legend and a long title make a chart wider.
const (
	width  = 470
	height = 300
	margin = 8
	slack  = 1.2 // for readers whose font is wider
)

// SVG draws the chart, dark on white. The same chart gives the same bytes.
func (c *Chart) SVG() ([]byte, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	p, legend := c.plot()
	title := style(13)
	beside := legend.Rectangle(draw.Canvas{}).Size() // room for the legend
	if beside.X > 0 {
		beside.X = slack*beside.X + 2*margin
	}
	above := title.Height(c.Title) + margin // and for the title
	size := vg.Point{X: max(width+beside.X, slack*title.Width(c.Title)) + 2*margin, Y: max(height, beside.Y) + above + 2*margin}

	paper := vgsvg.New(size.X, size.Y)
	whole := draw.New(paper)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	inside := draw.Crop(whole, margin, -margin, margin, -margin)
	whole.FillText(title, vg.Point{X: inside.Min.X, Y: inside.Max.Y}, c.Title)
	inside.Max.Y -= above
	inside.Max.X = inside.Min.X + width
	p.Draw(inside)
	legend.Draw(draw.Crop(inside, width+2*margin, beside.X, 0, 0))

	var b bytes.Buffer
	if _, err := paper.WriteTo(&b); err != nil {
		return nil, err
	}
	// Readers who lack the font that was measured get one of the same widths.
	return bytes.ReplaceAll(b.Bytes(), []byte(`style="font-family:Liberation Sans;`),
		[]byte(`style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;`)), nil
}

// plot lays the chart out for drawing.
func (c *Chart) plot() (*plot.Plot, plot.Legend) {
	var xs, ys []float64
	p, legend := plot.New(), plot.NewLegend()
	legend.Top, legend.Left, legend.Padding, legend.ThumbnailWidth = true, true, 5, 26
	legend.TextStyle.Font, legend.TextStyle.Color = sans(10), dark
	p.BackgroundColor = nil // SVG has painted it
	p.Add(grid{})
	for i := range c.Series {
		s := &c.Series[i]
		if s.empty() {
			continue
		}
		for j := range s.X {
			if s.measured(j) {
				xs, ys = append(xs, s.X[j]), append(ys, s.Y[j])
			}
		}
		ys = append(append(ys, s.Low...), s.High...)
		d := drawn{s, inkOf(i)}
		p.Add(d)
		if s.Name != "" {
			legend.Add(s.Name, d)
		}
	}
	lay(&p.X, axisOf(xs, c.LogX), c.XLabel)
	lay(&p.Y, axisOf(ys, c.LogY), c.YLabel)
	return p, legend
}

// lay gives an axis of the plot its range, its ticks and its look.
func lay(to *plot.Axis, a axis, label string) {
	to.Min, to.Max, to.Tick.Marker = a.low, a.high, plot.ConstantTicks(a.ticks)
	if a.log {
		to.Scale = plot.LogScale{}
	}
	to.Label.Text, to.Label.Padding, to.Padding = label, 4, 0
	to.Label.TextStyle.Font, to.Tick.Label.Font = sans(11), sans(9.5)
	to.Label.TextStyle.Color, to.Tick.Label.Color = dark, dark
	to.LineStyle, to.Tick.LineStyle, to.Tick.Length = stroke(dark, 0.75), stroke(dark, 0.75), 6
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func style(size vg.Length) text.Style {
	return text.Style{Color: dark, Font: sans(size), YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
}

func stroke(c color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width}
}
