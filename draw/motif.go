package draw

import "math"

// A motif is drawn on the diamond |x| + |y| <= 0.5, whose middle lies on the
// seam, the seam along the x axis: first the body, then the core upon it. It
// comes home after half a turn, so that both pieces at a seam, each drawing the
// half on its own side, draw one motif.
type motif struct {
	body, core shape
}

// motifs are those of the colours 1 to 22.
var motifs = [...]motif{
	{ // four-pointed star
		body: star(4, 0.43, 0.15), core: star(4, 0.2, 0.07),
	},
	{ // cross
		body: join(box(0.34, 0.105), box(0.105, 0.34)), core: join(box(0.27, 0.035), box(0.035, 0.27)),
	},
	{ // disc
		body: disc(0.28),
	},
	{ // ring
		body: disc(0.31).without(disc(0.18)),
	},
	{ // flower of six petals
		body: round(6, 0, disc(0.095).moved(0.2, 0)), core: disc(0.1),
	},
	{ // hexagon cut in six
		body: round(6, 0, polygon(0.045, 0, 0.045+0.28*cos30, -0.14, 0.045+0.28*cos30, 0.14)),
	},
	{ // arrowheads that fly apart
		body: pair(polygon(0, 0.44, -0.24, 0.2, -0.24, 0.02, 0, 0.26, 0.24, 0.02, 0.24, 0.2)),
	},
	{ // three waves
		body: join(wave(0.36, 0.047, 0), wave(0.18, 0.047, 0.18), wave(0.18, 0.047, -0.18)),
	},
	{ // two drops
		body: join(pair(drop(0.13).moved(0, 0.23)), disc(0.075).moved(0.23, 0), disc(0.075).moved(-0.23, 0)),
	},
	{ // square frame
		body: box(0.225, 0.225).without(box(0.13, 0.13)),
	},
	{ // diamond in a diamond
		body: join(rhomb(0.42, 0.42).without(rhomb(0.3, 0.3)), rhomb(0.19, 0.19)),
	},
	{ // saltire
		body: join(box(0.31, 0.085), box(0.085, 0.31)).spun(45),
	},
	{ // eight-pointed star with an eye
		body: star(8, 0.34, 0.22), core: disc(0.11),
	},
	{ // bow
		body: join(polygon(0, 0, 0.32, -0.15, 0.32, 0.15), polygon(0, 0, -0.32, 0.15, -0.32, -0.15), pair(disc(0.08).moved(0, 0.25))),
	},
	{ // three bars
		body: join(box(0.06, 0.36), box(0.06, 0.2).moved(0.2, 0), box(0.06, 0.2).moved(-0.2, 0)),
	},
	{ // eye
		body: lens(0.43, 0.2), core: disc(0.12).without(disc(0.055)),
	},
	{ // cogwheel
		body: join(gear(6, 0.335, 0.24).without(disc(0.16)), disc(0.07)),
	},
	{ // moons back to back
		body: join(moon().moved(0.04, 0), moon().turned(2).moved(-0.04, 0)),
	},
	{ // crowns
		body: pair(polygon(-0.18, 0.03, 0.18, 0.03, 0.22, 0.25, 0.1, 0.15, 0, 0.4, -0.1, 0.15, -0.22, 0.25)),
	},
	{ // pinwheel
		body: round(4, 0, polygon(0, 0, 0.4, 0, 0.2, 0.2)),
	},
	{ // five dots
		body: join(disc(0.085), round(4, 45, disc(0.085).moved(0.23, 0))),
	},
	{ // snowflake
		body: join(round(6, 30, box(0.17, 0.03).moved(0.17, 0)), round(6, 30, barbs())),
	},
}

var cos30 = math.Sqrt(3) / 2

