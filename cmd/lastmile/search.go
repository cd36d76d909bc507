package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"lastmile/checkpoint"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/search"
)

// bounds are the flags of every search.
type bounds struct {
	Time       time.Duration `positive:"" placeholder:"D" help:"Stop after this long, such as 60s or 2h. A run bounded by time cannot be reproduced. solve and polish take 60s when no bound is given."`
	Iterations int64         `positive:"" placeholder:"N" help:"Stop after so many iterations of ALNS."`
	Nodes      int64         `positive:"" placeholder:"N" help:"Stop beams after so many ranked children, exhaust and depth-first after so many nodes."`
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
	case b.Threads < 0 || b.Threads > 256:
		return badf("--threads %d, want 0 to 256", b.Threads)
	}
	if b.Threads == 0 {
		b.Threads = runtime.NumCPU()
	}
	switch b.Out {
	case "":
	case "-":
		return badf("--out -: the board is printed anyway, want a file")
	default:
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
	Checkpoint string        `placeholder:"FILE" help:"Where the run is saved. Default: a name made of the command and its flags, in this folder."`
	Every      time.Duration `default:"5s" help:"How often it is saved."`
	Resume     bool          `help:"Go on with the saved run. The other flags must be those of the run. These may differ: --threads, --every, --out, --trace, --json, --quiet, and --time, which may be longer. A trace that the run did not have before begins in the middle; that is said."`
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

// saver keeps the checkpoints of one run, in a file that it holds alone.
type saver struct {
	path, kind string
	setup      setup
	t          *terminal
	failed     error
	lock       *flock.Flock
	taken      []string // the other files of the run
}

// open prepares the file of a run: loads it into state when the run is
// resumed, else sets an older one aside. The file must be none of the others
// that the run writes, --out and the trace.
func (s *saving) open(kind string, b *bounds, trace string, want setup, state any, t *terminal) (*saver, error) {
	if s.Every <= 0 {
		return nil, badf("--every %v, want a positive duration", s.Every)
	}
	path := s.Checkpoint
	if path == "" {
		// Two runs that differ in anything have two files.
		path = fmt.Sprintf("lastmile-%s-seed%d-%s.checkpoint", kind, b.Seed, digest(plain(want))[:8])
	}
	if err := checkpoint.Writable(path); err != nil {
		return nil, badf("%w; --checkpoint names another file", err)
	}
	// Whatever links lead to it, a file is held under one name.
	path, err := checkpoint.Target(path)
	if err != nil {
		return nil, bad{err}
	}
	if err := distinct(b.Out, trace, path); err != nil {
		return nil, err
	}
	v := &saver{path: path, kind: kind, setup: want, t: t, taken: []string{b.Out, trace}}
	if v.lock, err = hold(path, "--checkpoint"); err != nil {
		return nil, err
	}
	checkpoint.Sweep(path)
	if err := v.begin(s.Resume, want, state); err != nil {
		v.unlock()
		return nil, err
	}
	return v, nil
}

// distinct tells whether all files that a run is going to write are different
// ones, those by which it holds its trace and its checkpoint too: one would
// replace the other, or remove it.
func distinct(out, trace, saved string) error {
	type file struct{ flag, path string }
	files := []file{{"--out", out}, {"--trace", trace}, {"--checkpoint", saved}}
	for _, f := range files[1:] {
		target, err := checkpoint.Target(f.path)
		if f.path == "" || err != nil {
			continue
		}
		for _, other := range files[:3] {
			if path, err := checkpoint.Target(other.path); other.path != "" && err == nil && checkpoint.IsTemporary(path, target) {
				return badf("%s %s is called as the temporary files of %s are, want another name", other.flag, other.path, f.flag)
			}
		}
		files = append(files, file{"the lock of " + f.flag, lockOf(target)})
	}
	for i, b := range files {
		for _, a := range files[:i] {
			if same(a.path, b.path) {
				return badf("%s and %s are both %s, want two files", a.flag, b.flag, b.path)
			}
		}
	}
	return nil
}

// same tells whether two paths, neither of them empty, lead to one file.
func same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, errX := checkpoint.Target(a)
	y, errY := checkpoint.Target(b)
	if errX != nil || errY != nil {
		return false
	}
	// A file may have two names, by a hard link or in another case.
	i, errI := os.Stat(x)
	j, errJ := os.Stat(y)
	return x == y || errI == nil && errJ == nil && os.SameFile(i, j)
}

// lockOf is the file by which a run holds another.
func lockOf(path string) string { return path + ".lock" }

// hold keeps other runs off a file that the flag names.
func hold(path, flag string) (*flock.Flock, error) {
	lock := flock.New(lockOf(path))
	// A kill leaves an empty lock. Anything else is not ours to remove.
	switch info, err := os.Lstat(lock.Path()); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, bad{err}
	case !info.Mode().IsRegular() || info.Size() > 0:
		return nil, badf("%s is not an empty file, as the lock of a run is, and is left as it is; %s names another file", lock.Path(), flag)
	}
	// A run that has just been killed may take a moment to let go.
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	switch held, err := lock.TryLockContext(ctx, 50*time.Millisecond); {
	case err != nil && ctx.Err() == nil:
		return nil, bad{err}
	case !held:
		return nil, badf("%s is held by another run that is at work; %s names another file", path, flag)
	}
	return lock, nil
}

