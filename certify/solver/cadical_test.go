//go:build unix

package solver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"lastmile/certify"
	"lastmile/certify/cnf"
)

// fake is a program in the place of cadical that knows its version.
func fake(t *testing.T, script string) *Cadical {
	t.Helper()
	c, err := findFake(t, "[ \"$1\" = --version ] && { echo 9.9; exit; }\n"+script)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func findFake(t *testing.T, script string) (*Cadical, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cadical")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return FindCadical(path)
}

func TestFalseCadicals(t *testing.T) {
	big := long()
	for name, test := range map[string]struct {
		script string
		status certify.Status
		fault  string // in the error
		proof  string
	}{
		"claims without a proof":  {"cat >/dev/null; exit 20", certify.Unsatisfiable, "", ""},
		"claims without reading":  {"exit 20", certify.Unsatisfiable, "", ""},
		"writes a false proof":    {"cat >/dev/null; echo nonsense >/dev/fd/4; exit 20", certify.Unsatisfiable, "", "nonsense\n"},
		"no model":                {"cat >/dev/null; exit 10", 0, "its model gives 0 variables of 3", ""},
		"half a model":            {"cat >/dev/null; echo 's SATISFIABLE\nv 1 -3 0' >/dev/fd/3; exit 10", 0, "its model gives 2 variables of 3", ""},
		"a false model":           {"cat >/dev/null; echo 'v 1 2\nv -3 0' >/dev/fd/3; exit 10", certify.Satisfiable, "", ""},
		"a strange variable":      {"cat >/dev/null; echo 'v 1 2 -3 4 0' >/dev/fd/3; exit 10", 0, `its model holds "4"`, ""},
		"the least number":        {"cat >/dev/null; echo 'v -9223372036854775808 0' >/dev/fd/3; exit 10", 0, `its model holds "-9223372036854775808"`, ""},
		"a word":                  {"cat >/dev/null; echo 'v 1 two' >/dev/fd/3; exit 10", 0, `its model holds "two"`, ""},
		"both values":             {"cat >/dev/null; echo 'v 1 2 -1 0' >/dev/fd/3; exit 10", 0, "variable 1 twice", ""},
		"a model without end":     {"yes 'v 1' >/dev/fd/3 & sleep 0.1; exit 10", 0, "variable 1 twice", ""},
		"a line without end":      {"head -c 200000 /dev/zero >/dev/fd/3; exit 10", 0, "its model", ""},
		"garbage":                 {"cat >/dev/null; echo who are you; exit 3", 0, `exit status 3, saying "who are you"`, ""},
		"garbage without end":     {"yes & sleep 0.1; exit 1", 0, "exit status 1, saying", ""},
		"nothing":                 {"exit 1", 0, "exit status 1", ""},
		"killed":                  {"kill -9 $$", 0, "killed", ""},
		"no answer":               {"cat >/dev/null; exit 0", certify.Unknown, "", ""},
		"children that live on":   {"sleep 1000 & cat >/dev/null; exit 20", certify.Unsatisfiable, "", ""},
		"children without output": {"sleep 1000 >/dev/null 2>&1 3>&- 4>&- <&- & exit 20", certify.Unsatisfiable, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			for _, f := range []*cnf.Formula{formula(3, []int32{1, 2}, []int32{-3}), big} {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				var proof bytes.Buffer
				answer, err := fake(t, test.script).Solve(ctx, f, &proof, certify.Limits{})
				if ctx.Err() != nil {
					t.Fatal("hung")
				}
				cancel()
				if test.fault != "" {
					want := strings.ReplaceAll(test.fault, "of 3", fmt.Sprint("of ", f.Vars))
					if f != big && (err == nil || !strings.Contains(err.Error(), want)) || f == big && err == nil {
						t.Errorf("answer %+v, error %v, want %q", answer, err, want)
					}
					continue
				}
				if f == big && test.status == certify.Satisfiable {
					continue // its model is too short
				}
				if err != nil || answer.Status != test.status || proof.String() != test.proof {
					t.Errorf("answer %+v, %v, proof %q; want %v and %q", answer, err, proof.String(), test.status, test.proof)
				}
			}
			settled(t, before)
		})
	}
}

// long is a formula of more bytes than a pipe holds.
func long() *cnf.Formula {
	f := &cnf.Formula{Vars: 100}
	for range 20000 {
		f.Add(1, -57, 100)
	}
	return f
}

// The end of the context ends the program and what it started, at once.
func TestCadicalThatHangs(t *testing.T) {
	for name, script := range map[string]string{
		"sleeps":             "exec sleep 1000",
		"has children":       "sleep 1000 & sleep 1000",
		"ignores signals":    "trap '' TERM INT HUP PIPE; while :; do sleep 1; done",
		"closes its output":  "exec >/dev/null 2>&1 3>&- 4>&-; sleep 1000",
		"writes for ever":    "exec yes >/dev/fd/4",
		"left its own group": "command -v setsid >/dev/null && setsid sleep 3 & sleep 1000",
	} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			pid := filepath.Join(t.TempDir(), "pid")
			c := fake(t, fmt.Sprintf("echo $$ >%s.new; mv %s.new %s\n%s", pid, pid, pid, script))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() { // once it runs
				for ctx.Err() == nil {
					if _, err := os.Stat(pid); err == nil {
						time.Sleep(50 * time.Millisecond)
						cancel()
					}
					time.Sleep(time.Millisecond)
				}
			}()
			answer, err := c.Solve(ctx, pigeons(3), io.Discard, certify.Limits{})
			if err != nil || answer.Why != "stopped" {
				t.Errorf("answer %+v, %v", answer, err)
			}
			text, _ := os.ReadFile(pid)
			var id int
			fmt.Sscan(string(text), &id)
			if id == 0 || syscall.Kill(id, 0) == nil {
				t.Errorf("process %d is still there", id)
			}
			settled(t, before)
		})
	}
}

func TestFindCadical(t *testing.T) {
	for name, script := range map[string]string{
		"fails":       "exit 1",
		"has no word": "echo",
	} {
		if c, err := findFake(t, script); err == nil || !strings.Contains(err.Error(), "does not tell its version") {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	if name := fake(t, "").Name(); name != "cadical 9.9" {
		t.Errorf("name %q", name)
	}
	if _, err := FindCadical(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("error %v", err)
	}
}

// Neither the environment nor a comment of the formula sets options; the caller
// does.
func TestCadicalOptions(t *testing.T) {
	t.Setenv("CADICAL_FACTS", "1")
	script := `[ -z "$CADICAL_FACTS" ] && read -r line && [ "$line" = "p cnf 1 1" ] || exit 1
		case "$*" in "-q "*" --seed=7 -w /dev/fd/3 - /dev/fd/4") exit 20;; esac; exit 2`
	c := fake(t, script)
	c.options = append(c.options, "--seed=7")
	f := formula(1, []int32{1})
	f.Comments = []string{"--seed=8"}
	for _, limits := range []certify.Limits{{}, {Memory: 1 << 30}} {
		if answer, err := c.Solve(t.Context(), f, io.Discard, limits); answer.Status != certify.Unsatisfiable {
			t.Errorf("answer %+v, %v", answer, err)
		}
	}
}

func FuzzParseModel(f *testing.F) {
	f.Add([]byte("s SATISFIABLE\nv 1 -2 3 0\n"))
	f.Add([]byte("v 1\nv -2 -3\nv 0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if model, err := parseModel(text, 3); err == nil && len(model) != 3 {
			t.Errorf("%q: %v", text, model)
		}
	})
}
