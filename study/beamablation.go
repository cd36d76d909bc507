package study

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

var beamAblation = Study{
	Name:    "beam-ablation",
	Claim:   "alike colours and the look ahead make the boards of beams better, and a beam of width 200,000 takes less than 4 GiB",
	Seeds:   ablationSeeds,
	Measure: measureBeamAblation,
}

// What the claims speak of.
const (
	ablationOrder = "column"
	ablationAlike = 1.0
	wideBeam      = 200_000
	wideMemory    = 4 << 30
)

// beamArms are beams, without their widths, that differ from the first in one
// thing.
func beamArms() (names []string, arms []construct.Options, claims map[string]string) {
	base := construct.Options{Order: ablationOrder, Alike: ablationAlike}
	add := func(name string, o construct.Options) {
		names, arms = append(names, name), append(arms, o)
	}
	add(fmt.Sprintf("%s, alike %s", ablationOrder, short(ablationAlike)), base)
	claims = map[string]string{}
	for _, alike := range []float64{0, 0.5, 1.4, 2} {
		o := base
		o.Alike = alike
		add("alike "+short(alike), o)
	}
	claims["alike 0"] = "boards are better when beams prefer alike colours"
	o := base
	o.NoLook = true
	add("no look ahead", o)
	claims["no look ahead"] = "boards are better with the look ahead"
	for _, order := range []string{"row-major", "row-major@sw", "comb", "comb-4", "zigzag"} {
		o := base
		o.Order = order
		add(order, o)
	}
	return names, arms, claims
}

func measureBeamAblation(ctx context.Context, o Options, r *Report) error {
	widths, wide := []int{1024, 4096}, wideBeam
	if o.Quick {
		widths, wide = []int{8, 16}, 64
	}
	names, arms, claims := beamArms()
	r.note(fmt.Sprintf("Each beam builds one board of the official puzzle, on one thread, from nothing, with its five clues and without any. Arms differ from the first, %s, in one thing. All beams of a seed run before the next seed. %s. Seconds are those for which a processor ran the program when one beam goes on at a time, else those of the clock. Scores come out the same each time.", names[0], sideNote(o.Threads)))
	for _, width := range widths {
		a := &ablation{Clues: []string{"five", "none"}, Arms: names, Side: o.Threads, Run: func(ctx context.Context, p *puzzle.Puzzle, arm int, seed uint64) (armRun, []puzzle.Placement, error) {
			options := arms[arm]
			options.Width, options.Seed = width, seed
			seconds := stopwatch(o.Threads)
			b, err := construct.Beam(ctx, p, options, search.Budget{}, alone(o))
			return armRun{Score: b.Score, Seconds: seconds(), Nodes: b.Nodes, Work: 1}, b.Placements, err
		}}
		at := "width " + grouped(int64(width))
		if err := a.run(ctx, o.Seeds, func(line string) { o.Say(at + ", " + line) }); err != nil {
			return err
		}
		found := len(r.Findings)
		judgeArms(r, a, claims, !o.Quick && covers(a.seeds, ablationSeeds))
		for i := found; i < len(r.Findings); i++ {
			r.Findings[i].Claim = at + ", " + r.Findings[i].Claim
		}
		effects := a.effects()
		r.draw(armChart(fmt.Sprintf("Seams more than %s at %s, with the 95 %% interval of the mean", names[0], at), effects))
		r.show(armTable("arms at "+at, "more is than the first arm, over runs with the same seed, with the 95 % interval of the mean; seconds are of one beam", "", effects))
	}
	return measureWide(ctx, o, r, wide)
}

// wideRun is a beam whose memory is watched.
type wideRun struct {
	Width   int     `json:"width"`
	Score   int     `json:"score"`
	Seconds float64 `json:"processor_seconds"`
	Nodes   int64   `json:"nodes"`
	Stated  int64   `json:"bytes"` // Result.Bytes
	Peak    uint64  `json:"peak"`  // bytes that the whole process had from the system, at most
}

// measureWide runs one wide beam and looks at the memory of the process.
func measureWide(ctx context.Context, o Options, r *Report, width int) error {
	r.note("The memory of the wide beam is what the whole process has from the system, at most, looked at every 50 ms; what earlier beams had is given back before.")
	var runs []wideRun
	f := Finding{
		Claim:     fmt.Sprintf("a beam of width %s takes less than %d GiB", grouped(wideBeam), wideMemory>>30),
		Published: fmt.Sprintf("the bytes stated and the peak of the process below %s", grouped(wideMemory)),
	}
	fits := false
	if ctx.Err() == nil {
		o.Say(fmt.Sprintf("one beam of width %s", grouped(int64(width))))
		run, err := wideOnce(ctx, width, o.Seeds[0], o.Watch)
		if err != nil {
			return err
		}
		if ctx.Err() == nil {
			runs = append(runs, run)
			f.Seeds = o.Seeds[:1]
			f.Measured = fmt.Sprintf("%s bytes stated, %s at the peak of the process, %.0f s of the processor, width %s", grouped(run.Stated), grouped(int64(run.Peak)), run.Seconds, grouped(int64(width)))
			fits = max(run.Stated, int64(run.Peak)) < wideMemory
		}
	}
	settle(r, f, fits, !fits, width == wideBeam && len(runs) > 0, "")
	r.show(tabulate("one wide beam", fmt.Sprintf("%s order, five clues, alike %s", ablationOrder, short(ablationAlike)), runs,
		column[wideRun]{"width", func(x wideRun) string { return grouped(int64(x.Width)) }},
		column[wideRun]{"score", func(x wideRun) string { return fmt.Sprint(x.Score) }},
		column[wideRun]{"seconds of the processor", func(x wideRun) string { return short(x.Seconds) }},
		column[wideRun]{"nodes", func(x wideRun) string { return grouped(x.Nodes) }},
		column[wideRun]{"bytes stated", func(x wideRun) string { return grouped(x.Stated) }},
		column[wideRun]{"peak of the process", func(x wideRun) string { return grouped(int64(x.Peak)) }},
	))
	return nil
}

func wideOnce(ctx context.Context, width int, seed uint64, watch search.Observer) (wideRun, error) {
	debug.FreeOSMemory()
	run := wideRun{Width: width}
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		run.Peak = max(run.Peak, m.Sys-m.HeapReleased)
	}
	stop := search.Repeat(50*time.Millisecond, look)
	seconds := stopwatch(1)
	b, err := construct.Beam(ctx, puzzle.Official(), construct.Options{Order: ablationOrder, Alike: ablationAlike, Width: width, Seed: seed}, search.Budget{}, watch)
	run.Seconds = seconds()
	stop()
	look()
	run.Score, run.Nodes, run.Stated = b.Score, b.Nodes, b.Bytes
	return run, err
}