// release lets others have a file that was held.
func release(lock *flock.Flock) {
	// Removed while it is held, so that nobody can hold a file without a name.
	// If somebody has written there since, it is no longer ours.
	if info, err := os.Lstat(lock.Path()); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		os.Remove(lock.Path())
	}
	lock.Unlock()
}

// begin loads the file of a run that is resumed, or sets an older one aside.
func (v *saver) begin(resume bool, want setup, state any) error {
	if !resume {
		aside, err := checkpoint.SetAside(v.path, v.taken...)
		if err != nil {
			return bad{err}
		}
		if aside != "" {
			fmt.Fprintf(v.t.err, "note: %s is of an unfinished run; it is kept as %s\n", printable(v.path), printable(aside))
		}
		return nil
	}
	var was setup
	err := checkpoint.Load(v.path, v.kind, &was, state)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return badf("%s: no such checkpoint; --resume takes the flags of the run that was saved", v.path)
	case err != nil:
		return bad{err}
	}
	if d := difference(was, want); d != "" {
		return badf("%s: the saved run %s", v.path, d)
	}
	return nil
}

// unlock lets others have the file.
func (v *saver) unlock() { release(v.lock) }

// difference says in which field a saved setup differs first from one that is
// asked for; "" when they agree.
func difference(saved, asked setup) string {
	x, y := plain(saved), plain(asked)
	t := reflect.TypeFor[setup]()
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if reflect.DeepEqual(x[key], y[key]) {
			continue
		}
		switch key {
		case "timed":
			return "had another kind of budget (with or without --time)" + likeThat
		case "options":
			return differentOption(x[key], y[key])
		}
		return differentValue(key, x[key], y[key])
	}
	return ""
}

const likeThat = "; give the flags it was started with"

// differentOption is about the first option that only the flags asked for have:
// another version saved the run. Or else about the first, by name, in which the
// two differ. One that both have set comes before one that a choice of the other
// does without.
func differentOption(saved, asked any) string {
	x, y := flat(saved), flat(asked)
	names := slices.Sorted(maps.Keys(y))
	if i := slices.Index(names, "conditions"); i >= 0 { // they follow from others if they are not given
		names = append(slices.Delete(names, i, i+1), "conditions")
	}
	for _, name := range names {
		if _, there := x[name]; !there {
			return fmt.Sprintf("knows no option %s; resume it with the lastmile that wrote it", name)
		}
	}
	for _, either := range []bool{false, true} {
		for _, name := range names {
			if (either || x[name] != nil && y[name] != nil) && !reflect.DeepEqual(x[name], y[name]) {
				return differentValue(name, x[name], y[name])
			}
		}
	}
	return "had another set of options" + likeThat
}

// differentValue is about a field that differs: what it was and what it is, where
// the field is a flag.
func differentValue(name string, saved, asked any) string {
	was, is := spelled(name, saved), spelled(name, asked)
	text := "had another " + name
	switch {
	case isDigest(name, saved) || isDigest(name, asked):
	case was == "":
		text = fmt.Sprintf("had no --%s, this one has %s", name, is)
	case is == "":
		text = fmt.Sprintf("had %s, this one has none", was)
	default:
		text = fmt.Sprintf("had %s, not %s", was, strings.TrimPrefix(is, "--"+name+" "))
	}
	return text + likeThat
}

// isDigest tells whether a field of a setup stands for what no flag says.
func isDigest(name string, v any) bool {
	_, text := v.(string)
	return slices.Contains([]string{"puzzle", "clues", "start", "uncharged"}, name) || name == "order" && text // of exhaust, by cells
}

// spelled is the flag with its value, "" when it was not given.
func spelled(name string, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if v == "" {
			return ""
		}
	case bool:
		return map[bool]string{true: "--" + name}[v]
	case []any:
		texts := make([]string, len(v))
		for i, x := range v {
			texts[i] = fmt.Sprint(x)
		}
		return "--" + name + " " + strings.Join(texts, ",")
	case json.Number:
		if v == "0" && slices.Contains([]string{"iterations", "nodes", "width", "attempts"}, name) {
			return "" // where 0 cannot be given
		}
	}
	return fmt.Sprintf("--%s %v", name, v)
}

// flat is options by the names of their flags, those of the tuning too.
func flat(options any) map[string]any {
	all := map[string]any{}
	m, _ := options.(map[string]any)
	for name, v := range m {
		if inner, ok := v.(map[string]any); ok {
			maps.Copy(all, flat(inner))
		} else {
			all[strings.ReplaceAll(name, "_", "-")] = v
		}
	}
	return all
}

