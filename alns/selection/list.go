package selection

import (
	"fmt"
	"strings"
)

// policies are the policies by name. A new one is one file beside this one and
// one line here.
var policies = []struct {
	name string
	make func(choices int, o Options) Policy
}{
	{"roulette", newRoulette},
	{"segments", newSegments},
	{"bandit", newBandit},
}

// Default is the policy of the page.
const Default = "roulette"

// New makes the policy of that name over so many choices. No name asks for the
// default.
func New(name string, choices int, o Options) (Policy, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if choices < 1 {
		return nil, fmt.Errorf("%d operators to choose from, want 1 or more", choices)
	}
	if name == "" {
		name = Default
	}
	for _, p := range policies {
		if p.name == name {
			return p.make(choices, o.WithDefaults()), nil
		}
	}
	return nil, fmt.Errorf("selection policy %q, want one of %s", name, strings.Join(Names(), ", "))
}

// Names lists the policies.
func Names() []string {
	names := make([]string, len(policies))
	for i, p := range policies {
		names[i] = p.name
	}
	return names
}
