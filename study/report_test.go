package study

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		holds, complete bool
		want            Verdict
	}{
		{true, true, Reproduced}, {true, false, Untested}, {false, true, NotReproduced}, {false, false, NotReproduced},
	} {
		if got := judge(c.holds, c.complete); got != c.want {
			t.Errorf("holds %v, complete %v: %s, want %s", c.holds, c.complete, got, c.want)
		}
	}
}

func TestSumUp(t *testing.T) {
	for _, c := range []struct {
		verdicts []Verdict
		want     Verdict
	}{
		{nil, Untested},
		{[]Verdict{Reproduced, Reproduced}, Reproduced},
		{[]Verdict{Reproduced, Untested}, Untested},
		{[]Verdict{Untested, NotReproduced, Reproduced}, NotReproduced},
	} {
		r := &Report{}
		for _, v := range c.verdicts {
			r.find(Finding{Verdict: v, Published: "p", Measured: "m"})
		}
		if r.sumUp(); r.Verdict != c.want {
			t.Errorf("%v sum up to %s, want %s", c.verdicts, r.Verdict, c.want)
		}
		if want := strings.Join(make([]string, max(1, len(c.verdicts))), "p; ") + "p"; len(c.verdicts) > 0 && r.Published != want {
			t.Errorf("published %q, want %q", r.Published, want)
		}
	}
}

func TestPublishable(t *testing.T) {
	for _, c := range []struct {
		verdict Verdict
		stopped bool
		want    bool
	}{
		{Reproduced, false, true}, {NotReproduced, false, true}, {Untested, false, false}, {Reproduced, true, false},
	} {
		r := &Report{Finding: Finding{Verdict: c.verdict}, Stopped: c.stopped}
		if r.Publishable() != c.want {
			t.Errorf("%s, stopped %v: publishable %v", c.verdict, c.stopped, !c.want)
		}
	}
}

// A report is written as whole files, and its JSON has the keys that programs
// look for, on the report and on each finding.
func TestWrite(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "results")
	paths, err := Write(folder, sampleReport())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 4 || len(paths) != 4 {
		t.Fatalf("%v holds %v (%v), said %v", folder, entries, err, paths)
	}
	text, err := os.ReadFile(filepath.Join(folder, "sample.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Findings, Charts, Tables []map[string]any
	}
	var top map[string]any
	if err := json.Unmarshal(text, &top); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for _, f := range append(document.Findings, top) {
		for _, key := range []string{"claim", "published", "measured", "verdict", "seeds"} {
			if f[key] == nil {
				t.Errorf("no %s in %v", key, f)
			}
		}
	}
	for _, table := range document.Tables {
		if len(table["data"].([]any)) != len(table["rows"].([]any)) {
			t.Errorf("%v: data and rows differ in number", table["title"])
		}
	}
	if len(document.Charts) != 2 || len(document.Charts[0]["series"].([]any)) != 1 || document.Charts[1]["series"] == nil {
		t.Errorf("charts %v", document.Charts)
	}
	if !strings.Contains(string(text), "a=1&b=2") {
		t.Error("a link is not written as it is")
	}
}

// The pictures in a folder are those of the last report, and only that study's
// are touched.
func TestPicturesOfTheLastReport(t *testing.T) {
	folder := t.TempDir()
	others := []string{"other-3.svg", "sample-03.svg", "sample-x.svg", "sample.svg", "sample-3.svg.md"}
	for _, name := range append(others, "sample-3.svg", "sample-12.svg", "sample-1.svg") {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := Write(folder, sampleReport())
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(folder, "sample.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, picture := range []string{"sample-1.svg", "sample-2.svg"} {
		svg, err := os.ReadFile(filepath.Join(folder, picture))
		if err != nil || !strings.Contains(string(svg), "</svg>") || !strings.Contains(string(page), "]("+picture+")") {
			t.Errorf("%s: %v, or not whole, or not on the page", picture, err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(others)+len(paths) {
		t.Errorf("left %v (%v), want %v and %v", entries, err, others, paths)
	}
}

// A chart that cannot be drawn costs no report that is there already.
func TestBadChartWritesNothing(t *testing.T) {
	folder := t.TempDir()
	r := sampleReport()
	r.Charts[0].Series[0].Y[0] = 0
	if _, err := Write(folder, r); err == nil || !strings.Contains(err.Error(), "log axis") {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%v written (%v)", entries, err)
	}
}
