package study

import (
	"context"

	"lastmile/census"
	"lastmile/puzzle"
)

var census2x2 = Study{
	Name:    "census",
	Claim:   "the official set has as many 2×2 blocks as the community counts",
	Measure: measureCensus,
}

// publishedBlocks are the counts that people check a solver by.
var publishedBlocks = []struct {
	name  string // in the census
	what  string
	count int64
}{
	{"2x2 corner", "corner", 5_248},
	{"2x2 edge", "edge", 292_012},
	{"2x2 interior", "interior", 4_059_952},
}

func measureCensus(ctx context.Context, o Options, r *Report) error {
	r.note("Blocks are counted by piece and rotation: a block and the same block turned as a whole are different. The census counts closed walks of matching seams by inclusion and exclusion; it does not list the blocks.")
	var counts []census.Count
	if ctx.Err() == nil {
		o.Say("counting 2×2 blocks")
		counts = census.All(puzzle.Official())
	}
	found := map[string]int64{}
	for _, c := range counts {
		found[c.Name] = c.Count
	}
	for _, p := range publishedBlocks {
		n, counted := found[p.name]
		f := Finding{
			Claim:     "official set: " + grouped(p.count) + " " + p.what + " 2×2 blocks",
			Published: grouped(p.count), Verdict: judge(!counted || n == p.count, counted),
		}
		if counted {
			f.Measured = grouped(n)
		}
		r.find(f)
	}
	r.show(tabulate("every count", "", counts,
		column[census.Count]{"what", func(c census.Count) string { return c.Name }},
		column[census.Count]{"count", func(c census.Count) string { return grouped(c.Count) }},
	))
	return nil
}
