package ledger

import "fmt"

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
func (e *engine) load(t Task, bound int) error {
	e.reset(bound)
	if t.Floor < 0 || t.Floor > len(t.Path) || len(t.Path) >= max(1, len(e.plan.steps)) && !t.After || len(t.Path) > len(e.plan.steps) {
		return fmt.Errorf("ledger: a task of %d levels from level %d, want at most %d levels", len(t.Path), t.Floor, len(e.plan.steps))
	}
	e.floor = t.Floor
	e.enter(0)
	for i, bit := range t.Path {
		l, s := &e.levels[i], &e.plan.steps[i]
		if !e.pass(l, bit) {
			if word := s.shape.class.start + bit>>6; bit < 0 || bit>>6 >= s.shape.class.words || e.hand[word]>>(bit&63)&1 == 0 {
				return fmt.Errorf("ledger: a task with candidate %d at level %d, where there is no such candidate", bit, i)
			}
			// The bound has come down since: this candidate costs too much, and so
			// do those that follow it.
			l.next = l.end
			e.floor = min(e.floor, i)
			return nil
		}
		if t.After && i == len(t.Path)-1 {
			return nil
		}
		if e.plan.mode != Off {
			l.sums = e.tally.sums
			e.book(s, l, 1)
		}
		e.put(s, l)
		e.depth++
		e.enter(l.used + l.charge)
	}
	return nil
}

// pass chooses a candidate of a level and drops those before it.
func (e *engine) pass(l *level, bit int32) bool {
	for ; l.next < l.end; l.next++ {
		n := &e.entries[l.next]
		i := bit - n.base
		if i < 0 || i > 63 || n.bits>>i&1 == 0 {
			continue
		}
		l.bit, l.charge = bit, n.charge
		n.bits &^= 1<<i<<1 - 1
		if n.bits == 0 {
			l.next++
		}
		return true
	}
	return false
}

// task is the rest of a task after run has stopped at a node, cut in two where
// it first branches if it is to be split and can be.
func (e *engine) task(split bool) (rest Task, second *Task) {
	path := make([]int32, e.depth)
	for i := range path {
		path[i] = e.levels[i].bit
	}
	rest = Task{Path: path, Floor: e.floor}
	if !split {
		return rest, nil
	}
	for i := e.floor; i < e.depth; i++ {
		if l := &e.levels[i]; l.next < l.end && int(l.used+e.entries[l.next].charge) <= e.bound {
			rest.Floor = i + 1
			return rest, &Task{Path: path[: i+1 : i+1], After: true, Floor: i}
		}
	}
	return rest, nil
}
