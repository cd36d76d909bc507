package hunt

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lastmile/hunt/archive"
	"lastmile/notation"
	"lastmile/puzzle"
)

// rate counts events a second over the last while.
type rate struct {
	span  time.Duration
	slots [60]int64
	at    int64 // the slot that is being filled
	began time.Time
}

func newRate(span time.Duration) rate { return rate{span: span, began: time.Now()} }

func (r *rate) advance() {
	now := int64(time.Since(r.began) / (r.span / 60))
	for r.at < now {
		r.at++
		r.slots[r.at%60] = 0
		if now-r.at > 120 {
			r.at = now - 60
		}
	}
}

func (r *rate) add(n int64) {
	r.advance()
	r.slots[r.at%60] += n
}

func (r *rate) perSecond() float64 {
	r.advance()
	sum := int64(0)
	for _, n := range r.slots {
		sum += n
	}
	spent := min(r.span, time.Since(r.began)).Seconds()
	if spent < 1 {
		return 0
	}
	return float64(sum) / spent
}

// silent is after how long a worker that is not heard of is left out of the status.
const silent = 10 * time.Minute

// tick tells where the hunt is, and looks whether it is to stop.
func (c *coordinator) tick(ctx context.Context) error {
	s, err := c.status()
	if err != nil {
		return err
	}
	if time.Since(c.checked) > max(2*c.road.Lease(), 10*time.Second) || c.anyLost() {
		if err := c.reconcile(ctx, 2*c.road.Lease()); err != nil {
			return err
		}
		if err := c.sweep(ctx); err != nil {
			return err
		}
	}
	err = c.archive.Write(func(tx *archive.Tx) error {
		stop, err := tx.Meta("stop")
		if err != nil {
			return err
		}
		c.stopping = stop != ""
		s.Stopping = c.stopping
		return c.keep(tx, s)
	})
	c.Show(s)
	return err
}

func (c *coordinator) anyLost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.lost) > 0
}

// keep writes a status where others can read it.
func (c *coordinator) keep(tx *archive.Tx, s Status) error {
	for i := range s.Top {
		s.Top[i].Codes, s.Top[i].URL = nil, "" // they are in the archive
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	history, err := json.Marshal(c.history)
	if err != nil {
		return err
	}
	return errors.Join(tx.SetMeta("status", string(text)), tx.SetMeta("history", string(history)))
}

// sweep drops the states of jobs that are done.
func (c *coordinator) sweep(ctx context.Context) error {
	ids, err := c.road.AllSaved(ctx)
	if err != nil {
		return err
	}
	var done []string
	err = c.archive.Write(func(tx *archive.Tx) error {
		for _, id := range ids {
			j, err := tx.Job(id)
			if err != nil {
				return err
			}
			if j == nil || j.State == archive.Done {
				done = append(done, id)
			}
		}
		return nil
	})
	for _, id := range done {
		err = errors.Join(err, c.road.Forget(ctx, id))
	}
	return err
}

// topBoards is how many of the best boards a status shows.
const topBoards = 12

// status is where the hunt is.
func (c *coordinator) status() (Status, error) {
	s := Status{
		Name: c.Name, Archive: c.id, Version: c.Version, At: c.now(), Since: c.since, Running: true, Stopping: c.stopping, Best: -1,
		Results: c.rate.perSecond(), Refused: c.counts.refused, Twice: c.counts.twice, Trouble: c.trouble,
		Workers: c.workerList(), Campaigns: []Campaign{}, Top: []Top{}, History: slices.Clone(c.history),
	}
	if s.History == nil {
		s.History = []Moment{}
	}
	err := c.archive.Write(func(tx *archive.Tx) error {
		rows, err := tx.Campaigns(0)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if x := c.campaigns[row.Number]; x != nil {
				x.Jobs = row.Jobs
				s.Campaigns = append(s.Campaigns, x.status())
			}
		}
		puzzles, err := fill(tx, &s)
		for set, p := range puzzles {
			if !c.seen[set] {
				c.seen[set] = true
				c.Puzzle(set, p)
			}
		}
		return err
	})
	return s, err
}

// status is where a campaign is.
func (c *campaign) status() Campaign {
	s := Campaign{
		Number: c.Number, Kind: c.Kind, What: c.What, Best: c.Best, Over: c.Over,
		Jobs: Jobs{c.Jobs[archive.Open], c.Jobs[archive.Queued], c.Jobs[archive.Done], c.Jobs[archive.Failed]},
	}
	c.plan.describe(c, &s)
	return s
}

