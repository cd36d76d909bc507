package hunt

import (
	"math"
	"testing"

	"lastmile/random"
)

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func TestSharesAddUp(t *testing.T) {
	lots := random.New(1, "test", 0)
	for n := 1; n < 20; n++ {
		arms := make([]arm, n)
		for i := range arms {
			arms[i].Guess = 1 + lots.Float64()
			for range lots.Below(5) {
				arms[i].learn(440+lots.Below(20), 455, -1, lots.Float64()*10)
			}
		}
		by := shares(arms)
		if math.Abs(sum(by)-1) > 1e-9 {
			t.Errorf("%d arms: shares add up to %v", n, sum(by))
		}
		for _, s := range by {
			if s < floor/float64(n)-1e-9 {
				t.Errorf("%d arms: a share of %v, want %v or more", n, s, floor/float64(n))
			}
		}
	}
}

func TestLearn(t *testing.T) {
	win := func(score, best, from int) float64 {
		var a arm
		a.learn(score, best, from, 1)
		return a.Wins
	}
	for _, c := range []struct {
		score, best, from int
		want              float64
	}{
		{460, 459, -1, 8}, {459, 459, -1, 4}, {458, 459, -1, 2}, {455, 459, -1, 0.25},
		{459, 459, 459, 0}, // a walk that brought nothing
		{459, 459, 458, 4}, {460, 459, 459, 8}, {457, 459, 455, 1},
		{450, -1, -1, 8}, // the first of all
	} {
		if got := win(c.score, c.best, c.from); got != c.want {
			t.Errorf("a board of %d from %d, the best is %d: %v, want %v", c.score, c.from, c.best, got, c.want)
		}
	}
}

// simulate draws jobs of ways that make boards of fixed odds, and returns the share
// of the time that each has had in the second half.
func simulate(ways []struct{ seconds, odds float64 }, jobs int) []float64 {
	arms := make([]arm, len(ways))
	spent := make([]float64, len(ways))
	for i, w := range ways {
		arms[i].Guess = w.seconds
	}
	lots := random.New(7, "simulation", 0)
	for n := range jobs {
		i, _ := draw(arms, lots)
		score := 450
		if lots.Float64() < ways[i].odds {
			score = 460
		}
		arms[i].learn(score, 460, -1, ways[i].seconds)
		if n > jobs/2 {
			spent[i] += ways[i].seconds
		}
	}
	total := sum(spent)
	for i := range spent {
		spent[i] /= total
	}
	return spent
}

// What pays for its time gets more of it, be its jobs long or short, and nobody is
// forgotten.
func TestTimeGoesWhereItPays(t *testing.T) {
	type ways = []struct{ seconds, odds float64 }
	for name, c := range map[string]struct {
		ways ways
		best int
	}{
		"the luckier of equals":    {ways{{1, 0.1}, {1, 0.4}, {1, 0.1}}, 1},
		"long and much luckier":    {ways{{1, 0.02}, {10, 0.9}, {1, 0.02}}, 1},
		"long and a little better": {ways{{1, 0.3}, {10, 0.6}}, 0},
	} {
		spent := simulate(c.ways, 4000)
		for i, s := range spent {
			if i != c.best && s >= spent[c.best] {
				t.Errorf("%s: time %v, want most for way %d", name, spent, c.best)
			}
			if s < floor/float64(len(spent))/3 {
				t.Errorf("%s: time %v, want some for each", name, spent)
			}
		}
	}
	even := simulate(ways{{1, 0.2}, {7, 0.2 * 7}}, 4000)
	if math.Abs(even[0]-0.5) > 0.1 {
		t.Errorf("two ways that pay alike share the time as %v", even)
	}
}

// Before anything is known, quick ways come first: a first board comes soon.
func TestQuickWaysComeFirst(t *testing.T) {
	b := NewBoards(1, 0, Ways{})
	drawn := map[int]int{}
	for stream := range 2000 {
		i, _ := draw(b.state.Arms, random.New(1, "hunt", stream))
		drawn[b.Ways[i].Width]++
	}
	if drawn[4096] < 4*drawn[65536] || drawn[65536] == 0 {
		t.Errorf("draws by width %v, want the narrow ones first and some of the wide", drawn)
	}
	// A way that nobody has tried costs what its guess says, in proportion to the others.
	arms := []arm{{Guess: 1}, {Guess: 16}}
	arms[0].learn(450, 450, -1, 3)
	if cost := costs(arms); cost[0] != 3 || cost[1] != 48 {
		t.Errorf("costs %v, want 3 and 48", cost)
	}
}

// The same history gives the same choices.
func TestDrawIsFixedBySeed(t *testing.T) {
	arms := make([]arm, 5)
	arms[2].learn(460, 459, -1, 2)
	for stream := range 50 {
		a, _ := draw(arms, random.New(3, "hunt", stream))
		b, _ := draw(arms, random.New(3, "hunt", stream))
		if a != b {
			t.Fatal("two choices of one draw")
		}
	}
}
