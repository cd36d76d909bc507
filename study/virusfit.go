package study

import (
	"context"
	"fmt"
	"math"

	"lastmile/game"
	"lastmile/game/virus"
	"lastmile/random"
)

// This file fits the weights of package virus: linear least squares, by phase, of
// the margin at the end on what an evaluation counts.

const (
	fitPhases   = len(virus.Weights{}.Parts)
	fitFeatures = len(virus.FeatureNames)
	fitSize     = fitPhases * fitFeatures

	fitLeast, fitMost = 200, 600 // nodes a move
	fitOpening        = 6        // plies by lot, at most
	fitStray          = 0.1      // of the moves after them, up to a ply that is drawn
	fitLater          = 36       // the last ply that can be drawn; the lesser of two draws counts, as the first plies have the fewest positions
	fitExact          = 10       // empty squares from which on positions are solved
	fitHeld           = 5        // one game in so many is held out
	fitSmooth         = 10000    // how much neighbouring phases pull at each other: as so many positions do whose feature is 1
	fitFrontier       = 200000   // how much the frontier is pulled to 0: in the opening all stones are beside an empty square, so that it is material again
)

// sample is a position with what became of it.
type fitSample struct {
	phase    int
	features [fitFeatures]int
	final    float64 // margin, in points
}

// phaseOf is the phase of a position, as weights have it.
func phaseOf(p *virus.Position) int {
	return min(fitPhases*p.Empty().Count()/p.Squares().Count(), fitPhases-1)
}

// materialWeights value nothing but stones.
func materialWeights() (w virus.Weights) {
	for i := range w.Parts {
		w.Parts[i][virus.Material] = virus.Stone
	}
	return w
}

// fitGame plays one game, and returns its positions from where on both sides
// played by search, with the margins they led to. Near the end the margins are
// exact, and moves may stray without harm.
func fitGame(ctx context.Context, s *selfPlay, solver *virus.Solver, lots *random.Stream) ([]fitSample, error) {
	from := min(lots.Below(fitLater+1), lots.Below(fitLater+1))
	exact := func(p *virus.Position) bool { return p.Empty().Count() <= fitExact }
	line, err := s.play(ctx, lots, func(p *virus.Position, ply int) bool {
		return ply < min(fitOpening, from) || (ply < from || exact(p)) && lots.Float64() < fitStray
	})
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	var samples []fitSample
	margin := line[len(line)-1].Result()
	for i := len(line) - 2; i >= 0; i-- {
		p := &line[i]
		margin = -margin
		if exact(p) {
			if margin, err = exactMargin(ctx, solver, *p); err != nil || ctx.Err() != nil {
				return nil, err
			}
		} else if i < from {
			break
		}
		samples = append(samples, fitSample{phaseOf(p), p.Features(), float64(margin) * float64(virus.Stone)})
	}
	return samples, nil
}

