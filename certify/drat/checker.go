package drat

import (
	"errors"
	"fmt"

	"lastmile/certify/cnf"
)

// MaxVariable is the highest variable that a proof may use.
const MaxVariable = 1<<30 - 1

// ErrMemory says that the check needs more memory than it may use. It is no
// verdict on the proof.
var ErrMemory = errors.New("out of the memory that the check may use")

// Checker holds what has been shown so far: the set S of the package
// documentation. It is for one goroutine.
//
// Inside, a literal is 2*i for the variable of index i and 2*i+1 for its
// negation, and most slices are indexed by literals.
type Checker struct {
	vars      int32            // variables of the formula; they have the indices below
	extension map[int32]uint32 // index of each other variable

	value []int8   // 1 true, -1 false, 0 open
	trail []uint32 // what is true, in the order in which it became so
	top   int      // the trail below this is forced; what is above is undone
	long  int      // the trail below this has been propagated through long clauses
	short int      // and below this through clauses of two

	store
	pairs   [][]uint32 // by literal: the other literals of the clauses of two that hold its negation
	watches [][]watch  // by literal: the long clauses that watch its negation
	listed  int64      // bytes in the lists of the two

	refuted bool
	err     error // why nothing more can be added
	limit   int64 // bytes; 0: no bound
	stop    func() error

	mark   []bool // by literal; all false between calls
	clause []uint32
	stats  Stats
}

// New holds the formula, and what unit propagation alone finds.
func New(f *cnf.Formula) *Checker { return load(f, 0) }

func load(f *cnf.Formula, limit int64) *Checker {
	c := &Checker{extension: map[int32]uint32{}, limit: limit, stop: func() error { return nil }}
	if f.Vars > MaxVariable {
		c.err = fmt.Errorf("drat: formula of %d variables, want at most %d", f.Vars, MaxVariable)
		return c
	}
	words := 1 + f.Literals() + header*f.Clauses
	if limit > 0 && int64(f.Vars)*variableBytes+4*int64(words) > limit {
		c.err = ErrMemory
		return c
	}
	c.vars = int32(f.Vars)
	c.value = make([]int8, 2*f.Vars)
	c.mark = make([]bool, 2*f.Vars)
	c.first = make([]uint32, 2*f.Vars)
	c.pairs = make([][]uint32, 2*f.Vars)
	c.watches = make([][]watch, 2*f.Vars)
	c.reset(f.Clauses, words)
	for clause := range f.All() {
		lits, tautology, err := c.read(clause)
		if err != nil {
			c.err = fmt.Errorf("drat: clause of the formula: %w", err)
			return c
		}
		if !tautology {
			c.insert(lits)
		}
		if c.refuted || c.err != nil {
			break
		}
	}
	return c
}

// Refuted tells whether the empty clause has been shown: the formula has no
// model.
func (c *Checker) Refuted() bool { return c.refuted }

// Stats counts what has been done.
func (c *Checker) Stats() Stats { return c.stats }

// Add adds a lemma that is RUP, or RAT on its first literal. Any other is
// refused with an *Error, and leaves S as it is. After the empty clause anything
// follows, and nothing is looked at.
func (c *Checker) Add(lemma []int32) error {
	c.stats.Steps++
	if c.refuted {
		return nil
	}
	if c.err != nil {
		return c.err
	}
	lits, tautology, err := c.read(lemma)
	if err != nil {
		return c.unread("lemma", lemma, err)
	}
	c.stats.Lemmas++
	if tautology {
		return nil
	}
	forced := len(lits) > 0 && c.value[lits[0]] < 0
	if !c.conflicts(lits) {
		why, err := c.rat(lits, forced)
		c.undo(c.top)
		if err != nil {
			return err
		}
		if why != "" {
			return c.fault("lemma", lemma, why)
		}
		c.stats.RAT++
	}
	c.undo(c.top)
	c.insert(lits)
	return c.err
}

// Delete removes a clause, given in any order. A clause that is not there is
// ignored and counted; so is a unit clause (see the package documentation). A
// clause that cannot be one is refused with an *Error.
func (c *Checker) Delete(clause []int32) error {
	c.stats.Steps++
	if c.refuted {
		return nil
	}
	if c.err != nil {
		return c.err
	}
	lits, tautology, err := c.read(clause)
	if err != nil {
		return c.unread("deletion", clause, err)
	}
	c.stats.Deletions++
	if tautology || !c.remove(lits) {
		c.stats.Ignored++
	}
	return nil
}

// Propagate assumes literals and returns all that unit propagation makes of them: the
// values of the variables of the formula, that of variable v at v-1, 1 for
// true, -1 for false, 0 for open. It is not ok when there is a conflict, or an
// assumption is not a literal. The assumptions are dropped again.
func (c *Checker) Propagate(assumptions []int32) (values []int8, ok bool) {
	if c.refuted || c.err != nil {
		return nil, false
	}
	defer c.undo(c.top)
	for _, a := range assumptions {
		l, err := c.literal(a)
		if err != nil || c.value[l] < 0 {
			return nil, false
		}
		if c.value[l] == 0 {
			c.assign(l)
		}
	}
	if c.propagate() {
		return nil, false
	}
	values = make([]int8, c.vars)
	for v := range values {
		values[v] = c.value[2*v]
	}
	return values, true
}

// unread is the error of a clause that read refuses.
func (c *Checker) unread(what string, clause []int32, err error) error {
	if c.err != nil {
		return c.err
	}
	return c.fault(what, clause, err.Error())
}

