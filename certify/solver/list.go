package solver

import (
	"fmt"
	"strings"

	"lastmile/certify"
)

// solvers is the list: a solver is a file and a line here. The first that is
// there is what "auto" means.
var solvers = []struct {
	name string
	find func() (certify.Solver, error)
}{
	{"cadical", func() (certify.Solver, error) { return FindCadical("cadical") }},
	{"gophersat", func() (certify.Solver, error) { return Gophersat{}, nil }},
}

// Names are the names that Named knows, "auto" apart.
func Names() []string {
	names := make([]string, len(solvers))
	for i, s := range solvers {
		names[i] = s.name
	}
	return names
}

// Named returns a solver by its name. The name "auto" stands for cadical when it
// is installed, and else for gophersat.
func Named(name string) (certify.Solver, error) {
	for _, s := range solvers {
		found, err := s.find()
		if name == s.name || name == "auto" && err == nil {
			return found, err
		}
	}
	return nil, fmt.Errorf("no solver is called %q: want %s or auto", name, strings.Join(Names(), ", "))
}
