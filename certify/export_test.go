package certify

import "io"

// The claim that a manifest makes in words, and what counting says.
var (
	ClaimOf = (*Region).claim
	Needs   = (*Region).needs
)

// Reseal makes a manifest that has been changed look whole.
func (m *Manifest) Reseal() { m.Seal = m.seal() }

// Parts are the two parts of a window, or nil of a single cell.
func Parts(cells []int, width int) (a, b []int) {
	w := windowOf(cells, width)
	if w.single() {
		return nil, nil
	}
	return w.parts[0].cells, w.parts[1].cells
}

// ContentOf is what a manifest says of a file.
func ContentOf(name string, data []byte) Content {
	m := measure(io.Discard, 0)
	m.Write(data)
	return m.content(name)
}
