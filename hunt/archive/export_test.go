package archive

import (
	"fmt"
	"testing"
)

// Limit sets the pages that the archive may have, as a disk does that is full.
func Limit(t *testing.T, a *Archive, pages int) {
	t.Helper()
	var got int
	if err := a.db.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Scan(&got); err != nil || got < pages {
		t.Fatalf("a limit of %d pages: %d, %v", pages, got, err)
	}
}
