package study

import (
	"context"
	"fmt"
	"math"

	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/study/chart"
)

var ledgerRegime = Study{
	Name:    "ledger-regime",
	Claim:   "under a generous budget the ledger hardly fires and is a loss, and the search can tell when that is so",
	Measure: measureRegime,
}

// What the page expects, and what counts as that.
const (
	silentRate = 0.001 // of the judged candidates, refused under a generous budget
	silentMost = 0.002
)

// The regimes are looked for in two places: in a tail so short that every
// budget can be exhausted, up to the one that forbids nothing; and on the whole
// board, which a search of so many nodes only begins to explore.
const (
	regimeTail   = 11 // cells: with a corner and ten of the bottom row, 10! ways to fill them
	regimeNodes  = 4_000_000
	regimeBoards = 3
	regimeTurns  = 3 // of the searches of the whole board, for the median of their times
	autoMost     = 2 // times the faster of off and candidate that Auto may take
)

var (
	armAuto     = arm{mode: ledger.Auto, conditions: ledger.Default}
	regimeArms  = []arm{armOff, armDefault, armCandidate, armAuto}
	regimeNames = []string{"off", "on", "page", "auto"}
)

// The places of the arms.
const (
	atOff = iota
	atOn
	atPage
	atAuto
)

// regimePoint is one budget, exhausted or begun by every arm.
type regimePoint struct {
	Budget  int       `json:"budget"`
	Boards  int       `json:"boards"`
	Rates   []float64 `json:"fire_rates"`  // share of the judged candidates refused, by arm
	Nodes   []int64   `json:"nodes"`       // over the boards
	Seconds []float64 `json:"seconds"`     // over the boards
	Found   []int64   `json:"completions"` // over the boards
}

func newPoint(budget int) regimePoint {
	n := len(regimeArms)
	return regimePoint{Budget: budget, Rates: make([]float64, n), Nodes: make([]int64, n), Seconds: make([]float64, n), Found: make([]int64, n)}
}

// gain is how many times faster an arm is than off for the same work: the same
// tail, or a node where the searches are cut short after as many.
func (p *regimePoint) gain(arm int, perNode bool) float64 {
	gain := p.Seconds[atOff] / p.Seconds[arm]
	if perNode {
		gain *= float64(p.Nodes[arm]) / float64(p.Nodes[atOff])
	}
	return gain
}

func measureRegime(ctx context.Context, o Options, r *Report) error {
	r.note("Off is the search without a ledger. On and page judge every candidate, by the default conditions or by the two of the page. Auto judges as on from the cell on where that has been paying: now and then it judges everywhere for a round, and weighs what was refused against what it cost.")
	r.note(fmt.Sprintf("The tail is the last %d cells of the first %d perfect generated boards: every budget up to its %d seams can be exhausted, and with all of them nothing is forbidden. The whole board is the empty official one, without clues, row by row, of which each search sees the first %s nodes. Times of a point are taken side by side, the median of %d where the searches are short.", regimeTail, regimeBoards, tailSeams, grouped(regimeNodes), timeAgain))
	tails, err := regimeTails(ctx, o)
	if err != nil {
		return err
	}
	whole, err := regimeWhole(ctx, o)
	if err != nil {
		return err
	}
	judgeRegime(r, tails, whole, !o.Quick && ctx.Err() == nil)
	r.draw(gainChart("Time of off by time of each arm: the tail", tails, false))
	r.draw(gainChart("Time of a node of off by that of each arm: the whole board", whole, true))
	r.draw(rateChart(tails, whole))
	r.show(regimeTable("the tail", "fire rate is the share of the judged candidates that is refused; gain is the time of off by that of the arm, over all boards", tails, false))
	r.show(regimeTable("the whole board", "gain is the time of a node of off by that of a node of the arm: below 1 the ledger costs, and what its nodes are worth is another matter", whole, true))
	return nil
}

// tailSeams are the charged seams of the tail: a joint to the left for each
// cell, and one upwards.
const tailSeams = 2 * regimeTail

