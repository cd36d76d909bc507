package certify

import (
	"context"
	"time"

	"lastmile/ledger"
	"lastmile/search"
)

// Exhaust answers the same questions as Decide by the other engine, the
// exhaustion of the region with the ledger. It writes no proof: who doubts it
// runs it again. Perfect asks for no breaks at all, Better for the fewest.
func Exhaust(ctx context.Context, r *Region, goal Goal, plan ledger.Plan) (Result, error) {
	return ResumeExhaust(ctx, r, goal, ledger.State{}, plan)
}

// ResumeExhaust goes on with a run of Exhaust that plan.Save has saved. Region and
// goal must be those of the run.
func ResumeExhaust(ctx context.Context, r *Region, goal Goal, saved ledger.State, plan ledger.Plan) (Result, error) {
	res := Result{Best: r.own, Board: r.whole.Placements(nil)}
	bound := r.own - 1
	if goal == Perfect {
		bound = 0
	}
	if bound < 0 || goal == Perfect && r.own == 0 {
		return concluded(res, r, goal), nil
	}
	began := time.Now()
	e, err := exhaust(ctx, r, bound, saved, plan)
	if err != nil {
		return Result{}, err
	}
	if e.Breaks >= 0 {
		res.Best, res.Board = e.Breaks, e.Placements
	}
	if e.Censored {
		res.Why = "time"
		if n := plan.Budget.Nodes; n > 0 && e.Nodes >= n {
			res.Why = "nodes"
		}
		return concluded(res, r, goal), nil
	}
	// Nothing has fewer breaks than the best, or than the bound when there is none.
	res.Floor = bound + 1
	if e.Breaks >= 0 {
		res.Floor = e.Breaks
	}
	if res.Floor > 0 {
		res.Steps = []Step{{
			Cells: r.cells, Bound: res.Floor - 1, By: Exhaustion, Nodes: e.Nodes, Seconds: time.Since(began).Seconds(),
		}}
	}
	return concluded(res, r, goal), nil
}

func exhaust(ctx context.Context, r *Region, bound int, saved ledger.State, plan ledger.Plan) (ledger.Result, error) {
	order, err := ledger.Arrange(r.rest, ledger.Closing)
	if err != nil {
		return ledger.Result{}, err
	}
	if plan.Watch == nil {
		plan.Watch = search.Nobody
	}
	return ledger.Resume(ctx, &ledger.Problem{
		Board: r.rest, Order: order, Budget: min(bound, len(r.seams)), Mode: ledger.Candidate, Best: true,
	}, saved, plan)
}
