package study

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/study/cost"
)

var alnsCost = Study{
	Name:    "alns-cost",
	Claim:   "an iteration of ALNS is cheap, allocates nothing, and costs what its hole costs, whatever the board",
	Seeds:   fromTo(1, 10),
	Measure: measureCost,
}

// What the claims speak of.
const (
	costHole  = 20
	costRate  = 150_000 // iterations a second
	slowHole  = 40      // of assignment
	slowRate  = 3_000   // iterations a second
	costBoard = 1.5     // time of an iteration at 64×64 over that at 16×16; the cells are 16 times as many
	costCell  = 2.25    // the same of the choice of a cell: a scan of the rows gives up to 4, one of the cells up to 16, and caches alone nearly 2
	sameHoles = 0.05    // by which the holes of two boards may differ to count as of one size
	sameState = 0.2     // by which the conflicts of their cells may differ to count as alike
)

// costPlan is how much is measured.
type costPlan struct {
	holes, sides []int
	repetitions  int           // for each seed
	time         time.Duration // of one measurement of a loop
	iterations   int           // over which allocations are counted
}

func planCost(o Options) costPlan {
	p := costPlan{[]int{12, 20, 40, 80}, []int{16, 24, 32, 64}, 5, 20 * time.Millisecond, 1000}
	if o.Quick {
		p = costPlan{[]int{20, 40}, []int{16, 24}, 1, time.Millisecond, 50}
	}
	if o.Time > 0 {
		p.time = o.Time
	}
	return p
}

func measureCost(ctx context.Context, o Options, r *Report) error {
	plan := planCost(o)
	r.note(fmt.Sprintf("Every loop has holes of one size k. For each seed all of them are measured in turn, %d times over, %v each, on one thread, so that a slow spell of the machine falls on all alike; times are medians, and ratios are medians of the ratios of neighbouring measurements.", plan.repetitions, plan.time))
	r.note("The record board is polished as lastmile polish does it, and by every method of repair on three kinds of holes: as polish draws them, scattered ones, and connected ones, which are those of rectangle, component-halo and worst-window. Where an operator or a method is not named it is the default.")
	r.note(fmt.Sprintf("Generated boards have 22 colours and %.0f %% of their seams broken by exchanging inner pieces; each goes back to that start when its cells have been lifted once on average, so that boards of all sizes are measured in the same states. There each operator runs alone, and all of them with weights that hardly move, so that every board sees the same mixture.", 100*cost.Broken))
	r.note("Three things that are no scan make boards differ. The tables of a larger board leave the nearest cache, which costs time, above all where many far places are looked at, as worst-window looks at eight windows. The cells of a hole lie farther apart on it, so that fewer of them touch, which saves some. And the cells may be worse on it, which costs time, as greedy stops at a piece that matches all that is asked for: an operator that goes for the worst cells, as most-conflicted does, has soon mended those of a small board, and finds as many as it likes on a large one.")
	var m costs
	for i, seed := range o.Seeds {
		if ctx.Err() != nil {
			break
		}
		o.Say(fmt.Sprintf("seed %d, %d of %d", seed, i+1, len(o.Seeds)))
		if err := m.measure(ctx, plan, seed, o); err != nil {
			return err
		}
	}
	complete := !o.Quick && len(m.seeds) == len(o.Seeds)
	loops := compareSizes(m.loops, plan, perHole)
	choices := compareSizes(m.choices, plan, perCell)
	m.judgeRate(r, complete)
	m.judgeAssignment(r, complete)
	m.judgeAllocations(r, len(m.seeds) == len(o.Seeds))
	judgeBoards(r, loops, m.seeds, complete)
	judgeChoice(r, choices, m.seeds, complete)
	r.show(m.recordTable(plan))
	r.show(m.repairTable(plan))
	r.show(sizeTable("nanoseconds an iteration, by board",
		"medians; the ratio is the largest board against the smallest, with a star where their holes differ; cells are those lifted in an iteration on these two, and conflicts the mean of a cell", loops, plan, true))
	r.show(sizeTable("nanoseconds to choose a hole, by board",
		"choose alone; the ratio is that of the time for a chosen cell, the largest board against the smallest", choices, plan, false))
	r.show(m.partsTable(plan))
	r.show(m.leastTable(plan))
	if o.Quick {
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Verdict == Untested {
				f.Note = "fewer and shorter measurements than the claim asks for, so it was not tested"
			}
		}
	}
	return nil
}

// loopKey names a loop or a choice: one row of measurements.
type loopKey struct {
	board     string
	operators string
	k         int
	repair    string // none is the default
}

// sample is what was measured of it, in the order of seeds and repetitions.
type sample struct {
	nanos []float64
	holes []float64 // mean cells, one entry a seed
	state []float64 // mean conflicts of a cell, likewise
}

func (s *sample) hole() float64      { return Summarise(s.holes).Mean }
func (s *sample) conflicts() float64 { return Summarise(s.state).Mean }

