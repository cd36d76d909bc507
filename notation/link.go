package notation

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lastmile/puzzle"
)

// link is a viewer's link: a label and a board, as keys and values in the
// fragment, in the query, or bare.
type link struct {
	line   int // where it begins
	values map[string]string
	viewer bool // of eternity2.dev, which knows square boards only
	url    bool
}

// linkKeys are the keys that viewers give a meaning. Others are ignored.
var linkKeys = []string{"puzzle", "board_w", "board_h", "puzzle_size", "board_edges", "board_pieces", "board_types", "board_custom", "motifs_order", "hints"}

// startsWithKey gives the known key that s begins with, "" if none.
func startsWithKey(s string) string {
	s = strings.TrimLeft(s, "#?&")
	for _, k := range linkKeys {
		if rest, ok := strings.CutPrefix(s, k); ok && (strings.HasPrefix(rest, "=") || strings.HasPrefix(strings.ToLower(rest), "%3d")) {
			return k
		}
	}
	return ""
}

// newLink splits a joined link into keys and values. What a link suffers on
// its way is undone first, once: entities of HTML, and percent-encoding of the
// link as a whole. The link's own encoding of each value is then decoded.
func newLink(at int, s string) (*link, error) {
	l := &link{line: at, values: map[string]string{}}
	for _, entity := range []string{"&amp;", "&#38;", "&#x26;"} {
		s = strings.ReplaceAll(s, entity, "&")
	}
	l.url = strings.Contains(s, "://")
	l.viewer = ofViewer(s)
	query, fragment := "", s
	if i := strings.IndexByte(s, '#'); i >= 0 {
		query, fragment = s[:i], s[i+1:]
	} else if l.url || strings.HasPrefix(s, "?") {
		query, fragment = s, ""
	}
	if i := strings.IndexByte(query, '?'); i >= 0 {
		query = query[i+1:]
	} else {
		query = ""
	}
	if err := l.add(fragment, false); err != nil {
		return nil, err
	}
	if err := l.add(query, true); err != nil {
		return nil, err
	}
	if !l.has("puzzle") && !l.has("board_edges") {
		return nil, fault("", "a link without a board: "+clip(s), "board_edges=... or puzzle=NAME")
	}
	l.viewer = l.viewer || l.has("puzzle_size") && !l.has("board_w") && !l.has("board_h")
	return l, nil
}

func ofViewer(s string) bool {
	return strings.Contains(s, "://") && strings.Contains(s, "eternity2.dev")
}

func (l *link) has(key string) bool { _, ok := l.values[key]; return ok }

// add takes the pairs of one part of the link. A plus is a blank in a query
// and a plus elsewhere.
func (l *link) add(part string, query bool) error {
	if !strings.Contains(part, "=") && strings.Contains(strings.ToLower(part), "%3d") {
		whole, err := url.PathUnescape(part)
		if err != nil {
			return fault("", "a broken percent code: "+err.Error(), "% and two hexadecimal digits")
		}
		part = whole
	}
	for pair := range strings.SplitSeq(part, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if key == "" {
			continue
		}
		if query {
			value = strings.ReplaceAll(value, "+", " ")
		}
		if decoded, err := url.PathUnescape(value); err == nil {
			value = decoded
		} else if key != "puzzle" && slices.Contains(linkKeys, key) {
			return fault(key, "a broken percent code: "+err.Error(), "% and two hexadecimal digits")
		}
		if before, twice := l.values[key]; twice && before != value && slices.Contains(linkKeys, key) {
			return fault(key, "given twice with different values", "one")
		}
		l.values[key] = value
	}
	return nil
}

// size tells width and height from the keys, or from the number of letters.
func (l *link) size(letters int, o Options) (w, h int, err error) {
	number := func(key string) (int, error) {
		s := l.values[key]
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > puzzle.MaxSide {
			return 0, fault(key, clip(s), fmt.Sprintf("1 to %d", puzzle.MaxSide))
		}
		return n, nil
	}
	for _, k := range []struct {
		key string
		to  []*int
	}{{"puzzle_size", []*int{&w, &h}}, {"board_w", []*int{&w}}, {"board_h", []*int{&h}}} {
		if !l.has(k.key) {
			continue
		}
		n, err := number(k.key)
		if err != nil {
			return 0, 0, err
		}
		for _, to := range k.to {
			*to = n
		}
	}
	switch {
	case w == 0 && h == 0:
		return sizeOfLetters(letters, o)
	case w == 0 && letters%(4*h) == 0:
		w = letters / (4 * h)
	case h == 0 && letters%(4*w) == 0:
		h = letters / (4 * w)
	}
	if w < 1 || h < 1 || w > puzzle.MaxSide || h > puzzle.MaxSide {
		return 0, 0, fault("board_w, board_h", "one of them missing", "both")
	}
	return w, h, nil
}

// sizeOfLetters guesses a size that the text does not give: that of the given
// puzzle, else a square.
func sizeOfLetters(letters int, o Options) (w, h int, err error) {
	w, h, ok := boardOfLetters(letters, o)
	if !ok {
		return 0, 0, fault("", counted(letters, "letter"), "four for each cell of a square board, such as 1024 for 16x16, or a link with board_w and board_h")
	}
	return w, h, nil
}

func boardOfLetters(letters int, o Options) (w, h int, ok bool) {
	if p := o.Puzzle; p != nil && letters == 4*p.Cells() {
		return p.Width, p.Height, true
	}
	side := int(math.Sqrt(float64(letters / 4)))
	return side, side, side >= 1 && side <= puzzle.MaxSide && 4*side*side == letters
}

// read makes a document of the link.
func (l *link) read(o Options) (*Document, error) {
	d := &Document{Dialect: "bucas", Name: l.values["puzzle"]}
	if l.viewer {
		d.Dialect = "viewer"
	}
	edges, ok := l.values["board_edges"]
	if !ok {
		if l.has("board_pieces") {
			return nil, fault("board_edges", "missing: board_pieces alone does not tell how the pieces are turned", "board_edges")
		}
		if err := d.readRecord(); err != nil {
			return nil, err
		}
		return d, d.readHints(l.values["hints"], o.Lenient)
	}
	edges = strings.Map(func(r rune) rune { // left by line wraps
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, edges)
	w, h, err := l.size(len(edges), o)
	if err != nil {
		return nil, err
	}
	raw, err := decodeLetters(d, "board_edges", edges, w, h, o.Lenient)
	if err != nil {
		return nil, err
	}
	declared := orders[0]
	if s := l.values["motifs_order"]; s != "" {
		var known bool
		if declared, known = orderNamed(s); !known {
			d.warn("motifs_order %s is not known (known are %s): the letters are tried as they stand first", clip(s), orderNames())
		}
	}
	digits, sent := l.values["board_pieces"]
	numbers := boardPieces(d, digits, sent, raw)
	d.nameLetters(raw, declared, numbers.choose(d, raw, declared, o), o)
	numbers.compare(d)
	if s, ok := l.values["hints"]; ok {
		if err := d.readHints(s, o.Lenient); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// readRecord answers a link that holds a name only.
func (d *Document) readRecord() error {
	r, ok := puzzle.RecordNamed(d.Name)
	if !ok {
		var known []string
		for _, r := range puzzle.Records() {
			known = append(append(known, r.Name), r.Aliases...)
		}
		return fault("puzzle", "no board and the unknown name "+clip(d.Name), "board_edges or one of "+strings.Join(known, ", "))
	}
	p := puzzle.Official()
	d.Grid = p.Look(r.Board)
	d.nameBy(p, nil)
	d.warn("the link holds a name only: read as the published board %s", r.Name)
	return nil
}
