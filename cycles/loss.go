package cycles

import "math"

// Losses relates the boundaries of partial boards to their losses, the seams by
// which they score less than A. The zero value is empty.
type Losses struct {
	rows []LossRow // by boundary
	sums sums
}

// LossRow describes the partial boards with a boundary of so many seams.
type LossRow struct {
	Boundary int     `json:"boundary"`
	N        int     `json:"n"`
	Least    int     `json:"least"` // loss; below 0 when one scores more than A
	Mean     float64 `json:"mean"`
	Greatest int     `json:"greatest"`
}

// sums are those that a correlation is made of.
type sums struct{ n, x, y, xx, xy, yy float64 }

// Add enters a partial board.
func (l *Losses) Add(boundary, loss int) {
	for len(l.rows) <= boundary {
		l.rows = append(l.rows, LossRow{Boundary: len(l.rows)})
	}
	r := &l.rows[boundary]
	if r.N == 0 {
		r.Least, r.Greatest = loss, loss
	}
	r.N++
	r.Least, r.Greatest = min(r.Least, loss), max(r.Greatest, loss)
	r.Mean += (float64(loss) - r.Mean) / float64(r.N)
	x, y := float64(boundary), float64(loss)
	l.sums.n++
	l.sums.x += x
	l.sums.y += y
	l.sums.xx += x * x
	l.sums.xy += x * y
	l.sums.yy += y * y
}

// Rows lists the boundaries that occur, ascending.
func (l *Losses) Rows() []LossRow {
	rows := []LossRow{}
	for _, r := range l.rows {
		if r.N > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// Correlation is Pearson's coefficient of boundary and loss, and whether there
// is one: boundaries and losses must both differ.
func (l *Losses) Correlation() (r float64, ok bool) {
	s := l.sums
	x, y := s.n*s.xx-s.x*s.x, s.n*s.yy-s.y*s.y
	if x <= 0 || y <= 0 {
		return 0, false
	}
	return (s.n*s.xy - s.x*s.y) / math.Sqrt(x*y), true
}

// Slope is the loss by which a seam of the boundary more comes, on average (by
// least squares), and whether there is one.
func (l *Losses) Slope() (slope float64, ok bool) {
	s := l.sums
	x := s.n*s.xx - s.x*s.x
	if x <= 0 {
		return 0, false
	}
	return (s.n*s.xy - s.x*s.y) / x, true
}
