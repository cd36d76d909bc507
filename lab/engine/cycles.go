package engine

import (
	"fmt"

	"lastmile/cycles"
	"lastmile/notation"
	"lastmile/puzzle"
)

// cyclesQuestion names two boards; b is "" when a holds both.
type cyclesQuestion struct {
	A string `json:"a"`
	B string `json:"b"`
}

// cyclesRoom is a comparison of two boards.
type cyclesRoom struct{ comparison *cycles.Comparison }

type cyclesOpened struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Max    int     `json:"max"`
	A      passing `json:"a"`
	B      passing `json:"b"` // turned and recoloured so that the fewest pieces move

	Turns      int  `json:"turns"`
	Recoloured bool `json:"recoloured"`
	Moved      int  `json:"moved"`
	Turned     int  `json:"turned"`
	Fixed      int  `json:"fixed"`

	Cycles []cycleRow     `json:"cycles"`
	Chains []cycles.Chain `json:"chains"` // what empty cells leave in place of cycles
	Parts  []int          `json:"parts"`  // cells of each part: the cycles first, then chains, then what is turned in place

	TurnedCells []int `json:"turned_cells"`
}

// passing is a board on the way.
type passing struct {
	Name     string `json:"name"`
	Edges    []int  `json:"edges"` // four colours a cell, 255 where there is no piece
	Score    int    `json:"score"`
	Boundary int    `json:"boundary"` // seams between cells that are as on B and cells that have yet to change
}

type cycleRow struct {
	Cells []int        `json:"cells"`
	Whole int          `json:"whole"` // score of A with it applied
	All   cycles.Tally `json:"all"`   // its proper prefixes from every start
}

func openCycles(e *Engine, q cyclesQuestion) (cyclesOpened, error) {
	a, b, err := q.pair()
	if err != nil {
		return cyclesOpened{}, err
	}
	x, err := cycles.Between(a.board(), b.board())
	if err != nil {
		return cyclesOpened{}, err
	}
	e.rooms["cycles"] = &cyclesRoom{x}
	p := x.Puzzle
	to := p.Look(x.To)
	o := cyclesOpened{
		Width: p.Width, Height: p.Height, Max: p.MaxScore(),
		A: passing{Name: a.Name, Edges: colours(p.Look(x.From)), Score: x.Start}, B: passing{Name: b.Name, Edges: colours(to), Score: x.End},
		Turns: x.Turns, Recoloured: x.Recoloured, Moved: x.Moved(), Turned: len(x.Turned), Fixed: len(x.Fixed),
		Cycles: []cycleRow{}, Chains: append([]cycles.Chain{}, x.Chains...), Parts: []int{}, TurnedCells: append([]int{}, x.Turned...),
	}
	for i, y := range x.Cycles {
		all, _ := x.TallyPrefixes(i, cycles.Exchanged)
		o.Cycles = append(o.Cycles, cycleRow{y.Cells, x.Whole(i), all})
	}
	for _, cells := range x.Parts() {
		o.Parts = append(o.Parts, len(cells))
	}
	return o, nil
}

// colours are a look as pages know it: four a cell, 255 where there is no piece.
func colours(g *puzzle.Grid) []int {
	all := make([]int, 0, 4*len(g.Edges))
	for cell, e := range g.Edges {
		for _, colour := range e {
			if !g.Filled[cell] {
				colour = 255
			}
			all = append(all, int(colour))
		}
	}
	return all
}

// side is one of two boards.
type side struct{ *notation.Document }

func (d side) board() *puzzle.Board {
	b := puzzle.NewBoard(d.Puzzle)
	b.Load(d.ID.Placements)
	return b
}

// pair reads the two boards.
func (q *cyclesQuestion) pair() (a, b side, err error) {
	documents, err := (&deskQuestion{Text: q.A}).read()
	if err != nil {
		return a, b, fmt.Errorf("board A: %w", err)
	}
	if q.B != "" {
		more, err := (&deskQuestion{Text: q.B}).read()
		if err != nil {
			return a, b, fmt.Errorf("board B: %w", err)
		}
		documents = append(documents, more...)
	}
	if len(documents) != 2 {
		return a, b, fmt.Errorf("%d boards, want two", len(documents))
	}
	for _, d := range documents {
		if d.Grid == nil {
			return a, b, fmt.Errorf("%s: pieces without a board, want a board", d.Dialect)
		}
	}
	documents[0].Borrow(documents[1])
	documents[1].Borrow(documents[0])
	for i, d := range documents {
		if err := d.Sound(); err != nil {
			return a, b, fmt.Errorf("board %c: %w", "AB"[i], err)
		}
	}
	return side{documents[0]}, side{documents[1]}, nil
}

// passageQuestion asks for a board on the way: some parts as a whole, and the
// first moves of a cycle from one of its cells; cycle -1 for none.
type passageQuestion struct {
	Parts []int `json:"parts"`
	Cycle int   `json:"cycle"`
	Start int   `json:"start"`
	Moves int   `json:"moves"`
}

func (r *cyclesRoom) apply(_ *Engine, q passageQuestion) (passing, error) {
	look, score, boundary, err := r.comparison.Partial(q.Parts, q.Cycle, q.Start, q.Moves)
	if err != nil {
		return passing{}, err
	}
	return passing{Edges: colours(look), Score: score, Boundary: boundary}, nil
}

// profile is what a cycle scores along the way.
type profile struct {
	Scores []int `json:"scores"` // after each number of moves from the start, from none to all
	// Best is the highest score of a proper prefix of so many moves over all
	// starts, from 1; empty when parts are applied.
	Best []int `json:"best"`
}

func (r *cyclesRoom) profile(_ *Engine, q passageQuestion) (profile, error) {
	x := r.comparison
	if q.Cycle < 0 || q.Cycle >= len(x.Cycles) {
		return profile{}, fmt.Errorf("cycle %d of %d", q.Cycle, len(x.Cycles))
	}
	p := profile{Best: []int{}}
	n := len(x.Cycles[q.Cycle].Cells)
	for moves := 0; moves <= n; moves++ {
		_, score, _, err := x.Partial(q.Parts, q.Cycle, q.Start, moves)
		if err != nil {
			return profile{}, err
		}
		p.Scores = append(p.Scores, score)
	}
	if len(q.Parts) == 0 {
		p.Best = make([]int, cycles.Exchanged.Proper(n))
		for f := range x.Prefixes(q.Cycle, cycles.Exchanged) {
			p.Best[f.Moves-1] = max(p.Best[f.Moves-1], f.Score)
		}
	}
	return p, nil
}
