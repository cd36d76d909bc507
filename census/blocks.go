package census

import "lastmile/puzzle"

// TwoByTwo counts the 2×2 blocks by their place: "2x2 corner", "2x2 edge",
// "2x2 interior", "2x2 anywhere" where no frame rule holds, and on boards two
// cells wide "2x2 strip", "2x2 end" and "2x2 whole". Only kinds that the board
// has room for are listed.
func TwoByTwo(p *puzzle.Puzzle) []Count {
	var of [places]int64
	var room [places]bool
	for cell := range p.Cells() {
		right, down := p.Neighbour(cell, puzzle.Right), p.Neighbour(cell, puzzle.Down)
		if right < 0 || down < 0 {
			continue
		}
		opposite := p.Neighbour(right, puzzle.Down)
		rim := p.RimMask(cell) | p.RimMask(opposite)
		if k := place(p, rim); !room[k] {
			room[k] = true
			of[k] = rings(p, [4]int{cell, right, opposite, down})
			if p.Framed() {
				of[k] *= int64(turns(rim))
			}
		}
	}
	var list []Count
	for k, n := range of {
		if room[k] {
			list = append(list, Count{"2x2 " + placeNames[k], n})
		}
	}
	return list
}

// A step is how a piece in one rotation passes on the walk clockwise round a
// block: the colours of the seams by which the walk enters and leaves.
type step struct {
	in, out uint8
}

// rings is the number of ways to fill four cells, clockwise from the top left,
// with distinct pieces: closed walks of four steps, by inclusion and exclusion
// over which of the four pieces are the same. In the partition lattice of four
// things a set of k equal ones weighs (-1)^(k-1) (k-1)!: a pair -1, two pairs
// +1, three +2, four -6.
//
// The time is that of a few products of colour tables and 256 walks a piece.
// Sums wrap round at 64 bits, which does no harm: the end result fits.
func rings(p *puzzle.Puzzle, cells [4]int) int64 {
	n := p.Colours() + 1
	var steps [4][][]step // by cell and piece
	var one [4]table      // a step on cell k
	for k, cell := range cells {
		steps[k] = make([][]step, len(p.Pieces))
		one[k] = newTable(n)
		for _, o := range p.Fits(cell) {
			s := step{o.Edges[(k+2)&3], o.Edges[(k+1)&3]}
			if s.in != puzzle.Grey && s.out != puzzle.Grey {
				steps[k][o.Piece] = append(steps[k][o.Piece], s)
				one[k].add(s)
			}
		}
	}
	var two, same [4]table // steps on cells k and k+1, whichever pieces and the same piece
	for k := range 4 {
		two[k] = one[k].times(one[(k+1)&3])
		same[k] = newTable(n)
	}
	var three, four, across int64
	facing := map[[2]step]int64{} // one piece on cells 1 and 3
	for piece := range p.Pieces {
		on := func(k int) []step { return steps[k&3][piece] }
		for k := range 4 {
			for _, a := range on(k) {
				for _, b := range on(k + 1) {
					if a.out != b.in {
						continue
					}
					same[k].add(step{a.in, b.out})
					for _, c := range on(k + 2) {
						if b.out != c.in {
							continue
						}
						three += one[(k+3)&3].at(c.out, a.in)
						for _, d := range on(k + 3) {
							if k == 0 && c.out == d.in && d.out == a.in {
								four++
							}
						}
					}
				}
			}
		}
		for k := range 2 {
			for _, a := range on(k) {
				for _, c := range on(k + 2) {
					across += one[k+1].at(a.out, c.in) * one[(k+3)&3].at(c.out, a.in)
					if k == 1 {
						facing[[2]step{a, c}]++
					}
				}
			}
		}
	}
	total := two[0].closed(two[2]) + same[0].closed(same[2]) + same[1].closed(same[3])
	for k := range 4 {
		total -= same[k].closed(two[(k+2)&3])
	}
	for piece := range p.Pieces {
		for _, a := range steps[0][piece] {
			for _, c := range steps[2][piece] {
				total += facing[[2]step{{a.out, c.in}, {c.out, a.in}}]
			}
		}
	}
	return total - across + 2*three - 6*four
}

// A table counts walks by the colour at which they begin and end.
type table struct {
	n     int
	count []int64 // by n*in + out
}

func newTable(n int) table { return table{n, make([]int64, n*n)} }

func (t table) at(in, out uint8) int64 { return t.count[int(in)*t.n+int(out)] }

func (t table) add(s step) { t.count[int(s.in)*t.n+int(s.out)]++ }

// times gives the walks that go on from t through u.
func (t table) times(u table) table {
	v := newTable(t.n)
	for a := range t.n {
		row := v.count[a*t.n : (a+1)*t.n]
		for b := range t.n {
			if w := t.count[a*t.n+b]; w != 0 {
				for c, x := range u.count[b*t.n : (b+1)*t.n] {
					row[c] += w * x
				}
			}
		}
	}
	return v
}

// closed is the number of walks through t and u that come home.
func (t table) closed(u table) int64 {
	var sum int64
	for a := range t.n {
		for b := range t.n {
			sum += t.count[a*t.n+b] * u.count[b*t.n+a]
		}
	}
	return sum
}
