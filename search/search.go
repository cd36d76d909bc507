// Package search holds what every search shares: the budget that bounds it and
// the events by which it can be watched. A search never prints.
package search

import (
	"sync"
	"time"

	"lastmile/puzzle"
)

// Budget bounds a search. A zero field is no bound. A search that is bounded
// by counts alone gives the same result each time; one that is bounded by time
// is not reproducible.
type Budget struct {
	Time       time.Duration
	Iterations int64 // of a search that improves a board
	Nodes      int64 // of a search that builds one
}

// Reproducible tells whether counts alone bound the search.
func (b Budget) Reproducible() bool { return b.Time == 0 }

// Share is what falls to part i when total is shared out as evenly as whole
// numbers allow, the first parts getting one more.
func Share(total int64, parts, i int) int64 {
	share := total / int64(parts)
	if int64(i) < total%int64(parts) {
		share++
	}
	return share
}

// Kind says what an Event tells.
type Kind int

// The kinds of events.
const (
	Started  Kind = iota // a stage begins
	Progress             // a stage goes on; comes a few times a second at most
	Improved             // a better board than any before in this stage and stream; carries it
	Finished             // a stage ends
	Traced               // a moment of one walk of the polish stage, at an iteration that the seed fixes
)

// Event is a moment of a search.
type Event struct {
	Kind   Kind
	Stage  string // "beam", "finish", "polish", "exhaust"
	Detail string // of the stage: the order and width of a beam, say
	Stream int

	Score      int // of the board at hand
	Best       int // of the best board of this stage and stream
	Max        int // seams of the puzzle
	Done, Of   int64
	Unit       string  // of Done and Of: "cells", "nodes", "iterations"
	Rate       float64 // units a second; 0 when not known
	Operators  []Operator
	Repairs    []Repair
	Placements []puzzle.Placement // the board, with Improved; the receiver may keep it
}

// Operator is the account of one destroy operator.
type Operator struct {
	Name      string  `json:"name"`
	Weight    float64 `json:"weight"`    // how likely it is to be drawn, 0 to 1; where no chance is involved, how often it was of late
	Uses      int64   `json:"uses"`      // iterations that drew it
	Accepted  int64   `json:"accepted"`  // of those, how many changed the board and kept it
	Unchanged int64   `json:"unchanged"` // how many put every piece back where it was
	Improved  int64   `json:"improved"`  // of those accepted, how many gained seams
	Gain      int64   `json:"gain"`      // seams gained by those
}

// Repair is the account of a repair method.
type Repair struct {
	Name      string `json:"name"`
	Uses      int64  `json:"uses"`      // holes that it filled
	Optimal   int64  `json:"optimal"`   // of those, how many provably with the fewest breaks
	Fallbacks int64  `json:"fallbacks"` // of those, how many it left to greedy repair, or filled without the proof it seeks
}

// Observer watches a search. Observe may be called from several goroutines at
// once and must return soon: the search waits.
type Observer interface {
	Observe(Event)
}

// Func is an Observer made of a function.
type Func func(Event)

// Observe calls f.
func (f Func) Observe(e Event) { f(e) }

// Nobody watches nothing.
var Nobody Observer = Func(func(Event) {})

// InTurn returns an Observer that hands events on one at a time.
func InTurn(o Observer) Observer {
	var m sync.Mutex
	return Func(func(e Event) {
		m.Lock()
		defer m.Unlock()
		o.Observe(e)
	})
}

// Tell is how long a search waits between two Progress events.
const Tell = 200 * time.Millisecond

// Repeat calls f every so often until stop is called, never twice at once, and
// not after stop has returned.
func Repeat(every time.Duration, f func()) (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				f()
			}
		}
	}()
	return func() {
		close(done)
		<-over
	}
}

// Throttle lets something happen at most once in a while. It is not safe for
// concurrent use.
type Throttle struct {
	Every time.Duration
	last  time.Time
}

// NewThrottle returns a Throttle that is due for the first time after every.
func NewThrottle(every time.Duration) Throttle { return Throttle{every, time.Now()} }

// Due tells whether it is time again, and if so counts from now on.
func (t *Throttle) Due() bool {
	now := time.Now()
	if now.Sub(t.last) < t.Every {
		return false
	}
	t.last = now
	return true
}
