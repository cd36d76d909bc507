package engine

import (
	"context"
	"fmt"

	"lastmile/game"
	"lastmile/game/virus"
)

// virusRoom is a game in progress, and the search that plays it.
type virusRoom struct {
	search *game.Search
	turns  []virus.Position // the last one is at hand
	moves  []string         // that led from each to the next
}

// virusQuestion asks for a game. A FEN decides the size; without one the game
// begins from its start.
type virusQuestion struct {
	Rules    string `json:"rules"` // virus or ataxx
	Side     int    `json:"side"`
	FEN      string `json:"fen"`
	Settings string `json:"settings"` // what differs from plain alpha-beta; "" for those that play best
}

// virusState is a position as pages know it.
type virusState struct {
	Rules  string      `json:"rules"`
	FEN    string      `json:"fen"`
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Cells  []virusCell `json:"cells"` // row by row from the top
	Side   string      `json:"side"`  // to move: x or o
	Moves  []virusMove `json:"moves"` // that are legal
	X      int         `json:"x"`     // stones
	O      int         `json:"o"`
	Margin int         `json:"margin"` // stones, for the side to move
	Over   bool        `json:"over"`
	Last   string      `json:"last"` // the move that led here
	Played int         `json:"played"`
}

type virusCell struct {
	Name string `json:"name"`
	What string `json:"what"` // x, o, "" for empty, gap
}

type virusMove struct {
	Text string `json:"text"`
	From string `json:"from"` // of a jump
	To   string `json:"to"`   // "" for a pass
}

// maxTable bounds the transposition tables of a page: 2^18 entries, 4 MiB.
const maxTable = 18

// settingsOf reads settings, with a table that fits a page. None are those that
// play best; so are "strong".
func settingsOf(text string) (game.Settings, error) {
	if text == "" || text == "strong" {
		text = virus.Strong.String()
	}
	s, err := game.ParseSettings(text)
	s.Table = min(s.Table, maxTable)
	return s, err
}

func (q *virusQuestion) start() (virus.Position, error) {
	rules := virus.Virus
	switch q.Rules {
	case "virus":
	case "ataxx":
		rules = virus.Ataxx
	default:
		return virus.Position{}, fmt.Errorf("rules %q, want virus or ataxx", q.Rules)
	}
	if q.FEN != "" {
		return virus.ParseFEN(rules, q.FEN)
	}
	if q.Side < virus.MinSize || q.Side > virus.MaxSize {
		return virus.Position{}, fmt.Errorf("a board of side %d, want %d to %d", q.Side, virus.MinSize, virus.MaxSize)
	}
	return virus.Start(rules, q.Side, q.Side), nil
}

func openVirus(e *Engine, q virusQuestion) (virusState, error) {
	p, err := q.start()
	if err != nil {
		return virusState{}, err
	}
	settings, err := settingsOf(q.Settings)
	if err != nil {
		return virusState{}, err
	}
	search, err := game.New(settings)
	if err != nil {
		return virusState{}, err
	}
	r := &virusRoom{search: search, turns: []virus.Position{p}}
	e.rooms["virus"] = r
	return r.state(), nil
}

func (r *virusRoom) now() virus.Position { return r.turns[len(r.turns)-1] }

func (r *virusRoom) state() virusState {
	p := r.now()
	width, height := p.Size()
	x, o := p.Stones()
	s := virusState{
		Rules: p.Rules().String(), FEN: p.FEN(), Width: width, Height: height, Side: "o", X: x.Count(), O: o.Count(), Margin: p.Margin(),
		Over: p.Over(), Moves: []virusMove{}, Played: len(r.moves),
	}
	if p.XToMove() {
		s.Side = "x"
	}
	if len(r.moves) > 0 {
		s.Last = r.moves[len(r.moves)-1]
	}
	on := func(set virus.Squares, q virus.Square) bool { return set>>q&1 == 1 }
	for rank := height - 1; rank >= 0; rank-- {
		for file := range width {
			q := virus.Square(8*rank + file)
			c := virusCell{Name: q.String()}
			switch {
			case !on(p.Squares(), q):
				c.What = "gap"
			case on(x, q):
				c.What = "x"
			case on(o, q):
				c.What = "o"
			}
			s.Cells = append(s.Cells, c)
		}
	}
	if s.Over {
		return s
	}
	for _, m := range p.Moves(nil) {
		move := virusMove{Text: m.String()}
		if m != virus.Pass {
			move.To = m.To().String()
			if m.IsJump() {
				move.From = m.From().String()
			}
		}
		s.Moves = append(s.Moves, move)
	}
	return s
}

