package drat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"lastmile/certify/cnf"
)

// Limits bound what a check may use. A zero field is no bound.
type Limits struct {
	// Memory is in bytes, and counts what is held of the clauses and variables;
	// the formula, the step being read (64 MB at most) and what the runtime has
	// not freed yet come on top.
	Memory int64
}

// Stats counts what a check has done.
type Stats struct {
	Steps        int   // of the proof, the last one included
	Lemmas       int   // added, or looked at and refused
	RAT          int   // of them not RUP, but RAT
	Deletions    int   // asked for
	Ignored      int   // of them not carried out
	Propagations int64 // literals that went through the long clauses
	Bytes        int64 // of the proof that were needed
}

// Error says that a step is wrong, or that the proof cannot be read or ends too
// early.
type Error struct {
	Step   int     // from 1
	What   string  // lemma, deletion or proof
	Clause []int32 // of the lemma or deletion
	Why    string
}

func (e *Error) Error() string {
	if e.What == "proof" {
		return fmt.Sprintf("drat: step %d: %s", e.Step, e.Why)
	}
	return fmt.Sprintf("drat: step %d: %s %s: %s", e.Step, e.What, text(e.Clause), e.Why)
}

func (c *Checker) fault(what string, clause []int32, why string) *Error {
	return &Error{c.stats.Steps, what, append([]int32(nil), clause...), why}
}

// text writes a clause, or the beginning of a long one.
func text(clause []int32) string {
	const most = 20
	var b []byte
	for i, l := range clause {
		if i == most {
			return fmt.Sprintf("%s... (%d literals)", b, len(clause))
		}
		b = strconv.AppendInt(b, int64(l), 10)
		b = append(b, ' ')
	}
	return string(append(b, '0'))
}

// Check reads a proof that the formula has no model and returns nil if, and
// only if, its steps are right and lead to the empty clause. A formula that
// unit propagation alone refutes needs no step. A proof that is refused gives an
// *Error; any other error is no verdict: of the reader, of the context, or
// ErrMemory.
//
// The proof is read as it is needed, so it may come through a pipe from a
// solver at work. Check returns at the step that settles it and reads no
// further: whoever holds the pipe closes or drains it then. The context is
// looked at between steps; it does not interrupt a Read that blocks.
func Check(ctx context.Context, f *cnf.Formula, proof io.Reader, format Format, limits Limits) (Stats, error) {
	c := load(f, limits.Memory)
	c.stop = ctx.Err
	r := newReader(proof, format)
	for !c.refuted && c.err == nil {
		if c.stats.Steps%256 == 0 {
			if err := ctx.Err(); err != nil {
				return c.stats, err
			}
		}
		deletion, clause, err := r.next()
		c.stats.Bytes = r.offset
		var wrong *formatError
		switch {
		case err == io.EOF:
			return c.stats, &Error{c.stats.Steps + 1, "proof", nil, "the proof ends here, want the empty clause"}
		case errors.As(err, &wrong):
			return c.stats, &Error{c.stats.Steps + 1, "proof", nil, wrong.Error()}
		case err != nil:
			return c.stats, fmt.Errorf("drat: step %d: %w", c.stats.Steps+1, err)
		}
		if deletion {
			err = c.Delete(clause)
		} else {
			err = c.Add(clause)
		}
		if err != nil {
			return c.stats, err
		}
	}
	return c.stats, c.err
}
