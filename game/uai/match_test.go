package uai

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

// timing is what a runner gives each move: so many nodes, or so much time, or a
// clock. Slack is by how much more a move may take on a busy machine.
type timing struct {
	nodes              int
	move, base, inc    time.Duration
	slack              time.Duration
	moves, losses      int
	longest, overshoot time.Duration
}

// order is the command go, with the clocks of x and o.
func (c *timing) order(protocol Protocol, clocks [2]time.Duration) string {
	switch {
	case c.nodes > 0:
		return fmt.Sprintf("go nodes %d", c.nodes)
	case c.move > 0:
		return fmt.Sprintf("go movetime %d", c.move.Milliseconds())
	}
	format := "go btime %d wtime %d binc %d winc %d"
	if protocol == UGI {
		format = "go p1time %d p2time %d p1inc %d p2inc %d"
	}
	inc := c.inc.Milliseconds()
	return fmt.Sprintf(format, clocks[0].Milliseconds(), clocks[1].Milliseconds(), inc, inc)
}

// spent charges a move with its time.
func (c *timing) spent(clock *time.Duration, took time.Duration) {
	if c.nodes > 0 {
		return
	}
	allowed := c.move
	if c.move == 0 {
		allowed = *clock
		*clock = max(*clock-took, 0) + c.inc
	}
	c.moves++
	c.longest = max(c.longest, took)
	c.overshoot = max(c.overshoot, took-allowed)
	if took > allowed+c.slack {
		c.losses++
	}
}

// opening is a position with some random moves after it, as a position command
// has them.
type opening struct {
	text  string
	moves []string
	p     virus.Position
}

func newOpening(rules virus.Rules, r *rand.Rand) opening {
	boards := []string{
		"", "", "", "x3o/5/5/5/o3x x 0 1", "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1", "x6o/8/8/8/8/8/8/o6x x 0 1",
		"x5o/3-3/3-3/1--1--1/3-3/3-3/o5x x 0 1", "x1o/1-1/o1x o 3 1", "7/7/2-o-2/1o-x-o1/2-x-2/7/xx3oo o 0 1",
	}
	o := opening{text: "startpos", p: start(rules)}
	if fen := boards[r.IntN(len(boards))]; fen != "" {
		p, err := virus.ParseFEN(rules, fen)
		if err != nil {
			panic(err)
		}
		o.text, o.p = "fen "+fen, p
	}
	for range r.IntN(8) {
		if moves := o.p.Moves(nil); len(moves) > 0 {
			o.play(moves[r.IntN(len(moves))])
		}
	}
	return o
}

func (o *opening) play(m virus.Move) {
	o.moves = append(o.moves[:len(o.moves):len(o.moves)], m.String())
	o.p = o.p.Play(m)
}

func (o *opening) command() string {
	if len(o.moves) == 0 {
		return "position " + o.text
	}
	return "position " + o.text + " moves " + strings.Join(o.moves, " ")
}

// contest plays a game between two engines, x and o, and returns how it ended for
// x. The rules decide what is legal; an engine that speaks UGI must agree.
func contest(t *testing.T, sides [2]*peer, protocols [2]Protocol, o opening, c *timing) int {
	t.Helper()
	for i, p := range sides {
		p.send(protocols[i].String() + "newgame\nisready")
		p.until("readyok")
	}
	clocks := [2]time.Duration{c.base, c.base}
	for !o.p.Over() {
		side := 0
		if !o.p.XToMove() {
			side = 1
		}
		p := sides[side]
		p.send(o.command() + "\nisready")
		if said := p.until("readyok"); len(said) > 1 {
			t.Fatalf("%s: %q", o.command(), said)
		}
		if protocols[side] == UGI {
			ask(t, p, "gameover", "false")
			ask(t, p, "p1turn", fmt.Sprint(side == 0))
			ask(t, p, "result", "none")
		}
		began := time.Now()
		p.send(c.order(protocols[side], clocks))
		said := p.until("bestmove ")
		c.spent(&clocks[side], time.Since(began))
		for _, l := range said {
			if !answers.MatchString(l) || strings.HasPrefix(l, "info string") {
				t.Fatalf("%s: %q", o.command(), l)
			}
			checkLine(t, o.p, l)
		}
		m, err := o.p.ParseMove(strings.TrimPrefix(said[len(said)-1], "bestmove "))
		if err != nil {
			t.Fatalf("%s: %v", o.command(), err)
		}
		o.play(m)
	}
	margin, result := o.p.Result(), "draw"
	if !o.p.XToMove() {
		margin = -margin
	}
	switch {
	case margin > 0:
		margin, result = 1, "p1win"
	case margin < 0:
		margin, result = -1, "p2win"
	}
	for i, p := range sides {
		p.send(o.command() + "\n" + c.order(protocols[i], clocks))
		if said := p.until("bestmove "); len(said) != 1 || said[0] != "bestmove 0000" {
			t.Fatalf("%s: the game is over: %q", o.command(), said)
		}
		if protocols[i] == UGI {
			ask(t, p, "gameover", "true")
			ask(t, p, "result", result)
		}
	}
	return margin
}

