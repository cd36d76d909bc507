package certify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lastmile/puzzle"
)

// Format and Version head every manifest.
const (
	Format  = "lastmile certificate"
	Version = 1
)

// Manifest is a certificate without its formulas and proofs: the board, the
// claim, and the steps that show it. With the proofs beside it anybody can check
// it again; see Check.
type Manifest struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Encoding int    `json:"encoding"`
	Claim    string `json:"claim"` // what follows, in words

	Puzzle PieceSet `json:"puzzle"`
	Board  [][3]int `json:"board"` // cell, piece from 0, clockwise quarter turns
	Cells  []int    `json:"cells"` // of the region, ascending
	Breaks int      `json:"breaks"`
	Floor  int      `json:"floor"` // every refill of the cells breaks so many of their seams or more
	Steps  []Step   `json:"steps"`

	// Seal is a hash of all else, so that damage shows. It keeps nobody from
	// making another certificate: what is true of that one, Check says too.
	Seal string `json:"seal"`
}

// PieceSet is a puzzle as a manifest holds it.
type PieceSet struct {
	Name   string         `json:"name"`
	Width  int            `json:"width"`
	Height int            `json:"height"`
	Pieces []puzzle.Edges `json:"pieces"` // up, right, down, left
}

// Certificate is the manifest of what a result has proved of the refills of the
// region.
func (res *Result) Certificate(r *Region) *Manifest {
	p := r.whole.Puzzle()
	m := &Manifest{
		Format: Format, Version: Version, Encoding: Encoding,
		Claim:  r.claim(res.Floor),
		Puzzle: PieceSet{strings.ToValidUTF8(p.Name, "\ufffd"), p.Width, p.Height, p.Pieces},
		Cells:  r.cells, Breaks: r.own, Floor: res.Floor, Steps: res.Steps,
	}
	for _, q := range r.whole.Placements(nil) {
		m.Board = append(m.Board, [3]int{q.Cell, q.Piece, q.Rotation})
	}
	m.Seal = m.seal()
	return m
}

// claim says in words that every refill breaks so many seams or more.
func (r *Region) claim(floor int) string {
	return fmt.Sprintf("Of the %d seams of these %d cells, every way to fill the cells with the pieces that lie on no other cell leaves %d or more broken; the board leaves %d.",
		len(r.seams), len(r.cells), floor, r.own)
}

func (m *Manifest) seal() string {
	bare := *m
	bare.Seal = ""
	text, err := json.Marshal(&bare)
	if err != nil {
		panic(err) // numbers and strings
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Write writes the manifest as JSON.
func (m *Manifest) Write(w io.Writer) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", " "); err != nil {
		return err
	}
	indented.WriteByte('\n')
	_, err = w.Write(compact(indented.Bytes()))
	return err
}

// compact puts lists of numbers on one line each.
func compact(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\n' {
			out = append(out, text[i])
			continue
		}
		rest := bytes.TrimLeft(text[i:], " \n")
		number := func(b byte) bool { return b >= '0' && b <= '9' || b == '-' }
		last := out[len(out)-1]
		if len(rest) > 0 && (last == '[' || last == ',') && number(rest[0]) || number(last) && len(rest) > 0 && rest[0] == ']' {
			i = len(text) - len(rest) - 1
			continue
		}
		out = append(out, '\n')
	}
	return out
}

// MaxManifest is the longest manifest that Read takes, in bytes.
const MaxManifest = 64 << 20

// Read reads a manifest and checks that it is one, of this version, and
// undamaged; what it claims is for Check.
func Read(in io.Reader) (*Manifest, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxManifest+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxManifest {
		return nil, fmt.Errorf("more than %d bytes, want a manifest", MaxManifest)
	}
	m := &Manifest{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("no manifest: %w", err)
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, errors.New("something stands behind the manifest")
	}
	switch {
	case m.Format != Format:
		return nil, fmt.Errorf("format %q, want %q", m.Format, Format)
	case m.Version != Version:
		return nil, fmt.Errorf("version %d of the format, want %d", m.Version, Version)
	case m.Encoding != Encoding:
		return nil, fmt.Errorf("encoding %d, want %d", m.Encoding, Encoding)
	case m.Seal != m.seal():
		return nil, errors.New("the seal is broken: the manifest is not as it was written")
	}
	return m, nil
}

// Region is the board and the cells of the manifest, as the claim speaks of them.
func (m *Manifest) Region() (*Region, error) {
	p, err := puzzle.New(m.Puzzle.Name, m.Puzzle.Width, m.Puzzle.Height, m.Puzzle.Pieces, nil)
	if err != nil {
		return nil, err
	}
	b := puzzle.NewBoard(p)
	for _, q := range m.Board {
		cell, piece, rotation := q[0], q[1], q[2]
		switch {
		case cell < 0 || cell >= p.Cells() || b.Piece(cell) != puzzle.Empty:
			return nil, fmt.Errorf("cell %d holds a second piece, or is none", cell)
		case piece < 0 || piece >= len(p.Pieces) || b.CellOf(piece) != puzzle.Empty:
			return nil, fmt.Errorf("piece %d lies on the board twice, or is none", piece)
		case rotation < 0 || rotation > 3:
			return nil, fmt.Errorf("rotation %d at cell %d, want 0 to 3", rotation, cell)
		}
		b.Place(cell, piece, rotation)
	}
	r, err := NewRegion(b, m.Cells)
	switch {
	case err != nil:
		return nil, err
	case !slices.Equal(r.cells, m.Cells):
		return nil, errors.New("the cells are not those that the board leaves, ascending")
	case r.own != m.Breaks:
		return nil, fmt.Errorf("the board leaves %d of the seams broken, not %d", r.own, m.Breaks)
	}
	return r, nil
}
