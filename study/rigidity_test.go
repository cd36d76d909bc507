package study

import (
	"context"
	"strings"
	"testing"

	"lastmile/certify"
)

// haloOf is an answer about a record.
func haloOf(board string, radius int, goal certify.Goal, freed int, verdict certify.Verdict) halo {
	return halo{Board: board, Radius: radius, Goal: goal.String(), goal: goal, Freed: freed, Breaks: 10, Verdict: verdict, Floor: 1, Best: 10, Seconds: 1}
}

func TestRigidity(t *testing.T) {
	r := reduced(t, rigidity)
	// The published counts and verdicts up to radius 3; the rest takes minutes.
	every(t, r, map[string]Verdict{"cells freed": Reproduced, "radius 4": Untested, "records: no refill": Untested, "boards made here": Untested})
	rows := r.Tables[0].Data.([]halo)
	if len(rows) != 18 {
		t.Errorf("%d halos, want 3 of 6 boards", len(rows))
	}
	for _, h := range rows {
		if h.Verdict != certify.Proven || h.Steps != 1 || h.Floor != 1 || h.Clauses == 0 {
			t.Errorf("%+v", h)
		}
	}
}

func TestRigidityVerdicts(t *testing.T) {
	var decided []halo
	for _, p := range publishedHalos {
		for radius := 1; radius <= 4; radius++ {
			decided = append(decided, haloOf(p.board, radius, certify.Perfect, p.freed[radius-1], certify.Proven))
		}
		decided = append(decided, haloOf(p.board, 1, certify.Better, p.freed[0], certify.Proven))
	}
	for seed := range uint64(2) {
		for radius := range 2 {
			h := haloOf("made", radius, certify.Better, 40, certify.Proven)
			h.Seed = seed + 1
			decided = append(decided, h)
		}
	}
	all := map[string]Verdict{"cells freed": Reproduced, "radius 4": Reproduced, "records: no refill": Reproduced, "here: no refill of the halo of radius 0": Reproduced, "here: no refill of the halo of radius 1": Reproduced}
	for _, c := range []struct {
		name  string
		spoil func(*halo)
		want  map[string]Verdict
	}{
		{"all proven", func(*halo) {}, nil},
		{"a count differs", func(h *halo) { h.Freed += h.Radius / 2 }, map[string]Verdict{"cells freed": NotReproduced, "radius 4": NotReproduced}},
		{"a perfect refill", func(h *halo) {
			if h.goal == certify.Perfect && h.Radius == 3 {
				h.Verdict = certify.Found
			}
		}, map[string]Verdict{"cells freed": NotReproduced}},
		{"open at radius 4", func(h *halo) {
			if h.Radius == 4 {
				h.Verdict = certify.Open
			}
		}, map[string]Verdict{"radius 4": Untested}},
		{"one improved, another open", func(h *halo) {
			switch {
			case h.goal == certify.Better && h.Board == "mcgavin-469":
				h.Verdict = certify.Found
			case h.goal == certify.Better:
				h.Verdict = certify.Open
			}
		}, map[string]Verdict{"records: no refill": NotReproduced, "here: no refill of the halo of radius 0": Untested, "here: no refill of the halo of radius 1": Untested}},
		{"never asked", func(h *halo) { h.Verdict = "" }, map[string]Verdict{"cells freed": Untested, "radius 4": Untested, "records: no refill": Untested, "here: no refill of the halo of radius 0": Untested, "here: no refill of the halo of radius 1": Untested}},
	} {
		t.Run(c.name, func(t *testing.T) {
			halos := append([]halo(nil), decided...)
			for i := range halos {
				c.spoil(&halos[i])
				if halos[i].Verdict == "" {
					halos[i] = halo{Board: halos[i].Board, Seed: halos[i].Seed, Radius: halos[i].Radius, goal: halos[i].goal}
				}
			}
			r := &Report{}
			reportRigidity(r, halos)
			want := map[string]Verdict{}
			for word, verdict := range all {
				want[word] = verdict
			}
			for word, verdict := range c.want {
				want[word] = verdict
			}
			every(t, r, want)
		})
	}
}

func TestRigidityStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := Run(ctx, rigidity, Options{Quick: true, Say: func(s string) {
		if strings.Contains(s, "blackwood") {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Verdict == Reproduced && !strings.HasPrefix(f.Claim, "riotte") {
			t.Errorf("a stopped run confirms that %s", f.Claim)
		}
	}
}
