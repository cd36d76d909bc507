package virus

import "lastmile/game"

// Stone is what a stone is worth, in points.
const Stone game.Points = 100

// Strong are the settings that play best: see the study selective.
var Strong = game.Settings{Table: 20, Late: true, Quiet: 2}

// Board is a game in progress, as package game searches it.
type Board struct {
	Position
	before  []Position
	weights *Weights
}

var _ game.Board = (*Board)(nil)

// NewBoard returns a board with this position. Positions are valued with the
// weights, or with DefaultWeights if there are none.
func NewBoard(p Position, w *Weights) *Board {
	if w == nil {
		w = &DefaultWeights
	}
	return &Board{Position: p, before: make([]Position, 0, 256), weights: w}
}

// Moves appends the legal moves.
func (b *Board) Moves(list []game.Move) []game.Move { return appendMoves(&b.Position, list) }

// Play makes a legal move.
func (b *Board) Play(m game.Move) {
	b.before = append(b.before, b.Position)
	b.Position = b.Position.Play(Move(m))
}

// Skip gives the turn to the other side.
func (b *Board) Skip() {
	b.before = append(b.before, b.Position)
	b.Position = b.Position.Swapped()
}

// Undo takes back the last Play or Skip.
func (b *Board) Undo() {
	last := len(b.before) - 1
	b.Position, b.before = b.before[last], b.before[:last]
}

// Left is the number of empty squares.
func (b *Board) Left() int { return b.Empty().Count() }

// Gain is the number of stones that a move turns.
func (b *Board) Gain(m game.Move) int { return b.Turned(Move(m)) }

// Value is the margin of a game that is over, and what the weights say of another.
func (b *Board) Value() game.Points {
	if b.Over() {
		r := game.Points(b.Result())
		v := r * Stone
		switch {
		case r > 0:
			v += b.weights.Win
		case r < 0:
			v -= b.weights.Win
		}
		return v
	}
	return b.weights.Value(&b.Position)
}
