package draw

// Layer is a filled outline of a stamp, for those who draw boards themselves:
// later layers lie on earlier ones.
type Layer struct {
	Fill string  `json:"fill"` // a CSS colour
	Path string  `json:"path"` // an SVG path, a cell being Unit wide, its top left corner the origin
	Veil float64 `json:"veil"` // opacity, 0 to 1
}

// Unit is the side of a cell in the paths of layers.
const Unit = 1000

// Half is the triangle of the upper side of a piece in that colour, with half
// its motif. Turned about the middle of the cell it serves the other sides.
func Half(colour uint8) []Layer { return layers(half(colour, 0)) }

// Parts are the other stamps of a board: an empty cell, the line round a piece,
// the outline of a clue, and the bar over a broken seam on the upper side.
func Parts() (emptyCell, pieceJoint, clueMark, breakBar []Layer) {
	return layers(empty()), layers(joint()), layers(clue()), layers(breakMark(0))
}

func layers(all []layer) []Layer {
	out := make([]Layer, len(all))
	for i, l := range all {
		solid := l.ink
		solid.A = 255
		out[i] = Layer{Fill: hexOf(solid), Path: outline(l.shape, Unit), Veil: float64(l.ink.A) / 255}
	}
	return out
}
