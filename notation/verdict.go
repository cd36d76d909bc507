package notation

import "lastmile/puzzle"

// Verdict says all about a board that can be told from its look, its pieces and
// its clues.
type Verdict struct {
	Name           string   `json:"name"`
	Dialect        string   `json:"dialect"`
	Width          int      `json:"width"`
	Height         int      `json:"height"`
	Score          int      `json:"score"`
	Max            int      `json:"max"`
	Breaks         int      `json:"breaks"`
	Open           int      `json:"open"`
	Placed         int      `json:"placed"`
	Empty          int      `json:"empty"`
	Official       bool     `json:"official"` // every piece is of the official set, each at most once
	Duplicates     int      `json:"duplicates"`
	Foreign        int      `json:"foreign"`
	RimFaults      int      `json:"rim_faults"`
	CluesHeld      int      `json:"clues_held"`
	Clues          int      `json:"clues"`
	DuplicateCells []int    `json:"duplicate_cells"`
	ForeignCells   []int    `json:"foreign_cells"`
	RimFaultCells  []int    `json:"rim_fault_cells"`
	BrokenCells    []int    `json:"broken_cells"`
	Damaged        bool     `json:"damaged"`
	Warnings       []string `json:"warnings"`
}

// Judge scores the board of a document, and counts of these clues those that it
// holds; without any, of those of its puzzle.
func (d *Document) Judge(clues []puzzle.Placement) Verdict {
	tally := d.Grid.Tally()
	v := Verdict{
		Name: d.Name, Dialect: d.Dialect, Width: d.Grid.Width, Height: d.Grid.Height,
		Score: tally.Matched, Max: tally.Max, Breaks: tally.Breaks, Open: tally.Open,
		Placed: len(d.Grid.Filled) - tally.Empty, Empty: tally.Empty,
		DuplicateCells: d.ID.Duplicates, ForeignCells: d.ID.Foreign, BrokenCells: tally.BrokenCells,
		Damaged: d.Damaged, Warnings: d.Warnings,
	}
	if p := d.Puzzle; p != nil {
		if len(clues) == 0 {
			clues = p.Clues
		}
		v.Clues = len(clues)
		if q, err := p.WithClues(clues); err == nil {
			v.CluesHeld = q.CluesHeld(d.Grid)
		}
		if p.Framed() {
			v.RimFaultCells = tally.RimFaults
		}
		v.Official = d.Official && len(d.ID.Foreign) == 0 && len(d.ID.Duplicates) == 0
	}
	for _, list := range []*[]int{&v.DuplicateCells, &v.ForeignCells, &v.RimFaultCells, &v.BrokenCells} {
		if *list == nil {
			*list = []int{}
		}
	}
	if v.Warnings == nil {
		v.Warnings = []string{}
	}
	v.Duplicates, v.Foreign, v.RimFaults = len(v.DuplicateCells), len(v.ForeignCells), len(v.RimFaultCells)
	return v
}
