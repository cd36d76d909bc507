package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lastmile/alns"
	"lastmile/certify"
	"lastmile/certify/solver"
	"lastmile/checkpoint"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/solve"
)

// wallFlags make polish decide, each time it has stalled, whether the
// neighbourhood of the breaks can be improved.
type wallFlags struct {
	Certify      bool   `help:"When polishing stalls, decide whether the cells of the breaks, and then those around them, can be filled better. A better board is taken and polished; else it is said what is proven. With --time a solver finds checked proofs; with --iterations alone regions are exhausted within so many nodes, so that the run can be reproduced."`
	Patience     *int64 `placeholder:"N" help:"With --certify: iterations of a walk without a better board after which it has stalled, made up to rounds of 32768. Default: 1048576, or a quarter of the walk's share of --iterations if that is less."`
	Solver       string `placeholder:"NAME" help:"With --certify and --time: who finds the proofs, ${solvers}, or auto for the first that is there. Default: auto."`
	Certificates string `placeholder:"DIR" help:"With --certify: keep certificates of what is proven in this folder, for certify --check."`
}

// coherent refuses flags that would have no effect.
func (f *wallFlags) coherent(b *bounds) error {
	switch {
	case !f.Certify && f.Patience != nil:
		return badf("--patience goes with --certify")
	case !f.Certify && f.Solver != "":
		return badf("--solver goes with --certify")
	case !f.Certify && f.Certificates != "":
		return badf("--certificates goes with --certify")
	case f.Patience != nil && *f.Patience < 1:
		return badf("--patience %d, want 1 or more", *f.Patience)
	case f.Solver != "" && b.Time == 0:
		return badf("--solver %s: with --iterations alone no solver is asked, want --time too", f.Solver)
	}
	return nil
}

// What one decision may use, in bytes.
const (
	wallMemory = 2 << 30 // of the solver, and of the checker
	wallProof  = 4 << 30
)

// walled is the JSON of polish --certify.
type walled struct {
	improvement
	Certified []solve.Certified `json:"certified"` // all that was decided, in turn
	Optimal   bool              `json:"optimal"`   // no board that holds the clues is better
}

// wall polishes and certifies in turn.
func (c *polishCommand) wall(t *terminal, d *notation.Document, p *puzzle.Puzzle, start []puzzle.Placement, o alns.Options) error {
	plan := solve.WallPlan{
		Streams: c.Streams, Threads: c.Threads, Budget: c.budget(), Patience: value(c.Patience),
		Memory: wallMemory, Proof: wallProof, Every: c.Every,
	}
	if c.Time > 0 {
		name := c.Solver
		if name == "" {
			name = "auto"
		}
		var err error
		if plan.Solver, err = solver.Named(name); err != nil {
			return badf("--solver: %w", err)
		}
	}
	saved := solve.WallState{Board: start}
	run := setup{
		Puzzle: fingerprint(p), Clues: placementTexts(p.Clues), Start: digest(start), Seed: c.Seed,
		Timed: c.Time > 0, Iterations: c.Iterations,
		Options: map[string]any{"streams": c.Streams, "polish": c.tuning, "patience": c.Patience},
	}
	keep, err := c.open("polish-certify", &c.bounds, c.Trace, run, &saved, t)
	if err != nil {
		return err
	}
	defer keep.unlock()
	if c.Certificates != "" {
		f, err := certificates(c.Certificates, "polish-"+digest(plain(run))[:8], t)
		if err != nil {
			return err
		}
		defer f.close()
		plan.Store, plan.Name = f, f.name+"-"
	}
	trace, err := c.record(keep, c.Resume, saved.Elapsed, func(stream int) int64 {
		switch round := stream / c.Streams; {
		case round < saved.Round:
			return math.MaxInt64
		case round > saved.Round || saved.Walks == nil || stream%c.Streams >= len(saved.Walks.Walks):
			return 0
		}
		return saved.Walks.Walks[stream%c.Streams].Iterations
	})
	if err != nil {
		return err
	}
	defer trace.close()
	before := saved.Iterations
	if saved.Walks != nil {
		for _, w := range saved.Walks.Walks {
			before += w.Iterations
		}
	}
	ctx, stop := t.listen()
	defer stop()
	watch := newProgress(t, &c.bounds, saved.Elapsed)
	plan.Watch, plan.Trace = watch, trace.observer()
	plan.Save = func(s solve.WallState) {
		trace.sync()
		keep.save(s)
	}
	began := time.Now()
	r, failed := solve.ResumeWall(ctx, p, saved, o, plan)
	watch.close()
	switch {
	case failed != nil && r.Placements == nil && c.Resume:
		return badf("%s: damaged: %w", keep.path, failed)
	case failed != nil && r.Placements == nil:
		return failed
	}
	spent := time.Since(began)
	stopped := ctx.Err() != nil
	name := d.Name
	if r.Score != scoreOf(p, start) {
		name = "" // it may say the old score
	}
	result, err := c.finish(p, c.cluesFor(d), name, r.Placements, r.Elapsed.Seconds(), stopped)
	if err != nil {
		return err
	}
	result.Reproducible = result.Reproducible && failed == nil
	w := walled{
		improvement: improvement{
			outcome: result, Start: scoreOf(p, start), Stream: r.Stream, Gained: &r.Gained,
			Iterations: r.Iterations, IterationsPerSecond: float64(r.Iterations-before) / spent.Seconds(),
			Operators: r.Operators, Repair: &r.Repairs, Trace: watch.trace,
		},
		Certified: append([]solve.Certified{}, r.Certified...), Optimal: r.Optimal,
	}
	if err := c.print(t, &result, w); err != nil {
		return errors.Join(failed, err) // the checkpoint stays
	}
	if !c.JSON {
		if _, err := io.WriteString(t.out, w.proved(len(p.Clues))); err != nil {
			return errors.Join(failed, err)
		}
		if n := r.Repairs; n.Optimal+n.Fallbacks > 0 && !c.Quiet {
			fmt.Fprintln(t.err, proved(n))
		}
	}
	if failed != nil {
		fmt.Fprintf(t.err, "the board is as far as it came; the same command with --resume goes on from %s\n", printable(keep.path))
		return failed
	}
	keep.end(stopped)
	return nil
}