// costs gathers the measurements. Seeds that were cut short are left out.
type costs struct {
	seeds       []uint64
	loops       map[loopKey]*sample
	choices     map[loopKey]*sample
	parts       map[int][]cost.Times // by k
	allocations uint64               // most of any loop with the default repair
	iterations  int                  // over which they were counted
	counted     int                  // loops that they were counted for
}

// The names of the boards and mixtures that are not generated.
const (
	recordBoard = "riotte-464"
	asPolish    = "as polish draws them"
	allAlike    = "all alike"
)

func (m *costs) measure(ctx context.Context, plan costPlan, seed uint64, o Options) error {
	type loopJob struct {
		key  loopKey
		loop *cost.Loop
	}
	type choiceJob struct {
		key    loopKey
		choice *cost.Choice
	}
	var loops []loopJob
	var choices []choiceJob
	parts := map[int]*cost.Parts{}

	record, err := cost.Record(recordBoard)
	if err != nil {
		return err
	}
	var boards []cost.Board
	for _, side := range plan.sides {
		b, err := cost.Damaged(side, seed)
		if err != nil {
			return err
		}
		boards = append(boards, b)
	}
	mixtures, names := mixtureOptions()
	kinds, err := recordMixtures()
	if err != nil {
		return err
	}
	for _, k := range plan.holes {
		loop := func(b cost.Board, name string, options alns.Options) error {
			options.Seed = seed
			l, err := cost.NewLoop(b, k, options)
			loops = append(loops, loopJob{loopKey{b.Name, name, k, options.Repair}, l})
			return err
		}
		for _, kind := range recordKinds {
			for _, method := range repair.Names() {
				options := kinds[kind]
				if method != repair.Default {
					options.Repair = method
				}
				if err := loop(record, kind, options); err != nil {
					return err
				}
			}
		}
		for _, name := range names { // boards of all sizes side by side: their ratios are taken
			for _, b := range boards {
				if err := loop(b, name, mixtures[name]); err != nil {
					return err
				}
			}
		}
		for _, operator := range destroy.Operators {
			for _, b := range boards {
				choices = append(choices, choiceJob{loopKey{b.Name, operator.Name, k, ""}, cost.NewChoice(b, k, operator, seed)})
			}
		}
		parts[k] = cost.NewParts(record, k, destroy.Portfolio, seed)
	}

	loopTimes, choiceTimes, partTimes := map[loopKey][]float64{}, map[loopKey][]float64{}, map[int][]cost.Times{}
	for turn := range plan.repetitions + 1 {
		warm := turn == 0 // fills caches and branch tables; not counted
		d := plan.time
		if warm {
			d /= 10
		} else {
			o.Say(fmt.Sprintf("seed %d, repetition %d of %d", seed, turn, plan.repetitions))
		}
		for _, j := range loops {
			if ctx.Err() != nil {
				return nil
			}
			if nanos := j.loop.Measure(d); !warm {
				loopTimes[j.key] = append(loopTimes[j.key], nanos)
			}
		}
		for _, j := range choices {
			if ctx.Err() != nil {
				return nil
			}
			if nanos := j.choice.Measure(d / 10); !warm {
				choiceTimes[j.key] = append(choiceTimes[j.key], nanos)
			}
		}
		for _, k := range plan.holes {
			if times := parts[k].Measure(d); !warm {
				partTimes[k] = append(partTimes[k], times)
			}
		}
	}
	if m.loops == nil {
		m.loops, m.choices, m.parts = map[loopKey]*sample{}, map[loopKey]*sample{}, map[int][]cost.Times{}
	}
	holes, states := map[loopKey]float64{}, map[loopKey]float64{} // now: counting allocations lets the boards mend
	for _, j := range loops {
		holes[j.key], states[j.key] = j.loop.Hole(), j.loop.Conflicts()
	}
	for _, j := range loops {
		if ctx.Err() != nil {
			return nil
		}
		if j.key.repair != "" {
			continue
		}
		m.allocations = max(m.allocations, j.loop.Allocations(plan.iterations))
		m.counted++
	}
	m.iterations = plan.iterations
	for _, j := range loops {
		add(m.loops, j.key, loopTimes[j.key], holes[j.key], states[j.key])
	}
	for _, j := range choices {
		add(m.choices, j.key, choiceTimes[j.key], j.choice.Hole(), 0)
	}
	for k, times := range partTimes {
		m.parts[k] = append(m.parts[k], times...)
	}
	m.seeds = append(m.seeds, seed)
	return nil
}

// evenly keeps the weights of operators as they are at first, alike.
var evenly = selection.Options{Memory: 1 - 1e-9}

// mixtureOptions are the loops that run on generated boards: each operator
// alone, and all of them as likely.
func mixtureOptions() (map[string]alns.Options, []string) {
	options := map[string]alns.Options{allAlike: {Operators: destroy.Operators, Selecting: evenly}}
	names := []string{allAlike}
	for _, operator := range destroy.Operators {
		options[operator.Name] = alns.Options{Operators: []destroy.Operator{operator}}
		names = append(names, operator.Name)
	}
	return options, names
}

