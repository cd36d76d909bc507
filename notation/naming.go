package notation

import (
	"fmt"
	"slices"
	"strings"

	"lastmile/puzzle"
)

// samePieces tells whether two puzzles have the same size and the same pieces
// under the same numbers and rotations.
func samePieces(p, q *puzzle.Puzzle) bool {
	return p == q || p.Width == q.Width && p.Height == q.Height && slices.Equal(p.Pieces, q.Pieces)
}

// isOfficialSet tells whether the pieces are the official ones under any
// numbers and rotations.
func isOfficialSet(p *puzzle.Puzzle) bool {
	official := puzzle.Official()
	if p.Width != official.Width || p.Height != official.Height {
		return false
	}
	return sameSet(p.Pieces, official.Pieces)
}

func sameSet(a, b []puzzle.Edges) bool {
	if len(a) != len(b) {
		return false
	}
	count := make(map[puzzle.Edges]int, len(a))
	for _, e := range a {
		c, _ := e.Canonical()
		count[c]++
	}
	for _, e := range b {
		c, _ := e.Canonical()
		if count[c]--; count[c] < 0 {
			return false
		}
	}
	return true
}

// given is the piece set of the options, in the numbers of its text.
func (o Options) given() *puzzle.Puzzle {
	if o.Puzzle == nil {
		return puzzle.Official()
	}
	return o.Puzzle
}

// naming is the piece set of the options in the numbers that documents use.
func (o Options) naming() *puzzle.Puzzle {
	p := o.given()
	if !samePieces(p, puzzle.Official()) && isOfficialSet(p) {
		return puzzle.Official()
	}
	return p
}

func sameSize(p *puzzle.Puzzle, g *puzzle.Grid) bool {
	return p.Width == g.Width && p.Height == g.Height
}

func filledCells(g *puzzle.Grid) int {
	n := 0
	for _, f := range g.Filled {
		if f {
			n++
		}
	}
	return n
}

// nameLetters decides which colours the letters stand for, then names the
// pieces. The declared order of motifs stands unless another leaves clearly
// fewer foreign pieces; a few cells may fit another order by chance. An order
// that names nothing is artwork: the letters are then the colours.
func (d *Document) nameLetters(raw *puzzle.Grid, declared order, numbers []int, o Options) {
	p := o.naming()
	filled := filledCells(raw)
	const clearly = 4
	best := orders[0]
	if filled > 0 && sameSize(p, raw) {
		foreign := func(m order) int { return len(p.Identify(m.translate(raw)).Foreign) }
		best = declared
		fewest := foreign(declared)
		said := fewest
		for _, m := range orders {
			if n := foreign(m); n < fewest && n+clearly <= said {
				best, fewest = m, n
			}
		}
		switch {
		case fewest == filled || filled == len(raw.Filled) && 2*fewest > filled:
			best = orders[0] // no order makes it a board of this set
		case best.name != declared.name && 2*fewest > filled:
			best = declared // a few cells fit by chance
		case best.name != declared.name:
			d.warn("letters read in the order %s: it leaves %s, the order %s leaves %d",
				best.name, counted(fewest, "foreign piece"), declared.name, said)
		}
	}
	if filled > 0 && best.name == orders[0].name && declared.name != best.name {
		d.warn("motifs_order %s taken for artwork only: the letters as they stand are read as the colours", declared.name)
	}
	d.Grid = best.translate(raw)
	d.name(p, numbers)
}

// name names the pieces of the grid by p, or by a set of their own. numbers,
// when given, holds for each cell the number that the text says, from 0, or
// Empty; among pieces that look the same it decides.
func (d *Document) name(p *puzzle.Puzzle, numbers []int) {
	d.settleSet(p, numbers)
	d.warnOrientation(p)
}

func (d *Document) settleSet(p *puzzle.Puzzle, numbers []int) {
	g := d.Grid
	filled := filledCells(g)
	full := filled == len(g.Filled)
	var foreign int
	if sameSize(p, g) {
		if foreign = len(p.Identify(g).Foreign); !full || 2*foreign <= filled {
			d.nameBy(p, numbers)
			return
		}
	}
	switch {
	case !full:
		d.warn("no piece set of %dx%d is given: the pieces have no numbers", g.Width, g.Height)
		return
	case d.recognise(p):
		return
	case sameSize(p, g):
		d.warn("other piece set: %d of %d pieces are not of %s", foreign, filled, setName(p))
	default:
		d.warn("other piece set: the board is %dx%d, %s is %dx%d", g.Width, g.Height, setName(p), p.Width, p.Height)
	}
	d.ownSet, d.ownNumbers = true, !isPermutation(numbers, len(g.Edges))
	d.nameBy(ownSet(d.Name, g, numbers), numbers)
}

// recognise names the pieces of a full board that is no board of p by the
// official set, if they are that in any colours.
func (d *Document) recognise(p *puzzle.Puzzle) bool {
	g := d.Grid
	official := puzzle.Official()
	if !sameSize(official, g) {
		return false
	}
	colours, ok := officialColours(g.Edges)
	if !ok {
		return false
	}
	if !samePieces(p, official) {
		d.warn("other piece set: the pieces are the official set, not those of %s", setName(p))
	}
	if !colours.Identity() {
		d.warn("the pieces are the official set in other colours, which are translated")
		d.Grid = recolour(g, colours)
	}
	d.nameBy(official, nil)
	return true
}

