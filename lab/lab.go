// Package lab serves the browser lab: the engine of this module, compiled to
// WebAssembly, in a page. It can also write the page as files for any web host.
package lab

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

//go:embed all:dist
var dist embed.FS

// Names are the files of the lab, as lab/build makes them.
var Names = []string{"index.html", "main.js", "worker.js", "style.css", "icon.svg", "engine.wasm.gz"}

// ErrNotBuilt says that the files of the lab were not made before the program.
var ErrNotBuilt = errors.New("this program was built without the files of the lab: make build makes both")

// Embedded is the files that the program carries.
func Embedded() (fs.FS, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	if err := Complete(files); err != nil {
		return nil, ErrNotBuilt
	}
	return files, nil
}

// Complete tells which file is missing.
func Complete(files fs.FS) error {
	for _, name := range Names {
		if _, err := fs.Stat(files, name); err != nil {
			return fmt.Errorf("the files of the lab lack %s", name)
		}
	}
	return nil
}

// The file by which Export knows its own work again.
const hosting = "HOSTING.txt"

const hostingText = `This folder is the lab of lastmile as static files.

Any web server can serve it, from any path: python3 -m http.server, nginx, a page
of a forge. It needs no code on the server and sends nothing to it. Opened as a
file it does not run, because browsers do not start workers from files.

engine.wasm.gz is to be served as it is; the page expands it. A server that
declares its compression (Content-Encoding: gzip) does no harm.
`

// Export writes the files into a folder, which must be new, empty, or an earlier
// export. The folder is whole or as it was.
func Export(files fs.FS, dir string) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	old, err := os.ReadDir(dir)
	switch {
	case err == nil && len(old) > 0:
		if err := exported(dir, old); err != nil {
			return err
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(dir)
	fresh, err := os.MkdirTemp(parent, ".lastmile-lab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	for _, name := range Names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(fresh, name), data, 0o644); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(fresh, hosting), []byte(hostingText), 0o644); err != nil {
		return err
	}
	aside := fresh + ".old"
	if err := os.Rename(dir, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, ignoreMissing(os.Rename(aside, dir)))
	}
	return os.RemoveAll(aside)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// exported tells whether a folder holds an export and nothing else.
func exported(dir string, entries []fs.DirEntry) error {
	mark, err := os.ReadFile(filepath.Join(dir, hosting))
	if err != nil || string(mark) != hostingText {
		return fmt.Errorf("%s is not empty and no earlier export, want a new or empty folder", dir)
	}
	for _, e := range entries {
		if e.Name() != hosting && !slices.Contains(Names, e.Name()) {
			return fmt.Errorf("%s holds %s, which is not of the lab, want a new or empty folder", dir, e.Name())
		}
	}
	return nil
}
