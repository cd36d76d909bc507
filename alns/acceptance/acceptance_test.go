package acceptance

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lastmile/random"
)

func rule(tb testing.TB, name string, o Options, score int) Rule {
	tb.Helper()
	r, err := New(name, o, score)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// settings are options under which the rules are tried.
var settings = []Options{
	{}, {Temperature: 2, Final: 0.5, Deviation: 4.5, History: 3}, {Temperature: 1e-9, Deviation: 1e-9, History: 1},
	{Temperature: 1e300, Final: 1e-300, Deviation: 1e300},
}

// each runs a test for every rule under every setting, at the beginning of a
// run, within it and at its end.
func each(t *testing.T, f func(t *testing.T, name string, o Options, done float64)) {
	for _, name := range Names() {
		for i, o := range settings {
			for _, done := range []float64{0, 0.37, 1} {
				t.Run(fmt.Sprintf("%s/%d/%v", name, i, done), func(t *testing.T) { f(t, name, o, done) })
			}
		}
	}
}

// walk asks a rule about rebuilt boards that gain and lose a few seams, and
// moves as it says.
func walk(a Rule, r *random.Stream, score, steps int) (now, best int) {
	now, best = score, score
	for range steps {
		after := max(0, now+2-r.Below(7))
		if a.Accept(now, after, best, r) {
			now, best = after, max(best, after)
		}
	}
	return now, best
}

// No rule refuses a board that is no worse than the one before.
func TestNoGainIsRefused(t *testing.T) {
	each(t, func(t *testing.T, name string, o Options, done float64) {
		a, r := rule(t, name, o, 400), random.New(1, name, 0)
		a.Advance(done)
		for range 5000 {
			before := r.Below(480)
			after := before + r.Below(3)*r.Below(100)
			if best := before + r.Below(50); !a.Accept(before, after, best, r) {
				t.Fatalf("refused %d after %d", after, before)
			}
		}
	})
}

// Of two losses in the same place the smaller is accepted at least as often.
func TestSmallerLossesPassMoreOften(t *testing.T) {
	each(t, func(t *testing.T, name string, o Options, done float64) {
		a := rule(t, name, o, 400)
		a.Advance(done)
		now, best := walk(a, random.New(2, name, 0), 400, 2000)
		state := a.State()
		last := math.MaxInt
		for loss := range 70 {
			accepted := 0
			r := random.New(3, name, 0) // the same lots for every loss
			for range 200 {
				if a.Accept(now, now-loss, best, r) {
					accepted++
				}
				if err := a.Restore(state); err != nil {
					t.Fatal(err)
				}
			}
			if accepted > last {
				t.Errorf("a loss of %d passed %d times of 200, one of %d %d times", loss, accepted, loss-1, last)
			}
			last = accepted
		}
	})
}

// frequency is how often a rule accepts a loss, and sigma the spread of
// frequencies about p.
func frequency(a Rule, r *random.Stream, loss, asked int) float64 {
	accepted := 0.0
	for range asked {
		if a.Accept(400, 400-loss, 410, r) {
			accepted++
		}
	}
	return accepted / float64(asked)
}

func near(f, p float64, asked int) bool {
	return math.Abs(f-p) <= 5*math.Sqrt(p*(1-p)/float64(asked))+1e-9
}

// Annealing accepts a loss of x with probability exp(-x/T), at any time of the
// run, however hot it is.
func TestAnnealingIsMetropolis(t *testing.T) {
	const asked = 200_000
	r := random.New(4, "annealing", 0)
	for _, temperature := range []float64{0.2, 0.3, 1, 5, 1e9, 1e20} {
		a := rule(t, "annealing", Options{Temperature: temperature}, 400)
		for loss := 1; loss <= 6; loss++ {
			a.Advance(float64(loss) / 6)
			if f, p := frequency(a, r, loss, asked), math.Exp(-float64(loss)/temperature); !near(f, p, asked) {
				t.Errorf("T = %v: a loss of %d accepted at %v, want %v", temperature, loss, f, p)
			}
		}
	}
}

// Cooling is annealing at Temperature at first and at Final at the end; between
// them the temperature falls by equal factors.
func TestCoolingCools(t *testing.T) {
	const asked, first, last = 200_000, 2.0, 0.25
	r := random.New(5, "cooling", 0)
	a := rule(t, "cooling", Options{Temperature: first, Final: last}, 400)
	before := 2.0
	for _, done := range []float64{-0.1, 0, 0.25, 0.5, 0.75, 1, 1.5} {
		a.Advance(done)
		temperature := first * math.Pow(last/first, min(max(done, 0), 1))
		f, p := frequency(a, r, 1, asked), math.Exp(-1/temperature)
		if !near(f, p, asked) {
			t.Errorf("%v done: a loss of 1 accepted at %v, want %v", done, f, p)
		}
		if done > 0 && done <= 1 && f >= before {
			t.Errorf("%v done: accepted at %v, before at %v", done, f, before)
		}
		before = f
	}
	// A share that is none counts as the beginning, and the widest range cools.
	a.Advance(math.NaN())
	if f := frequency(a, random.New(6, "", 0), 1, 5000); math.Abs(f-math.Exp(-1/first)) > 0.05 {
		t.Errorf("a loss of 1 accepted at %v at the beginning, want %v", f, math.Exp(-1/first))
	}
	wide := rule(t, "cooling", Options{Temperature: 1e308, Final: 1e-308}, 400)
	for done, want := range map[float64]float64{0.49: 1, 0.51: 0} {
		wide.Advance(done)
		if f := frequency(wide, random.New(6, "", 0), 1, 5000); math.Abs(f-want) > 0.01 {
			t.Errorf("%v of the way from 1e308 to 1e-308 a loss of 1 is accepted at %v, want %v", done, f, want)
		}
	}
	// What it decides follows from how much is done, not from how it came there.
	b := rule(t, "cooling", Options{Temperature: first, Final: last}, 400)
	b.Advance(0.31)
	a.Advance(0.31)
	if x, y := frequency(a, random.New(6, "", 0), 1, 5000), frequency(b, random.New(6, "", 0), 1, 5000); x != y {
		t.Errorf("accepted at %v after the end, at %v from the start", x, y)
	}
}

// The defaults: a temperature of 0.6, cooling to a quarter of it.
func TestDefaults(t *testing.T) {
	for _, name := range append(Names(), "") {
		for temperature, final := range map[float64]float64{0: 0.15, 2: 0.5} {
			a := rule(t, name, Options{Temperature: temperature}, 400)
			b := rule(t, name, Options{Temperature: max(temperature, 0.6), Final: final, Deviation: 2, History: 1000}, 400)
			if name == "" {
				b = rule(t, "annealing", Options{Temperature: max(temperature, 0.6)}, 400)
			}
			for _, done := range []float64{0, 0.6, 1} {
				a.Advance(done)
				b.Advance(done)
				x, xBest := walk(a, random.New(7, name, 0), 400, 4000)
				y, yBest := walk(b, random.New(7, name, 0), 400, 4000)
				if x != y || xBest != yBest || !slices.Equal(a.State(), b.State()) {
					t.Errorf("%q: %d and %d, best %d and %d", name, x, y, xBest, yBest)
				}
			}
		}
	}
}

func TestHillClimbingAcceptsNoLoss(t *testing.T) {
	a := rule(t, "hill-climbing", Options{Temperature: 100, Deviation: 100}, 400)
	for loss := 1; loss < 400; loss++ {
		if a.Accept(400, 400-loss, 400, nil) {
			t.Errorf("accepted a loss of %d", loss)
		}
	}
}

// Late acceptance against a slow twin that writes all scores down.
func TestLateLooksBack(t *testing.T) {
	for _, history := range []int{1, 2, 7, 1000} {
		a, r := rule(t, "late", Options{History: history}, 400), random.New(8, "late", history)
		now, losses := 400, 0
		var scores []int // at hand after each iteration
		for i := range 5000 {
			after := max(0, now+3-r.Below(8))
			ago := 400
			if i >= history {
				ago = scores[i-history]
			}
			want := after >= now || after >= ago
			if got := a.Accept(now, after, 480, r); got != want {
				t.Fatalf("history of %d, iteration %d: %d after %d accepted: %v, %d ago it was %d", history, i, after, now, got, history, ago)
			}
			if want {
				if after < now {
					losses++
				}
				now = after
			}
			scores = append(scores, now)
		}
		if history > 1 && losses == 0 {
			t.Errorf("history of %d: no loss was accepted: it shows nothing", history)
		}
	}
}

// Record to record travel accepts what is strictly less than the deviation below
// the best, whatever it loses.
func TestRecordKeepsNearTheBest(t *testing.T) {
	for _, deviation := range []float64{0.5, 1, 2, 2.5} {
		a := rule(t, "record", Options{Deviation: deviation}, 400)
		a.Advance(1)
		for below := range 6 {
			if got, want := a.Accept(420, 420-below, 420, nil), below == 0 || float64(below) < deviation; got != want {
				t.Errorf("deviation %v: %d below the best accepted: %v", deviation, below, got)
			}
			if got, want := a.Accept(419, 420-below-1, 420, nil), below == 0 || float64(below+1) < deviation; got != want {
				t.Errorf("deviation %v: %d below the best accepted from 1 below: %v", deviation, below+1, got)
			}
		}
	}
}

// The threshold falls evenly from the deviation, itself refused, to nothing.
func TestThresholdFalls(t *testing.T) {
	a := rule(t, "threshold", Options{Deviation: 4}, 400)
	for done, most := range map[float64]int{-1: 3, 0: 3, 0.25: 2, 0.3: 2, 0.5: 1, 0.74: 1, 0.76: 0, 1: 0, 3: 0} {
		a.Advance(done)
		for loss := range 6 {
			if got := a.Accept(400, 400-loss, 480, nil); got != (loss <= most) {
				t.Errorf("%v done: a loss of %d accepted: %v", done, loss, got)
			}
		}
	}
}

// A rule that is restored, through JSON and over whatever it held, decides as the
// one that was saved, in the middle of its ring too; the state is not shared.
func TestRestoreGoesOn(t *testing.T) {
	each(t, func(t *testing.T, name string, o Options, done float64) {
		for _, cut := range []int{0, 1, 2, 1500} {
			a, b := rule(t, name, o, 400), rule(t, name, o, 123)
			a.Advance(done)
			score, _ := walk(a, random.New(9, name, cut), 400, cut)
			walk(b, random.New(10, name, cut), 300, 77)
			text, err := json.Marshal(a.State())
			if err != nil {
				t.Fatal(err)
			}
			var state []float64
			if err := json.Unmarshal(text, &state); err != nil {
				t.Fatal(err)
			}
			if err := b.Restore(state); err != nil {
				t.Fatal(err)
			}
			b.Advance(done)
			clear(state)
			clear(a.State())
			x, xBest := walk(a, random.New(11, name, cut), score, 4000)
			y, yBest := walk(b, random.New(11, name, cut), score, 4000)
			if x != y || xBest != yBest || !slices.Equal(a.State(), b.State()) {
				t.Errorf("saved after %d steps: at %d, best %d, restored at %d, best %d", cut, x, xBest, y, yBest)
			}
		}
	})
}

// Restore refuses what no State holds, and leaves the rule as it was.
func TestRestoreRefuses(t *testing.T) {
	each(t, func(t *testing.T, name string, o Options, done float64) {
		a := rule(t, name, o, 400)
		a.Advance(done)
		walk(a, random.New(12, name, 0), 400, 1234)
		good := a.State()
		refuse := func(what string, state []float64) {
			t.Helper()
			if err := a.Restore(state); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s was accepted, %v", what, err)
			}
			if !slices.Equal(a.State(), good) {
				t.Fatalf("%s: refused, but the state is another now", what)
			}
		}
		refuse("a number more", append(slices.Clone(good), 400))
		for i := range good {
			if i == 0 {
				refuse("a number less", good[1:])
			}
			if i > 5 && i < len(good)-1 {
				continue
			}
			for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 400.5, 1e10, math.MaxFloat64} {
				state := slices.Clone(good)
				state[i] = x
				refuse(fmt.Sprintf("score %d of %v", i, x), state)
			}
		}
	})
}