func ask(t *testing.T, p *peer, question, want string) {
	t.Helper()
	p.send("query " + question)
	if l, _ := p.line(); l != "response "+want {
		t.Fatalf("%s: %q, want %s", question, l, want)
	}
}

// checkLine plays the best play that an engine tells of.
func checkLine(t *testing.T, p virus.Position, l string) {
	t.Helper()
	_, line, _ := strings.Cut(l, " pv ")
	for _, word := range strings.Fields(line) {
		m, err := p.ParseMove(word)
		if err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		p = p.Play(m)
	}
}

// series plays so many games under each rule set, each opening with both colours.
func series(t *testing.T, games int, c *timing) {
	for rules := virus.Virus; rules <= virus.Ataxx; rules++ {
		t.Run(rules.String(), func(t *testing.T) {
			protocols := [2]Protocol{UAI, UGI}
			a := talk(t, t.Context(), Options{Protocol: UAI, Rules: rules, Settings: game.Settings{Table: 12, Null: game.VerifiedNull, R: 2, Near: 4}})
			b := talk(t, t.Context(), Options{Protocol: UGI, Rules: 1 - rules, Settings: game.Settings{Table: 10, Late: true, Quiet: 3}})
			b.send("setoption name Rules value " + rules.String())
			r := rand.New(rand.NewPCG(1, uint64(rules)))
			var o opening
			score := map[int]int{}
			for i := range games {
				if i%2 == 0 {
					o = newOpening(rules, r)
					score[contest(t, [2]*peer{a, b}, protocols, o, c)]++
				} else {
					score[-contest(t, [2]*peer{b, a}, [2]Protocol{UGI, UAI}, o, c)]++
				}
			}
			t.Logf("%v: %d games: +%d =%d -%d", rules, games, score[1], score[0], score[-1])
			for _, p := range []*peer{a, b} {
				p.send("quit")
				if rest, err := p.end(); len(rest) > 0 || err != nil {
					t.Errorf("%q, %v", rest, err)
				}
			}
		})
	}
}

// A hundred games under each rule set without an illegal move.
func TestGames(t *testing.T) {
	games := 100
	if testing.Short() {
		games = 10
	}
	series(t, games, &timing{nodes: 200})
}

// The same against the clock, where LASTMILE_LONG is set to the number of games:
// no move is late by more than LASTMILE_SLACK, 50ms unless it is set.
func TestGamesOnTime(t *testing.T) {
	games := 0
	if text := os.Getenv("LASTMILE_LONG"); text != "" {
		if _, err := fmt.Sscan(text, &games); err != nil || games < 1 {
			t.Fatalf("LASTMILE_LONG=%q, want a number of games", text)
		}
	}
	if games == 0 {
		t.Skip("takes minutes: LASTMILE_LONG=100 plays a hundred games")
	}
	slack, err := time.ParseDuration(cmp.Or(os.Getenv("LASTMILE_SLACK"), "50ms"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*timing{
		"100ms a move": {move: 100 * ms, slack: slack},
		"2s+20ms":      {base: 2 * time.Second, inc: 20 * ms, slack: slack},
	} {
		t.Run(name, func(t *testing.T) {
			series(t, games, c)
			t.Logf("%d moves, the longest %v, %v more than it had at most; %d lost on time", c.moves, c.longest, c.overshoot, c.losses)
			if c.losses > 0 {
				t.Errorf("%d of %d moves were late by more than %v", c.losses, c.moves, slack)
			}
		})
	}
}
