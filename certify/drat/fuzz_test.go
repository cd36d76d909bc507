package drat

import (
	"bytes"
	"context"
	"testing"

	"lastmile/certify/cnf"
)

// FuzzCheck makes a formula of up to five variables of the first bytes: whatever
// the others are, they are no proof if it has a model.
func FuzzCheck(f *testing.F) {
	f.Add([]byte("\x02\x04\x00\x02\x05\x00\x03\x04\x00\x03\x05\x00"), []byte("a\x02\x00"), false)
	f.Add([]byte("\x02\x04\x00\x02\x05\x00\x03\x04\x00"), []byte("1 0 -1 0 0"), true)
	f.Add([]byte("\x02\x04\x06\x00"), []byte("a\x0e\x02\x00d\x04\x02\x06\x00a\x0f\x00a\x00"), false)
	f.Add([]byte("\x02\x04\x06\x00\x02\x05\x07\x00\x03"), []byte("9 1 0 d 1 2 3 0 -9 2 0 9 0 0"), true)
	f.Fuzz(func(t *testing.T, clauses, proof []byte, text bool) {
		if len(clauses) > 200 {
			return
		}
		formula := &cnf.Formula{Vars: 5}
		var clause []int32
		for _, b := range clauses {
			l := int32(b/2) % 6
			if b&1 != 0 {
				l = -l
			}
			if l != 0 {
				clause = append(clause, l)
				continue
			}
			formula.Add(clause...)
			clause = clause[:0]
		}
		format := Binary
		if text {
			format = Text
		}
		_, err := Check(context.Background(), formula, bytes.NewReader(proof), format, Limits{Memory: 1 << 22})
		if err == nil && satisfiable(formula) {
			t.Errorf("accepted\n%s", dimacs(formula))
		}
	})
}