// compareSet tells whether the document is of the set of the options.
func (d *Document) compareSet(p *puzzle.Puzzle, o Options) {
	q := d.Puzzle
	d.OtherSet = q != p && (q == nil || q.Width != p.Width || q.Height != p.Height || !sameSet(q.Pieces, p.Pieces))
	if d.OtherSet && o.Puzzle != nil && !slices.ContainsFunc(d.Warnings, isOtherSet) {
		d.warn("other piece set: the pieces are not those of %s", setName(p))
	}
}

// nameBy names the pieces of the grid by p and warns of what does not fit.
func (d *Document) nameBy(p *puzzle.Puzzle, numbers []int) {
	g := d.Grid
	d.Puzzle, d.Official = p, samePieces(p, puzzle.Official())
	d.ID = p.Identify(g)
	if numbers != nil {
		preferNumbers(p, g, d.ID.Placements, numbers)
	}
	if n := len(d.ID.Foreign); n > 0 {
		d.warn("%s, %s", counted(n, "foreign piece"), cellsText(d.ID.Foreign))
	}
	if n := len(d.ID.Duplicates); n > 0 {
		d.warn("%s, %s: %s", counted(n, "duplicate"), cellsText(d.ID.Duplicates), d.duplicates())
	}
	if p.Framed() {
		if faults := g.Tally().RimFaults; len(faults) > 0 {
			d.warn("%s, %s: grey off the rim or colour on it", counted(len(faults), "rim fault"), cellsText(faults))
		}
	}
}

// duplicates says which piece lies on each of the cells, and where else.
func (d *Document) duplicates() string {
	p := d.Puzzle
	on := map[int][]int{} // cells of the named pieces, by class
	for _, q := range d.ID.Placements {
		on[p.Class(q.Piece)] = append(on[p.Class(q.Piece)], q.Cell)
	}
	first := map[puzzle.Edges]int{}
	for i := len(p.Pieces) - 1; i >= 0; i-- {
		c, _ := p.Pieces[i].Canonical()
		first[c] = i
	}
	var all []string
	for _, cell := range d.ID.Duplicates {
		c, _ := d.Grid.Edges[cell].Canonical()
		k := first[c]
		all = append(all, fmt.Sprintf("piece %d of cell %d lies on %s too", k+1, cell, cellsText(on[k])))
	}
	return joined(all)
}

func isOtherSet(s string) bool { return strings.Contains(s, "other piece set") }

func setName(p *puzzle.Puzzle) string {
	switch {
	case samePieces(p, puzzle.Official()):
		return "the official set"
	case p.Name == "":
		return "the given set"
	}
	return p.Name
}

// preferNumbers gives pieces that look the same the numbers that the text
// says, where it says usable ones.
func preferNumbers(p *puzzle.Puzzle, g *puzzle.Grid, placements []puzzle.Placement, numbers []int) {
	taken := make([]bool, len(p.Pieces))
	settled := make([]bool, len(placements))
	for i, q := range placements {
		if n := numbers[q.Cell]; n >= 0 && n < len(p.Pieces) && !taken[n] && p.Class(n) == p.Class(q.Piece) {
			taken[n], settled[i] = true, true
			placements[i].Piece = n
		}
	}
	free := make(map[int][]int) // by class, ascending
	for piece := range p.Pieces {
		if !taken[piece] {
			free[p.Class(piece)] = append(free[p.Class(piece)], piece)
		}
	}
	for i, q := range placements {
		if !settled[i] {
			class := p.Class(q.Piece)
			placements[i].Piece, free[class] = free[class][0], free[class][1:]
		}
		placements[i].Rotation = turnsTo(p.Pieces[placements[i].Piece], g.Edges[q.Cell])
	}
}

// turnsTo is the number of clockwise quarter turns that make e into f, or -1.
func turnsTo(e, f puzzle.Edges) int {
	for r := range 4 {
		if e.Rotated(r) == f {
			return r
		}
	}
	return -1
}

// ownSet is the set of the pieces on a full board, each in its least rotation.
// They have the numbers of the text where those are one for each piece, else
// the order of their edges, so that boards of the same pieces get the same set.
func ownSet(name string, g *puzzle.Grid, numbers []int) *puzzle.Puzzle {
	pieces := make([]puzzle.Edges, len(g.Edges))
	if isPermutation(numbers, len(pieces)) {
		for cell, n := range numbers {
			pieces[n], _ = g.Edges[cell].Canonical()
		}
	} else {
		for cell, e := range g.Edges {
			pieces[cell], _ = e.Canonical()
		}
		slices.SortFunc(pieces, func(a, b puzzle.Edges) int { return slices.Compare(a[:], b[:]) })
	}
	p, err := puzzle.New(name, g.Width, g.Height, pieces, nil)
	if err != nil {
		panic(fmt.Sprintf("notation: a grid within the limits makes no puzzle: %v", err))
	}
	return p
}

func isPermutation(numbers []int, n int) bool {
	if len(numbers) != n {
		return false
	}
	seen := make([]bool, n)
	for _, i := range numbers {
		if i < 0 || i >= n || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}
