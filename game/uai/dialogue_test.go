package uai

import (
	"bufio"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

// peer is the other end of a dialogue.
type peer struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

// patience is how long a peer waits for a line: the machine may be slow.
const patience = time.Minute

func talk(t testing.TB, ctx context.Context, o Options) *peer {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	p := &peer{t, inWrite, make(chan string, 1024), make(chan error, 1)}
	go func() {
		err := Serve(ctx, inRead, outWrite, o)
		outWrite.Close()
		inRead.Close()
		p.ended <- err
	}()
	go func() {
		defer close(p.lines)
		s := bufio.NewScanner(outRead)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(func() { inWrite.Close() })
	return p
}

func (p *peer) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text+"\n"); err != nil {
		p.t.Fatalf("send %.80q: %v", text, err)
	}
}

// line returns the next line, and false at the end.
func (p *peer) line() (string, bool) {
	p.t.Helper()
	select {
	case l, ok := <-p.lines:
		return l, ok
	case <-time.After(patience):
		p.t.Fatal("no answer")
		return "", false
	}
}

// until returns the lines up to the first that begins so.
func (p *peer) until(prefix string) []string {
	p.t.Helper()
	var all []string
	for {
		l, ok := p.line()
		if !ok {
			p.t.Fatalf("ended before %q: %q", prefix, all)
		}
		if all = append(all, l); strings.HasPrefix(l, prefix) {
			return all
		}
	}
}

// end waits until the dialogue is over, and returns what was still said.
func (p *peer) end() (rest []string, err error) {
	p.t.Helper()
	for {
		l, ok := p.line()
		if !ok {
			return rest, <-p.ended
		}
		rest = append(rest, l)
	}
}

var quick = game.Settings{Table: 12}

