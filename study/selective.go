package study

import (
	"context"
	"fmt"
	"math"

	"lastmile/game"
	"lastmile/game/virus"
	"lastmile/random"
	"lastmile/study/chart"
)

var selective = Study{
	Name:    "selective",
	Claim:   "selective deepening solves more problems of virus than full width does with the same nodes, and plays better",
	Seeds:   selectiveSeeds,
	Measure: measureSelective,
}

var selectiveSeeds = fromTo(1, 1)

const (
	lateSquares = 13 // that can still be filled, in late positions
	lateSuite   = 300
	lateTruth   = 12 // depth of the search that judges the middle game
)

// selectiveArm is a way to invest.
type selectiveArm struct {
	name     string
	settings game.Settings
}

// selectiveArms are those that are compared with the first.
var selectiveArms = []selectiveArm{
	{"full width", game.Settings{Table: nullTable}},
	{"late-move reduction", game.Settings{Table: nullTable, Late: true}},
	{"Chinook, bad 300", game.Settings{Table: nullTable, Bad: 300}},
	{"Chinook, good 300", game.Settings{Table: nullTable, Good: 300}},
	{"Chinook, both", game.Settings{Table: nullTable, Bad: 300, Good: 300}},
	{"singular 150", game.Settings{Table: nullTable, Singular: 150}},
	{"singular 500", game.Settings{Table: nullTable, Singular: 500}},
	{"quiescence 3", game.Settings{Table: nullTable, Quiet: 3}},
	{"quiescence 2", game.Settings{Table: nullTable, Quiet: 2}},
	{"late, quiescence 2", game.Settings{Table: nullTable, Late: true, Quiet: 2}},
	{"plain null move, R = 2", game.Settings{Table: nullTable, Null: game.PlainNull, R: 2}},
	{"verified null move, R = 3", game.Settings{Table: nullTable, Null: game.VerifiedNull, R: 3}},
	{"all", game.Settings{Table: nullTable, Late: true, Bad: 300, Good: 300, Singular: 150, Quiet: 3, Null: game.VerifiedNull, R: 3}},
}

// late is a position that is searched, with its exact margin.
type late struct {
	position virus.Position
	margin   int
}

// selectiveRow is an arm with one budget of nodes.
type selectiveRow struct {
	Arm       string  `json:"arm"`
	Nodes     int64   `json:"nodes"`     // a position, at most
	Zugzwangs int     `json:"zugzwangs"` // solved
	Middle    int     `json:"middle"`    // whose winner is named as by the deep search
	Late      int     `json:"late"`      // best moves
	Loss      float64 `json:"loss"`      // stones that a move in a late position gives away, mean
	Depth     float64 `json:"depth"`     // reached in the middle game, mean
	Gained    int     `json:"gained"`    // problems solved that full width does not solve
	Lost      int     `json:"lost"`      // and the reverse

	solved []bool
}

// sum of the problems that are solved.
func (x *selectiveRow) sum() int { return x.Zugzwangs + x.Middle + x.Late }

