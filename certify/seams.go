package certify

import (
	"slices"

	"lastmile/puzzle"
)

// joinSeams says what a match is, through variables for the colour that a cell
// shows to a seam, so that the clauses grow with pieces plus colours and not with
// pairs of pieces. Where no seam may break the two cells of a seam share its
// colours; else each seam has a literal that is true where it breaks.
func (e *encoder) joinSeams() {
	e.broken = map[[2]int]int32{}
	for _, s := range e.Region.seams {
		if e.stopped() {
			return
		}
		if !e.in[s.cell] && (s.stays || !e.in[s.other]) {
			continue
		}
		switch {
		case s.stays && e.Bound == 0: // the choices are those that match
		case s.stays:
			mine := e.colours(e.at[s.cell], s.side)
			e.broken[[2]int{s.cell, s.side}] = e.unless(mine[e.Region.rest.Edges(s.other)[s.side^2]])
		case !e.in[s.cell] || !e.in[s.other]: // the window ends here
		case e.Bound == 0:
			e.share(s)
		default:
			e.broken[[2]int{s.cell, s.side}] = e.join(s)
		}
	}
}

// byColour sorts the variables of a cell by the colour that they show to a side.
func (e *encoder) byColour(at []int32, side int) (by [256][]int32) {
	for _, v := range at {
		colour := e.choice(v).Edges[side]
		by[colour] = append(by[colour], v)
	}
	return by
}

// colours makes a variable for each colour that a cell can show to a side. The
// others are 0, and so is grey, which matches nothing.
func (e *encoder) colours(at []int32, side int) (vars [256]int32) {
	var all []int32
	for colour, showing := range e.byColour(at, side) {
		if len(showing) > 0 && colour != puzzle.Grey {
			vars[colour] = e.either(showing)
			all = append(all, vars[colour])
		}
	}
	e.atMostOne(all)
	return vars
}

// unless is a literal that is true where the other, which may be 0 for never,
// is not.
func (e *encoder) unless(l int32) int32 {
	if l != 0 {
		return -l
	}
	v := e.Formula.Fresh()
	e.Formula.Add(v)
	return v
}

// join makes a literal that is true where the two cells show different colours,
// or grey.
func (e *encoder) join(s seam) int32 {
	broken := e.Formula.Fresh()
	mine, theirs := e.colours(e.at[s.cell], s.side), e.colours(e.at[s.other], s.side^2)
	for colour := range mine {
		switch a, b := mine[colour], theirs[colour]; {
		case a != 0 && b != 0:
			e.Formula.Add(-a, b, broken)
			e.Formula.Add(-b, a, broken)
		case a+b != 0:
			e.Formula.Add(-a-b, broken)
		}
	}
	// Of two grey sides none shows a colour.
	for _, v := range e.byColour(e.at[s.cell], s.side)[puzzle.Grey] {
		e.Formula.Add(-v, broken)
	}
	return broken
}

// share makes one variable a colour for both cells of a seam that must match.
func (e *encoder) share(s seam) {
	mine, theirs := e.byColour(e.at[s.cell], s.side), e.byColour(e.at[s.other], s.side^2)
	var all []int32
	for colour := range mine {
		a, b := mine[colour], theirs[colour]
		if len(a) == 0 || len(b) == 0 || colour == puzzle.Grey {
			for _, l := range slices.Concat(a, b) {
				e.Formula.Add(-l)
			}
			continue
		}
		v := e.either(a)
		for _, l := range b {
			e.Formula.Add(-l, v)
		}
		e.Formula.Add(append(slices.Clone(b), -v)...)
		all = append(all, v)
	}
	e.atMostOne(all)
}
