// Package archive keeps what a hunt knows in one file: its campaigns and jobs, and
// every distinct board with how it was made. It is an SQLite database, so that a
// kill loses nothing and any tool can read it.
//
// What comes in together is written together: a job is done when its boards, its
// counts and the jobs that follow from it are there, or it is not.
package archive

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver, pure Go
)

//go:embed migrations/*.sql
var migrations embed.FS

// Archive is an open archive. One process may write to it at a time, any number
// may read.
type Archive struct {
	db   *sql.DB
	path string
}

// Create opens an archive to write, and makes it when it is not there. An older
// one is brought up to date.
func Create(path string) (*Archive, error) { return open(path, "rwc") }

// Change opens an archive that is there, to write.
func Change(path string) (*Archive, error) { return open(path, "rw") }

// Read opens an archive that is there, to read, while another process may be
// writing.
func Read(path string) (*Archive, error) { return open(path, "ro") }

func open(path, mode string) (*Archive, error) {
	if mode != "rwc" {
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: no archive is there, want one that hunt start has made", path)
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, fmt.Errorf("%s is a folder, want an archive that hunt start has made", path)
		}
	}
	// An absolute path is one that no part of the address can be taken for.
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	query := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(10000)", "synchronous(FULL)", "foreign_keys(1)",
	}}
	if mode == "ro" {
		query.Set("_txlock", "deferred")
		query["_pragma"] = []string{"busy_timeout(10000)", "query_only(1)"}
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(full), RawQuery: query.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	a := &Archive{db, path}
	if err := a.prepare(mode); err != nil {
		db.Close()
		return nil, a.plain(err)
	}
	return a, nil
}

// prepare checks the file and brings it up to date.
func (a *Archive) prepare(mode string) error {
	var said string
	if err := a.db.QueryRow("PRAGMA quick_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, said)
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	var version int
	if err := a.db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version > len(files):
		return fmt.Errorf("made by a newer lastmile: its form is %d, this program knows forms up to %d", version, len(files))
	case version == 0 && mode != "rwc":
		return fmt.Errorf("no archive of a hunt, want one that hunt start has made")
	case mode == "ro" && version < len(files):
		return fmt.Errorf("made by an older lastmile: its form is %d, want %d; hunt start brings it up to date", version, len(files))
	case mode == "ro":
		return nil
	}
	if version == 0 {
		var tables int
		if err := a.db.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
			return err
		}
		if tables > 0 {
			return fmt.Errorf("a database of something else; it is left as it is")
		}
	}
	if _, err := a.db.Exec("PRAGMA journal_mode(WAL)"); err != nil {
		return err
	}
	for i := version; i < len(files); i++ {
		text, err := migrations.ReadFile(files[i])
		if err != nil {
			return err
		}
		tx, err := a.db.Begin()
		if err != nil {
			return err
		}
		if _, err := tx.Exec(string(text) + fmt.Sprintf("; PRAGMA user_version = %d", i+1)); err != nil {
			tx.Rollback()
			return fmt.Errorf("%s: %w", files[i], err)
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the use of the archive.
func (a *Archive) Close() error { return a.plain(a.db.Close()) }

// Backup writes a copy of the archive that is whole in itself to a file that is
// not there yet.
func (a *Archive) Backup(path string) error {
	if _, err := a.db.Exec("VACUUM INTO ?", path); err != nil {
		return fmt.Errorf("%s: %w", path, a.plain(err))
	}
	return nil
}

// Tx is a number of changes that are made together.
type Tx struct{ tx *sql.Tx }

// Write makes changes: all of them, or none when f returns an error or the disk
// does not take them.
func (a *Archive) Write(f func(*Tx) error) error {
	tx, err := a.db.Begin()
	if err != nil {
		return a.plain(err)
	}
	defer tx.Rollback() // nothing after a Commit
	if err := f(&Tx{tx}); err != nil {
		return a.plain(err)
	}
	return a.plain(tx.Commit())
}

// Meta is the value of a key, "" when there is none.
func (t *Tx) Meta(key string) (value string, err error) {
	err = t.tx.QueryRow("SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMeta sets the value of a key.
func (t *Tx) SetMeta(key, value string) error {
	_, err := t.tx.Exec("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value)
	return err
}

func milliseconds(t time.Time) int64 { return t.UnixMilli() }

func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
