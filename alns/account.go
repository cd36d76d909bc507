package alns

import (
	"slices"

	"lastmile/alns/repair"
	"lastmile/search"
)

// account counts what the operators and the repair of a loop have done. It
// does not grow with the run.
type account struct {
	operators []search.Operator // their weights are those of the selection
	repairs   search.Repair
}

func newAccount(o Options) account {
	a := account{operators: make([]search.Operator, len(o.Operators)), repairs: search.Repair{Name: o.Repair}}
	for i, operator := range o.Operators {
		a.operators[i].Name = operator.Name
	}
	return a
}

// enter counts an iteration.
func (a *account) enter(operator int, verdict repair.Verdict, outcome Outcome, gain int) {
	o := &a.operators[operator]
	o.Uses++
	switch outcome {
	case Rejected:
	case Unchanged:
		o.Unchanged++
	default:
		o.Accepted++
	}
	if gain > 0 {
		o.Improved++
		o.Gain += int64(gain)
	}
	a.repairs.Uses++
	switch verdict {
	case repair.Optimal:
		a.repairs.Optimal++
	case repair.Fallback:
		a.repairs.Fallbacks++
	}
}

// Operators is the account of each operator so far.
func (s *Search) Operators() []search.Operator {
	operators := slices.Clone(s.operators)
	for i, share := range s.selection.Shares(nil) {
		operators[i].Weight = share
	}
	return operators
}

// Repairs is the account of the repair so far.
func (s *Search) Repairs() search.Repair { return s.repairs }
