package notation

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A list of pieces has a row of four colours for each piece, some with the
// number of the piece before them. What may come first: names of the columns,
// the number of hints (0), the size.

// numbersIn gives the numbers of a row, false when there is anything else.
func numbersIn(s string) ([]int, bool) {
	all := fields(s)
	numbers := make([]int, len(all))
	for i, f := range all {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, false
		}
		numbers[i] = n
	}
	return numbers, len(all) > 0
}

// countNumeric counts the rows and those that are only numbers, by length.
func countNumeric(t *text) (rows int, numeric map[int]int) {
	numeric = map[int]int{}
	for _, l := range t.rows() {
		rows++
		if n, ok := numbersIn(l.text); ok {
			numeric[len(n)]++
		}
	}
	return rows, numeric
}

func claimsPieces(t *text) bool {
	rows, numeric := countNumeric(t)
	all := 0
	for _, n := range numeric {
		all += n
	}
	return 2*all > rows
}

func readPieces(t *text, o Options) ([]*Document, error) {
	l, err := parsePieces(t)
	if err != nil {
		return nil, err
	}
	d, _, err := l.document(o)
	if err != nil {
		return nil, err
	}
	return []*Document{d}, nil
}

func parsePieces(t *text) (*listed, error) {
	l := &listed{}
	for _, c := range t.lines {
		if strings.HasPrefix(c.text, "#") && !l.ordered {
			l.order, l.ordered = sidesNamed(c.text)
		}
	}
	rows := t.rows()
	if len(rows) > 0 {
		if _, ok := numbersIn(rows[0].text); !ok {
			if s, named := sidesNamed(rows[0].text); named {
				l.order, l.ordered = s, true
				rows = rows[1:]
			}
		}
	}
	table := make([][]int, len(rows))
	var notNumbers []int
	for i, r := range rows {
		var ok bool
		if table[i], ok = numbersIn(r.text); !ok {
			notNumbers = append(notNumbers, r.number)
		}
	}
	if len(notNumbers) > 0 {
		return nil, fault(linesText(notNumbers), "not only numbers", "four colours, or a number and four colours")
	}
	if err := checkNegative(rows, table); err != nil {
		return nil, err
	}
	rows, table, err := l.header(rows, table)
	if err != nil {
		return nil, err
	}
	return l, l.fill(rows, table)
}

// checkNegative refuses rows with a number below 0.
func checkNegative(rows []line, table [][]int) error {
	var negative []int
	found := ""
	for i, n := range table {
		k := slices.IndexFunc(n, func(c int) bool { return c < 0 })
		if k < 0 {
			continue
		}
		if negative = append(negative, rows[i].number); found == "" {
			found = fmt.Sprintf("%d in %s", n[k], clip(rows[i].text))
		}
	}
	if len(negative) > 0 {
		return fault(linesText(negative), found, "numbers from 0")
	}
	return nil
}

// header takes the rows before the first piece.
func (l *listed) header(rows []line, table [][]int) ([]line, [][]int, error) {
	for len(rows) > 0 && len(table[0]) < 3 && l.width == 0 {
		switch h := table[0]; {
		case len(h) == 2:
			l.width, l.height = h[0], h[1]
		case h[0] == 0:
			// the number of hints
		case h[0] > 0 && h[0] < 1<<15 && h[0]*h[0] == len(rows)-1:
			l.width, l.height = h[0], h[0]
		default:
			return nil, nil, fault(fmt.Sprintf("line %d", rows[0].number), fmt.Sprintf("%d above %d rows", h[0], len(rows)-1), "the side of a square board, or 0 hints")
		}
		rows, table = rows[1:], table[1:]
	}
	if l.width < 0 || l.height < 0 || l.width == 0 != (l.height == 0) {
		return nil, nil, fault("", fmt.Sprintf("size %dx%d", l.width, l.height), "a width and a height from 1")
	}
	return rows, table, nil
}

// fill takes the rows of the pieces: all with four fields or all with five.
func (l *listed) fill(rows []line, table [][]int) error {
	four, five := 0, 0
	for _, n := range table {
		switch len(n) {
		case 4:
			four++
		case 5:
			five++
		}
	}
	width, want := 4, "4: the colours of a piece"
	if five > four {
		width, want = 5, "5: the number and the colours of a piece"
	}
	var wrong []int
	found := ""
	for i, n := range table {
		if len(n) != width {
			wrong = append(wrong, rows[i].number)
			if found == "" {
				found = fmt.Sprintf("%s in %s", counted(len(n), "field"), clip(rows[i].text))
			}
		}
	}
	if len(wrong) > 0 {
		return fault(linesText(wrong), found, want)
	}
	l.rows, l.lines = make([][4]int, len(table)), make([]int, len(table))
	if width == 4 {
		for i, n := range table {
			l.rows[i], l.lines[i] = [4]int(n), rows[i].number
		}
		return nil
	}
	if len(table) == 0 {
		return nil
	}
	first := table[0][0]
	for _, n := range table {
		first = min(first, n[0])
	}
	if first == 0 {
		l.notes = append(l.notes, "the pieces are numbered from 0")
	}
	for i, n := range table {
		at := n[0] - first
		if first != 0 && first != 1 || at >= len(table) || l.lines[at] != 0 {
			return fault(fmt.Sprintf("line %d", rows[i].number), fmt.Sprintf("piece number %d", n[0]), fmt.Sprintf("each number from 1 to %d once", len(table)))
		}
		l.rows[at], l.lines[at] = [4]int(n[1:]), rows[i].number
	}
	return nil
}

// writePieces writes the colours clockwise from the top, under width and
// height where the number of pieces does not tell them.
func writePieces(w io.Writer, d *Document) error {
	p, err := d.set()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if p.Width != p.Height {
		fmt.Fprintf(b, "%d %d\n", p.Width, p.Height)
	}
	for _, e := range p.Pieces {
		fmt.Fprintf(b, "%d %d %d %d\n", e[0], e[1], e[2], e[3])
	}
	return b.Flush()
}
