package solve

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

// pacing is a crew that has had so much of its time.
func pacing(p *puzzle.Puzzle, o Options, threads int, total, gone time.Duration) *crew {
	c := &crew{
		puzzle: p, options: o, plan: Plan{Threads: threads, Budget: search.Budget{Time: total}},
		start: time.Now(), before: gone, perfect: math.MaxInt,
	}
	c.constructors = o.constructors()
	return c
}

// beamed enters a beam that is over.
func (c *crew) beamed(width int, took time.Duration) {
	c.attempts = append(c.attempts, &attempt{Attempt: Attempt{Number: c.begun, Order: "comb", Width: width, Beam: took}})
	c.begun++
}

// A width fits into the time that is left, into memory and under the longest
// beam, and no beam begins that does not.
func TestWidthsFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	puzzles := []*puzzle.Puzzle{puzzle.Official(), generated(t, puzzle.Spec{Width: 3, Height: 3, Colours: 3}), generated(t, puzzle.Spec{Width: 32, Height: 32, Colours: 22})}
	none, wider, narrower, bounded := 0, 0, 0, 0
	for range 20_000 {
		p := puzzles[r.IntN(len(puzzles))]
		total := time.Duration(math.Exp(r.Float64() * math.Log(float64(1000*time.Hour))))
		gone := time.Duration(r.Float64() * float64(total))
		threads := 1 + r.IntN(2)*r.IntN(16)
		var o Options
		if r.IntN(3) == 0 {
			o.Width = 1 + r.IntN(1<<r.IntN(20))
		}
		o.Orders = DefaultOrders
		c := pacing(p, o, threads, total, gone)
		perWidth, widest := time.Duration(p.Cells())*time.Microsecond, 0
		for range r.IntN(4) {
			width := 1 << r.IntN(20)
			took := time.Duration(float64(width) * math.Exp(r.Float64()*14+5))
			c.beamed(width, took)
			if width >= widest {
				widest, perWidth = width, max(1, took/time.Duration(width))
			}
		}
		width := c.widthInTime()
		left := total - gone // a little less is left by now
		cost := time.Duration(width) * perWidth
		switch {
		case width == 0:
			none++
			continue
		case widest == 0 && o.Width > 0:
			if width != o.Width {
				t.Fatalf("first beam of width %d, wanted was %d", width, o.Width)
			}
			continue // its cost is not known, and there has to be a board
		case cost > left:
			t.Fatalf("width %d for %v with %v left", width, cost, left)
		case o.Width > 0:
			if width != o.Width {
				t.Fatalf("width %d, wanted was %d", width, o.Width)
			}
			continue
		}
		switch {
		case width > max(widest, firstWidth):
			wider++
			if width > 4*widest || cost > total/slice {
				t.Fatalf("width %d for %v of %v after %d", width, cost, total, widest)
			}
			if need := construct.Memory(p, width); need*int64(threads) > memory || width > construct.MaxWidth {
				t.Fatalf("%d beams of width %d take %d bytes", threads, width, need)
			}
			if width < 4*widest && 2*cost <= total/slice && !c.roomFor(2*width) {
				bounded++
			}
		case width < widest:
			narrower++
			if 4*width < widest {
				t.Fatalf("width %d after %d", width, widest)
			}
		case widest == 0 && width > leastWidth && cost > total/20:
			t.Fatalf("a first beam of width %d for %v of %v", width, cost, total)
		}
	}
	if none == 0 || wider == 0 || narrower == 0 || bounded == 0 {
		t.Errorf("%d times no beam, %d wider, %d narrower, %d kept narrow by memory: it shows nothing", none, wider, narrower, bounded)
	}
}

