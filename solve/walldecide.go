package solve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lastmile/certify"
	"lastmile/ledger"
	"lastmile/puzzle"
	"lastmile/search"
)

// decide asks whether the halo of the broken seams has a better refill.
func (w *wall) decide(ctx context.Context) error {
	s := &w.state
	board := w.board()
	cells := w.halo(board)
	all := len(cells) == w.puzzle.Cells()-len(w.puzzle.Clues)
	if len(cells) == 0 { // two clues break the seam
		s.Radius, s.Optimal = s.Radius+1, all
		return nil
	}
	region, err := certify.NewRegion(board, cells)
	if err != nil {
		return err
	}
	slice := w.slice()
	stop := search.Repeat(w.plan.Every, func() { w.save(nil) })
	res, err := w.ask(ctx, region, slice)
	stop()
	if err != nil {
		return err
	}
	w.note(res.Board, -1, 0)
	c := Certified{board.Score(), s.Radius, len(cells), res.Verdict, res.Floor, res.Best, region.Own(), res.Why}
	if ctx.Err() != nil && !(res.Verdict == certify.Proven || res.Verdict == certify.Found && w.timed()) {
		w.cut = append(w.cut, c) // a resumed run decides again
		return nil
	}
	s.Certified = append(s.Certified, c)
	switch res.Verdict {
	case certify.Found:
		s.Board, s.Stream, s.Gained = w.best, w.stream, w.gained
		s.Radius, s.Tried, s.Spent, s.Time, s.Stalled = 0, 0, 0, 0, false
	case certify.Proven:
		s.Radius, s.Tried, s.Optimal = s.Radius+1, 0, all
	case certify.Open:
		s.Tried, s.Stalled = slice, false
	}
	return nil
}

// halo lists the cells within the radius of a broken seam, without the clues.
func (w *wall) halo(b *puzzle.Board) []int {
	clue := w.puzzle.CluesByCell()
	cells := w.puzzle.Halo(b.BrokenCells(), min(w.state.Radius, w.puzzle.Cells()), w.plan.Metric)
	return slices.DeleteFunc(cells, func(cell int) bool { return clue[cell] >= 0 })
}

// ask puts the question to the solver or to the ledger.
func (w *wall) ask(ctx context.Context, r *certify.Region, slice int64) (certify.Result, error) {
	watch := w.watching(r)
	watch.tell(search.Started)
	defer watch.tell(search.Finished)
	if w.timed() && w.plan.Solver != nil {
		return w.prove(ctx, r, time.Duration(slice), watch)
	}
	budget := search.Budget{Nodes: slice}
	if w.timed() {
		budget = search.Budget{Time: time.Duration(slice)}
	}
	res, err := certify.Exhaust(ctx, r, certify.Better, ledger.Plan{Threads: w.plan.Threads, Budget: budget, Watch: watch})
	if err == nil {
		watch.improved(res)
		if res.Verdict == certify.Proven {
			err = w.keep(r, res)
		}
	}
	return res, err
}

// prove asks the solver, from what it has proved of the region before. A better
// board ends the decision: its halo is another one.
func (w *wall) prove(ctx context.Context, r *certify.Region, slice time.Duration, watch *watching) (certify.Result, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	res, err := certify.Decide(within, r, certify.Better, certify.Plan{
		Solver: w.plan.Solver, Time: slice, Memory: w.plan.Memory, MaxProof: w.plan.Proof, Store: w.plan.Store, Name: w.name(r), Watch: watch, From: w.from,
		Save: func(res certify.Result) {
			if watch.improved(res) {
				cancel()
			}
		},
	})
	switch {
	case err != nil:
		w.drop(res)
	case res.Verdict == certify.Proven:
		err = w.keep(r, res)
	case res.Verdict == certify.Found:
		w.drop(res)
	default:
		w.from = res
		return res, nil
	}
	w.from = certify.Result{}
	return res, err
}

// name is that of the files of a certificate. Each better board has fewer breaks.
func (w *wall) name(r *certify.Region) string {
	return fmt.Sprintf("%s%d-breaks-radius-%d", w.plan.Name, r.Board().Breaks(), w.state.Radius)
}

// keep writes the manifest of what is proven.
func (w *wall) keep(r *certify.Region, res certify.Result) error {
	if w.plan.Store == nil {
		return nil
	}
	name := w.name(r) + ".json"
	file, err := w.plan.Store.Create(name)
	if err != nil {
		return err
	}
	if err = res.Certificate(r).Write(file); err == nil {
		err = file.Commit()
	}
	if err != nil {
		file.Abort()
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// drop removes the proofs of what has come to nothing.
func (w *wall) drop(res certify.Result) {
	for _, step := range res.Steps {
		for _, c := range []*certify.Content{step.Formula, step.Proof} {
			if c != nil && w.plan.Store != nil {
				w.plan.Store.Remove(c.Name)
			}
		}
	}
}

// forget drops what is known of the regions of a board that is not the best.
func (w *wall) forget() {
	w.drop(w.from)
	w.from = certify.Result{}
}
