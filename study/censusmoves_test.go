package study

import (
	"strings"
	"testing"

	"lastmile/census"
	"lastmile/puzzle"
)

func TestCensusMoves(t *testing.T) {
	r := reduced(t, censusMoves)
	expect(t, r, map[string]Verdict{"cells at breaks": Reproduced, "other cells": Untested, "same score": Untested, "has polished": Untested})
	if len(r.Links) != len(puzzle.Records()) {
		t.Errorf("%d links, want one a record board", len(r.Links))
	}
	// Three kinds on each board, four families of boards with one seed.
	for i, want := range []int{3 * len(puzzle.Records()), 3 * 4, 2 * 4} {
		if n := len(r.Tables[i].Rows); n != want {
			t.Errorf("table %q has %d rows, want %d", r.Tables[i].Title, n, want)
		}
	}
	if x := r.Charts[0].Series[0].X; len(x) != len(puzzle.Records())+4 {
		t.Errorf("%d points in the chart, want one a board", len(x))
	}
}

// surveyed are rows of turns, swaps and 3-cycles on boards of those names.
func surveyed(m census.Moves, seeds []uint64, boards ...string) (rows []movesRow) {
	for _, board := range boards {
		for _, seed := range seeds {
			for _, kind := range []string{anyTurn, anySwap, cycleAtBreaks, anyCycle} {
				rows = append(rows, movesRow{Board: board, Seed: seed, What: kind, Moves: m})
			}
		}
	}
	return rows
}

func TestVerdictOfMoves(t *testing.T) {
	var names []string
	for _, record := range puzzle.Records() {
		names = append(names, record.Name)
	}
	worse := census.Moves{Tested: 9, Worsening: 9, Best: -1}
	level := census.Moves{Tested: 9, Worsening: 8, Neutral: 1}
	better := census.Moves{Tested: 9, Worsening: 8, Improving: 1, Best: 1}
	once := []uint64{0}
	all := surveyed(level, once, names...)
	spoilt := func(at int, m census.Moves) []movesRow {
		rows := surveyed(level, once, names...)
		rows[at].Moves = m
		return rows
	}
	isolated := spoilt(0, worse)
	for i := range 4 {
		isolated[i].Moves = worse
	}
	p := planMoves(Options{Seeds: movesSeeds})
	families := []string{p.families[2].Name, p.families[3].Name}
	polished := surveyed(level, movesSeeds, families...)
	gains := surveyed(level, movesSeeds, families...)
	gains[len(gains)-1].Moves = better
	built := append(surveyed(better, movesSeeds, p.families[0].Name), polished...)
	for name, c := range map[string]struct {
		bundled, made []movesRow
		want          [4]Verdict // breaks, other cells, same score, polished
	}{
		"locked":               {all, polished, [4]Verdict{Reproduced, Reproduced, Reproduced, Reproduced}},
		"a turn gains":         {spoilt(0, better), polished, [4]Verdict{NotReproduced, Reproduced, Reproduced, Reproduced}},
		"a far cycle gains":    {spoilt(3, better), polished, [4]Verdict{Reproduced, NotReproduced, Reproduced, Reproduced}},
		"one is isolated":      {isolated, polished, [4]Verdict{Reproduced, Reproduced, NotReproduced, Reproduced}},
		"a board is missing":   {all[4:], polished[8:], [4]Verdict{Untested, Untested, Untested, Untested}},
		"one gains, one lacks": {spoilt(4, better)[4:], gains[8:], [4]Verdict{NotReproduced, Untested, Untested, NotReproduced}},
		"a polished one gains": {all, gains, [4]Verdict{Reproduced, Reproduced, Reproduced, NotReproduced}},
		"only a built one":     {all, built, [4]Verdict{Reproduced, Reproduced, Reproduced, Reproduced}},
		"nothing":              {nil, nil, [4]Verdict{Untested, Untested, Untested, Untested}},
	} {
		r := &Report{}
		p.report(r, c.bundled, c.made)
		for i, want := range c.want {
			if f := r.Findings[i]; f.Verdict != want {
				t.Errorf("%s: %s: %s, want %s", name, f.Claim, f.Verdict, want)
			}
		}
		for _, f := range r.Findings {
			if (f.Measured == "nothing") != (len(c.bundled)+len(c.made) == 0) {
				t.Errorf("%s: measured %q", name, f.Measured)
			}
		}
	}
	quick := planMoves(Options{Seeds: movesSeeds, Quick: true})
	r := &Report{}
	quick.report(r, all, surveyed(better, movesSeeds, quick.families[2].Name, quick.families[3].Name))
	if f := r.Findings[3]; f.Verdict != Untested || !strings.Contains(f.Measured, "improving") {
		t.Errorf("a quick run: %+v", f)
	}
}
