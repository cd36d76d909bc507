package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"lastmile/ledger"
	"lastmile/notation"
	"lastmile/puzzle"
)

// answer is the JSON of exhaust.
type answer struct {
	outcome
	ledger.Counts
	// Of the best completion that is known; null when none is.
	Best      *int `json:"best"` // what it is charged
	Score     *int `json:"score"`
	Breaks    *int `json:"breaks"` // of the whole board
	CluesHeld *int `json:"clues_held"`

	Budget         int      `json:"budget"`
	ByBreaks       []int64  `json:"by_breaks"` // completions, by what they are charged
	NodesPerSecond float64  `json:"nodes_per_second"`
	Censored       bool     `json:"censored"`
	Exhausted      bool     `json:"exhausted"`
	Optimal        *bool    `json:"optimal,omitempty"` // with --best: nothing in the region is charged less
	Keep           *int     `json:"keep"`
	Cells          int      `json:"cells"` // of the region
	Turn           int      `json:"turn"`
	Order          string   `json:"order"`
	Pinned         int      `json:"pinned"`    // clues that stay for --pin
	Uncharged      int      `json:"uncharged"` // clues beside the region whose seams cost nothing
	Charge         string   `json:"charge"`
	Ledger         string   `json:"ledger"`
	Conditions     []string `json:"conditions"`

	question   *question
	placements []puzzle.Placement // of the best completion, turned
}

// conclude fills in what follows from the search and the board.
func (c *exhaustCommand) conclude(d *notation.Document, a *answer) error {
	q := a.question
	if q.incumbent && a.Best == nil {
		a.Best, a.placements = &q.own, q.region.whole.Placements(nil)
	}
	p, clues := d.Puzzle, c.cluesFor(d)
	o := outcome{Max: p.MaxScore(), Clues: len(clues), Seed: c.Seed, Threads: c.Threads, Seconds: a.Seconds, Stopped: a.Stopped, Warnings: []string{}}
	if a.Best != nil {
		board, err := p.Turned(a.placements, 4-c.Turn/90)
		if err != nil {
			return err
		}
		name := d.Name
		if !slices.Equal(p.Look(board).Edges, d.Grid.Edges) {
			name = "" // it may say the old score
		}
		if o, err = c.finish(p, clues, name, board, a.Seconds, a.Stopped); err != nil {
			return err
		}
		a.Score, a.Breaks, a.CluesHeld = &o.Score, &o.Breaks, &o.CluesHeld
	}
	o.Reproducible = !a.Censored || c.budget().Reproducible() && !a.Stopped
	a.outcome = o
	a.Exhausted = !a.Censored
	if q.Best {
		optimal := a.Exhausted && a.Best != nil
		a.Optimal = &optimal
	}
	a.Budget, a.Keep, a.Cells, a.Turn = q.Budget, c.Keep, len(q.Order), c.Turn
	a.Order, a.Pinned, a.Uncharged = q.region.scan, q.region.pinned, len(q.Uncharged)
	a.Charge, a.Ledger = q.Charge.String(), q.Mode.String()
	a.Conditions = []string{}
	if q.Mode != ledger.Off {
		a.Conditions = strings.Split(q.Conditions.String(), ",")
	}
	if a.ByBreaks == nil {
		a.ByBreaks = []int64{}
	}
	return nil
}

// say prints the answer, and the best completion when one is known.
func (c *exhaustCommand) say(t *terminal, a *answer) error {
	var err error
	if !c.JSON {
		_, err = io.WriteString(t.out, a.summary())
	}
	switch {
	case a.Best != nil:
		return cmp.Or(err, c.print(t, &a.outcome, a)) // the board is written all the same
	case c.JSON:
		err = printJSON(t.out, a)
	}
	if c.Out != "" {
		fmt.Fprintf(t.err, "note: no completion is known, so %s is not written\n", printable(c.Out))
	}
	return err
}

// summary is the answer for people.
func (a *answer) summary() string {
	q := a.question
	var w strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&w, format+"\n", values...) }
	line("region of %s in %s order%s%s", count(a.Cells, "cell"), a.Order,
		some(a.Pinned, ", %s pinned"), some(a.Uncharged, ", %s uncharged"))
	if a.Budget < 0 {
		line("the board has no break there: nothing can be better")
		return w.String()
	}
	line("budget of %s, %s", count(a.Budget, "break"), map[ledger.Charge]string{
		ledger.Seam: "each seam charged", ledger.Cell: "each seam charged and one break a cell",
	}[q.Charge])
	if q.Mode == ledger.Off {
		line("%s nodes without a ledger", thousands(a.Nodes))
	} else {
		line("%s nodes, ledger %s (%s): %s fires of %s judged", thousands(a.Nodes), a.Ledger, strings.Join(a.Conditions, ", "), thousands(a.Fires), thousands(a.Judged))
	}
	found := thousands(a.Completions) + " completions"
	if a.Completions == 1 {
		found = "1 completion"
	}
	line("%s%s", found, a.byBreaks())
	took := fmt.Sprintf("%.2f s", a.Seconds)
	own := q.incumbent && a.Completions == 0
	switch {
	case a.Stopped:
		line("stopped after %s: there may be more", took)
	case a.Censored:
		line("cut short after %s: there may be more", took)
	case own:
		line("exhausted in %s: the board as it was given, with %s there, is optimal within the region", took, count(*a.Best, "break"))
	case q.Best && a.Best != nil:
		line("exhausted in %s: %s is optimal within the region", took, count(*a.Best, "break"))
	default:
		line("exhausted in %s", took)
	}
	if a.Censored && own {
		line("the best that is known is the board as it was given, with %s there", count(*a.Best, "break"))
	}
	return w.String()
}

// byBreaks says how many breaks the completions have, the first few of many.
func (a *answer) byBreaks() string {
	const most = 8
	var parts []string
	for breaks, n := range a.ByBreaks {
		switch {
		case n == 0:
		case len(parts) == most:
			return ": " + strings.Join(parts, ", ") + ", …"
		default:
			parts = append(parts, fmt.Sprintf("%s with %s", thousands(n), count(breaks, "break")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// some is a phrase about clues, or nothing when there are none.
func some(n int, phrase string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(phrase, count(n, "clue"))
}
