package study

import (
	"slices"
	"strings"
	"time"

	"lastmile/study/chart"
)

// Verdict says what became of a claim.
type Verdict string

// The verdicts.
const (
	Reproduced    Verdict = "reproduced"
	NotReproduced Verdict = "not reproduced"
	Untested      Verdict = "untested"
)

// judge turns a measurement into a verdict. One counter-example refutes a
// claim; to confirm it, all that it speaks of must have been measured.
func judge(holds, complete bool) Verdict {
	switch {
	case !holds:
		return NotReproduced
	case !complete:
		return Untested
	}
	return Reproduced
}

// Finding is one claim and what became of it.
type Finding struct {
	Claim     string   `json:"claim"`
	Published string   `json:"published"` // what must be met
	Measured  string   `json:"measured"`
	Verdict   Verdict  `json:"verdict"`
	Seeds     []uint64 `json:"seeds"` // that were measured
	Note      string   `json:"note,omitempty"`
}

// Report is what a study found, and on which machine. Its own finding sums up
// those of its claims.
type Report struct {
	Study string `json:"study"`
	Finding
	Findings []Finding     `json:"findings"`
	Charts   []chart.Chart `json:"charts"`
	Tables   []Table       `json:"tables"`
	Links    []Link        `json:"links"` // of the tables
	Notes    []string      `json:"notes"` // how it was measured, one paragraph each

	Command string    `json:"command"`
	Version string    `json:"version"`
	Machine Machine   `json:"machine"`
	Date    time.Time `json:"date"`
	Seconds float64   `json:"seconds"`
	Stopped bool      `json:"stopped"` // by the context, before it was through
}

// Link is an address that a table cell refers to as [text][Label].
type Link struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// find enters a finding.
func (r *Report) find(f Finding) {
	if f.Measured == "" {
		f.Measured = "nothing"
	}
	f.Seeds = list(slices.Clone(f.Seeds))
	r.Findings = append(r.Findings, f)
}

// draw enters a chart.
func (r *Report) draw(c chart.Chart) {
	c.Series = list(c.Series)
	r.Charts = append(r.Charts, c)
}

// show enters a table.
func (r *Report) show(t Table) { r.Tables = append(r.Tables, t) }

// note enters a paragraph on how it was measured.
func (r *Report) note(paragraph string) { r.Notes = append(r.Notes, paragraph) }

// sumUp makes the finding of the whole out of the findings: not reproduced
// when one is, else untested when one is or there are none.
func (r *Report) sumUp() {
	var published, measured []string
	holds, complete := true, len(r.Findings) > 0
	for _, f := range r.Findings {
		published, measured = append(published, f.Published), append(measured, f.Measured)
		holds = holds && f.Verdict != NotReproduced
		complete = complete && f.Verdict != Untested
	}
	r.Published, r.Measured = strings.Join(published, "; "), strings.Join(measured, "; ")
	r.Verdict = judge(holds, complete)
}

// list is the slice, empty instead of nil, so that JSON shows [] and not null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
