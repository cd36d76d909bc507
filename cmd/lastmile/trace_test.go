package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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
		var m moment
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&m); err != nil || !strings.HasSuffix(line, "\n") || !strings.HasPrefix(line, lineStart) {
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
// replaces an old trace.
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
	appendTo(t, "run.trace", "{")
	object(t, 0, args...)
	if again := readTrace(t, "run.trace"); !reflect.DeepEqual(again, first) {
		t.Error("the same run traced otherwise")
	}
	if left, _ := filepath.Glob("*"); len(left) != 1 {
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
	// It saves itself and flushes its trace at the signal alone.
	c := exec.Command(program, strings.Fields("polish riotte-464 --time 1h --streams 2 --threads 2 -q --every 1h --checkpoint run --trace run.trace")...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		// Every few seconds it is flushed without a save. Behind their first
		// rounds the walks are traced where they are saved.
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
		if lines := trace[stream]; w.Iterations == 0 || len(lines) == 0 || lines[len(lines)-1].Iterations != w.Iterations {
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
	for before, want := range map[string]string{
		"": "",
		line(0, 1) + line(1, 1) + line(0, 20) + line(2, 6) + line(0, 21): line(0, 1) + line(0, 20),
		line(2, 5) + line(2, 1)[:20]:                                     line(2, 5),
		line(2, 5) + strings.TrimSpace(line(2, 1)):                       line(2, 5), // no end of a line: broken off
		line(2, 5)[:3]: "",
	} {
		if err := os.WriteFile("trace", []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := cut("trace", kept); err != nil {
			t.Errorf("%q: %v", before, err)
		}
		if got, _ := os.ReadFile("trace"); string(got) != want {
			t.Errorf("%q became %q, want %q", before, got, want)
		}
		if info, err := os.Stat("trace"); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	for _, damaged := range []string{line(0, 1) + "\n" + line(0, 2), "{}\n", line(0, 1)[:30] + "\n", line(0, 1) + `{"stream":"` + strings.Repeat("x", 2<<20) + "\"}\n"} {
		if err := os.WriteFile("trace", []byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := cut("trace", kept); err == nil || !strings.Contains(err.Error(), "trace, line ") {
			t.Errorf("%.80q: %v", damaged, err)
		}
		if got, _ := os.ReadFile("trace"); string(got) != damaged {
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
	if err := os.WriteFile("new.trace", []byte(lineStart+"0}\nand so on\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, err := lastmile(t, "", resume...); status != 2 || strings.Count(err, "\n") != 1 || !strings.Contains(err, "new.trace, line 1") {
		t.Errorf("a damaged trace: status %d, %s", status, err)
	}
	if err := os.Remove("new.trace"); err != nil {
		t.Fatal(err)
	}
	if status, _, err := lastmile(t, "", resume...); status != 0 || !strings.Contains(err, "new.trace is not there") {
		t.Errorf("no trace: status %d, %s", status, err)
	}
	if got := readTrace(t, "new.trace")[0]; len(got) != 13 || got[12].Iterations != 3000 {
		t.Errorf("%+v", got)
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
	r, err := f.record(false, 0, nil, &terminal{err: &errors})
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
	if err != nil || strings.Count(string(text), "\n") != 2 || strings.Count(errors.String(), "\n") != 1 {
		t.Errorf("%v: %s\n%s", err, text, errors.String())
	}
	if left, _ := filepath.Glob("*"); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}
