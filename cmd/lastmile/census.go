package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"lastmile/census"
	"lastmile/notation"
	"lastmile/puzzle"
)

type censusCommand struct {
	Name  string `arg:"" default:"all" help:"What to count: all, pieces, half-edges, 1x2 or 2x2 of a piece set; or moves, the turns, swaps and 3-cycles of a board."`
	Board string `arg:"" optional:"" help:"With moves, the board: a file, - for standard input, a link or text, or a bundled name."`

	Puzzle        string `default:"official" placeholder:"PUZZLE" help:"Piece set: official, or a file, - or text in any dialect."`
	PuzzleDialect string `placeholder:"NAME" help:"With moves, read the piece set in this dialect instead of recognising it."`
	Dialect       string `placeholder:"NAME" help:"Read the piece set, or with moves the board, in this dialect instead of recognising it; lastmile convert --help lists them."`

	Clues  string `placeholder:"none|starter|five|all" help:"With moves, clues that stay. Default: those that the board holds."`
	Hold   string `placeholder:"LIST" help:"With moves, cells that stay, numbered row by row from 0, as in 3,17,40-47."`
	Radius *int   `placeholder:"R" help:"With moves, take 3-cycles of the cells within R steps of a cell with a broken seam. Default: 0, those cells alone."`
	Cells  string `placeholder:"LIST" help:"With moves, take 3-cycles of these cells instead."`
	Metric string `placeholder:"NAME" help:"What --radius calls a step: ${metrics}. Default: the first."`
	JSON   bool   `name:"json" help:"Print one JSON document."`
}

func (c *censusCommand) Run(t *terminal) error {
	if c.Name == "moves" {
		return c.moves(t)
	}
	for _, f := range []struct {
		flag  string
		given bool
	}{
		{"a board", c.Board != ""}, {"--puzzle-dialect", c.PuzzleDialect != ""}, {"--clues", c.Clues != ""},
		{"--hold", c.Hold != ""}, {"--radius", c.Radius != nil}, {"--cells", c.Cells != ""}, {"--metric", c.Metric != ""},
	} {
		if f.given {
			return badf("census %s: %s goes with moves, as in lastmile census moves BOARD", c.Name, f.flag)
		}
	}
	d, err := pieceSet(c.Puzzle, c.Dialect, "--dialect", t)
	if err != nil {
		return err
	}
	var counts []census.Count
	switch c.Name {
	case "all":
		counts = census.All(d.Puzzle)
	case "pieces":
		counts = census.Pieces(d.Puzzle)
	case "half-edges":
		counts = census.HalfEdges(d.Puzzle)
	case "1x2":
		counts = census.Dominoes(d.Puzzle)
	case "2x2":
		counts = census.TwoByTwo(d.Puzzle)
	default:
		return badf("census of %q, want all, pieces, half-edges, 1x2, 2x2 or moves", c.Name)
	}
	if c.JSON {
		return printJSON(t.out, counts)
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, n := range counts {
		fmt.Fprintf(w, "%s\t%s\t\n", n.Name, thousands(n.Count))
	}
	return w.Flush()
}

// movesCensus is the JSON of census moves.
type movesCensus struct {
	Name   string      `json:"name"`
	Score  int         `json:"score"`
	Max    int         `json:"max"`
	Breaks int         `json:"breaks"`
	Held   []int       `json:"held"` // cells
	Moves  []moveCount `json:"moves"`
}

// moveCount is a kind of move, and the best one of its kind as CELL:PIECE/TURN,
// pieces from 1.
type moveCount struct {
	census.Moves
	Example []string `json:"example"`
}

// moves counts the small moves of a board.
func (c *censusCommand) moves(t *terminal) error {
	if c.Board == "" {
		return badf("census moves: no board, want lastmile census moves BOARD")
	}
	metric, err := c.steps()
	if err != nil {
		return err
	}
	f := boardFlags{Puzzle: c.Puzzle, PuzzleDialect: c.PuzzleDialect, Dialect: c.Dialect}
	d, err := f.board(c.Board, t)
	if err != nil {
		return err
	}
	warn(t, d)
	if err := f.sound(d); err != nil {
		return err
	}
	b := puzzle.NewBoard(d.Puzzle)
	b.Load(d.ID.Placements)
	held, err := c.held(d, f.cluesFor(d))
	if err != nil {
		return err
	}
	near, err := c.near(b, metric)
	if err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	found, err := census.MovesOf(ctx, b, held, near)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(t.err, "stopped: the count is not whole, so nothing is printed")
		return errFailed
	case err != nil:
		return badf("%s; choose them with --cells", bare(err))
	}
	result := movesCensus{Name: d.Name, Score: b.Score(), Max: d.Puzzle.MaxScore(), Breaks: b.Breaks(), Held: append([]int{}, held...)}
	for _, m := range found {
		result.Moves = append(result.Moves, moveCount{m, placementTexts(m.Move)})
	}
	if c.JSON {
		return printJSON(t.out, result)
	}
	return result.print(t, d)
}

