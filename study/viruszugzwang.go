package study

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"lastmile/game/virus"
	"lastmile/random"
	"lastmile/study/chart"
)

var virusEndgames = Study{
	Name:    "virus-endgames",
	Claim:   "on 4 by 4 squares virus has 125,061 positions in which both sides can move, and 4,585 zugzwangs; how frequent they are on larger boards",
	Seeds:   endgameSeeds,
	Measure: measureVirusEndgames,
}

var endgameSeeds = fromTo(1, 1)

// What is published of the small board.
const (
	smallSize      = 4
	smallBoth      = 125_061
	smallZugzwangs = 4_585
	smallStart     = -8
	smallPass      = 8
	endgameGames   = 3000 // of each size
)

// endgameRow counts zugzwangs where so many squares can still be filled.
type endgameRow struct {
	Size      int     `json:"size"`
	From      string  `json:"from"`
	Empties   int     `json:"empties"`
	N         int     `json:"n"` // positions in which both sides can move
	Zugzwangs int     `json:"zugzwangs"`
	Better    int     `json:"better"` // positions in which a pass ends with more stones than any move
	Rate      float64 `json:"rate"`   // of the zugzwangs
	Low       float64 `json:"confidence_low"`
	High      float64 `json:"confidence_high"`
}

// count enters a position.
func (x *endgameRow) count(move, pass int) {
	x.N++
	x.Zugzwangs += one(cmp.Compare(pass, 0) > cmp.Compare(move, 0))
	x.Better += one(pass > move)
}

// close works out the rates.
func (x *endgameRow) close() {
	x.Rate = float64(x.Zugzwangs) / float64(x.N)
	x.Low, x.High = wilson(x.Zugzwangs, x.N)
}

// wilson is the 95 % interval of a rate, by Wilson's score.
func wilson(k, n int) (low, high float64) {
	const z = 1.959964
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return min(max(0, mid-half), p), max(min(1, mid+half), p) // which rounding may miss
}

// small is the board that is looked at as a whole.
type small struct {
	start, pass int // margins of the start, to move and with a pass
	rows        []endgameRow
	whole       bool
}

