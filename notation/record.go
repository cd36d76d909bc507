package notation

import (
	"fmt"
	"strings"
)

// record is one board of a list file: a link, or bare letters.
type record struct {
	line   int
	text   string
	link   bool
	beside []line // prose around it
}

// A lister puts the lines of a list file together to records.
type lister struct {
	o       Options
	linked  bool // the text has links, so prose may stand around them
	list    []record
	blob    []line   // bare letters, line by line
	open    *wrapped // a link that may go on
	leading []line   // prose before the first record
}

// records puts wrapped lines together. A link goes on over the lines that do
// not begin another; a blank line or a comment ends it. Lines of bare letters
// are a board each, unless only together they have the letters of one.
func records(t *text, o Options) []record {
	c := &lister{o: o, linked: claimsLink(t)}
	for _, l := range t.lines {
		if l.text == "" || isComment(l.text) {
			c.end()
		} else {
			c.add(l)
		}
	}
	c.end()
	if len(c.list) > 0 {
		c.list[0].beside = append(c.leading, c.list[0].beside...)
	}
	return withoutOtherLinks(c.list)
}

func (c *lister) add(l line) {
	key := startsWithKey(l.text)
	links, beside := linksIn(l)
	rest := len(links) == 1 && beside == "" && !hasScheme(l.text) // may be the rest of a wrapped link
	switch {
	case c.open != nil && key != "" && rest && !c.open.keys[key]:
		c.open.addPair(l.text)
	case len(links) > 0 && !(rest && key == "" && c.open.goesOnWith(l.text, links[0].text)):
		c.end()
		last := len(links) - 1
		c.list = append(c.list, links[:last]...)
		c.open = newWrapped(links[last])
		if beside != "" {
			c.prose(line{l.number, beside})
		}
	case c.open != nil && (strings.ContainsAny(l.text, " \t") || c.open.full(c.o) && c.isProse(l.text)): // no link has blanks
		c.prose(l)
		c.end()
	case c.open != nil && !c.open.endsBefore(l.text, c.o):
		c.open.add(l.text)
	case c.linked && c.isProse(l.text):
		c.end()
		c.prose(l)
	default:
		if c.open != nil {
			c.end()
		}
		c.blob = append(c.blob, l)
	}
}

// end closes what is open.
func (c *lister) end() {
	c.list = append(c.list, splitBlob(c.blob, c.o)...)
	c.blob = nil
	if c.open != nil {
		c.list = append(c.list, c.open.join())
		c.open = nil
	}
}

// prose keeps words for the record that they stand beside: the one before
// them, if any.
func (c *lister) prose(l line) {
	switch n := len(c.list); {
	case c.open != nil:
		c.open.beside = append(c.open.beside, l)
	case n > 0:
		c.list[n-1].beside = append(c.list[n-1].beside, l)
	default:
		c.leading = append(c.leading, l)
	}
}

// isProse tells whether a line beside links is no board of letters, not even a
// damaged one.
func (c *lister) isProse(s string) bool {
	if _, _, ok := boardOfLetters(len(s), c.o); ok && isLetters(s) {
		return false
	}
	return len(s) < leastLetters || strings.ContainsAny(s, " \t")
}

// withoutOtherLinks drops links that have no key of a board where others have:
// they lead somewhere else.
func withoutOtherLinks(list []record) []record {
	var boards []record
	var leading []line
	for _, r := range list {
		if r.link && keyIn(r.text) == "" {
			other := append([]line{{r.line, r.text}}, r.beside...)
			if n := len(boards); n > 0 {
				boards[n-1].beside = append(boards[n-1].beside, other...)
			} else {
				leading = append(leading, other...)
			}
			continue
		}
		boards = append(boards, r)
	}
	if len(boards) == 0 {
		return list
	}
	boards[0].beside = append(leading, boards[0].beside...)
	return boards
}

