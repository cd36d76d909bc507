package archive

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var errDamaged = errors.New("damaged")

// ErrFull marks an error of a disk that is full.
var ErrFull = errors.New("the disk is full")

// ErrDamaged marks an error of an archive that cannot be read any more.
var ErrDamaged = errors.New("the archive is damaged")

// plain names the file, and says what an error of the database means for it.
func (a *Archive) plain(err error) error {
	if err == nil {
		return nil
	}
	var e *sqlite.Error
	switch {
	case errors.Is(err, errDamaged):
		return fmt.Errorf("%s: %w: %w", a.path, ErrDamaged, err)
	case !errors.As(err, &e):
		return fmt.Errorf("%s: %w", a.path, err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s: %w, and nothing was written; make room, the hunt goes on by itself", a.path, ErrFull)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%s: %w: %w", a.path, ErrDamaged, err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("%s: another program keeps it: %w", a.path, err)
	}
	return fmt.Errorf("%s: %w", a.path, err)
}
