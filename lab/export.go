package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The file by which Export knows its own work again: by its first line, so that
// later words are no stranger's.
const hosting = "HOSTING.txt"

const hostingText = `This folder is the lab of lastmile as static files.

Any web server can serve it, from any path: python3 -m http.server, nginx, a page
of a forge. It needs no code on the server and sends nothing to it. Opened as a
file it does not run, because browsers do not start workers from files.

engine.wasm.gz is to be served as it is; the page expands it. A server that
declares its compression (Content-Encoding: gzip) does no harm.
`

// Export writes the files into a folder, which must be new, empty, or an earlier
// export. A new folder is whole or not there. One that is there keeps its place,
// its owner and its mode, as it may be a link, a mount, or where a shell stands:
// its files take their places when all of them are written, the page last.
func Export(files fs.FS, dir string) error {
	if err := Vacant(dir); err != nil {
		return err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	there := err == nil
	beside := filepath.Dir(dir)
	if there {
		dir, beside = real, real
	}
	stage, err := os.MkdirTemp(beside, ".lastmile-lab-")
	if err != nil {
		return fmt.Errorf("writing in %s: %w", beside, plain(err))
	}
	defer os.RemoveAll(stage)
	fresh := filepath.Join(stage, "lab")
	if err := os.Mkdir(fresh, 0o755); err != nil { // MkdirTemp's own is closed to others
		return fmt.Errorf("writing in %s: %w", beside, plain(err))
	}
	write := func(name string, data []byte) error {
		if err := os.WriteFile(filepath.Join(fresh, name), data, 0o644); err != nil {
			return fmt.Errorf("writing in %s: %w", beside, plain(err))
		}
		return nil
	}
	for _, name := range Names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if err := write(name, data); err != nil {
			return err
		}
	}
	if err := write(hosting, []byte(hostingText)); err != nil {
		return err
	}
	if !there {
		if err := os.Rename(fresh, dir); err != nil {
			return fmt.Errorf("making %s: %w", dir, plain(err))
		}
		return nil
	}
	order := append(slices.Clone(Names), hosting)
	slices.Reverse(order) // what tells the folder for ours first, index.html last
	for _, name := range order {
		if err := os.Rename(filepath.Join(fresh, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// plain is what was wrong, without the temporary name that it was wrong with.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// Vacant tells why Export would refuse a folder: it holds what is no export.
func Vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	mark, err := os.ReadFile(filepath.Join(dir, hosting))
	first, _, _ := strings.Cut(hostingText, "\n")
	if found, _, _ := strings.Cut(string(mark), "\n"); err != nil || found != first {
		return fmt.Errorf("%s is not empty and no earlier export, want a new or empty folder", dir)
	}
	for _, e := range entries {
		if e.Name() != hosting && !slices.Contains(Names, e.Name()) || !e.Type().IsRegular() {
			return fmt.Errorf("%s holds %s, which is not of the lab, want a new or empty folder", dir, e.Name())
		}
	}
	return nil
}
