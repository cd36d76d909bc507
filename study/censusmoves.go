package study

import (
	"context"
	"fmt"
	"slices"

	"lastmile/alns"
	"lastmile/census"
	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/solve"
	"lastmile/study/chart"
)

var censusMoves = Study{
	Name:    "census-moves",
	Claim:   "no turn of a piece, swap of two or 3-cycle improves a top board, and each top board has such moves that keep its score",
	Seeds:   movesSeeds,
	Measure: measureMoves,
}

var movesSeeds = fromTo(1, 5)

// movesKinds are the rows of a board: the kinds of move, by the cells that they
// are taken of. Each set of 3-cycles holds those before it.
var movesKinds = []string{anyTurn, anySwap, cycleAtBreaks, cycleBeside, anyCycle}

const (
	anyTurn       = "turn"
	anySwap       = "swap"
	cycleAtBreaks = "3-cycle at breaks"
	cycleBeside   = "3-cycle within a step of breaks"
	anyCycle      = "3-cycle"
)

// movesRow is the census of one kind on one board.
type movesRow struct {
	Board string `json:"board"`
	Seed  uint64 `json:"seed,omitempty"`
	Score int    `json:"score"`
	Held  int    `json:"held"` // cells that did not move
	What  string `json:"what"`
	census.Moves
}

// movesFamily is boards of one kind that are made here.
type movesFamily struct {
	family
	Top bool // that the claims about boards of this project speak of
}

// movesPlan is what is measured.
type movesPlan struct {
	records  []puzzle.Record
	families []movesFamily
	kinds    []string
	seeds    []uint64
	whole    bool // as the claims about boards that are made have it
}

func planMoves(o Options) movesPlan {
	p := movesPlan{records: puzzle.Records(), kinds: movesKinds, seeds: o.Seeds, whole: true}
	width, iterations := 512, int64(2_000_000)
	if o.Quick {
		p.kinds, p.whole = movesKinds[:3], false
		width, iterations = 16, 2_000
	}
	p.families = []movesFamily{
		{greedyStarts(), false},
		{beamStarts(width), false},
		{polishedStarts(beamStarts(width), iterations, o.Watch), true},
		{solveStarts(8*width, iterations, o), true},
	}
	return p
}

// polishedStarts are boards after a walk of polishing.
func polishedStarts(of family, iterations int64, watch search.Observer) family {
	name := fmt.Sprintf("%s, polished for %s iterations", of.Name, grouped(iterations))
	return family{name, func(ctx context.Context, seed uint64) (start, error) {
		s, err := of.Of(ctx, seed)
		if err != nil || ctx.Err() != nil {
			return s, err
		}
		r, err := alns.Polish(ctx, s.Puzzle, s.Board, alns.Options{Seed: seed}, alns.Plan{Streams: 1, Watch: watch, Budget: search.Budget{Iterations: iterations}})
		return startOf(s.Puzzle, r.Placements), err
	}}
}

// solveStarts are boards of the main job, one attempt each.
func solveStarts(width int, iterations int64, o Options) family {
	name := fmt.Sprintf("solve, width %s, %s iterations", grouped(int64(width)), grouped(iterations))
	return family{name, func(ctx context.Context, seed uint64) (start, error) {
		p := puzzle.Official()
		r, err := solve.Run(ctx, p, solve.Options{Seed: seed, Attempts: 1, Width: width}, solve.Plan{
			Threads: o.Threads, Watch: o.Watch, Budget: search.Budget{Iterations: iterations},
		})
		return startOf(p, r.Placements), err
	}}
}

