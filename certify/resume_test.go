package certify_test

import (
	"context"
	"io"
	"maps"
	"reflect"
	"slices"
	"testing"

	"lastmile/certify"
	"lastmile/certify/cnf"
)

// A decision that was cut short after any step goes on to the same end, and its
// certificate is as good.
func TestDecideGoesOn(t *testing.T) {
	c := certificates(t)["steps"]
	r, err := c.manifest.Region()
	if err != nil {
		t.Fatal(err)
	}
	type saved struct {
		res   certify.Result
		files *store
	}
	var states []saved
	files := newStore()
	plan := certify.Plan{Solver: &shy{gophersat, 1}, Store: files, Name: "go"}
	plan.Save = func(res certify.Result) {
		res.Steps, res.Board = slices.Clone(res.Steps), slices.Clone(res.Board)
		states = append(states, saved{res, &store{MapFS: maps.Clone(files.MapFS)}})
	}
	whole, err := certify.Decide(t.Context(), r, certify.Better, plan)
	if err != nil {
		t.Fatal(err)
	}
	last := states[len(states)-1].res
	if len(states) < 4 || !reflect.DeepEqual(last.Steps, whole.Steps) || last.Best != whole.Best || last.Verdict != whole.Verdict {
		t.Errorf("%d states, the last with %d steps of %d", len(states), len(last.Steps), len(whole.Steps))
	}
	for i, s := range states {
		(&scene{name: "saved"}).recheck(t, r, &s.res, s.files)
		again := &store{MapFS: maps.Clone(s.files.MapFS)}
		res, err := certify.Decide(t.Context(), r, certify.Better, certify.Plan{
			Solver: &shy{gophersat, 1}, Store: again, Name: "go", From: s.res,
		})
		if err != nil {
			t.Fatalf("state %d: %v", i, err)
		}
		if !res.Optimal() || res.Best != whole.Best || res.Verdict != whole.Verdict {
			t.Errorf("state %d goes on to %s, %d breaks of %d, want %s with %d", i, res.Verdict, res.Best, res.Floor, whole.Verdict, whole.Best)
		}
		(&scene{name: "taken up"}).recheck(t, r, &res, again)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		files := &store{MapFS: maps.Clone(s.files.MapFS)}
		res, err = certify.Decide(ctx, r, certify.Better, certify.Plan{Solver: gophersat, Store: files, Name: "go", From: s.res})
		if err != nil || res.Floor != s.res.Floor || res.Best != s.res.Best || len(res.Steps) != len(s.res.Steps) {
			t.Errorf("state %d, stopped at once: floor %d, best %d, want %d and %d, %v", i, res.Floor, res.Best, s.res.Floor, s.res.Best, err)
		}
		(&scene{name: "stopped at once"}).recheck(t, r, &res, files)
	}
}

// A part whose floor is raised later than that of a window around it keeps the
// step that the window leans on.
func TestDecideComesBackToParts(t *testing.T) {
	c := certificates(t)["steps"]
	r, err := c.manifest.Region()
	if err != nil {
		t.Fatal(err)
	}
	twice := 0
	for skip := 2; skip < 5; skip++ {
		for stop := skip + 2; stop < skip+5; stop += 2 {
			n := 0
			files := newStore()
			first, err := certify.Decide(t.Context(), r, certify.Better, certify.Plan{
				Solver: liar(func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
					if n++; n == 1 || n == skip || n > stop {
						return certify.Answer{Why: "shyness"}, nil
					}
					return gophersat.Solve(ctx, f, proof, limits)
				}), Store: files, Name: "back",
			})
			if err != nil {
				t.Fatal(err)
			}
			res, err := certify.Decide(t.Context(), r, certify.Better, certify.Plan{
				Solver: &shy{gophersat, 1}, Store: files, Name: "back", From: first,
			})
			if err != nil || !res.Optimal() {
				t.Fatalf("without questions 1, %d and from %d on: %d breaks of %d, %v", skip, stop, res.Best, res.Floor, err)
			}
			(&scene{name: "back"}).recheck(t, r, &res, files)
			for i, s := range res.Steps {
				for _, later := range res.Steps[i+1:] {
					if slices.Equal(s.Cells, later.Cells) {
						twice++
					}
				}
			}
		}
	}
	if twice == 0 {
		t.Error("no window has two steps: nothing is tested")
	}
}
