package solver

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"lastmile/certify/cnf"
)

// propagated is the twin of propagate: it goes through all clauses until
// nothing changes.
func propagated(f *cnf.Formula, units []int32) (value []int8, ok bool) {
	value = make([]int8, f.Vars+1)
	all := slices.Collect(f.All())
	for _, u := range units {
		all = append(all, []int32{u})
	}
	for changed := true; changed; {
		changed = false
		for _, c := range all {
			var open []int32
			holds := false
			for _, l := range c {
				switch v := value[max(l, -l)]; {
				case v == 0:
					if holds = holds || slices.Contains(open, -l); !slices.Contains(open, l) {
						open = append(open, l)
					}
				case v > 0 == (l > 0):
					holds = true
				}
			}
			switch {
			case holds:
			case len(open) == 0:
				return nil, false
			case len(open) == 1:
				value[max(open[0], -open[0])] = 1
				if open[0] < 0 {
					value[-open[0]] = -1
				}
				changed = true
			}
		}
	}
	return value, true
}

func TestPropagateAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	settledOnes := 0
	for range 3000 {
		vars := 1 + r.IntN(8)
		f := &cnf.Formula{Vars: vars}
		literal := func() int32 { return int32(1+r.IntN(vars)) * int32(1-2*r.IntN(2)) }
		for range r.IntN(12) {
			var c []int32
			for range 1 + r.IntN(4) {
				c = append(c, literal())
			}
			f.Add(c...)
		}
		var units []int32
		for range r.IntN(3) {
			units = append(units, literal())
		}
		left, err := propagate(t.Context(), f, units)
		if err != nil {
			t.Fatal(err)
		}
		value, ok := propagated(f, units)
		if left.refuted == ok || ok && !slices.Equal(left.value, value) {
			t.Fatalf("%v with %v: refuted %v, values %v; want %v, %v", slices.Collect(f.All()), units, left.refuted, left.value, !ok, value)
		}
		if !ok {
			continue
		}
		// What is left says the same of the open variables.
		for n := range 1 << vars {
			model := make([]bool, vars)
			for v := range model {
				model[v] = n>>v&1 == 1
			}
			if model = left.model(model); f.Satisfied(model) != holds(left.clauses, model) {
				t.Fatalf("%v with %v leaves %v: they differ at %v", slices.Collect(f.All()), units, left.clauses, model)
			}
		}
		for _, c := range left.clauses {
			slices.Sort(c)
			if len(c) < 2 || len(slices.Compact(c)) != len(c) || slices.ContainsFunc(c, func(l int) bool {
				return slices.Contains(c, -l) || value[max(l, -l)] != 0
			}) {
				t.Fatalf("clause %v is left", c)
			}
			settledOnes++
		}
	}
	if settledOnes == 0 {
		t.Error("no clause was ever left")
	}
}

func holds(clauses [][]int, model []bool) bool {
	for _, c := range clauses {
		if !slices.ContainsFunc(c, func(l int) bool { return model[max(l, -l)-1] == (l > 0) }) {
			return false
		}
	}
	return true
}

func TestPropagateStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := propagate(ctx, pigeons(3), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
