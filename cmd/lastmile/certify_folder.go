package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"lastmile/certify"
	"lastmile/checkpoint"
	"lastmile/notation"
	"lastmile/puzzle"
)

// folder is where a certificate is kept: NAME.json, the manifest, with NAME-1.cnf,
// NAME-1.drat and so on beside it, and NAME-board.json where a better board was
// found. Whenever it is killed, the manifest on disk has all files that it names.
// One run at a time holds a name.
type folder struct {
	dir, name string
	lock      *flock.Flock
	t         *terminal
	named     []string // files that the manifest on disk names
	dropped   []string // of them, those that the next one does not need
	failed    error    // of the last time that the manifest was saved
}

// openFolder makes the folder if need be and holds the name in it.
func openFolder(dir, name string, t *terminal) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, badf("--out: %w", err)
	}
	f := &folder{dir: dir, name: name, t: t}
	if err := checkpoint.Writable(f.manifest()); err != nil {
		return nil, badf("--out: %w", err)
	}
	var err error
	f.lock, err = hold(f.manifest(), "--out")
	return f, err
}

func (f *folder) close() { release(f.lock) }

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

func (f *folder) manifest() string { return f.path(f.name + ".json") }

func (f *folder) board() string { return f.path(f.name + "-board.json") }

// begin sets what a new run would replace aside, and sweeps what killed runs have
// left.
func (f *folder) begin() error {
	var old []string
	m, err := readManifest(f.manifest())
	switch {
	case err == nil:
		old = namedBy(m)
	case !errors.Is(err, fs.ErrNotExist): // damaged: all that may belong to it
		if info, err := os.Lstat(f.manifest()); err != nil || !info.Mode().IsRegular() {
			return badf("--out: %s is no file", f.manifest())
		}
		old = f.ours(func(name string) bool { return !strings.HasPrefix(name, ".") })
	}
	// The manifest last: it is whole as long as it is there.
	for _, path := range []string{f.board(), f.manifest()} {
		if _, err := os.Lstat(path); err == nil {
			old = append(old, filepath.Base(path))
		}
	}
	if len(old) > 0 {
		aside, err := f.setAside(old)
		if err != nil {
			return badf("--out: %w", err)
		}
		fmt.Fprintf(f.t.err, "note: %s is of an earlier run; it is kept in %s, and --resume would have gone on with it\n",
			printable(f.path(old[len(old)-1])), printable(aside))
	}
	f.sweep()
	return nil
}

