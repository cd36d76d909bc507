package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"lastmile/game"
	"lastmile/game/match"
)

type virusMatchCommand struct {
	A string `arg:"" help:"Settings of the first player, such as null=verified,r=3,late: what differs from plain alpha-beta with a table, or plain."`
	B string `arg:"" help:"Settings of the second one."`
	virusBoardFlags
	Pairs int `positive:"" placeholder:"N" help:"Openings; each is played twice, with colours exchanged. Default: 100."`
	Games int `positive:"" placeholder:"N" help:"The same in games, an even number."`
	virusEffort
	Plies   int    `default:"4" help:"Random plies that a pair of games begins with. Where all such openings have been played, longer ones."`
	Seed    uint64 `default:"1" help:"Seed of the openings."`
	Threads int    `default:"1" help:"Threads to use; 0 for all. Without --time they do not change the result."`
	SPRT    string `name:"sprt" placeholder:"ELO0,ELO1" help:"Stop as soon as it is settled, with 5% risk, whether A is ELO1 stronger than B (accept) rather than ELO0 (reject). Elo is logistic."`
	JSON    bool   `name:"json" help:"Print one JSON document."`
	Quiet   bool   `short:"q" help:"No progress."`
}

const (
	defaultPairs     = 100
	defaultMoveNodes = 20_000
)

// virusMatch is the JSON of virus match.
type virusMatch struct {
	A     string `json:"a"` // settings
	B     string `json:"b"`
	Rules string `json:"rules"`
	Start string `json:"start"` // FEN

	MoveNodes    int64   `json:"move_nodes,omitempty"` // the limit of a move
	MoveDepth    int     `json:"move_depth,omitempty"`
	MoveSeconds  float64 `json:"move_seconds,omitempty"`
	OpeningPlies int     `json:"opening_plies"`
	Seed         uint64  `json:"seed"`
	Reproducible bool    `json:"reproducible"`
	match.Result
	Seconds float64 `json:"seconds"`
}

func (c *virusMatchCommand) Run(t *terminal) error {
	a, b, o, err := c.options()
	if err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	began := time.Now()
	if !c.Quiet {
		o.Told = c.progress(t, o.Test, began)
	}
	r, err := match.Play(ctx, a, b, o)
	if err != nil {
		return bad{err}
	}
	if r.Stopped {
		fmt.Fprintf(t.err, "stopped after %d of %s\n", r.Pairs, count(o.Pairs, "pair"))
	}
	if r.Pairs == 0 {
		return errFailed
	}
	if r.Different < r.Pairs {
		fmt.Fprintf(t.err, "note: %d of %d openings repeat others, so the interval is too narrow; more --plies give more openings\n", r.Pairs-r.Different, r.Pairs)
	}
	m := virusMatch{
		A: a.Settings.String(), B: b.Settings.String(), Rules: o.Start.Rules().String(), Start: o.Start.FEN(),
		MoveNodes: a.Limit.Nodes, MoveDepth: a.Limit.Depth, MoveSeconds: a.Limit.Hard.Seconds(),
		OpeningPlies: c.Plies, Seed: c.Seed, Reproducible: c.Time == 0 && !r.Stopped, Result: r, Seconds: time.Since(began).Seconds(),
	}
	if c.JSON {
		return printJSON(t.out, m)
	}
	return m.print(t)
}

// options reads the flags.
func (c *virusMatchCommand) options() (a, b match.Player, o match.Options, err error) {
	if a, err = c.player("A", c.A); err != nil {
		return a, b, o, err
	}
	if b, err = c.player("B", c.B); err != nil {
		return a, b, o, err
	}
	o = match.Options{Pairs: c.Pairs, Plies: c.Plies, Seed: c.Seed, Threads: c.Threads}
	switch {
	case c.Threads < 0 || c.Threads > 256:
		return a, b, o, badf("--threads %d, want 0 to 256", c.Threads)
	case c.Threads == 0:
		o.Threads = runtime.NumCPU()
	}
	switch {
	case c.Pairs != 0 && c.Games != 0:
		return a, b, o, badf("--pairs %d and --games %d, want one of them", c.Pairs, c.Games)
	case c.Pairs < 0 || c.Pairs > match.MaxPairs:
		return a, b, o, badf("--pairs %d, want 1 to %d", c.Pairs, match.MaxPairs)
	case c.Games < 0 || c.Games%2 != 0 || c.Games > 2*match.MaxPairs:
		return a, b, o, badf("--games %d, want an even number, 2 to %d: each opening is played twice", c.Games, 2*match.MaxPairs)
	case c.Games != 0:
		o.Pairs = c.Games / 2
	case c.Pairs == 0:
		o.Pairs = defaultPairs
	}
	if c.Plies < 0 || c.Plies > match.MaxPlies {
		return a, b, o, badf("--plies %d, want 0 to %d", c.Plies, match.MaxPlies)
	}
	if err := tablesFit(min(o.Threads, o.Pairs), a.Settings, b.Settings); err != nil {
		return a, b, o, err
	}
	if o.Test, err = parseSPRT(c.SPRT); err != nil {
		return a, b, o, err
	}
	o.Start, err = c.start()
	return a, b, o, err
}

