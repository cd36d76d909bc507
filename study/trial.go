package study

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"lastmile/alns"
	"lastmile/alns/repair"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// start is a full board that the loop begins with.
type start struct {
	Puzzle *puzzle.Puzzle
	Board  []puzzle.Placement
	Score  int
}

func startOf(p *puzzle.Puzzle, board []puzzle.Placement) start {
	return start{p, board, p.Look(board).Tally().Matched}
}

// family is starts of one kind, one a seed.
type family struct {
	Name string
	Of   func(ctx context.Context, seed uint64) (start, error)
}

// beamStarts are boards of the official puzzle with its five clues, by beams.
// Their finish is left out.
func beamStarts(width int) family {
	return family{fmt.Sprintf("beam %s", grouped(int64(width))), func(ctx context.Context, seed uint64) (start, error) {
		p := puzzle.Official()
		r, err := construct.Beam(ctx, p, construct.Options{Order: "row-major", Width: width, Seed: seed}, search.Budget{}, nil)
		return startOf(p, r.Placements), err
	}}
}

// randomStarts are the pieces of a puzzle dealt at random to the cells that
// they fit, its clues held.
func randomStarts(name string, of func(seed uint64) (*puzzle.Puzzle, error)) family {
	return family{name, func(_ context.Context, seed uint64) (start, error) {
		p, err := of(seed)
		if err != nil {
			return start{}, err
		}
		return startOf(p, dealt(p, seed)), nil
	}}
}

// dealt is a full board at random under the frame rule and the clues.
func dealt(p *puzzle.Puzzle, seed uint64) []puzzle.Placement {
	r := random.New(seed, "dealt", 0)
	b := puzzle.NewBoard(p)
	b.Load(p.Clues)
	pieces := make([]int, p.Cells())
	for i := range pieces {
		pieces[i] = i
	}
	r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	for cell := range p.Cells() {
		if b.Piece(cell) != puzzle.Empty {
			continue
		}
		// The pieces left of the cell's kind are in random order already: the
		// first that fits is one of them at random.
		for _, piece := range pieces {
			if b.CellOf(piece) != puzzle.Empty {
				continue
			}
			if turn := p.RandomTurn(cell, piece, r); turn >= 0 {
				b.Place(cell, piece, turn)
				break
			}
		}
	}
	return b.Placements(nil)
}

// greedyStarts are boards of the official puzzle with its five clues, filled
// greedily with pieces in random order: mediocre ones.
func greedyStarts() family {
	return family{"greedy", func(_ context.Context, seed uint64) (start, error) {
		p := puzzle.Official()
		b := puzzle.NewBoard(p)
		b.Load(dealt(p, seed))
		var hole, pieces []int
		held := p.CluesByCell()
		for cell := range p.Cells() {
			if held[cell] < 0 {
				hole, pieces = append(hole, cell), append(pieces, b.Piece(cell))
				b.Remove(cell)
			}
		}
		repair.NewGreedy(p).Repair(b, hole, pieces)
		return startOf(p, b.Placements(nil)), nil
	}}
}

// trialPlan bounds a run of the loop. With both bounds it goes on until it has
// reached both, and what it had at each is kept.
type trialPlan struct {
	Iterations int64
	Time       time.Duration
	Marks      []int64 // ascending iterations at which the best score is noted
}

// trial is one run of the loop.
type trial struct {
	Seed         uint64  `json:"seed"`
	Start        int     `json:"start"`         // score
	AtIterations int     `json:"at_iterations"` // best score after the iterations of the plan
	AtTime       int     `json:"at_time"`       // best score after the time of the plan
	Seconds      float64 `json:"seconds"`       // that the iterations took
	InTime       int64   `json:"in_time"`       // iterations that the time allowed
	Gained       int64   `json:"gained"`        // the last of the iterations of the plan that made a new best board; 0 when none did
	Curve        []int   `json:"curve,omitempty"`
	Solved       bool    `json:"solved"` // it ended before its bounds

	gains     []gain    // every new best board, first to last
	clock     []float64 // seconds at the marks
	operators []search.Operator
	repairs   search.Repair
	board     []puzzle.Placement // the best in the end
}

// gain is a new best board of a run.
type gain struct {
	Iteration int64
	Seconds   float64
	Score     int
}

// after is the best score after so many iterations.
func (t trial) after(iterations int64) int {
	return t.until(func(g gain) bool { return g.Iteration <= iterations })
}

// within is the best score after so many seconds.
func (t trial) within(seconds float64) int {
	return t.until(func(g gain) bool { return g.Seconds <= seconds })
}

func (t trial) until(early func(gain) bool) int {
	score := t.Start
	for _, g := range t.gains {
		if !early(g) {
			break
		}
		score = g.Score
	}
	return score
}

// look is how many iterations pass between two looks at the clock.
const look = 32

