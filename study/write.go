package study

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"lastmile/checkpoint"
)

// Folder is where reports are published, from the top of the source.
const Folder = "docs/results"

// Publishable tells whether a report may take the place of a published one: it
// is whole, and tested what it claims.
func (r *Report) Publishable() bool { return !r.Stopped && r.Verdict != Untested }

// Write writes the report as NAME.json and NAME.md into a folder, each whole
// or not at all, and returns the two paths.
func Write(folder string, r *Report) (paths []string, err error) {
	var document, page bytes.Buffer
	if err := WriteJSON(&document, r); err != nil {
		return nil, err
	}
	if err := WriteMarkdown(&page, r); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		suffix string
		text   []byte
	}{{".json", document.Bytes()}, {".md", page.Bytes()}} {
		path := filepath.Join(folder, r.Study+f.suffix)
		if err := checkpoint.WriteFile(path, f.text); err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// WriteJSON writes a report, or a list of them, as one document.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