func measureSelective(ctx context.Context, o Options, r *Report) error {
	zugzwangs, middle, many, truth := nullSuite, nullSuite, lateSuite, lateTruth
	budgets := []int64{2_000, 20_000}
	switch {
	case o.Quick:
		zugzwangs, middle, many, truth, budgets = 3, 5, 3, 4, []int64{500}
	case o.Long:
		budgets = append(budgets, 100_000)
	}
	r.note(fmt.Sprintf("%s The %d zugzwangs and the %d positions of the middle game are those of study null-move; a zugzwang is solved when the value that the search ends with is not a win, and a position of the middle game when it is a win or not as a full-width search of depth %d has it. %d late positions, one of a game, have %d squares that can still be filled; one is solved when the move that is chosen gives away nothing, by the exact solver. A search deepens step by step until its nodes are spent, and those of quiescence and of looks ahead count. Matches are %d games of each rule against full width with %s nodes a move, from openings of %d plies by lot, each played twice. Nothing depends on time or threads.",
		sampleNote(), zugzwangs, middle, truth, many, lateSquares, 2*strengthPairs, grouped(strengthNodes), strengthPlies))
	var rows []selectiveRow
	var suite *gameSuite
	var lates []late
	var deep []bool
	var err error
	if ctx.Err() == nil {
		if suite, err = sampleSuite(ctx, o.Seeds[0], zugzwangs, middle, o.Threads, o.Say); err != nil {
			return err
		}
	}
	if ctx.Err() == nil {
		o.Say("late positions, and what is to be found")
		if lates, err = sampleLate(ctx, o.Seeds[0], many); err != nil {
			return err
		}
	}
	if ctx.Err() == nil {
		if deep, err = deepAnswers(ctx, suite.middle, truth, o.Threads); err != nil {
			return err
		}
	}
	for _, nodes := range budgets {
		for _, arm := range selectiveArms {
			if ctx.Err() != nil {
				break
			}
			o.Say(fmt.Sprintf("%s, %s nodes", arm.name, grouped(nodes)))
			row, err := runSelective(ctx, arm, nodes, suite, lates, deep, o.Threads)
			if err != nil {
				return err
			}
			if ctx.Err() == nil {
				rows = append(rows, row)
			}
		}
	}
	matches, err := playSelective(ctx, o)
	if err != nil {
		return err
	}
	compareSelective(rows)
	reportSelective(r, rows, o.Seeds, zugzwangs+middle+many, !o.Quick)
	reportStrength(r, matches, o.Seeds, !o.Quick)
	return nil
}

// sampleLate takes one late position of each game until there are so many.
func sampleLate(ctx context.Context, seed uint64, many int) (list []late, err error) {
	s, err := newSelfPlay(nil, suiteLeast, suiteMost)
	if err != nil {
		return nil, err
	}
	solver := virus.NewSolver(18)
	seen := map[virus.Shape]bool{}
	for i := 0; len(list) < many && ctx.Err() == nil; i++ {
		line, err := suiteGame(ctx, s, random.New(seed, "late positions", i))
		if err != nil || ctx.Err() != nil {
			return list, err
		}
		for _, p := range line {
			if k := p.Shape(); p.Fillable() == lateSquares && bothMove(&p) && !seen[k] {
				seen[k] = true
				margin, err := exactMargin(ctx, solver, p)
				if err != nil {
					return list, ignoreEnd(ctx, err)
				}
				list = append(list, late{p, margin})
				break
			}
		}
	}
	return list, nil
}

// runSelective searches all problems.
func runSelective(ctx context.Context, arm selectiveArm, nodes int64, suite *gameSuite, lates []late, deep []bool, threads int) (selectiveRow, error) {
	row := selectiveRow{Arm: arm.name, Nodes: nodes}
	z, m := len(suite.zugzwangs), len(suite.middle)
	row.solved = make([]bool, z+m+len(lates))
	lost, depths := make([]int, len(row.solved)), make([]int, len(row.solved))
	err := inBatches(ctx, len(row.solved), threads, arm.settings, func(s *game.Search, i int) error {
		var p virus.Position
		switch {
		case i < z:
			p = suite.zugzwangs[i].position
		case i < z+m:
			p = suite.middle[i-z]
		default:
			p = lates[i-z-m].position
		}
		s.Forget()
		found, err := s.Run(ctx, virus.NewBoard(p, nil), game.Limit{Nodes: nodes}, nil)
		if err != nil || ctx.Err() != nil {
			return ignoreEnd(ctx, err)
		}
		depths[i] = found.Depth
		switch {
		case i < z:
			row.solved[i] = found.Value < nullBound
		case i < z+m:
			row.solved[i] = (found.Value >= nullBound) == deep[i-z]
		default:
			after, err := exactMargin(ctx, virus.NewSolver(16), p.Play(virus.Move(found.Move)))
			if err != nil {
				return ignoreEnd(ctx, err)
			}
			lost[i] = lates[i-z-m].margin + after
			row.solved[i] = lost[i] == 0
		}
		return nil
	})
	for i, solved := range row.solved {
		switch {
		case i < z:
			row.Zugzwangs += one(solved)
		case i < z+m:
			row.Middle += one(solved)
			row.Depth += float64(depths[i]) / float64(m)
		default:
			row.Late += one(solved)
			row.Loss += float64(lost[i]) / float64(len(lates))
		}
	}
	return row, err
}

