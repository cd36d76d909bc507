package study

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lastmile/ledger"
	"lastmile/puzzle"
)

// arm is a way in which a region is exhausted.
type arm struct {
	mode       ledger.Mode
	conditions ledger.Conditions
	limit      time.Duration // after which it is cut short; 0 for none
}

// The arms that are compared.
var (
	armOff       = arm{mode: ledger.Off}
	armNode      = arm{mode: ledger.Node, conditions: ledger.Page} // as on the page
	armCandidate = arm{mode: ledger.Candidate, conditions: ledger.Page}
	armKinds     = arm{mode: ledger.Candidate, conditions: ledger.Kinds}
	armDefault   = arm{mode: ledger.Candidate, conditions: ledger.Default}
)

// armsNote tells what the arms are.
const armsNote = "Off is the search without a ledger. Node asks the two conditions of the page after it has entered a node, as the page does; candidate asks before, these two, kinds alone, or the default conditions. A node is an entry at a cell still to be filled."

// within is the arm with a limit.
func (a arm) within(limit time.Duration) arm {
	a.limit = limit
	return a
}

func (a arm) String() string {
	switch {
	case a.mode == ledger.Off:
		return "off"
	case a.conditions == ledger.Page:
		return a.mode.String() + ", page"
	}
	return a.mode.String() + ", " + strings.ReplaceAll(a.conditions.String(), ",", "+")
}

// exhausted is what one arm found in a region.
type exhausted struct {
	Arm string `json:"arm"`
	ledger.Counts
	ByBreaks []int64 `json:"by_breaks"`
	Decided  bool    `json:"decided"` // not cut short
	Seconds  float64 `json:"seconds"` // median of the runs
	Runs     int     `json:"runs"`

	board []puzzle.Placement // the best completion
}

func (x *exhausted) rate() float64       { return float64(x.Nodes) / x.Seconds }
func (x *exhausted) judgements() float64 { return float64(x.Judged) / x.Seconds }

// Arms that are over soon are timed some times more, the first being warm-up,
// and more often when all are over at once.
const (
	soonOver   = 5 * time.Second
	timeAgain  = 5
	atOnce     = 10 * time.Millisecond
	timeAtOnce = 101
)

// sideBySide exhausts a region by each arm, and then again by those that were
// over soon, in turn, so that a slow spell of the machine falls on all alike.
// It returns nothing when the context ends meanwhile.
func sideBySide(ctx context.Context, o Options, p ledger.Problem, arms ...arm) ([]exhausted, error) {
	found, seconds := make([]exhausted, len(arms)), make([][]float64, len(arms))
	slowest := 0.0
	for turn := 0; turn == 0 || !o.Quick && (turn <= timeAgain || turn <= timeAtOnce && slowest <= atOnce.Seconds()); turn++ {
		for i, a := range arms {
			if turn > 0 && found[i].Seconds > soonOver.Seconds() {
				continue
			}
			p.Mode, p.Conditions = a.mode, a.conditions
			plan := ledger.Plan{}
			plan.Budget.Time = a.limit
			if turn == 0 {
				plan.Watch = o.Watch // an observer takes time
			}
			r, err := ledger.Exhaust(ctx, &p, plan)
			if err != nil || ctx.Err() != nil {
				return nil, err
			}
			x := exhausted{a.String(), r.Counts, r.ByBreaks, !r.Censored, r.Elapsed.Seconds(), 1, r.Placements}
			if turn == 0 {
				found[i], slowest = x, max(slowest, x.Seconds)
				continue
			}
			if x.Decided && found[i].Decided && (x.Counts != found[i].Counts || !slices.Equal(x.ByBreaks, found[i].ByBreaks)) {
				return nil, fmt.Errorf("%s: two runs count %+v and %+v", a, found[i].Counts, x.Counts)
			}
			seconds[i] = append(seconds[i], x.Seconds)
		}
	}
	for i := range found {
		if runs := len(seconds[i]); runs > 0 {
			found[i].Seconds, found[i].Runs = Summarise(seconds[i]).Median, runs
		}
	}
	return found, nil
}

// tail is a board without its pieces from a cell on, row by row, and the breaks
// that these brought.
func tail(p *puzzle.Puzzle, full []puzzle.Placement, keep int) (*puzzle.Board, int) {
	b := puzzle.NewBoard(p)
	b.Load(full)
	breaks := b.Breaks()
	for cell := keep; cell < p.Cells(); cell++ {
		b.Remove(cell)
	}
	return b, breaks - b.Breaks()
}

// turnedRecord is a bundled board turned upside down, cell by cell.
func turnedRecord(name string) ([]puzzle.Placement, error) {
	record, known := puzzle.RecordNamed(name)
	if !known {
		return nil, fmt.Errorf("no bundled board %q", name)
	}
	return upsideDown(record.Board)
}

func upsideDown(board []puzzle.Placement) ([]puzzle.Placement, error) {
	turned, err := puzzle.Official().Turned(board, 2)
	slices.SortFunc(turned, func(a, b puzzle.Placement) int { return a.Cell - b.Cell })
	return turned, err
}
