package construct

import (
	"cmp"
	"slices"

	"lastmile/puzzle"
)

// earlyPoints is how much of the half-edges of early colours must lie on a board
// of 256 cells when so many are filled. The last cells are easier to match the
// fewer colours are left. The shape is that of the record solver of 2020 (J.
// Blackwood), which asks for 0.80 at its end; more can be had.
var earlyPoints = [][2]float64{{16, 0}, {26, 0.19}, {56, 0.473}, {76, 0.61}, {102, 0.76}, {160, 0.90}}

// earlyColours chooses n colours to use up first: those that rim pieces show
// inwards most often, since the rest of the rim is hardest to serve, and among
// equals those with the fewest half-edges. Colours of seams along the rim are
// never chosen: their pieces have no choice.
func earlyColours(p *puzzle.Puzzle, n int) (early [puzzle.MaxColours + 1]bool) {
	var inward, total, along [puzzle.MaxColours + 1]int
	for i := range p.Cells() {
		e := p.Rotated(i, 0)
		for side, c := range e {
			total[c]++
			if !p.Framed() || e[side^2] != puzzle.Grey && e[(side+1)&3] != puzzle.Grey && e[(side+3)&3] != puzzle.Grey {
				continue
			}
			if e[side^2] == puzzle.Grey {
				inward[c]++
			} else {
				along[c]++
			}
		}
	}
	var colours []int
	for c := 1; c <= p.Colours(); c++ {
		if along[c] == 0 && total[c] > 0 {
			colours = append(colours, c)
		}
	}
	slices.SortStableFunc(colours, func(a, b int) int {
		return cmp.Or(cmp.Compare(inward[b], inward[a]), cmp.Compare(total[a], total[b]))
	})
	for _, c := range colours[:min(n, len(colours))] {
		early[c] = true
	}
	return early
}

// owed is the schedule of the points for a board, softened by a factor from 0
// to 1: by level, the early sides that must lie on the board once it is filled.
func owed(p *puzzle.Puzzle, early *[puzzle.MaxColours + 1]bool, order []int, factor float64) []int32 {
	total := 0
	for i := range p.Cells() {
		total += countEarly(p.Rotated(i, 0), early)
	}
	clue := p.CluesByCell()
	var list []int32
	for i, cell := range order {
		if clue[cell] >= 0 {
			continue
		}
		at := 256 * float64(i) / float64(p.Cells())
		if at > earlyPoints[len(earlyPoints)-1][0] {
			break
		}
		share := 0.0
		for j := 1; j < len(earlyPoints); j++ {
			x, y := earlyPoints[j-1], earlyPoints[j]
			if at >= x[0] && at <= y[0] {
				share = x[1] + (y[1]-x[1])*(at-x[0])/(y[0]-x[0])
				break
			}
		}
		list = append(list, int32(factor*share*float64(total)))
	}
	return list
}
