package solver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/crillab/gophersat/solver"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/certify/drat"
)

// Gophersat is the solver of that name, in this process. It takes turns: one
// search runs at a time, others wait for it. Its proof deletes nothing.
//
// Limits.Memory bounds the growth of the heap of the whole process, looked at
// ten times a second.
type Gophersat struct{}

const gophersatVersion = "1.4.0"

// Name is gophersat and its version.
func (Gophersat) Name() string { return "gophersat " + gophersatVersion }

// turn is held by the one that searches: gophersat builds learned clauses in a
// variable of its package.
var turn = make(chan struct{}, 1)

// Solve decides the formula; see certify.Solver.
func (Gophersat) Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
	if ctx.Err() != nil {
		return stopped(ctx), nil
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return stopped(ctx), nil
	}

	out := drat.NewWriter(proof)
	memory := newHeap(limits.Memory)
	var units []int32
	for {
		left, err := propagate(ctx, f, units)
		switch {
		case err != nil || ctx.Err() != nil:
			return stopped(ctx), nil
		case left.refuted:
			out.Add()
			return certify.Answer{Status: certify.Unsatisfiable}, proofError(out.Flush())
		case len(left.clauses) == 0:
			return certify.Answer{Status: certify.Satisfiable, Model: left.model(nil)}, nil
		}

		s, err := start(left, f.Vars)
		if err != nil {
			return certify.Answer{}, err
		}
		why, err := s.follow(ctx, memory, out)
		switch {
		case ctx.Err() != nil:
			return stopped(ctx), nil
		case err != nil:
			return certify.Answer{}, err
		case why != "":
			return certify.Answer{Why: why}, nil
		case s.fault != nil && len(s.units) > 0:
			// It looks for the worst of its learned clauses when there is none yet,
			// only units. They hold: go on from them.
			units = append(units, s.units...)
		case s.fault != nil:
			return certify.Answer{}, fmt.Errorf("gophersat failed: %v", s.fault)
		case s.status == solver.Sat:
			return certify.Answer{Status: certify.Satisfiable, Model: left.model(s.model)}, nil
		case s.status == solver.Unsat:
			if !s.closed {
				out.Add()
			}
			return certify.Answer{Status: certify.Unsatisfiable}, proofError(out.Flush())
		default:
			return certify.Answer{Why: "gophersat gave up"}, nil
		}
	}
}

// A searching is a run of gophersat in a goroutine of its own. Fields below lines
// are settled when lines is closed.
type searching struct {
	solver *solver.Solver
	vars   int
	units  []int32 // learned
	closed bool    // it learned the empty clause

	lines  chan string // learned clauses
	status solver.Status
	model  []bool
	fault  any // what it panicked with
}

// start hands the clauses to gophersat and sets it going.
func start(left *rest, vars int) (s *searching, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("gophersat failed to read the formula: %v", fault)
		}
	}()
	// On one thread, as in a browser, nothing else runs until a send has to wait,
	// no clock either: so lines holds next to nothing.
	s = &searching{vars: vars, lines: make(chan string, 1)}
	s.solver = solver.New(solver.ParseSliceNb(left.clauses, vars))
	left.clauses = nil
	s.solver.Certified = true
	s.solver.CertChan = s.lines
	go s.run()
	return s, nil
}

func (s *searching) run() {
	defer close(s.lines)
	defer func() { s.fault = recover() }()
	if s.status = s.solver.Solve(); s.status == solver.Sat {
		s.model = s.solver.Model()
	}
}

// follow writes what the search learns, until it ends by itself or is stopped,
// and says what stopped it. The goroutine has ended when follow returns.
func (s *searching) follow(ctx context.Context, memory *heap, out *drat.Writer) (why string, err error) {
	defer func() {
		s.stop()
		for range s.lines {
		}
	}()
	var clause []int32
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", nil // the caller says which end it was
		case <-tick.C:
			if memory.full() {
				return "memory", nil
			}
		case line, more := <-s.lines:
			if !more {
				return "", nil
			}
			if clause, err = parseClause(clause[:0], line, s.vars); err != nil {
				return "", err
			}
			switch len(clause) {
			case 0:
				s.closed = true
			case 1:
				s.units = append(s.units, clause[0])
			}
			if err := out.Add(clause...); err != nil {
				return "", proofError(err)
			}
		}
	}
}

// blocked is a channel on which every send panics.
var blocked = func() chan string {
	c := make(chan string)
	close(c)
	return c
}()

// stop makes the search panic at the next clause that it learns; run recovers.
// Gophersat has no other way out, and conflicts are never far: between two it
// sets each variable once at most. It reads CertChan before each send, so this
// write has a reader beside it. The value is a single word, of which a reader
// sees the old or the new (the Go memory model promises so much), and either
// will do: whoever reads the old one is received from, and reads again at the
// next clause. The race detector need not hear of it.
//
//go:norace
func (s *searching) stop() { s.solver.CertChan = blocked }

// parseClause reads a clause as gophersat writes it: literals and a 0.
func parseClause(clause []int32, line string, vars int) ([]int32, error) {
	for rest := line; ; {
		word, after, more := strings.Cut(rest, " ")
		l, err := strconv.Atoi(word)
		switch {
		case err != nil || l < -vars || l > vars || l == 0 && more || l != 0 && !more:
			return nil, fmt.Errorf("gophersat learned %q: want literals of 1 to %d and a 0 behind them", line, vars)
		case l == 0:
			return clause, nil
		}
		clause = append(clause, int32(l))
		rest = after
	}
}

// stopped is the answer of a solver whose context has ended.
func stopped(ctx context.Context) certify.Answer {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return certify.Answer{Why: "time"}
	}
	return certify.Answer{Why: "stopped"}
}

func proofError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("writing the proof: %w", err)
}
