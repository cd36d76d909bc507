package study

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"lastmile/alns"
	"lastmile/construct"
	"lastmile/puzzle"
	"lastmile/search"
	"lastmile/solve"
)

var reproducible = Study{
	Name:    "reproducible",
	Claim:   "with a count budget the same seed gives the same board, on any number of threads and after a stop",
	Seeds:   fromTo(1, 3),
	Measure: measureReproducible,
}

// outcome is what must be the same: the board, and how it was come by.
type outcome struct {
	Score int    `json:"score"`
	Board string `json:"board"` // a digest of the placements
	Work  string `json:"work"`  // nodes and iterations
}

// repeated is one seed of one search, run in several ways.
type repeated struct {
	Search     string  `json:"search"`
	Seed       uint64  `json:"seed"`
	OneThread  outcome `json:"one_thread"`
	TwoThreads outcome `json:"two_threads"`
	Resumed    outcome `json:"resumed"`
	Stops      int     `json:"stops"` // times that the resumed run was stopped on its way
}

func (x repeated) threadsAgree() bool { return x.TwoThreads == x.OneThread }
func (x repeated) stopsAgree() bool   { return x.Resumed == x.OneThread }

// A sitting runs a search from a saved state, as JSON, or from the start when
// there is none. It calls saved whenever the search saves itself.
type sitting func(ctx context.Context, state []byte, threads int, saved func([]byte)) (outcome, error)

func measureReproducible(ctx context.Context, o Options, r *Report) error {
	r.note("Each search runs three times from one seed: on one thread, on two, and on two threads with stops. The stopped run is cancelled while a beam or a round of polishing is under way, its last saved state goes through JSON, and a new search resumes from it, until one gets through. Scores, boards, nodes and iterations must all agree.")
	p := puzzle.Official()
	if o.Quick {
		var err error
		if p, _, err = puzzle.Generate(puzzle.Spec{Width: 6, Height: 6, Colours: 8, Seed: 1}); err != nil {
			return err
		}
	}
	var rows []repeated
	for _, job := range []struct {
		name  string
		start func(context.Context, *puzzle.Puzzle, uint64, bool) (sitting, error)
	}{{"solve", solveSitting}, {"polish", polishSitting}} {
		for _, seed := range o.Seeds {
			if ctx.Err() != nil {
				break
			}
			o.Say(fmt.Sprintf("%s, seed %d", job.name, seed))
			sit, err := job.start(ctx, p, seed, o.Quick)
			if err != nil {
				return err
			}
			row, err := repeat(ctx, sit)
			if err != nil {
				return err
			}
			row.Search, row.Seed = job.name, seed
			if ctx.Err() == nil { // else the runs were cut short, each elsewhere
				rows = append(rows, row)
			}
		}
	}
	reportReproducible(r, rows, o.Seeds)
	return nil
}

// repeat runs a search in the three ways.
func repeat(ctx context.Context, sit sitting) (x repeated, err error) {
	if x.OneThread, err = sit(ctx, nil, 1, nil); err != nil {
		return x, err
	}
	if x.TwoThreads, err = sit(ctx, nil, 2, nil); err != nil {
		return x, err
	}
	var state []byte
	for ctx.Err() == nil {
		// The sitting is cancelled some time after it has saved two states that
		// are new, so that each gets on by something, while a beam or a round
		// runs; and at the fourth, should the timer be late.
		stopped, cancel := context.WithCancel(ctx)
		saves := 0
		x.Resumed, err = sit(stopped, state, 2, func(s []byte) {
			if bytes.Equal(s, state) {
				return
			}
			state = s
			switch saves++; saves {
			case 2:
				time.AfterFunc(stopAfter, cancel)
			case 4:
				cancel()
			}
		})
		over := stopped.Err() == nil
		cancel()
		if err != nil || over {
			return x, err
		}
		x.Stops++
	}
	return x, nil
}

// saveOften is how often a search is asked for its state. A state holds no
// time, so one that is equal to the last is no progress.
const saveOften = time.Millisecond

// stopAfter is how far into a task a sitting is stopped.
const stopAfter = time.Millisecond

// solveSitting is a small solve: several beams, each polished in more than one
// round.
func solveSitting(_ context.Context, p *puzzle.Puzzle, seed uint64, quick bool) (sitting, error) {
	o := solve.Options{Seed: seed, Attempts: 3, Width: 64}
	iterations := int64(9*alns.Round + 4321)
	if quick {
		o.Width, o.Polish, iterations = 16, smallHoles, 15*alns.Round+4321
	}
	return func(ctx context.Context, state []byte, threads int, saved func([]byte)) (outcome, error) {
		var from solve.State
		if err := decode(state, &from); err != nil {
			return outcome{}, err
		}
		plan := solve.Plan{Threads: threads, Budget: search.Budget{Iterations: iterations}}
		if saved != nil {
			plan.Every, plan.Save = saveOften, func(s solve.State) {
				s.Elapsed = 0
				saved(encode(s))
			}
		}
		r, err := solve.Resume(ctx, p, from, o, plan)
		return outcome{r.Score, digest(r.Placements), work(r.Nodes, r.Iterations)}, err
	}, nil
}

