package engine

import (
	"lastmile/draw"
)

// stampsQuestion lists colours, 0 for grey.
type stampsQuestion struct {
	Colours []uint8 `json:"colours"`
}

// stampsAnswer is what a page draws boards with: the project's own motifs.
type stampsAnswer struct {
	Unit  int                    `json:"unit"`
	Halfs map[uint8][]draw.Layer `json:"halfs"` // by colour: the triangle of the upper side
	Empty []draw.Layer           `json:"empty"`
	Joint []draw.Layer           `json:"joint"`
	Clue  []draw.Layer           `json:"clue"`
	Break []draw.Layer           `json:"break"` // on the upper side
}

func stamps(_ *Engine, q stampsQuestion) (stampsAnswer, error) {
	a := stampsAnswer{Unit: draw.Unit, Halfs: map[uint8][]draw.Layer{}}
	for _, c := range q.Colours {
		a.Halfs[c] = draw.Half(c)
	}
	a.Empty, a.Joint, a.Clue, a.Break = draw.Parts()
	return a, nil
}