// Each step is what is sent, and patterns of the lines that come back, all of
// them: a step ends when the engine is ready for the next.
func TestDialogues(t *testing.T) {
	const info = `info depth \d+ score cs -?\d+ nodes \d+ time \d+ nps \d+ pv( [a-h1-8]+| 0000)+`
	long := strings.Repeat("x", maxLine+1)
	for _, c := range []struct {
		name string
		o    Options
		say  []string
	}{
		{"UAI handshake", Options{Name: "lastmile 1.2", Rules: virus.Ataxx, Settings: quick}, []string{
			"> uai", `id name lastmile 1\.2`, "id author the lastmile authors",
			"option name Hash type spin default 1 min 0 max 1024",
			"option name Rules type combo default ataxx var virus var ataxx",
			"option name NullMove type combo default none var none var plain var checked var verified",
			"option name R type spin default 2 min 1 max 10",
			"option name Near type spin default 0 min 0 max 64",
			"option name Twice type check default false",
			"option name Bad type spin default 0 min 0 max 32000",
			"option name Good type spin default 0 min 0 max 32000",
			"option name Singular type spin default 0 min 0 max 32000",
			"option name Late type check default false",
			"option name Quiet type spin default 0 min 0 max 8",
			"option name Overhead type spin default 20 min 0 max 10000",
			"uaiok",
			"> uainewgame",
			"> ugi", `info string error command "ugi", want uai, isready, uainewgame, .*`,
		}},
		{"UGI handshake", Options{Protocol: UGI, Settings: quick, MaxHash: 3}, []string{
			"> ugi", "id name lastmile", "id author .*", "option name Hash .* max 3", "option name Rules .* default virus .*", "option .*", "option .*",
			"option .*", "option .*", "option .*", "option .*", "option .*", "option .*", "option .*", "option .*", "ugiok",
			"> uginewgame",
			"> uainewgame", `info string error command "uainewgame", want ugi, isready, uginewgame, .*`,
		}},
		{"referee", Options{Protocol: UGI, Settings: quick}, []string{
			"> query gameover", "response false", "> query p1turn", "response true", "> query result", "response none",
			"> position startpos moves g2", "> query p1turn", "response false",
			"> position fen xxx/xxo/xoo o 0 9", "> query gameover", "response true", "> query result", "response p1win",
			"> position fen xxx/xxo/xoo x 0 9", "> query result", "response p1win",
			"> position fen ooo/oox/oxx x 0 9", "> query result", "response p2win",
			"> position fen ooo/ooxx/oxx x 0 9", `info string error position: .*`, "> query result", "response p2win",
			"> position fen x-o/-x-/o-- x 0 9", "> query result", "response draw",
			"> query", `info string error query: "", want gameover, p1turn or result`,
			"> query result please", `info string error query: "result please", want .*`,
			"> go depth 1", "bestmove 0000", "> go infinite", "bestmove 0000",
		}},
		{"draw by moves without clones", Options{Protocol: UGI, Rules: virus.Ataxx, Settings: quick}, []string{
			"> position fen x5o/7/7/7/7/7/o5x x 99 60", "> query gameover", "response false",
			"> position fen x5o/7/7/7/7/7/o5x x 99 60 moves a7a5", "> query gameover", "response true", "> query result", "response draw",
			"> go nodes 7", "bestmove 0000",
		}},
		{"moves", Options{Rules: virus.Ataxx, Settings: quick}, []string{
			"> go depth 1", info, "bestmove [a-g1-7]{2,4}",
			"> go nodes 1", info, "bestmove [a-g1-7]{2,4}",
			"> position startpos moves g2 g7e5 g1g3", "> d",
			`7 x \. \. \. \. \. \.`, `6 \. \. \. \. \. \. \.`, `5 \. \. \. \. o \. \.`, `4 \. \. \. \. \. \. \.`,
			`3 \. \. \. \. \. \. x`, `2 \. \. \. \. \. \. x`, `1 o \. \. \. \. \. \.`, "  a b c d e f g",
			"fen x6/7/4o2/7/6x/6x/o6 o 2 2", "rules ataxx result none",
		}},
		{"forced pass", Options{Settings: quick}, []string{
			"> position fen xo1/-o1/oo1 x 0 9", "> go infinite", "bestmove 0000", "> go depth 5", "bestmove 0000",
			"> position fen xo1/-o1/oo1 x 0 9 moves 0000 c3", "> go depth 5", "bestmove 0000",
		}},
		{"illegal moves change nothing", Options{Settings: quick}, []string{
			"> position startpos moves a6",
			"> position startpos moves g2 g2", `info string error position: move 2 of 2: move g2: g2 is not empty`,
			"> position startpos moves g2 a7c5", `info string error position: move 2 of 2: move a7c5: virus has no jumps.*`,
			"> position startpos moves 0000", `info string error position: move 1 of 1: move 0000: .*`,
			"> position startpos moves z9", `info string error position: move 1 of 1: move "z9", want .*`,
			"> position startpos moves " + strings.Repeat("y", 60000), `info string error position: move 1 of 1: move "y{80}\.\.\.", want .{1,99}`,
			"> position startpos g2", `info string error position: "startpos g2", want startpos, or fen .*`,
			"> position fen", `info string error position: position "" has 0 parts.*`,
			"> position fen x5o x", `info string error position: position "x5o" has 1 ranks.*`,
			"> position", `info string error position: nothing given, want .*`,
			"> print", `7 x \. \. \. \. \. o`, `6 x .*`, `5 .*`, `4 .*`, `3 .*`, `2 .*`, `1 .*`, `  a b c d e f g`, `fen x5o/x6/7/7/7/7/o5x o 0 1`, `rules virus result none`,
		}},
		{"gaps", Options{Settings: quick}, []string{
			"> position fen x1o-/3-/-o1x x 3 4 moves b2", "> d", `3 x \. x -`, `2 \. x \. -`, `1 - x \. x`, "  a b c d", `fen x1x-/1x1-/-x1x o 0 4`, "rules virus result none",
		}},
		{"options", Options{Settings: quick, MaxHash: 4}, []string{
			"> setoption name hash value 3", "> setoption name HASH value 0",
			"> setoption name Hash value 5", `info string error setoption: Hash: "5", want 0 to 4`,
			"> setoption name Hash value -1", `info string error setoption: Hash: "-1", want 0 to 4`,
			"> setoption name Hash value", `info string error setoption: "name Hash value", want name, .*`,
			"> setoption", `info string error setoption: "", want name, .*`,
			"> setoption name Threads value 1", `info string error setoption: option "Threads", want one of Hash, Rules, .*`,
			"> setoption name NullMove value some", `info string error setoption: NullMove: "some", want none, plain, checked, verified`,
			"> setoption name Late value yes", `info string error setoption: Late: "yes", want false, true`,
			"> setoption name R value 3", "> setoption name Twice value TRUE", "> setoption name NullMove value Verified",
			"> setoption name R value 0", `info string error setoption: R: "0", want 1 to 10`,
			"> setoption name Near value 6", "> setoption name Late value true", "> setoption name Quiet value 2",
			"> setoption name Bad value 100", "> setoption name Good value 100", "> setoption name Singular value 50",
			"> position startpos moves g2", "> setoption name Rules value virus", "> query p1turn", "response false",
			"> setoption name Rules value ataxx", "> query p1turn", "response true",
			"> position startpos moves a7c5", "> go depth 2", info, info, "bestmove .*",
			"> setoption name NullMove value none", "> go depth 2", info, info, "bestmove .*",
		}},
		{"other commands", Options{Settings: quick}, []string{
			"> stop", "> ", "> \t \r",
			"> perft 6", `info depth 6 nodes 229692 time \d+ nps \d+`,
			"> perft 1", `info depth 1 nodes 6 time \d+ nps \d+`,
			"> perft 0", `info string error perft: "0", want a depth, 1 to 100`,
			"> perft", `info string error perft: .*`, "> perft 1 2", `info string error perft: .*`,
			"> eval", `info string eval -?\d+ material 0 mobility 0 frontier 0 exposed 0 parity 1 tempo 1`,
			"> position fen xxx/xxx/xoo x 0 9", "> eval", `info string eval \d+: the game is over`,
			"> go depth", "info string error go: depth: no value, want 1 to 100",
			"> GO", `info string error command "GO", want uai, .*`,
			"> \x00\xff\x1b[2J", `info string error command "\\x00\\xff\\x1b\[2J", want .*`,
			"> " + long, "info string error a line of more than 65536 bytes is skipped",
			"> " + long + long, "info string error a line of more than 65536 bytes is skipped",
			"> " + long[1:], `info string error command "x{80}\.\.\.", want .*`,
			"> " + long[1:] + "\r", `info string error command "x{80}\.\.\.", want .*`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := talk(t, t.Context(), c.o)
			for i := 0; i < len(c.say); {
				sent := strings.TrimPrefix(c.say[i], "> ")
				p.send(sent)
				var want, got []string
				for i++; i < len(c.say) && !strings.HasPrefix(c.say[i], "> "); i++ {
					want = append(want, c.say[i])
				}
				for range want {
					l, _ := p.line()
					got = append(got, l)
				}
				p.send("isready")
				if more := p.until("readyok"); len(more) > 1 {
					got = append(got, more[:len(more)-1]...)
				}
				for j := range max(len(got), len(want)) {
					if j >= len(want) || j >= len(got) || !regexp.MustCompile("^"+want[j]+"$").MatchString(got[j]) {
						t.Fatalf("after %.80q: %q\nwant %q", sent, got, want)
					}
				}
			}
			p.send("quit")
			if rest, err := p.end(); len(rest) > 0 || err != nil {
				t.Errorf("after quit: %q, %v", rest, err)
			}
		})
	}
}

