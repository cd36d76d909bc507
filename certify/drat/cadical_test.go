package drat

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"lastmile/certify/cnf"
)

// The proofs of a solver of today, in both formats.
func TestCadicalProofs(t *testing.T) {
	cadical, err := exec.LookPath("cadical")
	if err != nil {
		t.Skip("cadical is not installed")
	}
	rng := rand.New(rand.NewPCG(9, 10))
	formulas := []*cnf.Formula{pigeons(5), pigeons(6)}
	for range 12 {
		const vars = 90
		f := &cnf.Formula{Vars: vars}
		for f.Clauses < vars*46/10 {
			if c := normal(literals(rng, vars, 3)); len(c) == 3 {
				f.Add(c...)
			}
		}
		formulas = append(formulas, f)
	}
	refuted := 0
	for n, f := range formulas {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "f.cnf"), filepath.Join(dir, "f.drat")
		if err := os.WriteFile(in, []byte(dimacs(f)), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, format := range []Format{Binary, Text} {
			args := []string{"-q", in, out}
			if format == Text {
				args = append(args, "--no-binary")
			}
			run := exec.Command(cadical, args...)
			err := run.Run()
			status := run.ProcessState.ExitCode()
			if status != 10 && status != 20 {
				t.Fatalf("cadical: %v", err)
			}
			proof, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			stats, err := Check(context.Background(), f, bytes.NewReader(proof), format, Limits{})
			if (err == nil) != (status == 20) {
				t.Fatalf("formula %d, format %d: cadical ends with %d, the check with %v", n, format, status, err)
			}
			if status == 20 {
				refuted++
				if _, err := Check(context.Background(), f, bytes.NewReader(proof[:stats.Bytes-1]), format, Limits{}); err == nil && format == Binary {
					t.Errorf("formula %d: accepted without the last byte", n)
				}
			}
		}
	}
	if refuted < 8 {
		t.Errorf("only %d proofs", refuted)
	}
}
