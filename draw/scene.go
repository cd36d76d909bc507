package draw

import (
	"fmt"
	"image/color"
	"unicode/utf8"

	"lastmile/puzzle"
)

// A stamp is a drawing that a scene uses again and again. Its origin is the top
// left corner of a cell, its unit the side of a cell; later layers lie on
// earlier ones.
type stamp struct {
	name   string
	layers []layer
}

type layer struct {
	ink   color.NRGBA
	shape shape
}

// A use puts a stamp with its origin on a pixel corner, which is what lets two
// halves meet without a joint.
type use struct {
	stamp int // index in the scene's stamps
	x, y  int // pixels
}

// A rect is a filled rectangle, in pixels.
type rect struct {
	x, y, width, height int
	ink                 color.NRGBA
}

// A writing is a line of text around a middle. A rune is advance*size wide.
type writing struct {
	x, y float64 // pixels: the middle of the capitals
	size float64 // pixels
	ink  color.NRGBA
	text string
}

// A scene is a page: rectangles below, then stamps, then writings.
type scene struct {
	width, height int // pixels
	cell          int // pixels a side
	title         string
	rects         []rect
	stamps        []stamp
	uses          []use
	writings      []writing

	index map[string]int // by name
}

// Measures of the page.
const (
	titleSize   = 26   // pixels, at most
	titleLeast  = 12   // pixels, at least: the page widens for the title
	titleRunes  = 200  // of a longer title the rest is dropped
	labelSize   = 0.2  // cells
	labelRunes  = 8    // likewise of a label
	leadOutside = 0.05 // cells: the frame of the board
)

// layOut draws the board into a scene.
func layOut(g *puzzle.Grid, o Options) (*scene, error) {
	if err := check(g, o); err != nil {
		return nil, err
	}
	cell, err := cellSize(g, o)
	if err != nil {
		return nil, err
	}
	s := &scene{cell: cell, title: cut(o.Title, titleRunes), index: map[string]int{}}
	margin := max(6, cell/3)
	left, top := margin, margin
	board := rect{width: g.Width * cell, height: g.Height * cell}
	s.width, s.height = board.width+2*margin, board.height+2*margin
	edge := max(1, int(leadOutside*float64(cell)))
	if s.title != "" {
		runes := float64(utf8.RuneCountInString(s.title))
		size := max(titleLeast, min(titleSize, 0.5*float64(cell), float64(board.width)/(advance*runes)))
		if wide := int(advance*size*runes) + 2*margin; wide > s.width {
			left += (wide - s.width) / 2
			s.width = wide
		}
		band := int(1.5 * size)
		top += band
		s.height += band
		s.writings = append(s.writings, writing{float64(s.width) / 2, float64(top-edge) / 2, size, lead, s.title})
	}
	s.rects = []rect{
		{0, 0, s.width, s.height, paper},
		{left - edge, top - edge, board.width + 2*edge, board.height + 2*edge, lead},
	}

	at := func(cellNumber int) (x, y int) {
		return left + cellNumber%g.Width*cell, top + cellNumber/g.Width*cell
	}
	put := func(cellNumber int, name string, layers func() []layer) {
		i, known := s.index[name]
		if !known {
			i = len(s.stamps)
			s.index[name] = i
			s.stamps = append(s.stamps, stamp{name, layers()})
		}
		x, y := at(cellNumber)
		s.uses = append(s.uses, use{i, x, y})
	}

	for c, filled := range g.Filled {
		if !filled {
			put(c, "empty", empty)
		}
	}
	for c, e := range g.Edges {
		if !g.Filled[c] {
			continue
		}
		for side, colour := range e {
			n := beyond(g, c, side)
			switch {
			case n < 0 || seam(g, c, n, side) != matched:
				put(c, fmt.Sprintf("half%d%c", colour, "urdl"[side]), func() []layer { return half(colour, side) })
			case side == puzzle.Up || side == puzzle.Left:
				put(c, fmt.Sprintf("whole%d%c", colour, "urdl"[side]), func() []layer { return full(colour, side) })
			}
		}
	}
	for c, filled := range g.Filled {
		if filled {
			put(c, "joint", joint)
		}
	}
	for _, c := range o.Clues {
		put(c, "clue", clue)
	}
	if !o.Unmarked {
		for c := range g.Edges {
			for _, side := range []int{puzzle.Up, puzzle.Left} {
				if n := beyond(g, c, side); n >= 0 && seam(g, c, n, side) == broken {
					put(c, fmt.Sprintf("break%c", "urdl"[side]), func() []layer { return breakMark(side) })
				}
			}
		}
	}
	for c, label := range o.Labels {
		if label = cut(label, labelRunes); label == "" {
			continue
		}
		runes := utf8.RuneCountInString(label)
		put(c, fmt.Sprintf("plate%d", runes), func() []layer { return plate(runes) })
		x, y := at(c)
		middle := float64(cell) / 2
		s.writings = append(s.writings, writing{float64(x) + middle, float64(y) + middle, labelSize * float64(cell), lead, label})
	}
	return s, nil
}

// cut keeps the first runes of a text.
func cut(text string, runes int) string {
	n := 0
	for i := range text {
		if n == runes {
			return text[:i]
		}
		n++
	}
	return text
}
