package job

import (
	"encoding/json"
	"fmt"

	"lastmile/puzzle"
)

// Set is a piece set as it travels.
type Set struct {
	Name   string         `json:"name"`
	Width  int            `json:"width"`
	Height int            `json:"height"`
	Pieces []puzzle.Edges `json:"pieces"`
}

// SetOf is the piece set of a puzzle.
func SetOf(p *puzzle.Puzzle) Set { return Set{p.Name, p.Width, p.Height, p.Pieces} }

// Official is the name of the official set. Each program has it.
var Official = SetOf(puzzle.Official()).ID()

// ID is the name of the set, made of its size and its pieces.
func (s Set) ID() string {
	s.Name = ""
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return digest(text)
}

// Puzzle is the puzzle of the set with these clues.
func (s Set) Puzzle(clues []puzzle.Placement) (*puzzle.Puzzle, error) {
	return puzzle.New(s.Name, s.Width, s.Height, s.Pieces, clues)
}

// ReadSet reads a set of this name.
func ReadSet(id string, text []byte) (Set, error) {
	var s Set
	if err := json.Unmarshal(text, &s); err != nil {
		return Set{}, fmt.Errorf("piece set %s: %w", id, err)
	}
	if s.ID() != id {
		return Set{}, fmt.Errorf("piece set %s has the content of %s", id, s.ID())
	}
	return s, nil
}
