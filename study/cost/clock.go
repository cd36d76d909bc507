package cost

import (
	"runtime"
	"time"
)

// chunk is how many iterations run between two looks at the clock, so that the
// looks do not show.
const chunk = 16

var origin = time.Now()

// now reads the monotonic clock alone, the cheapest there is.
func now() time.Duration { return time.Since(origin) }

// clockCost is what one look at the clock takes, the least of several tries.
func clockCost() time.Duration {
	const looks = 1000
	least := time.Hour
	for range 20 {
		began := now()
		for range looks {
			now()
		}
		least = min(least, now()-began)
	}
	return least / looks
}

// Allocations is the number of allocations in so many runs of f: the least of
// several tries, for the rest of the process allocates too.
func Allocations(runs int, f func()) uint64 {
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}