// fitGames plays so many games, several at once.
func fitGames(ctx context.Context, seed uint64, round, games, threads int, w *virus.Weights) ([][]fitSample, error) {
	all := make([][]fitSample, games)
	const batch = 50
	err := inParallel(ctx, (games+batch-1)/batch, threads, func(job int) error {
		s, err := newSelfPlay(w, fitLeast, fitMost)
		if err != nil {
			return err
		}
		solver := virus.NewSolver(14)
		for i := job * batch; i < min(games, (job+1)*batch); i++ {
			if all[i], err = fitGame(ctx, s, solver, random.New(seed, fmt.Sprintf("self-play, round %d", round), i)); err != nil || ctx.Err() != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// Goodness says how well an evaluation foretells the margins of positions.
type Goodness struct {
	N     int     `json:"n"`
	R2    float64 `json:"r2"`                  // of the variance, the share that is explained
	Error float64 `json:"mean_absolute_error"` // points
	Sign  float64 `json:"sign"`                // share of the decided positions whose winner it names
}

// goodness of a prediction.
func goodnessOf(samples []fitSample, predict func(*fitSample) float64) Goodness {
	var g Goodness
	sum, squares, off, errors := 0.0, 0.0, 0.0, 0.0
	decided, right := 0, 0
	for i := range samples {
		s := &samples[i]
		v := predict(s)
		sum += s.final
		squares += s.final * s.final
		off += (s.final - v) * (s.final - v)
		errors += math.Abs(s.final - v)
		if s.final != 0 {
			decided++
			if v*s.final > 0 {
				right++
			}
		}
	}
	n := float64(len(samples))
	g.N, g.R2 = len(samples), 1-off/(squares-sum*sum/n)
	g.Error, g.Sign = errors/n, float64(right)/float64(decided)
	return g
}

// FitRound is one round of self-play and the fit to its games.
type FitRound struct {
	Weights virus.Weights
	Errors  [fitPhases][fitFeatures]float64 // standard errors of the weights, the games being independent of each other
	Games   int
	Samples [fitPhases]int // positions that were fitted

	// On the games held out: the weights, material fitted in the same way, and 100
	// points a stone.
	Held, HeldMaterial, HeldStones Goodness
}

// FitWeights fits weights to so many games a round. Those of the first round are
// played with the weight of material alone, those of the second with what the
// first has fitted; the weights are the second's. They depend on seed and games
// alone. When the context ends there are fewer than two rounds.
func FitWeights(ctx context.Context, seed uint64, games, threads int) (virus.Weights, []FitRound, error) {
	w := materialWeights()
	var rounds []FitRound
	for round := range 2 {
		played, err := fitGames(ctx, seed, round+1, games, threads, &w)
		if err != nil || ctx.Err() != nil {
			return w, rounds, err
		}
		r, err := fitRound(played)
		if err != nil {
			return w, rounds, fmt.Errorf("round %d: %w", round+1, err)
		}
		w, rounds = r.Weights, append(rounds, r)
	}
	return w, rounds, nil
}

// fitRound fits weights to games.
func fitRound(games [][]fitSample) (FitRound, error) {
	r := FitRound{Games: len(games)}
	var fitted [][]fitSample
	var held []fitSample
	for i, g := range games {
		if i%fitHeld == fitHeld-1 {
			held = append(held, g...)
			continue
		}
		fitted = append(fitted, g)
		for j := range g {
			r.Samples[g[j].phase]++
		}
	}
	all, errors, err := leastSquares(fitted, func(int) bool { return true })
	if err != nil {
		return r, err
	}
	material, _, err := leastSquares(fitted, func(k int) bool { return k == virus.Material })
	if err != nil {
		return r, err
	}
	for i := range fitSize {
		r.Weights.Parts[i/fitFeatures][i%fitFeatures] = game.Points(math.Round(all[i]))
		r.Errors[i/fitFeatures][i%fitFeatures] = errors[i]
	}
	r.Held = goodnessOf(held, func(s *fitSample) float64 {
		v := game.Points(0)
		for k, n := range s.features {
			v += game.Points(n) * r.Weights.Parts[s.phase][k]
		}
		return float64(v)
	})
	r.HeldMaterial = goodnessOf(held, func(s *fitSample) float64 {
		return material[s.phase*fitFeatures+virus.Material] * float64(s.features[virus.Material])
	})
	r.HeldStones = goodnessOf(held, func(s *fitSample) float64 { return float64(virus.Stone) * float64(s.features[virus.Material]) })
	return r, nil
}

// leastSquares fits the weights of the features that are used, phase by phase, with
// a pull between neighbouring phases that settles what the games leave open. The
// standard errors take the positions of a game as one observation, whatever they
// have in common.
func leastSquares(games [][]fitSample, used func(feature int) bool) (w, errors [fitSize]float64, err error) {
	a, b := newSquare(fitSize), make([]float64, fitSize)
	for _, g := range games {
		for i := range g {
			s := &g[i]
			at := s.phase * fitFeatures
			for k, n := range s.features {
				if !used(k) {
					continue
				}
				b[at+k] += float64(n) * s.final
				for l, m := range s.features {
					if used(l) {
						a[at+k][at+l] += float64(n * m)
					}
				}
			}
		}
	}
	for i := range fitSize {
		a[i][i] += 1e-6 // also for features that are not used
		if i%fitFeatures == virus.Frontier {
			a[i][i] += fitFrontier
		}
		if j := i + fitFeatures; j < fitSize && used(i%fitFeatures) {
			a[i][i] += fitSmooth
			a[j][j] += fitSmooth
			a[i][j] -= fitSmooth
			a[j][i] -= fitSmooth
		}
	}
	inverse, err := inverted(a)
	if err != nil {
		return w, errors, err
	}
	for i := range fitSize {
		for j := range fitSize {
			w[i] += inverse[i][j] * b[j]
		}
	}
	spread := newSquare(fitSize) // of the games' pulls on the weights
	pull := make([]float64, fitSize)
	for _, g := range games {
		clear(pull)
		for i := range g {
			s := &g[i]
			at := s.phase * fitFeatures
			off := s.final
			for k, n := range s.features {
				off -= w[at+k] * float64(n)
			}
			for k, n := range s.features {
				pull[at+k] += float64(n) * off
			}
		}
		for i, x := range pull {
			if x == 0 {
				continue
			}
			for j, y := range pull {
				spread[i][j] += x * y
			}
		}
	}
	for i := range fitSize {
		sum := 0.0
		for j := range fitSize {
			for k := range fitSize {
				sum += inverse[i][j] * spread[j][k] * inverse[k][i]
			}
		}
		errors[i] = math.Sqrt(max(sum, 0))
	}
	return w, errors, nil
}

func newSquare(n int) [][]float64 {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	return a
}

// inverted inverts a matrix, which is lost, by Gauss and Jordan with pivots.
func inverted(a [][]float64) ([][]float64, error) {
	n := len(a)
	inverse := newSquare(n)
	for i := range n {
		inverse[i][i] = 1
	}
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[pivot][c]) {
				pivot = r
			}
		}
		if math.Abs(a[pivot][c]) < 1e-12 {
			return nil, fmt.Errorf("the equations for the weights have no single solution")
		}
		a[c], a[pivot] = a[pivot], a[c]
		inverse[c], inverse[pivot] = inverse[pivot], inverse[c]
		scale := 1 / a[c][c]
		for j := range n {
			a[c][j] *= scale
			inverse[c][j] *= scale
		}
		for r := range n {
			f := a[r][c]
			if r == c || f == 0 {
				continue
			}
			for j := range n {
				a[r][j] -= f * a[c][j]
				inverse[r][j] -= f * inverse[c][j]
			}
		}
	}
	return inverse, nil
}
