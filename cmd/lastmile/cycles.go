package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"lastmile/cycles"
	"lastmile/draw"
	"lastmile/notation"
	"lastmile/puzzle"
)

type cyclesCommand struct {
	A string `arg:"" help:"The board to start from: a file, - for standard input, a link or text, or a bundled name."`
	B string `arg:"" optional:"" help:"The board to go to; left out when A holds both."`
	boardFlags
	Each bool   `help:"With --json: list every prefix and every subset, which may be many."`
	SVG  string `name:"svg" placeholder:"FILE" help:"Draw the cycles over board A to this file."`
	JSON bool   `name:"json" help:"Print one JSON document."`
}

// Help tells the words that the output uses.
func (*cyclesCommand) Help() string {
	return `A cycle leads through cells: the piece that lies on each on board A lies on the next on board B. B is turned, and its colours are named as those of A, so that the fewest pieces move. Pieces that look alike are one as good as the other.

A prefix makes the first moves of a cycle, one at a time: the piece on the open cell goes to its cell on B and changes places with the one there, which is turned as it fits best. A cycle of n cells has n-2 proper prefixes from each of its n cells. A prefix is also scored as if cells were copied from B: the open cell then keeps its piece, which lies there twice; that makes n-1.

A subset applies some cycles as a whole. Each chain, which is what empty cells leave in place of a cycle, counts as one more, and so do all cells turned in place together. The boundary is the number of seams between cells that have what they have on B and cells that have yet to change; the loss is what a prefix scores less than A.`
}

// passage is the JSON of cycles.
type passage struct {
	A          string `json:"a"`
	B          string `json:"b"`
	ScoreA     int    `json:"score_a"`
	ScoreB     int    `json:"score_b"`
	Max        int    `json:"max"`
	Turns      int    `json:"turns"`      // clockwise quarter turns of B before it is compared
	Recoloured bool   `json:"recoloured"` // B has other names for colours

	Moved  int `json:"moved"`  // pieces
	Turned int `json:"turned"` // in place
	Fixed  int `json:"fixed"`
	Differ int `json:"differ"` // cells that do not look the same

	Cycles      []cyclePassage     `json:"cycles"`
	Chains      []cycles.Chain     `json:"chains"`
	TurnedCells []int              `json:"turned_cells"`
	OnlyA       []passagePlacement `json:"only_a"`
	OnlyB       []passagePlacement `json:"only_b"` // as B is after its turn

	PrefixesTested       int `json:"prefixes_tested"`
	PrefixesAtLeastStart int `json:"prefixes_at_least_start"`
	CopiedTested         int `json:"copied_tested"`
	CopiedAtLeastStart   int `json:"copied_at_least_start"`

	Subsets     cycles.Tally `json:"subsets"`
	AllSubsets  bool         `json:"all_subsets"` // else those of one part, and of all but one
	EachSubset  []subset     `json:"each_subset,omitempty"`
	Boundary    []lossRow    `json:"boundary"`    // of the prefixes
	Correlation *float64     `json:"correlation"` // of boundary and loss, null when they do not vary
	Warnings    []string     `json:"warnings"`

	comparison *cycles.Comparison
}

type lossRow = cycles.LossRow

// cyclePassage is a cycle with the scores of its prefixes.
type cyclePassage struct {
	Length int          `json:"length"`
	Cells  []int        `json:"cells"`
	Whole  int          `json:"whole"` // the score of A with this cycle applied
	First  cycles.Tally `json:"first"` // the prefixes from its first cell
	All    cycles.Tally `json:"all"`   // from all
	Copied cycles.Tally `json:"copied"`
	// By moves, from 1: the highest score over all starts.
	BestByMoves []int    `json:"best_by_moves"`
	Each        [][4]int `json:"each,omitempty"` // start (index in cells), moves, score, boundary
}

type passagePlacement struct {
	Cell     int `json:"cell"`
	Piece    int `json:"piece"` // from 1
	Rotation int `json:"rotation"`
}

type subset struct {
	Parts    []int `json:"parts"` // cycles, then chains, then the turned cells
	Score    int   `json:"score"`
	Boundary int   `json:"boundary"`
}

func (c *cyclesCommand) Run(t *terminal) error {
	if c.Each && !c.JSON {
		return badf("--each goes with --json")
	}
	a, b, err := c.pair(t)
	if err != nil {
		return err
	}
	p, err := c.compare(a, b)
	if err != nil {
		return err
	}
	if c.SVG != "" {
		var picture bytes.Buffer
		if err := p.draw(&picture); err != nil {
			return bad{err}
		}
		if err := t.write(c.SVG, picture.Bytes()); err != nil {
			return badf("--svg: %s", strings.TrimPrefix(err.Error(), "--out: "))
		}
	}
	if c.JSON {
		return printJSON(t.out, p)
	}
	for _, d := range []*notation.Document{a, b} {
		warn(t, d)
	}
	_, err = io.WriteString(t.out, p.summary())
	return err
}