func TestAcceptAllocatesNothing(t *testing.T) {
	each(t, func(t *testing.T, name string, o Options, done float64) {
		a, r := rule(t, name, o, 400), random.New(13, name, 0)
		steps := 0.0
		if n := testing.AllocsPerRun(2000, func() {
			steps++
			a.Advance(done * steps / 2000)
			walk(a, r, 400, 1)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	for _, name := range append(Names(), "") {
		for what, o := range map[string]Options{
			"a temperature below 0": {Temperature: -1}, "no temperature": {Temperature: math.NaN()}, "a temperature of ∞": {Temperature: math.Inf(1)},
			"an end below 0": {Final: -1}, "no end": {Final: math.NaN()}, "an end of ∞": {Final: math.Inf(1)},
			"an end above the start": {Temperature: 1, Final: 1.5}, "an end above the default": {Final: 0.61},
			"a deviation below 0": {Deviation: -1}, "no deviation": {Deviation: math.NaN()}, "a deviation of ∞": {Deviation: math.Inf(1)},
			"a history below 0": {History: -1}, "a history too long": {History: MaxHistory + 1},
		} {
			if _, err := New(name, o, 400); err == nil {
				t.Errorf("%q: %s was accepted", name, what)
			}
		}
		if _, err := New(name, Options{History: MaxHistory, Temperature: 1, Final: 1}, 400); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	_, err := New("luck", Options{}, 400)
	for _, name := range Names() {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want it to name %s", err, name)
		}
	}
}
