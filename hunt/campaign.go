package hunt

import (
	"encoding/json"
	"fmt"
	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/puzzle"
)

// Plan says how the jobs of a campaign are made, and what they add up to. Its
// exported fields are fixed when the campaign begins.
type Plan interface {
	// Check tells what is wrong with the plan.
	Check(p *puzzle.Puzzle) error
	kind() string
	what() string // in words
	totals() any  // what changes, as JSON saves it
	// next makes so many more jobs; fewer when there are no more for now.
	next(tx *archive.Tx, c *campaign, n int) ([]made, error)
	// enter takes in the result of a job that was not done before. Score is that of
	// its best board, -1 for none; more are the jobs that follow from it.
	enter(c *campaign, j *archive.Job, r *job.Result, score int) (more []job.Job)
	// endless tells whether more jobs come by themselves.
	endless(c *campaign) bool
	describe(c *campaign, s *Campaign)
}

// made is a job that has been made, and by which choice.
type made struct {
	job job.Job
	arm int       // -1 when there was no choice
	by  []float64 // the shares of all arms at that moment
}

// Field is what the plans of all campaigns have: a puzzle, and a seed.
type Field struct {
	Set   string             `json:"set"`
	Clues []puzzle.Placement `json:"clues"`
	Seed  uint64             `json:"seed"`
}

func (f *Field) base(stream int) job.Job {
	return job.Job{Set: f.Set, Clues: f.Clues, Seed: f.Seed, Stream: stream}
}

// campaign is one at work.
type campaign struct {
	archive.Campaign
	plan   Plan
	field  *Field
	puzzle *puzzle.Puzzle
}

// plans are the kinds of campaigns.
func plans() map[string]Plan {
	all := map[string]Plan{}
	for _, p := range []Plan{&Boards{}, &Exhaustion{}, &Halos{}} {
		all[p.kind()] = p
	}
	return all
}

// read makes a campaign of its row.
func read(tx *archive.Tx, row *archive.Campaign) (*campaign, error) {
	c := &campaign{Campaign: *row, plan: plans()[row.Kind]}
	if c.plan == nil {
		return nil, fmt.Errorf("campaign %d is of kind %q, which this program does not know", row.Number, row.Kind)
	}
	if err := json.Unmarshal(row.Plan, c.plan); err != nil {
		return nil, fmt.Errorf("campaign %d: %w", row.Number, err)
	}
	if err := json.Unmarshal(row.Totals, c.plan.totals()); err != nil {
		return nil, fmt.Errorf("campaign %d: %w", row.Number, err)
	}
	c.field = fieldOf(c.plan)
	var err error
	c.puzzle, err = puzzleOf(tx, c.field.Set, c.field.Clues)
	return c, err
}

func fieldOf(p Plan) *Field {
	switch p := p.(type) {
	case *Boards:
		return &p.Field
	case *Exhaustion:
		return &p.Field
	case *Halos:
		return &p.Field
	}
	panic("a plan of no kind")
}

// puzzleOf is a piece set of the archive, with clues.
func puzzleOf(tx *archive.Tx, set string, clues []puzzle.Placement) (*puzzle.Puzzle, error) {
	if set == job.Official {
		return puzzle.Official().WithClues(clues)
	}
	text, err := tx.Set(set)
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, fmt.Errorf("the archive has no piece set %s", set)
	}
	s, err := job.ReadSet(set, text)
	if err != nil {
		return nil, err
	}
	return s.Puzzle(clues)
}

// Begin enters a campaign on a puzzle into an archive. A coordinator that is at
// work takes it up within a second.
func Begin(a *archive.Archive, p *puzzle.Puzzle, plan Plan) (number int64, err error) {
	f := fieldOf(plan)
	f.Set, f.Clues = job.SetOf(p).ID(), p.Clues
	if err := plan.Check(p); err != nil {
		return 0, err
	}
	row := archive.Campaign{Kind: plan.kind(), What: plan.what()}
	if row.Plan, err = json.Marshal(plan); err != nil {
		return 0, err
	}
	if row.Totals, err = json.Marshal(plan.totals()); err != nil {
		return 0, err
	}
	return row.Number, a.Write(func(tx *archive.Tx) error {
		if f.Set != job.Official {
			if err := tx.AddSet(job.SetOf(p)); err != nil {
				return err
			}
		}
		return tx.AddCampaign(&row)
	})
}

func (f *Field) words() string {
	text := "the official puzzle"
	if f.Set != job.Official {
		text = "puzzle " + f.Set[:8]
	}
	return fmt.Sprintf("%s, %d clues, seed %d", text, len(f.Clues), f.Seed)
}