// pair reads the two boards.
func (c *cyclesCommand) pair(t *terminal) (a, b *notation.Document, err error) {
	switch {
	case c.A == "-" && c.B == "-":
		return nil, nil, badf("both boards are -; give one text that holds both as A alone")
	case c.Puzzle == "-":
		return nil, nil, badf("--puzzle -: it is read for each of two boards, want a file or a text")
	case c.SVG == "-" && c.JSON:
		return nil, nil, badf("--svg - and --json both write to standard output, want a file for one")
	}
	documents, err := c.boards(c.A, false, t)
	if err != nil {
		return nil, nil, err
	}
	if c.B != "" {
		more, err := c.boards(c.B, false, t)
		if err != nil {
			return nil, nil, err
		}
		if len(documents) > 1 || len(more) > 1 {
			return nil, nil, badf("%d and %s, want one each", len(documents), count(len(more), "board"))
		}
		documents = append(documents, more...)
	}
	if len(documents) != 2 {
		return nil, nil, badf("%s, want two", count(len(documents), "board"))
	}
	a, b = documents[0], documents[1]
	for _, d := range documents {
		if d.Grid == nil {
			return nil, nil, badf("%s: pieces without a board, want a board", d.Dialect)
		}
	}
	a.Borrow(b)
	b.Borrow(a)
	for i, d := range documents {
		if err := c.sound(d); err != nil {
			return nil, nil, badf("board %c: %w", "AB"[i], err)
		}
	}
	return a, b, nil
}

func (c *cyclesCommand) compare(a, b *notation.Document) (*passage, error) {
	board := func(d *notation.Document) *puzzle.Board {
		b := puzzle.NewBoard(d.Puzzle)
		b.Load(d.ID.Placements)
		return b
	}
	x, err := cycles.Between(board(a), board(b))
	if err != nil {
		return nil, badf("%s", strings.TrimPrefix(err.Error(), "cycles: "))
	}
	p := &passage{
		A: cmp.Or(a.Name, "A"), B: cmp.Or(b.Name, "B"), ScoreA: x.Start, ScoreB: x.End, Max: x.Puzzle.MaxScore(),
		Turns: x.Turns, Recoloured: x.Recoloured,
		Moved: x.Moved(), Turned: len(x.Turned), Fixed: len(x.Fixed), Differ: x.Differ(),
		Cycles: []cyclePassage{}, Chains: append([]cycles.Chain{}, x.Chains...), TurnedCells: append([]int{}, x.Turned...),
		OnlyA: passagePlacements(x.OnlyA), OnlyB: passagePlacements(x.OnlyB),
		AllSubsets: len(x.Parts()) <= cycles.AllSubsets,
		Warnings:   append(append([]string{}, a.Warnings...), b.Warnings...),
		comparison: x,
	}
	var losses cycles.Losses
	for i := range x.Cycles {
		y := c.prefixes(x, i, &losses)
		p.PrefixesTested += y.All.Tested
		p.PrefixesAtLeastStart += y.All.AtLeastStart
		p.CopiedTested += y.Copied.Tested
		p.CopiedAtLeastStart += y.Copied.AtLeastStart
		p.Cycles = append(p.Cycles, y)
	}
	for s := range x.Subsets() {
		p.Subsets.Add(s.Score, x.Start)
		if c.Each {
			p.EachSubset = append(p.EachSubset, subset(s))
		}
	}
	p.Boundary = losses.Rows()
	if r, ok := losses.Correlation(); ok {
		p.Correlation = &r
	}
	return p, nil
}

// prefixes scores the prefixes of a cycle, and enters those that are boards into
// the losses.
func (c *cyclesCommand) prefixes(x *cycles.Comparison, i int, losses *cycles.Losses) cyclePassage {
	cells := x.Cycles[i].Cells
	y := cyclePassage{Length: len(cells), Cells: cells, Whole: x.Whole(i), BestByMoves: make([]int, len(cells)-2)}
	for f := range x.Prefixes(i, cycles.Exchanged) {
		losses.Add(f.Boundary, x.Start-f.Score)
		y.All.Add(f.Score, x.Start)
		if f.Start == 0 {
			y.First.Add(f.Score, x.Start)
		}
		y.BestByMoves[f.Moves-1] = max(y.BestByMoves[f.Moves-1], f.Score)
		if c.Each {
			y.Each = append(y.Each, [4]int{f.Start, f.Moves, f.Score, f.Boundary})
		}
	}
	y.Copied, _ = x.TallyPrefixes(i, cycles.Copied)
	return y
}

func passagePlacements(placements []puzzle.Placement) []passagePlacement {
	all := []passagePlacement{}
	for _, q := range placements {
		all = append(all, passagePlacement{q.Cell, q.Piece + 1, q.Rotation})
	}
	return all
}

