package archive_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/puzzle"
)

var now = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

func create(t *testing.T) (*archive.Archive, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hunt.db")
	a, err := archive.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a, path
}

func write(t *testing.T, a *archive.Archive, f func(*archive.Tx) error) {
	t.Helper()
	if err := a.Write(f); err != nil {
		t.Fatal(err)
	}
}

func record(t *testing.T, name string) *puzzle.Board {
	t.Helper()
	r, found := puzzle.RecordNamed(name)
	if !found {
		t.Fatal(name)
	}
	b := puzzle.NewBoard(puzzle.Official())
	b.Load(r.Board)
	return b
}

func described(t *testing.T, b *puzzle.Board) *archive.Board {
	t.Helper()
	x := &archive.Board{Made: "by hand", Found: now}
	x.Describe(job.Official, b, puzzle.Official().Clues)
	return x
}

func TestBoardTurnedIsTheSame(t *testing.T) {
	a, _ := create(t)
	p := puzzle.Official()
	b := record(t, "blackwood-470")
	for turns := range 4 {
		turned, err := p.Turned(b.Placements(nil), turns)
		if err != nil {
			t.Fatal(err)
		}
		c := puzzle.NewBoard(p)
		c.Load(turned)
		x := described(t, c)
		write(t, a, func(tx *archive.Tx) error {
			added, err := tx.AddBoard(x)
			if added != (turns == 0) || x.Seen != turns+1 {
				t.Errorf("turned by %d: added %v, seen %d", turns, added, x.Seen)
			}
			return err
		})
	}
	other := described(t, record(t, "mcgavin-469"))
	write(t, a, func(tx *archive.Tx) error {
		if added, err := tx.AddBoard(other); err != nil || !added {
			t.Errorf("another board: added %v, %v", added, err)
		}
		list, err := tx.Boards(archive.Filter{})
		if err != nil {
			return err
		}
		if len(list) != 2 || list[0].Score != 470 || list[1].Score != 469 || !slices.Equal(list[0].Codes, b.Codes()) || list[0].Seen != 4 || list[0].Found != now {
			t.Errorf("the archive holds %+v", list)
		}
		if list, err = tx.Boards(archive.Filter{Score: 470, Most: 5}); len(list) != 1 || err != nil {
			t.Errorf("%d boards of 470, %v", len(list), err)
		}
		if n, err := tx.CountBoards(); n != 2 || err != nil {
			t.Errorf("%d boards, %v", n, err)
		}
		return nil
	})
}

// Boards that differ in little are one family, however they are turned.
func TestFamilies(t *testing.T) {
	p := puzzle.Official()
	b := record(t, "riotte-464")
	var list []*archive.Board
	list = append(list, described(t, b))
	near := puzzle.NewBoard(p)
	near.Load(b.Placements(nil))
	near.Swap(100, near.Rotation(101), 101, near.Rotation(100))
	turned, err := p.Turned(near.Placements(nil), 3)
	if err != nil {
		t.Fatal(err)
	}
	c := puzzle.NewBoard(p)
	c.Load(turned)
	list = append(list, described(t, c), described(t, record(t, "verhaard-467")))
	families, err := archive.Families(p, list, 12)
	if err != nil {
		t.Fatal(err)
	}
	if len(families) != 2 || families[0].Others != 1 || families[1].Others != 0 {
		t.Errorf("%d families: %+v", len(families), families)
	}
	if families, err = archive.Families(p, list, 2); err != nil || len(families) != 3 {
		t.Errorf("two cells apart: %d families, %v", len(families), err)
	}
}

// A job is counted where it is, and its result once.
func TestJobsMove(t *testing.T) {
	a, _ := create(t)
	c := &archive.Campaign{Kind: "build", What: "test", Plan: json.RawMessage("{}"), Totals: json.RawMessage("{}")}
	var ids []string
	write(t, a, func(tx *archive.Tx) error {
		if err := tx.AddCampaign(c); err != nil {
			return err
		}
		for i := range 5 {
			j := job.New(job.Job{Set: job.Official, Stream: i, Nodes: 10}, &job.Build{Order: "comb"})
			for range 2 { // the second time it is there
				if added, err := tx.AddJob(c.Number, -1, j, now); err != nil {
					return err
				} else if added {
					ids = append(ids, j.ID())
				}
			}
		}
		return nil
	})
	if len(ids) != 5 {
		t.Fatalf("%d jobs added, want 5", len(ids))
	}
	write(t, a, func(tx *archive.Tx) error {
		open, err := tx.JobsIn(c.Number, archive.Open, 10)
		if err != nil {
			return err
		}
		if len(open) != 5 || open[0].ID != ids[4] || open[0].Job.ID() != ids[4] {
			t.Errorf("open jobs %v, want the latest first", open)
		}
		for _, j := range open[:3] {
			if err := tx.Move(j, archive.Queued, now); err != nil {
				return err
			}
		}
		if err := tx.Finish(open[0], &job.Result{Worker: "w"}, 440, false, now); err != nil {
			return err
		}
		open[1].Tries, open[1].Error = 3, "broken"
		return tx.Move(open[1], archive.Failed, now)
	})
	write(t, a, func(tx *archive.Tx) error {
		list, err := tx.Campaigns(0)
		if err != nil {
			return err
		}
		if len(list) != 1 || list[0].Jobs != [4]int64{2, 1, 1, 1} {
			t.Errorf("campaigns %+v", list[0])
		}
		j, err := tx.Job(ids[4])
		if err != nil || j.State != archive.Done || j.Score != 440 || j.Worker != "w" {
			t.Errorf("the job that is done: %+v, %v", j, err)
		}
		if j, err = tx.Job(ids[3]); err != nil || j.State != archive.Failed || j.Tries != 3 || j.Error != "broken" {
			t.Errorf("the job that failed: %+v, %v", j, err)
		}
		if j, err = tx.Job("nobody"); err != nil || j != nil {
			t.Errorf("a job that is not there: %+v, %v", j, err)
		}
		return nil
	})
}

