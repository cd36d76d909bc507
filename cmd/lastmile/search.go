package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"strings"
	"time"

	"lastmile/checkpoint"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/search"
)

// bounds are the flags of every search.
type bounds struct {
	Time       time.Duration `placeholder:"D" help:"Stop after this long, such as 60s or 2h. A run bounded by time cannot be reproduced."`
	Iterations int64         `placeholder:"N" help:"Stop after so many iterations of ALNS."`
	Nodes      int64         `placeholder:"N" help:"Stop beams after so many ranked children."`
	Threads    int           `default:"1" help:"Threads to use; 0 for all. With a count budget they do not change the result."`
	Seed       uint64        `default:"1" help:"Seed of every random choice."`
	JSON       bool          `name:"json" help:"Print one JSON document."`
	Quiet      bool          `short:"q" help:"No progress."`
	Out        string        `short:"o" placeholder:"FILE" help:"Write the best board to this file too, as JSON."`
}

func (b *bounds) check() error {
	switch {
	case b.Time < 0:
		return badf("--time %v, want a positive duration such as 60s", b.Time)
	case b.Iterations < 0:
		return badf("--iterations %d, want a positive number", b.Iterations)
	case b.Nodes < 0:
		return badf("--nodes %d, want a positive number", b.Nodes)
	case b.Threads < 0 || b.Threads > 1024:
		return badf("--threads %d, want 0 to 1024", b.Threads)
	}
	if b.Threads == 0 {
		b.Threads = runtime.NumCPU()
	}
	if b.Out != "" {
		if err := checkpoint.Writable(b.Out); err != nil {
			return badf("--out: %w", err)
		}
	}
	return nil
}

func (b *bounds) budget() search.Budget {
	return search.Budget{Time: b.Time, Iterations: b.Iterations, Nodes: b.Nodes}
}

// saving are the flags of searches that can be resumed.
type saving struct {
	Checkpoint string        `placeholder:"FILE" help:"Where the run is saved. Default: a name made of command, clues and seed, in this folder."`
	Every      time.Duration `default:"5s" help:"How often it is saved."`
	Resume     bool          `help:"Go on with the saved run. The other flags must be those of the run, but for --threads and a longer --time."`
}

// setup is what a run was asked for. A resumed run must agree in all of it.
type setup struct {
	Puzzle     string   `json:"puzzle"`
	Clues      []string `json:"clues"`
	Start      string   `json:"start,omitempty"`
	Seed       uint64   `json:"seed"`
	Timed      bool     `json:"timed"`
	Iterations int64    `json:"iterations"`
	Nodes      int64    `json:"nodes"`
	Options    any      `json:"options"`
}

// saver keeps the checkpoints of one run.
type saver struct {
	path, kind string
	setup      setup
	t          *terminal
	failed     error
}

// open prepares the file of a run: loads it into state when the run is
// resumed, else sets an older one aside.
func (s *saving) open(kind string, b *bounds, want setup, state any, t *terminal) (*saver, error) {
	if s.Every <= 0 {
		return nil, badf("--every %v, want a positive duration", s.Every)
	}
	path := s.Checkpoint
	if path == "" {
		path = fmt.Sprintf("lastmile-%s-%s-%d.checkpoint", kind, clueWord(want.Clues), b.Seed)
	}
	if err := checkpoint.Writable(path); err != nil {
		return nil, badf("%w; --checkpoint names another file", err)
	}
	v := &saver{path: path, kind: kind, setup: want, t: t}
	if !s.Resume {
		aside, err := checkpoint.SetAside(path)
		if err != nil {
			return nil, bad{err}
		}
		if aside != "" {
			fmt.Fprintf(t.err, "note: %s is of an unfinished run; it is kept as %s\n", path, aside)
		}
		return v, nil
	}
	var was setup
	err := checkpoint.Load(path, kind, &was, state)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, badf("%s: no such checkpoint; without --resume a new run begins", path)
	case err != nil:
		return nil, bad{err}
	}
	if name := difference(was, want); name != "" {
		return nil, badf("%s: the saved run had another %s; give the flags it was started with", path, name)
	}
	return v, nil
}

func clueWord(clues []string) string { return fmt.Sprintf("%dclues", len(clues)) }