func regimeTails(ctx context.Context, o Options) (points []regimePoint, err error) {
	boards, step := puzzle.Solved()[:regimeBoards], 1
	if o.Quick {
		boards, step = boards[:1], 8
	}
	for budget := 0; budget <= tailSeams; budget += step {
		p := newPoint(budget)
		judged, fires := make([]int64, len(regimeArms)), make([]int64, len(regimeArms))
		for _, s := range boards {
			o.Say(fmt.Sprintf("tail, budget %d, %s", budget, s.Name))
			b, _ := tail(s.Puzzle, s.Board, s.Puzzle.Cells()-regimeTail)
			problem := ledger.Problem{Board: b, Budget: budget}
			if problem.Order, err = ledger.Arrange(b, "row-major"); err != nil {
				return nil, err
			}
			found, err := sideBySide(ctx, o, problem, regimeArms...)
			if found == nil {
				return points, err
			}
			p.Boards++
			for i, x := range found {
				if x.Completions != found[atOff].Completions {
					return nil, fmt.Errorf("%s, budget %d: %s finds %d completions, off %d", s.Name, budget, x.Arm, x.Completions, found[atOff].Completions)
				}
				judged[i], fires[i] = judged[i]+x.Judged, fires[i]+x.Fires
				p.Nodes[i], p.Seconds[i], p.Found[i] = p.Nodes[i]+x.Nodes, p.Seconds[i]+x.Seconds, p.Found[i]+x.Completions
			}
		}
		for i := range p.Rates {
			p.Rates[i] = share(fires[i], judged[i])
		}
		points = append(points, p)
	}
	return points, nil
}

