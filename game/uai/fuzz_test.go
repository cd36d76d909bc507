package uai

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lastmile/game"
	"lastmile/game/virus"
)

// answers are all that an engine says.
var answers = regexp.MustCompile(`^(id name \S.*|id author \S.*|option name .*|u[ag]iok|readyok|bestmove (0000|[a-h][1-8]([a-h][1-8])?)|response \w+` +
	`|info (depth \d+ (score cs -?\d+ )?nodes \d+ time \d+ nps \d+( pv( \w+)+)?|string \S.*)` +
	`|[1-8]( [xo.-])+|  a( [b-h])+|fen [xo1-8/-]+ [xo] \d+ \d+|rules \w+ result \w+)$`)

// Whatever comes in, the dialogue goes on to its end, all answers are those of the
// protocol, and each go has one: a move, or why it is refused.
func FuzzServe(f *testing.F) {
	for _, commands := range []string{
		"uai\nsetoption name NullMove value verified\nisready\nuainewgame\nposition startpos moves g2\ngo nodes 100\nstop\nquit\n",
		"ugi\nuginewgame\nposition fen x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1\nquery p1turn\ngo p1time 5 p2time 5 p1inc 1 p2inc 1\nquery result\n",
		"setoption name Rules value ataxx\ngo depth 2\nstop\ngo movetime 1\nisready\ngo infinite\ngo\nd\neval\nperft 3\nstop\nperft 9\nstop",
		"position fen xo1/-o1/oo1 x 0 9 moves 0000 c3\ngo movestogo 3 btime 9 wtime 7\r\n\n \x00go\nposition\nposition fen\nposition moves\nGO\n",
		"setoption name Hash value 1\nsetoption name R value 3\nsetoption name Bad value 1\nsetoption name Good value 1\nsetoption name Singular value 1\ngo nodes 3000\nstop\n",
		"setoption name Quiet value 1\nsetoption name Late value true\nposition fen 8/1xo5/8/8/8/8/8/8 o 98 9999\ngo depth 3\nstop\nposition startpos moves",
	} {
		for protocol := UAI; protocol <= UGI; protocol++ {
			f.Add(uint8(protocol), []byte(commands))
		}
	}
	f.Add(uint8(0), append(bytes.Repeat([]byte("go "), maxLine/3), "\ngo\nquit"...))
	f.Fuzz(func(t *testing.T, kind uint8, commands []byte) {
		o := Options{
			Protocol: Protocol(kind & 1), Rules: virus.Rules(kind >> 1 & 1), MaxHash: 1,
			Settings: game.Settings{Table: 8, Null: game.NullMove(kind >> 2 & 3)},
		}
		if o.Settings.Null != game.NoNull {
			o.Settings.R = 2
		}
		var out bytes.Buffer
		if err := Serve(t.Context(), bytes.NewReader(commands), &out, o); err != nil {
			t.Fatal(err)
		}
		want := 0
		for l := range bytes.SplitSeq(commands, []byte("\n")) {
			words := strings.Fields(string(l))
			if len(bytes.TrimSuffix(l, []byte("\r"))) > maxLine || len(words) == 0 {
				continue
			}
			if words[0] == "quit" {
				break
			}
			if words[0] == "go" {
				want++
			}
		}
		got := 0
		lines := strings.Split(out.String(), "\n")
		if last := lines[len(lines)-1]; last != "" {
			t.Fatalf("half a line: %q", last)
		}
		for _, l := range lines[:len(lines)-1] {
			if !answers.MatchString(l) || len(l) > 2000 {
				t.Fatalf("%.3000q is no answer", l)
			}
			if strings.HasPrefix(l, "bestmove ") || strings.HasPrefix(l, "info string error go: ") {
				got++
			}
		}
		if got != want {
			t.Fatalf("%d answers to %d times go:\n%s\n%s", got, want, commands, out.Bytes())
		}
	})
}

// Two readers of the same bytes, however they come, see the same lines.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\r\nb\r\nc"), 3)
	f.Add(append(bytes.Repeat([]byte("x"), maxLine+1), "\ny"...), 1000)
	f.Add(bytes.Repeat([]byte("x"), 3*maxLine), maxLine)
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		var want []string
		for l := range bytes.SplitSeq(data, []byte("\n")) {
			switch l = bytes.TrimSuffix(l, []byte("\r")); {
			case len(l) > maxLine:
				want = append(want, "too long")
			case len(l) > 0:
				want = append(want, string(l))
			}
		}
		var got []string
		lines, failure := make(chan line), error(nil)
		go read(&slow{data, max(1, piece)}, lines, nil, &failure)
		for l := range lines {
			if l.long {
				l.text = "too long"
			}
			got = append(got, l.text)
		}
		if !slices.Equal(got, want) || failure != nil {
			t.Errorf("%.200q, %v, want %.200q", got, failure, want)
		}
	})
}

// slow hands out its bytes in pieces.
type slow struct {
	data  []byte
	piece int
}

func (s *slow) Read(into []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(into, s.data[:min(s.piece, len(s.data))])
	s.data = s.data[n:]
	return n, nil
}
