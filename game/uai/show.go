package uai

import (
	"fmt"
	"strings"

	"lastmile/game"
	"lastmile/game/virus"
)

// print shows the position to people: ranks from the top, and its FEN.
func (e *engine) print() {
	p := &e.position
	width, height := p.Size()
	x, o := p.Stones()
	for r := height - 1; r >= 0; r-- {
		row := fmt.Sprint(r + 1)
		for f := range width {
			bit := virus.Squares(1) << (8*r + f)
			switch {
			case x&bit != 0:
				row += " x"
			case o&bit != 0:
				row += " o"
			case p.Squares()&bit == 0:
				row += " -"
			default:
				row += " ."
			}
		}
		e.say("%s", row)
	}
	e.say("  %s", strings.Join(strings.Split("abcdefgh"[:width], ""), " "))
	e.say("fen %s", p.FEN())
	e.say("rules %v result %s", p.Rules(), result(p))
}

// eval shows what the evaluation says of the position, for the side to move, and
// what it has counted.
func (e *engine) eval() {
	b := virus.NewBoard(e.position, nil)
	if b.Over() {
		e.say("info string eval %d: the game is over", b.Value())
		return
	}
	var counted strings.Builder
	for i, n := range b.Features() {
		fmt.Fprintf(&counted, " %s %d", virus.FeatureNames[i], n)
	}
	e.say("info string eval %d%s", b.Value(), counted.String())
}

// query answers what a runner asks that does not know the rules. Player one is x.
func (e *engine) query(words []string) error {
	p := &e.position
	var answer any
	switch strings.Join(words, " ") {
	case "gameover":
		answer = p.Over()
	case "p1turn":
		answer = p.XToMove()
	case "result":
		answer = result(p)
	default:
		return fmt.Errorf("%q, want gameover, p1turn or result", clip(strings.Join(words, " ")))
	}
	e.say("response %v", answer)
	return nil
}

// result is how UGI calls the end of a game.
func result(p *virus.Position) string {
	margin := p.Result()
	switch {
	case !p.Over():
		return "none"
	case margin == 0:
		return "draw"
	case (margin > 0) == p.XToMove():
		return "p1win"
	}
	return "p2win"
}

// report is the line that tells of a search: times in milliseconds, the value in
// hundredths of a stone.
func report(r game.Result) string {
	var text strings.Builder
	ms := r.Elapsed.Milliseconds()
	fmt.Fprintf(&text, "info depth %d score cs %d nodes %d time %d nps %d pv", r.Depth, r.Value, r.Nodes, ms, perSecond(r.Nodes, ms))
	for _, m := range r.Line {
		fmt.Fprintf(&text, " %v", virus.Move(m))
	}
	return text.String()
}

// perSecond takes less than a millisecond for one.
func perSecond(n, ms int64) int64 { return int64(float64(n) * 1000 / float64(max(ms, 1))) }
