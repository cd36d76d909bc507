package puzzle_test

import (
	"slices"
	"testing"

	"lastmile/puzzle"
)

func TestCodesComeBack(t *testing.T) {
	p := puzzle.Official()
	for _, r := range puzzle.Records() {
		codes := p.Codes(r.Board)
		codes[17] = -1
		b, err := p.Decode(codes)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.Codes(), codes) || b.Filled() != 255 {
			t.Errorf("%s comes back as another board", r.Name)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	p := puzzle.Official()
	good := p.Codes(puzzle.Records()[0].Board)
	for name, spoil := range map[string]func([]int) []int{
		"a cell short": func(c []int) []int { return c[1:] },
		"a piece twice": func(c []int) []int {
			c[3] = c[4] ^ 1
			return c
		},
		"no such piece": func(c []int) []int {
			c[0] = 4 * 256
			return c
		},
		"below -1": func(c []int) []int {
			c[0] = -2
			return c
		},
	} {
		if _, err := p.Decode(spoil(slices.Clone(good))); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
