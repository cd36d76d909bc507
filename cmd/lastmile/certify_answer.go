package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lastmile/certify"
	"lastmile/checkpoint"
	"lastmile/puzzle"
)

// ruling is the JSON of certify.
type ruling struct {
	outcome
	Score     *int  `json:"score"` // of the whole board that was found; null when none was
	CluesHeld *int  `json:"clues_held"`
	Seed      *bool `json:"seed,omitempty"` // none: it is left out

	Verdict  certify.Verdict `json:"verdict"`
	Question string          `json:"question"`
	Freed    int             `json:"freed"`
	Seams    int             `json:"seams"`  // that a refill decides
	Breaks   int             `json:"breaks"` // of them, on the board as it was given, open ones too
	Bound    *int            `json:"bound"`  // the most breaks that are refuted; null when none are
	Floor    int             `json:"floor"`  // every refill breaks so many or more
	Best     int             `json:"best"`   // the fewest breaks of a refill that is known
	Optimal  bool            `json:"optimal"`
	Proof    *string         `json:"proof"`   // the manifest; null when nothing is kept
	Checked  bool            `json:"checked"` // each step is a proof that was checked, or counting
	Steps    []step          `json:"steps"`
	Why      string          `json:"why"` // it is open, or not known to be optimal
	Radius   *int            `json:"radius"`
	Metric   *string         `json:"metric"`
	Pinned   int             `json:"pinned"`
	Solver   string          `json:"solver"`
	Engine   string          `json:"engine"`
	Engines  []engine        `json:"engines"`
}

// step is a step of a certificate in short.
type step struct {
	Cells   int     `json:"cells"`
	Bound   int     `json:"bound"`
	By      string  `json:"by"`
	Solver  string  `json:"solver,omitempty"`
	Nodes   int64   `json:"nodes,omitempty"`
	File    string  `json:"file,omitempty"` // the proof, beside the manifest
	Bytes   int64   `json:"bytes,omitempty"`
	Seconds float64 `json:"seconds"`
}

// stepsOf are steps in short. Kept tells whether their files are.
func stepsOf(steps []certify.Step, kept bool) []step {
	short := []step{}
	for _, s := range steps {
		one := step{Cells: len(s.Cells), Bound: s.Bound, By: s.By, Solver: s.Solver, Nodes: s.Nodes, Seconds: s.Seconds}
		if s.Proof != nil {
			one.Bytes = s.Proof.Bytes
			if kept {
				one.File = s.Proof.Name
			}
		}
		short = append(short, one)
	}
	return short
}

// howShown says by what steps something was shown.
func howShown(steps []step) string {
	var parts []string
	by := func(way, phrase string) {
		n, bytes := 0, int64(0)
		for _, s := range steps {
			if s.By == way {
				n, bytes = n+1, bytes+s.Bytes
			}
		}
		if n > 0 {
			parts = append(parts, strings.NewReplacer("N", count(n, "step"), "SIZE", size(bytes).String()).Replace(phrase))
		}
	}
	by(certify.Counting, "N by counting colours")
	by(certify.Proof, "N by proof of a solver (SIZE in all)")
	by(certify.Exhaustion, "N by exhaustion")
	if len(parts) == 0 {
		return "nothing to show"
	}
	return strings.Join(parts, ", ")
}

// conclude makes the ruling of what was found.
func (c *certifyCommand) conclude(a *inquiry, interrupted bool) (*ruling, error) {
	r := &ruling{
		Verdict: a.result.Verdict, Question: c.Question, Floor: a.result.Floor, Best: a.result.Best, Optimal: a.result.Optimal(),
		Why: a.result.Why, Steps: stepsOf(a.result.Steps, a.folder != nil), Radius: c.Radius, Pinned: a.pinned,
		Engine: c.Engine, Engines: a.engines,
	}
	if c.Radius != nil {
		metric := cmp.Or(c.Metric, puzzle.MetricNames[0])
		r.Metric = &metric
	}
	if a.solver != nil {
		r.Solver = a.solver.Name()
	}
	if a.engines == nil {
		r.Engines = []engine{}
	}
	if a.region != nil {
		r.Freed, r.Seams, r.Breaks = len(a.region.Cells()), a.region.Seams(), a.region.Own()
	}
	if r.Floor > 0 {
		bound := r.Floor - 1
		r.Bound = &bound
	}
	if a.folder != nil && a.folder.failed == nil && len(r.Steps) > 0 {
		path := a.folder.manifest()
		r.Proof = &path
	}
	r.Checked = len(r.Steps) > 0 && !slices.ContainsFunc(r.Steps, func(s step) bool { return s.By == certify.Exhaustion })
	stopped := interrupted && r.Why != ""
	if stopped {
		r.Why = "stopped"
	}
	clues := c.cluesFor(a.document)
	r.outcome = outcome{
		Max: a.document.Puzzle.MaxScore(), Clues: len(clues), Threads: c.Threads, Seconds: a.took.Seconds(), Stopped: stopped, Warnings: []string{},
	}
	if r.Verdict == certify.Found {
		name := a.document.Name
		if !slices.Equal(a.document.Puzzle.Look(a.result.Board).Edges, a.document.Grid.Edges) {
			name = "" // it may say the old score
		}
		o, err := c.shared().finish(a.document.Puzzle, clues, name, a.result.Board, a.took.Seconds(), stopped)
		if err != nil {
			return nil, err
		}
		r.outcome, r.Score, r.CluesHeld = o, &o.Score, &o.CluesHeld
	}
	r.Reproducible = r.Why == "" // what is decided is so for ever
	return r, nil
}