// plain is the setup as JSON has it, so that a loaded one equals a fresh one.
func plain(s setup) (m map[string]any) {
	text, err := json.Marshal(s)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber() // a seed has more digits than a float64
		err = d.Decode(&m)
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
		fmt.Fprintln(v.t.err, "warning: no checkpoint:", printable(err.Error()))
	}
	v.failed = err
}

// end is called when the result has been printed. It removes the checkpoint of
// a run that is over, and says how to go on with one that was stopped.
func (v *saver) end(stopped bool) {
	switch {
	case stopped && v.failed != nil:
		fmt.Fprintf(v.t.err, "stopped; the last save failed, so %s is older or not there\n", printable(v.path))
	case stopped:
		fmt.Fprintf(v.t.err, "stopped; the same command with --resume goes on from %s\n", printable(v.path))
	default:
		if err := os.Remove(v.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(v.t.err, "warning:", err)
		}
	}
}

// more is called instead of end when the time was up before the work was done.
func (v *saver) more() {
	if v.failed != nil {
		v.end(true)
		return
	}
	fmt.Fprintf(v.t.err, "the time is up; the same command with --resume and a longer --time goes on from %s\n", printable(v.path))
}

// outcome is what every search prints as JSON.
type outcome struct {
	Score        int      `json:"score"`
	Max          int      `json:"max"`
	Breaks       int      `json:"breaks"`
	Board        string   `json:"board"` // letters, four a cell; a JSON board where letters cannot carry it
	URL          string   `json:"url"`   // empty where a link cannot carry it
	Clues        int      `json:"clues"` // of the puzzle
	CluesHeld    int      `json:"clues_held"`
	Seed         uint64   `json:"seed"`
	Threads      int      `json:"threads"`
	Seconds      float64  `json:"seconds"`
	Reproducible bool     `json:"reproducible"`
	Stopped      bool     `json:"stopped"` // by a signal, before the budget was used
	Warnings     []string `json:"warnings"`

	document string // the whole board as JSON
}

// finish builds the outcome of a search. A board without a name is called after
// its score. Clues are all that the puzzle has, held by the search or not.
func (b *bounds) finish(p *puzzle.Puzzle, clues []puzzle.Placement, name string, board []puzzle.Placement, seconds float64, stopped bool) (outcome, error) {
	full := puzzle.NewBoard(p)
	full.Load(board)
	if name == "" {
		name = fmt.Sprintf("lastmile_%d", full.Score())
	}
	all, err := p.WithClues(clues)
	if err != nil {
		return outcome{}, err
	}
	d := notation.FromBoard(full, name)
	o := outcome{
		Score: full.Score(), Max: p.MaxScore(), Breaks: full.Breaks(), Clues: len(clues), CluesHeld: all.CluesHeld(d.Grid),
		Seed: b.Seed, Threads: b.Threads, Seconds: seconds, Reproducible: b.budget().Reproducible() && !stopped,
		Stopped: stopped, Warnings: []string{},
	}
	var document strings.Builder
	if err := notation.Write(&document, d, "json"); err != nil {
		return o, err
	}
	o.document = document.String()
	// Bare letters carry square boards only, a link without piece numbers any.
	o.Board = cmp.Or(spell(d, "edges"), o.document)
	o.URL = linkTo(d)
	if o.URL == "" {
		o.Warnings = append(o.Warnings, "no link can carry this board: it is printed as JSON")
	}
	return o, nil
}

// spell writes a board in a dialect, or nothing where that cannot carry it.
func spell(d *notation.Document, dialect string) string {
	var text strings.Builder
	if err := notation.Write(&text, d, dialect); err != nil {
		return ""
	}
	return strings.TrimSpace(text.String())
}

// linkTo is a link that shows the board, empty where none can carry it.
func linkTo(d *notation.Document) string {
	return cmp.Or(spell(d, "bucas"), spell(&notation.Document{Name: d.Name, Grid: d.Grid}, "bucas"))
}

// print prints the outcome for people, or with --json what v adds to it, and
// then writes --out, so that neither is lost when the other fails.
func (b *bounds) print(t *terminal, o *outcome, v any) error {
	err := b.printed(t, o, v)
	if b.Out != "" {
		if e := checkpoint.WriteFile(b.Out, []byte(o.document)); e != nil {
			err = errors.Join(err, fmt.Errorf("--out: %w", e))
		}
	}
	return err
}

func (b *bounds) printed(t *terminal, o *outcome, v any) error {
	if b.JSON {
		return printJSON(t.out, v)
	}
	for _, w := range o.Warnings {
		fmt.Fprintln(t.err, "warning:", printable(w))
	}
	held := ""
	if o.Clues > 0 {
		held = fmt.Sprintf(", %d of %s held", o.CluesHeld, count(o.Clues, "clue"))
	}
	link := cmp.Or(o.URL, strings.TrimSpace(o.document))
	_, err := fmt.Fprintf(t.out, "score %d of %d, %s%s\n%s\n", o.Score, o.Max, count(o.Breaks, "break"), held, link)
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printJSON prints one document. What could steer a terminal is escaped.
func printJSON(w io.Writer, v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, notation.PrintableJSON(text.String()))
	return err
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
