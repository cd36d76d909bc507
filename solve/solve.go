// Package solve is the main job: it builds boards, by beams and by break-index
// searches, exhausts their last cells with the ledger, polishes them by ALNS, and
// keeps the best in an archive.
//
// The work is cut into numbered attempts. An attempt builds a board, with its own
// order, width and lottery, finishes it, and polishes what came of it in a walk of
// the ALNS loop; or it is a new walk from a board of the archive. Under a count
// budget the attempts are fixed in advance and all build, so the result does not
// depend on the number of threads. Under a time budget the next attempt is chosen
// when a thread is free: beams grow until they take a third of the time, then
// building and walking on share the time by what they have brought.
package solve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"lastmile/alns"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
)

// Options tune the attempts. The zero value of a field asks for its default.
type Options struct {
	Orders []string // of beams, drawn in turn, default DefaultOrders
	// DepthFirst are the orders of break-index searches, drawn in turn with the
	// beams. None by default: on the official puzzle beams are better, see the study
	// solve-ablation.
	DepthFirst []string
	Width      int     // of every beam; default 4096, or what fits when time alone bounds the run
	Alike      float64 // of every beam, see construct.Options; default DefaultAlike, below 0 for none
	Attempts   int     // default 4, or as many as there is time for when time alone bounds the run
	NoFinish   bool    // leave the boards of the beams as they are, without exhausting their tails
	NoAgain    bool    // walk on from no board of the archive: build until the time is over
	Polish     alns.Options
	Seed       uint64
}

// Check tells what is wrong with the options.
func (o Options) Check() error {
	for _, name := range slices.Concat(o.Orders, o.DepthFirst) {
		if _, err := construct.OrderNamed(name); err != nil {
			return err
		}
	}
	if o.Width < 0 || o.Width > construct.MaxWidth {
		return fmt.Errorf("beams of width %d, want 1 to %d", o.Width, construct.MaxWidth)
	}
	if o.Attempts < 0 || o.Attempts > maxAttempts {
		return fmt.Errorf("%d attempts, want 1 to %d", o.Attempts, maxAttempts)
	}
	if !(o.Alike <= 0) {
		if err := (construct.Options{Alike: o.Alike}).Check(); err != nil {
			return err
		}
	}
	return o.Polish.Check()
}

// constructors are the ways to build that the options name.
func (o Options) constructors() []constructor {
	var list []constructor
	for _, order := range o.Orders {
		list = append(list, constructor{Beamed, order})
	}
	for _, order := range o.DepthFirst {
		list = append(list, constructor{DepthFirst, order})
	}
	return list
}

// FinishNodes is the nodes of a finish for each board of the beam: it takes
// about a tenth of the time of the beam. More would gain more, but what it gains
// does not show after polishing: see the study ledger-finish.
const FinishNodes = 64

// DefaultAlike is the weight of alike colours in beams.
const DefaultAlike = 1.0

// defaultWidth is that of beams when counts bound the run.
const defaultWidth = 4096

// maxAttempts bounds what a checkpoint may have to hold.
const maxAttempts = 100_000

// DefaultOrders are the scan orders that build the best boards: see the studies
// beam-ablation and solve-ablation.
var DefaultOrders = []string{"column", "zigzag", "comb", "comb-4", "row-major@sw"}

// Plan says how the work is shared out.
type Plan struct {
	Threads int // default 1
	// Budget bounds the run, by what is used up first. Nodes are those of all
	// beams, Iterations those of all walks; either is shared out evenly among
	// the attempts. With Nodes alone nothing is polished.
	Budget search.Budget
	Watch  search.Observer
	Trace  search.Observer // hears the Traced events of all walks, several at once; nobody by default
	Save   func(State)     // called every few seconds and at the end, never twice at once
	Every  time.Duration   // between two calls of Save, default 5 s
}

