package virus

import "lastmile/game"

// Features of a position, seen by the side to move: each is a difference between
// the two sides, but for the last two.
const (
	Material = iota // stones
	Mobility        // squares that stones can clone to
	Frontier        // stones with an empty square beside them
	Exposed         // stones beside a square that the other side can clone to
	Parity          // 1 if an odd number of squares is empty, else -1
	Tempo           // 1
	features
)

// FeatureNames are their names, in order.
var FeatureNames = [features]string{"material", "mobility", "frontier", "exposed", "parity", "tempo"}

// Features counts what an evaluation looks at.
func (p *Position) Features() (f [features]int) {
	empty := p.Empty()
	beside := empty.spread()
	mine, others := p.own.spread()&empty, p.other.spread()&empty
	f[Material] = p.Margin()
	f[Mobility] = mine.Count() - others.Count()
	f[Frontier] = (p.own & beside).Count() - (p.other & beside).Count()
	f[Exposed] = (p.own & others.spread()).Count() - (p.other & mine.spread()).Count()
	f[Parity] = empty.Count()&1*2 - 1
	f[Tempo] = 1
	return f
}

// phases is the number of stages of a game that have weights of their own: equal
// parts of the board by the squares that are empty, the last part first.
const phases = 8

// Weights value positions.
type Weights struct {
	Win   game.Points                   // added for a game that is won
	Parts [phases][features]game.Points // of the features, by phase
}

// phase of a position.
func (p *Position) phase() int {
	return min(phases*p.Empty().Count()/max(p.squares.Count(), 1), phases-1)
}

// Value estimates the margin at the end, in points, for the side to move. It is
// no greater than the board.
func (w *Weights) Value(p *Position) game.Points {
	f := p.Features()
	part := &w.Parts[p.phase()]
	var v game.Points
	for i, n := range f {
		v += game.Points(n) * part[i]
	}
	most := game.Points(p.squares.Count()) * Stone
	return min(max(v, -most), most)
}
