package puzzle

import (
	"cmp"
	_ "embed" // the boards
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Solved boards of generated puzzles, in one line a board: its name and the
// colours clockwise from the top of each cell, letter a for grey.
//
//go:embed generated.tsv
var generatedText string

// SolvedBoard is a generated puzzle and a board on which all its seams match.
type SolvedBoard struct {
	Name   string
	Puzzle *Puzzle
	Board  []Placement
}

var solved = sync.OnceValue(func() []SolvedBoard {
	var all []SolvedBoard
	for line := range strings.Lines(generatedText) {
		name, letters, _ := strings.Cut(strings.TrimSpace(line), "\t")
		s, err := solvedBoard(name, letters)
		if err != nil {
			panic("puzzle: generated.tsv is damaged at " + strconv.Quote(name) + ": " + err.Error())
		}
		all = append(all, s)
	}
	return all
})

// Solved are the bundled boards of generated puzzles: 16x16 cells, a frame, 22
// colours, no clues. The puzzles of Generate are others.
func Solved() []SolvedBoard { return solved() }

// SolvedNamed finds a bundled solved board by its name, in any case.
func SolvedNamed(name string) (SolvedBoard, bool) {
	for _, s := range solved() {
		if strings.EqualFold(s.Name, name) {
			return s, true
		}
	}
	return SolvedBoard{}, false
}

// solvedBoard makes a puzzle of its solution. Pieces are numbered and turned by
// their canonical edges: as they lie on the board, a search that fills cells in
// order and tries low numbers first would find each piece at once.
func solvedBoard(name, letters string) (SolvedBoard, error) {
	const side = 16
	g, pieces := NewGrid(side, side), make([]Edges, side*side)
	if len(letters) != 4*len(pieces) {
		return SolvedBoard{}, fmt.Errorf("%d letters, want %d", len(letters), 4*len(pieces))
	}
	for cell := range pieces {
		for i := range 4 {
			g.Edges[cell][i] = letters[4*cell+i] - 'a'
		}
		g.Filled[cell] = true
		pieces[cell], _ = g.Edges[cell].Canonical()
	}
	slices.SortFunc(pieces, func(a, b Edges) int { return cmp.Compare(a.word(), b.word()) })
	p, err := New(name, side, side, pieces, nil)
	if err != nil {
		return SolvedBoard{}, err
	}
	return SolvedBoard{name, p, p.Identify(g).Placements}, nil
}
