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

// jsonBoard is an object that holds a board or pieces.
type jsonBoard struct{ jsonObject }

// claimsJSON tells an array of objects from a link in brackets.
func claimsJSON(t *text) bool {
	s := strings.TrimLeft(string(t.data[:min(len(t.data), 256)]), " \t\r\n")
	if rest, ok := strings.CutPrefix(s, "["); ok {
		rest = strings.TrimLeft(rest, " \t\r\n")
		return rest == "" || strings.IndexByte(`{[]"`, rest[0]) >= 0
	}
	return strings.HasPrefix(s, "{")
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
			if all, err = elements("", raw); err != nil {
				return nil, err
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

// jsonFault says where the syntax is wrong.
func jsonFault(data []byte, err error, offset int64) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	n := 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
	return fault(fmt.Sprintf("line %d", n), strings.TrimPrefix(err.Error(), "json: "), "JSON")
}

func readObject(raw json.RawMessage, o Options, depth int) ([]*Document, error) {
	const deepest = 4
	object, err := objectIn("", raw)
	if err != nil {
		return nil, err
	}
	b := jsonBoard{object}
	w, h, err := b.size()
	if err != nil {
		return nil, err
	}
	board := b.values["board"]
	switch {
	case b.has("pieces") || b.has("tiles") || b.has("edges") || b.has("placements"):
		d, err := b.read(w, h, o)
		if err != nil {
			return nil, err
		}
		return []*Document{d}, nil
	case len(board) > 0 && board[0] == '{' && depth < deepest:
		documents, err := readObject(board, o, depth+1)
		if err == nil && len(documents) == 1 {
			b.checkScore(documents[0])
		}
		return documents, err
	}
	if s := cmp.Or(stringIn(b.values["url"]), stringIn(board)); s != "" {
		t, err := newText([]byte(s))
		if err != nil {
			return nil, err
		}
		documents, err := readList(t, o)
		if err == nil && len(documents) == 1 {
			b.checkScore(documents[0])
		}
		return documents, err
	}
	if b.isVerdict() {
		return nil, fault("", "the verdict on a board, as lastmile score --json prints it, which does not hold the board", "the board that it was made from")
	}
	return nil, fault("", "an object without a board", "width, height and pieces, edges or placements; or rows, cols and tiles; or url")
}

// isVerdict recognises what the score command prints.
func (b jsonBoard) isVerdict() bool {
	for _, key := range []string{"clues_held", "rim_faults", "foreign", "duplicates"} {
		if !b.has(key) {
			return false
		}
	}
	return true
}

func (b jsonBoard) name() string {
	return cmp.Or(stringIn(b.values["name"]), stringIn(b.values["id"]))
}

// size tells width and height. Both pairs of keys may give them, if they agree.
func (b jsonBoard) size() (w, h int, err error) {
	for _, k := range []struct {
		key, other string
		to         *int
	}{{"width", "cols", &w}, {"height", "rows", &h}} {
		for _, key := range []string{k.key, k.other} {
			n, given, err := b.whole(key)
			switch {
			case err != nil:
				return 0, 0, err
			case !given:
				continue
			case n < 1 || n > puzzle.MaxSide:
				return 0, 0, fault(key, fmt.Sprint(n), fmt.Sprintf("1 to %d", puzzle.MaxSide))
			case *k.to != 0 && *k.to != n:
				return 0, 0, fault(k.key+" and "+k.other, fmt.Sprintf("%d and %d", *k.to, n), "the same, or one of them")
			}
			*k.to = n
		}
	}
	if (w == 0) != (h == 0) {
		return 0, 0, fault("", "only one of width and height", "both")
	}
	return w, h, nil
}

// list gives the pieces, which are called tiles by some; nil when there are
// none.
func (b jsonBoard) list(w, h int) (*listed, error) {
	key := "pieces"
	if !b.has(key) {
		key = "tiles"
	} else if b.has("tiles") && !sameJSON(b.values["pieces"], b.values["tiles"]) {
		return nil, fault("pieces and tiles", "two lists", "one")
	}
	rows, err := b.elements(key)
	if rows == nil || err != nil {
		return nil, err
	}
	l := &listed{name: b.name(), width: w, height: h, order: sideOrders[0], ordered: true, greyKnown: true}
	for i, raw := range rows {
		row, err := coloursIn(fmt.Sprintf("piece %d", i+1), raw)
		if err != nil {
			return nil, err
		}
		l.rows = append(l.rows, row)
	}
	return l, nil
}

func (b jsonBoard) read(w, h int, o Options) (*Document, error) {
	d := &Document{Name: b.name()}
	l, err := b.list(w, h)
	if err != nil {
		return nil, err
	}
	var r *reading
	if l != nil {
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
	if d.Grid == nil && d.Puzzle == nil {
		return nil, fault("", "an object without a board", "pieces, edges or placements")
	}
	b.check(d)
	return d, nil
}
