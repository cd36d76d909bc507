package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"lastmile/checkpoint"
	"lastmile/search"
)

// tracing is the flag of searches that write down what their walks do.
type tracing struct {
	Trace string `placeholder:"FILE" help:"Write what each walk does as JSON, an object a line. The first line names the run. Each walk then has 32 lines for every doubling of its iterations, of up to 2 kB, and one at its end. --resume goes on with the file, which must be of the same run; without it an older trace is kept as FILE.1 or the first number that is free."`
}

// header is the first line of a trace: it names the run.
type header struct {
	Format  string `json:"format"`
	Version string `json:"version"` // of the lastmile that began it
	Kind    string `json:"kind"`    // the command
	Run     string `json:"run"`     // digest of all that a resumed run must agree in
	Seed    uint64 `json:"seed"`
}

const traceFormat = "lastmile-trace"

// header is that of the run.
func (v *saver) header() header {
	return header{traceFormat, version, v.kind, digest([]any{v.kind, plain(v.setup)}), v.setup.Seed}
}

func (h header) line() []byte {
	line, err := json.Marshal(h)
	if err != nil {
		panic(err) // it has texts and a number
	}
	return append(line, '\n')
}

// headerOf reads the first line of a trace. There is none, with an error that is
// fs.ErrNotExist or io.EOF, where there is no file or an empty one.
func headerOf(path string) (h header, err error) {
	file, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer file.Close()
	line, err := bufio.NewReader(file).ReadSlice('\n') // a longer one is an error too
	switch {
	case err == io.EOF && len(line) == 0:
		return h, io.EOF
	case err != nil || json.Unmarshal(line, &h) != nil || h.Format != traceFormat:
		return h, fmt.Errorf("%s is not a trace, want a new file or one that a run of lastmile has traced to; it is left as it is", path)
	}
	return h, nil
}

// isNew tells of an error of headerOf whether nothing has been traced yet.
func isNew(err error) bool { return err == io.EOF || errors.Is(err, fs.ErrNotExist) }

// moment is a line of a trace. All of it but the seconds follows from the seed.
type moment struct {
	Stream     int               `json:"stream"` // of polish; of solve the attempt
	Iterations int64             `json:"iterations"`
	Seconds    float64           `json:"seconds"` // since the run began, all sittings
	Score      int               `json:"score"`   // of the board at hand
	Best       int               `json:"best"`    // of the walk so far
	Operators  []search.Operator `json:"operators"`
	Repair     search.Repair     `json:"repair"`
}

// writable tells what is wrong with the flag before anything is written. A file
// that is not a trace is not written over.
func (f *tracing) writable(t *terminal) error {
	switch {
	case f.Trace == "":
		return nil
	case f.Trace == "-" || isOutput(f.Trace, t):
		return badf("--trace %s: standard output carries the result, want a file", f.Trace)
	}
	if err := checkpoint.Writable(f.Trace); err != nil {
		return badf("--trace: %w", err)
	}
	if !regular(f.Trace) {
		return nil
	}
	if _, err := headerOf(f.Trace); err != nil && !isNew(err) {
		return badf("--trace: %w", err)
	}
	return nil
}

// isOutput tells whether a path leads to where standard output goes, be it a
// file, a pipe or a terminal. Nothing is mixed up where all is thrown away.
func isOutput(path string, t *terminal) bool {
	out, ok := t.out.(*os.File)
	if !ok {
		return false
	}
	a, errA := os.Stat(path)
	b, errB := out.Stat()
	null, errN := os.Stat(os.DevNull)
	return errA == nil && errB == nil && os.SameFile(a, b) && !(errN == nil && os.SameFile(a, null))
}

// regular tells whether a path is that of a file, or of none yet, and not of a
// device or a pipe.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// tracer writes a trace. It holds at most a few lines: they go to the file when
// there are enough of them, every few seconds, before each checkpoint and at the
// end. A nil tracer writes nothing.
type tracer struct {
	t     *terminal
	path  string
	start time.Time
	lock  *flock.Flock
	stop  func()

	mu      sync.Mutex
	file    *os.File
	regular bool
	size    int64 // of the whole lines in the file
	synced  int64 // of those, forced to disk
	lines   bytes.Buffer
	failed  bool
}

const (
	traceBuffer = 64 << 10 // bytes
	traceEvery  = 2 * time.Second
)

// record begins the trace of the run whose checkpoint is kept, or goes on with
// it when the run is resumed: the lines that it will write again, those of a
// stream beyond the iterations that kept tells, are dropped.
func (f *tracing) record(keep *saver, resume bool, elapsed time.Duration, kept func(stream int) int64) (*tracer, error) {
	if f.Trace == "" {
		return nil, nil
	}
	path, err := checkpoint.Target(f.Trace)
	if err != nil {
		return nil, badf("--trace: %w", err)
	}
	r := &tracer{t: keep.t, path: path, start: time.Now().Add(-elapsed), regular: regular(path)}
	if !r.regular {
		r.lines.Write(keep.header().line())
	} else if r.lock, err = hold(path, "--trace"); err != nil {
		return nil, err
	}
	if err := r.begin(keep, resume, kept); err != nil {
		if r.lock != nil {
			release(r.lock)
		}
		return nil, badf("--trace: %w", err)
	}
	r.stop = search.Repeat(traceEvery, r.flush)
	return r, nil
}