// ignored says which words beside a record were not read.
func (r record) ignored() string {
	var said []line
	for _, l := range r.beside {
		if l.text = strings.Trim(l.text, " \t<>()[]{}*`_,;:-=|#~"); strings.Trim(l.text, ".!?\"'") != "" {
			said = append(said, l)
		}
	}
	if len(said) == 0 {
		return ""
	}
	s := fmt.Sprintf("line %d: text beside the link is ignored: %s", said[0].number, clip(said[0].text))
	if more := len(said) - 1; more > 0 {
		s += fmt.Sprintf(", and %s more", counted(more, "line"))
	}
	return s
}

// wrapped is a link that may go on over the next lines.
type wrapped struct {
	record
	parts  []string
	keys   map[string]bool // known keys seen so far
	checks int
}

func newWrapped(r record) *wrapped {
	w := &wrapped{record: r, keys: map[string]bool{}}
	w.add(r.text)
	return w
}

func (w *wrapped) add(part string) {
	w.parts = append(w.parts, part)
	for _, key := range linkKeys {
		if strings.Contains(part, key+"=") {
			w.keys[key] = true
		}
	}
}

// addPair adds a line that begins with a key, as a list of keys or a link that
// was broken at & has them.
func (w *wrapped) addPair(part string) {
	if last := w.parts[len(w.parts)-1]; !strings.HasSuffix(last, "&") && !strings.HasSuffix(last, ";") && part[0] != '&' {
		part = "&" + part
	}
	w.add(part)
}

// goesOnWith tells whether a line that has a key inside is the rest of the link.
func (w *wrapped) goesOnWith(s, link string) bool {
	return w != nil && strings.HasPrefix(s, link) && (len(w.keys) == 0 || !strings.Contains(s, "#"))
}

func (w *wrapped) join() record {
	w.text = withoutTail(strings.Join(w.parts, ""))
	return w.record
}

// endsBefore tells whether a line is a board of bare letters behind a complete
// link, and not the rest of the link.
func (w *wrapped) endsBefore(s string, o Options) bool {
	if _, _, ok := boardOfLetters(len(s), o); !ok || !isLetters(s) {
		return false
	}
	return len(w.keys) == 0 && keyIn(w.parts[0]) == "" || w.complete(o) != nil
}

// full tells whether a complete board is the last thing in the link.
func (w *wrapped) full(o Options) bool {
	l := w.complete(o)
	if l == nil {
		return false
	}
	switch value := l.values[l.last]; l.last {
	case "board_edges":
		return true
	case "board_pieces":
		return 4*len(value) == 3*len(l.values["board_edges"])
	case "motifs_order":
		_, known := orderNamed(value)
		return known
	}
	return false
}

// complete gives the link if it has all letters of a board. The number of looks
// is bounded, so that no text takes time quadratic in its length.
func (w *wrapped) complete(o Options) *link {
	const looks = 64
	if w.checks == looks {
		return nil
	}
	w.checks++
	l, err := newLink(w.join().text)
	if err != nil {
		return nil
	}
	edges := len(l.values["board_edges"])
	if !l.sized() && edges != 4*o.given().Cells() {
		return nil // any part may be the letters of a smaller board
	}
	if width, height, err := l.size(edges, o); err != nil || edges != 4*width*height {
		return nil
	}
	return l
}

// splitBlob decides whether lines of letters are a board each or one together.
func splitBlob(lines []line, o Options) []record {
	var each []record
	var all strings.Builder
	whole := true // every line has the letters of a board
	for _, l := range lines {
		each = append(each, record{line: l.number, text: l.text})
		all.WriteString(l.text)
		if _, _, ok := boardOfLetters(len(l.text), o); !ok {
			whole = false
		}
	}
	if len(lines) < 2 {
		return each
	}
	_, _, ok := boardOfLetters(all.Len(), o)
	// Sixteen rows of 64 letters are an official board, not 16 boards of 4x4.
	if ok && (!whole || all.Len() == 4*o.given().Cells()) {
		return []record{{line: lines[0].number, text: all.String()}}
	}
	return each
}
