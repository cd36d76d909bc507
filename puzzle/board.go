package puzzle

// Empty marks a cell without a piece, and a piece without a cell.
const Empty = -1

// Board is a puzzle in progress. Every move is O(1) and allocates nothing, and
// Place and Remove undo each other; score, breaks, conflict counts and the
// mismatch map are kept as pieces move, never recomputed.
//
// A Board does not judge a move: it lets a search break the frame rule or
// disturb a clue. The searches of this module do neither.
type Board struct {
	puzzle *Puzzle
	edges  []Edges // by cell; meaningless where the cell is empty
	piece  []int32 // by cell
	turn   []uint8 // by cell
	cell   []int32 // by piece

	matched, filled int
	mismatch        []int32 // the broken seams, in no particular order
	at              []int32 // by seam: its index in mismatch, or -1
	cells           ranking // of the cells by their broken seams, 0 to 4
	rows            ranking // of the rows by the sum of those of their cells
	row             []int32 // by cell
}

// NewBoard returns an empty board.
func NewBoard(p *Puzzle) *Board {
	n := p.Cells()
	b := &Board{
		puzzle:   p,
		edges:    make([]Edges, n),
		piece:    make([]int32, n),
		turn:     make([]uint8, n),
		cell:     make([]int32, n),
		mismatch: make([]int32, 0, p.MaxScore()),
		at:       make([]int32, 2*n),
		cells:    newRanking(n, 4),
		rows:     newRanking(p.Height, 4*p.Width),
		row:      make([]int32, n),
	}
	for i := range b.row {
		b.row[i] = int32(i / p.Width)
	}
	b.Clear()
	return b
}

// Clear removes every piece.
func (b *Board) Clear() {
	for i := range b.piece {
		b.piece[i], b.cell[i] = Empty, Empty
	}
	for i := range b.at {
		b.at[i] = -1
	}
	b.cells.clear()
	b.rows.clear()
	b.mismatch = b.mismatch[:0]
	b.matched, b.filled = 0, 0
}

// Load clears the board and places the given pieces. The order of the mismatch
// map and of cells and rows that are as bad afterwards depends on the placements
// alone, not on the board's history.
func (b *Board) Load(placements []Placement) {
	b.Clear()
	for _, p := range placements {
		b.Place(p.Cell, p.Piece, p.Rotation)
	}
}

// Placements lists the pieces on the board by ascending cell, appended to dst.
func (b *Board) Placements(dst []Placement) []Placement {
	for cell, piece := range b.piece {
		if piece >= 0 {
			dst = append(dst, Placement{cell, int(piece), int(b.turn[cell])})
		}
	}
	return dst
}

// Puzzle is the puzzle that the board belongs to.
func (b *Board) Puzzle() *Puzzle { return b.puzzle }

// Score is the number of matched seams.
func (b *Board) Score() int { return b.matched }

// Breaks is the number of seams whose two cells are filled and do not match.
func (b *Board) Breaks() int { return len(b.mismatch) }

// Open is the number of seams that still miss a piece.
func (b *Board) Open() int { return b.puzzle.MaxScore() - b.matched - len(b.mismatch) }

// Filled is the number of cells that hold a piece.
func (b *Board) Filled() int { return b.filled }

// Piece is the piece on the cell, or Empty.
func (b *Board) Piece(cell int) int { return int(b.piece[cell]) }

// Rotation is the number of clockwise quarter turns of the piece on the cell.
func (b *Board) Rotation(cell int) int { return int(b.turn[cell]) }

// CellOf is the cell that holds the piece, or Empty.
func (b *Board) CellOf(piece int) int { return int(b.cell[piece]) }

// Edges are the colours on a filled cell.
func (b *Board) Edges(cell int) Edges { return b.edges[cell] }

// Conflicts is the number of broken seams of the cell.
func (b *Board) Conflicts(cell int) int { return int(b.cells.ranks[cell].value) }

// RowConflicts is the sum of Conflicts over a row.
func (b *Board) RowConflicts(row int) int { return int(b.rows.ranks[row].value) }

// WorstCell is the i-th cell by falling Conflicts, 0 <= i < the cells. Cells
// that are as bad come in an order that changes as pieces move.
func (b *Board) WorstCell(i int) int { return int(b.cells.order[i]) }

