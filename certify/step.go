package certify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"lastmile/certify/drat"
	"lastmile/puzzle"
)

// Step is a part of a certificate: that no filling of a window breaks Bound of
// its seams or fewer. Steps stand in the order in which they are shown; the
// formula of one may say what those before it have shown of parts of its window.
type Step struct {
	Cells   []int    `json:"cells"` // of the window, ascending
	Bound   int      `json:"bound"`
	By      string   `json:"by"` // Counting, Proof or Exhaustion
	Solver  string   `json:"solver,omitempty"`
	Formula *Content `json:"formula,omitempty"` // in DIMACS
	Proof   *Content `json:"proof,omitempty"`   // in binary DRAT
	Nodes   int64    `json:"nodes,omitempty"`   // of an exhaustion
	Seconds float64  `json:"seconds"`
}

// The ways to show a step.
const (
	Counting   = "counting"   // the ledger of the region: its own certificate
	Proof      = "proof"      // of a solver, checked
	Exhaustion = "exhaustion" // by the ledger search, to be run again
)

// outcome is what became of a question.
type outcome struct {
	status  Status
	filling []puzzle.Placement // of a satisfiable one
	breaks  int                // of it
	why     string             // of an unknown one
	step    Step               // of an unsatisfiable one: the proof is checked
}

// solve puts a question to the solver, and what it answers to the test: a filling
// is counted on the board, a proof is checked while it is being written. Only a
// checked answer comes back; a wrong one is an error.
func (p *Plan) solve(ctx context.Context, q *Question, name string) (outcome, error) {
	began := time.Now()
	step := Step{Cells: q.Cells, Bound: q.Bound, By: Proof, Solver: p.Solver.Name()}
	formula, err := p.keep(name+".cnf", func(w io.Writer) error {
		_, err := q.Formula.WriteTo(w)
		return err
	})
	if err != nil {
		return outcome{}, err
	}
	step.Formula = &formula

	file, err := p.Store.Create(name + ".drat")
	if err != nil {
		p.Store.Remove(formula.Name)
		return outcome{}, err
	}
	kept := false
	defer func() {
		if !kept {
			file.Abort()
			p.Store.Remove(formula.Name)
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The checker reads along, so that the proof need not be read back; what it
	// has refused it reads no further, which ends the search.
	read, write := io.Pipe()
	var stats drat.Stats
	checked := make(chan error, 1)
	go func() {
		var err error
		stats, err = drat.Check(ctx, q.Formula, read, drat.Binary, drat.Limits{Memory: p.Memory})
		if err == nil {
			io.Copy(io.Discard, read) // what comes after the empty clause
		} else {
			read.CloseWithError(err)
		}
		checked <- err
	}()
	proof := measure(file, p.MaxProof)
	answer, err := p.Solver.Solve(ctx, q.Formula, io.MultiWriter(proof, write), Limits{Memory: p.Memory})
	write.Close()
	refused := <-checked
	var wrong *drat.Error
	switch {
	case proof.full:
		return outcome{why: fmt.Sprintf("a proof of more than %d bytes", p.MaxProof)}, nil
	case proof.err != nil:
		return outcome{}, fmt.Errorf("%s.drat: %w", name, proof.err)
	case errors.Is(refused, drat.ErrMemory):
		return outcome{why: "the memory of the checker"}, nil
	case errors.As(refused, &wrong) && wrong.What != "proof":
		// Whatever else happened began with it.
		return outcome{}, fmt.Errorf("the proof of %s is wrong: %w", p.Solver.Name(), refused)
	case ctx.Err() != nil:
		return outcome{why: "time"}, nil
	case err != nil:
		return outcome{}, fmt.Errorf("%s: %w", p.Solver.Name(), err)
	}
	switch answer.Status {
	case Satisfiable:
		filling, breaks, err := q.Decode(answer.Model)
		if err != nil {
			return outcome{}, fmt.Errorf("the model of %s is wrong: %w", p.Solver.Name(), err)
		}
		return outcome{status: Satisfiable, filling: filling, breaks: breaks}, nil
	case Unsatisfiable:
		if refused != nil {
			return outcome{}, fmt.Errorf("the proof of %s is wrong: %w", p.Solver.Name(), refused)
		}
		if stats.Steps == 0 {
			// The formula alone was enough, so nobody has read what the solver wrote.
			file.Abort()
			if file, err = p.Store.Create(name + ".drat"); err != nil {
				return outcome{}, err
			}
			proof = measure(file, 0)
			w := drat.NewWriter(proof)
			w.Add()
			if err := w.Flush(); err != nil {
				return outcome{}, fmt.Errorf("%s.drat: %w", name, err)
			}
		}
		if err := file.Commit(); err != nil {
			return outcome{}, fmt.Errorf("%s.drat: %w", name, err)
		}
		kept = true
		content := proof.content(name + ".drat")
		step.Proof, step.Seconds = &content, time.Since(began).Seconds()
		return outcome{status: Unsatisfiable, step: step}, nil
	}
	return outcome{why: answer.Why}, nil
}

// keep writes a file of the certificate.
func (p *Plan) keep(name string, write func(io.Writer) error) (Content, error) {
	file, err := p.Store.Create(name)
	if err != nil {
		return Content{}, err
	}
	m := measure(file, 0)
	if err = write(m); err == nil {
		err = file.Commit()
	}
	if err != nil {
		file.Abort()
		return Content{}, fmt.Errorf("%s: %w", name, err)
	}
	return m.content(name), nil
}

// drop removes the files of a step that another one replaces.
func (p *Plan) drop(s Step) {
	for _, c := range []*Content{s.Formula, s.Proof} {
		if c != nil {
			p.Store.Remove(c.Name)
		}
	}
}
