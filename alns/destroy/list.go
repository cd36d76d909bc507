package destroy

import (
	"fmt"
	"strings"
)

// Portfolio lists the operators in the order in which they are drawn. A new
// operator is one file beside this one and one line here.
var Portfolio = []Operator{
	{"random-cells", RandomCells},
	{"mismatched-seams", MismatchedSeams},
	{"worst-band", WorstBand},
}

// Named returns the operators of the given names, in that order; all of them
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
		chosen = append(chosen, Portfolio[i])
	}
	return chosen, nil
}

// Names lists the names of the portfolio.
func Names() []string {
	names := make([]string, len(Portfolio))
	for i, o := range Portfolio {
		names[i] = o.Name
	}
	return names
}

func index(name string) int {
	for i, o := range Portfolio {
		if o.Name == name {
			return i
		}
	}
	return -1
}
