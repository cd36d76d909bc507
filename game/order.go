package game

// orderer says in which order moves are tried: the one that the table remembers,
// then by what they gain, then those that have cut other branches.
type orderer struct {
	killers [maxPly][2]Move
	history [1 << 16]int32 // by move, growing with the depth that it cut
	known   []Move         // those whose history is not 0
}

const (
	rankTable  = 1 << 30
	rankGain   = 1 << 24 // for each unit of gain
	rankKiller = 1 << 23
	maxHistory = rankKiller >> 1
)

// ranked is a move with its rank, and what a look ahead said of it.
type ranked struct {
	rank int32
	look Points
	move Move
}

// rank enters the moves of a position with their ranks.
func (o *orderer) rank(list []ranked, moves []Move, b Board, remembered Move, ply int) []ranked {
	killers := &o.killers[ply]
	for _, m := range moves {
		var r int32
		switch {
		case m == remembered && m != none:
			r = rankTable
		default:
			r = int32(min(b.Gain(m), 60)) * rankGain
			if m == killers[0] || m == killers[1] {
				r += rankKiller
			}
			r += o.history[m]
		}
		list = append(list, ranked{rank: r, move: m})
	}
	return list
}

// next brings the move of the highest rank to place i, and returns it. Among
// equals the first one comes first.
func next(list []ranked, i int) ranked {
	best := i
	for j := i + 1; j < len(list); j++ {
		if list[j].rank > list[best].rank {
			best = j
		}
	}
	m := list[best]
	copy(list[i+1:best+1], list[i:best])
	list[i] = m
	return m
}

// cut remembers that a move was good enough at a ply.
func (o *orderer) cut(m Move, gain, ply, depth int) {
	h := &o.history[m]
	if *h == 0 && depth > 0 {
		o.known = append(o.known, m)
	}
	*h += int32(depth * depth)
	if *h > maxHistory {
		o.shrink(2)
	}
	if k := &o.killers[ply]; gain == 0 && k[0] != m {
		k[0], k[1] = m, k[0]
	}
}

// fade makes room for what the next search learns.
func (o *orderer) fade() {
	for i := range o.killers {
		o.killers[i] = [2]Move{none, none}
	}
	o.shrink(8)
}

// shrink divides all histories.
func (o *orderer) shrink(by int32) {
	left := o.known[:0]
	for _, m := range o.known {
		if o.history[m] /= by; o.history[m] != 0 {
			left = append(left, m)
		}
	}
	o.known = left
}

// forget makes it as new.
func (o *orderer) forget() {
	o.shrink(maxHistory + 1)
	o.fade()
}
