package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lastmile/certify"
	"lastmile/construct"
	"lastmile/hunt"
	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/ledger"
	"lastmile/puzzle"
)

type huntAddCommand struct {
	Boards  huntAddBoardsCommand  `cmd:"" help:"A campaign for good boards."`
	Exhaust huntAddExhaustCommand `cmd:"" help:"Count every completion of part of a board, shared out among all."`
	Certify huntAddCertifyCommand `cmd:"" help:"Decide whether halos of boards can be filled better."`
}

// huntWays say how boards are made.
type huntWays struct {
	Seed       uint64   `default:"1" help:"Seed of the campaign; each job has the next one."`
	Jobs       int      `positive:"" placeholder:"N" help:"End after so many jobs. Default: no end."`
	Order      []string `placeholder:"NAME" help:"Scan orders of the beams; lastmile build --help lists them. Default: those of solve."`
	Width      []int    `placeholder:"N" help:"Widths of the beams. Default: 4096, 16384 and 65536, and the hunt learns which pay."`
	DepthFirst []string `placeholder:"NAME" help:"Scan orders of break-index searches; without --order and --width they are alone."`
	Nodes      int64    `positive:"" placeholder:"N" help:"Nodes of a break-index search. Default: 2147483648."`
	Iterations int64    `positive:"" placeholder:"N" help:"Iterations of a walk. Default: 100 for each board of the beam before it."`
	Dives      bool     `help:"Break-index searches alone, without polishing what they find."`
	NoAgain    bool     `help:"No walks from boards of the archive."`
}

func (w *huntWays) check() error {
	switch {
	case w.Jobs < 0 || w.Nodes < 0 || w.Iterations < 0:
		return badf("--jobs, --nodes and --iterations want positive numbers")
	case w.Dives && len(w.DepthFirst) == 0:
		return badf("--dives goes with --depth-first, the scan orders of the break-index searches")
	case w.Dives && len(w.Order)+len(w.Width) > 0:
		return badf("--dives leaves boards as break-index searches make them; --order and --width are of beams")
	}
	for _, width := range w.Width {
		if width < 1 || width > construct.MaxWidth {
			return badf("--width %d, want 1 to %d", width, construct.MaxWidth)
		}
	}
	return nil
}

func (w *huntWays) given() bool {
	return w.Jobs > 0 || len(w.Order)+len(w.Width)+len(w.DepthFirst) > 0 || w.Nodes > 0 || w.Iterations > 0 || w.Dives || w.NoAgain || w.Seed != 1
}

// add begins the campaign, and the hunt if it is new.
func (w *huntWays) add(dir, name string, pieces *pieceFlags, clues *clueFlags, t *terminal) error {
	p, _, err := instance(pieces, clues, t)
	if err != nil {
		return err
	}
	plan := hunt.NewBoards(w.Seed, w.Jobs, hunt.Ways{
		Orders: w.Order, Widths: w.Width, DepthFirst: w.DepthFirst, Nodes: w.Nodes, Iterations: w.Iterations, Dives: w.Dives, NoAgain: w.NoAgain,
	})
	if err := plan.Check(p); err != nil { // before anything is made
		return bad{err}
	}
	a, err := archive.Create(hunt.ArchiveIn(dir))
	if err != nil {
		return bad{err}
	}
	defer a.Close()
	_, err = hunt.Begin(a, p, plan)
	return err
}

// begun enters a campaign into the archive of a folder, and says so.
func begun(dir string, p *puzzle.Puzzle, plan hunt.Plan, t *terminal) error {
	a, err := archive.Change(hunt.ArchiveIn(dir))
	if err != nil {
		return bad{err}
	}
	defer a.Close()
	if err := plan.Check(p); err != nil {
		return bad{err}
	}
	number, err := hunt.Begin(a, p, plan)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "campaign %d has been added\n", number)
	return err
}

type huntAddBoardsCommand struct {
	huntFolder
	pieceFlags
	clueFlags
	huntWays
}

