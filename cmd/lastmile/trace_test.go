package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"lastmile/alns"
	"lastmile/checkpoint"
	"lastmile/search"
	"lastmile/solve"
)

// readTrace reads a trace that must be whole: the lines of each stream in their
// order, without the seconds.
func readTrace(t *testing.T, path string) map[int][]moment {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	streams := map[int][]moment{}
	last := 0.0
	for number, line := range strings.SplitAfter(string(text), "\n") {
		if line == "" {
			break // behind the last line
		}
		if number == 0 {
			if h, err := headerOf(path); err != nil || h.Version != version || len(h.Run) != 16 || h.Kind == "" || string(h.line()) != line {
				t.Fatalf("%s begins with %s: %v", path, line, err)
			}
			continue
		}
		var m moment
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&m); err != nil || !strings.HasSuffix(line, "\n") || !strings.HasPrefix(line, `{"stream":`) {
			t.Fatalf("%s, line %d: %v: %s", path, number+1, err, line)
		}
		if earlier := streams[m.Stream]; len(earlier) > 0 && earlier[len(earlier)-1].Iterations >= m.Iterations {
			t.Fatalf("%s, line %d: iteration %d comes after %d", path, number+1, m.Iterations, earlier[len(earlier)-1].Iterations)
		}
		last, m.Seconds = m.Seconds, 0
		streams[m.Stream] = append(streams[m.Stream], m)
	}
	if last <= 0 {
		t.Errorf("%s: the last line is %v seconds old", path, last)
	}
	return streams
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stopped runs a command line that a signal stops before the first round, so
// that it leaves a checkpoint.
func stopped(t *testing.T, args ...string) {
	t.Helper()
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errors bytes.Buffer
	listen := func() (context.Context, func()) { return gone, func() {} }
	if status := run(args, &terminal{strings.NewReader(""), &out, &errors, listen}); status != 0 || !strings.Contains(errors.String(), "--resume") {
		t.Fatalf("%v: status %d, %s", args, status, errors.String())
	}
}

