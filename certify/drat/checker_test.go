package drat

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lastmile/certify/cnf"
)

// twin is the checker without any cleverness: all clauses in a list, forced
// literals among them as clauses of their own.
type twin struct {
	clauses [][]int32
	refuted bool
}

func (s *twin) put(clause []int32) {
	if c := normal(clause); c != nil {
		s.clauses = append(s.clauses, c)
	}
	for !s.refuted {
		values, conflict := s.propagate(nil)
		s.refuted = conflict
		grown := false
		for l := range values {
			if unit := []int32{l}; !slices.ContainsFunc(s.clauses, func(c []int32) bool { return slices.Equal(c, unit) }) {
				s.clauses = append(s.clauses, unit)
				grown = true
			}
		}
		if !grown {
			return
		}
	}
}

// normal is the clause sorted, each literal once; nil for a tautology.
func normal(clause []int32) []int32 {
	c := slices.Clone(clause)
	slices.Sort(c)
	c = slices.Compact(c)
	for _, l := range c {
		if slices.Contains(c, -l) {
			return nil
		}
	}
	if c == nil {
		c = []int32{}
	}
	return c
}

func (s *twin) remove(clause []int32) {
	c := normal(clause)
	if c == nil || len(c) == 1 {
		return
	}
	if i := slices.IndexFunc(s.clauses, func(o []int32) bool { return slices.Equal(c, o) }); i >= 0 {
		s.clauses = slices.Delete(s.clauses, i, i+1)
	}
}

func (s *twin) propagate(assumed []int32) (values map[int32]bool, conflict bool) {
	values = map[int32]bool{}
	for _, a := range assumed {
		if values[-a] {
			return values, true
		}
		values[a] = true
	}
	for changed := true; changed; {
		changed = false
		for _, c := range s.clauses {
			var free []int32
			sat := false
			for _, l := range c {
				sat = sat || values[l]
				if !values[-l] {
					free = append(free, l)
				}
			}
			switch {
			case sat || len(free) > 1:
			case len(free) == 0:
				return values, true
			default:
				values[free[0]] = true
				changed = true
			}
		}
	}
	return values, false
}

func (s *twin) rup(clause []int32) bool {
	var assumed []int32
	for _, l := range clause {
		assumed = append(assumed, -l)
	}
	_, conflict := s.propagate(assumed)
	return conflict
}

func (s *twin) accepts(lemma []int32) bool {
	if s.refuted || normal(lemma) == nil || s.rup(lemma) {
		return true
	}
	if len(lemma) == 0 {
		return false
	}
	for _, c := range s.clauses {
		if !slices.Contains(c, -lemma[0]) {
			continue
		}
		resolvent := slices.Clone(lemma)
		for _, l := range c {
			if l != -lemma[0] {
				resolvent = append(resolvent, l)
			}
		}
		if !s.rup(resolvent) {
			return false
		}
	}
	return true
}

// Random lemmas and deletions get the answers of the twin, and what is believed never
// costs the formula its models.
func TestAgainstTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	accepted, refused, rat, refuted := 0, 0, 0, 0
	for range 1500 {
		const vars, extended = 5, 7
		f := random(rng, vars, 4+rng.IntN(16))
		c, s := New(f), &twin{}
		for clause := range f.All() {
			s.put(clause)
		}
		sat := satisfiable(f)
		for range 30 {
			if c.Refuted() != s.refuted {
				t.Fatalf("refuted %v, want %v\n%s", c.Refuted(), s.refuted, dimacs(f))
			}
			if c.Refuted() {
				break
			}
			clause := literals(rng, extended, rng.IntN(4))
			if rng.IntN(3) == 0 && len(s.clauses) > 0 {
				clause = slices.Clone(s.clauses[rng.IntN(len(s.clauses))])
				rng.Shuffle(len(clause), func(i, j int) { clause[i], clause[j] = clause[j], clause[i] })
				if err := c.Delete(clause); err != nil {
					t.Fatal(err)
				}
				s.remove(clause)
				if rng.IntN(2) == 0 {
					c.collect()
				}
				continue
			}
			want := s.accepts(clause)
			before := c.Stats().RAT
			err := c.Add(clause)
			if (err == nil) != want {
				t.Fatalf("lemma %v: %v, want %v\n%s\n%v", clause, err, want, dimacs(f), s.clauses)
			}
			if err != nil {
				refused++
				continue
			}
			accepted++
			rat += c.Stats().RAT - before
			s.put(clause)
			if held := formula(extended, s.clauses...); sat && !satisfiable(held) {
				t.Fatalf("lemma %v takes the last model\n%s", clause, dimacs(f))
			}
		}
		if c.Refuted() {
			refuted++
			if sat {
				t.Fatalf("refuted\n%s", dimacs(f))
			}
		}
		testPropagate(t, rng, c, s, vars)
		if len(c.trail) != c.top || slices.Contains(c.mark, true) {
			t.Fatal("something is left behind")
		}
	}
	if accepted < 1000 || refused < 1000 || rat < 200 || refuted < 100 {
		t.Errorf("%d lemmas accepted, %d refused, %d RAT, %d formulas refuted: too few to tell", accepted, refused, rat, refuted)
	}
}

