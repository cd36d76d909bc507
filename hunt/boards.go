package hunt

import (
	"cmp"
	"fmt"
	"slices"

	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/solve"
)

// Boards is a campaign for good boards: attempts of the main job, dives of the
// break-index search, walks from boards of the archive. Which of its ways gets how
// much of the time follows from what each has brought.
type Boards struct {
	Field
	Jobs int   `json:"jobs"` // after which it is over, 0 for no end
	Ways []way `json:"ways"`

	state struct {
		Arms  []arm          `json:"arms"`
		Walks map[string]int `json:"walks"` // begun from a board of the archive
	}
}

// Ways choose how boards are made. The zero value asks for the default: beams of
// all orders that have proved good, of three widths, and walks from the archive.
type Ways struct {
	Orders     []string // of beams
	Widths     []int    // of beams
	DepthFirst []string // orders of break-index searches
	Nodes      int64    // of each of those, default 2^31
	Iterations int64    // of each walk; default in proportion to the width
	Dives      bool     // leave the boards of break-index searches unpolished
	NoAgain    bool     // no walks from boards of the archive
}

// NewBoards is a campaign of so many jobs, 0 for no end.
func NewBoards(seed uint64, jobs int, w Ways) *Boards {
	b := &Boards{Field: Field{Seed: seed}, Jobs: jobs}
	nodes := cmp.Or(w.Nodes, 1<<31)
	if len(w.DepthFirst) == 0 || len(w.Orders) > 0 || len(w.Widths) > 0 {
		for _, width := range orDefault(w.Widths, widths) {
			for _, order := range orDefault(w.Orders, solve.DefaultOrders) {
				x := beamWay(order, width)
				x.Iterations = cmp.Or(w.Iterations, x.Iterations)
				b.Ways = append(b.Ways, x)
			}
		}
	}
	for _, order := range w.DepthFirst {
		if w.Dives {
			b.Ways = append(b.Ways, way{Kind: "build", Order: order, Nodes: nodes})
		} else {
			b.Ways = append(b.Ways, way{Kind: "solve", Method: "depth-first", Order: order, Nodes: nodes, Iterations: cmp.Or(w.Iterations, solve.Patience)})
		}
	}
	if !w.NoAgain && !w.Dives {
		x := againWay
		x.Iterations = cmp.Or(w.Iterations, x.Iterations)
		b.Ways = append(b.Ways, x)
	}
	b.state.Arms = make([]arm, len(b.Ways))
	for i := range b.state.Arms {
		b.state.Arms[i] = arm{Best: -1, Guess: b.Ways[i].guess()}
	}
	b.state.Walks = map[string]int{}
	return b
}

func orDefault[T any](list, otherwise []T) []T {
	if len(list) > 0 {
		return list
	}
	return otherwise
}

func (*Boards) kind() string  { return "boards" }
func (b *Boards) totals() any { return &b.state }

func (b *Boards) what() string {
	text := fmt.Sprintf("boards of %s, %d ways to make them", b.words(), len(b.Ways))
	if b.Jobs > 0 {
		text += fmt.Sprintf(", %d jobs", b.Jobs)
	}
	return text
}

// Check tells what is wrong with the plan.
func (b *Boards) Check(p *puzzle.Puzzle) error {
	if len(b.Ways) == 0 || b.Jobs < 0 {
		return fmt.Errorf("a campaign of %d jobs by %d ways, want one way or more", b.Jobs, len(b.Ways))
	}
	for _, w := range b.Ways {
		if w.Kind == "polish" {
			if w.Iterations < 1 {
				return fmt.Errorf("walks of %d iterations, want 1 or more", w.Iterations)
			}
			continue
		}
		if err := b.job(0, w, nil).Check(p); err != nil {
			return err
		}
	}
	return nil
}

func (b *Boards) job(stream int, w way, from *archive.Board) job.Job {
	j := b.base(stream)
	j.Nodes, j.Iterations = w.Nodes, w.Iterations
	return job.New(j, w.work(from))
}

func (b *Boards) endless(*campaign) bool { return b.Jobs == 0 }

func (b *Boards) next(tx *archive.Tx, c *campaign, n int) ([]made, error) {
	if b.Jobs > 0 {
		n = min(n, b.Jobs-c.Next)
	}
	var list []made
	for ; n > 0; n-- {
		arm, by := draw(b.state.Arms, random.New(b.Seed, "hunt", c.Next))
		w := b.Ways[arm]
		var from *archive.Board
		if w.Kind == "polish" {
			var err error
			if from, err = b.again(tx, c); err != nil {
				return nil, err
			}
			if from == nil { // no board yet
				arm = slices.IndexFunc(b.Ways, func(w way) bool { return w.Kind != "polish" })
				if arm < 0 {
					return list, nil
				}
				w = b.Ways[arm]
			}
		}
		list = append(list, made{b.job(c.Next, w, from), arm, by})
		c.Next++
	}
	return list, nil
}

// What walks begin from.
const (
	lookedAt = 400 // boards of the archive, the best ones
	fromMost = 32  // of these, how many
	apart    = 12  // cells in which they differ at least
	behind   = 3   // walks that a board stays behind the best for each seam less
)

// again chooses a board of the archive to walk on from, as solve does; nil when
// there is none.
func (b *Boards) again(tx *archive.Tx, c *campaign) (*archive.Board, error) {
	all, err := tx.Boards(archive.Filter{Set: b.Set, Most: lookedAt})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(x *archive.Board) bool {
		_, err := (job.Board{Score: x.Score, Codes: x.Codes}).Judge(c.puzzle)
		return err != nil // does not hold the clues of this campaign
	})
	families, err := archive.Families(c.puzzle, all, apart)
	if err != nil || len(families) == 0 {
		return nil, err
	}
	best := families[0].Leader.Score
	var from *archive.Board
	turn := func(x *archive.Board) int { return b.state.Walks[x.ID] + behind*(best-x.Score) }
	walks := map[string]int{}
	for _, f := range families[:min(len(families), fromMost)] {
		x := f.Leader
		if n := b.state.Walks[x.ID]; n > 0 {
			walks[x.ID] = n
		}
		if from == nil || turn(x) < turn(from) {
			from = x
		}
	}
	if from.Score == c.puzzle.MaxScore() {
		return nil, nil
	}
	walks[from.ID]++
	b.state.Walks = walks // of others, that are no longer among the best, nothing is kept
	return from, nil
}

func (b *Boards) enter(c *campaign, j *archive.Job, r *job.Result, score int) []job.Job {
	from := -1
	if w, err := j.Job.Work(); err == nil {
		if walk, is := w.(*job.Polish); is {
			if start, err := c.puzzle.Decode(walk.Start); err == nil {
				from = start.Score()
			}
		}
	}
	if j.Arm >= 0 && j.Arm < len(b.state.Arms) {
		b.state.Arms[j.Arm].learn(score, c.Best, from, r.Seconds)
	}
	return nil
}

func (b *Boards) describe(_ *campaign, s *Campaign) {
	by := shares(b.state.Arms)
	for i, a := range b.state.Arms {
		x := Arm{Name: b.Ways[i].name(), Share: by[i], Uses: a.Uses, Best: a.Best, Seconds: a.Seconds}
		if a.Uses > 0 {
			x.Mean = float64(a.Sum) / float64(a.Uses)
		}
		s.Arms = append(s.Arms, x)
	}
}