// CellsAbove is the number of cells with more than so many broken seams, 0 to
// 4: the first of them by WorstCell.
func (b *Board) CellsAbove(conflicts int) int { return int(b.cells.above[conflicts]) }

// WorstRow is the i-th row by falling RowConflicts, 0 <= i < the rows, with
// rows that are as bad in a changing order.
func (b *Board) WorstRow(i int) int { return int(b.rows.order[i]) }

// RowsAbove is the number of rows with more than so many conflicts, 0 to four
// times the width.
func (b *Board) RowsAbove(conflicts int) int { return int(b.rows.above[conflicts]) }

// Broken tells whether a side of a filled cell (Up, Right, Down, Left) is a
// broken seam.
func (b *Board) Broken(cell, side int) bool {
	n := b.puzzle.neighbour[cell][side]
	return n >= 0 && b.at[seamOf(cell, int(n), side)] >= 0
}

// Mismatch returns the two cells of the i-th broken seam, 0 <= i < Breaks().
// The order of the broken seams changes as pieces move.
func (b *Board) Mismatch(i int) (first, second int) {
	seam := int(b.mismatch[i])
	first = seam >> 1
	if seam&1 == 0 {
		return first, first + 1
	}
	return first, first + b.puzzle.Width
}

// Place puts a piece from the hand on an empty cell, turned clockwise by
// rotation (0 to 3) quarter turns.
func (b *Board) Place(cell, piece, rotation int) {
	if b.piece[cell] >= 0 || b.cell[piece] >= 0 {
		panic("puzzle: Place needs an empty cell and a piece in the hand")
	}
	e := b.puzzle.rotated[piece*4+rotation]
	b.edges[cell], b.piece[cell], b.turn[cell] = e, int32(piece), uint8(rotation)
	b.cell[piece] = int32(cell)
	b.filled++
	for side, n := range &b.puzzle.neighbour[cell] {
		if n < 0 || b.piece[n] < 0 {
			continue
		}
		if c := e[side]; c != Grey && c == b.edges[n][side^2] {
			b.matched++
		} else {
			b.addMismatch(cell, int(n), side)
		}
	}
}

// Remove takes the piece off a filled cell.
func (b *Board) Remove(cell int) {
	piece := b.piece[cell]
	if piece < 0 {
		panic("puzzle: Remove needs a filled cell")
	}
	for side, n := range &b.puzzle.neighbour[cell] {
		if n < 0 || b.piece[n] < 0 {
			continue
		}
		if seam := seamOf(cell, int(n), side); b.at[seam] < 0 {
			b.matched--
		} else {
			b.dropMismatch(seam, cell, int(n))
		}
	}
	b.piece[cell], b.cell[piece] = Empty, Empty
	b.filled--
}

// Swap exchanges the pieces of two filled cells and turns each to the given
// rotation: the piece that comes to cell a by ra, that to cell c by rc.
func (b *Board) Swap(a, ra, c, rc int) {
	p, q := int(b.piece[a]), int(b.piece[c])
	b.Remove(a)
	if a == c {
		b.Place(a, p, ra)
		return
	}
	b.Remove(c)
	b.Place(a, q, ra)
	b.Place(c, p, rc)
}

// seamOf numbers a seam by its upper or left cell: 2*cell for the joint with
// the right neighbour, 2*cell + 1 for the one with the lower neighbour.
func seamOf(cell, neighbour, side int) int {
	return 2*min(cell, neighbour) + (1 - side&1)
}

func (b *Board) addMismatch(cell, neighbour, side int) {
	seam := seamOf(cell, neighbour, side)
	b.at[seam] = int32(len(b.mismatch))
	b.mismatch = append(b.mismatch, int32(seam))
	b.cells.raise(int32(cell))
	b.cells.raise(int32(neighbour))
	b.rows.raise(b.row[cell])
	b.rows.raise(b.row[neighbour])
}

func (b *Board) dropMismatch(seam, cell, neighbour int) {
	i, end := b.at[seam], len(b.mismatch)-1
	last := b.mismatch[end]
	b.mismatch[i], b.at[last] = last, i
	b.mismatch, b.at[seam] = b.mismatch[:end], -1
	b.cells.lower(int32(cell))
	b.cells.lower(int32(neighbour))
	b.rows.lower(b.row[cell])
	b.rows.lower(b.row[neighbour])
}
