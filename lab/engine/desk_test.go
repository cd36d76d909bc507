package engine

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lastmile/notation"
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

func TestRace(t *testing.T) {
	told := 0
	e := New(func(event string, _ any) {
		if event == "race" {
			told++
		}
	})
	o := ask[ordersAnswer](t, e, "race.orders", values{"side": 6})
	for _, order := range o.Orders {
		r := ask[raceAnswer](t, e, "race.run", values{"side": 6, "name": order.Name, "cells": order.Cells, "width": 20, "seed": 1})
		if b := board(t, o.Puzzle, r.Board); b.Score() != r.Score || r.Score < r.Max/2 || r.Name != order.Name {
			t.Errorf("%s: %d of %d, the board has %d", order.Name, r.Score, r.Max, b.Score())
		}
	}
	if told < 2*len(o.Orders) {
		t.Errorf("told %d events", told)
	}
	for _, params := range []values{
		{"side": 6, "cells": o.Orders[0].Cells[1:], "width": 20}, {"side": 6, "cells": o.Orders[0].Cells, "width": 0},
		{"side": 6, "cells": o.Orders[0].Cells, "width": 1 << 20}, {"side": 3, "width": 1}, {"side": 200, "width": 1},
	} {
		if _, err := e.Call("race.run", must(t, params)); err == nil {
			t.Errorf("%v ran", params)
		}
	}
}