// While a search runs, all but a second one is answered.
func TestCommandsDuringASearch(t *testing.T) {
	p := talk(t, t.Context(), Options{Rules: virus.Ataxx, Settings: quick})
	for _, begin := range []string{"go", "go infinite", "go depth 100", "go nodes 1000000000000", "go movetime 100000000", "go btime 100000000 wtime 1"} {
		p.send(begin)
		p.until("info depth 1 ")
		p.send("isready")
		p.until("readyok")
		p.send("go depth 1")
		p.until("info string error go: a search is running, want stop first")
		p.send("perft 1")
		p.until("info string error perft: a search is running, want stop first")
		p.send("setoption name Late value true")
		p.send("uainewgame")
		p.send("setoption name Hash value 1")
		p.send("position startpos")
		p.send("query gameover")
		p.until("response false")
		p.send("stop\ngo depth 1") // stop has ended the first when it is obeyed
		p.until("bestmove ")
		if said := p.until("bestmove "); len(said) != 2 {
			t.Errorf("after %s: %q", begin, said)
		}
	}
	p.send("perft 50")
	p.send("go depth 1")
	p.until("info string error go: a perft is running, want stop first")
	p.send("stop")
	p.until("info string perft stopped")
	p.send("quit")
	if rest, err := p.end(); len(rest) > 0 || err != nil {
		t.Errorf("%q, %v", rest, err)
	}
}

// A search without bounds waits to be stopped even if it has nothing left to do.
func TestInfiniteWaits(t *testing.T) {
	p := talk(t, t.Context(), Options{Settings: quick})
	p.send("position fen x1o/xxx/ooo x 0 9")
	p.send("go infinite")
	p.until("info depth 100 ")
	for range 20 { // time enough to answer
		p.send("isready")
		if said := p.until("readyok"); len(said) > 1 {
			t.Fatalf("%q", said)
		}
	}
	p.send("go depth 1")
	p.until("info string error go: a search is running")
	p.send("stop")
	if said := p.until("bestmove b3"); len(said) > 1 {
		t.Errorf("%q", said)
	}
	p.send("go depth 100")
	p.until("bestmove b3")
	p.send("go infinite")
	p.until("info depth 100 ")
	p.send("quit")
	if rest, err := p.end(); err != nil || len(rest) != 1 || rest[0] != "bestmove b3" {
		t.Errorf("%q, %v", rest, err)
	}
}

