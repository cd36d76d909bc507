package study

import (
	"context"
	"fmt"

	"lastmile/game"
	"lastmile/game/match"
	"lastmile/game/virus"
	"lastmile/study/chart"
)

// What the matches of study selective are.
const (
	strengthPairs = 200
	strengthNodes = 10_000 // a move
	strengthPlies = 4      // of an opening
)

// strengthRow is a match of a rule against full width.
type strengthRow struct {
	Number int    `json:"number"` // in the chart
	Arm    string `json:"arm"`
	match.Result
}

// playSelective lets each rule play full width from the same openings.
func playSelective(ctx context.Context, o Options) (rows []strengthRow, err error) {
	pairs, nodes := strengthPairs, int64(strengthNodes)
	if o.Quick {
		pairs, nodes = 2, 50
	}
	limit := game.Limit{Nodes: nodes}
	full := match.Player{Name: selectiveArms[0].name, Settings: selectiveArms[0].settings, Limit: limit}
	for i, arm := range selectiveArms[1:] {
		if ctx.Err() != nil {
			break
		}
		o.Say(fmt.Sprintf("%s against full width, %d games", arm.name, 2*pairs))
		result, err := match.Play(ctx, match.Player{Name: arm.name, Settings: arm.settings, Limit: limit}, full, match.Options{
			Start: virus.Start(virus.Virus, virusSize, virusSize), Pairs: pairs, Plies: strengthPlies, Seed: o.Seeds[0], Threads: o.Threads,
		})
		if err != nil {
			return rows, err
		}
		if !result.Stopped {
			rows = append(rows, strengthRow{i + 1, arm.name, result})
		}
	}
	return rows, nil
}

// reportStrength judges the matches.
func reportStrength(r *Report, rows []strengthRow, seeds []uint64, whole bool) {
	for _, arm := range selectiveArms[1:] {
		f := Finding{
			Claim:     arm.name + ": stronger play than full width with the same nodes",
			Published: "the 95 % interval of Elo above 0",
		}
		shown, weaker := false, false
		for _, x := range rows {
			if x.Arm != arm.name {
				continue
			}
			f.Seeds = seeds
			f.Measured = fmt.Sprintf("Elo %s (%s to %s) over %d games", eloText(x.Elo), eloText(x.Low), eloText(x.High), x.Games)
			shown = x.Low != nil && *x.Low > 0 || x.Low == nil && x.Score == 1
			weaker = x.High != nil && *x.High < 0 || x.High == nil && x.Score == 0
			if !shown && !weaker {
				f.Note = "the interval holds 0"
			}
		}
		settle(r, f, shown, weaker, whole && f.Measured != "", f.Note)
	}
	if len(rows) == 0 {
		return
	}
	c := chart.Chart{Title: "Elo against full width with the same nodes, with 95 % intervals", XLabel: "rule, by its number in the table", YLabel: "Elo"}
	s := chart.Series{Name: "Elo", Kind: chart.Points}
	for _, x := range rows {
		if x.Elo == nil || x.Low == nil || x.High == nil {
			continue
		}
		s.X, s.Y = append(s.X, float64(x.Number)), append(s.Y, *x.Elo)
		s.Low, s.High = append(s.Low, *x.Low), append(s.High, *x.High)
	}
	c.Series = append(c.Series, s)
	r.draw(c)
	of := func(name string, text func(strengthRow) string) column[strengthRow] {
		return column[strengthRow]{name, text}
	}
	r.show(tabulate("matches against full width", "by pairs of games from the same opening, colours exchanged; margin is the mean, in stones", rows,
		of("number", func(x strengthRow) string { return fmt.Sprint(x.Number) }),
		of("rule", func(x strengthRow) string { return x.Arm }),
		of("won", func(x strengthRow) string { return fmt.Sprint(x.Wins) }),
		of("drawn", func(x strengthRow) string { return fmt.Sprint(x.Draws) }),
		of("lost", func(x strengthRow) string { return fmt.Sprint(x.Losses) }),
		of("Elo", func(x strengthRow) string { return eloText(x.Elo) }),
		of("95 %", func(x strengthRow) string { return eloText(x.Low) + " to " + eloText(x.High) }),
		of("margin", func(x strengthRow) string { return signed(x.Margin) }),
		of("nodes", func(x strengthRow) string { return grouped(x.Nodes[0]) }),
	))
}

// eloText is a number of Elo, where it is known.
func eloText(elo *float64) string {
	if elo == nil {
		return "∞"
	}
	return fmt.Sprintf("%+.0f", *elo)
}
