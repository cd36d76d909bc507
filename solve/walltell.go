package solve

import (
	"fmt"

	"lastmile/certify"
	"lastmile/search"
)

// told hands on what the walks of a round tell, as part of the whole run.
func (w *wall) told() search.Observer {
	best, before, round := w.score, w.state.Iterations, w.state.Round
	return search.Func(func(e search.Event) {
		if e.Kind == search.Improved && e.Score <= best {
			return
		}
		e.Stream += round * w.plan.Streams
		e.Best = max(e.Best, best)
		e.Done += before
		e.Of = w.plan.Budget.Iterations
		w.plan.Watch.Observe(e)
	})
}

// traced hands on the trace of the walks of a round.
func (w *wall) traced() search.Observer {
	if w.plan.Trace == nil {
		return nil
	}
	number := w.state.Round * w.plan.Streams
	return search.Func(func(e search.Event) {
		e.Stream += number
		w.plan.Trace.Observe(e)
	})
}

// watching makes what a decision tells known as that of a halo.
type watching struct {
	to    search.Observer
	event search.Event // of the board that is asked about
	own   int          // its breaks in the halo
	best  int          // the fewest that have been told of
	tells search.Throttle
}

func (w *wall) watching(r *certify.Region) *watching {
	score := r.Board().Score()
	return &watching{
		to: w.plan.Watch, own: r.Own(), best: r.Own(), tells: search.NewThrottle(search.Tell),
		event: search.Event{
			Stage: "certify", Detail: fmt.Sprintf("%d cells within radius %d", len(r.Cells()), w.state.Radius),
			Stream: -1, Score: score, Best: score, Max: w.puzzle.MaxScore(),
		},
	}
}

func (d *watching) tell(kind search.Kind) {
	e := d.event
	e.Kind = kind
	d.to.Observe(e)
}

// improved tells of a better board, if the result has one.
func (d *watching) improved(res certify.Result) bool {
	if res.Best >= d.best {
		return false
	}
	d.best = res.Best
	e := d.event
	e.Kind, e.Placements = search.Improved, res.Board
	e.Score += d.own - res.Best
	e.Best = e.Score
	d.to.Observe(e)
	return true
}

// Observe takes an event of the decision in.
func (d *watching) Observe(e search.Event) {
	if !d.tells.Due() {
		return
	}
	told := d.event
	told.Kind, told.Detail = search.Progress, told.Detail+": "+e.Detail
	told.Done, told.Of, told.Unit, told.Rate = e.Done, e.Of, e.Unit, e.Rate
	d.to.Observe(told)
}
