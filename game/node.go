package game

// How a node is searched.
type how uint8

const (
	afterNull how = 1 << iota // the move before was a null move
	noNull                    // try no null move here
	unguarded                 // null moves cut without being verified from here on
	looking                   // this search only looks ahead for another one

	inherited = unguarded | looking // by the nodes below
)

// node searches a position and returns its value: at least beta when it is beta or
// more, at most alpha when it is alpha or less, else exact.
func (s *Search) node(alpha, beta Points, depth, ply int, h how) Points {
	room := &s.rooms[ply]
	room.line = room.line[:0]
	if depth <= 0 || ply == maxPly-1 {
		return s.leaf(alpha, beta, 0, ply)
	}
	if s.counts.Nodes++; s.counts.Nodes >= s.most {
		if s.look(); s.stopped {
			return 0
		}
	}
	b := s.board
	var key uint64
	remembered := none
	if s.table != nil {
		key = b.Key()
		if e := s.table.find(key); e != nil {
			remembered = e.move
			v := Points(e.value)
			if ply > 0 && int(e.depth) >= depth &&
				(e.bound == exact || e.bound == atLeast && v >= beta || e.bound == atMost && v <= alpha) {
				s.counts.TableCuts++
				return v
			}
		}
	}
	full, verifying := depth, false
	if s.mayNull(beta, depth, h) {
		switch v, what := s.nullMove(beta, depth, ply, h); what {
		case cut:
			return v
		case verify:
			depth, h, verifying = depth-1, h|unguarded, true
		}
		if s.stopped {
			return 0
		}
	}
	room.moves = b.Moves(room.moves[:0])
	if len(room.moves) == 0 {
		return b.Value()
	}
	v, move := s.moves(alpha, beta, depth, ply, h, remembered)
	if verifying && !s.stopped {
		if v >= beta {
			s.counts.Verified++
		} else { // to pass would be better than any move: a zugzwang
			s.counts.Zugzwangs++
			depth, h = full, h&^unguarded
			v, move = s.moves(alpha, beta, depth, ply, h, move)
		}
	}
	if s.stopped {
		return 0
	}
	if s.table != nil { // with what moves are worth, never with what a null move says
		kind := exact
		switch {
		case v >= beta:
			kind = atLeast
		case v <= alpha:
			kind = atMost
		}
		s.table.keep(key, v, move, depth, kind)
	}
	return v
}

// moves tries the moves of a position, one after the other, and returns the value
// of the best, and the move if it is better than alpha.
func (s *Search) moves(alpha, beta Points, depth, ply int, h how, remembered Move) (Points, Move) {
	b, room := s.board, &s.rooms[ply]
	room.line = room.line[:0]
	room.ranked = s.order.rank(room.ranked[:0], room.moves, b, remembered, ply)
	o := s.lookAhead(room.ranked, depth, ply, h)
	if s.stopped {
		return 0, none
	}
	best, bestMove := -infinite, none
	h &= inherited
	for i := range room.ranked {
		r := next(room.ranked, i)
		more := s.invest(&o, r, i, depth, ply)
		b.Play(r.move)
		var v Points
		if i == 0 {
			v = -s.node(-beta, -alpha, depth-1+more, ply+1, h)
		} else {
			v = -s.node(-alpha-1, -alpha, depth-1+more, ply+1, h)
			if v > alpha && more < 0 {
				s.counts.Again++
				more = 0
				v = -s.node(-alpha-1, -alpha, depth-1, ply+1, h)
			}
			if v > alpha && v < beta {
				v = -s.node(-beta, -alpha, depth-1+more, ply+1, h)
			}
		}
		b.Undo()
		if s.stopped {
			return 0, none
		}
		best = max(best, v)
		if v <= alpha {
			continue
		}
		alpha, bestMove = v, r.move
		room.line = append(append(room.line[:0], r.move), s.rooms[ply+1].line...)
		if v < beta {
			continue
		}
		if i == 0 {
			s.counts.FirstCuts++
		} else {
			s.counts.LaterCuts++
		}
		s.order.cut(r.move, b.Gain(r.move), ply, depth)
		break
	}
	return best, bestMove
}

// leaf returns the value of a position where the search ends. Loud moves, if they
// are asked for, are tried first: either side may also leave things as they are.
func (s *Search) leaf(alpha, beta Points, depth, ply int) Points {
	if s.counts.Nodes++; s.counts.Nodes >= s.most {
		if s.look(); s.stopped {
			return 0
		}
	}
	b := s.board
	v := b.Value()
	if s.settings.Quiet == 0 || v >= beta || depth == maxQuiet || ply == maxPly-1 {
		return v
	}
	room := &s.rooms[ply]
	room.moves = b.Moves(room.moves[:0])
	room.ranked = room.ranked[:0]
	for _, m := range room.moves {
		if gain := b.Gain(m); gain >= s.settings.Quiet {
			room.ranked = append(room.ranked, ranked{rank: int32(gain), move: m})
		}
	}
	best := v
	for i := range room.ranked {
		alpha = max(alpha, best)
		b.Play(next(room.ranked, i).move)
		v := -s.leaf(-beta, -alpha, depth+1, ply+1)
		b.Undo()
		if s.stopped {
			return 0
		}
		s.counts.QuietNodes++
		if best = max(best, v); best >= beta {
			break
		}
	}
	return best
}

// maxQuiet bounds quiescence, in plies: in some games every move is loud.
const maxQuiet = 8
