package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/search"
)

// Every repair, policy and rule can be asked for, with the flags that it reads,
// and does not do what the default does.
func TestTuningFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	flags := []string{"", "--memory 0.9", "--temperature 0", "--temperature 1", "--operators ring,component-halo", "--repair exact --repair-nodes 10",
		"--selection bandit --memory 0.99", "--selection segments --segment 10", "--acceptance cooling --temperature 1 --final-temperature 0.5",
		"--acceptance cooling --temperature 1", "--acceptance late --history 10", "--acceptance record --deviation 3",
		"--acceptance threshold --deviation 5.5"}
	for _, name := range repair.Names()[1:] {
		flags = append(flags, "--repair "+name)
	}
	for _, name := range selection.Names()[1:] {
		flags = append(flags, "--selection "+name)
	}
	for _, name := range acceptance.Names()[1:] {
		if name != "hill-climbing" { // as --temperature 0
			flags = append(flags, "--acceptance "+name)
		}
	}
	// On a board far from the top, where rules that look back see others.
	if status, _, err := lastmile(t, "", strings.Fields("build --width 4 -q -o start.json")...); status != 0 {
		t.Fatal(err)
	}
	seen := map[string]string{}
	polish := func(args string) string {
		sizes := "--largest 9 "
		if strings.Contains(args, "est ") {
			sizes = ""
		}
		v := object(t, 0, strings.Fields("polish start.json --iterations 3000 --streams 1 --json -q "+sizes+args)...)
		for _, o := range v["operators"].([]any) {
			delete(o.(map[string]any), "weight") // of another policy it would differ anyway
		}
		delete(v["repair"].(map[string]any), "name")
		return fmt.Sprint(v["operators"], v["repair"])
	}
	for _, args := range flags {
		did := polish(args)
		if other, ok := seen[did]; ok {
			t.Errorf("%q does what %q does", args, other)
		}
		seen[did] = args
	}
	for a, b := range map[string]string{
		"--acceptance hill-climbing": "--temperature 0", "--acceptance cooling --final-temperature 0.15": "--acceptance cooling",
		"--temperature 0.6 --memory 0.999": "", "--acceptance late --history 1000": "--acceptance late",
		"--acceptance record --deviation 2": "--acceptance record", "--selection segments --segment 100": "--selection segments",
		"--repair exact --repair-nodes 2000": "--repair exact", "--operators " + strings.Join(portfolioNames(), ","): "",
		"--largest 3": "--smallest 3 --largest 3", "--smallest 30": "--smallest 30 --largest 30",
	} {
		if polish(a) != polish(b) {
			t.Errorf("%q does not what %q does", a, b)
		}
	}
}

// What the flags are refused for is what they are not read by.
func TestReadersAreNames(t *testing.T) {
	for _, name := range readNodes {
		if !slices.Contains(repair.Names(), name) {
			t.Errorf("--repair-nodes is read by %s, no repair", name)
		}
	}
	for _, name := range repair.Names() {
		for _, args := range []string{"", " --repair-nodes 7"} {
			f := tuning{Repair: name, Selection: selection.Default, Acceptance: acceptance.Default}
			if args != "" {
				nodes := int64(7)
				f.RepairNodes = &nodes
			}
			o, err := f.options(1)
			if read := slices.Contains(readNodes, name); (err == nil) != (read || args == "") || err == nil && (o.Repairing.Nodes > 0) != read {
				t.Errorf("--repair %s%s: %v, %+v", name, args, err, o.Repairing)
			}
		}
	}
}

func TestHelpOfTuning(t *testing.T) {
	for _, command := range []string{"polish", "solve"} {
		_, help, _ := lastmile(t, "", command, "--help")
		help = strings.Join(strings.Fields(help), " ")
		for _, want := range []string{
			"operators: " + strings.Join(destroy.Names(), ", ") + ". Default: " + portfolio() + ".",
			strings.Join(repair.Names(), ", ") + ". Default: " + repair.Default + ".",
			strings.Join(selection.Names(), ", ") + ". Default: " + selection.Default + ".",
			strings.Join(acceptance.Names(), ", ") + ". Default: " + acceptance.Default + ".",
		} {
			if !strings.Contains(help, want) {
				t.Errorf("%s --help does not say %q", command, want)
			}
		}
	}
}

// People are told what a repair proved; the greedy one proves nothing.
func TestRepairIsSaid(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"": "", "--repair exact --largest 6": "exact repair: of 500 holes ", "--repair greedy-coin": "", "--repair by-hole": " filled by greedy\n",
		"--repair assignment": " left to greedy\n", "--repair exact --json": "", "--repair exact --quiet": "",
	} {
		status, _, err := lastmile(t, "", strings.Fields("polish riotte-464 --iterations 500 "+args)...)
		if status != 0 || strings.Contains(err, " proved optimal, ") != (want != "") || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, %s", args, status, err)
		}
	}
	v := object(t, 0, strings.Fields("polish riotte-464 --iterations 500 --repair exact --largest 6 --json -q")...)
	r := v["repair"].(map[string]any)
	if r["name"] != "exact" || r["uses"] != 500.0 || r["optimal"].(float64)+r["fallbacks"].(float64) != 500 || r["optimal"] == 0.0 {
		t.Errorf("%v", r)
	}
}

