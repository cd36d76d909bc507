package certify_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"reflect"
	"testing"
	"testing/fstest"

	"lastmile/certify"
)

// store keeps files in memory, and counts what is begun and not ended.
type store struct {
	fstest.MapFS
	open int
}

func newStore() *store { return &store{MapFS: fstest.MapFS{}} }

func (s *store) Create(name string) (certify.File, error) {
	s.open++
	return &file{store: s, name: name}, nil
}

func (s *store) Remove(name string) error {
	if _, there := s.MapFS[name]; !there {
		return fmt.Errorf("remove %s: %w", name, fs.ErrNotExist)
	}
	delete(s.MapFS, name)
	return nil
}

type file struct {
	bytes.Buffer
	store *store
	name  string
}

func (f *file) Commit() error {
	f.store.open--
	f.store.MapFS[f.name] = &fstest.MapFile{Data: f.Bytes()}
	return nil
}

func (f *file) Abort() { f.store.open-- }

// written is a manifest as a file.
func written(t testing.TB, m *certify.Manifest) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// check checks a manifest with the files of a store.
func check(t testing.TB, m *certify.Manifest, files fs.FS) error {
	t.Helper()
	return certify.Check(t.Context(), m, files, 0, 1, nil)
}

// recheck writes the certificate of a result, reads it, and checks it.
func (x *scene) recheck(t *testing.T, r *certify.Region, res *certify.Result, files *store) {
	t.Helper()
	m := res.Certificate(r)
	again, err := certify.Read(bytes.NewReader(written(t, m)))
	if err != nil {
		t.Fatalf("%s: %v", x.name, err)
	}
	if !reflect.DeepEqual(m, again) {
		t.Fatalf("%s: the manifest is not what was written:\n%+v\n%+v", x.name, again, m)
	}
	if err := check(t, again, files); err != nil {
		t.Fatalf("%s: %v", x.name, err)
	}
	kept := 0
	for _, s := range res.Steps {
		if s.By == certify.Proof {
			kept += 2
		}
	}
	if len(files.MapFS) != kept || files.open != 0 {
		t.Fatalf("%s: %d files are kept and %d open, want %d and 0", x.name, len(files.MapFS), files.open, kept)
	}
}
