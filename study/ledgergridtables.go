package study

import (
	"fmt"

	"lastmile/study/chart"
)

// gridRatios are the ratios of one arm in one cell, over the boards where both
// it and off were decided.
type gridRatios struct {
	Arm     string  `json:"arm"`
	Nodes   Summary `json:"nodes"`   // off by arm
	Seconds Summary `json:"seconds"` // off by arm
}

// gridSummary is one cell of the grid over its boards.
type gridSummary struct {
	Suffix  int          `json:"suffix"`
	Budget  int          `json:"budget"`
	Boards  int          `json:"boards"`
	Decided []int        `json:"decided"` // boards, by arm with off the first
	Ratios  []gridRatios `json:"ratios"`  // by gridArms
}

func summariseCell(pairs []gridPair, cell gridCell) gridSummary {
	s := gridSummary{Suffix: cell.suffix, Budget: cell.budget, Decided: make([]int, 1+len(gridArms))}
	nodes, seconds := make([][]float64, len(gridArms)), make([][]float64, len(gridArms))
	for i := range pairs {
		x := &pairs[i]
		if x.cell() != cell {
			continue
		}
		s.Boards++
		for j, l := range append([]exhausted{x.Off}, x.Ledgers...) {
			if l.Decided {
				s.Decided[j]++
			}
		}
		for j, l := range x.Ledgers {
			if x.Off.Decided && l.Decided {
				nodes[j] = append(nodes[j], x.ratio(j, nodesOf))
				seconds[j] = append(seconds[j], x.ratio(j, timeNeeded))
			}
		}
	}
	for j, a := range gridArms {
		s.Ratios = append(s.Ratios, gridRatios{a.String(), Summarise(nodes[j]), Summarise(seconds[j])})
	}
	return s
}

// gridTable shows cells, the ratios as median and range.
func gridTable(title string, pairs []gridPair, cells []gridCell) Table {
	var rows []gridSummary
	for _, cell := range cells {
		if s := summariseCell(pairs, cell); s.Boards > 0 {
			rows = append(rows, s)
		}
	}
	of := func(name string, text func(gridSummary) string) column[gridSummary] {
		return column[gridSummary]{name, text}
	}
	columns := []column[gridSummary]{
		of("suffix", func(s gridSummary) string { return fmt.Sprint(s.Suffix) }),
		of("budget", func(s gridSummary) string { return fmt.Sprint(s.Budget) }),
		of("boards", func(s gridSummary) string { return fmt.Sprint(s.Boards) }),
		of("off decided", func(s gridSummary) string { return fmt.Sprint(s.Decided[0]) }),
		of("default decided", func(s gridSummary) string { return fmt.Sprint(s.Decided[len(s.Decided)-1]) }),
	}
	for j, a := range gridArms {
		columns = append(columns, of(a.String(), func(s gridSummary) string { return spread(s.Ratios[j].Nodes) }))
	}
	for j, a := range gridArms {
		columns = append(columns, of("time, "+a.String(), func(s gridSummary) string { return short(s.Ratios[j].Seconds.Median) }))
	}
	return tabulate(title, "nodes of off by nodes of each arm, the median over the boards with the smallest and the largest; and the median of the ratio of times", rows, columns...)
}

// spread is a median and a range.
func spread(s Summary) string {
	if s.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.Median, s.Min, s.Max)
}

// gridFires counts which condition refused, in one cell.
type gridFires struct {
	Suffix    int   `json:"suffix"`
	Budget    int   `json:"budget"`
	Judged    int64 `json:"judged"`
	Fires     int64 `json:"fires"`
	Shortages int64 `json:"fires_deficit"`
	Losses    int64 `json:"fires_parity"`
	Parity    int   `json:"parity_first"` // boards on which parity fired more often
	Boards    int   `json:"boards"`
}

func firesTable(pairs []gridPair, cells []gridCell) Table {
	var rows []gridFires
	for _, cell := range cells {
		f := gridFires{Suffix: cell.suffix, Budget: cell.budget}
		for i := range pairs {
			x := &pairs[i]
			if x.cell() != cell {
				continue
			}
			p := x.page()
			f.Boards++
			f.Judged, f.Fires = f.Judged+p.Judged, f.Fires+p.Fires
			f.Shortages, f.Losses = f.Shortages+p.Shortages, f.Losses+p.Losses
			if p.Losses > p.Shortages {
				f.Parity++
			}
		}
		if f.Boards > 0 {
			rows = append(rows, f)
		}
	}
	of := func(name string, value func(gridFires) int64) column[gridFires] {
		return column[gridFires]{name, func(f gridFires) string { return grouped(value(f)) }}
	}
	return tabulate("what fired, by "+armNode.String(), "sums over the boards; one fire may be both", rows,
		of("suffix", func(f gridFires) int64 { return int64(f.Suffix) }),
		of("budget", func(f gridFires) int64 { return int64(f.Budget) }),
		of("nodes judged", func(f gridFires) int64 { return f.Judged }),
		of("fires", func(f gridFires) int64 { return f.Fires }),
		of("shortage", func(f gridFires) int64 { return f.Shortages }),
		of("parity", func(f gridFires) int64 { return f.Losses }),
		column[gridFires]{"parity more often", func(f gridFires) string { return fmt.Sprintf("%d of %d boards", f.Parity, f.Boards) }},
	)
}

