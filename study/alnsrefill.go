package study

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lastmile/alns"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/study/cost"
)

var alnsRefill = Study{
	Name:    "alns-refill",
	Claim:   "optimal refill is an assignment problem when no two freed cells touch; as soon as two do it is a small exact search, exponential in k, which is why large destroys stop paying",
	Seeds:   fromTo(1, refillSeeds),
	Measure: measureRefill,
}

// What a claim about the loop needs.
const (
	refillSeeds = 10
	refillTime  = 400 * time.Millisecond
)

// The methods that the claims speak of. Others that repair.Names lists are
// measured too.
const (
	greedyRepair     = "greedy"
	assignmentRepair = "assignment"
	exactRepair      = "exact"
	byHoleRepair     = "by-hole"
)

// The kinds of holes, besides asPolish.
const (
	scatteredHoles = "scattered"
	connectedHoles = "connected"
	squareHoles    = "worst-window" // an operator: of all connected holes its are the nearest to a square
)

// largeHole is what the claims call a large destroy.
const largeHole = 40

// holeKind is operators that choose holes of one kind.
type holeKind struct {
	Name      string
	operators []destroy.Operator
	sizes     []int // of the holes that are refilled by every method
}

// refillPlan is what is measured.
type refillPlan struct {
	seeds []uint64
	width int // of the beams whose boards are refilled
	kinds []holeKind
	holes int // of a seed, board, operator and size

	growing []destroy.Operator // whose holes show how exact grows
	growths []int              // sizes of these holes
	grown   int                // holes for each seed, board, operator and size
	cap     int                // of their refills, which may take 2^cap nodes

	loopWidth  int   // of the beams whose boards the loop starts from
	sizes      []int // of the holes of greedy
	small      []int // of exact and by-hole
	middle     []int // of assignment
	iterations int64 // of greedy
	fewer      int64 // of all methods
	time       time.Duration

	whole bool // as the claims have it
}

func planRefill(o Options) (refillPlan, error) {
	p := refillPlan{
		seeds: o.Seeds, width: 1024, holes: 300,
		growths: []int{4, 6, 9, 12, 16, 20, 25, 30}, grown: 8, cap: 17,
		loopWidth: 512, sizes: []int{4, 6, 8, 12, 16, 20, 30, 40, 60, 80}, small: []int{4, 6, 8, 12, 16, 20}, middle: []int{4, 6, 8, 12, 16, 20, 30, 40},
		iterations: 100_000, fewer: 2_000, time: refillTime, whole: true,
	}
	scattered, connected := []int{4, 8, 12, 20, 40, 60, 80}, []int{4, 6, 9, 12, 16, 20, 30}
	if o.Quick {
		p.seeds, p.width, p.holes, p.growths, p.cap, p.grown, p.whole = o.Seeds[:min(2, len(o.Seeds))], 32, 2, []int{4, 6, 9}, 10, 1, false
		p.loopWidth, p.sizes, p.small, p.middle, p.iterations, p.fewer, p.time = 32, []int{4, 12, 40}, []int{4, 12}, []int{4, 12}, 200, 50, time.Millisecond
		scattered, connected = []int{4, 20}, []int{4, 9}
	}
	if o.Time > 0 {
		p.time = o.Time
	}
	apart, err := destroy.Named("scattered")
	if err != nil {
		return p, err
	}
	touching, err := destroy.Named("rectangle", "component-halo", "worst-window")
	if err != nil {
		return p, err
	}
	p.growing, err = destroy.Named(squareHoles, "rectangle")
	p.kinds = []holeKind{{scatteredHoles, apart, scattered}, {connectedHoles, touching, connected}}
	return p, err
}

// kind is the kind of holes of that name.
func (p refillPlan) kind(name string) holeKind {
	for _, k := range p.kinds {
		if k.Name == name {
			return k
		}
	}
	return holeKind{Name: name, operators: destroy.Portfolio}
}

func measureRefill(ctx context.Context, o Options, r *Report) error {
	plan, err := planRefill(o)
	if err != nil {
		return err
	}
	return refill(ctx, o, r, plan)
}

