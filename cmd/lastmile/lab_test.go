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
	"path/filepath"
	"strings"
	"testing"

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
		{"lab --token short --no-open", "--token of 5 characters, want 16 or more"},
		{"lab --no-open --listen " + busy.Addr().String(), "in use"},
		{"lab --no-open --listen 192.0.2.1:0", "--listen 192.0.2.1:0: "},
		{"lab --export .", "not empty"},
	} {
		if testing.Short() && !strings.Contains(c.want, "want") {
			continue // makes the files of the lab
		}
		if status, out, err := lastmile(t, "", strings.Fields(c.args)...); status != 2 || out != "" || !strings.Contains(err, c.want) {
			t.Errorf("%s: status %d, %q, %q, want %q", c.args, status, out, err, c.want)
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
