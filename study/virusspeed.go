package study

import (
	"context"
	"fmt"

	"lastmile/game"
	"lastmile/game/virus"
)

var virusSpeed = Study{
	Name:    "virus-speed",
	Claim:   "virus and Ataxx count as published, 300 million leaves and 5 million nodes of a search a second on one core",
	Measure: measureVirusSpeed,
}

// perfts are the published counts of the start, by depth from 1.
var perfts = map[virus.Rules][]int64{
	virus.Virus: {6, 36, 288, 2304, 23040, 229692, 2712196},
	virus.Ataxx: {16, 256, 6460, 155888, 4752668, 141865520},
}

// What the claims about speed ask, a second of one core.
const (
	leavesAsked = 300e6
	nodesAsked  = 5e6
	speedRuns   = 5
)

// speedRow is one measurement.
type speedRow struct {
	What    string  `json:"what"`
	Run     int     `json:"run"`
	Nodes   int64   `json:"nodes"`
	Seconds float64 `json:"seconds"` // of the processor
}

func (x speedRow) rate() float64 { return float64(x.Nodes) / x.Seconds }

func measureVirusSpeed(ctx context.Context, o Options, r *Report) error {
	r.note("A perft counts the ways to play so many plies from the start; its last ply is counted and not played, and a forced pass is a ply. A search is one to a fixed depth from the start, with an empty table of 2^16 entries; its nodes are all positions that it enters, leaves too. Seconds are those of the processor.")
	for _, rules := range []virus.Rules{virus.Virus, virus.Ataxx} {
		f := Finding{Claim: fmt.Sprintf("the counts of %v on 7 by 7, to depth %d", rules, len(perfts[rules]))}
		f.Published = countList(perfts[rules])
		var got []int64
		same := true
		for depth, want := range perfts[rules] {
			if o.Quick && want > 1e6 {
				break
			}
			list, err := virus.Divide(ctx, virus.Start(rules, virusSize, virusSize), depth+1)
			if err != nil {
				break
			}
			sum := int64(0)
			for _, m := range list {
				sum += m.Count
			}
			got = append(got, sum)
			same = same && sum == want
		}
		if len(got) > 0 {
			f.Measured = countList(got)
		}
		settle(r, f, same, !same, len(got) == len(perfts[rules]), "")
	}
	perft, depth := 9, 11
	if o.Quick {
		perft, depth = 6, 6
	}
	var rows []speedRow
	measure := func(what string, count func() (int64, error)) error {
		for run := range speedRuns {
			began := processorTime()
			n, err := count()
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			rows = append(rows, speedRow{what, run + 1, n, max((processorTime() - began).Seconds(), 1e-9)})
		}
		return nil
	}
	err := measure(fmt.Sprintf("perft %d", perft), func() (int64, error) {
		list, err := virus.Divide(ctx, virus.Start(virus.Virus, virusSize, virusSize), perft)
		n := int64(0)
		for _, m := range list {
			n += m.Count
		}
		return n, err
	})
	if err != nil {
		return err
	}
	s, err := game.New(game.Settings{Table: 16})
	if err != nil {
		return err
	}
	err = measure(fmt.Sprintf("search to depth %d", depth), func() (int64, error) {
		s.Forget()
		found, err := s.Run(ctx, virus.NewBoard(virus.Start(virus.Virus, virusSize, virusSize), nil), game.Limit{Depth: depth}, nil)
		return found.Nodes, err
	})
	if err != nil {
		return err
	}
	judgeVirusSpeed(r, rows, !o.Quick)
	of := func(name string, text func(speedRow) string) column[speedRow] { return column[speedRow]{name, text} }
	r.show(tabulate("runs", "", rows,
		of("what", func(x speedRow) string { return x.What }),
		of("run", func(x speedRow) string { return fmt.Sprint(x.Run) }),
		of("leaves or nodes", func(x speedRow) string { return grouped(x.Nodes) }),
		of("seconds", func(x speedRow) string { return short(x.Seconds) }),
		of("millions a second", func(x speedRow) string { return short(x.rate() / 1e6) }),
	))
	return nil
}

func judgeVirusSpeed(r *Report, rows []speedRow, whole bool) {
	for i, c := range []struct {
		what  string
		least float64
	}{{"leaves of perft", leavesAsked}, {"nodes of a search", nodesAsked}} {
		var rates []float64
		for _, x := range rows[min(i*speedRuns, len(rows)):min((i+1)*speedRuns, len(rows))] {
			rates = append(rates, x.rate()/1e6)
		}
		sum := Summarise(rates)
		f := Finding{Claim: c.what + " a second on one core", Published: fmt.Sprintf("a mean of at least %g million", c.least/1e6)}
		if sum.N > 0 {
			f.Measured = "millions: " + sum.String()
		}
		settle(r, f, sum.Mean >= c.least/1e6, sum.Mean < c.least/1e6, whole && sum.N == speedRuns, "")
	}
}

// countList writes counts.
func countList(counts []int64) string {
	text := ""
	for i, n := range counts {
		if i > 0 {
			text += ", "
		}
		text += grouped(n)
	}
	return text
}
