package notation

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// PrintableJSON escapes what is no printable character in a JSON text, such as
// the controls and directions that can steer a terminal. Outside ASCII such
// characters stand in strings only, so the text means the same.
func PrintableJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x7f || unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, "\\u%04x\\u%04x", high, low)
		}
	}
	return b.String()
}