func share(part, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

func regimeWhole(ctx context.Context, o Options) (points []regimePoint, err error) {
	budgets, nodes, turns := []int{2, 5, 10, 20, 30, 40, 60, 80, 90, 95, 100, 105, 110, 115, 120, 130, 150, 200}, int64(regimeNodes), regimeTurns
	if o.Quick {
		budgets, nodes, turns = []int{10, 200}, 50_000, 1
	}
	b := puzzle.NewBoard(puzzle.Official())
	problem := ledger.Problem{Board: b}
	if problem.Order, err = ledger.Arrange(b, "row-major"); err != nil {
		return nil, err
	}
	for _, budget := range budgets {
		o.Say(fmt.Sprintf("whole board, budget %d", budget))
		problem.Budget = budget
		p := newPoint(budget)
		p.Boards = 1
		seconds := make([][]float64, len(regimeArms))
		for range turns {
			for i, a := range regimeArms {
				problem.Mode, problem.Conditions = a.mode, a.conditions
				x, err := ledger.Exhaust(ctx, &problem, ledger.Plan{Budget: search.Budget{Nodes: nodes}})
				if err != nil || ctx.Err() != nil {
					return points, err
				}
				p.Rates[i], p.Nodes[i], p.Found[i] = share(x.Fires, x.Judged), x.Nodes, x.Completions
				seconds[i] = append(seconds[i], x.Elapsed.Seconds())
			}
		}
		for i := range seconds {
			p.Seconds[i] = Summarise(seconds[i]).Median
		}
		points = append(points, p)
	}
	return points, nil
}

func judgeRegime(r *Report, tails, whole []regimePoint, complete bool) {
	f := Finding{
		Claim:     "under a generous budget on the whole board about 0.1 % of the candidates are refused, and the ledger is a loss",
		Published: "about 0.1 % of fires under a generous budget at the scale of the board, a pure loss; not tested by the LEDGER page itself",
	}
	silent, quiet := 0, false
	for i := range whole {
		if p := &whole[i]; p.Rates[atOn] <= silentMost && !quiet {
			silent, quiet = i, true
		}
	}
	if quiet {
		p := &whole[silent]
		loudest := 0.0
		for _, q := range whole[:silent] {
			loudest = max(loudest, q.Rates[atOn])
		}
		f.Measured = fmt.Sprintf("from a budget of %d on: %s of the candidates refused, and a node costs %.2f times as much with the ledger on, %.2f with the page's conditions; below, up to %s are refused",
			p.Budget, refused(p.Rates[atOn]), 1/p.gain(atOn, true), 1/p.gain(atPage, true), refused(loudest))
		f.Note = "a depth-first search that may spend its budget where it likes spends it first and then lives at its end, where the ledger fires; it is silent only with a budget that filling the board greedily does not use up"
		f.Verdict = judge(p.gain(atOn, true) < 1 && p.gain(atPage, true) < 1, complete)
	} else {
		f.Verdict = judge(!complete, complete)
		if len(whole) > 0 {
			f.Measured = "at no budget are so few refused"
		}
	}
	r.find(f)

	turn := -1 // the first budget from which the ledger no longer pays
	for i := len(tails) - 1; i >= 0 && tails[i].gain(atOn, false) < 1; i-- {
		turn = i
	}
	f = Finding{
		Claim:     "there is a budget up to which the ledger pays in time, and from which it is a loss",
		Published: "it only pays in the regime of small budgets (the LEDGER page)",
		Verdict:   judge(!complete || turn > 0, complete),
	}
	if turn > 0 {
		before, after := &tails[turn-1], &tails[turn]
		most, at := 0.0, 0
		for i := range tails {
			if g := tails[i].gain(atOn, false); g > most {
				most, at = g, tails[i].Budget
			}
		}
		last := &tails[len(tails)-1]
		f.Measured = fmt.Sprintf("in a tail of %d cells and %d seams it pays up to %s (%.2f times faster, %s refused) and not from %d on (%.2f times, %s refused); at most %.1f times, at %d; with nothing forbidden %.2f times",
			regimeTail, tailSeams, counted(before.Budget, "break"), before.gain(atOn, false), refused(before.Rates[atOn]),
			after.Budget, after.gain(atOn, false), refused(after.Rates[atOn]), most, at, last.gain(atOn, false))
	}
	r.find(f)

	f = Finding{
		Claim:     "a search that switches the ledger on by itself is near the better of on and off at every budget",
		Published: fmt.Sprintf("wanted: at most %d times the better of the two", autoMost),
	}
	worst, where := 0.0, ""
	for i := range tails {
		p := &tails[i]
		if soon := float64(p.Boards) * atOnce.Seconds(); p.Seconds[atOff] < soon && p.Seconds[atOn] < soon {
			continue // over before there is anything to choose
		}
		if times := max(1, p.gain(atOn, false)) / p.gain(atAuto, false); times > worst {
			worst, where = times, fmt.Sprintf("tail, budget %d", p.Budget)
		}
	}
	if where != "" {
		f.Measured = fmt.Sprintf("at most %.2f times (%s)", worst, where)
		f.Note = fmt.Sprintf("budgets where both take less than %v a board are left out", atOnce)
		if quiet {
			f.Measured += fmt.Sprintf("; on the whole board with a budget of %d a node costs %.2f times what it costs off, and %.2f on throughout",
				whole[len(whole)-1].Budget, 1/whole[len(whole)-1].gain(atAuto, true), 1/whole[len(whole)-1].gain(atOn, true))
		}
	}
	f.Verdict = judge(worst <= autoMost || !complete, complete && where != "")
	r.find(f)
}

// refused writes a share that may be small.
func refused(x float64) string { return short(100*x) + " %" }

func regimeTable(title, note string, points []regimePoint, perNode bool) Table {
	of := func(name string, text func(regimePoint) string) column[regimePoint] {
		return column[regimePoint]{name, text}
	}
	columns := []column[regimePoint]{
		of("budget", func(p regimePoint) string { return fmt.Sprint(p.Budget) }),
		of("completions, off", func(p regimePoint) string { return grouped(p.Found[atOff]) }),
	}
	for i, name := range regimeNames {
		columns = append(columns, of("nodes, "+name, func(p regimePoint) string { return grouped(p.Nodes[i]) }))
	}
	columns = append(columns, of("s, off", func(p regimePoint) string { return short(p.Seconds[atOff]) }))
	for i, name := range regimeNames[1:] {
		columns = append(columns,
			of("fire rate, "+name, func(p regimePoint) string { return refused(p.Rates[i+1]) }),
			of("gain, "+name, func(p regimePoint) string { return fmt.Sprintf("%.2f", p.gain(i+1, perNode)) }))
	}
	return tabulate(title, note, points, columns...)
}

func gainChart(title string, points []regimePoint, perNode bool) chart.Chart {
	c := chart.Chart{Title: title, XLabel: "budget of breaks", YLabel: "times faster than off", LogY: true}
	for i, name := range regimeNames {
		s := chart.Series{Name: name, Kind: chart.Line}
		for _, p := range points {
			s.X, s.Y = append(s.X, float64(p.Budget)), append(s.Y, p.gain(i, perNode))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// rateChart shows how the fire rate falls as budgets grow, by the share of the
// seams that may be broken.
func rateChart(tails, whole []regimePoint) chart.Chart {
	c := chart.Chart{Title: "Share of the judged candidates that is refused", XLabel: "breaks allowed, % of the seams", YLabel: "% refused", LogY: true}
	for _, part := range []struct {
		name   string
		points []regimePoint
		seams  int
	}{{"tail", tails, tailSeams}, {"whole board", whole, puzzle.Official().MaxScore()}} {
		s := chart.Series{Name: part.name, Kind: chart.Line}
		for _, p := range part.points {
			rate := 100 * p.Rates[atOn]
			if rate == 0 {
				rate = math.NaN() // no place on a log axis
			}
			s.X, s.Y = append(s.X, 100*float64(p.Budget)/float64(part.seams)), append(s.Y, rate)
		}
		c.Series = append(c.Series, s)
	}
	return c
}
