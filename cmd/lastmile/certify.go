package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"lastmile/certify"
	"lastmile/certify/solver"
	"lastmile/checkpoint"
	"lastmile/notation"
	"lastmile/puzzle"
)

type certifyCommand struct {
	Board string `arg:"" optional:"" help:"The board: a file, - for standard input, a link or text, or a bundled name. Its empty cells are filled too."`
	boardFlags
	clueFlags
	cellFlags
	Question string        `default:"better" placeholder:"NAME" help:"What is asked of the refills: ${goals}. Better: does one break fewer seams than the board, and how few can it be? Perfect: does one break none? Without --radius and --cells, of radius 1."`
	Engine   string        `default:"proof" placeholder:"NAME" help:"Who answers: ${engines}. Proof is a solver whose proofs are checked, ledger the exhaustion, which leaves none; both have half the time each and must agree."`
	Solver   string        `default:"auto" placeholder:"NAME" help:"Who finds the proofs: ${solvers}, or auto for the first that is there."`
	Time     time.Duration `positive:"" placeholder:"D" help:"Stop after this long, such as 10m or 2h. Default: 60s, and with --check none."`
	Memory   size          `positive:"" default:"2GiB" placeholder:"SIZE" help:"That the solver may use, and the checker too. Default: 2GiB."`
	MaxProof size          `positive:"" default:"4GiB" placeholder:"SIZE" help:"Of one proof at most. Default: 4GiB."`
	Threads  int           `default:"1" help:"Threads of the exhaustion; 0 for all. Solvers and checker use one each."`
	Out      string        `placeholder:"DIR" help:"Keep the certificate in this folder: a manifest, formulas and proofs. It grows step by step, and a kill loses none."`
	Resume   bool          `help:"Go on from the certificate in --out, once it is checked."`
	Best     string        `name:"board" short:"o" placeholder:"FILE" help:"Write the better board, when one is found, to this file too, as JSON."`
	Check    string        `placeholder:"MANIFEST" help:"Check a certificate instead, from nothing but the board in it. With a board given it must be of that one."`
	JSON     bool          `name:"json" help:"Print one JSON document."`
	Quiet    bool          `short:"q" help:"No progress."`
}

// inquiry is a question about a board, and what has come of it.
type inquiry struct {
	document *notation.Document
	board    *puzzle.Board
	region   *certify.Region // nil when there is no cell to fill
	pinned   int             // clues that stay for --pin
	goal     certify.Goal
	solver   certify.Solver // nil with the ledger alone

	folder  *folder        // nil without --out
	from    certify.Result // of an earlier run
	save    func(certify.Result)
	kept    int // breaks of the best board that is on disk
	watch   *certifying
	engines []engine
	result  certify.Result
	took    time.Duration
}

// name is that of the files of the certificate: the same question about the same
// cells of the same board has the same.
func (a *inquiry) name() string {
	what := []any{fingerprint(a.board.Puzzle()), a.board.Placements(nil), a.region.Cells()}
	return fmt.Sprintf("%s-%d-%s", a.goal, len(a.region.Cells()), digest(what)[:8])
}

// defaultRadius is that of a question which names no cells.
const defaultRadius = 1

func (c *certifyCommand) Run(t *terminal) error {
	if err := c.usage(); err != nil {
		return err
	}
	if c.Check != "" {
		return c.check(t)
	}
	a, err := c.take(t)
	if err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	var failed error
	if a.region != nil {
		if c.Out != "" {
			if a.folder, err = openFolder(c.Out, a.name(), t); err != nil {
				return err
			}
			defer a.folder.close()
		}
		if failed = c.search(ctx, a, t); a.result.Verdict == "" {
			return failed // before anything was asked
		}
	}
	r, err := c.conclude(a, ctx.Err() != nil)
	if err != nil {
		return err
	}
	if err := c.say(t, a, r); err != nil {
		return err
	}
	switch {
	case failed != nil:
		return failed
	case a.folder != nil && a.folder.failed != nil:
		return fmt.Errorf("the certificate is not on disk: %w", a.folder.failed)
	case r.Verdict == certify.Open:
		return errFailed
	}
	return nil
}

// usage checks the flags that need no board, and fills in what follows from
// others.
func (c *certifyCommand) usage() error {
	switch {
	case c.Time < 0:
		return badf("--time %v, want a positive duration such as 60s", c.Time)
	case c.Threads < 0 || c.Threads > 256:
		return badf("--threads %d, want 0 to 256", c.Threads)
	}
	if c.Threads == 0 {
		c.Threads = runtime.NumCPU()
	}
	if c.Check != "" {
		return c.onlyCheck()
	}
	if c.Radius == nil && c.Cells == "" {
		radius := defaultRadius
		c.Radius = &radius
	}
	if c.Time == 0 {
		c.Time = defaultTime
	}
	switch {
	case c.Board == "":
		return badf("no board, want one, or --check with a certificate")
	case !slices.Contains(certify.GoalNames, c.Question):
		return badf("--question %s, want one of %s", c.Question, strings.Join(certify.GoalNames, ", "))
	case !slices.Contains(engineNames, c.Engine):
		return badf("--engine %s, want one of %s", c.Engine, strings.Join(engineNames, ", "))
	case c.Engine == ledgerEngine && c.Solver != "auto":
		return badf("--solver %s: with --engine ledger none is asked", c.Solver)
	case c.Clues != "" && !c.Pin:
		return badf("--clues %s goes with --pin", c.Clues)
	case c.Resume && c.Out == "":
		return badf("--resume goes with --out, the folder of the certificate to go on from")
	case c.Resume && c.Engine == ledgerEngine:
		return badf("--resume: the exhaustion has no steps to go on from; lastmile exhaust --best saves its run")
	case c.Best == "-":
		return badf("--board -: the board is printed anyway, want a file")
	}
	if c.Best != "" {
		if err := checkpoint.Writable(c.Best); err != nil {
			return badf("--board: %w", err)
		}
	}
	return c.cellFlags.check()
}

