package ledger

import "math/bits"

// A sieve refuses many candidates at once. Whatever else it does to the sum of
// half-edges that will lie in breaks, a side whose colour has nothing to spare
// adds to it; when the limit leaves no room for that, no candidate with such a
// colour there need be looked at alone. What a sieve refuses, the ledger would
// have refused one by one.
type sieve struct {
	shift uint   // of the sum, in a word of sums
	gains []gain // there are a few only
}

// gain is what a step of a state adds to the sum, by state.
type gain struct {
	step int32
	adds []int8
}

// newSieve prepares for the conditions that count half-edges in breaks; for
// others there is none.
func newSieve(c Conditions) *sieve {
	switch {
	case c&Kinds != 0:
		return &sieve{shift: fieldBits * splitLoss}
	case c&Combined != 0:
		return &sieve{shift: fieldBits * loss}
	}
	return nil
}

// equip gives a step what the sieve asks of its sides.
func (v *sieve) equip(s *step, cost []uint64) {
	for j := range s.afters {
		s.after[j].gain = v.gain(cost, s.after[j].step)
	}
	for j := range s.knowns {
		s.known[j].gainMine = v.gain(cost, -s.known[j].unit)
		s.known[j].gainTheirs = v.gain(cost, s.known[j].unit)
	}
}

func (v *sieve) gain(cost []uint64, step int32) []int8 {
	for i := range v.gains {
		if v.gains[i].step == step {
			return v.gains[i].adds
		}
	}
	g := make([]int8, len(cost))
	for state := range cost {
		if to := state + int(step); to >= 0 && to < len(cost) {
			g[state] = int8(v.sum(cost[to]) - v.sum(cost[state]))
		}
	}
	v.gains = append(v.gains, gain{step, g})
	return g
}

func (v *sieve) sum(word uint64) int { return int(word >> v.shift & 0x7fff) }

// patterns are the sets of known sides that may be mismatched, by the number of
// known sides, the smallest set first.
var patterns = [5][]uint8{
	{0},
	{0, 1},
	{0, 1, 2, 3},
	{0, 1, 2, 4, 3, 5, 6, 7},
	{0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15},
}

// ample is more than a candidate can add to the sum.
const ample = 16

// enterSieved lists the candidates of a level less those that the sieve
// refuses.
//
// A candidate changes the sum by what its mismatched neighbours gain, known
// before it is chosen, and by what each of its own sides gains that is
// mismatched or faces no piece: two values two apart, by its colour. So when
// all sides at their best leave less than two of the limit, each side must be
// at its best; when they leave less than none, nothing will do. A colour that
// a mismatched neighbour shows is left out: its state changes first.
func (e *engine) enterSieved(s *step, l *level) int32 {
	words := int(s.shape.class.words)
	hand := e.hand[s.shape.class.start:][:words]
	left := e.bound - int(l.used)
	most := min(left, e.plan.cap, s.knowns)
	room := ample // where nothing is judged, the candidates still come in the same order
	if e.depth >= e.from {
		e.catchUp()
		v := e.plan.sieve
		room = int((s.limit+uint64(left)*e.plan.scheme.perBreak)>>v.shift&0x7fff) - int(e.tally.sums>>v.shift&0x7fff)
	}
	n := s.first
	e.costed = 0
	for rank, broken := range patterns[s.knowns] {
		charge := bits.OnesCount8(broken)
		if charge > most {
			break
		}
		spare := room
		if room < ample {
			spare += s.frees - charge - e.theirs(s, broken)
		}
		for w, free := range hand {
			for i := range s.knowns {
				k := &s.known[i]
				fits := s.shape.masks[int(k.masks)+int(e.colours[k.at])*words+w]
				free &= fits ^ -uint64(broken>>i&1)
			}
			if free == 0 || spare >= 2 {
				n = e.list(n, free, w, charge, rank)
				continue
			}
			refused := free
			if spare >= 0 {
				refused &= e.costly(s, broken, w)
			}
			fires := int64(bits.OnesCount64(refused))
			e.judge(fires)
			e.refuse(fires)
			if e.profile != nil {
				e.profile[e.depth].Sieved += fires
			}
			e.counts.Losses += fires
			n = e.list(n, free&^refused, w, charge, rank)
		}
	}
	return n
}

// theirs is what the neighbours on the mismatched sides gain.
func (e *engine) theirs(s *step, broken uint8) (gain int) {
	for i := range s.knowns {
		if broken>>i&1 == 0 {
			continue
		}
		k := &s.known[i]
		key := k.key + int32(e.colours[k.at])
		state := e.tally.state[key]
		for j := range i { // the same colour may have been taken before
			if h := &s.known[j]; broken>>j&1 == 1 && h.key+int32(e.colours[h.at]) == key {
				state += h.unit
			}
		}
		gain += int(k.gainTheirs[state])
	}
	return gain
}

// costly is the candidates in a word of which some side, mismatched or facing
// no piece, is not at its best.
func (e *engine) costly(s *step, broken uint8, w int) (found uint64) {
	for i := range s.afters {
		a := &s.after[i]
		found |= e.costlyOn(s, broken, int(a.side), a.key, a.gain, w)
	}
	for i := range s.knowns {
		if k := &s.known[i]; broken>>i&1 == 1 {
			found |= e.costlyOn(s, broken, int(k.side), k.key, k.gainMine, w)
		}
	}
	return found
}

// costlyOn is the candidates of all words whose colour on a side makes the sum
// grow, less those with a colour that a mismatched neighbour shows.
func (e *engine) costlyOn(s *step, broken uint8, side int, key int32, gain []int8, w int) uint64 {
	words, colours := int(s.shape.class.words), e.plan.scheme.colours
	masks := s.shape.masks[side*(colours+1)*words:]
	found := e.costs[side*e.plan.widest:][:words]
	if e.costed>>side&1 == 0 {
		e.costed |= 1 << side
		// Whether a colour grows is hard to guess, so there is no branch on it.
		state := e.tally.state[key:][:colours+1]
		clear(found)
		if words == 1 {
			for c, m := range masks[:len(state)] { // grey has no bits
				found[0] |= m & grows(gain[state[c]])
			}
		} else {
			for c := range state {
				all := grows(gain[state[c]])
				for w, m := range masks[c*words:][:words] {
					found[w] |= m & all
				}
			}
		}
	}
	word := found[w]
	for i := range s.knowns {
		if broken>>i&1 == 1 {
			word &^= masks[int(e.colours[s.known[i].at])*words+w]
		}
	}
	return word
}

// grows is all bits when a gain is above zero, and none otherwise.
func grows(gain int8) uint64 { return uint64(-int64(gain) >> 63) }
