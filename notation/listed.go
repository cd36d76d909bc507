package notation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"lastmile/puzzle"
)

// listed is a list of pieces as a text has it, before anything is decided: the
// order of the sides, the colour that stands for grey, the size.
type listed struct {
	name          string
	width, height int // 0: not told
	rows          [][4]int
	lines         []int // the physical line of each row; nil where there are none
	order         sides
	ordered       bool // the text tells the order
	grey          int  // the label of grey, where the dialect tells it
	greyKnown     bool
	hints         []listedHint
	notes         []string // warnings of the parser
}

type listedHint struct {
	piece, cell, rotation int
}

// where names the place of a row in the text.
func (l *listed) where(row int) string {
	if l.lines == nil {
		return fmt.Sprintf("piece %d", row+1)
	}
	return fmt.Sprintf("line %d", l.lines[row])
}

// document decides the order of the sides and the colour of grey, recognises
// the official set, and builds the puzzle.
func (l *listed) document(o Options) (*Document, *reading, error) {
	d := &Document{Name: l.name, Warnings: l.notes}
	if len(l.rows) == 0 {
		return nil, nil, fault("", "no pieces", "a row for each piece")
	}
	if err := l.checkComplete(d, o); err != nil {
		return nil, nil, err
	}
	if err := l.findSize(d, o); err != nil {
		return nil, nil, err
	}
	r, err := l.choose()
	if err != nil {
		return nil, nil, err
	}
	if r.to != nil {
		return d, r, l.official(d, r)
	}
	if err := l.checkDamage(d, r, o.Lenient); err != nil {
		return nil, nil, err
	}
	if err := l.checkLabels(r); err != nil {
		return nil, nil, err
	}
	if !l.ordered && r.order != sideOrders[0] {
		d.warn("sides read in the order %s: only so does grey fit the rim", r.order)
	}
	if r.grey != l.grey {
		d.warn("colour %d is grey: it fits the rim and 0 does not", r.grey)
	}
	p, err := puzzle.New(l.name, l.width, l.height, r.pieces, nil)
	if err != nil {
		return nil, nil, fault("", err.Error(), "")
	}
	if slices.ContainsFunc(r.pieces, func(e puzzle.Edges) bool { return grey(e) != 0 }) && !p.Framed() {
		d.warn("the grey sides are not what the rim of %dx%d asks for%s", l.width, l.height, l.otherOrder(r))
	}
	if err := l.addHints(d, p); err != nil {
		return nil, nil, err
	}
	if q, err := p.WithClues(d.Hints); err == nil {
		p = q
	} else {
		d.warn("the hints are no clues of the puzzle: %v", err)
	}
	d.Puzzle, d.Listed = p, p
	if p.Width == 16 && p.Height == 16 {
		d.warn("other piece set: %s is not Eternity II", cmp.Or(p.Name, "this set"))
	}
	return d, r, nil
}

// checkComplete refuses a part of the official list that tells no size.
func (l *listed) checkComplete(d *Document, o Options) error {
	if l.width != 0 || len(l.rows) >= puzzle.Official().Cells() || o.Puzzle != nil && o.Puzzle.Cells() == len(l.rows) {
		return nil
	}
	return d.damaged(l.missingPieces(), o.Lenient)
}

// damaged refuses a damaged text, if it is one, or warns when read leniently.
func (d *Document) damaged(e *Error, lenient bool) error {
	switch {
	case e == nil:
		return nil
	case !lenient:
		return e
	}
	d.warn("%s", e)
	d.Damaged = true
	return nil
}

// otherOrder tells which order of sides would fit the rim where that of the
// text does not.
func (l *listed) otherOrder(r *reading) string {
	if !l.ordered || l.greyKnown {
		return ""
	}
	for _, order := range sideOrders {
		if q, err := l.under(order, r.grey); err == nil && q.fits {
			return fmt.Sprintf(": the sides are read as %s, which the text says, and would fit as %s", l.order, order)
		}
	}
	return ""
}