func measureVirusEndgames(ctx context.Context, o Options, r *Report) error {
	games := endgameGames
	if o.Quick {
		games = 4
	}
	r.note(fmt.Sprintf("The board of %d by %d is looked at whole: all positions that can be reached, told apart by their stones and the side to move, and solved exactly. A zugzwang is a position in which both sides can move and a pass, if it were allowed, would win instead of draw or lose, or draw instead of lose.", smallSize, smallSize))
	r.note(fmt.Sprintf("%s Of larger boards there are %d games each, and of each game %d continuations by lot from where %d squares can still be filled: a search meets such positions too. Every position in which both sides can move is solved exactly, to move and with a pass. Squares are empty ones that can still be filled. Intervals are Wilson's; they take positions as independent, which those of one game are not quite.",
		sampleNote(), games, suiteContinued, suiteStart))
	var board small
	var rows []endgameRow
	var err error
	if ctx.Err() == nil {
		o.Say(fmt.Sprintf("all positions of %d by %d", smallSize, smallSize))
		if board, err = wholeSmall(ctx); err != nil {
			return err
		}
	}
	for _, size := range []int{5, 6, virusSize} {
		if ctx.Err() != nil {
			break
		}
		o.Say(fmt.Sprintf("%d games on %d by %d", games, size, size))
		more, err := sampleEndgames(ctx, size, o.Seeds[0], games, o.Threads)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	reportEndgames(r, &board, rows, o)
	return nil
}

// wholeSmall solves all positions of the small board.
func wholeSmall(ctx context.Context) (small, error) {
	var b small
	solver := virus.NewSolver(18)
	margins := func(p virus.Position) (move, pass int, err error) {
		if move, err = exactMargin(ctx, solver, p); err == nil {
			pass, err = exactMargin(ctx, solver, p.Swapped())
		}
		return move, -pass, err
	}
	start := virus.Start(virus.Virus, smallSize, smallSize)
	var err error
	if b.start, b.pass, err = margins(start); err != nil {
		return b, err
	}
	count := newEndgameRows(smallSize, "all positions")
	seen := map[[2]virus.Squares]bool{} // stones of the side to move, and of the other
	var moves [64]virus.Move
	waiting := []virus.Position{start}
	for len(waiting) > 0 && ctx.Err() == nil {
		p := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		x, o := p.Stones()
		if !p.XToMove() {
			x, o = o, x
		}
		if k := [2]virus.Squares{x, o}; seen[k] {
			continue
		} else {
			seen[k] = true
		}
		for _, m := range p.Moves(moves[:0]) {
			waiting = append(waiting, p.Play(m))
		}
		if !bothMove(&p) {
			continue
		}
		move, pass, err := margins(p)
		if err != nil {
			return b, err
		}
		count[p.Fillable()].count(move, pass)
	}
	b.rows, b.whole = closeRows(count), ctx.Err() == nil
	return b, nil
}

func newEndgameRows(size int, from string) []endgameRow {
	rows := make([]endgameRow, virusSize*virusSize)
	for i := range rows {
		rows[i].Size, rows[i].From, rows[i].Empties = size, from, i
	}
	return rows
}

// closeRows is the rows that count anything.
func closeRows(rows []endgameRow) (some []endgameRow) {
	for _, x := range rows {
		if x.N > 0 {
			x.close()
			some = append(some, x)
		}
	}
	return some
}

// endgameSeen is a solved position.
type endgameSeen struct {
	shape      virus.Shape
	continued  bool
	empties    int
	move, pass int
}

// sampleEndgames plays games on a board, and counts.
func sampleEndgames(ctx context.Context, size int, seed uint64, games, threads int) ([]endgameRow, error) {
	const batch = 25
	all := make([][]endgameSeen, games)
	err := inParallel(ctx, (games+batch-1)/batch, threads, func(job int) error {
		s, err := newSelfPlay(nil, suiteLeast, suiteMost)
		if err != nil {
			return err
		}
		s.size = size
		solver := virus.NewSolver(16)
		for i := job * batch; i < min(games, (job+1)*batch); i++ {
			lots := random.New(seed, fmt.Sprintf("endings of %d by %d", size, size), i)
			if all[i], err = endingsOf(ctx, s, solver, lots); err != nil || ctx.Err() != nil {
				return ignoreEnd(ctx, err)
			}
		}
		return nil
	})
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	var rows []endgameRow
	for _, continued := range []bool{false, true} {
		from := "games"
		if continued {
			from = "continuations by lot"
		}
		count := newEndgameRows(size, from)
		seen := map[virus.Shape]bool{}
		for _, g := range all {
			for _, x := range g {
				if x.continued == continued && !seen[x.shape] {
					seen[x.shape] = true
					count[x.empties].count(x.move, x.pass)
				}
			}
		}
		rows = append(rows, closeRows(count)...)
	}
	return rows, nil
}

// endingsOf plays a game and solves its endings, and those of its continuations.
func endingsOf(ctx context.Context, s *selfPlay, solver *virus.Solver, lots *random.Stream) (list []endgameSeen, err error) {
	line, err := suiteGame(ctx, s, lots)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	seen := map[virus.Shape]bool{}
	continued := false
	look := func(p virus.Position) error {
		n := p.Fillable()
		if n > suiteMany || !bothMove(&p) {
			return ctx.Err()
		}
		x := endgameSeen{shape: p.Shape(), continued: continued, empties: n}
		if seen[x.shape] {
			return nil
		}
		seen[x.shape] = true
		var err error
		if x.move, err = exactMargin(ctx, solver, p); err == nil {
			x.pass, err = exactMargin(ctx, solver, p.Swapped())
		}
		x.pass = -x.pass
		list = append(list, x)
		return err
	}
	for _, p := range line {
		if err := look(p); err != nil {
			return list, err
		}
	}
	continued = true
	clear(seen)
	for _, p := range line {
		if p.Fillable() == suiteStart {
			if err := continuations(p, suiteContinued, lots, look); err != nil {
				return list, err
			}
		}
	}
	return list, nil
}

// reportEndgames judges what was counted.
func reportEndgames(r *Report, b *small, rows []endgameRow, o Options) {
	var all endgameRow
	for _, x := range b.rows {
		all.N, all.Zugzwangs = all.N+x.N, all.Zugzwangs+x.Zugzwangs
	}
	counts := Finding{Claim: "4 by 4: positions in which both sides can move, and zugzwangs among them", Published: fmt.Sprintf("%s and %s", grouped(smallBoth), grouped(smallZugzwangs))}
	start := Finding{Claim: "4 by 4: the start is a zugzwang", Published: fmt.Sprintf("%+d stones to move, %+d if one could pass", smallStart, smallPass)}
	if b.whole {
		counts.Measured = fmt.Sprintf("%s and %s", grouped(int64(all.N)), grouped(int64(all.Zugzwangs)))
		start.Measured = fmt.Sprintf("%+d and %+d", b.start, b.pass)
	}
	same := all.N == smallBoth && all.Zugzwangs == smallZugzwangs
	settle(r, counts, same, !same, b.whole, "")
	same = b.start == smallStart && b.pass == smallPass
	settle(r, start, same, !same, b.whole, "")
	judgeEven(r, b, rows, o)
	if b.whole {
		r.show(endgameTable("all positions of 4 by 4", b.rows))
	}
	if len(rows) > 0 {
		r.draw(endgameChart(append(b.rows[:len(b.rows):len(b.rows)], rows...)))
		r.show(endgameTable("samples of larger boards", rows))
	}
}

// judgeEven judges that zugzwangs are a matter of parity.
func judgeEven(r *Report, b *small, rows []endgameRow, o Options) {
	f := Finding{
		Claim:     fmt.Sprintf("zugzwangs need an even number of squares that can still be filled, at most %d", suiteMany),
		Published: "of every board, at least 99 % of the zugzwangs",
	}
	holds := true
	for _, size := range []int{smallSize, 5, 6, virusSize} {
		even, odd := 0, 0
		for _, list := range [][]endgameRow{b.rows, rows} {
			for _, x := range list {
				switch {
				case x.Size != size || x.Empties > suiteMany:
				case x.Empties%2 == 0:
					even += x.Zugzwangs
				default:
					odd += x.Zugzwangs
				}
			}
		}
		if even+odd == 0 {
			continue
		}
		holds = holds && float64(odd) <= 0.01*float64(even+odd)
		if f.Measured != "" {
			f.Measured += "; "
		}
		f.Measured += fmt.Sprintf("%d by %d: %s even, %s odd", size, size, grouped(int64(even)), grouped(int64(odd)))
	}
	if f.Measured != "" {
		f.Seeds = o.Seeds
	}
	settle(r, f, holds, !holds, f.Measured != "" && len(rows) > 0 && !o.Quick, "")
}

func endgameChart(rows []endgameRow) chart.Chart {
	c := chart.Chart{Title: "Zugzwangs by the squares that can still be filled, with 95 % intervals", XLabel: "squares", YLabel: "share of the positions in which both can move"}
	for _, x := range rows {
		if x.Empties%2 != 0 || x.Empties > suiteMany || x.From == "games" {
			continue
		}
		name := fmt.Sprintf("%d by %d", x.Size, x.Size)
		if n := len(c.Series); n == 0 || c.Series[n-1].Name != name {
			c.Series = append(c.Series, chart.Series{Name: name, Kind: chart.Line})
		}
		s := &c.Series[len(c.Series)-1]
		s.X, s.Y = append(s.X, float64(x.Empties)), append(s.Y, x.Rate)
		s.Low, s.High = append(s.Low, x.Low), append(s.High, x.High)
	}
	return c
}

func endgameTable(title string, rows []endgameRow) Table {
	of := func(name string, text func(endgameRow) string) column[endgameRow] {
		return column[endgameRow]{name, text}
	}
	share := func(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) }
	return tabulate(title, "squares: that can still be filled; better: a pass ends with more stones than any move", rows,
		of("side", func(x endgameRow) string { return fmt.Sprint(x.Size) }),
		of("positions of", func(x endgameRow) string { return x.From }),
		of("squares", func(x endgameRow) string { return fmt.Sprint(x.Empties) }),
		of("n", func(x endgameRow) string { return grouped(int64(x.N)) }),
		of("zugzwangs", func(x endgameRow) string { return grouped(int64(x.Zugzwangs)) }),
		of("rate", func(x endgameRow) string { return share(x.Rate) }),
		of("low", func(x endgameRow) string { return share(x.Low) }),
		of("high", func(x endgameRow) string { return share(x.High) }),
		of("better", func(x endgameRow) string { return grouped(int64(x.Better)) }),
	)
}
