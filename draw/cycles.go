package draw

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"math"
	"unicode/utf8"

	"lastmile/puzzle"
)

// Path is a walk from cell to cell over a board.
type Path struct {
	Cells  []int
	Closed bool   // it leads from the last cell back to the first
	Label  string // on the first cell; "" for none
}

// Paths writes a faded board under paths, as an SVG document. Steps are arrows
// between the middles of cells, bent to one side so that there and back do not
// cover each other. Paths differ in lightness, in dashes and in their labels,
// not by hue alone. Cells that are turned in place carry a ring with a head.
func Paths(w io.Writer, g *puzzle.Grid, paths []Path, turned []int, o Options) error {
	for _, p := range paths {
		if err := checkCells(g, p.Cells, "a path over"); err != nil {
			return err
		}
	}
	if err := checkCells(g, turned, "a turn of"); err != nil {
		return err
	}
	o.Unmarked = true // breaks of a faded board would look like parts of paths
	s, err := layOut(g, o)
	if err != nil {
		return err
	}
	s.overlay(g, paths, turned)
	out := bufio.NewWriter(w)
	s.svg(out)
	return out.Flush()
}

func checkCells(g *puzzle.Grid, cells []int, what string) error {
	for _, cell := range cells {
		if n := g.Width * g.Height; cell < 0 || cell >= n {
			return fmt.Errorf("draw: %s cell %d, want 0 to %d", what, cell, n-1)
		}
	}
	return nil
}

// Measures of a path, in cells.
const (
	strokeHalf = 0.035 // half width
	thinHalf   = 0.02  // of paths with more than manySteps
	casing     = 0.03  // round a stroke, on each side
	headLength = 0.2
	headHalf   = 0.1
	gap        = 0.14 // between the middle of a cell and an arrow
	bend       = 0.12 // of the distance
	mostBend   = 0.4  // which keeps arrows along the rim on the board
	ringRadius = 0.3
	numberSize = 0.34
)

const manySteps = 30

// pathInks differ in lightness as well as in hue, neighbours most of all.
var pathInks = []color.NRGBA{hex(0x101418), hex(0x0072b2), hex(0x5e2a00), hex(0x009e73), hex(0x7a2f6b), hex(0xc07a00)}

// dashes are lengths of strokes and gaps in turn, in cells; none is solid.
var dashes = [][]float64{nil, {0.24, 0.12}, {0.07, 0.08}, {0.3, 0.09, 0.07, 0.09}, {0.5, 0.18}}

// overlay lays a veil and the paths over the stamps of a scene.
func (s *scene) overlay(g *puzzle.Grid, paths []Path, turned []int) {
	frame := s.rects[1] // of the board, with its edge
	left := frame.x + (frame.width-g.Width*s.cell)/2
	top := frame.y + (frame.height-g.Height*s.cell)/2
	put := func(name string, layers []layer) {
		s.uses = append(s.uses, use{len(s.stamps), left, top})
		s.stamps = append(s.stamps, stamp{name, layers})
	}
	middle := func(cell int) point {
		return point{float64(cell%g.Width) + 0.5, float64(cell/g.Width) + 0.5}
	}
	veil := color.NRGBA{paper.R, paper.G, paper.B, 190}
	wide, high := float64(g.Width), float64(g.Height)
	put("veil", []layer{{veil, polygon(0, 0, wide, 0, wide, high, 0, high)}})
	for i, p := range paths {
		ink, dash := pathInks[i%len(pathInks)], dashes[i%len(dashes)]
		var under, over shape
		half, steps := strokeHalf, len(p.Cells)
		if steps > manySteps {
			half = thinHalf
		}
		if !p.Closed {
			steps--
		}
		for k := range max(0, steps) {
			u, o := arrow(middle(p.Cells[k]), middle(p.Cells[(k+1)%len(p.Cells)]), half, dash)
			under, over = append(under, u...), append(over, o...)
		}
		if len(p.Cells) > 0 { // where it begins
			first := middle(p.Cells[0])
			under = append(under, disc(0.13).moved(first.x, first.y)...)
			over = append(over, disc(0.1).moved(first.x, first.y)...)
		}
		put(fmt.Sprintf("path%d", i), []layer{{paper, under}, {ink, over}})
	}
	for i, cell := range turned {
		m := middle(cell)
		ring := turnMark().moved(m.x, m.y)
		put(fmt.Sprintf("turned%d", i), []layer{{paper, disc(ringRadius+0.1).moved(m.x, m.y)}, {lead, ring}})
	}
	for i, p := range paths {
		if label := cut(p.Label, labelRunes); label != "" && len(p.Cells) > 0 {
			m := middle(p.Cells[0])
			x, y, size := float64(left)+m.x*float64(s.cell), float64(top)+m.y*float64(s.cell), numberSize*float64(s.cell)
			plate := advance*numberSize*float64(utf8.RuneCountInString(label))/2 + 0.08
			put(fmt.Sprintf("number%d", i), []layer{
				{pathInks[i%len(pathInks)], box(plate+0.03, 0.24).moved(m.x, m.y)}, {paper, box(plate-0.01, 0.2).moved(m.x, m.y)},
			})
			s.writings = append(s.writings, writing{x, y, size, lead, label})
		}
	}
}

