package census

import (
	"strconv"

	"lastmile/puzzle"
)

// Pieces counts the pieces by the place that their grey sides give them, those
// with a turn of less than four quarters that leaves them as they were
// (symmetric), and those that are the same as a lower piece up to rotation
// (twins).
func Pieces(p *puzzle.Puzzle) []Count {
	var of [places]int64
	var symmetric, twins int64
	for i, e := range p.Pieces {
		mask := 0
		for side, c := range e {
			if c == puzzle.Grey {
				mask |= 1 << side
			}
		}
		of[place(p, mask)]++
		if p.Period(i) < 4 {
			symmetric++
		}
		if p.Class(i) != i {
			twins++
		}
	}
	var list []Count
	for k, n := range of {
		if n > 0 {
			list = append(list, Count{"pieces " + placeNames[k], n})
		}
	}
	return append(list, Count{"pieces symmetric", symmetric}, Count{"pieces twins", twins})
}

// HalfEdges counts the sides of the pieces by colour, from grey (0) to the
// highest. A solvable set has an even number of each colour but grey, if it is
// framed.
func HalfEdges(p *puzzle.Puzzle) []Count {
	list := make([]Count, p.Colours()+1)
	for c := range list {
		list[c].Name = "half-edges " + strconv.Itoa(c)
	}
	for _, e := range p.Pieces {
		for _, c := range e {
			list[c].Count++
		}
	}
	return list
}
