package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lastmile/alns"
	"lastmile/puzzle"
	"lastmile/search"
)

// ask calls an engine that must answer.
func ask[A any](t *testing.T, e *Engine, method string, params any) (answer A) {
	t.Helper()
	text := must(t, params)
	out, err := e.Call(method, text)
	if err != nil {
		t.Fatalf("%s %s: %v", method, text, err)
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%s: %v in %s", method, err, out)
	}
	return answer
}

// must writes parameters.
func must(t *testing.T, params any) []byte {
	t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

type values map[string]any

// The room's run is that of alns.Polish on the board that it says it began with,
// whatever the steps.
func TestRepairIsPolish(t *testing.T) {
	for _, q := range []values{
		{"seed": 5, "damage": 0.6},
		{"board": "riotte-464", "seed": 7, "acceptance": "record", "repair": "by-hole"},
		{"board": "blackwood-470", "damage": 0.9, "seed": 1, "operators": []string{"ring", "scattered"}, "selection": "segments"},
	} {
		e := New(nil)
		o := ask[repairOpened](t, e, "repair.open", q)
		p, board, _, _, err := (&repairQuestion{Board: o.Text}).start()
		if err != nil {
			t.Fatal(err)
		}
		var points []tracePoint
		r := e.rooms["repair"].(*repairRoom)
		want, err := alns.Polish(context.Background(), p, board, r.options, alns.Plan{
			Streams: 1, Budget: search.Budget{Iterations: 700},
			Trace: search.Func(func(t search.Event) { points = append(points, tracePoint{t.Done, t.Score, t.Best}) }),
		})
		if err != nil {
			t.Fatal(err)
		}
		got := o.repairState
		told := got.Points
		for i, n := range []int{1, 1, 30, 0, 600, 68} {
			got = ask[repairState](t, e, "repair.step", values{"iterations": n, "show": i%2 == 0})
			told = append(told, got.Points...)
			if it := got.Last; it != nil {
				if it.After != got.Score || len(it.Lifted) != len(it.Filled) || it.Outcome == "" {
					t.Errorf("%v: shown %+v", q, it)
				}
			}
		}
		if got.Iterations != 700 || got.Best != want.Score || fmt.Sprint(got.Operators) != fmt.Sprint(want.Operators) {
			t.Errorf("%v: %d iterations, best %d, %v; want 700, %d, %v", q, got.Iterations, got.Best, got.Operators, want.Score, want.Operators)
		}
		if told = slices.DeleteFunc(told, func(p tracePoint) bool { return p.Iteration == 0 }); fmt.Sprint(told) != fmt.Sprint(points[:len(told)]) || len(points)-len(told) > 1 {
			t.Errorf("%v: traced\n%v, want\n%v", q, told, points)
		}
	}
}

func TestRepairSmallBoardIsDamagedAsAsked(t *testing.T) {
	e := New(nil)
	o := ask[repairOpened](t, e, "repair.open", values{"seed": 1, "damage": 0.6})
	if o.Puzzle.Width != 8 || o.Puzzle.Max != 112 || o.Score > 67 || o.Score < 55 {
		t.Errorf("%dx%d, score %d of %d", o.Puzzle.Width, o.Puzzle.Height, o.Score, o.Puzzle.Max)
	}
	b := board(t, o.Puzzle, o.Board)
	if b.Score() != o.Score {
		t.Errorf("score %d, want %d", o.Score, b.Score())
	}
	solved := ask[repairState](t, e, "repair.damage", values{"damage": 0.5})
	if solved.Score > 56 || solved.Iterations != 0 || len(solved.Points) != 1 {
		t.Errorf("damaged again: %+v", solved)
	}
	whole := ask[repairOpened](t, e, "repair.open", values{"seed": 1})
	if !whole.Solved || whole.Score != 112 {
		t.Errorf("without damage: score %d", whole.Score)
	}
	if s := ask[repairState](t, e, "repair.step", values{"iterations": 10}); s.Iterations != 0 {
		t.Errorf("%d iterations on a solved board", s.Iterations)
	}
}

// board lays codes on a puzzle as a page knows it.
func board(t *testing.T, p Puzzle, codes []int) *puzzle.Board {
	t.Helper()
	z, err := puzzle.New(p.Name, p.Width, p.Height, p.Pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := z.Decode(codes)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestForcedOperator(t *testing.T) {
	e := New(nil)
	ask[repairOpened](t, e, "repair.open", values{"board": "riotte-464", "seed": 1})
	before := ask[repairState](t, e, "repair.step", values{"iterations": 0})
	after := ask[repairState](t, e, "repair.step", values{"iterations": 1, "force": "worst-band", "show": true})
	for i, o := range after.Operators {
		if forced := o.Name == "worst-band"; forced != (o.Weight != before.Operators[i].Weight) && after.Last.Outcome != "best" && forced {
			t.Errorf("%+v, then %+v", before.Operators[i], o)
		} else if (o.Uses == 1) != forced {
			t.Errorf("%s drawn %d times", o.Name, o.Uses)
		}
	}
	if after.Last.Operator != "worst-band" {
		t.Errorf("shown %+v", after.Last)
	}
}

func TestCallsThatAreRefused(t *testing.T) {
	e := New(nil)
	for _, c := range []struct{ method, params, want string }{
		{"repair.step", `{"iterations":1}`, "repair.step: nothing is open, call repair.open first"},
		{"nothing", `{}`, "no method"},
		{"repair.open", `{"sed":1}`, "unknown field"},
		{"repair.open", `{"seed":-1}`, "seed"},
		{"repair.open", `[`, "repair.open: "},
		{"repair.open", `{"damage":2}`, "damage that leaves 2"},
		{"repair.open", `{"board":"no-such-board"}`, "no-such-board"},
		{"repair.open", `{"operators":["x"]}`, `"x"`},
		{"repair.open", `{"acceptance":"x"}`, `"x"`},
		{"repair.open", `{"smallest":9,"largest":3}`, "9 to 3"},
		{"repair.open", `{"temperature":-1}`, "-1"},
		{"stamps", `{"colours":[300]}`, "300"},
	} {
		if _, err := e.Call(c.method, []byte(c.params)); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: %v, want one line with %q", c.method, c.params, err, c.want)
		}
	}
	ask[repairOpened](t, e, "repair.open", values{"seed": 1, "damage": 0.8})
	for _, c := range []struct{ method, params, want string }{
		{"repair.step", `{"iterations":-1}`, "-1 iterations"},
		{"repair.step", `{"iterations":1e9}`, "iterations"},
		{"repair.step", `{"iterations":1,"force":"ring"}`, `"ring" is not in the portfolio`},
		{"repair.damage", `{"damage":0}`, "damage that leaves 0"},
	} {
		if _, err := e.Call(c.method, []byte(c.params)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.method, c.params, err, c.want)
		}
	}
	if _, err := e.Call("boards", make([]byte, MaxParams+1)); err == nil {
		t.Error("parameters without bound")
	}
}

// Whatever a page sends, the engine answers or says what is wrong.
func FuzzCall(f *testing.F) {
	for _, m := range Methods() {
		f.Add(m, `{}`)
		f.Add(m, `{"seed":1,"damage":0.5,"board":"riotte-464","iterations":3,"colours":[1],"show":true}`)
	}
	f.Fuzz(func(t *testing.T, method, params string) {
		e := New(nil)
		e.Call("repair.open", []byte(`{"seed":1,"damage":0.8}`))
		if out, err := e.Call(method, []byte(params)); err == nil && !json.Valid(out) {
			t.Errorf("%s %s: %s", method, params, out)
		}
	})
}
