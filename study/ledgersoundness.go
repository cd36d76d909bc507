package study

import (
	"context"
	"fmt"

	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/study/chart"
)

var ledgerSoundness = Study{
	Name:    "ledger-soundness",
	Claim:   "the ledger refuses no board that can be completed, and its sums are those of the board at every depth",
	Measure: measureSoundness,
}

// soundSets are the conditions that are tried. Shortage and oddness come alone
// as well: together they show only the greater need.
var soundSets = []struct {
	name       string
	conditions ledger.Conditions
}{
	{"page", ledger.Page},
	{"combined", ledger.Combined},
	{"kinds", ledger.Kinds},
	{"shortage alone", ledger.Deficit},
	{"oddness alone", ledger.Parity},
}

// soundShown of them, from the first, are shown.
const soundShown = 3

// soundBoard is a board to be filled and taken apart again.
type soundBoard struct {
	name    string
	perfect bool
	puzzle  *puzzle.Puzzle
	full    []puzzle.Placement // row by row
}

// replayed is what the ledgers said to a board on its way.
type replayed struct {
	Board      string  `json:"board"`
	Perfect    bool    `json:"perfect"`
	Breaks     int     `json:"breaks"`
	Depths     int     `json:"depths"`
	Fires      int     `json:"fires"`      // over all conditions
	Recomputed int     `json:"recomputed"` // sums that were counted again
	Mismatches int     `json:"mismatches"` // of these
	Tightness  []tight `json:"tightness"`  // by conditions

	toCome []int   // breaks, by depth
	needs  [][]int // by conditions and depth
}

// tight says how near a need comes to the breaks that the board goes on to
// make, at the depths where it goes on to make some.
type tight struct {
	Conditions string   `json:"conditions"`
	Depths     int      `json:"depths"`
	Share      *float64 `json:"share"`   // mean of need by breaks; null without breaks
	Exact      int      `json:"exact"`   // depths where they are as many
	Largest    int      `json:"largest"` // need among these
}

