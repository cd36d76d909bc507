package drat

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"lastmile/certify/cnf"
)

// formula makes a formula over so many variables.
func formula(vars int, clauses ...[]int32) *cnf.Formula {
	f := &cnf.Formula{Vars: vars}
	for _, c := range clauses {
		f.Add(c...)
	}
	return f
}

// random makes a formula of clauses of one to three literals, which may stand
// twice or be each other's negation.
func random(rng *rand.Rand, vars, clauses int) *cnf.Formula {
	f := &cnf.Formula{Vars: vars}
	for range clauses {
		length := 3
		if rng.IntN(4) == 0 {
			length = 1 + rng.IntN(3)
		}
		f.Add(literals(rng, vars, length)...)
	}
	return f
}

func literals(rng *rand.Rand, vars, length int) []int32 {
	c := make([]int32, length)
	for i := range c {
		c[i] = int32(1 + rng.IntN(vars))
		if rng.IntN(2) == 0 {
			c[i] = -c[i]
		}
	}
	return c
}

// satisfiable tries every assignment.
func satisfiable(f *cnf.Formula) bool {
	model := make([]bool, f.Vars)
	for n := range 1 << f.Vars {
		for v := range model {
			model[v] = n>>v&1 != 0
		}
		if f.Satisfied(model) {
			return true
		}
	}
	return false
}

// prove branches on the variables in their order, down to a false clause, and
// writes the negated decisions of each node as a lemma on the way back. It
// tells whether the formula has a model; then it stops.
func prove(f *cnf.Formula, w *Writer) bool {
	clauses := slices.Collect(f.All())
	var decisions []int32
	var node func(v int32) bool
	node = func(v int32) bool {
		if !falsified(clauses, decisions) {
			if int(v) > f.Vars {
				return true
			}
			for _, l := range []int32{v, -v} {
				decisions = append(decisions, l)
				if node(v + 1) {
					return true
				}
				decisions = decisions[:len(decisions)-1]
			}
		}
		lemma := make([]int32, len(decisions))
		for i, d := range decisions {
			lemma[i] = -d
		}
		w.Add(lemma...)
		if len(lemma) > 0 && lemma[len(lemma)-1] > 0 { // both sides are done
			w.Delete(append([]int32{-lemma[len(lemma)-1]}, lemma[:len(lemma)-1]...)...)
		}
		return false
	}
	return node(1)
}

func falsified(clauses [][]int32, decisions []int32) bool {
	return slices.ContainsFunc(clauses, func(c []int32) bool {
		return !slices.ContainsFunc(c, func(l int32) bool { return !slices.Contains(decisions, -l) })
	})
}

// proved returns the proof of prove.
func proved(f *cnf.Formula) (proof []byte, sat bool) {
	var b bytes.Buffer
	w := NewWriter(&b)
	sat = prove(f, w)
	if err := w.Flush(); err != nil {
		panic(err)
	}
	return b.Bytes(), sat
}

// pigeons says that so many pigeons and one more sit in so many holes, one in each.
func pigeons(holes int) *cnf.Formula {
	f := &cnf.Formula{Vars: holes * (holes + 1)}
	sits := func(p, h int) int32 { return int32(p*holes + h + 1) }
	for p := range holes + 1 {
		var c []int32
		for h := range holes {
			c = append(c, sits(p, h))
			for q := range p {
				f.Add(-sits(p, h), -sits(q, h))
			}
		}
		f.Add(c...)
	}
	return f
}

// provePigeons refutes pigeons in O(holes^4) by extension variables (Cook, 1976):
// one hole and one pigeon less, where i sits in j if it did, or if it sat in the
// last hole and the last pigeon sat in j.
func provePigeons(holes int, w *Writer) {
	sits := func(p, h int) int32 { return int32(p*holes + h + 1) }
	fresh := int32(holes * (holes + 1))
	for n := holes; n > 1; n-- {
		base, old, last := fresh, sits, n-1
		width := last
		sits = func(p, h int) int32 { return base + int32(p*width+h+1) }
		fresh += int32(n * last)
		for p := range n {
			for h := range last {
				now, was, moved, free := sits(p, h), old(p, h), old(p, last), old(n, h)
				w.Add(now, -was)
				w.Add(now, -moved, -free)
				w.Add(-now, was, moved)
				w.Add(-now, was, free)
			}
		}
		for p := range n {
			var c []int32
			for h := range last {
				c = append(c, sits(p, h))
				for q := range p {
					w.Add(-sits(p, h), -sits(q, h), old(p, last))
					w.Add(-sits(p, h), -sits(q, h))
					w.Delete(old(p, last), -sits(q, h), -sits(p, h))
				}
			}
			w.Add(c...)
		}
	}
	w.Add()
}
