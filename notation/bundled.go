package notation

import "lastmile/puzzle"

// Bundled finds a bundled board by its name.
func Bundled(name string) (d *Document, found bool) {
	if r, found := puzzle.RecordNamed(name); found {
		return OfRecord(r), true
	}
	if s, found := puzzle.SolvedNamed(name); found {
		return OfSolved(s), true
	}
	return nil, false
}

// OfRecord is the document of a record board.
func OfRecord(r puzzle.Record) *Document { return bundled(r.Name, puzzle.Official(), r.Board) }

// OfSolved is the document of a solved board.
func OfSolved(s puzzle.SolvedBoard) *Document { return bundled(s.Name, s.Puzzle, s.Board) }

func bundled(name string, p *puzzle.Puzzle, board []puzzle.Placement) *Document {
	b := puzzle.NewBoard(p)
	b.Load(board)
	d := FromBoard(b, name)
	d.Dialect = "bundled"
	return d
}
