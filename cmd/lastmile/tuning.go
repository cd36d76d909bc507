package main

import (
	"lastmile/alns"
	"lastmile/alns/destroy"
)

// tuning are the flags of the ALNS loop.
type tuning struct {
	Operators   []string `placeholder:"NAME" help:"Destroy operators: ${operators}. Default: all." json:"operators"`
	Smallest    int      `placeholder:"K" help:"Cells that a hole has at least. Default 4." json:"smallest"`
	Largest     int      `placeholder:"K" help:"Cells that a hole has at most. Default 24." json:"largest"`
	Temperature float64  `placeholder:"T" help:"Seams that may be lost with probability 1/e. Default 0.3." json:"temperature"`
	Memory      float64  `placeholder:"L" help:"Memory of the operator weights, 0 to 1. Default 0.999." json:"memory"`
}

func (f *tuning) options(seed uint64) (alns.Options, error) {
	operators, err := destroy.Named(f.Operators...)
	if err != nil {
		return alns.Options{}, badf("--operators: %w", err)
	}
	o := alns.Options{
		Operators: operators, Smallest: f.Smallest, Largest: f.Largest,
		Temperature: f.Temperature, Memory: f.Memory, Seed: seed,
	}
	if err := o.Check(); err != nil {
		return o, bad{err}
	}
	return o, nil
}
