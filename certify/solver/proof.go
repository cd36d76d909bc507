package solver

import (
	"bufio"
	"encoding/binary"
)

// addClause writes the addition of a clause in binary DRAT.
func addClause(w *bufio.Writer, clause []int32) error {
	text := append(w.AvailableBuffer(), 'a')
	for _, l := range clause {
		code := 2 * uint64(max(l, -l))
		if l < 0 {
			code++
		}
		text = binary.AppendUvarint(text, code)
	}
	_, err := w.Write(append(text, 0))
	return err
}
