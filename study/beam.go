package study

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

var beam = Study{
	Name:    "beam",
	Claim:   "a beam of width 4,096 on the official puzzle with five clues takes at most 6 s on one core, allocates nothing per child and states its memory",
	Seeds:   fromTo(1, 10),
	Measure: measureBeam,
}

// What the claims speak of.
const (
	beamWidth  = 4096
	beamOrder  = "comb"
	beamTime   = 6 * time.Second
	beamAllocs = 0.001 // a child: what is allocated for the whole beam, spread over its children
	beamMemory = 0.25  // by which the bytes stated may be off those allocated
)

// beamRun is one beam.
type beamRun struct {
	Order       string  `json:"order"`
	Width       int     `json:"width"`
	Look        bool    `json:"look_ahead"`
	Seed        uint64  `json:"seed"`
	Score       int     `json:"score"`
	Nodes       int64   `json:"nodes"`
	Merged      int64   `json:"merged"`
	Seconds     float64 `json:"seconds"`
	Allocations uint64  `json:"allocations"` // of the whole process meanwhile
	Allocated   uint64  `json:"allocated"`   // bytes
	Stated      int64   `json:"bytes"`       // Result.Bytes
}

// beamSetup is a beam but for its seed.
type beamSetup struct {
	Order string
	Width int
	Look  bool
}

func (s beamSetup) String() string {
	text := fmt.Sprintf("%s, width %s", s.Order, grouped(int64(s.Width)))
	if !s.Look {
		text += ", no look ahead"
	}
	return text
}

// beams runs setups over the seeds, each once.
type beams struct {
	ctx   context.Context
	o     Options
	runs  []beamRun
	known map[beamSetup][]beamRun
}

// of returns the runs of a setup by seed, fewer when the context ended.
func (b *beams) of(s beamSetup) ([]beamRun, error) {
	if runs, ok := b.known[s]; ok {
		return runs, nil
	}
	var runs []beamRun
	if b.ctx.Err() == nil {
		b.o.Say(s.String())
	}
	for _, seed := range b.o.Seeds {
		if b.ctx.Err() != nil {
			break
		}
		run, err := runBeam(b.ctx, s, seed)
		if err != nil {
			return nil, err
		}
		if b.ctx.Err() == nil { // else it went on one board wide
			runs = append(runs, run)
		}
	}
	b.known[s] = runs
	b.runs = append(b.runs, runs...)
	return runs, nil
}

// runBeam measures one beam. Nobody watches it: an observer would allocate.
func runBeam(ctx context.Context, s beamSetup, seed uint64) (beamRun, error) {
	var before, after runtime.MemStats
	runtime.GC() // so that no beam pays for the one before
	runtime.ReadMemStats(&before)
	began := time.Now()
	r, err := construct.Beam(ctx, puzzle.Official(), construct.Options{
		Order: s.Order, Width: s.Width, NoLook: !s.Look, Seed: seed,
	}, search.Budget{}, nil)
	spent := time.Since(began)
	runtime.ReadMemStats(&after)
	return beamRun{
		Order: s.Order, Width: s.Width, Look: s.Look, Seed: seed,
		Score: r.Score, Nodes: r.Nodes, Merged: r.Merged, Seconds: spent.Seconds(),
		Allocations: after.Mallocs - before.Mallocs, Allocated: after.TotalAlloc - before.TotalAlloc, Stated: r.Bytes,
	}, err
}

// pick takes one value of each run.
func pick(runs []beamRun, value func(beamRun) float64) []float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = value(r)
	}
	return values
}

func scoreOf(r beamRun) float64   { return float64(r.Score) }
func secondsOf(r beamRun) float64 { return r.Seconds }

func measureBeam(ctx context.Context, o Options, r *Report) error {
	r.note("Each beam builds one full board of the official puzzle with its five clues, on one thread, from nothing. A node is a child that was ranked. Allocations are those of the whole process while the beam runs; its arrays, laid out once, and one list of moves for each cell are among them. Setups are compared by seed: the difference is that of runs with the same seed, with its standard error.")
	widths, order, width, claimWidth := []int{256, 1024, beamWidth}, beamOrder, beamWidth, beamWidth
	if o.Long {
		widths = append(widths, 4*beamWidth)
	}
	if o.Quick {
		widths, width, claimWidth = []int{16, 64}, 16, 64
	}
	b := &beams{ctx: ctx, o: o, known: map[beamSetup][]beamRun{}}

	claimed, err := b.of(beamSetup{order, claimWidth, true})
	if err != nil {
		return err
	}
	judgeBeam(r, claimed, o)

	if err := compareWidths(b, r, order, widths); err != nil {
		return err
	}
	if err := compareOrders(b, r, width); err != nil {
		return err
	}
	if err := compareLook(b, r, order, widths); err != nil {
		return err
	}
	r.show(everyBeam(b.runs))
	return nil
}

// judgeBeam judges the three claims by the runs at the claimed width.
func judgeBeam(r *Report, runs []beamRun, o Options) {
	complete := !o.Quick && len(runs) > 0 && len(runs) == len(o.Seeds)
	note := ""
	if o.Quick {
		note = "narrower beams than the claim has, so it was not tested"
	}
	var seeds []uint64
	for _, x := range runs {
		seeds = append(seeds, x.Seed)
	}
	seconds := Summarise(pick(runs, secondsOf))
	perChild := Summarise(pick(runs, func(x beamRun) float64 { return float64(x.Allocations) / float64(x.Nodes) }))
	stated := Summarise(pick(runs, func(x beamRun) float64 { return float64(x.Stated) }))
	ratio := Summarise(pick(runs, func(x beamRun) float64 { return float64(x.Stated) / float64(x.Allocated) }))
	measured := func(text string) string {
		if len(runs) == 0 {
			return ""
		}
		return text
	}
	r.find(Finding{
		Claim:     "width 4,096 on the official puzzle, five clues: at most 6 s a board on one core",
		Published: fmt.Sprintf("the slowest at most %v", beamTime),
		Measured:  measured("seconds: " + seconds.String()),
		Verdict:   judge(o.Quick || !(seconds.Max > beamTime.Seconds()), complete), Seeds: seeds, Note: note,
	})
	r.find(Finding{
		Claim:     "no allocation per child",
		Published: fmt.Sprintf("at most one allocation for %s children", grouped(int64(1/beamAllocs))),
		Measured:  measured(fmt.Sprintf("one for %s children at worst", grouped(int64(1/perChild.Max)))),
		Verdict:   judge(o.Quick || !(perChild.Max > beamAllocs), complete), Seeds: seeds, Note: note,
	})
	r.find(Finding{
		Claim:     "the memory of a beam is stated",
		Published: fmt.Sprintf("the bytes stated within %.0f %% of those that the process allocated", 100*beamMemory),
		Measured:  measured(fmt.Sprintf("%s MB stated, %s to %s times what was allocated", short(stated.Mean/1e6), short(ratio.Min), short(ratio.Max))),
		Verdict:   judge(o.Quick || !(ratio.Min < 1-beamMemory || ratio.Max > 1+beamMemory), complete), Seeds: seeds, Note: note,
	})
}
