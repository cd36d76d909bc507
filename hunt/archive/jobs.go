package archive

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lastmile/hunt/job"
)

// State is where a job is.
type State int

// The states of a job, as they are written.
const (
	Open   State = iota // to be handed to the queue
	Queued              // in the queue, or at work
	Done
	Failed // given up
)

// column is the column of a campaign that counts jobs of a state.
func (s State) column() string { return [...]string{"open", "queued", "done", "failed"}[s] }

// Campaign is a series of jobs.
type Campaign struct {
	Number int64
	Kind   string
	What   string          // in words
	Plan   json.RawMessage // how jobs are made; the archive does not look into it
	Totals json.RawMessage // what they have come to; neither into this
	Next   int             // the stream of the next job
	Over   bool            // no more jobs are made, but for those that follow from others
	Jobs   [4]int64        // by state
	Best   int             // score, -1 for none
}

// AddCampaign enters a campaign and gives it its number.
func (t *Tx) AddCampaign(c *Campaign) error {
	r, err := t.tx.Exec("INSERT INTO campaigns (kind, what, plan, totals, next, over) VALUES (?, ?, ?, ?, ?, ?)",
		c.Kind, c.What, string(c.Plan), string(c.Totals), c.Next, c.Over)
	if err != nil {
		return err
	}
	c.Number, err = r.LastInsertId()
	c.Best = -1
	return err
}

// SaveCampaign writes what has changed of a campaign: its totals, how far it has
// come, whether it is over, its best score.
func (t *Tx) SaveCampaign(c *Campaign) error {
	_, err := t.tx.Exec("UPDATE campaigns SET totals = ?, next = ?, over = ?, best = ? WHERE number = ?",
		string(c.Totals), c.Next, c.Over, c.Best, c.Number)
	return err
}

// Campaigns lists the campaigns from a number on.
func (t *Tx) Campaigns(from int64) ([]*Campaign, error) {
	rows, err := t.tx.Query("SELECT number, kind, what, plan, totals, next, over, open, queued, done, failed, best FROM campaigns WHERE number >= ? ORDER BY number", from)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []*Campaign
	for rows.Next() {
		c := &Campaign{}
		var plan, totals string
		if err := rows.Scan(&c.Number, &c.Kind, &c.What, &plan, &totals, &c.Next, &c.Over, &c.Jobs[0], &c.Jobs[1], &c.Jobs[2], &c.Jobs[3], &c.Best); err != nil {
			return nil, err
		}
		c.Plan, c.Totals = json.RawMessage(plan), json.RawMessage(totals)
		list = append(list, c)
	}
	return list, rows.Err()
}

// Job is a job as the archive knows it.
type Job struct {
	ID       string
	Campaign int64
	Arm      int // that was chosen for it, -1 for none
	State    State
	Job      job.Job // empty of a job that is done and found no board that was new
	Tries    int
	Queued   time.Time
	Score    int // of its best board, -1 for none
	Worker   string
	Error    string
}