// Beams have grown when the next is no wider than the widest, and widths rise
// until then.
func TestBeamsGrow(t *testing.T) {
	for _, total := range []time.Duration{2 * time.Second, time.Minute, time.Hour, 24 * time.Hour} {
		for _, perWidth := range []time.Duration{50 * time.Microsecond, 300 * time.Microsecond, 2 * time.Millisecond} {
			for _, threads := range []int{1, 2, 8} {
				c := pacing(puzzle.Official(), Options{Orders: DefaultOrders}, threads, total, 0)
				last := 0
				if c.grown() {
					t.Fatal("grown before the first beam")
				}
				for !c.grown() {
					width := c.widthInTime()
					if width <= last {
						t.Fatalf("%v: width %d after %d, not grown", total, width, last)
					}
					last = width
					c.beamed(width, time.Duration(width)*perWidth)
					if len(c.attempts) > 20 {
						t.Fatalf("%v: still growing at width %d", total, width)
					}
				}
				longest := time.Duration(last) * perWidth
				if len(c.attempts) > 1 && longest > total/slice || 2*longest <= total/slice && c.roomFor(2*last) {
					t.Errorf("%v, %v a width, %d threads: grown at width %d", total, perWidth, threads, last)
				}
			}
		}
	}
	deep := pacing(puzzle.Official(), Options{DepthFirst: []string{"row-major"}}, 1, time.Minute, 0)
	if !deep.grown() {
		t.Error("without beams there is nothing to grow")
	}
	fixed := pacing(puzzle.Official(), Options{Orders: DefaultOrders, Width: 64}, 1, time.Minute, 0)
	if fixed.grown() {
		t.Error("grown before the first beam of a width that was asked for")
	}
	if fixed.beamed(64, time.Second); !fixed.grown() {
		t.Error("beams of a width that was asked for do not grow")
	}
}

// shared plays attempts of both activities, each of one second, and returns the
// part of the time that building had in the second half.
func shared(buildWins, againWins float64, n int) float64 {
	r := rand.New(rand.NewPCG(7, 8))
	c := pacing(puzzle.Official(), Options{Orders: DefaultOrders}, 1, 5*time.Second, 0)
	built := 0
	for i := range n {
		a := Attempt{Number: i, Counted: true, Bar: 450, Best: 449, Beam: time.Second}
		wins := buildWins
		if !c.buildNext() {
			a.Method, wins = Again, againWins
		} else if i >= n/2 {
			built++
		}
		if r.Float64() < wins {
			a.Best = 451
		}
		c.pay(&attempt{Attempt: a})
	}
	return float64(built) / float64(n-n/2)
}

func TestTimeFollowsWins(t *testing.T) {
	const n = 4000
	for _, c := range []struct{ build, again, low, high float64 }{
		{0, 0, 0.2, 0.8}, {1, 1, 0.4, 0.6}, {0.3, 0.3, 0.35, 0.65},
		{1, 0, 0.75, 0.82}, {0, 1, 0.18, 0.25}, {0.5, 0.02, 0.65, 0.82}, {0.02, 0.5, 0.18, 0.35},
	} {
		if got := shared(c.build, c.again, n); got < c.low || got > c.high {
			t.Errorf("building wins %v, walking on %v: building has %.2f of the time, want %.2f to %.2f", c.build, c.again, got, c.low, c.high)
		}
	}
	// Whatever came before, the next attempt brings the shares nearer to each other
	// than a fifth.
	r := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		c := pacing(puzzle.Official(), Options{}, 1, time.Minute, 0)
		seconds := func() time.Duration { return time.Duration(r.Float64() * float64(time.Minute)) }
		c.pays = pays{payoff{r.Float64() * 20, seconds()}, payoff{r.Float64() * 20, seconds()}}
		build, again := c.pays.Build.Time.Seconds(), c.pays.Again.Time.Seconds()
		if part := build / (build + again); c.buildNext() && part > 0.81 || !c.buildNext() && part < 0.19 {
			t.Fatalf("%+v: build next is %v", c.pays, c.buildNext())
		}
	}
}

