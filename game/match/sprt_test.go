package match

import (
	"math"
	"testing"

	"lastmile/random"
)

// drawPair is a pair of two independent games with half as many draws as there
// can be at this score.
func drawPair(s *random.Stream, score float64) int {
	draws := min(score, 1-score)
	points := 0
	for range 2 {
		switch x := s.Float64(); {
		case x < draws:
			points++
		case x < draws/2+score:
			points += 2
		}
	}
	return points
}

// simulate runs tests until they are decided, and returns how many accepted.
func simulate(t *testing.T, test *Test, elo float64, runs int) (accepted int, pairs float64) {
	t.Helper()
	for run := range runs {
		s := random.New(1, "sprt", run)
		var p [5]int
		for n := 1; ; n++ {
			p[drawPair(s, scoreOf(elo))]++
			v := test.Judge(p)
			if v.Verdict == Accept {
				accepted++
			}
			if v.Verdict != Undecided {
				pairs += float64(n) / float64(runs)
				break
			}
			if n > 100_000 {
				t.Fatalf("undecided after %d pairs: %+v", n, v)
			}
		}
	}
	return accepted, pairs
}

// The risks are those that were asked for.
func TestSimulatedTests(t *testing.T) {
	test := &Test{Elo0: 0, Elo1: 60}
	const runs = 300
	for elo, want := range map[float64][2]int{
		-60: {0, 2}, 0: {2, 27}, 30: {90, 210}, 60: {273, 298}, 120: {298, 300},
	} {
		got, pairs := simulate(t, test, elo, runs)
		if got < want[0] || got > want[1] {
			t.Errorf("%v Elo: %d of %d accepted, want %d to %d", elo, got, runs, want[0], want[1])
		}
		t.Logf("%v Elo: %d of %d accepted, %.0f pairs", elo, got, runs, pairs)
	}
}

// The ratio is that of the generalised test, by hand where that can be done: with
// wins and losses only, as likely as not, the means s are the chances themselves.
func TestRatio(t *testing.T) {
	for _, c := range []struct {
		pairs      [5]int
		elo0, elo1 float64
		want       float64
		within     float64
	}{
		{[5]int{40, 0, 0, 0, 60}, 0, 70.4365, 60*math.Log(0.6/0.5) + 40*math.Log(0.4/0.5), 0.01},
		{[5]int{40, 0, 0, 0, 60}, -70.4365, 70.4365, 60*math.Log(0.6/0.4) + 40*math.Log(0.4/0.6), 0.01},
		{[5]int{}, 0, 10, 0, 0},
		// Symmetric hypotheses and results say nothing.
		{[5]int{3, 5, 9, 5, 3}, -20, 20, 0, 1e-9},
		// About n (s1 - s0) (2 mean - s0 - s1) / (2 variance) near the middle:
		// variance 0.075, mean 0.5.
		{[5]int{100, 200, 400, 200, 100}, 0, 5, -1000 * math.Pow(scoreOf(5)-0.5, 2) / (2 * 0.075), 0.01},
		// Wins alone are as likely as the mean is high.
		{[5]int{0, 0, 0, 0, 50}, 0, 400, 50 * math.Log((10.0/11)/0.5), 0.05},
	} {
		if got := ratio(c.pairs, scoreOf(c.elo0), scoreOf(c.elo1)); math.Abs(got-c.want) > c.within {
			t.Errorf("%v, %v against %v: %v, want %v", c.pairs, c.elo0, c.elo1, got, c.want)
		}
	}
}

func TestVerdict(t *testing.T) {
	test := &Test{Elo0: 0, Elo1: 100}
	for want, pairs := range map[string][5]int{
		Accept:    {0, 5, 10, 20, 20},
		Reject:    {10, 20, 20, 5, 0},
		Undecided: {0, 1, 3, 2, 0},
	} {
		v := test.Judge(pairs)
		if v.Verdict != want || math.Abs(v.Upper-math.Log(19)) > 1e-9 || math.Abs(v.Lower+math.Log(19)) > 1e-9 || v.Alpha != 0.05 || v.Beta != 0.05 {
			t.Errorf("%v: %+v, want %s", pairs, v, want)
		}
	}
}
