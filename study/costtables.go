package study

import (
	"fmt"
	"math"

	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/study/cost"
)

// recordRow is the loop on the record board with one size of hole.
type recordRow struct {
	K     int     `json:"k"`
	Hole  float64 `json:"cells"` // lifted in an iteration
	Rate  Summary `json:"iterations_per_second"`
	Nanos Summary `json:"nanoseconds"`
}

func (m *costs) recordTable(plan costPlan) Table {
	var rows []recordRow
	for _, k := range plan.holes {
		if s := m.loops[loopKey{recordBoard, asPolish, k, ""}]; s != nil {
			rows = append(rows, recordRow{k, s.hole(), Summarise(rates(s.nanos)), Summarise(s.nanos)})
		}
	}
	of := func(name string, text func(recordRow) string) column[recordRow] { return column[recordRow]{name, text} }
	return tabulate("iterations a second on "+recordBoard, "", rows,
		of("k", func(x recordRow) string { return fmt.Sprint(x.K) }),
		of("cells lifted", func(x recordRow) string { return short(x.Hole) }),
		of("median", func(x recordRow) string { return short(x.Rate.Median) }),
		of("min", func(x recordRow) string { return short(x.Rate.Min) }),
		of("max", func(x recordRow) string { return short(x.Rate.Max) }),
		of("sd", func(x recordRow) string { return short(x.Rate.SD) }),
		of("n", func(x recordRow) string { return fmt.Sprint(x.Rate.N) }),
		of("ns an iteration", func(x recordRow) string { return short(x.Nanos.Median) }),
		of("ns a cell", func(x recordRow) string { return short(x.Nanos.Median / x.Hole) }),
	)
}

// repairRow is the loop on the record board by one method, on holes of one
// kind, by their size.
type repairRow struct {
	Method string      `json:"method"`
	Holes  string      `json:"holes"`
	Sizes  []recordRow `json:"sizes"`
}

func (m *costs) repairTable(plan costPlan) Table {
	var rows []repairRow
	for _, kind := range recordKinds {
		for _, method := range repair.Names() {
			row := repairRow{Method: method, Holes: kind}
			if method == repair.Default {
				method = ""
			}
			for _, k := range plan.holes {
				if s := m.loops[loopKey{recordBoard, kind, k, method}]; s != nil {
					row.Sizes = append(row.Sizes, recordRow{k, s.hole(), Summarise(rates(s.nanos)), Summarise(s.nanos)})
				}
			}
			if len(row.Sizes) == len(plan.holes) {
				rows = append(rows, row)
			}
		}
	}
	columns := []column[repairRow]{
		{"holes", func(x repairRow) string { return x.Holes }},
		{"repair", func(x repairRow) string { return x.Method }},
	}
	for i, k := range plan.holes {
		columns = append(columns, column[repairRow]{fmt.Sprintf("k = %d", k), func(x repairRow) string { return short(x.Sizes[i].Rate.Median) }})
	}
	return tabulate("iterations a second on "+recordBoard+", by repair", "medians; a method that does not apply to a hole, or has reached its bound, falls back on greedy or better", rows, columns...)
}

// sizeRow is one mixture of operators and one k on boards of growing size.
type sizeRow struct {
	Operators string      `json:"operators"`
	K         int         `json:"k"`
	Boards    []sizePoint `json:"boards"`
	Ratio     Summary     `json:"ratio"`      // of the last board to the first, by neighbouring measurements
	SameHoles bool        `json:"same_holes"` // on these two: as many cells, and as bad ones
}

// sizePoint is a row on one board.
type sizePoint struct {
	Board     string  `json:"board"`
	Nanos     Summary `json:"nanoseconds"`
	Hole      float64 `json:"cells"`
	Conflicts float64 `json:"conflicts"` // of a cell, when its pieces are lifted
}

// What a ratio of times is taken of.
func perHole(*sample) float64   { return 1 }
func perCell(s *sample) float64 { return s.hole() }

