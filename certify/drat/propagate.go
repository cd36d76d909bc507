package drat

// watch is a long clause in the list of one of the two literals that it watches.
type watch struct {
	blocker uint32 // some other literal of it: when it is true there is nothing to do
	clause  uint32 // in the arena
}

// assign makes a literal true that is open.
func (c *Checker) assign(l uint32) {
	c.value[l] = 1
	c.value[l^1] = -1
	c.trail = append(c.trail, l)
}

// undo opens what is on the trail from this length on. The watches stay as they
// are: each clause watches two literals that were open or became so now, or was
// satisfied below.
func (c *Checker) undo(length int) {
	for _, l := range c.trail[length:] {
		c.value[l] = 0
		c.value[l^1] = 0
	}
	c.trail = c.trail[:length]
	c.long = min(c.long, length)
	c.short = min(c.short, length)
}

// propagate makes true what follows from the trail, one clause at a time, and
// tells whether a clause has no literal left: a conflict. Clauses of two go first.
//
// A mistake in the watches could make it miss a literal, and so refuse a lemma.
// It cannot make one true that does not follow, because all other literals of
// the clause are seen to be false.
func (c *Checker) propagate() (conflict bool) {
	value := c.value
	for {
		for c.short < len(c.trail) {
			l := c.trail[c.short]
			c.short++
			for _, other := range c.pairs[l] {
				switch value[other] {
				case 0:
					c.assign(other)
				case -1:
					return true
				}
			}
		}
		if c.long == len(c.trail) {
			return false
		}
		l := c.trail[c.long]
		c.long++
		c.stats.Propagations++
		if c.visit(l) {
			return true
		}
	}
}

// visit goes through the long clauses that watch the negation of a literal that
// became true.
func (c *Checker) visit(l uint32) (conflict bool) {
	value, arena := c.value, c.arena
	list := c.watches[l]
	kept := 0
next:
	for i, w := range list {
		if value[w.blocker] > 0 {
			list[kept] = w
			kept++
			continue
		}
		size := arena[w.clause+sizeAt]
		if size&deleted != 0 {
			continue
		}
		lits := arena[w.clause+header : w.clause+header+size]
		other := lits[0] ^ lits[1] ^ l ^ 1
		v := value[other]
		if v > 0 {
			list[kept] = watch{other, w.clause}
			kept++
			continue
		}
		for k := 2; k < len(lits); k++ {
			if u := lits[k]; value[u] >= 0 {
				lits[0], lits[1], lits[k] = other, u, l^1
				c.watch(u, watch{other, w.clause})
				continue next
			}
		}
		list[kept] = watch{other, w.clause}
		kept++
		if v < 0 {
			kept += copy(list[kept:], list[i+1:])
			c.watches[l] = list[:kept]
			return true
		}
		c.assign(other)
	}
	c.watches[l] = list[:kept]
	return false
}