// fill completes a status with what the archive knows: sums, boards. It returns the
// piece sets of these.
func fill(tx *archive.Tx, s *Status) (puzzles map[string]*puzzle.Puzzle, err error) {
	s.Jobs = Jobs{}
	for _, x := range s.Campaigns {
		s.Jobs.Open += x.Jobs.Open
		s.Jobs.Queued += x.Jobs.Queued
		s.Jobs.Done += x.Jobs.Done
		s.Jobs.Failed += x.Jobs.Failed
	}
	s.Done = s.Jobs.Done
	if s.Boards, err = tx.CountBoards(); err != nil {
		return nil, err
	}
	list, err := tx.Boards(archive.Filter{Most: topBoards})
	if err != nil {
		return nil, err
	}
	s.Top, puzzles = []Top{}, map[string]*puzzle.Puzzle{}
	for _, x := range list {
		p := puzzles[x.Set]
		if p == nil {
			if p, err = puzzleOf(tx, x.Set, nil); err != nil {
				return nil, err
			}
			puzzles[x.Set] = p
		}
		s.Top = append(s.Top, top(x, p))
	}
	if len(list) > 0 {
		s.Best, s.Max = list[0].Score, list[0].Score+list[0].Breaks
	}
	return puzzles, nil
}

// top is a board as a status shows it; the puzzle, when it is given, for its link.
func top(x *archive.Board, p *puzzle.Puzzle) Top {
	t := Top{
		ID: x.ID, Score: x.Score, Clues: x.Clues, Found: x.Found, Worker: x.Worker, Job: x.Job, Made: x.Made,
		Corner: x.Corners, Codes: x.Codes, Set: x.Set,
	}
	if p != nil {
		if d, err := Document(x, p); err == nil {
			t.URL = link(d)
		}
	}
	return t
}

// Document is a board of the archive in a form that every dialect can write.
func Document(x *archive.Board, p *puzzle.Puzzle) (*notation.Document, error) {
	b, err := p.Decode(x.Codes)
	if err != nil {
		return nil, fmt.Errorf("board %s: %w", x.ID, err)
	}
	return notation.FromBoard(b, fmt.Sprintf("lastmile_%d", x.Score)), nil
}

// link shows a board in the community's viewers; empty where none can carry it.
func link(d *notation.Document) string {
	for _, d := range []*notation.Document{d, {Name: d.Name, Grid: d.Grid}} {
		var text strings.Builder
		if notation.Write(&text, d, "bucas") == nil {
			return strings.TrimSpace(text.String())
		}
	}
	return ""
}

func (c *coordinator) workerList() []Worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []Worker{}
	for name, h := range c.workers {
		if time.Since(h.at) > silent {
			delete(c.workers, name)
			continue
		}
		b := h.beat
		w := Worker{
			Name: name, Host: b.Host, Version: b.Version, Slots: b.Slots, Busy: len(b.Doing), Done: b.Done, Nodes: b.Nodes, Iterations: b.Iterations,
			Best: b.Best, Seen: time.Since(h.at).Seconds(), Skew: h.skew.Seconds(), Doing: []Doing{},
		}
		for _, d := range b.Doing {
			w.Doing = append(w.Doing, Doing{Job: d.Job, Kind: d.Kind, Detail: strings.TrimSpace(d.Stage + " " + d.Detail), Done: d.Done, Of: d.Of, Unit: d.Unit, Seconds: d.Seconds})
		}
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b Worker) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Look reads where the hunt in a folder is, whether it is running or not.
func Look(dir string) (Status, error) {
	var s Status
	a, err := archive.Read(ArchiveIn(dir))
	if err != nil {
		return s, err
	}
	defer a.Close()
	err = a.Write(func(tx *archive.Tx) error {
		text, err := tx.Meta("status")
		if err != nil {
			return err
		}
		if text != "" {
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				return err
			}
		} else {
			s.Best = -1
			if s.Name, err = tx.Meta("name"); err != nil {
				return err
			}
		}
		rows, err := tx.Campaigns(0)
		if err != nil {
			return err
		}
		s.Campaigns = []Campaign{}
		for _, row := range rows {
			x, err := read(tx, row)
			if err != nil {
				return err
			}
			s.Campaigns = append(s.Campaigns, x.status())
		}
		_, err = fill(tx, &s)
		return err
	})
	if s.Workers == nil {
		s.Workers = []Worker{}
	}
	if s.History == nil {
		s.History = []Moment{}
	}
	return s, err
}

// Kept is a board of an archive with the puzzle that it is of, without clues where
// the set is not the official one.
type Kept struct {
	*archive.Board
	Puzzle *puzzle.Puzzle
}

// Chosen reads boards of the archive in a folder, the best first.
func Chosen(dir string, f archive.Filter) (list []Kept, err error) {
	a, err := archive.Read(ArchiveIn(dir))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	err = a.Write(func(tx *archive.Tx) error {
		boards, err := tx.Boards(f)
		if err != nil {
			return err
		}
		puzzles := map[string]*puzzle.Puzzle{}
		for _, x := range boards {
			if puzzles[x.Set] == nil {
				if puzzles[x.Set], err = puzzleOf(tx, x.Set, nil); err != nil {
					return err
				}
			}
			list = append(list, Kept{x, puzzles[x.Set]})
		}
		return nil
	})
	return list, err
}

// Choices reads the latest choices of ways to make boards in the archive of a
// folder, the last one first.
func Choices(dir string, most int) (list []archive.Choice, err error) {
	a, err := archive.Read(ArchiveIn(dir))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	err = a.Write(func(tx *archive.Tx) error {
		list, err = tx.Choices(most)
		return err
	})
	return list, err
}
