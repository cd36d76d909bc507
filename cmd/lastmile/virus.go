package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

type virusCommand struct {
	Perft  virusPerftCommand  `cmd:"" help:"Count the ways to play so many plies, by which programs check their rules."`
	Search virusSearchCommand `cmd:"" help:"Find the best move by a game-tree search."`
	Solve  virusSolveCommand  `cmd:"" help:"Find the exact value of a position of virus, to move and with a pass."`
	Play   virusPlayCommand   `cmd:"" help:"Play against the engine, in the terminal."`
	Match  virusMatchCommand  `cmd:"" help:"Let two settings of the search play each other, from paired openings."`
	Uai    virusUAICommand    `cmd:"" help:"Serve match runners of Ataxx as an engine that speaks UAI."`
	Ugi    virusUGICommand    `cmd:"" help:"Serve match runners as an engine that speaks UGI, and referees itself."`
}

// virusRules are the flags that say what is played.
type virusRules struct {
	Rules string `default:"virus" placeholder:"virus|ataxx" help:"Virus has clones alone, ataxx jumps too. Default: virus."`
	Size  string `placeholder:"N|WxH" help:"Squares of the board, such as 7 or 7x6. Default: 7."`
}

// position is the one that a text says, or the start if there is none.
func (v *virusRules) position(fen, flag string) (virus.Position, error) {
	rules := virus.Virus
	switch v.Rules {
	case virus.Virus.String():
	case virus.Ataxx.String():
		rules = virus.Ataxx
	default:
		return virus.Position{}, badf("--rules %s, want virus or ataxx", printable(v.Rules))
	}
	switch {
	case fen != "" && v.Size != "":
		return virus.Position{}, badf("--size %s: a position has its own size", printable(v.Size))
	case fen != "":
		p, err := virus.ParseFEN(rules, fen)
		if err != nil {
			return p, badf("%s%w", flag, err)
		}
		return p, nil
	}
	width, height, err := boardSize(cmp.Or(v.Size, "7"))
	return virus.Start(rules, width, height), err
}

// virusBoardFlags say what a game begins from.
type virusBoardFlags struct {
	virusRules
	FEN string `name:"fen" placeholder:"FEN" help:"Begin from this position, such as \"x5o/7/7/7/7/7/o5x x 0 1\", instead."`
}

// start is the position.
func (f *virusBoardFlags) start() (virus.Position, error) { return f.position(f.FEN, "--fen: ") }

// virusPosition are the flags that say where a game stands.
type virusPosition struct {
	Fen string `arg:"" name:"position" optional:"" help:"The position, such as \"x5o/7/7/7/7/7/o5x x 0 1\". Default: the start."`
	virusRules
	Moves string `placeholder:"LIST" help:"Moves from there, such as b6,f6."`
}

// boardSize reads the sides of a board of virus.
func boardSize(text string) (width, height int, err error) {
	w, h, both := strings.Cut(text, "x")
	if !both {
		h = w
	}
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if errW != nil || errH != nil || min(width, height) < virus.MinSize || max(width, height) > virus.MaxSize {
		return 0, 0, badf("--size %s, want a width and a height of %d to %d squares, such as 7 or 8x6", printable(text), virus.MinSize, virus.MaxSize)
	}
	return width, height, nil
}

// read reads the flags.
func (v *virusPosition) read() (virus.Position, error) {
	p, err := v.position(v.Fen, "")
	if err != nil || v.Moves == "" {
		return p, err
	}
	for i, text := range strings.Split(v.Moves, ",") {
		m, err := p.ParseMove(strings.TrimSpace(text))
		if err != nil {
			return p, badf("--moves: %d: %w", i+1, err)
		}
		p = p.Play(m)
	}
	return p, nil
}

// moveNames are moves as the community writes them.
func moveNames[M ~uint16](moves []M) []string {
	names := []string{}
	for _, m := range moves {
		names = append(names, virus.Move(m).String())
	}
	return names
}

type virusPerftCommand struct {
	Depth int `arg:"" help:"Plies."`
	virusPosition
	Divide bool `help:"Show the count of each move."`
	JSON   bool `name:"json" help:"Print one JSON document."`
}