// steps reads what is called a step.
func (c *censusCommand) steps() (puzzle.Metric, error) {
	switch {
	case c.Radius != nil && *c.Radius < 0:
		return 0, badf("--radius %d, want 0 or more", *c.Radius)
	case c.Radius != nil && c.Cells != "":
		return 0, badf("--radius and --cells each choose the cells of 3-cycles, want one of them")
	case c.Metric != "" && c.Radius == nil:
		return 0, badf("--metric %s goes with --radius", c.Metric)
	}
	metric, err := puzzle.MetricNamed(cmp.Or(c.Metric, puzzle.MetricNames[0]))
	if err != nil {
		return 0, badf("--metric: %w", err)
	}
	return metric, nil
}

// near lists the cells that 3-cycles are taken of.
func (c *censusCommand) near(b *puzzle.Board, metric puzzle.Metric) ([]int, error) {
	switch p := b.Puzzle(); {
	case c.Cells != "":
		return parseCells(c.Cells, p.Cells())
	case c.Radius != nil:
		return p.Halo(b.BrokenCells(), min(*c.Radius, p.Cells()), metric), nil
	}
	return b.BrokenCells(), nil
}

// held lists the cells that stay, in ascending order.
func (c *censusCommand) held(d *notation.Document, all []puzzle.Placement) ([]int, error) {
	clues, err := (&clueFlags{c.Clues}).held(d, all)
	if err != nil {
		return nil, err
	}
	var cells []int
	if c.Hold != "" {
		if cells, err = parseCells(c.Hold, d.Puzzle.Cells()); err != nil {
			return nil, badf("%s", strings.Replace(err.Error(), "--cells", "--hold", 1))
		}
	}
	for _, q := range clues {
		cells = append(cells, q.Cell)
	}
	slices.Sort(cells)
	return slices.Compact(cells), nil
}

func (m *movesCensus) print(t *terminal, d *notation.Document) error {
	fmt.Fprintf(t.out, "%s (%s): score %d of %d, %s; ", cmp.Or(printable(m.Name), "board"), d.Dialect, m.Score, m.Max, count(m.Breaks, "break"))
	if len(m.Held) == 0 {
		fmt.Fprintln(t.out, "no cell held")
	} else {
		fmt.Fprintln(t.out, cellList(m.Held), "held")
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kind\tcells\ttested\timproving\tneutral\tworsening\tbest\t")
	for _, k := range m.Moves {
		best := "–"
		if k.Tested > 0 {
			best = fmt.Sprintf("%+d", k.Best)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", k.Kind, k.Cells, thousands(k.Tested), thousands(k.Improving), thousands(k.Neutral), thousands(k.Worsening), best)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, k := range m.Moves {
		if k.Best > 0 {
			if _, err := fmt.Fprintf(t.out, "a best %s, as CELL:PIECE/TURNS: %s\n", k.Kind, strings.Join(k.Example, " ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// thousands groups digits by three.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	var groups []string
	for len(text) > 3 {
		groups = append([]string{text[len(text)-3:]}, groups...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, groups...), ",")
}
