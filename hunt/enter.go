package hunt

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/hunt/queue"
	"lastmile/puzzle"
)

// outcome is what has become of a result.
type outcome int

const (
	counted outcome = iota
	twice           // it was there before
	failed          // the worker could not do the job
	refused         // it is wrong
)

// entered is a result that has been dealt with.
type entered struct {
	outcome outcome
	why     string // of a refusal, or the worker's error
	boards  []*archive.Board
}

// How often a job may fail before it is given up, and how often what comes back for
// it may be wrong.
const (
	maxTries   = 3
	maxRefused = 10
)

// errOther marks a result of a program that is not like ours: the job is not to
// blame.
var errOther = errors.New("the worker's program is of another version")

// enter takes in results, all of them or, on an error, none.
func (c *coordinator) enter(list []queue.Arrival) ([]entered, error) {
	var all []entered
	err := c.archive.Write(func(tx *archive.Tx) error {
		all = all[:0]
		changed := map[int64]*campaign{}
		for _, a := range list {
			e, of, err := c.enterOne(tx, a)
			if err != nil {
				return err
			}
			if of != nil {
				changed[of.Number] = of
			}
			all = append(all, e)
		}
		for _, of := range changed {
			if err := of.save(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		c.stale = true // what was taken in is not in the archive
		return nil, err
	}
	return all, nil
}

// save writes what has changed of a campaign.
func (c *campaign) save(tx *archive.Tx) error {
	var err error
	if c.Totals, err = json.Marshal(c.plan.totals()); err != nil {
		return err
	}
	return tx.SaveCampaign(&c.Campaign)
}

func (c *coordinator) enterOne(tx *archive.Tx, a queue.Arrival) (e entered, of *campaign, err error) {
	refuse := func(format string, v ...any) (entered, *campaign, error) {
		return entered{outcome: refused, why: fmt.Sprintf(format, v...)}, nil, nil
	}
	r := a.Result
	switch {
	case a.Err != nil:
		return refuse("it cannot be read: %v", a.Err)
	case r.Job != a.Subject:
		return refuse("it is of job %.40q, and came in as one of %s", r.Job, a.Subject)
	}
	j, err := tx.Job(r.Job)
	if err != nil {
		return e, nil, err
	}
	switch {
	case j == nil:
		return refuse("there is no such job")
	case j.State == archive.Done:
		return entered{outcome: twice}, nil, nil
	}
	of = c.campaigns[j.Campaign]
	if of == nil {
		return refuse("its campaign %d is not at work", j.Campaign)
	}
	if err := c.sound(of, j, r); err != nil {
		// The worker thinks that it is done with it; it is offered again.
		if j.State == archive.Queued {
			to := archive.Open
			if !errors.Is(err, errOther) {
				if j.Tries++; j.Tries >= maxRefused {
					to = archive.Failed
				}
				j.Error = err.Error()
			}
			if err := tx.Move(j, to, c.now()); err != nil {
				return e, nil, err
			}
		}
		e, _, _ := refuse("%v", err)
		return e, of, nil
	}
	if r.Error != "" {
		return c.enterError(tx, of, j, r)
	}
	boards, score := c.judged(of, j, r)
	boards = slices.DeleteFunc(boards, func(x *archive.Board) bool { return x.Score < c.Least })
	found := false
	for _, x := range boards {
		added, err := tx.AddBoard(x)
		if err != nil {
			return e, nil, err
		}
		found = found || added
	}
	more := of.plan.enter(of, j, r, score)
	if err := tx.Finish(j, r, score, found, c.now()); err != nil {
		return e, nil, err
	}
	for _, next := range more {
		if _, err := tx.AddJob(of.Number, -1, next, c.now()); err != nil {
			return e, nil, err
		}
	}
	of.Best = max(of.Best, score)
	return entered{outcome: counted, boards: boards}, of, nil
}

// enterError notes that a worker could not do a job.
func (c *coordinator) enterError(tx *archive.Tx, of *campaign, j *archive.Job, r *job.Result) (entered, *campaign, error) {
	j.Tries++
	j.Error = r.Error
	to := archive.Open
	if j.Tries >= maxTries {
		to = archive.Failed
	}
	if err := tx.Move(j, to, c.now()); err != nil {
		return entered{}, nil, err
	}
	return entered{outcome: failed, why: r.Error}, of, nil
}

// sound tells what is wrong with a result.
func (c *coordinator) sound(of *campaign, j *archive.Job, r *job.Result) error {
	switch {
	case r.Protocol != job.Protocol:
		return fmt.Errorf("it is of protocol %d, want %d: %w", r.Protocol, job.Protocol, errOther)
	case r.Signature != c.signature:
		return fmt.Errorf("it was made by searches of signature %.40q, want %s: %w", r.Signature, c.signature, errOther)
	case r.Error != "":
		return nil
	case r.Nodes < 0, r.Iterations < 0, !(r.Seconds >= 0):
		return fmt.Errorf("it tells of %d nodes and %d iterations in %v s", r.Nodes, r.Iterations, r.Seconds)
	case len(r.Boards) > maxBoards:
		return fmt.Errorf("%d boards, want %d at most", len(r.Boards), maxBoards)
	}
	for _, b := range r.Boards {
		if _, err := b.Judge(of.puzzle); err != nil {
			return err
		}
	}
	return r.Check(of.puzzle, j.Job)
}

// maxBoards bounds the boards of a result.
const maxBoards = 64

// judged are the boards of a result that is sound, and the best score.
func (c *coordinator) judged(of *campaign, j *archive.Job, r *job.Result) (list []*archive.Board, best int) {
	best = -1
	clues := of.puzzle.Clues
	if of.field.Set == job.Official {
		clues = puzzle.Official().Clues
	}
	for _, b := range r.Boards {
		board, err := b.Judge(of.puzzle)
		if err != nil {
			continue
		}
		x := &archive.Board{Job: j.ID, Made: cmp.Or(j.Job.Command(), of.What), Worker: r.Worker, Version: r.Version, Found: c.now()}
		x.Describe(of.field.Set, board, clues)
		best = max(best, x.Score)
		list = append(list, x)
	}
	return list, best
}

func (c *coordinator) now() time.Time { return time.Now().UTC() }
