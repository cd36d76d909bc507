package drat

import (
	"bytes"
	"context"
	"testing"

	"lastmile/certify/cnf"
)

// A proof by branching, which is RUP, and a short one by extension variables,
// which needs RAT.
func BenchmarkCheck(b *testing.B) {
	branching, _ := proved(pigeons(6))
	var extension bytes.Buffer
	w := NewWriter(&extension)
	provePigeons(14, w)
	w.Flush()
	for _, c := range []struct {
		name  string
		f     *cnf.Formula
		proof []byte
	}{
		{"branching", pigeons(6), branching},
		{"extension", pigeons(14), extension.Bytes()},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.proof)))
			var stats Stats
			for b.Loop() {
				var err error
				if stats, err = Check(context.Background(), c.f, bytes.NewReader(c.proof), Binary, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(stats.Propagations)*float64(b.N)/b.Elapsed().Seconds(), "propagations/s")
		})
	}
}
