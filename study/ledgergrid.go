package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"lastmile/ledger"
	"lastmile/puzzle"
)

var ledgerGrid = Study{
	Name:    "ledger-grid",
	Claim:   "the ledger prunes every one of 96 exhaustions on generated boards, and loses no completion",
	Measure: measureGrid,
}

// What the page says of its grid.
const (
	gridMinimum   = 1.48 // ratio of nodes, off by node
	gridLow       = 1.45 // what counts as that
	gridHigh      = 1.52
	gridMedianMin = 1.8 // of the medians by cell, to one digit
	gridMedianMax = 4.1
	gridLimit     = 25 * time.Second // of an arm
	gridLong      = 30 * time.Minute // of the default in a long run: the last cell takes that
)

// gridCell is a size of region and a budget of breaks.
type gridCell struct{ suffix, budget int }

// gridPlan is what is measured.
type gridPlan struct {
	grid, diagonal []gridCell
	boards         []puzzle.SolvedBoard
	limit, longest time.Duration // of all arms but the default, and of that
	whole          bool          // all that the claims speak of
}

func planGrid(o Options) gridPlan {
	suffixes, budgets := []int{20, 24, 28, 32}, []int{1, 2, 3}
	p := gridPlan{boards: puzzle.Solved(), limit: gridLimit, longest: gridLimit, whole: !o.Quick}
	if o.Quick {
		suffixes, budgets = suffixes[:2], budgets[:2]
	} else {
		p.diagonal = []gridCell{{24, 2}, {32, 5}, {40, 6}, {48, 8}}
	}
	if o.Time > 0 {
		p.limit, p.longest = o.Time, o.Time
	}
	if o.Long {
		p.longest = max(p.longest, gridLong)
	}
	for _, suffix := range suffixes {
		for _, budget := range budgets {
			p.grid = append(p.grid, gridCell{suffix, budget})
		}
	}
	return p
}

// cells are those of the grid and of the diagonal, which crosses it.
func (p *gridPlan) cells() []gridCell {
	all := slices.Clone(p.grid)
	for _, cell := range p.diagonal {
		if !slices.Contains(all, cell) {
			all = append(all, cell)
		}
	}
	return all
}

// gridPair is one board in one cell, exhausted by every arm.
type gridPair struct {
	Board   string      `json:"board"`
	Suffix  int         `json:"suffix"`
	Budget  int         `json:"budget"`
	Off     exhausted   `json:"off"`
	Ledgers []exhausted `json:"ledgers"` // by gridArms
}

// gridArms are the arms that are held against off. The first is the page's, the
// last the default.
var gridArms = []arm{armNode, armCandidate, armKinds, armDefault}

func (x *gridPair) cell() gridCell   { return gridCell{x.Suffix, x.Budget} }
func (x *gridPair) page() *exhausted { return &x.Ledgers[0] }

// decided tells whether all arms were.
func (x *gridPair) decided() bool {
	return x.Off.Decided && !slices.ContainsFunc(x.Ledgers, func(l exhausted) bool { return !l.Decided })
}

// agree tells whether the arms that were decided found as many completions with
// as many breaks.
func (x *gridPair) agree() bool {
	var first *exhausted
	for _, l := range append([]exhausted{x.Off}, x.Ledgers...) {
		switch {
		case !l.Decided:
		case first == nil:
			first = &l
		case !slices.Equal(l.ByBreaks, first.ByBreaks) || l.Completions != first.Completions:
			return false
		}
	}
	return true
}

// compared counts the ledgers that were decided where off was.
func (x *gridPair) compared() (pairs int) {
	for _, l := range x.Ledgers {
		if x.Off.Decided && l.Decided {
			pairs++
		}
	}
	return pairs
}

// ratio is the nodes, or other costs, of off by those of a ledger; NaN unless
// both were decided.
func (x *gridPair) ratio(ledger int, cost func(*exhausted) float64) float64 {
	l := &x.Ledgers[ledger]
	if !x.Off.Decided || !l.Decided {
		return math.NaN()
	}
	return cost(&x.Off) / cost(l)
}

func nodesOf(x *exhausted) float64    { return float64(x.Nodes) }
func timeNeeded(x *exhausted) float64 { return x.Seconds }

func measureGrid(ctx context.Context, o Options, r *Report) error {
	plan := planGrid(o)
	r.note(fmt.Sprintf("A cell of the grid is a suffix and a budget: the last so many cells of a perfect board, row by row, are emptied, and every way to fill them row by row with at most so many breaks is counted. %s All arms run on one thread, and are cut short after %v, the default after %v.", armsNote, plan.limit, plan.longest))
	r.note(fmt.Sprintf("The times of a pair are taken side by side: each arm that needs less than %v runs %d times more, in turn with the others, or %d times where all need less than %v, and its time is the median of these. Where an arm needs microseconds, these are what it is to begin.", soonOver, timeAgain, timeAtOnce, atOnce))
	var pairs []gridPair
	for _, cell := range plan.cells() {
		for _, board := range plan.boards {
			if ctx.Err() != nil {
				break
			}
			o.Say(fmt.Sprintf("suffix %d, budget %d, %s", cell.suffix, cell.budget, board.Name))
			x, err := exhaustPair(ctx, o, plan, cell, board)
			if err != nil {
				return err
			}
			if ctx.Err() == nil {
				pairs = append(pairs, x)
			}
		}
	}
	reportGrid(r, pairs, plan)
	return nil
}

