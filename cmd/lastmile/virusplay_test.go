package main

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
)

// play runs a dialogue that must end well, and returns what was said.
func play(t *testing.T, input string, args ...string) string {
	t.Helper()
	status, out, err := lastmile(t, input, append([]string{"virus", "play"}, args...)...)
	if status != 0 || err != "" {
		t.Fatalf("%v: status %d, %s\n%s", args, status, err, out)
	}
	return out
}

// shutIn is a position in which o cannot move before x has: the whole game is
// what x plays, and o passes in between.
const shutIn = "oxx1/oxx1/oxx1 x 0 1"

// A whole game, word for word.
func TestPlayToTheEnd(t *testing.T) {
	got := play(t, "d3\n 0000\nD2\nd1\nd2\nundo\nd1\n", "--fen", shutIn, "--depth", "1")
	want := `You have x. The squares marked + are those that you can clone to; ( ) holds the last move; help lists the commands.

    a b c d
  3 o x x + 3
  2 o x x + 2
  1 o x x + 1
    a b c d
x to move; x 6, o 3, 3 empty
> d3
o cannot move and passes.

    a b c d
  3 o x x x 3
  2 o x x + 2
  1 o x x + 1
    a b c d
x to move; x 7, o 3, 2 empty
>  0000
move 0000: a side passes only when it cannot move, want d1, d2; help lists the commands
> D2
o cannot move and passes.

    a b c d
  3 o x x x 3
  2 o x x x 2
  1 o x x + 1
    a b c d
x to move; x 8, o 3, 1 empty
> d1

    a b c d
  3 o x x x 3
  2 o x x x 2
  1 o x x(x)1
    a b c d
x 9, o 3, 0 empty
The game is over, x 9 and o 3: x wins by 6.
> d2
d2: the game is over; new begins another, undo takes back
> undo

    a b c d
  3 o x x x 3
  2 o x x x 2
  1 o x x + 1
    a b c d
x to move; x 8, o 3, 1 empty
> d1

    a b c d
  3 o x x x 3
  2 o x x x 2
  1 o x x(x)1
    a b c d
x 9, o 3, 0 empty
The game is over, x 9 and o 3: x wins by 6.
> ` + "\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// The user passes too, and is only asked when all is over.
	got = play(t, "", "--fen", shutIn, "--depth", "1", "--side", "o")
	if strings.Count(got, "o cannot move and passes.") != 2 || strings.Count(got, "x plays d") != 3 || strings.Count(got, "> ") != 1 {
		t.Errorf("%s", got)
	}
}