// open is the time of a run that time alone bounds, else 0. Where counts bound
// it too, the attempts are fixed in advance as if there were no time.
func (plan Plan) open() time.Duration {
	if plan.Budget.Iterations > 0 || plan.Budget.Nodes > 0 {
		return 0
	}
	return plan.Budget.Time
}

// State is a run that can be resumed, in a form that JSON carries exactly.
type State struct {
	Attempts []Attempt     `json:"attempts"`
	Elapsed  time.Duration `json:"elapsed"`

	// A run of weeks forgets old attempts without a walk; what is left of them.
	Begun      int   `json:"begun"` // attempts in all
	Nodes      int64 `json:"nodes"`
	Iterations int64 `json:"iterations"`

	Builds  int    `json:"builds"` // attempts that build
	Archive []Kept `json:"archive"`
	Pays    pays   `json:"pays"`
}

// pays is what each activity has brought under a time budget.
type pays struct {
	Build payoff `json:"build"`
	Again payoff `json:"again"`
}

// check finds what no run would have saved.
func (s State) check(p *puzzle.Puzzle) error {
	next := 0
	for i, a := range s.Attempts {
		_, err := construct.OrderNamed(a.Order)
		switch {
		case a.Number < next || a.Number >= s.Begun:
			return fmt.Errorf("saved attempt %d has number %d, want %d to %d", i, a.Number, next, s.Begun-1)
		case a.Method < Beamed || a.Method > Again:
			return fmt.Errorf("saved attempt %d of method %d, want 0 to %d", a.Number, a.Method, Again)
		case err != nil && a.Method != Again:
			return fmt.Errorf("saved attempt %d: %w", a.Number, err)
		case a.Method == Again && len(s.Archive) == 0:
			return fmt.Errorf("saved attempt %d walks on from an archive of no boards", a.Number)
		case a.Method == Beamed && a.Width < 1 || a.Width < 0 || a.Width > construct.MaxWidth:
			return fmt.Errorf("saved attempt %d: beam of width %d, want 1 to %d", a.Number, a.Width, construct.MaxWidth)
		case a.Nodes < 0 || a.FinishNodes < 0 || a.Steps < 0 || a.Beam < 0 || a.Finish < 0 || a.Polish < 0:
			return fmt.Errorf("saved attempt %d has counts below 0", a.Number)
		}
		next = a.Number + 1
	}
	if err := checkArchive(p, s.Archive, s.Begun); err != nil {
		return err
	}
	if s.Pays.Build.wrong() || s.Pays.Again.wrong() || s.Builds < 0 || s.Builds > s.Begun {
		return fmt.Errorf("saved run of %d builds in %d attempts that paid %v, want numbers in their range", s.Builds, s.Begun, s.Pays)
	}
	if s.Elapsed < 0 || s.Nodes < 0 || s.Iterations < 0 {
		return fmt.Errorf("saved run has counts below 0")
	}
	return nil
}

// Method is what an attempt begins with.
type Method int

const (
	Beamed     Method = iota // a beam
	DepthFirst               // a break-index search
	Again                    // a board of the archive
)

// Name is the word for a method in reports.
func (m Method) Name() string { return [...]string{"beam", "depth-first", "again"}[m] }

// Attempt is what is known of one attempt once its board is built.
type Attempt struct {
	Number int           `json:"number"`
	Method Method        `json:"method"`
	Order  string        `json:"order"`
	Width  int           `json:"width"`
	Nodes  int64         `json:"nodes"`
	Cut    bool          `json:"cut"`  // the beam ended before its time
	Beam   time.Duration `json:"beam"` // that building took, by whatever method
	Polish time.Duration `json:"polish"`
	Steps  int64         `json:"steps"` // iterations of the walk
	Built  int           `json:"built"` // score of the beam, or of the board of the archive

	Finished    int           `json:"finished"` // score after its tail was exhausted
	Finish      time.Duration `json:"finish"`
	FinishNodes int64         `json:"finish_nodes"`
	Tail        int           `json:"tail"` // cells that were exhausted whole

	Best    int         `json:"best"`           // and after polishing
	From    int         `json:"from"`           // the attempt whose board a walk began with, if it built none
	Bar     int         `json:"bar"`            // the best score of the run when the attempt began
	Counted bool        `json:"counted"`        // it began when beams had grown
	Walk    *alns.State `json:"walk,omitempty"` // dropped when better attempts crowd it out
	Settled bool        `json:"settled"`        // its share of polishing is done
}

