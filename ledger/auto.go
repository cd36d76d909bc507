package ledger

// Under a generous budget the ledger hardly ever fires, and keeping it is a
// loss; near the end of the budget it fires all the time. Auto keeps it from
// the level on where it has been paying. Now and then comes a look, a round in
// which every candidate is judged; after it the levels are weighed.
const looks = 16 // rounds from one look to the next; there are more at first

func look(round int) bool { return round%looks == 0 || round < looks && round&(round-1) == 0 }

// from is the level from which a run begins to judge.
func (x *exhaustion) from() int {
	if x.plan.mode == Off {
		return len(x.plan.steps)
	}
	return 0
}

// switchOver chooses the level from which the next round judges, by what the
// last one saw.
func (x *exhaustion) switchOver(parts []part) {
	if last := x.state.Round - 1; look(last) {
		seen := make([]Level, len(x.plan.steps))
		for _, p := range parts {
			for i, l := range p.levels {
				seen[i].add(l)
			}
		}
		x.state.From = pays(seen)
	}
	if look(x.state.Round) {
		x.state.From = 0
	}
}

// pays is the level from which on judging gained most, or the number of levels
// when it was a loss from wherever.
//
// Measured in nodes without the ledger, it costs about three to make the sieve
// of a node, and one to judge a candidate by itself. To judge at a level, and
// not only at the next, costs this there; for each candidate that is refused
// it saves a node and what it costs to judge below it.
func pays(seen []Level) int {
	cost := func(l Level) int64 { return 3*l.Nodes + l.Judged - l.Sieved }
	from, most, gain := len(seen), int64(0), int64(0)
	for i := len(seen) - 2; i >= 0; i-- {
		here, next := seen[i], seen[i+1]
		saved := here.Fires
		if next.Nodes > 0 {
			saved += here.Fires * cost(next) / next.Nodes
		}
		if gain += saved - cost(here); gain > most {
			from, most = i, gain
		}
	}
	return from
}