func measureSoundness(ctx context.Context, o Options, r *Report) error {
	r.note("A board is filled row by row, from none of its pieces to all of them, under a ledger for each set of conditions, and taken apart again. At each depth the ledger is asked whether the breaks that the board goes on to make may be enough; they are, so a no is a fire. A perfect board goes on to make none: there the ledger has no slack. The record boards of the official puzzle are filled as they are and upside down.")
	r.note("The sums are counted again at each depth: what a ledger needs against a ledger that is opened on the board as it is, against what it needed there when the board is taken apart, and against shortages and odd balances that the study counts from the pieces, which conditions without kinds must agree with and kinds must not fall below; and supply and demand of each colour against those that the study counts.")
	every := 1
	if o.Quick {
		every = 64
	}
	boards, err := soundBoards()
	if err != nil {
		return err
	}
	var rows []replayed
	for _, b := range boards {
		if ctx.Err() != nil {
			break
		}
		o.Say("replaying " + b.name)
		row, err := replay(b, every)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	reportSoundness(r, rows, boards, every == 1)
	return nil
}

// soundBoards are the perfect boards, and the record boards in two directions.
func soundBoards() (boards []soundBoard, err error) {
	for _, s := range puzzle.Solved() {
		boards = append(boards, soundBoard{s.Name, true, s.Puzzle, s.Board})
	}
	for _, record := range puzzle.Records() {
		turned, err := upsideDown(record.Board)
		if err != nil {
			return nil, err
		}
		boards = append(boards,
			soundBoard{record.Name, false, puzzle.Official(), record.Board},
			soundBoard{turnedName(record.Name), false, puzzle.Official(), turned})
	}
	return boards, nil
}

func turnedName(name string) string { return name + ", upside down" }

// replay fills a board under the ledgers and takes it apart, and counts again
// at every so many depths.
func replay(s soundBoard, every int) (replayed, error) {
	b := puzzle.NewBoard(s.puzzle)
	b.Load(s.full)
	full, total := b.Placements(nil), b.Breaks()
	x := replayed{Board: s.name, Perfect: s.perfect, Breaks: total, Depths: len(full) + 1}
	b.Clear()
	x.toCome = append(x.toCome, total)
	for _, q := range full {
		b.Place(q.Cell, q.Piece, q.Rotation)
		x.toCome = append(x.toCome, total-b.Breaks())
	}
	for _, set := range soundSets {
		l, err := ledger.New(puzzle.NewBoard(s.puzzle), set.conditions)
		if err != nil {
			return x, err
		}
		var needs []int
		for depth := range x.Depths {
			if depth > 0 {
				q := full[depth-1]
				l.Place(q.Cell, q.Piece, q.Rotation)
			}
			needs = append(needs, l.Needs())
			if !l.Holds(total) {
				x.Fires++
			}
			if depth%every == 0 {
				if err := x.recount(l, set.conditions); err != nil {
					return x, err
				}
			}
		}
		for depth := len(full) - 1; depth >= 0; depth-- {
			l.Remove(full[depth].Cell)
			x.compare(l.Needs() == needs[depth])
		}
		x.needs = append(x.needs, needs)
		x.Tightness = append(x.Tightness, tightness(set.name, needs, x.toCome))
	}
	return x, nil
}

func (x *replayed) compare(same bool) {
	x.Recomputed++
	if !same {
		x.Mismatches++
	}
}

// recount counts again what a ledger says of its board.
func (x *replayed) recount(l *ledger.Ledger, c ledger.Conditions) error {
	b := puzzle.NewBoard(l.Board().Puzzle())
	b.Load(l.Board().Placements(nil))
	fresh, err := ledger.New(b, c)
	if err != nil {
		return err
	}
	x.compare(l.Needs() == fresh.Needs())
	supply, demand := halfEdges(b)
	if c&ledger.Kinds == 0 {
		x.compare(l.Needs() == needed(supply, demand, c))
	} else {
		x.compare(l.Needs() >= needed(supply, demand, ledger.Combined))
	}
	for colour := 1; colour < len(supply); colour++ {
		s, d := l.Account(colour)
		x.compare(s == supply[colour] && d == demand[colour] && l.Balance(colour) == fresh.Balance(colour))
	}
	return nil
}

// halfEdges counts, by colour, those of the pieces that are not on the board,
// and those that face its empty cells.
func halfEdges(b *puzzle.Board) (supply, demand []int) {
	p := b.Puzzle()
	supply, demand = make([]int, p.Colours()+1), make([]int, p.Colours()+1)
	for piece, e := range p.Pieces {
		cell := b.CellOf(piece)
		for side, colour := range e {
			if cell == puzzle.Empty {
				supply[colour]++
				continue
			}
			side = (side + b.Rotation(cell)) & 3
			if n := p.Neighbour(cell, side); n >= 0 && b.Piece(n) == puzzle.Empty {
				demand[colour]++
			}
		}
	}
	return supply, demand
}

// needed is the number of breaks that the conditions of a framed puzzle ask
// for, by their definitions: a break serves one half-edge that is short, and
// mends two odd balances.
func needed(supply, demand []int, c ledger.Conditions) (need int) {
	short, odd, lost := 0, 0, 0
	for colour := 1; colour < len(supply); colour++ {
		s, o := max(0, demand[colour]-supply[colour]), (supply[colour]+demand[colour])&1
		short, odd, lost = short+s, odd+o, lost+max(s, o)
	}
	if c&ledger.Deficit != 0 {
		need = max(need, short)
	}
	if c&ledger.Parity != 0 {
		need = max(need, (odd+1)/2)
	}
	if c&ledger.Combined != 0 {
		need = max(need, (lost+1)/2)
	}
	return need
}

func tightness(name string, needs, toCome []int) tight {
	t := tight{Conditions: name}
	sum := 0.0
	for depth, breaks := range toCome {
		if breaks == 0 {
			continue
		}
		t.Depths++
		sum += float64(needs[depth]) / float64(breaks)
		if needs[depth] == breaks {
			t.Exact++
			t.Largest = max(t.Largest, breaks)
		}
	}
	if t.Depths > 0 {
		mean := sum / float64(t.Depths)
		t.Share = &mean
	}
	return t
}

// reportSoundness judges the boards that were replayed, of those that were to
// be. Every says that sums were counted again at every depth.
func reportSoundness(r *Report, rows []replayed, boards []soundBoard, every bool) {
	for _, perfect := range []bool{true, false} {
		claim, published := "no fire on the record boards, with as many breaks as they go on to make", "0 fires on record boards (the LEDGER page)"
		wanted, done, depths, fires := 0, 0, 0, 0
		for _, b := range boards {
			if b.perfect == perfect {
				wanted++
			}
		}
		for _, x := range rows {
			if x.Perfect == perfect {
				done, depths, fires = done+1, depths+x.Depths, fires+x.Fires
			}
		}
		if perfect {
			claim, published = "no fire on the eight generated boards, with no slack at all", "0 fires on 8 boards × 257 depths (the LEDGER page)"
		}
		f := Finding{Claim: claim, Published: published, Verdict: judge(fires == 0, wanted > 0 && done == wanted)}
		if done > 0 {
			f.Measured = fmt.Sprintf("%s at %s depths of %s, by the page's conditions, by combined and by kinds", counted(fires, "fire"), grouped(int64(depths)), counted(done, "board"))
		}
		r.find(f)
	}
	recomputed, mismatches := 0, 0
	for _, x := range rows {
		recomputed, mismatches = recomputed+x.Recomputed, mismatches+x.Mismatches
	}
	f := Finding{
		Claim: "the sums that are kept are those that are counted again", Published: "wanted: the same at every depth of every board",
		Verdict: judge(mismatches == 0, every && len(rows) > 0 && len(rows) == len(boards)),
	}
	if recomputed > 0 {
		f.Measured = fmt.Sprintf("%d of %s differ", mismatches, grouped(int64(recomputed)))
	}
	if !every {
		f.Note = "counted again at a few depths only"
	}
	r.find(f)
	r.draw(needChart(rows, turnedName(recordBoard)))
	r.show(soundTable(rows))
}

// needChart shows a board on its way.
func needChart(rows []replayed, name string) chart.Chart {
	c := chart.Chart{
		Title: "Breaks that " + name + ", must and does go on to make", XLabel: "pieces placed, row by row", YLabel: "breaks",
	}
	const from, step = 160, 4 // nothing is needed before
	series := func(name string, values []int) {
		s := chart.Series{Name: name, Kind: chart.Line}
		for depth := from; depth < len(values); depth += step {
			s.X, s.Y = append(s.X, float64(depth)), append(s.Y, float64(values[depth]))
		}
		c.Series = append(c.Series, s)
	}
	for _, x := range rows {
		if x.Board != name {
			continue
		}
		series("makes", x.toCome)
		for i, set := range soundSets[:soundShown] {
			series("must, by "+set.name, x.needs[i])
		}
	}
	return c
}

func soundTable(rows []replayed) Table {
	of := func(name string, text func(replayed) string) column[replayed] { return column[replayed]{name, text} }
	columns := []column[replayed]{
		of("board", func(x replayed) string { return x.Board }),
		of("breaks", func(x replayed) string { return fmt.Sprint(x.Breaks) }),
		of("depths", func(x replayed) string { return fmt.Sprint(x.Depths) }),
		of("fires", func(x replayed) string { return fmt.Sprint(x.Fires) }),
		of("counted again", func(x replayed) string { return grouped(int64(x.Recomputed)) }),
		of("differ", func(x replayed) string { return fmt.Sprint(x.Mismatches) }),
	}
	for i, set := range soundSets[:soundShown] {
		columns = append(columns, of(set.name, func(x replayed) string {
			if share := x.Tightness[i].Share; share != nil {
				return percent(*share)
			}
			return "–"
		}))
	}
	for i, set := range soundSets[:soundShown] {
		columns = append(columns, of("exact, "+set.name, func(x replayed) string {
			t := x.Tightness[i]
			if t.Exact == 0 {
				return "–"
			}
			return fmt.Sprintf("%d, up to %d", t.Exact, t.Largest)
		}))
	}
	return tabulate("boards", "page, combined and kinds are the breaks that these conditions ask for by those that the board goes on to make, as a mean over the depths where it goes on to make some; exact are the depths where they are as many, and the most breaks at one", rows, columns...)
}
