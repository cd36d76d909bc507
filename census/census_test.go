package census

import (
	"fmt"
	"testing"
	"time"

	"lastmile/puzzle"
	"lastmile/random"
)

// The two-by-two counts are the published ones. The others were counted by
// the twin of this file, and pieces and half-edges add up to 256 and 1024.
func TestOfficialCensus(t *testing.T) {
	want := map[string]int64{
		"pieces corner": 4, "pieces edge": 56, "pieces interior": 196, "pieces symmetric": 0, "pieces twins": 0,
		"2x2 corner": 5_248, "2x2 edge": 292_012, "2x2 interior": 4_059_952,
	}
	start := time.Now()
	all := All(puzzle.Official())
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("the census took %v, want less than 2 s", d)
	}
	got := map[string]int64{}
	for _, c := range all {
		if _, twice := got[c.Name]; twice {
			t.Errorf("%q is counted twice", c.Name)
		}
		got[c.Name] = c.Count
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: %d, want %d", name, got[name], n)
		}
	}
	var halves int64
	for c := range 23 {
		n := got[fmt.Sprint("half-edges ", c)]
		halves += n
		if n%2 != 0 {
			t.Errorf("%d half-edges of colour %d, want an even number", n, c)
		}
	}
	if halves != 1024 || got["half-edges 0"] != 64 {
		t.Errorf("%d half-edges, %d grey, want 1024 and 64", halves, got["half-edges 0"])
	}
	for k, n := range twin(puzzle.Official(), 1, 2) {
		if got[k] != n {
			t.Errorf("%s: %d, the twin counts %d", k, got[k], n)
		}
	}
}

// Every size, framed or not, with sets that have symmetric pieces, twins, grey
// inside, and more room for a piece to meet itself than a good set has.
func TestCensusAgreesWithTwin(t *testing.T) {
	sizes := [][2]int{{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 3}, {4, 4}}
	check := func(p *puzzle.Puzzle) {
		t.Helper()
		want := twin(p, 1, 2)
		for name, n := range twin(p, 2, 2) {
			want[name] = n
		}
		got := map[string]int64{}
		for _, c := range append(Dominoes(p), TwoByTwo(p)...) {
			got[c.Name] = c.Count
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s %dx%d %v:\n got %v\nwant %v", p.Name, p.Width, p.Height, p.Pieces, got, want)
		}
	}
	for _, size := range sizes {
		for seed := range uint64(2) {
			for _, spec := range []puzzle.Spec{{Colours: 2}, {Colours: 5}, {Colours: 1, Unframed: true}, {Colours: 2, Unframed: true}} {
				if spec.Unframed && size[0]*size[1] > 9 {
					continue // the twin would take seconds
				}
				spec.Width, spec.Height, spec.Seed = size[0], size[1], seed
				p, _, err := puzzle.Generate(spec)
				if err != nil {
					t.Fatal(err)
				}
				check(p)
			}
			stream := random.New(seed, "census", 10*size[0]+size[1])
			pieces := make([]puzzle.Edges, size[0]*size[1])
			for i := range pieces {
				for side := range 4 {
					pieces[i][side] = uint8(stream.Below(3)) // grey anywhere
				}
			}
			p, err := puzzle.New("random", size[0], size[1], pieces, nil)
			if err != nil {
				t.Fatal(err)
			}
			check(p)
		}
	}
}

