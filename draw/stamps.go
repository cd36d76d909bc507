package draw

import (
	"image/color"

	"lastmile/puzzle"
)

// diamond is how far the field of a diamond reaches from its middle. It is a
// little less than half a cell, so that the lead below shows between the fields like
// that between panes.
const diamond = 0.488

// full is the diamond of a matched seam, on the given side of a cell.
func full(colour uint8, side int) []layer {
	return pane(colour, side, func(s shape) shape { return s })
}

// half is the triangle of a side of a cell.
func half(colour uint8, side int) []layer { return pane(colour, side, shape.below) }

// pane draws the part of a diamond that keep leaves. Motifs are drawn for the
// upper side, y into the cell; turned about the middle of the cell they serve
// the others.
func pane(colour uint8, side int, keep func(shape) shape) []layer {
	ink := inksOf(colour)
	layers := []layer{{ink.field, rhomb(diamond, diamond)}}
	if colour != puzzle.Grey {
		m := motifOf(colour)
		layers = append(layers, layer{ink.body, m.body}, layer{ink.core, m.core})
	}
	var kept []layer
	for _, l := range layers {
		if s := keep(l.shape); len(s) > 0 {
			kept = append(kept, layer{l.ink, s.moved(0, -0.5).turned(side).moved(0.5, 0.5)})
		}
	}
	return kept
}

func square(inset float64) shape { return box(0.5-inset, 0.5-inset).moved(0.5, 0.5) }

// joint is a faint line round a piece, over the diamonds.
func joint() []layer { return []layer{{hairline, square(0).without(square(0.01))}} }

// empty is a cell without a piece.
func empty() []layer {
	const n, inset = 8, 0.1
	var border shape
	for i := range n {
		dot := disc(0.02).moved(-0.5+inset+(1-2*inset)*float64(i)/n, -0.5+inset)
		for side := range 4 {
			border = append(border, dot.turned(side).moved(0.5, 0.5)...)
		}
	}
	return []layer{{vacant, square(0)}, {dots, border}}
}

// clue is an outline inside a cell, gold between dark so that it stands out on
// any colour.
func clue() []layer {
	ring := func(ink color.NRGBA, from, to float64) layer {
		return layer{ink, square(from).without(square(to))}
	}
	return []layer{ring(lead, 0, 0.125), ring(gold, 0.025, 0.1)}
}

// breakMark is the bar over a broken seam, on the given side of a cell.
func breakMark(side int) []layer {
	bar := func(ink color.NRGBA, reach, thick float64) layer {
		s := line(point{-reach, -0.5}, point{reach, -0.5}, thick)
		return layer{ink, s.turned(side).moved(0.5, 0.5)}
	}
	return []layer{bar(lead, 0.36, 0.115), bar(white, 0.36, 0.095), bar(alarm, 0.36, 0.065)}
}

// plate lies under a label of so many runes.
func plate(runes int) []layer {
	reach := advance*labelSize*float64(runes)/2 - 0.05
	s := line(point{-max(0, reach), 0}, point{max(0, reach), 0}, 0.125)
	return []layer{{lead, s.moved(0.5, 0.5)}, {paper, s.scaled(0.96, 0.86).moved(0.5, 0.5)}}
}
