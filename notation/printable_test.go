package notation

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestPrintableJSON(t *testing.T) {
	want := map[string]string{"name": "a\u009b31m b\u202e c\u007f d\U000e0001 é 中 \ufeff\n"}
	text, err := json.MarshalIndent(want, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	escaped := PrintableJSON(string(text))
	if i := strings.IndexFunc(escaped, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("%q at %d of %q", escaped[i], i, escaped)
	}
	var got map[string]string
	if err := json.Unmarshal([]byte(escaped), &got); err != nil || got["name"] != want["name"] {
		t.Errorf("%q, %v", got, err)
	}
}
