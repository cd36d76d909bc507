package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lastmile/checkpoint"
)

// Folder is where reports are published, from the top of the source.
const Folder = "docs/results"

// Publishable tells whether a report may take the place of a published one: it
// is whole, and tested what it claims.
func (r *Report) Publishable() bool { return !r.Stopped && r.Verdict != Untested }

// Write writes the report into a folder, as NAME.json, NAME.md and a NAME-N.svg
// for each chart, each whole or not at all, and returns their paths. Pictures
// that an earlier report had and this one has not are removed.
func Write(folder string, r *Report) (paths []string, err error) {
	type file struct {
		name string
		text []byte
	}
	var document, page bytes.Buffer
	if err := WriteJSON(&document, r); err != nil {
		return nil, err
	}
	if err := WriteMarkdown(&page, r); err != nil {
		return nil, err
	}
	files := []file{{r.Study + ".json", document.Bytes()}, {r.Study + ".md", page.Bytes()}}
	for i, c := range r.Charts {
		svg, err := c.SVG()
		if err != nil {
			return nil, err
		}
		files = append(files, file{r.picture(i), svg})
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(folder, f.name)
		if err := checkpoint.WriteFile(path, f.text); err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, r.sweep(folder)
}

// picture names the file of a chart.
func (r *Report) picture(i int) string { return fmt.Sprintf("%s-%d.svg", r.Study, i+1) }

// sweep removes the pictures of charts that the report does not have.
func (r *Report) sweep(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		number, ours := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".svg"), r.Study+"-")
		n, err := strconv.Atoi(number)
		if !ours || err != nil || n <= len(r.Charts) || e.Name() != r.picture(n-1) {
			continue
		}
		if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes a report, or a list of them, as one document.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
