package puzzle

import (
	_ "embed" // the data of the official puzzle
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// The official set, in one line a piece: its number and its colours clockwise
// from the top.
//
//go:embed official.tsv
var officialText string

// Published record boards: name, who found it, other names, and for each cell
// piece.rotation.
//
//go:embed records.tsv
var recordsText string

// The clues of Eternity II. The first is the starter piece, whose place the
// rules give; the others are the solutions of four smaller puzzles.
var officialClues = []Placement{
	{Cell: 8*16 + 7, Piece: 138, Rotation: 0},
	{Cell: 2*16 + 2, Piece: 207, Rotation: 1},
	{Cell: 2*16 + 13, Piece: 254, Rotation: 1},
	{Cell: 13*16 + 2, Piece: 180, Rotation: 1},
	{Cell: 13*16 + 13, Piece: 248, Rotation: 2},
}

var official = sync.OnceValue(func() *Puzzle {
	var pieces []Edges
	for line := range strings.Lines(officialText) {
		var number int
		var e Edges
		if _, err := fmt.Sscan(line, &number, &e[0], &e[1], &e[2], &e[3]); err != nil || number != len(pieces)+1 {
			panic("puzzle: official.tsv is damaged at " + strconv.Quote(line))
		}
		pieces = append(pieces, e)
	}
	p, err := New("Eternity II", 16, 16, pieces, officialClues)
	if err != nil {
		panic(err)
	}
	return p
})

// Official is Eternity II (Christopher Monckton, 2007): 256 pieces, 22 colours,
// five clues.
func Official() *Puzzle { return official() }

// ClueSets are the names that CluesNamed knows.
var ClueSets = []string{"none", "starter", "five"}

// CluesNamed returns the official clues: none, the starter alone, or all five.
func CluesNamed(name string) ([]Placement, error) {
	switch name {
	case "none":
		return nil, nil
	case "starter":
		return officialClues[:1:1], nil
	case "five":
		return officialClues[:5:5], nil
	}
	return nil, fmt.Errorf("clues %q, want one of %s", name, strings.Join(ClueSets, ", "))
}

// Record is a published board of the official puzzle.
type Record struct {
	Name    string
	By      string   // who published it
	Aliases []string // names under which viewers know it
	Board   []Placement
}

var records = sync.OnceValue(func() []Record {
	var all []Record
	for line := range strings.Lines(recordsText) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 4 {
			panic("puzzle: records.tsv is damaged")
		}
		r := Record{Name: fields[0], By: fields[1], Aliases: strings.Fields(fields[2])}
		for cell, token := range strings.Fields(fields[3]) {
			q := Placement{Cell: cell}
			if _, err := fmt.Sscanf(token, "%d.%d", &q.Piece, &q.Rotation); err != nil {
				panic("puzzle: records.tsv is damaged at " + token)
			}
			q.Piece--
			r.Board = append(r.Board, q)
		}
		all = append(all, r)
	}
	return all
})

// Records are the bundled boards, best known first within their clues.
func Records() []Record { return records() }

// RecordNamed finds a bundled board by its name or an alias, in any case.
func RecordNamed(name string) (Record, bool) {
	for _, r := range records() {
		if strings.EqualFold(r.Name, name) {
			return r, true
		}
		for _, a := range r.Aliases {
			if strings.EqualFold(a, name) {
				return r, true
			}
		}
	}
	return Record{}, false
}
