// Package checkpoint keeps the state of a long run in a file, so that a kill
// loses nothing: a file is written beside the old one, forced to disk, and
// renamed over it.
package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Version is that of the file format. A file of another version is refused.
const Version = 1

// maxFile bounds what Load reads, in bytes.
const maxFile = 256 << 20

// file is what a checkpoint holds: what was asked for, and how far it came.
// Setup is compared when the run is resumed, State is handed back.
type file struct {
	Format  string          `json:"format"`
	Version int             `json:"version"`
	Kind    string          `json:"kind"`
	Setup   json.RawMessage `json:"setup"`
	State   json.RawMessage `json:"state"`
}

const format = "lastmile-checkpoint"

// Save writes a checkpoint of a run of this kind.
func Save(path, kind string, setup, state any) error {
	f := file{Format: format, Version: Version, Kind: kind}
	var err error
	if f.Setup, err = json.Marshal(setup); err != nil {
		return err
	}
	if f.State, err = json.Marshal(state); err != nil {
		return err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return WriteFile(path, text)
}

// Load reads a checkpoint of this kind into setup and state. A missing file
// gives an error that is fs.ErrNotExist.
func Load(path, kind string, setup, state any) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxFile))
	if err != nil {
		return err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil || f.Format != format {
		return fmt.Errorf("%s: not a checkpoint, or a damaged one, want a file that lastmile %s has written", path, kind)
	}
	if f.Version != Version {
		return fmt.Errorf("%s: checkpoint of version %d, want %d: resume it with the lastmile that wrote it", path, f.Version, Version)
	}
	if f.Kind != kind {
		return fmt.Errorf("%s: checkpoint of lastmile %s, want one of lastmile %s", path, f.Kind, kind)
	}
	if err := json.Unmarshal(f.Setup, setup); err != nil {
		return fmt.Errorf("%s: setup: %w", path, err)
	}
	if err := json.Unmarshal(f.State, state); err != nil {
		return fmt.Errorf("%s: state: %w", path, err)
	}
	return nil
}

// SetAside renames a file that a new run would overwrite to path.1, or the
// first number that is free, and returns that name; "" when there is no file.
func SetAside(path string) (string, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	for i := 1; ; i++ {
		aside := fmt.Sprintf("%s.%d", path, i)
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, os.Rename(path, aside)
		}
	}
}

// Writable tells whether WriteFile could write the file now, so that a long
// run can say at its start that its end would be lost.
func Writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, want a file", path)
	}
	t, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, errors.Unwrap(err))
	}
	t.Close()
	return os.Remove(t.Name())
}

// WriteFile writes a whole file or nothing: a temporary file in the same
// folder, forced to disk, then renamed.
func WriteFile(path string, data []byte) (err error) {
	t, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			t.Close()
			os.Remove(t.Name())
		}
	}()
	if _, err = t.Write(data); err != nil {
		return err
	}
	if err = t.Chmod(0o644); err != nil {
		return err
	}
	if err = t.Sync(); err != nil {
		return err
	}
	if err = t.Close(); err != nil {
		return err
	}
	return os.Rename(t.Name(), path)
}