func measureMoves(ctx context.Context, o Options, r *Report) error {
	plan := planMoves(o)
	r.note("A turn is of one piece in its cell, a swap exchanges the pieces of any two cells, a 3-cycle passes those of three on in either direction; each piece is tried in every rotation that the frame rule allows. A move changes the look of all of its cells, and ways to the same look are one move. Every move is counted; none is sampled. The change of a move of cells apart is the sum of what each cell gains, so that such moves are counted by their sums; moves of neighbours are scored one by one.")
	r.note("Of the bundled boards no cell is held: pieces on clues move too, which can only add moves. Boards that are made here keep their five clues, as the search that made them had to.")
	r.note("Boards that are made are bounded by counts, so that a seed gives the same boards everywhere.")
	var bundled, made []movesRow
	for _, record := range plan.records {
		if ctx.Err() != nil {
			break
		}
		o.Say("moves of " + record.Name)
		rows, err := plan.survey(ctx, startOf(puzzle.Official(), record.Board), nil)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i].Board = record.Name
		}
		if len(rows) > 0 {
			bundled = append(bundled, rows...)
			r.link(record.Name, puzzle.Official(), record.Board)
		}
	}
	for _, f := range plan.families {
		for _, seed := range plan.seeds {
			if ctx.Err() != nil {
				break
			}
			o.Say(fmt.Sprintf("%s, seed %d", f.Name, seed))
			s, err := f.Of(ctx, seed)
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				break // a board that was cut short is another board
			}
			var held []int
			for _, q := range s.Puzzle.Clues {
				held = append(held, q.Cell)
			}
			rows, err := plan.survey(ctx, s, held)
			if err != nil {
				return err
			}
			for i := range rows {
				rows[i].Board, rows[i].Seed = f.Name, seed
			}
			made = append(made, rows...)
		}
	}
	plan.report(r, bundled, made)
	return nil
}

// survey counts the moves of a board, or nothing when the context ends.
func (p *movesPlan) survey(ctx context.Context, s start, held []int) (rows []movesRow, err error) {
	b := puzzle.NewBoard(s.Puzzle)
	b.Load(s.Board)
	broken := b.BrokenCells()
	for _, kind := range p.kinds {
		var near []int
		switch kind {
		case cycleAtBreaks:
			near = broken
		case cycleBeside:
			near = s.Puzzle.Halo(broken, 1, puzzle.Chebyshev)
		case anyCycle:
			near = s.Puzzle.Halo(broken, s.Puzzle.Cells(), puzzle.Chebyshev)
		}
		found, err := census.MovesOf(ctx, b, held, near)
		switch {
		case ctx.Err() != nil:
			return nil, nil
		case err != nil:
			return nil, err
		}
		m := found[min(len(rows), len(found)-1)] // turns, swaps, then 3-cycles of ever more cells
		rows = append(rows, movesRow{Score: s.Score, Held: len(held), What: kind, Moves: m})
	}
	return rows, nil
}

func (p *movesPlan) report(r *Report, bundled, made []movesRow) {
	boards := len(puzzle.Records())
	judgeImproving(r, Finding{
		Claim:     "on every bundled record board no turn, no swap of any two pieces and no 3-cycle of the cells at breaks improves the score, in any rotations",
		Published: "on every top board the remaining breaks are locked: a generous neighbourhood of them, freed and searched exhaustively, holds nothing better; on any solid board moves piece by piece stop paying almost at once",
	}, chosen(bundled, anyTurn, anySwap, cycleAtBreaks), 3*boards)
	judgeImproving(r, Finding{
		Claim:     "nor does any 3-cycle of other cells of these boards, however far from the breaks",
		Published: "nothing: the claim reaches farther than the neighbourhoods that were searched",
	}, chosen(bundled, anyCycle), boards)
	judgeNeutral(r, chosen(bundled, anyTurn, anySwap, anyCycle), 3*boards)
	p.judgeMade(r, chosen(made, anyTurn, anySwap, anyCycle))
	r.draw(movesChart(bundled, made))
	r.show(movesTable("bundled record boards", "no cell held; best is the largest change of the score", bundled, true))
	r.show(familyTable(p.families, p.kinds, made))
	r.show(movesTable("boards that were made, one by one", "with five clues held", chosen(made, anyTurn, anySwap, anyCycle), false))
}

func picked(rows []movesRow, by func(movesRow) bool) (some []movesRow) {
	for _, m := range rows {
		if by(m) {
			some = append(some, m)
		}
	}
	return some
}

// chosen are the rows of some kinds.
func chosen(rows []movesRow, kinds ...string) []movesRow {
	return picked(rows, func(m movesRow) bool { return slices.Contains(kinds, m.What) })
}

