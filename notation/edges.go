package notation

import (
	"fmt"
	"io"
	"strings"
)

// Bare edges are the letters of a board and nothing else, so their number has
// to tell the size: that of a square. A file may list several boards, one a
// line, links among them, with # comments.

func isLetters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

func claimsEdges(t *text) bool {
	rows := t.rows()
	for _, l := range rows {
		if !isLetters(l.text) {
			return false
		}
	}
	return len(rows) > 0
}

// readList reads the boards of a file that lists links and bare edges.
func readList(t *text, o Options) ([]*Document, error) {
	list := records(t, o)
	if len(list) == 0 {
		return nil, fault("", "no board", "a link or a line of letters")
	}
	if err := tooMany(len(list)); err != nil {
		return nil, err
	}
	var documents []*Document
	for _, r := range list {
		d, err := r.read(o)
		if err != nil {
			e := inDialect(err, r.dialect()).(*Error)
			if len(list) > 1 || r.line > 1 {
				e.Where = strings.TrimSuffix(fmt.Sprintf("line %d, %s", r.line, e.Where), ", ")
			}
			return nil, e
		}
		if r.trailing != "" {
			d.warn("line %d: text beside the link is ignored: %s", r.line, clip(r.trailing))
		}
		documents = append(documents, d)
	}
	return documents, nil
}

// dialect is what faults of the record are reported under.
func (r record) dialect() string {
	switch {
	case !r.link:
		return "edges"
	case ofViewer(r.text):
		return "viewer"
	}
	return "bucas"
}

func (r record) read(o Options) (*Document, error) {
	if r.link {
		l, err := newLink(r.line, r.text)
		if err != nil {
			return nil, err
		}
		return l.read(o)
	}
	d := &Document{Dialect: "edges"}
	if first, bad := illegible(r.text); bad > 0 && !o.Lenient {
		return nil, badLetters("", r.text, first, bad)
	}
	w, h, err := sizeOfLetters(len(r.text), o)
	if err != nil {
		return nil, err
	}
	raw, err := decodeLetters(d, "", r.text, w, h, o.Lenient)
	if err != nil {
		return nil, err
	}
	d.nameLetters(raw, orders[0], nil, o)
	return d, nil
}

func writeEdges(w io.Writer, d *Document) error {
	g, err := d.board()
	if err != nil {
		return err
	}
	if g.Width != g.Height {
		return fault("", fmt.Sprintf("a board of %dx%d", g.Width, g.Height), "a square one (bare letters do not tell the size), or bucas")
	}
	letters, err := encodeLetters(g)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, letters)
	return err
}