// onlyCheck refuses the flags of a question beside --check.
func (c *certifyCommand) onlyCheck() error {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"radius", c.Radius != nil}, {"metric", c.Metric != ""}, {"cells", c.Cells != ""}, {"pin", c.Pin}, {"clues", c.Clues != ""},
		{"question", c.Question != "better"}, {"engine", c.Engine != "proof"}, {"solver", c.Solver != "auto"},
		{"out", c.Out != ""}, {"resume", c.Resume}, {"board", c.Best != ""},
	} {
		if f.given {
			return badf("--%s goes with a question, not with --check", f.name)
		}
	}
	return nil
}

// take reads the board, frees the cells and finds the solver.
func (c *certifyCommand) take(t *terminal) (*inquiry, error) {
	a := &inquiry{goal: certify.Goal(slices.Index(certify.GoalNames, c.Question))}
	if c.Engine != ledgerEngine {
		var err error
		if a.solver, err = solver.Named(c.Solver); err != nil {
			return nil, badf("--solver: %w", err)
		}
	}
	d, err := c.board(c.Board, t)
	if err != nil {
		return nil, err
	}
	warn(t, d)
	if err := c.sound(d); err != nil {
		return nil, err
	}
	held, err := c.held(d, c.cluesFor(d))
	if err != nil {
		return nil, err
	}
	return a, c.free(d, held, a)
}

// free takes the board apart. No region comes of a board with nothing to fill.
func (c *certifyCommand) free(d *notation.Document, held []puzzle.Placement, a *inquiry) error {
	a.document, a.board = d, puzzle.NewBoard(d.Puzzle)
	a.board.Load(d.ID.Placements)
	cells, err := c.freed(a.board)
	if err != nil {
		return err
	}
	cells, a.pinned = c.unpinned(cells, held)
	if len(cells) == 0 && a.board.Filled() == d.Puzzle.Cells() {
		a.result = certify.Result{Verdict: certify.Proven, Board: a.board.Placements(nil)}
		if a.goal == certify.Perfect {
			a.result.Verdict = certify.Found // nothing to fill: the board itself is the answer
		}
		return nil
	}
	if a.region, err = certify.NewRegion(a.board, cells); err != nil {
		return badf("%s", bare(err))
	}
	return nil
}

// search asks the engines, from where an earlier run was, and keeps what they
// prove and find.
func (c *certifyCommand) search(ctx context.Context, a *inquiry, t *terminal) error {
	a.watch = newCertifying(t, c.shared(), a.region)
	defer a.watch.close()
	began := time.Now()
	defer func() { a.took = time.Since(began) }()
	if a.folder != nil {
		if err := c.open(ctx, a); err != nil {
			return err
		}
	}
	a.kept = a.region.Own()
	a.save = func(res certify.Result) {
		a.watch.heard(res)
		if a.folder != nil && len(res.Steps) > 0 {
			a.folder.save(res.Certificate(a.region))
		}
		if res.Verdict == certify.Found && res.Best < a.kept {
			a.kept = res.Best
			c.keepBoard(a, res, t)
		}
	}
	var err error
	a.result, err = c.ask(ctx, a)
	if a.result.Verdict != "" {
		a.save(a.result)
	}
	return err
}

// open makes the folder ready, and loads what is in it to go on from.
func (c *certifyCommand) open(ctx context.Context, a *inquiry) (err error) {
	if !c.Resume {
		return a.folder.begin()
	}
	a.from, err = a.folder.resume(a.region, func(m *certify.Manifest) error {
		return c.verify(ctx, m, a.folder.dir, a.watch)
	})
	return err
}

// keepBoard writes a better board at once: the search may go on for long.
func (c *certifyCommand) keepBoard(a *inquiry, res certify.Result, t *terminal) {
	b := bounds{}
	o, err := b.finish(a.document.Puzzle, c.cluesFor(a.document), "", res.Board, 0, false)
	paths := []string{c.Best}
	if a.folder != nil {
		paths = append(paths, a.folder.board())
	}
	for _, path := range paths {
		if err == nil && path != "" {
			err = checkpoint.WriteFile(path, []byte(o.document))
		}
	}
	if err != nil {
		fmt.Fprintln(t.err, "warning: the better board is not kept:", printable(err.Error()))
	}
}

// shared is what certify has in common with the searches.
func (c *certifyCommand) shared() *bounds {
	return &bounds{Time: c.Time, Threads: c.Threads, JSON: c.JSON, Quiet: c.Quiet}
}
