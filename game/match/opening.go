package match

import (
	"fmt"

	"lastmile/game/virus"
	"lastmile/random"
)

// Opening is how a pair of games begins.
type Opening struct {
	Moves    []virus.Move
	Position virus.Position // after them
}

// Bounds of the search for an opening.
const (
	MaxPlies = 40 // of an opening
	redraws  = 64 // at one length
	longer   = 8  // plies that an opening may be longer than asked for
)

// Openings draws the openings of a match: random legal moves, so many plies long,
// opening k from the random stream k of the seed. One that ends the game is drawn
// again, and so is one that leads to the position of an earlier one, or to its
// mirror image: deterministic players would play the same games. Where all
// that are found at a length have been drawn, openings become two plies longer;
// where even that does not help they repeat.
type Openings struct {
	start virus.Position
	plies int
	seed  uint64
	seen  map[virus.Shape]bool
	drawn int
}

// NewOpenings returns the openings from a position.
func NewOpenings(start virus.Position, plies int, seed uint64) (*Openings, error) {
	switch {
	case plies < 0 || plies > MaxPlies:
		return nil, fmt.Errorf("openings of %d plies, want 0 to %d", plies, MaxPlies)
	case start.Over():
		return nil, fmt.Errorf("the game is over in position %s, want one to play from", start.FEN())
	}
	return &Openings{start: start, plies: plies, seed: seed, seen: map[virus.Shape]bool{}}, nil
}

// Next draws the next opening.
func (o *Openings) Next() (Opening, error) {
	stream := random.New(o.seed, "openings", o.drawn)
	o.drawn++
	lengths := 1 + longer/2
	if o.plies == 0 {
		lengths = 1 // that is the start, and nothing else is meant
	}
	var again *Opening
	for i := range lengths {
		for range redraws {
			next := o.draw(stream, o.plies+2*i)
			if next.Position.Over() {
				continue
			}
			if k := next.Position.Shape(); !o.seen[k] {
				o.seen[k] = true
				return next, nil
			}
			if again == nil {
				again = &next
			}
		}
	}
	if again == nil {
		return Opening{}, fmt.Errorf("no opening of %d plies from %s found that does not end the game, want fewer plies", o.plies, o.start.FEN())
	}
	return *again, nil
}

// pair draws the opening of the next pair.
func (o *Openings) pair() (p Pair, err error) {
	p.Number = o.drawn
	p.Opening, err = o.Next()
	p.different = len(o.seen)
	return p, err
}

// draw plays random moves.
func (o *Openings) draw(stream *random.Stream, plies int) Opening {
	p := Opening{Position: o.start}
	var room [256]virus.Move
	for range plies {
		moves := p.Position.Moves(room[:0])
		if len(moves) == 0 {
			break
		}
		m := moves[stream.Below(len(moves))]
		p.Moves, p.Position = append(p.Moves, m), p.Position.Play(m)
	}
	return p
}
