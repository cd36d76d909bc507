package study

import (
	"fmt"
	"slices"
	"strings"

	"lastmile/game"
	"lastmile/study/chart"
)

// nullRow is a run, added up by depth.
type nullRow struct {
	Arm         string  `json:"arm"`
	Table       bool    `json:"table"`
	EndingNodes []int64 `json:"ending_nodes"` // at depths 1, 2 and on, and last at full depth
	Solved      []int   `json:"solved"`
	MiddleNodes []int64 `json:"middle_nodes"`
	Agree       []int   `json:"agree"` // with full width at the same depth
	Right       []int   `json:"right"` // by the deep search

	arm nullArm
}

// nullCase is a problem that plain null move solves and verified does not.
type nullCase struct {
	R     int    `json:"r"`
	Table bool   `json:"table"`
	Depth int    `json:"depth"`
	FEN   string `json:"fen"`
	Move  int    `json:"move"` // margin, stones
	Pass  int    `json:"pass"`
	None  bool   `json:"none"` // full width answers as it should
	Less  string `json:"less"` // so does full width a ply shallower: right or wrong, or – where it was not asked
}

// sumNullRuns adds the runs up. The first run with or without a table is that of
// full width.
func sumNullRuns(truth []bool, runs []nullRun) (rows []nullRow) {
	for i := range runs {
		x := &runs[i]
		row := nullRow{Arm: x.arm.String(), Table: x.table, arm: x.arm}
		for _, answers := range x.ending {
			row.EndingNodes, row.Solved = grow(row.EndingNodes, len(answers)), grow(row.Solved, len(answers))
			for d, a := range answers {
				row.EndingNodes[d] += a.nodes
				row.Solved[d] += one(!a.yes)
			}
		}
		plain := findNullRun(runs, nullArms[0], x.table)
		for j, answers := range x.middle {
			row.MiddleNodes, row.Agree, row.Right = grow(row.MiddleNodes, len(answers)), grow(row.Agree, len(answers)), grow(row.Right, len(answers))
			for d, a := range answers {
				row.MiddleNodes[d] += a.nodes
				row.Agree[d] += one(a.yes == plain.middle[j][d].yes)
				row.Right[d] += one(a.yes == truth[j])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func grow[T any](s []T, n int) []T {
	for len(s) < n {
		var zero T
		s = append(s, zero)
	}
	return s
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func findNullRun(runs []nullRun, arm nullArm, table bool) *nullRun {
	i := slices.IndexFunc(runs, func(x nullRun) bool { return x.arm == arm && x.table == table })
	if i < 0 {
		return nil
	}
	return &runs[i]
}

func findNullRow(rows []nullRow, arm nullArm, table bool) *nullRow {
	i := slices.IndexFunc(rows, func(x nullRow) bool { return x.arm == arm && x.Table == table })
	if i < 0 {
		return nil
	}
	return &rows[i]
}

var (
	plainTwo      = nullArm{game.PlainNull, 2}
	verifiedThree = nullArm{game.VerifiedNull, 3}
)

// reportNullMove judges the runs.
func reportNullMove(r *Report, plan *nullPlan, suite *gameSuite, truth []bool, runs []nullRun, o Options) {
	rows := sumNullRuns(truth, runs)
	whole := plan.zugzwangs >= nullSuite && plan.middle >= nullSuite && plan.depth >= nullDepth && !o.Quick
	seeds := o.Seeds
	if len(rows) == 0 {
		seeds = nil
	}
	tables := []bool{false, true}
	for _, table := range tables {
		judgeNullNodes(r, rows, table, seeds, whole)
	}
	for _, table := range tables {
		judgeNullSolved(r, rows, table, seeds, whole)
	}
	for _, table := range tables {
		for _, R := range []int{2, 3} {
			judgeVerified(r, rows, table, R, seeds, whole)
		}
	}
	judgeFullDepth(r, plan, rows, seeds, whole)
	if len(rows) == 0 {
		return
	}
	for _, table := range []bool{true, false} {
		if findNullRow(rows, nullArms[0], table) == nil {
			continue
		}
		r.draw(nullChart("Nodes of the middle game by depth", "nodes", true, rows, table, func(x *nullRow) []float64 { return floats(x.MiddleNodes) }))
		r.draw(nullChart("Zugzwangs solved by depth", "solved", false, rows, table, func(x *nullRow) []float64 { return floats(x.Solved[:plan.depth]) }))
	}
	for _, table := range []bool{true, false} {
		if findNullRow(rows, nullArms[0], table) == nil {
			continue
		}
		at := ", " + withTable(table)
		nodes := func(n int64) string { return grouped(n) }
		count := func(n int) string { return grouped(int64(n)) }
		r.show(nullTableOf("nodes of the middle game"+at, "all problems together, by depth", rows, table, plan.depth, nodes, func(x *nullRow) []int64 { return x.MiddleNodes }))
		r.show(nullTableOf("middle game: answers of full width at the same depth"+at, fmt.Sprintf("of %d", plan.middle), rows, table, plan.depth, count, func(x *nullRow) []int { return x.Agree }))
		r.show(nullTableOf(fmt.Sprintf("middle game: answers of full width at depth %d%s", plan.truth, at), fmt.Sprintf("of %d", plan.middle), rows, table, plan.depth, count, func(x *nullRow) []int { return x.Right }))
		r.show(nullTableOf("nodes of zugzwangs"+at, "all problems together, by depth; full: no game lasts longer", rows, table, plan.depth, nodes, func(x *nullRow) []int64 { return x.EndingNodes }))
		r.show(nullTableOf("zugzwangs solved"+at, fmt.Sprintf("of %d", plan.zugzwangs), rows, table, plan.depth, count, func(x *nullRow) []int { return x.Solved }))
	}
	if cases := nullCases(suite, runs); len(cases) > 0 {
		r.show(nullCaseTable(cases))
	}
	r.show(suiteTable(suite))
}

func withTable(table bool) string {
	if table {
		return "with a table"
	}
	return "without a table"
}

func floats[T int | int64](list []T) (f []float64) {
	for _, x := range list {
		f = append(f, float64(x))
	}
	return f
}

// judgeNullNodes judges what the source says of the nodes.
func judgeNullNodes(r *Report, rows []nullRow, table bool, seeds []uint64, whole bool) {
	f := Finding{
		Claim:     fmt.Sprintf("verified null move with R = 3 develops fewer nodes than plain null move with R = 2: middle game, %s", withTable(table)),
		Published: "fewer nodes, of chess; here: at every depth", Seeds: seeds,
	}
	a, b := findNullRow(rows, verifiedThree, table), findNullRow(rows, plainTwo, table)
	fewer := false
	if a != nil && b != nil {
		var ratios []string
		fewer = true
		for d := range a.MiddleNodes {
			fewer = fewer && a.MiddleNodes[d] < b.MiddleNodes[d]
			ratios = append(ratios, fmt.Sprintf("%.2f", float64(a.MiddleNodes[d])/float64(b.MiddleNodes[d])))
		}
		last := len(a.MiddleNodes) - 1
		f.Measured = fmt.Sprintf("%s and %s nodes at depth %d; the ratio by depth: %s", grouped(a.MiddleNodes[last]), grouped(b.MiddleNodes[last]), last+1, strings.Join(ratios, ", "))
		if len(a.EndingNodes) > last {
			f.Measured += fmt.Sprintf("; zugzwangs, at depth %d: %s and %s", last+1, grouped(a.EndingNodes[last]), grouped(b.EndingNodes[last]))
		}
	}
	settle(r, f, fewer, !fewer, whole && f.Measured != "", "")
}

// solvedText shows two runs side by side, by depth.
func solvedText(a, b *nullRow) string {
	var text []string
	for d := range a.Solved {
		text = append(text, fmt.Sprintf("%d/%d", a.Solved[d], b.Solved[d]))
	}
	return strings.Join(text, ", ")
}

// judgeNullSolved judges what the source says of problems.
func judgeNullSolved(r *Report, rows []nullRow, table bool, seeds []uint64, whole bool) {
	f := Finding{
		Claim:     fmt.Sprintf("verified null move with R = 3 solves more problems than plain null move with R = 2: zugzwangs, %s", withTable(table)),
		Published: "more problems, of chess; here: over all depths together", Seeds: seeds,
	}
	a, b := findNullRow(rows, verifiedThree, table), findNullRow(rows, plainTwo, table)
	more := false
	if a != nil && b != nil {
		sumA, sumB := 0, 0
		for d := range a.Solved {
			sumA, sumB = sumA+a.Solved[d], sumB+b.Solved[d]
		}
		more = sumA > sumB
		f.Measured = fmt.Sprintf("%s and %s; by depth, the full one last: %s", grouped(int64(sumA)), grouped(int64(sumB)), solvedText(a, b))
	}
	settle(r, f, more, !more, whole && f.Measured != "", "")
}

// judgeVerified judges that the verification does no harm.
func judgeVerified(r *Report, rows []nullRow, table bool, R int, seeds []uint64, whole bool) {
	f := Finding{
		Claim:     fmt.Sprintf("verified null move solves at least as many zugzwangs as plain null move, R = %d, %s", R, withTable(table)),
		Published: "at every depth", Seeds: seeds,
	}
	a, b := findNullRow(rows, nullArm{game.VerifiedNull, R}, table), findNullRow(rows, nullArm{game.PlainNull, R}, table)
	fewer := false
	if a != nil && b != nil {
		for d := range a.Solved {
			fewer = fewer || a.Solved[d] < b.Solved[d]
		}
		f.Measured = "verified/plain by depth, the full one last: " + solvedText(a, b)
	}
	settle(r, f, !fewer, fewer, whole && f.Measured != "", "")
	if fewer {
		r.Findings[len(r.Findings)-1].Note += "the table of cases lists positions"
	}
}

// judgeFullDepth judges who errs where a search sees the end of every game.
func judgeFullDepth(r *Report, plan *nullPlan, rows []nullRow, seeds []uint64, whole bool) {
	none := Finding{Claim: "without null moves a search to the end of the game solves every zugzwang", Published: "all, with and without a table", Seeds: seeds}
	plain := Finding{Claim: "near the end to pass is often better than any move, so that plain null move errs even in a search to the end of the game", Published: "with each R some zugzwang is not solved, with and without a table", Seeds: seeds}
	all, errs := true, true
	complete := len(rows) == 2*len(nullArms)
	for i := range rows {
		x := &rows[i]
		if len(x.Solved) == 0 {
			continue
		}
		solved := x.Solved[len(x.Solved)-1]
		switch x.arm.null {
		case game.NoNull:
			all = all && solved == plan.zugzwangs
			none.Measured += fmt.Sprintf("; %s %d of %d", withTable(x.Table), solved, plan.zugzwangs)
		case game.PlainNull:
			errs = errs && solved < plan.zugzwangs
			plain.Measured += fmt.Sprintf("; R = %d %s %d of %d", x.arm.r, withTable(x.Table), solved, plan.zugzwangs)
		}
	}
	none.Measured, plain.Measured = strings.TrimPrefix(none.Measured, "; "), strings.TrimPrefix(plain.Measured, "; ")
	settle(r, none, all, !all, whole && complete, "")
	settle(r, plain, errs, !errs, whole && complete, "")
}

// nullChart shows the runs by depth.
func nullChart(title, y string, log bool, rows []nullRow, table bool, of func(*nullRow) []float64) chart.Chart {
	c := chart.Chart{Title: title + ", " + withTable(table), XLabel: "depth", YLabel: y, LogY: log}
	for i := range rows {
		if rows[i].Table != table {
			continue
		}
		s := chart.Series{Name: rows[i].Arm, Kind: chart.Line, Y: of(&rows[i])}
		for d := range s.Y {
			s.X = append(s.X, float64(d+1))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// nullTableOf shows one number of the runs, by depth.
func nullTableOf[T any](title, note string, rows []nullRow, table bool, depth int, text func(T) string, of func(*nullRow) []T) Table {
	rows = slices.DeleteFunc(slices.Clone(rows), func(x nullRow) bool { return x.Table != table })
	columns := []column[nullRow]{{"null move", func(x nullRow) string { return x.Arm }}}
	for d := range of(&rows[0]) {
		name := fmt.Sprint(d + 1)
		if d == depth {
			name = "full"
		}
		columns = append(columns, column[nullRow]{name, func(x nullRow) string { return text(of(&x)[d]) }})
	}
	return tabulate(title, note, rows, columns...)
}

// casesShown are listed for each R, with and without a table.
const casesShown = 6

// nullCases finds problems that plain null move solves and verified does not, those
// that the least depth suffices for first.
func nullCases(suite *gameSuite, runs []nullRun) (cases []nullCase) {
	for _, table := range []bool{false, true} {
		for _, R := range []int{2, 3} {
			none := findNullRun(runs, nullArms[0], table)
			plain := findNullRun(runs, nullArm{game.PlainNull, R}, table)
			verified := findNullRun(runs, nullArm{game.VerifiedNull, R}, table)
			if plain == nil || verified == nil {
				continue
			}
			n := 0
			for d := 0; len(plain.ending) > 0 && d < len(plain.ending[0]); d++ {
				for i := range plain.ending {
					if plain.ending[i][d].yes || !verified.ending[i][d].yes || n == casesShown {
						continue
					}
					n++
					z := &suite.zugzwangs[i]
					depth := d + 1
					if d == len(plain.ending[i])-1 {
						depth = z.fullDepth()
					}
					less := "–"
					if d > 0 && depth == d+1 {
						less = rightly(!none.ending[i][d-1].yes)
					}
					cases = append(cases, nullCase{R, table, depth, z.position.FEN(), z.move, z.pass, !none.ending[i][d].yes, less})
				}
			}
		}
	}
	return cases
}

func nullCaseTable(cases []nullCase) Table {
	of := func(name string, text func(nullCase) string) column[nullCase] { return column[nullCase]{name, text} }
	return tabulate("cases: zugzwangs that plain null move solves and verified null move does not",
		fmt.Sprintf("at most %d for each R, the least depths first; margins in stones, exact: of the best move, and of a pass; the verification searches a ply less deep, and the last column says whether that depth suffices full width", casesShown), cases,
		of("R", func(x nullCase) string { return fmt.Sprint(x.R) }),
		of("table", func(x nullCase) string { return withTable(x.Table) }),
		of("depth", func(x nullCase) string { return fmt.Sprint(x.Depth) }),
		of("position", func(x nullCase) string { return x.FEN }),
		of("move", func(x nullCase) string { return fmt.Sprint(x.Move) }),
		of("pass", func(x nullCase) string { return fmt.Sprint(x.Pass) }),
		of("full width", func(x nullCase) string { return rightly(x.None) }),
		of("a ply less", func(x nullCase) string { return x.Less }),
	)
}

func rightly(right bool) string {
	if right {
		return "right"
	}
	return "wrong"
}

// suiteRow counts zugzwangs.
type suiteRow struct {
	Empties int `json:"empties"`
	N       int `json:"n"`
	Turns   int `json:"turns"` // of these, those in which a loss would become a win
}

func suiteTable(suite *gameSuite) Table {
	var rows []suiteRow
	for n := suiteFew; n <= suiteMany; n++ {
		row := suiteRow{Empties: n}
		for _, z := range suite.zugzwangs {
			if z.empties == n {
				row.N++
				row.Turns += one(z.move < 0 && z.pass > 0)
			}
		}
		if row.N > 0 {
			rows = append(rows, row)
		}
	}
	return tabulate("the zugzwangs", "by the squares that can still be filled", rows,
		column[suiteRow]{"squares", func(x suiteRow) string { return fmt.Sprint(x.Empties) }},
		column[suiteRow]{"zugzwangs", func(x suiteRow) string { return fmt.Sprint(x.N) }},
		column[suiteRow]{"from loss to win", func(x suiteRow) string { return fmt.Sprint(x.Turns) }},
	)
}
