package main

import (
	"slices"
	"strings"

	"lastmile/alns"
	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
)

// tuning are the flags of the ALNS loop. Those that not every rule reads are
// nil until they are given or settled, so that one without effect is noticed.
type tuning struct {
	Operators []string `placeholder:"NAME" help:"Destroy operators: ${operators}. Default: ${portfolio}." json:"operators"`
	Smallest  int      `default:"4" help:"Cells that a hole has at least." json:"smallest"`
	Largest   int      `default:"24" help:"Cells that a hole has at most." json:"largest"`

	Repair      string `default:"${repair}" placeholder:"NAME" help:"How holes are filled again: ${repairs}. Default: ${repair}." json:"repair"`
	RepairNodes *int64 `placeholder:"N" help:"Nodes that the exact repair of one hole may take, then it is filled greedily. Default: 2000." json:"repair_nodes"`

	Selection string   `default:"${selection}" placeholder:"NAME" help:"How operators are drawn: ${selections}. Default: ${selection}." json:"selection"`
	Memory    *float64 `placeholder:"X" help:"What roulette and bandit keep of an operator's account at each use, above 0 and below 1. Default: 0.999." json:"memory"`
	Segment   *int     `placeholder:"N" help:"Iterations after which segments change the weights. Default: 100." json:"segment"`

	Acceptance       string   `default:"${acceptance}" placeholder:"NAME" help:"Which losses are accepted: ${acceptances}. Default: ${acceptance}." json:"acceptance"`
	Temperature      *float64 `placeholder:"T" help:"Seams whose loss annealing accepts with probability 1/e, 0 for none; cooling begins there. Default: 0.3." json:"temperature"`
	FinalTemperature *float64 `placeholder:"T" help:"Seams where cooling ends. Default: a quarter of --temperature." json:"final_temperature"`
	Deviation        *float64 `placeholder:"D" help:"Seams: record accepts boards less than that below the best, threshold losses smaller than that at the start. Default: 2." json:"deviation"`
	History          *int     `placeholder:"N" help:"Iterations that late looks back. Default: 1000." json:"history"`
}

// options checks the flags and settles those that were not given, so that two
// tunings that ask for the same are the same.
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
	f.Operators = nil
	for _, o := range operators {
		f.Operators = append(f.Operators, o.Name)
	}
	switch {
	case f.Smallest < 1:
		return alns.Options{}, badf("--smallest %d, want 1 or more", f.Smallest)
	case f.Largest < 1:
		return alns.Options{}, badf("--largest %d, want 1 or more", f.Largest)
	}
	if err := f.settle(); err != nil {
		return alns.Options{}, err
	}
	o := alns.Options{
		Operators: operators, Smallest: f.Smallest, Largest: f.Largest, Seed: seed,
		Repair: f.Repair, Repairing: repair.Options{Nodes: value(f.RepairNodes)},
		Selection: f.Selection, Selecting: selection.Options{Memory: value(f.Memory), Segment: value(f.Segment)},
		Acceptance: f.Acceptance,
		Accepting: acceptance.Options{
			Temperature: value(f.Temperature), Final: value(f.FinalTemperature), Deviation: value(f.Deviation), History: value(f.History),
		},
	}
	if f.Temperature != nil && *f.Temperature == 0 {
		o.Acceptance = "hill-climbing" // the limit of annealing
	}
	if err := o.Check(); err != nil {
		return o, bad{err}
	}
	return o, nil
}

// settle gives the flags that the chosen rules read their defaults, and refuses
// the others: whoever gives one expects that it does something.
func (f *tuning) settle() error {
	repairs := choice{"repair", f.Repair, repair.Names()}
	selections := choice{"selection", f.Selection, selection.Names()}
	acceptances := choice{"acceptance", f.Acceptance, acceptance.Names()}
	for _, c := range []choice{repairs, selections, acceptances} {
		if !slices.Contains(c.names, c.chosen) {
			return badf("--%s %q, want one of %s", c.flag, c.chosen, strings.Join(c.names, ", "))
		}
	}
	if err := settle("temperature", &f.Temperature, 0.3, acceptances, "annealing", "cooling"); err != nil {
		return err
	}
	switch t := value(f.Temperature); {
	case t < 0:
		return badf("--temperature %v, want 0 or a positive number of seams", t)
	case t == 0 && f.Acceptance == "cooling":
		return badf("--temperature 0 with --acceptance cooling, want a positive number of seams to cool down from")
	}
	for _, err := range []error{
		settle("repair-nodes", &f.RepairNodes, 2000, repairs, readNodes...),
		settle("memory", &f.Memory, 0.999, selections, "roulette", "bandit"),
		settle("segment", &f.Segment, 100, selections, "segments"),
		settle("final-temperature", &f.FinalTemperature, value(f.Temperature)/4, acceptances, "cooling"),
		settle("deviation", &f.Deviation, 2, acceptances, "record", "threshold"),
		settle("history", &f.History, 1000, acceptances, "late"),
	} {
		if err != nil {
			return err
		}
	}
	for _, zero := range []struct {
		flag string
		is   bool // the loop would take it for a default
	}{
		{"repair-nodes", is0(f.RepairNodes)}, {"memory", is0(f.Memory)}, {"segment", is0(f.Segment)},
		{"final-temperature", is0(f.FinalTemperature)}, {"deviation", is0(f.Deviation)}, {"history", is0(f.History)},
	} {
		if zero.is {
			return badf("--%s 0, want a number above 0", zero.flag)
		}
	}
	if f.FinalTemperature != nil && *f.FinalTemperature == *f.Temperature/4 {
		f.FinalTemperature = nil // it is settled by the other, which is to be named when they differ
	}
	return nil
}

// readNodes are the repairs that --repair-nodes bounds.
var readNodes = []string{"exact", "by-hole"}

// choice is a flag that takes one of several names.
type choice struct {
	flag, chosen string
	names        []string
}

type number interface{ int | int64 | float64 }

// settle gives a flag that was not given its default, if what was chosen is
// among those that read it; else it must not be given.
func settle[N number](flag string, at **N, byDefault N, c choice, readers ...string) error {
	used := slices.Contains(readers, c.chosen)
	switch {
	case *at == nil && used:
		*at = &byDefault
	case *at != nil && !used:
		return badf("--%s %v has no effect with --%s %s, want --%[3]s %[5]s", flag, **at, c.flag, c.chosen, strings.Join(readers, " or "))
	}
	return nil
}

// value is what a flag holds, 0 when it was not given.
func value[N number](at *N) N {
	if at == nil {
		return 0
	}
	return *at
}

func is0[N number](at *N) bool { return at != nil && *at == 0 }

// portfolio says which operators are drawn when none are named.
func portfolio() string {
	if len(destroy.Portfolio) == len(destroy.Names()) {
		return "all"
	}
	names := make([]string, len(destroy.Portfolio))
	for i, o := range destroy.Portfolio {
		names[i] = o.Name
	}
	return strings.Join(names, ", ")
}
