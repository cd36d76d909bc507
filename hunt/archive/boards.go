package archive

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lastmile/puzzle"
)

// Board is a board of the archive.
type Board struct {
	ID      string
	Set     string // the name of its piece set
	Score   int
	Breaks  int
	Clues   int
	Corners [4]int // numbers of the corner pieces from 1, clockwise, the least first
	Codes   []int  // see puzzle.Board.Codes
	Job     string // that found it first; empty for a board that was brought in
	Made    string // the command that makes it again, or where it came from
	Worker  string
	Version string
	Found   time.Time
	Seen    int // times that it was found
}

// Canonical is the name of a board of a set: 32 hexadecimal digits made of how it
// looks. Boards that look alike have one name, be it that one is the other turned,
// or that two of its pieces are the same.
func Canonical(set string, b *puzzle.Board) string {
	p := b.Puzzle()
	placements := b.Placements(nil)
	var least []byte
	for turns := range 4 {
		turned, err := p.Turned(placements, turns)
		if err != nil {
			continue // a quarter turn of a board that is no square
		}
		t := puzzle.NewBoard(p)
		t.Load(turned)
		look := make([]byte, 0, 4*p.Cells())
		for cell := range p.Cells() {
			e := t.Edges(cell)
			look = append(look, e[:]...)
		}
		if least == nil || bytes.Compare(look, least) < 0 {
			least = look
		}
	}
	sum := sha256.Sum256(append([]byte(set+"\n"), least...))
	return hex.EncodeToString(sum[:16])
}

// Corners are the numbers of the corner pieces of a full board from 1, clockwise,
// turned so that the least comes first: boards that share them are of one family.
func Corners(b *puzzle.Board) (corners [4]int) {
	p := b.Puzzle()
	n, w := p.Cells(), p.Width
	for i, cell := range [4]int{0, w - 1, n - 1, n - w} {
		corners[i] = b.Piece(cell) + 1
	}
	first := slices.Index(corners[:], slices.Min(corners[:]))
	return [4]int{corners[first], corners[(first+1)%4], corners[(first+2)%4], corners[(first+3)%4]}
}

// Describe fills in what a board says of itself.
func (x *Board) Describe(set string, b *puzzle.Board, clues []puzzle.Placement) {
	x.ID, x.Set, x.Score, x.Breaks = Canonical(set, b), set, b.Score(), b.Breaks()
	x.Corners, x.Codes = Corners(b), b.Codes()
	x.Clues = 0
	for _, c := range clues {
		if b.Edges(c.Cell) == b.Puzzle().Rotated(c.Piece, c.Rotation) {
			x.Clues++
		}
	}
}

// AddBoard enters a board, and tells whether it is new. One that is there already
// is counted once more.
func (t *Tx) AddBoard(x *Board) (added bool, err error) {
	if err := t.tx.QueryRow("UPDATE boards SET seen = seen + 1 WHERE id = ? RETURNING seen", x.ID).Scan(&x.Seen); !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	x.Seen = 1
	_, err = t.tx.Exec("INSERT INTO boards VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
		x.ID, x.Set, x.Score, x.Breaks, x.Clues, corners(x.Corners), pack(x.Codes), x.Job, x.Made, x.Worker, x.Version, milliseconds(x.Found))
	return true, err
}

func corners(c [4]int) string { return fmt.Sprintf("%d-%d-%d-%d", c[0], c[1], c[2], c[3]) }

func pack(codes []int) []byte {
	b := make([]byte, 0, 2*len(codes))
	for _, c := range codes {
		b = binary.LittleEndian.AppendUint16(b, uint16(c))
	}
	return b
}

func unpack(b []byte) []int {
	codes := make([]int, len(b)/2)
	for i := range codes {
		codes[i] = int(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return codes
}

// Filter chooses boards. Its zero value chooses all.
type Filter struct {
	Set   string // of this piece set, "" for any
	Score int    // that they have at least
	Clues int    // that they hold at least
	Most  int    // 0 for all
}

// Each calls f with the boards that a filter chooses, the best first, of those the
// earliest.
func (t *Tx) Each(f Filter, do func(*Board) error) error {
	most := f.Most
	if most == 0 {
		most = -1
	}
	rows, err := t.tx.Query(`SELECT id, set_id, score, breaks, clues, corners, codes, job, made, worker, version, found, seen FROM boards
		WHERE (? = '' OR set_id = ?) AND score >= ? AND clues >= ? ORDER BY score DESC, found, id LIMIT ?`, f.Set, f.Set, f.Score, f.Clues, most)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		x := &Board{}
		var family string
		var codes []byte
		var found int64
		if err := rows.Scan(&x.ID, &x.Set, &x.Score, &x.Breaks, &x.Clues, &family, &codes, &x.Job, &x.Made, &x.Worker, &x.Version, &found, &x.Seen); err != nil {
			return err
		}
		x.Codes, x.Found = unpack(codes), timeOf(found)
		for i, part := range strings.SplitN(family, "-", 4) {
			if x.Corners[i], err = strconv.Atoi(part); err != nil {
				return fmt.Errorf("board %s: %w: corners %q", x.ID, errDamaged, family)
			}
		}
		if err := do(x); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Boards lists the boards that a filter chooses.
func (t *Tx) Boards(f Filter) (list []*Board, err error) {
	err = t.Each(f, func(x *Board) error {
		list = append(list, x)
		return nil
	})
	return list, err
}

// CountBoards counts all boards.
func (t *Tx) CountBoards() (n int64, err error) {
	err = t.tx.QueryRow("SELECT count(*) FROM boards").Scan(&n)
	return n, err
}

// Family is boards of one corner arrangement that differ in few cells.
type Family struct {
	Leader *Board // the best
	Others int    // further boards
}

// Families sorts boards of one piece set, the best first, into families: a board
// belongs to the first whose leader has the same corners and differs from it in
// fewer cells than apart, however either is turned.
func Families(p *puzzle.Puzzle, list []*Board, apart int) ([]Family, error) {
	var families []Family
	var leaders [][]int
	for _, x := range list {
		codes, err := x.upright(p)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(leaders, func(l []int) bool { return Distance(l, codes) < apart })
		if at >= 0 && families[at].Leader.Corners == x.Corners {
			families[at].Others++
			continue
		}
		families, leaders = append(families, Family{Leader: x}), append(leaders, codes)
	}
	return families, nil
}

// upright is the board turned so that the least of its corners comes first.
func (x *Board) upright(p *puzzle.Puzzle) ([]int, error) {
	b, err := p.Decode(x.Codes)
	if err != nil {
		return nil, fmt.Errorf("board %s: %w: %w", x.ID, errDamaged, err)
	}
	turns := slices.Index([]int{0, p.Width - 1, p.Cells() - 1, p.Cells() - p.Width}, b.CellOf(x.Corners[0]-1))
	turned, err := p.Turned(b.Placements(nil), -turns)
	if err != nil {
		return x.Codes, nil // a quarter turn of a board that is no square
	}
	return p.Codes(turned), nil
}

// Distance counts the cells that two boards of a set fill differently.
func Distance(a, b []int) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
