package engine

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"lastmile/construct"
	"lastmile/draw"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/search"
)

// deskQuestion is what was pasted.
type deskQuestion struct {
	Text    string `json:"text"` // in any dialect, or the name of a bundled board
	Lenient bool   `json:"lenient"`
}

// deskBoard is a board that was read: the verdict of the command score, and its
// look.
type deskBoard struct {
	notation.Verdict
	Edges     []int `json:"edges"`      // four colours a cell, 255 where there is no piece
	ClueCells []int `json:"clue_cells"` // on which a clue is held
}

func readDesk(_ *Engine, q deskQuestion) ([]deskBoard, error) {
	documents, err := q.read()
	if err != nil {
		return nil, err
	}
	var all []deskBoard
	for _, d := range documents {
		if d.Grid == nil {
			return nil, fmt.Errorf("%s: pieces without a board, want a board", d.Dialect)
		}
		all = append(all, deskBoard{d.Judge(d.Clues()), colours(d.Grid), append([]int{}, d.ClueCells()...)})
	}
	return all, nil
}

func (q *deskQuestion) read() ([]*notation.Document, error) {
	if d, found := notation.Bundled(q.Text); found {
		return []*notation.Document{d}, nil
	}
	return notation.Read([]byte(q.Text), notation.Options{Lenient: q.Lenient})
}

// writeQuestion asks for one of the boards of a text in another form.
type writeQuestion struct {
	deskQuestion
	Index int    `json:"index"`
	To    string `json:"to"` // a dialect that is written, or text, svg, png
}

// deskText is a board in some form.
type deskText struct {
	Text string   `json:"text"` // of a png in base64
	Lost []string `json:"lost"` // what the form cannot hold
}

// Drawings and dialects that a board can be written in.
func forms() (names []string) {
	for _, d := range notation.Dialects() {
		if d.Writes {
			names = append(names, d.Name)
		}
	}
	return append(names, draw.Forms...)
}

func writeDesk(_ *Engine, q writeQuestion) (deskText, error) {
	documents, err := q.read()
	if err != nil {
		return deskText{}, err
	}
	if q.Index < 0 || q.Index >= len(documents) {
		return deskText{}, fmt.Errorf("board %d of %d", q.Index, len(documents))
	}
	d := documents[q.Index]
	w := deskText{Lost: append([]string{}, notation.Lost(d, q.To)...)}
	var out bytes.Buffer
	switch {
	case !slices.Contains(draw.Forms, q.To):
		err = notation.Write(&out, d, q.To)
	case d.Grid == nil:
		err = fmt.Errorf("%s: pieces without a board, want a board to draw", d.Dialect)
	default:
		err = draw.As(&out, q.To, d.Grid, draw.Options{Title: d.Name, Clues: d.ClueCells()})
	}
	if w.Text = out.String(); q.To == "png" {
		w.Text = base64.StdEncoding.EncodeToString(out.Bytes())
	}
	return w, err
}

// sizeQuestion asks for a board size, 16x16 for the official puzzle.
type sizeQuestion struct {
	Side int `json:"side"`
}

type namedOrder struct {
	Name  string `json:"name"`
	Cells []int  `json:"cells"`
}

type ordersAnswer struct {
	Puzzle Puzzle       `json:"puzzle"`
	Orders []namedOrder `json:"orders"`
	Forms  []string     `json:"forms"` // that desk.write knows
}

func raceOrders(_ *Engine, q sizeQuestion) (ordersAnswer, error) {
	p, err := raced(q.Side)
	if err != nil {
		return ordersAnswer{}, err
	}
	a := ordersAnswer{Puzzle: PuzzleOf(p), Forms: forms()}
	for _, o := range construct.Orders {
		a.Orders = append(a.Orders, namedOrder{o.Name, o.Scan(p.Width, p.Height)})
	}
	return a, nil
}

// raced is the puzzle of a race: the official one, or a generated one that is
// smaller.
func raced(side int) (*puzzle.Puzzle, error) {
	switch {
	case side == 16:
		return puzzle.Official(), nil
	case side < 4 || side > 16:
		return nil, fmt.Errorf("a race on boards of side %d, want 4 to 16", side)
	}
	p, _, err := puzzle.Generate(puzzle.Spec{Width: side, Height: side, Colours: side + 2, Seed: 2007})
	return p, err
}

// raceQuestion asks for a beam along an order. It takes as long as it takes: what
// bounds it is the width.
type raceQuestion struct {
	Side  int    `json:"side"`
	Name  string `json:"name"`
	Cells []int  `json:"cells"`
	Width int    `json:"width"`
	Seed  uint64 `json:"seed"`
}

type raceAnswer struct {
	Name    string  `json:"name"`
	Score   int     `json:"score"`
	Max     int     `json:"max"`
	Board   []int   `json:"board"`
	Nodes   int64   `json:"nodes"`
	Seconds float64 `json:"seconds"`
}

// maxRace bounds the width of a beam in a page.
const maxRace = 4096

func runRace(e *Engine, q raceQuestion) (raceAnswer, error) {
	p, err := raced(q.Side)
	if err != nil {
		return raceAnswer{}, err
	}
	if q.Width < 1 || q.Width > maxRace {
		return raceAnswer{}, fmt.Errorf("beam of width %d, want 1 to %d", q.Width, maxRace)
	}
	start := time.Now()
	watch := search.Func(func(v search.Event) {
		e.tell("race", map[string]any{"name": q.Name, "done": v.Done, "of": v.Of, "score": v.Score})
	})
	r, err := construct.BeamAlong(context.Background(), p, q.Cells, construct.Options{Order: q.Name, Width: q.Width, Seed: q.Seed}, search.Budget{}, watch)
	if err != nil {
		return raceAnswer{}, err
	}
	b := puzzle.NewBoard(p)
	b.Load(r.Placements)
	return raceAnswer{q.Name, r.Score, p.MaxScore(), codes(b), r.Nodes, time.Since(start).Seconds()}, nil
}
