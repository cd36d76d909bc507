// Package lastmile_test holds the rules of the house that no compiler checks.
package lastmile_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// house says which rooms each room may look into: data flows one way. The
// rooms above the line are the core, which needs nothing but the standard
// library; the shells below it may use other modules.
var house = map[string][]string{
	"random":          {},
	"puzzle":          {"random"},
	"notation":        {"puzzle", "random"},
	"draw":            {"puzzle"},
	"census":          {"puzzle"},
	"cycles":          {"puzzle"},
	"search":          {"puzzle"},
	"construct":       {"puzzle", "random", "search"},
	"alns/destroy":    {"puzzle", "random"},
	"alns/repair":     {"ledger", "puzzle", "random", "search"},
	"alns/selection":  {"random"},
	"alns/acceptance": {"random"},
	"alns":            {"alns/acceptance", "alns/destroy", "alns/repair", "alns/selection", "puzzle", "random", "search"},
	"ledger":          {"construct", "puzzle", "search"},
	"certify":         {"certify/cnf", "certify/drat", "ledger", "puzzle", "search"},
	"certify/cnf":     {},
	"certify/drat":    {"certify/cnf"},
	"solve":           {"alns", "certify", "construct", "ledger", "puzzle", "search"},

	"game":       {},
	"game/virus": {"game"},
	"game/match": {"game", "game/virus", "random"},
	"game/uai":   {"game", "game/virus"},

	"hunt/job": {"alns", "certify", "construct", "ledger", "puzzle", "search", "solve"},

	"hunt":         nil,
	"hunt/archive": nil,
	"hunt/queue":   nil,
	"hunt/worker":  nil,

	"certify/solver": nil,

	"checkpoint":    nil,
	"study":         nil,
	"study/chart":   nil,
	"study/cost":    nil,
	"docs/operator": nil,
	"lab":           nil,
	"lab/build":     nil,
	"lab/engine":    nil,
	"lab/wasm":      nil,
	"cmd/lastmile":  nil,
}

func TestDataFlowsOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		room := strings.TrimPrefix(path, "lastmile/")
		if room == "lastmile" {
			continue // this test
		}
		may, known := house[room]
		if !known {
			t.Errorf("room %s is not in the plan of the house", room)
			continue
		}
		if may == nil {
			continue
		}
		imports := list(t, "{{join .Imports \"\\n\"}}", path)
		for _, i := range imports {
			if other, ours := strings.CutPrefix(i, "lastmile/"); ours && !slices.Contains(may, other) {
				t.Errorf("%s looks into %s; it may look into %v", room, other, may)
			}
		}
		deps := list(t, "{{range .Deps}}{{.}}\n{{end}}", path)
		outside := list(t, "{{if not .Standard}}{{.ImportPath}}{{end}}", deps...)
		for _, d := range outside {
			if !strings.HasPrefix(d, "lastmile/") {
				t.Errorf("core room %s needs %s, want the standard library alone", room, d)
			}
		}
	}
}

func list(t *testing.T, format string, packages ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-f", format}, packages...)...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Fields(string(out))
}

// The operator that the docs show is the one that is compiled and run.
func TestDocumentedOperatorIsCompiled(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, code, _ := strings.Cut(read("docs/operators.md"), "```go\n")
	code, _, found := strings.Cut(code, "```")
	for _, path := range []string{"alns/destroy/example_test.go", "docs/operator/main.go"} {
		if !found || !strings.Contains(read(path), code) {
			t.Errorf("docs/operators.md and %s show two operators", path)
		}
	}
}
