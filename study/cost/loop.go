package cost

import (
	"time"

	"lastmile/alns"
	"lastmile/alns/destroy"
	"lastmile/puzzle"
)

// Loop is the ALNS loop on one board with holes of one size.
type Loop struct {
	board  Board
	live   *puzzle.Board
	search *alns.Search

	reload       int // iterations between two returns to the start
	done         int // iterations since the last
	holes, cells int64

	looked, conflicts int64 // cells of some of the holes, and what conflicts they had
}

// seldom is how many holes pass between two of which the conflicts are counted,
// so that the count does not show.
const seldom = 16

// NewLoop sets the loop up with k as the size of every hole, whatever the
// options say.
func NewLoop(b Board, k int, o alns.Options) (*Loop, error) {
	l := &Loop{board: b, live: b.board(), reload: b.reload(k)}
	if o.Operators == nil {
		o.Operators = destroy.Portfolio
	}
	// An operator may choose fewer than k cells: count what it does.
	counting := make([]destroy.Operator, len(o.Operators))
	for i, operator := range o.Operators {
		choose := operator.Choose
		counting[i] = destroy.Operator{Name: operator.Name, Choose: func(h *destroy.Hole, k int) {
			choose(h, k)
			if l.holes%seldom == 0 {
				l.look(h)
			}
			l.holes++
			l.cells += int64(h.Len())
		}}
	}
	o.Operators, o.Smallest, o.Largest = counting, k, k
	var err error
	l.search, err = alns.NewSearch(l.live, o)
	return l, err
}

// Measure runs the loop for about so long and returns the nanoseconds an
// iteration. Laying the board anew is not counted.
func (l *Loop) Measure(d time.Duration) float64 {
	var spent time.Duration
	iterations := 0
	for spent < d {
		if l.done == l.reload {
			l.live.Load(l.board.Start)
			l.done = 0
		}
		n := min(chunk, l.reload-l.done)
		began := now()
		for range n {
			l.search.Iterate()
		}
		spent += now() - began
		iterations += n
		l.done += n
	}
	return float64(spent.Nanoseconds()) / float64(iterations)
}

// Hole is the mean number of cells that were lifted in an iteration.
func (l *Loop) Hole() float64 { return float64(l.cells) / float64(max(1, l.holes)) }

// look counts the conflicts of a hole.
func (l *Loop) look(h *destroy.Hole) {
	for _, cell := range h.Cells() {
		l.conflicts += int64(h.Board.Conflicts(cell))
	}
	l.looked += int64(h.Len())
}

// Conflicts is the mean number of conflicts of the cells that were lifted: how
// bad the places are that the operators find.
func (l *Loop) Conflicts() float64 { return float64(l.conflicts) / float64(max(1, l.looked)) }

// Allocations is the number of allocations in so many iterations.
func (l *Loop) Allocations(iterations int) uint64 {
	return Allocations(iterations, func() { l.search.Iterate() })
}