// Result is the best board of a run.
type Result struct {
	Score      int
	Placements []puzzle.Placement
	Attempt    int       // that found it
	Attempts   []Attempt // the latest, when there were very many
	Nodes      int64
	Iterations int64
	Elapsed    time.Duration // all sittings
	Archive    archive       // the best boards that are not alike, best first; under counts only the solution when there is one
}

// history is the number of attempts that a run bounded by time alone remembers.
const history = 1000

// keep is the number of settled attempts whose walk is kept.
const keep = 16

// Run solves from the start.
func Run(ctx context.Context, p *puzzle.Puzzle, o Options, plan Plan) (Result, error) {
	return Resume(ctx, p, State{}, o, plan)
}

// Resume goes on with a saved run. Options and plan must be those of the run,
// save for the number of threads.
func Resume(ctx context.Context, p *puzzle.Puzzle, saved State, o Options, plan Plan) (Result, error) {
	if err := o.Check(); err != nil {
		return Result{}, err
	}
	if plan.open() == 0 {
		o.Attempts = cmp.Or(o.Attempts, 4)
		o.Width = cmp.Or(o.Width, defaultWidth)
	}
	if len(o.Orders) == 0 && len(o.DepthFirst) == 0 {
		o.Orders = DefaultOrders
	}
	o.Alike = max(0, cmp.Or(o.Alike, DefaultAlike))
	if plan.Watch == nil {
		plan.Watch = search.Nobody
	}
	plan.Watch = search.InTurn(plan.Watch)
	if plan.Every == 0 {
		plan.Every = 5 * time.Second
	}
	plan.Threads = max(1, plan.Threads)
	o.Polish.Seed = o.Seed
	c := &crew{puzzle: p, options: o, plan: plan, start: time.Now(), before: saved.Elapsed, perfect: math.MaxInt,
		tells: search.NewThrottle(search.Tell)}
	c.constructors, c.pays, c.archive = o.constructors(), saved.Pays, slices.Clone(saved.Archive)
	c.builds = saved.Builds
	c.begun, c.nodes, c.iterations = saved.Begun, saved.Nodes, saved.Iterations
	if err := saved.check(p); err != nil {
		return Result{}, err
	}
	for _, a := range saved.Attempts {
		t := &attempt{Attempt: a}
		if a.Walk != nil {
			var err error
			if t.walk, err = alns.ResumeWalk(p, *a.Walk, o.Polish, a.Number); err != nil {
				return Result{}, fmt.Errorf("attempt %d: %w", a.Number, err)
			}
			t.walk.Watch = plan.Trace
			_, t.Best = t.walk.Best() // an interrupted round may have seen better
		}
		c.attempts = append(c.attempts, t)
		c.note(t)
	}
	if len(c.archive) > 0 && c.archive[0].Score == p.MaxScore() && plan.open() > 0 {
		c.perfect = min(c.perfect, c.archive[0].Attempt) // though its walk be gone
	}
	ctx, c.stop = context.WithCancel(ctx)
	defer c.stop()
	if plan.Budget.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, plan.Budget.Time-saved.Elapsed)
		defer cancel()
	}
	c.tellBest()
	if plan.Save != nil {
		defer search.Repeat(plan.Every, c.save)()
	}
	var crewed sync.WaitGroup
	failed := make(chan error, plan.Threads)
	for range plan.Threads {
		crewed.Go(func() {
			if err := c.work(ctx); err != nil {
				failed <- err
			}
		})
	}
	crewed.Wait()
	select {
	case err := <-failed:
		return Result{}, err
	default:
	}
	c.save()
	return c.result(), nil
}
