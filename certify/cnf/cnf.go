// Package cnf holds a propositional formula in conjunctive normal form, and
// writes it in DIMACS.
//
// A variable is a number from 1, a literal a variable or its negative.
package cnf

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
)

// Formula is a conjunction of clauses. The zero value is the empty one, which is
// true.
type Formula struct {
	Vars    int // the highest variable
	Clauses int

	// Comments stand at the head of what WriteTo writes, one line each.
	Comments []string

	literals []int32 // clause after clause, each with a 0 behind it
}

// Fresh returns a new variable.
func (f *Formula) Fresh() int32 {
	f.Vars++
	return int32(f.Vars)
}

// Add adds a clause over variables that are there. Without literals it is the
// empty clause, which is false.
func (f *Formula) Add(clause ...int32) {
	f.literals = append(f.literals, clause...)
	f.literals = append(f.literals, 0)
	f.Clauses++
}

// All yields the clauses in their order. A clause is valid until the formula is
// added to; do not change it.
func (f *Formula) All() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		from := 0
		for i, l := range f.literals {
			if l == 0 {
				if !yield(f.literals[from:i:i]) {
					return
				}
				from = i + 1
			}
		}
	}
}

// Literals is the number of literals in all clauses.
func (f *Formula) Literals() int { return len(f.literals) - f.Clauses }

// Satisfied tells whether every clause has a true literal. Model holds the
// values of the variables, that of variable v at v-1.
func (f *Formula) Satisfied(model []bool) bool {
	if len(model) < f.Vars {
		return false
	}
	for clause := range f.All() {
		holds := false
		for _, l := range clause {
			if holds = model[max(l, -l)-1] == (l > 0); holds {
				break
			}
		}
		if !holds {
			return false
		}
	}
	return true
}

// WriteTo writes the formula in DIMACS. The same formula gives the same bytes.
func (f *Formula) WriteTo(w io.Writer) (int64, error) {
	counted := &counter{w: w}
	out := bufio.NewWriterSize(counted, 1<<16)
	for _, c := range f.Comments {
		fmt.Fprintf(out, "c %s\n", c)
	}
	fmt.Fprintf(out, "p cnf %d %d\n", f.Vars, f.Clauses)
	var text []byte
	for _, l := range f.literals {
		text = strconv.AppendInt(text[:0], int64(l), 10)
		if l == 0 {
			text = append(text, '\n')
		} else {
			text = append(text, ' ')
		}
		out.Write(text)
	}
	err := out.Flush()
	return counted.n, err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
