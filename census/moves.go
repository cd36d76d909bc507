package census

import (
	"context"
	"fmt"

	"lastmile/puzzle"
)

// Moves counts the small moves of one kind on a board by what they do to its
// score. A move takes the pieces of a few filled cells and puts them back on
// these cells, each in a rotation that the frame rule allows there:
//
//   - A turn is of one cell.
//   - A swap exchanges the pieces of two cells, neighbours or not.
//   - A 3-cycle passes those of three cells on to the next, in either direction.
//
// A move is known by the look that it gives, and it changes the look of each of
// its cells. It follows that:
//
//   - Ways to the same look are one move. A symmetric piece has fewer
//     rotations, and three pieces that are the same up to rotation have one
//     direction to be passed on in.
//   - What leaves the board as it looks, such as two twins exchanged, is no move.
//   - What leaves one of its cells as it looks is a smaller one: a 3-cycle of two
//     twins that keeps the look of a cell counts as a swap, and only there.
//   - No look counts under two kinds.
type Moves struct {
	Kind      string `json:"kind"`
	Cells     int    `json:"cells"` // that could move
	Tested    int64  `json:"tested"`
	Improving int64  `json:"improving"`
	Neutral   int64  `json:"neutral"`
	Worsening int64  `json:"worsening"`
	// Best is the largest change of the score, in seams, and Move the first move
	// that makes it. They are 0 and empty when there was none to test.
	Best int                `json:"best"`
	Move []puzzle.Placement `json:"-"`
}

// MoveKinds are the kinds in the order of MovesOf.
var MoveKinds = []string{"turn", "swap", "3-cycle"}

// MaxCycleCells is the largest number of cells that MovesOf takes 3-cycles of:
// their number grows with its cube.
const MaxCycleCells = 2048

// MovesOf counts every turn and swap of the filled cells that are not held, and
// every 3-cycle of those that are near too. Each count is exhaustive. The board
// is only read; seams that lack a piece stay open whatever moves.
//
// It fails when there are too many cells for 3-cycles, and with the error of
// the context when that ends first.
func MovesOf(ctx context.Context, b *puzzle.Board, hold, near []int) ([]Moves, error) {
	p := b.Puzzle()
	free, beside := make([]bool, p.Cells()), make([]bool, p.Cells())
	for cell := range free {
		free[cell] = b.Piece(cell) != puzzle.Empty
	}
	for _, cell := range hold {
		free[cell] = false
	}
	for _, cell := range near {
		beside[cell] = free[cell]
	}
	few := listed(beside)
	if len(few) > MaxCycleCells {
		return nil, fmt.Errorf("census: 3-cycles of %d cells, want at most %d", len(few), MaxCycleCells)
	}
	s := newSurvey(b)
	turns := s.turns(listed(free))
	swaps, err := s.swaps(ctx, listed(free))
	if err != nil {
		return nil, err
	}
	cycles, err := s.cycles(ctx, few)
	if err != nil {
		return nil, err
	}
	return []Moves{turns, swaps, cycles}, nil
}

// listed are the cells that are marked, in ascending order.
func listed(marked []bool) (cells []int) {
	for cell, is := range marked {
		if is {
			cells = append(cells, cell)
		}
	}
	return cells
}

// begin starts the count of another kind.
func (s *survey) begin(kind int, cells []int) {
	s.found = Moves{Kind: MoveKinds[kind], Cells: len(cells)}
}

func (s *survey) turns(cells []int) Moves {
	s.begin(0, cells)
	for _, cell := range cells {
		f := s.fit(cell, cell)
		s.apart(shift{1, [3]int{cell}, [3]int{cell}}, f, unmoved, unmoved)
	}
	return s.found
}

func (s *survey) swaps(ctx context.Context, cells []int) (Moves, error) {
	s.begin(1, cells)
	for i, a := range cells {
		if err := ctx.Err(); err != nil {
			return Moves{}, err
		}
		for _, c := range cells[i+1:] {
			m := shift{2, [3]int{a, c}, [3]int{c, a}}
			if s.beside(a, c) {
				s.together(m)
			} else if f := s.fit(a, c); f.options > 0 {
				s.apart(m, f, s.fit(c, a), unmoved)
			}
		}
	}
	return s.found, nil
}

// cycles walks the fits by rows, both those on a cell and those of a piece: a
// column of the one is a row of the other.
func (s *survey) cycles(ctx context.Context, cells []int) (Moves, error) {
	n := len(cells)
	s.begin(2, cells)
	on, of := make([]fit, n*n), make([]fit, n*n) // the piece of j on i, the piece of i on j
	next := make([]bool, n*n)
	for i, a := range cells {
		if err := ctx.Err(); err != nil {
			return Moves{}, err
		}
		for j, c := range cells {
			if i != j {
				on[i*n+j] = s.fit(a, c)
				of[j*n+i] = on[i*n+j]
				next[i*n+j] = s.beside(a, c)
			}
		}
	}
	class := func(cell int) int { return s.puzzle.Class(s.board.Piece(cell)) }
	row := func(table []fit, i int) []fit { return table[i*n : (i+1)*n] }
	for i, a := range cells {
		for j := i + 1; j < n; j++ {
			if err := ctx.Err(); err != nil {
				return Moves{}, err
			}
			b := cells[j]
			twins := class(a) == class(b)
			bOnA, aOnB := on[i*n+j], on[j*n+i]
			onA, onB, ofA, ofB := row(on, i), row(on, j), row(of, i), row(of, j)
			nextA, nextB := next[i*n:(i+1)*n], next[j*n:(j+1)*n]
			near := nextA[j]
			for k := j + 1; k < n; k++ {
				c := cells[k]
				there := shift{3, [3]int{a, b, c}, [3]int{c, a, b}}
				back := shift{3, [3]int{a, b, c}, [3]int{b, c, a}}
				oneWay := twins && class(a) == class(c)
				if near || nextA[k] || nextB[k] {
					s.together(there)
					if !oneWay {
						s.together(back)
					}
					continue
				}
				s.apart(there, onA[k], aOnB, ofB[k])
				if !oneWay {
					s.apart(back, bOnA, onB[k], ofA[k])
				}
			}
		}
	}
	return s.found, nil
}
