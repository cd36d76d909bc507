package notation

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Bare edges are the letters of a board and nothing else, so their number has
// to tell the size: that of a square. A file may list several boards, one a
// line, links among them, with # comments.

// leastLetters keeps a short word from being a board, unless the dialect or a
// set of that size says that it is one.
const leastLetters = 4 * 9

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

// boardOfLetters tells the size of a board of bare letters.
func boardOfLetters(letters int, o Options) (w, h int, ok bool) {
	if p := o.Puzzle; p != nil && letters == 4*p.Cells() {
		return p.Width, p.Height, true
	}
	side, ok := squareOfLetters(letters)
	return side, side, ok && (letters >= leastLetters || o.Dialect == "edges")
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
		numbered := len(list) > 1 || r.line > 1
		d, err := r.read(o)
		if err != nil {
			e := inDialect(err, r.dialect(o)).(*Error)
			if numbered {
				e.Where = strings.TrimSuffix(fmt.Sprintf("line %d, %s", r.line, e.Where), ", ")
			}
			return nil, e
		}
		for i, w := range d.Warnings {
			if numbered {
				d.Warnings[i] = fmt.Sprintf("line %d: %s", r.line, w)
			}
		}
		if s := r.ignored(); s != "" {
			d.warn("%s", s)
		}
		documents = append(documents, d)
	}
	return documents, nil
}

// forcedList is the dialect of these that the options force, "" if none.
func (o Options) forcedList() string {
	switch o.Dialect {
	case "bucas", "viewer", "edges":
		return o.Dialect
	}
	return ""
}

// dialect is what faults of the record are reported under.
func (r record) dialect(o Options) string {
	switch forced := o.forcedList(); {
	case forced != "":
		return forced
	case !r.link:
		return "edges"
	case strings.Contains(r.text, "://") && strings.Contains(r.text, "eternity2.dev"):
		return "viewer"
	}
	return "bucas"
}

func (r record) read(o Options) (*Document, error) {
	forced := o.forcedList()
	if r.link {
		if forced == "edges" {
			return nil, fault("", "a link: "+clip(r.text), "bare letters, or the dialect bucas or viewer")
		}
		l, err := newLink(r.text)
		if err != nil {
			return nil, err
		}
		d, err := l.read(o)
		if err == nil && forced != "" {
			if err := l.checkForced(forced); err != nil {
				return nil, err
			}
			d.Dialect = forced
		}
		return d, err
	}
	if forced != "" && forced != "edges" {
		return nil, fault("", "no link: "+clip(r.text), "a link, or the dialect edges for bare letters")
	}
	d := &Document{Dialect: "edges"}
	if first, bad := illegible(r.text); bad > 0 && !o.Lenient {
		return nil, badLetters("", r.text, first, bad)
	}
	letters := utf8.RuneCountInString(r.text)
	w, h, err := sizeOfLetters(letters, o)
	if err != nil {
		return nil, err
	}
	if _, _, ok := boardOfLetters(letters, o); !ok {
		return nil, fault("", counted(letters, "letter")+" in "+clip(r.text), fmt.Sprintf("at least %d, or --dialect edges for so small a board", leastLetters))
	}
	raw, err := decodeLetters(d, "", r.text, w, h, o.Lenient)
	if err != nil {
		return nil, err
	}
	d.nameLetters(raw, orders[0], nil, o)
	return d, nil
}

// checkForced refuses a link of the other viewer. A link that holds no more
// than a name or letters may be of either.
func (l *link) checkForced(forced string) error {
	square := l.has("puzzle_size") && !l.has("board_w") && !l.has("board_h")
	oblong := !l.has("puzzle_size") && (l.has("board_w") || l.has("board_h"))
	kind := cmp.Or(l.values["puzzle_size"], l.values["board_w"], l.values["board_h"])
	switch {
	case forced == "bucas" && (l.host && l.viewer || !l.host && square):
		return fault("", "a link of eternity2.dev (puzzle_size="+kind+")", "board_w and board_h, or the dialect viewer")
	case forced == "viewer" && (l.host && !l.viewer || !l.host && oblong):
		return fault("", "a link that is not of eternity2.dev", "its host or puzzle_size, or the dialect bucas")
	}
	return nil
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
