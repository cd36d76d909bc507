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
	"sync"
	"time"

	"github.com/gofrs/flock"

	"lastmile/checkpoint"
	"lastmile/search"
)

// tracing is the flag of searches that write down what their walks do.
type tracing struct {
	Trace string `placeholder:"FILE" help:"Write what each walk does as JSON, an object a line: at iterations 1, 2, 4 and so on, then every 32,768, some 15 lines a second and thread of up to 1.5 kB. --resume goes on with the file."`
}

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

// lineStart is what every line of a trace begins with.
const lineStart = `{"stream":`

// writable tells what is wrong with the flag before anything is written. A file
// that is not a trace is not written over.
func (f *tracing) writable(b *bounds) error {
	switch {
	case f.Trace == "":
		return nil
	case f.Trace == "-":
		return badf("--trace -: standard output carries the result, want a file")
	case same(f.Trace, b.Out):
		return badf("--out and --trace are both %s, want two files", f.Trace)
	}
	if err := checkpoint.Writable(f.Trace); err != nil {
		return badf("--trace: %w", err)
	}
	if !regular(f.Trace) {
		return nil
	}
	file, err := os.Open(f.Trace)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return badf("--trace: %w", err)
	}
	defer file.Close()
	start := make([]byte, len(lineStart))
	n, err := io.ReadFull(file, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return badf("--trace: %w", err)
	}
	if string(start[:n]) != lineStart[:n] { // a kill may leave the beginning of a line
		return badf("--trace: %s is not a trace, want a new file or one that a run of lastmile has traced to; it is left as it is", f.Trace)
	}
	return nil
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

// record begins a new trace, or goes on with that of a run that is resumed: the
// lines that it will write again, those of a stream beyond the iterations that
// kept tells, are dropped.
func (f *tracing) record(resume bool, elapsed time.Duration, kept func(stream int) int64, t *terminal) (*tracer, error) {
	if f.Trace == "" {
		return nil, nil
	}
	path, err := checkpoint.Target(f.Trace)
	if err != nil {
		return nil, badf("--trace: %w", err)
	}
	r := &tracer{t: t, path: path, start: time.Now().Add(-elapsed), regular: regular(path)}
	if r.regular {
		if r.lock, err = hold(path, "--trace"); err != nil {
			return nil, err
		}
	}
	if err := r.begin(resume, kept); err != nil {
		if r.lock != nil {
			release(r.lock)
		}
		return nil, err
	}
	r.stop = search.Repeat(traceEvery, r.flush)
	return r, nil
}

func (r *tracer) begin(resume bool, kept func(stream int) int64) error {
	how := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	switch {
	case !r.regular:
		how = os.O_WRONLY
	case resume:
		checkpoint.Sweep(r.path)
		err := cut(r.path, kept)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fmt.Fprintf(r.t.err, "note: --trace: %s is not there; it begins where the run goes on\n", printable(r.path))
		case err != nil:
			return badf("--trace: %w", err)
		}
	default:
		how |= os.O_TRUNC
	}
	var err error
	if r.file, err = os.OpenFile(r.path, how, 0o644); err != nil {
		return badf("--trace: %w", err)
	}
	if r.regular {
		if r.size, err = r.file.Seek(0, io.SeekEnd); err != nil {
			r.file.Close()
			return badf("--trace: %w", err)
		}
		r.synced = r.size
	}
	return nil
}

// cut rewrites a trace without the lines of each stream beyond the iterations
// that are kept, and without a last line that a kill has broken off.
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
	for number := 1; ; number++ {
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
