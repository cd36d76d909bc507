package census

import "lastmile/puzzle"

// Dominoes counts the pairs of pieces that match side to side, by the places of
// both: "1x2 corner-edge" and its like, "1x2 anywhere" where no frame rule
// holds. Only kinds that the board has room for are listed. Of the two hands of
// a corner-edge pair, which no turn carries into each other, it gives the sum.
func Dominoes(p *puzzle.Puzzle) []Count {
	var of [places][places]int64
	var room [places][places]bool
	seen := map[[2]int]bool{}
	for cell := range p.Cells() {
		for _, side := range []int{puzzle.Right, puzzle.Down} {
			next := p.Neighbour(cell, side)
			if next < 0 {
				continue
			}
			// Turn the pair until it lies with the first cell on the left.
			pair := [2]int{turned(p.RimMask(cell), 1-side), turned(p.RimMask(next), 1-side)}
			back := [2]int{turned(pair[1], 2), turned(pair[0], 2)}
			if !p.Framed() {
				pair, back = [2]int{}, [2]int{}
			}
			if seen[pair] || seen[back] {
				continue
			}
			seen[pair] = true
			n := 4 * pairs(p, cell, next, side)
			if pair == back {
				n /= 2 // both turns of each pair lie on the same two cells
			}
			a, b := place(p, p.RimMask(cell)), place(p, p.RimMask(next))
			a, b = min(a, b), max(a, b)
			of[a][b] += n
			room[a][b] = true
		}
	}
	var list []Count
	for a := range places {
		for b := range places {
			switch {
			case !room[a][b]:
			case p.Framed():
				list = append(list, Count{"1x2 " + placeNames[a] + "-" + placeNames[b], of[a][b]})
			default:
				list = append(list, Count{"1x2 " + placeNames[a], of[a][b]})
			}
		}
	}
	return list
}

// pairs is the number of ways to fill the cell and the next one on that side
// with two pieces that match.
func pairs(p *puzzle.Puzzle, cell, next, side int) int64 {
	type use struct {
		piece  int32
		colour uint8
	}
	var uses [256]int64 // by colour
	own := map[use]int64{}
	for _, o := range p.Fits(cell) {
		uses[o.Edges[side]]++
		own[use{o.Piece, o.Edges[side]}]++
	}
	var n int64
	for _, o := range p.Fits(next) {
		if c := o.Edges[side^2]; c != puzzle.Grey {
			n += uses[c] - own[use{o.Piece, c}] // a piece does not meet itself
		}
	}
	return n
}
