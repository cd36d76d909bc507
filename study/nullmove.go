package study

import (
	"context"
	"fmt"

	"lastmile/game"
	"lastmile/game/virus"
)

var nullMove = Study{
	Name:    "null-move",
	Claim:   "verified null move with R = 3 develops fewer nodes than plain null move with R = 2 and solves more problems",
	Seeds:   nullSeeds,
	Measure: measureNullMove,
}

var nullSeeds = fromTo(1, 1)

// nullBound is of the question that is a problem: is the position worth so much?
const nullBound game.Points = 1

const (
	nullTable = 16 // bits, where there is a table
	nullDepth = 10 // the greatest that the claims speak of
	nullSuite = 500
)

// nullArm is a way to use null moves.
type nullArm struct {
	null game.NullMove
	r    int
}

func (a nullArm) String() string {
	if a.null == game.NoNull {
		return a.null.String()
	}
	return fmt.Sprintf("%v, R = %d", a.null, a.r)
}

// nullArms are those of the table, the first being full width.
var nullArms = []nullArm{
	{game.NoNull, 0},
	{game.PlainNull, 1}, {game.PlainNull, 2}, {game.PlainNull, 3},
	{game.CheckedNull, 2}, {game.CheckedNull, 3},
	{game.VerifiedNull, 2}, {game.VerifiedNull, 3},
}

// nullPlan is what is asked.
type nullPlan struct {
	zugzwangs, middle int // problems
	depth             int // the greatest
	truth             int // depth of the search that judges the middle game
	tables            []int
}

// nullAnswer is the answer to a problem at one depth.
type nullAnswer struct {
	yes   bool
	nodes int64
}

// nullAnswers are those to one problem: at depths 1, 2 and on, and, for endings,
// last at the depth where no game lasts longer.
type nullAnswers []nullAnswer

// nullRun is an arm with or without a table.
type nullRun struct {
	arm    nullArm
	table  bool
	ending []nullAnswers
	middle []nullAnswers
}

func measureNullMove(ctx context.Context, o Options, r *Report) error {
	plan := nullPlan{zugzwangs: nullSuite, middle: nullSuite, depth: nullDepth, tables: []int{0, nullTable}}
	switch {
	case o.Quick:
		plan.zugzwangs, plan.middle, plan.depth = 4, 6, 4
	case o.Long:
		plan.depth += 2
	}
	plan.truth = plan.depth + 2
	r.note(fmt.Sprintf("%s %d zugzwangs, at most %d of a game: endings in which both sides can move, with %d to %d squares that can still be filled, for which an exact solver says that to pass, if it were allowed, would win instead of draw or lose, or draw instead of lose. They are looked for among the positions of the game and among those of %d continuations by lot from where %d squares can be filled, as searches see such positions too. %d positions of the middle game, one of a game, have %d to %d empty squares.",
		sampleNote(), plan.zugzwangs, suitePerGame, suiteFew, suiteMany, suiteContinued, suiteStart, plan.middle, suiteMiddleFew, suiteMiddle))
	r.note(fmt.Sprintf("A problem is the question whether the position is worth at least %d point to the side to move, %d points being a stone: one search of fixed depth with a null window, with nothing remembered from others. Of a zugzwang the answer is always no, as who has something better in a pass has not won; a search errs by yes. Endings are judged by the solver. The middle game is judged by full-width search of the same depth, and by one of depth %d. A table has 2^%d entries. Nothing depends on time or threads.",
		nullBound, virus.Stone, plan.truth, nullTable))
	if ctx.Err() != nil {
		reportNullMove(r, &plan, nil, nil, nil, o)
		return nil
	}
	suite, err := sampleSuite(ctx, o.Seeds[0], plan.zugzwangs, plan.middle, o.Threads, o.Say)
	if err != nil {
		return err
	}
	var runs []nullRun
	var truth []bool
	if ctx.Err() == nil {
		r.note(fmt.Sprintf("The problems were found in %s games.", grouped(int64(suite.games))))
		o.Say(fmt.Sprintf("full width, depth %d", plan.truth))
		if truth, err = deepAnswers(ctx, suite.middle, plan.truth, o.Threads); err != nil {
			return err
		}
	}
	for _, table := range plan.tables {
		for _, arm := range nullArms {
			if ctx.Err() != nil {
				break
			}
			o.Say(fmt.Sprintf("%v, %s", arm, withTable(table > 0)))
			run, err := runNullArm(ctx, suite, arm, table, plan.depth, o.Threads)
			if err != nil {
				return err
			}
			if ctx.Err() == nil {
				runs = append(runs, run)
			}
		}
	}
	reportNullMove(r, &plan, suite, truth, runs, o)
	return nil
}

// deepAnswers searches positions full width.
func deepAnswers(ctx context.Context, positions []virus.Position, depth, threads int) ([]bool, error) {
	yes := make([]bool, len(positions))
	err := inBatches(ctx, len(positions), threads, game.Settings{Table: 20}, func(s *game.Search, i int) error {
		a, err := ask(ctx, s, positions[i], depth)
		yes[i] = a.yes
		return err
	})
	return yes, err
}

// ask asks one question, as if it were the first one.
func ask(ctx context.Context, s *game.Search, p virus.Position, depth int) (nullAnswer, error) {
	s.Forget()
	yes, counts, err := s.Test(ctx, virus.NewBoard(p, nil), depth, nullBound)
	return nullAnswer{yes, counts.Nodes}, ignoreEnd(ctx, err)
}

// inBatches does so many jobs, several at a time, with a search for each batch.
func inBatches(ctx context.Context, jobs, threads int, settings game.Settings, job func(s *game.Search, i int) error) error {
	const batch = 25
	return inParallel(ctx, (jobs+batch-1)/batch, threads, func(b int) error {
		s, err := game.New(settings)
		if err != nil {
			return err
		}
		for i := b * batch; i < min(jobs, (b+1)*batch) && ctx.Err() == nil; i++ {
			if err := job(s, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// fullDepth is more plies than an ending can last: each move may need a pass.
func (z *zugzwang) fullDepth() int { return 2*z.position.Empty().Count() + 1 }

// runNullArm asks all questions.
func runNullArm(ctx context.Context, suite *gameSuite, arm nullArm, table, depth, threads int) (nullRun, error) {
	run := nullRun{arm: arm, table: table > 0, ending: make([]nullAnswers, len(suite.zugzwangs)), middle: make([]nullAnswers, len(suite.middle))}
	settings := game.Settings{Table: table, Null: arm.null, R: arm.r}
	n := len(suite.zugzwangs)
	err := inBatches(ctx, n+len(suite.middle), threads, settings, func(s *game.Search, i int) error {
		var p virus.Position
		var to *nullAnswers
		depths := fromOne(depth)
		if i < n {
			p, to = suite.zugzwangs[i].position, &run.ending[i]
			depths = append(depths, suite.zugzwangs[i].fullDepth())
		} else {
			p, to = suite.middle[i-n], &run.middle[i-n]
		}
		for _, d := range depths {
			a, err := ask(ctx, s, p, d)
			if err != nil {
				return err
			}
			*to = append(*to, a)
		}
		return nil
	})
	return run, err
}

// fromOne is the numbers from 1 to n.
func fromOne(n int) (list []int) {
	for i := range n {
		list = append(list, i+1)
	}
	return list
}
