package notation

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// line is one line without its end and outer blanks, under its physical number.
type line struct {
	number int
	text   string
}

// text is what Read was given, without byte order mark.
type text struct {
	data  []byte
	lines []line // all, also blank ones
}

func newText(data []byte) (*text, error) {
	if len(data) > MaxText {
		return nil, fault("", fmt.Sprintf("a text of %d bytes", len(data)), fmt.Sprintf("at most %d", MaxText))
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, fault("", "a text in UTF-16", "UTF-8")
	}
	t := &text{data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	all := strings.ReplaceAll(string(t.data), "\r\n", "\n")
	all = strings.ReplaceAll(all, "\r", "\n")
	for i, s := range strings.Split(all, "\n") {
		t.lines = append(t.lines, line{i + 1, unquoted(strings.TrimSpace(s))})
	}
	return t, nil
}

// unquoted takes the marks off that a mail puts before a line it answers.
func unquoted(s string) string {
	if strings.HasPrefix(s, ">") {
		return strings.TrimLeft(s, "> \t")
	}
	return s
}

// rows are the lines that carry something: no blank ones, no # comments.
func (t *text) rows() []line {
	var rows []line
	for _, l := range t.lines {
		if l.text != "" && l.text[0] != '#' {
			rows = append(rows, l)
		}
	}
	return rows
}

// first is the first line that is not blank, comments included.
func (t *text) first() line {
	for _, l := range t.lines {
		if l.text != "" {
			return l
		}
	}
	return line{}
}

// fields splits a row at blanks, tabs, commas and semicolons.
func fields(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' })
}

// clip quotes the beginning of a piece of text.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return strconv.Quote(s)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "..."
}

// oneLine keeps a message on one line of the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
}

// listing joins numbers, the first few of many.
func listing(numbers []int) string {
	const most = 8
	var b strings.Builder
	for i, n := range numbers {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(numbers)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// counted is "1 cell", "2 cells".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// cells is "cell 4" or "cells 4, 5".
func cellsText(cells []int) string {
	if len(cells) == 1 {
		return "cell " + listing(cells)
	}
	return "cells " + listing(cells)
}

// linesText is "line 4" or "lines 4, 5": so many that a file can be mended in
// one go.
func linesText(numbers []int) string {
	const most = 100
	if len(numbers) == 1 {
		return fmt.Sprintf("line %d", numbers[0])
	}
	var s []string
	for _, n := range numbers[:min(len(numbers), most)] {
		s = append(s, strconv.Itoa(n))
	}
	text := "lines " + strings.Join(s, ", ")
	if more := len(numbers) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// maxBoards bounds what a text of tiny boards can claim.
const maxBoards = 1 << 12

func tooMany(boards int) error {
	if boards > maxBoards {
		return fault("", fmt.Sprintf("more than %d boards", maxBoards), "fewer in one text")
	}
	return nil
}
