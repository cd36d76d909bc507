package study

import (
	"bytes"
	"context"
	"flag"
	"math"
	"os"
	"testing"

	"lastmile/game"
	"lastmile/game/virus"
	"lastmile/random"
)

var refit = flag.Bool("refit", false, "fit the weights of package virus anew, and write them")

// The file of weights is what the study writes. Whether the weights are those that
// it fits the study itself tells.
func TestWeightsFile(t *testing.T) {
	const path = "../game/virus/weights.go"
	w := virus.DefaultWeights
	if *refit {
		fitted, _, err := FitWeights(context.Background(), DefaultSeed, DefaultGames, 1)
		if err != nil {
			t.Fatal(err)
		}
		w = fitted
		if err := os.WriteFile(path, WeightsSource(&w), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(text, WeightsSource(&w)) {
		t.Errorf("%s is not what the study writes, %v; run this test with -refit", path, err)
	}
	if w.Win != 0 {
		t.Errorf("a win adds %d points; searches for the margin want 0", w.Win)
	}
}

// The fit sees positions as the evaluation does.
func TestPhaseIsThatOfWeights(t *testing.T) {
	var w virus.Weights
	for p := range w.Parts {
		w.Parts[p][virus.Tempo] = game.Points(p + 1)
	}
	s, err := newSelfPlay(nil, 20, 50)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{4, 7} {
		s.size = size
		line, err := s.play(context.Background(), random.New(1, "phases", size), func(*virus.Position, int) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		for i := range line {
			if got := phaseOf(&line[i]) + 1; game.Points(got) != w.Value(&line[i]) {
				t.Fatalf("%s: phase %d, want %d", line[i].FEN(), got, w.Value(&line[i]))
			}
		}
	}
}

// Least squares find weights that explain everything, and the weights of phases
// that have no positions follow their neighbours.
func TestLeastSquares(t *testing.T) {
	lots := random.New(1, "least squares", 0)
	var truth [fitFeatures]float64
	for k := range truth {
		truth[k] = float64(lots.Below(400) - 200)
	}
	truth[virus.Frontier] = 0 // to which it is pulled
	var games [][]fitSample
	for range 200 {
		var g []fitSample
		for range 10 {
			s := fitSample{phase: lots.Below(fitPhases - 1)}
			for k := range s.features {
				s.features[k] = lots.Below(21) - 10
				s.final += truth[k] * float64(s.features[k])
			}
			g = append(g, s)
		}
		games = append(games, g)
	}
	w, errors, err := leastSquares(games, func(int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for i := range w {
		if math.Abs(w[i]-truth[i%fitFeatures]) > 0.01 || errors[i] > 0.01 {
			t.Errorf("weight %d of phase %d: %v ± %v, want %v", i%fitFeatures, i/fitFeatures, w[i], errors[i], truth[i%fitFeatures])
		}
	}
	for _, g := range games { // what the frontier explains it gets in part
		for i := range g {
			g[i].final += 60 * float64(g[i].features[virus.Frontier])
		}
	}
	if w, _, err = leastSquares(games, func(int) bool { return true }); err != nil || !(w[virus.Frontier] > 1 && w[virus.Frontier] < 59) {
		t.Errorf("frontier %v, %v, want it between 0 and 60", w[virus.Frontier], err)
	}
	one, _, err := leastSquares(games, func(k int) bool { return k == virus.Material })
	if err != nil || one[virus.Material] == 0 || one[virus.Tempo] != 0 {
		t.Errorf("material alone: %v, %v", one[:fitFeatures], err)
	}
}

func TestGoodness(t *testing.T) {
	samples := []fitSample{{final: 300}, {final: -100}, {final: 0}, {final: 200}}
	g := goodnessOf(samples, func(s *fitSample) float64 { return s.final })
	if g.N != 4 || g.R2 != 1 || g.Error != 0 || g.Sign != 1 {
		t.Errorf("the truth: %+v", g)
	}
	g = goodnessOf(samples, func(*fitSample) float64 { return 100 })
	if g.R2 != 0 || g.Error != 150 || math.Abs(g.Sign-2.0/3) > 1e-9 {
		t.Errorf("the mean: %+v", g)
	}
}

func TestFitDoesNotDependOnThreads(t *testing.T) {
	a, _, err := FitWeights(context.Background(), 3, 60, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, rounds, err := FitWeights(context.Background(), 3, 60, 3)
	if err != nil || a != b || len(rounds) != 2 {
		t.Errorf("%v and %v, %d rounds, %v", a, b, len(rounds), err)
	}
}

func TestVirusEvaluation(t *testing.T) {
	r := quick(t, virusEvaluation)
	expect(t, r, map[string]Verdict{"that this study fits": Untested, "other games": Untested, "held out": Untested})
	if len(r.Tables) != 2 || len(r.Tables[1].Rows) != 2*fitPhases {
		t.Errorf("%d tables", len(r.Tables))
	}
}

func TestVerdictOfEvaluation(t *testing.T) {
	fit := func(seed uint64, change game.Points) seedFit {
		x := FitRound{Weights: virus.DefaultWeights, Held: Goodness{R2: 0.8, Error: 400, Sign: 0.9}, HeldMaterial: Goodness{R2: 0.7, Error: 500, Sign: 0.8}}
		for p := range x.Errors {
			for k := range x.Errors[p] {
				x.Weights.Parts[p][k] += change
				x.Errors[p][k] = 1
			}
		}
		return seedFit{seed, []FitRound{{}, x}}
	}
	worse := fit(2, 0)
	worse.rounds[1].Held.Sign = 0.7
	for name, c := range map[string]struct {
		fits  []seedFit
		whole bool
		want  [3]Verdict
	}{
		"the same":         {[]seedFit{fit(1, 0), fit(2, 10), fit(3, -10)}, true, [3]Verdict{Reproduced, Reproduced, Reproduced}},
		"other weights":    {[]seedFit{fit(1, 2), fit(2, 20), fit(3, 0)}, true, [3]Verdict{NotReproduced, NotReproduced, Reproduced}},
		"material better":  {[]seedFit{fit(1, 0), worse, fit(3, 0)}, true, [3]Verdict{Reproduced, Reproduced, NotReproduced}},
		"a seed missing":   {[]seedFit{fit(1, 0), fit(2, 0)}, true, [3]Verdict{Reproduced, Untested, Untested}},
		"fewer games":      {[]seedFit{fit(1, 50), fit(2, 50), worse}, false, [3]Verdict{Untested, Untested, Untested}},
		"only other seeds": {[]seedFit{fit(2, 0), fit(3, 0)}, true, [3]Verdict{Untested, Reproduced, Untested}},
	} {
		r := &Report{}
		reportEvaluation(r, c.fits, c.whole)
		for i, want := range c.want {
			if got := r.Findings[i].Verdict; got != want {
				t.Errorf("%s, claim %d: %s, want %s (%s)", name, i, got, want, r.Findings[i].Measured)
			}
		}
	}
}
