package engine

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lastmile/construct"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/search"
)

// A case is a text from the wild, with its right answer.
func paste(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "notation", "testdata", "cases", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDeskReadsWhatPeoplePaste(t *testing.T) {
	for _, c := range []struct {
		file           string
		score, breaks  int
		placed, clues  int
		official       bool
		foreign, alarm int // foreign cells, warnings at least
	}{
		{"r01_blackwood_470.url", 470, 10, 256, 1, true, 0, 0},
		{"r02_mcgavin_469_boardtypes_plus.url", 469, 11, 256, 1, true, 0, 0},
		{"r06_pejic_464_jef_112_113.url", 464, 16, 256, 5, true, 0, 1},
		{"r12_bucas_clues_partial_jef.url", 0, 0, 5, 5, true, 0, 0},
		{"r13_blackwood_230_partial.url", 429, 0, 230, 1, true, 0, 0},
		{"r16_clue2_12x6_solved.url", 126, 0, 72, 0, false, 0, 0},
		{"r15_brendan_8x8_solution_jef.url", 112, 0, 64, 0, false, 0, 0},
		{"s03_percent_encoded.url", 469, 11, 256, 1, true, 0, 0},
		{"s06_letters_beyond_w.url", 465, 15, 256, 1, false, 1, 0},
		{"s16_blackwood_letters_no_order.url", 470, 10, 256, 1, true, 0, 1},
		{"s17_empty_board.url", 0, 0, 0, 0, true, 0, 0},
		{"s18_bare_blob.txt", 469, 11, 256, 1, true, 0, 0},
		{"r05_riotte_464.url", 464, 16, 256, 5, true, 0, 0},
		{"s14_board_pieces_short.url", 467, 13, 256, 1, true, 0, 1},
	} {
		all := ask[[]deskBoard](t, New(nil), "desk.read", values{"text": paste(t, c.file)})
		b := all[0]
		if len(all) != 1 || b.Score != c.score || b.Breaks != c.breaks || b.Placed != c.placed || b.CluesHeld != c.clues || b.Official != c.official ||
			len(b.ForeignCells) != c.foreign || len(b.Warnings) < c.alarm {
			t.Errorf("%s: score %d, breaks %d, placed %d, clues %d, official %v, foreign %v, warnings %q", c.file, b.Score, b.Breaks, b.Placed, b.CluesHeld, b.Official, b.ForeignCells, b.Warnings)
		}
		if len(b.Edges) != 4*b.Width*b.Height {
			t.Errorf("%s: %d colours", c.file, len(b.Edges))
		}
	}
	if all := ask[[]deskBoard](t, New(nil), "desk.read", values{"text": paste(t, "s23_blackwood_two_boards.txt")}); len(all) != 2 || all[0].Score != 468 || all[1].Score != 464 {
		t.Errorf("two boards: %+v", all)
	}
	for _, name := range []string{"s01_short_edges_1021.url", "s05_uppercase_edges.url", "s11_size_mismatch.url", "r19_zamofing_missing_field.txt", "r20_pejic_256pieces_UDLR.txt"} {
		text := paste(t, name)
		_, err := New(nil).Call("desk.read", must(t, values{"text": text}))
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line", name, err)
		}
	}
	damaged := ask[[]deskBoard](t, New(nil), "desk.read", values{"text": paste(t, "s01_short_edges_1021.url"), "lenient": true})
	if damaged[0].Score != 467 || damaged[0].Empty != 1 || !damaged[0].Damaged {
		t.Errorf("lenient: %+v", damaged[0].Verdict)
	}
}

// What the desk writes reads as the same board, in every form.
func TestDeskWritesEveryForm(t *testing.T) {
	e := New(nil)
	for _, form := range forms() {
		w := ask[deskText](t, e, "desk.write", values{"text": "riotte-464", "to": form})
		switch form {
		case "png":
			if data, err := base64.StdEncoding.DecodeString(w.Text); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
				t.Errorf("png: %v, %.8q", err, data)
			}
			continue
		case "svg":
			if !strings.HasPrefix(w.Text, "<svg") {
				t.Errorf("svg: %.20q", w.Text)
			}
			continue
		case "text":
			if !strings.Contains(w.Text, "464") && len(w.Text) < 256 {
				t.Errorf("text: %.200q", w.Text)
			}
			continue
		}
		again, err := notation.Read([]byte(w.Text), notation.Options{})
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		if again[0].Grid == nil {
			if len(w.Lost) == 0 {
				t.Errorf("%s holds no board and says nothing of it", form)
			}
		} else if got := again[0].Grid.Tally().Matched; got != 464 {
			t.Errorf("%s: score %d", form, got)
		}
	}
	for _, params := range []values{{"text": "riotte-464", "to": "x"}, {"text": "riotte-464", "to": "edges", "index": 1}, {"text": "riotte-464", "to": "edges", "index": -1}} {
		if _, err := e.Call("desk.write", must(t, params)); err == nil {
			t.Errorf("%v written", params)
		}
	}
}

