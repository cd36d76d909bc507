package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lastmile/ledger"
	"lastmile/notation"
	"lastmile/puzzle"
)

// cellFlags choose cells of a board to be filled anew.
type cellFlags struct {
	Radius *int   `placeholder:"R" help:"Free the cells within R steps of a cell with a broken seam, and the empty ones."`
	Metric string `placeholder:"NAME" help:"What --radius calls a step: ${metrics}. Default: the first."`
	Cells  string `placeholder:"LIST" help:"Free these cells, numbered row by row from 0, as in 3,17,40-47, and the empty ones."`
	Pin    bool   `help:"Clues that the board holds stay where they are, though they lie in the region; --clues chooses among them."`
}

// regionFlags choose the part of a board that is filled anew, and how.
type regionFlags struct {
	Keep *int `placeholder:"N" help:"Keep the first N cells, row by row, and free all others."`
	cellFlags
	Turn int `placeholder:"DEGREES" help:"Turn the board and its clues clockwise first, by 90, 180 or 270; the cells are then those of the turned board. Boards are printed as they were given."`

	UnchargedClues bool   `help:"Broken seams between the region and clues that stay cost nothing."`
	Order          string `placeholder:"NAME" help:"In which the cells are filled: ${exhaust_orders}. Default: row-major with --keep, else closing."`
}

// region is a board taken apart: what stays, and what is filled anew.
type region struct {
	whole     *puzzle.Board // as it was given, but turned
	rest      *puzzle.Board // what stays of it
	order     []int         // the cells of the region as they are filled
	scan      string        // the name of that order
	clues     []puzzle.Placement
	pinned    int    // clues that stay for --pin alone
	uncharged []int  // cells of the rest beside which breaks cost nothing
	costless  []bool // by cell: it is one of them
}

func (f *regionFlags) check(c *clueFlags) error {
	given := 0
	for _, is := range []bool{f.Keep != nil, f.Radius != nil, f.Cells != ""} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return badf("--keep, --radius and --cells each choose a region, want one of them")
	case f.Turn%90 != 0 || f.Turn < 0 || f.Turn > 270:
		return badf("--turn %d, want 0, 90, 180 or 270", f.Turn)
	case c.Clues != "" && !f.Pin && !f.UnchargedClues:
		return badf("--clues %s goes with --pin or --uncharged-clues", c.Clues)
	}
	return f.cellFlags.check()
}

func (f *cellFlags) check() error {
	switch {
	case f.Radius != nil && f.Cells != "":
		return badf("--radius and --cells each choose a region, want one of them")
	case f.Radius != nil && *f.Radius < 0:
		return badf("--radius %d, want 0 or more", *f.Radius)
	case f.Metric != "" && f.Radius == nil:
		return badf("--metric %s goes with --radius", f.Metric)
	}
	return nil
}

// take takes a board apart. Of the clues given, those are considered that it
// holds.
func (f *regionFlags) take(d *notation.Document, held []puzzle.Placement) (*region, error) {
	p := d.Puzzle
	placements, err := p.Turned(d.ID.Placements, f.Turn/90)
	if err != nil {
		return nil, badf("--turn %d: %s", f.Turn, bare(err))
	}
	r := &region{whole: puzzle.NewBoard(p), costless: make([]bool, p.Cells())}
	r.whole.Load(placements)
	if r.clues, err = p.Turned(held, f.Turn/90); err != nil {
		return nil, err
	}
	cells, err := f.freed(r.whole)
	if err != nil {
		return nil, err
	}
	cells, r.pinned = f.unpinned(cells, r.clues)
	r.rest = ledger.Without(r.whole, cells)
	r.scan = cmp.Or(f.Order, ledger.Closing)
	if f.Order == "" && f.Keep != nil {
		r.scan = "row-major"
	}
	if r.order, err = ledger.Arrange(r.rest, r.scan); err != nil {
		return nil, badf("--order: %w", err)
	}
	if f.UnchargedClues {
		for _, q := range r.clues {
			beside := func(n int32) bool { return n >= 0 && r.rest.Piece(int(n)) == puzzle.Empty }
			n := p.Neighbours(q.Cell)
			if r.rest.Piece(q.Cell) != puzzle.Empty && slices.ContainsFunc(n[:], beside) {
				r.uncharged = append(r.uncharged, q.Cell)
				r.costless[q.Cell] = true
			}
		}
	}
	return r, nil
}

