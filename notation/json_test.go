package notation

import (
	"slices"
	"strings"
	"testing"
)

func TestJSONOfWrongKinds(t *testing.T) {
	for text, want := range map[string]string{
		`{"width":1,"height":1,"pieces":[[1,2,null,null]]}`:                                               "piece 1, colour 3: null, want a whole number",
		`{"width":1,"height":1,"pieces":[[1,2,3.5,4]]}`:                                                   "piece 1, colour 3: the number 3.5, want a whole number",
		`{"width":1,"height":1,"pieces":[[1,2,"3",4]]}`:                                                   `piece 1, colour 3: a string "3", want`,
		`{"width":1,"height":1,"pieces":[[1,2,[3],4]]}`:                                                   "piece 1, colour 3: an array, want",
		`{"width":1,"height":1,"pieces":[[1,2,true,4]]}`:                                                  "piece 1, colour 3: true, want",
		`{"width":1,"height":1,"pieces":[null]}`:                                                          "piece 1: null, want four colours",
		`{"width":1,"height":1,"pieces":{}}`:                                                              "pieces: an object, want an array",
		`{"width":1,"height":1,"pieces":[[1,2,3,-1]]}`:                                                    "piece 1: colour -1, want 0 to 254",
		`{"width":2,"height":1,"edges":[null,[1,null,1,1]]}`:                                              "edges, cell 1, colour 2: null, want",
		`{"width":2,"height":1,"edges":[null,[1,2,1]]}`:                                                   "edges, cell 1: 3 colours, want 4",
		`{"width":2,"height":1,"edges":7}`:                                                                "edges: the number 7, want letters, or an array",
		`{"width":2.5,"height":1,"edges":[null]}`:                                                         "width: the number 2.5, want a whole number",
		`{"width":1,"height":1,"pieces":[[1,1,1,1]],"placements":[{"cell":null,"piece":1,"rotation":0}]}`: "placements, entry 1: an entry without cell",
		`{"width":1,"height":1,"pieces":[[1,1,1,1]],"placements":[{"cell":"0","piece":1,"rotation":0}]}`:  `placements, entry 1, cell: a string "0", want`,
		`{"width":1,"height":1,"pieces":[[1,1,1,1]],"placements":[3]}`:                                    "placements, entry 1: the number 3, want an object",
		`{"width":1,"height":1,"pieces":[[1,1,1,1]],"hints":3}`:                                           "hints: the number 3, want an array",
		`{"rows":1,"cols":1,"tiles":[[1,1,1,1]],"placed":[{"row":0,"col":0,"tile":[1,1,null,1]}]}`:        "placed, entry 1, colour 3: null",
		`{"rows":1,"cols":1,"tiles":[[1,1,1,1]],"placed":[{"row":0,"col":0}]}`:                            "placed, entry 1: an entry without row, col or tile",
		`{"rows":1,"cols":1,"tiles":[[1,1,1,1]],"placed":"x"}`:                                            `placed: a string "x", want an array`,
		`[[1]]`: "an array, want an object",
		`{"width":2,"width":1,"height":1,"edges":[null]}`:                                                          "key width given twice with different values, want one",
		`{"width":1,"height":1,"edges":[null],"Edges":"abca"}`:                                                     "key Edges given twice",
		`{"width":1,"height":1,"pieces":[[1,1,1,1]],"hints":[{"cell":0,"piece":1,"rotation":0,"rotation":1}]}`:     "hints, entry 1: key rotation given twice",
		`{"width":1,"cols":2,"height":1,"edges":[null]}`:                                                           "width and cols: 1 and 2, want the same",
		`{"width":1,"height":1,"rows":2,"edges":[null]}`:                                                           "height and rows: 1 and 2, want the same",
		`{"width":1,"height":1,"pieces":[[1,1,1,1]],"tiles":[[1,1,1,2]]}`:                                          "pieces and tiles: two lists",
		`{"score":480,"placed":256,"duplicates":0,"foreign":0,"rim_faults":0,"clues_held":0,"foreign_cells":[]}`:   "the verdict on a board",
		`[{"score":480,"placed":256,"duplicates":0,"foreign":0,"rim_faults":0,"clues_held":0,"foreign_cells":[]}]`: "want the board that it was made from",
	} {
		documents, err := Read([]byte(text), Options{})
		if err == nil || documents != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", text, err, want)
		} else if strings.Contains(err.Error(), "notation.") || strings.Contains(err.Error(), "a array") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

func TestJSONContradictions(t *testing.T) {
	const pieces = `{"width":2,"height":1,"pieces":[[1,2,1,3],[1,3,1,2]]`
	const board = pieces + `,"edges":[[1,2,1,3],null]`
	for text, want := range map[string]string{
		board + `,"width":2,"score":0,"max":1,"breaks":0,"open":1,"empty":1,"official":false,"numColors":4,"format":"lastmile-board","gen":{"size":"2x1"}}`: "",
		pieces + `,"score":null,"max":1,"numColors":3,"official":false}`:                                                                                    "",
		board + `,"score":1}`:                "score says 1, the edges give 0: the edges win",
		board + `,"score":null}`:             "score: null, want a whole number: it is ignored",
		board + `,"score":"0"}`:              `score: a string "0", want a whole number: it is ignored`,
		board + `,"max":2}`:                  "max says 2, a board of 2x1 has 1: the size wins",
		pieces + `,"max":2}`:                 "max says 2, a board of 2x1 has 1: the size wins",
		board + `,"breaks":1}`:               "breaks says 1, the edges give 0",
		board + `,"open":0}`:                 "open says 0, the edges give 1",
		board + `,"empty":0}`:                "empty says 0, the edges give 1",
		board + `,"empty":true}`:             "empty: true, want a whole number",
		board + `,"official":true}`:          "official says true, the pieces are not the official set: the pieces win",
		board + `,"official":"no"}`:          `official says a string "no", the pieces are not`,
		board + `,"format":"other"}`:         `format says "other", want lastmile-board`,
		board + `,"format":1}`:               "format says the number 1, want lastmile-board",
		board + `,"numColors":9}`:            "numColors says 9, the pieces have 3 colours beside grey",
		board + `,"numColors":"3"}`:          `numColors: a string "3"`,
		board + `,"gen":{"size":"4x4"}}`:     `gen.size says "4x4", the board is 2x1`,
		`{"score":7,"board":` + board + `}}`: "score says 7, the edges give 0",
		`{"score":7,"url":"board_w=2&board_h=1&board_edges=bcbdbdbc"}`: "score says 7, the edges give 1",
	} {
		documents, err := Read([]byte(text), Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		said := slices.DeleteFunc(documents[0].Warnings, isOtherSet)
		if want == "" && len(said) > 0 || want != "" && (len(said) != 1 || !strings.Contains(said[0], want)) {
			t.Errorf("%s: warnings %q, want %q", text, said, want)
		}
	}
	for _, s := range samples(t) {
		for _, w := range readOne(t, written(t, s.d, "json"), Options{}).Warnings {
			if !isOtherSet(w) {
				t.Errorf("%s: its own text warns %q", s.what, w)
			}
		}
	}
}

// Hints name pieces, so without a set they are nothing.
func TestHintsWithoutASet(t *testing.T) {
	const text = `{"width": 2, "height": 2, "edges": [[0,1,1,0], null, null, null], "hints": [{"cell": 0, "piece": 1, "rotation": 3}]}`
	documents, err := Read([]byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := documents[0]
	if d.Puzzle != nil || len(d.Hints) > 0 || !strings.Contains(strings.Join(d.Warnings, " "), "1 hint left out") {
		t.Errorf("puzzle %v, hints %v, warnings %q", d.Puzzle, d.Hints, d.Warnings)
	}
}
