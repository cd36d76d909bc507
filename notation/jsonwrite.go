package notation

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"lastmile/puzzle"
)

// writeJSON writes a key a line, and a row a line in the arrays by piece and
// by cell, so that two boards can be compared with a line tool.
func writeJSON(w io.Writer, d *Document) error {
	if d.Grid == nil && d.Puzzle == nil {
		return fault("", "an empty document", "a board or pieces")
	}
	b := bufio.NewWriter(w)
	width, height := 0, 0
	if d.Puzzle != nil {
		width, height = d.Puzzle.Width, d.Puzzle.Height
	} else {
		width, height = d.Grid.Width, d.Grid.Height
	}
	name, err := json.Marshal(d.Name)
	if err != nil {
		return err
	}
	name = []byte(PrintableJSON(string(name)))
	fmt.Fprintf(b, "{\n\"format\": \"lastmile-board\",\n\"name\": %s,\n\"width\": %d,\n\"height\": %d", name, width, height)
	if d.Puzzle != nil {
		fmt.Fprintf(b, ",\n\"official\": %v", d.Official)
	}
	if d.Grid != nil {
		t := d.Grid.Tally()
		fmt.Fprintf(b, ",\n\"score\": %d,\n\"max\": %d,\n\"breaks\": %d,\n\"open\": %d,\n\"empty\": %d", t.Matched, t.Max, t.Breaks, t.Open, t.Empty)
		writeArray(b, "edges", len(d.Grid.Edges), func(cell int) string {
			if !d.Grid.Filled[cell] {
				return "null"
			}
			return edgesText(d.Grid.Edges[cell])
		})
		if d.Puzzle != nil {
			writeArray(b, "placements", len(d.ID.Placements), func(i int) string { return placementText(d.ID.Placements[i]) })
		}
	}
	if d.Puzzle != nil {
		hints := d.givenHints()
		writeArray(b, "hints", len(hints), func(i int) string { return placementText(hints[i]) })
		writeArray(b, "pieces", len(d.Puzzle.Pieces), func(i int) string { return edgesText(d.Puzzle.Pieces[i]) })
	}
	fmt.Fprint(b, "\n}\n")
	return b.Flush()
}

func writeArray(b *bufio.Writer, key string, n int, row func(int) string) {
	fmt.Fprintf(b, ",\n%q: [", key)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + row(i))
	}
	b.WriteByte(']')
}

func edgesText(e puzzle.Edges) string { return fmt.Sprintf("[%d,%d,%d,%d]", e[0], e[1], e[2], e[3]) }

func placementText(q puzzle.Placement) string {
	return fmt.Sprintf(`{"cell":%d,"piece":%d,"rotation":%d}`, q.Cell, q.Piece+1, q.Rotation)
}