// freed lists the cells that are freed, each once.
func (f *regionFlags) freed(b *puzzle.Board) ([]int, error) {
	n := b.Puzzle().Cells()
	switch {
	case f.Keep != nil:
		if *f.Keep < 0 || *f.Keep > n {
			return nil, badf("--keep %d, want 0 to %d", *f.Keep, n)
		}
		var cells []int
		for cell := range n {
			if cell >= *f.Keep {
				cells = append(cells, cell)
			} else if b.Piece(cell) == puzzle.Empty {
				return nil, badf("--keep %d: cell %d is empty, want a piece on each cell that is kept", *f.Keep, cell)
			}
		}
		return cells, nil
	case f.Radius == nil && f.Cells == "" && b.Filled() == n:
		return nil, badf("the board has no empty cell; choose a region with --keep, --radius or --cells")
	}
	return f.cellFlags.freed(b)
}

// freed lists the cells that are freed, each once; none when neither --radius nor
// --cells is given.
func (f *cellFlags) freed(b *puzzle.Board) ([]int, error) {
	n := b.Puzzle().Cells()
	switch {
	case f.Radius != nil:
		metric, err := puzzle.MetricNamed(cmp.Or(f.Metric, puzzle.MetricNames[0]))
		if err != nil {
			return nil, badf("--metric: %w", err)
		}
		return b.Puzzle().Halo(b.BrokenCells(), min(*f.Radius, n), metric), nil
	case f.Cells != "":
		return parseCells(f.Cells, n)
	}
	return nil, nil
}

// unpinned is cells without those where --pin keeps a clue, and how many these
// are.
func (f *cellFlags) unpinned(cells []int, clues []puzzle.Placement) ([]int, int) {
	before := len(cells)
	if f.Pin {
		cells = slices.DeleteFunc(cells, func(cell int) bool {
			return slices.ContainsFunc(clues, func(q puzzle.Placement) bool { return q.Cell == cell })
		})
	}
	return cells, before - len(cells)
}

// parseCells reads a list such as 3,17,40-47.
func parseCells(text string, n int) ([]int, error) {
	in := make([]bool, n)
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := strconv.ParseUint(low, 10, 31)
		last := first
		if err == nil && isRange {
			last, err = strconv.ParseUint(high, 10, 31)
		}
		switch {
		case err != nil:
			return nil, badf("--cells: %q is no cell, want numbers as in 3,17,40-47", part)
		case last < first:
			return nil, badf("--cells: %s falls, want the lower cell first: %d-%d", part, last, first)
		case last >= uint64(n):
			return nil, badf("--cells: cell %d, want 0 to %d", last, n-1)
		}
		for cell := first; cell <= last; cell++ {
			in[cell] = true
		}
	}
	var cells []int
	for cell, is := range in {
		if is {
			cells = append(cells, cell)
		}
	}
	return cells, nil
}

// open tells whether a cell is of the region.
func (r *region) open(cell int) bool { return r.rest.Piece(cell) == puzzle.Empty }

// charged tells whether a break between two cells costs one.
func (r *region) charged(a, b int) bool {
	return (r.open(a) || r.open(b)) && !r.costless[a] && !r.costless[b]
}

// seams is the number of seams that are charged when they break.
func (r *region) seams() (n int) {
	for cell := range r.costless {
		for _, side := range []int{puzzle.Right, puzzle.Down} {
			if other := r.whole.Puzzle().Neighbour(cell, side); other >= 0 && r.charged(cell, other) {
				n++
			}
		}
	}
	return n
}

// breaks is what the board as it was given would be charged.
func (r *region) breaks() (n int) {
	for i := range r.whole.Breaks() {
		if a, b := r.whole.Mismatch(i); r.charged(a, b) {
			n++
		}
	}
	return n
}

// isCompletion tells whether the board as it was given is a completion under
// the charge, whatever it costs.
func (r *region) isCompletion(charge ledger.Charge) bool {
	if r.whole.Filled() < len(r.costless) {
		return false
	}
	if charge == ledger.Seam {
		return true
	}
	// Each cell is charged for its seams to what was there before it.
	there := make([]bool, len(r.costless))
	for cell := range there {
		there[cell] = !r.open(cell)
	}
	for _, cell := range r.order {
		breaks, mine := 0, r.whole.Edges(cell)
		for side, other := range r.whole.Puzzle().Neighbours(cell) {
			if other < 0 || !there[other] || !r.charged(cell, int(other)) {
				continue
			}
			if theirs := r.whole.Edges(int(other))[side^2]; mine[side] != theirs || theirs == puzzle.Grey {
				breaks++
			}
		}
		if breaks > 1 {
			return false
		}
		there[cell] = true
	}
	return true
}
