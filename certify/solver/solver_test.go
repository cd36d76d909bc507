package solver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/certify/drat"
)

// each runs a test with every solver that is here.
func each(t *testing.T, run func(t *testing.T, s certify.Solver)) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s, err := Named(name)
			if err != nil {
				t.Skip(err)
			}
			run(t, s)
		})
	}
}

func formula(vars int, clauses ...[]int32) *cnf.Formula {
	f := &cnf.Formula{Vars: vars}
	for _, c := range clauses {
		f.Add(c...)
	}
	return f
}

// pigeons put n+1 pigeons in n holes: unsatisfiable, and hard.
func pigeons(n int) *cnf.Formula {
	f := &cnf.Formula{Vars: n * (n + 1)}
	in := func(pigeon, hole int) int32 { return int32(pigeon*n + hole + 1) }
	for p := range n + 1 {
		var some []int32
		for h := range n {
			some = append(some, in(p, h))
			for q := range p {
				f.Add(-in(p, h), -in(q, h))
			}
		}
		f.Add(some...)
	}
	return f
}

// random3 is a random formula, of clauses of three literals, some of which may
// be of one variable.
func random3(r *rand.Rand, vars, clauses int) *cnf.Formula {
	f := &cnf.Formula{Vars: vars}
	for range clauses {
		var c [3]int32
		for i := range c {
			c[i] = int32(1+r.IntN(vars)) * int32(1-2*r.IntN(2))
		}
		f.Add(c[:]...)
	}
	return f
}

// satisfiable tries every model.
func satisfiable(f *cnf.Formula) bool {
	model := make([]bool, f.Vars)
	for n := range 1 << f.Vars {
		for v := range model {
			model[v] = n>>v&1 == 1
		}
		if f.Satisfied(model) {
			return true
		}
	}
	return false
}

// want solves a formula and holds the answer against the truth.
func want(t *testing.T, s certify.Solver, f *cnf.Formula, truth bool) {
	t.Helper()
	var proof bytes.Buffer
	answer, err := s.Solve(t.Context(), f, &proof, certify.Limits{})
	switch {
	case err != nil:
		t.Fatal(err)
	case truth && answer.Status != certify.Satisfiable:
		t.Errorf("answer %+v of a satisfiable formula", answer)
	case truth && !f.Satisfied(answer.Model):
		t.Errorf("model %v does not satisfy the formula", answer.Model)
	case !truth && answer.Status != certify.Unsatisfiable:
		t.Errorf("answer %+v of an unsatisfiable formula", answer)
	case !truth:
		if _, err := drat.Check(t.Context(), f, &proof, drat.Binary, drat.Limits{}); err != nil {
			t.Error(err)
		}
	}
}

func TestSmallFormulas(t *testing.T) {
	type clauses = [][]int32
	for name, test := range map[string]struct {
		vars    int
		clauses clauses
		truth   bool
	}{
		"nothing":                   {0, nil, true},
		"no clause":                 {3, nil, true},
		"empty clause":              {0, clauses{{}}, false},
		"empty clause among":        {2, clauses{{1, 2}, {}, {-1}}, false},
		"unit":                      {1, clauses{{-1}}, true},
		"opposite units":            {2, clauses{{1}, {-1}}, false},
		"variables in no clause":    {9, clauses{{4, 5}, {-4, -5}}, true},
		"last variables in none":    {70, clauses{{1, 2, 3}}, true},
		"literal twice":             {2, clauses{{1, 1, 2}, {-1, -1}, {-2, 1, -2}}, false},
		"literal twice is a unit":   {2, clauses{{1, 1}, {-1, 2, 2}}, true},
		"tautology":                 {2, clauses{{1, -1}, {2, -2, 1}}, true},
		"tautology among":           {2, clauses{{1, -1, 2}, {-2}, {1, 2}}, true},
		"false by propagation":      {4, clauses{{1}, {-1, 2}, {-2, 3}, {-3, 4}, {-4, -1}}, false},
		"true by propagation":       {4, clauses{{1}, {-1, 2}, {-2, 3}, {-3, -4}}, true},
		"false by one decision":     {2, clauses{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}, false},
		"every clause of three":     {3, clauses{{1, 2, 3}, {1, 2, -3}, {1, -2, 3}, {1, -2, -3}, {-1, 2, 3}, {-1, 2, -3}, {-1, -2, 3}, {-1, -2, -3}}, false},
		"all but one of three":      {3, clauses{{1, 2, 3}, {1, 2, -3}, {1, -2, 3}, {1, -2, -3}, {-1, 2, 3}, {-1, 2, -3}, {-1, -2, 3}}, true},
		"same clause over and over": {2, clauses{{1, 2}, {1, 2}, {2, 1}, {-1}, {-1}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s certify.Solver) {
				f := formula(test.vars, test.clauses...)
				want(t, s, f, test.truth)
				if again := formula(test.vars, test.clauses...); !slices.EqualFunc(slices.Collect(f.All()), slices.Collect(again.All()), slices.Equal) {
					t.Error("the formula has changed")
				}
			})
		})
	}
}