// A link holds the board that was read, whatever the text was.
func TestDeskLinks(t *testing.T) {
	e := New(nil)
	if got := ask[string](t, e, "desk.link", values{"text": " blackwood-470\n"}); got != "blackwood-470" {
		t.Errorf("a bundled board by its name: %q", got)
	}
	for _, c := range []struct {
		file    string
		lenient bool
		index   int
		score   int
	}{
		{"r01_blackwood_470.url", false, 0, 470}, {"r06_pejic_464_jef_112_113.url", false, 0, 464}, {"r09_pejic_465_grid.txt", false, 0, 465},
		{"r11_bucas_sample_4x4.txt", false, 0, 24}, {"r16_clue2_12x6_solved.url", false, 0, 126}, {"r13_blackwood_230_partial.url", false, 0, 429},
		{"r25_dobrogost_4x4_duplicate_hint.json", false, 0, 24}, {"s01_short_edges_1021.url", true, 0, 467}, {"s04_html_amp_wrapped.txt", false, 0, 469},
		{"s21_blackwood230.et2", false, 0, 429}, {"s23_blackwood_two_boards.txt", false, 1, 464},
	} {
		q := values{"text": paste(t, c.file), "lenient": c.lenient, "index": c.index}
		link := ask[string](t, e, "desk.link", q)
		want := ask[[]deskBoard](t, e, "desk.read", values{"text": paste(t, c.file), "lenient": c.lenient})[c.index]
		got := ask[[]deskBoard](t, e, "desk.read", values{"text": link})[0]
		if got.Score != c.score || !slices.Equal(got.Edges, want.Edges) || got.CluesHeld != want.CluesHeld || got.Official != want.Official || len(link) > maxLink {
			t.Errorf("%s: score %d by a link of %d bytes, want %d", c.file, got.Score, len(link), c.score)
		}
	}
	for _, q := range []values{{"text": "no board"}, {"text": paste(t, "r01_blackwood_470.url"), "index": 1}, {"text": paste(t, "s01_short_edges_1021.url")}} {
		if text, err := e.Call("desk.link", must(t, q)); err == nil {
			t.Errorf("%.60v: %s", q, text)
		}
	}
}

func TestRace(t *testing.T) {
	told := 0
	e := New(func(event string, _ any) {
		if event == "race" {
			told++
		}
	})
	o := ask[ordersAnswer](t, e, "race.orders", values{"side": 6})
	for _, order := range o.Orders {
		r := ask[raceAnswer](t, e, "race.run", values{"side": 6, "name": order.Name, "cells": order.Cells, "width": 20})
		if b := board(t, o.Puzzle, r.Board); b.Score() != r.Score || r.Score < r.Max/2 || r.Name != order.Name {
			t.Errorf("%s: %d of %d, the board has %d", order.Name, r.Score, r.Max, b.Score())
		}
	}
	if told < 2*len(o.Orders) {
		t.Errorf("told %d events", told)
	}
	for _, params := range []values{
		{"side": 6, "cells": o.Orders[0].Cells[1:], "width": 20}, {"side": 6, "cells": o.Orders[0].Cells, "width": 0},
		{"side": 6, "cells": append(slices.Clone(o.Orders[0].Cells[1:]), o.Orders[0].Cells[1]), "width": 20}, {"side": 6, "cells": append(slices.Clone(o.Orders[0].Cells[1:]), -1), "width": 20},
		{"side": 6, "cells": o.Orders[0].Cells, "width": 20, "clues": "five"}, {"side": 16, "cells": o.Orders[0].Cells, "width": 20, "clues": "six"},
		{"side": 6, "cells": o.Orders[0].Cells, "width": 1 << 20}, {"side": 3, "width": 1}, {"side": 200, "width": 1},
	} {
		if _, err := e.Call("race.run", must(t, params)); err == nil {
			t.Errorf("%v ran", params)
		}
	}
}

// A race is the beam that the project runs, on the puzzle and with the clues that
// were asked for.
func TestRaceIsTheBeam(t *testing.T) {
	e := New(nil)
	for clues, held := range map[string]int{"": 5, "five": 5, "starter": 1, "none": 0} {
		q := values{"side": 16, "seed": 3, "clues": clues}
		o := ask[ordersAnswer](t, e, "race.orders", q)
		if len(o.Puzzle.Clues) != held {
			t.Errorf("%q: clues on %v, want %d", clues, o.Puzzle.Clues, held)
		}
		p, err := puzzle.Official().WithClues(puzzle.Official().Clues[:held])
		if err != nil {
			t.Fatal(err)
		}
		want, err := construct.Beam(t.Context(), p, construct.Options{Order: "comb", Width: 4, Seed: 3}, search.Budget{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		comb := o.Orders[slices.IndexFunc(o.Orders, func(o namedOrder) bool { return o.Name == "comb" })]
		q["name"], q["cells"], q["width"] = "comb", comb.Cells, 4
		got := ask[raceAnswer](t, e, "race.run", q)
		if got.Score != want.Score || got.Nodes != want.Nodes || !slices.Equal(got.Board, p.Codes(want.Placements)) {
			t.Errorf("%q: score %d of %d boards, want %d of %d", clues, got.Score, got.Nodes, want.Score, want.Nodes)
		}
	}
	a := ask[ordersAnswer](t, e, "race.orders", values{"side": 6, "seed": 1})
	b := ask[ordersAnswer](t, e, "race.orders", values{"side": 6, "seed": 2})
	if slices.Equal(a.Puzzle.Pieces, b.Puzzle.Pieces) {
		t.Error("two seeds, one puzzle")
	}
}

// What the desk says of a text is what the command score says.
func TestDeskIsTheVerdict(t *testing.T) {
	for _, name := range []string{"r05_riotte_464.url", "r26_dobrogost_5x5_five_same_hint.json", "s07_grey_on_opposite_sides.url", "s10_hints_rot_wrong.url", "s14_board_pieces_short.url"} {
		text := paste(t, name)
		documents, err := notation.Read([]byte(text), notation.Options{})
		if err != nil || documents[0].Grid == nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := documents[0].Judge(documents[0].Clues())
		if got := ask[[]deskBoard](t, New(nil), "desk.read", values{"text": text})[0].Verdict; !bytes.Equal(must(t, got), must(t, want)) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
