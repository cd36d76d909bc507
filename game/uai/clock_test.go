package uai

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

const ms = time.Millisecond

func TestClock(t *testing.T) {
	for _, c := range []struct {
		clock
		soft, hard time.Duration
	}{
		{clock{left: 0, moves: 20, margin: 20 * ms}, least, least},
		{clock{left: -5 * ms, inc: 100 * ms, moves: 20, margin: 20 * ms}, least, least},
		{clock{left: 20 * ms, moves: 20, margin: 20 * ms}, least, least},
		{clock{left: 1020 * ms, moves: 20, margin: 20 * ms}, 30 * ms, 150 * ms},
		{clock{left: 1020 * ms, inc: 40 * ms, moves: 20, margin: 20 * ms}, 48 * ms, 240 * ms},
		{clock{left: 1020 * ms, moves: 20, toGo: 5, margin: 20 * ms}, 120 * ms, 500 * ms},
		{clock{left: 1020 * ms, moves: 20, toGo: 1, margin: 20 * ms}, 600 * ms, 1000 * ms},
		{clock{left: 1020 * ms, moves: 2, toGo: 40, margin: 20 * ms}, 300 * ms, 500 * ms}, // the game ends before
		{clock{left: 30 * ms, inc: 1000 * ms, moves: 20, margin: 20 * ms}, 6 * ms, 10 * ms},
		{clock{left: 1000 * ms}, 600 * ms, 1000 * ms},
	} {
		soft, hard := c.budget()
		if soft != c.soft || hard != c.hard {
			t.Errorf("%+v: %v, %v, want %v, %v", c.clock, soft, hard, c.soft, c.hard)
		}
	}
}

// A game that is played to its last budget never runs out of time.
func TestClockLastsAGame(t *testing.T) {
	for _, left := range []time.Duration{0, 1, ms, 21 * ms, 100 * ms, time.Second, time.Hour, maxMS * ms} {
		for _, inc := range []time.Duration{0, ms, 50 * ms, time.Minute, maxMS * ms} {
			for _, toGo := range []int{0, 1, 2, 10, 1e6} {
				for moves := range 40 {
					const margin = 20 * ms
					c := clock{left, inc, toGo, moves, margin}
					soft, hard := c.budget()
					if soft < least || hard < soft || hard > max(left-margin, least) {
						t.Fatalf("%+v: %v, %v", c, soft, hard)
					}
					if moves > 1 && toGo != 1 && inc == 0 && left > 2*margin && hard > left-margin-hard {
						t.Fatalf("%+v: %v leaves less for all moves to come", c, hard)
					}
				}
			}
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range [][3]time.Duration{
		{0, 20 * ms, least}, {100 * ms, 20 * ms, 80 * ms}, {8 * ms, 20 * ms, 6 * ms}, {time.Second, 0, time.Second},
	} {
		if got := within(c[0], c[1]); got != c[2] {
			t.Errorf("%v less %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

func TestGo(t *testing.T) {
	for _, c := range []struct {
		words string
		o     bool // to move, with one empty square
		want  game.Limit
		wrong string // in the error
	}{
		{words: "", want: game.Limit{}},
		{words: "infinite", want: game.Limit{}},
		{words: "depth 7", want: game.Limit{Depth: 7}},
		{words: "nodes 9223372036854775807", want: game.Limit{Nodes: 9223372036854775807}},
		{words: "movetime 100", want: game.Limit{Soft: 80 * ms, Hard: 80 * ms}},
		{words: "movetime 0", want: game.Limit{Soft: 1, Hard: 1}},
		{words: "depth 3 nodes 10 movetime 1000 infinite", want: game.Limit{Depth: 3, Nodes: 10, Soft: 980 * ms, Hard: 980 * ms}},
		{words: "btime 920 wtime 10", want: game.Limit{Soft: 900 * ms / 23 / 5 * 3, Hard: 900 * ms / 23 * 3}},
		{words: "p1time 920 p2time 10", want: game.Limit{Soft: 900 * ms / 23 / 5 * 3, Hard: 900 * ms / 23 * 3}},
		{words: "wtime 120 winc 5 btime 1", o: true, want: game.Limit{Soft: 60 * ms, Hard: 100 * ms}},
		{words: "p2time 120 p2inc 5 p1time 1", o: true, want: game.Limit{Soft: 60 * ms, Hard: 100 * ms}},
		{words: "wtime 120 movetime 80", o: true, want: game.Limit{Soft: 60 * ms, Hard: 60 * ms}},
		{words: "wtime 120 movetime 800", o: true, want: game.Limit{Soft: 60 * ms, Hard: 100 * ms}},
		{words: "btime -30 wtime 4", want: game.Limit{Soft: 1, Hard: 1}},
		{words: "btime 1020 movestogo 1", want: game.Limit{Soft: 600 * ms, Hard: 1000 * ms}},
		{words: "btime 920 movestogo 0", want: game.Limit{Soft: 900 * ms / 23 / 5 * 3, Hard: 900 * ms / 23 * 3}},
		{words: "btime 1", o: true, wrong: "want wtime"},
		{words: "wtime 1", wrong: "want btime"},
		{words: "binc 1", wrong: "want btime"},
		{words: "movestogo 1", wrong: "want btime"},
		{words: "depth", wrong: "no value, want 1 to 100"},
		{words: "depth 0", wrong: "want 1 to 100"},
		{words: "depth 101", wrong: "want 1 to 100"},
		{words: "depth 1e1", wrong: "want 1 to 100"},
		{words: "depth depth", wrong: "want 1 to 100"},
		{words: "nodes 9223372036854775808", wrong: "want 1 to"},
		{words: "nodes -1", wrong: "want 1 to"},
		{words: "movetime -1", wrong: "want 0 to"},
		{words: "movetime 9999999999999999", wrong: "want 0 to"},
		{words: "depth 1 depth 2", wrong: "given twice"},
		{words: "btime 1 p1time 2", wrong: "given twice"},
		{words: "ponder", wrong: "want binc, btime, depth"},
	} {
		p := start(virus.Virus)
		if c.o {
			var err error
			if p, err = virus.ParseFEN(virus.Virus, "xo1/xxx/xxx o 0 9"); err != nil {
				t.Fatal(err)
			}
		}
		r, err := parseGo(strings.Fields(c.words))
		var got game.Limit
		if err == nil {
			got, err = r.limit(&p, 20*ms)
		}
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("go %s: %v, want an error with %q", c.words, err, c.wrong)
			}
			continue
		}
		if err == nil {
			err = got.Check()
		}
		if err != nil || fmt.Sprint(got.Depth, got.Nodes) != fmt.Sprint(c.want.Depth, c.want.Nodes) ||
			(got.Soft-c.want.Soft).Abs() > 100 || (got.Hard-c.want.Hard).Abs() > 100 { // of rounding
			t.Errorf("go %s: %+v, %v, want %+v", c.words, got, err, c.want)
		}
	}
}

// The guess at the moves to come holds for virus, where each fills a square.
func TestMovesLeft(t *testing.T) {
	for fen, want := range map[string]int{
		virus.StartFEN: 23, "xo1/xxx/xxx o 0 9": 1, "xoo/xxx/xxx o 0 9": 0, "x1o/3/o1x x": 3,
	} {
		p, err := virus.ParseFEN(virus.Virus, fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := movesLeft(&p); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}
