package certify_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/puzzle"
	"lastmile/random"
)

// shy is a solver that gives up the first questions.
type shy struct {
	certify.Solver
	left int
}

func (s *shy) Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
	if s.left--; s.left >= 0 {
		return certify.Answer{Why: "shyness"}, nil
	}
	return s.Solver.Solve(ctx, f, proof, limits)
}

// certificate is one with its files.
type certificate struct {
	manifest *certify.Manifest
	files    fstest.MapFS
}

// prove makes the certificate of the halo of a puzzle's inside that has been
// damaged. The solver gives up so many questions first.
func prove(spec puzzle.Spec, times, giveUp int) (*certificate, error) {
	p, solution, err := puzzle.Generate(spec)
	if err != nil {
		return nil, err
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	damage(random.New(spec.Seed, "prove", 0), b, times)
	var inside []int
	for cell := range p.Cells() {
		if p.RimMask(cell) == 0 {
			inside = append(inside, cell)
		}
	}
	// The damage reaches cells that stay, so that something must break.
	r, err := certify.NewRegion(b, inside[1:])
	if err != nil {
		return nil, err
	}
	files := newStore()
	res, err := certify.Decide(context.Background(), r, certify.Better, certify.Plan{Solver: &shy{gophersat, giveUp}, Store: files, Name: "inside"})
	if err != nil {
		return nil, err
	}
	return &certificate{res.Certificate(r), files.MapFS}, nil
}

// small is a certificate of one proof, steps one of several that lean on each
// other.
var small, steps = sync.OnceValues(func() (*certificate, error) {
	return prove(puzzle.Spec{Width: 5, Height: 5, Colours: 8, Seed: 2}, 30, 0)
}), sync.OnceValues(func() (*certificate, error) {
	return prove(puzzle.Spec{Width: 6, Height: 6, Colours: 12, Seed: 6}, 60, 1)
})

func certificates(t testing.TB) map[string]*certificate {
	t.Helper()
	all := map[string]*certificate{}
	for name, make := range map[string]func() (*certificate, error){"small": small, "steps": steps} {
		c, err := make()
		if err != nil {
			t.Fatal(name, err)
		}
		all[name] = &certificate{c.manifest, maps.Clone(c.files)}
	}
	return all
}

// copy is the same certificate to be changed.
func (c *certificate) copy(t testing.TB) *certificate {
	t.Helper()
	m, err := certify.Read(bytes.NewReader(written(t, c.manifest)))
	if err != nil {
		t.Fatal(err)
	}
	return &certificate{m, maps.Clone(c.files)}
}

// check checks it as who receives it does.
func (c *certificate) check(t testing.TB) error {
	t.Helper()
	m, err := certify.Read(bytes.NewReader(written(t, c.manifest)))
	if err != nil {
		return err
	}
	return check(t, m, c.files)
}

func TestCertificatesAreGood(t *testing.T) {
	for name, c := range certificates(t) {
		if err := c.check(t); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		m := c.manifest
		if m.Floor == 0 || len(c.files) != 2*len(m.Steps) || name == "steps" && len(m.Steps) < 3 {
			t.Errorf("%s: floor %d by %d steps with %d files: too little to test with", name, m.Floor, len(m.Steps), len(c.files))
		}
		for name := range c.files {
			if strings.HasSuffix(name, ".cnf") {
				delete(c.files, name)
			}
		}
		if err := c.check(t); err != nil {
			t.Errorf("%s, without the copies of the formulas: %v", name, err)
		}
	}
}
