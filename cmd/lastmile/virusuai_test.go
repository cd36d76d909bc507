package main

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
)

// A dialogue ends with its input, and nothing that is said in it is bad usage.
func TestVirusServes(t *testing.T) {
	for command, want := range map[string]string{
		"virus uai":               "rules ataxx",
		"virus ugi":               "rules virus",
		"virus uai --rules virus": "rules virus",
		"virus ugi --rules ataxx": "rules ataxx",
	} {
		hello := strings.Fields(command)[1]
		status, out, errors := lastmile(t, hello+"\nd\nposition fen 9\nperft\nnonsense\ngo depth 1\nquit\n", strings.Fields(command)...)
		for _, part := range []string{"id name lastmile " + version + "\n", hello + "ok\n", want, `info string error command "nonsense"`, "bestmove "} {
			if !strings.Contains(out, part) {
				t.Errorf("%s: no %q in %s", command, part, out)
			}
		}
		if status != 0 || errors != "" {
			t.Errorf("%s: status %d, %s", command, status, errors)
		}
		for _, bad := range []string{" --rules chess", " --rules=", " game"} {
			if status, out, errors := lastmile(t, "", strings.Fields(command+bad)...); status != statusBad || out != "" || strings.Count(errors, "\n") != 1 {
				t.Errorf("%s%s: status %d, %s%s", command, bad, status, out, errors)
			}
		}
	}
}

// A signal ends a dialogue as quit does, and the search still answers.
func TestVirusServesUntilASignal(t *testing.T) {
	in, commands := io.Pipe()
	answers, out := io.Pipe()
	ctx, signal := context.WithCancel(t.Context())
	defer signal()
	ended := make(chan int, 1)
	go func() {
		status := run([]string{"virus", "uai"}, &terminal{in, out, io.Discard, func() (context.Context, func()) { return ctx, func() {} }})
		out.Close()
		ended <- status
	}()
	defer commands.Close()
	go io.WriteString(commands, "go infinite\nisready\n")
	var said []string
	for lines := bufio.NewScanner(answers); lines.Scan(); {
		if said = append(said, lines.Text()); lines.Text() == "readyok" {
			signal()
		}
	}
	if status := <-ended; status != 0 || len(said) == 0 || !slices.Contains(said, "readyok") || !strings.HasPrefix(said[len(said)-1], "bestmove ") {
		t.Errorf("status %d, %s", status, said)
	}
}