// polishSitting polishes a board that a narrow beam has built.
func polishSitting(ctx context.Context, p *puzzle.Puzzle, seed uint64, quick bool) (sitting, error) {
	built, err := construct.Beam(ctx, p, construct.Options{Width: 4, Seed: seed}, search.Budget{}, nil)
	if err != nil {
		return nil, err
	}
	o, iterations := alns.Options{}, int64(8*alns.Round+1234)
	if quick {
		o, iterations = smallHoles, 20*alns.Round+1234
	}
	o.Seed = seed
	return func(ctx context.Context, state []byte, threads int, saved func([]byte)) (outcome, error) {
		plan := alns.Plan{Streams: 3, Threads: threads, Budget: search.Budget{Iterations: iterations}}
		if saved != nil {
			plan.Every, plan.Save = saveOften, func(s alns.States) {
				s.Elapsed = 0
				saved(encode(s))
			}
		}
		var r alns.Result
		var err error
		if state == nil {
			r, err = alns.Polish(ctx, p, built.Placements, o, plan)
		} else {
			var from alns.States
			if err := decode(state, &from); err != nil {
				return outcome{}, err
			}
			r, err = alns.Resume(ctx, p, from, o, plan)
		}
		return outcome{r.Score, digest(r.Placements), work(0, r.Iterations)}, err
	}, nil
}

// smallHoles keep a quick run quick: rounds have a fixed number of iterations.
var smallHoles = alns.Options{Smallest: 1, Largest: 3}

func work(nodes, iterations int64) string {
	if nodes == 0 {
		return grouped(iterations) + " iterations"
	}
	return grouped(nodes) + " nodes, " + grouped(iterations) + " iterations"
}

// digest names a board by its placements.
func digest(board []puzzle.Placement) string {
	sum := sha256.Sum256(fmt.Append(nil, board))
	return hex.EncodeToString(sum[:6])
}

// encode cannot fail: states are made of numbers and strings.
func encode(state any) []byte {
	text, err := json.Marshal(state)
	if err != nil {
		panic(err)
	}
	return text
}

func decode(text []byte, state any) error {
	if text == nil {
		return nil
	}
	return json.Unmarshal(text, state)
}

func reportReproducible(r *Report, rows []repeated, asked []uint64) {
	for _, search := range []string{"solve", "polish"} {
		var threads, stops agreement
		for _, x := range rows {
			if x.Search != search {
				continue
			}
			threads.add(x.Seed, x.threadsAgree())
			if x.Stops > 0 { // else it was over before it could be stopped
				stops.add(x.Seed, x.stopsAgree())
			}
		}
		r.find(threads.finding(search+": the same seed and counts give the same board on one thread and on two", asked))
		r.find(stops.finding(search+": a run that is stopped and resumed gives the board of one that is not", asked))
	}
	r.show(tabulate("boards", "a board is named by a digest of its placements", rows,
		column[repeated]{"search", func(x repeated) string { return x.Search }},
		column[repeated]{"seed", func(x repeated) string { return fmt.Sprint(x.Seed) }},
		column[repeated]{"score", func(x repeated) string { return fmt.Sprint(x.OneThread.Score) }},
		column[repeated]{"one thread", func(x repeated) string { return x.OneThread.Board }},
		column[repeated]{"two threads", func(x repeated) string { return same(x.TwoThreads, x.OneThread) }},
		column[repeated]{"resumed", func(x repeated) string { return same(x.Resumed, x.OneThread) }},
		column[repeated]{"stops", func(x repeated) string { return fmt.Sprint(x.Stops) }},
		column[repeated]{"work", func(x repeated) string { return x.OneThread.Work }},
	))
}

// agreement counts the seeds for which two ways of running gave the same.
type agreement struct {
	seeds  []uint64
	agreed int
}

func (a *agreement) add(seed uint64, agrees bool) {
	a.seeds = append(a.seeds, seed)
	if agrees {
		a.agreed++
	}
}

func (a *agreement) finding(claim string, asked []uint64) Finding {
	f := Finding{
		Claim: claim, Published: "the same board, nodes and iterations for every seed", Seeds: a.seeds,
		Verdict: judge(a.agreed == len(a.seeds), len(asked) > 0 && covers(a.seeds, asked)),
	}
	if len(a.seeds) > 0 {
		f.Measured = fmt.Sprintf("the same for %d of %s", a.agreed, counted(len(a.seeds), "seed"))
	}
	return f
}

// same shows an outcome against the one that it should be.
func same(x, want outcome) string {
	if x == want {
		return "the same"
	}
	return fmt.Sprintf("%s, score %d, %s", cmp.Or(x.Board, "none"), x.Score, x.Work)
}
