package game

// Points measure positions, for the side to move: so many for a stone or a pawn.
// They lie between -MaxPoints and MaxPoints.
type Points = int32

// MaxPoints bounds all values.
const MaxPoints Points = 32000

// infinite is beyond all values.
const infinite = MaxPoints + 1

// Move is a move; the game says which.
type Move uint16

// none is no move: a slot where none is known.
const none Move = 0xfffe

// Board is a game for two that is being played: moves are made and taken back.
// Both players see everything, chance has no part, and what one wins the other
// loses. Move 0xfffe must not be legal.
type Board interface {
	// Moves appends the legal moves: none when the game is over. Where the rules
	// make a player pass, the pass is a move.
	Moves(list []Move) []Move
	// Play makes a legal move.
	Play(m Move)
	// Skip gives the turn to the other side, whether or not the rules allow it.
	Skip()
	// Undo takes back the last Play or Skip.
	Undo()

	// MustPass tells whether passing is the only move.
	MustPass() bool
	// Left bounds the moves to come that are not passes, or is a guess at them.
	Left() int
	// Gain tells how much a legal move changes at once, such as the stones that it
	// takes: loud moves are tried first.
	Gain(m Move) int
	// Value is the result of a game that is over, else an estimate of it, for the
	// side to move.
	Value() Points
	// Key is a hash of all that decides how the game goes on.
	Key() uint64
}
