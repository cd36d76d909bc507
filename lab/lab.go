// Package lab serves the browser lab: the engine of this module, compiled to
// WebAssembly, in a page. It can also write the page as files for any web host.
package lab

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
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
