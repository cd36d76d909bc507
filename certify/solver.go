package certify

import (
	"context"
	"io"

	"lastmile/certify/cnf"
)

// Solver decides formulas. What it says is never believed: a model is put on the
// board, a proof is checked.
type Solver interface {
	// Name is the solver and its version.
	Name() string

	// Solve decides the formula. Of an unsatisfiable one it writes a proof in
	// binary DRAT as it goes; what it writes of others means nothing. When the
	// context ends, or a limit is reached, it returns Unknown; Why says which.
	// The formula is not changed. An error says that the solver cannot run or
	// failed, not that it found no answer.
	Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, limits Limits) (Answer, error)
}

// Limits bound what a solver may use. A zero field is no bound.
type Limits struct {
	Memory int64 // bytes
}

// Answer is what a solver says of a formula.
type Answer struct {
	Status Status
	Model  []bool // of a satisfiable formula: the value of variable v at v-1
	Why    string // of Unknown: what ended the search, in a few words
}

// Status is an answer without its reasons.
type Status int

// The answers.
const (
	Unknown Status = iota
	Satisfiable
	Unsatisfiable
)