// recordKinds are the kinds of holes that all methods of repair fill on the
// record board.
var recordKinds = []string{asPolish, scatteredHoles, connectedHoles}

func recordMixtures() (map[string]alns.Options, error) {
	plan, err := planRefill(Options{})
	options := map[string]alns.Options{asPolish: {}}
	for _, kind := range plan.kinds {
		options[kind.Name] = alns.Options{Operators: kind.operators, Selecting: evenly}
	}
	return options, err
}

func add(to map[loopKey]*sample, key loopKey, nanos []float64, hole, conflicts float64) {
	if to[key] == nil {
		to[key] = &sample{}
	}
	to[key].nanos = append(to[key].nanos, nanos...)
	to[key].holes = append(to[key].holes, hole)
	to[key].state = append(to[key].state, conflicts)
}

// rates turns nanoseconds an iteration into iterations a second.
func rates(nanos []float64) []float64 {
	rates := make([]float64, len(nanos))
	for i, n := range nanos {
		rates[i] = 1e9 / n
	}
	return rates
}

// ratios divides measurement by measurement.
func ratios(a, b []float64) []float64 {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return ratios
}

func (m *costs) judgeRate(r *Report, complete bool) {
	m.judgeLoopRate(r, loopKey{recordBoard, asPolish, costHole, ""}, costRate, complete,
		"at k = 20 on a full 16×16 board, one core: at least 150,000 iterations/s")
}

func (m *costs) judgeAssignment(r *Report, complete bool) {
	m.judgeLoopRate(r, loopKey{recordBoard, scatteredHoles, slowHole, assignmentRepair}, slowRate, complete,
		"with assignment at k = 40 on a full 16×16 board, the holes scattered, one core: at least 3,000 iterations/s")
}

func (m *costs) judgeLoopRate(r *Report, key loopKey, least int, complete bool, claim string) {
	f := Finding{Claim: claim, Published: fmt.Sprintf("a median of at least %s iterations/s", grouped(int64(least))), Seeds: m.seeds}
	median := math.NaN()
	if s := m.loops[key]; s != nil {
		rate := Summarise(rates(s.nanos))
		median = rate.Median
		f.Measured = fmt.Sprintf("median %s iterations/s on %s, %s to %s, n %d", short(rate.Median), recordBoard, short(rate.Min), short(rate.Max), rate.N)
	}
	f.Verdict = judge(!complete || median >= float64(least), complete)
	r.find(f)
}

func (m *costs) judgeAllocations(r *Report, complete bool) {
	f := Finding{
		Claim: "0 allocations an iteration", Published: "0", Seeds: m.seeds,
		Verdict: judge(m.allocations == 0, complete && m.counted > 0),
	}
	if m.counted > 0 {
		f.Measured = fmt.Sprintf("%d at most in %s iterations, each of %d loops with greedy, every operator among them", m.allocations, grouped(int64(m.iterations)), m.counted)
	}
	r.find(f)
}

func judgeBoards(r *Report, rows []sizeRow, seeds []uint64, complete bool) {
	worst, judged := 0.0, 0
	for _, row := range rows {
		if row.SameHoles {
			worst, judged = max(worst, row.Ratio.Median), judged+1
		}
	}
	f := Finding{
		Claim:     "the cost of an iteration follows k, not the board",
		Published: fmt.Sprintf("the same k takes at most %v times as long at 64×64 as at 16×16, which has a sixteenth of the cells", costBoard),
		Seeds:     seeds,
		Verdict:   judge(!complete || worst <= costBoard, complete && judged > 0),
		Note:      fmt.Sprintf("judged where the holes of both boards are of the same mean size within %.0f %%, and their cells have as many conflicts within %.0f %%: an operator may choose fewer than k cells, as bands do, whose rows are as wide as the board, or find worse ones on a larger board, as most-conflicted does", 100*sameHoles, 100*sameState),
	}
	if judged > 0 {
		f.Measured = fmt.Sprintf("%s at most, over %d of %d pairs of loops", times(worst), judged, len(rows))
	}
	r.find(f)
}

func judgeChoice(r *Report, rows []sizeRow, seeds []uint64, complete bool) {
	worst := map[string]float64{}
	for _, row := range rows {
		worst[row.Operators] = max(worst[row.Operators], row.Ratio.Median)
	}
	var measured []string
	holds := true
	for _, name := range destroy.Names() {
		if x, ok := worst[name]; ok {
			measured = append(measured, name+" "+times(x))
			holds = holds && x <= costCell
		}
	}
	f := Finding{
		Claim:     "choosing a hole is O(k): no operator scans the board",
		Published: fmt.Sprintf("a chosen cell takes at most %v times as long at 64×64 as at 16×16, where the rows are 4 times as many and the cells 16 times", costCell),
		Seeds:     seeds,
		Verdict:   judge(!complete || holds, complete && len(rows) > 0),
	}
	if len(rows) > 0 {
		f.Measured = "at most, by operator: " + strings.Join(measured, ", ")
	}
	r.find(f)
}

func times(x float64) string { return short(x) + " times" }