// A resumed run must have the tuning of the saved one, however it is spelled.
func TestResumeWithAnotherTuning(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ saved, resumed, want string }{
		{"", "--temperature 0.6 --memory 0.999 --repair greedy --operators " + strings.Join(portfolioNames(), ","), ""},
		{"--acceptance cooling --temperature 0.4", "--acceptance cooling --temperature 0.4 --final-temperature 0.1", ""},
		{"--temperature 0", "--temperature 0", ""},
		{"--largest 3", "--smallest 3 --largest 3", ""},
		{"", "--temperature 0.5", "had --temperature 0.6, not 0.5;"},
		{"", "--memory 0.9", "had --memory 0.999, not 0.9;"},
		{"", "--repair assignment", "had --repair greedy, not assignment;"},
		{"", "--repair exact --repair-nodes 7", "had --repair greedy, not exact;"},
		{"--repair exact", "--repair exact --repair-nodes 7", "had --repair-nodes 2000, not 7;"},
		{"", "--selection segments --segment 7", "had --selection roulette, not segments;"},
		{"--selection segments", "--selection segments --segment 7", "had --segment 100, not 7;"},
		{"", "--acceptance late", "had --acceptance annealing, not late;"},
		{"--acceptance late", "--acceptance late --history 7", "had --history 1000, not 7;"},
		{"--acceptance record", "--acceptance record --deviation 7", "had --deviation 2, not 7;"},
		{"--acceptance cooling", "--acceptance cooling --temperature 0.5", "had --temperature 0.6, not 0.5;"},
		{"--acceptance cooling", "--acceptance cooling --final-temperature 0.2", "had no --final-temperature, this one has --final-temperature 0.2;"},
		{"--acceptance cooling --final-temperature 0.2", "--acceptance cooling", "had --final-temperature 0.2, this one has none;"},
		{"--operators component,ring", "--operators ring", "had --operators component,ring, not ring;"},
		{"", "--smallest 5", "had --smallest 4, not 5;"},
		{"", "--streams 3", "had --streams 4, not 3;"},
		{"", "--iterations 200", "had --iterations 100, not 200;"},
		{"", "--seed 2", "had --seed 1, not 2;"},
	} {
		args := strings.Fields("polish riotte-464 --iterations 100 -q --checkpoint run")
		stopped(t, append(args, strings.Fields(c.saved)...)...)
		args = append(args, strings.Fields(c.resumed+" --resume")...)
		status, _, err := lastmile(t, "", args...)
		if ok := status == 0 && err == ""; ok != (c.want == "") || !ok && (status != 2 || strings.Count(err, "\n") != 1 || !strings.Contains(err, c.want)) {
			t.Errorf("saved with %q, resumed with %q: status %d, %s", c.saved, c.resumed, status, err)
		}
		os.Remove("run")
	}
}

func portfolioNames() (names []string) {
	for _, o := range destroy.Portfolio {
		names = append(names, o.Name)
	}
	return names
}

// A checkpoint of before there were these flags is refused, and it is said who
// can read it.
func TestResumeOfAnOlderFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{"polish riotte-464 --iterations 100", "solve --iterations 100 --width 4"} {
		args := append(strings.Fields(command), "-q", "--checkpoint", "run")
		stopped(t, args...)
		text, err := os.ReadFile("run")
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		options := file["setup"].(map[string]any)["options"].(map[string]any)
		options["polish"] = map[string]any{"operators": nil, "smallest": 4, "largest": 24, "temperature": 0.3, "memory": 0.999}
		if walks, ok := file["state"].(map[string]any)["walks"].([]any); ok {
			for _, w := range walks {
				w := w.(map[string]any)
				w["weights"] = w["selection"]
				delete(w, "selection")
			}
		}
		if text, err = json.Marshal(file); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("run", text, 0o644); err != nil {
			t.Fatal(err)
		}
		status, _, errors := lastmile(t, "", append(args, "--resume")...)
		if status != 2 || strings.Count(errors, "\n") != 1 || !strings.Contains(errors, "resume it with the lastmile that wrote it") {
			t.Errorf("%s: status %d, %s", command, status, errors)
		}
		os.Remove("run")
	}
}

// However many operators there are, the progress line names a few.
func TestProgressNamesFewOperators(t *testing.T) {
	var all []search.Operator
	for i := range 11 {
		all = append(all, search.Operator{Name: fmt.Sprintf("operator-%d", i), Weight: float64(i*7%11) / 55})
	}
	for n, want := range map[int]string{
		0:  " 5k iterations/s",
		2:  " 5k iterations/s  operator-1 13%  operator-0 0%",
		3:  " 5k iterations/s  operator-1 13%  operator-2 5%  operator-0 0%",
		11: " 5k iterations/s  operator-3 18%  operator-6 16%  operator-9 15%  +8 more",
	} {
		p := progress{last: search.Event{Rate: 5000, Unit: "iterations", Operators: all[:n]}}
		if got := p.tail(); got != want {
			t.Errorf("of %d operators: %q, want %q", n, got, want)
		}
	}
	if all[0].Name != "operator-0" {
		t.Error("the event was changed")
	}
}

// A flag that a command refuses is not in its help, and what looks like an
// empty value in a list is refused.
func TestHelpHidesWhatIsRefused(t *testing.T) {
	for command, hidden := range map[string]string{"polish": "--nodes=", "build": "--iterations=", "exhaust": "--iterations="} {
		_, help, _ := lastmile(t, "", command, "--help")
		if strings.Contains(help, hidden) || !strings.Contains(help, "--time=") {
			t.Errorf("%s --help has %s", command, hidden)
		}
	}
	if _, help, _ := lastmile(t, "", "solve", "--help"); !strings.Contains(help, "--nodes=") || !strings.Contains(help, "--iterations=") {
		t.Error("solve --help lacks a bound")
	}
	for _, operators := range []string{"", " ", "ring, ", ","} {
		if status, _, err := lastmile(t, "", "polish", "riotte-464", "--iterations", "5", "--operators", operators); status != 2 || !strings.Contains(err, "--operators: an empty value, want NAME") {
			t.Errorf("--operators %q: status %d, %s", operators, status, err)
		}
	}
}
