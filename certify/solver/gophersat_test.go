package solver

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lastmile/certify"
	"lastmile/certify/cnf"
)

// The version in the name is the one that is built in.
func TestGophersatVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "crillab/gophersat v"+gophersatVersion+"\n") {
		t.Errorf("go.mod does not want gophersat v%s", gophersatVersion)
	}
}

// Gophersat looks for the worst of no clauses after 2,000 conflicts that taught
// units alone, and panics.
func TestGophersatThatLearnsUnitsAlone(t *testing.T) {
	const n = 2100
	for _, truth := range []bool{true, false} {
		f := &cnf.Formula{Vars: 2 * n}
		for i := int32(1); i < 2*n; i += 2 {
			f.Add(i, i+1)
			f.Add(i, -i-1)
		}
		if !truth {
			f.Add(-2*n+1, -2*n)
			f.Add(-2*n+1, 2*n)
		}
		want(t, Gophersat{}, f, truth)
	}
}

// Searches side by side take turns, and one that waits for its turn can be
// stopped.
func TestGophersatTakesTurns(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if answer, err := (Gophersat{}).Solve(ctx, hard, io.Discard, certify.Limits{}); err != nil || answer.Why != "stopped" {
				t.Errorf("answer %+v, %v", answer, err)
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	all.Wait()
	for range 3 {
		all.Go(func() { want(t, Gophersat{}, pigeons(5), false) })
	}
	all.Wait()
}

func TestParseClause(t *testing.T) {
	for line, want := range map[string][]int32{
		"0": {}, "1 0": {1}, "-3 2 0": {-3, 2},
		"": nil, "1": nil, "1 0 ": nil, "1 0 2": nil, "4 0": nil, "-4 0": nil, "a 0": nil, "1  2 0": nil,
		"9223372036854775808 0": nil, "-9223372036854775808 0": nil,
	} {
		got, err := parseClause(nil, line, 3)
		if (want == nil) != (err != nil) || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", line, got, err, want)
		}
	}
}

func FuzzParseClause(f *testing.F) {
	f.Add("1 -2 0")
	f.Add("0")
	f.Fuzz(func(t *testing.T, line string) {
		clause, err := parseClause(nil, line, 9)
		for _, l := range clause {
			if err == nil && (l == 0 || max(l, -l) > 9) {
				t.Errorf("%q: %v", line, clause)
			}
		}
	})
}
