package notation

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lastmile/puzzle"
)

// The CSV of a solver competition: the side of a square board, then for each
// piece four colours clockwise from the top in 16 binary digits, grey all
// ones. Three more columns may give hints, and two programs read them
// differently: as x, y, rotation, where 0,0,0 is no hint; or as a flag, x, y.
// Nothing in the file tells which, so the dialect has to.

const csvGrey = 1<<16 - 1

type csvRow struct {
	line   int
	colour [4]int
	extra  [3]int
}

func isBinary(s string) bool { return len(s) == 16 && strings.Trim(s, "01") == "" }

func claimsCSV(t *text) bool {
	good := 0
	rows := t.rows()
	for _, l := range rows {
		if f := fields(l.text); len(f) >= 4 && isBinary(f[0]) {
			good++
		}
	}
	return 2*good > len(rows)
}

func parseCSV(t *text) (*listed, []csvRow, error) {
	l := &listed{order: sideOrders[0], ordered: true, grey: csvGrey, greyKnown: true}
	var rows []csvRow
	var wrong []int
	found := ""
	columns := 0
	for i, r := range t.rows() {
		f := fields(r.text)
		if i == 0 && len(f) == 1 && !isBinary(f[0]) {
			n, err := strconv.Atoi(f[0])
			if err != nil || n < 1 || n > puzzle.MaxSide {
				return nil, nil, fault(fmt.Sprintf("line %d", r.number), clip(f[0]), fmt.Sprintf("the side of the board, 1 to %d", puzzle.MaxSide))
			}
			l.width, l.height = n, n
			continue
		}
		row := csvRow{line: r.number}
		if columns == 0 && (len(f) == 4 || len(f) == 7) {
			columns = len(f)
		}
		ok := len(f) == columns
		for k, s := range f {
			switch {
			case !ok:
			case k < 4:
				n, err := strconv.ParseUint(s, 2, 16)
				row.colour[k], ok = int(n), err == nil && isBinary(s)
			default:
				n, err := strconv.Atoi(s)
				row.extra[k-4], ok = n, err == nil && n >= 0
			}
		}
		if !ok {
			wrong = append(wrong, r.number)
			if found == "" {
				found = clip(r.text)
			}
		}
		rows = append(rows, row)
	}
	if len(wrong) > 0 {
		return nil, nil, fault(linesText(wrong), found, "4 colours of 16 binary digits, or those and 3 numbers, alike in each row")
	}
	for _, r := range rows {
		l.rows = append(l.rows, r.colour)
		l.lines = append(l.lines, r.line)
	}
	return l, rows, nil
}

func (l *listed) one(o Options) ([]*Document, error) {
	d, _, err := l.document(o)
	if err != nil {
		return nil, err
	}
	return []*Document{d}, nil
}

// readCSV reads a table without hints and asks for the dialect of one with.
func readCSV(t *text, o Options) ([]*Document, error) {
	l, rows, err := parseCSV(t)
	if err != nil {
		return nil, err
	}
	places, flags := 0, 0
	for _, r := range rows {
		if r.extra != [3]int{} {
			places++
		}
		if r.extra[0] != 0 {
			flags++
		}
	}
	if places > 0 {
		return nil, fault("columns 5 to 7", fmt.Sprintf("numbers that are %s as x,y,rotation or %s as isHint,x,y", counted(places, "hint"), counted(flags, "hint")),
			"a choice: --dialect csv-hints-xyr or --dialect csv-hints-hxy")
	}
	return l.one(o)
}

func readCSVPlaces(t *text, o Options) ([]*Document, error) {
	return readCSVHints(t, o, "x, y below the side of the board and rotation 0 to 3", func(r csvRow) (x, y, rotation int, hint, ok bool) {
		e := r.extra
		return e[0], e[1], e[2], e != [3]int{}, true
	})
}

func readCSVFlags(t *text, o Options) ([]*Document, error) {
	return readCSVHints(t, o, "isHint 0 or 1, and x, y below the side of the board", func(r csvRow) (x, y, rotation int, hint, ok bool) {
		e := r.extra
		return e[1], e[2], 0, e[0] != 0, e[0] <= 1
	})
}

func readCSVHints(t *text, o Options, want string, hintOf func(csvRow) (x, y, rotation int, hint, ok bool)) ([]*Document, error) {
	l, rows, err := parseCSV(t)
	if err != nil {
		return nil, err
	}
	side := l.width
	if side == 0 {
		side = puzzle.MaxSide
		for side*side > len(rows) {
			side--
		}
	}
	var wrong []int
	found := ""
	for i, r := range rows {
		x, y, rotation, hint, ok := hintOf(r)
		if !hint {
			continue
		}
		if !ok || x >= side || y >= side || rotation > 3 {
			if wrong = append(wrong, r.line); found == "" {
				found = fmt.Sprintf("%d,%d,%d", r.extra[0], r.extra[1], r.extra[2])
			}
			continue
		}
		l.hints = append(l.hints, listedHint{piece: i, cell: y*side + x, rotation: rotation})
	}
	if len(wrong) > 0 {
		return nil, fault(linesText(wrong), found, want)
	}
	return l.one(o)
}

// hintColumns gives the last three columns for a piece; hint is nil for none.
type hintColumns func(hint *puzzle.Placement, side int) (string, error)

func writeCSV(w io.Writer, d *Document) error {
	return writeTable(w, d, nil)
}

func writeCSVPlaces(w io.Writer, d *Document) error {
	return writeTable(w, d, func(h *puzzle.Placement, side int) (string, error) {
		if h == nil {
			return ",0,0,0", nil
		}
		if h.Cell == 0 && h.Rotation == 0 {
			return "", fault("cell 0", "a hint that is not turned, which these columns write as no hint", "csv-hints-hxy or json")
		}
		return fmt.Sprintf(",%d,%d,%d", h.Cell%side, h.Cell/side, h.Rotation), nil
	})
}

func writeCSVFlags(w io.Writer, d *Document) error {
	return writeTable(w, d, func(h *puzzle.Placement, side int) (string, error) {
		if h == nil {
			return ",0,0,0", nil
		}
		if h.Rotation != 0 {
			return "", fault(fmt.Sprintf("cell %d", h.Cell), fmt.Sprintf("a hint turned by %d", h.Rotation), "hints that are not turned, or csv-hints-xyr or json")
		}
		return fmt.Sprintf(",1,%d,%d", h.Cell%side, h.Cell/side), nil
	})
}

func writeTable(w io.Writer, d *Document, columns hintColumns) error {
	p, err := d.set()
	if err != nil {
		return err
	}
	if p.Width != p.Height {
		return fault("", fmt.Sprintf("a board of %dx%d", p.Width, p.Height), "a square one (the table has one side), or e2pieces, json")
	}
	hints := d.givenHints()
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, p.Width)
	for i, e := range p.Pieces {
		for side, c := range e {
			if side > 0 {
				b.WriteByte(',')
			}
			n := int(c)
			if c == puzzle.Grey {
				n = csvGrey
			}
			fmt.Fprintf(b, "%016b", n)
		}
		if columns != nil {
			var hint *puzzle.Placement
			if k := slices.IndexFunc(hints, func(h puzzle.Placement) bool { return h.Piece == i }); k >= 0 {
				hint = &hints[k]
			}
			s, err := columns(hint, p.Width)
			if err != nil {
				return err
			}
			b.WriteString(s)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}
