package study

import (
	"fmt"
	"slices"

	"lastmile/construct"
)

// beamSample describes the runs of one setup.
type beamSample struct {
	Order      string  `json:"order"`
	Width      int     `json:"width"`
	Score      Summary `json:"score"`
	Seconds    Summary `json:"seconds"`
	Rate       Summary `json:"nodes_per_second"`
	Nodes      Summary `json:"nodes"`
	Bytes      Summary `json:"bytes"`
	PerChild   Summary `json:"allocations_per_child"`
	Difference Summary `json:"difference,omitzero"` // of the scores from those of the setup it is compared with, by seed
}

// sampleOf describes runs, compared with others unless these are nil.
func sampleOf(s beamSetup, runs, compared []beamRun) beamSample {
	sample := beamSample{
		Order: s.Order, Width: s.Width,
		Score: Summarise(pick(runs, scoreOf)), Seconds: Summarise(pick(runs, secondsOf)),
		Rate:     Summarise(pick(runs, func(x beamRun) float64 { return float64(x.Nodes) / x.Seconds })),
		Nodes:    Summarise(pick(runs, func(x beamRun) float64 { return float64(x.Nodes) })),
		Bytes:    Summarise(pick(runs, func(x beamRun) float64 { return float64(x.Stated) })),
		PerChild: Summarise(pick(runs, func(x beamRun) float64 { return float64(x.Allocations) / float64(x.Nodes) })),
	}
	if compared != nil {
		sample.Difference = Paired(pick(runs, scoreOf), pick(compared, scoreOf))
	}
	return sample
}

var (
	sampleOrder   = column[beamSample]{"order", func(s beamSample) string { return s.Order }}
	sampleWidth   = column[beamSample]{"width", func(s beamSample) string { return grouped(int64(s.Width)) }}
	sampleN       = column[beamSample]{"n", func(s beamSample) string { return fmt.Sprint(s.Score.N) }}
	sampleScore   = column[beamSample]{"score", func(s beamSample) string { return short(s.Score.Mean) }}
	sampleSD      = column[beamSample]{"sd", func(s beamSample) string { return short(s.Score.SD) }}
	sampleMin     = column[beamSample]{"min", func(s beamSample) string { return short(s.Score.Min) }}
	sampleMax     = column[beamSample]{"max", func(s beamSample) string { return short(s.Score.Max) }}
	sampleSeconds = column[beamSample]{"seconds", func(s beamSample) string { return short(s.Seconds.Mean) }}
	sampleRate    = column[beamSample]{"nodes/s", func(s beamSample) string { return short(s.Rate.Mean) }}
	sampleNodes   = column[beamSample]{"nodes", func(s beamSample) string { return short(s.Nodes.Mean) }}
	sampleMB      = column[beamSample]{"MB", func(s beamSample) string { return short(s.Bytes.Mean / 1e6) }}
	sampleAllocs  = column[beamSample]{"allocations a child", func(s beamSample) string { return short(s.PerChild.Mean) }}
)

// compareWidths shows what a wider beam costs and gives.
func compareWidths(b *beams, r *Report, order string, widths []int) error {
	var samples []beamSample
	for _, width := range widths {
		s := beamSetup{order, width, true}
		runs, err := b.of(s)
		if err != nil {
			return err
		}
		if len(runs) > 0 {
			samples = append(samples, sampleOf(s, runs, nil))
		}
	}
	r.show(tabulate("widths, in "+order+" order", "means over the seeds; score with its sample standard deviation", samples,
		sampleWidth, sampleN, sampleScore, sampleSD, sampleMin, sampleMax, sampleSeconds, sampleNodes, sampleRate, sampleMB, sampleAllocs))
	return nil
}

