package solve

import (
	"context"
	"time"

	"lastmile/construct"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
)

// Finished is what the exhaustion of the last cells of a beam has given.
type Finished struct {
	Score      int
	Placements []puzzle.Placement
	Tail       int // the most cells of which every prefix that was tried is decided; 0 for none
	Prefixes   int // that were exhausted, or cut short
	Censored   int // of these, how many were cut short
	Nodes      int64
	Time       time.Duration
}

// What a finish tries. The longest tails are there for puzzles that a beam nearly
// solves: on the official one they hold more breaks than can be exhausted, see
// the study ledger-finish.
const (
	firstTail, tailStep, lastTail = 12, 4, 56
	finishPrefixes                = 256     // the best boards that the beam kept at a tail
	prefixNodes                   = 1 << 14 // of one of them
)

// Finish exhausts the last cells of the best boards that a beam has kept, with
// the ledger on, for completions better than the board that the beam made of
// them. Tails grow until most are too hard or the nodes are used up. The same
// beam and nodes give the same board; when the context ends it returns the
// best so far.
func Finish(ctx context.Context, p *puzzle.Puzzle, built construct.Result, nodes int64, watch search.Observer) (Finished, error) {
	began := time.Now()
	f := Finished{Score: built.Score, Placements: built.Placements}
	board := puzzle.NewBoard(p)
	event := search.Event{Stage: "finish", Max: p.MaxScore(), Of: nodes, Unit: "nodes"}
	tells := search.NewThrottle(search.Tell)
	for tail := firstTail; tail <= lastTail && f.Nodes < nodes && f.Score < p.MaxScore(); tail += tailStep {
		tried, censored, left := 0, 0, false
		for i := range min(finishPrefixes, built.Trail.Kept(tail)) {
			if ctx.Err() != nil || f.Nodes >= nodes {
				left = true
				break
			}
			board.Load(built.Trail.Board(tail, i))
			budget := p.MaxScore() - f.Score - board.Breaks() - 1
			if budget < 0 {
				continue
			}
			tried++
			r, err := ledger.Exhaust(ctx, &ledger.Problem{
				Board: board, Order: built.Trail.Order(tail), Budget: budget, Mode: ledger.Candidate, Best: true,
			}, ledger.Plan{Budget: search.Budget{Nodes: min(prefixNodes, nodes-f.Nodes)}})
			if err != nil {
				return f, err
			}
			f.Nodes += r.Nodes
			if r.Censored {
				censored++
			}
			event.Done, event.Score, event.Best = f.Nodes, f.Score, f.Score
			if r.Breaks >= 0 {
				f.Score, f.Placements = f.Score+budget+1-r.Breaks, r.Placements
				improved := event
				improved.Kind, improved.Score, improved.Best, improved.Placements = search.Improved, f.Score, f.Score, f.Placements
				watch.Observe(improved)
			} else if tells.Due() {
				event.Kind = search.Progress
				watch.Observe(event)
			}
		}
		f.Prefixes, f.Censored = f.Prefixes+tried, f.Censored+censored
		if censored == 0 && tried > 0 && !left {
			f.Tail = tail
		}
		if 2*censored > tried || tried == 0 || left {
			break
		}
	}
	f.Time = time.Since(began)
	return f, nil
}