func exhaustPair(ctx context.Context, o Options, plan gridPlan, cell gridCell, s puzzle.SolvedBoard) (x gridPair, err error) {
	b, _ := tail(s.Puzzle, s.Board, s.Puzzle.Cells()-cell.suffix)
	p := ledger.Problem{Board: b, Budget: cell.budget}
	if p.Order, err = ledger.Arrange(b, "row-major"); err != nil {
		return x, err
	}
	arms := []arm{armOff.within(plan.limit)}
	for _, a := range gridArms[:len(gridArms)-1] {
		arms = append(arms, a.within(plan.limit))
	}
	arms = append(arms, armDefault.within(plan.longest))
	found, err := sideBySide(ctx, o, p, arms...)
	if found == nil {
		return x, err
	}
	return gridPair{s.Name, cell.suffix, cell.budget, found[0], found[1:]}, nil
}

func reportGrid(r *Report, pairs []gridPair, plan gridPlan) {
	inGrid := func(x gridPair) bool { return slices.Contains(plan.grid, x.cell()) }
	var grid []gridPair
	for _, x := range pairs {
		if inGrid(x) {
			grid = append(grid, x)
		}
	}
	whole := plan.whole && len(grid) == len(plan.grid)*len(plan.boards)
	judgeGrid(r, grid, whole)
	judgeCompletions(r, pairs, whole && len(pairs) == len(plan.cells())*len(plan.boards))
	r.draw(gridChart("Nodes of off by nodes of the page's arm", pairs, plan.grid, 0))
	r.draw(gridChart("Nodes of off by nodes of the default", pairs, plan.grid, len(gridArms)-1))
	if len(plan.diagonal) > 0 {
		r.draw(diagonalChart(pairs, plan.diagonal))
	}
	r.show(gridTable("the grid", pairs, plan.grid))
	if len(plan.diagonal) > 0 {
		r.show(gridTable("the diagonal", pairs, plan.diagonal))
	}
	r.show(firesTable(pairs, plan.cells()))
	r.show(everyPair(pairs))
}

// judgeGrid judges what the page says of its arm.
func judgeGrid(r *Report, grid []gridPair, whole bool) {
	var ratios, medians []float64
	above, parity := 0, 0
	byCell := map[gridCell][]float64{}
	for i := range grid {
		x := &grid[i]
		ratio := x.ratio(0, nodesOf)
		ratios = append(ratios, ratio)
		byCell[x.cell()] = append(byCell[x.cell()], ratio)
		if ratio > 1 {
			above++
		}
		if x.page().Losses > x.page().Shortages {
			parity++
		}
	}
	for _, of := range byCell {
		medians = append(medians, Summarise(of).Median)
	}
	all, middle := Summarise(ratios), Summarise(medians)
	measured := func(format string, args ...any) string {
		if len(grid) == 0 {
			return ""
		}
		return fmt.Sprintf(format, args...)
	}
	n := len(grid)
	r.find(Finding{
		Claim: "each of the 96 searches has fewer nodes with the ledger", Published: "96 of 96 ratios above 1 (the LEDGER page)",
		Measured: measured("%d of %d", above, n), Verdict: judge(above == n, whole),
	})
	r.find(Finding{
		Claim: "the smallest ratio of nodes", Published: fmt.Sprintf("%vx (the LEDGER page)", gridMinimum),
		Measured: measured("%.4f times, over %d searches", all.Min, n),
		Verdict:  judge(!whole || all.Min >= gridLow && all.Min <= gridHigh, whole),
		Note:     fmt.Sprintf("%v to %v counts as the same", gridLow, gridHigh),
	})
	r.find(Finding{
		Claim: "the medians by cell of the grid", Published: fmt.Sprintf("%.1fx to %.1fx (the LEDGER page)", gridMedianMin, gridMedianMax),
		Measured: measured("%.3f to %.3f times, over %s", middle.Min, middle.Max, counted(middle.N, "cell")),
		Verdict:  judge(!whole || tenth(middle.Min) == gridMedianMin && tenth(middle.Max) == gridMedianMax, whole),
		Note:     "to one digit after the point",
	})
	r.find(Finding{
		Claim: "parity fires more often than shortage", Published: "parity is the dominant trigger everywhere (the LEDGER page)",
		Measured: measured("in %d of %d searches", parity, n), Verdict: judge(parity == n, whole),
		Note: "one fire may be both",
	})
}

// tenth rounds to one digit after the point.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

// judgeCompletions judges that nothing is lost.
func judgeCompletions(r *Report, pairs []gridPair, whole bool) {
	compared, disagree, decided := 0, 0, 0
	var cut []string
	for i := range pairs {
		x := &pairs[i]
		compared += x.compared()
		if !x.agree() {
			disagree++
		}
		if x.decided() {
			decided++
		}
		if last := x.Ledgers[len(x.Ledgers)-1]; !last.Decided {
			cut = append(cut, fmt.Sprintf("%s at %d and %d", x.Board, x.Suffix, x.Budget))
		}
	}
	f := Finding{
		Claim:     "no completion is lost: as many with as many breaks by every arm",
		Published: "identical completions in all 144 uncensored pairs of arms (the LEDGER page)",
		Verdict:   judge(disagree == 0, whole && compared > 0),
	}
	if compared > 0 {
		f.Measured = fmt.Sprintf("the same in %d of %d searches, of which %d were decided by all arms; off was held against %d decided searches with the ledger", len(pairs)-disagree, len(pairs), decided, compared)
	}
	if len(cut) > 0 {
		f.Note = "the default was cut short as well: " + strings.Join(cut, ", ")
	}
	r.find(f)
}
