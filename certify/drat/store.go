package drat

import (
	"fmt"
	"math"
)

// A clause of three literals or more stands in the arena as a header and its
// literals; those it watches come first.
const (
	nextAt = 0 // the next clause in the same bucket of the hash table; 0: none
	sizeAt = 1 // the number of literals, and whether the clause is deleted
	header = 2

	deleted = 1 << 31
)

// store holds the long clauses, one after the other, and finds them by their
// literals.
type store struct {
	arena []uint32
	heads []uint32 // hash table: the first clause in each bucket; a power of two long
	live  int      // clauses
	waste int      // words of deleted clauses
	first []uint32 // by literal: no clause before this one holds it; 0: none holds it
}

// reset empties the store and makes room for so many clauses in so many words.
func (s *store) reset(clauses, words int) {
	s.arena = make([]uint32, 1, words) // so that 0 is no clause
	buckets := 1 << 8
	for buckets < clauses {
		buckets *= 2
	}
	s.heads = make([]uint32, buckets)
}

// put adds a clause.
func (s *store) put(lits []uint32) (ref uint32, err error) {
	if uint64(len(s.arena)+header+len(lits)) > math.MaxUint32 {
		return 0, fmt.Errorf("%w: more than %d literals", ErrMemory, len(s.arena))
	}
	ref = uint32(len(s.arena))
	s.arena = append(s.arena, 0, uint32(len(lits)))
	s.arena = append(s.arena, lits...)
	for _, l := range lits {
		if s.first[l] == 0 {
			s.first[l] = ref
		}
	}
	s.live++
	if s.live > len(s.heads) {
		s.heads = make([]uint32, 2*len(s.heads))
		s.rehash()
	} else {
		s.link(ref, lits)
	}
	return ref, nil
}

func (s *store) literals(ref uint32) []uint32 {
	size := s.arena[ref+sizeAt] &^ deleted
	return s.arena[ref+header : ref+header+size]
}

// after is the place of the clause behind this one, or the end of the arena.
func (s *store) after(ref uint32) uint32 {
	return ref + header + s.arena[ref+sizeAt]&^deleted
}

func (s *store) gone(ref uint32) bool { return s.arena[ref+sizeAt]&deleted != 0 }

func (s *store) link(ref uint32, lits []uint32) {
	bucket := &s.heads[hash(lits)&uint32(len(s.heads)-1)]
	s.arena[ref+nextAt] = *bucket
	*bucket = ref
}

// rehash links all clauses into an empty table.
func (s *store) rehash() {
	for ref := uint32(1); int(ref) < len(s.arena); ref = s.after(ref) {
		if !s.gone(ref) {
			s.link(ref, s.literals(ref))
		}
	}
}

// drop deletes one clause with these literals, which are those marked. Its
// place is kept, and watches may still name it, until the next compaction.
func (s *store) drop(lits []uint32, mark []bool) bool {
	at := &s.heads[hash(lits)&uint32(len(s.heads)-1)]
search:
	for ; *at != 0; at = &s.arena[*at+nextAt] {
		ref := *at
		if int(s.arena[ref+sizeAt]) != len(lits) {
			continue
		}
		for _, l := range s.literals(ref) {
			if !mark[l] {
				continue search
			}
		}
		*at = s.arena[ref+nextAt]
		s.arena[ref+sizeAt] |= deleted
		s.live--
		s.waste += header + len(lits)
		return true
	}
	return false
}

// forward notes in each clause that is left where compact will put it. The hash
// table is of no use in between.
func (s *store) forward() {
	to := uint32(1)
	for ref := uint32(1); int(ref) < len(s.arena); ref = s.after(ref) {
		if !s.gone(ref) {
			s.arena[ref+nextAt] = to
			to += header + s.arena[ref+sizeAt]
		}
	}
}

// moved is where compact will put a clause; 0 for a deleted one.
func (s *store) moved(ref uint32) uint32 {
	if s.gone(ref) {
		return 0
	}
	return s.arena[ref+nextAt]
}

// compact closes the gaps. The clauses keep their order.
func (s *store) compact() {
	clear(s.heads)
	clear(s.first)
	to := uint32(1)
	for ref, end := uint32(1), uint32(0); int(ref) < len(s.arena); ref = end {
		end = s.after(ref)
		if s.gone(ref) {
			continue
		}
		copy(s.arena[to:], s.arena[ref:end])
		for _, l := range s.literals(to) {
			if s.first[l] == 0 {
				s.first[l] = to
			}
		}
		to += end - ref
	}
	s.arena = s.arena[:to]
	s.waste = 0
	s.rehash()
}

// hash does not depend on the order of the literals. Each is scrambled before it
// is added: sums of multiples would be equal for clauses that differ in signs.
func hash(lits []uint32) uint32 {
	var sum uint32
	for _, l := range lits {
		l *= 0x9e3779b1
		l ^= l >> 15
		l *= 0x85ebca6b
		l ^= l >> 13
		l *= 0xc2b2ae35
		sum += l ^ l>>16
	}
	return sum
}
