package solver

import (
	"context"
	"slices"

	"lastmile/certify/cnf"
)

// rest is what unit propagation leaves of a formula: clauses of two literals or
// more over open variables, no literal twice in one, none with its opposite.
type rest struct {
	value   []int8  // by variable: 1 or -1 where propagation settled it
	clauses [][]int // over open variables
	refuted bool    // propagation met a clause without a true or open literal
}

// propagate settles what follows from the unit clauses of a formula, and from
// the units given beside it, in time linear in its size. It stops early when the
// context ends.
func propagate(ctx context.Context, f *cnf.Formula, units []int32) (*rest, error) {
	r := &rest{value: make([]int8, f.Vars+1)}
	var (
		literals = make([]int32, 0, f.Literals())
		end      = make([]int, 0, f.Clauses) // of each clause, in literals
		queue    = slices.Clone(units)
		seen     = make([]int32, f.Vars+1) // by variable: the literal last seen, within the clause
	)
	for clause := range f.All() {
		if len(end)%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from := len(literals)
		opposite := false
		for _, l := range clause {
			switch seen[max(l, -l)] {
			case l:
			case -l:
				opposite = true
			default:
				seen[max(l, -l)] = l
				literals = append(literals, l)
			}
		}
		for _, l := range literals[from:] {
			seen[max(l, -l)] = 0
		}
		switch {
		case opposite:
			literals = literals[:from]
		case len(literals) == from:
			r.refuted = true
			return r, nil
		case len(literals) == from+1:
			queue = append(queue, literals[from])
			literals = literals[:from]
		default:
			end = append(end, len(literals))
		}
	}

	// Clauses by the literals that are in them.
	at := func(l int32) int { return 2*int(max(l, -l)) + int(uint32(l)>>31) }
	first := make([]int, 2*f.Vars+4)
	for _, l := range literals {
		first[at(l)+2]++
	}
	for i := 2; i < len(first); i++ {
		first[i] += first[i-1]
	}
	within := make([]int32, len(literals))
	open := make([]int32, len(end)) // literals that are not false
	from := 0
	for c, to := range end {
		for _, l := range literals[from:to] {
			within[first[at(l)+1]] = int32(c)
			first[at(l)+1]++
		}
		open[c] = int32(to - from)
		from = to
	}

	clause := func(c int32) []int32 {
		if c == 0 {
			return literals[:end[0]]
		}
		return literals[end[c-1]:end[c]]
	}
	for i := 0; i < len(queue); i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := queue[i]
		switch r.of(l) {
		case 1:
			continue
		case -1:
			r.refuted = true
			return r, nil
		}
		r.value[max(l, -l)] = 1
		if l < 0 {
			r.value[-l] = -1
		}
		for _, c := range within[first[at(-l)]:first[at(-l)+1]] {
			if open[c]--; open[c] != 1 {
				continue
			}
			for _, k := range clause(c) {
				if r.of(k) >= 0 {
					queue = append(queue, k)
					break
				}
			}
		}
	}

	kept := make([]int, 0, len(literals))
	for c := range end {
		all := clause(int32(c))
		if slices.ContainsFunc(all, func(l int32) bool { return r.of(l) == 1 }) {
			continue
		}
		from := len(kept)
		for _, l := range all {
			if r.of(l) == 0 {
				kept = append(kept, int(l))
			}
		}
		r.clauses = append(r.clauses, kept[from:len(kept):len(kept)])
	}
	return r, nil
}

// of is 1 where the literal is true, -1 where it is false, 0 where it is open.
func (r *rest) of(l int32) int8 {
	if l < 0 {
		return -r.value[-l]
	}
	return r.value[l]
}

// model gives every variable its value, open ones as in open, or false.
func (r *rest) model(open []bool) []bool {
	m := make([]bool, len(r.value)-1)
	copy(m, open)
	for v, value := range r.value[1:] {
		if value != 0 {
			m[v] = value > 0
		}
	}
	return m
}