// difference names the first field in which two setups differ.
func difference(a, b setup) string {
	x, y := plain(a), plain(b)
	t := reflect.TypeFor[setup]()
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if !reflect.DeepEqual(x[key], y[key]) {
			if key == "timed" {
				return "kind of budget (with or without --time)"
			}
			return key
		}
	}
	return ""
}

func plain(s setup) (m map[string]any) {
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		panic(err)
	}
	return m
}

// save writes a checkpoint. A disk that is full must not end the search: it is
// said once, and tried again.
func (v *saver) save(state any) {
	err := checkpoint.Save(v.path, v.kind, v.setup, state)
	if err != nil && v.failed == nil {
		fmt.Fprintln(v.t.err, "warning: no checkpoint:", err)
	}
	v.failed = err
}

// end removes the checkpoint of a run that is over, and says how to go on with
// one that was stopped.
func (v *saver) end(stopped bool) {
	if stopped {
		fmt.Fprintf(v.t.err, "stopped; the same command with --resume goes on from %s\n", v.path)
		return
	}
	if err := os.Remove(v.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(v.t.err, "warning:", err)
	}
}

// outcome is what every search prints as JSON.
type outcome struct {
	Score    int      `json:"score"`
	Max      int      `json:"max"`
	Breaks   int      `json:"breaks"`
	Board    string   `json:"board"` // letters, four a cell
	URL      string   `json:"url"`
	Clues    int      `json:"clues"`
	Seed     uint64   `json:"seed"`
	Threads  int      `json:"threads"`
	Seconds  float64  `json:"seconds"`
	Reproduc bool     `json:"reproducible"`
	Stopped  bool     `json:"stopped"` // by a signal, before the budget was used
	Warnings []string `json:"warnings"`
}

// finish builds the outcome of a search, and writes --out. A board without a
// name is called after its score.
func (b *bounds) finish(p *puzzle.Puzzle, name string, board []puzzle.Placement, seconds float64, stopped bool) (outcome, error) {
	full := puzzle.NewBoard(p)
	full.Load(board)
	if name == "" {
		name = fmt.Sprintf("lastmile_%d", full.Score())
	}
	d := notation.FromBoard(full, name)
	o := outcome{
		Score: full.Score(), Max: p.MaxScore(), Breaks: full.Breaks(), Clues: len(p.Clues),
		Seed: b.Seed, Threads: b.Threads, Seconds: seconds, Reproduc: b.budget().Reproducible() && !stopped,
		Stopped: stopped, Warnings: []string{},
	}
	for dialect, to := range map[string]*string{"edges": &o.Board, "bucas": &o.URL} {
		var text strings.Builder
		if err := notation.Write(&text, d, dialect); err != nil {
			o.Warnings = append(o.Warnings, err.Error())
			continue
		}
		*to = strings.TrimSpace(text.String())
	}
	if b.Out != "" {
		var text strings.Builder
		if err := notation.Write(&text, d, "json"); err != nil {
			return o, err
		}
		if err := checkpoint.WriteFile(b.Out, []byte(text.String())); err != nil {
			// The board must not be lost for a file that cannot be written.
			o.Warnings = append(o.Warnings, "--out: "+err.Error())
		}
	}
	return o, nil
}

// summary prints the outcome for people.
func (o *outcome) summary(w io.Writer) {
	fmt.Fprintf(w, "score %d of %d, %s, %s held\n", o.Score, o.Max, count(o.Breaks, "break"), count(o.Clues, "clue"))
	if o.URL != "" {
		fmt.Fprintln(w, o.URL)
	}
	for _, warning := range o.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printJSON prints one document.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// placementTexts spells placements out for a setup.
func placementTexts(placements []puzzle.Placement) []string {
	texts := make([]string, len(placements))
	for i, q := range placements {
		texts[i] = fmt.Sprintf("%d:%d/%d", q.Cell, q.Piece+1, q.Rotation)
	}
	return texts
}

// fingerprint names a piece set by its content.
func fingerprint(p *puzzle.Puzzle) string {
	return fmt.Sprintf("%dx%d %s", p.Width, p.Height, digest(p.Pieces))
}

// digest names a value by its content.
func digest(v any) string {
	sum := sha256.Sum256(fmt.Append(nil, v))
	return hex.EncodeToString(sum[:8])
}
