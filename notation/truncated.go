package notation

import (
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// missingPieces recognises a list that was cut off, lost rows or has a few
// wrong ones: nearly all of its rows are official pieces, and some of those are
// missing. It says which, or is nil. A smaller puzzle made of official pieces
// has a rim of its own, or gives its size.
func (l *listed) missingPieces() *Error {
	const least = 9
	official := puzzle.Official()
	n := len(l.rows)
	if n < least || n > official.Cells() {
		return nil
	}
	missing, others := l.closestToOfficial()
	if len(missing) == 0 || 10*len(others) > n {
		return nil
	}
	for i := range missing {
		missing[i]++
	}
	found := fmt.Sprintf("%s, all of the official set, which has %d", counted(n, "piece"), official.Cells())
	if len(others) > 0 {
		found = fmt.Sprintf("%s, %d of them of the official set, which has %d (%s: not)", counted(n, "piece"), n-len(others), official.Cells(), l.wheres(others))
	}
	return fault("", fmt.Sprintf("%s: %s missing: %s", found, counted(len(missing), "piece"), listing(missing)), "all of them, or the width and height of another puzzle")
}

// closestToOfficial tries the orders of sides and the colours for grey, with
// the colours as they stand and with those that the rim pieces suggest. It
// gives the official pieces that are missing in the best reading and the rows
// that are no official piece; nil when no reading is near.
func (l *listed) closestToOfficial() (missing, others []int) {
	official := puzzle.Official()
	sized := *l
	sized.width, sized.height = official.Width, official.Height
	best := len(l.rows)/10 + 1
	orders := sideOrders
	if l.ordered {
		orders = append([]sides{l.order}, orders...)
	}
	for _, order := range orders {
		for _, grey := range sized.greys() {
			r, err := sized.under(order, grey)
			if err != nil || l.fitsOwnRim(r.pieces) {
				continue
			}
			same := &puzzle.Colouring{}
			for c := range same {
				same[c] = uint8(c)
			}
			readings := []*puzzle.Colouring{same}
			if to, ok := nearlyOfficialColours(r.pieces); ok {
				readings = append(readings, to)
			}
			for _, to := range readings {
				if m, o := compareToOfficial(r.pieces, to); len(o) < best {
					best, missing, others = len(o), m, o
				}
			}
		}
	}
	return missing, others
}

// fitsOwnRim tells whether the grey sides are those of a square board of that
// many pieces.
func (l *listed) fitsOwnRim(pieces []puzzle.Edges) bool {
	side, ok := squareOfLetters(4 * len(pieces))
	return ok && greyFitsRim(side, side, pieces)
}

// compareToOfficial matches pieces, in any rotation, with the official ones.
func compareToOfficial(pieces []puzzle.Edges, to *puzzle.Colouring) (missing, others []int) {
	official := puzzle.Official()
	free := map[puzzle.Edges][]int{}
	for i, e := range official.Pieces {
		c, _ := e.Canonical()
		free[c] = append(free[c], i)
	}
	for i, e := range pieces {
		c, _ := to.Apply(e).Canonical()
		if len(free[c]) == 0 {
			others = append(others, i)
			continue
		}
		free[c] = free[c][1:]
	}
	missing = []int{}
	for _, all := range free {
		missing = append(missing, all...)
	}
	slices.Sort(missing)
	return missing, others
}

// checkLabels refuses colours that no puzzle has, save the one that is grey.
func (l *listed) checkLabels(r *reading) error {
	if r.to != nil {
		return nil // whatever they are called, they are the official ones
	}
	var wrong []int
	found := ""
	for i, row := range l.rows {
		k := slices.IndexFunc(row[:], func(c int) bool { return c > puzzle.MaxColours && c != r.grey })
		if k < 0 {
			continue
		}
		if wrong = append(wrong, i); found == "" {
			found = fmt.Sprintf("colour %d in %s", row[k], rowText(row))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault(l.wheres(wrong), found, fmt.Sprintf("0 to %d", puzzle.MaxColours))
}

// wheres names the places of several rows in the text.
func (l *listed) wheres(rows []int) string {
	if len(rows) == 1 {
		return l.where(rows[0])
	}
	numbers := make([]int, len(rows))
	for i, row := range rows {
		if numbers[i] = row + 1; l.lines != nil {
			numbers[i] = l.lines[row]
		}
	}
	if l.lines == nil {
		return "pieces " + listing(numbers)
	}
	return linesText(numbers)
}