// begin opens the file behind its first line and what else is kept of it.
func (r *tracer) begin(keep *saver, resume bool, kept func(stream int) int64) (err error) {
	if !r.regular {
		r.file, err = os.OpenFile(r.path, os.O_WRONLY, 0)
		return err
	}
	checkpoint.Sweep(r.path)
	// It may have changed since it was found to be writable.
	was, err := headerOf(r.path)
	anew := isNew(err) || !resume
	switch run := keep.header(); {
	case isNew(err) && !resume:
	case isNew(err):
		what := "is not there"
		if err == io.EOF {
			what = "is empty"
		}
		fmt.Fprintf(r.t.err, "note: --trace: %s %s; it begins in the middle, where the run goes on\n", printable(r.path), what)
	case err != nil:
		return err
	case resume && was.Run != run.Run:
		return fmt.Errorf("%s is of another run, %s with seed %d and flags of its own; give the trace of the run that is resumed, or a new file", r.path, was.Kind, was.Seed)
	case resume:
		if err := cut(r.path, kept); err != nil {
			return err
		}
	default:
		aside, err := checkpoint.MoveAside(r.path, slices.Concat([]string{keep.path}, keep.taken)...)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.t.err, "note: %s is the trace of an earlier run; it is kept as %s\n", printable(r.path), printable(aside))
	}
	if anew {
		// Whole or not at all, so that what a kill leaves is a trace.
		if err := checkpoint.WriteFile(r.path, keep.header().line()); err != nil {
			return err
		}
	}
	if r.file, err = os.OpenFile(r.path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return err
	}
	if r.size, err = r.file.Seek(0, io.SeekEnd); err != nil {
		r.file.Close()
		return err
	}
	r.synced = r.size
	return nil
}

// cut rewrites a trace: its first line, then those of each stream up to the
// iterations that are kept, without a last one that a kill has broken off.
func cut(path string, kept func(stream int) int64) (err error) {
	old, err := os.Open(path)
	if err != nil {
		return err
	}
	defer old.Close()
	info, err := old.Stat()
	if err != nil {
		return err
	}
	t, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			t.Close()
			os.Remove(t.Name())
		}
	}()
	w := bufio.NewWriter(t)
	lines := bufio.NewReaderSize(old, 1<<20)
	first, err := lines.ReadSlice('\n')
	if err != nil {
		return err
	}
	if _, err := w.Write(first); err != nil {
		return err
	}
	for number := 2; ; number++ {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			break // whatever is left is no whole line
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
		var m struct {
			Stream     *int   `json:"stream"`
			Iterations *int64 `json:"iterations"`
		}
		if err != nil || json.Unmarshal(line, &m) != nil || m.Stream == nil || m.Iterations == nil {
			return fmt.Errorf("%s, line %d: not a line of a trace; it is left as it is", path, number)
		}
		if *m.Iterations <= kept(*m.Stream) {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = t.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	if err = t.Sync(); err != nil {
		return err
	}
	if err = t.Close(); err != nil {
		return err
	}
	return os.Rename(t.Name(), path)
}

// observer is who hears of the moments; nobody when there is no trace.
func (r *tracer) observer() search.Observer {
	if r == nil {
		return nil
	}
	return r
}

// Observe writes a moment down.
func (r *tracer) Observe(e search.Event) {
	if e.Kind != search.Traced {
		return
	}
	m := moment{
		Stream: e.Stream, Iterations: e.Done, Seconds: math.Round(1e3*time.Since(r.start).Seconds()) / 1e3,
		Score: e.Score, Best: e.Best, Operators: e.Operators,
	}
	if len(e.Repairs) > 0 {
		m.Repair = e.Repairs[0]
	}
	line, err := json.Marshal(m)
	if err != nil {
		panic(err) // it has whole numbers, shares and names alone
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines.Write(line)
	r.lines.WriteByte('\n')
	if r.lines.Len() > traceBuffer {
		r.write()
	}
}

// flush hands the lines to the file.
func (r *tracer) flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write()
}

// sync forces the lines to disk. It comes before a checkpoint is saved, so that
// a trace is never behind the run that goes on with it.
func (r *tracer) sync() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write()
	if r.regular && r.size > r.synced {
		r.warn(r.file.Sync())
		r.synced = r.size
	}
}

// write hands the lines to the file. A disk that is full must not end the
// search: it is said once, the lines are lost, and later ones are tried again,
// behind the last whole line.
func (r *tracer) write() {
	if r.lines.Len() == 0 {
		return
	}
	n, err := r.file.Write(r.lines.Bytes())
	r.lines.Reset()
	if err == nil {
		r.size += int64(n)
		return
	}
	r.warn(err)
	if r.regular && n > 0 {
		r.warn(r.file.Truncate(r.size))
	}
}

func (r *tracer) warn(err error) {
	if err == nil || r.failed {
		return
	}
	r.failed = true
	fmt.Fprintln(r.t.err, "warning: --trace: lines are lost:", printable(err.Error()))
}

// close writes what is left and lets others have the file.
func (r *tracer) close() {
	if r == nil {
		return
	}
	r.stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write()
	r.warn(r.file.Close())
	if r.lock != nil {
		release(r.lock)
	}
}