func (c *huntAddBoardsCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	p, _, err := instance(&c.pieceFlags, &c.clueFlags, t)
	if err != nil {
		return err
	}
	return begun(c.Dir, p, hunt.NewBoards(c.Seed, c.Jobs, hunt.Ways{
		Orders: c.Order, Widths: c.Width, DepthFirst: c.DepthFirst, Nodes: c.Nodes, Iterations: c.Iterations, Dives: c.Dives, NoAgain: c.NoAgain,
	}), t)
}

type huntAddExhaustCommand struct {
	Board string `arg:"" help:"The board, as lastmile exhaust takes it."`
	huntFolder
	boardFlags
	clueFlags
	regionFlags
	Budget     string   `default:"auto" placeholder:"R" help:"Breaks that a completion may have among the seams of the region. Auto: as many as the board has there."`
	Charge     string   `default:"seam" placeholder:"NAME" help:"What breaks cost: ${charges}."`
	Ledger     string   `default:"candidate" placeholder:"NAME" help:"When the ledger is asked: off, node or candidate."`
	Conditions []string `placeholder:"NAME" help:"What the ledger tests: ${conditions}."`
	Nodes      int64    `default:"500000000" placeholder:"N" help:"Nodes of a job. What it does not come to is shared out again."`
}

func (c *huntAddExhaustCommand) Run(t *terminal) error {
	if c.Nodes < 1 {
		return badf("--nodes %d, want 1 or more", c.Nodes)
	}
	budget := -1
	if c.Budget != "auto" {
		n, err := strconv.ParseUint(c.Budget, 10, 31)
		if err != nil {
			return badf("--budget %s, want auto or a number of breaks", printable(c.Budget))
		}
		budget = int(n)
	}
	if err := c.regionFlags.check(&c.clueFlags); err != nil {
		return err
	}
	if len(c.Conditions) > 0 {
		if _, err := ledger.ConditionsNamed(c.Conditions...); err != nil {
			return badf("--conditions: %w", err)
		}
	}
	d, err := c.board(c.Board, t)
	if err != nil {
		return err
	}
	warn(t, d)
	if err := c.sound(d); err != nil {
		return err
	}
	held, err := c.held(d, c.cluesFor(d))
	if err != nil {
		return err
	}
	r, err := c.take(d, held)
	if err != nil {
		return err
	}
	if budget < 0 {
		budget = r.breaks()
	}
	p, err := d.Puzzle.WithClues(nil) // pieces that stay are what binds a completion
	if err != nil {
		return err
	}
	tests := c.Conditions
	if c.Ledger == "node" && len(tests) == 0 {
		tests = strings.Split(ledger.Page.String(), ",") // as exhaust does
	}
	return begun(c.Dir, p, hunt.NewExhaustion(job.Exhaust{
		Board: r.rest.Codes(), Order: r.order, Budget: budget, Uncharged: r.uncharged, Charge: c.Charge, Ledger: c.Ledger, Tests: tests,
	}, c.Nodes), t)
}

type huntAddCertifyCommand struct {
	Boards []string `arg:"" optional:"" name:"board" help:"Boards, as lastmile certify takes them. Default: the best of the archive."`
	huntFolder
	boardFlags
	clueFlags
	Radius   int    `default:"1" placeholder:"R" help:"Free the cells within R steps of a cell with a broken seam. Default: 1."`
	Metric   string `placeholder:"NAME" help:"What --radius calls a step: ${metrics}. Default: the first."`
	Question string `default:"better" placeholder:"better|perfect" help:"Is a refill asked for with fewer breaks, or with none? Default: better."`
	Top      int    `default:"10" placeholder:"N" help:"How many of the archive's boards."`
	Nodes    int64  `default:"2000000000" placeholder:"N" help:"Nodes of a job, after which its halo stays open."`
}