// movesSum is the sum of rows.
func movesSum(rows []movesRow) (sum census.Moves) {
	for i, m := range rows {
		sum.Tested += m.Tested
		sum.Improving += m.Improving
		sum.Neutral += m.Neutral
		sum.Worsening += m.Worsening
		if i == 0 || m.Best > sum.Best {
			sum.Best = m.Best
		}
	}
	return sum
}

// withMoves counts the boards of which a row has some.
func withMoves(rows []movesRow, of func(movesRow) int64) int {
	type board struct {
		name string
		seed uint64
	}
	seen := map[board]bool{}
	for _, m := range rows {
		if of(m) > 0 {
			seen[board{m.Board, m.Seed}] = true
		}
	}
	return len(seen)
}

func tested(m movesRow) int64    { return m.Tested }
func improving(m movesRow) int64 { return m.Improving }
func neutral(m movesRow) int64   { return m.Neutral }

// judgeImproving enters the finding that no move of the rows improves, of which
// there must be so many.
func judgeImproving(r *Report, f Finding, rows []movesRow, want int) {
	sum := movesSum(rows)
	if len(rows) > 0 {
		f.Measured = fmt.Sprintf("%s improving moves of %s tested on %s; the best change is %s",
			grouped(sum.Improving), grouped(sum.Tested), counted(withMoves(rows, tested), "board"), change(sum))
	}
	f.Verdict = judge(sum.Improving == 0, len(rows) == want)
	r.find(f)
}

// judgeNeutral judges that each bundled board has a move that keeps its score.
// A board without one refutes it only when all of its moves were counted.
func judgeNeutral(r *Report, rows []movesRow, want int) {
	f := Finding{
		Claim:     "every bundled record board has a neighbour of the same score: a turn, a swap or a 3-cycle that neither gains nor loses",
		Published: "near the top the landscape is dominated by plateaus of equal score, where practically every move is accepted at any temperature",
	}
	all, with, sum := withMoves(rows, tested), withMoves(rows, neutral), movesSum(rows)
	complete := len(rows) == want
	if all > 0 {
		f.Measured = fmt.Sprintf("%d of %s have one; %s neutral of %s tested moves", with, counted(all, "board"), grouped(sum.Neutral), grouped(sum.Tested))
		f.Note = "what was published speaks of a loop that takes out whole regions and fills them anew; this is about single turns, swaps and 3-cycles"
	}
	f.Verdict = judge(with == all || !complete, complete)
	r.find(f)
}

// judgeMade judges that polished boards of this project have no improving move.
func (p *movesPlan) judgeMade(r *Report, made []movesRow) {
	f := Finding{
		Claim:     fmt.Sprintf("nor does any turn, swap or 3-cycle improve a board that this project has polished, for seeds %s", FormatSeeds(movesSeeds)),
		Published: "once a board is solid, moves piece by piece stop paying almost at once",
	}
	var rows []movesRow
	families := 0
	for _, g := range p.families {
		if g.Top {
			families++
			rows = append(rows, picked(made, func(m movesRow) bool { return m.Board == g.Name })...)
		}
	}
	claimed := 0 // rows of the seeds that the claim speaks of
	for _, m := range rows {
		if !slices.Contains(f.Seeds, m.Seed) {
			f.Seeds = append(f.Seeds, m.Seed)
		}
		if slices.Contains(movesSeeds, m.Seed) {
			claimed++
		}
	}
	sum := movesSum(rows)
	if len(rows) > 0 {
		f.Measured = fmt.Sprintf("%s improving moves of %s tested on %s; the best change is %s; neutral moves on %d of them",
			grouped(sum.Improving), grouped(sum.Tested), counted(withMoves(rows, tested), "board"), change(sum), withMoves(rows, neutral))
	}
	complete := p.whole && claimed == 3*families*len(movesSeeds)
	f.Verdict = judge(sum.Improving == 0 || !p.whole, complete)
	r.find(f)
}

// change writes the best change of the score.
func change(m census.Moves) string { return signed(float64(m.Best)) }

