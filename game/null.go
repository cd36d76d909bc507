package game

// outcome of a null move.
type outcome uint8

const (
	noCut  outcome = iota
	cut            // the position is good enough
	verify         // it seems so; one ply less will tell
)

// mayNull tells whether a null move may be tried. Its guards keep it from where not
// to move is often better than any move, and from where it would tell nothing.
func (s *Search) mayNull(beta Points, depth int, h how) bool {
	o, b := &s.settings, s.board
	switch {
	case o.Null == NoNull || h&noNull != 0 || beta == infinite:
		return false
	case h&afterNull != 0 && !o.Twice:
		return false
	case o.Null == VerifiedNull && h&unguarded == 0 && depth <= 1:
		return false // there is no ply less
	case b.Left() < max(o.Near, 1):
		return false
	}
	return !b.MustPass()
}

// nullMove lets the other side move twice. If even that does not bring the value
// below beta, the position is cut, or verified first.
func (s *Search) nullMove(beta Points, depth, ply int, h how) (Points, outcome) {
	b := s.board
	s.counts.NullMoves++
	b.Skip()
	v := -s.node(-beta, -beta+1, depth-1-s.settings.R, ply+1, h&inherited|afterNull)
	b.Undo()
	if s.stopped || v < beta {
		return v, noCut
	}
	s.counts.NullCuts++
	switch {
	case s.settings.Null == VerifiedNull && h&unguarded == 0:
		return v, verify
	case s.settings.Null == CheckedNull:
		w := s.node(beta-1, beta, depth-s.settings.R, ply, h&inherited|noNull)
		if s.stopped || w < beta {
			s.counts.Zugzwangs++
			return w, noCut
		}
		s.counts.Verified++
		return w, cut
	}
	return v, cut
}