// setAside moves files to a folder of their own, NAME.1 or the first number that
// is free, where they keep their names.
func (f *folder) setAside(names []string) (string, error) {
	for i := 1; ; i++ {
		aside := f.path(fmt.Sprintf("%s.%d", f.name, i))
		switch err := os.Mkdir(aside, 0o755); {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", err
		}
		for _, name := range names {
			if name != filepath.Base(name) {
				continue // not ours to move
			}
			err := os.Rename(f.path(name), filepath.Join(aside, name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
		return aside, nil
	}
}

// sweep removes the files of this name that the manifest does not name.
func (f *folder) sweep() {
	for _, name := range f.ours(func(name string) bool { return !slices.Contains(f.named, name) }) {
		os.Remove(f.path(name))
	}
	checkpoint.Sweep(f.manifest())
	checkpoint.Sweep(f.board())
}

// ours lists the formulas and proofs of this name, half-written ones too, of which
// something is true.
func (f *folder) ours(is func(name string) bool) (names []string) {
	name := regexp.QuoteMeta(f.name)
	ours := regexp.MustCompile(`^(` + name + `-\d+\.(cnf|drat)|\.` + name + `-\d+\.(cnf|drat)\.\d+)$`)
	entries, _ := os.ReadDir(f.dir)
	for _, e := range entries {
		if e.Type().IsRegular() && ours.MatchString(e.Name()) && is(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// resume loads what an earlier run has proved of this region, checked by the
// function given, and the better board that it has found, so that a decision can
// go on from there.
func (f *folder) resume(r *certify.Region, check func(*certify.Manifest) error) (certify.Result, error) {
	board, breaks, noBoard := f.better(r)
	if noBoard != nil && !errors.Is(noBoard, fs.ErrNotExist) {
		return certify.Result{}, badf("%s: %s", f.board(), bare(noBoard))
	}
	res := certify.Result{Best: breaks, Board: board}
	m, err := readManifest(f.manifest())
	switch {
	case err == nil:
		res.Steps, res.Floor = m.Steps, m.Floor
		if res.Certificate(r).Seal != m.Seal {
			return res, badf("%s is of another board or other cells", f.manifest())
		}
		if err := check(m); err != nil {
			return res, fmt.Errorf("%s: %s; without --resume a new run keeps it aside and begins anew", f.manifest(), bare(err))
		}
		f.named = namedBy(m)
	case !errors.Is(err, fs.ErrNotExist):
		return res, bad{err}
	case noBoard != nil:
		fmt.Fprintf(f.t.err, "note: there is no %s, so nothing was kept for this question yet; it begins anew\n", printable(f.manifest()))
	}
	f.sweep()
	return res, nil
}

// better is the better board that a run has found.
func (f *folder) better(r *certify.Region) ([]puzzle.Placement, int, error) {
	text, err := os.ReadFile(f.board())
	if err != nil {
		return nil, 0, err
	}
	documents, err := notation.Read(text, notation.Options{Puzzle: r.Board().Puzzle()})
	if err != nil {
		return nil, 0, err
	}
	if len(documents) != 1 || documents[0].Grid == nil || len(documents[0].Grid.Edges) != r.Board().Puzzle().Cells() {
		return nil, 0, errors.New("not a board of this size")
	}
	filling, err := filling(r, documents[0].Grid)
	if err != nil {
		return nil, 0, err
	}
	board, breaks, err := r.Fill(r.Cells(), filling)
	if err != nil {
		return nil, 0, err
	}
	return board.Placements(nil), breaks, nil
}

// filling is how a board of this look fills the region. Of twins, which a look does
// not tell apart, it takes those that are free.
func filling(r *certify.Region, look *puzzle.Grid) ([]puzzle.Placement, error) {
	p := r.Board().Puzzle()
	var placements []puzzle.Placement
	used := make([]bool, len(p.Pieces))
	for _, cell := range r.Cells() {
		fits := slices.IndexFunc(p.Fits(cell), func(o puzzle.Oriented) bool {
			return o.Edges == look.Edges[cell] && !used[o.Piece] && r.Rest().CellOf(int(o.Piece)) == puzzle.Empty
		})
		if fits < 0 || !look.Filled[cell] {
			return nil, fmt.Errorf("cell %d holds no piece that is free", cell)
		}
		o := p.Fits(cell)[fits]
		used[o.Piece] = true
		placements = append(placements, puzzle.Placement{Cell: cell, Piece: int(o.Piece), Rotation: int(o.Rotation)})
	}
	return placements, nil
}

// save writes the manifest of what is proved, if anything is. A disk that is full
// must not end the search: it is said once, and tried again.
func (f *folder) save(m *certify.Manifest) {
	if m == nil {
		return
	}
	var text bytes.Buffer
	err := m.Write(&text)
	if err == nil {
		err = checkpoint.WriteFile(f.manifest(), text.Bytes())
	}
	if err != nil {
		if f.failed == nil {
			fmt.Fprintln(f.t.err, "warning: no certificate:", printable(err.Error()))
		}
		f.failed = err
		return
	}
	f.failed, f.named = nil, namedBy(m)
	for _, name := range f.dropped {
		os.Remove(f.path(name))
	}
	f.dropped = nil
}

// Create begins a file of the certificate.
func (f *folder) Create(name string) (certify.File, error) {
	w, err := os.CreateTemp(f.dir, "."+name+".*")
	if err != nil {
		return nil, err
	}
	return &part{w, f.path(name)}, nil
}

// Remove removes a file, at once or when the manifest on disk no longer names it.
func (f *folder) Remove(name string) error {
	if slices.Contains(f.named, name) {
		f.dropped = append(f.dropped, name)
		return nil
	}
	return os.Remove(f.path(name))
}

// part is a file that is being written under another name.
type part struct {
	*os.File
	path string
}

// Commit forces the file to disk and gives it its name.
func (p *part) Commit() error {
	err := errors.Join(p.Chmod(0o644), p.Sync(), p.Close())
	if err == nil {
		err = os.Rename(p.Name(), p.path)
	}
	if err != nil {
		os.Remove(p.Name())
	}
	return err
}

// Abort removes it. It may have been committed, in vain.
func (p *part) Abort() {
	p.Close()
	os.Remove(p.Name())
}

// namedBy lists the files that a manifest names.
func namedBy(m *certify.Manifest) (names []string) {
	for _, s := range m.Steps {
		for _, c := range []*certify.Content{s.Formula, s.Proof} {
			if c != nil {
				names = append(names, c.Name)
			}
		}
	}
	return names
}
