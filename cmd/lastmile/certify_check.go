package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"lastmile/certify"
	"lastmile/certify/drat"
	"lastmile/notation"
	"lastmile/puzzle"
	"lastmile/search"
)

// rechecked is the JSON of certify --check.
type rechecked struct {
	Holds    bool    `json:"holds"`
	Finished bool    `json:"finished"`      // all was checked: what does not hold is refused
	Why      string  `json:"why,omitempty"` // it does not hold, or was not checked
	Manifest string  `json:"manifest"`
	Claim    string  `json:"claim"`
	Freed    int     `json:"freed"`
	Seams    int     `json:"seams"`
	Breaks   int     `json:"breaks"`
	Floor    int     `json:"floor"`
	Optimal  bool    `json:"optimal"`
	Steps    []step  `json:"steps"`
	Official bool    `json:"official"` // the pieces are those of Eternity II
	Score    int     `json:"score"`    // of the board
	Max      int     `json:"max"`
	Board    string  `json:"board"`
	URL      string  `json:"url"`
	Seconds  float64 `json:"seconds"`
}

// readManifest reads the file of a manifest.
func readManifest(path string) (*certify.Manifest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := certify.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", path, bare(err))
	}
	return m, nil
}

// check checks a certificate.
func (c *certifyCommand) check(t *terminal) error {
	var given *notation.Document
	if c.Board != "" {
		var err error
		if given, err = c.board(c.Board, t); err != nil {
			return err
		}
		warn(t, given)
	} else if c.given() {
		return badf("--puzzle %s goes with a board", c.Puzzle)
	}
	m, err := readManifest(c.Check)
	if err != nil {
		return bad{err}
	}
	ctx, stop := t.listen()
	defer stop()
	began := time.Now()
	v := rechecked{Manifest: c.Check, Claim: m.Claim, Freed: len(m.Cells), Breaks: m.Breaks, Floor: m.Floor, Optimal: m.Floor == m.Breaks, Steps: stepsOf(m.Steps, true)}
	refused := c.examine(ctx, m, given, &v, t)
	v.Seconds = time.Since(began).Seconds()
	if refused != nil && ctx.Err() != nil {
		refused = unfinished{"it was stopped"}
	}
	if errors.Is(refused, drat.ErrMemory) {
		refused = unfinished{"the checker needs more --memory"}
	}
	word := "refused"
	if u := (unfinished{}); errors.As(refused, &u) {
		word = "not checked"
	}
	v.Finished = word == "refused"
	if refused != nil {
		v.Why = bare(refused)
		if c.JSON {
			if err := printJSON(t.out, v); err != nil {
				return err
			}
		}
		return fmt.Errorf("%s: %s: %s", c.Check, word, v.Why)
	}
	v.Holds = true
	if c.JSON {
		return printJSON(t.out, v)
	}
	return v.print(t)
}

// unfinished is why a certificate was not checked to its end: it may hold.
type unfinished struct{ why string }

func (u unfinished) Error() string { return u.why }

// examine tells what is wrong with a certificate, if anything is.
func (c *certifyCommand) examine(ctx context.Context, m *certify.Manifest, given *notation.Document, v *rechecked, t *terminal) error {
	r, err := m.Region()
	if err != nil {
		return err
	}
	v.Seams = r.Seams()
	board := r.Board()
	o, err := c.shared().finish(board.Puzzle(), nil, "", board.Placements(nil), 0, false)
	if err != nil {
		return err
	}
	v.Score, v.Max, v.Board, v.URL = o.Score, o.Max, o.Board, o.URL
	v.Official = reflect.DeepEqual(board.Puzzle().Pieces, puzzle.Official().Pieces)
	if given != nil && !reflect.DeepEqual(given.Grid, board.Grid()) {
		return errors.New("it is of another board than the one given")
	}
	watch := newProgress(t, c.shared(), 0)
	defer watch.close()
	return c.verify(ctx, m, filepath.Dir(c.Check), watch)
}

// verify checks a manifest and the files in its folder.
func (c *certifyCommand) verify(ctx context.Context, m *certify.Manifest, dir string, watch search.Observer) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if c.Check != "" && c.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Time, unfinished{"the time ran out"})
		defer cancel()
	}
	if ctx.Err() != nil { // a short proof is checked before anybody looks
		return context.Cause(ctx)
	}
	err = certify.Check(ctx, m, onlyFiles{root.FS()}, int64(c.Memory), c.Threads, func(i int, s *certify.Step) {
		watch.Observe(search.Event{
			Kind: search.Progress, Stage: "certify",
			Detail: fmt.Sprintf("checking step %d of %d, by %s, about %s", i+1, len(m.Steps), s.By, count(len(s.Cells), "cell")),
		})
	})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// onlyFiles opens files and nothing else: a pipe would be waited for.
type onlyFiles struct{ fs.FS }

func (r onlyFiles) Open(name string) (fs.File, error) {
	switch info, err := fs.Stat(r.FS, name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", name)
	}
	return r.FS.Open(name)
}

func (v *rechecked) print(t *terminal) error {
	pieces := "pieces of a set of its own"
	if v.Official {
		pieces = "the pieces of Eternity II"
	}
	optimal := ""
	if v.Optimal {
		optimal = "So the board is optimal there.\n"
	}
	link := v.URL
	if link == "" {
		link = v.Board
	}
	_, err := fmt.Fprintf(t.out, "%s\n%sholds: %s checked in %.2f s\nthe board, of %s, scores %d of %d:\n%s\n",
		printable(v.Claim), optimal, howShown(v.Steps), v.Seconds, pieces, v.Score, v.Max, link)
	return err
}
