package main

import (
	"fmt"
	"sync"

	"lastmile/certify"
	"lastmile/search"
)

// certifying shows a decision: the question at work, and between which numbers of
// breaks the best refill lies. A question may take long and says nothing
// meanwhile, so what is known is told again and again.
type certifying struct {
	*progress
	region *certify.Region
	stop   func()

	mu          sync.Mutex
	last        search.Event
	floor, best int
}

func newCertifying(t *terminal, b *bounds, r *certify.Region) *certifying {
	w := &certifying{progress: newProgress(t, b, 0), region: r, best: r.Own()}
	w.stop = search.Repeat(search.Tell, func() {
		w.mu.Lock()
		e := w.last
		w.mu.Unlock()
		if e.Stage != "" {
			e.Kind = search.Progress
			w.progress.Observe(e)
		}
	})
	return w
}

// Observe takes the event of a question in.
func (w *certifying) Observe(e search.Event) {
	w.mu.Lock()
	e.Detail += fmt.Sprintf("; the best has %s", interval(w.floor, w.best))
	w.last = e
	w.mu.Unlock()
	w.progress.Observe(e)
}

// heard takes in what is known by now.
func (w *certifying) heard(res certify.Result) {
	w.mu.Lock()
	better := res.Best < w.best
	w.floor, w.best = res.Floor, res.Best
	w.mu.Unlock()
	if p := w.region.Board().Puzzle(); better {
		score := scoreOf(p, res.Board)
		w.progress.Observe(search.Event{Kind: search.Improved, Stage: "certify", Score: score, Best: score, Max: p.MaxScore()})
	}
}

func (w *certifying) close() {
	w.stop()
	w.progress.close()
}

// interval says between which numbers of breaks something lies.
func interval(floor, best int) string {
	if floor == best {
		return count(best, "break")
	}
	return fmt.Sprintf("%d to %s", floor, count(best, "break"))
}
