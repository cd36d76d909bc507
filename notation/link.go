package notation

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lastmile/puzzle"
)

// link is a viewer's link: a label and a board, as keys and values in the
// fragment, in the query, or bare.
type link struct {
	values map[string]string
	last   string // the last known key
	notes  []string
	url    bool
	host   bool // it names one
	viewer bool // of eternity2.dev, which knows square boards only
}

// linkKeys are the keys that viewers give a meaning. Others are ignored.
var linkKeys = []string{"puzzle", "board_w", "board_h", "puzzle_size", "board_edges", "board_pieces", "board_types", "board_custom", "motifs_order", "hints"}

// newLink splits a joined link into keys and values. What a link suffers on
// its way is undone first, once: escapes of HTML and of programs, and
// percent-encoding of the link as a whole. The link's own encoding of each
// value is then decoded.
func newLink(s string) (*link, error) { return linkWithin(s, 2) }

// linkWithin also looks for the link in the values of another, as deep as that.
func linkWithin(s string, depth int) (*link, error) {
	l := &link{values: map[string]string{}}
	s, err := unescape(s)
	if err != nil {
		return nil, err
	}
	host := s
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		host = s[:i]
	}
	l.url = hasScheme(s)
	l.host = l.url || strings.Contains(host, ".") && !strings.Contains(host, "=") && keyIn(host) == ""
	l.viewer = l.host && strings.Contains(host, "eternity2.dev")
	query, fragment := "", s
	if i := strings.IndexByte(s, '#'); i >= 0 {
		query, fragment = s[:i], s[i+1:]
	} else if l.host || strings.HasPrefix(s, "?") {
		query, fragment = s, ""
	}
	if i := strings.IndexByte(query, '?'); i >= 0 {
		query = query[i+1:]
	} else {
		query = ""
	}
	if err := l.add(query, true); err != nil {
		return nil, err
	}
	if err := l.add(fragment, false); err != nil {
		return nil, err
	}
	if !l.has("puzzle") && !l.has("board_edges") {
		for _, key := range slices.Sorted(maps.Keys(l.values)) {
			if v := l.values[key]; depth > 0 && hasScheme(v) && keyIn(v) != "" {
				return linkWithin(v, depth-1)
			}
		}
		return nil, fault("", "a link without a board: "+clip(s), "board_edges=... or puzzle=NAME")
	}
	l.viewer = l.viewer || !l.host && l.has("puzzle_size") && !l.has("board_w") && !l.has("board_h")
	return l, nil
}

func (l *link) has(key string) bool { _, ok := l.values[key]; return ok }

// add takes the pairs of one part of the link. A plus is a blank in a query
// and a plus elsewhere.
func (l *link) add(part string, query bool) error {
	if !strings.Contains(part, "=") && strings.Contains(lower(part), "%3d") {
		whole, err := url.PathUnescape(part)
		if err != nil {
			return brokenCode("", err)
		}
		part = whole
	}
	if !strings.Contains(part, "=") && strings.Contains(lower(part), "%253d") {
		return twiceEncoded("")
	}
	for pair := range strings.SplitSeq(part, "&") {
		key, value, _ := strings.Cut(pair, "=")
		known := slices.Contains(linkKeys, key)
		if !known {
			if i := slices.Index(linkKeys, lower(key)); i >= 0 {
				return fault("", "key "+key, linkKeys[i])
			}
			if key == "" {
				continue
			}
		}
		if query {
			value = strings.ReplaceAll(value, "+", " ")
		}
		if decoded, err := url.PathUnescape(value); err == nil {
			value = decoded
		} else if key != "puzzle" && known {
			return brokenCode(key, err)
		}
		if known && key != "puzzle" && isEncoded(value) {
			return twiceEncoded(key)
		}
		if before, twice := l.values[key]; twice && before != value && known {
			return fault(key, "given twice with different values", "one")
		}
		l.values[key] = value
		if known {
			l.last = key
		}
	}
	return nil
}

func brokenCode(where string, err error) error {
	return fault(where, "a broken percent code: "+strings.TrimPrefix(err.Error(), "invalid URL escape "), "% and two hexadecimal digits")
}

func twiceEncoded(where string) error {
	return fault(where, "percent codes of percent codes (the link is encoded twice)", "a link that is encoded once: decode it once and paste that")
}

// isEncoded tells whether a decoded value still holds a percent code.
func isEncoded(s string) bool {
	i := strings.IndexByte(s, '%')
	decoded, err := url.PathUnescape(s)
	return i >= 0 && err == nil && decoded != s
}

func (l *link) sized() bool { return l.has("board_w") || l.has("board_h") || l.has("puzzle_size") }

// side reads a key that holds a width or a height, 0 when it is not there.
func (l *link) side(key string) (int, error) {
	s, ok := l.values[key]
	if !ok {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > puzzle.MaxSide {
		return 0, fault(key, clip(s), fmt.Sprintf("1 to %d", puzzle.MaxSide))
	}
	return n, nil
}

// size tells width and height from the keys, or from the number of letters,
// which also decides when puzzle_size contradicts the other two.
func (l *link) size(letters int, o Options) (w, h int, err error) {
	var sides [3]int
	for i, key := range []string{"puzzle_size", "board_w", "board_h"} {
		if sides[i], err = l.side(key); err != nil {
			return 0, 0, err
		}
	}
	size, w, h := sides[0], sides[1], sides[2]
	if size > 0 && (w > 0 && w != size || h > 0 && h != size) {
		said := fmt.Sprintf("puzzle_size says %dx%d, board_w and board_h say %dx%d", size, size, cmp.Or(w, size), cmp.Or(h, size))
		if letters != 4*cmp.Or(w, size)*cmp.Or(h, size) && letters == 4*size*size {
			w, h = size, size
		}
		l.notes = append(l.notes, fmt.Sprintf("%s: read as %dx%d", said, cmp.Or(w, size), cmp.Or(h, size)))
	}
	if size > 0 {
		w, h = cmp.Or(w, size), cmp.Or(h, size)
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
	if p := o.Puzzle; p != nil && letters == 4*p.Cells() {
		return p.Width, p.Height, nil
	}
	side, ok := squareOfLetters(letters)
	if !ok {
		return 0, 0, fault("", counted(letters, "letter"), "four for each cell of a square board, such as 1024 for 16x16, or a link with board_w and board_h")
	}
	return side, side, nil
}

// squareOfLetters is the side of a square board with that many letters.
func squareOfLetters(letters int) (side int, ok bool) {
	side = int(math.Sqrt(float64(letters / 4)))
	return side, side >= 1 && side <= puzzle.MaxSide && 4*side*side == letters
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
		if err := l.readRecord(d, o); err != nil {
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
	w, h, err := l.size(utf8.RuneCountInString(edges), o)
	if err != nil {
		return nil, err
	}
	d.Warnings = append(d.Warnings, l.notes...)
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
	d.nameLetters(raw, declared, numbers.choose(d, raw, o), o)
	numbers.compare(d)
	if s, ok := l.values["hints"]; ok {
		if err := d.readHints(s, o.Lenient); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// readRecord answers a link that holds a name only.
func (l *link) readRecord(d *Document, o Options) error {
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
	w, h, err := l.size(4*p.Cells(), o)
	if err != nil {
		return err
	}
	d.Warnings = append(d.Warnings, l.notes...)
	if w != p.Width || h != p.Height {
		d.warn("the link says %dx%d, the published board is %dx%d", w, h, p.Width, p.Height)
	}
	return nil
}
