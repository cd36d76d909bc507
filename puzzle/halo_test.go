package puzzle

import (
	"slices"
	"testing"
)

func TestHalo(t *testing.T) {
	p := Official()
	for _, c := range []struct {
		cells  []int
		radius int
		metric Metric
		want   int
	}{
		{[]int{0}, 0, Chebyshev, 1}, {[]int{0}, 1, Chebyshev, 4}, {[]int{0}, 1, Manhattan, 3},
		{[]int{100}, 1, Chebyshev, 9}, {[]int{100}, 2, Manhattan, 13}, {[]int{100, 101}, 1, Manhattan, 8},
		{[]int{255}, 300, Manhattan, 256}, {nil, 3, Chebyshev, 0},
	} {
		got := p.Halo(c.cells, c.radius, c.metric)
		if len(got) != c.want || !slices.IsSorted(got) {
			t.Errorf("halo-%d of %v, %v: %d cells %v, want %d", c.radius, c.cells, c.metric, len(got), got, c.want)
		}
	}
	// Published sizes: the cells freed around the breaks of the record boards.
	for name, want := range map[string][4]int{
		"blackwood-470": {62, 91, 116, 141}, "mcgavin-469": {50, 79, 100, 122}, "blackwood-468": {62, 87, 114, 139},
		"verhaard-467": {67, 87, 109, 133}, "riotte-464": {72, 99, 123, 148},
	} {
		r, _ := RecordNamed(name)
		b := NewBoard(p)
		b.Load(r.Board)
		broken := b.BrokenCells()
		for i, n := range want {
			if got := len(p.Halo(broken, i+1, Chebyshev)); got != n {
				t.Errorf("%s, halo-%d: %d cells, want %d", name, i+1, got, n)
			}
		}
	}
	if _, err := MetricNamed("euclid"); err == nil {
		t.Error("euclid is no metric")
	}
}

// A board turned four times is itself, and its score does not depend on how it
// lies.
func TestTurned(t *testing.T) {
	p, solution, err := Generate(Spec{Width: 4, Height: 4, Colours: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	at, whole := solution, p.MaxScore()
	for turns := 1; turns <= 4; turns++ {
		if at, err = p.Turned(at, 1); err != nil {
			t.Fatal(err)
		}
		b := NewBoard(p)
		b.Load(at)
		if b.Score() != whole || len(p.Look(at).Tally().RimFaults) > 0 {
			t.Errorf("turned %d times: score %d of %d, rim faults %v", turns, b.Score(), whole, p.Look(at).Tally().RimFaults)
		}
		once, _ := p.Turned(solution, turns)
		sorted := func(q []Placement) []Placement {
			q = slices.Clone(q)
			slices.SortFunc(q, func(a, b Placement) int { return a.Cell - b.Cell })
			return q
		}
		if !slices.Equal(sorted(once), sorted(at)) {
			t.Errorf("turned by %d and %d times by one differ", turns, turns)
		}
	}
	oblong, solution, err := Generate(Spec{Width: 5, Height: 3, Colours: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := oblong.Turned(solution, 1); err == nil {
		t.Error("an oblong board was turned by a quarter")
	}
	half, err := oblong.Turned(solution, 2)
	if b := NewBoard(oblong); err == nil {
		b.Load(half)
		if b.Score() != oblong.MaxScore() {
			t.Errorf("turned by half: score %d", b.Score())
		}
	} else {
		t.Error(err)
	}
}
