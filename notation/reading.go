package notation

import (
	"fmt"
	"slices"

	"lastmile/puzzle"
)

// reading is a list under one order of sides and one colour for grey.
type reading struct {
	order  sides
	grey   int
	pieces []puzzle.Edges
	label  map[int]uint8     // colour of pieces by label of the text
	to     *puzzle.Colouring // to the official colours; nil unless it is the official set
	fits   bool              // the grey sides are what the rim asks for
}

// choose tries the orders of sides and the colours for grey: a reading that is
// the official set wins, then one whose grey fits the rim, then the plain one.
func (l *listed) choose() (*reading, error) {
	orders := sideOrders
	if l.ordered {
		orders = append([]sides{l.order}, orders...)
	}
	var first, fits *reading
	greys := l.greys()
	for _, order := range orders {
		for _, grey := range greys {
			r, err := l.under(order, grey)
			if err != nil {
				return nil, err
			}
			if first == nil {
				first = r
			}
			if !r.fits {
				continue
			}
			var official bool
			if r.to, official = officialColours(r.pieces); official {
				return r, nil
			}
			r.to = nil
			// On few cells another order or colour fits the rim by chance.
			plain := order == orders[0] && grey == l.grey
			if fits == nil && (plain || len(l.rows) >= 16 && (!l.ordered || order == l.order)) {
				fits = r
			}
		}
	}
	if fits != nil {
		return fits, nil
	}
	return first, nil
}

// greys are the colours that have as many sides as the rim, 0 first.
func (l *listed) greys() []int {
	greys := []int{l.grey}
	if l.greyKnown {
		return greys
	}
	count := map[int]int{}
	for _, row := range l.rows {
		for _, c := range row {
			count[c]++
		}
	}
	for c, n := range count {
		if c != l.grey && n == 2*(l.width+l.height) {
			greys = append(greys, c)
		}
	}
	slices.Sort(greys[1:])
	return greys[:min(len(greys), 8)]
}

// under reads the rows with the given order and grey.
func (l *listed) under(order sides, grey int) (*reading, error) {
	r := &reading{order: order, grey: grey}
	var err error
	if r.label, err = l.relabel(grey); err != nil {
		return nil, err
	}
	r.pieces = make([]puzzle.Edges, len(l.rows))
	for i, row := range l.rows {
		r.pieces[i] = order.edges([4]uint8{r.label[row[0]], r.label[row[1]], r.label[row[2]], r.label[row[3]]})
	}
	r.fits = greyFitsRim(l.width, l.height, r.pieces)
	return r, nil
}

// relabel gives colours for the labels of the text. They keep their values
// where they can; 0 and the label of grey change places; labels beyond a byte
// are numbered by size.
func (l *listed) relabel(grey int) (map[int]uint8, error) {
	label := map[int]uint8{}
	var labels []int
	for i, row := range l.rows {
		for _, c := range row {
			if _, seen := label[c]; !seen && c != grey {
				label[c] = 0
				labels = append(labels, c)
			}
		}
		if len(labels) > puzzle.MaxColours {
			return nil, fault(l.where(i), fmt.Sprintf("more than %d colours", puzzle.MaxColours), "fewer")
		}
	}
	label[grey] = puzzle.Grey
	if len(labels) == 0 {
		return label, nil
	}
	slices.Sort(labels)
	lowest, highest := labels[0], labels[len(labels)-1]
	for i, c := range labels {
		switch {
		case lowest >= 1 && highest <= puzzle.MaxColours:
			label[c] = uint8(c)
		case lowest == 0 && highest <= puzzle.MaxColours && grey >= 1 && grey <= puzzle.MaxColours:
			label[c] = uint8(c)
			if c == 0 {
				label[c] = uint8(grey)
			}
		default:
			label[c] = uint8(i + 1)
		}
	}
	return label, nil
}

// greyFitsRim compares the pieces by their grey sides with the cells.
func greyFitsRim(w, h int, pieces []puzzle.Edges) bool {
	p, err := puzzle.New("", w, h, pieces, nil)
	return err == nil && p.Framed()
}
