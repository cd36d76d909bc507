package study

import (
	"context"
	"fmt"

	"lastmile/puzzle"
)

var records = Study{
	Name:    "records",
	Claim:   "each bundled board has the score and the clues that were published for it",
	Measure: measureRecords,
}

// publishedRecords are the figures that came with the boards.
var publishedRecords = []struct {
	name  string
	score int
	clues string
}{
	{"riotte-464", 464, "five"},
	{"blackwood-470", 470, "starter"},
	{"mcgavin-469", 469, "starter"},
	{"blackwood-468", 468, "starter"},
	{"verhaard-467", 467, "starter"},
	{"pejic-465", 465, "five"},
}

// recordCheck is what a bundled board is, by its colours alone.
type recordCheck struct {
	Name       string `json:"name"`
	By         string `json:"by"`
	Score      int    `json:"score"`
	Breaks     int    `json:"breaks"`
	Empty      int    `json:"empty"`
	Duplicates int    `json:"duplicates"`
	Foreign    int    `json:"foreign"`
	RimFaults  int    `json:"rim_faults"`
	CluesHeld  int    `json:"clues_held"`
	Clues      string `json:"clues"` // the largest of the named sets that it holds
}

func measureRecords(ctx context.Context, o Options, r *Report) error {
	r.note("A board is judged by the colours on its cells: seams are counted from them, and each cell is looked up in the official set anew. Breaks are seams of two filled cells that do not match; a full board of score s has 480 - s.")
	found := map[string]recordCheck{}
	var rows []recordCheck
	for _, record := range puzzle.Records() {
		if ctx.Err() != nil {
			break
		}
		o.Say("scoring " + record.Name)
		c, err := check(record)
		if err != nil {
			return err
		}
		found[record.Name] = c
		rows = append(rows, c)
		r.link(record.Name, puzzle.Official(), record.Board)
	}
	for _, p := range publishedRecords {
		c, scored := found[p.name]
		want := recordCheck{Name: p.name, By: c.By, Score: p.score, Breaks: 480 - p.score, Clues: p.clues, CluesHeld: c.CluesHeld}
		f := Finding{
			Claim:     fmt.Sprintf("the bundled board %s scores %d of 480 and holds the clues: %s", p.name, p.score, p.clues),
			Published: fmt.Sprintf("score %d, so %s; clues %s", p.score, counted(want.Breaks, "break"), p.clues),
			Verdict:   judge(!scored || c == want, scored),
		}
		if scored {
			f.Measured = fmt.Sprintf("score %d, %s, clues %s, every piece of the set once and the rim grey: %s",
				c.Score, counted(c.Breaks, "break"), c.Clues, yes(c.Empty+c.Duplicates+c.Foreign+c.RimFaults == 0))
		}
		r.find(f)
	}
	number := func(name string, of func(recordCheck) int) column[recordCheck] {
		return column[recordCheck]{name, func(c recordCheck) string { return fmt.Sprint(of(c)) }}
	}
	r.show(tabulate("the bundled boards", "", rows,
		column[recordCheck]{"board", func(c recordCheck) string { return reference(c.Name, c.Name) }},
		number("score", func(c recordCheck) int { return c.Score }),
		number("breaks", func(c recordCheck) int { return c.Breaks }),
		number("clues held", func(c recordCheck) int { return c.CluesHeld }),
		number("empty", func(c recordCheck) int { return c.Empty }),
		number("duplicates", func(c recordCheck) int { return c.Duplicates }),
		number("foreign", func(c recordCheck) int { return c.Foreign }),
		number("rim faults", func(c recordCheck) int { return c.RimFaults }),
		column[recordCheck]{"by", func(c recordCheck) string { return c.By }},
	))
	return nil
}

// check judges a bundled board without trusting its placements: a table of
// placements cannot show a piece twice on a Board, but can in a Grid.
func check(record puzzle.Record) (recordCheck, error) {
	p := puzzle.Official()
	grid := p.Look(record.Board)
	tally, id := grid.Tally(), p.Identify(grid)
	c := recordCheck{
		Name: record.Name, By: record.By, Score: tally.Matched, Breaks: tally.Breaks, Empty: tally.Empty,
		Duplicates: len(id.Duplicates), Foreign: len(id.Foreign), RimFaults: len(tally.RimFaults),
		CluesHeld: p.CluesHeld(grid), Clues: "none",
	}
	for _, name := range puzzle.ClueSets {
		clues, err := puzzle.CluesNamed(name)
		if err != nil {
			return c, err
		}
		q, err := p.WithClues(clues)
		if err != nil {
			return c, err
		}
		if q.CluesHeld(grid) == len(clues) {
			c.Clues = name
		}
	}
	return c, nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