// motifOf is the motif of any colour but grey. Those beyond the drawn ones are
// put together from an outline, a core and a pair of dots, each combination
// once.
func motifOf(colour uint8) motif {
	i := int(colour) - 1
	if i < len(motifs) {
		return motifs[i]
	}
	i -= len(motifs)
	outline := outlines[i%len(outlines)]
	i /= len(outlines)
	core := cores[i%len(cores)]
	body := outline
	switch i / len(cores) {
	case 1:
		body = join(body, disc(0.055).moved(0.41, 0), disc(0.055).moved(-0.41, 0))
	case 2:
		body = join(body, disc(0.055).moved(0, 0.41), disc(0.055).moved(0, -0.41))
	}
	return motif{body, core}
}

// The outlines fit in a disc of radius 0.33, to leave the tips to the dots.
var outlines = []shape{
	star(4, 0.33, 0.17),
	rosette(6, 0.3, 0.2),
	regular(6, 0.31),
	box(0.2, 0.2),
	star(6, 0.33, 0.18),
	gear(6, 0.31, 0.2),
	rhomb(0.33, 0.33),
	star(10, 0.33, 0.22),
	join(box(0.31, 0.13), box(0.13, 0.31)),
	rosette(4, 0.33, 0.16),
	lens(0.33, 0.21),
	join(box(0.3, 0.12), box(0.12, 0.3)).spun(45),
	lens(0.33, 0.21).turned(1),
}

var cores = []shape{
	disc(0.09),
	box(0.13, 0.035),
	box(0.035, 0.13),
	rhomb(0.13, 0.13).without(rhomb(0.06, 0.06)),
	join(box(0.12, 0.03), box(0.03, 0.12)).spun(45),
	join(disc(0.045).moved(0.09, 0), disc(0.045).moved(-0.09, 0)),
}

// round is n copies of a shape turned about the middle, the first by the angle
// in degrees. n must be even.
func round(n int, first float64, s shape) shape {
	var out shape
	for i := range n {
		out = append(out, s.spun(first+360*float64(i)/float64(n))...)
	}
	return out
}

// pair is a shape and itself after half a turn.
func pair(s shape) shape { return join(s, s.turned(2)) }

// wave is a band of two swings from -x to x at height y, of half width w.
func wave(x, w, y float64) shape {
	const n = 32
	var top, bottom []point
	for i := range n + 1 {
		t := -x + 2*x*float64(i)/n
		swing := 0.075 * math.Sin(2*math.Pi*t/0.36)
		top = append(top, point{t, y + swing - w})
		bottom = append(bottom, point{-t, y - swing + w})
	}
	// The band runs back along its lower edge: by symmetry the same curve
	// turned by half.
	return shape{append(top, bottom...)}
}

// drop has its round end, of the given radius, at the origin and its tip above.
func drop(radius float64) shape {
	const n = 20
	tip := point{0, -1.75 * radius}
	p := []point{tip}
	// The straight flanks touch the circle where they meet it at right angles to
	// its radius.
	from := math.Asin(radius / -tip.y)
	for i := range n + 1 {
		a := -from + (math.Pi+2*from)*float64(i)/n
		p = append(p, point{radius * math.Cos(a), radius * math.Sin(a)})
	}
	return shape{p}
}

// moon is a crescent with its back at the origin and its horns to the right.
func moon() shape {
	const n, radius, horns, bite = 20, 0.18, 0.27, 0.62
	arc := func(i int) point { // from the lower horn round the back to the upper
		sin, cos := math.Sincos(math.Pi * (horns + (2-2*horns)*float64(i)/n))
		return point{radius + radius*cos, radius * sin}
	}
	var p []point
	for i := range n + 1 {
		p = append(p, arc(i))
	}
	tip := p[n].x
	for i := n - 1; i > 0; i-- { // and back, pressed towards the line of the horns
		q := arc(i)
		p = append(p, point{tip + bite*(q.x-tip), q.y})
	}
	return shape{p}
}

// barbs are those on an arm of the snowflake that points to the right.
func barbs() shape {
	barb := box(0.07, 0.026)
	return join(barb.spun(45).moved(0.195, 0.045), barb.spun(-45).moved(0.195, -0.045))
}