type moveQuestion struct {
	Move string `json:"move"`
}

func (r *virusRoom) move(_ *Engine, q moveQuestion) (virusState, error) {
	p := r.now()
	m, err := p.ParseMove(q.Move)
	if err != nil {
		return virusState{}, err
	}
	if p.Over() {
		return virusState{}, fmt.Errorf("move %s: the game is over", q.Move)
	}
	if err := p.Check(m); err != nil {
		return virusState{}, err
	}
	r.turns, r.moves = append(r.turns, p.Play(m)), append(r.moves, m.String())
	return r.state(), nil
}

// undo takes a move back, if there is one.
func (r *virusRoom) undo(*Engine, none) (virusState, error) {
	if len(r.moves) > 0 {
		r.turns, r.moves = r.turns[:len(r.turns)-1], r.moves[:len(r.moves)-1]
	}
	return r.state(), nil
}

// thinkQuestion bounds a search.
type thinkQuestion struct {
	Nodes int64 `json:"nodes"`
	Depth int   `json:"depth"` // 0 for no bound
}

// maxThink bounds the nodes of a search: some seconds in a page.
const maxThink = 5_000_000

// thought is what a search has found, and where it invested.
type thought struct {
	Settings string   `json:"settings,omitempty"`
	Move     string   `json:"move"`
	Value    float64  `json:"value"` // stones, for the side to move
	Depth    int      `json:"depth"`
	Line     []string `json:"line"`
	game.Counts
	Depths []thought `json:"depths,omitempty"` // after each depth, with the counts up to there
}

func (r *virusRoom) think(e *Engine, q thinkQuestion) (thought, error) {
	return think(e, r.search, r.now(), q)
}

func think(e *Engine, s *game.Search, p virus.Position, q thinkQuestion) (thought, error) {
	if q.Nodes < 1 || q.Nodes > maxThink {
		return thought{}, fmt.Errorf("%d nodes, want 1 to %d", q.Nodes, maxThink)
	}
	limit := game.Limit{Nodes: q.Nodes, Depth: q.Depth}
	if err := limit.Check(); err != nil {
		return thought{}, err
	}
	if p.Over() {
		return thought{}, fmt.Errorf("the game is over: there is nothing to search")
	}
	var depths []thought
	x, err := s.Run(context.Background(), virus.NewBoard(p, nil), limit, func(x game.Result) {
		depths = append(depths, thoughtOf(x))
		e.tell("virus", depths[len(depths)-1])
	})
	t := thoughtOf(x)
	t.Depths = depths
	return t, err
}

func thoughtOf(x game.Result) thought {
	t := thought{Move: virus.Move(x.Move).String(), Value: float64(x.Value) / float64(virus.Stone), Depth: x.Depth, Line: []string{}, Counts: x.Counts}
	for _, m := range x.Line {
		t.Line = append(t.Line, virus.Move(m).String())
	}
	return t
}

// compareQuestion asks several settings about the position at hand, each with a
// search of its own.
type compareQuestion struct {
	thinkQuestion
	Settings []string `json:"settings"`
}

const maxCompared = 12

func (r *virusRoom) compare(e *Engine, q compareQuestion) ([]thought, error) {
	if len(q.Settings) < 1 || len(q.Settings) > maxCompared {
		return nil, fmt.Errorf("%d settings, want 1 to %d", len(q.Settings), maxCompared)
	}
	var rows []thought
	for _, text := range q.Settings {
		settings, err := settingsOf(text)
		if err != nil {
			return nil, err
		}
		s, err := game.New(settings)
		if err != nil {
			return nil, err
		}
		t, err := think(&Engine{tell: func(string, any) {}}, s, r.now(), q.thinkQuestion)
		if err != nil {
			return nil, err
		}
		t.Settings = text
		rows = append(rows, t)
		e.tell("virus.compare", t)
	}
	return rows, nil
}
