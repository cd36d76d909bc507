package engine

import (
	"fmt"
	"strings"

	"lastmile/notation"
	"lastmile/puzzle"
)

// Puzzle is a piece set as pages know it.
type Puzzle struct {
	Name   string         `json:"name"`
	Width  int            `json:"width"`
	Height int            `json:"height"`
	Max    int            `json:"max"` // seams
	Framed bool           `json:"framed"`
	Pieces []puzzle.Edges `json:"pieces"` // by piece from 0: colours up, right, down, left
	Clues  []int          `json:"clues"`  // cells
}

// PuzzleOf is a puzzle as pages know it.
func PuzzleOf(p *puzzle.Puzzle) Puzzle {
	q := Puzzle{Name: p.Name, Width: p.Width, Height: p.Height, Max: p.MaxScore(), Framed: p.Framed(), Pieces: p.Pieces, Clues: []int{}}
	for _, c := range p.Clues {
		q.Clues = append(q.Clues, c.Cell)
	}
	return q
}

// boardsAnswer lists what is bundled.
type boardsAnswer struct {
	Records []boardName `json:"records"`
	Solved  []boardName `json:"solved"`
}

type boardName struct {
	Name  string `json:"name"`
	Score int    `json:"score"`
	Size  string `json:"size"`
}

func boards(*Engine, none) (boardsAnswer, error) {
	var a boardsAnswer
	for _, r := range puzzle.Records() {
		a.Records = append(a.Records, boardName{r.Name, puzzle.Official().Look(r.Board).Tally().Matched, "16×16"})
	}
	for _, s := range puzzle.Solved() {
		a.Solved = append(a.Solved, boardName{s.Name, s.Puzzle.MaxScore(), fmt.Sprintf("%d×%d", s.Puzzle.Width, s.Puzzle.Height)})
	}
	return a, nil
}

// document finds a bundled board by its name, or reads what was pasted.
func document(text string) (*notation.Document, error) {
	text = strings.TrimSpace(text)
	if d, found := notation.Bundled(text); found {
		return d, nil
	}
	documents, err := notation.Read([]byte(text), notation.Options{})
	if err != nil {
		return nil, err
	}
	if len(documents) > 1 {
		return nil, fmt.Errorf("%d boards, want one", len(documents))
	}
	return documents[0], nil
}

// sound is the board of a text if a search can go on from it: its pieces are
// known, each lies there once, and none breaks the frame rule.
func sound(text string) (*puzzle.Board, string, error) {
	d, err := document(text)
	if err != nil {
		return nil, "", err
	}
	if err := d.Sound(); err != nil {
		return nil, "", err
	}
	b := puzzle.NewBoard(d.Puzzle)
	b.Load(d.ID.Placements)
	return b, d.Name, nil
}
