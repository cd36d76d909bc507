package engine

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strings"
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
	if d, found := notation.Bundled(strings.TrimSpace(q.Text)); found {
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

// maxLink bounds the text of a board in a link, in bytes; browsers and mail cut
// longer ones.
const maxLink = 8000

// linkQuestion asks for one of the boards of a text as a text that fits a link.
type linkQuestion struct {
	deskQuestion
	Index int `json:"index"`
}

// linkDesk is the name of a bundled board; or the fragment of the link that
// everybody writes, when it reads as the same board; or else what was pasted.
func linkDesk(_ *Engine, q linkQuestion) (string, error) {
	pasted := strings.TrimSpace(q.Text)
	if _, found := notation.Bundled(pasted); found {
		return pasted, nil
	}
	documents, err := q.read()
	if err != nil {
		return "", err
	}
	if q.Index < 0 || q.Index >= len(documents) {
		return "", fmt.Errorf("board %d of %d", q.Index, len(documents))
	}
	d := documents[q.Index]
	if text, same := fragment(d); same && len(text) <= maxLink {
		return text, nil
	}
	if len(documents) > 1 || d.Damaged {
		return "", fmt.Errorf("board %q does not fit a link; share it as a file", d.Name)
	}
	if len(pasted) > maxLink {
		return "", fmt.Errorf("a text of %d bytes does not fit a link, want at most %d; share it as a file", len(pasted), maxLink)
	}
	return pasted, nil
}

// fragment is a document as what follows # in a link of the bucas viewer, and
// whether that says the same.
func fragment(d *notation.Document) (text string, same bool) {
	var out bytes.Buffer
	if d.Grid == nil || notation.Lost(d, "bucas") != nil || notation.Write(&out, d, "bucas") != nil {
		return "", false
	}
	_, text, _ = strings.Cut(strings.TrimSpace(out.String()), "#")
	text = "#" + text
	again, err := notation.Read([]byte(text), notation.Options{})
	if err != nil || len(again) != 1 {
		return "", false
	}
	// How it was written, and what was odd about that, is not the board.
	bare := func(d *notation.Document) notation.Verdict {
		v := d.Judge(d.Clues())
		v.Name, v.Dialect, v.Damaged, v.Warnings = "", "", false, nil
		return v
	}
	return text, reflect.DeepEqual(bare(again[0]), bare(d)) && reflect.DeepEqual(again[0].Grid, d.Grid)
}

// courseQuestion asks for the puzzle of a race: the official one for side 16, or
// a smaller one, generated from the seed.
type courseQuestion struct {
	Side  int    `json:"side"`
	Seed  uint64 `json:"seed"`
	Clues string `json:"clues"` // of the official one: none, starter or five; "" for all
}

// course makes the puzzle of a race.
func (q *courseQuestion) course() (*puzzle.Puzzle, error) {
	switch {
	case q.Side == 16 && q.Clues == "":
		return puzzle.Official(), nil
	case q.Side == 16:
		clues, err := puzzle.CluesNamed(q.Clues)
		if err != nil {
			return nil, err
		}
		return puzzle.Official().WithClues(clues)
	case q.Side < 4 || q.Side > 16:
		return nil, fmt.Errorf("a race on boards of side %d, want 4 to 16", q.Side)
	case q.Clues != "" && q.Clues != "none":
		return nil, fmt.Errorf("clues %q: a generated puzzle has none", q.Clues)
	}
	p, _, err := puzzle.Generate(puzzle.Spec{Width: q.Side, Height: q.Side, Colours: q.Side + 2, Seed: q.Seed})
	return p, err
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

func raceOrders(_ *Engine, q courseQuestion) (ordersAnswer, error) {
	p, err := q.course()
	if err != nil {
		return ordersAnswer{}, err
	}
	a := ordersAnswer{Puzzle: PuzzleOf(p), Forms: forms()}
	for _, o := range construct.Orders {
		a.Orders = append(a.Orders, namedOrder{o.Name, o.Scan(p.Width, p.Height)})
	}
	return a, nil
}

// raceQuestion asks for a beam along an order. It takes as long as it takes: what
// bounds it is the width.
type raceQuestion struct {
	courseQuestion
	Name  string `json:"name"`
	Cells []int  `json:"cells"`
	Width int    `json:"width"`
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
	p, err := q.course()
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
	return raceAnswer{q.Name, r.Score, p.MaxScore(), b.Codes(), r.Nodes, time.Since(start).Seconds()}, nil
}
