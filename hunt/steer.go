package hunt

import (
	"fmt"
	"math"
	"strings"

	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/random"
	"lastmile/solve"
)

// way is a way to make boards: what a job is to do, and with how much.
type way struct {
	Kind       string  `json:"kind"`   // solve, build or polish
	Method     string  `json:"method"` // of solve
	Order      string  `json:"order,omitempty"`
	Width      int     `json:"width,omitempty"`
	Alike      float64 `json:"alike,omitempty"`
	Early      int     `json:"early,omitempty"`
	Nodes      int64   `json:"nodes,omitempty"`
	Iterations int64   `json:"iterations,omitempty"`
}

func (w way) name() string {
	words := []string{w.Kind}
	if w.Kind == "solve" {
		words[0] = w.Method
	}
	if w.Order != "" {
		words = append(words, w.Order)
	}
	if w.Width > 0 {
		words = append(words, fmt.Sprint(w.Width))
	}
	return strings.Join(words, " ")
}

// work is what a job of this way does; from is the board of a walk.
func (w way) work(from *archive.Board) job.Work {
	switch w.Kind {
	case "solve":
		return &job.Solve{Method: w.Method, Order: w.Order, Width: w.Width, Alike: w.Alike}
	case "build":
		return &job.Build{Order: w.Order, Early: w.Early}
	}
	return &job.Polish{Start: from.Codes, From: from.ID}
}

// guess is the seconds that a job of this way may take on one core, roughly, and for
// the official puzzle; what counts is how ways compare before any has been tried.
func (w way) guess() float64 {
	return 0.8e-3*float64(w.Width) + float64(w.Nodes)/90e6 + float64(w.Iterations)/300e3
}

// arm is a way and what it has brought.
type arm struct {
	Guess   float64 `json:"guess"` // of the seconds of a job
	Uses    int64   `json:"uses"`  // jobs done
	Sum     int64   `json:"sum"`   // of their scores
	Best    int     `json:"best"`  // -1 for none
	Seconds float64 `json:"seconds"`
	// The same, fading: rewards and seconds of late.
	Wins float64 `json:"wins"`
	Time float64 `json:"time"`
}

// Steering. The weights of the ALNS loop, one level up: what is chosen is not an
// operator but a whole way to make boards, so rewards count for the time they took.
const (
	reward = 8.0  // of a better board than the best; one as good gets half, and each seam less halves it again
	memory = 0.98 // that a way keeps of what was, at each of its jobs
	floor  = 0.25 // of an even share: nobody gets less, so that nobody is forgotten
)

// learn takes in a job that is done. Best is the score of the best board before it,
// from that of the board that it began with, -1 for none: who has not improved that
// has brought nothing.
func (a *arm) learn(score, best, from int, seconds float64) {
	win := 0.0
	switch {
	case score > best:
		win = reward
	case score > from:
		win = reward * math.Exp2(float64(score-best-1))
	}
	a.Wins, a.Time = memory*a.Wins+win, memory*a.Time+seconds
	a.Uses++
	a.Sum += int64(score)
	a.Best = max(a.Best, score)
	a.Seconds += seconds
}

// shares is how the time is to be shared among the arms: by what each has brought
// for its own, as if each had also made a best board once more. They add up to 1.
func shares(arms []arm) []float64 {
	cost := costs(arms)
	rates, sum := make([]float64, len(arms)), 0.0
	for i, a := range arms {
		rates[i] = (a.Wins + reward) / (a.Time + cost[i])
		sum += rates[i]
	}
	least := floor / float64(len(arms))
	for i := range rates {
		rates[i] = least + (1-floor)*rates[i]/sum
	}
	return rates
}

// costs are the seconds of a job of each arm; of one that has had none, its guess,
// in the measure in which those of the others were wrong.
func costs(arms []arm) []float64 {
	guessed, took := 0.0, 0.0
	for _, a := range arms {
		guessed += a.Guess * float64(a.Uses)
		took += a.Seconds
	}
	measure := 1.0
	if guessed > 0 && took > 0 {
		measure = took / guessed
	}
	cost := make([]float64, len(arms))
	for i, a := range arms {
		if a.Uses > 0 {
			cost[i] = a.Seconds / float64(a.Uses)
		} else {
			cost[i] = measure * a.Guess
		}
		cost[i] = max(cost[i], 1e-6)
	}
	return cost
}

// draw chooses an arm for the next job, so that time is shared as shares says: a
// way whose jobs take long gets few of them.
func draw(arms []arm, lots *random.Stream) (chosen int, by []float64) {
	by = shares(arms)
	cost := costs(arms)
	sum := 0.0
	for i := range by {
		sum += by[i] / cost[i]
	}
	at := lots.Float64() * sum
	for i := range by {
		if at -= by[i] / cost[i]; at < 0 {
			return i, by
		}
	}
	return len(by) - 1, by
}

// widths are those of the beams of a hunt.
var widths = []int{4096, 16384, 65536}

// polishing is the iterations of a walk for each board of the beam before it: a
// third of the time of the beam, as in solve.
const polishing = 100

func beamWay(order string, width int) way {
	return way{Kind: "solve", Method: "beam", Order: order, Width: width, Iterations: polishing * int64(width)}
}

// againWay walks on from a board of the archive.
var againWay = way{Kind: "polish", Iterations: 4 * solve.Patience}
