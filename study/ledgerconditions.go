package study

import (
	"context"
	"fmt"
	"math"

	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/study/chart"
)

var ledgerConditions = Study{
	Name:    "ledger-conditions",
	Claim:   "of the conditions that a ledger can test, the default ones save the most time",
	Measure: measureConditions,
}

// The sets of conditions that are compared. The last ones add to kinds.
var conditionSets = []ledger.Conditions{
	ledger.Parity, ledger.Page, ledger.Combined, ledger.Kinds,
	ledger.Default, ledger.Kinds | ledger.Hall, ledger.All,
}

// The page's and the default among these.
const (
	atBoth    = 1
	atDefault = 4
)

// conditionCase is a region that is exhausted under each set.
type conditionCase struct {
	Region string `json:"region"`
	Cells  int    `json:"cells"`
	Budget int    `json:"budget"`
	Kind   string `json:"kind"` // tail or halo

	problem ledger.Problem
	found   []exhausted
}

// conditionCases are tails, which the page is about, and the cells at the
// breaks of record boards: regions with many neighbours that stay, with one
// break less than the board has there.
func conditionCases(quick bool) ([]conditionCase, error) {
	var cases []conditionCase
	full, err := turnedRecord("riotte-464")
	if err != nil {
		return nil, err
	}
	add := func(c conditionCase, order string) (err error) {
		c.problem.Order, err = ledger.Arrange(c.problem.Board, order)
		c.Cells, c.Budget = len(c.problem.Order), c.problem.Budget
		cases = append(cases, c)
		return err
	}
	keeps := []int{224, 216, 208}
	if quick {
		keeps = keeps[:1]
	}
	for _, keep := range keeps {
		b, breaks := tail(puzzle.Official(), full, keep)
		c := conditionCase{Region: fmt.Sprintf("riotte-464 turned, from cell %d", keep), Kind: "tail", problem: ledger.Problem{Board: b, Budget: breaks}}
		if err := add(c, "row-major"); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"blackwood-470", "mcgavin-469", "blackwood-468"} {
		record, _ := puzzle.RecordNamed(name)
		board := puzzle.NewBoard(puzzle.Official())
		board.Load(record.Board)
		b := ledger.Without(board, board.BrokenCells())
		c := conditionCase{Region: name + ", cells at breaks", Kind: "halo", problem: ledger.Problem{Board: b, Budget: board.Breaks() - b.Breaks() - 1}}
		if err := add(c, ledger.Closing); err != nil {
			return nil, err
		}
		if quick {
			break
		}
	}
	return cases, nil
}

func measureConditions(ctx context.Context, o Options, r *Report) error {
	r.note("Each region is exhausted with the ledger asked before each candidate, by each set of conditions, on one thread. Parity and deficit are the page's, deficit alone hardly prunes; combined counts shortage or oddness of a colour against two half-edges a break; kinds does so with half-edges told apart by the part of the piece they are on; cells, with which it is the default, adds what each open cell needs by itself, hall a matching of open cells and pieces. Times are taken side by side.")
	cases, err := conditionCases(o.Quick)
	if err != nil {
		return err
	}
	var done []conditionCase
	for _, c := range cases {
		o.Say(c.Region)
		arms := make([]arm, len(conditionSets))
		for i, set := range conditionSets {
			arms[i] = arm{mode: ledger.Candidate, conditions: set}
		}
		if c.found, err = sideBySide(ctx, o, c.problem, arms...); err != nil {
			return err
		}
		if c.found == nil {
			break
		}
		for _, x := range c.found {
			if x.Completions != c.found[0].Completions {
				return fmt.Errorf("%s: %s finds %d completions, %s %d", c.Region, x.Arm, x.Completions, c.found[0].Arm, c.found[0].Completions)
			}
		}
		done = append(done, c)
	}
	judgeConditions(r, done, !o.Quick && len(done) == len(cases))
	for _, cost := range []struct {
		title, label string
		of           func(*exhausted) float64
	}{{"Nodes by conditions", "nodes", nodesOf}, {"Time by conditions", "seconds", timeNeeded}} {
		r.draw(conditionChart(cost.title, cost.label, done, cost.of))
	}
	r.show(conditionTable(done))
	return nil
}

func judgeConditions(r *Report, cases []conditionCase, whole bool) {
	for _, kind := range []string{"tail", "halo"} {
		best, n, worst, most := 0, 0, 1.0, 0.0
		nodes := make([]float64, len(conditionSets)) // the least by set, in nodes of the default
		for i := range nodes {
			nodes[i] = math.Inf(1)
		}
		for _, c := range cases {
			if c.Kind != kind {
				continue
			}
			n++
			fastest := 0
			for i := range c.found {
				if c.found[i].Seconds < c.found[fastest].Seconds {
					fastest = i
				}
				nodes[i] = min(nodes[i], nodesOf(&c.found[i])/nodesOf(&c.found[atDefault]))
			}
			if fastest == atDefault {
				best++
			}
			worst = max(worst, c.found[atDefault].Seconds/c.found[fastest].Seconds)
			most = max(most, c.found[atBoth].Seconds/c.found[atDefault].Seconds)
		}
		f := Finding{
			Claim:     map[string]string{"tail": "in tails the default is the fastest set", "halo": "around the breaks of record boards the default is the fastest set"}[kind],
			Published: "wanted: the default is the fastest, or within a tenth of it",
			Verdict:   judge(worst <= 1.1 || !whole, whole && n > 0),
		}
		if n > 0 {
			last := len(conditionSets) - 1
			f.Measured = fmt.Sprintf("the fastest in %d of %s, at most %.2f times the fastest; up to %.1f times faster than the page's two conditions; kinds alone, with hall, and with both have down to %.2f, %.2f and %.2f times its nodes",
				best, counted(n, "region"), worst, most, nodes[atDefault-1], nodes[last-1], nodes[last])
		}
		r.find(f)
	}
}

func conditionTable(cases []conditionCase) Table {
	type row struct {
		conditionCase
		Found []exhausted `json:"found"` // by set of conditions
	}
	var rows []row
	for _, c := range cases {
		rows = append(rows, row{c, c.found})
	}
	columns := []column[row]{
		{"region", func(x row) string { return x.Region }},
		{"cells", func(x row) string { return fmt.Sprint(x.Cells) }},
		{"budget", func(x row) string { return fmt.Sprint(x.Budget) }},
	}
	for i, set := range conditionSets {
		columns = append(columns,
			column[row]{set.String() + ", nodes", func(x row) string { return grouped(x.Found[i].Nodes) }},
			column[row]{"s", func(x row) string { return short(x.Found[i].Seconds) }})
	}
	return tabulate("every set in every region", "nodes and seconds", rows, columns...)
}

func conditionChart(title, label string, cases []conditionCase, of func(*exhausted) float64) chart.Chart {
	c := chart.Chart{Title: title, XLabel: "set of conditions: 1 parity, 2 page, 3 combined, 4 kinds, 5 + cells, 6 + hall, 7 + both", YLabel: label, LogY: true}
	for _, k := range cases {
		s := chart.Series{Name: fmt.Sprintf("%s, %d", k.Region, k.Cells), Kind: chart.Line}
		for i := range k.found {
			s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, of(&k.found[i]))
		}
		c.Series = append(c.Series, s)
	}
	return c
}
