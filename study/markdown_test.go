package study

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lastmile/study/chart"
)

var update = flag.Bool("update", false, "write the golden files")

// sampleReport has one of everything.
func sampleReport() *Report {
	type run struct {
		Seed  uint64 `json:"seed"`
		Score int    `json:"score"`
	}
	r := &Report{
		Study: "sample", Finding: Finding{Claim: "boards are good", Seeds: fromTo(1, 2)},
		Links:   []Link{{"seed-1", "https://example.org/#a=1&b=2"}},
		Command: "lastmile study sample --seeds 1,2", Version: "1.2.3",
		Machine: Machine{CPU: "Abacus", OS: "linux", Arch: "amd64", Level: "v3", Cores: 1, Go: "go1.26", Load: "0.25", Commit: "0123456789ab", Changed: true},
		Date:    time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC), Seconds: 61.23,
	}
	r.find(Finding{Claim: "every board scores 450", Published: "450", Measured: "449 to 451", Verdict: NotReproduced, Seeds: fromTo(1, 2), Note: "one short"})
	r.find(Finding{Claim: "every board is square", Published: "16×16", Verdict: Untested})
	r.draw(chart.Chart{
		Title: "scores [of 480]", XLabel: "seed", YLabel: "score", LogY: true,
		Series: []chart.Series{{Name: "runs", Kind: chart.Points, X: chart.Numbers{1, 2}, Y: chart.Numbers{449, 1451}}},
	})
	r.draw(chart.Chart{Title: "nothing"})
	r.show(tabulate("runs", "score of 480", []run{{1, 449}, {2, 1451}},
		column[run]{"seed", func(x run) string { return short(float64(x.Seed)) }},
		column[run]{"score", func(x run) string { return grouped(int64(x.Score)) }},
		column[run]{"a | b", func(x run) string { return reference("board", "seed-1") }},
	))
	r.show(tabulate("nothing", "", []run(nil), column[run]{"seed", func(x run) string { return "" }}))
	r.note("two runs, one after the other")
	r.sumUp()
	return r
}

func TestMarkdown(t *testing.T) {
	stopped := sampleReport()
	stopped.Stopped, stopped.Links, stopped.Machine = true, nil, Machine{OS: "js", Arch: "wasm", Cores: 4, Go: "go1.26"}
	for name, r := range map[string]*Report{"report.md": sampleReport(), "stopped.md": stopped} {
		var b bytes.Buffer
		if err := WriteMarkdown(&b, r); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("not as in %s (%v):\n%s", file, err, b.Bytes())
		}
	}
}