func TestAllOrNothing(t *testing.T) {
	a, path := create(t)
	wanted := errors.New("no")
	if err := a.Write(func(tx *archive.Tx) error {
		if err := tx.SetMeta("name", "x"); err != nil {
			return err
		}
		return wanted
	}); !errors.Is(err, wanted) {
		t.Fatal(err)
	}
	write(t, a, func(tx *archive.Tx) error {
		if v, err := tx.Meta("name"); v != "" || err != nil {
			t.Errorf("name %q after a write that failed, %v", v, err)
		}
		return tx.SetMeta("name", "y")
	})
	r, err := archive.Read(path) // beside the one that writes
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Write(func(tx *archive.Tx) error {
		if v, err := tx.Meta("name"); v != "y" || err != nil {
			t.Errorf("the reader sees %q, %v", v, err)
		}
		return tx.SetMeta("name", "z")
	}); err == nil {
		t.Error("a reader has written")
	}
}

// What is no archive, or a damaged one, or one of the future, is refused and left
// as it is.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	raw := func(path, script string) {
		t.Helper()
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	made := func(name string) string {
		a, err := archive.Create(path(name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 400 {
			if err := a.Write(func(tx *archive.Tx) error { return tx.SetMeta(strings.Repeat("k", i+1), strings.Repeat("v", 500)) }); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		return path(name)
	}
	raw(path("other.db"), "CREATE TABLE cats (name TEXT)")
	raw(made("future.db"), "PRAGMA user_version = 99")
	for _, name := range []string{"torn.db", "text.db"} {
		file := made(name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name == "text.db" {
			text = []byte(strings.Repeat("no database at all\n", 100))
		} else {
			copy(text[8192:], strings.Repeat("\xff", 20000))
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"other.db": "something else", "future.db": "newer lastmile", "torn.db": "damaged", "text.db": "damaged",
	} {
		before, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = archive.Create(path(name))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want an error that says %q and names the file", name, err, want)
		}
		if want == "damaged" && !errors.Is(err, archive.ErrDamaged) {
			t.Errorf("%s: %v is not ErrDamaged", name, err)
		}
		after, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		if string(before) != string(after) {
			t.Errorf("%s was changed", name)
		}
	}
	for name, open := range map[string]func(string) (*archive.Archive, error){"read": archive.Read, "change": archive.Change} {
		if _, err := open(path("nothing.db")); err == nil || !strings.Contains(err.Error(), "no archive") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := archive.Read(dir); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
}

// A full disk is told as such, and nothing of the change is there afterwards.
func TestFullDisk(t *testing.T) {
	a, _ := create(t)
	write(t, a, func(tx *archive.Tx) error { return tx.SetMeta("small", "1") })
	archive.Limit(t, a, 40)
	fill := func(tx *archive.Tx) error {
		for i := range 1000 {
			if err := tx.SetMeta(strings.Repeat("k", i+1), strings.Repeat("v", 1000)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := a.Write(fill); !errors.Is(err, archive.ErrFull) || !strings.Contains(err.Error(), "hunt.db") {
		t.Fatalf("%v, want ErrFull and the name of the file", err)
	}
	write(t, a, func(tx *archive.Tx) error {
		if v, err := tx.Meta("k"); v != "" || err != nil {
			t.Errorf("half of the change is there: %q, %v", v, err)
		}
		return tx.SetMeta("small", "2") // there is room for it still
	})
	archive.Limit(t, a, 1<<20)
	write(t, a, fill)
}

func TestBackup(t *testing.T) {
	a, path := create(t)
	write(t, a, func(tx *archive.Tx) error { return tx.SetMeta("name", "x") })
	copied := path + ".copy"
	if err := a.Backup(copied); err != nil {
		t.Fatal(err)
	}
	b, err := archive.Change(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	write(t, b, func(tx *archive.Tx) error {
		if v, err := tx.Meta("name"); v != "x" || err != nil {
			t.Errorf("the copy says %q, %v", v, err)
		}
		return nil
	})
	if err := a.Backup(copied); err == nil {
		t.Error("a copy was written over another")
	}
}
