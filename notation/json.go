package notation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"lastmile/puzzle"
)

// The JSON of this module carries all of a document: size, pieces, the colours
// on each cell, which piece that is, hints and score. Instances in circulation
// are read too: width, height, pieces, hints; and rows, cols, tiles, placed.
// Colours are clockwise from the top, 0 grey; pieces are numbered from 1.

// jsonBoard has the keys of all of them.
type jsonBoard struct {
	Name   json.RawMessage `json:"name"`
	ID     json.RawMessage `json:"id"`
	Width  *int            `json:"width"`
	Height *int            `json:"height"`
	Rows   *int            `json:"rows"`
	Cols   *int            `json:"cols"`
	Pieces [][]int         `json:"pieces"`
	Tiles  [][]int         `json:"tiles"`

	Edges      json.RawMessage `json:"edges"` // by cell: four colours or null; or letters
	Placements []jsonPlacement `json:"placements"`
	Hints      []jsonPlacement `json:"hints"`
	Placed     []jsonPlaced    `json:"placed"`
	Score      json.RawMessage `json:"score"`

	URL   json.RawMessage `json:"url"`
	Board json.RawMessage `json:"board"`
}

type jsonPlacement struct {
	Cell     *int `json:"cell"`
	Piece    *int `json:"piece"`
	Rotation *int `json:"rotation"`
}

type jsonPlaced struct {
	Row  *int  `json:"row"`
	Col  *int  `json:"col"`
	Tile []int `json:"tile"`
}

func claimsJSON(t *text) bool {
	s := strings.TrimLeft(string(t.data[:min(len(t.data), 256)]), " \t\r\n")
	return strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")
}

// readJSON reads one object, an array of them, or several in a row.
func readJSON(t *text, o Options) ([]*Document, error) {
	var documents []*Document
	decoder := json.NewDecoder(bytes.NewReader(t.data))
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, jsonFault(t.data, err, decoder.InputOffset())
		}
		all := []json.RawMessage{raw}
		if raw[0] == '[' {
			all = nil
			if err := json.Unmarshal(raw, &all); err != nil {
				return nil, jsonFault(t.data, err, decoder.InputOffset())
			}
		}
		for _, one := range all {
			d, err := readObject(one, o, 0)
			if err != nil {
				return nil, err
			}
			documents = append(documents, d...)
			if err := tooMany(len(documents)); err != nil {
				return nil, err
			}
		}
	}
	if len(documents) == 0 {
		return nil, fault("", "no board", "an object with width, height and pieces or edges")
	}
	return documents, nil
}

// jsonFault says where the syntax or a type is wrong.
func jsonFault(data []byte, err error, offset int64) error {
	where := ""
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		where = kind.Field
		return fault(where, "a "+kind.Value, "a value of another kind: "+kind.Type.String())
	}
	n := 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
	return fault(fmt.Sprintf("line %d", n), strings.TrimPrefix(err.Error(), "json: "), "JSON")
}

func readObject(raw json.RawMessage, o Options, depth int) ([]*Document, error) {
	const deepest = 4
	var b jsonBoard
	if err := json.Unmarshal(raw, &b); err != nil {
		return nil, jsonFault(raw, err, 0)
	}
	if string(b.Edges) == "null" {
		b.Edges = nil
	}
	w, h, err := b.size()
	if err != nil {
		return nil, err
	}
	switch {
	case b.Pieces != nil || b.Tiles != nil || b.Edges != nil || b.Placements != nil:
		d, err := b.read(w, h, o)
		if err != nil {
			return nil, err
		}
		return []*Document{d}, nil
	case len(b.Board) > 0 && b.Board[0] == '{' && depth < deepest:
		return readObject(b.Board, o, depth+1)
	}
	if s := cmp.Or(stringIn(b.URL), stringIn(b.Board)); s != "" {
		t, err := newText([]byte(s))
		if err != nil {
			return nil, err
		}
		return readList(t, o)
	}
	return nil, fault("", "an object without a board", "width, height and pieces, edges or placements; or rows, cols and tiles; or url")
}

// stringIn is the string that raw holds, "" when it holds anything else.
func stringIn(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func (b *jsonBoard) name() string { return cmp.Or(stringIn(b.Name), stringIn(b.ID)) }

func (b *jsonBoard) size() (w, h int, err error) {
	for _, k := range []struct {
		name  string
		value *int
		to    *int
	}{{"width", b.Width, &w}, {"cols", b.Cols, &w}, {"height", b.Height, &h}, {"rows", b.Rows, &h}} {
		if k.value == nil {
			continue
		}
		if *k.value < 1 || *k.value > puzzle.MaxSide {
			return 0, 0, fault(k.name, fmt.Sprint(*k.value), fmt.Sprintf("1 to %d", puzzle.MaxSide))
		}
		*k.to = *k.value
	}
	if (w == 0) != (h == 0) {
		return 0, 0, fault("", "only one of width and height", "both")
	}
	return w, h, nil
}

func (b *jsonBoard) read(w, h int, o Options) (*Document, error) {
	d := &Document{Name: b.name()}
	rows := b.Pieces
	if rows == nil {
		rows = b.Tiles
	}
	var r *reading
	if rows != nil {
		l := &listed{name: b.name(), width: w, height: h, order: sideOrders[0], ordered: true, greyKnown: true}
		for i, row := range rows {
			if len(row) != 4 {
				return nil, fault(fmt.Sprintf("piece %d", i+1), counted(len(row), "colour"), "4")
			}
			for _, c := range row {
				if c < 0 || c > puzzle.MaxColours {
					return nil, fault(fmt.Sprintf("piece %d", i+1), fmt.Sprintf("colour %d", c), fmt.Sprintf("0 to %d", puzzle.MaxColours))
				}
			}
			l.rows = append(l.rows, [4]int(row))
		}
		var err error
		if d, r, err = l.document(o); err != nil {
			return nil, err
		}
		w, h = l.width, l.height
	}
	set := &jsonSet{names: d.Puzzle, listed: d.Listed, reading: r, hintOn: map[int]puzzle.Placement{}, hinted: map[int]bool{}}
	if set.names == nil {
		set.names, set.listed = o.naming(), o.given()
	}
	if err := b.readBoard(d, set, w, h, o); err != nil {
		return nil, err
	}
	if err := b.readHints(d, set); err != nil {
		return nil, err
	}
	var said int
	if d.Grid != nil && json.Unmarshal(b.Score, &said) == nil {
		if score := d.Grid.Tally().Matched; score != said {
			d.warn("score says %d, the edges give %d: the edges win", said, score)
		}
	}
	return d, nil
}