// Only attempts that began when beams had grown pay, each for its own activity.
func TestPay(t *testing.T) {
	a := Attempt{Counted: true, Bar: 450, Best: 450, Beam: 3, Finish: 4, Polish: 5}
	for _, x := range []struct {
		name         string
		change       func(*Attempt)
		build, again payoff
	}{
		{"as good", func(*Attempt) {}, payoff{0.5, 12}, payoff{}},
		{"better", func(a *Attempt) { a.Best = 455 }, payoff{1, 12}, payoff{}},
		{"worse", func(a *Attempt) { a.Best = 449 }, payoff{0, 12}, payoff{}},
		{"deep", func(a *Attempt) { a.Method = DepthFirst }, payoff{0.5, 12}, payoff{}},
		{"walk as good", func(a *Attempt) { a.Method = Again }, payoff{}, payoff{0, 12}},
		{"walk better", func(a *Attempt) { a.Method, a.Best = Again, 451 }, payoff{}, payoff{1, 12}},
		{"too early", func(a *Attempt) { a.Counted, a.Best = false, 480 }, payoff{}, payoff{}},
	} {
		c := pacing(puzzle.Official(), Options{}, 1, time.Minute, 0)
		b := a
		x.change(&b)
		c.pay(&attempt{Attempt: b})
		if c.pays != (pays{x.build, x.again}) {
			t.Errorf("%s: %+v, want %+v and %+v", x.name, c.pays, x.build, x.again)
		}
	}
	c := pacing(puzzle.Official(), Options{}, 1, time.Minute, 0)
	c.plan.Budget.Nodes = 5
	if c.pay(&attempt{Attempt: a}); c.pays != (pays{}) {
		t.Errorf("under counts too: %+v", c.pays)
	}
}

// Constructors join one by one, each with a turn at once; then they share the
// attempts by e^score.
func TestConstructorsShareByScore(t *testing.T) {
	for _, c := range []struct {
		o      Options
		scores []int
	}{
		{Options{Orders: []string{"comb"}}, []int{450}},
		{Options{Orders: []string{"comb", "row-major"}}, []int{450, 450}},
		{Options{Orders: []string{"comb", "row-major"}, DepthFirst: []string{"comb"}}, []int{452, 451, 450}},
		{Options{DepthFirst: []string{"comb", "row-major", "column"}}, []int{300, 310, 310}},
		{Options{Orders: DefaultOrders}, []int{460, 461, 459, 461, 462}},
	} {
		crew := pacing(puzzle.Official(), c.o, 1, time.Minute, 0)
		const n = 3000
		had := make([]int, len(c.scores))
		for i := range n {
			x := crew.constructorInTime()
			for j, y := range crew.constructors {
				if x == y {
					had[j]++
					crew.attempts = append(crew.attempts, &attempt{Attempt: Attempt{
						Number: i, Method: x.method, Order: x.order, Counted: true, Best: c.scores[j],
					}})
				}
			}
			for j := range had {
				if joined := i >= joins*j; joined != (had[j] > 0) {
					t.Fatalf("%v: %v after %d attempts", crew.constructors, had, i+1)
				}
			}
		}
		sum := 0.0
		for _, s := range c.scores {
			sum += math.Exp(float64(s))
		}
		for j, s := range c.scores {
			if want := n * math.Exp(float64(s)) / sum; math.Abs(float64(had[j])-want) > 3 {
				t.Errorf("%v: %d attempts at a score of %d, want %.1f", crew.constructors[j], had[j], s, want)
			}
		}
	}
	// What is at work counts: two threads do not both try the one that joins.
	crew := pacing(puzzle.Official(), Options{Orders: []string{"comb", "row-major"}}, 2, time.Minute, 0)
	first := crew.constructorInTime()
	for i, want := range []string{"comb", "comb", "row-major", "row-major"} {
		x := crew.constructorInTime()
		if x.order != want {
			t.Errorf("attempt %d: %v, want %s", i, x, want)
		}
		crew.attempts = append(crew.attempts, &attempt{Attempt: Attempt{Number: i, Method: x.method, Order: x.order, Counted: true, Bar: 450}, busy: true})
	}
	// An attempt at work does not make a good one poor.
	crew.attempts = nil
	for i, score := range []int{460, 460, 460, 455, 0} {
		order := "comb"
		if score == 455 {
			order = "row-major"
		}
		crew.attempts = append(crew.attempts, &attempt{Attempt: Attempt{Number: i, Order: order, Counted: true, Bar: 460, Best: score}, busy: score == 0})
	}
	if got := crew.constructorInTime(); got.order != "comb" {
		t.Errorf("%v though the other is five seams better", got)
	}
	// And attempts from before beams had grown do not count.
	crew.attempts = []*attempt{{Attempt: Attempt{Order: "comb", Best: 479}}}
	if got := crew.constructorInTime(); got != first {
		t.Errorf("%v, want %v as if nothing had been tried", got, first)
	}
}
