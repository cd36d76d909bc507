package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxSeeds bounds what a range may stand for.
const maxSeeds = 10_000

// ParseSeeds reads a list such as "1-5" or "1,2,7-9".
func ParseSeeds(text string) ([]uint64, error) {
	var seeds []uint64
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		low, high, isRange := strings.Cut(part, "-")
		first, err := parseSeed(text, low)
		if err != nil {
			return nil, err
		}
		last := first
		if isRange {
			if last, err = parseSeed(text, high); err != nil {
				return nil, err
			}
		}
		switch {
		case last < first:
			return nil, fmt.Errorf("seeds %q: %s falls, want the lower seed first: %d-%d", text, part, last, first)
		case last-first >= maxSeeds || len(seeds)+int(last-first) >= maxSeeds:
			return nil, fmt.Errorf("seeds %q: more than %d seeds, want fewer", text, maxSeeds)
		}
		for i := range last - first + 1 {
			seeds = append(seeds, first+i)
		}
	}
	sorted := slices.Sorted(slices.Values(seeds))
	for i, s := range sorted[1:] {
		if s == sorted[i] {
			return nil, fmt.Errorf("seeds %q: %d comes twice, want each seed once", text, s)
		}
	}
	return seeds, nil
}

func parseSeed(text, word string) (uint64, error) {
	word = strings.TrimSpace(word)
	seed, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("seeds %q: %q is no seed, want whole numbers as in 1-5 or 1,2,7", text, word)
	}
	return seed, nil
}

// FormatSeeds writes seeds the way ParseSeeds reads them, in their order.
func FormatSeeds(seeds []uint64) string {
	var parts []string
	for i := 0; i < len(seeds); {
		j := i
		for j+1 < len(seeds) && seeds[j+1] == seeds[j]+1 {
			j++
		}
		part := fmt.Sprint(seeds[i])
		switch {
		case j == i+1:
			part = fmt.Sprintf("%d,%d", seeds[i], seeds[j])
		case j > i:
			part = fmt.Sprintf("%d-%d", seeds[i], seeds[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// fromTo is the seeds from first to last.
func fromTo(first, last uint64) []uint64 {
	var seeds []uint64
	for s := first; s <= last; s++ {
		seeds = append(seeds, s)
	}
	return seeds
}

// covers tells whether all the wanted seeds are among those given.
func covers(given, wanted []uint64) bool {
	for _, s := range wanted {
		if !slices.Contains(given, s) {
			return false
		}
	}
	return true
}