// compareSizes lines the generated boards up, for each mixture and k that was
// measured on all of them.
func compareSizes(samples map[loopKey]*sample, plan costPlan, per func(*sample) float64) []sizeRow {
	names := append([]string{allAlike}, destroy.Names()...)
	var rows []sizeRow
	for _, name := range names {
		for _, k := range plan.holes {
			row := sizeRow{Operators: name, K: k}
			var all []*sample
			for _, side := range plan.sides {
				board := fmt.Sprintf("%d×%d", side, side)
				s := samples[loopKey{board, name, k, ""}]
				if s == nil {
					continue
				}
				all = append(all, s)
				row.Boards = append(row.Boards, sizePoint{board, Summarise(s.nanos), s.hole(), s.conflicts()})
			}
			if len(all) < len(plan.sides) {
				continue
			}
			first, last := all[0], all[len(all)-1]
			ratio := ratios(last.nanos, first.nanos)
			for i := range ratio {
				ratio[i] *= per(first) / per(last)
			}
			row.Ratio = Summarise(ratio)
			row.SameHoles = asLarge(last.hole(), first.hole(), sameHoles) && asLarge(last.conflicts(), first.conflicts(), sameState)
			rows = append(rows, row)
		}
	}
	return rows
}

// asLarge tells whether a number is another one within a share of it.
func asLarge(a, b, share float64) bool { return math.Abs(a-b) <= share*b }

// sizeTable shows rows; those of loops with a star at the ratio where the holes
// differ, and with the conflicts of their cells.
func sizeTable(title, note string, rows []sizeRow, plan costPlan, loops bool) Table {
	columns := []column[sizeRow]{
		{"operators", func(x sizeRow) string { return x.Operators }},
		{"k", func(x sizeRow) string { return fmt.Sprint(x.K) }},
	}
	for i, side := range plan.sides {
		columns = append(columns, column[sizeRow]{fmt.Sprintf("%d×%d", side, side), func(x sizeRow) string { return short(x.Boards[i].Nanos.Median) }})
	}
	columns = append(columns,
		column[sizeRow]{"ratio", func(x sizeRow) string {
			text := short(x.Ratio.Median)
			if loops && !x.SameHoles {
				text += "*"
			}
			return text
		}},
		column[sizeRow]{"min", func(x sizeRow) string { return short(x.Ratio.Min) }},
		column[sizeRow]{"max", func(x sizeRow) string { return short(x.Ratio.Max) }},
		column[sizeRow]{"cells", func(x sizeRow) string {
			return short(x.Boards[0].Hole) + ", " + short(x.Boards[len(x.Boards)-1].Hole)
		}},
	)
	if loops {
		columns = append(columns, column[sizeRow]{"conflicts", func(x sizeRow) string {
			return short(x.Boards[0].Conflicts) + ", " + short(x.Boards[len(x.Boards)-1].Conflicts)
		}})
	}
	columns = append(columns, column[sizeRow]{"n", func(x sizeRow) string { return fmt.Sprint(x.Ratio.N) }})
	return tabulate(title, note, rows, columns...)
}

// partsRow is where the time of an iteration goes: medians, in nanoseconds,
// and the least for the prices of a move and a comparison.
type partsRow struct {
	K       int          `json:"k"`
	Times   cost.Times   `json:"nanoseconds"`
	Samples []cost.Times `json:"samples"`
}

