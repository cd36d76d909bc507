package draw

import "math"

// A point lies in a plane whose unit is the side of a cell, x to the right and
// y downwards.
type point struct{ x, y float64 }

// A shape is a set of closed polygons. A place is inside where they wind round
// it a number of times that is not zero; a polygon that turns the other way
// cuts a hole.
type shape [][]point

// clockwise quarter turn of the plane about the origin, r times.
func (p point) turned(r int) point {
	for range r & 3 {
		p = point{-p.y, p.x}
	}
	return p
}

func (s shape) each(f func(point) point) shape {
	out := make(shape, len(s))
	for i, polygon := range s {
		out[i] = make([]point, len(polygon))
		for j, p := range polygon {
			out[i][j] = f(p)
		}
	}
	return out
}

func (s shape) turned(r int) shape {
	return s.each(func(p point) point { return p.turned(r) })
}

// spun is the shape turned about the origin by an angle in degrees.
func (s shape) spun(degrees float64) shape {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return s.each(func(p point) point { return point{p.x*cos - p.y*sin, p.x*sin + p.y*cos} })
}

func (s shape) moved(x, y float64) shape {
	return s.each(func(p point) point { return point{p.x + x, p.y + y} })
}

func (s shape) scaled(x, y float64) shape {
	return s.each(func(p point) point { return point{p.x * x, p.y * y} })
}

// without cuts the other shape out, which must lie inside and turn the same way.
func (s shape) without(hole shape) shape {
	out := append(shape{}, s...)
	for _, polygon := range hole {
		back := make([]point, len(polygon))
		for i, p := range polygon {
			back[len(polygon)-1-i] = p
		}
		out = append(out, back)
	}
	return out
}

// below is the part of the shape with y >= 0 (Sutherland and Hodgman's clip
// against one line).
func (s shape) below() shape {
	var out shape
	for _, polygon := range s {
		var kept []point
		for i, p := range polygon {
			q := polygon[(i+1)%len(polygon)]
			if p.y >= 0 {
				kept = append(kept, p)
			}
			if (p.y < 0) != (q.y < 0) {
				kept = append(kept, point{p.x + (q.x-p.x)*p.y/(p.y-q.y), 0})
			}
		}
		if len(kept) > 2 {
			out = append(out, kept)
		}
	}
	return out
}

func join(shapes ...shape) shape {
	var out shape
	for _, s := range shapes {
		out = append(out, s...)
	}
	return out
}

// The builders below give polygons that turn clockwise on the page and, but
// for polygon, are centred on the origin.

func polygon(xy ...float64) shape {
	p := make([]point, len(xy)/2)
	for i := range p {
		p[i] = point{xy[2*i], xy[2*i+1]}
	}
	return shape{p}
}

// box is a rectangle of the given half sides.
func box(x, y float64) shape { return polygon(-x, -y, x, -y, x, y, -x, y) }

// rhomb is a diamond of the given half diagonals.
func rhomb(x, y float64) shape { return polygon(0, -y, x, 0, 0, y, -x, 0) }

// polar is the curve r(t), t in turns from 0 to 1, clockwise from the right.
func polar(n int, r func(t float64) float64) shape {
	p := make([]point, n)
	for i := range p {
		t := float64(i) / float64(n)
		sin, cos := math.Sincos(2 * math.Pi * t)
		p[i] = point{r(t) * cos, r(t) * sin}
	}
	return shape{p}
}

func disc(radius float64) shape {
	return polar(32, func(float64) float64 { return radius })
}

// regular has n corners, the first to the right.
func regular(n int, radius float64) shape {
	return polar(n, func(float64) float64 { return radius })
}

// star has n tips, the first to the right.
func star(n int, outer, inner float64) shape {
	return polar(2*n, func(t float64) float64 {
		if int(math.Round(t*float64(2*n)))%2 == 0 {
			return outer
		}
		return inner
	})
}

// rosette has n round lobes, the first to the right.
func rosette(n int, outer, inner float64) shape {
	return polar(24*n, func(t float64) float64 {
		return inner + (outer-inner)*math.Abs(math.Cos(math.Pi*float64(n)*t))
	})
}

// gear has n teeth, the first to the right.
func gear(n int, outer, inner float64) shape {
	return polar(4*n, func(t float64) float64 {
		if k := int(math.Round(t*float64(4*n))) % 4; k == 0 || k == 3 {
			return outer
		}
		return inner
	}).spun(45 / float64(n))
}

// lens is the meeting of two discs: x wide and y high, in half axes.
func lens(x, y float64) shape {
	const n = 16
	radius := (x*x + y*y) / (2 * y)
	half := math.Asin(x / radius)
	var p []point
	for i := range 2 * n {
		a := -half + 2*half*float64(i%n)/n
		q := point{radius * math.Sin(a), -(radius*math.Cos(a) - radius + y)}
		if i >= n {
			q = q.turned(2)
		}
		p = append(p, q)
	}
	return shape{p}
}

// line is a stroke from a to b of half width w, with round ends.
func line(a, b point, w float64) shape {
	angle := math.Atan2(b.y-a.y, b.x-a.x)
	const n = 12
	var p []point
	for i := range 2 * (n + 1) {
		end, from := b, angle-math.Pi/2
		if i > n {
			end, from = a, angle+math.Pi/2
		}
		sin, cos := math.Sincos(from + math.Pi*float64(i%(n+1))/n)
		p = append(p, point{end.x + w*cos, end.y + w*sin})
	}
	return shape{p}
}