// compareOrders shows every scan order at one width, against the default one.
func compareOrders(b *beams, r *Report, width int) error {
	base, err := b.of(beamSetup{beamOrder, width, true})
	if err != nil {
		return err
	}
	var samples []beamSample
	for _, order := range construct.OrderNames() {
		s := beamSetup{order, width, true}
		runs, err := b.of(s)
		if err != nil {
			return err
		}
		if len(runs) > 0 {
			samples = append(samples, sampleOf(s, runs, base))
		}
	}
	slices.SortStableFunc(samples, func(x, y beamSample) int {
		switch {
		case x.Score.Mean > y.Score.Mean:
			return -1
		case x.Score.Mean < y.Score.Mean:
			return 1
		}
		return 0
	})
	against := column[beamSample]{"against " + beamOrder, func(s beamSample) string { return plusMinus(s.Difference) }}
	r.show(tabulate(fmt.Sprintf("scan orders at width %s", grouped(int64(width))), "the difference is the mean over runs of the same seed ± its standard error", samples,
		sampleOrder, sampleN, sampleScore, sampleSD, sampleMin, sampleMax, against, sampleSeconds, sampleRate))
	return nil
}

// lookEffect is what the look ahead gives at one width.
type lookEffect struct {
	Width      int     `json:"width"`
	With       Summary `json:"with"`
	Without    Summary `json:"without"`
	Difference Summary `json:"difference,omitzero"` // of the scores, by seed
	Slower     float64 `json:"slower"`              // time with it over time without
}

// compareLook shows the scores with and without the look ahead, by seed.
func compareLook(b *beams, r *Report, order string, widths []int) error {
	var effects []lookEffect
	for _, width := range widths {
		with, err := b.of(beamSetup{order, width, true})
		if err != nil {
			return err
		}
		without, err := b.of(beamSetup{order, width, false})
		if err != nil {
			return err
		}
		if len(without) == 0 {
			continue
		}
		effects = append(effects, lookEffect{
			width, Summarise(pick(with, scoreOf)), Summarise(pick(without, scoreOf)),
			Paired(pick(with, scoreOf), pick(without, scoreOf)),
			Summarise(pick(with, secondsOf)).Mean / Summarise(pick(without, secondsOf)).Mean,
		})
	}
	of := func(name string, text func(lookEffect) string) column[lookEffect] {
		return column[lookEffect]{name, text}
	}
	r.show(tabulate("the look ahead, in "+order+" order", "it ranks a child by the seams that its neighbours must lose; the gain is the mean over runs of the same seed ± its standard error", effects,
		of("width", func(e lookEffect) string { return grouped(int64(e.Width)) }),
		of("n", func(e lookEffect) string { return fmt.Sprint(e.Difference.N) }),
		of("with", func(e lookEffect) string { return short(e.With.Mean) }),
		of("without", func(e lookEffect) string { return short(e.Without.Mean) }),
		of("gain", func(e lookEffect) string { return plusMinus(e.Difference) }),
		of("95 % interval", func(e lookEffect) string {
			return short(e.Difference.Lowest) + " to " + short(e.Difference.Highest)
		}),
		of("time, times", func(e lookEffect) string { return short(e.Slower) }),
	))
	return nil
}

// everyBeam lists the runs that the other tables sum up.
func everyBeam(runs []beamRun) Table {
	of := func(name string, text func(beamRun) string) column[beamRun] { return column[beamRun]{name, text} }
	return tabulate("every run", "", runs,
		of("order", func(x beamRun) string { return x.Order }),
		of("width", func(x beamRun) string { return grouped(int64(x.Width)) }),
		of("look ahead", func(x beamRun) string { return yes(x.Look) }),
		of("seed", func(x beamRun) string { return fmt.Sprint(x.Seed) }),
		of("score", func(x beamRun) string { return fmt.Sprint(x.Score) }),
		of("nodes", func(x beamRun) string { return grouped(x.Nodes) }),
		of("merged", func(x beamRun) string { return grouped(x.Merged) }),
		of("seconds", func(x beamRun) string { return short(x.Seconds) }),
		of("allocations", func(x beamRun) string { return grouped(int64(x.Allocations)) }),
	)
}