func TestRandomFormulas(t *testing.T) {
	each(t, func(t *testing.T, s certify.Solver) {
		r := rand.New(rand.NewPCG(1, 2))
		n := 300
		if s.Name() != (Gophersat{}).Name() {
			n = 60 // each is a process
		}
		for range n {
			vars := 3 + r.IntN(10)
			f := random3(r, vars, vars*(3+r.IntN(4)))
			if want(t, s, f, satisfiable(f)); t.Failed() {
				t.Fatalf("formula %v", slices.Collect(f.All()))
			}
		}
	})
}

func TestPigeons(t *testing.T) {
	each(t, func(t *testing.T, s certify.Solver) {
		want(t, s, pigeons(6), false)
		f := pigeons(6)
		f.Comments = []string{"--conflicts=1", "--elim=false"} // no options for anyone
		want(t, s, f, false)
	})
}

// hard is out of reach of every solver that is here.
var hard = pigeons(40)

// A stopped search says why, and leaves nothing running.
func TestStop(t *testing.T) {
	for name, test := range map[string]struct {
		context func(context.Context) (context.Context, context.CancelFunc)
		limits  certify.Limits
		why     string
	}{
		"time": {func(c context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(c, 200*time.Millisecond)
		}, certify.Limits{}, "time"},
		"stopped": {func(c context.Context) (context.Context, context.CancelFunc) {
			c, cancel := context.WithCancel(c)
			time.AfterFunc(100*time.Millisecond, cancel)
			return c, cancel
		}, certify.Limits{}, "stopped"},
		"stopped before": {func(c context.Context) (context.Context, context.CancelFunc) {
			c, cancel := context.WithCancel(c)
			cancel()
			return c, cancel
		}, certify.Limits{}, "stopped"},
		"memory":        {context.WithCancel, certify.Limits{Memory: 10 << 20}, "memory"},
		"hardly a byte": {context.WithCancel, certify.Limits{Memory: 3 << 20}, "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s certify.Solver) {
				before := runtime.NumGoroutine()
				ctx, cancel := test.context(t.Context())
				defer cancel()
				answer, err := s.Solve(ctx, hard, io.Discard, test.limits)
				if err != nil || answer.Status != certify.Unknown || answer.Why != test.why {
					t.Errorf("answer %+v, %v; want it unknown for %q", answer, err, test.why)
				}
				settled(t, before)
				want(t, s, pigeons(4), false) // the next search is not disturbed
			})
		})
	}
}

// settled fails unless the goroutines come back to their number.
func settled(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, want %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

var errFull = errors.New("disk full")

type failing struct{ left int }

func (w *failing) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestProofThatCannotBeWritten(t *testing.T) {
	each(t, func(t *testing.T, s certify.Solver) {
		before := runtime.NumGoroutine()
		_, err := s.Solve(t.Context(), hard, &failing{1 << 17}, certify.Limits{})
		if !errors.Is(err, errFull) || !strings.Contains(err.Error(), "proof") {
			t.Errorf("error %v, want %v of the proof", err, errFull)
		}
		settled(t, before)
		if _, err := s.Solve(t.Context(), pigeons(2), &failing{}, certify.Limits{}); !errors.Is(err, errFull) {
			t.Errorf("error %v, want %v", err, errFull)
		}
	})
}

// The proof comes while it is being found: a reader can follow it.
func TestProofIsAStream(t *testing.T) {
	each(t, func(t *testing.T, s certify.Solver) {
		ctx, cancel := context.WithCancel(t.Context())
		read, write := io.Pipe()
		go func() {
			io.CopyN(io.Discard, read, 1<<18)
			cancel()
			io.Copy(io.Discard, read)
		}()
		answer, err := s.Solve(ctx, hard, write, certify.Limits{})
		write.Close()
		if err != nil || answer.Why != "stopped" {
			t.Errorf("answer %+v, %v; want it stopped by the reader of the proof", answer, err)
		}
	})
}

func TestNamed(t *testing.T) {
	if _, err := Named("minisat"); err == nil || !strings.Contains(err.Error(), `"minisat": want cadical, gophersat or auto`) {
		t.Errorf("error %v", err)
	}
	if s, err := Named("auto"); err != nil || s == nil {
		t.Errorf("auto: %v, %v", s, err)
	}
	t.Setenv("PATH", t.TempDir())
	if s, err := Named("auto"); err != nil || s.Name() != (Gophersat{}).Name() {
		t.Errorf("auto without cadical: %v, %v", s, err)
	}
	if _, err := Named("cadical"); err == nil || !strings.Contains(err.Error(), "apt-get install cadical") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkPigeons(b *testing.B) {
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			s, err := Named(name)
			if err != nil {
				b.Skip(err)
			}
			for b.Loop() {
				if answer, err := s.Solve(b.Context(), pigeons(6), io.Discard, certify.Limits{}); err != nil || answer.Status != certify.Unsatisfiable {
					b.Fatal(answer, err)
				}
			}
		})
	}
}
