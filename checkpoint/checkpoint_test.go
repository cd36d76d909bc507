package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type state struct {
	Weights []float64
	Name    string
}

func TestSaveAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.checkpoint")
	want := state{[]float64{0.1, 1.0 / 3, 7.9999999999999991}, "x"}
	for range 2 { // the second time over the first
		if err := Save(path, "solve", 5, want); err != nil {
			t.Fatal(err)
		}
	}
	var setup int
	var got state
	if err := Load(path, "solve", &setup, &got); err != nil {
		t.Fatal(err)
	}
	if setup != 5 || got.Name != want.Name || len(got.Weights) != 3 {
		t.Fatalf("%d, %+v", setup, got)
	}
	for i := range got.Weights {
		if got.Weights[i] != want.Weights[i] {
			t.Errorf("weight %v came back as %v", want.Weights[i], got.Weights[i])
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("temporary files left: %v", left)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	var x any
	if err := Load(path, "solve", &x, &x); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if err := Save(path, "polish", 1, 2); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"cut":           {string(whole[:len(whole)/2]), "damaged"},
		"no checkpoint": {`{"format":"lastmile-board"}`, "not a checkpoint"},
		"other version": {strings.Replace(string(whole), `"version":1`, `"version":99`, 1), "version 99"},
		"other kind":    {string(whole), "lastmile polish"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Load(path, "solve", &x, &x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a word of %q", name, err, c.want)
		}
	}
}

func TestSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	if aside, err := SetAside(path); aside != "" || err != nil {
		t.Errorf("nothing to set aside: %q, %v", aside, err)
	}
	for _, want := range []string{path + ".1", path + ".2"} {
		if err := Save(path, "solve", want, 0); err != nil {
			t.Fatal(err)
		}
		aside, err := SetAside(path)
		if err != nil || aside != want {
			t.Fatalf("set aside as %q, %v, want %q", aside, err, want)
		}
		var setup string
		var state int
		if err := Load(aside, "solve", &setup, &state); err != nil || setup != want {
			t.Errorf("%s holds %q, %v", aside, setup, err)
		}
	}
}

// A name that somebody is going to write to is not free.
func TestMoveAsideLeavesTakenNames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	aside, err := MoveAside(path, "", "run.2", "./run.1")
	if text, _ := os.ReadFile("run.3"); aside != path+".3" || err != nil || string(text) != "x" {
		t.Errorf("set aside as %q, %v", aside, err)
	}
}

func TestWritable(t *testing.T) {
	dir := t.TempDir()
	if err := Writable(filepath.Join(dir, "new")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing", "file")} {
		if err := Writable(path); err == nil {
			t.Errorf("%s was called writable", path)
		}
	}
}

func TestSetAsideLeavesOtherFilesAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "README")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, dir} {
		if aside, err := SetAside(p); err == nil {
			t.Errorf("%s was set aside as %s", p, aside)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
}

// A link is followed, and a mode is kept.
func TestWriteFileKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if text, _ := os.ReadFile(path); err != nil || string(text) != "new" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, mode %v, %v", text, info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

// What a kill left while it wrote is swept up, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"run", ".run.123", ".run.9", ".run.notes", ".run.notes.5", ".runs.1", "run.1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(filepath.Join(dir, "run"))
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left {
		names = append(names, e.Name())
	}
	if want := ".run.notes .run.notes.5 .runs.1 run run.1"; strings.Join(names, " ") != want {
		t.Errorf("left %v, want %s", names, want)
	}
}

func TestWriteFileLeavesTheOldOneOnFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "file")
	if err := WriteFile(path, nil); err == nil {
		t.Error("wrote into a folder that is not there")
	}
}