func (c *huntAddCertifyCommand) Run(t *terminal) error {
	metric, err := puzzle.MetricNamed(cmp.Or(c.Metric, puzzle.MetricNames[0]))
	switch {
	case err != nil:
		return badf("--metric: %w", err)
	case c.Radius < 0:
		return badf("--radius %d, want 0 or more", c.Radius)
	case !slices.Contains(certify.GoalNames, c.Question):
		return badf("--question %s, want better or perfect", printable(c.Question))
	case c.Top < 1 || c.Top > 10_000:
		return badf("--top %d, want 1 to 10000", c.Top)
	case c.Nodes < 1:
		return badf("--nodes %d, want 1 or more", c.Nodes)
	}
	boards, err := c.boards(t)
	if err != nil {
		return err
	}
	asked := false
	for len(boards) > 0 {
		// Boards that hold other clues, or are of another set, are another campaign.
		like := boards[0]
		var questions []job.Certify
		boards = slices.DeleteFunc(boards, func(b *puzzle.Board) bool {
			if !slices.Equal(b.Puzzle().Clues, like.Puzzle().Clues) || !slices.Equal(b.Puzzle().Pieces, like.Puzzle().Pieces) || b.Puzzle().Width != like.Puzzle().Width {
				return false
			}
			if cells := c.halo(b, metric); len(cells) > 0 {
				questions = append(questions, job.Certify{Board: b.Codes(), Cells: cells, Goal: c.Question})
			}
			return true
		})
		if len(questions) == 0 {
			continue
		}
		asked = true
		if err := begun(c.Dir, like.Puzzle(), hunt.NewHalos(questions, c.Nodes), t); err != nil {
			return err
		}
	}
	if !asked {
		return badf("no board has a broken seam, so there is nothing to ask")
	}
	return nil
}

// halo is the cells of a board that are freed: clues stay.
func (c *huntAddCertifyCommand) halo(b *puzzle.Board, metric puzzle.Metric) []int {
	p := b.Puzzle()
	return slices.DeleteFunc(p.Halo(b.BrokenCells(), min(c.Radius, p.Cells()), metric), func(cell int) bool {
		return slices.ContainsFunc(p.Clues, func(q puzzle.Placement) bool { return q.Cell == cell })
	})
}

// boards are those that are named, or the best of the archive. The clues of their
// puzzles are those that they hold.
func (c *huntAddCertifyCommand) boards(t *terminal) ([]*puzzle.Board, error) {
	var all []*puzzle.Board
	add := func(p *puzzle.Puzzle, held, placements []puzzle.Placement) error {
		p, err := p.WithClues(held)
		if err != nil {
			return err
		}
		b := puzzle.NewBoard(p)
		b.Load(placements)
		all = append(all, b)
		return nil
	}
	for _, name := range c.Boards {
		d, err := c.board(name, t)
		if err != nil {
			return nil, err
		}
		if err := c.sound(d); err != nil {
			return nil, err
		}
		if len(d.ID.Placements) != d.Puzzle.Cells() {
			return nil, badf("%s has %d pieces, want a full board", printable(name), len(d.ID.Placements))
		}
		held, err := c.held(d, c.cluesFor(d))
		if err != nil {
			return nil, err
		}
		if err := add(d.Puzzle, held, d.ID.Placements); err != nil {
			return nil, err
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	list, err := hunt.Chosen(c.Dir, archive.Filter{Most: c.Top})
	if err != nil {
		return nil, bad{err}
	}
	for _, x := range list {
		b, err := x.Puzzle.Decode(x.Codes)
		if err != nil {
			return nil, err
		}
		clues := slices.Clone(x.Puzzle.Clues)
		if x.Set == job.Official {
			clues = puzzle.Official().Clues
		}
		held := slices.DeleteFunc(clues, func(q puzzle.Placement) bool { return b.Edges(q.Cell) != x.Puzzle.Rotated(q.Piece, q.Rotation) })
		if err := add(x.Puzzle, held, b.Placements(nil)); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, badf("the archive in %s has no board yet; name one", printable(c.Dir))
	}
	return all, nil
}
