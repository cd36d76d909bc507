package game

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// maxPly bounds how far a search looks ahead, in plies.
const maxPly = 128

// MaxDepth is the greatest depth that can be asked for.
const MaxDepth = 100

// Limit bounds a search. Where several are given the first that is reached ends
// it; where none is, the context does, or depth MaxDepth.
type Limit struct {
	Depth int
	Nodes int64
	Soft  time.Duration // begin no further depth after this; 0 for half of Hard
	Hard  time.Duration // stop within a millisecond or so
}

// Check tells what is wrong with a limit.
func (l Limit) Check() error {
	switch {
	case l.Depth < 0 || l.Depth > MaxDepth:
		return fmt.Errorf("depth %d, want 1 to %d", l.Depth, MaxDepth)
	case l.Nodes < 0:
		return fmt.Errorf("%d nodes, want 1 or more", l.Nodes)
	case l.Soft < 0 || l.Hard < 0:
		return fmt.Errorf("%v or %v, want a positive duration such as 100ms", l.Soft, l.Hard)
	}
	return nil
}

// Counts say where a search invested.
type Counts struct {
	Nodes      int64 `json:"nodes"`       // positions entered, those of quiescence too
	TableCuts  int64 `json:"table_cuts"`  // answered by the table
	NullMoves  int64 `json:"null_moves"`  // tried
	NullCuts   int64 `json:"null_cuts"`   // that said the position is good enough
	Verified   int64 `json:"verified"`    // of these, those that a search confirmed
	Zugzwangs  int64 `json:"zugzwangs"`   // and those that it refuted
	Reduced    int64 `json:"reduced"`     // moves searched less deep
	Again      int64 `json:"again"`       // of these, those that were searched again
	Extended   int64 `json:"extended"`    // moves searched deeper
	FirstCuts  int64 `json:"first_cuts"`  // cuts by the first move
	LaterCuts  int64 `json:"later_cuts"`  // and by others
	QuietNodes int64 `json:"quiet_nodes"` // of the nodes, those of quiescence
}

// Result is what a search has found.
type Result struct {
	Move  Move // the best one
	Value Points
	Depth int    // searched to its end
	Line  []Move // best play for both, from the position on
	Counts
	Elapsed time.Duration
	Stopped bool // by the limit or the context, in the middle of a depth
}

// Search searches positions with its settings, and remembers from one to the next
// what it has learned. It is for one goroutine.
type Search struct {
	settings Settings
	board    Board
	table    *table
	order    orderer
	counts   Counts
	depth    int // of this iteration

	most    int64 // nodes, for the next look at the clock
	limit   Limit
	began   time.Time
	ctx     context.Context
	stopped bool

	rooms [maxPly]room
}

// room is what a ply needs, kept so that nothing is allocated.
type room struct {
	moves  []Move
	ranked []ranked
	line   []Move
}

// New returns a search with these settings.
func New(s Settings) (*Search, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	x := &Search{settings: s}
	if s.Table > 0 {
		x.table = newTable(s.Table)
	}
	x.Forget()
	return x, nil
}

// Forget makes the search as new: what follows does not depend on what it has
// searched before.
func (s *Search) Forget() {
	if s.table != nil {
		s.table.forget()
	}
	s.order.forget()
}

// Run finds the best move by iterative deepening. A game that is over is an error.
// With a limit of depth or nodes the result depends on nothing else; with one of
// time it depends on the machine. Told receives each depth's result when it is
// done, and may be nil.
func (s *Search) Run(ctx context.Context, b Board, limit Limit, told func(Result)) (Result, error) {
	if err := limit.Check(); err != nil {
		return Result{}, err
	}
	moves := b.Moves(nil)
	if len(moves) == 0 {
		return Result{}, fmt.Errorf("the game is over: there is no move to search")
	}
	s.begin(ctx, b, limit)
	r := Result{Move: moves[0], Line: moves[:1:1], Value: b.Value()}
	for depth := 1; depth <= s.limit.Depth; depth++ {
		s.depth = depth
		v := s.node(-infinite, infinite, depth, 0, 0)
		if s.stopped {
			r.Stopped = true
			break
		}
		r.Value, r.Depth, r.Line = v, depth, slices.Clone(s.rooms[0].line)
		r.Move, r.Counts, r.Elapsed = r.Line[0], s.counts, time.Since(s.began)
		if told != nil {
			told(r)
		}
		if s.enough(r, len(moves)) {
			break
		}
	}
	r.Counts, r.Elapsed = s.counts, time.Since(s.began)
	return r, nil
}

// Test searches to one depth with a null window, and tells whether the position is
// worth at least so much to the side to move. That is the cheapest question that
// can be asked.
func (s *Search) Test(ctx context.Context, b Board, depth int, bound Points) (bool, Counts, error) {
	if err := (Limit{Depth: depth}).Check(); err != nil {
		return false, Counts{}, err
	}
	s.begin(ctx, b, Limit{Depth: depth})
	s.depth = depth
	v := s.node(bound-1, bound, depth, 0, 0)
	if s.stopped {
		return false, s.counts, context.Cause(ctx)
	}
	return v >= bound, s.counts, nil
}

// begin makes ready for a search.
func (s *Search) begin(ctx context.Context, b Board, limit Limit) {
	if limit.Depth == 0 {
		limit.Depth = MaxDepth
	}
	if limit.Soft == 0 {
		limit.Soft = limit.Hard / 2
	}
	s.board, s.limit, s.ctx, s.began = b, limit, ctx, time.Now()
	s.counts, s.stopped, s.depth = Counts{}, false, 1
	s.order.fade()
	if s.table != nil {
		s.table.age++
	}
	s.most = 0
	s.look()
}

// enough tells whether another depth is not worth beginning.
func (s *Search) enough(r Result, moves int) bool {
	switch {
	case s.limit.Hard > 0 && moves == 1:
		return true
	case s.limit.Soft > 0 && r.Elapsed >= s.limit.Soft:
		return true
	case s.limit.Nodes > 0 && s.counts.Nodes >= s.limit.Nodes:
		return true
	}
	return false
}

// between is how many nodes lie between two looks at the clock.
const between = 2048

// look asks whether the search is to stop, and says after how many nodes to ask
// again. Limits let depth 1 be finished, so that there is a move.
func (s *Search) look() {
	n := s.counts.Nodes
	s.most = n + between
	if s.limit.Nodes > 0 {
		s.most = min(s.most, max(s.limit.Nodes, n+1))
	}
	spent := s.limit.Nodes > 0 && n >= s.limit.Nodes || s.limit.Hard > 0 && time.Since(s.began) >= s.limit.Hard
	s.stopped = s.ctx.Err() != nil || spent && s.depth > 1
}
