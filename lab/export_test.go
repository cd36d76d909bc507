package lab

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lab")
	for range 2 { // and over itself
		if err := Export(some(), dir); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(Names)+1 {
		t.Fatalf("%v %v", entries, err)
	}
	if err := Complete(os.DirFS(dir)); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 1 {
		t.Errorf("left over: %v", left)
	}
	own := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Export(some(), dir); err == nil || !strings.Contains(err.Error(), "mine.txt") {
		t.Errorf("over a file of somebody's: %v", err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "index.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Export(some(), other); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("into another folder: %v", err)
	}
	if err := Export(some(), filepath.Join(other, "index.html")); err == nil {
		t.Error("onto a file")
	}
	if err := Export(fstest.MapFS{}, filepath.Join(t.TempDir(), "x")); err == nil {
		t.Error("without files")
	}
	empty := t.TempDir()
	if err := Export(some(), empty); err != nil {
		t.Errorf("into an empty folder: %v", err)
	}
}

// names are what a folder holds.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

const whole = "HOSTING.txt engine.wasm.gz icon.svg index.html main.js style.css worker.js"

// A folder that is there stays the folder that it was.
func TestExportKeepsTheFolder(t *testing.T) {
	site := filepath.Join(t.TempDir(), "site")
	if err := os.Mkdir(site, 0o750); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(site)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(site, link); err != nil {
		t.Skip(err)
	}
	t.Chdir(site)
	for _, dir := range []string{".", link, site, "../site/"} {
		if err := Export(some(), dir); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		after, err := os.Stat(".")
		if err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() {
			t.Errorf("%s: another folder, %v %v", dir, after, err)
		}
		if got := names(t, "."); got != whole {
			t.Errorf("%s: holds %s", dir, got)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
}

// An export that fails leaves what was there, and nothing beside it.
func TestExportThatFails(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "lab")
	lacking := some()
	delete(lacking, Names[len(Names)-1])
	if err := Export(lacking, dir); err == nil || names(t, parent) != "" {
		t.Errorf("%v, left %s", err, names(t, parent))
	}
	if err := Export(some(), dir); err != nil {
		t.Fatal(err)
	}
	old := some()
	old["index.html"].Data = []byte("newer")
	delete(old, Names[len(Names)-1])
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Export(old, dir); err == nil || names(t, dir) != whole {
		t.Errorf("%v, left %s", err, names(t, dir))
	}
	if again, err := os.ReadFile(filepath.Join(dir, "index.html")); err != nil || string(again) != string(text) {
		t.Errorf("half of a newer lab is there: %v", err)
	}
	if err := Export(some(), filepath.Join(parent, "none", "lab")); err == nil || strings.Contains(err.Error(), ".lastmile") || !strings.Contains(err.Error(), filepath.Join(parent, "none")) {
		t.Errorf("below a folder that is missing: %v", err)
	}
	dangling := filepath.Join(parent, "dangling")
	if os.Symlink("nowhere", dangling) == nil {
		if err := Export(some(), dangling); err == nil || strings.Contains(err.Error(), ".lastmile") {
			t.Errorf("onto a link to nothing: %v", err)
		}
	}
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		return // may write anywhere
	}
	if err := os.Chmod(parent, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(parent, 0o700)
	if err := Export(some(), filepath.Join(parent, "other")); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("below a read-only folder: %v", err)
	}
	if err := Export(some(), dir); err != nil { // only what is above it is read-only
		t.Error(err)
	}
}

// What an earlier version wrote is known again by the first line of its note; a
// folder in place of a file of the lab is somebody's.
func TestExportKnowsItsOwn(t *testing.T) {
	dir := t.TempDir()
	first, _, _ := strings.Cut(hostingText, "\n")
	for _, c := range []struct {
		text string
		own  bool
	}{{"", false}, {"x" + hostingText, false}, {first, true}, {first + "\n\nOther words.\n", true}} {
		if err := os.WriteFile(filepath.Join(dir, hosting), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Vacant(dir); (err == nil) != c.own {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "main.js"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Export(some(), dir); err == nil || !strings.Contains(err.Error(), "main.js") {
		t.Errorf("over a folder main.js: %v", err)
	}
}

// The page finds its files from whatever path it is served: no link of it begins
// at the root or at a host.
func TestLinksAreRelative(t *testing.T) {
	link := regexp.MustCompile("(?:src|href|fetch|Worker)(?:=|\\()[\"'`]([^\"'`]+)")
	found := 0
	for _, name := range []string{"web/index.html", "web/engine.ts", "web/main.ts"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			found++
			if strings.HasPrefix(m[1], "/") || strings.Contains(m[1], ":") {
				t.Errorf("%s: link to %s", name, m[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("%d links found, want those to icon, style, script, worker and engine", found)
	}
}
