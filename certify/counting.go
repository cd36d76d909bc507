package certify

import "lastmile/ledger"

// needs is the fewest breaks that the colour counts of the region leave possible:
// a certificate by itself, for whoever can add. Zero says nothing.
func (r *Region) needs() int {
	l, err := ledger.New(r.rest, ledger.Kinds)
	if err != nil {
		return 0 // too many sides of one colour for its tables
	}
	return l.Needs()
}