// runTrial runs the loop from a board. A trial that the context cuts short
// says nothing: the caller looks at ctx.Err. The score is counted again from
// the colours of the board.
func runTrial(ctx context.Context, s start, o alns.Options, plan trialPlan) (trial, error) {
	board := puzzle.NewBoard(s.Puzzle)
	board.Load(s.Board)
	loop, err := alns.NewSearch(board, o)
	if err != nil {
		return trial{}, err
	}
	t := trial{Seed: o.Seed, Start: s.Score}
	marks := plan.Marks
	timed := plan.Time > 0
	t.AtIterations, t.AtTime = s.Score, s.Score
	began := time.Now()
	for {
		n := loop.Iterations()
		_, best, gained := loop.Best()
		for len(marks) > 0 && n >= marks[0] {
			t.Curve, t.clock, marks = append(t.Curve, best), append(t.clock, time.Since(began).Seconds()), marks[1:]
		}
		if n <= plan.Iterations {
			t.AtIterations, t.Gained = best, gained
			if n == plan.Iterations {
				t.Seconds = time.Since(began).Seconds()
			}
		}
		if n%look == 0 {
			spent := time.Since(began)
			if ctx.Err() != nil {
				return t, nil
			}
			if timed {
				t.AtTime, t.InTime = best, n
				timed = spent < plan.Time
			}
			done := float64(n) / float64(max(1, plan.Iterations))
			if plan.Iterations == 0 {
				done = spent.Seconds() / plan.Time.Seconds()
			}
			loop.Advance(done)
		}
		t.Solved = best == s.Puzzle.MaxScore()
		if t.Solved || n >= plan.Iterations && !timed {
			break
		}
		if loop.Iterate() == alns.NewBest {
			_, best, n := loop.Best()
			t.gains = append(t.gains, gain{n, time.Since(began).Seconds(), best})
		}
	}
	if t.Solved { // it has what it would have at any later moment
		_, best, gained := loop.Best()
		if timed {
			t.AtTime, t.InTime = best, loop.Iterations()
		}
		if loop.Iterations() < plan.Iterations {
			t.AtIterations, t.Gained, t.Seconds = best, gained, time.Since(began).Seconds()
		}
		for range marks {
			t.Curve, t.clock = append(t.Curve, best), append(t.clock, time.Since(began).Seconds())
		}
	}
	found, best, _ := loop.Best()
	t.board = append(t.board, found...)
	t.operators, t.repairs = loop.Operators(), loop.Repairs()
	grid := s.Puzzle.Look(t.board)
	if tally := grid.Tally(); tally.Matched != best || tally.Empty > 0 || s.Puzzle.CluesHeld(grid) != len(s.Puzzle.Clues) {
		return t, fmt.Errorf("seed %d: a board said to score %d scores %d, with %d empty cells and %d of %d clues held",
			o.Seed, best, tally.Matched, tally.Empty, s.Puzzle.CluesHeld(grid), len(s.Puzzle.Clues))
	}
	return t, nil
}

// runBounds is runTrial. Rules that cool run once for each bound of the plan, as
// they cool down to the one that they are given: what the trial says of its time
// comes from the second run, all else from the first.
func runBounds(ctx context.Context, s start, o alns.Options, plan trialPlan) (trial, error) {
	cools := o.Acceptance == "cooling" || o.Acceptance == "threshold"
	if !cools || plan.Iterations == 0 || plan.Time == 0 {
		return runTrial(ctx, s, o, plan)
	}
	t, err := runTrial(ctx, s, o, trialPlan{Iterations: plan.Iterations, Marks: plan.Marks})
	if err != nil {
		return t, err
	}
	timed, err := runTrial(ctx, s, o, trialPlan{Time: plan.Time})
	t.AtTime, t.InTime = timed.AtTime, timed.InTime
	return t, err
}

// contender is a way to run the loop.
type contender struct {
	Name    string
	Options alns.Options // without the seed
}

// contest runs contenders from the starts of families, one trial a seed, each
// seed through all contenders before the next, so that a slow spell of the
// machine falls on all alike. Seeds that were cut short are left out.
type contest struct {
	Families   []family
	Contenders []contender
	Plan       trialPlan
	Fewer      map[string]int        // how many of the seeds a family runs, by its name; all when it is not there
	trials     map[[2]string][]trial // by family and contender
	seeds      []uint64              // that all have run
}

func (c *contest) run(ctx context.Context, seeds []uint64, say func(string)) error {
	c.trials = map[[2]string][]trial{}
	for i, seed := range seeds {
		row := map[[2]string]trial{}
		for _, f := range c.Families {
			if most, fewer := c.Fewer[f.Name]; fewer && i >= most {
				continue
			}
			say(fmt.Sprintf("%s boards, seed %d, %d of %d", f.Name, seed, i+1, len(seeds)))
			s, err := f.Of(ctx, seed)
			if err != nil {
				return fmt.Errorf("%s boards, seed %d: %w", f.Name, seed, err)
			}
			if ctx.Err() != nil {
				return nil
			}
			runtime.GC() // so that the first run does not pay for the board
			for _, d := range c.Contenders {
				o := d.Options
				o.Seed = seed
				t, err := runBounds(ctx, s, o, c.Plan)
				if err != nil {
					return fmt.Errorf("%s boards, %s: %w", f.Name, d.Name, err)
				}
				if ctx.Err() != nil {
					return nil
				}
				row[[2]string{f.Name, d.Name}] = t
			}
		}
		for key, t := range row {
			c.trials[key] = append(c.trials[key], t)
		}
		c.seeds = append(c.seeds, seed)
	}
	return nil
}

// of are the trials of a contender in a family, in the order of c.seeds, the
// first of them where the family runs fewer.
func (c *contest) of(f family, d contender) []trial {
	return c.trials[[2]string{f.Name, d.Name}]
}

// values takes one number of each trial.
func values(trials []trial, of func(trial) int) []float64 {
	all := make([]float64, len(trials))
	for i, t := range trials {
		all[i] = float64(of(t))
	}
	return all
}

func atIterations(t trial) int { return t.AtIterations }
func atTime(t trial) int       { return t.AtTime }

// startScores are the scores that the trials began with.
func startScores(trials []trial) []float64 {
	return values(trials, func(t trial) int { return t.Start })
}