func testPropagate(t *testing.T, rng *rand.Rand, c *Checker, s *twin, vars int) {
	t.Helper()
	assumed := literals(rng, vars, rng.IntN(3))
	want, conflict := s.propagate(assumed)
	got, ok := c.Propagate(assumed)
	if ok == (conflict || s.refuted) {
		t.Fatalf("assuming %v: ok %v, want %v", assumed, ok, !conflict)
	}
	for i, v := range got {
		if l := int32(i + 1); (v > 0) != want[l] || (v < 0) != want[-l] {
			t.Fatalf("assuming %v: variable %d is %d, want %v", assumed, l, v, want)
		}
	}
}

func TestPropagate(t *testing.T) {
	f := formula(5, []int32{1, 2, 3}, []int32{-1, -2}, []int32{-1, -3}, []int32{-2, -3}, []int32{4})
	for _, c := range []struct {
		assumed, want []int32 // no want: not ok
	}{
		{nil, []int32{0, 0, 0, 1, 0}},
		{[]int32{1}, []int32{1, -1, -1, 1, 0}},
		{[]int32{-1, -2}, []int32{-1, -1, 1, 1, 0}},
		{[]int32{5, 5, 9}, []int32{0, 0, 0, 1, 1}},
		{[]int32{1, 2}, nil},
		{[]int32{5, -5}, nil},
		{[]int32{-4}, nil},
		{[]int32{0}, nil},
		{[]int32{math.MinInt32}, nil},
	} {
		checker := New(f)
		for range 2 {
			got, ok := checker.Propagate(c.assumed)
			if ok != (c.want != nil) {
				t.Errorf("%v: ok %v", c.assumed, ok)
			}
			for i := range c.want {
				if int32(got[i]) != c.want[i] {
					t.Errorf("%v: %v, want %v", c.assumed, got, c.want)
					break
				}
			}
		}
	}
	if _, ok := New(formula(1, []int32{1}, []int32{-1})).Propagate(nil); ok {
		t.Error("ok with a formula that is refuted")
	}
}

func TestBadLiterals(t *testing.T) {
	for _, l := range []int32{0, MaxVariable + 1, -MaxVariable - 1, math.MaxInt32, math.MinInt32} {
		c := New(square)
		var wrong *Error
		if err := c.Add([]int32{1, l}); !errors.As(err, &wrong) || wrong.What != "lemma" || wrong.Step != 1 {
			t.Errorf("lemma with %d: %v", l, err)
		}
		if err := c.Delete([]int32{l, 1}); !errors.As(err, &wrong) || wrong.What != "deletion" || wrong.Step != 2 {
			t.Errorf("deletion with %d: %v", l, err)
		}
		if err := c.Add([]int32{1}); err != nil || !c.Refuted() {
			t.Errorf("after a step with %d: %v", l, err)
		}
		if err := New(formula(1, []int32{l, l})).Add([]int32{1}); l != 0 && err == nil {
			t.Errorf("formula with %d: accepted", l)
		}
	}
	if err := New(&cnf.Formula{Vars: MaxVariable + 1}).Add(nil); err == nil {
		t.Error("formula of too many variables: accepted")
	}
}

// The clauses stay findable while the arena is collected and the table grows.
func TestManyDeletions(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const vars = 400
	c := New(formula(vars))
	var there [][]int32
	for range 20000 {
		if len(there) > 0 && rng.IntN(5) < 2 {
			i := rng.IntN(len(there))
			rng.Shuffle(len(there[i]), func(a, b int) { there[i][a], there[i][b] = there[i][b], there[i][a] })
			if err := c.Delete(there[i]); err != nil || c.Stats().Ignored > 0 {
				t.Fatalf("%v, %d ignored", err, c.Stats().Ignored)
			}
			there[i] = there[len(there)-1]
			there = there[:len(there)-1]
			continue
		}
		clause := literals(rng, vars, 2+rng.IntN(8))
		if len(normal(clause)) < 2 {
			continue
		}
		lits, _, _ := c.read(clause)
		c.insert(lits)
		there = append(there, clause)
	}
	if c.waste > len(c.arena)/4+1<<12 {
		t.Errorf("%d words of %d are waste", c.waste, len(c.arena))
	}
	for _, clause := range there {
		c.Delete(clause)
	}
	if c.live != 0 || c.Stats().Ignored > 0 {
		t.Errorf("%d clauses left, %d deletions ignored", c.live, c.Stats().Ignored)
	}
}

// A lemma is tested without an allocation.
func TestNoAllocations(t *testing.T) {
	c := New(pigeons(8))
	lemmas := [][]int32{{-1, -10}, {-1, -11, -21}, {2, -3, 12, 13}}
	run := func() {
		for _, lemma := range lemmas {
			lits, _, _ := c.read(lemma)
			c.conflicts(lits)
			c.undo(c.top)
		}
	}
	for range 100 {
		run()
	}
	if n := testing.AllocsPerRun(100, run); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Clauses over the same variables, which differ in signs, do not meet in a bucket.
func TestHashSpreads(t *testing.T) {
	seen := map[uint32]bool{}
	for signs := range uint32(1 << 14) {
		var lits []uint32
		for v := range uint32(14) {
			lits = append(lits, 2*v+signs>>v&1)
		}
		seen[hash(lits)&(1<<14-1)] = true
	}
	if len(seen) < 1<<13 { // 63 % are expected
		t.Errorf("%d buckets of %d", len(seen), 1<<14)
	}
}