// findSize checks the size that the text gives, or infers it: a square, or the
// rectangle that has as many cells and as long a rim as the pieces ask for.
func (l *listed) findSize(d *Document, o Options) error {
	n := len(l.rows)
	if l.width == 0 {
		greys := 0
		for _, row := range l.rows {
			for _, c := range row {
				if c == l.grey {
					greys++
				}
			}
		}
		side := int(math.Sqrt(float64(n)))
		if side*side == n {
			l.width, l.height = side, side
		} else if p := o.Puzzle; p != nil && p.Cells() == n {
			l.width, l.height = p.Width, p.Height
		}
		for h := 1; h*h < n && greys != 2*(l.width+l.height); h++ {
			if n%h == 0 && 2*(n/h+h) == greys {
				l.width, l.height = n/h, h
				d.warn("no size given: %d pieces with %d grey sides are read as %d wide and %d high", n, greys, n/h, h)
			}
		}
		if l.width == 0 {
			return fault("", counted(n, "piece")+" and no size", "a square number of pieces, or a first row with width and height")
		}
	}
	if l.width < 1 || l.height < 1 || l.width > puzzle.MaxSide || l.height > puzzle.MaxSide || l.width*l.height > puzzle.MaxCells {
		return fault("", fmt.Sprintf("size %dx%d", l.width, l.height), fmt.Sprintf("sides of 1 to %d", puzzle.MaxSide))
	}
	if l.width*l.height != n {
		return fault("", counted(n, "piece"), fmt.Sprintf("%d for %dx%d", l.width*l.height, l.width, l.height))
	}
	return nil
}

// official makes the document of a list that is the official set, and says how
// the list differs from it.
func (l *listed) official(d *Document, r *reading) error {
	p := puzzle.Official()
	own := make([]puzzle.Edges, len(r.pieces))
	number := map[puzzle.Edges]int{}
	for i, e := range p.Pieces {
		c, _ := e.Canonical()
		number[c] = i
	}
	var moved []int
	var turns [4]int
	for i, e := range r.pieces {
		own[i] = r.to.Apply(e)
		c, _ := own[i].Canonical()
		k := number[c]
		if k != i {
			moved = append(moved, i+1)
		}
		turns[turnsTo(own[i], p.Pieces[k])]++
	}
	listed, err := puzzle.New(l.name, p.Width, p.Height, own, nil)
	if err != nil {
		return fault("", err.Error(), "")
	}
	d.Puzzle, d.Official, d.Listed = p, true, listed
	var how []string
	switch {
	case l.ordered && r.order != l.order:
		how = append(how, fmt.Sprintf("with sides in order %s; the text says %s and is wrong", r.order, l.order))
	case r.order != sideOrders[0]:
		how = append(how, "with sides in order "+r.order.String())
	}
	if r.grey != l.grey {
		how = append(how, fmt.Sprintf("grey is %d", r.grey))
	}
	if !r.to.Identity() {
		how = append(how, "colours are relabelled")
	}
	switch {
	case len(moved) == 2:
		how = append(how, fmt.Sprintf("pieces %d and %d are exchanged", moved[0], moved[1]))
	case len(moved) > 0:
		how = append(how, counted(len(moved), "piece")+" have other numbers")
	}
	switch most := slices.Max(turns[:]); {
	case turns[0] == len(own):
	case most == len(own):
		how = append(how, fmt.Sprintf("every piece is turned by %d degrees", 90*(4-slices.Index(turns[:], most))))
	default:
		how = append(how, "pieces are turned differently")
	}
	if len(how) > 0 {
		d.warn("official set: %s", strings.Join(how, "; "))
	}
	return l.addHints(d, listed)
}

// addHints names the hints of the list by d.Puzzle.
func (l *listed) addHints(d *Document, own *puzzle.Puzzle) error {
	name := own
	if d.Puzzle != nil {
		name = d.Puzzle
	}
	for _, h := range l.hints {
		look := own.Rotated(h.piece, h.rotation)
		q := puzzle.Placement{Cell: h.cell, Piece: h.piece, Rotation: h.rotation}
		if name != own {
			c, _ := look.Canonical()
			q.Piece = slices.IndexFunc(name.Pieces, func(e puzzle.Edges) bool { k, _ := e.Canonical(); return k == c })
			q.Rotation = turnsTo(name.Pieces[q.Piece], look)
		}
		for _, other := range d.Hints {
			if other.Cell == q.Cell || other.Piece == q.Piece {
				return fault(l.where(h.piece), fmt.Sprintf("a hint with piece %d on cell %d beside one with piece %d on cell %d", q.Piece+1, q.Cell, other.Piece+1, other.Cell), "each piece and each cell in one hint")
			}
		}
		d.Hints = append(d.Hints, q)
	}
	slices.SortFunc(d.Hints, func(a, b puzzle.Placement) int { return a.Cell - b.Cell })
	return nil
}
