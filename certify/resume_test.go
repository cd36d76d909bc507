package certify_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"testing"

	"lastmile/certify"
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
