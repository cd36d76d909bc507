package notation

import "io"

// Dialect is a way to write boards or piece sets.
type Dialect struct {
	Name, Description string
	Reads, Writes     bool

	Board  bool // a text holds a board
	Pieces bool // a text holds a list of pieces; the only thing in it unless Board
	Many   bool // a text may hold several boards, one behind the other
}

// dialect is a Dialect with its functions. A new one is a file with these
// functions and an entry in dialects.
type dialect struct {
	Dialect
	claims func(*text) bool // recognises it; nil: only when forced
	read   func(*text, Options) ([]*Document, error)
	write  func(io.Writer, *Document) error
}

// dialects are tried in this order: the first that claims a text reads it.
var dialects = []dialect{
	{describe("json", "a board with its pieces; also instances and puzzles with rows, cols, tiles and placed", aBoard|pieceList), claimsJSON, readJSON, writeJSON},
	{describe("bucas", "link of e2.bucas.name: board_edges, board_pieces, motifs_order; or its name alone", aBoard|many), claimsLink, readList, writeBucas},
	{describe("viewer", "link of eternity2.dev: square boards, hints", aBoard|many), nil, readList, writeViewer},
	{describe("edges", "bare letters, four a cell, of a square board; a is grey", aBoard|many), claimsEdges, readList, writeEdges},
	{describe("et2", "grid of piece/rotation, ---/- for an empty cell, a half turn away from the official rotations", aBoard|many), claimsEt2, readEt2, writeEt2},
	{describe("pieces", "grid of piece/rotation, -/- for an empty cell", aBoard|many), claimsGrid, readGrid, writeGrid},
	{describe("csv", "list of pieces: colours in 16 binary digits, grey all ones, no hints", pieceList), claimsCSV, readCSV, writeCSV},
	{describe("csv-hints-xyr", "the same with three more columns: x, y, rotation of a hint; 0,0,0 for none", pieceList), nil, readCSVPlaces, writeCSVPlaces},
	{describe("csv-hints-hxy", "the same with three more columns: 1 for a hint, x, y; not turned", pieceList), nil, readCSVFlags, writeCSVFlags},
	{describe("solution", "a row for each piece of a list: x, y, rotation, under the size", aBoard), claimsSolution, readSolution, writeSolution},
	{describe("e2pieces", "list of pieces: four colours a row, sides in any order, with or without numbers", pieceList), claimsPieces, readPieces, writePieces},
}

// What a text of a dialect carries.
const (
	aBoard = 1 << iota
	pieceList
	many
)

func describe(name, description string, carries int) Dialect {
	return Dialect{Name: name, Description: description, Board: carries&aBoard != 0, Pieces: carries&pieceList != 0, Many: carries&many != 0}
}

// Dialects lists what Read and Write know.
func Dialects() []Dialect {
	all := make([]Dialect, len(dialects))
	for i, d := range dialects {
		all[i] = d.Dialect
		all[i].Reads, all[i].Writes = d.read != nil, d.write != nil
	}
	return all
}

func dialectNamed(name string) *dialect {
	for i := range dialects {
		if dialects[i].Name == name {
			return &dialects[i]
		}
	}
	return nil
}

func names(which func(*dialect) bool) []string {
	var all []string
	for i := range dialects {
		if which(&dialects[i]) {
			all = append(all, dialects[i].Name)
		}
	}
	return all
}
