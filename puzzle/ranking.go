package puzzle

// ranking keeps 0..n-1 in falling order of a small value that each has, as the
// values rise and fall by one: equal values stand side by side, and a change is
// one exchange with the end of its run. O(1), no allocation.
type ranking struct {
	order []int32 // highest value first
	ranks []rank  // by element
	above []int32 // by value: how many elements are above it
}

type rank struct {
	value, place int32 // place is the index in order
}

func newRanking(n, most int) ranking {
	return ranking{order: make([]int32, n), ranks: make([]rank, n), above: make([]int32, most+1)}
}

// clear sets all values to 0. The order is then that of the elements.
func (r *ranking) clear() {
	for i := range r.order {
		r.order[i], r.ranks[i] = int32(i), rank{0, int32(i)}
	}
	clear(r.above)
}

// raise adds one to the value of x: x changes places with the first of its
// run, which then ends the run above.
func (r *ranking) raise(x int32) {
	k := &r.ranks[x]
	above := &r.above[k.value]
	first := *above
	*above++
	k.value++
	y, place := r.order[first], k.place // y may be x
	r.order[place], r.order[first] = y, x
	r.ranks[y].place, k.place = place, first
}

// lower takes one from the value of x: x changes places with the last of its
// run, which then begins the run below.
func (r *ranking) lower(x int32) {
	k := &r.ranks[x]
	k.value--
	above := &r.above[k.value]
	*above--
	last := *above
	y, place := r.order[last], k.place // y may be x
	r.order[place], r.order[last] = y, x
	r.ranks[y].place, k.place = place, last
}