// everyPair lists what the other tables sum up.
func everyPair(pairs []gridPair) Table {
	of := func(name string, text func(gridPair) string) column[gridPair] { return column[gridPair]{name, text} }
	columns := []column[gridPair]{
		of("suffix", func(x gridPair) string { return fmt.Sprint(x.Suffix) }),
		of("budget", func(x gridPair) string { return fmt.Sprint(x.Budget) }),
		of("board", func(x gridPair) string { return x.Board }),
		of("completions", func(x gridPair) string { return bestCount(x) }),
		of("off", func(x gridPair) string { return nodesText(x.Off) }),
	}
	for j, a := range gridArms {
		columns = append(columns, of(a.String(), func(x gridPair) string { return nodesText(x.Ledgers[j]) }))
	}
	columns = append(columns, of("off, s", func(x gridPair) string { return short(x.Off.Seconds) }))
	for j, a := range gridArms {
		columns = append(columns, of(a.String()+", s", func(x gridPair) string { return short(x.Ledgers[j].Seconds) }))
	}
	return tabulate("every search", "nodes, with a + where the arm was cut short, and seconds; completions within the budget, as the first arm that was decided counts them", pairs, columns...)
}

func nodesText(x exhausted) string {
	if !x.Decided {
		return grouped(x.Nodes) + "+"
	}
	return grouped(x.Nodes)
}

func bestCount(x gridPair) string {
	for _, l := range append([]exhausted{x.Off}, x.Ledgers...) {
		if l.Decided {
			return grouped(l.Completions)
		}
	}
	return "–"
}

// gridChart shows the ratios of an arm by suffix, a series for each budget.
// Budgets stand a little beside each other, so that their whiskers show.
func gridChart(title string, pairs []gridPair, cells []gridCell, arm int) chart.Chart {
	const aside = 0.3
	c := chart.Chart{Title: title + ", with min and max", XLabel: "cells to fill", YLabel: "times fewer nodes", LogY: true}
	var budgets []int
	series := map[int]*chart.Series{}
	for _, cell := range cells {
		s := summariseCell(pairs, cell)
		if s.Ratios[arm].Nodes.N == 0 {
			continue
		}
		if series[cell.budget] == nil {
			series[cell.budget] = &chart.Series{Name: counted(cell.budget, "break"), Kind: chart.Line}
			budgets = append(budgets, cell.budget)
		}
		at, ratio := series[cell.budget], s.Ratios[arm].Nodes
		at.X, at.Y = append(at.X, float64(cell.suffix)+aside*float64(cell.budget-2)), append(at.Y, ratio.Median)
		at.Low, at.High = append(at.Low, ratio.Min), append(at.High, ratio.Max)
	}
	for _, budget := range budgets {
		c.Series = append(c.Series, *series[budget])
	}
	return c
}

// diagonalChart shows the nodes of every arm along the diagonal, where all
// boards were decided.
func diagonalChart(pairs []gridPair, cells []gridCell) chart.Chart {
	c := chart.Chart{Title: "Nodes along the diagonal, with min and max", XLabel: "cells to fill", YLabel: "nodes", LogY: true}
	for j := range 1 + len(gridArms) {
		s := chart.Series{Name: armOff.String(), Kind: chart.Line}
		if j > 0 {
			s.Name = gridArms[j-1].String()
		}
		for _, cell := range cells {
			var nodes []float64
			whole := true
			for _, x := range pairs {
				if x.cell() == cell {
					l := append([]exhausted{x.Off}, x.Ledgers...)[j]
					nodes, whole = append(nodes, nodesOf(&l)), whole && l.Decided
				}
			}
			if n := Summarise(nodes); whole && n.N > 0 {
				s.X, s.Y = append(s.X, float64(cell.suffix)), append(s.Y, n.Median)
				s.Low, s.High = append(s.Low, n.Min), append(s.High, n.Max)
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}
