package puzzle

import (
	"testing"

	"lastmile/random"
)

// Whatever rises and falls, the order falls by value and the counts are right.
func TestRanking(t *testing.T) {
	const n, most = 9, 6
	g := newRanking(n, most)
	g.clear()
	r := random.New(1, "ranking", 0)
	var want [n]int
	for range 20_000 {
		x := r.Below(n)
		switch up := r.Below(2) == 0; {
		case up && want[x] < most:
			want[x]++
			g.raise(int32(x))
		case !up && want[x] > 0:
			want[x]--
			g.lower(int32(x))
		}
		for i, x := range g.order {
			if int(g.ranks[x].value) != want[x] || int(g.ranks[x].place) != i {
				t.Fatalf("element %d: %+v, want value %d at %d", x, g.ranks[x], want[x], i)
			}
			if i > 0 && want[g.order[i-1]] < want[x] {
				t.Fatalf("order %v of %v", g.order, want)
			}
		}
		for v := range most + 1 {
			above := 0
			for _, w := range want {
				if w > v {
					above++
				}
			}
			if int(g.above[v]) != above {
				t.Fatalf("%d above %d, want %d", g.above[v], v, above)
			}
		}
	}
}
