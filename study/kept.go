package study

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"lastmile/checkpoint"
	"lastmile/puzzle"
)

// Kept holds the runs that a study has finished, in a file: a study that was
// stopped, or is given more seeds, goes on instead of beginning anew. A nil Kept
// keeps nothing.
type Kept struct {
	path, kind string

	mu   sync.Mutex
	plan string // what the runs were asked for, but for their seeds
	runs map[string]keptRun
}

// keptRun is a finished run of solve.
type keptRun struct {
	Run     solveRun           `json:"run"`
	Board   []puzzle.Placement `json:"board"`
	Version string             `json:"version"` // of the program
	Machine Machine            `json:"machine"`
}

// ErrKept says that the kept runs cannot be used.
var ErrKept = errors.New("kept runs")

// OpenKept reads the runs that an earlier study has left in the file, if there is
// one. Only studies that keep their runs have such a file.
func OpenKept(path string, s Study) (*Kept, error) {
	if !s.Keeps {
		return nil, fmt.Errorf("study %s keeps no runs, as none of them takes long", s.Name)
	}
	k := &Kept{path: path, kind: "study " + s.Name, runs: map[string]keptRun{}}
	if err := checkpoint.Load(path, k.kind, &k.plan, &k.runs); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return k, nil
}

// begin says what the runs are asked for. Those of another plan cannot be used.
func (k *Kept) begin(plan string) error {
	switch {
	case k == nil:
	case k.plan == "":
		k.plan = plan
	case k.plan != plan:
		return fmt.Errorf("%w: %s has those of %s, want %s; name another file", ErrKept, k.path, k.plan, plan)
	}
	return nil
}

// find returns a run that is kept. Its board is scored again.
func (k *Kept) find(p *puzzle.Puzzle, group string, seed uint64) (solveRun, bool, error) {
	if k == nil {
		return solveRun{}, false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, ok := k.runs[keptKey(group, seed)]
	if !ok {
		return solveRun{}, false, nil
	}
	run := kept.Run
	if err := recount(p, kept.Board, run.Score); err != nil {
		return solveRun{}, false, fmt.Errorf("%w: %s: %s, seed %d: %w", ErrKept, k.path, group, seed, err)
	}
	run.puzzle, run.placements = p, kept.Board
	return run, true, nil
}

// keep saves a run with those before it.
func (k *Kept) keep(run solveRun, version string) error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	machine := thisMachine()
	machine.Load = "" // of no moment
	k.runs[keptKey(run.Group, run.Seed)] = keptRun{run, run.placements, version, machine}
	return checkpoint.Save(k.path, k.kind, k.plan, k.runs)
}

func keptKey(group string, seed uint64) string { return fmt.Sprintf("%s %d", group, seed) }

// builds are the versions and machines that the runs of a report come from.
func (k *Kept) builds(runs []solveRun) []string {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	of := map[string]int{}
	for _, run := range runs {
		if kept, ok := k.runs[keptKey(run.Group, run.Seed)]; ok {
			of[kept.Version+" on "+kept.Machine.String()]++
		}
	}
	var list []string
	for _, build := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%s by %s", counted(of[build], "run"), build))
	}
	return list
}
