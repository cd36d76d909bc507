package solve

import (
	"cmp"
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// Kept is a board of the archive.
type Kept struct {
	Score      int                `json:"score"`
	Attempt    int                `json:"attempt"` // that found it
	Walks      int                `json:"walks"`   // begun from it since
	Placements []puzzle.Placement `json:"placements"`
}

// archive is the best boards of a run, by falling score, no two of them alike.
type archive []Kept

const (
	archived = 32 // boards
	apart    = 12 // cells in which two boards of the archive differ at least
)

// add enters a board, unless one alike is as good.
func (a *archive) add(k Kept) {
	near := func(x Kept) bool { return Distance(x.Placements, k.Placements) < apart }
	if slices.ContainsFunc(*a, func(x Kept) bool { return x.Score >= k.Score && near(x) }) {
		return
	}
	list := slices.DeleteFunc(*a, near)
	at, _ := slices.BinarySearchFunc(list, k, func(x, y Kept) int { return cmp.Or(cmp.Compare(y.Score, x.Score), -1) })
	list = slices.Insert(list, at, k)
	*a = list[:min(len(list), archived)]
}

// next is the board from which the next walk begins: a board stays three walks
// behind the best for each seam that it scores less. It returns nil when there is
// none.
func (a archive) next() *Kept {
	var best *Kept
	turn := func(k *Kept) int { return k.Walks + 3*(a[0].Score-k.Score) }
	for i := range a {
		if best == nil || turn(&a[i]) < turn(best) {
			best = &a[i]
		}
	}
	return best
}

// from is the board of that score that an attempt has found, or the best when it
// is not there any more. An attempt may have several, of rising scores.
func (a archive) from(attempt, score int) Kept {
	for _, k := range a {
		if k.Attempt == attempt && k.Score == score {
			return k
		}
	}
	return a[0]
}

// checkFull tells what is wrong with a board that should have each piece and each
// cell once.
func checkFull(p *puzzle.Puzzle, board []puzzle.Placement) error {
	if len(board) != p.Cells() {
		return fmt.Errorf("board with %d pieces, want %d", len(board), p.Cells())
	}
	cells, pieces := make([]bool, p.Cells()), make([]bool, p.Cells())
	for _, q := range board {
		if q.Cell < 0 || q.Cell >= len(cells) || cells[q.Cell] || q.Piece < 0 || q.Piece >= len(pieces) || pieces[q.Piece] || q.Rotation < 0 || q.Rotation > 3 {
			return fmt.Errorf("board with piece %d turned by %d on cell %d, want each piece and each cell once", q.Piece, q.Rotation, q.Cell)
		}
		cells[q.Cell], pieces[q.Piece] = true, true
	}
	return nil
}

// checkArchive finds what no run of so many attempts would have kept.
func checkArchive(p *puzzle.Puzzle, list archive, begun int) error {
	if len(list) > archived {
		return fmt.Errorf("archive of %d boards, want at most %d", len(list), archived)
	}
	for i, k := range list {
		if err := checkKept(p, k, list[:i], begun); err != nil {
			return fmt.Errorf("archive, board %d: %w", i, err)
		}
	}
	return nil
}

// checkKept tells what is wrong with a board that comes after better ones.
func checkKept(p *puzzle.Puzzle, k Kept, better archive, begun int) error {
	if err := checkFull(p, k.Placements); err != nil {
		return err
	}
	if !slices.IsSortedFunc(k.Placements, func(x, y puzzle.Placement) int { return cmp.Compare(x.Cell, y.Cell) }) {
		return fmt.Errorf("cells out of order")
	}
	for _, q := range k.Placements {
		if !p.FitsAt(q.Cell, q.Piece, q.Rotation) {
			return fmt.Errorf("cell %d breaks the frame rule", q.Cell)
		}
	}
	for _, c := range p.Clues {
		if k.Placements[c.Cell] != c {
			return fmt.Errorf("cell %d does not hold its clue", c.Cell)
		}
	}
	switch score := p.Look(k.Placements).Tally().Matched; {
	case score != k.Score:
		return fmt.Errorf("said to score %d, scores %d", k.Score, score)
	case k.Walks < 0 || k.Attempt < 0 || k.Attempt >= begun:
		return fmt.Errorf("%d walks, of attempt %d, want 0 or more and an attempt below %d", k.Walks, k.Attempt, begun)
	}
	for _, x := range better {
		if k.Score > x.Score || Distance(x.Placements, k.Placements) < apart {
			return fmt.Errorf("scores %d, after one of %d that differs in %d cells", k.Score, x.Score, Distance(x.Placements, k.Placements))
		}
	}
	return nil
}

// Distance counts the cells that two full boards fill differently. Both list
// their placements by ascending cell.
func Distance(a, b []puzzle.Placement) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// Corners are the pieces at the corners of a full board, clockwise from the top
// left: boards that share them are of one family.
func Corners(p *puzzle.Puzzle, board []puzzle.Placement) [4]int {
	at := func(cell int) int { return board[cell].Piece }
	return [4]int{at(0), at(p.Width - 1), at(p.Cells() - 1), at(p.Cells() - p.Width)}
}
