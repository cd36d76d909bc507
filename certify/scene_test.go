package certify_test

import (
	"fmt"
	"slices"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// scene is a random region of a small board, and what is true of it by
// enumeration alone.
type scene struct {
	name  string
	board *puzzle.Board // as it is given
	cells []int         // that are freed; the empty ones are not listed
	open  []int         // all cells of the region, ascending
	free  []int         // the pieces that stay nowhere
	*truth
}

// truth knows the fillings of a window.
type truth struct {
	byBreaks []int // fillings that look different piece by piece, by their breaks
	least    int
	fillings [][]puzzle.Placement // all, or the first ones
}

// newScene damages a generated board within what the frame rule allows.
func newScene(t testing.TB, number, most int) *scene {
	t.Helper()
	r := random.New(11, "scene", number)
	s := puzzle.Spec{Width: 2 + r.Below(4), Height: 2 + r.Below(4), Colours: 1 + r.Below(5), Seed: uint64(number)}
	switch r.Below(6) {
	case 0:
		s.Width, s.Height = 1+r.Below(2), 1+r.Below(8)
	case 1:
		s.RimColours = s.Colours
	}
	s.Unframed = r.Below(3) == 0
	if s.Unframed {
		s.RimColours = 0
	}
	p, solution, err := puzzle.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	grey := s.Unframed && r.Below(2) == 0
	if grey {
		p = greyed(t, p, uint8(1+r.Below(s.Colours)))
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	if p.Framed() && grey {
		b.Clear() // by chance: the solution may break the frame rule
		for _, cell := range upTo(p.Cells()) {
			for _, o := range p.Fits(cell) {
				if b.CellOf(int(o.Piece)) == puzzle.Empty {
					b.Place(cell, int(o.Piece), int(o.Rotation))
					break
				}
			}
		}
	}
	damage(r, b, r.Below(1+2*p.Cells()))

	x := &scene{board: b}
	k := min(p.Cells(), 2+r.Below(5))
	if r.Below(8) == 0 {
		k = 1
	}
	for _, cell := range pick(r, p, k) {
		if r.Below(6) == 0 {
			b.Remove(cell)
		} else {
			x.cells = append(x.cells, cell)
		}
	}
	x.name = fmt.Sprintf("scene %d: %+v, grey %t, framed %t, board %v, cells %v", number, s, grey, p.Framed(), b.Placements(nil), x.cells)
	for cell := range p.Cells() {
		if b.Piece(cell) == puzzle.Empty || slices.Contains(x.cells, cell) {
			x.open = append(x.open, cell)
		}
	}
	for piece := range p.Pieces {
		if at := b.CellOf(piece); at == puzzle.Empty || slices.Contains(x.open, at) {
			x.free = append(x.free, piece)
		}
	}
	if x.truth = x.enumerate(x.open, most); x.truth == nil {
		return nil
	}
	return x
}

// greyed is the puzzle with a colour painted grey, which then lies anywhere.
func greyed(t testing.TB, p *puzzle.Puzzle, colour uint8) *puzzle.Puzzle {
	t.Helper()
	pieces := slices.Clone(p.Pieces)
	for i := range pieces {
		for side, c := range pieces[i] {
			if c == colour {
				pieces[i][side] = puzzle.Grey
			}
		}
	}
	p, err := puzzle.New(p.Name, p.Width, p.Height, pieces, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// damage exchanges and turns pieces, within the frame rule.
func damage(r *random.Stream, b *puzzle.Board, times int) {
	p := b.Puzzle()
	for range times {
		x, y, rx, ry := r.Below(p.Cells()), r.Below(p.Cells()), r.Below(4), r.Below(4)
		if b.Piece(x) != puzzle.Empty && b.Piece(y) != puzzle.Empty &&
			(x != y && p.FitsAt(x, b.Piece(y), rx) && p.FitsAt(y, b.Piece(x), ry) || x == y && p.FitsAt(x, b.Piece(x), rx)) {
			b.Swap(x, rx, y, ry)
		}
	}
}

// pick draws cells: scattered, or grown together from one, often a corner.
func pick(r *random.Stream, p *puzzle.Puzzle, k int) []int {
	cells := upTo(p.Cells())
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	if r.Below(3) == 0 {
		return cells[:k]
	}
	if r.Below(2) == 0 {
		cells[0] = []int{0, p.Width - 1, p.Cells() - p.Width, p.Cells() - 1}[r.Below(4)]
	}
	grown := cells[:1:1]
	for len(grown) < k {
		n := p.Neighbour(grown[r.Below(len(grown))], r.Below(4))
		if n >= 0 && !slices.Contains(grown, n) {
			grown = append(grown, n)
		}
	}
	return grown
}

// upTo is 0 to n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// enumerate tries every free piece on every cell of a window in every rotation.
// It gives up, with nil, where there are more fillings than most.
func (x *scene) enumerate(window []int, most int) *truth {
	p := x.board.Puzzle()
	width, height := p.Width, p.Height
	const nothing = -1
	side := make([][4]int, p.Cells()) // the colours on the board, nothing on open cells
	for cell := range side {
		side[cell] = [4]int{nothing, nothing, nothing, nothing}
		if !slices.Contains(x.open, cell) {
			side[cell] = turned(p.Pieces[x.board.Piece(cell)], x.board.Rotation(cell))
		}
	}
	w := &truth{byBreaks: make([]int, 4*len(window)+1), least: -1}
	used := map[int]bool{}
	var path []puzzle.Placement
	count := 0
	var fill func(depth, breaks int) bool
	fill = func(depth, breaks int) bool {
		if depth == len(window) {
			if count++; count > most {
				return false
			}
			w.byBreaks[breaks]++
			if len(w.fillings) < 5000 {
				w.fillings = append(w.fillings, slices.Clone(path))
			}
			return true
		}
		cell := window[depth]
		row, column := cell/width, cell%width
		rim := [4]bool{row == 0, column == width-1, row == height-1, column == 0}
		beyond := [4]int{cell - width, cell + 1, cell + width, cell - 1}
		for _, piece := range x.free {
			if used[piece] {
				continue
			}
			var seen [4][4]int
			for turn := range 4 {
				look := turned(p.Pieces[piece], turn)
				if seen[turn] = look; slices.Contains(seen[:turn], look) {
					continue
				}
				cost, fits := 0, true
				for s := range 4 {
					if p.Framed() && (look[s] == 0) != rim[s] {
						fits = false
					}
					if rim[s] {
						continue
					}
					if theirs := side[beyond[s]][(s+2)%4]; theirs != nothing && (look[s] != theirs || look[s] == 0) {
						cost++
					}
				}
				if !fits {
					continue
				}
				used[piece], side[cell] = true, look
				path = append(path, puzzle.Placement{Cell: cell, Piece: piece, Rotation: turn})
				more := fill(depth+1, breaks+cost)
				path = path[:len(path)-1]
				used[piece], side[cell] = false, [4]int{nothing, nothing, nothing, nothing}
				if !more {
					return false
				}
			}
		}
		return true
	}
	if !fill(0, 0) {
		return nil
	}
	w.least = slices.IndexFunc(w.byBreaks, func(n int) bool { return n > 0 })
	return w
}

// turned is a piece after clockwise quarter turns: what was up goes to the right.
func turned(e puzzle.Edges, turns int) (look [4]int) {
	for side, colour := range e {
		look[(side+turns)%4] = int(colour)
	}
	return look
}

// breaks counts what a filling of a window breaks, seam by seam.
func (x *scene) breaks(window []int, filling []puzzle.Placement) (n int) {
	p := x.board.Puzzle()
	at := map[int][4]int{}
	for cell := range p.Cells() {
		if !slices.Contains(x.open, cell) {
			at[cell] = turned(p.Pieces[x.board.Piece(cell)], x.board.Rotation(cell))
		}
	}
	for _, q := range filling {
		at[q.Cell] = turned(p.Pieces[q.Piece], q.Rotation)
	}
	for cell := range p.Cells() {
		for _, s := range []int{1, 2} { // the seams to the right and down
			other := cell + 1
			if s == 2 {
				other = cell + p.Width
			}
			if s == 1 && cell%p.Width == p.Width-1 || other >= p.Cells() {
				continue
			}
			if !slices.Contains(window, cell) && !slices.Contains(window, other) {
				continue
			}
			a, here := at[cell]
			b, there := at[other]
			if here && there && (a[s] != b[(s+2)%4] || a[s] == 0) {
				n++
			}
		}
	}
	return n
}

// eachScene runs a test on so many scenes, each with its own number.
func eachScene(t *testing.T, n, most int, run func(number int, x *scene)) {
	t.Helper()
	for number, done := 0, 0; done < n; number++ {
		if x := newScene(t, number, most); x != nil {
			run(number, x)
			done++
		}
		if t.Failed() {
			return
		}
	}
}
