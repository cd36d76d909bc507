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
	"slices"
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
	f, err := read(path)
	if err != nil {
		return err
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

// read reads the file of a checkpoint, of any kind and version.
func read(path string) (*file, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file, want a checkpoint", path)
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxFile))
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil || f.Format != format {
		return nil, fmt.Errorf("%s: not a checkpoint, or a damaged one, want a file that a run of lastmile has written", path)
	}
	return &f, nil
}

// SetAside moves a checkpoint that a new run would overwrite aside, as
// MoveAside does. Anything else than a checkpoint is left alone, with an error.
func SetAside(path string, taken ...string) (string, error) {
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	}
	if _, err := read(path); err != nil {
		return "", fmt.Errorf("%w; it is left as it is", err)
	}
	return MoveAside(path, taken...)
}

// MoveAside renames a file to path.1, or the first number that is free, and
// returns that name. Taken are names that are not free although no file has
// them yet: somebody is going to write there.
func MoveAside(path string, taken ...string) (string, error) {
	var targets []string
	for _, name := range taken {
		if target, err := Target(name); err == nil {
			targets = append(targets, target)
		}
	}
	for i := 1; ; i++ {
		aside := fmt.Sprintf("%s.%d", path, i)
		if target, err := Target(aside); err == nil && slices.Contains(targets, target) {
			continue
		}
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, os.Rename(path, aside)
		}
	}
}
