// Package study re-runs what the project publishes. A study holds one or more
// claims, measures each, and says: reproduced, not reproduced, or untested.
// Every published number is written by a study, with its seeds, how many runs
// it rests on, their spread, the machine and the command; none is typed.
//
// A study is one file and one line in list.go. It never prints: it fills a
// Report, which WriteMarkdown shows to people and encoding/json to programs.
package study

import (
	"context"
	"fmt"
	"strings"
	"time"

	"lastmile/search"
	"lastmile/study/chart"
)

// Study is a set of claims that are measured together.
type Study struct {
	Name  string
	Claim string   // what it is about, in one line
	Seeds []uint64 // default; none where nothing is random
	Keeps bool     // finished runs, if Options.Kept says where

	// Measure fills the report with findings and tables. When the context ends
	// it returns soon and without an error: what it could not measure is
	// reported as untested. An error means that the study itself is broken.
	Measure func(ctx context.Context, o Options, r *Report) error
}

// Options of a run. The zero value of a field asks for its default.
type Options struct {
	Seeds   []uint64
	Time    time.Duration // of one run or one measurement; studies of counts ignore it
	Threads int           // default 1; of a run, or runs side by side of one thread each
	Long    bool          // also the sizes that take minutes
	Quick   bool          // reduced sizes: a look at the tables, and claims about speed or score stay untested

	Version string          // of the program, for the report
	Kept    *Kept           // finished runs, to go on from
	Watch   search.Observer // watches the searches of the study
	Say     func(string)    // hears what the study is at, one line at a time
}

func (o Options) withDefaults(s Study) Options {
	if len(o.Seeds) == 0 || len(s.Seeds) == 0 {
		o.Seeds = s.Seeds
	}
	o.Threads = max(1, o.Threads)
	if o.Watch == nil {
		o.Watch = search.Nobody
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	return o
}

// Check tells what is wrong with the options.
func (o Options) Check() error {
	switch {
	case o.Time < 0:
		return fmt.Errorf("time of %v a run, want a positive duration such as 60s", o.Time)
	case o.Threads < 0:
		return fmt.Errorf("%d threads, want 1 or more", o.Threads)
	case o.Quick && o.Long:
		return fmt.Errorf("a run that is both quick and long, want one of them")
	}
	return nil
}

// command is the command line that runs a study with these options again.
func (o Options) command(name string) string {
	parts := []string{"lastmile study", name}
	if len(o.Seeds) > 0 {
		parts = append(parts, "--seeds", FormatSeeds(o.Seeds))
	}
	if o.Time > 0 {
		parts = append(parts, "--time", o.Time.String())
	}
	if o.Threads > 1 {
		parts = append(parts, "--threads", fmt.Sprint(o.Threads))
	}
	if o.Long {
		parts = append(parts, "--long")
	}
	if o.Quick {
		parts = append(parts, "--quick")
	}
	return strings.Join(parts, " ")
}

// Run runs a study. When the context ends the report says so, and what was not
// measured is untested.
func Run(ctx context.Context, s Study, o Options) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.withDefaults(s)
	began := time.Now()
	r := &Report{
		Study: s.Name, Finding: Finding{Claim: s.Claim, Seeds: list(o.Seeds)},
		Findings: []Finding{}, Charts: []chart.Chart{}, Tables: []Table{}, Links: []Link{}, Notes: []string{},
		Command: o.command(s.Name), Version: o.Version, Machine: thisMachine(), Date: began.UTC().Truncate(time.Second),
	}
	if err := s.Measure(ctx, o, r); err != nil {
		return nil, fmt.Errorf("study %s: %w", s.Name, err)
	}
	r.sumUp()
	r.Stopped = ctx.Err() != nil
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}
