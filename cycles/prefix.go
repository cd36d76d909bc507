package cycles

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Filling says what lies on the open cell of a prefix.
type Filling int

// The fillings; the doc of the package says what they mean.
const (
	Exchanged Filling = iota // the piece that the last move displaced
	Copied                   // the piece of A
	Vacant                   // nothing
)

// FillingNames are the words for the fillings, in their order.
var FillingNames = []string{"exchanged", "copied", "vacant"}

// FillingNamed finds a filling.
func FillingNamed(name string) (Filling, error) {
	if i := slices.Index(FillingNames, name); i >= 0 {
		return Filling(i), nil
	}
	return 0, fmt.Errorf("filling %q, want one of %s", name, strings.Join(FillingNames, ", "))
}

func (f Filling) String() string { return FillingNames[f] }

// Proper is the number of proper prefixes that a cycle of so many cells has from
// each start.
func (f Filling) Proper(cells int) int {
	if f == Exchanged {
		return cells - 2
	}
	return cells - 1
}

// Prefix is a board on which the first moves of a cycle are made.
type Prefix struct {
	Start    int // index of the open cell in the cells of the cycle
	Moves    int // 1 to Proper
	Score    int
	Boundary int
}

// Prefixes yields the proper prefixes of a cycle: for each start those of 1, 2,
// and more moves. Each takes O(1).
func (c *Comparison) Prefixes(cycle int, f Filling) iter.Seq[Prefix] {
	return func(yield func(Prefix) bool) {
		cells := c.Cycles[cycle].Cells
		m := c.mixture()
		for start, open := range cells {
			if f == Vacant {
				m.lay(open, m.edges[open], false)
			}
			for k := 1; k <= f.Proper(len(cells)); k++ {
				cell := cells[(start+k)%len(cells)]
				m.toB(cell)
				if f == Exchanged {
					m.layBest(open, c.pieces[cell])
				}
				if !yield(Prefix{start, k, m.score, m.boundary}) {
					return
				}
			}
			for _, cell := range cells {
				m.toA(cell)
			}
		}
	}
}

// Tally counts prefixes or subsets.
type Tally struct {
	Tested       int `json:"tested"`
	AtLeastStart int `json:"at_least_start"` // that score as high as A
	Best         int `json:"best"`           // the highest score, 0 when none was tested
}

// Add counts one more.
func (t *Tally) Add(score, start int) {
	t.Tested++
	t.Best = max(t.Best, score)
	if score >= start {
		t.AtLeastStart++
	}
}

// Join counts what the other counted.
func (t *Tally) Join(other Tally) {
	t.Tested += other.Tested
	t.AtLeastStart += other.AtLeastStart
	t.Best = max(t.Best, other.Best)
}

// TallyPrefixes counts the proper prefixes of a cycle over all starts, and those
// from its first cell alone.
func (c *Comparison) TallyPrefixes(cycle int, f Filling) (all, first Tally) {
	for x := range c.Prefixes(cycle, f) {
		all.Add(x.Score, c.Start)
		if x.Start == 0 {
			first.Add(x.Score, c.Start)
		}
	}
	return all, first
}