// The commands do what they say, whatever the engine plays.
func TestPlayCommands(t *testing.T) {
	start := "x3o/5/5/5/o3x x 0 1"
	got := play(t, "fen\nhint\nb4\nfen\nundo\nfen\nb5\nswap\nfen\nundo\nlevel 2\nnodes 7\ntime 1ms\nnew\nfen\n\nhelp\nquit\nfen\n", "--size", "5", "--nodes", "50")
	for _, pattern := range []string{
		`> fen\n` + start + `\n`,
		`> hint\n[a-e][1-5] \(.* stones, depth \d+, [\d,]+ nodes\)\n`,
		`(?s)> b4\no plays [a-e][1-5] .*> fen\n[^\n]* x 0 2\n`,
		`(?s)> undo\n.*> fen\n` + start + `\n> b5`,
		`(?s)> swap\nYou have o now.\nx plays .*> fen\n[^\n]* o 0 2\n`,
		`> level 2\nThe engine searches 2 plies deep now.\n> nodes 7\nThe engine searches 7 nodes now.\n> time 1ms\nThe engine searches for 1ms now.\n`,
		`(?s)> new\nx plays .*> fen\n[^\n]* o 0 1\n> \n> help\na move, such as`,
		`> quit\n$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(got) {
			t.Errorf("no %s in\n%s", pattern, got)
		}
	}
}

// Bad input gets one clear line, and whatever it holds cannot steer a terminal.
func TestBadInputInPlay(t *testing.T) {
	for line, want := range map[string]string{
		"zz":                          `move "zz", want a square such as g2`,
		"z9":                          `move "z9", want a square`,
		"g4":                          "no stone of x is beside g4",
		"a7":                          "a7 is not empty",
		"a7c5":                        "virus has no jumps",
		"h1":                          "h1 is no square of this board",
		"0000":                        "a side passes only when it cannot move",
		"level":                       `level "", want a depth of 1 to 100 plies`,
		"level 101":                   `level "101", want`,
		"level 99999999999999999":     `want a depth of 1 to 100`,
		"time 5":                      `time "5", want a positive duration such as 500ms`,
		"time -1s":                    `time "-1s", want`,
		"nodes 0":                     `nodes "0", want 1 or more`,
		"undo":                        "undo: there is no move of x to take back",
		"undo 2":                      `"2" after undo, want nothing`,
		"level 2 3":                   `"3" after level, want nothing`,
		"Quit":                        `move "Quit"`,
		"\x1b[2J":                     `move "\x1b[2J"`,
		"a\x00":                       `move "a\x00"`,
		"\xff\xfe":                    `move "\xff\xfe"`,
		"time \x1b]0;x\x07":           `time "\x1b]0;x\a", want`,
		strings.Repeat("x", 500):      "xxx...",
		strings.Repeat("x", 9999):     "a line of more than 1000 characters",
		strings.Repeat("quit ", 2000): "a line of more than 1000 characters",
	} {
		got := play(t, line+"\nquit\n", "--nodes", "1")
		_, after, _ := strings.Cut(got, "> ")
		lines := strings.Split(after, "\n")
		if len(lines) != 4 || !strings.Contains(lines[1], want) || lines[2] != "> quit" {
			t.Errorf("%q: %q, want %q", line, lines, want)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == '\uFFFD' }) {
			t.Errorf("%q: %q", line, got)
		}
	}
}

func TestPlayEndsWithItsInput(t *testing.T) {
	for _, input := range []string{"", "\n", "quit", "b7", "hint", "swap", "zz"} {
		if got := play(t, input, "--nodes", "20"); !strings.HasSuffix(got, "\n") {
			t.Errorf("%q: ends %q", input, got)
		}
	}
}

func TestAtaxxInPlay(t *testing.T) {
	// A jump at the last half-move that is allowed without a clone.
	for fen, want := range map[string]string{
		"x5o/7/7/7/7/7/o5x x 99 60":  "The game is over, x 2 and o 2: a draw.\n",
		"xx4o/7/7/7/7/7/o5x x 99 60": "The game is over, x 3 and o 2: a draw, after so many half-moves without a clone.\n",
	} {
		if got := play(t, "a7c5\n", "--rules", "ataxx", "--fen", fen); !strings.Contains(got, "5 . .(x). . . . 5\n") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", fen, got)
		}
	}
	// A gap is no square.
	if got := play(t, "", "--fen", "x1o/1-1/o1x x 0 1"); !strings.Contains(got, "  2 +   + 2\n") {
		t.Error(got)
	}
}

func TestEngineAgainstItself(t *testing.T) {
	args := strings.Fields("--side none --nodes 100 --size 4 --plies 2 --seed")
	games := map[string]bool{}
	for _, seed := range []string{"1", "2", "3", "1"} {
		got := play(t, "", append(args, seed)...)
		if strings.Contains(got, "> ") || strings.Contains(got, "You have") || strings.Count(got, "The game is over") != 1 || !strings.HasPrefix(got, "The game begins with ") {
			t.Errorf("%s", got)
		}
		games[got] = true
	}
	if len(games) != 3 {
		t.Errorf("%d games of three seeds, one of them twice", len(games))
	}
}

func TestBadVirusPlay(t *testing.T) {
	for args, want := range map[string]string{
		"--side z":                  "--side z, want x, o or none",
		"--settings fast":           `--settings: settings "fast": no setting "fast", want some of`,
		"--settings table=30":       "want at most 8",
		"--settings null=plain,r=0": "--settings: settings",
		"--depth 0":                 "--depth",
		"--depth 101":               "--depth 101, want 1 to 100",
		"--nodes -1":                "--nodes -1",
		"--time 0s":                 "--time",
		"--plies 99":                "--plies 99, want 0 to",
		"--size 3 --plies 30":       "want fewer plies",
		"--size 99":                 "--size 99",
		"--rules go":                "--rules go",
		"--fen x":                   "--fen: position",
		"g2":                        "unexpected",
	} {
		status, out, err := lastmile(t, "", append([]string{"virus", "play"}, strings.Fields(args)...)...)
		if status != 2 || out != "" || strings.Count(err, "\n") != 1 || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, %s%s, want %q", args, status, out, err, want)
		}
	}
}

// failing is an input that breaks.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestPlayIsInterrupted(t *testing.T) {
	stopped := func() (context.Context, func()) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx, cancel
	}
	for args, input := range map[string]string{"virus play": "hint\nfen\n", "virus play --side o": "fen\n", "virus play --side none": ""} {
		var out, err bytes.Buffer
		status := run(strings.Fields(args), &terminal{strings.NewReader(input), &out, &err, stopped})
		if status != 0 || err.String() != "stopped\n" || strings.Contains(out.String(), "> fen") {
			t.Errorf("%s: status %d, %s, %s", args, status, out.String(), err.String())
		}
	}
	var out, err bytes.Buffer
	if status := run([]string{"virus", "play"}, &terminal{failing{}, &out, &err, listenNot}); status != 1 || !strings.Contains(err.String(), "unexpected EOF") {
		t.Errorf("broken input: status %d, %s", status, err.String())
	}
	for _, side := range []string{"x", "o", "none"} {
		err.Reset()
		if status := run([]string{"virus", "play", "--nodes", "1", "--side", side}, &terminal{strings.NewReader("quit\n"), broken{}, &err, listenNot}); status != 1 || strings.Count(err.String(), "\n") != 1 {
			t.Errorf("full output: status %d, %s", status, err.String())
		}
	}
}

// Whatever is typed, a dialogue ends well and prints nothing but text.
func FuzzPlay(f *testing.F) {
	for _, input := range []string{"", "b3\nundo\nswap\nnew\nfen\nhint\n", "b3\nb2\nc2\nhelp\nquit", "a1b3\n0000\n\xff\x1b[2J\n", "swap\nswap\nundo\nundo\n"} {
		f.Add(input, false)
		f.Add(input, true)
	}
	f.Fuzz(func(t *testing.T, input string, jumps bool) {
		if len(input) > 500 || strings.Contains(input, "level") || strings.Contains(input, "time") || strings.Contains(input, "nodes") {
			t.Skip() // they may ask for what takes for ever
		}
		rules := map[bool]string{false: "virus", true: "ataxx"}[jumps]
		c := virusPlayCommand{virusBoardFlags: virusBoardFlags{virusRules: virusRules{Rules: rules, Size: "3"}}, Side: "x", virusEffort: virusEffort{Nodes: 1}, Settings: "table=0"}
		var out, said bytes.Buffer
		if err := c.Run(&terminal{strings.NewReader(input), &out, &said, listenNot}); err != nil || said.Len() > 0 {
			t.Errorf("%q: %v, %s", input, err, said.String())
		}
		if strings.ContainsFunc(out.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == '\uFFFD' }) {
			t.Errorf("%q: %q", input, out.String())
		}
	})
}
