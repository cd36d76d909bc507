package game

// minLook is the depth from which a look ahead can pay: half of it must be a search.
const minLook = 4

// outlook is what a look ahead has told of a position.
type outlook struct {
	known bool
	own   Points // the value of the position before any move
	alone Move   // the one good move, if there is no other
}

// lookAhead searches each move to half the depth, enters what that tells, and
// ranks the moves by it.
func (s *Search) lookAhead(list []ranked, depth, ply int, h how) outlook {
	o := outlook{alone: none}
	bad, good, singular := s.settings.Bad, s.settings.Good, s.settings.Singular
	if bad+good+singular == 0 || depth < minLook || len(list) < 2 || h&looking != 0 {
		return o
	}
	b := s.board
	o.known, o.own = true, b.Value()
	best, second := -infinite, -infinite
	for i := range list {
		r := &list[i]
		low, high := infinite, -infinite // what the value is to be told from
		if bad > 0 {
			low, high = min(low, o.own-bad), max(high, o.own-bad+1)
		}
		if good > 0 {
			low, high = min(low, o.own+good-1), max(high, o.own+good)
		}
		if singular > 0 {
			low, high = min(low, best-singular), infinite
		}
		low = max(low, -infinite)
		b.Play(r.move)
		r.look = -s.node(-high, -low, (depth-1)/2, ply+1, h&inherited|looking)
		b.Undo()
		if s.stopped {
			return o
		}
		switch {
		case r.look > best:
			best, second, o.alone = r.look, best, r.move
		case r.look > second:
			second = r.look
		}
	}
	if singular == 0 || best-second < singular {
		o.alone = none
	}
	for i := range list {
		list[i].rank = list[i].look
	}
	return o
}

// invest returns by how many plies a move is to be searched deeper than others,
// or less deep. Where that could end a game tree too late, it is not.
func (s *Search) invest(o *outlook, r ranked, i, depth, ply int) (more int) {
	set := &s.settings
	switch {
	case o.known && set.Bad > 0 && r.look <= o.own-set.Bad && i > 0:
		more = (depth-1)/2 - (depth - 1)
	case o.known && set.Good > 0 && r.look >= o.own+set.Good:
		more = max(1, depth/5)
	case r.move == o.alone:
		more = 1
	case set.Late && i >= 3 && depth >= 3 && r.rank < 2*rankGain:
		more = -1
		if i >= 8 && depth >= 5 {
			more = -2
		}
	}
	switch {
	case more > 0 && ply+depth+more > 2*s.depth:
		return 0
	case more > 0:
		s.counts.Extended++
	case more < 0:
		s.counts.Reduced++
	}
	return more
}
