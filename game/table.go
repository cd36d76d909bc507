package game

// table remembers what searches of positions have found.
type table struct {
	buckets []bucket
	shift   int // of a key, to its bucket
	age     uint8
}

// bucket is one line of the cache.
type bucket [4]entry

type entry struct {
	key   uint64
	value int16
	move  Move
	depth int8
	bound bound
	age   uint8
}

// bound says what a value is.
type bound uint8

const (
	unknown bound = iota
	atLeast
	atMost
	exact
)

func newTable(bits int) *table {
	bits = max(bits-2, 0)
	return &table{buckets: make([]bucket, 1<<bits), shift: 64 - bits}
}

// find returns what is known of a position, or nil.
func (t *table) find(key uint64) *entry {
	b := &t.buckets[key>>t.shift]
	for i := range b {
		if b[i].key == key && b[i].bound != unknown {
			return &b[i]
		}
	}
	return nil
}

// keep remembers a value. It takes the place of what was known of the position,
// else of the least useful entry: an old one, or a shallow one.
func (t *table) keep(key uint64, value Points, move Move, depth int, kind bound) {
	b := &t.buckets[key>>t.shift]
	worst, least := 0, 1<<30
	for i := range b {
		e := &b[i]
		if e.key == key && e.bound != unknown {
			if move == none {
				move = e.move
			}
			worst = i
			break
		}
		worth := int(e.depth)
		if e.bound == unknown {
			worth = -1000
		} else if e.age != t.age {
			worth -= 256
		}
		if worth < least {
			worst, least = i, worth
		}
	}
	b[worst] = entry{key, int16(value), move, int8(depth), kind, t.age}
}

// forget makes the table as new.
func (t *table) forget() {
	clear(t.buckets)
	t.age = 0
}
