package study

import (
	"context"
	"fmt"

	"lastmile/study/chart"
)

var ledgerSpeed = Study{
	Name:    "ledger-speed",
	Claim:   "how fast the exhaustion is on one core, with and without the ledger",
	Measure: measureSpeed,
}

// measureSpeed is the part of ledger-certificates that a busy machine spoils,
// and that takes less than a minute.
func measureSpeed(ctx context.Context, o Options, r *Report) error {
	r.note(fmt.Sprintf("The regions are those of ledger-certificates, by both charges. %s The arms of a region run side by side, in turn, on one thread; times are the median of %d such turns after a first one.", armsNote, timeAgain))
	turned, err := turnedRecord(recordBoard)
	if err != nil {
		return err
	}
	c := certifier{ctx: ctx, o: o, full: turned}
	arms := []arm{armOff, armNode, armCandidate, armKinds, armDefault}
	if !o.Quick {
		if err := c.region(216, byRows, arms...); err != nil {
			return err
		}
	}
	if err := c.region(208, byRows, armDefault); err != nil {
		return err
	}
	judgeSpeed(r, c.found, !o.Quick)
	s := chart.Series{Name: "nodes", Kind: chart.Points}
	j := chart.Series{Name: "candidates judged", Kind: chart.Points}
	for _, x := range c.found {
		if x.Keep != 216 || x.Charge != charges[0].String() {
			continue
		}
		s.X, s.Y = append(s.X, float64(len(s.X)+1)), append(s.Y, x.rate())
		if x.Judged > 0 {
			j.X, j.Y = append(j.X, float64(len(s.X))), append(j.Y, x.judgements())
		}
	}
	r.draw(chart.Chart{Title: "A second on one core, 216 kept", XLabel: "arm: 1 off, 2 node, 3 candidate with the page's conditions, 4 kinds, 5 default", YLabel: "a second", LogY: true, Series: []chart.Series{s, j}})
	r.show(certificateTable(c.found))
	return nil
}