func movesTable(title, note string, rows []movesRow, linked bool) Table {
	of := func(name string, text func(movesRow) string) column[movesRow] { return column[movesRow]{name, text} }
	columns := []column[movesRow]{of("board", func(m movesRow) string {
		if linked {
			return reference(m.Board, m.Board)
		}
		return m.Board
	})}
	if !linked {
		columns = append(columns, of("seed", func(m movesRow) string { return fmt.Sprint(m.Seed) }))
	}
	return tabulate(title, note, rows, append(columns,
		of("score", func(m movesRow) string { return fmt.Sprint(m.Score) }),
		of("moves", func(m movesRow) string { return m.What }),
		of("cells", func(m movesRow) string { return fmt.Sprint(m.Cells) }),
		of("tested", func(m movesRow) string { return grouped(m.Tested) }),
		of("improving", func(m movesRow) string { return grouped(m.Improving) }),
		of("neutral", func(m movesRow) string { return grouped(m.Neutral) }),
		of("best", func(m movesRow) string { return change(m.Moves) }),
	)...)
}

// familyRow is the census of one kind over the boards of a family.
type familyRow struct {
	Boards    string  `json:"boards"`
	What      string  `json:"what"`
	Score     Summary `json:"score"`
	Tested    int64   `json:"tested"`
	Improving Summary `json:"improving"` // a board
	Neutral   Summary `json:"neutral"`
	Best      int     `json:"best"`
	Without   int     `json:"without"` // boards without an improving move
}

func familyTable(families []movesFamily, kinds []string, made []movesRow) Table {
	var all []familyRow
	for _, f := range families {
		for _, k := range kinds {
			rows := picked(made, func(m movesRow) bool { return m.Board == f.Name && m.What == k })
			if len(rows) == 0 {
				continue
			}
			summary := func(of func(movesRow) int64) Summary {
				var values []float64
				for _, m := range rows {
					values = append(values, float64(of(m)))
				}
				return Summarise(values)
			}
			sum := movesSum(rows)
			all = append(all, familyRow{
				Boards: f.Name, What: k, Score: summary(func(m movesRow) int64 { return int64(m.Score) }),
				Tested: sum.Tested, Improving: summary(improving), Neutral: summary(neutral), Best: sum.Best,
				Without: len(rows) - withMoves(rows, improving),
			})
		}
	}
	of := func(name string, text func(familyRow) string) column[familyRow] { return column[familyRow]{name, text} }
	spread := func(s Summary) string { return fmt.Sprintf("%s (%s to %s)", short(s.Mean), short(s.Min), short(s.Max)) }
	return tabulate("boards that were made", "means a board over the seeds, with the least and the most; locked boards have no improving move of the kind", all,
		of("boards", func(f familyRow) string { return f.Boards }),
		of("n", func(f familyRow) string { return fmt.Sprint(f.Score.N) }),
		of("score", func(f familyRow) string { return spread(f.Score) }),
		of("moves", func(f familyRow) string { return f.What }),
		of("tested", func(f familyRow) string { return grouped(f.Tested) }),
		of("improving", func(f familyRow) string { return spread(f.Improving) }),
		of("neutral", func(f familyRow) string { return spread(f.Neutral) }),
		of("best", func(f familyRow) string { return signed(float64(f.Best)) }),
		of("locked", func(f familyRow) string { return fmt.Sprint(f.Without) }),
	)
}

// movesChart shows how small moves die out as boards get better.
func movesChart(bundled, made []movesRow) chart.Chart {
	c := chart.Chart{Title: "Turns and swaps that improve or keep the score, a board", XLabel: "score of the board", YLabel: "moves + 1", LogY: true}
	for _, s := range []struct {
		name string
		of   func(movesRow) int64
	}{{"improving", improving}, {"neutral", neutral}} {
		series := chart.Series{Name: s.name, Kind: chart.Points}
		for _, m := range append(slices.Clone(bundled), made...) {
			switch m.What {
			case anyTurn:
				series.X, series.Y = append(series.X, float64(m.Score)), append(series.Y, 1+float64(s.of(m)))
			case anySwap:
				series.Y[len(series.Y)-1] += float64(s.of(m)) // those of its turns
			}
		}
		c.Series = append(c.Series, series)
	}
	return c
}
