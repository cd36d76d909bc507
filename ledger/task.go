package ledger

import (
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// Task is a part of a search: what lies below a path, or what comes after it.
// It can be run anywhere and in any number of sittings, and split; the parts
// of a search count together what the whole counts.
type Task struct {
	// Path is the candidates on the first cells of the order, each as the number
	// of its bit.
	Path []int32 `json:"path"`
	// After leaves out what lies below the path: the task goes on with the
	// candidate that follows the last one.
	After bool `json:"after,omitempty"`
	// Floor is the first level whose other candidates belong to the task.
	Floor int `json:"floor"`
}

// load puts the engine where a task begins. It counts nothing.
func (e *engine) load(t Task, bound, from int) error {
	e.reset(bound, from)
	if t.Floor < 0 || t.Floor > len(t.Path) || len(t.Path) >= max(1, len(e.plan.steps)) && !t.After || len(t.Path) > len(e.plan.steps) {
		return fmt.Errorf("ledger: a task of %d levels from level %d, want at most %d levels", len(t.Path), t.Floor, len(e.plan.steps))
	}
	e.floor = t.Floor
	e.enter(0)
	for i, bit := range t.Path {
		l, s := &e.levels[i], &e.plan.steps[i]
		if bit < 0 || bit>>6 >= s.shape.class.words || e.hand[s.shape.class.start+bit>>6]>>(bit&63)&1 == 0 {
			return fmt.Errorf("ledger: a task with candidate %d at level %d, where there is no such candidate", bit, i)
		}
		if !e.pass(s, l, bit) {
			if bound == e.plan.budget && e.plan.mode != Auto {
				return fmt.Errorf("ledger: a task with candidate %d at level %d, where it costs too much", bit, i)
			}
			// The bound has come down since, or Auto has begun to judge here: what
			// lies below holds nothing. What comes after is left, if it is the task's.
			if i < t.Floor {
				l.next, e.floor = l.end, i
			}
			break
		}
		if t.After && i == len(t.Path)-1 {
			break
		}
		e.put(s, l)
		e.depth++
		e.enter(l.used + l.charge)
	}
	e.forget() // what it is to enter these levels was counted before
	return nil
}

// pass chooses a candidate of a level and drops those before it. It tells
// whether the candidate is listed.
func (e *engine) pass(s *step, l *level, bit int32) bool {
	charge, broken := 0, uint8(0)
	for i := range s.knowns {
		k := &s.known[i]
		if c := s.shape.edges[bit][k.side]; c != e.colours[k.at] || c == puzzle.Grey {
			broken |= 1 << i
			charge++
		}
	}
	rank := e.rank(s, charge, broken)
	for ; l.next < l.end; l.next++ {
		n := &e.entries[l.next]
		i := bit - n.base
		if int(n.rank) < rank || int(n.rank) == rank && i > 63 {
			continue
		}
		if int(n.rank) > rank || i < 0 {
			return false
		}
		listed := n.bits>>i&1 == 1
		n.bits &^= 1<<i<<1 - 1
		if listed {
			l.bit, l.charge = bit, int32(n.charge)
		}
		if n.bits == 0 {
			l.next++
		}
		return listed
	}
	return false
}

// rank is the place of a set of mismatched sides in the order in which enter
// lists them.
func (e *engine) rank(s *step, charge int, broken uint8) int {
	switch last := e.depth == len(e.plan.steps)-1; {
	case e.plan.sieve != nil && (s.knowns <= 2 || !last):
		return slices.Index(patterns[s.knowns], broken)
	case s.knowns == 2 && charge == 2:
		return 3
	}
	return charge
}

// task is the rest of a task after run has stopped, cut in two where
// it first branches if it is to be split and can be.
func (e *engine) task(split bool) (rest Task, second *Task) {
	path := make([]int32, e.depth)
	for i := range path {
		path[i] = e.levels[i].bit
	}
	rest = Task{Path: path, Floor: e.floor}
	if e.refused {
		rest.Path, rest.After = append(path, e.levels[e.depth].bit), true
	}
	if !split {
		return rest, nil
	}
	for i := e.floor; i < e.depth; i++ {
		if l := &e.levels[i]; l.next < l.end && int(l.used)+int(e.entries[l.next].charge) <= e.bound {
			rest.Floor = i + 1
			return rest, &Task{Path: path[: i+1 : i+1], After: true, Floor: i}
		}
	}
	return rest, nil
}

// BoardAt is the board of the problem with the pieces of a task's path laid, but
// for the last one when the task comes after it: where a search in one line is.
func (p *Problem) BoardAt(t Task) (*puzzle.Board, error) {
	l, err := newPlan(p)
	if err != nil {
		return nil, err
	}
	path := t.Path
	if t.After && len(path) > 0 {
		path = path[:len(path)-1]
	}
	if len(path) > len(l.steps) {
		return nil, fmt.Errorf("ledger: a path of %d cells, want at most %d", len(path), len(l.steps))
	}
	b := puzzle.NewBoard(p.Board.Puzzle())
	b.Load(p.Board.Placements(nil))
	for i, bit := range path {
		s := &l.steps[i]
		c := s.shape.class
		if bit < 0 || int(bit) >= len(s.shape.rotation) || int(bit/c.ways) >= len(c.pieces) || b.CellOf(c.pieces[bit/c.ways]) != puzzle.Empty {
			return nil, fmt.Errorf("ledger: a path with candidate %d at level %d, where there is no such candidate", bit, i)
		}
		b.Place(int(s.cell), c.pieces[bit/c.ways], int(s.shape.rotation[bit]))
	}
	return b, nil
}
