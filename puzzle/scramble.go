package puzzle

import "lastmile/random"

// Scramble exchanges random pieces of one kind (corner, edge, inner) among the
// cells, turned at random where the frame rule allows it, until at most that
// share of the seams matches. It tells whether it came to that before it gave
// up. The cells must be filled.
func Scramble(b *Board, cells []int, share float64, r *random.Stream) bool {
	p := b.Puzzle()
	const tries = 50 // for each cell
	for range tries * len(cells) {
		if float64(b.Score()) <= share*float64(p.MaxScore()) {
			return true
		}
		one, other := cells[r.Below(len(cells))], cells[r.Below(len(cells))]
		turn, otherTurn := p.RandomTurn(one, b.Piece(other), r), p.RandomTurn(other, b.Piece(one), r)
		if turn >= 0 && otherTurn >= 0 {
			b.Swap(one, turn, other, otherTurn)
		}
	}
	return float64(b.Score()) <= share*float64(p.MaxScore())
}

// RandomTurn is a random rotation of a piece that the frame rule allows on a
// cell, or -1.
func (p *Puzzle) RandomTurn(cell, piece int, r *random.Stream) int {
	first := r.Below(4)
	for i := range 4 {
		if turn := (first + i) & 3; p.FitsAt(cell, piece, turn) {
			return turn
		}
	}
	return -1
}