// summary is the comparison for people.
func (p *passage) summary() string {
	var w strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&w, format+"\n", values...) }
	line("%s, score %d, to %s, score %d", printable(p.A), p.ScoreA, printable(p.B), p.ScoreB)
	var normal []string
	if p.Turns > 0 {
		normal = append(normal, fmt.Sprintf("turned by %d degrees", 90*p.Turns))
	}
	if p.Recoloured {
		normal = append(normal, "in the colours of "+printable(p.A))
	}
	if len(normal) > 0 {
		line("%s is compared %s", printable(p.B), strings.Join(normal, " and "))
	}
	line("%s moved, %d turned in place, %d fixed: %s differ", count(p.Moved, "piece"), p.Turned, p.Fixed, count(p.Differ, "cell"))
	if p.Turned > 0 {
		line("  turned: %s", cellList(p.TurnedCells))
	}
	for _, only := range []struct {
		board string
		on    []passagePlacement
	}{{p.A, p.OnlyA}, {p.B, p.OnlyB}} {
		if len(only.on) > 0 {
			var cells []int
			for _, q := range only.on {
				cells = append(cells, q.Cell)
			}
			line("  on %s alone: %s, %s", printable(only.board), count(len(only.on), "piece"), cellList(cells))
		}
	}
	for _, y := range p.Cycles {
		line("cycle of %d: %s", y.Length, path(y.Cells, true))
		line("  applied as a whole: %d; %s", y.Whole, tally(y.All, "prefix", p.ScoreA))
	}
	for _, h := range p.Chains {
		if len(h.Cells) > 1 {
			line("chain of %d: %s", len(h.Cells), path(h.Cells, false))
		}
	}
	if p.Differ == 0 {
		return w.String()
	}
	line("%s", tally(cycles.Tally{Tested: p.PrefixesTested, AtLeastStart: p.PrefixesAtLeastStart, Best: p.best()}, "proper prefix", p.ScoreA))
	if p.CopiedTested > 0 {
		line("copied from %s, with a piece twice: %s of %s score %d or more", printable(p.B), thousands(int64(p.CopiedAtLeastStart)), thousands(int64(p.CopiedTested)), p.ScoreA)
	}
	kind := "all subsets of whole cycles"
	if !p.AllSubsets {
		kind = "one cycle, or all but one"
	}
	line("%s: %s", kind, tally(p.Subsets, "subset", p.ScoreA))
	if p.Correlation != nil {
		line("boundary and loss of the prefixes correlate by %.3f:", *p.Correlation)
		line("  %8s %9s  %s", "boundary", "prefixes", "loss: least, mean, greatest")
		for _, b := range bands(p.Boundary) {
			line("  %8s %9s  %d, %.1f, %d", b.boundaries, thousands(int64(b.N)), b.Least, b.Mean, b.Greatest)
		}
	}
	return w.String()
}

// A band puts boundaries together.
type band struct {
	boundaries string
	cycles.LossRow
}

// bands makes at most twelve bands of as many boundaries each.
func bands(rows []lossRow) (all []band) {
	const most = 12
	width := rows[len(rows)-1].Boundary/most + 1
	for _, r := range rows {
		low := r.Boundary / width * width
		name := fmt.Sprint(low)
		if width > 1 {
			name = fmt.Sprintf("%d-%d", low, low+width-1)
		}
		if len(all) == 0 || all[len(all)-1].boundaries != name {
			all = append(all, band{name, r})
			continue
		}
		b := &all[len(all)-1]
		b.Mean = (b.Mean*float64(b.N) + r.Mean*float64(r.N)) / float64(b.N+r.N)
		b.N += r.N
		b.Least, b.Greatest = min(b.Least, r.Least), max(b.Greatest, r.Greatest)
	}
	return all
}

// best is the highest score of a prefix.
func (p *passage) best() (best int) {
	for _, y := range p.Cycles {
		best = max(best, y.All.Best)
	}
	return best
}

// tally says how many reach the start.
func tally(n cycles.Tally, what string, start int) string {
	if n.Tested == 0 {
		return "no " + what
	}
	plural := what + "s"
	if strings.HasSuffix(what, "x") {
		plural = what + "es"
	}
	if n.Tested == 1 {
		plural = what
	}
	return fmt.Sprintf("%s of %s %s score %d or more, the best %d", thousands(int64(n.AtLeastStart)), thousands(int64(n.Tested)), plural, start, n.Best)
}

// path names the cells of a cycle or a chain, the first few of many.
func path(cells []int, closed bool) string {
	const most = 12
	var texts []string
	for _, cell := range cells[:min(most, len(cells))] {
		texts = append(texts, fmt.Sprint(cell))
	}
	if len(cells) > most {
		texts = append(texts, "…")
	}
	if closed {
		texts = append(texts, fmt.Sprint(cells[0]))
	}
	return strings.Join(texts, " → ")
}

// draw shows the cycles over board A.
func (p *passage) draw(w io.Writer) error {
	x := p.comparison
	var paths []draw.Path
	for i, y := range x.Cycles {
		paths = append(paths, draw.Path{Cells: y.Cells, Closed: true, Label: fmt.Sprint(i + 1)})
	}
	for _, h := range x.Chains {
		paths = append(paths, draw.Path{Cells: h.Cells})
	}
	title := fmt.Sprintf("%s to %s: %s moved, %d turned in place", printable(p.A), printable(p.B), count(p.Moved, "piece"), p.Turned)
	return draw.Paths(w, x.Puzzle.Look(x.From), paths, x.Turned, draw.Options{Title: title})
}