func refill(ctx context.Context, o Options, r *Report, plan refillPlan) error {
	r.note(fmt.Sprintf("The same hole is filled by every method in turn, and its pieces are put back each time, so that all methods see the same board. The boards are %s and those of beams of width %s; for each seed, board, operator and size there are %d holes, after %d that only warm the caches. Scattered holes are those of the operator scattered, connected ones those of rectangle, component-halo and worst-window, each a third. A worse refill gains nothing, as the loop would take it back; the time is that of the refill alone, the mean over the holes of a seed, and the median of these means over the seeds.",
		recordBoard, grouped(int64(plan.width)), plan.holes, warmHoles))
	r.note(fmt.Sprintf("How many nodes exact needs, for %d holes of each seed, board, operator and size, is found by allowing it 1, 2, 4 and so on, up to %s, until it says that its refill is optimal; it shuffles the pieces each time. This depends neither on the machine nor on what a refill costs besides.", plan.grown, grouped(1<<plan.cap)))
	r.note(fmt.Sprintf("In the loop every hole is to have k cells; an operator may choose fewer. The loop starts from boards of beams of width %s. Greedy runs %s iterations, and all methods %s iterations, and each goes on until %s are over; for each seed all loops run in turn, on one thread. Gains are the best score less that of the start. What is compared shares its seed and its start; intervals hold the mean with 95 %% confidence, by Student's t. All but the times, and what is had after a time, comes out the same each time.",
		grouped(int64(plan.loopWidth)), grouped(plan.iterations), grouped(plan.fewer), duration(plan.time.Seconds())))
	arms := plan.arms()
	x := refills{plan: plan, arms: arms, trials: make([][]trial, len(arms)), cells: make([][]float64, len(arms))}
	for i, seed := range plan.seeds {
		if ctx.Err() != nil {
			break
		}
		o.Say(fmt.Sprintf("seed %d, %d of %d", seed, i+1, len(plan.seeds)))
		if err := x.measure(ctx, seed, o.Say); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	x.complete = plan.whole && len(x.seeds) == len(plan.seeds) && len(x.seeds) >= refillSeeds
	x.report(r)
	return nil
}

// refills gathers the measurements. Seeds that were cut short are left out.
type refills struct {
	plan     refillPlan
	seeds    []uint64
	same     []map[refillKey]refillTally // by seed
	proofs   proofs
	grown    []map[growthKey][]grownHole // by seed
	arms     []refillArm
	trials   [][]trial   // by arm, by seed
	cells    [][]float64 // likewise: mean cells of the holes
	complete bool        // all that the claims speak of
}

func (x *refills) measure(ctx context.Context, seed uint64, say func(string)) error {
	boards, err := refillBoards(ctx, x.plan.width, seed)
	if err != nil {
		return err
	}
	same, checks, grown := map[refillKey]refillTally{}, x.proofs, map[growthKey][]grownHole{}
	for _, b := range boards {
		if err := fillHoles(ctx, x.plan, b, seed, same, &checks); err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
		say(fmt.Sprintf("seed %d, nodes of exact, %s", seed, b.Name))
		if err := growHoles(ctx, x.plan, b, seed, grown); err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
	}
	say(fmt.Sprintf("seed %d, loops", seed))
	trials, cells, err := runArms(ctx, x.plan, x.arms, seed)
	if err != nil || ctx.Err() != nil { // a part of a seed says nothing
		return err
	}
	for i := range x.arms {
		x.trials[i], x.cells[i] = append(x.trials[i], trials[i]), append(x.cells[i], cells[i])
	}
	x.seeds, x.same, x.proofs, x.grown = append(x.seeds, seed), append(x.same, same), checks, append(x.grown, grown)
	return nil
}

// beamBoards names the boards by beams, which differ from seed to seed.
const beamBoards = "by beams"

// refillBoards are the boards whose holes are filled.
func refillBoards(ctx context.Context, width int, seed uint64) ([]cost.Board, error) {
	record, err := cost.Record(recordBoard)
	if err != nil {
		return nil, err
	}
	s, err := beamStarts(width).Of(ctx, seed)
	return []cost.Board{record, {Name: beamBoards, Side: s.Puzzle.Width, Puzzle: s.Puzzle, Start: s.Board}}, err
}

// refillKey names what holes of one point are filled by.
type refillKey struct {
	boards, kind, operator string
	k                      int
	method                 string
}

// refillTally counts what a method made of holes.
type refillTally struct {
	Holes     int
	Cells     int
	Breaks    int // more than the board's own arrangements have
	Gain      int // seams gained, where the refill is better
	Better    int // than the board's own arrangement
	Even      int // as good, and another arrangement
	Same      int // the same arrangement
	Worse     int
	Optimal   int
	Fallbacks int
	Below     int // fewer breaks than greedy on the same hole
	Above     int // more
	Refuted   int // more, and said to be optimal
	Nanos     float64
}

func (t *refillTally) enter(cells int, f, greedy cost.Filled) {
	t.Holes++
	t.Cells += cells
	t.Breaks += f.Breaks
	t.Gain += max(0, -f.Breaks)
	t.Nanos += f.Nanos
	count := func(to *int, is bool) {
		if is {
			*to++
		}
	}
	count(&t.Better, f.Breaks < 0)
	count(&t.Even, f.Breaks == 0 && !f.Same)
	count(&t.Same, f.Same)
	count(&t.Worse, f.Breaks > 0)
	count(&t.Optimal, f.Verdict == repair.Optimal)
	count(&t.Fallbacks, f.Verdict == repair.Fallback)
	count(&t.Below, f.Breaks < greedy.Breaks)
	count(&t.Above, f.Breaks > greedy.Breaks)
	count(&t.Refuted, f.Breaks > greedy.Breaks && f.Verdict == repair.Optimal)
}

func (t *refillTally) add(u refillTally) {
	t.Holes += u.Holes
	t.Cells += u.Cells
	t.Breaks += u.Breaks
	t.Gain += u.Gain
	t.Better += u.Better
	t.Even += u.Even
	t.Same += u.Same
	t.Worse += u.Worse
	t.Optimal += u.Optimal
	t.Fallbacks += u.Fallbacks
	t.Below += u.Below
	t.Above += u.Above
	t.Refuted += u.Refuted
	t.Nanos += u.Nanos
}

// proofs holds what was said to be optimal against what was found.
type proofs struct {
	Said   int    // refills said to be optimal
	Broken int    // of these, with more breaks than another refill of the hole
	Worst  string // the first of them

	Apart   int // holes whose cells do not touch, that assignment has filled
	Decided int // of these, said to be optimal
}

// look judges the refills of a hole by all methods.
func (p *proofs) look(where string, apart bool, methods []string, filled []cost.Filled) {
	least, by := 0, "the board itself"
	for i, f := range filled {
		if f.Breaks < least {
			least, by = f.Breaks, methods[i]
		}
	}
	for i, f := range filled {
		optimal := f.Verdict == repair.Optimal
		if apart && methods[i] == assignmentRepair {
			p.Apart++
			if optimal {
				p.Decided++
			}
		}
		if !optimal {
			continue
		}
		p.Said++
		if f.Breaks > least {
			if p.Broken++; p.Broken == 1 {
				p.Worst = fmt.Sprintf("%s: %s has %d breaks less than %s", where, by, f.Breaks-least, methods[i])
			}
		}
	}
}

// warmHoles are the first holes of a point, which fill caches and tables and do
// not count.
const warmHoles = 3

// fillHoles fills the same holes of a board by every method.
func fillHoles(ctx context.Context, plan refillPlan, b cost.Board, seed uint64, tallies map[refillKey]refillTally, checks *proofs) error {
	names := repair.Names()
	methods := make([]cost.Method, len(names))
	for i, name := range names {
		methods[i].Name = name
	}
	r, err := cost.NewRefill(b, seed, methods)
	if err != nil {
		return err
	}
	greedy := slices.Index(names, greedyRepair)
	filled := make([]cost.Filled, len(names))
	for _, kind := range plan.kinds {
		for _, k := range kind.sizes {
			for _, operator := range kind.operators {
				if ctx.Err() != nil {
					return nil
				}
				for turn := range warmHoles + plan.holes {
					cells, apart := r.Choose(operator, k)
					if cells == 0 {
						continue
					}
					for i := range names { // each method comes first as often
						at := (turn + i) % len(names)
						if filled[at], err = r.Fill(at); err != nil {
							return fmt.Errorf("%s, %s, k = %d: %w", names[at], operator.Name, k, err)
						}
					}
					if turn < warmHoles {
						continue
					}
					checks.look(fmt.Sprintf("%s, seed %d, %s, k = %d", b.Name, seed, operator.Name, k), apart, names, filled)
					for i, name := range names {
						key := refillKey{b.Name, kind.Name, operator.Name, k, name}
						t := tallies[key]
						t.enter(cells, filled[i], filled[greedy])
						tallies[key] = t
					}
				}
			}
		}
	}
	return nil
}

// growthKey names holes of an operator and a size.
type growthKey struct {
	operator string
	k        int
}

// grownHole is a hole that exact was given ever more nodes for.
type grownHole struct {
	cells    int
	exponent int // of the least power of two that was enough, or cap+1
}

// growHoles finds the nodes that exact needs.
func growHoles(ctx context.Context, plan refillPlan, b cost.Board, seed uint64, grown map[growthKey][]grownHole) error {
	if !slices.Contains(repair.Names(), exactRepair) {
		return nil
	}
	methods := make([]cost.Method, plan.cap+1)
	for i := range methods {
		methods[i] = cost.Method{Name: exactRepair, Options: repair.Options{Nodes: 1 << i}}
	}
	r, err := cost.NewRefill(b, seed, methods)
	if err != nil {
		return err
	}
	for _, k := range plan.growths {
		for _, operator := range plan.growing {
			for range plan.grown {
				if ctx.Err() != nil {
					return nil
				}
				hole := grownHole{}
				if hole.cells, _ = r.Choose(operator, k); hole.cells == 0 {
					continue
				}
				for ; hole.exponent <= plan.cap; hole.exponent++ {
					f, err := r.Fill(hole.exponent)
					if err != nil {
						return fmt.Errorf("%s, k = %d: %w", operator.Name, k, err)
					}
					if f.Verdict == repair.Optimal {
						break
					}
				}
				key := growthKey{operator.Name, k}
				grown[key] = append(grown[key], hole)
			}
		}
	}
	return nil
}

// refillArm is a loop with holes of one kind and size and one method.
type refillArm struct {
	kind, method string
	k            int
	iterations   int64
}

func (p refillPlan) arms() (arms []refillArm) {
	names := repair.Names()
	add := func(kind, method string, sizes []int, iterations int64) {
		if slices.Contains(names, method) {
			for _, k := range sizes {
				arms = append(arms, refillArm{kind, method, k, iterations})
			}
		}
	}
	for _, kind := range []string{asPolish, scatteredHoles, connectedHoles} {
		add(kind, greedyRepair, p.sizes, p.iterations)
	}
	add(asPolish, exactRepair, p.small, p.fewer)
	add(asPolish, byHoleRepair, p.small, p.fewer)
	add(connectedHoles, exactRepair, p.small, p.fewer)
	add(scatteredHoles, assignmentRepair, p.middle, p.fewer)
	return arms
}

// runArms runs all loops from one start.
func runArms(ctx context.Context, plan refillPlan, arms []refillArm, seed uint64) ([]trial, []float64, error) {
	s, err := beamStarts(plan.loopWidth).Of(ctx, seed)
	if err != nil || ctx.Err() != nil {
		return nil, nil, err
	}
	trials, sizes := make([]trial, len(arms)), make([]float64, len(arms))
	for i, a := range arms {
		// An operator may choose fewer than k cells: count what it does.
		holes, cells := 0, 0
		var operators []destroy.Operator
		for _, operator := range plan.kind(a.kind).operators {
			operators = append(operators, destroy.Operator{Name: operator.Name, Choose: func(h *destroy.Hole, k int) {
				operator.Choose(h, k)
				holes++
				cells += h.Len()
			}})
		}
		o := alns.Options{Operators: operators, Smallest: a.k, Largest: a.k, Repair: a.method, Seed: seed}
		trials[i], err = runTrial(ctx, s, o, trialPlan{Iterations: a.iterations, Time: plan.time, Marks: []int64{plan.fewer}})
		if err != nil {
			return nil, nil, fmt.Errorf("%s holes, %s, k = %d: %w", a.kind, a.method, a.k, err)
		}
		if ctx.Err() != nil {
			return nil, nil, nil
		}
		sizes[i] = float64(cells) / float64(max(1, holes))
	}
	return trials, sizes, nil
}