// maxPerft is deeper than any machine counts.
const maxPerft = 30

func (c *virusPerftCommand) Run(t *terminal) error {
	p, err := c.read()
	if err != nil {
		return err
	}
	if c.Depth < 1 || c.Depth > maxPerft {
		return badf("depth %d, want 1 to %d plies", c.Depth, maxPerft)
	}
	ctx, stop := t.listen()
	defer stop()
	began := time.Now()
	list, err := virus.Divide(ctx, p, c.Depth)
	if err != nil {
		return fmt.Errorf("stopped: nothing is counted")
	}
	seconds := time.Since(began).Seconds()
	type count struct {
		Move  string `json:"move"`
		Nodes int64  `json:"nodes"`
	}
	answer := struct {
		Position string  `json:"position"`
		Rules    string  `json:"rules"`
		Depth    int     `json:"depth"`
		Nodes    int64   `json:"nodes"`
		Moves    []count `json:"moves"`
		Seconds  float64 `json:"seconds"`
	}{p.FEN(), p.Rules().String(), c.Depth, 0, []count{}, seconds}
	for _, m := range list {
		answer.Nodes += m.Count
		answer.Moves = append(answer.Moves, count{m.Move.String(), m.Count})
	}
	if c.JSON {
		return printJSON(t.out, answer)
	}
	if c.Divide {
		for _, m := range answer.Moves {
			fmt.Fprintf(t.out, "%s %d\n", m.Move, m.Nodes)
		}
	}
	_, err = fmt.Fprintln(t.out, answer.Nodes)
	return err
}

// virusEffort are the flags that bound the search of a move.
type virusEffort struct {
	Nodes int64         `positive:"" placeholder:"N" help:"Search so many nodes for a move. Default of a match: 20000."`
	Depth int           `positive:"" placeholder:"N" help:"Search so deep for a move, in plies."`
	Time  time.Duration `positive:"" placeholder:"D" help:"Search so long for a move, such as 100ms. That cannot be reproduced. Default of search: 10s; of play: 1s."`
}

// limit is what bounds a move; the default when no flag does.
func (f *virusEffort) limit(byDefault game.Limit) (game.Limit, error) {
	switch {
	case f.Nodes < 0:
		return game.Limit{}, badf("--nodes %d, want 1 or more", f.Nodes)
	case f.Depth < 0 || f.Depth > game.MaxDepth:
		return game.Limit{}, badf("--depth %d, want 1 to %d", f.Depth, game.MaxDepth)
	case f.Time < 0:
		return game.Limit{}, badf("--time %v, want a positive duration such as 100ms", f.Time)
	}
	l := game.Limit{Nodes: f.Nodes, Depth: f.Depth, Hard: f.Time}
	if l == (game.Limit{}) {
		l = byDefault
	}
	return l, nil
}

type virusSearchCommand struct {
	virusPosition
	virusEffort
	Settings string `placeholder:"LIST" help:"How to search, such as null=verified,r=3,late. Default: alpha-beta with a table."`
	JSON     bool   `name:"json" help:"Print one JSON document."`
	Quiet    bool   `short:"q" help:"No progress."`
}

