package hunt

import (
	"fmt"

	"lastmile/certify"
	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/ledger"
	"lastmile/puzzle"
)

// Exhaustion is a campaign that counts all completions of a board within a budget
// of breaks. Its first job splits the search; each part that is not done within
// its nodes is split again. The counts are those of one machine that does it all,
// to the last digit.
type Exhaustion struct {
	Field
	Work  job.Exhaust `json:"work"`
	First int64       `json:"first"` // nodes of the first job
	Nodes int64       `json:"nodes"` // of each other
	Parts int         `json:"parts"` // among which the rest of a job is shared out

	state struct {
		Counts   ledger.Counts `json:"counts"`
		ByBreaks []int64       `json:"by_breaks"`
	}
}

// NewExhaustion is the campaign of an exhaustion.
func NewExhaustion(work job.Exhaust, nodes int64) *Exhaustion {
	x := &Exhaustion{Work: work, First: min(1<<20, nodes), Nodes: nodes, Parts: 8}
	x.state.ByBreaks = make([]int64, max(0, work.Budget)+1)
	return x
}

func (*Exhaustion) kind() string  { return "exhaustion" }
func (x *Exhaustion) totals() any { return &x.state }

func (x *Exhaustion) what() string {
	return fmt.Sprintf("completions of %d cells of %s, %d breaks at most, ledger %s, charge %s", len(x.Work.Order), x.words(), x.Work.Budget, x.Work.Ledger, x.Work.Charge)
}

// Check tells what is wrong with the plan.
func (x *Exhaustion) Check(p *puzzle.Puzzle) error {
	if x.Parts < 1 || x.Nodes < 1 || x.First < 1 || len(x.Work.Tasks) > 0 {
		return fmt.Errorf("an exhaustion by jobs of %d nodes in %d parts, want 1 or more", x.Nodes, x.Parts)
	}
	return x.root().Check(p)
}

func (x *Exhaustion) root() job.Job {
	j := x.base(0)
	j.Nodes = x.First
	return job.New(j, &x.Work)
}

func (x *Exhaustion) endless(*campaign) bool { return false }

func (x *Exhaustion) next(_ *archive.Tx, c *campaign, _ int) ([]made, error) {
	if c.Next > 0 {
		return nil, nil
	}
	c.Next = 1
	return []made{{x.root(), -1, nil}}, nil
}

func (x *Exhaustion) enter(_ *campaign, j *archive.Job, r *job.Result, _ int) []job.Job {
	x.state.Counts.Add(r.Exhausted.Counts)
	for i, n := range r.Exhausted.ByBreaks {
		x.state.ByBreaks[i] += n
	}
	return r.Exhausted.Next(j.Job, &x.Work, x.Parts, x.Nodes)
}

func (x *Exhaustion) describe(c *campaign, s *Campaign) {
	s.Exhausted = &Exhausted{Counts: x.state.Counts, ByBreaks: x.state.ByBreaks, Budget: x.Work.Budget}
	s.Exhausted.Complete = c.Over && c.Jobs[archive.Failed] == 0
}

// Halos is a campaign that asks of regions of boards whether they can be filled
// with fewer breaks.
type Halos struct {
	Field
	Nodes     int64         `json:"nodes"` // of each job
	Questions []job.Certify `json:"questions"`

	state Certified
}

// NewHalos is a campaign of such questions.
func NewHalos(questions []job.Certify, nodes int64) *Halos {
	return &Halos{Nodes: nodes, Questions: questions}
}

func (*Halos) kind() string  { return "halos" }
func (h *Halos) totals() any { return &h.state }

func (h *Halos) what() string {
	return fmt.Sprintf("%d halos of boards of %s, %d nodes each", len(h.Questions), h.words(), h.Nodes)
}

// Check tells what is wrong with the plan.
func (h *Halos) Check(p *puzzle.Puzzle) error {
	if len(h.Questions) == 0 {
		return fmt.Errorf("a campaign of no halos, want one or more")
	}
	for i := range h.Questions {
		if err := h.job(i).Check(p); err != nil {
			return err
		}
	}
	return nil
}

func (h *Halos) job(i int) job.Job {
	j := h.base(i)
	j.Nodes = h.Nodes
	return job.New(j, &h.Questions[i])
}

func (h *Halos) endless(*campaign) bool { return false }

func (h *Halos) next(_ *archive.Tx, c *campaign, n int) ([]made, error) {
	var list []made
	for ; n > 0 && c.Next < len(h.Questions); n-- {
		list = append(list, made{h.job(c.Next), -1, nil})
		c.Next++
	}
	return list, nil
}

func (h *Halos) enter(_ *campaign, _ *archive.Job, r *job.Result, _ int) []job.Job {
	switch r.Certified.Verdict {
	case certify.Proven:
		h.state.Proven++
	case certify.Found:
		h.state.Found++
	default:
		h.state.Open++
	}
	return nil
}

func (h *Halos) describe(_ *campaign, s *Campaign) {
	state := h.state
	s.Certified = &state
}
