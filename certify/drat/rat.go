package drat

import (
	"fmt"
	"slices"
)

// rat tests whether the lemma is RAT on its first literal; forced tells that
// this is false at top level. All literals are false and propagated, without a
// conflict. Why says what is wrong, and is empty when nothing is; the error is
// that of stop.
func (c *Checker) rat(lemma []uint32, forced bool) (why string, err error) {
	if len(lemma) == 0 {
		return "not RUP: no conflict by unit propagation", nil
	}
	pivot := lemma[0]
	// S holds the negated pivot as a clause: the lemma would have to be RUP.
	if forced {
		return fmt.Sprintf("not RUP, and the pivot %d is false at top level", c.outside(pivot)), nil
	}
	against := func(clause ...uint32) string {
		if c.resolves(pivot^1, clause) {
			return ""
		}
		return fmt.Sprintf("neither RUP nor RAT on %d, because of the clause %s", c.outside(pivot), c.text(clause))
	}
	for _, other := range c.pairs[pivot] {
		if why := against(pivot^1, other); why != "" {
			return why, nil
		}
	}
	seen := 0
	for ref := c.first[pivot^1]; ref != 0 && int(ref) < len(c.arena); ref = c.after(ref) {
		if c.gone(ref) || !slices.Contains(c.literals(ref), pivot^1) {
			continue
		}
		if why := against(c.literals(ref)...); why != "" {
			return why, nil
		}
		if seen++; seen%256 == 0 {
			if err := c.stop(); err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// resolves tells whether the lemma on the trail and the clause without the
// negated pivot are together RUP.
func (c *Checker) resolves(negated uint32, clause []uint32) bool {
	length := len(c.trail)
	defer c.undo(length)
	for _, l := range clause {
		if l == negated {
			continue
		}
		if c.value[l] > 0 {
			return true
		}
		if c.value[l] == 0 {
			c.assign(l ^ 1)
		}
	}
	return c.propagate()
}

// text is a clause as proofs write it.
func (c *Checker) text(lits []uint32) string {
	outside := make([]int32, len(lits))
	for i, l := range lits {
		outside[i] = c.outside(l)
	}
	slices.Sort(outside)
	return text(outside)
}