// proved says what is proven of the board, and what is open.
func (w *walled) proved(clues int) string {
	var text strings.Builder
	var proven, open *solve.Certified
	for i := range w.Certified {
		switch c := &w.Certified[i]; {
		case c.Score != w.Score: // of an earlier board
		case c.Verdict == certify.Proven:
			proven, open = c, nil
		case c.Verdict == certify.Open:
			open = c
		}
	}
	switch {
	case w.Breaks == 0:
	case w.Optimal && clues > 0:
		fmt.Fprintf(&text, "proven: no board that holds the %s has fewer than %s\n", count(clues, "clue"), count(w.Breaks, "break"))
	case w.Optimal:
		fmt.Fprintf(&text, "proven: no board has fewer than %s\n", count(w.Breaks, "break"))
	case proven != nil:
		fmt.Fprintf(&text, "proven: no refill of %s has fewer than %s\n", around(proven), count(proven.Breaks, "break"))
	}
	switch {
	case open != nil:
		fmt.Fprintf(&text, "open: the best refill of %s has %s\n", around(open), interval(open.Floor, open.Best))
	case proven == nil && !w.Optimal:
		fmt.Fprintln(&text, "open: nothing was decided about this board")
	}
	return text.String()
}

// around names the cells of a decision.
func around(c *solve.Certified) string {
	if c.Radius == 0 {
		return fmt.Sprintf("the %s of the breaks", count(c.Freed, "cell"))
	}
	return fmt.Sprintf("the %s within %s of a break", count(c.Freed, "cell"), count(c.Radius, "step"))
}

// certificates prepares a folder for certificates. Each run has names of its own
// in it.
func certificates(dir, name string, t *terminal) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, badf("--certificates: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, badf("--certificates: %w", err)
	}
	own := name
	for i := 1; slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), own+"-") }); i++ {
		own = fmt.Sprintf("%s.%d", name, i)
	}
	f := &folder{dir: dir, name: own, t: t}
	if err := checkpoint.Writable(f.manifest()); err != nil {
		return nil, badf("--certificates: %w", err)
	}
	f.lock, err = hold(filepath.Join(dir, own), "--certificates")
	return f, err
}
