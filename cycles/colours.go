package cycles

import (
	"errors"
	"fmt"
	"slices"

	"lastmile/puzzle"
)

func unchanged() *puzzle.Colouring {
	var c puzzle.Colouring
	for i := range c {
		c[i] = uint8(i)
	}
	return &c
}

// Bounds on the search for colourings. Few sets leave it a choice at all; those
// that do have a few colours that can be exchanged.
const (
	maxColourings = 64
	maxChoices    = 1024
)

var errColours = errors.New("cycles: the boards are of two piece sets, which differ by more than the names of their colours; want two boards of one puzzle")

// colourings finds the ways to rename the colours of q, grey excepted, that make
// its pieces, up to rotation and order, those of p. Where both have the same
// pieces under the same numbers the names are taken to be the same, and where
// that is possible it comes first.
func colourings(p, q *puzzle.Puzzle) ([]*puzzle.Colouring, error) {
	if slices.Equal(p.Pieces, q.Pieces) {
		return []*puzzle.Colouring{unchanged()}, nil
	}
	s := &colourSearch{p: p.Pieces, q: q.Pieces, want: census(p.Pieces, unchanged())}
	s.choose(labels{}, labels{}, 1)
	if same := unchanged(); s.fits(same) {
		s.found = slices.DeleteFunc(s.found, func(c *puzzle.Colouring) bool { return c.Identity() })
		s.found = slices.Insert(s.found, 0, same)
	}
	switch {
	case len(s.found) > 0:
		return s.found, nil
	case s.choices > maxChoices:
		return nil, fmt.Errorf("cycles: the boards are of two piece sets, and no renaming of colours among the %d that were tried makes them one; want two boards of one puzzle", maxChoices)
	}
	return nil, errColours
}

// census counts the pieces by their looks up to rotation, in other colours.
func census(pieces []puzzle.Edges, c *puzzle.Colouring) map[puzzle.Edges]int {
	count := make(map[puzzle.Edges]int, len(pieces))
	for _, e := range pieces {
		look, _ := c.Apply(e).Canonical()
		count[look]++
	}
	return count
}

// labels tell colours apart by what is known of them, 0 where they do not
// occur.
type labels [256]uint64

// colourSearch gives the colours of both sets labels that depend on the pieces
// alone, and where colours share one it tries each for the other.
type colourSearch struct {
	p, q    []puzzle.Edges
	want    map[puzzle.Edges]int
	found   []*puzzle.Colouring
	choices int
}

func (s *colourSearch) fits(c *puzzle.Colouring) bool {
	have := census(s.q, c)
	for look, n := range have {
		if s.want[look] != n {
			return false
		}
	}
	return len(have) == len(s.want)
}

// choose goes on from two labellings in which the pinned colours have labels of
// their own.
func (s *colourSearch) choose(p, q labels, fresh uint64) {
	p, q = refined(s.p, p), refined(s.q, q)
	same := map[uint64][2][]uint8{} // by label
	for colour := 1; colour < 256; colour++ {
		if l := q[colour]; l != 0 {
			g := same[l]
			g[0] = append(g[0], uint8(colour))
			same[l] = g
		}
		if l := p[colour]; l != 0 {
			g := same[l]
			g[1] = append(g[1], uint8(colour))
			same[l] = g
		}
	}
	c, open := unchanged(), 0 // the lowest colour of q with a choice
	var used [256]bool
	for colour := 255; colour > 0; colour-- {
		if q[colour] == 0 {
			continue
		}
		g := same[q[colour]]
		if len(g[0]) != len(g[1]) {
			return
		}
		if c[colour] = g[1][0]; len(g[1]) > 1 {
			open = colour
		}
		used[colour] = true
	}
	if open == 0 {
		if s.fits(c) && len(s.found) < maxColourings {
			c.Complete(used)
			s.found = append(s.found, c)
		}
		return
	}
	for _, to := range same[q[open]][1] {
		if s.choices++; s.choices > maxChoices || len(s.found) == maxColourings {
			return
		}
		r, t := q, p
		r[open], t[to] = fresh, fresh
		s.choose(t, r, fresh+1)
	}
}

// refined labels each colour by the company that it keeps: a few rounds, of
// which each labels it by the labels on the pieces that bear it. Rotation and
// order of the pieces do not matter. Grey keeps a label of its own.
func refined(pieces []puzzle.Edges, now labels) labels {
	const grey = 1 << 60
	for colour := range now {
		now[colour] = mix(now[colour] + 1)
	}
	now[puzzle.Grey] = grey
	var occurs [256]bool
	for range 6 {
		var sum labels
		for _, e := range pieces {
			for i, c := range e {
				around := now[c]
				for k := 1; k < 4; k++ {
					around = mix(around*3 + now[e[(i+k)&3]])
				}
				sum[c] += around
				occurs[c] = true
			}
		}
		for c := 1; c < 256; c++ {
			now[c] = mix(now[c]*5 + sum[c])
		}
	}
	for c, is := range occurs {
		if !is {
			now[c] = 0
		}
	}
	return now
}

// mix spreads the bits of a word (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// rename gives the placements of q in the pieces of p. Which piece of a look
// stands for which does not matter: match decides that.
func rename(p, q *puzzle.Puzzle, placements []puzzle.Placement, c *puzzle.Colouring) []puzzle.Placement {
	if slices.Equal(p.Pieces, q.Pieces) {
		return placements
	}
	of := make(map[puzzle.Edges]int, len(p.Pieces))
	for piece, e := range p.Pieces {
		look, _ := e.Canonical()
		of[look] = p.Class(piece)
	}
	renamed := make([]puzzle.Placement, len(placements))
	for i, x := range placements {
		look := c.Apply(q.Rotated(x.Piece, x.Rotation))
		canonical, _ := look.Canonical()
		piece := of[canonical]
		renamed[i] = puzzle.Placement{Cell: x.Cell, Piece: piece, Rotation: rotationOf(p, piece, look)}
	}
	return renamed
}