// compareSelective counts what the rows solve that full width does not, and the
// reverse.
func compareSelective(rows []selectiveRow) {
	for i := range rows {
		x := &rows[i]
		plain := findSelective(rows, selectiveArms[0].name, x.Nodes)
		for j, solved := range x.solved {
			x.Gained += one(solved && !plain.solved[j])
			x.Lost += one(!solved && plain.solved[j])
		}
	}
}

func findSelective(rows []selectiveRow, arm string, nodes int64) *selectiveRow {
	for i := range rows {
		if rows[i].Arm == arm && rows[i].Nodes == nodes {
			return &rows[i]
		}
	}
	return nil
}

// reportSelective judges the rows by their greatest budget.
func reportSelective(r *Report, rows []selectiveRow, seeds []uint64, problems int, whole bool) {
	most := int64(0)
	for _, x := range rows {
		most = max(most, x.Nodes)
	}
	for _, arm := range selectiveArms[1:] {
		f := Finding{
			Claim:     arm.name + ": more problems solved than by full width with the same nodes",
			Published: "with the most nodes, and by more than chance (McNemar's test, 95 %)",
		}
		shown := false
		if x, plain := findSelective(rows, arm.name, most), findSelective(rows, selectiveArms[0].name, most); x != nil && plain != nil {
			f.Seeds = seeds
			apart := float64(x.Gained - x.Lost)
			shown = apart > 1.96*math.Sqrt(float64(x.Gained+x.Lost))
			f.Measured = fmt.Sprintf("%s and %s of %s with %s nodes; %d that full width does not solve, %d that it does alone",
				grouped(int64(x.sum())), grouped(int64(plain.sum())), grouped(int64(problems)), grouped(most), x.Gained, x.Lost)
		}
		settle(r, f, shown, !shown, whole && f.Measured != "", "")
	}
	if len(rows) == 0 {
		return
	}
	c := chart.Chart{Title: "Best moves in late positions by nodes", XLabel: "nodes a position", YLabel: "positions", LogX: true}
	for _, arm := range selectiveArms {
		s := chart.Series{Name: arm.name, Kind: chart.Line}
		for _, x := range rows {
			if x.Arm == arm.name {
				s.X, s.Y = append(s.X, float64(x.Nodes)), append(s.Y, float64(x.Late))
			}
		}
		c.Series = append(c.Series, s)
	}
	r.draw(c)
	of := func(name string, text func(selectiveRow) string) column[selectiveRow] {
		return column[selectiveRow]{name, text}
	}
	number := func(name string, value func(selectiveRow) int) column[selectiveRow] {
		return of(name, func(x selectiveRow) string { return grouped(int64(value(x))) })
	}
	r.show(tabulate("problems solved", "gained and lost: problems that this rule solves and full width does not with the same nodes, and the reverse; loss: stones that a move in a late position gives away, mean; depth: of the middle game, mean", rows,
		of("nodes", func(x selectiveRow) string { return grouped(x.Nodes) }),
		of("rule", func(x selectiveRow) string { return x.Arm }),
		number("zugzwangs", func(x selectiveRow) int { return x.Zugzwangs }),
		number("middle game", func(x selectiveRow) int { return x.Middle }),
		number("late positions", func(x selectiveRow) int { return x.Late }),
		of("loss", func(x selectiveRow) string { return short(x.Loss) }),
		of("depth", func(x selectiveRow) string { return short(x.Depth) }),
		number("gained", func(x selectiveRow) int { return x.Gained }),
		number("lost", func(x selectiveRow) int { return x.Lost }),
	))
}