// AddJob enters a job that is open, and tells whether it is new.
func (t *Tx) AddJob(campaign int64, arm int, j job.Job, now time.Time) (added bool, err error) {
	text, err := json.Marshal(j)
	if err != nil {
		return false, err
	}
	r, err := t.tx.Exec("INSERT INTO jobs (id, campaign, arm, state, content, made) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		j.ID(), campaign, arm, Open, string(text), milliseconds(now))
	if err != nil {
		return false, err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	_, err = t.tx.Exec("UPDATE campaigns SET open = open + 1 WHERE number = ?", campaign)
	return true, err
}

// AddChoice logs by which shares an arm was chosen for a job.
func (t *Tx) AddChoice(id string, arm int, shares []float64) error {
	text, err := json.Marshal(shares)
	if err != nil {
		return err
	}
	_, err = t.tx.Exec("INSERT INTO choices VALUES (?, ?, ?) ON CONFLICT DO NOTHING", id, arm, string(text))
	return err
}

// Choice is a way to make boards that was chosen for a job.
type Choice struct {
	Job      string    `json:"job"`
	Campaign int64     `json:"campaign"`
	Made     time.Time `json:"made"`
	Arm      int       `json:"arm"`
	Shares   []float64 `json:"shares"` // of all arms at that moment
	Score    int       `json:"score"`  // that came of it, -1 for none yet
}

// Choices lists the latest choices, the last one first.
func (t *Tx) Choices(most int) ([]Choice, error) {
	rows, err := t.tx.Query(`SELECT j.id, j.campaign, j.made, c.arm, c.shares, j.score FROM choices c JOIN jobs j ON j.id = c.job
		ORDER BY c.rowid DESC LIMIT ?`, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []Choice{}
	for rows.Next() {
		var c Choice
		var made int64
		var text string
		if err := rows.Scan(&c.Job, &c.Campaign, &made, &c.Arm, &text, &c.Score); err != nil {
			return nil, err
		}
		c.Made = timeOf(made)
		if err := json.Unmarshal([]byte(text), &c.Shares); err != nil {
			return nil, fmt.Errorf("choice for job %s: %w: %w", c.Job, errDamaged, err)
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

const jobColumns = "id, campaign, arm, state, content, tries, queued, score, worker, error"

func scanJob(scan func(...any) error) (*Job, error) {
	j := &Job{}
	var content string
	var queued int64
	if err := scan(&j.ID, &j.Campaign, &j.Arm, &j.State, &content, &j.Tries, &queued, &j.Score, &j.Worker, &j.Error); err != nil {
		return nil, err
	}
	j.Queued = timeOf(queued)
	if content != "" {
		if err := json.Unmarshal([]byte(content), &j.Job); err != nil {
			return nil, fmt.Errorf("job %s: %w: %w", j.ID, errDamaged, err)
		}
	}
	return j, nil
}

// Job finds a job, nil when there is none of that name.
func (t *Tx) Job(id string) (*Job, error) {
	j, err := scanJob(t.tx.QueryRow("SELECT "+jobColumns+" FROM jobs WHERE id = ?", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return j, err
}

// JobsIn lists jobs of a campaign in a state, the latest first: an exhaustion goes
// depth first, so that few of its parts are open at a time.
func (t *Tx) JobsIn(campaign int64, s State, most int) ([]*Job, error) {
	rows, err := t.tx.Query("SELECT "+jobColumns+" FROM jobs WHERE campaign = ? AND state = ? ORDER BY rowid DESC LIMIT ?", campaign, s, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []*Job
	for rows.Next() {
		j, err := scanJob(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, j)
	}
	return list, rows.Err()
}

// Move puts a job from its state into another.
func (t *Tx) Move(j *Job, to State, now time.Time) error {
	if j.State == to {
		return nil
	}
	queued := milliseconds(j.Queued)
	if to == Queued {
		queued, j.Queued = milliseconds(now), now
	}
	if j.Queued.IsZero() {
		queued = 0
	}
	if _, err := t.tx.Exec("UPDATE jobs SET state = ?, queued = ?, tries = ?, error = ? WHERE id = ?", to, queued, j.Tries, j.Error, j.ID); err != nil {
		return err
	}
	return t.moved(j, to)
}

func (t *Tx) moved(j *Job, to State) error {
	from := j.State
	j.State = to
	_, err := t.tx.Exec(fmt.Sprintf("UPDATE campaigns SET %s = %[1]s - 1, %s = %[2]s + 1 WHERE number = ?", from.column(), to.column()), j.Campaign)
	return err
}

// Finish enters the result of a job that was not done before. What the job was is
// kept where somebody may ask, such as for a board that it found; of the many
// others the name is enough.
func (t *Tx) Finish(j *Job, r *job.Result, score int, keep bool, now time.Time) error {
	content := any("")
	if keep {
		content = nil
	}
	if _, err := t.tx.Exec(`UPDATE jobs SET state = ?, content = coalesce(?, content), done = ?, worker = ?, version = ?, seconds = ?, nodes = ?, iterations = ?, score = ?, error = '' WHERE id = ?`,
		Done, content, milliseconds(now), r.Worker, r.Version, r.Seconds, r.Nodes, r.Iterations, score, j.ID); err != nil {
		return err
	}
	return t.moved(j, Done)
}

// Set is a piece set of the hunt; its content is nil when there is none of that
// name.
func (t *Tx) Set(id string) (content []byte, err error) {
	var text string
	err = t.tx.QueryRow("SELECT content FROM sets WHERE id = ?", id).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return []byte(text), err
}

// AddSet enters a piece set.
func (t *Tx) AddSet(s job.Set) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = t.tx.Exec("INSERT INTO sets VALUES (?, ?) ON CONFLICT DO NOTHING", s.ID(), string(text))
	return err
}

// Sets lists the names of all piece sets.
func (t *Tx) Sets() (ids []string, err error) {
	rows, err := t.tx.Query("SELECT id FROM sets ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