// Four copies of a piece without symmetry are four pieces, and one symmetric
// piece has fewer rotations: counted by hand.
func TestTwinsAndSymmetricPieces(t *testing.T) {
	set := func(e puzzle.Edges) *puzzle.Puzzle {
		p, err := puzzle.New("copies", 2, 2, []puzzle.Edges{e, e, e, e}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		edges            puzzle.Edges
		dominoes, blocks int64
	}{
		// One rotation each: 4·3 pairs in each of four directions, halved since
		// left-right and right-left are the same pairs; 4! blocks.
		{puzzle.Edges{1, 1, 1, 1}, 24, 24},
		// Turned alike, or the block would break: 2 rotations, 4! orders. Pairs
		// too have equal rotations, two for each of 12 orders, two directions.
		{puzzle.Edges{1, 2, 1, 2}, 48, 48},
		// Grey meets grey: no match.
		{puzzle.Edges{0, 0, 0, 0}, 0, 0},
	} {
		p := set(c.edges)
		pairs, blocks := Dominoes(p), TwoByTwo(p)
		if pairs[0] != (Count{"1x2 anywhere", c.dominoes}) || blocks[0] != (Count{"2x2 anywhere", c.blocks}) {
			t.Errorf("%v: %v %v, want %d and %d", c.edges, pairs, blocks, c.dominoes, c.blocks)
		}
	}
	counts := Pieces(set(puzzle.Edges{1, 2, 1, 2}))
	if fmt.Sprint(counts) != "[{pieces anywhere 4} {pieces symmetric 4} {pieces twins 3}]" {
		t.Errorf("%v", counts)
	}
}

// The largest board, and colours so few that the blocks are beyond number.
func TestCensusOfAHugeSetIsQuick(t *testing.T) {
	for _, colours := range []int{2, puzzle.MaxColours} {
		p, _, err := puzzle.Generate(puzzle.Spec{Width: 128, Height: 128, Colours: colours})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for _, c := range All(p) {
			if c.Count < 0 {
				t.Errorf("%s: %d", c.Name, c.Count)
			}
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%d colours took %v", colours, d)
		}
	}
}

// twin counts blocks of the given size by placing pieces one at a time on
// each place of the board that has another rim, and keeps each turn of a block
// once.
func twin(p *puzzle.Puzzle, width, height int) map[string]int64 {
	blocks := map[string]map[block]bool{}
	for _, shape := range [][2]int{{width, height}, {height, width}} {
		rims := map[string]bool{}
		for cell := range p.Cells() {
			if cell%p.Width+shape[0] > p.Width || cell/p.Width+shape[1] > p.Height {
				continue
			}
			var cells []int
			rim := ""
			for y := range shape[1] {
				for x := range shape[0] {
					cells = append(cells, cell+y*p.Width+x)
					rim += fmt.Sprint(p.RimMask(cell+y*p.Width+x), " ")
				}
			}
			if !p.Framed() {
				rim = ""
			}
			if rims[rim] {
				continue
			}
			rims[rim] = true
			name := twinName(p, cells)
			if blocks[name] == nil {
				blocks[name] = map[block]bool{}
			}
			fill(p, cells, make([]puzzle.Oriented, 0, 4), func(b []puzzle.Oriented) {
				// A place of this rim stands for its turns, which the board may not
				// have: a set of turned blocks counts each once.
				w := shape[0]
				for range 4 {
					blocks[name][blockOf(w, b)] = true
					b, w = turnBlock(w, b)
				}
			})
		}
	}
	count := map[string]int64{}
	for name, set := range blocks {
		count[name] = int64(len(set))
	}
	return count
}

func twinName(p *puzzle.Puzzle, cells []int) string {
	names := map[int]string{0: "interior", 1: "edge", 2: "corner", 3: "end", 4: "whole"}
	of := func(sides map[int]bool) string {
		if len(sides) == 2 && (sides[0] && sides[2] || sides[1] && sides[3]) {
			return "strip"
		}
		return names[len(sides)]
	}
	sides := func(cells ...int) map[int]bool {
		m := map[int]bool{}
		for _, cell := range cells {
			for side := range 4 {
				if p.Neighbour(cell, side) < 0 {
					m[side] = true
				}
			}
		}
		return m
	}
	size := "2x2 "
	if len(cells) == 2 {
		size = "1x2 "
	}
	switch {
	case !p.Framed():
		return size + "anywhere"
	case len(cells) == 4:
		return size + of(sides(cells...))
	}
	a, b := of(sides(cells[0])), of(sides(cells[1]))
	order := map[string]int{"whole": 0, "end": 1, "strip": 2, "corner": 3, "edge": 4, "interior": 5}
	if order[a] > order[b] {
		a, b = b, a
	}
	return size + a + "-" + b
}

func fill(p *puzzle.Puzzle, cells []int, placed []puzzle.Oriented, yield func([]puzzle.Oriented)) {
	if len(placed) == len(cells) {
		yield(placed)
		return
	}
next:
	for _, o := range p.Fits(cells[len(placed)]) {
		for i, q := range placed {
			if q.Piece == o.Piece {
				continue next
			}
			for side := range 4 {
				if p.Neighbour(cells[len(placed)], side) == cells[i] && (o.Edges[side] == puzzle.Grey || o.Edges[side] != q.Edges[side^2]) {
					continue next
				}
			}
		}
		fill(p, cells, append(placed, o), yield)
	}
}

// block tells blocks apart by their width, their pieces and the colours of
// those, row by row.
type block struct {
	width int
	cells [4]puzzle.Oriented
}

func blockOf(width int, b []puzzle.Oriented) block {
	k := block{width: width}
	for i, o := range b {
		k.cells[i] = puzzle.Oriented{Piece: o.Piece, Edges: o.Edges}
	}
	return k
}

// turnBlock turns a block clockwise by a quarter.
func turnBlock(width int, b []puzzle.Oriented) ([]puzzle.Oriented, int) {
	height := len(b) / width
	out := make([]puzzle.Oriented, len(b))
	for i, o := range b {
		x, y := i%width, i/width
		out[x*height+height-1-y] = puzzle.Oriented{Piece: o.Piece, Edges: o.Edges.Rotated(1)}
	}
	return out, height
}

func BenchmarkCensus(b *testing.B) {
	for range b.N {
		All(puzzle.Official())
	}
}