func (c *virusSearchCommand) Run(t *terminal) error {
	p, err := c.read()
	if err != nil {
		return err
	}
	limit, err := c.limit(game.Limit{Hard: 10 * time.Second})
	if err != nil {
		return err
	}
	limit.Soft = limit.Hard // all of it is there to be used
	settings, err := game.ParseSettings(c.Settings)
	if err != nil {
		return badf("--settings: %w", err)
	}
	if p.Over() {
		return badf("position %s: the game is over, there is nothing to search", p.FEN())
	}
	if err := tablesFit(1, settings); err != nil {
		return err
	}
	s, err := game.New(settings)
	if err != nil {
		return bad{err}
	}
	ctx, stop := t.listen()
	defer stop()
	r, err := s.Run(ctx, virus.NewBoard(p, nil), limit, func(r game.Result) {
		if !c.Quiet {
			fmt.Fprintf(t.err, "depth %2d  %+.2f stones  %d nodes  %.2f s  %s\n",
				r.Depth, stonesOf(r.Value), r.Nodes, r.Elapsed.Seconds(), strings.Join(moveNames(r.Line), " "))
		}
	})
	if err != nil {
		return err
	}
	answer := struct {
		Position string      `json:"position"`
		Rules    string      `json:"rules"`
		Settings string      `json:"settings"`
		Move     string      `json:"move"`
		Value    float64     `json:"value"` // stones more at the end, for the side to move
		Depth    int         `json:"depth"`
		Line     []string    `json:"line"`
		Nodes    int64       `json:"nodes"`
		Counts   game.Counts `json:"counts"`
		Seconds  float64     `json:"seconds"`
	}{p.FEN(), p.Rules().String(), settings.String(), virus.Move(r.Move).String(), stonesOf(r.Value), r.Depth, moveNames(r.Line), r.Nodes, r.Counts, r.Elapsed.Seconds()}
	if c.JSON {
		return printJSON(t.out, answer)
	}
	_, err = fmt.Fprintf(t.out, "%s  %+.2f stones, depth %d, %d nodes in %.2f s\n", answer.Move, answer.Value, answer.Depth, answer.Nodes, answer.Seconds)
	return err
}

// stonesOf turns points into stones.
func stonesOf(v game.Points) float64 { return float64(v) / float64(virus.Stone) }

type virusSolveCommand struct {
	virusPosition
	Nodes int64         `positive:"" placeholder:"N" help:"Give up after so many positions, those of the pass too."`
	Time  time.Duration `positive:"" placeholder:"D" help:"Give up after this long, such as 10m."`
	JSON  bool          `name:"json" help:"Print one JSON document."`
}

// solverBits make a table of some 100 MB.
const solverBits = 22

func (c *virusSolveCommand) Run(t *terminal) error {
	p, err := c.read()
	if err != nil {
		return err
	}
	if c.Nodes < 0 || c.Time < 0 {
		return badf("--nodes %d, --time %v, want positive bounds", c.Nodes, c.Time)
	}
	if p.Rules() != virus.Virus {
		return badf("--rules %v: only virus is solved, as jumps go round in circles", p.Rules())
	}
	ctx, stop := t.listen()
	defer stop()
	if c.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Time, fmt.Errorf("%v is over", c.Time))
		defer cancel()
	}
	began := time.Now()
	solver := virus.NewSolver(solverBits)
	value, err := solver.Solve(ctx, p, c.Nodes)
	nodes := value.Nodes
	if err != nil {
		return err
	}
	answer := struct {
		Position string  `json:"position"`
		Value    int     `json:"value"` // stones more at the end, for the side to move
		Move     *string `json:"move"`  // none when the game is over
		Pass     *int    `json:"pass"`  // the value if the side to move could pass; none when it must, or the game is over
		Zugzwang bool    `json:"zugzwang"`
		Nodes    int64   `json:"nodes"`
		Seconds  float64 `json:"seconds"`
	}{Position: p.FEN(), Value: value.Margin}
	if !p.Over() {
		name := value.Best.String()
		answer.Move = &name
	}
	if !p.Over() && !p.MustPass() {
		left := c.Nodes
		if left > 0 {
			left = max(left-nodes, 1)
		}
		pass, err := solver.Solve(ctx, p.Swapped(), left)
		if err != nil {
			return fmt.Errorf("worth %+d, but with a pass: %w", value.Margin, err)
		}
		nodes += pass.Nodes
		v := -pass.Margin
		answer.Pass, answer.Zugzwang = &v, cmp.Compare(v, 0) > cmp.Compare(value.Margin, 0)
	}
	answer.Nodes, answer.Seconds = nodes, time.Since(began).Seconds()
	if c.JSON {
		return printJSON(t.out, answer)
	}
	text := fmt.Sprintf("%+d", answer.Value)
	if answer.Move != nil {
		text = *answer.Move + "  " + text
	}
	if answer.Pass != nil {
		text += fmt.Sprintf(", %+d with a pass", *answer.Pass)
	}
	if answer.Zugzwang {
		text += ": a zugzwang"
	}
	_, err = fmt.Fprintf(t.out, "%s (%d nodes, %.2f s)\n", text, answer.Nodes, answer.Seconds)
	return err
}
