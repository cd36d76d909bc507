package construct

import "math/bits"

// seen finds the child of the pool that has a given hash: open addressing
// with linear probing, at most half full, cleared in O(1) by a generation.
type seen struct {
	at         []int32
	generation []uint32
	now        uint32
	mask       uint64
}

func newSeen(pool int) *seen {
	size := 1 << bits.Len(uint(2*pool))
	return &seen{make([]int32, size), make([]uint32, size), 1, uint64(size - 1)}
}

func (s *seen) clear() {
	s.now++
	if s.now == 0 {
		clear(s.generation)
		s.now = 1
	}
}

// find returns the index in the pool of the child with this hash, or -1.
func (s *seen) find(hash uint64, pool []child) int32 {
	for i := hash & s.mask; s.generation[i] == s.now; i = (i + 1) & s.mask {
		if pool[s.at[i]].hash == hash {
			return s.at[i]
		}
	}
	return -1
}

func (s *seen) add(hash uint64, at int32) {
	i := hash & s.mask
	for s.generation[i] == s.now {
		i = (i + 1) & s.mask
	}
	s.at[i], s.generation[i] = at, s.now
}
