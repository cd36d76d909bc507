package ledger

import (
	"fmt"
	"math/bits"
	"strings"
)

// Conditions is a set of the necessary conditions that a ledger tests. Each is
// stated and proved in the documentation of the package.
type Conditions uint8

// The conditions.
const (
	Deficit  Conditions = 1 << iota // shortage of supply, at most r
	Parity                          // odd balances, at most 2r + u
	Combined                        // shortage or oddness by colour, at most 2r + u
	Kinds                           // the same with half-edges told apart by the part of the piece they are on
	Cells                           // the fewest mismatches that each open cell can have by itself, at most r together
	Hall                            // the open cells that a matching of cells and pieces leaves without, at most r
)

// Default are the conditions that save the most time: see the study
// ledger-conditions. All is every one that adds to the others.
const (
	Default = Kinds | Cells
	All     = Kinds | Cells | Hall
)

// Page are the two conditions of the page that describes LEDGER.
const Page = Deficit | Parity

var conditionNames = []struct {
	name string
	set  Conditions
}{
	{"deficit", Deficit},
	{"parity", Parity},
	{"combined", Combined},
	{"kinds", Kinds},
	{"cells", Cells},
	{"hall", Hall},
	{"page", Page},
	{"default", Default},
	{"all", All},
}

// ConditionNames are the words that ConditionsNamed knows.
func ConditionNames() []string {
	names := make([]string, len(conditionNames))
	for i, c := range conditionNames {
		names[i] = c.name
	}
	return names
}

// ConditionsNamed reads conditions by their names; page stands for deficit and
// parity.
func ConditionsNamed(names ...string) (Conditions, error) {
	var set Conditions
	for _, name := range names {
		known := false
		for _, c := range conditionNames {
			if c.name == strings.TrimSpace(name) {
				set |= c.set
				known = true
			}
		}
		if !known {
			return 0, fmt.Errorf("condition %q, want some of %s", name, strings.Join(ConditionNames(), ", "))
		}
	}
	return set, nil
}

func (c Conditions) String() string {
	var names []string
	for _, n := range conditionNames {
		if c&n.set != 0 && bits.OnesCount8(uint8(n.set)) == 1 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ",")
}
