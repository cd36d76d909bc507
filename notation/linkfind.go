package notation

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// People paste links out of pages, mails and chats: with words before and
// behind, in brackets, as Markdown, escaped, encoded as a whole, or without
// their scheme. A word is a link when it names a scheme or a key.

func claimsLink(t *text) bool {
	for _, l := range t.lines {
		if l.text == "" || isComment(l.text) {
			continue
		}
		if links, _ := linksIn(l); len(links) > 0 {
			return true
		}
	}
	return false
}

// isComment tells a comment from a link that begins with its fragment.
func isComment(s string) bool { return s[0] == '#' && startsWithKey(s) == "" }

// lower is s with the letters from A to Z in lower case, byte by byte.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// startsWithKey gives the known key that s begins with, in any case, "" if
// none.
func startsWithKey(s string) string { return keyAt(strings.TrimLeft(s, "#?&")) }

// keyAt is startsWithKey without anything before the key.
func keyAt(s string) string {
	for _, k := range linkKeys {
		if len(s) > len(k) && strings.EqualFold(s[:len(k)], k) {
			rest := lower(s[len(k):min(len(s), len(k)+5)])
			for _, equals := range []string{"=", "%3d", "%253d", `\u003`} {
				if strings.HasPrefix(rest, equals) {
					return k
				}
			}
		}
	}
	return ""
}

// keyIn gives a known key inside a word, behind what separates keys: a sign,
// or a code of one such as %23, %2523 or \u0026.
func keyIn(s string) string {
	if k := startsWithKey(s); k != "" {
		return k
	}
	for i := range len(s) {
		if strings.IndexByte("#?&;/", s[i]) >= 0 || i >= 2 && s[i-2] == '%' || i >= 4 && s[i-4] == '%' || i >= 5 && s[i-5] == '\\' {
			if k := keyAt(s[i+1:]); k != "" {
				return k
			}
		}
	}
	return ""
}

var schemes = []string{"://", "%3a%2f%2f", "%253a%252f%252f", `:\/\/`}

// schemeAt is where the end of a scheme stands in a word, -1 if nowhere.
func schemeAt(s string) int {
	s = lower(s)
	at := -1
	for _, scheme := range schemes {
		if i := strings.Index(s, scheme); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

func hasScheme(s string) bool { return schemeAt(s) >= 0 }

// linksIn finds the links of a line, each once, and the text around them.
func linksIn(l line) (links []record, beside string) {
	if !strings.ContainsAny(l.text, "=:%\\") {
		return nil, l.text
	}
	var around []string
	s := strings.ReplaceAll(l.text, "](", "] (") // the label and the link of Markdown
	for word := range strings.FieldsFuncSeq(s, endsLink) {
		begin := schemeAt(word)
		if begin >= 0 {
			for begin > 0 && word[begin-1]|0x20 >= 'a' && word[begin-1]|0x20 <= 'z' {
				begin--
			}
		} else if keyIn(word) != "" {
			begin = len(word) - len(strings.TrimLeft(word, "([{*`_"))
		}
		if begin < 0 || len(links) > maxBoards {
			around = append(around, word)
			continue
		}
		if begin > 0 {
			around = append(around, word[:begin])
		}
		link := word[begin:]
		if n := len(links); n == 0 || withoutTail(links[n-1].text) != withoutTail(link) {
			links = append(links, record{line: l.number, text: link, link: true})
		}
	}
	// The last one may go on over the next line; the others are whole.
	for i := range links[:max(0, len(links)-1)] {
		links[i].text = withoutTail(links[i].text)
	}
	return links, strings.Join(around, " ")
}

// endsLink tells what cannot be in a link: blanks, what mails, chats, boards
// and tables put around one, and signs that no address has as they are.
func endsLink(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("<>[]|\"'", r) ||
		r > unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r))
}

// withoutTail cuts what a sentence or a bracket puts behind a link. A bracket
// that the link opens is its own.
func withoutTail(s string) string {
	const closing, opening = ")]}", "([{"
	var closed [len(closing)]int
	for i := range closed {
		closed[i] = strings.Count(s, closing[i:i+1]) - strings.Count(s, opening[i:i+1])
	}
	for s != "" {
		last := s[len(s)-1]
		if i := strings.IndexByte(closing, last); i >= 0 && closed[i] > 0 {
			closed[i]--
		} else if strings.IndexByte(".,;:!?*`~\\", last) < 0 {
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}

var (
	entities = regexp.MustCompile(`(?i)&(?:amp|#38|#x26);`)
	escapes  = regexp.MustCompile(`(?i)\\u00[2-7][0-9a-f]|\\/`)
)

// unescape undoes what pages and programs do to a link: entities of &, also of
// an entity; escapes of strings; and percent-encoding of the whole.
func unescape(s string) (string, error) {
	const deepest = 4
	if strings.Contains(s, `\`) {
		s = escapes.ReplaceAllStringFunc(s, func(e string) string {
			if n, err := strconv.ParseUint(strings.TrimPrefix(lower(e), `\u`), 16, 8); err == nil {
				return string(rune(n))
			}
			return "/"
		})
	}
	for range deepest {
		t := entities.ReplaceAllString(s, "&")
		if t == s {
			break
		}
		s = t
	}
	if strings.Contains(s, "://") {
		return s, nil
	}
	switch code := lower(s); {
	case strings.Contains(code, "%253a%252f%252f"):
		return "", twiceEncoded("")
	case strings.Contains(code, "%3a%2f%2f"):
		whole, err := url.PathUnescape(s)
		if err != nil {
			return "", brokenCode("", err)
		}
		return whole, nil
	}
	return s, nil
}
