package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"lastmile/game"
	"lastmile/game/virus"
)

// Played move by move in the room, the trees of both games have the known sizes.
func TestVirusPerftInTheRoom(t *testing.T) {
	for _, c := range []struct {
		rules string
		side  int
		want  []int64
	}{{"virus", 7, []int64{6, 36, 288}}, {"ataxx", 7, []int64{16, 256}}} {
		e := New(nil)
		ask[virusState](t, e, "virus.open", values{"rules": c.rules, "side": c.side, "settings": "strong"})
		var perft func(s virusState, depth int) int64
		perft = func(s virusState, depth int) (n int64) {
			if depth == 0 {
				return 1
			}
			for _, m := range s.Moves {
				n += perft(ask[virusState](t, e, "virus.move", values{"move": m.Text}), depth-1)
				ask[virusState](t, e, "virus.undo", values{})
			}
			return n
		}
		s := ask[virusState](t, e, "virus.undo", values{})
		for i, want := range c.want {
			if got := perft(s, i+1); got != want {
				t.Errorf("%s to depth %d: %d, want %d", c.rules, i+1, got, want)
			}
		}
		if len(s.Cells) != 49 || s.Cells[0].Name != "a7" || s.Cells[0].What != "x" || s.Cells[6].What != "o" || s.Side != "x" || s.X != 2 || s.O != 2 {
			t.Errorf("%s starts as %+v", c.rules, s)
		}
	}
}

// The room's searches are those of package game.
func TestVirusThinksAsTheEngine(t *testing.T) {
	for _, text := range []string{"plain", "strong", "null=verified,r=3", "null=plain,r=2,late", "singular=100", "bad=100,good=100", ""} {
		e := New(nil)
		ask[virusState](t, e, "virus.open", values{"rules": "virus", "side": 6, "settings": text})
		got := ask[thought](t, e, "virus.think", values{"nodes": 20000})
		settings, err := settingsOf(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := game.New(settings)
		if err != nil {
			t.Fatal(err)
		}
		var depths []game.Result
		told := func(x game.Result) { depths = append(depths, x) }
		want, err := s.Run(context.Background(), virus.NewBoard(virus.Start(virus.Virus, 6, 6), nil), game.Limit{Nodes: 20000}, told)
		if err != nil {
			t.Fatal(err)
		}
		if got.Counts != want.Counts || got.Depth != want.Depth || got.Move != virus.Move(want.Move).String() || fmt.Sprint(got.Value) != fmt.Sprint(float64(want.Value)/100) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
		if len(got.Depths) != len(depths) || len(depths) < 3 {
			t.Fatalf("%s tells of %d depths, want %d", text, len(got.Depths), len(depths))
		}
		for i, d := range got.Depths {
			if d.Counts != depths[i].Counts || d.Depth != depths[i].Depth || d.Move != virus.Move(depths[i].Move).String() {
				t.Errorf("%s at depth %d: %+v, want %+v", text, i+1, d, depths[i])
			}
		}
		rows := ask[[]thought](t, e, "virus.compare", values{"settings": []string{text}, "nodes": 20000})
		if len(rows) != 1 || rows[0].Counts != want.Counts {
			t.Errorf("%s compared: %+v", text, rows)
		}
	}
}

// The start on 4x4 is a zugzwang: who is to move loses by 8, and would win by 8 if
// one could pass. Null moves of any kind find it, and only cost nodes there, as the
// page says.
func TestVirusZugzwang(t *testing.T) {
	e := New(nil)
	settings := []string{"plain", "null=plain,r=2", "null=checked,r=2", "null=verified,r=3"}
	for _, fen := range []string{"", "x2o/4/4/o2x o 0 1"} { // and as if x had passed
		ask[virusState](t, e, "virus.open", values{"rules": "virus", "side": 4, "fen": fen, "settings": "plain"})
		rows := ask[[]thought](t, e, "virus.compare", values{"settings": settings, "nodes": 1 << 20, "depth": 14})
		for _, r := range rows {
			if r.Value != -8 {
				t.Errorf("%s: %v, want -8", r.Settings, r.Value)
			}
			if ratio := float64(r.Nodes) / float64(rows[0].Nodes); r.Settings != "plain" && (ratio < 2.5 || ratio > 4.5) {
				t.Errorf("%s enters %v times the nodes of plain, want about three or four", r.Settings, ratio)
			}
		}
	}
}

// The zugzwangs of the page: plain null moves are wrong there, and what guards them
// is right.
func TestVirusZugzwangsOfThePage(t *testing.T) {
	e := New(nil)
	ask[virusState](t, e, "virus.open", values{"rules": "virus", "fen": "o3o/oox2/o3x/oo1x1/ooo1x x 0 6", "settings": "plain"})
	settings := []string{"plain", "null=plain,r=2", "null=checked,r=2", "null=verified,r=3"}
	for i, r := range ask[[]thought](t, e, "virus.compare", values{"settings": settings, "nodes": 1 << 22, "depth": 14}) {
		want, move := 3.0, "b5"
		if i == 1 {
			want, move = 1, "d4"
		}
		if r.Value != want || r.Move != move || (i >= 2) != (r.Zugzwangs > 0) {
			t.Errorf("%s: %v by %s, %d zugzwangs; want %v by %s", r.Settings, r.Value, r.Move, r.Zugzwangs, want, move)
		}
	}
}

func TestVirusRefuses(t *testing.T) {
	e := New(nil)
	for _, params := range []values{
		{"rules": "chess", "side": 7}, {"rules": "virus", "side": 2}, {"rules": "virus", "side": 9}, {"rules": "virus", "fen": "nonsense"},
		{"rules": "virus", "side": 7, "settings": "null=what"}, {"rules": "virus", "side": 7, "settings": "r=99"},
		{"rules": "vi\nrus", "side": 7}, {"rules": "virus", "fen": "x\n5o/7 x"}, {"rules": "virus", "fen": "x2o/4/4/o2x z\u2028 0 1"}, {"rules": "virus", "fen": strings.Repeat("x", 1<<16)},
		{"rules": "virus", "side": 7, "settings": "nu\nll"}, {"rules": "virus", "side": 7, "size": 7}, {"rules": "virus", "side": "7"},
	} {
		if _, err := e.Call("virus.open", must(t, params)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v", params, err)
		}
	}
	ask[virusState](t, e, "virus.open", values{"rules": "virus", "side": 7, "settings": "strong"})
	for _, c := range []struct {
		method string
		params values
	}{
		{"virus.move", values{"move": "a1"}}, {"virus.move", values{"move": "zz"}}, {"virus.move", values{"move": ""}}, {"virus.think", values{"nodes": 0}},
		{"virus.move", values{"move": "a\n1"}}, {"virus.think", values{"nodes": maxThink + 1}}, {"virus.think", values{"nodes": 10, "depth": -1}}, {"virus.compare", values{"nodes": 10}},
		{"virus.compare", values{"nodes": 10, "settings": []string{"what"}}}, {"virus.compare", values{"nodes": 10, "settings": make([]string, 99)}},
	} {
		if _, err := e.Call(c.method, must(t, c.params)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %v: %v", c.method, c.params, err)
		}
	}
	over := ask[virusState](t, e, "virus.open", values{"rules": "virus", "fen": "xxx/xxo/ooo x 0 1", "settings": "strong"})
	if !over.Over || len(over.Moves) > 0 || over.Margin != 1 {
		t.Errorf("a full board: %+v", over)
	}
	if _, err := e.Call("virus.think", must(t, values{"nodes": 10})); err == nil {
		t.Error("thought about a game that is over")
	}
}
