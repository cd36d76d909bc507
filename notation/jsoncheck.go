package notation

import (
	"fmt"
	"strings"

	"lastmile/puzzle"
)

// check warns of what the object says about the board or its pieces and they
// do not bear out.
func (b jsonBoard) check(d *Document) {
	b.checkScore(d)
	w, h := 0, 0
	if d.Grid != nil {
		t := d.Grid.Tally()
		b.checkNumber(d, "breaks", "the edges give", t.Breaks)
		b.checkNumber(d, "open", "the edges give", t.Open)
		b.checkNumber(d, "empty", "the edges give", t.Empty)
		w, h = d.Grid.Width, d.Grid.Height
	} else {
		w, h = d.Puzzle.Width, d.Puzzle.Height
	}
	b.checkNumber(d, "max", fmt.Sprintf("a board of %dx%d has", w, h), 2*w*h-w-h)
	if s := stringIn(b.values["format"]); b.has("format") && s != "lastmile-board" {
		d.warn("format says %s, want lastmile-board: read all the same", strings.TrimPrefix(kindOf(b.values["format"]), "a string "))
	}
	if official := fmt.Sprint(d.Official); b.has("official") && d.Puzzle != nil && string(b.values["official"]) != official {
		is := "are not"
		if d.Official {
			is = "are"
		}
		d.warn("official says %s, the pieces %s the official set: the pieces win", kindOf(b.values["official"]), is)
	}
	b.checkColours(d)
	if gen, err := objectIn("gen", b.values["gen"]); err == nil {
		if s := stringIn(gen.values["size"]); s != "" && s != fmt.Sprintf("%dx%d", w, h) && s != fmt.Sprintf("%dx%d", h, w) {
			d.warn("gen.size says %s, the board is %dx%d", clip(s), w, h)
		}
	}
}

// checkScore compares the score with that of the edges.
func (b jsonBoard) checkScore(d *Document) {
	if d.Grid != nil {
		b.checkNumber(d, "score", "the edges give", d.Grid.Tally().Matched)
	}
}

func (b jsonBoard) checkNumber(d *Document, key, who string, right int) {
	raw, given := b.values[key]
	if !given {
		return
	}
	said, err := wholeIn(key, raw)
	if err != nil {
		d.warn("%s: it is ignored", err)
	} else if said != right {
		wins := "the edges win"
		if key == "max" {
			wins = "the size wins"
		}
		d.warn("%s says %d, %s %d: %s", key, said, who, right, wins)
	}
}

// checkColours compares the number of colours of the listed pieces. Some count
// grey as one, some give the highest.
func (b jsonBoard) checkColours(d *Document) {
	if !b.has("numcolors") || d.Listed == nil {
		return
	}
	said, err := wholeIn("numColors", b.values["numcolors"])
	if err != nil {
		d.warn("%s: it is ignored", err)
		return
	}
	var seen [256]bool
	colours := 0
	for _, e := range d.Listed.Pieces {
		for _, c := range e {
			if c != puzzle.Grey && !seen[c] {
				seen[c] = true
				colours++
			}
		}
	}
	highest := d.Listed.Colours()
	if said != colours && said != colours+1 && said != highest && said != highest+1 {
		d.warn("numColors says %d, the pieces have %s beside grey: the pieces win", said, counted(colours, "colour"))
	}
}
