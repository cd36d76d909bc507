package notation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lastmile/puzzle"
)

// checkDamage warns when a colour cannot be matched out, and refuses a list
// that is the official set but for a few pieces: a digit got lost.
func (l *listed) checkDamage(d *Document, r *reading, lenient bool) error {
	if !r.fits {
		if len(l.rows) < puzzle.Official().Cells() {
			return nil
		}
		return d.damaged(l.missingPieces(), lenient)
	}
	odd := l.oddColours(r)
	if odd != "" {
		odd = "colours with an odd number of sides: " + odd + ", so a full score is impossible"
	}
	damage := l.nearlyOfficial(r)
	if damage == nil {
		if odd != "" {
			d.warn("%s", odd)
		}
		return nil
	}
	if odd != "" {
		damage.Found += "; " + odd
	}
	return d.damaged(damage, lenient)
}

// oddColours lists the colours with an odd number of sides, and the number.
func (l *listed) oddColours(r *reading) string {
	count := map[int]int{}
	for _, row := range l.rows {
		for _, c := range row {
			count[c]++
		}
	}
	var colours []int
	for c, n := range count {
		if c != r.grey && n%2 != 0 {
			colours = append(colours, c)
		}
	}
	slices.Sort(colours)
	var odd []string
	for _, c := range colours {
		odd = append(odd, fmt.Sprintf("%d (%d)", c, count[c]))
	}
	return strings.Join(odd, ", ")
}

// nearlyOfficial describes the rows that keep a list from being the official
// set, when they are few; else it is nil.
func (l *listed) nearlyOfficial(r *reading) *Error {
	const most = 8
	if len(r.pieces) != puzzle.Official().Cells() {
		return nil
	}
	to, ok := nearlyOfficialColours(r.pieces)
	if !ok {
		return nil
	}
	p := puzzle.Official()
	var bad, numbers []int
	for i, e := range r.pieces {
		if turnsTo(to.Apply(e), p.Pieces[i]) < 0 {
			bad = append(bad, i)
			if l.lines != nil {
				numbers = append(numbers, l.lines[i])
			}
		}
	}
	if len(bad) == 0 || len(bad) > most {
		return nil
	}
	i := bad[0]
	found := fmt.Sprintf("piece %d is %s, the other %d are those of the official set", i+1, rowText(l.rows[i]), len(r.pieces)-len(bad))
	where := l.where(i)
	if len(numbers) > 0 {
		where = linesText(numbers)
	}
	return fault(where, found, rowText(l.rightRow(i, r, to)))
}

// rightRow writes official piece i in the labels of the text, in the rotation
// most like row i.
func (l *listed) rightRow(i int, r *reading, to *puzzle.Colouring) (row [4]int) {
	var back [256]int
	for label, c := range r.label {
		back[to[c]] = label
	}
	most := -1
	for turn := range 4 {
		e := puzzle.Official().Rotated(i, turn)
		var turned [4]int
		same := 0
		for k, side := range r.order {
			turned[k] = back[e[side]]
			if turned[k] == l.rows[i][k] {
				same++
			}
		}
		if same > most {
			row, most = turned, same
		}
	}
	return row
}

func rowText(row [4]int) string {
	s := make([]string, 4)
	for i, c := range row {
		s[i] = strconv.Itoa(c)
	}
	return "`" + strings.Join(s, " ") + "`"
}
