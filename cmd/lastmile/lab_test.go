package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	shell "lastmile/lab"
	lab "lastmile/lab/engine"
	"lastmile/search"
)

// The lab's numbers are the command line's: each event of a trace is what the
// page has at that iteration, and the score after 200 iterations is that of
// polish, given the board, the seed and the portfolio that the page names.
func TestLabIsTheCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	type state struct {
		Text       string
		Iterations int64
		Score      int
		Best       int
		Operators  []search.Operator
	}
	for run, question := range []map[string]any{
		{"seed": 3, "damage": 0.6},
		{"seed": 11, "board": "blackwood-470", "damage": 0.9, "operators": []string{"ring", "scattered", "worst-band"}},
	} {
		call := func(e *lab.Engine, method string, params any) (s state) {
			text, err := json.Marshal(params)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := e.Call(method, text)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(answer, &s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		e := lab.New(nil)
		page := call(e, "repair.open", question)
		file := fmt.Sprintf("%d.trace", run)
		args := []string{"polish", page.Text, "--streams", "1", "--seed", fmt.Sprint(question["seed"]), "--iterations", "200", "--trace", file, "--json", "-q"}
		if names, ok := question["operators"].([]string); ok {
			for _, n := range names {
				args = append(args, "--operators", n)
			}
		}
		v := object(t, 0, args...)
		events := readTrace(t, file)[0]
		if len(events) < 100 {
			t.Fatalf("%d events", len(events))
		}
		for _, m := range events {
			page = call(e, "repair.step", map[string]any{"iterations": m.Iterations - page.Iterations})
			if page.Iterations != m.Iterations || page.Score != m.Score || page.Best != m.Best || fmt.Sprint(page.Operators) != fmt.Sprint(m.Operators) {
				t.Fatalf("run %d: the page has %+v, the command line %+v", run, page, m)
			}
		}
		if page.Iterations != 200 || float64(page.Best) != v["score"] {
			t.Errorf("run %d: best %d after %d iterations, polish %v", run, page.Best, page.Iterations, v["score"])
		}
	}
}

func TestLabRefuses(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for _, c := range []struct{ args, want string }{
		{"lab --listen nonsense", "--listen nonsense: want HOST:PORT"},
		{"lab --listen=", "--listen: an empty value"},
		{"lab --listen ::1:0", "--listen ::1:0: want HOST:PORT"},
		{"lab --no-open --listen 127.0.0.1:99999", "--listen 127.0.0.1:99999: "},
		{"lab --token short --no-open", "--token of 5 characters, want 16 to 256"},
		{"lab --no-open --token " + strings.Repeat("x", 257), "--token of 257 characters, want 16 to 256"},
		{"lab --no-open --token éééééééé", "--token of 8 characters, want 16"},
		{"lab --no-open --listen " + busy.Addr().String(), "in use"},
		{"lab --no-open --listen 192.0.2.1:0", "--listen 192.0.2.1:0: "},
		{"lab --export .", "not empty"},
		{"lab --export=", "--export: an empty value"},
		{"lab --export lab.go", "--export: "},
		{"lab extra", "unexpected argument extra"},
	} {
		if status, out, err := lastmile(t, "", strings.Fields(c.args)...); status != 2 || out != "" || !strings.Contains(err, c.want) || strings.Count(err, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q, want %q", c.args, status, out, err, c.want)
		}
	}
	t.Setenv("LASTMILE_LAB_TOKEN", "short")
	if status, _, err := lastmile(t, "", "lab", "--no-open"); status != 2 || !strings.Contains(err, "--token of 5 characters") {
		t.Errorf("a short token in the environment: status %d, %q", status, err)
	}
}

// A program without the files, away from the source, says how to get both.
func TestLabIsNotBuilt(t *testing.T) {
	if _, err := shell.Embedded(); err == nil {
		t.Skip("this program has the files")
	}
	t.Chdir(t.TempDir())
	for _, args := range []string{"lab --no-open --listen 127.0.0.1:0", "lab --export site"} {
		if status, out, err := lastmile(t, "", strings.Fields(args)...); status != 2 || out != "" || !strings.Contains(err, "make build") {
			t.Errorf("%s: status %d, %q, %q", args, status, out, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// standIn puts a go command on the path that makes files of the lab at once; or,
// when it is slow, makes a file named started and goes on until it is killed.
func standIn(t *testing.T, slow bool) (temporary string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	dir, temporary := t.TempDir(), t.TempDir()
	work := `mkdir -p "$5" && for f in ` + strings.Join(shell.Names, " ") + `; do echo "$f" >"$5/$f"; done`
	if slow {
		work = `echo >"$TMPDIR/left"; sleep 600 & echo $! >"` + dir + `/started.tmp"; mv "` + dir + `/started.tmp" "` + dir + `/started"; wait`
	}
	script := "#!/bin/sh\ncase $1 in list) echo lastmile;; run) " + work + ";; esac\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TMPDIR", temporary)
	t.Setenv("STARTED", filepath.Join(dir, "started"))
	return temporary
}

// A stop while the files are made ends that too, and leaves nothing.
func TestLabStopsWhileItIsMade(t *testing.T) {
	if _, err := shell.Embedded(); err == nil {
		t.Skip("this program has the files")
	}
	temporary := standIn(t, true)
	for _, args := range []string{"lab --no-open --listen 127.0.0.1:0 -q", "lab --export " + filepath.Join(t.TempDir(), "site")} {
		os.Remove(os.Getenv("STARTED"))
		ctx, stop := context.WithCancel(context.Background())
		var out, errs bytes.Buffer
		done := make(chan int, 1)
		go func() {
			done <- run(strings.Fields(args), &terminal{strings.NewReader(""), &out, &errs, func() (context.Context, func()) { return ctx, stop }})
		}()
		for {
			if _, err := os.Stat(os.Getenv("STARTED")); err == nil {
				break
			}
			select {
			case status := <-done:
				t.Fatalf("%s: ended with %d, %s", args, status, &errs)
			case <-time.After(5 * time.Millisecond):
			}
		}
		stop()
		if status := <-done; status != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "stopped while") {
			t.Errorf("%s: status %d, %q, %q", args, status, &out, &errs)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", args, left, err)
		}
	}
}

// A second export replaces the first; what is not of the lab is not touched.
func TestLabExports(t *testing.T) {
	temporary := standIn(t, false)
	site := filepath.Join(t.TempDir(), "site")
	for range 2 {
		if status, out, err := lastmile(t, "", "lab", "--export", site); status != 0 || out != "" || !strings.Contains(err, "the lab is in "+site) {
			t.Fatalf("status %d, %q, %q", status, out, err)
		}
		if err := shell.Complete(os.DirFS(site)); err != nil {
			t.Error(err)
		}
	}
	mine := filepath.Join(site, "mine.txt")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, err := lastmile(t, "", "lab", "--export", site); status != 2 || !strings.Contains(err, "mine.txt") {
		t.Errorf("over a file of somebody's: status %d, %q", status, err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// A signal ends the lab, whatever browsers keep open, and leaves nothing.
func TestLabEndsBySignal(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	program := binary(t)
	temporary := standIn(t, false)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := exec.Command(program, "lab", "--listen", "127.0.0.1:0", "--no-open", "-q")
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		link, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		host := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(link), "http://"), "/")
		idle, err := net.Dial("tcp", host) // as browsers keep one ready
		if err != nil {
			t.Fatal(err)
		}
		defer idle.Close()
		r, err := http.Get("http://" + host + "/main.js")
		if err != nil || r.StatusCode != 200 {
			t.Fatal(r, err)
		}
		r.Body.Close()
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if more, err := io.ReadAll(lines); err != nil || len(more) > 0 {
			t.Errorf("printed %q, %v", more, err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %v", s, err)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
	}
}

func TestHosts(t *testing.T) {
	for port, want := range map[string]string{
		"8750": "localhost:8750 127.0.0.1:8750 [::1]:8750",
		"80":   "localhost:80 localhost 127.0.0.1:80 127.0.0.1 [::1]:80 [::1]",
	} {
		if got := strings.Join(hosts(port, "localhost", "127.0.0.1", "::1", "127.0.0.1"), " "); got != want {
			t.Errorf("port %s: %s, want %s", port, got, want)
		}
	}
}

// The command serves the lab until it is told to stop; the link is its output.
func TestLabServes(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the files of the lab")
	}
	for _, c := range []struct {
		args  string
		token bool
	}{{"lab --listen 127.0.0.1:0 --no-open -q", false}, {"lab --listen 0.0.0.0:0 --no-open -q", true}} {
		ctx, stop := context.WithCancel(context.Background())
		in, out := io.Pipe()
		done := make(chan int)
		go func() {
			done <- run(strings.Fields(c.args), &terminal{strings.NewReader(""), out, io.Discard, func() (context.Context, func()) { return ctx, stop }})
		}()
		link, err := bufio.NewReader(in).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		link = strings.TrimSpace(link)
		if _, token, _ := strings.Cut(link, "?token="); c.token != (len(token) == 32) {
			t.Errorf("%s: link %s", c.args, link)
		}
		bare, _, _ := strings.Cut(link, "?")
		for url, want := range map[string]int{link: 200, bare + "nothing": map[bool]int{false: 404, true: 401}[c.token]} {
			r, err := http.Get(url)
			if err != nil || r.StatusCode != want {
				t.Errorf("%s: %v %v, want %d", url, r, err, want)
				continue
			}
			r.Body.Close()
		}
		stop()
		if status := <-done; status != 0 {
			t.Errorf("%s: status %d", c.args, status)
		}
	}
}

// A run with --live tells where it can be watched, streams what it does, and
// comes to the same result.
func TestLiveRun(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the files of the lab")
	}
	for _, c := range []struct{ args, want string }{
		{"polish riotte-464 --iterations 10 --live nonsense", "--live nonsense: want HOST:PORT"},
		{"solve --iterations 10 --live 192.0.2.1:0", "--live 192.0.2.1:0: "},
	} {
		if status, out, err := lastmile(t, "", strings.Fields(c.args)...); status != 2 || out != "" || !strings.Contains(err, c.want) {
			t.Errorf("%s: status %d, %q, %q, want %q", c.args, status, out, err, c.want)
		}
	}
	source, err := os.Getwd() // the files of the lab are made from there
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	args := strings.Fields("polish riotte-464 --iterations 200000 --streams 1 --seed 5 --json -q --checkpoint plain.json")
	want := object(t, 0, args...)
	in, stderr := io.Pipe()
	var out bytes.Buffer
	done := make(chan int)
	t.Chdir(source)
	folder := t.TempDir()
	args = append(args[:len(args)-1], filepath.Join(folder, "live.json"), "--live", "127.0.0.1:0")
	go func() {
		done <- run(args, &terminal{strings.NewReader(""), &out, stderr, func() (context.Context, func()) { return context.Background(), func() {} }})
		stderr.Close()
	}()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, in)
	link := strings.TrimSpace(strings.TrimPrefix(line, "watch this run at "))
	r, err := http.Get(link + "live")
	if err != nil {
		t.Fatal(err)
	}
	stream, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	if status := <-done; status != 0 {
		t.Fatalf("status %d", status)
	}
	for _, text := range []string{"event: puzzle\n", "event: boards\n", `"over":true`} {
		if !strings.Contains(string(stream), text) {
			t.Errorf("the stream has no %q", text)
		}
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got["score"] != want["score"] || got["url"] != want["url"] {
		t.Errorf("score %v, %v; want %v", got["score"], err, want["score"])
	}
}
