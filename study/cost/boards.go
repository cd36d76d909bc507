// Package cost measures what an iteration of the ALNS loop costs, how that
// depends on the hole and on the board, and where the time goes.
//
// Measurements are short and can be repeated, so that a study can take those
// that it compares in turn: what slows the machine down for a while then slows
// all of them.
package cost

import (
	"fmt"

	"lastmile/alns"
	"lastmile/puzzle"
	"lastmile/random"
)

// Board is a full board to measure on.
type Board struct {
	Name   string
	Side   int
	Puzzle *puzzle.Puzzle
	Start  []puzzle.Placement
	mends  bool // the loop would soon make another board of it
}

// Record is a published board near the top.
func Record(name string) (Board, error) {
	r, ok := puzzle.RecordNamed(name)
	if !ok {
		return Board{}, fmt.Errorf("no bundled board %q", name)
	}
	p := puzzle.Official()
	return Board{r.Name, p.Width, p, r.Board, false}, nil
}

// Broken is the share of seams that Damaged breaks.
const Broken = 0.25

// Damaged is a solved board of side×side cells and 22 colours whose inner
// pieces were exchanged at random until a quarter of its seams were broken.
func Damaged(side int, seed uint64) (Board, error) {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: side, Height: side, Colours: 22, Seed: seed})
	if err != nil {
		return Board{}, err
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	r := random.New(seed, "damage", side)
	var inner []int
	for cell := range p.Cells() {
		if p.RimMask(cell) == 0 {
			inner = append(inner, cell)
		}
	}
	for float64(b.Breaks()) < Broken*float64(p.MaxScore()) {
		b.Swap(inner[r.Below(len(inner))], r.Below(4), inner[r.Below(len(inner))], r.Below(4))
	}
	return Board{fmt.Sprintf("%d×%d", side, side), side, p, b.Placements(nil), true}, nil
}

// reload is how many iterations with holes of k cells the loop runs before it
// goes back to the start. A damaged board is mended by and by, and then costs
// less; so that boards of all sizes are measured in the same states, each goes
// back when its cells have been lifted once on average. A record board stays
// what it is; it goes back as often as a run of polish lays its board anew.
func (b Board) reload(k int) int {
	if b.mends {
		return max(1, b.Puzzle.Cells()/k)
	}
	return alns.Round
}

// board lays the start on a board of its own.
func (b Board) board() *puzzle.Board {
	live := puzzle.NewBoard(b.Puzzle)
	live.Load(b.Start)
	return live
}
