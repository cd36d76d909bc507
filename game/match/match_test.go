package match

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

// material counts stones and the squares that they can clone to, so that tests
// do not depend on the weights that a study fits.
func material() *virus.Weights {
	w := &virus.Weights{}
	for i := range w.Parts {
		w.Parts[i][virus.Material], w.Parts[i][virus.Mobility] = virus.Stone, virus.Stone/4
	}
	return w
}

func player(name, settings string, nodes int64) Player {
	s, err := game.ParseSettings(settings)
	if err != nil {
		panic(err)
	}
	return Player{name, s, material(), game.Limit{Nodes: nodes}}
}

// played are all pairs of a match, and its result.
func played(t *testing.T, a, b Player, o Options) ([]Pair, Result) {
	t.Helper()
	var pairs []Pair
	o.Told = func(p Pair) { pairs = append(pairs, p) }
	r, err := Play(context.Background(), a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return pairs, r
}

// The same games are played on any number of threads, and each follows the rules
// to its end.
func TestThreadsChangeNothing(t *testing.T) {
	a, b := player("a", "table=10,null=plain,r=2,late", 300), player("b", "table=12,quiet=3", 200)
	for _, rules := range []virus.Rules{virus.Virus, virus.Ataxx} {
		o := Options{Start: virus.Start(rules, 6, 5), Pairs: 6, Plies: 3, Seed: 5, Threads: 1}
		one, r1 := played(t, a, b, o)
		o.Threads = 4
		four, r4 := played(t, a, b, o)
		if !reflect.DeepEqual(one, four) || !reflect.DeepEqual(r1, r4) {
			t.Errorf("%v: one thread: %+v\nfour threads: %+v", rules, r1, r4)
		}
		if r1.Pairs != 6 || r1.Games != 12 || r1.Wins+r1.Draws+r1.Losses != 12 || r1.Different != 6 || r1.Stopped {
			t.Errorf("%v: %+v", rules, r1)
		}
		points := 0
		for i, p := range one {
			if p.Number != i || len(p.Opening.Moves) != 3 {
				t.Errorf("pair %d has number %d, opening %v", i, p.Number, p.Opening.Moves)
			}
			points += p.Points()
			for j, g := range p.Games {
				at := o.Start
				for _, m := range append(append([]virus.Move{}, p.Opening.Moves...), g.Moves...) {
					if err := at.Check(m); err != nil {
						t.Fatalf("pair %d, game %d: %v", i, j, err)
					}
					at = at.Play(m)
				}
				x, other := at.Stones()
				margin := x.Count() - other.Count()
				if j == 1 {
					margin = -margin
				}
				if !at.Over() || at != g.End || g.FirstIsX != (j == 0) || g.Margin != margin && g.Margin != 0 {
					t.Errorf("pair %d, game %d ends at %s, want %s, margin %d, want %d", i, j, g.End.FEN(), at.FEN(), g.Margin, margin)
				}
			}
		}
		if want := 2*r1.Wins + r1.Draws; points != want {
			t.Errorf("%v: the pairs have %d half points, the games %d", rules, points, want)
		}
	}
}

// Against itself a deterministic player gets one point of each pair: the same
// game is played twice.
func TestAgainstItself(t *testing.T) {
	a := player("a", "table=8", 100)
	_, r := played(t, a, a, Options{Start: virus.Start(virus.Virus, 5, 5), Pairs: 8, Plies: 4, Seed: 1})
	if r.Pentanomial != [5]int{0, 0, 8, 0, 0} || r.Margin != 0 || r.Nodes[0] != r.Nodes[1] || r.Elo == nil || *r.Elo != 0 || r.LOS != 0.5 {
		t.Errorf("%+v", r)
	}
}

// A hundred times the nodes win.
func TestStrongerWins(t *testing.T) {
	strong, weak := player("strong", "table=12", 5000), player("weak", "table=12", 50)
	o := Options{Start: virus.Start(virus.Virus, 7, 7), Pairs: 12, Plies: 4, Seed: 2}
	_, r := played(t, strong, weak, o)
	if r.Low == nil || *r.Low <= 0 || r.LOS < 0.99 || r.Margin <= 0 {
		t.Errorf("strong against weak: %+v", r)
	}
	_, r = played(t, weak, strong, o)
	if r.High == nil || *r.High >= 0 || r.LOS > 0.01 || r.Margin >= 0 {
		t.Errorf("weak against strong: %+v", r)
	}
}

// A test ends the match with the same pair on any number of threads.
func TestStopsEarly(t *testing.T) {
	strong, weak := player("strong", "table=10", 2000), player("weak", "table=10", 30)
	o := Options{Start: virus.Start(virus.Virus, 6, 6), Pairs: 200, Plies: 4, Seed: 3, Test: &Test{Elo0: 0, Elo1: 200}, Threads: 1}
	one, r1 := played(t, strong, weak, o)
	o.Threads = 4
	four, r4 := played(t, strong, weak, o)
	if !reflect.DeepEqual(r1, r4) || !reflect.DeepEqual(one, four) {
		t.Errorf("one thread: %+v\nfour threads: %+v", r1, r4)
	}
	if r1.SPRT == nil || r1.SPRT.Verdict != Accept || r1.Pairs >= 200 || r1.Stopped || len(one) != r1.Pairs {
		t.Errorf("%d pairs told, %+v, %+v", len(one), r1, r1.SPRT)
	}
	o.Pairs = 2 // too few
	if _, r := played(t, strong, weak, o); r.SPRT.Verdict != Undecided || r.Pairs != 2 || r.Stopped {
		t.Errorf("%+v, %+v", r, r.SPRT)
	}
}

// What is finished counts when the match is stopped.
func TestCancelled(t *testing.T) {
	a := player("a", "table=10", 300)
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		told := 0
		r, err := Play(ctx, a, a, Options{
			Start: virus.Start(virus.Virus, 5, 5), Pairs: 1000, Plies: 2, Threads: threads,
			Told: func(p Pair) {
				if told++; told == 3 {
					cancel()
				}
			},
		})
		if err != nil || !r.Stopped || r.Pairs != told || r.Pairs < 3 || r.Pairs == 1000 {
			t.Errorf("%d threads: %d pairs told, %+v, %v", threads, told, r, err)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	r, err := Play(ctx, a, a, Options{Start: virus.Start(virus.Virus, 5, 5), Pairs: 3})
	if err != nil || !r.Stopped || r.Pairs != 0 {
		t.Errorf("cancelled at once: %+v, %v", r, err)
	}
}

func TestTimeLimit(t *testing.T) {
	a := player("a", "table=8", 0)
	a.Limit = game.Limit{Hard: time.Microsecond}
	_, r := played(t, a, a, Options{Start: virus.Start(virus.Virus, 4, 4), Pairs: 2, Plies: 1})
	if r.Games != 4 || r.Nodes[0] == 0 {
		t.Errorf("%+v", r)
	}
}

func TestBadMatches(t *testing.T) {
	good := player("good", "plain", 10)
	full, err := virus.ParseFEN(virus.Virus, "xxx/xxo/ooo x")
	if err != nil {
		t.Fatal(err)
	}
	start := virus.Start(virus.Virus, 5, 5)
	for want, c := range map[string]struct {
		player  Player
		options Options
	}{
		"0 pairs of games":             {good, Options{Start: start}},
		"-1 threads":                   {good, Options{Start: start, Pairs: 1, Threads: -1}},
		`"none" has no limit`:          {player("none", "plain", 0), Options{Start: start, Pairs: 1}},
		`"negative": -1 nodes`:         {player("negative", "plain", -1), Options{Start: start, Pairs: 1}},
		`"bad": null moves with R = 0`: {Player{"bad", game.Settings{Null: game.PlainNull}, nil, game.Limit{Depth: 1}}, Options{Start: start, Pairs: 1}},
		"openings of -1 plies":         {good, Options{Start: start, Pairs: 1, Plies: -1}},
		"openings of 41 plies":         {good, Options{Start: start, Pairs: 1, Plies: 41}},
		"the game is over":             {good, Options{Start: full, Pairs: 1}},
		"no opening of 30 plies":       {good, Options{Start: virus.Start(virus.Virus, 3, 3), Pairs: 1, Plies: 30}},
		"5 against 5 Elo":              {good, Options{Start: start, Pairs: 1, Test: &Test{Elo0: 5, Elo1: 5}}},
		"risks 0.7 and 0":              {good, Options{Start: start, Pairs: 1, Test: &Test{Elo1: 5, Alpha: 0.7}}},
		"0 against 2000 Elo":           {good, Options{Start: start, Pairs: 1, Test: &Test{Elo1: 2000}}},
		"1000001 pairs of games":       {good, Options{Start: start, Pairs: MaxPairs + 1}},
	} {
		for _, players := range [][2]Player{{c.player, good}, {good, c.player}} {
			if _, err := Play(context.Background(), players[0], players[1], c.options); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
}

// A result is JSON, whatever it is.
func TestResultIsJSON(t *testing.T) {
	for _, pairs := range [][5]int{{}, {0, 0, 0, 0, 1}, {7}, {0, 0, 9}, {1, 0, 0, 0, 1}, {0, 3, 0, 1, 0}} {
		verdict := (&Test{Elo0: -1000, Elo1: 1000}).Judge(pairs)
		r := Result{Pentanomial: pairs, Rating: Rate(pairs), SPRT: &verdict}
		text, err := json.Marshal(r)
		if err != nil {
			t.Errorf("%v: %v", pairs, err)
		}
		var v map[string]any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Fields("games wins draws losses pairs elo low high los sprt") {
			if _, there := v[key]; !there {
				t.Errorf("no key %s in %s", key, text)
			}
		}
	}
}
