package notation

import "strings"

// record is one board of a list file: a link, or bare letters.
type record struct {
	line     int
	text     string
	link     bool
	trailing string // text beside a link on its line
}

// records puts wrapped lines together. A link goes on over the lines that do
// not begin another; a blank line or a comment ends it. Lines of bare letters
// are a board each, unless only together they have the letters of one.
func records(t *text, o Options) []record {
	var list []record
	var blob []line // bare letters, line by line
	var open *wrapped
	end := func() {
		list = append(list, splitBlob(blob, o)...)
		blob = nil
		if open != nil {
			list = append(list, open.join())
			open = nil
		}
	}
	for _, l := range t.lines {
		key := startsWithKey(l.text)
		switch {
		case l.text == "" || l.text[0] == '#' && key == "":
			end()
		case open != nil && key != "" && !open.keys[key] && !strings.Contains(l.text, "://"):
			open.addPair(l.text)
		case key != "" || strings.Contains(l.text, "://"):
			end()
			links := linksIn(l)
			last := len(links) - 1
			list = append(list, links[:last]...)
			open = newWrapped(links[last])
		case open != nil && strings.ContainsAny(l.text, " \t"): // prose: no link has blanks
			open.trailing = strings.TrimSpace(open.trailing + " " + l.text)
			end()
		case open != nil && !open.endsBefore(l.text, o):
			open.add(firstWord(l.text))
		default:
			if open != nil {
				end()
			}
			blob = append(blob, l)
		}
	}
	end()
	return list
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
	w.add(firstWord(part))
}

func (w *wrapped) join() record {
	w.text = strings.Join(w.parts, "")
	return w.record
}

// endsBefore tells whether a line is a board of bare letters behind a complete
// link, and not the rest of the link. The number of looks is bounded, so that
// no text takes time quadratic in its length.
func (w *wrapped) endsBefore(s string, o Options) bool {
	const looks = 64
	if _, _, ok := boardOfLetters(len(s), o); !ok || !isLetters(s) || w.checks == looks {
		return false
	}
	w.checks++
	r := w.join()
	l, err := newLink(r.line, r.text)
	if err != nil {
		return false
	}
	edges, ok := l.values["board_edges"]
	width, height, err := l.size(len(edges), o)
	return ok && err == nil && len(edges) == 4*width*height
}

// linksIn finds the links of a line in the text around them.
func linksIn(l line) []record {
	s := l.text
	if startsWithKey(s) != "" {
		link := firstWord(s)
		return []record{{line: l.number, text: link, link: true, trailing: strings.TrimSpace(s[len(link):])}}
	}
	var list []record
	beside := ""
	for len(list) <= maxBoards {
		at := strings.Index(s, "://")
		if at < 0 {
			beside += " " + s
			break
		}
		begin := at
		for begin > 0 && s[begin-1]|0x20 >= 'a' && s[begin-1]|0x20 <= 'z' {
			begin--
		}
		beside += " " + s[:begin]
		link := firstWord(s[begin:])
		list = append(list, record{line: l.number, text: link, link: true})
		s = s[begin+len(link):]
	}
	list[0].trailing = strings.Trim(beside, " \t<>\"'")
	return list
}

// firstWord is s up to what cannot be in a link.
func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t<>\"'"); i >= 0 {
		return s[:i]
	}
	return s
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
