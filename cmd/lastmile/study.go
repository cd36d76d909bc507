package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"lastmile/checkpoint"
	"lastmile/study"
)

type studyCommand struct {
	Name    string        `arg:"" default:"list" help:"The study: list tells what there is, all runs every one."`
	Seeds   string        `placeholder:"1-5" help:"Seeds, a range or a list. Default: those of the study."`
	Time    time.Duration `positive:"" placeholder:"D" help:"Time of one run (solve) or one measurement (alns-cost). A claim about another time is then untested."`
	Threads int           `default:"1" help:"Threads of the runs that can use them, or runs side by side where a claim is about one thread (solve, the ablations); 0 for all. Other claims about one core are then untested."`
	Long    bool          `help:"Measure the sizes that take minutes too."`
	Quick   bool          `help:"Reduced sizes, for a look: claims about speed and score stay untested."`
	Out     string        `short:"o" placeholder:"DIR" help:"Write NAME.json, NAME.md and its charts there. Default: docs/results, when there is such a folder and the claims were tested."`
	Keep    string        `placeholder:"FILE" help:"Keep finished runs in FILE, and measure none that is there already: a study that was stopped, or is given more seeds, goes on (solve, solve-long)."`
	JSON    bool          `name:"json" help:"Print one JSON document."`
	Quiet   bool          `short:"q" help:"No progress."`
}

func (c *studyCommand) Run(t *terminal) error {
	if c.Name == "list" {
		return c.list(t)
	}
	studies, err := study.Named(c.Name)
	if err != nil {
		return bad{err}
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	if c.Keep != "" {
		if len(studies) > 1 {
			return badf("--keep holds the runs of one study, want its name in place of %s", c.Name)
		}
		if err := checkpoint.Writable(c.Keep); err != nil {
			return badf("--keep: %w", err)
		}
		lock, err := hold(c.Keep, "--keep")
		if err != nil {
			return err
		}
		defer release(lock)
		if o.Kept, err = study.OpenKept(c.Keep, studies[0]); err != nil {
			return badf("--keep: %w", err)
		}
	}
	ctx, stop := t.listen()
	defer stop()
	if c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return badf("--out: %w", err)
		}
		if err := checkpoint.Writable(filepath.Join(c.Out, "report")); err != nil {
			return badf("--out: %w", err)
		}
	}
	var reports []*study.Report
	failed := false
	var lost error
	for _, s := range studies {
		r, err := c.run(ctx, s, o, t)
		if r == nil {
			return err
		}
		lost = errors.Join(lost, err)
		reports = append(reports, r)
		failed = failed || r.Verdict == study.NotReproduced
	}
	if err := errors.Join(c.print(reports, t), lost); err != nil {
		return err
	}
	if failed {
		return errFailed
	}
	return nil
}

// options reads the flags.
func (c *studyCommand) options() (study.Options, error) {
	b := bounds{Time: c.Time, Threads: c.Threads}
	if err := b.check(); err != nil {
		return study.Options{}, err
	}
	o := study.Options{Time: c.Time, Threads: b.Threads, Long: c.Long, Quick: c.Quick, Version: version}
	if c.Seeds != "" {
		var err error
		if o.Seeds, err = study.ParseSeeds(c.Seeds); err != nil {
			return o, bad{err}
		}
	}
	if err := o.Check(); err != nil {
		return o, bad{err}
	}
	return o, nil
}

// run runs one study, shows its progress and writes its report.
func (c *studyCommand) run(ctx context.Context, s study.Study, o study.Options, t *terminal) (*study.Report, error) {
	watch := newProgress(t, &bounds{Quiet: c.Quiet}, 0)
	o.Watch = watch
	if !c.Quiet {
		o.Say = func(line string) { watch.next(s.Name + ": " + line) }
	}
	r, err := study.Run(ctx, s, o)
	watch.close()
	if errors.Is(err, study.ErrKept) {
		return nil, bad{err}
	}
	if err != nil {
		return nil, err
	}
	folder := c.Out
	if folder == "" && r.Publishable() && isFolder(study.Folder) {
		folder = study.Folder
	}
	switch {
	case r.Stopped:
		fmt.Fprintf(t.err, "%s was stopped: no report is written\n", s.Name)
	case folder != "":
		paths, err := study.Write(folder, r)
		if err != nil {
			return r, err // it is printed all the same
		}
		fmt.Fprintln(t.err, "wrote", printable(strings.Join(paths, " and ")))
	}
	return r, nil
}

// next begins another part of a study: its boards are compared with each other
// and not with those before.
func (p *progress) next(line string) {
	p.mu.Lock()
	p.best = -1
	p.mu.Unlock()
	p.print(line)
}

// print writes the reports to standard output.
func (c *studyCommand) print(reports []*study.Report, t *terminal) error {
	if c.JSON && len(reports) == 1 {
		return printJSON(t.out, reports[0])
	}
	if c.JSON {
		return printJSON(t.out, reports)
	}
	for i, r := range reports {
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		if err := study.WriteMarkdown(t.out, r); err != nil {
			return err
		}
	}
	return nil
}

func (c *studyCommand) list(t *terminal) error {
	type entry struct {
		Name  string   `json:"name"`
		Claim string   `json:"claim"`
		Seeds []uint64 `json:"seeds"`
	}
	entries := []entry{}
	for _, s := range study.Studies {
		entries = append(entries, entry{s.Name, s.Claim, append([]uint64{}, s.Seeds...)})
	}
	if c.JSON {
		return printJSON(t.out, entries)
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, e := range entries {
		fmt.Fprintf(w, "%s\t%s\n", e.Name, e.Claim)
	}
	return w.Flush()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