func (c *virusMatchCommand) player(name, settings string) (p match.Player, err error) {
	p.Name = name
	if p.Settings, err = game.ParseSettings(settings); err != nil {
		return p, badf("player %s: %w", name, err)
	}
	p.Limit, err = c.limit(game.Limit{Nodes: defaultMoveNodes})
	return p, err
}

// mostTables is how much memory the tables of a match may take.
const mostTables = 8_000_000_000

// tablesFit refuses tables that would not fit in memory: so many of each of the
// settings.
func tablesFit(of int, settings ...game.Settings) error {
	total := 0
	for _, s := range settings {
		if s.Table > 0 {
			total += of * 16 << s.Table
		}
	}
	if total > mostTables {
		return badf("transposition tables of %s in all, want at most %s; table=N gives one 2^N entries of 16 bytes, for each thread", size(total), size(mostTables))
	}
	return nil
}

// parseSPRT reads the two hypotheses of a test; "" is no test.
func parseSPRT(text string) (*match.Test, error) {
	if text == "" {
		return nil, nil
	}
	t := &match.Test{}
	low, high, two := strings.Cut(text, ",")
	var err, err1 error
	t.Elo0, err = strconv.ParseFloat(strings.TrimSpace(low), 64)
	t.Elo1, err1 = strconv.ParseFloat(strings.TrimSpace(high), 64)
	if !two || err != nil || err1 != nil {
		return nil, badf("--sprt %s, want two numbers of Elo such as 0,10", text)
	}
	if err := t.Check(); err != nil {
		return nil, badf("--sprt %s: %w", text, err)
	}
	return t, nil
}

// progress returns what prints the score now and then.
func (c *virusMatchCommand) progress(t *terminal, test *match.Test, began time.Time) func(match.Pair) {
	at := began
	var pairs [5]int
	games := [3]int{}
	return func(p match.Pair) {
		pairs[p.Points()]++
		for i := range p.Games {
			games[p.Games[i].Points()]++
		}
		if time.Since(at) < plainEvery {
			return
		}
		at = time.Now()
		line := fmt.Sprintf("%6.1fs  %s: +%d =%d -%d, %s", time.Since(began).Seconds(), count(p.Number+1, "pair"), games[2], games[1], games[0], eloText(match.Rate(pairs)))
		if test != nil {
			line += fmt.Sprintf(", llr %.2f", test.Judge(pairs).LLR)
		}
		fmt.Fprintln(t.err, line)
	}
}

// eloText is a rating in one line.
func eloText(r match.Rating) string {
	infinite := "infinite"
	if r.Score == 0 {
		infinite = "minus infinite"
	}
	return fmt.Sprintf("Elo %s in [%s, %s]", eloOr(r.Elo, infinite), eloOr(r.Low, "no bound"), eloOr(r.High, "no bound"))
}

func eloOr(elo *float64, none string) string {
	if elo == nil {
		return none
	}
	return fmt.Sprintf("%+.1f", *elo)
}

func (m *virusMatch) print(t *terminal) error {
	var text strings.Builder
	fmt.Fprintf(&text, "A %s\nB %s\n", m.A, m.B)
	fmt.Fprintf(&text, "%s of %s from %s: A won %d, drew %d, lost %d\n", count(m.Games, "game"), m.Rules, m.Start, m.Wins, m.Draws, m.Losses)
	p := m.Pentanomial
	fmt.Fprintf(&text, "%s by A's points: 0: %d, ½: %d, 1: %d, 1½: %d, 2: %d\n", count(m.Pairs, "pair"), p[0], p[1], p[2], p[3], p[4])
	fmt.Fprintf(&text, "%s at 95%%, A is the stronger one with likelihood %.3f\n", eloText(m.Rating), m.LOS)
	if v := m.SPRT; v != nil {
		fmt.Fprintf(&text, "test of %g against %g Elo: %s, log-likelihood ratio %.2f in [%.2f, %.2f]\n", v.Elo0, v.Elo1, v.Verdict, v.LLR, v.Lower, v.Upper)
	}
	fmt.Fprintf(&text, "mean margin %+.1f stones, %.1f plies a game, nodes %s of A and %s of B, %.1f s\n", m.Margin, m.Plies, thousands(m.Nodes[0]), thousands(m.Nodes[1]), m.Seconds)
	_, err := fmt.Fprint(t.out, text.String())
	return err
}