// arrow is a bent stroke of the given half width from a to b with a head, and
// its casing.
func arrow(a, b point, half float64, dash []float64) (under, over shape) {
	dx, dy := b.x-a.x, b.y-a.y
	distance := math.Hypot(dx, dy)
	if distance == 0 {
		return nil, nil
	}
	aside := 2 * min(bend, mostBend/distance) // the curve reaches half as far
	control := point{(a.x+b.x)/2 + aside*dy, (a.y+b.y)/2 - aside*dx}
	const n = 24
	var curve []point
	for i := range n + 1 {
		t := float64(i) / n
		curve = append(curve, point{
			(1-t)*(1-t)*a.x + 2*t*(1-t)*control.x + t*t*b.x,
			(1-t)*(1-t)*a.y + 2*t*(1-t)*control.y + t*t*b.y,
		})
	}
	full := length(curve)
	shaft := stretch(curve, gap, full-gap-headLength)
	tip := stretch(curve, full-gap-headLength, full-gap)
	head := func(more float64) shape {
		from, to := tip[0], tip[len(tip)-1]
		angle := math.Atan2(to.y-from.y, to.x-from.x) * 180 / math.Pi
		return polygon(-more, -headHalf-more, headLength+1.5*more, 0, -more, headHalf+more).spun(angle).moved(from.x, from.y)
	}
	under = append(strip(shaft, half+casing), head(casing)...)
	if len(dash) == 0 {
		return under, append(strip(shaft, half), head(0)...)
	}
	for at, i := 0.0, 0; at < length(shaft); i++ {
		end := at + dash[i%len(dash)]
		if i%2 == 0 {
			over = append(over, strip(stretch(shaft, at, end), half)...)
		}
		at = end
	}
	return under, append(over, head(0)...)
}

// turnMark is a ring that is open at one place, with a head there.
func turnMark() shape {
	const n = 24
	var arc []point
	for i := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * (0.05 + 0.75*float64(i)/n))
		arc = append(arc, point{ringRadius * cos, ringRadius * sin})
	}
	// The arc ends at the top and goes on to the right, clockwise.
	end := arc[n]
	return append(strip(arc, strokeHalf), polygon(0, -0.13, 0.2, 0, 0, 0.13).moved(end.x, end.y)...)
}

func length(curve []point) (sum float64) {
	for i := 1; i < len(curve); i++ {
		sum += math.Hypot(curve[i].x-curve[i-1].x, curve[i].y-curve[i-1].y)
	}
	return sum
}

// stretch is the part of a curve between two lengths from its beginning.
func stretch(curve []point, from, to float64) []point {
	var part []point
	at := 0.0
	for i := 1; i < len(curve); i++ {
		p, q := curve[i-1], curve[i]
		step := math.Hypot(q.x-p.x, q.y-p.y)
		between := func(x float64) point {
			t := min(1, max(0, (x-at)/step))
			return point{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y)}
		}
		if step > 0 && at+step >= from && at <= to {
			if part == nil {
				part = append(part, between(from))
			}
			part = append(part, between(to))
		}
		at += step
	}
	return part
}

// strip is a stroke of the given half width along a curve.
func strip(curve []point, half float64) shape {
	n := len(curve)
	if n < 2 {
		return nil
	}
	edge := make([]point, 2*n)
	for i, p := range curve {
		q, r := curve[max(0, i-1)], curve[min(n-1, i+1)]
		dx, dy := r.x-q.x, r.y-q.y
		d := math.Hypot(dx, dy)
		if d == 0 {
			return nil
		}
		edge[i] = point{p.x + half*dy/d, p.y - half*dx/d}
		edge[2*n-1-i] = point{p.x - half*dy/d, p.y + half*dx/d}
	}
	return shape{edge}
}