// The last lines of a trace are the accounts that polish prints, and a new run
// sets an old trace aside.
func TestTraceOfPolish(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("polish riotte-464 --iterations 80000 --streams 2 --threads 2 --acceptance threshold --trace run.trace --json -q")
	v := object(t, 0, args...)
	first := readTrace(t, "run.trace")
	accepted, gain := 0.0, 0.0
	for _, o := range v["operators"].([]any) {
		accepted += o.(map[string]any)["accepted"].(float64)
		gain += o.(map[string]any)["gain"].(float64)
	}
	best := 0
	for stream := range 2 {
		lines := first[stream]
		end := lines[len(lines)-1]
		if lines[0].Iterations != 1 || end.Iterations != 40000 || end.Repair != (search.Repair{Name: "greedy", Uses: 40000}) {
			t.Errorf("stream %d ends with %+v", stream, end)
		}
		for _, o := range end.Operators {
			accepted -= float64(o.Accepted)
			gain -= float64(o.Gain)
		}
		best = max(best, end.Best)
	}
	if accepted != 0 || gain != 0 || float64(best) != v["score"] {
		t.Errorf("%v more accepted and %v more gained than traced; best %d, want %v", accepted, gain, best, v["score"])
	}
	if gained := v["gained"].(float64); gained < 0 || gained > 40000 || (gained == 0) != (v["score"] == v["start"]) {
		t.Errorf("gained at %v, from %v to %v", gained, v["start"], v["score"])
	}
	if status, _, err := lastmile(t, "", args...); status != 0 || strings.Count(err, "\n") != 1 || !strings.Contains(err, "run.trace.1") {
		t.Errorf("a new run: status %d, %s", status, err)
	}
	for _, path := range []string{"run.trace", "run.trace.1"} {
		if again := readTrace(t, path); !reflect.DeepEqual(again, first) {
			t.Errorf("%s: the same run traced otherwise", path)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("files left behind: %v", left)
	}
}

// The streams of a trace of solve are its attempts.
func TestTraceOfSolve(t *testing.T) {
	t.Chdir(t.TempDir())
	v := object(t, 0, strings.Fields("solve --iterations 5000 --attempts 2 --width 8 --trace run.trace --json -q")...)
	trace := readTrace(t, "run.trace")
	if len(trace) != 2 || trace[1][len(trace[1])-1].Iterations != 2500 {
		t.Errorf("%+v", trace)
	}
	if best := trace[int(v["attempt"].(float64))]; float64(best[len(best)-1].Best) != v["score"] {
		t.Errorf("score %v, traced %d", v["score"], best[len(best)-1].Best)
	}
	// Solve goes on with attempts that are saved, begins those anew that are not,
	// and has done with those that it has forgotten.
	s := solve.State{Begun: 5, Attempts: []solve.Attempt{{Number: 2, Steps: 70000}, {Number: 4}}}
	for attempt, want := range []int64{1 << 40, 1 << 40, 70000, 1 << 40, 0, 0} {
		if got := min(traced(s, attempt), 1<<40); got != want {
			t.Errorf("attempt %d is kept to iteration %d, want %d", attempt, got, want)
		}
	}
}

// A signal ends a trace with a whole line, no earlier than the checkpoint.
func TestSignalEndsATrace(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	program := binary(t)
	t.Chdir(t.TempDir())
	// It saves itself at the signal alone.
	c := exec.Command(program, strings.Fields("polish riotte-464 --time 1h --streams 2 --threads 2 -q --every 1h --checkpoint run --trace run.trace")...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		// Every few seconds it is flushed without a save.
		if text, _ := os.ReadFile("run.trace"); bytes.Count(text, []byte(`"iterations":32768,`)) == 2 {
			break
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	var of setup
	var saved alns.States
	if err := checkpoint.Load("run", "polish", &of, &saved); err != nil {
		t.Fatal(err)
	}
	trace := readTrace(t, "run.trace")
	for stream, w := range saved.Walks {
		// Between two moments of a walk lies a 32nd of its iterations at most.
		if lines := trace[stream]; w.Iterations == 0 || len(lines) == 0 || w.Iterations-lines[len(lines)-1].Iterations > w.Iterations/32 {
			t.Errorf("stream %d: saved at %d, %d lines", stream, w.Iterations, len(lines))
		}
	}
}

// A trace without the lines that come again is the old file but for them.
func TestCutTrace(t *testing.T) {
	t.Chdir(t.TempDir())
	line := func(stream, iterations int) string {
		return fmt.Sprintf(`{"stream":%d,"iterations":%d,"seconds":0.5,"score":4,"best":5,"operators":[],"repair":{"name":"x"}}`+"\n", stream, iterations)
	}
	kept := func(stream int) int64 { return []int64{20, 0, 5}[stream] }
	first := string(header{traceFormat, "9.9", "polish", "x", 1}.line())
	for before, want := range map[string]string{
		"": "",
		line(0, 1) + line(1, 1) + line(0, 20) + line(2, 6) + line(0, 21): line(0, 1) + line(0, 20),
		line(2, 5) + line(2, 1)[:20]:                                     line(2, 5),
		line(2, 5) + strings.TrimSpace(line(2, 1)):                       line(2, 5), // no end of a line: broken off
		line(2, 5)[:3]: "",
	} {
		if err := os.WriteFile("trace", []byte(first+before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := cut("trace", kept); err != nil {
			t.Errorf("%q: %v", before, err)
		}
		if got, _ := os.ReadFile("trace"); string(got) != first+want {
			t.Errorf("%q became %q, want %q", before, got, want)
		}
		if info, err := os.Stat("trace"); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	for _, damaged := range []string{line(0, 1) + "\n" + line(0, 2), "{}\n", line(0, 1)[:30] + "\n", line(0, 1) + `{"stream":"` + strings.Repeat("x", 2<<20) + "\"}\n"} {
		if err := os.WriteFile("trace", []byte(first+damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := cut("trace", kept); err == nil || !strings.Contains(err.Error(), "trace, line ") {
			t.Errorf("%.80q: %v", damaged, err)
		}
		if got, _ := os.ReadFile("trace"); string(got) != first+damaged {
			t.Errorf("%.80q was changed", damaged)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
	if left, _ := filepath.Glob(".*"); len(left) != 0 {
		t.Errorf("files left behind: %v", left)
	}
}

// A run may be traced from where it is resumed on, or not be any longer; what is
// no trace is left alone.
func TestTraceOfResumedRun(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("polish riotte-464 --iterations 3000 --streams 1 -q --checkpoint run")
	resume := append(args, "--resume", "--trace", "new.trace")
	stopped(t, append(args, "--trace", "old.trace")...)
	old, err := os.ReadFile("old.trace")
	if err != nil {
		t.Fatal(err)
	}
	h, err := headerOf("old.trace")
	if err != nil {
		t.Fatal(err)
	}
	h.Run = "0123456789abcdef"
	for text, want := range map[string]string{
		string(old) + `{"stream":0}` + "\nand so on\n": "new.trace, line 2",
		`{"stream":0,"iterations":1}` + "\n":           "new.trace is not a trace",
		string(h.line()):                               "new.trace is of another run, polish with seed 1",
	} {
		if err := os.WriteFile("new.trace", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, err := lastmile(t, "", resume...); status != 2 || strings.Count(err, "\n") != 1 || !strings.Contains(err, want) {
			t.Errorf("a trace of %q: status %d, %s", text, status, err)
		}
		if got, err := os.ReadFile("new.trace"); string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
	for _, there := range []bool{false, true} {
		what := "is not there"
		if there {
			what = "is empty"
			stopped(t, append(args, "--trace", "old.trace")...)
			err = os.WriteFile("new.trace", nil, 0o644)
		} else {
			err = os.Remove("new.trace")
		}
		if err != nil {
			t.Fatal(err)
		}
		if status, _, err := lastmile(t, "", resume...); status != 0 || !strings.Contains(err, "new.trace "+what+"; it begins in the middle") {
			t.Errorf("no trace: status %d, %s", status, err)
		}
		if got := readTrace(t, "new.trace")[0]; len(got) == 0 || got[0].Iterations != 1 || got[len(got)-1].Iterations != 3000 {
			t.Errorf("%+v", got)
		}
	}
	stopped(t, args...)
	if status, _, err := lastmile(t, "", append(args, "--resume")...); status != 0 {
		t.Errorf("no longer traced: status %d, %s", status, err)
	}
}

// Two runs do not trace to one file at once.
func TestTraceIsHeldAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	path, err := checkpoint.Target("run.trace")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := hold(path, "--trace")
	if err != nil {
		t.Fatal(err)
	}
	if status, _, err := lastmile(t, "", strings.Fields("polish riotte-464 --iterations 5 --trace run.trace")...); status != 2 || !strings.Contains(err, "held by another run") {
		t.Errorf("status %d, %s", status, err)
	}
	release(lock)
	if status, _, err := lastmile(t, "", strings.Fields("polish riotte-464 --iterations 5 --trace run.trace -q")...); status != 0 || err != "" {
		t.Errorf("status %d, %s", status, err)
	}
}

// A disk that is full ends no search; it is said once.
func TestTraceOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	for _, command := range []string{"polish riotte-464 --iterations 400000", "solve --iterations 5000 --width 4"} {
		status, out, err := lastmile(t, "", strings.Fields(command+" --trace /dev/full -q --every 10ms")...)
		if status != 0 || !strings.HasPrefix(out, "score ") || strings.Count(err, "\n") != 1 || !strings.Contains(err, "--trace") {
			t.Errorf("%s: status %d, %s", command, status, err)
		}
	}
}

// Lines that a full disk cuts off do not spoil those that come when there is
// room again.
func TestTraceGoesOnBehindWholeLines(t *testing.T) {
	t.Chdir(t.TempDir())
	var errors bytes.Buffer
	f := tracing{Trace: "trace"}
	r, err := f.record(&saver{kind: "polish", path: "run", t: &terminal{err: &errors}}, false, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := r.file
	tell := func(n int64) { r.Observe(search.Event{Kind: search.Traced, Done: n}) }
	tell(1)
	r.flush()
	// A file that cannot be written, as a full disk cannot.
	r.mu.Lock()
	if r.file, err = os.Open("trace"); err != nil {
		t.Fatal(err)
	}
	r.mu.Unlock()
	for n := int64(2); n < 5; n++ {
		tell(n)
		r.sync()
	}
	r.mu.Lock()
	r.file.Close()
	r.file = whole
	r.mu.Unlock()
	tell(5)
	r.Observe(search.Event{Kind: search.Progress})
	r.close()
	text, err := os.ReadFile("trace")
	if err != nil || strings.Count(string(text), "\n") != 3 || strings.Count(errors.String(), "\n") != 1 {
		t.Errorf("%v: %s\n%s", err, text, errors.String())
	}
	if left, _ := filepath.Glob("*"); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}

// The files of a run, and those by which it holds them, are different ones, or
// nothing is touched.
func TestFilesOfARunAreDistinct(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("y", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("y", "hard"); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("x.lock", "soft"); err != nil {
		t.Skip(err)
	}
	for _, files := range []string{
		"--trace x --out x", "--trace x --checkpoint x", "--out x --checkpoint x",
		"--trace x --out x.lock", "--trace x --checkpoint x.lock", "--checkpoint x --out x.lock", "--checkpoint x --trace ./x.lock",
		"--trace y --out hard", "--trace y --checkpoint hard",
	} {
		for _, command := range []string{"polish riotte-464", "solve --width 4"} {
			status, out, err := lastmile(t, "", strings.Fields(command+" --iterations 5 -q "+files)...)
			if status != 2 || out != "" || strings.Count(err, "\n") != 1 || !strings.Contains(err, "want two files") {
				t.Errorf("%s %s: status %d, %s", command, files, status, err)
			}
		}
	}
	for _, files := range []string{"--trace .x.1 --checkpoint x", "--out .x.1 --trace ./x", "--out .x.1 --checkpoint x", "--checkpoint .x.1 --trace x"} {
		if status, _, err := lastmile(t, "", strings.Fields("polish riotte-464 --iterations 5 -q "+files)...); status != 2 || !strings.Contains(err, "want another name") {
			t.Errorf("%s: status %d, %s", files, status, err)
		}
	}
	if status, _, err := lastmile(t, "", strings.Fields("exhaust riotte-464 --turn 180 --keep 250 --checkpoint x --out x.lock")...); status != 2 || !strings.Contains(err, "want two files") {
		t.Errorf("exhaust: status %d, %s", status, err)
	}
	if left, _ := filepath.Glob("*"); len(left) != 3 {
		t.Errorf("left %v", left)
	}
}

// A lock that is not ours is neither taken nor removed.
func TestLockOfSomebodyElse(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("run.lock", []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--trace", "--checkpoint"} {
		status, _, err := lastmile(t, "", strings.Fields("polish riotte-464 --iterations 5 -q "+flag+" run")...)
		if status != 2 || strings.Count(err, "\n") != 1 || !strings.Contains(err, flag+" names another file") {
			t.Errorf("%s: status %d, %s", flag, status, err)
		}
	}
	if text, err := os.ReadFile("run.lock"); string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	if left, _ := filepath.Glob("*"); len(left) != 1 {
		t.Errorf("left %v", left)
	}
	// One that a kill has left is taken, and one that has come to hold something
	// since is left.
	if err := os.WriteFile("run.lock", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	lock, err := hold("run", "--trace")
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, "run.lock", "precious")
	release(lock)
	if text, err := os.ReadFile("run.lock"); string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
}

// A run that is begun anew keeps the checkpoint and the trace of one that was
// stopped: it can still be resumed.
func TestTraceIsSetAside(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("polish riotte-464 --iterations 3000 --streams 1 -q --checkpoint run --trace run.trace")
	stopped(t, args...)
	// The names beside are not free for a file that the run writes later.
	status, _, err := lastmile(t, "", append(args, "--seed", "2", "--out", "run.trace.1")...)
	if status != 0 || strings.Count(err, "\n") != 2 || !strings.Contains(err, "is kept as ") || !strings.Contains(err, "run.trace.2") {
		t.Fatalf("status %d, %s", status, err)
	}
	if got := readTrace(t, "run.trace")[0]; got[len(got)-1].Iterations != 3000 {
		t.Errorf("%+v", got)
	}
	if _, err := headerOf("run.trace.2"); err != nil {
		t.Error(err)
	}
	args = strings.Fields("polish riotte-464 --iterations 3000 --streams 1 -q --checkpoint run.1 --resume --trace")
	if status, _, err := lastmile(t, "", append(args, "run.trace")...); status != 2 || !strings.Contains(err, "of another run, polish with seed 2") {
		t.Errorf("the trace of another seed: status %d, %s", status, err)
	}
	if status, _, err := lastmile(t, "", append(args, "run.trace.2")...); status != 0 || err != "" {
		t.Errorf("status %d, %s", status, err)
	}
	if got := readTrace(t, "run.trace.2")[0]; got[0].Iterations != 1 || got[len(got)-1].Iterations != 3000 {
		t.Errorf("%+v", got)
	}
}

// A trace is not mixed up with the result, whatever standard output is called.
func TestTraceIsNotTheOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	file, err := os.Create("out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		out   *os.File
		trace string
		want  int
	}{{file, "out", 2}, {w, fmt.Sprintf("/dev/fd/%d", w.Fd()), 2}, {null, os.DevNull, 0}, {file, os.DevNull, 0}} {
		if _, err := os.Stat(c.trace); err != nil {
			continue // no such names here
		}
		for _, more := range []string{"", " --json"} {
			var errors bytes.Buffer
			still := func() (context.Context, func()) { return context.Background(), func() {} }
			args := strings.Fields("polish riotte-464 --iterations 5 -q --trace " + c.trace + more)
			if status := run(args, &terminal{strings.NewReader(""), c.out, &errors, still}); status != c.want || (c.want == 2) != strings.Contains(errors.String(), "standard output carries the result") {
				t.Errorf("%v: status %d, %s", args, status, errors.String())
			}
		}
	}
}

// A round that was cut short is traced again, so its lines go; those of walks
// that do not go on stay.
func TestTracedByAnAttempt(t *testing.T) {
	s := solve.State{Begun: 4, Attempts: []solve.Attempt{
		{Number: 1, Steps: 50_000, Walk: &alns.State{Iterations: alns.Round}}, {Number: 2, Steps: 70_000},
	}}
	for attempt, want := range []int64{math.MaxInt64, alns.Round, 70_000, math.MaxInt64, 0} {
		if got := traced(s, attempt); got != want {
			t.Errorf("attempt %d: %d iterations are kept, want %d", attempt, got, want)
		}
	}
}
