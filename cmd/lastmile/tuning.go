package main

import (
	"slices"
	"strings"

	"lastmile/alns"
	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/selection"
)

// tuning are the flags of the ALNS loop.
type tuning struct {
	Operators   []string `placeholder:"NAME" help:"Destroy operators: ${operators}. Default: all." json:"operators"`
	Smallest    int      `default:"4" help:"Cells that a hole has at least." json:"smallest"`
	Largest     int      `default:"24" help:"Cells that a hole has at most." json:"largest"`
	Temperature float64  `default:"0.3" help:"Seams whose loss is accepted with probability 1/e; 0 accepts none." json:"temperature"`
	Memory      float64  `default:"0.999" help:"Memory of the operator weights, above 0 and below 1." json:"memory"`
}

func (f *tuning) options(seed uint64) (alns.Options, error) {
	var names []string
	for _, name := range f.Operators {
		name = strings.TrimSpace(name)
		if slices.Contains(names, name) {
			return alns.Options{}, badf("--operators: %s twice, want each once", name)
		}
		names = append(names, name)
	}
	operators, err := destroy.Named(names...)
	if err != nil {
		return alns.Options{}, badf("--operators: %w", err)
	}
	switch {
	case f.Temperature < 0:
		return alns.Options{}, badf("--temperature %v, want 0 or a positive number of seams", f.Temperature)
	case f.Smallest < 1:
		return alns.Options{}, badf("--smallest %d, want 1 or more", f.Smallest)
	case f.Largest < 1:
		return alns.Options{}, badf("--largest %d, want 1 or more", f.Largest)
	case f.Memory == 0:
		return alns.Options{}, badf("--memory 0, want a number above 0 and below 1")
	}
	o := alns.Options{
		Operators: operators, Smallest: f.Smallest, Largest: f.Largest, Seed: seed,
		Selecting: selection.Options{Memory: f.Memory}, Accepting: acceptance.Options{Temperature: f.Temperature},
	}
	if f.Temperature == 0 {
		o.Acceptance = "hill-climbing"
	}
	if err := o.Check(); err != nil {
		return o, bad{err}
	}
	return o, nil
}
