package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Writable tells whether WriteFile could write the file now, so that a long
// run can say at its start that its end would be lost.
func Writable(path string) error {
	target, mode, err := resolve(path)
	if err != nil {
		return err
	}
	if mode&fs.ModeNamedPipe != 0 {
		return nil // opening it would wait for a reader
	}
	if !mode.IsRegular() {
		w, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return w.Close()
	}
	t, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return plain(path, err)
	}
	t.Close()
	return os.Remove(t.Name())
}

// WriteFile writes a whole file or nothing: a temporary file in the same
// folder, forced to disk, then renamed. A symbolic link is followed, the mode
// of an older file is kept, and what is no file, such as a device or a pipe,
// is written straight into.
func WriteFile(path string, data []byte) (err error) {
	target, mode, err := resolve(path)
	if err != nil {
		return err
	}
	if !mode.IsRegular() {
		return writeInto(target, data)
	}
	t, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return plain(path, err)
	}
	defer func() {
		if err != nil {
			t.Close()
			os.Remove(t.Name())
			err = plain(path, err)
		}
	}()
	if _, err = t.Write(data); err != nil {
		return err
	}
	if err = t.Chmod(mode.Perm()); err != nil {
		return err
	}
	if err = t.Sync(); err != nil {
		return err
	}
	if err = t.Close(); err != nil {
		return err
	}
	return os.Rename(t.Name(), target)
}

func writeInto(path string, data []byte) error {
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return errors.Join(err, w.Close())
}

// resolve follows symbolic links to where a file is or will be, and tells its
// mode; that of a new file is 0644.
func resolve(path string) (target string, mode fs.FileMode, err error) {
	target = path
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		target = followed
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return "", 0, fmt.Errorf("%s is a link to a file that is not there", path)
		}
		return target, 0o644, nil
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return "", 0, fmt.Errorf("%s is a folder, want a file", path)
	}
	return target, info.Mode(), nil
}

// Target is where a path leads when links are followed; the file need not be
// there yet.
func Target(path string) (string, error) {
	target, _, err := resolve(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}

// Sweep removes the temporary files that runs killed while they wrote this
// file have left. Nobody else may be writing it.
func Sweep(path string) {
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".*"))
	if err != nil {
		return // a name that is a pattern: leave what is there
	}
	for _, file := range left {
		if IsTemporary(file, path) {
			os.Remove(file)
		}
	}
}

// IsTemporary tells whether a file has such a name as WriteFile gives to the
// temporary files of a path, and Sweep removes.
func IsTemporary(file, path string) bool {
	rest, found := strings.CutPrefix(filepath.Base(file), "."+filepath.Base(path)+".")
	// os.CreateTemp puts digits in the place of the star.
	return found && strings.Trim(rest, "0123456789") == "" && filepath.Dir(file) == filepath.Dir(path)
}

// plain names the file that was asked for, not the temporary one.
func plain(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s cannot be written: %w", path, err)
}
