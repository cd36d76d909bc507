package destroy

import (
	"fmt"
	"strings"
)

// Operators lists every operator. A new one is a file beside this one, a test
// and a line here.
var Operators = []Operator{
	{"random-cells", RandomCells},
	{"mismatched-seams", MismatchedSeams},
	{"most-conflicted", MostConflicted},
	{"worst-row", WorstRow},
	{"worst-band", WorstBand},
	{"component", Component},
	{"component-halo", ComponentHalo},
	{"rectangle", Rectangle},
	{"ring", Ring},
	{"worst-window", WorstWindow},
	{"scattered", Scattered},
}

// Portfolio lists the operators that the loop uses when it is given none, in
// the order in which they are drawn: those that the studies alns-portfolio and
// polish-default speak for.
var Portfolio = []Operator{
	{"mismatched-seams", MismatchedSeams},
	{"most-conflicted", MostConflicted},
	{"worst-band", WorstBand},
	{"component-halo", ComponentHalo},
	{"scattered", Scattered},
}

// Named returns the operators of the given names, in that order; the portfolio
// when no name is given.
func Named(names ...string) ([]Operator, error) {
	if len(names) == 0 {
		return Portfolio, nil
	}
	var chosen []Operator
	for _, name := range names {
		i := index(name)
		if i < 0 {
			return nil, fmt.Errorf("operator %q, want one of %s", name, strings.Join(Names(), ", "))
		}
		chosen = append(chosen, Operators[i])
	}
	return chosen, nil
}

// Names lists the names of all operators.
func Names() []string {
	names := make([]string, len(Operators))
	for i, o := range Operators {
		names[i] = o.Name
	}
	return names
}

func index(name string) int {
	for i, o := range Operators {
		if o.Name == name {
			return i
		}
	}
	return -1
}
