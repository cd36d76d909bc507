package acceptance

import (
	"fmt"
	"strings"
)

// rules are the rules by name. A new one is one file beside this one and one
// line here. Each begins on a board of the given score.
var rules = []struct {
	name string
	make func(o Options, score int) Rule
}{
	{"annealing", newAnnealing},
	{"cooling", newCooling},
	{"hill-climbing", newHillClimbing},
	{"late", newLate},
	{"record", newRecord},
	{"threshold", newThreshold},
}

// Default is the rule of the page.
const Default = "annealing"

// New makes the rule of that name for a run from a board of the given score.
// No name asks for the default.
func New(name string, o Options, score int) (Rule, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if name == "" {
		name = Default
	}
	for _, r := range rules {
		if r.name == name {
			return r.make(o.WithDefaults(), score), nil
		}
	}
	return nil, fmt.Errorf("acceptance rule %q, want one of %s", name, strings.Join(Names(), ", "))
}

// Names lists the rules.
func Names() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}