// say prints the ruling, and the board when one was found.
func (c *certifyCommand) say(t *terminal, a *inquiry, r *ruling) error {
	var err error
	if !c.JSON {
		_, err = io.WriteString(t.out, r.summary(a))
	}
	switch {
	case r.Verdict == certify.Found:
		err = errors.Join(err, c.shared().printed(t, &r.outcome, r))
		if c.Best != "" { // again, with its name
			if e := checkpoint.WriteFile(c.Best, []byte(r.document)); e != nil {
				err = errors.Join(err, fmt.Errorf("--board: %w", e))
			}
		}
		return err
	case c.JSON:
		err = printJSON(t.out, r)
	}
	if c.Best != "" {
		fmt.Fprintf(t.err, "note: no better board was found, so %s is not written\n", printable(c.Best))
	}
	return err
}

// summary is the ruling for people.
func (r *ruling) summary(a *inquiry) string {
	var w strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&w, format+"\n", values...) }
	if a.region == nil {
		line("the board has no break and no empty cell: nothing can be better")
		return w.String()
	}
	broken := "broken"
	if a.board.Open() > 0 {
		broken = "broken or open"
	}
	line("%s freed%s: %s of their %s now", count(r.Freed, "cell"), some(r.Pinned, ", %s pinned"), are(r.Breaks, broken), count(r.Seams, "seam"))
	w.WriteString(r.verdict())
	if len(r.Steps) > 0 {
		line("shown by %s", howShown(r.Steps))
	}
	for _, e := range r.Engines {
		name, what := e.Name, ""
		if name == ledgerEngine {
			name = "the exhaustion"
		}
		if len(r.Engines) > 1 {
			what = " says that the best refill has " + interval(e.Floor, e.Best)
		}
		line("%s%s, after %.2f s", name, what, e.Seconds)
	}
	switch {
	case r.Proof != nil:
		line("certificate: %s", printable(*r.Proof))
		line("to check it again: lastmile certify --check %s", printable(*r.Proof))
	case a.folder == nil && slices.ContainsFunc(r.Steps, func(s step) bool { return s.By == certify.Proof }):
		line("each proof was checked, and none kept: --out DIR keeps them")
	}
	if a.folder != nil && r.Best < r.Breaks {
		line("better board: %s", printable(a.folder.board()))
	}
	return w.String()
}

// verdict says in words what was decided.
func (r *ruling) verdict() string {
	cells := fmt.Sprintf("these %d cells", r.Freed)
	if r.Freed == 1 {
		cells = "this cell"
	}
	perfect := r.Question == certify.Perfect.String()
	switch r.Verdict {
	case certify.Proven:
		switch {
		case r.Breaks == 0:
			return fmt.Sprintf("proven: none of the seams of %s is broken, so nothing can be better\n", cells)
		case perfect:
			optimal := ""
			if r.Optimal {
				optimal = "; the board is optimal there"
			}
			return fmt.Sprintf("proven: no refill of %s is perfect; each has at least %s%s\n", cells, count(r.Floor, "break"), optimal)
		}
		return fmt.Sprintf("proven: no refill of %s has fewer than %s; the board is optimal there\n", cells, count(r.Floor, "break"))
	case certify.Found:
		switch {
		case perfect && r.Breaks == 0:
			return fmt.Sprintf("found: the board itself, with no break in %s\n", cells)
		case perfect:
			return fmt.Sprintf("found: a refill of %s without a break\n", cells)
		case r.Optimal:
			return fmt.Sprintf("found: a refill of %s with %s instead of %d; none has fewer\n", cells, count(r.Best, "break"), r.Breaks)
		}
		return fmt.Sprintf("found: a refill of %s with %s instead of %d; whether one has fewer, down to %d, is open%s\n", cells, count(r.Best, "break"), r.Breaks, r.Floor, r.because())
	}
	if perfect {
		return fmt.Sprintf("open: whether a refill of %s is perfect%s\n", cells, r.because())
	}
	return fmt.Sprintf("open: the best refill of %s has %s%s\n", cells, interval(r.Floor, r.Best), r.because())
}

// because says what ended the search.
func (r *ruling) because() string {
	switch r.Why {
	case "":
		return ""
	case "time":
		return "; time ran out"
	case "stopped":
		return "; it was stopped"
	case "memory":
		return "; the solver needs more --memory"
	case "the memory of the formula":
		return "; the formula needs more --memory"
	case "the memory of the checker":
		return "; the checker needs more --memory"
	}
	if strings.HasPrefix(r.Why, "a proof of more than") {
		return "; a proof grew beyond --max-proof"
	}
	return "; " + r.Why
}

// are says how many things are something.
func are(n int, what string) string {
	if n == 1 {
		return "1 is " + what
	}
	return fmt.Sprintf("%d are %s", n, what)
}
