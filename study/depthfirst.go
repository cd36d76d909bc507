package study

import (
	"context"
	"fmt"
	"time"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

var depthFirst = Study{
	Name:    "depth-first",
	Claim:   "the break-index search places at least 60 million pieces a second on one core, and its early colours and break indexes pay",
	Seeds:   diveSeeds,
	Measure: measureDepthFirst,
}

var diveSeeds = fromTo(1, 10)

// recordBreaks are the break indexes of the record solver of 2020, for the
// official puzzle with its starter clue.
var recordBreaks = []int{201, 206, 211, 216, 221, 225, 229, 233, 237, 239}

// diveRates are nodes a second that a search with breaks should reach.
var diveRates = []float64{60e6, 93e6}

// divePlan is what is measured.
type divePlan struct {
	settle  int64 // nodes between restarts where speed is measured
	nodes   int64 // of a search whose score counts
	restart []int64
	whole   bool
}

func planDives(o Options) divePlan {
	if o.Quick {
		return divePlan{settle: 1 << 21, nodes: 1 << 22, restart: []int64{1 << 20}}
	}
	return divePlan{settle: construct.DefaultRestart, nodes: 600e6, restart: []int64{1 << 24, 1 << 26}, whole: true}
}

func measureDepthFirst(ctx context.Context, o Options, r *Report) error {
	plan := planDives(o)
	r.note(fmt.Sprintf("A node is a piece placed. Each is taken back once, so that the loop of the record solver, which counts both, would count two for it. Speed is that of a search with the starter clue in row-major@sw order, on one thread, which restarts after %s nodes; it is timed from a quarter of its second dive on, and the two kinds of search take turns over the seeds. Seconds are those for which a processor ran the program: what others take of the machine does not count, but it still makes a dive slower by what it takes of the caches. The indexes with breaks are %v.", grouped(plan.settle), recordBreaks))
	r.note("What a further factor would take: a node is one serial chain of loads, which ends in about one mispredicted branch, so that it costs the latency of both. Two dives interleaved on one core would hide the latency of one behind the other. Tables narrowed again within narrowed ones save 2 to 4 %.")
	rates, err := diveSpeeds(ctx, o, plan)
	if err != nil {
		return err
	}
	judgeDives(r, rates, plan)
	a, claims := diveArms(plan, o)
	r.note(fmt.Sprintf("Scores are those of searches of %s nodes each, pilots among them, with the defaults but for one thing. %s. They come out the same each time.", grouped(plan.nodes), sideNote(a.Side)))
	if err := a.run(ctx, o.Seeds, o.Say); err != nil {
		return err
	}
	judgeArms(r, a, claims, plan.whole && covers(a.seeds, diveSeeds))
	effects := a.effects()
	r.draw(armChart("Seams more than the default of the break-index search, with the 95 % interval of the mean", effects))
	r.show(diveTable(rates))
	r.show(armTable("scores", "more is than the default, over runs with the same seed, with the 95 % interval of the mean", "dives", effects))
	r.show(armRuns(a.every()))
	return nil
}

// diveArms are the break-index search and it with one thing changed.
func diveArms(plan divePlan, o Options) (*ablation, map[string]string) {
	const colours, level = "no early colours", "the record's break indexes"
	names := []string{"the default", colours, level}
	arms := []construct.DepthFirstOptions{{}, {Early: -1}, {Breaks: recordBreaks}}
	for _, n := range plan.restart {
		names = append(names, fmt.Sprintf("restarts after %s nodes", grouped(n)))
		arms = append(arms, construct.DepthFirstOptions{Restart: n})
	}
	a := &ablation{Clues: puzzle.ClueSets, Arms: names, Side: o.Threads, Run: func(ctx context.Context, p *puzzle.Puzzle, arm int, seed uint64) (armRun, []puzzle.Placement, error) {
		options := arms[arm]
		options.Seed = seed
		seconds := stopwatch(o.Threads)
		d, err := construct.DepthFirst(ctx, p, options, search.Budget{Nodes: plan.nodes}, alone(o))
		return armRun{Score: d.Score, Seconds: seconds(), Nodes: d.Nodes, Work: d.Restarts + 1}, d.Placements, err
	}}
	return a, map[string]string{
		colours: "boards are better when a few colours are used up early",
		level:   "boards are better by break indexes that pilots have found than by those of the record",
	}
}

// diveRate is the speed of a dive that has settled.
type diveRate struct {
	Kind      string  `json:"kind"`
	Seed      uint64  `json:"seed"`
	Nodes     int64   `json:"nodes"`   // timed
	Seconds   float64 `json:"seconds"` // by the clock
	Processor float64 `json:"processor_seconds"`
	Rate      float64 `json:"nodes_per_second"` // of the processor
}

// withBreaks is the kind of search that the claims speak of.
const withBreaks = "breaks"

// diveSpeeds times a strict search and one with breaks for each seed.
func diveSpeeds(ctx context.Context, o Options, plan divePlan) (rates []diveRate, err error) {
	p, err := withClues("starter")
	if err != nil {
		return nil, err
	}
	for i, seed := range o.Seeds {
		for _, x := range []struct {
			kind    string
			options construct.DepthFirstOptions
		}{{"strict", construct.DepthFirstOptions{Strict: true}}, {withBreaks, construct.DepthFirstOptions{Breaks: recordBreaks}}} {
			if ctx.Err() != nil {
				return rates, nil
			}
			o.Say(fmt.Sprintf("speed, %s, seed %d, %d of %d", x.kind, seed, i+1, len(o.Seeds)))
			x.options.Seed, x.options.Restart = seed, plan.settle
			rate, err := diveSpeed(ctx, p, x.options, o.Watch)
			if err != nil {
				return rates, err
			}
			if rate.Kind = x.kind; ctx.Err() == nil {
				rates = append(rates, rate)
			}
		}
	}
	return rates, nil
}

// diveSpeed times the end of a search between two of the moments that it tells
// of, or the whole search when it tells of too few.
func diveSpeed(ctx context.Context, p *puzzle.Puzzle, o construct.DepthFirstOptions, watch search.Observer) (diveRate, error) {
	began := diveMoment{0, time.Now(), processorTime()}
	var first, last diveMoment
	d, err := construct.DepthFirst(ctx, p, o, search.Budget{Nodes: 2 * o.Restart}, search.Func(func(e search.Event) {
		if e.Kind == search.Progress && e.Done >= o.Restart+o.Restart/4 {
			last = diveMoment{e.Done, time.Now(), processorTime()}
			if first.nodes == 0 {
				first = last
			}
		}
		watch.Observe(e)
	}))
	if last.nodes == first.nodes {
		first, last = began, diveMoment{d.Nodes, time.Now(), processorTime()}
	}
	rate := diveRate{Seed: o.Seed, Nodes: last.nodes - first.nodes, Seconds: last.clock.Sub(first.clock).Seconds(), Processor: (last.processor - first.processor).Seconds()}
	rate.Rate = float64(rate.Nodes) / rate.Processor
	return rate, err
}

// diveMoment is a moment of a search.
type diveMoment struct {
	nodes     int64
	clock     time.Time
	processor time.Duration
}

// divesOf are the rates of one kind of search, by the processor and by the clock.
func divesOf(rates []diveRate, kind string) (seeds []uint64, rate, clock []float64) {
	for _, x := range rates {
		if x.Kind == kind {
			seeds, rate, clock = append(seeds, x.Seed), append(rate, x.Rate), append(clock, float64(x.Nodes)/x.Seconds)
		}
	}
	return seeds, rate, clock
}

// judgeDives judges the speed with breaks, by the mean over the seeds.
func judgeDives(r *Report, rates []diveRate, plan divePlan) {
	seeds, values, _ := divesOf(rates, withBreaks)
	all := Summarise(values)
	for _, least := range diveRates {
		f := Finding{
			Claim: fmt.Sprintf("with breaks, at least %s million nodes a second on one core", short(least/1e6)), Seeds: seeds,
			Published: fmt.Sprintf("a mean of at least %s nodes a second", grouped(int64(least))),
		}
		if all.N > 0 {
			f.Measured = fmt.Sprintf("nodes a second of the processor: %s; placed and taken back, a mean of %s", all, short(2*all.Mean))
		}
		settle(r, f, all.Mean >= least, all.Mean < least, plan.whole && covers(seeds, diveSeeds), "")
	}
}

// diveSample sums up one kind of search.
type diveSample struct {
	Kind  string  `json:"kind"`
	Rate  Summary `json:"nodes_per_second"` // of the processor
	Clock Summary `json:"nodes_per_second_by_the_clock"`
}

func diveTable(rates []diveRate) Table {
	var rows []diveSample
	for _, kind := range []string{"strict", withBreaks} {
		if _, rate, clock := divesOf(rates, kind); len(rate) > 0 {
			rows = append(rows, diveSample{kind, Summarise(rate), Summarise(clock)})
		}
	}
	million := func(x float64) string { return short(x / 1e6) }
	of := func(name string, text func(diveSample) string) column[diveSample] {
		return column[diveSample]{name, text}
	}
	return tabulate("speed, in millions a second", "seconds are those of the processor, but where the clock is named; nodes are pieces placed; passes are pieces placed or taken back; low and high bound the mean of the nodes with 95 % confidence", rows,
		of("search", func(s diveSample) string { return s.Kind }),
		of("n", func(s diveSample) string { return fmt.Sprint(s.Rate.N) }),
		of("nodes", func(s diveSample) string { return million(s.Rate.Mean) }),
		of("sd", func(s diveSample) string { return million(s.Rate.SD) }),
		of("min", func(s diveSample) string { return million(s.Rate.Min) }),
		of("max", func(s diveSample) string { return million(s.Rate.Max) }),
		of("low", func(s diveSample) string { return million(s.Rate.Lowest) }),
		of("high", func(s diveSample) string { return million(s.Rate.Highest) }),
		of("passes", func(s diveSample) string { return million(2 * s.Rate.Mean) }),
		of("nodes, by the clock", func(s diveSample) string { return million(s.Clock.Mean) }),
	)
}