func (m *costs) partsRows(plan costPlan) []partsRow {
	var rows []partsRow
	for _, k := range plan.holes {
		samples := m.parts[k]
		if len(samples) == 0 {
			continue
		}
		median := func(of func(cost.Times) float64) float64 {
			var values []float64
			for _, t := range samples {
				values = append(values, of(t))
			}
			return Summarise(values).Median
		}
		// What least work takes is priced at the fastest that was seen.
		fastest := func(of func(cost.Times) float64) float64 {
			least := math.Inf(1)
			for _, t := range samples {
				least = min(least, of(t))
			}
			return least
		}
		rows = append(rows, partsRow{k, cost.Times{
			Choose:      median(func(t cost.Times) float64 { return t.Choose }),
			Lift:        median(func(t cost.Times) float64 { return t.Lift }),
			Repair:      median(func(t cost.Times) float64 { return t.Repair }),
			Revert:      median(func(t cost.Times) float64 { return t.Revert }),
			Unwatched:   median(func(t cost.Times) float64 { return t.Unwatched }),
			Cells:       median(func(t cost.Times) float64 { return t.Cells }),
			Comparisons: median(func(t cost.Times) float64 { return t.Comparisons }),
			Move:        fastest(func(t cost.Times) float64 { return t.Move }),
			Compare:     fastest(func(t cost.Times) float64 { return t.Compare }),
		}, samples})
	}
	return rows
}

func (m *costs) partsTable(plan costPlan) Table {
	part := func(name string, of func(cost.Times) float64) column[partsRow] {
		return column[partsRow]{name, func(x partsRow) string {
			return fmt.Sprintf("%s (%s)", short(of(x.Times)), percent(of(x.Times)/x.Times.Sum()))
		}}
	}
	plain := func(name string, of func(cost.Times) float64) column[partsRow] {
		return column[partsRow]{name, func(x partsRow) string { return short(of(x.Times)) }}
	}
	return tabulate("where the time of an iteration goes, on "+recordBoard,
		"nanoseconds, medians, and their share; the parts of a rejected iteration run one by one, the operators in turn, with the clock read between them and its own time taken off; unwatched is all four without the clock between them, by which the sum can be checked",
		m.partsRows(plan),
		column[partsRow]{"k", func(x partsRow) string { return fmt.Sprint(x.K) }},
		part("choose", func(t cost.Times) float64 { return t.Choose }),
		part("lift", func(t cost.Times) float64 { return t.Lift }),
		part("repair", func(t cost.Times) float64 { return t.Repair }),
		part("revert", func(t cost.Times) float64 { return t.Revert }),
		plain("sum", cost.Times.Sum),
		plain("unwatched", func(t cost.Times) float64 { return t.Unwatched }),
		column[partsRow]{"n", func(x partsRow) string { return fmt.Sprint(len(x.Samples)) }},
	)
}

func (m *costs) leastTable(plan costPlan) Table {
	plain := func(name string, of func(cost.Times) float64) column[partsRow] {
		return column[partsRow]{name, func(x partsRow) string { return short(of(x.Times)) }}
	}
	return tabulate("how near the loop is to the least work",
		"a greedy repair as defined compares k(k+1)/2 times a piece, in four rotations, with a cell, and a rejected iteration lays or lifts 4k pieces; least is the time of these at the least price measured of a bare loop and of a move, with the choice. The repair may stop at a piece that matches everything and looks at fewer pieces on the rim, so it can come below; what it does besides is to find the most constrained cell and to keep what each cell asks for",
		m.partsRows(plan),
		column[partsRow]{"k", func(x partsRow) string { return fmt.Sprint(x.K) }},
		plain("cells", func(t cost.Times) float64 { return t.Cells }),
		plain("comparisons", func(t cost.Times) float64 { return t.Comparisons }),
		plain("ns a comparison", func(t cost.Times) float64 { return t.Compare }),
		column[partsRow]{"moves", func(x partsRow) string { return short(4 * x.Times.Cells) }},
		plain("ns a move", func(t cost.Times) float64 { return t.Move }),
		plain("least ns", cost.Times.Least),
		plain("taken ns", func(t cost.Times) float64 { return t.Unwatched }),
		column[partsRow]{"least of taken", func(x partsRow) string { return percent(x.Times.Least() / x.Times.Unwatched) }},
	)
}
