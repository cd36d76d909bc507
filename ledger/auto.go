package ledger

// Under a generous budget the ledger hardly ever fires, and keeping it is a
// loss; near the end of the budget it fires all the time. Auto keeps it from
// the level on where it has been paying. Now and then comes a round, a look,
// in which every candidate is judged; after it the levels are weighed.
const looks = 16 // rounds from one look to the next

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
	switch (x.state.Round - 1) % looks {
	case 0: // the next round is a look
		x.state.From = 0
	case 1: // this one was
		seen := make([]Level, len(x.plan.steps))
		for _, p := range parts {
			for i, l := range p.levels {
				seen[i].add(l)
			}
		}
		x.state.From = pays(seen)
	}
}

// pays is the level from which on judging gained most, or the number of levels
// when it was a loss from wherever.
//
// To judge a candidate costs about as much as a node does without the ledger.
// To judge at a level, and not only at the next, costs this for each candidate
// there, and for each one refused it saves a node and the judging of the
// candidates below it.
func pays(seen []Level) int {
	from, most, gain := len(seen), int64(0), int64(0)
	for i := len(seen) - 2; i >= 0; i-- {
		here, next := seen[i], seen[i+1]
		saved := here.Fires
		if next.Nodes > 0 {
			saved += here.Fires * next.Judged / next.Nodes
		}
		if gain += saved - here.Judged; gain > most {
			from, most = i, gain
		}
	}
	return from
}
