package notation

import "lastmile/puzzle"

// warnOrientation says when a board looks like a photograph from the wrong
// side: mirrored, so that its pieces are of no set, or turned as a whole, so
// that its clues lie elsewhere. Nothing is turned back: the score is the same,
// and which side is meant is not ours to say.
func (d *Document) warnOrientation(p *puzzle.Puzzle) {
	g := d.Grid
	filled := filledCells(g)
	if filled == 0 || !sameSize(p, g) {
		return
	}
	if known, mirrored := filled-len(p.Identify(g).Foreign), filled-len(p.Identify(mirror(g)).Foreign); 2*known < filled && 2*mirrored > filled {
		d.warn("the board is a mirror image: mirrored back, %d of its %d pieces are of %s; the score is that of the board as it stands", mirrored, filled, setName(p))
		return
	}
	if p.Width != p.Height || len(p.Clues) == 0 {
		return
	}
	held := p.CluesHeld(g)
	for turns := 1; turns < 4; turns++ {
		g = turn(g)
		if n := p.CluesHeld(g); n > held {
			d.warn("the board is turned: turned clockwise by %d degrees it holds %s instead of %d", 90*turns, counted(n, "clue"), held)
			return
		}
	}
}

// mirror exchanges left and right.
func mirror(g *puzzle.Grid) *puzzle.Grid {
	m := puzzle.NewGrid(g.Width, g.Height)
	for cell, e := range g.Edges {
		row, column := cell/g.Width, cell%g.Width
		to := row*g.Width + g.Width - 1 - column
		m.Edges[to], m.Filled[to] = puzzle.Edges{e[puzzle.Up], e[puzzle.Left], e[puzzle.Down], e[puzzle.Right]}, g.Filled[cell]
	}
	return m
}

// turn turns a square board clockwise by a quarter turn.
func turn(g *puzzle.Grid) *puzzle.Grid {
	t := puzzle.NewGrid(g.Width, g.Height)
	for cell, e := range g.Edges {
		row, column := cell/g.Width, cell%g.Width
		to := column*g.Width + g.Width - 1 - row
		t.Edges[to], t.Filled[to] = e.Rotated(1), g.Filled[cell]
	}
	return t
}
