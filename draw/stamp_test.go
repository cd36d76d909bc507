package draw

import (
	"strings"
	"testing"
)

// The stamps for others are those of SVG documents, in another unit.
func TestStampsAreThoseOfSVG(t *testing.T) {
	for _, colour := range []uint8{0, 1, 22, 23, 200} {
		got := Half(colour)
		for i, l := range half(colour, 0) {
			if got[i].Path != outline(l.shape, Unit) || got[i].Fill != hexOf(l.ink) || got[i].Veil != 1 {
				t.Errorf("colour %d, layer %d: %+v", colour, i, got[i])
			}
		}
	}
	emptyCell, pieceJoint, clueMark, breakBar := Parts()
	for name, part := range map[string][]Layer{"empty": emptyCell, "joint": pieceJoint, "clue": clueMark, "break": breakBar} {
		for _, l := range part {
			if !strings.HasPrefix(l.Path, "M") || !strings.HasSuffix(l.Path, "Z") || l.Veil <= 0 || l.Veil > 1 {
				t.Errorf("%s: %+v", name, l)
			}
		}
	}
	if pieceJoint[0].Veil == 1 {
		t.Error("the line round a piece hides what is below")
	}
}