// literal returns a literal as it is held inside.
func (c *Checker) literal(l int32) (uint32, error) {
	v, sign := l, uint32(0)
	if l < 0 {
		v, sign = -l, 1
	}
	if v <= 0 || v > MaxVariable {
		return 0, fmt.Errorf("%d is no literal, want a variable from 1 to %d or its negative", l, MaxVariable)
	}
	if v <= c.vars {
		return 2*uint32(v-1) + sign, nil
	}
	i, known := c.extension[v]
	if !known {
		if c.full() {
			return 0, c.err
		}
		i = uint32(len(c.value) / 2)
		c.extension[v] = i
		c.value = append(c.value, 0, 0)
		c.mark = append(c.mark, false, false)
		c.first = append(c.first, 0, 0)
		c.pairs = append(c.pairs, nil, nil)
		c.watches = append(c.watches, nil, nil)
	}
	return 2*i + sign, nil
}

// outside is the literal as the proof writes it.
func (c *Checker) outside(l uint32) int32 {
	v := int32(l/2) + 1
	if v > c.vars {
		for name, i := range c.extension {
			if i == l/2 {
				v = name
			}
		}
	}
	if l&1 != 0 {
		return -v
	}
	return v
}

// read returns the clause as it is held inside, each literal once and in their
// order, and whether two of them are each other's negation. It is valid until
// the next call.
func (c *Checker) read(clause []int32) (lits []uint32, tautology bool, err error) {
	lits = c.clause[:0]
	for _, outside := range clause {
		var l uint32
		if l, err = c.literal(outside); err != nil {
			break
		}
		if !c.mark[l] {
			c.mark[l] = true
			tautology = tautology || c.mark[l^1]
			lits = append(lits, l)
		}
	}
	for _, l := range lits {
		c.mark[l] = false
	}
	c.clause = lits
	return lits, tautology, err
}

// conflicts makes the literals false, on top of the trail, and tells whether unit
// propagation then finds a conflict.
func (c *Checker) conflicts(lits []uint32) bool {
	for _, l := range lits {
		if c.value[l] > 0 {
			return true
		}
		if c.value[l] == 0 {
			c.assign(l ^ 1)
		}
	}
	return c.propagate()
}

// insert puts a clause into S, on a trail that holds forced literals alone.
func (c *Checker) insert(lits []uint32) {
	open := 0
	for i, l := range lits {
		if c.value[l] > 0 {
			return
		}
		if c.value[l] == 0 && open < 2 {
			lits[open], lits[i] = l, lits[open]
			open++
		}
	}
	switch {
	case open == 0:
		c.refuted = true
	case open == 1:
		c.assign(lits[0])
		c.refuted = c.propagate()
		c.top = len(c.trail)
	case len(lits) == 2:
		c.pair(lits[0], lits[1])
		c.pair(lits[1], lits[0])
	default:
		ref, err := c.put(lits)
		if err != nil {
			c.err = err
			return
		}
		c.watch(lits[0], watch{lits[1], ref})
		c.watch(lits[1], watch{lits[0], ref})
	}
	c.full()
}

// remove takes a clause out of S, if it is there.
func (c *Checker) remove(lits []uint32) bool {
	if len(lits) < 2 {
		return false
	}
	if len(lits) == 2 {
		return c.unpair(lits[0], lits[1]) && c.unpair(lits[1], lits[0])
	}
	for _, l := range lits {
		c.mark[l] = true
	}
	found := c.drop(lits, c.mark)
	for _, l := range lits {
		c.mark[l] = false
	}
	if c.waste > 1<<12 && c.waste > len(c.arena)/4 {
		c.collect()
	}
	return found
}

func (c *Checker) pair(l, other uint32) {
	list := c.pairs[l^1]
	c.listed -= 4 * int64(cap(list))
	list = append(list, other)
	c.listed += 4 * int64(cap(list))
	c.pairs[l^1] = list
}

func (c *Checker) unpair(l, other uint32) bool {
	list := c.pairs[l^1]
	for i, o := range list {
		if o == other {
			list[i] = list[len(list)-1]
			c.pairs[l^1] = list[:len(list)-1]
			return true
		}
	}
	return false
}

func (c *Checker) watch(l uint32, w watch) {
	list := c.watches[l^1]
	c.listed -= watchBytes * int64(cap(list))
	list = append(list, w)
	c.listed += watchBytes * int64(cap(list))
	c.watches[l^1] = list
}

// collect drops deleted clauses from the arena and the lists.
func (c *Checker) collect() {
	c.forward()
	for l, list := range c.watches {
		kept := list[:0]
		for _, w := range list {
			if to := c.moved(w.clause); to != 0 {
				kept = append(kept, watch{w.blocker, to})
			}
		}
		c.watches[l] = kept
	}
	c.compact()
}

const (
	watchBytes    = 8
	variableBytes = 2*(1+1+4+24+24) + 4 // what the slices hold of a variable
)

// full tells whether the memory is used up; then nothing more can be added.
func (c *Checker) full() bool {
	if c.limit > 0 && c.bytes() > c.limit {
		c.err = ErrMemory
	}
	return c.err != nil
}

// bytes is about what the checker holds in memory.
func (c *Checker) bytes() int64 {
	return variableBytes*int64(len(c.value)/2) + 32*int64(len(c.extension)) + c.listed +
		4*int64(cap(c.arena)+len(c.heads))
}
