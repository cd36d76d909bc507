package hunt

import (
	"fmt"
	"time"

	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/notation"
	"lastmile/puzzle"
)

// Import enters full boards that were found elsewhere into an archive, and tells
// how many are new. From says where they come from.
func Import(a *archive.Archive, list []*notation.Document, from string, now time.Time) (added int, err error) {
	for i, d := range list {
		if err := d.Sound(); err != nil {
			return 0, fmt.Errorf("board %d: %w", i+1, err)
		}
		if len(d.ID.Placements) != d.Puzzle.Cells() {
			return 0, fmt.Errorf("board %d has %d pieces, want a full board", i+1, len(d.ID.Placements))
		}
	}
	err = a.Write(func(tx *archive.Tx) error {
		for _, d := range list {
			b := puzzle.NewBoard(d.Puzzle)
			b.Load(d.ID.Placements)
			set := job.SetOf(d.Puzzle)
			if set.ID() != job.Official {
				if err := tx.AddSet(set); err != nil {
					return err
				}
			}
			x := &archive.Board{Made: from, Found: now}
			x.Describe(set.ID(), b, d.Clues())
			isNew, err := tx.AddBoard(x)
			if err != nil {
				return err
			}
			if isNew {
				added++
			}
		}
		return nil
	})
	if err != nil {
		added = 0
	}
	return added, err
}
