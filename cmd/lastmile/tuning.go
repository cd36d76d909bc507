package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"lastmile/alns"
	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/construct"
	"lastmile/solve"
)

// tuning are the flags of the ALNS loop. Those that not every rule reads are
// nil until they are given or settled, so that one without effect is noticed.
type tuning struct {
	Operators []string `placeholder:"NAME" help:"Destroy operators: ${operators}. Default: ${portfolio}." json:"operators"`
	Smallest  *int     `placeholder:"N" help:"Cells that a hole has at least. Default: 4, or --largest if that is less." json:"smallest"`
	Largest   *int     `placeholder:"N" help:"Cells that a hole has at most. Default: 24, or --smallest if that is more." json:"largest"`

	Repair      string `default:"${repair}" placeholder:"NAME" help:"How holes are filled again: ${repairs}. Default: ${repair}. Greedy takes the piece that fits best, cell by cell; greedy-coin draws among those as good. Assignment is optimal where no two cells touch, as in the holes of the operator scattered, and leaves other holes to greedy. Exact proves its refill optimal or gives up at --repair-nodes. By-hole is assignment where no two cells touch, else exact up to 8 cells, else greedy." json:"repair"`
	RepairNodes *int64 `placeholder:"N" help:"Nodes that exact may take for one hole. When they are used up the hole keeps the greedy refill. Default: ${repair_nodes}." json:"repair_nodes"`

	Selection string   `default:"${selection}" placeholder:"NAME" help:"How operators are drawn: ${selections}. Default: ${selection}." json:"selection"`
	Memory    *float64 `placeholder:"X" help:"For roulette the share of an operator's weight that is kept at each of its uses; for the bandit what is kept of everything it has learnt at every iteration. Above 0 and below 1. Default: ${memory}." json:"memory"`
	Segment   *int     `placeholder:"N" help:"Iterations after which segments change the weights, 1 or more. Default: ${segment}." json:"segment"`

	Acceptance       string   `default:"${acceptance}" placeholder:"NAME" help:"Which losses are accepted: ${acceptances}. Default: ${acceptance}." json:"acceptance"`
	Temperature      *float64 `placeholder:"T" help:"Seams whose loss annealing accepts with probability 1/e, 0 for none; cooling begins there. Default: ${temperature}." json:"temperature"`
	FinalTemperature *float64 `placeholder:"T" help:"Seams where cooling ends, at most --temperature. Default: a quarter of --temperature." json:"final_temperature"`
	Deviation        *float64 `placeholder:"D" help:"Record accepts boards less than D seams below the best, threshold losses of less than D seams at the start, falling to 0 over the run; so with threshold 1 accepts no loss. Default: ${deviation}." json:"deviation"`
	History          *int     `placeholder:"N" help:"Iterations of each walk that late looks back, 1 to ${most_history}. Default: ${history}." json:"history"`
}

// options checks the flags and settles those that were not given, so that two
// tunings that ask for the same are the same.
func (f *tuning) options(seed uint64) (alns.Options, error) {
	var names []string
	for _, name := range f.Operators {
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
	if err := f.sizes(); err != nil {
		return alns.Options{}, err
	}
	if err := f.settle(); err != nil {
		return alns.Options{}, err
	}
	o := alns.Options{
		Operators: operators, Smallest: *f.Smallest, Largest: *f.Largest, Seed: seed,
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

// sizes settles the bounds of a hole. One that was not given adapts to the other.
func (f *tuning) sizes() error {
	switch {
	case f.Smallest != nil && *f.Smallest < 1:
		return badf("--smallest %d, want 1 or more", *f.Smallest)
	case f.Largest != nil && *f.Largest < 1:
		return badf("--largest %d, want 1 or more", *f.Largest)
	case f.Smallest != nil && f.Largest != nil && *f.Smallest > *f.Largest:
		return badf("--smallest %d and --largest %d, want the smallest hole no larger than the largest", *f.Smallest, *f.Largest)
	}
	if f.Largest == nil {
		largest := max(24, value(f.Smallest))
		f.Largest = &largest
	}
	if f.Smallest == nil {
		smallest := min(4, *f.Largest)
		f.Smallest = &smallest
	}
	return nil
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
	weights, loss := selection.Options{}.WithDefaults(), acceptance.Options{}.WithDefaults()
	if err := settle("temperature", &f.Temperature, loss.Temperature, acceptances, "annealing", "cooling"); err != nil {
		return err
	}
	switch t := value(f.Temperature); {
	case t != 0 && !positive(t):
		return badf("--temperature %v, want 0 or a positive number of seams", t)
	case t == 0 && f.Acceptance == "cooling":
		return badf("--temperature 0 with --acceptance cooling, want a positive number of seams to cool down from")
	}
	for _, err := range []error{
		settle("repair-nodes", &f.RepairNodes, repair.Options{}.WithDefaults().Nodes, repairs, readNodes...),
		settle("memory", &f.Memory, weights.Memory, selections, "roulette", "bandit"),
		settle("segment", &f.Segment, weights.Segment, selections, "segments"),
		settle("final-temperature", &f.FinalTemperature, acceptance.Options{Temperature: value(f.Temperature)}.WithDefaults().Final, acceptances, "cooling"),
		settle("deviation", &f.Deviation, loss.Deviation, acceptances, "record", "threshold"),
		settle("history", &f.History, loss.History, acceptances, "late"),
	} {
		if err != nil {
			return err
		}
	}
	// Their zero values would be taken for defaults.
	switch {
	case f.RepairNodes != nil && *f.RepairNodes < 1:
		return badf("--repair-nodes %d, want 1 or more", *f.RepairNodes)
	case f.Memory != nil && !(*f.Memory > 0 && *f.Memory < 1):
		return badf("--memory %v, want a number above 0 and below 1", *f.Memory)
	case f.Segment != nil && *f.Segment < 1:
		return badf("--segment %d, want 1 or more", *f.Segment)
	case f.FinalTemperature != nil && !(positive(*f.FinalTemperature) && *f.FinalTemperature <= *f.Temperature):
		return badf("--final-temperature %v, want a positive number of seams, at most the --temperature of %v", *f.FinalTemperature, *f.Temperature)
	case f.Deviation != nil && !positive(*f.Deviation):
		return badf("--deviation %v, want a positive number of seams", *f.Deviation)
	case f.History != nil && (*f.History < 1 || *f.History > acceptance.MaxHistory):
		return badf("--history %d, want 1 to %d", *f.History, acceptance.MaxHistory)
	}
	if f.FinalTemperature != nil && *f.FinalTemperature == (acceptance.Options{Temperature: *f.Temperature}.WithDefaults().Final) {
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

func positive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// defaults are the variables of the help texts.
func defaults() kong.Vars {
	weights, loss := selection.Options{}.WithDefaults(), acceptance.Options{}.WithDefaults()
	beam, deep := construct.Options{}.WithDefaults(), construct.DepthFirstOptions{}.WithDefaults()
	vars := kong.Vars{"beam_order": beam.Order, "depth_first_order": deep.Order}
	for name, value := range map[string]any{
		"repair_nodes": repair.Options{}.WithDefaults().Nodes, "memory": weights.Memory, "segment": weights.Segment,
		"temperature": loss.Temperature, "deviation": loss.Deviation, "history": loss.History, "most_history": acceptance.MaxHistory,
		"beam_width": beam.Width, "early": deep.Early, "restart": deep.Restart,
		"alike": solve.DefaultAlike, "most_alike": construct.MaxAlike,
	} {
		vars[name] = fmt.Sprint(value)
	}
	return vars
}

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
