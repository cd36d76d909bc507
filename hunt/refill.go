package hunt

import (
	"context"
	"time"

	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/hunt/queue"
	"lastmile/hunt/worker"
)

// ahead is how many jobs should be in the queue: enough that no worker waits, and
// no more, so that what results teach comes to bear soon.
func (c *coordinator) ahead() int {
	slots := 0
	c.mu.Lock()
	for _, w := range c.workers {
		if time.Since(w.at) < 5*worker.Every {
			slots += w.beat.Slots
		}
	}
	c.mu.Unlock()
	return min(max(4, c.Ahead, 2*slots, int(2*c.rate.perSecond())), queue.MaxQueued/2)
}

// refill makes jobs, writes them down and offers them, until there are enough in
// the queue.
func (c *coordinator) refill(ctx context.Context) error {
	if c.stale {
		return nil
	}
	var offered []*archive.Job
	err := c.archive.Write(func(tx *archive.Tx) error {
		rows, err := tx.Campaigns(0)
		if err != nil {
			return err
		}
		queued, going := 0, []*campaign{}
		for _, row := range rows {
			queued += int(row.Jobs[archive.Queued])
			x := c.campaigns[row.Number]
			if x == nil { // begun by somebody beside us
				if x, err = read(tx, row); err != nil {
					return err
				}
				c.campaigns[row.Number] = x
				c.order = append(c.order, x)
				c.Log.Info("a campaign begins", "campaign", x.Number, "what", x.What)
			}
			x.Jobs = row.Jobs
			if !x.Over {
				going = append(going, x)
			}
		}
		want := c.ahead() - queued
		for i, x := range going {
			// Each gets an even share of what is left to be had.
			part := (want + len(going) - 1 - i) / (len(going) - i)
			list, err := c.draw(tx, x, max(0, part))
			if err != nil {
				return err
			}
			want -= len(list)
			offered = append(offered, list...)
		}
		return nil
	})
	if err != nil {
		c.stale = true
		return err
	}
	return c.offer(ctx, offered)
}

// draw takes so many open jobs of a campaign, and makes new ones when there are
// not enough. It also sees when a campaign is over.
func (c *coordinator) draw(tx *archive.Tx, x *campaign, n int) ([]*archive.Job, error) {
	if n == 0 {
		return nil, nil
	}
	list, err := tx.JobsIn(x.Number, archive.Open, n)
	if err != nil || len(list) == n {
		return list, err
	}
	more, err := x.plan.next(tx, x, n-len(list))
	if err != nil {
		return nil, err
	}
	for _, m := range more {
		added, err := tx.AddJob(x.Number, m.arm, m.job, c.now())
		if err != nil {
			return nil, err
		}
		if !added {
			continue // another campaign has had it
		}
		if m.by != nil {
			if err := tx.AddChoice(m.job.ID(), m.arm, m.by); err != nil {
				return nil, err
			}
		}
		list = append(list, &archive.Job{ID: m.job.ID(), Campaign: x.Number, Arm: m.arm, State: archive.Open, Job: m.job, Score: -1})
	}
	over := len(list) == 0 && len(more) == 0 && x.Jobs[archive.Queued]+x.Jobs[archive.Open] == 0 && !x.plan.endless(x)
	if over != x.Over {
		x.Over = over
		c.Log.Info("a campaign is over", "campaign", x.Number, "what", x.What, "done", x.Jobs[archive.Done], "failed", x.Jobs[archive.Failed])
	}
	if len(more) > 0 || over {
		return list, x.save(tx)
	}
	return list, nil
}

// offer puts jobs that are written down in the queue. Those that do not get there
// stay open.
func (c *coordinator) offer(ctx context.Context, list []*archive.Job) error {
	if len(list) == 0 {
		return nil
	}
	for _, j := range list {
		if err := c.provide(ctx, j.Job.Set); err != nil {
			return err
		}
	}
	jobs := make([]job.Job, len(list))
	for i, j := range list {
		jobs[i] = j.Job
	}
	there, failed := c.road.Offer(ctx, jobs)
	err := c.archive.Write(func(tx *archive.Tx) error {
		for i, j := range list {
			if !there[i] {
				continue
			}
			if err := tx.Move(j, archive.Queued, c.now()); err != nil {
				return err
			}
		}
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

// provide lets workers have a piece set.
func (c *coordinator) provide(ctx context.Context, set string) error {
	if set == job.Official || c.sets[set] {
		return nil
	}
	var text []byte
	if err := c.archive.Write(func(tx *archive.Tx) (err error) {
		text, err = tx.Set(set)
		return err
	}); err != nil {
		return err
	}
	if err := c.road.PutSet(ctx, set, text); err != nil {
		return err
	}
	c.sets[set] = true
	return nil
}

// reconcile compares the archive with the queue: what the archive takes for queued
// since a while and is not there is opened again, so that a queue that has lost
// what it held, or a worker that let go of a job, costs no more than time.
func (c *coordinator) reconcile(ctx context.Context, since time.Duration) error {
	c.checked = time.Now()
	waiting, err := c.road.Waiting(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	lost := c.lost
	c.lost = nil
	c.mu.Unlock()
	for _, id := range lost {
		if err := c.road.Withdraw(ctx, id); err != nil {
			return err
		}
		delete(waiting, id)
	}
	again := 0
	err = c.archive.Write(func(tx *archive.Tx) error {
		for _, x := range c.order {
			list, err := tx.JobsIn(x.Number, archive.Queued, queue.MaxQueued)
			if err != nil {
				return err
			}
			for _, j := range list {
				if waiting[j.ID] || time.Since(j.Queued) < since {
					continue
				}
				again++
				if err := tx.Move(j, archive.Open, c.now()); err != nil {
					return err
				}
			}
		}
		return c.giveUp(tx, lost)
	})
	if again > 0 {
		c.Log.Warn("jobs that were no longer in the queue are offered again", "jobs", again)
	}
	return err
}

// giveUp notes jobs that were given out often and never came back.
func (c *coordinator) giveUp(tx *archive.Tx, lost []string) error {
	for _, id := range lost {
		j, err := tx.Job(id)
		if err != nil {
			return err
		}
		if j == nil || j.State == archive.Done {
			continue
		}
		j.Tries++
		j.Error = "given out again and again, and no worker came back with it"
		to := archive.Open
		if j.Tries >= maxTries {
			to = archive.Failed
		}
		if err := tx.Move(j, to, c.now()); err != nil {
			return err
		}
		c.Log.Error("a job does not come back", "job", id, "tries", j.Tries)
	}
	return nil
}