// However a dialogue ends, the search that runs answers.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		end  func(*peer)
		want error
	}{
		"quit":    {func(p *peer) { p.send("quit") }, nil},
		"EOF":     {func(p *peer) { p.in.Close() }, nil},
		"half":    {func(p *peer) { io.WriteString(p.in, "qui"); p.in.Close() }, nil},
		"context": {func(*peer) { cancel() }, context.Canceled},
		"reader":  {func(p *peer) { p.in.CloseWithError(io.ErrUnexpectedEOF) }, io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			own := t.Context()
			if c.want == context.Canceled {
				own = ctx
			}
			p := talk(t, own, Options{Settings: quick})
			p.send("go infinite")
			p.until("info depth 1 ")
			c.end(p)
			rest, err := p.end()
			if !errors.Is(err, c.want) || err != nil && c.want == nil {
				t.Errorf("%v, want %v", err, c.want)
			}
			if n := len(rest); n == 0 || !strings.HasPrefix(rest[n-1], "bestmove ") {
				t.Errorf("%q", rest)
			}
		})
	}
}

// A reader that has gone ends the dialogue, and is reported.
func TestWriteFails(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(io.ErrClosedPipe)
	for _, commands := range []string{"uai\nisready\nquit\n", "isready\n", "go infinite\n"} {
		if err := Serve(t.Context(), strings.NewReader(commands), w, Options{Settings: quick}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%q: %v", commands, err)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"protocol": {Protocol: 2},
		"rules":    {Rules: 2},
		"R = 0":    {Settings: game.Settings{Null: game.PlainNull}},
		"table":    {MaxHash: -1},
	} {
		if err := Serve(t.Context(), strings.NewReader(""), io.Discard, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want an error with %q", o, err, want)
		}
	}
}

// Options come in any order; what null moves need is kept until there are some.
func TestSettings(t *testing.T) {
	e := newEngine(io.Discard, Options{Settings: game.Settings{Table: 20}})
	for _, words := range []string{"R value 3", "Near value 5", "Twice value true", "Hash value 65", "Quiet value 2", "Late value true", "Bad value 7", "Good value 8", "Singular value 9"} {
		if err := e.setOption(strings.Fields("name " + words)); err != nil {
			t.Fatal(err)
		}
	}
	want := game.Settings{Table: 22, Quiet: 2, Late: true, Bad: 7, Good: 8, Singular: 9}
	if got := e.knobs.search(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if err := e.setOption(strings.Fields("name NullMove value checked")); err != nil {
		t.Fatal(err)
	}
	want.Null, want.R, want.Near, want.Twice = game.CheckedNull, 3, 5, true
	if got := e.knobs.search(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, words := range []string{"R value 11", "Near value x", "Twice value 1", "Hash value 1025", "Quiet value -1", "Bad value 32001", "NullMove value", "Rules value go"} {
		before := e.knobs
		if err := e.setOption(strings.Fields("name " + words)); err == nil || e.knobs != before {
			t.Errorf("%s: %v, and %+v has become %+v", words, err, before, e.knobs)
		}
	}
}

// A new game is played as the first one was: nothing is remembered.
func TestNewGameForgets(t *testing.T) {
	p := talk(t, t.Context(), Options{Settings: quick})
	times := regexp.MustCompile(`time \d+ nps \d+`)
	search := func(fresh bool) string {
		if fresh {
			p.send("uainewgame")
		}
		p.send("go depth 6")
		return times.ReplaceAllString(strings.Join(p.until("bestmove "), "\n"), "")
	}
	first, second, third := search(true), search(false), search(true)
	if first != third {
		t.Errorf("%s\nthen\n%s", first, third)
	}
	if first == second {
		t.Errorf("nothing is remembered within a game: %s", first)
	}
}

// What an option sets holds for the next search.
func TestOptionsTakeEffect(t *testing.T) {
	for _, words := range []string{"Hash value 0", "NullMove value plain", "Late value true", "Quiet value 1", "Singular value 1", "Rules value ataxx"} {
		p := talk(t, t.Context(), Options{Settings: quick})
		nodes := func() string {
			p.send("go depth 6")
			said := p.until("bestmove ")
			return strings.Fields(said[len(said)-2])[7]
		}
		before := nodes()
		p.send("uainewgame")
		if again := nodes(); again != before {
			t.Fatalf("%s nodes, then %s in a new game", before, again)
		}
		p.send("setoption name " + words + "\nuainewgame")
		if after := nodes(); after == before {
			t.Errorf("%s: %s nodes, as before", words, after)
		}
	}
}
