package certify_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lastmile/certify"
	"lastmile/certify/solver"
	"lastmile/puzzle"
)

// halo frees the cells around the broken seams of a bundled board.
func halo(t testing.TB, name string, radius int) *certify.Region {
	t.Helper()
	record, found := puzzle.RecordNamed(name)
	if !found {
		t.Fatalf("no board is called %s", name)
	}
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(record.Board)
	r, err := certify.NewRegion(b, b.Puzzle().Halo(b.BrokenCells(), radius, puzzle.Chebyshev))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The published result for radius 1: no refill of the halo is perfect.
func TestRecordBoards(t *testing.T) {
	for _, solverName := range solver.Names() {
		s, err := solver.Named(solverName)
		for name, freed := range map[string]int{
			"blackwood-470": 62, "mcgavin-469": 50, "blackwood-468": 62, "verhaard-467": 67, "riotte-464": 72,
		} {
			t.Run(solverName+"/"+name, func(t *testing.T) {
				if err != nil {
					t.Skip(err)
				}
				r := halo(t, name, 1)
				if len(r.Cells()) != freed || r.Own() != 480-r.Board().Score() {
					t.Errorf("%d cells are free and %d of their seams broken, want %d and %d", len(r.Cells()), r.Own(), freed, 480-r.Board().Score())
				}
				files := newStore()
				res, err := certify.Decide(t.Context(), r, certify.Perfect, certify.Plan{Solver: s, Store: files, Name: name})
				if err != nil {
					t.Fatal(err)
				}
				if res.Verdict != certify.Proven || res.Floor < 1 {
					t.Errorf("%s, floor %d: want it proven", res.Verdict, res.Floor)
				}
				(&scene{name: name}).recheck(t, r, &res, files)
			})
		}
	}
}

// The same question is the same bytes: a certificate names its formula by them.
func TestFormulaStaysTheSame(t *testing.T) {
	r := halo(t, "mcgavin-469", 1)
	for bound, want := range map[int]string{
		0:  "d78a891d659a59f5",
		10: "121c78e88b450b1e",
	} {
		q, err := r.Ask(r.Cells(), bound, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		n, err := q.Formula.WriteTo(sum)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want {
			t.Errorf("at most %d breaks: %d bytes with hash %s, want %s; raise Encoding with it", bound, n, got, want)
		}
	}
}

func BenchmarkAsk(b *testing.B) {
	r := halo(b, "blackwood-470", 2)
	for name, bound := range map[string]int{"perfect": 0, "better": r.Own() - 1} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Ask(r.Cells(), bound, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The certificates that are kept without their proofs are of the bundled boards,
// and the formulas that were refuted are those that are made today.
func TestKeptCertificates(t *testing.T) {
	paths, err := filepath.Glob("../docs/results/certificates/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := certify.Read(f)
		f.Close()
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		r, err := m.Region()
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !slices.ContainsFunc(puzzle.Records(), func(record puzzle.Record) bool {
			return slices.Equal(record.Board, r.Board().Placements(nil))
		}) {
			t.Errorf("%s is of no bundled board", path)
		}
		// All but the proofs is checked before the first of them is looked for.
		floors := certify.Floors{}
		for i, s := range m.Steps {
			q, err := r.Ask(s.Cells, s.Bound, floors)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			q.Formula.WriteTo(&text)
			if s.Formula != nil && certify.ContentOf(s.Formula.Name, text.Bytes()) != *s.Formula {
				t.Errorf("%s: step %d is of another formula", path, i+1)
			}
			floors.Raise(s.Cells, s.Bound+1)
		}
	}
}
